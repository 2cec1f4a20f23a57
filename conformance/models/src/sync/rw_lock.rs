//! The lock of the store: loom's where the model is about it, and else one that loom does not see.
//!
//! Nothing that loom sees happens while a lock of the store is held, so that what is done under it is one step
//! if loom does not look. Its schedules are many times as many if it does.

use std::ops::{Deref, DerefMut};
use std::sync::{LockResult, PoisonError};

use super::sight::is_in_sight;

/// `std::sync::RwLock`, as far as the store uses it. Is never poisoned.
#[derive(Debug)]
pub enum RwLock<T> {
    /// Each use is a point where another thread may go on.
    Seen(loom::sync::RwLock<T>),
    /// No use is.
    Unseen(std::sync::RwLock<T>),
}

/// Read access.
#[derive(Debug)]
pub enum RwLockReadGuard<'a, T> {
    /// Of a lock that loom sees.
    Seen(loom::sync::RwLockReadGuard<'a, T>),
    /// Of another.
    Unseen(std::sync::RwLockReadGuard<'a, T>),
}

/// Write access.
#[derive(Debug)]
pub enum RwLockWriteGuard<'a, T> {
    /// Of a lock that loom sees.
    Seen(loom::sync::RwLockWriteGuard<'a, T>),
    /// Of another.
    Unseen(std::sync::RwLockWriteGuard<'a, T>),
}

impl<T> RwLock<T> {
    /// A lock that nobody holds.
    #[must_use]
    pub fn new(value: T) -> Self {
        if is_in_sight() {
            Self::Seen(loom::sync::RwLock::new(value))
        } else {
            Self::Unseen(std::sync::RwLock::new(value))
        }
    }

    /// Waits for read access.
    ///
    /// # Errors
    /// None.
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        Ok(match self {
            Self::Seen(lock) => RwLockReadGuard::Seen(well(lock.read())),
            Self::Unseen(lock) => RwLockReadGuard::Unseen(well(lock.read())),
        })
    }

    /// Waits for write access.
    ///
    /// # Errors
    /// None.
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        Ok(match self {
            Self::Seen(lock) => RwLockWriteGuard::Seen(well(lock.write())),
            Self::Unseen(lock) => RwLockWriteGuard::Unseen(well(lock.write())),
        })
    }
}

fn well<T>(held: LockResult<T>) -> T {
    held.unwrap_or_else(PoisonError::into_inner)
}

impl<T> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Seen(held) => held,
            Self::Unseen(held) => held,
        }
    }
}

impl<T> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Seen(held) => held,
            Self::Unseen(held) => held,
        }
    }
}

impl<T> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        match self {
            Self::Seen(held) => held,
            Self::Unseen(held) => held,
        }
    }
}
