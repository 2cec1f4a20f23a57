//! An object of every kind with every field filled in, written by Go, survives decode and encode.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use watchkeeper_api::json::{Decoder, Read, ReadError, Write, to_string};
use watchkeeper_api::meta::v1::WatchEvent;
use watchkeeper_api::registry::{self, Visitor};
use watchkeeper_api::{HasMeta, Raw, StaticKind};

const FILLED: &str = include_str!("../data/filled.jsonl");

type RoundTrip = fn(&str) -> Result<String, ReadError>;

fn round_trip<T: Read + Write>(text: &str) -> Result<String, ReadError> {
    let value: T = Decoder::new().keep_managed_fields(true).strict(true).decode_str(text)?;
    Ok(to_string(&value))
}

/// The way there and back for every kind.
struct Kinds(BTreeMap<(String, String), RoundTrip>);

impl Visitor for Kinds {
    fn visit<K: StaticKind + HasMeta + Default + PartialEq>(&mut self) {
        let kind = K::static_kind();
        let names = (kind.api_version().into_owned(), kind.kind.to_string());
        self.0.insert(names, round_trip::<K>);
    }

    fn visit_plain<T: Read + Write + Default + PartialEq>(
        &mut self,
        api_version: &'static str,
        kind: &'static str,
    ) {
        self.0.insert((api_version.to_owned(), kind.to_owned()), round_trip::<T>);
    }
}

#[test]
fn every_field_of_every_kind_survives() {
    let mut kinds = Kinds(BTreeMap::new());
    registry::visit(&mut kinds);
    // A list of anything has no struct: its items are read one by one.
    kinds.0.insert(("v1".to_owned(), "List".to_owned()), round_trip::<Raw>);
    // An event of a watch does not say what it is.
    kinds.0.insert((String::new(), String::new()), round_trip::<WatchEvent>);

    let (mut count, mut fields) = (0, 0);
    let mut seen = BTreeSet::new();
    for line in FILLED.lines() {
        let given: Value = serde_json::from_str(line).expect("Go writes JSON");
        let name = |member: &str| given[member].as_str().unwrap_or_default().to_owned();
        let names = (name("apiVersion"), name("kind"));
        let there_and_back = kinds.0.get(&names).unwrap_or_else(|| panic!("no type for {names:?}"));
        let text = there_and_back(line).unwrap_or_else(|error| panic!("{names:?}: {error}"));
        let back: Value = serde_json::from_str(&text).expect("we write JSON");
        if let Some(path) = difference(&given, &back, String::new()) {
            panic!("{names:?}: {path} did not survive");
        }
        count += 1;
        fields += leaves(&given);
        seen.insert(names);
    }
    let missed: Vec<_> = kinds.0.keys().filter(|names| !seen.contains(*names)).collect();
    assert!(missed.is_empty(), "Go filled in no {missed:?}");
    println!("{count} kinds with {fields} fields survived");
    assert!(count >= 88 && fields > 5_000, "{count} kinds, {fields} fields");
}

/// The first path at which two values differ.
fn difference(a: &Value, b: &Value, path: String) -> Option<String> {
    match (a, b) {
        (Value::Object(x), Value::Object(y)) => {
            let names = x.keys().chain(y.keys());
            names.into_iter().find_map(|name| match (x.get(name), y.get(name)) {
                (Some(x), Some(y)) => difference(x, y, format!("{path}.{name}")),
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
