//! The store's promises: one sequence, shared snapshots, a bounded past.

use serde_json::json;

use super::selector::{FieldTest, Fields, Labels};
use super::token::Continue;
use super::*;

fn put(store: &mut Store, name: &str, generation: u64) -> u64 {
    let table = TableName::from("foos");
    let value =
        json!({"kind": "Foo", "apiVersion": "v1", "metadata": {"name": name}, "spec": generation});
    store.put(&table, &key("", name), value).revision
}

fn specs(table: &Table) -> Vec<String> {
    table.values().map(|stored| format!("{}={}", stored.key, stored.value()["spec"])).collect()
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

/// However few events they are in, but for the newest one.
#[test]
fn what_takes_too_much_room_is_forgotten() {
    for (bytes, known) in [(usize::MAX, 4), (300, 4), (170, 3), (100, 1), (0, 1)] {
        let mut store = Store::new(100).bounded(bytes);
        let mut last = 0;
        for spec in 1..=4 {
            last = put(&mut store, "a", spec);
        }
        // The state before an event that is known is known.
        let states = (1..last).filter(|revision| store.at("foos", *revision).is_some());
        assert_eq!(states.count(), known, "{bytes}");
        assert_eq!(specs(store.table("foos").expect("written")), ["a=4"]);
    }
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
fn label_selectors_compare_numbers() {
    let selects = |text: &str, value: &str| {
        Labels::parse(text).expect(text).matches(Some(&json!({"n": value})))
    };
    assert!(selects("n>3", "4") && !selects("n > 3", "3") && !selects("n>3", "x"));
    assert!(selects("n < 5,n>1", "2") && !selects("n<3", "3"));
    assert!(selects("n<3", "-2"), "no value of a selector is below zero, labels may be");
    assert!(!Labels::parse("n>3").expect("one").matches(None), "the label must be there");
}

#[test]
fn what_is_no_label_selector_is_told_in_upstreams_words() {
    let told = |text: &str| Labels::parse(text).expect_err(text);
    for (text, why) in [
        ("a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"),
        ("a=b c", "found 'c', expected: ',' or 'end of string'"),
        ("a,,b", "found ',', expected: identifier after ','"),
        ("=a", "found '=', expected: !, identifier, or 'end of string'"),
        ("a in b", "unable to parse requirement: found 'b' expected: '('"),
        ("a in (b c)", "unable to parse requirement: found 'c', expected: ',' or ')'"),
        ("a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"),
        ("a in (b,", "unable to parse requirement: found '', expected: ',', or identifier"),
        ("!", "unable to parse requirement: found '', expected: identifier"),
        ("a=(", "unable to parse requirement: found '(', expected: identifier"),
    ] {
        assert_eq!(told(text), why, "{text}");
    }
    let number = "Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer";
    assert_eq!(told("a>x"), format!("unable to parse requirement: values[0]: {number}"));
    assert!(
        told("a=-").starts_with("unable to parse requirement: values[0][a]: Invalid value: \"-\"")
    );
    assert!(
        told("a>-").starts_with("unable to parse requirement: [values[0]: Invalid value: \"-\"")
    );
}

#[test]
fn field_selectors() {
    let fields = Fields::parse(r"metadata.name=a\,b,x!=1").expect("well-formed");
    assert_eq!(fields.required("metadata.name"), Some("a,b"));
    assert_eq!(fields.required("x"), None);
    assert!(Fields::parse("a").is_err());
    let told = |text: &str| Fields::parse(text).expect_err(text);
    let wrong = "invalid field selector:";
    assert_eq!(told(r"a=\x"), format!(r"{wrong} invalid escape sequence: \x"));
    assert_eq!(told(r"a=x\"), format!(r"{wrong} invalid escape sequence: \"));
    assert_eq!(told("a=b=c"), format!("{wrong} unescaped character in value: 61"));
    assert_eq!(told("b,a"), "invalid selector: 'b,a'; can't understand 'a'");
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
    assert_eq!((&shown.value()["size"], shown.revision), (&json!("small"), before.revision));
    store.reshape(&table, schema("small"));
    assert!(Arc::ptr_eq(&shown, store.get("foos", "a").expect("there")));
    store.reshape(&table, VersionSchemas::new());
    assert!(Arc::ptr_eq(&before, store.get("foos", "a").expect("there")), "as it was written");
}

#[test]
fn the_past_begins_where_it_was_compacted() {
    let mut store = Store::new(10);
    let first = put(&mut store, "a", 1);
    let second = put(&mut store, "a", 2);
    let third = put(&mut store, "a", 3);
    store.compact(second);
    assert_eq!(store.ring().floor(), second);
    assert!(store.at("foos", first).is_none());
    assert_eq!(specs(&store.at("foos", second).expect("kept")), ["a=2"]);
    let after: Vec<u64> = store.ring().after(second).map(|event| event.revision).collect();
    assert_eq!(after, [third]);
    assert_eq!(store.ring().after(third).count(), 0);
    store.compact(u64::MAX);
    assert_eq!(store.ring().floor(), third);
    assert_eq!(specs(&store.at("foos", third).expect("the present")), ["a=3"]);
}

#[test]
fn the_past_of_one_table_is_not_that_of_another() {
    let mut store = Store::new(10);
    let then = put(&mut store, "a", 1);
    let value = json!({"metadata": {"name": "a"}, "spec": 9});
    store.put(&TableName::from("bars"), &key("", "a"), value);
    assert_eq!(specs(&store.at("foos", then).expect("kept")), ["a=1"]);
    assert!(store.at("bars", then).expect("kept").is_empty());
    assert!(store.remove(&TableName::from("bars"), &key("", "b"), json!({})).is_none());
    assert_eq!(store.revision(), then + 1, "nothing was removed");
}

#[test]
fn tokens_say_a_revision_and_where_to_go_on() {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let decode = |version: &str, revision: i64, start: &str| {
        let token = json!({"v": version, "rv": revision, "start": start});
        Continue::decode(&URL_SAFE_NO_PAD.encode(token.to_string()))
    };
    let known = "meta.k8s.io/v1";
    for (revision, read) in [(1, Some(1)), (-1, None)] {
        let token = Continue { revision: read, start: "a".to_owned() };
        assert_eq!(decode(known, revision, "a"), Ok(token));
    }
    for (token, why) in [
        (decode(known, 0, "a"), "incorrect encoded start resourceVersion (version meta.k8s.io/v1)"),
        (decode(known, 1, ""), "encoded start key empty (version meta.k8s.io/v1)"),
        (decode("v2", 1, "a"), "server does not recognize this encoded version v2"),
    ] {
        assert_eq!(token, Err(format!("continue key is not valid: {why}")));
    }
}

#[test]
fn several_tests_of_labels_hold_together() {
    let matches =
        |text: &str, labels: Value| Labels::parse(text).expect(text).matches(Some(&labels));
    assert!(matches("a=1,a=1", json!({"a": "1"})));
    assert!(matches("a in (1,2),a in (2,3)", json!({"a": "2"})));
    assert!(!matches("a in (1,2),a in (2,3)", json!({"a": "1"})));
    assert!(!matches("a in (1,2),a in (2,3)", json!({"a": "3"})));
    assert!(matches("a=1,!b,c!=1", json!({"a": "1"})));
    assert!(!matches("a=1,b=2", json!({"a": "1"})));
    assert!(!matches("a!=1,b=2", json!({"a": "2"})));
    assert!(matches("a>1,a<3", json!({"a": "2"})));
    assert!(matches("a=", json!({"a": ""})) && !matches("a=", json!({"a": "1"})));
    assert!(!matches("a=", json!({})));
    assert!(matches("a in (x,)", json!({"a": ""})) && matches("a in ()", json!({"a": ""})));
}

#[test]
fn selectors_of_objects_are_labels_and_expressions() {
    let selects = |selector: &Value, labels: Value| {
        Labels::of_selector(selector).expect("a selector").matches(Some(&labels))
    };
    let expressions = json!([
        {"key": "b", "operator": "NotIn", "values": ["x"]},
        {"key": "c", "operator": "Exists"},
        {"key": "d", "operator": "DoesNotExist"},
    ]);
    let selector = json!({"matchLabels": {"a": "1"}, "matchExpressions": expressions});
    assert!(selects(&selector, json!({"a": "1", "c": ""})));
    for labels in [
        json!({"a": "1"}),
        json!({"a": "2", "c": ""}),
        json!({"a": "1", "b": "x", "c": ""}),
        json!({"a": "1", "c": "", "d": ""}),
    ] {
        assert!(!selects(&selector, labels.clone()), "{labels}");
    }
    assert!(selects(&json!({}), json!({})));
    let unknown = json!({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]});
    assert!(Labels::of_selector(&unknown).is_err());
}

#[test]
fn field_selectors_know_three_operators() {
    let fields = Fields::parse("c=3,a==1,b!=2,").expect("well-formed");
    let told = |test: &FieldTest| format!("{} {} {}", test.field, test.equal, test.value);
    let told: Vec<String> = fields.0.iter().map(told).collect();
    assert_eq!(told, ["a true 1", "b false 2", "c true 3"]);
    assert_eq!((fields.required("a"), fields.required("b")), (Some("1"), None));
    assert_eq!(Fields::parse("a=").expect("an empty value").required("a"), Some(""));
}

#[test]
fn what_is_stored_is_printed_without_its_value() {
    let stored = Stored::new(key("default", "a"), 7, json!({"data": {"password": "x"}}));
    assert_eq!(format!("{stored:?}"), "Stored { key: \"default/a\", revision: 7, .. }");
}

#[test]
fn a_store_remembers_that_something_deep_is_to_come() {
    let mut store = Store::new(10);
    assert!(!store.is_deep());
    store.note_depth();
    assert!(store.is_deep());
}
