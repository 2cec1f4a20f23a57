//! Whose an object is: what an index finds pods and replica sets by.

use watchkeeper_api::{HasMeta, IStr};

/// Whose an object is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// What has that uid controls it.
    Uid(IStr),
    /// Nobody does, in that namespace.
    Nobody(IStr),
}

/// Whose `object` is; always something, as an index asks for what can be looped over.
pub(crate) fn owner<K: HasMeta>(object: &K) -> Option<Owner> {
    let metadata = object.metadata();
    let mut owners = metadata.owner_references.iter();
    Some(match owners.find(|owner| owner.controller == Some(true)) {
        Some(owner) => Owner::Uid(owner.uid.clone()),
        None => Owner::Nobody(metadata.namespace.clone()),
    })
}
