//! Terms of an affinity against a node called `a` in zone `x` with 8 cores.

use watchkeeper_api::core::v1::{Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec};
use watchkeeper_api::{IStr, List};

use super::{NAME, is_selected};

fn node() -> Node {
    let mut node = Node::default();
    node.metadata.name = "a".into();
    node.metadata.labels.insert("zone", "x");
    node.metadata.labels.insert("cores", "8");
    node
}

/// `zone In x y` as a requirement.
fn requirement(text: &str) -> NodeSelectorRequirement {
    let mut words = text.split(' ');
    let mut word = || words.next().unwrap_or_default().into();
    let (key, operator) = (word(), word());
    NodeSelectorRequirement {
        key,
        operator,
        values: words.map(IStr::from).collect::<Vec<_>>().into(),
    }
}

/// Whether one of the terms matches; each is requirements with commas between them.
fn selects(terms: &[&str]) -> bool {
    let term = |text: &&str| {
        let requirements = text.split(", ").filter(|one| !one.is_empty()).map(requirement);
        let (fields, labels): (Vec<_>, Vec<_>) =
            requirements.partition(|one| one.key.starts_with("metadata."));
        NodeSelectorTerm { match_expressions: labels.into(), match_fields: fields.into() }
    };
    let mut spec = PodSpec::default();
    let affinity = spec.affinity.get_or_insert_default();
    let affinity = affinity.node_affinity.get_or_insert_default();
    let required = &mut affinity.required_during_scheduling_ignored_during_execution;
    required.get_or_insert_default().node_selector_terms =
        List::from(terms.iter().map(term).collect::<Vec<_>>());
    is_selected(&spec, &node())
}

#[test]
fn a_requirement_holds_as_its_operator_says() {
    for (requirement, expected) in [
        ("zone In x y", true),
        ("zone In y", false),
        ("rack In x", false),
        ("zone NotIn y", true),
        ("rack NotIn x", true),
        ("zone NotIn x", false),
        ("zone Exists", true),
        ("rack Exists", false),
        ("rack DoesNotExist", true),
        ("cores Gt 7", true),
        ("cores Gt 8", false),
        ("cores Lt 9", true),
        ("zone Lt 9", false),
        ("zone Is x", false),
        ("metadata.name In a", true),
        ("metadata.name In a b", false),
        ("metadata.name NotIn b", true),
        ("metadata.uid In a", false),
    ] {
        assert_eq!(selects(&[requirement]), expected, "{requirement}");
    }
    assert_eq!(NAME, "metadata.name");
}

#[test]
fn one_term_is_enough_and_all_of_it_must_hold() {
    assert!(selects(&["zone In y", "zone In x, cores Gt 1"]));
    assert!(!selects(&["zone In x, cores Gt 9"]));
    assert!(!selects(&[""]), "an empty term matches nothing");
    assert!(!selects(&[]));
    assert!(is_selected(&PodSpec::default(), &node()));
}
