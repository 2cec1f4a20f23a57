//! Finds a slot by the hash of its key; knows neither the keys nor how they are hashed.

/// Open addressing with linear probing, never more than half full. A removal moves what follows
/// back, so that nothing has to be marked as gone.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// As many as a power of two, or none.
    buckets: Vec<Bucket>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    hash: u32,
    /// [`NOTHING`] in an empty bucket.
    slot: u32,
}

const NOTHING: u32 = u32::MAX;
const EMPTY: Bucket = Bucket { hash: 0, slot: NOTHING };
/// Buckets of the first allocation.
const FIRST: usize = 16;

impl Table {
    /// The slot with that hash of which `is` says that it has the key.
    pub(super) fn find(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let at = self.position(hash, &mut is)?;
        Some(self.buckets[at].slot)
    }

    /// Adds a slot whose key is not here.
    pub(super) fn insert(&mut self, hash: u32, slot: u32) {
        if (self.len + 1) * 2 > self.buckets.len() {
            self.grow();
        }
        self.len += 1;
        self.put(Bucket { hash, slot });
    }

    /// Removes a slot, if it is here.
    pub(super) fn remove(&mut self, hash: u32, slot: u32) {
        let Some(mut hole) = self.position(hash, &mut |other| other == slot) else { return };
        self.len -= 1;
        let mask = self.mask();
        let mut at = hole;
        loop {
            at = (at + 1) & mask;
            let bucket = self.buckets[at];
            if bucket.slot == NOTHING {
                break;
            }
            // It may not move to before its home.
            let from_home = at.wrapping_sub(bucket.hash as usize) & mask;
            if from_home >= at.wrapping_sub(hole) & mask {
                self.buckets[hole] = bucket;
                hole = at;
            }
        }
        self.buckets[hole] = EMPTY;
    }

    fn position(&self, hash: u32, is: &mut impl FnMut(u32) -> bool) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        let mask = self.mask();
        let mut at = hash as usize & mask;
        loop {
            let bucket = self.buckets[at];
            if bucket.slot == NOTHING {
                return None;
            }
            if bucket.hash == hash && is(bucket.slot) {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
    }

    fn put(&mut self, bucket: Bucket) {
        let mask = self.mask();
        let mut at = bucket.hash as usize & mask;
        while self.buckets[at].slot != NOTHING {
            at = (at + 1) & mask;
        }
        self.buckets[at] = bucket;
    }

    fn grow(&mut self) {
        let len = (self.buckets.len() * 2).max(FIRST);
        let buckets = std::mem::replace(&mut self.buckets, vec![EMPTY; len]);
        for bucket in buckets {
            if bucket.slot != NOTHING {
                self.put(bucket);
            }
        }
    }

    /// Of the buckets, of which there are some.
    fn mask(&self) -> usize {
        self.buckets.len() - 1
    }
}

#[cfg(test)]
mod tests;
