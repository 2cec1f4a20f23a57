//! What fuzzers feed, and what must hold whatever they feed: no panic, an error with a place within
//! the text, and what was read is written so that it is read again.

use std::sync::LazyLock;

use watchkeeper_api::core::v1::{Pod, Secret};
use watchkeeper_api::json::{self, Decoder, Read, ReadError, Write};
use watchkeeper_api::meta::v1::WatchEvent;
use watchkeeper_api::pb::{self, WatchFrames};
use watchkeeper_api::quantity::Amount;
use watchkeeper_api::registry::{Document, Registry};
use watchkeeper_api::selector::{FieldSelector, Selector};
use watchkeeper_api::{
    IntOrString, Metadata, MicroTime, Quantity, Raw, Span, Time, Unstructured, diff, validation,
    version,
};

/// Objects in JSON, typed and not.
pub(crate) fn json(bytes: &[u8]) {
    both_ways::<Raw>(bytes);
    both_ways::<Pod>(bytes);
    placed(bytes, &json::from_slice::<Metadata<Pod>>(bytes));
    let mut decoder = Decoder::new().keep_managed_fields(true).max_depth(50);
    if let Ok((_, found)) = decoder.decode_noting::<Pod>(bytes) {
        assert!(found.iter().all(|found| found.offset() < bytes.len()));
        let strict = Decoder::new()
            .max_depth(50)
            .keep_managed_fields(true)
            .strict(true)
            .decode::<Pod>(bytes);
        assert_eq!(strict.is_ok(), found.is_empty());
    }
    if let Some(object) = both_ways::<Unstructured>(bytes) {
        let mut edited = object.clone();
        if edited.set("/spec/a/b", &1).is_ok() {
            assert_eq!(edited.get("/spec/a/b"), Some("1"));
            assert!(edited.remove("/spec/a/b"));
            assert!(json::from_str::<Unstructured>(&json::to_string(&edited)).is_ok());
        }
        assert!(diff::diff(&object, &object).is_empty());
        let _ = format!("{object:?} {object:#?} {}", diff::diff(&object, &edited));
    }
}

/// Manifests, in YAML and in JSON.
pub(crate) fn manifests(bytes: &[u8]) {
    static LENIENT: LazyLock<Registry> = LazyLock::new(Registry::built_in);
    static STRICT: LazyLock<Registry> = LazyLock::new(|| Registry::built_in().strict(true));
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for registry in [&*LENIENT, &*STRICT] {
        match registry.read(text) {
            Ok(documents) => documents.iter().for_each(|document| {
                written_again(&LENIENT, document);
                hidden(text, document);
            }),
            Err(error) => refused(text, &error.to_string()),
        }
    }
}

fn written_again(registry: &Registry, document: &Document) {
    // Lists are opened.
    if document.kind().kind.ends_with("List") {
        return;
    }
    let text = json::to_string(document);
    let again = registry.read(&text).expect("what was written");
    assert_eq!(again.len(), 1, "{text}");
    assert_eq!(json::to_string(&again[0]), text);
    assert_eq!(again[0].kind(), document.kind());
}

/// What only the data of a secret say is not told.
fn hidden(text: &str, document: &Document) {
    let Some(secret) = document.get::<Secret>() else { return };
    let told = format!("{document:?} {document:#?}");
    for value in secret.string_data.values() {
        let is_alone = text.matches(&**value).count() == 1 && !text.contains('*');
        assert!(value.len() < 8 || !is_alone || !told.contains(&**value), "{told}");
    }
}

