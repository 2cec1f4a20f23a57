//! The hints of endpoints that follow from where they are.

use std::sync::Arc;

use watchkeeper_api::core::v1::Service;
use watchkeeper_api::discovery::v1::{Endpoint, EndpointHints, EndpointSlice};
use watchkeeper_api::{IStr, List};

use super::super::hints::{Wish, follow};
use super::{Changes, SPEC, service};

/// `a b -c` are endpoints in the zones `a`, `b` and `c`, of which the last is not ready, and `.` is in none. They are
/// on nodes of their own.
pub(super) fn slice(text: &str) -> Arc<EndpointSlice> {
    let endpoint = |(place, word): (usize, &str)| {
        let zone = Some(word.trim_start_matches('-')).filter(|zone| *zone != ".");
        let mut endpoint = Endpoint {
            addresses: List::from([IStr::from(format!("10.0.0.{place}"))]),
            node_name: Some(format!("node-{place}").into()),
            zone: zone.map(IStr::from),
            ..Endpoint::default()
        };
        endpoint.conditions.ready = Some(!word.starts_with('-'));
        endpoint
    };
    let endpoints = text.split_whitespace().enumerate().map(endpoint).collect();
    Arc::new(EndpointSlice { endpoints, ..EndpointSlice::default() })
}

/// For whom the endpoints of a slice are: zones, and then nodes behind an `@`.
pub(super) fn told(slice: &EndpointSlice) -> String {
    let all = |hints: &EndpointHints| {
        let zones = hints.for_zones.iter().map(|zone| zone.name.to_string());
        let nodes = hints.for_nodes.iter().map(|node| format!("@{}", node.name));
        zones.chain(nodes).collect::<String>()
    };
    let each = slice.endpoints.iter().map(|endpoint| endpoint.hints.as_deref());
    each.map(|hints| hints.map_or("-".to_owned(), all)).collect::<Vec<_>>().join(" ")
}

/// The slices that are changed, as they shall be.
pub(super) fn updated(changes: &Changes) -> Vec<Arc<EndpointSlice>> {
    changes.update.iter().map(|(_, slice)| Arc::new(slice.clone())).collect()
}

fn followed(wish: Wish, slices: &[Arc<EndpointSlice>]) -> Vec<Arc<EndpointSlice>> {
    let mut changes = Changes::default();
    follow(wish, &mut changes, slices);
    updated(&changes)
}

#[test]
fn a_service_says_which_hints_it_wants() {
    let annotated = |mut service: Service, name: &str, mode: &str| {
        service.metadata.annotations.insert(format!("service.kubernetes.io/{name}"), mode);
        service
    };
    let wanting = |distribution: &str| {
        let mut service = service(SPEC);
        service.spec.traffic_distribution = Some(distribution.into());
        service
    };
    let (now, before) = ("topology-mode", "topology-aware-hints");
    for (service, wish) in [
        (service(SPEC), Wish::Nothing),
        (wanting("PreferClose"), Wish::SameZone),
        (wanting("PreferSameZone"), Wish::SameZone),
        (wanting("PreferSameNode"), Wish::SameNode),
        (wanting("example.com/else"), Wish::Nothing),
        (annotated(service(SPEC), now, "Auto"), Wish::Shares),
        (annotated(service(SPEC), now, "auto"), Wish::Shares),
        (annotated(service(SPEC), before, "Auto"), Wish::Shares),
        (annotated(wanting("PreferClose"), now, "Auto"), Wish::Shares),
        (annotated(wanting("PreferClose"), now, "Disabled"), Wish::SameZone),
        (annotated(annotated(service(SPEC), now, "Auto"), before, "Disabled"), Wish::Nothing),
    ] {
        assert_eq!(Wish::of(&service), wish, "{service:?}");
    }
}

#[test]
fn endpoints_are_for_their_zones_or_their_nodes() {
    let slices = [slice("a b -b .")];
    let same_zone = followed(Wish::SameZone, &slices);
    assert_eq!(told(&same_zone[0]), "a b - -");
    let same_node = followed(Wish::SameNode, &same_zone);
    assert_eq!(told(&same_node[0]), "a@node-0 b@node-1 - @node-3");
    assert_eq!(told(&followed(Wish::SameZone, &same_node)[0]), "a b - -");
    assert_eq!(told(&followed(Wish::Nothing, &same_node)[0]), "- - - -");
}

#[test]
fn hints_that_are_right_are_not_written_again() {
    let slices = [slice("a b -b .")];
    assert!(followed(Wish::Nothing, &slices).is_empty());
    for wish in [Wish::SameZone, Wish::SameNode] {
        assert!(followed(wish, &followed(wish, &slices)).is_empty());
    }
}

#[test]
fn endpoints_of_slices_that_are_written_anyhow_get_hints_at_once() {
    let mut changes = Changes { create: vec![(*slice("a")).clone()], ..Changes::default() };
    follow(Wish::SameZone, &mut changes, &[]);
    assert_eq!(told(&changes.create[0]), "a");
}
