//! Many who wait for what keeps a single waker.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::task::{Wake, Waker};

use crate::sync::{Mutex, MutexGuard};

/// Who waits. It is itself the waker of what is waited for: whatever happens there, all look again.
///
/// Who [waits](Self::wait) does so before it looks, so that nothing that happens meanwhile is missed.
#[derive(Debug, Default)]
pub(crate) struct Wakers(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    wakers: BTreeMap<u64, Waker>,
    names: u64,
}

impl Wakers {
    /// Tells a new one from the others.
    pub(crate) fn name(&self) -> u64 {
        let mut waiting = self.lock();
        waiting.names += 1;
        waiting.names
    }

    /// Has this one woken by what happens from now on.
    pub(crate) fn wait(&self, name: u64, waker: &Waker) {
        self.lock().wakers.insert(name, waker.clone());
    }

    /// It has what it waited for, or is gone.
    pub(crate) fn leave(&self, name: u64) {
        self.lock().wakers.remove(&name);
    }

    /// Wakes all but this one, which keeps its place: at no time is it not among those that wait.
    pub(crate) fn wake_others(&self, but: Option<u64>) {
        let wakers = {
            let wakers = &mut self.lock().wakers;
            let kept = but.and_then(|name| wakers.remove_entry(&name));
            std::mem::replace(wakers, kept.into_iter().collect())
        };
        wakers.into_values().for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Wakers {
    fn wake(self: Arc<Self>) {
        self.wake_others(None);
    }
}
