//! Who a replica is, and where its lease is, unless it is said (M-08).

use std::process::Command;

use super::*;

/// The host that the environment of this process names.
#[expect(clippy::disallowed_methods, reason = "what a container says of its host")]
fn host() -> String {
    std::env::var("HOSTNAME").ok().filter(|host| !host.is_empty()).unwrap_or_default()
}

const HOST: &str = "pod-7.example";

/// Where the environment names no host, replicas are told apart all the same.
#[tokio::test]
async fn m_08_an_identity_is_the_host_and_what_no_other_process_has() {
    let client = World::new().client();
    let named = || LeaderElector::new(&client, LeaderElection::new("l")).expect("an election");
    let (one, other) = (named(), named());
    let host = Some(host()).filter(|host| !host.is_empty());
    let begin = format!("{}_", host.as_deref().unwrap_or("watchkeeper"));
    let own = [&one, &other].map(|elector| {
        let own = elector.identity().strip_prefix(&begin);
        own.unwrap_or_else(|| panic!("{} does not begin with {begin}", elector.identity()))
    });
    assert_ne!(own[0], own[1]);
    assert!(own.iter().all(|own| own.len() == 32), "{own:?}");
    assert!(own.iter().all(|own| own.bytes().all(|byte| byte.is_ascii_hexdigit())), "{own:?}");
}

/// The same in a process of another host, and in one that is told no host.
#[test]
fn m_08_the_host_is_that_of_the_environment() {
    let test = "leader::names::m_08_an_identity_is_the_host_and_what_no_other_process_has";
    for host in [HOST, ""] {
        let program = std::env::current_exe().expect("this program");
        let output = Command::new(program).args([test, "--exact"]).env("HOSTNAME", host).output();
        let output = output.expect("it runs");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{host:?}: {told}");
    }
}

/// In a pod the client knows the namespace of its service account.
#[tokio::test(start_paused = true)]
async fn m_08_the_lease_is_in_the_namespace_that_the_client_is_about() {
    let world = World::new();
    let namespace = object!(watchkeeper_api::core::v1::Namespace { metadata: { name: "ops" } });
    let client = world.client();
    client.api_for(&namespace).create(&namespace, &CreateOptions::default()).await.expect("made");
    let in_pod = client.clone().with_default_namespace("ops");
    let manager = Manager::new(&in_pod).seed(1).leader_election("mine");
    let leading = manager.clone();
    manager.run(async move { leading.elected().await }).await.expect("a clean stop");
    client.api::<Lease>().namespace("ops").get("mine").await.expect("the lease is there");
}

/// A lease in the namespace of one replica and another in that of a second one would let both lead.
#[tokio::test(start_paused = true)]
async fn m_08_a_namespace_that_is_not_known_fails_the_run_with_what_to_do() {
    let world = World::new();
    let in_pod = world.client().without_default_namespace();
    let manager = Manager::new(&in_pod).leader_election("mine");
    let error = manager.run(pending()).await.expect_err("nobody knows where the lease is");
    let told = error.to_string();
    assert!(told.contains("in which namespace the lease mine is to be is not known"), "{told}");
    assert!(told.contains("LeaderElection::namespace"), "{told}");
    assert!(told.contains("--leader-elect-resource-namespace"), "{told}");

    let said = LeaderElection::new("mine").namespace("default");
    let manager = Manager::new(&in_pod).leader_election(said);
    let leading = manager.clone();
    manager.run(async move { leading.elected().await }).await.expect("it was said");
}
