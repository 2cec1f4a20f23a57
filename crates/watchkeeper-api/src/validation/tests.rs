//! What the rules say of whole objects; single texts are held against Go's answers in `tests/it`.

use super::{
    LARGEST_ANNOTATIONS, annotations, dns1123_label, dns1123_subdomain, generate_name, labels,
};

#[test]
fn all_labels_and_annotations_are_told_of() {
    let told: Vec<_> =
        labels([("a", "b"), ("", "c"), ("d", "-")]).iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(told[0], "metadata.labels: Invalid value: \"\": name part must be non-empty");
    assert!(told[2].starts_with("metadata.labels: Invalid value: \"-\": a valid label must be"));

    assert!(annotations([("Example.COM/Upper", "any value")]).is_empty());
    let large = "x".repeat(LARGEST_ANNOTATIONS);
    let told = annotations([("a", large.as_str())]);
    assert_eq!(
        told[0].to_string(),
        "metadata.annotations: Too long: may not be more than 262144 bytes"
    );
    assert!(annotations([("a", &large[1..])]).is_empty());
}

#[test]
fn a_prefix_of_names_may_end_in_a_hyphen() {
    assert!(generate_name("web-", dns1123_label).is_empty());
    assert!(generate_name("a.b-", dns1123_subdomain).is_empty());
    assert!(!generate_name("-web-", dns1123_label).is_empty());
    assert!(!generate_name("-", dns1123_label).is_empty());
    assert!(!generate_name("", dns1123_label).is_empty());
}
