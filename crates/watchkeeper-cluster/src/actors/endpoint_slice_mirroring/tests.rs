//! How Endpoints are seen in slices.

use std::sync::Arc;

use serde_json::{Value, json};
use watchkeeper_api::core::v1::Endpoints;
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_api::{Object, json as codec};

use super::image::Image;
use super::{may_be_mirrored, plan};
use crate::actors::endpoint_slice::changes::Changes;

fn endpoints(subsets: Value) -> Endpoints {
    let text = json!({
        "apiVersion": "v1", "kind": "Endpoints",
        "metadata": {
            "name": "db", "namespace": "default", "uid": "e", "labels": {"team": "a"},
            "annotations": {
                "note": "keep",
                "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:00:00Z",
                "kubectl.kubernetes.io/last-applied-configuration": "{}",
            },
        },
        "subsets": subsets,
    });
    codec::from_slice(text.to_string().as_bytes()).expect("endpoints")
}

/// A subset with one port, of addresses that are ready and others.
fn subset(port: u16, ready: &[&str], others: &[&str]) -> Value {
    let all = |addresses: &[&str]| -> Vec<Value> {
        addresses.iter().map(|ip| json!({"ip": ip})).collect()
    };
    json!({
        "addresses": all(ready), "notReadyAddresses": all(others),
        "ports": [{"name": "sql", "port": port, "protocol": "TCP"}],
    })
}

fn planned(endpoints: &Endpoints, slices: &[Arc<EndpointSlice>]) -> Changes {
    plan::plan(endpoints, Image::of(endpoints).groups, slices)
}

/// Slices for Endpoints that had none, called by their place.
fn made(endpoints: &Endpoints) -> Vec<Arc<EndpointSlice>> {
    let changes = planned(endpoints, &[]);
    assert!(changes.update.is_empty() && changes.delete.is_empty());
    let named = |(place, mut slice): (usize, EndpointSlice)| {
        slice.metadata.name = format!("db-{place}").into();
        Arc::new(slice)
    };
    changes.create.into_iter().enumerate().map(named).collect()
}

/// `IPv4 5432: 10.0.0.1 -10.0.0.2`, where the second is not ready.
fn told(slice: &EndpointSlice) -> String {
    let ports = slice.ports.iter().map(|port| port.port.unwrap_or_default().to_string());
    let address = |endpoint: &watchkeeper_api::discovery::v1::Endpoint| {
        let sign = if endpoint.conditions.ready == Some(true) { "" } else { "-" };
        format!("{sign}{}", endpoint.addresses[0])
    };
    let addresses: Vec<String> = slice.endpoints.iter().map(address).collect();
    let ports: Vec<String> = ports.collect();
    format!("{} {}: {}", slice.address_type, ports.join(" "), addresses.join(" "))
}

fn all(slices: &[Arc<EndpointSlice>]) -> Vec<String> {
    slices.iter().map(|slice| told(slice)).collect()
}

#[test]
fn each_kind_of_address_and_set_of_ports_has_a_slice() {
    let found = endpoints(json!([
        subset(5432, &["10.0.0.1", "fd00::1"], &["10.0.0.2"]),
        subset(5433, &["10.0.0.3"], &[]),
    ]));
    let expected = ["IPv4 5432: 10.0.0.1 -10.0.0.2", "IPv6 5432: fd00::1", "IPv4 5433: 10.0.0.3"];
    assert_eq!(all(&made(&found)), expected);
    assert!(made(&endpoints(json!([]))).is_empty());
}

#[test]
fn a_slice_says_whose_image_it_is() {
    let slices = made(&endpoints(json!([subset(5432, &["10.0.0.1"], &[])])));
    let labels: Vec<(&str, &str)> = slices[0].labels().collect();
    let manager = "endpointslicemirroring-controller.k8s.io";
    let expected = [
        ("endpointslice.kubernetes.io/managed-by", manager),
        ("kubernetes.io/service-name", "db"),
        ("team", "a"),
    ];
    assert_eq!(labels, expected);
    assert_eq!(slices[0].annotations().collect::<Vec<_>>(), [("note", "keep")]);
    let owner = slices[0].controller().expect("an owner");
    assert_eq!((owner.kind, owner.name, owner.uid), ("Endpoints", "db", "e"));
    assert_eq!(&*slices[0].metadata.generate_name, "db-");
}

#[test]
fn an_endpoint_says_what_the_address_did() {
    let found = endpoints(json!([{
        "addresses": [{
            "ip": "10.0.0.1", "hostname": "zero", "nodeName": "n",
            "targetRef": {"kind": "Pod", "name": "db-0"},
        }],
        "ports": [],
    }]));
    let slices = made(&found);
    let endpoint = &slices[0].endpoints[0];
    let target = endpoint.target_ref.as_deref().map(|target| &*target.name);
    let said = (endpoint.hostname.as_deref(), endpoint.node_name.as_deref(), target);
    assert_eq!(said, (Some("zero"), Some("n"), Some("db-0")));
    assert!(slices[0].ports.is_empty());
    let conditions = &endpoint.conditions;
    assert_eq!((conditions.serving, conditions.terminating), (None, None), "nobody knows");
}

