use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Held, TABLE, free, give_back, is_taken, object, of, parent, refusal, unsettled};
use crate::clock::Now;
use crate::config::Config;
use crate::rng::Rng;
use crate::step::{Core, Ticket};
use crate::storage::{Stored, key};
use crate::turn::Turn;

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
fn an_address_that_is_there_is_had_by_the_service_that_has_it() {
    let mut core = core();
    let (own, other) = (key("default", "kubernetes"), key("default", "web"));
    let taken = |core: &Core, ip: &str| {
        let of = |service, is_new| is_taken(core, ip, service, is_new);
        [of(&own, false), of(&own, true), of(&other, false), of(&other, true)]
    };
    assert_eq!(taken(&core, "10.96.0.1"), [false, true, true, true]);
    assert_eq!(taken(&core, "10.96.0.2"), [false; 4]);
    core.addresses_due.insert((own.clone(), ip("10.96.0.2")));
    assert_eq!(taken(&core, "10.96.0.2"), [false, false, true, true]);
    for (address, of) in [("10.96.0.3", "web"), ("10.96.0.4", "kubernetes")] {
        seed(&mut core, TABLE, ("", address), object(ip(address), ("default", of)));
        assert_eq!(taken(&core, address), [true; 4], "{of} does not have it");
    }
}

#[test]
fn the_address_of_the_first_service_is_there_before_it() {
    let mut core = Core::empty(Config::default(), &Rng::new(0));
    let (own, other) = (key("default", "kubernetes"), key("default", "web"));
    for (address, of) in [("10.96.0.1", "kubernetes"), ("10.96.0.2", "web")] {
        seed(&mut core, TABLE, ("", address), object(ip(address), ("default", of)));
        assert!(is_taken(&core, address, &other, true), "{address}");
    }
    assert!(!is_taken(&core, "10.96.0.1", &own, true));
    assert!(is_taken(&core, "10.96.0.2", &own, true));
}

