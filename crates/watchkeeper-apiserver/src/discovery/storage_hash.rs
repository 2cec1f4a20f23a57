//! In which version the objects of a resource are stored, as a hash that clients compare
//! (`k8s.io/apiserver/pkg/endpoints/discovery`, `StorageVersionHash`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::digest;

use crate::convert;
use crate::resource::{Resource, split_api_version};

/// Kinds that a kube-apiserver stores in a version that is not served: it could be read by the release
/// before.
const OLDER: [&str; 3] =
    ["CustomResourceDefinition", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"];

/// The hash of group, version and kind; none for what is never stored.
pub(super) fn storage_version_hash(resource: &Resource) -> Option<String> {
    let is_stored = resource.verbs.iter().any(|verb| verb == "delete");
    is_stored.then(|| {
        let stored = convert::storage_api_version(resource);
        let (group, version) = split_api_version(&stored);
        let is_older = resource.custom.is_none() && OLDER.contains(&&*resource.kind);
        let version = if is_older { "v1beta1" } else { version };
        let text = format!("{group}/{version}/{}", resource.kind);
        let hash = digest::digest(&digest::SHA256, text.as_bytes());
        STANDARD.encode(hash.as_ref().get(..8).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    /// As a kube-apiserver of the pinned release tells them.
    #[test]
    fn hashes_are_those_of_upstream() {
        for (group, version, kind, hash) in [
            ("", "v1", "Pod", Some("xPOwRZ+Yhw8=")),
            ("", "v1", "Event", Some("r2yiGXH7wu8=")),
            ("events.k8s.io", "v1", "Event", Some("r2yiGXH7wu8=")),
            ("autoscaling", "v1", "HorizontalPodAutoscaler", Some("qwQve8ut294=")),
            ("autoscaling", "v2", "HorizontalPodAutoscaler", Some("qwQve8ut294=")),
            ("apiextensions.k8s.io", "v1", "CustomResourceDefinition", Some("jfWCUB31mvA=")),
            ("admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicy", Some("LYmCf+UMVdg=")),
            ("", "v1", "Binding", None),
            ("", "v1", "ComponentStatus", None),
            ("authorization.k8s.io", "v1", "SubjectAccessReview", None),
        ] {
            let resource = registry::builtin(group, version, kind).expect("a kind");
            assert_eq!(storage_version_hash(&resource).as_deref(), hash, "{group} {kind}");
        }
    }
}
