//! Locks whose holders run no foreign code: a poisoned one is as good as any.

use std::sync::PoisonError;

use crate::sync::{Mutex, MutexGuard};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
