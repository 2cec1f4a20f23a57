//! Who owns an object: references, and the refusals that keep them sound.

use std::fmt;

use watchkeeper_api::meta::v1::OwnerReference;
use watchkeeper_api::{HasMeta, Object};

#[cfg(test)]
mod tests;

/// A reference that makes `owner` the controller of the object that carries it.
///
/// The garbage collector deletes that object after its owner, and a foreground deletion of the
/// owner waits for it.
#[must_use]
pub fn controlled_by(owner: &impl Object) -> OwnerReference {
    OwnerReference { controller: Some(true), block_owner_deletion: Some(true), ..owned_by(owner) }
}

/// As [`controlled_by`], but a foreground deletion of the owner does not wait: upstream's
/// `WithBlockOwnerDeletion(false)`.
///
/// For whoever may not update the finalizers of the owner, which the admission plugin
/// `OwnerReferencesPermissionEnforcement` asks of those who block its deletion.
///
/// ```
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::object;
/// # use watchkeeper_controller::owner::controlled_by_without_blocking;
/// let shop = object!(ConfigMap { metadata: { name: "shop", uid: "1" } });
/// let part = object!(ConfigMap {
///     metadata: { name: "part", owner_references: [controlled_by_without_blocking(&shop)] },
/// });
/// # let reference = &part.metadata.owner_references[0];
/// # assert_eq!((reference.controller, reference.block_owner_deletion), (Some(true), Some(false)));
/// ```
#[must_use]
pub fn controlled_by_without_blocking(owner: &impl Object) -> OwnerReference {
    OwnerReference { block_owner_deletion: Some(false), ..controlled_by(owner) }
}

/// A reference to an owner that does not control the object that carries it, and whose deletion does not wait
/// for it. One that waits (upstream: `WithBlockOwnerDeletion`) says so:
///
/// ```
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::{meta::v1::OwnerReference, object};
/// # use watchkeeper_controller::owner::owned_by;
/// let shop = object!(ConfigMap { metadata: { name: "shop", uid: "1" } });
/// let waits = OwnerReference { block_owner_deletion: Some(true), ..owned_by(&shop) };
/// let part = object!(ConfigMap { metadata: { name: "part", owner_references: [waits] } });
/// # assert_eq!(part.metadata.owner_references[0].block_owner_deletion, Some(true));
/// ```
#[must_use]
pub fn owned_by(owner: &impl Object) -> OwnerReference {
    let kind = owner.kind();
    OwnerReference {
        api_version: kind.api_version().into(),
        kind: kind.kind.as_ref().into(),
        name: owner.name().into(),
        uid: owner.uid().into(),
        ..OwnerReference::default()
    }
}

/// Makes `owner` the controller of `object`; if it is that already, its reference is renewed.
/// Upstream's `SetControllerReference`.
///
/// # Errors
///
/// Fails if `object` has another controller, or if it may not have this owner because an owner
/// lives in the namespace of what it owns, or in none.
pub fn set_controller<K: Object + HasMeta>(
    owner: &impl Object,
    object: &mut K,
) -> Result<(), OwnerError> {
    put_controller(owner, object, controlled_by(owner))
}

/// As [`set_controller`], with a reference that does not hold up a foreground deletion of the owner
/// ([`controlled_by_without_blocking`]).
///
/// ```
/// # use watchkeeper_api::core::v1::ConfigMap;
/// # use watchkeeper_api::{Object, object};
/// # use watchkeeper_controller::owner::set_controller_without_blocking;
/// let shop = object!(ConfigMap { metadata: { name: "shop", uid: "1" } });
/// let mut part = object!(ConfigMap { metadata: { name: "part" } });
/// set_controller_without_blocking(&shop, &mut part)?;
/// assert!(part.is_controlled_by(&shop));
/// # Ok::<(), watchkeeper_controller::owner::OwnerError>(())
/// ```
///
/// # Errors
///
/// As [`set_controller`].
pub fn set_controller_without_blocking<K: Object + HasMeta>(
    owner: &impl Object,
    object: &mut K,
) -> Result<(), OwnerError> {
    put_controller(owner, object, controlled_by_without_blocking(owner))
}

