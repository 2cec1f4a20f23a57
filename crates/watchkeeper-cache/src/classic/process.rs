//! What a process loop does with what leaves the queue.

use std::sync::Arc;

use super::deltas::{Deltas, ObjectDelta};
use super::queue::Popped;
use crate::change::Change;
use crate::delta::Delta;
use crate::item::Item;
use crate::store::Store;

/// Applies what left a queue to a store and tells what it changed: store first, then the handler (upstream:
/// `processDeltas`). A resync tells everything once more.
pub fn process_deltas<K: Item>(
    store: &Store<K>,
    popped: Popped<K>,
    mut handler: impl FnMut(&Change<K>),
) {
    match popped {
        Popped::Delta { delta: Delta::Sync, .. } => {
            for object in store.snapshot().iter() {
                handler(&again(object));
            }
        }
        Popped::Delta { delta, .. } => store.apply(delta).iter().for_each(handler),
        Popped::Deltas(deltas) => apply_deltas(store, deltas, |change| handler(&change)),
    }
}

/// Applies what happened to one object, one thing after the other.
pub(crate) fn apply_deltas<K: Item>(
    store: &Store<K>,
    deltas: Deltas<K>,
    mut told: impl FnMut(Change<K>),
) {
    store.pace();
    let Deltas { list, is_in_initial_list, .. } = deltas;
    for delta in list {
        let repeated = match &delta {
            ObjectDelta::Sync(object) => store.get(&object.item_key()),
            _ => None,
        };
        let changes = store.apply(delta.into_delta());
        match repeated {
            Some(object) if changes.is_empty() => told(again(&object)),
            _ => changes
                .into_iter()
                .map(|change| initial(change, is_in_initial_list))
                .for_each(&mut told),
        }
    }
}

fn again<K>(object: &Arc<K>) -> Change<K> {
    Change::Updated { old: Arc::clone(object), new: Arc::clone(object) }
}

/// C-39.
fn initial<K>(change: Change<K>, is_in_initial_list: bool) -> Change<K> {
    match change {
        Change::Added { new, .. } => Change::Added { new, initial: is_in_initial_list },
        other => other,
    }
}

#[cfg(test)]
mod tests;
