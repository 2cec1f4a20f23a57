//! What this crate waits with, in one place: the models (`conformance/models`) put their own here.

pub(crate) use std::sync::atomic::AtomicBool;
pub(crate) use std::sync::{Mutex, MutexGuard};

pub(crate) use tokio::sync::Notify;
