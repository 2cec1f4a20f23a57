//! Names of accessors, and that none is missing.

use watchkeeper_schema::facts::{Facts, Scope};

use super::calls::calls;
use super::names::plural;
use crate::Groups;

#[test]
fn plurals_are_words() {
    for (kind, of, expected) in [
        ("Pod", "pods", "pods"),
        ("ReplicaSet", "replicasets", "replica_sets"),
        ("NetworkPolicy", "networkpolicies", "network_policies"),
        ("Endpoints", "endpoints", "endpoints"),
        ("CSIStorageCapacity", "csistoragecapacities", "csi_storage_capacities"),
        ("StorageClass", "storageclasses", "storage_classes"),
        ("Ingress", "ingresses", "ingresses"),
        ("IPAddress", "ipaddresses", "ip_addresses"),
        ("Data", "other", "other"),
    ] {
        assert_eq!(plural(kind, of), expected);
    }
}

/// Said of the facts themselves, not of what the generator made of them.
#[test]
fn every_resource_of_the_facts_has_an_accessor() {
    let facts = Facts::builtin().expect("facts");
    let calls = calls(&facts, &Groups::kubernetes()).expect("a table");
    let resources: Vec<_> = facts.kinds.iter().filter(|kind| !kind.plural.is_empty()).collect();
    assert!(resources.len() > 90, "{}", resources.len());
    for kind in &resources {
        let root = if kind.group.is_empty() { "api" } else { "apis" };
        let below = if kind.scope == Some(Scope::Namespaced) { "namespaces/ns/" } else { "" };
        let path = format!("/{root}/{}/{below}{}", kind.api_version(), kind.plural);
        let row = format!(": {path:?} {:?};\n", kind.kind);
        assert_eq!(calls.matches(&row).count(), 1, "{row}");
    }
    assert_eq!(calls.lines().filter(|line| line.ends_with(';')).count(), resources.len());
}
