//! Member names and plurals.

use super::{camel_case, plural};

#[test]
fn fields_become_members() {
    for (field, member) in [
        ("deployment_name", "deploymentName"),
        ("replicas", "replicas"),
        ("type_", "type"),
        ("r#type", "type"),
        ("a_b_c", "aBC"),
    ] {
        assert_eq!(camel_case(field), member);
    }
}

#[test]
fn kinds_have_plurals() {
    for (singular, expected) in [
        ("foo", "foos"),
        ("policy", "policies"),
        ("gateway", "gateways"),
        ("ingress", "ingresses"),
        ("box", "boxes"),
        ("batch", "batches"),
    ] {
        assert_eq!(plural(singular), expected);
    }
}
