//! Compresses objects, and makes the dictionaries of what has been seen of them.

use std::fmt;
use std::sync::{Arc, Mutex};

use watchkeeper_api::{Object, Writable};
use zstd_safe::{CCtx, CParameter, DDict, SafeResult, train_from_buffer};

use super::Packed;
use super::unpacker::{Dictionary, MAGIC};
use crate::lock::lock;

/// Bytes of samples that make a dictionary.
const ENOUGH: usize = 1 << 19;
/// A sample is no longer than that.
const SAMPLE: usize = 16 << 10;
/// Bytes of a dictionary at most. A longer one makes objects larger: what they have in common is further away.
const DICTIONARY: usize = 48 << 10;
/// What a higher level costs is not paid back in bytes, given a dictionary.
const LEVEL: i32 = 3;
/// Places of the two tables in which it looks for what it has seen, as powers of two: as many as so small a
/// dictionary and object fill.
const PLACES: [u32; 2] = [14, 13];
/// For the first dictionary every object is a sample, for the second one of so many, for the third one of
/// so many of those: a list begins with the objects of a few namespaces.
const SPARSER: usize = 16;
/// How many dictionaries are made, one after the other.
const DICTIONARIES: u32 = 3;

/// Compresses the objects of one kind into [`Packed`] ones.
///
/// It makes a dictionary of the first half megabyte of objects, and twice another one when it has seen some
/// sixteen times as much. What was packed before stays as it is.
///
/// ```
/// use watchkeeper_api::{core::v1::ConfigMap, object};
/// use watchkeeper_cache::Packer;
/// let packer = Packer::new();
/// let map = object!(ConfigMap { metadata: { name: "a", namespace: "shop" }, data: { "k": "v" } });
/// let packed = packer.pack(map.clone());
/// assert_eq!(*packed.unpack(), map);
/// ```
pub struct Packer<K> {
    state: Mutex<State<K>>,
}

struct State<K> {
    /// Made by the first object.
    context: Option<CCtx<'static>>,
    newest: Arc<Dictionary<K>>,
    sampling: Option<Sampling>,
    /// What was compressed last; kept for its room.
    out: Vec<u8>,
}

/// What the next dictionary is made of.
struct Sampling {
    /// Bytes that make a dictionary.
    enough: usize,
    samples: Vec<u8>,
    sizes: Vec<usize>,
    /// How many dictionaries there are.
    made: u32,
    /// Objects since the last sample.
    passed: usize,
}

impl<K: Object> Packer<K> {
    /// A packer that has seen nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::sampling(ENOUGH)
    }

    pub(super) fn sampling(enough: usize) -> Self {
        let newest = Arc::new(Dictionary::none());
        let sampling = Some(Sampling::new(enough, 0));
        Self { state: Mutex::new(State { context: None, newest, sampling, out: Vec::new() }) }
    }
}

impl<K: Writable> Packer<K> {
    /// Packs an object with what it knows by now. One that nests too deeply to be read again is kept as it is.
    #[must_use]
    pub fn pack(&self, object: impl Into<Arc<K>>) -> Packed<K> {
        Packed::new(object.into(), self)
    }
}

impl<K> Packer<K> {
    /// The last dictionary that was made.
    pub(super) fn newest(&self) -> Arc<Dictionary<K>> {
        Arc::clone(&lock(&self.state).newest)
    }

    /// Appends `plain`, compressed, and tells with what; nothing where it could not be done.
    pub(super) fn press(&self, plain: &[u8], into: &mut Vec<u8>) -> Option<Arc<Dictionary<K>>> {
        let mut state = lock(&self.state);
        let State { context, newest, sampling, out } = &mut *state;
        if context.is_none() {
            *context = Some(compressor(None).ok()?);
        }
        out.clear();
        out.reserve(zstd_safe::compress_bound(plain.len()));
        context.as_mut()?.compress2(out, plain).ok()?;
        let packed = out.strip_prefix(&MAGIC)?;
        into.reserve_exact(packed.len());
        into.extend_from_slice(packed);
        out.shrink_to(2 * SAMPLE);
        let dictionary = Arc::clone(newest);
        if let Some(bytes) = sampling.as_mut().and_then(|sampling| sampling.note(plain))
            && let Ok(with) = compressor(Some(&bytes))
            && let Some(words) = DDict::try_create(&bytes)
        {
            *context = Some(with);
            *newest = Arc::new(newest.next(words));
        }
        if sampling.as_ref().is_some_and(|sampling| sampling.made == DICTIONARIES) {
            *sampling = None;
        }
        Some(dictionary)
    }
}

/// Who unpacks knows which dictionary it was, so its number need not stand in each object.
fn compressor(dictionary: Option<&[u8]>) -> Result<CCtx<'static>, usize> {
    let mut context = CCtx::create();
    context.set_parameter(CParameter::CompressionLevel(LEVEL))?;
    context.set_parameter(CParameter::HashLog(PLACES[0]))?;
    context.set_parameter(CParameter::ChainLog(PLACES[1]))?;
    context.set_parameter(CParameter::DictIdFlag(false))?;
    if let Some(dictionary) = dictionary {
        context.load_dictionary(dictionary)?;
    }
    Ok(context)
}

impl Sampling {
    const fn new(enough: usize, made: u32) -> Self {
        Self { enough, samples: Vec::new(), sizes: Vec::new(), made, passed: 0 }
    }

    /// Looks at an object, and makes a dictionary when that was enough.
    fn note(&mut self, plain: &[u8]) -> Option<Vec<u8>> {
        self.passed += 1;
        if self.passed < SPARSER.pow(self.made) {
            return None;
        }
        self.passed = 0;
        let sample = &plain[..plain.len().min(SAMPLE)];
        self.samples.extend_from_slice(sample);
        self.sizes.push(sample.len());
        if self.samples.len() < self.enough {
            return None;
        }
        let next = Self::new(self.enough, self.made + 1);
        let Self { samples, sizes, .. } = std::mem::replace(self, next);
        let mut dictionary = Vec::with_capacity(DICTIONARY);
        let trained: SafeResult = train_from_buffer(&mut dictionary, &samples, &sizes);
        // Objects that have nothing in common make none.
        trained.ok().map(|_| dictionary)
    }
}

impl<K: Object> Default for Packer<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> fmt::Debug for Packer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Packer({} dictionaries)", lock(&self.state).newest.number())
    }
}
