//! Our bytes are those of Go, for every kind: with every field filled in, and with none.
//!
//! `data/protobuf.txt` has length and hash of Go's bytes (`cargo xtask conformance protobuf` writes
//! it with `--sums` and checks it otherwise), and a list and a watch in full.

use std::collections::BTreeMap;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::json::{self, Read, ReadError, Write};
use watchkeeper_api::meta::v1::{Status, WatchEvent};
use watchkeeper_api::pb::{self, Decoder, Event, ListFrames, Message, WatchFrames};
use watchkeeper_api::registry::{self, Visitor};
use watchkeeper_api::{HasMeta, StaticKind};

const SUMS: &str = include_str!("../data/protobuf.txt");
const FILLED: &str = include_str!("../data/filled.jsonl");

/// The bytes of an object in JSON, which read again give the same object; of an empty one for none.
type Encode = fn(Option<&str>) -> Result<Vec<u8>, ReadError>;

fn body<T: Read + Message + Default + PartialEq>(text: Option<&str>) -> Result<Vec<u8>, ReadError> {
    let mut json = json::Decoder::new().keep_managed_fields(true);
    let given: T = text.map_or_else(|| Ok(T::default()), |text| json.decode_str(text))?;
    if given.members().named().is_none() {
        return Ok(pb::to_vec(&given));
    }
    let body = pb::to_body(&given);
    let back: T = Decoder::new().strict(true).keep_managed_fields(true).body(&body)?;
    // An absent quantity is zero afterwards.
    assert!(text.is_none() || back == given);
    Ok(body)
}

struct Kinds(BTreeMap<String, Encode>);

impl Visitor for Kinds {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        let kind = K::static_kind();
        self.0.insert(format!("{} {}", kind.api_version(), kind.kind), body::<K>);
    }

    fn visit_plain<T: Read + Write + Message + Default + PartialEq>(
        &mut self,
        api_version: &'static str,
        kind: &'static str,
    ) {
        self.0.insert(format!("{api_version} {kind}"), body::<T>);
    }
}

/// FNV-1a, as in Go's `hash/fnv`.
fn sum(bytes: &[u8]) -> String {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, add);
    format!("{} {hash:016x}", bytes.len())
}

#[test]
fn every_kind_has_the_bytes_of_go() {
    let mut kinds = Kinds(BTreeMap::new());
    registry::visit(&mut kinds);
    kinds.0.insert("- WatchEvent".to_owned(), body::<WatchEvent>);
    let any_list = |text: Option<&str>| {
        pb::body_from_json(text.unwrap_or(r#"{"apiVersion":"v1","kind":"List"}"#))
    };
    kinds.0.insert("v1 List".to_owned(), any_list);

    let (mut count, mut json_only, mut bytes, mut wrong) = (0, 0, 0, Vec::new());
    let mut lines = SUMS.lines();
    for (text, line) in FILLED.lines().zip(lines.by_ref()) {
        let mut words = line.splitn(3, ' ');
        let names = [words.next().unwrap_or_default(), words.next().unwrap_or_default()].join(" ");
        let theirs = words.next().unwrap_or_default();
        let Some(encode) = kinds.0.remove(&names) else {
            assert_eq!(theirs, "json", "{names} has no protobuf in Go");
            json_only += 1;
            continue;
        };
        let [filled, empty] = [Some(text), None].map(|text| encode(text).expect("it is read"));
        let ours = [sum(&filled), sum(&empty)].join(" ");
        if ours != theirs {
            wrong.push(format!("{names}: {ours}, of Go {theirs}"));
        }
        count += 1;
        bytes += filled.len() + empty.len();
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(kinds.0.is_empty(), "Go made no bytes of {:?}", kinds.0.keys());
    println!("{count} kinds have the {bytes} bytes of Go; {json_only} have JSON alone");
    assert!(count >= 126 && json_only == 1, "{count} kinds, {json_only}");
}

/// One of the streams in full.
fn stream(name: &str) -> Vec<u8> {
    let line = SUMS.lines().find_map(|line| line.strip_prefix(name)).expect("it is there");
    let digits = line.trim().as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.map(|pair| byte(pair).expect("hexadecimal digits")).collect()
}

#[test]
fn lists_are_cut_and_written_as_by_go() {
    let sent = stream("list ");
    let (mut frames, mut decoder, mut items) = (ListFrames::default(), Decoder::new(), Vec::new());
    for chunk in sent.chunks(11) {
        let mut item = |bytes: &[u8]| {
            items.push(decoder.object::<ConfigMap>(bytes)?);
            Ok(())
        };
        frames.push(chunk, &mut item).expect("a list");
    }
    let head = frames.finish().expect("a list");
    assert_eq!((head.kind.as_str(), &*head.metadata.continue_), ("ConfigMapList", "more"));
    assert_eq!(head.metadata.remaining_item_count, Some(0));
    let names: Vec<_> = items.iter().map(|item| item.metadata.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert!(items[0].binary_data.get("empty").is_some_and(|bytes| bytes.is_empty()));
    let items = items.iter().map(|item| item as _);
    assert_eq!(pb::list_to_body(&ConfigMap::KIND, &head.metadata, items), sent);
}

#[test]
fn watches_are_cut_and_written_as_by_go() {
    let sent = stream("watch ");
    let (mut frames, mut decoder) = (WatchFrames::default(), Decoder::new());
    let (mut seen, mut written) = (Vec::new(), Vec::new());
    for chunk in sent.chunks(11) {
        frames.push(chunk).expect("frames");
        while let Some(frame) = frames.frame().expect("frames") {
            let event = Event::open(frame).expect("an event");
            if event.object.is("v1", "Status") {
                let status: Status = pb::from_body(event.object.bytes()).expect("a status");
                written.extend(pb::event_to_frame(event.type_, &status));
                seen.push(format!("{} {}", event.type_, status.code));
            } else {
                let object: ConfigMap = decoder.object_in(&event.object).expect("a ConfigMap");
                written.extend(pb::event_to_frame(event.type_, &object));
                seen.push(format!("{} {}", event.type_, object.metadata.name));
            }
        }
    }
    assert_eq!(seen, ["ADDED a", "BOOKMARK ", "ERROR 410"]);
    assert_eq!(written, sent);
}
