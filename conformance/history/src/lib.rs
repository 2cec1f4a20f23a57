//! Random histories, and what was told of them.
//!
//! A writer creates, updates, deletes and creates anew, by the dice of a seed, on the embedded server. An
//! informer follows through a connection that fails in every way that connections do. Handlers of several
//! manners come and go, and a judge listens with each of them: what it is told must be what the contract of
//! the informers allows, held against what the server really had.
//!
//! - [`truth`]: what the server had; naive, and told of writes only.
//! - [`judge`]: the rules, for one handler.
//! - [`mode`]: what the informer keeps, and of which objects; [`space`]: the namespaces that these are in.
//! - [`faults`]: the classes of faults, and how often each struck. `connection` and `stream` are where they do, the
//!   latter to whole `events`.
//! - [`subject`]: what is judged. [`plain`] is a small informer into which [`bugs`] are put: the judges must
//!   find each of them, or their silence about ours says nothing.
//! - `shelf`: a server that does little for a write, for the longest runs.
//! - [`world`]: one run. [`long`]: many of them, on several threads; [`sums`] is what they came to, [`journal`] what
//!   was done of it. [`real`]: one on a server of others.
//!
//! What is checked, and what was seen, is told in `docs/design/history.md`.

pub mod bugs;
mod connection;
mod events;
pub mod faults;
pub mod journal;
pub mod judge;
mod listener;
pub mod long;
pub mod mode;
pub mod plain;
pub mod real;
mod shelf;
pub mod space;
mod speech;
mod stream;
pub mod subject;
pub mod sums;
pub mod told;
pub mod truth;
pub mod world;
mod writer;
