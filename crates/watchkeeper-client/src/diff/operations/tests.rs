//! Patches, and what they make of a value.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn an_operation_says_no_more_than_it_must() {
    let cases = [
        (json!({"a": 1}), json!({"a": 1}), json!([])),
        (json!({"a": 1}), json!({"a": 2}), json!([{"op": "replace", "path": "/a", "value": 2}])),
        (json!({"a": 1, "b": 2}), json!({"b": 2}), json!([{"op": "remove", "path": "/a"}])),
        (
            json!({"m": {}}),
            json!({"m": {"x.y/z~": 1}}),
            json!([{"op": "add", "path": "/m/x.y~1z~0", "value": 1}]),
        ),
        (json!([1, 2, 3]), json!([1, 3]), json!([{"op": "remove", "path": "/1"}])),
        (json!([1, 3]), json!([1, 2, 3]), json!([{"op": "add", "path": "/1", "value": 2}])),
        (json!([1, 2, 3, 4]), json!([]), {
            json!([
                {"op": "remove", "path": "/3"}, {"op": "remove", "path": "/2"},
                {"op": "remove", "path": "/1"}, {"op": "remove", "path": "/0"},
            ])
        }),
        (
            json!({"c": [{"n": "a", "i": 1}, {"n": "b"}]}),
            json!({"c": [{"n": "a", "i": 2}, {"n": "b"}]}),
            json!([{"op": "replace", "path": "/c/0/i", "value": 2}]),
        ),
        (json!(1), json!({}), json!([{"op": "replace", "path": "", "value": {}}])),
    ];
    for (before, after, said) in cases {
        assert_eq!(Value::from(operations(&before, &after)), said, "{before} {after}");
    }
}

/// Carries out a patch as RFC 6902 says, without any care for wrong ones.
fn patched(mut value: Value, patch: &[Value]) -> Value {
    for operation in patch {
        let path = operation["path"].as_str().expect("a path");
        let Some((place, step)) = path.rsplit_once('/') else {
            value = operation["value"].clone();
            continue;
        };
        let step = step.replace("~1", "/").replace("~0", "~");
        let (op, new) = (operation["op"].as_str().expect("an op"), operation["value"].clone());
        match value.pointer_mut(place).expect("it is there") {
            Value::Object(members) => match op {
                "remove" => _ = members.remove(&step).expect("a member"),
                "add" => assert!(members.insert(step, new).is_none()),
                _ => assert!(members.insert(step, new).is_some()),
            },
            Value::Array(items) => {
                let at: usize = step.parse().expect("an index");
                match op {
                    "remove" => _ = items.remove(at),
                    "add" => items.insert(at, new),
                    _ => items[at] = new,
                }
            }
            other => panic!("nothing is below {other}"),
        }
    }
    value
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(Value::Null), (0..3).prop_map(Value::from), "[a/~]".prop_map(Value::from)];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::btree_map("[ab/~]", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn a_patch_makes_of_one_value_the_other(before in anything(), after in anything()) {
        let patch = operations(&before, &after);
        prop_assert_eq!(patch.is_empty(), before == after);
        prop_assert_eq!(patched(before, &patch), after);
    }
}
