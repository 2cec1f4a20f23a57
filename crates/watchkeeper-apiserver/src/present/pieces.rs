//! A long list, written while it is sent: of its bytes no more are held than the next piece.

use std::fmt;
use std::sync::Arc;
use std::vec::IntoIter;

use bytes::Bytes;

use crate::storage::Stored;

/// The rest of a list in JSON. The objects are those of the moment in which it was asked for, whatever
/// happens until they are sent.
pub struct Pieces {
    opening: Bytes,
    /// What each object begins with, up to its first member.
    head: Bytes,
    objects: IntoIter<Arc<Stored>>,
    /// How many bytes are left.
    left: u64,
}

/// How long a piece is, about: less costs more turns of the socket, more is held for each client.
const LENGTH: usize = 64 << 10;
/// How many objects are fetched together: their beginnings are in the cache until they are written.
const AHEAD: usize = 16;
pub(super) const CLOSING: &[u8] = b"]}";

/// How much there is, never what: secrets are in it.
impl fmt::Debug for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pieces({} objects, {} bytes)", self.objects.len(), self.left)
    }
}

impl Pieces {
    /// A list with what stands before its objects, and what each of them begins with: `{`, or kind and
    /// version. `tails` is how long what is kept of all objects is.
    pub(crate) fn new(
        opening: Bytes,
        head: Bytes,
        objects: Vec<Arc<Stored>>,
        tails: usize,
    ) -> Self {
        debug_assert_eq!(tails, objects.iter().map(|stored| stored.tail.len()).sum::<usize>());
        let each = head.len() + 1 - begin(&head);
        let bytes = opening.len() + objects.len() * each + tails + CLOSING.len();
        // A comma less than objects.
        let left = (bytes - usize::from(!objects.is_empty())) as u64;
        Self { opening, head, objects: objects.into_iter(), left }
    }

    /// How many bytes are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// The list at once.
    #[must_use]
    pub fn whole(mut self) -> Bytes {
        let mut bytes = Vec::with_capacity(usize::try_from(self.left).unwrap_or(0));
        while self.write(&mut bytes) {}
        Bytes::from(bytes)
    }

    /// Writes what comes next, an object at most; false after the end.
    fn write(&mut self, bytes: &mut Vec<u8>) -> bool {
        if self.left == 0 {
            return false;
        }
        let before = bytes.len();
        bytes.extend_from_slice(&std::mem::take(&mut self.opening));
        if self.objects.len().is_multiple_of(AHEAD) {
            self.look_ahead();
        }
        match self.objects.next() {
            Some(stored) => {
                write_object(bytes, &self.head, &stored.tail);
                if self.objects.len() > 0 {
                    bytes.push(b',');
                }
            }
            None => bytes.extend_from_slice(CLOSING),
        }
        self.left = self.left.saturating_sub((bytes.len() - before) as u64);
        true
    }

    /// Looks at the beginnings of the next objects. Most are in memory only, and so are fetched together instead of
    /// each when its turn comes.
    fn look_ahead(&self) {
        let next = self.objects.as_slice().iter().take(AHEAD);
        let seen = next.fold(0, |seen, stored| seen ^ stored.tail.first().copied().unwrap_or(0));
        std::hint::black_box(seen);
    }
}

/// Writes an object of a list: what it begins with, and what is kept of it.
pub(super) fn write_object(bytes: &mut Vec<u8>, head: &[u8], tail: &[u8]) {
    bytes.extend_from_slice(head);
    bytes.extend_from_slice(tail.get(begin(head)..).unwrap_or(b"}"));
}

/// Where an object's text begins in what is kept of it, which has a comma first.
fn begin(head: &[u8]) -> usize {
    usize::from(head == b"{")
}

impl Iterator for Pieces {
    type Item = Bytes;

    fn next(&mut self) -> Option<Bytes> {
        let mut bytes = Vec::with_capacity(LENGTH + LENGTH / 8);
        while bytes.len() < LENGTH && self.write(&mut bytes) {}
        (!bytes.is_empty()).then(|| Bytes::from(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, Bytes, LENGTH, Pieces, Stored};
    use crate::storage::key;
    use serde_json::json;

    fn objects(count: usize) -> Vec<Arc<Stored>> {
        let object = |number: usize| {
            let value =
                json!({"metadata": {"name": format!("one-{number}")}, "data": "x".repeat(40)});
            Arc::new(Stored::new(key("default", &format!("one-{number}")), 7, value))
        };
        (0..count).map(object).collect()
    }

    fn list(head: &'static str, count: usize) -> Pieces {
        let objects = objects(count);
        let tails = objects.iter().map(|stored| stored.tail.len()).sum();
        Pieces::new(
            Bytes::from_static(br#"{"items":["#),
            Bytes::from_static(head.as_bytes()),
            objects,
            tails,
        )
    }

    #[test]
    fn how_much_there_is_is_printed() {
        let length = list("{", 2).whole().len();
        assert_eq!(format!("{:?}", list("{", 2)), format!("Pieces(2 objects, {length} bytes)"));
    }

    #[test]
    fn pieces_are_the_whole_and_as_long_as_told() {
        for head in ["{", r#"{"kind":"Foo","apiVersion":"v1""#] {
            for count in [0, 1, 2, 5000] {
                let whole = list(head, count).whole();
                assert_eq!(list(head, count).left(), whole.len() as u64, "{head} {count}");
                let pieces: Vec<Bytes> = list(head, count).collect();
                assert_eq!(pieces.concat(), whole, "{head} {count}");
                assert!(pieces.iter().all(|piece| piece.len() < LENGTH + 1000));
                let value: serde_json::Value = serde_json::from_slice(&whole).expect("JSON");
                assert_eq!(value["items"].as_array().map(Vec::len), Some(count));
            }
        }
    }
}
