use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Held, TABLE, is_taken, object, of, parent, unsettled};
use crate::clock::Now;
use crate::config::Config;
use crate::rng::Rng;
use crate::step::Core;
use crate::storage::{Stored, key};

fn ip(text: &str) -> IpAddr {
    text.parse().expect("an address")
}

fn core() -> Core {
    Core::new(Config::default(), Now::default(), &mut Rng::new(0))
}

fn seed(core: &mut Core, table: &str, (namespace, name): (&str, &str), object: Value) {
    let stored = Stored::new(key(namespace, name), 1, object);
    core.store.seed(&table.into(), &Arc::new(stored));
}

fn service(core: &mut Core, name: &str, address: &str) {
    let metadata = json!({"namespace": "default", "name": name});
    let service = json!({"metadata": metadata, "spec": {"clusterIPs": [address]}});
    seed(core, "services", ("default", name), service);
}

#[test]
fn a_service_has_the_addresses_that_are_some() {
    for (addresses, expected) in [
        (json!(["10.96.0.7"]), vec![ip("10.96.0.7")]),
        (json!(["10.96.0.7", "fd00::1"]), vec![ip("10.96.0.7"), ip("fd00::1")]),
        (json!(["None"]), Vec::new()),
        (json!([]), Vec::new()),
        (Value::Null, Vec::new()),
    ] {
        assert_eq!(of(&json!({"spec": {"clusterIPs": addresses}})), expected, "{addresses}");
    }
}

#[test]
fn only_what_was_written_for_a_service_has_one() {
    let written = object(ip("10.96.0.7"), ("shop", "web"));
    assert_eq!(parent(&written).as_deref(), Some("shop/web"));
    assert_eq!(written["metadata"]["labels"]["ipaddress.kubernetes.io/ip-family"], "IPv4");
    let six = object(ip("fd00:0::1"), ("shop", "web"));
    assert_eq!(six["metadata"]["name"], "fd00::1");
    assert_eq!(six["metadata"]["labels"]["ipaddress.kubernetes.io/ip-family"], "IPv6");
    for (pointer, other) in [
        ("/metadata/labels", json!({})),
        ("/spec/parentRef/resource", json!("gateways")),
        ("/spec/parentRef", json!({"group": "x.io", "resource": "services", "name": "a"})),
    ] {
        let mut by_hand = written.clone();
        *by_hand.pointer_mut(pointer).expect("it is there") = other;
        assert_eq!(parent(&by_hand), None, "{pointer}");
    }
}

#[test]
fn an_address_is_taken_by_all_but_its_own_service() {
    let mut core = core();
    let (own, other) = (key("default", "kubernetes"), key("default", "web"));
    assert!(!is_taken(&core, "10.96.0.1", &own) && is_taken(&core, "10.96.0.1", &other));
    assert!(!is_taken(&core, "10.96.0.2", &other));
    core.addresses_due.insert((own.clone(), ip("10.96.0.2")));
    assert!(!is_taken(&core, "10.96.0.2", &own) && is_taken(&core, "10.96.0.2", &other));
    let by_hand = json!({"spec": {"parentRef": {"resource": "services", "name": "web"}}});
    seed(&mut core, TABLE, ("", "10.96.0.3"), by_hand);
    assert!(is_taken(&core, "10.96.0.3", &other));
}

#[test]
fn what_was_kept_is_compared_with_its_services() {
    let mut core = core();
    assert_eq!(unsettled(&core), BTreeSet::new());
    service(&mut core, "old", "10.96.0.7");
    service(&mut core, "headless", "None");
    service(&mut core, "of-another-range", "10.7.0.1");
    let gone = object(ip("10.96.0.9"), ("default", "gone"));
    seed(&mut core, TABLE, ("", "10.96.0.9"), gone);
    let held = |name: &str, address: &str| -> Held { (key("default", name), ip(address)) };
    let expected = BTreeSet::from([held("old", "10.96.0.7"), held("gone", "10.96.0.9")]);
    assert_eq!(unsettled(&core), expected);
}