#[test]
fn what_is_seen_already_is_not_written() {
    let mut found = endpoints(json!([
        subset(5432, &["10.0.0.1", "fd00::1"], &[]),
        subset(5433, &["10.0.0.3"], &[]),
    ]));
    let slices = made(&found);
    assert_eq!(planned(&found, &slices), Changes::default());
    let time = "endpoints.kubernetes.io/last-change-trigger-time";
    found.metadata.annotations.insert(time, "2027-01-01T00:00:00Z");
    assert_eq!(planned(&found, &slices), Changes::default(), "that is of the Endpoints alone");
}

#[test]
fn what_is_seen_otherwise_is_written_into_its_slice() {
    let of = |port| endpoints(json!([subset(port, &["10.0.0.1"], &[])]));
    let (mut found, slices) = (of(5432), made(&of(5432)));
    let change = |found: &Endpoints| {
        let changes = planned(found, &slices);
        assert!(changes.create.is_empty() && changes.delete.is_empty());
        assert_eq!(changes.update.len(), 1);
        changes.update[0].1.clone()
    };
    let unready = endpoints(json!([subset(5432, &[], &["10.0.0.1"])]));
    assert_eq!(told(&change(&unready)), "IPv4 5432: -10.0.0.1");
    let more = endpoints(json!([subset(5432, &["10.0.0.0", "10.0.0.1"], &[])]));
    assert_eq!(told(&change(&more)), "IPv4 5432: 10.0.0.0 10.0.0.1");
    assert_eq!(told(&change(&of(5433))), "IPv4 5433: 10.0.0.1", "what would go is used again");
    found.metadata.labels.insert("team", "b");
    assert_eq!(change(&found).label("team"), Some("b"));
    found.metadata.labels.insert("team", "a");
    found.metadata.annotations.insert("note", "drop");
    assert_eq!(change(&found).annotation("note"), Some("drop"));
    found.metadata.annotations.insert("note", "keep");
    found.metadata.uid = "later".into();
    assert_eq!(change(&found).controller().map(|owner| owner.uid), Some("later"));
}

#[test]
fn slices_of_what_is_not_there_any_more_go() {
    let both = endpoints(json!([subset(5432, &["10.0.0.1", "fd00::1"], &[])]));
    let slices = made(&both);
    let changes = planned(&endpoints(json!([subset(5432, &["10.0.0.1"], &[])])), &slices);
    assert_eq!((changes.create.len(), changes.update.len()), (0, 0));
    assert_eq!(all(&changes.delete), ["IPv6 5432: fd00::1"]);
    let changes = planned(&endpoints(json!([])), &slices);
    assert_eq!(changes.delete.len(), 2);
    let twice = [slices[0].clone(), slices[0].clone(), slices[1].clone()];
    assert_eq!(planned(&both, &twice).delete.len(), 1, "one is enough");
}

#[test]
fn addresses_that_are_none_and_too_many_are_left_out() {
    let count = |found: &Endpoints| {
        let image = Image::of(found);
        let seen: usize = image.groups.iter().map(|group| group.endpoints.len()).sum();
        (seen, image.invalid, image.skipped)
    };
    let odd = ["10.0.0.1", "web", "010.000.0.2", "::ffff:10.0.0.3"];
    let odd = endpoints(json!([subset(1, &odd, &[])]));
    assert_eq!(count(&odd), (3, 1, 1));
    assert_eq!(all(&made(&odd)), ["IPv4 1: 10.0.0.1 10.0.0.2 10.0.0.3"]);
    let many: Vec<String> =
        (0..1_002).map(|number| format!("10.0.{}.{}", number / 256, number % 256)).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let found = endpoints(json!([subset(1, &many, &[]), subset(2, &["10.0.0.1"], &[])]));
    assert_eq!(count(&found), (1_001, 0, 2), "a thousand of each subset");
}

#[test]
fn what_is_no_addresses_or_says_so_is_not_mirrored() {
    let mut found = endpoints(json!([]));
    assert!(may_be_mirrored(&found));
    found.metadata.labels.insert("endpointslice.kubernetes.io/skip-mirror", "true");
    assert!(!may_be_mirrored(&found));
    found.metadata.labels.insert("endpointslice.kubernetes.io/skip-mirror", "false");
    assert!(may_be_mirrored(&found));
    found.metadata.annotations.insert("control-plane.alpha.kubernetes.io/leader", "{}");
    assert!(!may_be_mirrored(&found));
}
