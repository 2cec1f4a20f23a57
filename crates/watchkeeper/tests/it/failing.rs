//! What a `#[watchkeeper::test]` that fails prints.

use std::process::Command;

use expect_test::expect;
use watchkeeper::prelude::*;
use watchkeeper::testing::TestCluster;

/// Set, it has the test below fail.
const FAILING: &str = "WATCHKEEPER_FAILING_TEST";

/// Gives every service a mark.
fn marker(manager: &Manager) {
    let services = manager.watch::<Service>();
    manager.controller("marker", &services).with(services).reconcile(
        async |services, request, ctx| {
            let Some(service) = services.get(&request).await? else { return Ok(Action::done()) };
            if service.spec.ports.iter().any(|port| port.port == 81) {
                return Err("port 81 is nobody's".into());
            }
            ctx.edit(&service, |service| _ = service.metadata.labels.insert("mark", "1")).await?;
            Ok(Action::done())
        },
    );
}

#[watchkeeper::test(nodes = 0)]
async fn a_service_is_marked(test: TestCluster) {
    test.start("marker", marker);
    let services = test.client().api::<Service>().namespace("default");
    let web = object!(Service { metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } });
    services.create(&web, &Default::default()).await.unwrap();
    if std::env::var_os(FAILING).is_some() {
        let odd = object!(Service { metadata: { name: "odd" }, spec: { ports: [{ port: 81 }] } });
        services.create(&odd, &Default::default()).await.unwrap();
    }
    test.settled().await;
    let wanted = if std::env::var_os(FAILING).is_some() { "2" } else { "1" };
    let web = services.get("web").await.unwrap();
    assert_eq!(web.metadata.labels.get("mark").map(|mark| &**mark), Some(wanted));
}

/// This program once more, with the one test, which fails if it is told to.
fn run(failing: bool) -> (bool, String) {
    let mut test = Command::new(std::env::current_exe().expect("this program"));
    test.args(["failing::a_service_is_marked", "--exact", "--nocapture", "--test-threads=1"]);
    test.env_remove(FAILING).env_remove("RUST_BACKTRACE");
    if failing {
        test.env(FAILING, "1");
    }
    let output = test.output().expect("it runs");
    (output.status.success(), String::from_utf8(output.stderr).expect("text"))
}

#[test]
fn a_failing_test_prints_who_wrote_what_and_when() {
    let (passed, told) = run(true);
    assert!(!passed, "{told}");
    let (panic, story) = told.split_once("What was written").expect("a story follows the panic");
    let (story, left) = story.split_once("# to look at it: ").expect("what is left follows it");
    assert!(panic.contains("assertion `left == right` failed"), "{panic}");
    expect![[r#"
        on the cluster, heartbeats left out:
            0.000s  kube-apiserver             create  namespaces default  @2
            0.000s  kube-apiserver             create  namespaces kube-node-lease  @3
            0.000s  kube-apiserver             create  namespaces kube-public  @4
            0.000s  kube-apiserver             create  namespaces kube-system  @5
            0.000s  kube-apiserver             create  services default/kubernetes  @6
            0.000s  kube-apiserver             create  ipaddresses.networking.k8s.io 10.96.255.125  @7
            0.000s  test                       create  services default/web  @8
            0.000s  kube-apiserver             create  ipaddresses.networking.k8s.io 10.96.61.228  @9
            0.000s  test                       create  services default/odd  @10
            0.000s  serviceaccount-controller  create  serviceaccounts kube-public/default  @11
            0.000s  serviceaccount-controller  create  configmaps kube-public/kube-root-ca.crt  @12
            0.000s  serviceaccount-controller  create  serviceaccounts default/default  @13
            0.000s  serviceaccount-controller  create  configmaps default/kube-root-ca.crt  @14
            0.000s  serviceaccount-controller  create  serviceaccounts kube-node-lease/default  @15
            0.000s  serviceaccount-controller  create  configmaps kube-node-lease/kube-root-ca.crt  @16
            0.000s  serviceaccount-controller  create  serviceaccounts kube-system/default  @17
            0.000s  serviceaccount-controller  create  configmaps kube-system/kube-root-ca.crt  @18
            0.000s  marker                     patch   services default/web  @19
            0.000s  marker                     patch   services default/kubernetes  @20

        What could not be reconciled:
          marker: default/odd failed 11 times: port 81 is nobody's
    "#]].assert_eq(story.trim_start());
    let file = left.trim_end().strip_prefix("watchkeeper serve --actors none --import ");
    let all = std::fs::read_to_string(file.expect("the command")).expect("a file");
    assert!(all.contains("name: odd") && all.contains("mark: \"1\""), "{all}");
}

#[test]
fn a_test_that_passes_prints_nothing() {
    let (passed, told) = run(false);
    assert!(passed && told.is_empty(), "{told}");
}
