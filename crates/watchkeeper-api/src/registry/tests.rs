//! The registry knows the enabled groups.

use super::{find, find_resource, kinds};

#[test]
fn kinds_are_sorted_and_distinct() {
    let names: Vec<_> = kinds().iter().map(|k| (&k.group, &k.version, &k.kind)).collect();
    assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
}

#[cfg(feature = "apps")]
#[test]
fn a_kind_is_found_by_its_names() {
    let deployment = find("apps/v1", "Deployment").expect("a built-in kind");
    assert_eq!(find_resource("apps", "v1", "deployments"), Some(deployment));
    assert_eq!(find("apps/v2", "Deployment"), None);
}

#[cfg(feature = "policy")]
#[test]
fn a_kind_without_a_path_is_no_resource() {
    assert!(find("policy/v1", "Eviction").is_some());
    assert_eq!(find_resource("policy", "v1", ""), None);
}
