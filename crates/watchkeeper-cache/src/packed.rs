//! Objects that are kept compressed.
//!
//! Objects of one kind are much alike. The first of them are what a dictionary is made of; from then on each
//! is written as JSON, compressed with that dictionary, and decompressed and decoded when it is read. What is
//! told of it without unpacking, its names and its version, is not written a second time.
//!
//! JSON, because it loses nothing: protobuf does not tell an absent quantity from a zero, and custom
//! resources have no other codec.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::json::{self, MAX_DEPTH};
use watchkeeper_api::{Object, ObjectKey, Writable};

use crate::change::Change;
use crate::intake::{Intake, NotTaken};
use crate::item::Item;
use crate::store::Store;

mod known;
mod packer;
#[cfg(test)]
mod tests;
mod unpacked;
mod unpacker;

pub use packer::Packer;
pub use unpacked::Unpacked;
use unpacker::Dictionary;

/// An object that is kept compressed, and made anew by [`unpack`](Self::unpack).
///
/// Which object it is can be told without unpacking, so a [`Store`] takes it like any other. Made by a
/// [`Packer`]; [`Cache::packed`](crate::Cache::packed) follows a server with one.
pub struct Packed<K> {
    key: ObjectKey,
    form: Form<K>,
    dictionary: Arc<Dictionary<K>>,
}

enum Form<K> {
    /// How long uid and version are, a byte each; then both; then where they and the names of the key were
    /// cut out of the text; then what is compressed of it.
    Bytes(Box<[u8]>),
    /// As it came: it cannot be written so that it could be read again.
    Whole(Arc<K>),
}

impl<K: Writable> Packed<K> {
    fn new(object: Arc<K>, packer: &Packer<K>) -> Self {
        let key = object.key();
        let mut plain = json::to_string(&*object);
        let mut bytes = Vec::new();
        let dictionary = match names(&*object) {
            Some(names) if nests_no_deeper(&plain, MAX_DEPTH) => {
                names.into_iter().for_each(|name| bytes.push(name.len() as u8));
                names.into_iter().for_each(|name| bytes.extend_from_slice(name.as_bytes()));
                known::cut(&mut plain, known_of(&key, names), &mut bytes);
                packer.press(plain.as_bytes(), &mut bytes)
            }
            Some(_) | None => None,
        };
        let Some(dictionary) = dictionary else {
            return Self { key, form: Form::Whole(object), dictionary: packer.newest() };
        };
        let bytes = bytes.into_boxed_slice();
        dictionary.note(&bytes, object);
        Self { key, form: Form::Bytes(bytes), dictionary }
    }
}

/// Uid and version, if a byte tells how long each is. Servers' are short.
fn names<K: Object>(object: &K) -> Option<[&str; 2]> {
    let names = [object.uid(), object.resource_version()];
    names.iter().all(|name| name.len() <= usize::from(u8::MAX)).then_some(names)
}

/// What need not stand in the text.
fn known_of<'a>(key: &'a ObjectKey, [uid, version]: [&'a str; 2]) -> [&'a str; known::KNOWN] {
    [key.name(), key.namespace().unwrap_or_default(), uid, version]
}

/// Whether a JSON text can be read with this limit. What came as protobuf may nest deeper as JSON than it did.
fn nests_no_deeper(text: &str, limit: usize) -> bool {
    let opens = text.bytes().filter(|byte| matches!(byte, b'{' | b'[')).count();
    if opens <= limit {
        return true;
    }
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > limit {
            return false;
        }
    }
    true
}

impl<K: Object> Packed<K> {
    /// The object, as it was before it was packed. It is made anew, unless it is one of the few that were
    /// packed or read last.
    ///
    /// # Panics
    /// When the type cannot read what it writes, which is a mistake in a `Read` or a `Write` by hand.
    #[must_use]
    pub fn unpack(&self) -> Arc<K> {
        match &self.form {
            Form::Whole(object) => Arc::clone(object),
            Form::Bytes(bytes) => self.dictionary.read(&self.key, bytes).unwrap_or_else(|error| {
                unreachable!("{} was written by its own type: {error}", self.key)
            }),
        }
    }
}

/// Uid and version, and what stands behind them.
fn parts(bytes: &[u8]) -> ([&str; 2], &[u8]) {
    let [uid, version, rest @ ..] = bytes else { return ([""; 2], &[]) };
    let (uid, rest) = rest.split_at(usize::from(*uid));
    let (version, rest) = rest.split_at(usize::from(*version));
    ([uid, version].map(|name| std::str::from_utf8(name).unwrap_or_default()), rest)
}

impl<K> Packed<K> {
    /// Namespace and name of the object.
    #[must_use]
    pub const fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// Bytes that it takes, without the dictionary and the texts of its key; of one that could not be
    /// packed, without the object.
    #[must_use]
    pub fn size(&self) -> usize {
        let bytes = match &self.form {
            Form::Bytes(bytes) => bytes.len(),
            Form::Whole(_) => 0,
        };
        size_of::<Self>() + bytes
    }
}

impl<K: Object> Packed<K> {
    fn names(&self) -> [&str; 2] {
        match &self.form {
            Form::Bytes(bytes) => parts(bytes).0,
            Form::Whole(object) => [object.uid(), object.resource_version()],
        }
    }
}

impl<K: Object> Item for Packed<K> {
    fn item_key(&self) -> ObjectKey {
        self.key.clone()
    }

    fn item_uid(&self) -> &str {
        self.names()[0]
    }

    fn item_version(&self) -> &str {
        self.names()[1]
    }
}

impl<K: Writable> Intake<K> for Packer<K> {
    type Kept = Packed<K>;

    fn take(&self, object: K, known: &Store<Packed<K>>) -> Result<Arc<Packed<K>>, NotTaken> {
        let is_same = |known: &Arc<Packed<K>>| {
            let version = object.resource_version();
            known.names() == [object.uid(), version] && !version.is_empty()
        };
        let known = known.get(&object.key()).filter(is_same);
        Ok(known.unwrap_or_else(|| Arc::new(self.pack(object))))
    }

    fn size(&self, kept: &Packed<K>, _sent: usize) -> usize {
        kept.size()
    }
}

impl<K: Object> Change<Packed<K>> {
    /// The same change of the objects themselves.
    #[must_use]
    pub fn unpack(&self) -> Change<K> {
        match self {
            Self::Added { new, initial } => Change::Added { new: new.unpack(), initial: *initial },
            Self::Updated { old, new } if Arc::ptr_eq(old, new) => {
                let new = new.unpack();
                Change::Updated { old: Arc::clone(&new), new }
            }
            Self::Updated { old, new } => Change::Updated { old: old.unpack(), new: new.unpack() },
            Self::Deleted { last, final_state_unknown } => {
                Change::Deleted { last: last.unpack(), final_state_unknown: *final_state_unknown }
            }
        }
    }
}

/// Tells which object it is, never what is in it.
impl<K: Object> fmt::Debug for Packed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [_, version] = self.names();
        write!(f, "Packed({} @{version}, {} bytes)", self.key, self.size())
    }
}
