//! From the name of a built-in kind to its type: upstream's Scheme.
//!
//! Only kinds of groups whose cargo feature is enabled are known. A [`Registry`] knows the types of
//! a program, too, and reads manifests.
//!
//! ```
//! use watchkeeper_api::registry;
//! let kind = registry::find("v1", "Status");
//! assert_eq!(kind, None, "a Status is no object");
//! ```

mod documents;

use std::sync::LazyLock;

use crate::json::{Read, Write};
use crate::pb::Message;
use crate::{HasMeta, Kind, StaticKind, generated};
pub use documents::{Document, DocumentError, Registry, Typed};

#[cfg(test)]
mod tests;

/// Is shown every built-in kind as a type.
pub trait Visitor {
    /// One kind of objects.
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self);

    /// One kind that is no object: options, answers, documents.
    fn visit_plain<T: Read + Write + Message + Default + PartialEq>(
        &mut self,
        _api_version: &'static str,
        _kind: &'static str,
    ) {
    }

    /// One kind that is no object and has no protobuf.
    fn visit_json<T: Read + Write + Default + PartialEq>(
        &mut self,
        _api_version: &'static str,
        _kind: &'static str,
    ) {
    }
}

/// Shows every built-in kind to `visitor`, objects sorted by group, version and kind. Kinds that
/// are only sent to a subresource (`Eviction`, `Scale`) are among them; they have no plural.
pub fn visit(visitor: &mut impl Visitor) {
    generated::kinds::visit(visitor);
}

/// Every built-in object kind, sorted by group, version and kind.
#[must_use]
pub fn kinds() -> &'static [&'static Kind] {
    static KINDS: LazyLock<Vec<&'static Kind>> = LazyLock::new(|| {
        let mut names = Names(Vec::new());
        visit(&mut names);
        names.0
    });
    &KINDS
}

struct Names(Vec<&'static Kind>);

impl Visitor for Names {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        self.0.push(K::static_kind());
    }
}

/// The built-in kind that objects name so: `find("apps/v1", "Deployment")`.
#[must_use]
pub fn find(api_version: &str, kind: &str) -> Option<&'static Kind> {
    kinds().iter().copied().find(|known| known.is(api_version, kind))
}

/// The built-in kind with that resource in its paths: `find_resource("apps", "v1", "deployments")`.
#[must_use]
pub fn find_resource(group: &str, version: &str, plural: &str) -> Option<&'static Kind> {
    let is =
        |known: &&Kind| known.plural == plural && known.group == group && known.version == version;
    kinds().iter().copied().filter(|_| !plural.is_empty()).find(is)
}

/// A reference to an object, as events have: upstream's `reference.GetReference`.
///
/// ```
/// use watchkeeper_api::{core::v1::Pod, object, registry};
/// let pod = object!(Pod { metadata: { name: "web-0", namespace: "shop" } });
/// let reference = registry::reference(&pod);
/// assert_eq!((&*reference.kind, &*reference.name), ("Pod", "web-0"));
/// ```
#[cfg(feature = "core")]
#[must_use]
pub fn reference(object: &impl crate::Object) -> crate::core::v1::ObjectReference {
    reference_to_part(object, "")
}

/// A reference to a part of an object, as in `spec.containers{web}`: upstream's
/// `GetPartialReference`.
#[cfg(feature = "core")]
#[must_use]
pub fn reference_to_part(
    object: &impl crate::Object,
    field_path: &str,
) -> crate::core::v1::ObjectReference {
    let names = [
        object.namespace().unwrap_or_default(),
        object.name(),
        object.uid(),
        object.resource_version(),
        field_path,
    ];
    reference_of(object.kind(), names)
}

/// The same code for all kinds.
#[cfg(feature = "core")]
fn reference_of(
    kind: &Kind,
    [namespace, name, uid, resource_version, field_path]: [&str; 5],
) -> crate::core::v1::ObjectReference {
    crate::core::v1::ObjectReference {
        kind: (*kind.kind).into(),
        api_version: (*kind.api_version()).into(),
        namespace: namespace.into(),
        name: name.into(),
        uid: uid.into(),
        resource_version: resource_version.into(),
        field_path: field_path.into(),
    }
}
