//! Finds a slot by the hash of its key; knows neither the keys nor how they are hashed.

/// Open addressing with linear probing, never more than half full. A removal moves what follows
/// back, so that nothing has to be marked as gone.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// As many as a power of two, or none.
    buckets: Vec<Bucket>,
    len: usize,
}

/// An empty bucket, for a hash.
#[derive(Debug)]
pub(super) struct Room {
    at: usize,
    pub(super) hash: u32,
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
    #[inline]
    pub(super) fn find(&self, hash: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let at = self.position(hash, &mut is)?;
        Some(self.buckets[at].slot)
    }

    /// The same; if there is none, where to [put](Self::put) one.
    #[inline]
    pub(super) fn find_or_room(
        &mut self,
        hash: u32,
        mut is: impl FnMut(u32) -> bool,
    ) -> Result<u32, Room> {
        if (self.len + 1) * 2 > self.buckets.len() {
            self.grow();
        }
        let mask = self.mask();
        let mut at = hash as usize & mask;
        loop {
            let bucket = self.buckets[at];
            if bucket.slot == NOTHING {
                return Err(Room { at, hash });
            }
            if bucket.hash == hash && is(bucket.slot) {
                return Ok(bucket.slot);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a slot where there was room a moment ago.
    #[inline]
    pub(super) fn put(&mut self, room: Room, slot: u32) {
        self.buckets[room.at] = Bucket { hash: room.hash, slot };
        self.len += 1;
    }

    /// Removes a slot, if it is here.
    #[inline]
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

    #[inline]
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

    fn move_in(&mut self, bucket: Bucket) {
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
                self.move_in(bucket);
            }
        }
    }

    /// Of the buckets, of which there are some.
    #[inline]
    fn mask(&self) -> usize {
        self.buckets.len() - 1
    }
}

#[cfg(test)]
mod tests;
