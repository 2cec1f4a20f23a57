//! A list of every kind survives, as JSON and in protobuf, and so do its items one by one.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use watchkeeper_api::json::{self, Decoder};
use watchkeeper_api::pb::{self, ListFrames, Message};
use watchkeeper_api::registry::{self, Registry, Visitor};
use watchkeeper_api::{HasMeta, StaticKind, diff};

use crate::filled::{FILLED, difference};

/// The filled in objects by what they are, and what became of their lists.
struct Lists {
    filled: BTreeMap<(String, String), Value>,
    registry: Registry,
    lists: usize,
    bytes: usize,
}

/// A list of the object and of one that has a name and nothing else. Neither says what it is: servers leave
/// that to the list.
fn list_of(kind: &str, api_version: &str, filled: &Value) -> Value {
    let mut first = filled.clone();
    let members = first.as_object_mut().expect("an object");
    members.remove("kind");
    members.remove("apiVersion");
    json!({
        "apiVersion": api_version, "kind": kind,
        "metadata": { "resourceVersion": "7", "continue": "more", "remainingItemCount": 1 },
        "items": [first, { "metadata": { "name": "second" } }],
    })
}

/// Nobody keeps them who does not ask for it, not those of templates either.
fn without_managed_fields(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("managedFields");
            members.values_mut().for_each(without_managed_fields);
        }
        Value::Array(items) => items.iter_mut().for_each(without_managed_fields),
        _ => {}
    }
}

fn same(what: &str, given: &Value, back: &str) {
    let back: Value = serde_json::from_str(back).expect("we write JSON");
    assert_eq!(difference(given, &back, String::new()), None, "{what}");
}

impl Visitor for Lists {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        let kind = K::static_kind();
        // What is only sent to a subresource is never listed.
        if kind.plural.is_empty() {
            return;
        }
        let (api_version, name) = (kind.api_version().into_owned(), kind.kind.to_string());
        let filled = &self.filled[&(api_version.clone(), name.clone())];
        let list = list_of(&kind.list_kind(), &api_version, filled);
        let what = format!("{api_version} {name}");

        // Item by item, from JSON.
        let documents = self.registry.read(&list.to_string()).expect("a list");
        assert_eq!(documents.len(), 2, "{what}");
        let first =
            documents[0].get::<K>().unwrap_or_else(|| panic!("{what}: a {}", documents[0].kind()));
        let mut without = filled.clone();
        without_managed_fields(&mut without);
        same(&what, &without, &json::to_string(first));
        assert_eq!(documents[1].get::<K>().expect("the same kind").name(), "second");

        // Item by item, in protobuf, in pieces as they come over the wire.
        let mut decoder = Decoder::new().keep_managed_fields(true);
        let items: Vec<K> = list["items"]
            .as_array()
            .expect("items")
            .iter()
            .map(|item| decoder.decode_str(&item.to_string()).expect("an item"))
            .collect();
        let metadata = json::from_str(&list["metadata"].to_string()).expect("metadata");
        let body = pb::list_to_body(kind, &metadata, items.iter().map(|item| item as _));
        let (mut frames, mut read) = (ListFrames::default(), Vec::new());
        let mut decoder = pb::Decoder::new().keep_managed_fields(true).strict(true);
        for chunk in body.chunks(101) {
            let mut item = |bytes: &[u8]| {
                read.push(decoder.object::<K>(bytes)?);
                Ok(())
            };
            frames.push(chunk, &mut item).expect("a list");
        }
        let head = frames.finish().expect("a list");
        assert_eq!((head.api_version.as_str(), &*head.kind), (&*api_version, &*kind.list_kind()));
        assert_eq!(head.metadata, metadata, "{what}");
        assert_eq!(read.len(), items.len(), "{what}");
        read.iter().zip(&items).for_each(|(read, item)| diff::assert_same(item, read));
        same(&what, filled, &json::to_string(&read[0]));

        // As a whole, from one form to the other.
        let from_json = pb::body_from_json(&list.to_string()).expect("a list");
        assert!(from_json == body, "{what}: the list as a whole has other bytes");
        let mut named = list;
        // Members that a kind requires are written, though the second has none.
        named["items"][1] = serde_json::from_str(&json::to_string(&items[1])).expect("JSON");
        for item in named["items"].as_array_mut().expect("items") {
            item["apiVersion"] = api_version.as_str().into();
            item["kind"] = name.as_str().into();
        }
        same(&what, &named, &pb::body_to_json(&body).expect("a list"));
        self.lists += 1;
        self.bytes += body.len();
    }
}

#[test]
fn a_list_of_every_kind_survives() {
    let filled = FILLED.lines().map(|line| {
        let object: Value = serde_json::from_str(line).expect("Go writes JSON");
        let name = |member: &str| object[member].as_str().unwrap_or_default().to_owned();
        ((name("apiVersion"), name("kind")), object)
    });
    let filled = filled.collect();
    let mut lists = Lists { filled, registry: Registry::built_in(), lists: 0, bytes: 0 };
    registry::visit(&mut lists);
    println!("lists of {} kinds survived, {} bytes of protobuf", lists.lists, lists.bytes);
    let listed = registry::kinds().iter().filter(|kind| !kind.plural.is_empty()).count();
    assert!(lists.lists == listed && listed >= 90, "{} of {listed}", lists.lists);
}
