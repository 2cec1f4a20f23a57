//! What is between a listener, its task and its copy: flags, and who is woken.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::Group;
use crate::item::Item;
use crate::latest::Latest;
use crate::mailbox::Mailbox;
use crate::sync::{Flag, Notify};

/// What can be known and done about a listener without knowing what it listens to.
pub(crate) struct Control {
    closed: Flag,
    lagged: AtomicBool,
    pending: AtomicUsize,
    /// For the listener's task: there is a letter, or it is over.
    pub(super) wake: Notify,
    /// For the copy: there may be room again.
    pub(crate) room: Notify,
    pub(crate) synced: Latest<bool>,
    pub(super) calls: Arc<Calls>,
    /// Of a listener at several copies: what its places have in common, and which of them this is.
    pub(super) group: Option<(Arc<Group>, u64)>,
}

/// The calls of one listener's handler, wherever it listens: one task makes them.
///
/// Who closes the listener and then finds it busy is woken: either the task sees that it is closed before the
/// call, or whoever closed it sees that it is busy, or the end of the call finds it closed.
pub(crate) struct Calls {
    pub(super) busy: Flag,
    pub(super) returned: Notify,
}

impl Calls {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { busy: Flag::new(false), returned: Notify::new() })
    }

    /// Waits for the call in progress. Of a listener that is closed no other follows.
    pub(crate) async fn ended(&self) {
        loop {
            let returned = self.returned.notified();
            if !self.busy.is_set() {
                return;
            }
            returned.await;
        }
    }
}

impl Control {
    pub(super) fn new(group: Option<&Arc<Group>>) -> Arc<Self> {
        let control = Arc::new_cyclic(|this| Self {
            closed: Flag::new(false),
            lagged: AtomicBool::new(false),
            pending: AtomicUsize::new(0),
            wake: Notify::new(),
            room: Notify::new(),
            synced: Latest::new(false),
            calls: group.map_or_else(Calls::new, |group| Arc::clone(&group.calls)),
            group: group.map(|group| (Arc::clone(group), group.join(this.clone()))),
        });
        if group.is_some_and(|group| group.has_ended()) {
            control.close();
        }
        control
    }

    /// There is a letter, or it is over.
    pub(super) fn ring(&self) {
        match &self.group {
            Some((group, number)) => group.ring(*number),
            None => self.wake.notify_one(),
        }
    }

    /// The listener was too slow: that ends all that it listens to.
    pub(super) fn lag(&self) {
        self.close();
        if let Some((group, _)) = &self.group {
            group.lag();
        }
    }

    pub(super) fn note<K: Item>(&self, mailbox: &Mailbox<K>) {
        self.pending.store(mailbox.len(), Ordering::Relaxed);
        self.lagged.store(mailbox.is_lagged(), Ordering::Relaxed);
    }

    pub(crate) fn close(&self) {
        self.closed.set(true);
        self.ring();
        self.room.notify_one();
        // Wakes who waits for it to have synced.
        self.synced.change(|_| {});
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.is_set()
    }

    pub(crate) fn calls(&self) -> Arc<Calls> {
        Arc::clone(&self.calls)
    }

    pub(crate) fn is_lagged(&self) -> bool {
        self.lagged.load(Ordering::Relaxed)
    }

    pub(crate) fn pending(&self) -> usize {
        self.pending.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("closed", &self.is_closed())
            .field("lagged", &self.is_lagged())
            .field("pending", &self.pending())
            .finish_non_exhaustive()
    }
}
