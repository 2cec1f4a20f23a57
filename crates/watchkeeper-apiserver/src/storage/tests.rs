//! The store's promises: one sequence, shared snapshots, a bounded past.

use serde_json::json;

use super::selector::{Fields, Labels};
use super::token::Continue;
use super::*;

fn put(store: &mut Store, name: &str, generation: u64) -> u64 {
    let table = TableName::from("foos");
    let value =
        json!({"kind": "Foo", "apiVersion": "v1", "metadata": {"name": name}, "spec": generation});
    store.put(&table, &key("", name), value).revision
}

fn specs(table: &Table) -> Vec<String> {
    table.values().map(|stored| format!("{}={}", stored.key, stored.value["spec"])).collect()
}

#[test]
fn a_past_revision_is_rebuilt_by_undoing() {
    let mut store = Store::new(10);
    put(&mut store, "a", 1);
    let then = put(&mut store, "b", 1);
    put(&mut store, "a", 2);
    store.remove(&TableName::from("foos"), &key("", "b"), json!({"metadata": {}}));
    assert_eq!(specs(&store.at("foos", then).expect("kept")), ["a=1", "b=1"]);
    assert_eq!(specs(store.table("foos").expect("written")), ["a=2"]);
}

#[test]
fn what_fell_out_of_the_ring_is_gone() {
    let mut store = Store::new(2);
    let first = put(&mut store, "a", 1);
    put(&mut store, "a", 2);
    put(&mut store, "a", 3);
    assert!(store.at("foos", first).is_some(), "everything after it is still known");
    put(&mut store, "a", 4);
    assert!(store.at("foos", first).is_none());
}

#[test]
fn the_bytes_leave_out_kind_and_version() {
    let mut store = Store::new(2);
    put(&mut store, "a", 1);
    let stored = store.get("foos", "a").expect("written");
    assert_eq!(&*stored.tail, br#","metadata":{"name":"a","resourceVersion":"2"},"spec":1}"#);
}

#[test]
fn tokens_survive_the_wire() {
    let token = Continue::after(Some(7), "ns/a");
    assert_eq!(Continue::decode(&token.encode()), Ok(token));
    let latest = Continue::after(None, "ns/a");
    assert_eq!(Continue::decode(&latest.encode()), Ok(latest));
    assert!(Continue::decode("x").is_err());
}

#[test]
fn label_selectors() {
    let labels = json!({"app": "web", "tier": "a"});
    let matches = |text: &str| Labels::parse(text).expect(text).matches(Some(&labels));
    for yes in ["", "app=web", "app==web,tier in (a, b)", "!x", "app", "x!=1", "x notin (a)"] {
        assert!(matches(yes), "{yes}");
    }
    for no in ["app=x", "!app", "tier notin (a)", "x in (a)", "app!=web", "x"] {
        assert!(!matches(no), "{no}");
    }
    for bad in ["app in (a", "a b", "=x", "app=a b", "a,,b"] {
        assert!(Labels::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn field_selectors() {
    let fields = Fields::parse(r"metadata.name=a\,b,x!=1").expect("well-formed");
    assert_eq!(fields.required("metadata.name"), Some("a,b"));
    assert_eq!(fields.required("x"), None);
    assert!(Fields::parse("a").is_err());
}

#[test]
fn a_schema_that_changes_nothing_leaves_objects_as_they_are() {
    let mut store = Store::new(10);
    put(&mut store, "a", 1);
    let table = TableName::from("foos");
    let before = store.get("foos", "a").cloned().expect("written");
    let schema = |default: &str| {
        let json = json!({"type": "object", "properties": {
            "spec": {"type": "integer"}, "size": {"type": "string", "default": default},
        }});
        let schema = watchkeeper_schema::Schema::from_crd_json(&json).expect("a schema");
        VersionSchemas::from([("v1".to_owned(), Arc::new(schema.into_resource()))])
    };
    store.reshape(&table, VersionSchemas::new());
    assert!(Arc::ptr_eq(&before, store.get("foos", "a").expect("there")));
    store.reshape(&table, schema("small"));
    let shown = store.get("foos", "a").cloned().expect("there");
    assert_eq!((&shown.value["size"], shown.revision), (&json!("small"), before.revision));
    store.reshape(&table, schema("small"));
    assert!(Arc::ptr_eq(&shown, store.get("foos", "a").expect("there")));
    store.reshape(&table, VersionSchemas::new());
    assert!(Arc::ptr_eq(&before, store.get("foos", "a").expect("there")), "as it was written");
}