#[test]
fn an_address_is_written_for_who_has_a_name() {
    assert_eq!(refusal("10.96.0.7", "web"), None);
    let why = r#"IPAddress.networking.k8s.io "10.96.0.7" is invalid: spec.parentRef.name: Required value"#;
    assert_eq!(refusal("10.96.0.7", "").as_deref(), Some(why));
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

fn held(name: &str, address: &str) -> Held {
    (key("default", name), ip(address))
}

#[test]
fn a_free_address_is_nobodys_and_is_due_to_nobody() {
    let service_range = "10.0.0.0/29".parse().expect("a range");
    let config = Config { service_range, ..Config::default() };
    let mut core = Core::new(config, Now::default(), &mut Rng::new(0));
    let found = |core: &mut Core| {
        let of = |seed| free(&mut Turn::new(core, Now::default(), &mut Rng::new(seed), Ticket(0)));
        (0..100).map(of).collect::<BTreeSet<_>>()
    };
    let of = |addresses: &[&str]| {
        addresses.iter().map(|address| Some((*address).to_owned())).collect::<BTreeSet<_>>()
    };
    let all = ["10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6"];
    assert_eq!(found(&mut core), of(&all), "the first is that of `kubernetes`");
    core.addresses_due.extend(all[1..].iter().map(|address| held("a", address)));
    assert_eq!(found(&mut core), of(&all[..1]));
    core.addresses_due.insert(held("a", all[0]));
    assert_eq!(found(&mut core), BTreeSet::from([None]));
}

#[test]
fn the_lower_part_of_a_range_is_given_out_last() {
    let service_range = "10.0.0.0/27".parse().expect("a range");
    let config = Config { service_range, ..Config::default() };
    let mut core = Core::new(config, Now::default(), &mut Rng::new(0));
    let found = |core: &mut Core| {
        let of = |seed| free(&mut Turn::new(core, Now::default(), &mut Rng::new(seed), Ticket(0)));
        (0..400).filter_map(of).collect::<BTreeSet<_>>()
    };
    let of = |part: std::ops::Range<u8>| {
        part.map(|number| format!("10.0.0.{number}")).collect::<BTreeSet<_>>()
    };
    assert_eq!(found(&mut core), of(17..31));
    core.addresses_due.extend(of(17..31).iter().map(|address| held("a", address)));
    assert_eq!(found(&mut core), of(2..17));
}

/// Others get what they got before.
#[test]
fn the_dice_are_thrown_once_for_an_address() {
    let mut core = core();
    let (mut rng, mut other) = (Rng::new(7), Rng::new(7));
    free(&mut Turn::new(&mut core, Now::default(), &mut rng, Ticket(0))).expect("an address");
    other.next_u64();
    assert_eq!(rng.next_u64(), other.next_u64());
}

/// What it tells of is not to be changed, but its labels are anybody's.
#[test]
fn an_address_without_its_labels_is_still_that_of_its_service() {
    let mut core = core();
    service(&mut core, "web", "10.96.0.7");
    for (address, of) in [("10.96.0.7", "web"), ("10.96.0.8", "gone")] {
        let mut edited = object(ip(address), ("default", of));
        edited["metadata"]["labels"] = json!({"mine": "1"});
        seed(&mut core, TABLE, ("", address), edited);
    }
    let expected = BTreeSet::from([held("web", "10.96.0.7")]);
    assert_eq!(unsettled(&core), expected, "the other may be made by hand");
    let (before, mut rng) = (core.store.revision(), Rng::new(0));
    let all = [held("web", "10.96.0.7"), held("gone", "10.96.0.8")];
    give_back(&mut Turn::new(&mut core, Now::default(), &mut rng, Ticket(0)), all);
    assert_eq!(core.store.revision(), before + 3, "one came anew, and one went");
    let made = core.store.get(TABLE, "10.96.0.7").expect("it is there").value();
    let wanted = object(ip("10.96.0.7"), ("default", "web"));
    assert_eq!(made["metadata"]["labels"], wanted["metadata"]["labels"]);
    assert!(core.store.get(TABLE, "10.96.0.8").is_none(), "its Service had it");
    assert_eq!(unsettled(&core), BTreeSet::new());
}

#[test]
fn an_address_that_goes_anyway_is_left_alone() {
    let mut core = core();
    service(&mut core, "web", "10.96.0.7");
    let mut going = object(ip("10.96.0.7"), ("default", "web"));
    going["metadata"]["labels"] = json!({});
    going["metadata"]["finalizers"] = json!(["x.io/y"]);
    going["metadata"]["deletionTimestamp"] = "1970-01-01T00:00:00Z".into();
    seed(&mut core, TABLE, ("", "10.96.0.7"), going);
    let (before, mut rng) = (core.store.revision(), Rng::new(0));
    let all = [held("web", "10.96.0.7")];
    give_back(&mut Turn::new(&mut core, Now::default(), &mut rng, Ticket(0)), all);
    assert_eq!((core.store.revision(), core.addresses_due.len()), (before, 0));
}

#[test]
fn an_address_is_there_if_its_service_has_it_and_only_then() {
    let mut core = core();
    service(&mut core, "web", "10.96.0.7");
    let by_hand = json!({"spec": {"parentRef": {"resource": "services", "name": "gone"}}});
    seed(&mut core, TABLE, ("", "10.96.0.8"), by_hand);
    let of_gone = object(ip("10.96.0.9"), ("default", "gone"));
    seed(&mut core, TABLE, ("", "10.96.0.9"), of_gone.clone());
    let mut other = of_gone;
    other["metadata"]["name"] = "10.96.0.10".into();
    seed(&mut core, TABLE, ("", "10.96.0.10"), other);
    let before = core.store.revision();
    let all = [
        held("web", "10.96.0.7"),
        held("web", "10.96.0.6"),
        held("gone", "10.96.0.8"),
        held("gone", "10.96.0.9"),
        held("else", "10.96.0.10"),
        held("kubernetes", "10.96.0.1"),
    ];
    let mut rng = Rng::new(0);
    give_back(&mut Turn::new(&mut core, Now::default(), &mut rng, Ticket(0)), all);
    let names: Vec<&str> =
        core.store.table(TABLE).expect("addresses").keys().map(|key| &**key).collect();
    assert_eq!(names, ["10.96.0.1", "10.96.0.10", "10.96.0.7", "10.96.0.8"]);
    assert_eq!(core.store.revision(), before + 2, "one came, and one went");
    assert!(core.addresses_due.is_empty());
    let made = core.store.get(TABLE, "10.96.0.7").expect("it is there").value();
    assert_eq!(parent(&made).as_deref(), Some("default/web"));
}
