//! Decompresses and decodes, with what is kept for the next time.

use std::sync::{Arc, Mutex};

use watchkeeper_api::hash::HashKey;
use watchkeeper_api::json::{Decoder, ReadError};
use watchkeeper_api::{Object, ObjectKey};
use zstd_safe::{DCtx, DDict};

use super::known::{self, KNOWN};
use super::{known_of, parts};
use crate::lock::lock;

/// What everything that zstd makes begins with; it is not kept with each object.
pub(super) const MAGIC: [u8; 4] = zstd_safe::MAGICNUMBER.to_le_bytes();
/// Readers that are kept while nobody reads. As many threads may read at once as like.
const IDLE: usize = 4;
/// A reader that had to make more room than that gives it back.
const ROOM: usize = 64 << 10;
/// Objects that were packed or read last.
const RECENT: usize = 32;

/// What objects of a copy have in common, and who reads what was packed with it.
pub(super) struct Dictionary<K> {
    /// Nothing, before enough has been seen.
    words: Option<DDict<'static>>,
    number: u8,
    pool: Arc<Pool<K>>,
}

/// What all dictionaries of a copy share.
pub(super) struct Pool<K> {
    idle: Mutex<Vec<Reader>>,
    recent: Mutex<[Option<Recent<K>>; RECENT]>,
    hash: HashKey,
}

struct Reader {
    context: DCtx<'static>,
    /// Knows what repeats between objects, so they share it.
    decoder: Decoder,
    /// What is compressed, as zstd reads it.
    packed: Vec<u8>,
    /// What that comes to.
    cut: Vec<u8>,
    /// The same with what was cut out.
    plain: Vec<u8>,
}

/// An object and what it was packed as. An index function, a handler and a reconcile that ask one after the
/// other have it made once.
struct Recent<K> {
    number: u8,
    bytes: Box<[u8]>,
    object: Arc<K>,
}

impl<K> Dictionary<K> {
    pub(super) fn none() -> Self {
        let recent = Mutex::new(std::array::from_fn(|_| None));
        let pool = Pool { idle: Mutex::default(), recent, hash: HashKey::draw() };
        Self { words: None, number: 0, pool: Arc::new(pool) }
    }

    /// The one after this.
    pub(super) fn next(&self, words: DDict<'static>) -> Self {
        Self { words: Some(words), number: self.number + 1, pool: Arc::clone(&self.pool) }
    }

    pub(super) const fn number(&self) -> u8 {
        self.number
    }

    /// `object` was packed as `bytes`.
    pub(super) fn note(&self, bytes: &[u8], object: Arc<K>) {
        let recent = Recent { number: self.number, bytes: bytes.into(), object };
        let before = lock(&self.pool.recent)[self.pool.place(bytes)].replace(recent);
        // Not under the lock.
        drop(before);
    }

    /// Has the next look at any object make it anew.
    #[cfg(test)]
    pub(super) fn forget_recent(&self) {
        lock(&self.pool.recent).fill_with(|| None);
    }
}

impl<K> Pool<K> {
    fn place(&self, bytes: &[u8]) -> usize {
        self.hash.hash(bytes) as usize % RECENT
    }
}

impl<K: Object> Dictionary<K> {
    /// The object that was noted as `bytes`. They are told apart by their keys, too, which do not stand there.
    fn noted(&self, key: &ObjectKey, bytes: &[u8]) -> Option<Arc<K>> {
        let recent = lock(&self.pool.recent);
        let found = recent[self.pool.place(bytes)].as_ref();
        let found = found.filter(|known| {
            known.number == self.number
                && *known.bytes == *bytes
                && known.object.name() == key.name()
                && known.object.namespace().unwrap_or_default()
                    == key.namespace().unwrap_or_default()
        });
        found.map(|known| Arc::clone(&known.object))
    }

    /// What was packed as `bytes` with this.
    pub(super) fn read(&self, key: &ObjectKey, bytes: &[u8]) -> Result<Arc<K>, ReadError> {
        if let Some(known) = self.noted(key, bytes) {
            return Ok(known);
        }
        let idle = lock(&self.pool.idle).pop();
        let mut reader = idle.unwrap_or_else(Reader::new);
        let (names, rest) = parts(bytes);
        let object = reader.read(known_of(key, names), rest, self.words.as_ref()).map(Arc::new);
        let mut idle = lock(&self.pool.idle);
        if idle.len() < IDLE {
            idle.push(reader);
        }
        drop(idle);
        object.inspect(|object| self.note(bytes, Arc::clone(object)))
    }
}

impl Reader {
    fn new() -> Self {
        let decoder = Decoder::new().keep_managed_fields(true);
        let (packed, cut, plain) = Default::default();
        Self { context: DCtx::create(), decoder, packed, cut, plain }
    }

    /// Reads an object of places and what is compressed.
    fn read<K: Object>(
        &mut self,
        known: [&str; KNOWN],
        bytes: &[u8],
        words: Option<&DDict<'static>>,
    ) -> Result<K, ReadError> {
        let (places, packed) = known::places(bytes);
        self.unpack(packed, words);
        self.plain.clear();
        known::join(&self.cut, known, places, &mut self.plain);
        let object = self.decoder.decode(&self.plain);
        for room in [&mut self.packed, &mut self.cut, &mut self.plain] {
            if room.capacity() > ROOM {
                *room = Vec::new();
            }
        }
        object
    }

    /// Leaves what is compressed in `cut`.
    fn unpack(&mut self, bytes: &[u8], words: Option<&DDict<'static>>) {
        let Self { context, packed, cut, .. } = self;
        packed.clear();
        packed.extend_from_slice(&MAGIC);
        packed.extend_from_slice(bytes);
        let size = zstd_safe::get_frame_content_size(packed).ok().flatten().unwrap_or_default();
        cut.clear();
        cut.reserve(usize::try_from(size).unwrap_or_default());
        let unpacked = match words {
            Some(words) => context.decompress_using_ddict(cut, packed, words),
            None => context.decompress(cut, packed),
        };
        if let Err(code) = unpacked {
            unreachable!("it was compressed here: {}", zstd_safe::get_error_name(code));
        }
    }
}
