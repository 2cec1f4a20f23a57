//! Reading, merging, choosing.

use super::*;

fn parse(text: &str) -> Kubeconfig {
    Kubeconfig::parse(text).unwrap()
}

const FULL: &str = r#"
apiVersion: v1
kind: Config
preferences: {}
current-context: dev
clusters:
- name: local
  cluster: {server: "https://127.0.0.1:6443", certificate-authority: pki/ca.crt, extensions: []}
contexts:
- name: dev
  context: {cluster: local, user: me, namespace: shop}
- name: lost
  context: {cluster: nowhere, user: me}
- name: nobody
  context: {cluster: local, user: ghost}
users:
- name: me
  user:
    client-certificate: /abs/me.crt
    tokenFile: token
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: null
      env: [{name: A, value: b}]
      interactiveMode: Never
      provideClusterInfo: true
"#;

#[test]
fn a_context_names_its_cluster_and_user() {
    let mut config = parse(FULL);
    config.resolve_paths(Path::new("/home/me/.kube"));
    let chosen = config.choose(&Options::default(), "FILE").unwrap();
    assert_eq!(chosen.namespace.as_deref(), Some("shop"));
    assert_eq!(chosen.cluster.server, "https://127.0.0.1:6443");
    let path = |path: &Option<PathBuf>| path.as_ref().unwrap().display().to_string();
    assert_eq!(path(&chosen.cluster.certificate_authority), "/home/me/.kube/pki/ca.crt");
    assert_eq!(path(&chosen.user.client_certificate), "/abs/me.crt");
    assert_eq!(path(&chosen.user.token_file), "/home/me/.kube/token");
    let exec = chosen.user.exec.unwrap();
    assert_eq!(exec.command, "/home/me/.kube/./bin/login");
    assert_eq!((exec.args.len(), exec.env[0].value.as_str()), (0, "b"));
    assert!(exec.provide_cluster_info);
}

#[test]
fn a_command_without_a_slash_is_searched_for() {
    let mut config = parse("users: [{name: a, user: {exec: {command: aws}}}]");
    config.resolve_paths(Path::new("/x"));
    assert_eq!(config.users[0].user.exec.as_ref().unwrap().command, "aws");
}

#[test]
fn the_first_file_that_says_something_wins() {
    let first = parse(
        "{clusters: [{name: a, cluster: {server: 'http://1'}}], contexts: null, users: [{name: u, user: {token: one}}]}",
    );
    let second = parse(
        "{current-context: c, clusters: [{name: a, cluster: {server: 'http://2', tls-server-name: x}}, {name: b, cluster: {server: 'http://3'}}],
          contexts: [{name: c, context: {cluster: a, user: u}}], users: [{name: u, user: {token: two, username: x}}]}",
    );
    let third = parse("{current-context: d}");
    let merged = first.merge(second).merge(third);
    let chosen = merged.choose(&Options::default(), "FILES").unwrap();
    assert_eq!(chosen.context, "c");
    assert_eq!(chosen.cluster.server, "http://1");
    assert_eq!(chosen.cluster.tls_server_name, None, "an entry is taken whole");
    assert_eq!(chosen.user.token.as_deref(), Some("one"));
    assert_eq!(merged.clusters.len(), 2);
}

#[test]
fn what_is_missing_is_told_with_what_is_there() {
    let config = parse(FULL);
    let options = |context: &str| Options { context: Some(context.into()), ..Options::default() };
    let error = |context: &str| config.choose(&options(context), "FILE").unwrap_err().to_string();
    assert_eq!(error("prod"), "FILE has no context \"prod\" (it knows dev, lost, nobody)");
    assert_eq!(
        error("lost"),
        "context \"lost\" of FILE names the cluster \"nowhere\", which is not there (it knows local)"
    );
    assert_eq!(
        error("nobody"),
        "context \"nobody\" of FILE names the user \"ghost\", which is not there (it knows me)"
    );
    let error = parse("").choose(&Options::default(), "FILE").unwrap_err().to_string();
    assert_eq!(error, "FILE has no contexts; is it a kubeconfig?");
}

#[test]
fn what_the_caller_says_wins_over_the_context() {
    let config = parse(
        "{current-context: c, clusters: [{name: a, cluster: {server: 'http://1'}}, {name: b, cluster: {server: 'http://2'}}],
          contexts: [{name: c, context: {cluster: a, user: u, namespace: n}}],
          users: [{name: u, user: {token: one}}, {name: v, user: {token: two}}]}",
    );
    let [cluster, user, namespace] = ["b", "v", "m"].map(|name| Some(name.to_owned()));
    let options = Options { cluster, user, namespace, ..Options::default() };
    let chosen = config.choose(&options, "FILE").unwrap();
    assert_eq!(chosen.cluster.server, "http://2");
    assert_eq!(chosen.user.token.as_deref(), Some("two"));
    assert_eq!((chosen.user_name.as_str(), chosen.namespace.as_deref()), ("v", Some("m")));
    let options = Options { user: Some("w".into()), ..Options::default() };
    let error = config.choose(&options, "FILE").unwrap_err().to_string();
    assert!(error.ends_with("the user \"w\", which is not there (it knows u, v)"), "{error}");
}

#[test]
fn what_is_malformed_is_told_by_line_and_never_quoted() {
    for (text, line) in [
        ("clusters: hunter2", 1),
        ("users:\n- name: a\n  user: hunter2", 3),
        ("users:\n- name: a\n  user: {token: {hunter2: hunter2}}", 3),
        ("users:\n- user: {token: hunter2}", 2),
        ("users:\n- name: a\n  user: {token: 'hunter2}\n", 3),
        ("clusters:\n- name: a\n  cluster: {insecure-skip-tls-verify: hunter2}", 3),
        ("hunter2", 1),
        ("- hunter2", 1),
        ("a: *hunter2", 1),
        ("\t{", 1),
    ] {
        let error = Kubeconfig::parse(text).unwrap_err();
        assert!(error.starts_with(&format!("line {line}, ")), "{text:?}: {error}");
        assert!(!error.contains("hunter2"), "{text:?}: {error}");
    }
}

#[test]
fn json_is_read_too() {
    let config = parse(
        r#"{"current-context": "a", "users": [{"name": "u", "user": {"as-groups": ["g"]}}]}"#,
    );
    assert_eq!(config.users[0].user.as_groups, ["g"]);
}
