//! Names of accessors.

use super::names::plural;

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