fn put_controller<K: Object + HasMeta>(
    owner: &impl Object,
    object: &mut K,
    reference: OwnerReference,
) -> Result<(), OwnerError> {
    check_namespaces(owner, object)?;
    if let Some(other) = object.controller().filter(|found| found.uid != owner.uid()) {
        return Err(OwnerError::already_owned(object, other.kind, other.name));
    }
    put(object, reference);
    Ok(())
}

/// Adds `owner` to the owners of `object`, or renews its reference. Upstream's `SetOwnerReference`.
///
/// # Errors
///
/// Fails if an owner must live in the namespace of what it owns, or in none, and does not.
pub fn add_owner<K: Object + HasMeta>(
    owner: &impl Object,
    object: &mut K,
) -> Result<(), OwnerError> {
    check_namespaces(owner, object)?;
    put(object, owned_by(owner));
    Ok(())
}

/// Takes `owner` from the owners of `object`, whether or not it controls it; false if it was none. Upstream's
/// `RemoveOwnerReference`.
pub fn remove_owner<K: HasMeta>(owner: &impl Object, object: &mut K) -> bool {
    let owners = &mut object.metadata_mut().owner_references;
    let before = owners.len();
    owners.retain(|found| *found.uid != *owner.uid());
    owners.len() != before
}

/// Takes `owner` from the owners of `object` if it controls it; false if it does not. Upstream's
/// `RemoveControllerReference`.
pub fn remove_controller<K: Object + HasMeta>(owner: &impl Object, object: &mut K) -> bool {
    object.is_controlled_by(owner) && remove_owner(owner, object)
}

/// Whether `owner` is one of the owners of `object`. Upstream's `HasOwnerReference`; whether it controls it is
/// [`Object::is_controlled_by`], and whether anybody does [`Object::controller`].
#[must_use]
pub fn has_owner(owner: &impl Object, object: &impl Object) -> bool {
    object.owners().any(|found| found.uid == owner.uid())
}

fn check_namespaces(owner: &impl Object, object: &impl Object) -> Result<(), OwnerError> {
    match owner.namespace() {
        Some(namespace) if object.namespace() != Some(namespace) => {
            Err(OwnerError::elsewhere(owner, object))
        }
        _ => Ok(()),
    }
}

fn put<K: HasMeta>(object: &mut K, reference: OwnerReference) {
    let owners = &mut object.metadata_mut().owner_references;
    match owners.iter_mut().find(|found| found.uid == reference.uid) {
        Some(found) => *found = reference,
        None => owners.push(reference),
    }
}

/// Why an object may not have an owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnerError {
    object: String,
    why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    AlreadyOwned { kind: String, name: String },
    Elsewhere { owner: String },
}

impl OwnerError {
    fn already_owned(object: &impl Object, kind: &str, name: &str) -> Self {
        let why = Why::AlreadyOwned { kind: kind.to_owned(), name: name.to_owned() };
        Self { object: describe(object), why }
    }

    fn elsewhere(owner: &impl Object, object: &impl Object) -> Self {
        Self { object: describe(object), why: Why::Elsewhere { owner: describe(owner) } }
    }

    /// Whether the object has another controller already.
    #[must_use]
    pub const fn is_already_owned(&self) -> bool {
        matches!(self.why, Why::AlreadyOwned { .. })
    }
}

impl fmt::Display for OwnerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let object = &self.object;
        match &self.why {
            Why::AlreadyOwned { kind, name } => {
                write!(f, "{object} is already controlled by {kind} {name}")
            }
            Why::Elsewhere { owner } => write!(
                f,
                "{owner} cannot own {object}: an owner lives in the namespace of what it owns, or in none"
            ),
        }
    }
}

impl std::error::Error for OwnerError {}

impl From<OwnerError> for watchkeeper_api::Error {
    fn from(error: OwnerError) -> Self {
        Self::usage(error.to_string())
    }
}

fn describe(object: &impl Object) -> String {
    format!("{} {}", object.kind().kind, object.key())
}
