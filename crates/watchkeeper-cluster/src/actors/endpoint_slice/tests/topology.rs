//! Hints by which each zone gets its share.

use std::sync::Arc;

use watchkeeper_api::Quantity;
use watchkeeper_api::core::v1::{Node, NodeCondition};

use super::super::topology::{Counts, Shares, is_overloaded, shares, spread};
use super::Changes;
use super::hints::{slice, told, updated};

/// `a 4` is a node in zone `a` with four processors, `-a 4` one that is not ready, and `. 4` one without a zone.
fn node(text: &str) -> Arc<Node> {
    let (zone, processors) = text.split_once(' ').expect("a zone and a number");
    let mut node = Node::default();
    let status = if zone.starts_with('-') { "False" } else { "True" };
    node.status.conditions.push(NodeCondition {
        type_: "Ready".into(),
        status: status.into(),
        ..NodeCondition::default()
    });
    if zone != "." {
        let zone = zone.trim_start_matches('-');
        node.metadata.labels.insert("topology.kubernetes.io/zone", zone);
    }
    node.status.allocatable.insert("cpu", Quantity::from(processors));
    Arc::new(node)
}

fn nodes(text: &str) -> Vec<Arc<Node>> {
    text.split(", ").map(node).collect()
}

/// The shares of the zones `a` and `b`, which have half of the processors each.
fn halves() -> Shares {
    shares(&nodes("a 4, b 4")).expect("two zones")
}

fn counts(counts: &[(&str, usize)]) -> Counts {
    counts.iter().map(|(zone, count)| ((*zone).into(), *count)).collect()
}

/// For whom the endpoints of the slices are, none of which had hints; or why they have none now.
fn hints(shares: Option<&Shares>, texts: &[&str]) -> Result<Vec<String>, String> {
    let slices: Vec<_> = texts.iter().map(|text| slice(text)).collect();
    let mut changes = Changes::default();
    spread(shares, &mut changes, &slices)?;
    Ok(updated(&changes).iter().map(|slice| told(slice)).collect())
}

#[test]
fn shares_are_of_the_processors_of_nodes_that_serve() {
    let told = |nodes: &[Arc<Node>]| {
        let shares = shares(nodes)?;
        Some(shares.iter().map(|(zone, share)| format!("{zone} {share}")).collect::<Vec<_>>())
    };
    let expected = Some(vec!["a 0.25".to_owned(), "b 0.75".to_owned()]);
    assert_eq!(told(&nodes("a 1, a 500m, b 4500m")), expected);
    assert_eq!(told(&nodes("a 1500m, b 4500m, -b 64, -c 64")), expected);
    let mut plane = node(". 8");
    Arc::make_mut(&mut plane).metadata.labels.insert("node-role.kubernetes.io/control-plane", "");
    let mut with_plane = nodes("a 1500m, b 4500m");
    with_plane.push(plane);
    assert_eq!(told(&with_plane), expected);
    for too_little in ["a 4", "a 4, a 4", "a 4, b 4, . 4", "a 4, b 0", "a 4, -b 4"] {
        assert_eq!(told(&nodes(too_little)), None, "{too_little}");
    }
}

#[test]
fn zones_with_more_than_their_share_give_some_away() {
    for (text, expected) in [
        ("a a b b", "a a b b"),
        ("a a a a b b", "b a a a b b"),
        ("a a a -b a b b", "b a a - a b b"),
        ("a a a a", "b b a a"),
        // Nothing is taken from a zone without nodes.
        ("a b c c", "a b c c"),
    ] {
        assert_eq!(hints(Some(&halves()), &[text]), Ok(vec![expected.to_owned()]));
    }
    let of_two = hints(Some(&halves()), &["a a a", "a b b"]);
    assert_eq!(of_two, Ok(vec!["b a a".to_owned(), "a b b".to_owned()]));
}

#[test]
fn what_is_spread_well_enough_stays() {
    let mut changes = Changes::default();
    let found = spread(Some(&halves()), &mut changes, &[slice("a a a a b b")]);
    assert_eq!(found, Ok(counts(&[("a", 3), ("b", 3)])));
    let slices = updated(&changes);
    let look = |text: &str| {
        let mut changes = Changes::default();
        let shares = shares(&nodes(text)).expect("two zones");
        let found = spread(Some(&shares), &mut changes, &slices);
        (found, updated(&changes).iter().map(|slice| told(slice)).collect::<Vec<_>>())
    };
    assert_eq!(look("a 4, b 4"), (Ok(counts(&[("a", 3), ("b", 3)])), Vec::new()));
    let (found, hints) = look("a 1, b 2");
    assert_eq!(found, Ok(counts(&[("a", 2), ("b", 4)])));
    assert_eq!(hints, ["b b a a b b"]);
}

#[test]
fn without_enough_endpoints_or_nodes_there_are_no_hints() {
    let halves = halves();
    let refused =
        |shares: Option<&Shares>, text: &str| hints(shares, &[text]).expect_err("no hints");
    assert_eq!(
        refused(None, "a a b b"),
        "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes"
    );
    assert_eq!(
        refused(Some(&halves), "a -b"),
        "Insufficient number of endpoints (1 endpoints, 2 zones)"
    );
    let too_much = "Unable to allocate minimum required endpoints to each zone without \
        exceeding overload threshold (3 endpoints, 2 zones)";
    assert_eq!(refused(Some(&halves), "a a b"), too_much);
    let nowhere = "One or more endpoints do not have a zone specified";
    assert_eq!(refused(Some(&halves), "a a b ."), nowhere);
}

#[test]
fn a_zone_with_too_few_endpoints_is_overloaded() {
    let even = counts(&[("a", 3), ("b", 3)]);
    assert!(!is_overloaded(&even, Some(&halves())));
    assert!(is_overloaded(&even, shares(&nodes("a 8, b 2")).as_ref()));
    assert!(is_overloaded(&even, shares(&nodes("a 4, b 4, c 4")).as_ref()));
    assert!(is_overloaded(&even, None), "nobody knows any more what the shares are");
    assert!(!is_overloaded(&Counts::new(), None));
}
