//! What the objects of a copy take, where that has a limit.
//!
//! Of each object the bytes are noted that the server sent of it, or those of what is kept where that is known
//! to the byte. It is noted as it comes, ahead of the copy, so that no more is taken in than the limit allows.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use watchkeeper_api::ObjectKey;

use crate::informer_metrics::Content;
use crate::lock::lock;
use crate::sync::Mutex;

/// The sizes of the objects of a copy. Nothing is noted where there is no limit.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    limit: OnceLock<usize>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Of what the copy has, or has before it.
    held: Sizes,
    /// Of the list under way, which takes its place when it is whole.
    listed: Option<Sizes>,
}

#[derive(Debug, Default)]
struct Sizes {
    by_key: BTreeMap<ObjectKey, usize>,
    sum: usize,
}

/// The objects are more than the copy may take.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OverLimit {
    objects: usize,
    bytes: usize,
    limit: usize,
}

impl Ledger {
    /// From now on the objects may take so many bytes.
    pub(crate) fn limit(&self, bytes: usize) {
        self.limit.get_or_init(|| bytes);
    }

    /// A list of everything begins.
    pub(crate) fn list_begins(&self) {
        if self.limit.get().is_some() {
            lock(&self.state).listed = Some(Sizes::default());
        }
    }

    /// The list under way is whole.
    pub(crate) fn list_ends(&self) {
        if self.limit.get().is_none() {
            return;
        }
        let mut state = lock(&self.state);
        if let Some(listed) = state.listed.take() {
            state.held = listed;
        }
    }

    /// No list is under way any more.
    pub(crate) fn list_breaks_off(&self) {
        if self.limit.get().is_some() {
            lock(&self.state).listed = None;
        }
    }

    /// An object came, and takes so many bytes. Where that is too much it is not noted.
    pub(crate) fn came(
        &self,
        key: impl FnOnce() -> ObjectKey,
        bytes: usize,
    ) -> Result<(), OverLimit> {
        match self.limit.get() {
            None => Ok(()),
            Some(limit) => lock(&self.state).current().add(key(), bytes, *limit),
        }
    }

    /// An object of the list under way cannot be read: the copy keeps what it had of it.
    pub(crate) fn stays(&self, key: &ObjectKey) {
        if self.limit.get().is_none() {
            return;
        }
        let State { held, listed } = &mut *lock(&self.state);
        if let (Some(listed), Some(bytes)) = (listed, held.by_key.get(key)) {
            listed.put(key.clone(), *bytes);
        }
    }

    /// An object is gone.
    pub(crate) fn gone(&self, key: impl FnOnce() -> ObjectKey) {
        if self.limit.get().is_some() {
            lock(&self.state).current().remove(&key());
        }
    }

    /// What the copy takes by this, and what it may.
    pub(crate) fn content(&self) -> Option<Content> {
        let limit = *self.limit.get()?;
        Some(Content { bytes: lock(&self.state).held.sum, limit })
    }
}

impl State {
    fn current(&mut self) -> &mut Sizes {
        self.listed.as_mut().unwrap_or(&mut self.held)
    }
}

impl Sizes {
    fn add(&mut self, key: ObjectKey, bytes: usize, limit: usize) -> Result<(), OverLimit> {
        let before = self.by_key.get(&key).copied();
        let sum = self.sum - before.unwrap_or(0) + bytes;
        // What takes less than before is taken in, so that a copy at its limit can shrink.
        if sum > limit && sum > self.sum {
            let objects = self.by_key.len() + usize::from(before.is_none());
            return Err(OverLimit { objects, bytes: sum, limit });
        }
        self.put(key, bytes);
        Ok(())
    }

    fn put(&mut self, key: ObjectKey, bytes: usize) {
        self.sum += bytes;
        self.sum -= self.by_key.insert(key, bytes).unwrap_or(0);
    }

    fn remove(&mut self, key: &ObjectKey) {
        self.sum -= self.by_key.remove(key).unwrap_or(0);
    }
}

impl fmt::Display for OverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { objects, bytes, limit } = self;
        write!(
            f,
            "{objects} objects of {bytes} bytes, and there may be more, are above the {limit} bytes that this copy \
             may take (content_limit): select fewer, keep their metadata or packed ones, or allow more"
        )
    }
}

#[cfg(test)]
mod tests;
