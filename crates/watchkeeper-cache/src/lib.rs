//! A local copy that follows the server.

mod change;
mod delta;
mod floors;
mod item;
mod mailbox;
mod reflector;
mod rng;
mod store;
#[cfg(test)]
mod testing;
mod version;

pub use change::Change;
pub use delta::{Delta, Replacement};
pub use item::Item;
pub use mailbox::Overflow;
pub use store::{Index, Snapshot, Store};
