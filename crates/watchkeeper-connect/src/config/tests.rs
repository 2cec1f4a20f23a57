//! What is sent of a user, and what is told of a server.

use http::HeaderValue;

use super::user::*;
use super::*;
use crate::files::Pod;

/// As client-go sends it: a user's extras may be what limits him.
#[test]
fn impersonation_is_sent_whole() {
    let text = r#"
users:
- name: me
  user:
    as: jane
    as-uid: "7"
    as-groups: [dev, ops]
    as-user-extra: {scopes: [view, edit], example.com/team%: [blue]}
"#;
    let user = Kubeconfig::parse(text).unwrap().users.remove(0).user;
    let headers = impersonation(&user).unwrap();
    let mut sent: Vec<_> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    sent.sort();
    assert_eq!(
        sent,
        [
            "impersonate-extra-example.com%2fteam%25: blue",
            "impersonate-extra-scopes: edit",
            "impersonate-extra-scopes: view",
            "impersonate-group: dev",
            "impersonate-group: ops",
            "impersonate-uid: 7",
            "impersonate-user: jane",
        ]
    );
}

#[test]
fn passwords_in_addresses_are_not_told() {
    for (url, told) in [
        ("https://me:hunter2@host:1/x", "https://host:1/x"),
        ("me:hunt@er2@host", "host"),
        ("https://host/a@b", "https://host/a@b"),
        ("https://host?a@b", "https://host?a@b"),
        ("http://me:hunt/er2@host:1", "http://host:1"),
        ("http://me:hunt#er2@host:1/x", "http://host:1/x"),
        ("me:1/hunter2@host", "host"),
        ("http://me:?@hunter2#/x@host", "http://host"),
    ] {
        assert_eq!(without_password(url), told);
    }
}

#[test]
fn a_plugin_is_told_of_its_cluster_what_there_is_to_tell() {
    let text = r#"
clusters:
- name: there
  cluster:
    server: https://s
    tls-server-name: t
    certificate-authority-data: AAAA
    proxy-url: http://p
    disable-compression: true
    extensions:
    - {name: other, extension: {a: 1}}
    - {name: client.authentication.k8s.io/exec, extension: {audience: prod, deep: {list: [1]}}}
- name: bare
  cluster: {server: https://b}
"#;
    let config = Kubeconfig::parse(text).unwrap();
    let told = |n: usize| told(&config.clusters[n].cluster).unwrap();
    assert_eq!(
        told(0),
        serde_json::json!({
            "server": "https://s", "tls-server-name": "t", "certificate-authority-data": "AAAA",
            "proxy-url": "http://p", "disable-compression": true,
            "config": {"audience": "prod", "deep": {"list": [1]}},
        })
    );
    assert_eq!(told(1), serde_json::json!({ "server": "https://b" }));

    let file = crate::tests::folder("told").join("ca.crt");
    std::fs::write(&file, [0, 0, 0]).unwrap();
    let of = |more: &str| {
        let text = format!("clusters: [{{name: c, cluster: {{server: 'https://c', {more}}}}}]");
        user::told(&Kubeconfig::parse(&text).unwrap().clusters[0].cluster)
    };
    assert_eq!(
        of(&format!("certificate-authority: '{}'", file.display())).unwrap(),
        serde_json::json!({ "server": "https://c", "certificate-authority-data": "AAAA" })
    );
    assert_eq!(
        of("insecure-skip-tls-verify: true").unwrap(),
        serde_json::json!({ "server": "https://c", "insecure-skip-tls-verify": true })
    );
    assert!(of("certificate-authority: /no/such").unwrap_err().contains("/no/such"));
}

#[tokio::test(start_paused = true)]
async fn a_pods_token_and_authority_are_read_again() {
    let folder = crate::tests::folder("rotated-pod");
    let authority = || rcgen::generate_simple_self_signed(["ca".to_owned()]).unwrap().cert.pem();
    std::fs::write(folder.join("ca.crt"), authority()).unwrap();
    std::fs::write(folder.join("token"), "one").unwrap();
    let config = Config::of_pod(Pod::read("10.0.0.1", "443", &folder).unwrap()).unwrap();
    let now = async || {
        let header = config.inner.auth.credentials().await.unwrap().header.unwrap();
        (header, config.inner.certs.current().await.generation)
    };
    assert_eq!(now().await, (HeaderValue::from_static("Bearer one"), 0));
    std::fs::write(folder.join("ca.crt"), authority()).unwrap();
    std::fs::write(folder.join("token"), "two").unwrap();
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    assert_eq!(now().await, (HeaderValue::from_static("Bearer two"), 1));
}

/// Where a lease is to be, for one (M-08).
#[tokio::test]
async fn the_namespace_of_a_pod_is_that_of_its_service_account_or_not_known() {
    let folder = crate::tests::folder("named-pod");
    let authority = rcgen::generate_simple_self_signed(["ca".to_owned()]).unwrap().cert.pem();
    std::fs::write(folder.join("ca.crt"), authority).unwrap();
    std::fs::write(folder.join("token"), "one").unwrap();
    let client = || {
        let pod = Pod::read("10.0.0.1", "443", &folder).unwrap();
        Config::of_pod(pod).unwrap().client().unwrap()
    };
    assert_eq!((client().known_namespace(), client().default_namespace()), (None, "default"));
    std::fs::write(folder.join("namespace"), "ops\n").unwrap();
    assert_eq!(client().known_namespace(), Some("ops"));
}

/// A server would answer with an error that nobody understands (upstream: `clientcmd.Validate`).
#[test]
fn who_acts_as_somebody_says_as_whom() {
    let of = |user: &str| {
        let text = format!("users: [{{name: me, user: {{{user}}}}}]");
        impersonation(&Kubeconfig::parse(&text).unwrap().users.remove(0).user)
    };
    for nobody in ["as: ''", "as: '', as-uid: '', as-groups: [], as-user-extra: {}"] {
        assert!(of(nobody).unwrap().is_empty(), "{nobody}");
    }
    for half in ["as-groups: [dev]", "as: '', as-uid: '7'", "as-user-extra: {scopes: [view]}"] {
        assert!(of(half).unwrap_err().ends_with("and not who that is; set as"), "{half}");
    }
    assert_eq!(of("as: jane, as-uid: ''").unwrap().len(), 1);
}

/// A link that leads nowhere is no file; one that cannot be followed is no reason to take another.
#[test]
fn a_kubeconfig_that_cannot_be_looked_at_is_told() {
    let folder = crate::tests::folder("unseen");
    let (round, nowhere) = (folder.join("round"), folder.join("nowhere"));
    std::os::unix::fs::symlink("round", &round).unwrap();
    std::os::unix::fs::symlink("gone", &nowhere).unwrap();
    let error =
        |path| Config::from_paths(&[path], false, &Options::default()).unwrap_err().to_string();
    assert!(error(round).starts_with("cannot read the kubeconfig "));
    assert!(error(nowhere).starts_with("there is no kubeconfig "));
}
