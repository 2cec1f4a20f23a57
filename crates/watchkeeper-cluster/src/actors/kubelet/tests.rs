//! A pod's life on a node that runs nothing.

use watchkeeper_api::Time;
use watchkeeper_api::core::v1::{Container, Pod};

use super::address::Addresses;
use super::stage::{Stage, next};
use crate::actors::FakeNode;

fn pod() -> Pod {
    let mut pod = Pod::default();
    pod.metadata.uid = "u".into();
    pod.spec.containers.push(Container { name: "nginx".into(), ..Container::default() });
    pod
}

fn run(pod: &Pod) -> Stage {
    next(pod, "10.0.0.2", "10.244.0.2", Time::from_unix(5))
}

#[test]
fn a_placed_pod_starts_with_an_address_and_is_ready() {
    let Stage::Start(status) = run(&pod()) else { panic!("it starts") };
    assert_eq!(
        (&*status.phase, &*status.pod_ip, &*status.host_ip),
        ("Running", "10.244.0.2", "10.0.0.2")
    );
    assert!(status.conditions.iter().any(|c| c.type_ == "Ready" && c.status == "True"));
    assert!(status.container_statuses[0].ready);
}

#[test]
fn a_running_pod_rests_and_a_pod_asked_to_go_is_removed() {
    let mut pod = pod();
    pod.status.phase = "Running".into();
    assert_eq!(run(&pod), Stage::Rest);
    pod.metadata.deletion_timestamp = Some(Time::from_unix(1));
    assert_eq!(run(&pod), Stage::Remove);
}

#[test]
fn a_pod_on_the_host_network_has_the_hosts_address() {
    let mut pod = pod();
    pod.spec.host_network = true;
    let Stage::Start(status) = run(&pod) else { panic!("it starts") };
    assert_eq!(&*status.pod_ip, "10.0.0.2");
}

#[test]
fn addresses_are_unique_remembered_and_freed() {
    let mut addresses = Addresses::of_node(3);
    assert_eq!(addresses.assign("a").as_deref(), Some("10.244.3.2"));
    assert_eq!(addresses.assign("b").as_deref(), Some("10.244.3.3"));
    assert_eq!(addresses.assign("a").as_deref(), Some("10.244.3.2"));
    addresses.release("a");
    assert_eq!(addresses.assign("c").as_deref(), Some("10.244.3.2"));
    addresses.learn("d", "10.244.3.4");
    assert_eq!(addresses.assign("e").as_deref(), Some("10.244.3.5"));
    assert_eq!(Addresses::of_node(255).assign("a").as_deref(), Some("10.244.255.2"));
    assert_eq!(Addresses::of_node(256).assign("a").as_deref(), Some("10.245.0.2"));
    assert_eq!(Addresses::of_node(FakeNode::MOST - 1).assign("a").as_deref(), Some("10.255.183.2"));
}

#[test]
fn a_full_node_has_no_address_left() {
    let mut addresses = Addresses::of_node(0);
    for pod in 0..253 {
        assert!(addresses.assign(&pod.to_string()).is_some());
    }
    assert_eq!(addresses.assign("one too many"), None);
}
