//! The process-wide table of texts: sharded, each shard a chained hash table behind a lock.

use std::ptr::NonNull;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::entry::Entry;
use crate::hash::HashKey;

/// Enough that threads decoding at the same time rarely meet, few enough to be small when empty.
const SHARDS: usize = 64;

/// Buckets of a shard that is used for the first time.
const FIRST_BUCKETS: usize = 64;

static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

struct Table {
    shards: [Mutex<Shard>; SHARDS],
    key: HashKey,
}

#[derive(Default)]
struct Shard {
    /// Heads of the chains; a power of two of them, or none before the first text.
    buckets: Vec<Option<NonNull<Entry>>>,
    entries: usize,
}

// SAFETY: the entries belong to the table and to the `IStr` that count on them; the chains are
// only walked under the lock.
unsafe impl Send for Shard {}

/// Finds `text`, or files it; the caller gets one of the entry's count.
pub(super) fn intern(text: &str) -> NonNull<Entry> {
    let hash = TABLE.key.hash(text.as_bytes());
    let mut shard = TABLE.shard(hash);
    if let Some(found) = shard.find(hash, text) {
        // SAFETY: found under the lock, where no count falls to zero.
        let counted = unsafe { Entry::retain(found) };
        return if counted { found } else { Entry::allocate(text, None) };
    }
    let entry = Entry::allocate(text, Some(hash));
    // SAFETY: just made.
    if unsafe { entry.as_ref() }.is_filed() {
        shard.insert(hash, entry);
    }
    entry
}

/// Gives one of the entry's count back; the last one frees it.
///
/// `extern "C"`, because such a function cannot unwind: the drop glue of every generated struct
/// then needs no landing pads, which is a sixth of a binary's size.
///
/// # Safety
/// The caller owns one of the entry's count and does not use the entry afterwards.
pub(super) unsafe extern "C" fn release(pointer: NonNull<Entry>) {
    // SAFETY: alive until the caller's part of the count is given back below, and not used afterwards.
    let count = unsafe { Entry::count(pointer) };
    if Entry::release_unless_last(count) {
        return;
    }
    // SAFETY: the caller's part of the count is still there.
    let last = if unsafe { pointer.as_ref() }.is_filed() {
        // SAFETY: the table knows it.
        let hash = unsafe { Entry::front(pointer).as_ref() }.hash;
        let mut shard = TABLE.shard(hash);
        // Between the look and the lock somebody may have found the text again.
        let last = Entry::release(count);
        if last {
            shard.remove(hash, pointer);
        }
        last
    } else {
        Entry::release(count)
    };
    if last {
        // SAFETY: the count is zero and the table has forgotten the entry.
        unsafe { Entry::free(pointer) }
    }
}

/// Whether the table holds `text`.
#[cfg(test)]
pub(super) fn holds(text: &str) -> bool {
    let hash = TABLE.key.hash(text.as_bytes());
    TABLE.shard(hash).find(hash, text).is_some()
}

impl Table {
    fn new() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::new(Shard::default())), key: HashKey::draw() }
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard> {
        // The top bits choose the shard, the low ones the bucket.
        let index = (hash >> (u64::BITS - SHARDS.trailing_zeros())) as usize;
        // Nothing panics under the lock, and a shard is whole between any two steps.
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shard {
    fn find(&self, hash: u64, text: &str) -> Option<NonNull<Entry>> {
        let mut next = *self.buckets.get(self.bucket(hash))?;
        while let Some(pointer) = next {
            // SAFETY: entries in a chain are alive while the lock is held, and the table knows them.
            let front = unsafe { Entry::front(pointer).as_ref() };
            // SAFETY: as above.
            if front.hash == hash && unsafe { Entry::text(pointer) } == text {
                return Some(pointer);
            }
            // SAFETY: links are touched only under the lock, which the caller holds.
            next = unsafe { *front.next.get() };
        }
        None
    }

    fn insert(&mut self, hash: u64, entry: NonNull<Entry>) {
        if self.entries >= self.buckets.len() {
            self.resize((self.buckets.len() * 2).max(FIRST_BUCKETS));
        }
        self.link(hash, entry);
        self.entries += 1;
    }

    fn remove(&mut self, hash: u64, gone: NonNull<Entry>) {
        let bucket = self.bucket(hash);
        let mut link: *mut Option<NonNull<Entry>> = &raw mut self.buckets[bucket];
        // SAFETY: the bucket and the links of its chain are touched only under the lock, and every
        // entry of a chain is alive; `gone` is one of them until it is unlinked here.
        unsafe {
            while let Some(pointer) = *link {
                let next = Entry::front(pointer).as_ref().next.get();
                if pointer == gone {
                    *link = *next;
                    break;
                }
                link = next;
            }
        }
        self.entries -= 1;
        if self.buckets.len() > FIRST_BUCKETS && self.entries < self.buckets.len() / 8 {
            self.resize(self.buckets.len() / 4);
        }
    }

    fn resize(&mut self, buckets: usize) {
        let old = std::mem::replace(&mut self.buckets, vec![None; buckets.max(FIRST_BUCKETS)]);
        for mut next in old {
            while let Some(pointer) = next {
                // SAFETY: alive and unlinked from the old chain.
                let front = unsafe { Entry::front(pointer).as_ref() };
                // SAFETY: links are ours under the lock.
                next = unsafe { *front.next.get() };
                self.link(front.hash, pointer);
            }
        }
    }

    fn link(&mut self, hash: u64, entry: NonNull<Entry>) {
        let bucket = self.bucket(hash);
        let head = &mut self.buckets[bucket];
        // SAFETY: alive and known, and links are touched only under the lock.
        unsafe { *Entry::front(entry).as_ref().next.get() = *head };
        *head = Some(entry);
    }

    fn bucket(&self, hash: u64) -> usize {
        (hash as usize) & self.buckets.len().wrapping_sub(1)
    }
}
