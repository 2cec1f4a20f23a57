//! Everybody who listens to one copy. Each has a mailbox of its own, so that a slow one delays nobody else.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::change::Change;
use crate::item::Item;
use crate::lock::lock;
use crate::mailbox::{Letter, Mailbox, Overflow};
use crate::store::Snapshot;
use crate::sync::Mutex;

mod control;
mod group;

pub(crate) use control::{Calls, Control};
pub(crate) use group::{Desk, Group, Next};

/// How a handler wants to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandlerOptions {
    /// Who it is, in logs.
    pub name: String,
    /// How many changes may wait before `overflow` applies.
    ///
    /// What comes at one stroke, before the handler could be told of any of it, is let in beside that: what
    /// there is as the handler comes, the first list, what a later list changed, a resync. So the buffer may
    /// be smaller than the copy, and a handler is neither thrown out nor waited for because of a list. That
    /// holds once: while some of it still waits, what the next list changed counts like any other change. (A
    /// copy on a [`DeltaFifo`](crate::classic::DeltaFifo) is told of later lists object by object: they
    /// count.)
    pub buffer: usize,
    /// What happens when more would have to wait.
    pub overflow: Overflow,
    /// Tell it of every object once more, so often: a second apart at least (C-66), and never if it is zero.
    /// A resync is left out while the handler was not told yet of all that the last one, or a list, brought.
    pub resync: Option<Duration>,
}

impl Default for HandlerOptions {
    fn default() -> Self {
        Self {
            name: "handler".to_owned(),
            buffer: 1024,
            overflow: Overflow::Coalesce,
            resync: None,
        }
    }
}

/// How often everything is to be told once more: a second apart at least, and zero is never (C-66).
pub(crate) fn resync_period(asked: Option<Duration>) -> Option<Duration> {
    asked.filter(|period| !period.is_zero()).map(|period| period.max(Duration::from_secs(1)))
}

/// The listeners of one copy, in the order in which they came.
pub(crate) struct Hub<K> {
    posts: BTreeMap<u64, Arc<Post<K>>>,
    next: u64,
    closed: bool,
}

impl<K: Item> Hub<K> {
    pub(crate) const fn new() -> Self {
        Self { posts: BTreeMap::new(), next: 0, closed: false }
    }

    /// Adds a listener, which is told of everything there is before anything newer: the caller holds the
    /// hub, and so the copy, still (C-61).
    pub(crate) fn subscribe(
        &mut self,
        options: &HandlerOptions,
        now: Duration,
        present: &Snapshot<K>,
        synced: bool,
        group: Option<&Arc<Group>>,
    ) -> Arc<Post<K>> {
        let post = Arc::new(Post::new(options, now, group));
        {
            let mut mailbox = lock(&post.mailbox);
            let all = present.iter().map(Arc::clone);
            mailbox.push_at_one_stroke(all.map(|new| Change::Added { new, initial: true }));
            if synced {
                mailbox.push_synced();
            }
            post.control.note(&mailbox);
        }
        if self.closed {
            post.control.close();
        } else {
            self.forget_closed();
            self.posts.insert(self.next, Arc::clone(&post));
            self.next += 1;
        }
        post
    }

    /// Tells everybody of changes that came one by one.
    pub(crate) fn publish(&mut self, changes: &[Change<K>]) {
        self.tell(changes, |mailbox| {
            changes.iter().for_each(|change| mailbox.push(change.clone()));
        });
    }

    /// Tells everybody of what a list changed.
    pub(crate) fn publish_list(&mut self, changes: &[Change<K>]) {
        self.tell(changes, |mailbox| mailbox.push_at_one_stroke(changes.iter().cloned()));
    }

    fn tell(&mut self, changes: &[Change<K>], fill: impl Fn(&mut Mailbox<K>)) {
        if !changes.is_empty() {
            self.forget_closed();
            self.posts.values().for_each(|post| post.deliver(&fill));
        }
    }

    /// Of a copy where nothing happens, listeners may come and go for long.
    fn forget_closed(&mut self) {
        self.posts.retain(|_, post| !post.control.is_closed());
    }

    /// The first list has been told.
    pub(crate) fn synced(&self) {
        self.posts.values().for_each(|post| post.deliver(Mailbox::push_synced));
    }

    /// Tells those whose time has come of everything (C-67).
    pub(crate) fn resync(&mut self, now: Duration, present: &Snapshot<K>) {
        for post in self.posts.values().filter(|post| post.resync_due(now)) {
            post.deliver(|mailbox| {
                if !mailbox.has_stroke() {
                    let all = present.iter().map(|object| (Arc::clone(object), Arc::clone(object)));
                    mailbox.push_at_one_stroke(all.map(|(old, new)| Change::Updated { old, new }));
                }
            });
        }
    }

    /// When the next resync is due.
    pub(crate) fn next_resync(&self) -> Option<Duration> {
        let open = self.posts.values().filter(|post| !post.control.is_closed());
        open.filter_map(|post| lock(&post.resync).map(|(_, due)| due)).min()
    }

    /// A listener that must be waited for.
    pub(crate) fn blocking(&self) -> Option<Arc<Control>> {
        let full =
            |post: &&Arc<Post<K>>| !post.control.is_closed() && lock(&post.mailbox).is_blocking();
        self.posts.values().find(full).map(|post| Arc::clone(&post.control))
    }

