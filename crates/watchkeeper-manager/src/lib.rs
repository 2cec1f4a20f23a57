//! Several things as one process.
//!
//! A [`Manager`] owns one cache and the controllers that read it:
//!
//! - *Start*: the cache is run and synced before any controller or other runnable starts.
//! - *Stop*: runnables first, each with time to finish what is under way; then the cache, which
//!   they read until then.
//! - *Together*: the first runnable that fails stops all, and its error is returned.
//! - *Own writes are seen*: the cache observes the manager's client, so that a controller reads
//!   what it wrote.
//!
//! [`signals`] turns SIGINT and SIGTERM into a shutdown. The counterpart of controller-runtime's
//! `pkg/manager`.

mod manager;
mod runnable;
pub mod signals;

pub use crate::manager::Manager;
pub use crate::runnable::Registered;
pub use watchkeeper_controller::Stop;
