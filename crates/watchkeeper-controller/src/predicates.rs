//! Which changes matter: for [`Watch::when`](watchkeeper_cache::Watch::when).
//!
//! Each is a plain function of a change, so they combine with `&&`, `||` and `!` in a closure:
//! `foos.when(|change| generation_changed(change) || labels_changed(change))`. Objects that come or
//! go always matter. The counterparts of controller-runtime's `pkg/predicate`; its `Funcs` are a `match`:
//!
//! ```
//! # use watchkeeper_api::core::v1::Pod;
//! # use watchkeeper_cache::{Change, Source, Watch};
//! # fn f(pods: &Watch<Pod>) -> Source<Pod> {
//! pods.when(|change| match change {
//!     Change::Added { new, .. } => !new.spec.node_name.is_empty(),
//!     Change::Updated { old, new } => old.spec.node_name != new.spec.node_name,
//!     Change::Deleted { .. } => true,
//! })
//! # }
//! ```

use watchkeeper_api::Object;
use watchkeeper_api::selector::Selector;
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

/// The object has labels that `selector` selects: as it is now, or was at last.
///
/// ```
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_api::selector::Selector;
/// # use watchkeeper_cache::{Source, Watch};
/// # use watchkeeper_controller::predicates::labels_match;
/// # fn f(pods: &Watch<Pod>) -> Result<Source<Pod>, Box<dyn std::error::Error>> {
/// let web: Selector = "app=web".parse()?;
/// Ok(pods.when(labels_match(web)))
/// # }
/// ```
pub fn labels_match<K: Object>(selector: Selector) -> impl Fn(&Change<K>) -> bool + Send + Sync {
    move |change| selector.selects(&**change.object())
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