/// An error is one line, with a place, and does not quote a password that is written as one.
fn refused(text: &str, error: &str) {
    assert!(!error.contains('\n'), "{error}");
    let number = |text: &str| text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    let line: Option<usize> = error.strip_prefix("line ").and_then(number);
    // YAML ends lines by more than Rust's `lines` does.
    let breaks = text.matches(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count();
    let byte: Option<usize> = error.rsplit_once(" (at byte ").and_then(|(_, at)| number(at));
    assert!(
        line.map_or(error.starts_with("document "), |line| line <= breaks + 2),
        "no place: {error}"
    );
    assert!(byte.is_none_or(|byte| byte <= text.len()), "{error}");
    let is_plain = text.lines().any(|line| line.trim() == "password: hunter2")
        && !text.contains(['"', '\'', '|', '>', '?', '{', '[', '&', '*']);
    // In a map of JSON's kind, where it can be part of no other text.
    let is_quoted = text.starts_with('{')
        && [r#"{"password":"hunter2""#, r#","password":"hunter2""#]
            .iter()
            .any(|m| text.contains(m))
        && !["\\", "'", "---", "..."].iter().any(|other| text.contains(other));
    if text.matches("hunter2").count() == 1 && (is_plain || is_quoted) {
        assert!(!error.contains("hunter2"), "{error}");
    }
}

/// Frames of watches, in both codecs.
pub(crate) fn watch(bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n') {
        both_ways::<WatchEvent>(line);
    }
    // However the bytes are cut, the frames are the same, and so is what ends them.
    let whole = frames(bytes, bytes.len().max(1));
    for step in [1, 3] {
        assert_eq!(frames(bytes, step), whole, "in pieces of {step}");
    }
    let (found, ended) = whole;
    assert!(ended.is_none_or(|error| error.offset() <= bytes.len()));
    for frame in found {
        placed(&frame, &pb::Event::open(&frame));
    }
}

/// The frames of a watch that comes in pieces of `step` bytes, and what ended it.
fn frames(bytes: &[u8], step: usize) -> (Vec<Vec<u8>>, Option<ReadError>) {
    let (mut frames, mut found) = (WatchFrames::default(), Vec::new());
    for part in bytes.chunks(step) {
        if let Err(error) = frames.push(part) {
            return (found, Some(error));
        }
        loop {
            match frames.frame() {
                Ok(Some(frame)) => found.push(frame.to_vec()),
                Ok(None) => break,
                Err(error) => return (found, Some(error)),
            }
        }
    }
    (found, None)
}

/// Selectors, and the names in them.
pub(crate) fn selectors(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let is_placed = |offset: Option<usize>| offset.is_some_and(|at| at <= text.len());
    match text.parse::<Selector>() {
        Ok(selector) => assert_eq!(selector.to_string().parse(), Ok(selector)),
        Err(error) => assert!(is_placed(error.offset()), "{error:?}"),
    }
    match text.parse::<FieldSelector>() {
        Ok(selector) => {
            let printed = selector.to_string();
            let again: FieldSelector = printed.parse().expect("what was printed");
            assert_eq!(again.to_string().parse(), Ok(again));
        }
        Err(error) => assert!(is_placed(error.offset()), "{error:?}"),
    }
    for rule in [
        validation::dns1123_label,
        validation::dns1123_subdomain,
        validation::dns1035_label,
        validation::label_key,
        validation::label_value,
        validation::path_segment,
        validation::port_name,
        validation::env_name,
        validation::relaxed_env_name,
        validation::config_key,
    ] {
        let _ = rule(text);
        let _ = validation::generate_name(text, rule);
    }
    let _ = version::compare(text, "1");
}

/// Quantities and the other scalars with a spelling of their own.
pub(crate) fn quantities(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let parsed = text.parse::<Amount>();
    assert!(parsed.err().is_none_or(|error| error.offset() <= text.len()), "{parsed:?}");
    if let Ok(amount) = parsed {
        let canonical = amount.to_string();
        let again: Amount = canonical.parse().expect("what was printed");
        assert_eq!((again, again.to_string()), (amount, canonical));
        let _ = (amount.value(), amount.milli_value(), amount + again, amount - again, -amount);
        assert_eq!(Quantity::from(text), Quantity::from(amount));
    }
    if let Ok(span) = text.parse::<Span>() {
        assert_eq!(span.to_string().parse(), Ok(span));
        let _ = (span.human(), span.short_human());
    }
    if let Ok(time) = text.parse::<Time>() {
        assert_eq!(time.to_string().parse(), Ok(time));
    }
    if let Ok(time) = text.parse::<MicroTime>() {
        assert_eq!(time.to_string().parse(), Ok(time));
    }
    for total in [0, 7, i32::MAX] {
        let _ = IntOrString::from(text).scaled(total, true);
    }
}

/// Reads, writes, reads again; the same value, or an error with a place.
fn both_ways<T: Read + Write + PartialEq + std::fmt::Debug>(bytes: &[u8]) -> Option<T> {
    let read = json::from_slice::<T>(bytes);
    placed(bytes, &read);
    let value = read.ok()?;
    let text = json::to_string(&value);
    let again = json::from_str::<T>(&text);
    assert!(again.as_ref() == Ok(&value), "{text}: {again:?}");
    Some(value)
}

fn placed<T>(bytes: &[u8], read: &Result<T, ReadError>) {
    if let Err(error) = read {
        assert!(error.offset() <= bytes.len(), "{error}");
    }
}
