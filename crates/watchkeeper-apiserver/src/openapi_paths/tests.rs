//! When a document is another one.

use std::sync::Arc;

use super::*;
use crate::resource::Resource;

#[test]
fn a_document_has_another_hash_as_soon_as_what_is_in_it_differs() {
    let registry = Registry::builtin();
    let of = |registry: &Registry| hash(registry, "apps", "v1");
    assert_eq!(of(&registry), of(&Registry::builtin()));
    assert_ne!(of(&registry), hash(&registry, "batch", "v1"));
    let deployments = registry.find("apps", "v1", "deployments").expect("deployments");
    let resource = Resource::clone(deployments);
    for changed in [
        Resource { kind: "Other".to_owned(), ..resource.clone() },
        Resource { namespaced: false, ..resource.clone() },
        Resource { subresources: Vec::new(), ..resource.clone() },
        Resource { plural: "others".to_owned(), ..resource },
    ] {
        let mut other = Registry::builtin();
        let told = format!("{changed:?}");
        other.insert(Arc::new(changed));
        assert_ne!(of(&other), of(&registry), "{told}");
        assert_eq!(hash(&other, "batch", "v1"), hash(&registry, "batch", "v1"), "{told}");
    }
}