    /// Ends every listener, and those who come later.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        for post in std::mem::take(&mut self.posts).into_values() {
            post.control.close();
        }
    }

    /// How much waits for the listeners of each name.
    pub(crate) fn pending(&self) -> Vec<(String, usize)> {
        let mut pending = BTreeMap::<_, usize>::new();
        for post in self.posts.values().filter(|post| !post.control.is_closed()) {
            *pending.entry(post.name.clone()).or_default() += post.control.pending();
        }
        pending.into_iter().collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.posts.values().filter(|post| !post.control.is_closed()).count()
    }
}

/// So many changes that wait for a handler are many: half of what a buffer has room for unless it is told.
const MANY: usize = 512;

/// C-71: worth a word when many wait for it.
fn is_slow(took: Duration, waiting: usize) -> bool {
    waiting > MANY && took > Duration::from_millis(100)
}

/// A letter that was taken out of its mailbox.
pub(crate) struct Taken<K> {
    pub(crate) letter: Letter<K>,
    /// The copy was woken, which may have waited for room.
    made_room: bool,
}

/// Lets those go on whom this task has just woken. tokio keeps the last of them for this thread, where no other
/// looks for work, and the handler that is called next may hold the thread for long.
async fn step_aside() {
    tokio::task::yield_now().await;
}

/// One listener's mailbox, and the way to its task.
pub(crate) struct Post<K> {
    name: String,
    mailbox: Mutex<Mailbox<K>>,
    /// The period, and when it is over next.
    resync: Mutex<Option<(Duration, Duration)>>,
    pub(crate) control: Arc<Control>,
}

impl<K: Item> Post<K> {
    fn new(options: &HandlerOptions, now: Duration, group: Option<&Arc<Group>>) -> Self {
        let period = resync_period(options.resync);
        Self {
            name: options.name.clone(),
            mailbox: Mutex::new(Mailbox::new(options.buffer.max(1), options.overflow)),
            resync: Mutex::new(period.map(|period| (period, now.saturating_add(period)))),
            control: Control::new(group),
        }
    }

    fn deliver(&self, fill: impl FnOnce(&mut Mailbox<K>)) {
        let mut mailbox = lock(&self.mailbox);
        fill(&mut mailbox);
        self.control.note(&mailbox);
        drop(mailbox);
        if self.control.is_lagged() {
            tracing::warn!(handler = self.name, "a handler was too slow and is disconnected");
            self.control.lag();
        }
        self.control.ring();
    }

    fn resync_due(&self, now: Duration) -> bool {
        let mut resync = lock(&self.resync);
        match &mut *resync {
            Some((period, due)) if *due <= now => {
                *due = now.saturating_add(*period);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Calls the handler for each change, until the subscription ends. A panic costs the change it struck
    /// (C-63).
    pub(crate) async fn serve(self: Arc<Self>, mut handler: impl FnMut(&Change<K>) + Send) {
        while let Some(taken) = self.next().await {
            self.hand(taken, &mut handler).await;
            tokio::task::coop::consume_budget().await;
        }
    }

    /// Tells the handler, unless the listener has left.
    async fn hand(&self, taken: Taken<K>, handler: &mut (impl FnMut(&Change<K>) + Send + ?Sized)) {
        let Taken { letter, made_room } = taken;
        match letter {
            Letter::Synced => {
                self.told_all();
                step_aside().await;
            }
            Letter::Change(change) => {
                if made_room {
                    step_aside().await;
                }
                self.tell(&change, handler);
            }
        }
    }

    /// Calls the handler, unless the listener has left.
    fn tell(&self, change: &Change<K>, handler: &mut (impl FnMut(&Change<K>) + ?Sized)) {
        let calls = &*self.control.calls;
        calls.busy.set(true);
        if !self.control.is_closed() {
            self.call(change, handler);
        }
        calls.busy.set(false);
        if self.control.is_closed() {
            calls.returned.notify_waiters();
        }
    }

    fn call(&self, change: &Change<K>, handler: &mut (impl FnMut(&Change<K>) + ?Sized)) {
        let waiting = self.control.pending();
        let began = (waiting > MANY).then(Instant::now);
        if catch_unwind(AssertUnwindSafe(|| handler(change))).is_err() {
            let object = change.key();
            tracing::error!(handler = self.name, %object, "a handler panicked; it goes on with the next change");
        }
        if let Some(took) = began.map(|began| began.elapsed())
            && is_slow(took, waiting)
        {
            tracing::warn!(handler = self.name, ?took, waiting, "a slow handler is far behind");
        }
    }

    /// Everything that was there as the listener came has been told.
    pub(crate) fn told_all(&self) {
        self.control.synced.change(|synced| *synced = true);
    }

    /// The next letter, if there is one now.
    fn take(&self) -> Option<Taken<K>> {
        if self.control.is_closed() {
            return None;
        }
        let (letter, made_room) = {
            let mut mailbox = lock(&self.mailbox);
            let was_blocking = mailbox.is_blocking();
            let letter = mailbox.pop();
            self.control.note(&mailbox);
            (letter, was_blocking && !mailbox.is_blocking())
        };
        if made_room {
            self.control.room.notify_one();
        }
        Some(Taken { letter: letter?, made_room })
    }

    async fn next(&self) -> Option<Taken<K>> {
        loop {
            if let Some(taken) = self.take() {
                return Some(taken);
            }
            if self.control.is_closed() {
                return None;
            }
            // One task waits here, and a notice given before it does is kept for it.
            self.control.wake.notified().await;
        }
    }
}

impl<K> Drop for Post<K> {
    fn drop(&mut self) {
        self.control.close();
    }
}

#[cfg(test)]
mod tests;
