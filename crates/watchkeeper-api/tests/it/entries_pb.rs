//! What fuzzers feed of protobuf, and what must hold whatever they feed: no panic, an error with a
//! place within the bytes, what was read is written so that it is read again, and a list is the
//! same list however it is cut.

use std::sync::LazyLock;

use watchkeeper_api::core::v1::{ConfigMap, Pod, Secret};
use watchkeeper_api::json::{Read, ReadError, Write};
use watchkeeper_api::pb::{self, Decoder, Envelope, Event, ListFrames, Message};
use watchkeeper_api::registry::{self, Visitor};
use watchkeeper_api::{HasMeta, Metadata, StaticKind};

/// Bodies in their envelope, which says what they are; otherwise the first byte says which kind the
/// rest is a message of.
pub(crate) fn protobuf(bytes: &[u8]) {
    if bytes.starts_with(&pb::MAGIC) {
        return body(bytes);
    }
    let Some((which, message)) = bytes.split_first() else { return };
    KINDS.0[usize::from(*which) % KINDS.0.len()](message);
    placed(message, &Decoder::new().object::<Metadata<Pod>>(message));
    placed(message, &Event::open(message));
}

fn body(bytes: &[u8]) {
    placed(bytes, &Envelope::open(bytes));
    placed(bytes, &pb::from_body::<ConfigMap>(bytes));
    placed(bytes, &Decoder::new().strict(true).list::<Secret>(bytes));
    let text = pb::body_to_json(bytes);
    placed(bytes, &text);
    if let Ok(text) = text {
        // What JSON refuses, such as a time after the year 9999, is told.
        let _ = pb::body_from_json(&text);
    }
    let whole = cut(bytes, bytes.len());
    for step in [1, 7] {
        assert_eq!(cut(bytes, step), whole, "cut after each {step} bytes");
    }
}

/// The items of a list that arrives in pieces, and its head or the place of what is wrong.
type Cut = (Vec<Vec<u8>>, Result<pb::ListHead, usize>);

fn cut(bytes: &[u8], step: usize) -> Cut {
    let (mut frames, mut items) = (ListFrames::default(), Vec::new());
    for part in bytes.chunks(step) {
        let pushed = frames.push(part, |item| {
            items.push(item.to_vec());
            Ok(())
        });
        if let Err(error) = pushed {
            assert!(error.offset() <= bytes.len(), "{error}");
            return (items, Err(error.offset()));
        }
    }
    let head = frames.finish();
    placed(bytes, &head);
    (items, head.map_err(|error| error.offset()))
}

/// Every built-in kind, objects and what is sent beside them.
static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let mut kinds = Kinds(Vec::new());
    registry::visit(&mut kinds);
    kinds
});

struct Kinds(Vec<fn(&[u8])>);

impl Visitor for Kinds {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        self.0.push(message::<K>);
    }

    fn visit_plain<T: Read + Write + Message + Default + PartialEq>(
        &mut self,
        _: &'static str,
        _: &'static str,
    ) {
        self.0.push(message::<T>);
    }
}

/// Reads, writes, reads again: the same bytes, or an error with a place.
fn message<T: Message + Default>(bytes: &[u8]) {
    let mut decoder = Decoder::new().keep_managed_fields(true);
    let read = decoder.message::<T>(bytes);
    placed(bytes, &read);
    let Ok(value) = read else { return };
    let written = pb::to_vec(&value);
    // The third and the fourth time, what is shared comes out of the decoder's tables.
    for _ in 0..3 {
        let again = decoder.message::<T>(&written).map(|value| pb::to_vec(&value));
        assert!(again.as_ref() == Ok(&written), "{written:?}: {again:?}");
    }
}

fn placed<T>(bytes: &[u8], read: &Result<T, ReadError>) {
    if let Err(error) = read {
        assert!(error.offset() <= bytes.len(), "{error}");
    }
}
