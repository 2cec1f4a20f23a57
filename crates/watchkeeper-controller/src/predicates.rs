//! Which changes matter: for [`Watch::when`](watchkeeper_cache::Watch::when).
//!
//! Each is a plain function of a change, so they combine with `&&`, `||` and `!` in a closure:
//! `foos.when(|change| generation_changed(change) || labels_changed(change))`. Objects that come or
//! go always matter. The counterparts of controller-runtime's `pkg/predicate`.

use watchkeeper_api::Object;
use watchkeeper_cache::Change;

#[cfg(test)]
mod tests;

/// The object's specification changed, as far as its kind counts generations. Changes of status
/// and metadata do not count, a resync does not either.
pub fn generation_changed<K: Object>(change: &Change<K>) -> bool {
    updated(change, |old, new| old.generation() != new.generation())
}

/// Anything changed: this is no resync.
pub fn resource_version_changed<K: Object>(change: &Change<K>) -> bool {
    updated(change, |old, new| old.resource_version() != new.resource_version())
}

/// A label came, went or changed.
pub fn labels_changed<K: Object>(change: &Change<K>) -> bool {
    updated(change, |old, new| !old.labels().eq(new.labels()))
}

/// An annotation came, went or changed.
pub fn annotations_changed<K: Object>(change: &Change<K>) -> bool {
    updated(change, |old, new| !old.annotations().eq(new.annotations()))
}

/// The object was asked to go.
pub fn deletion_began<K: Object>(change: &Change<K>) -> bool {
    updated(change, |old, new| !old.is_deleting() && new.is_deleting())
}

fn updated<K>(change: &Change<K>, differ: impl FnOnce(&K, &K) -> bool) -> bool {
    match change {
        Change::Updated { old, new } => differ(old, new),
        Change::Added { .. } | Change::Deleted { .. } => true,
    }
}
