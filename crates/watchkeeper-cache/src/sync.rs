//! What this crate waits with, in one place: the models (`conformance/models`) put their own here.

pub(crate) use std::sync::{Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub(crate) use tokio::sync::Notify;
pub(crate) use tokio::sync::futures::Notified;
pub(crate) use tokio::task::JoinSet;
pub(crate) use tokio::time::timeout;
/// Decides which lock an object is behind: a model must find it behind the same one in every run.
pub(crate) use watchkeeper_api::hash::HashKey;
