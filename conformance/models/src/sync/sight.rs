//! What loom sees only where a model is about it: the locks of the store, and the flags of listeners.

use std::cell::Cell;

std::thread_local! {
    static IN_SIGHT: Cell<bool> = const { Cell::new(false) };
}

/// Whether loom sees those that this thread makes from now on. A model with all of its threads runs on one.
pub fn in_sight(seen: bool) {
    IN_SIGHT.set(seen);
}

pub(super) fn is_in_sight() -> bool {
    IN_SIGHT.get()
}
