//! What the sources wait with: loom's locks, and after tokio's documentation a [`Notify`] made of it.

mod alarms;
mod flag;
mod join_set;
mod notify;
mod rw_lock;
mod sight;

use std::convert::Infallible;
use std::future::Future;
use std::time::Duration;

pub use loom::sync::atomic::AtomicBool;
pub use loom::sync::{Mutex, MutexGuard};
use watchkeeper_api::ObjectKey;

pub use self::alarms::{Alarms, sleep_until};
pub use self::flag::Flag;
pub use self::join_set::{JoinError, JoinSet};
pub use self::notify::{Notified, Notify};
pub use self::rw_lock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use self::sight::in_sight;

/// Tells the parts of the store apart by the first letter of a name: which lock an object is behind is the
/// same in every run, and two objects are behind one or two as the model wants.
#[derive(Clone, Copy, Debug)]
pub struct HashKey;

impl HashKey {
    /// The only one.
    #[must_use]
    pub const fn draw() -> Self {
        Self
    }

    /// What the store takes the part from.
    #[must_use]
    pub fn hash_of(self, object: &ObjectKey) -> u64 {
        object.name.bytes().next().map_or(0, u64::from) << 48
    }
}

/// No time passes in a model: what waits with a deadline waits.
///
/// # Errors
/// None.
pub async fn timeout<F: Future>(_: Duration, future: F) -> Result<F::Output, Infallible> {
    Ok(future.await)
}
