//! What is a list of which kind.

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Metadata, Scope, Unstructured};

use super::*;
use crate::metadata::PartialObject;

const FOO: Kind = Kind::new("example.com", "v1", "Foo", "foos", Scope::Namespaced);

/// Whether an answer that says `api_version/kind`, with items or without, is taken for a list.
fn taken<K: Object>(kind: &Kind, told: &str, has_items: bool) -> bool {
    let (api_version, kind_told) = told.rsplit_once(' ').unwrap_or(("", told));
    let told = Told { api_version, kind: kind_told, has_items };
    Asked::of::<K>(kind).refuse(told, "/path").is_ok()
}

#[test]
fn a_list_of_a_built_in_kind_has_one_name() {
    for items in [false, true] {
        assert!(taken::<Pod>(&Pod::KIND, "v1 PodList", items));
        assert!(taken::<Pod>(&Pod::KIND, "PodList", items));
        assert_eq!(taken::<Pod>(&Pod::KIND, "", items), items);
        assert_eq!(taken::<Pod>(&Pod::KIND, "v1 List", items), items);
        for foreign in ["v1 SecretList", "v1 Status", "meta.k8s.io/v1 Table", "v1 Pod"] {
            assert!(!taken::<Pod>(&Pod::KIND, foreign, items), "{foreign}");
            assert!(!taken::<Unstructured>(&Pod::KIND, foreign, items), "{foreign}");
            assert!(!taken::<PartialObject>(&Pod::KIND, foreign, items), "{foreign}");
        }
        assert!(!taken::<Pod>(&Pod::KIND, "meta.k8s.io/v1 PartialObjectMetadataList", items));
    }
}

#[test]
fn a_definition_may_call_its_list_as_it_likes() {
    for told in ["example.com/v1 FooList", "example.com/v1 FoosList"] {
        assert!(taken::<Unstructured>(&FOO, told, false), "{told}");
    }
    assert!(taken::<Unstructured>(&FOO, "example.com/v1 Foos", true));
    assert!(!taken::<Unstructured>(&FOO, "example.com/v1 Foos", false));
    for items in [false, true] {
        for foreign in ["example.com/v1 Foo", "v1 SecretList", "v1 Status", "meta.k8s.io/v1 Table"]
        {
            assert!(!taken::<Unstructured>(&FOO, foreign, items), "{foreign}");
            assert!(!taken::<PartialObject>(&FOO, foreign, items), "{foreign}");
        }
    }
}

#[test]
fn a_list_of_metadata_says_that_it_is_one() {
    let told = "meta.k8s.io/v1 PartialObjectMetadataList";
    assert!(taken::<Metadata<Pod>>(&Pod::KIND, told, false));
    assert!(taken::<Metadata<Pod>>(&Pod::KIND, "v1 PodList", false));
    assert!(taken::<PartialObject>(&FOO, told, false));
    assert!(taken::<PartialObject>(&FOO, "example.com/v1 FooList", false));
}

#[test]
fn what_came_instead_is_told() {
    let refuse = |kind, api_version| {
        let told = Told { api_version, kind, has_items: false };
        Asked::of::<Pod>(&Pod::KIND).refuse(told, "/api/v1/pods").unwrap_err()
    };
    assert_eq!(
        refuse("Table", "meta.k8s.io/v1"),
        r#"expected a PodList at /api/v1/pods, found "Table" of "meta.k8s.io/v1""#
    );
    assert_eq!(
        refuse("", "v1"),
        "expected a PodList at /api/v1/pods, found neither a kind nor items"
    );
    assert!(refuse(&"x".repeat(1 << 20), "").len() < 200);
}
