use std::path::PathBuf;

use super::super::super::flags::{Asked, parse};
use super::super::KNOWN;
use super::Settings;
use crate::Outcome;

fn settings(arguments: &[&str]) -> Outcome<Settings> {
    match parse(KNOWN, arguments.iter().map(Into::into)).expect("flags") {
        Asked::Run(flags) => Settings::of(&flags),
        other => panic!("{other:?}"),
    }
}

fn refused(argument: &str) -> String {
    settings(&[argument]).expect_err("refused")
}

/// What envtest of controller-runtime 0.24 says, in its order.
const ENVTEST: [&str; 12] = [
    "--allow-privileged=true",
    "--authorization-mode=RBAC",
    "--bind-address=127.0.0.1",
    "--cert-dir=/tmp/k8s_test_framework_7",
    "--client-ca-file=/tmp/k8s_test_framework_7/client-cert-auth-ca.crt",
    "--disable-admission-plugins=ServiceAccount",
    "--etcd-servers=http://127.0.0.1:2379",
    "--secure-port=6444",
    "--service-account-issuer=https://127.0.0.1:6444/",
    "--service-account-key-file=/tmp/k8s_test_framework_7/sa-signer.crt",
    "--service-account-signing-key-file=/tmp/k8s_test_framework_7/sa-signer.key",
    "--service-cluster-ip-range=10.0.0.0/24",
];

#[test]
fn what_envtest_says_is_heeded() {
    let folder = PathBuf::from("/tmp/k8s_test_framework_7");
    let wanted = Settings {
        address: "127.0.0.1:6444".parse().expect("an address"),
        certificate: folder.join("apiserver.crt"),
        key: folder.join("apiserver.key"),
        client_ca: Some(folder.join("client-cert-auth-ca.crt")),
        token_file: None,
        rbac: true,
        anonymous: true,
        service_accounts: false,
        shard_selectors: false,
        issuer: Some("https://127.0.0.1:6444/".to_owned()),
        service_range: "10.0.0.0/24".parse().expect("a range"),
        reads: 400,
        writes: 200,
        unheeded: vec![
            "tokens of service accounts are signed with a key of the server's own".to_owned(),
        ],
    };
    assert_eq!(settings(&ENVTEST), Ok(wanted));
}

#[test]
fn what_suites_add_is_heeded_or_told() {
    let mut said = ENVTEST.to_vec();
    said.extend([
        "--v=4",
        "--feature-gates=kube:ShardedListAndWatch=true,ComponentSLIs=false",
        "--enable-admission-plugins=NamespaceLifecycle,RuntimeClass",
        "--audit-log-path=-",
        "--runtime-config=api/all=true,apps/v1=true",
        "--max-requests-inflight=0",
        "--anonymous-auth=false",
        "--token-auth-file=/tmp/tokens",
    ]);
    let settings = settings(&said).expect("settings");
    assert!(settings.shard_selectors && !settings.anonymous);
    assert_eq!((settings.reads, settings.token_file), (0, Some(PathBuf::from("/tmp/tokens"))));
    let told = [
        "--audit-log-path is not heeded",
        "tokens of service accounts are signed with a key of the server's own",
        "--feature-gates=ComponentSLIs=false is not heeded",
        "the admission plugin RuntimeClass is not there",
        "--runtime-config=api/all=true is not heeded",
    ];
    assert_eq!(settings.unheeded, told);
}

#[test]
fn without_flags_it_is_as_the_real_one_says() {
    let settings = settings(&[]).expect("settings");
    assert_eq!(settings.address.to_string(), "0.0.0.0:6443");
    assert_eq!(settings.certificate, PathBuf::from("/var/run/kubernetes/apiserver.crt"));
    assert!(!settings.rbac && !settings.anonymous && settings.service_accounts);
    assert_eq!(settings.service_range.to_string(), "10.0.0.0/24");
}

#[test]
fn several_ways_to_be_allowed_are_as_good_as_the_best_of_them() {
    let is_rbac = |modes: &str| {
        settings(&[&format!("--authorization-mode={modes}")]).map(|settings| settings.rbac)
    };
    assert_eq!((is_rbac("Node,RBAC"), is_rbac("RBAC,AlwaysAllow")), (Ok(true), Ok(false)));
    assert!(is_rbac("Node").is_err() && is_rbac("Webhook,RBAC").is_err());
}

#[test]
fn what_would_make_a_test_another_one_is_refused() {
    for (argument, why) in [
        ("--oidc-issuer-url=https://a", "--oidc-issuer-url is not to be had: users are known by"),
        ("--authorization-mode=ABAC", "--authorization-mode=ABAC is not to be had"),
        (
            "--enable-admission-plugins=AlwaysPullImages",
            "--enable-admission-plugins=AlwaysPullImages: ",
        ),
        (
            "--enable-admission-plugins=Nonsense",
            "--enable-admission-plugins plugin \"Nonsense\" is unknown",
        ),
        ("--disable-admission-plugins=LimitRanger", "--disable-admission-plugins=LimitRanger: "),
        ("--allow-privileged=false", "--allow-privileged=false: "),
        (
            "--service-node-port-range=1-2",
            "--service-node-port-range=1-2 is not to be had: it is always",
        ),
        ("--service-cluster-ip-range=10.0.0.0/24,fd00::/108", "--service-cluster-ip-range: "),
        (
            "--runtime-config=resource.k8s.io/v1alpha3=true",
            "--runtime-config=resource.k8s.io/v1alpha3=true: ",
        ),
        (
            "--runtime-config=batch/v1=false",
            "--runtime-config=batch/v1=false: batch/v1 is always served",
        ),
        ("--secure-port=0", "--secure-port is a number"),
        ("--bind-address=here", "--bind-address=here is no address"),
        ("--tls-cert-file=/a", "--tls-cert-file and --tls-private-key-file go together"),
    ] {
        let told = refused(argument);
        assert!(told.starts_with(why), "{argument}: {told}");
    }
    let same = settings(&["--service-node-port-range=30000-32767"]).expect("as it is anyhow");
    assert_eq!(same.unheeded, [] as [&str; 0]);
}
