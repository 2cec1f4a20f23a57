//! The role of the sample controller: what it declares, joined with what it calls while a Foo lives its
//! whole life.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sample_controller::access;
use sample_controller::controller::foo_controller;
use sample_controller::foo::Foo;
use serde_json::json;
use watchkeeper::client::access::AccessRecorder;
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;
use watchkeeper_codegen::Rbac;

use crate::world::{EPOCH, World, run_recorded};

const ROLE: &str = include_str!("../../artifacts/role.yaml");

fn artifact(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(name)
}

/// Everything that the controller does, it does here.
async fn life(world: &World) {
    world.foo("a", "web", Some(1)).await;
    world.settled().await;
    world.patch::<Foo>("a", json!({"spec": {"replicas": 2}})).await;
    world.settled().await;
    world.patch::<Foo>("a", json!({"spec": {"deploymentName": "other"}})).await;
    world.settled().await;
    // The Deployment is there already, and nobody's: told twice, so that the event is counted.
    world.foo("b", "", Some(1)).await;
    world.settled().await;
    world.patch::<Foo>("b", json!({"spec": {"deploymentName": "other"}})).await;
    world.settled().await;
    world.delete::<Foo>("a").await;
    world.settled().await;
}

/// What the controller declares and what it called, as the program prints it.
async fn access_text() -> String {
    let recorder = AccessRecorder::new();
    let cluster = Cluster::builder().seed(1).clock(EPOCH).build();
    run_recorded(cluster, 1, &recorder, async |world| life(world).await).await;
    access::document(None, &recorder)
}

fn rbac(access: &str) -> Rbac {
    Rbac::new("sample-controller").access("access.json", access).expect("what was recorded")
}

#[tokio::test(start_paused = true)]
async fn the_committed_role_is_what_the_controller_declares_and_calls() {
    let text = access_text().await;
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(artifact("access.json"), &text).expect("it can be written");
        rbac(&text).write(&artifact("role.yaml")).expect("it can be written");
    }
    let committed = std::fs::read_to_string(artifact("access.json")).expect("access.json");
    assert_eq!(committed, text, "stale; set UPDATE_EXPECT=1 to write it");
    let stale = rbac(&text).stale(&artifact("role.yaml")).expect("role.yaml");
    assert!(stale.is_none(), "set UPDATE_EXPECT=1:\n{}", stale.expect("stale").diff());
}

#[tokio::test(start_paused = true)]
async fn the_role_grants_everything_and_without_any_rule_it_does_not() {
    let rbac = rbac(&access_text().await);
    let missing = |role: &str| rbac.missing("role.yaml", role).expect("a role");
    assert_eq!(missing(ROLE), []);
    let role: serde_json::Value = serde_saphyr::from_str(ROLE).expect("YAML");
    let rules = role["rules"].as_array().expect("rules").len();
    assert!(rules >= 4, "{rules}");
    for index in 0..rules {
        let mut less = role.clone();
        let gone = less["rules"].as_array_mut().expect("rules").remove(index);
        let told = missing(&less.to_string());
        assert!(!told.is_empty(), "nobody misses {gone}");
        for of in told {
            assert!(gone.to_string().contains(&of.permission.verb), "{of} is not in {gone}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_declared_and_never_called_is_told() {
    let never_called = |access: &str| -> Vec<String> {
        rbac(access).unexercised().iter().map(|of| of.permission.to_string()).collect()
    };
    // A list that is streamed in a watch counts as the list that servers without it are asked for.
    assert_eq!(never_called(&access_text().await), [] as [String; 0]);
    let told = never_called(&access::document(None, &AccessRecorder::new()));
    expect_test::expect![[r#"
        create events
        patch events
        list deployments.apps
        watch deployments.apps
        list foos.samplecontroller.k8s.io
        watch foos.samplecontroller.k8s.io"#]]
    .assert_eq(&told.join("\n"));
}

#[test]
fn the_declarations_name_what_they_are_for() {
    let manager = Manager::new(&Client::unconnected());
    foo_controller(&manager, 1, Duration::ZERO);
    let needs = manager.needs();
    let said: Vec<String> =
        needs.iter().map(|need| format!("{}: {}", need.permission, need.reason)).collect();
    expect_test::expect![[r#"
        create events: the controller sample-controller records events
        patch events: the controller sample-controller records events
        list deployments.apps: the controller sample-controller owns deployments.apps
        list deployments.apps: the manager follows deployments.apps
        watch deployments.apps: the controller sample-controller owns deployments.apps
        watch deployments.apps: the manager follows deployments.apps
        list foos.samplecontroller.k8s.io: the controller sample-controller reconciles foos.samplecontroller.k8s.io
        list foos.samplecontroller.k8s.io: the manager follows foos.samplecontroller.k8s.io
        watch foos.samplecontroller.k8s.io: the controller sample-controller reconciles foos.samplecontroller.k8s.io
        watch foos.samplecontroller.k8s.io: the manager follows foos.samplecontroller.k8s.io
        update foos.samplecontroller.k8s.io/finalizers: the controller sample-controller owns deployments.apps"#]]
    .assert_eq(&said.join("\n"));
}

#[test]
fn replicas_need_a_lease_besides() {
    let needs = |election| access::document(election, &AccessRecorder::new());
    assert!(!needs(None).contains("leases"));
    let text = needs(Some(LeaderElection::new("sample-controller")));
    assert!(text.contains("leases"), "{text}");
}
