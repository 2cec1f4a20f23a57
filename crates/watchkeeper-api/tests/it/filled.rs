//! An object of every kind with every field filled in, written by Go, survives decode and encode, in
//! JSON and through protobuf.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use watchkeeper_api::json::{Decoder, Read, ReadError, Write, to_string};
use watchkeeper_api::meta::v1::WatchEvent;
use watchkeeper_api::pb::{self, Message};
use watchkeeper_api::registry::{self, Visitor};
use watchkeeper_api::{HasMeta, Raw, StaticKind};

pub(crate) const FILLED: &str = include_str!("../data/filled.jsonl");

type Way = fn(&str) -> Result<String, ReadError>;

/// The ways there and back; those without protobuf have JSON's alone.
struct Ways {
    json: Way,
    pb: Option<Way>,
}

fn round_trip<T: Read + Write>(text: &str) -> Result<String, ReadError> {
    let value: T = Decoder::new().keep_managed_fields(true).strict(true).decode_str(text)?;
    Ok(to_string(&value))
}

fn through_protobuf<T: Read + Write + Message + Default + PartialEq>(
    text: &str,
) -> Result<String, ReadError> {
    let given: T = Decoder::new().keep_managed_fields(true).strict(true).decode_str(text)?;
    let mut decoder = pb::Decoder::new().keep_managed_fields(true).strict(true);
    let (message, body) = (pb::to_vec(&given), pb::to_body(&given));
    // What is met often is shared: not another value.
    for _ in 0..4 {
        assert!(decoder.message::<T>(&message)? == given);
    }
    let value: T = decoder.body(&body)?;
    assert_eq!(pb::to_body(&value), body);
    Ok(to_string(&value))
}

/// The ways there and back for every kind.
struct Kinds(BTreeMap<(String, String), Ways>);

const fn both<T: Read + Write + Message + Default + PartialEq>() -> Ways {
    Ways { json: round_trip::<T>, pb: Some(through_protobuf::<T>) }
}

const fn json<T: Read + Write>() -> Ways {
    Ways { json: round_trip::<T>, pb: None }
}

impl Visitor for Kinds {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        let kind = K::static_kind();
        let names = (kind.api_version().into_owned(), kind.kind.to_string());
        self.0.insert(names, both::<K>());
    }

    fn visit_plain<T: Read + Write + Message + Default + PartialEq>(
        &mut self,
        api_version: &'static str,
        kind: &'static str,
    ) {
        self.0.insert((api_version.to_owned(), kind.to_owned()), both::<T>());
    }

    fn visit_json<T: Read + Write + Default + PartialEq>(
        &mut self,
        api_version: &'static str,
        kind: &'static str,
    ) {
        self.0.insert((api_version.to_owned(), kind.to_owned()), json::<T>());
    }
}

#[test]
fn every_field_of_every_kind_survives() {
    let mut kinds = Kinds(BTreeMap::new());
    registry::visit(&mut kinds);
    // A list of anything has no struct: its items are read one by one.
    kinds.0.insert(("v1".to_owned(), "List".to_owned()), json::<Raw>());
    // An event of a watch does not say what it is.
    kinds.0.insert((String::new(), String::new()), both::<WatchEvent>());

    let (mut count, mut fields, mut in_protobuf) = (0, 0, 0);
    let mut seen = BTreeSet::new();
    for line in FILLED.lines() {
        let given: Value = serde_json::from_str(line).expect("Go writes JSON");
        let name = |member: &str| given[member].as_str().unwrap_or_default().to_owned();
        let names = (name("apiVersion"), name("kind"));
        let ways = kinds.0.get(&names).unwrap_or_else(|| panic!("no type for {names:?}"));
        for way in std::iter::once(ways.json).chain(ways.pb) {
            let text = way(line).unwrap_or_else(|error| panic!("{names:?}: {error}"));
            let back: Value = serde_json::from_str(&text).expect("we write JSON");
            if let Some(path) = difference(&given, &back, String::new()) {
                panic!("{names:?}: {path} did not survive");
            }
        }
        if pb::is_known(&names.0, &names.1) {
            let body = pb::body_from_json(line).unwrap_or_else(|e| panic!("{names:?}: {e}"));
            let text = pb::body_to_json(&body).unwrap_or_else(|e| panic!("{names:?}: {e}"));
            let back: Value = serde_json::from_str(&text).expect("we write JSON");
            assert_eq!(difference(&given, &back, String::new()), None, "{names:?}");
            in_protobuf += 1;
        }
        count += 1;
        fields += leaves(&given);
        seen.insert(names);
    }
    let missed: Vec<_> = kinds.0.keys().filter(|names| !seen.contains(*names)).collect();
    assert!(missed.is_empty(), "Go filled in no {missed:?}");
    println!("{count} kinds with {fields} fields survived, {in_protobuf} kinds also in protobuf");
    assert!(count >= 127 && fields > 15_000, "{count} kinds, {fields} fields");
    // Not known by their names: an event of a watch, and tables, which have JSON alone.
    assert_eq!(in_protobuf, count - 2, "some kind has lost its protobuf");
}

/// The first path at which two values differ. A struct that has no fields, as the spec of a
/// `StorageVersion`, is not written.
pub(crate) fn difference(a: &Value, b: &Value, path: String) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let names = x.keys().chain(y.keys());
            names.into_iter().find_map(|name| match (x.get(name), y.get(name)) {
                (Some(x), Some(y)) => difference(x, y, format!("{path}.{name}")),
                (Some(Value::Object(x)), None) if x.is_empty() => None,
                _ => Some(format!("{path}.{name}")),
            })
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            let pairs = x.iter().zip(y).enumerate();
            pairs.into_iter().find_map(|(i, (x, y))| difference(x, y, format!("{path}[{i}]")))
        }
        _ => (a != b).then_some(path),
    }
}

fn leaves(value: &Value) -> usize {
    match value {
        Value::Object(members) => members.values().map(leaves).sum(),
        Value::Array(items) => items.iter().map(leaves).sum(),
        _ => 1,
    }
}
