//! JSON patches: what a kube-apiserver 1.36.3 makes of them, and what may not grow.

use serde_json::{Value, json};

use super::{PatchError, json as patched};

fn object() -> Value {
    json!({"data": {"a": "1"}, "list": ["x", "y", "z"]})
}

fn ok(patch: &Value) -> Value {
    patched(&object(), patch).unwrap_or_else(|why| panic!("{why} of {patch}"))
}

#[test]
fn a_missing_member_is_replaced_copied_as_null_and_tested_for_null() {
    let patch = json!([{"op": "replace", "path": "/data/b", "value": "2"}]);
    assert_eq!(ok(&patch)["data"], json!({"a": "1", "b": "2"}));
    let patch = json!([{"op": "copy", "from": "/data/b", "path": "/data/c"}]);
    assert_eq!(ok(&patch)["data"], json!({"a": "1", "c": null}));
    assert_eq!(ok(&json!([{"op": "test", "path": "/data/b", "value": null}])), object());
    assert_eq!(ok(&json!([{"op": "add", "path": "/data/b"}]))["data"]["b"], Value::Null);
}

#[test]
fn indices_count_from_either_end() {
    let list = |patch: Value| ok(&json!([patch]))["list"].to_string();
    let of =
        |op: &str, at: &str| list(json!({"op": op, "path": format!("/list/{at}"), "value": "q"}));
    assert_eq!(of("add", "-"), r#"["x","y","z","q"]"#);
    assert_eq!(of("add", "-1"), r#"["x","y","z","q"]"#);
    assert_eq!(of("add", "0"), r#"["q","x","y","z"]"#);
    assert_eq!(of("add", "3"), r#"["x","y","z","q"]"#);
    assert_eq!(of("remove", "-1"), r#"["x","y"]"#);
    assert_eq!(of("remove", "01"), r#"["x","z"]"#);
    assert_eq!(of("replace", "-3"), r#"["q","y","z"]"#);
}

#[test]
fn paths_are_unescaped_and_their_beginning_ignored() {
    let patch = json!([
        {"op": "add", "path": "/data/a~1b~0c~01", "value": 1},
        {"op": "add", "path": "anything/data/d", "value": 2},
    ]);
    assert_eq!(ok(&patch)["data"], json!({"a": "1", "a/b~c~1": 1, "d": 2}));
}

#[test]
fn what_does_not_fit_the_object_fails() {
    let failing = [
        json!({"op": "remove", "path": "/data/b"}),
        json!({"op": "move", "from": "/data/b", "path": "/data/c"}),
        json!({"op": "move", "from": "/data", "path": "/data/a"}),
        json!({"op": "add", "path": "/no/b", "value": 1}),
        json!({"op": "add", "path": "/data/a/b", "value": 1}),
        json!({"op": "add", "path": "/list/4", "value": 1}),
        json!({"op": "add", "path": "/list/-5", "value": 1}),
        json!({"op": "remove", "path": "/list/-"}),
        json!({"op": "remove", "path": "/list/-4"}),
        json!({"op": "replace", "path": "/list/3", "value": 1}),
        json!({"op": "replace", "path": "/list/x", "value": 1}),
        json!({"op": "add", "path": "", "value": {}}),
        json!({"op": "replace", "path": "", "value": {}}),
        json!({"op": "test", "path": "/data", "value": {}}),
        json!({"op": "test", "path": "/data/a"}),
        json!({"op": "ADD", "path": "/data/b", "value": 1}),
        json!({"op": "add", "path": null, "value": 1}),
        json!({"path": "/data/b"}),
        json!(null),
    ];
    for patch in failing {
        let error = patched(&object(), &json!([patch])).expect_err("it fails");
        assert!(matches!(error, PatchError::Failed(_)), "{error:?} of {patch}");
    }
}

#[test]
fn what_is_no_operation_is_malformed() {
    let error = |patch: Value| patched(&object(), &patch).expect_err("it fails").to_string();
    let decoding = "error decoding patch: json: cannot unmarshal";
    assert_eq!(
        error(json!([5])),
        format!("{decoding} number into Go value of type handlers.jsonPatchOp")
    );
    assert_eq!(
        error(json!([{"op": 5}])),
        format!("{decoding} number into Go struct field jsonPatchOp.op of type string")
    );
}

#[test]
fn copies_of_copies_end_at_a_size() {
    // Each doubles the object: forty of them would be a tebibyte.
    let doubling: Vec<Value> = (0..40)
        .map(|n| json!({"op": "copy", "from": "/data", "path": format!("/data/{n}")}))
        .collect();
    assert!(matches!(patched(&object(), &doubling.into()), Err(PatchError::Failed(_))));
    let large = json!({"data": {"a": "x".repeat(100_000)}});
    let copies = |count: usize| {
        let copy = |n| json!({"op": "copy", "from": "/data/a", "path": format!("/data/{n}")});
        (0..count).map(copy).collect::<Value>()
    };
    assert!(patched(&large, &copies(31)).is_ok());
    assert!(patched(&large, &copies(32)).is_err());
}

#[test]
fn copies_into_copies_end_at_a_depth() {
    // Each puts the value into its own innermost place, which doubles how deep it nests.
    let mut operations = vec![json!({"op": "add", "path": "/x", "value": {"x": {}}})];
    for doubled in 1..24_u32 {
        let path = "/x".repeat(1 << doubled);
        operations.push(json!({"op": "copy", "from": "/x", "path": path}));
        if path.len() > 1 << 20 {
            break;
        }
    }
    let refused = || matches!(patched(&object(), &operations.into()), Err(PatchError::Failed(_)));
    assert_eq!(crate::deep::run(refused), Some(true));
}

#[test]
fn a_patch_has_ten_thousand_operations_at_most() {
    let test = json!({"op": "test", "path": "/data/a", "value": "1"});
    assert_eq!(patched(&object(), &json!(vec![test.clone(); 10_000])), Ok(object()));
    let longer = json!(vec![test; 10_001]);
    assert_eq!(patched(&object(), &longer), Err(PatchError::TooLarge(10_001)));
}

#[test]
fn copies_add_three_mebibytes_at_most() {
    let copied = |letters: usize| {
        let object = json!({"a": "x".repeat(letters)});
        patched(&object, &json!([{"op": "copy", "from": "/a", "path": "/b"}]))
    };
    // The quotes count as well.
    let most = 3 * 1024 * 1024 - 2;
    assert!(copied(most).is_ok());
    assert!(matches!(copied(most + 1), Err(PatchError::Failed(_))));
}

#[test]
fn a_value_that_is_moved_is_where_it_was_no_more() {
    let list = |from: &str, path: &str| {
        ok(&json!([{"op": "move", "from": from, "path": path}]))["list"].to_string()
    };
    assert_eq!(list("/list/0", "/list/2"), r#"["y","z","x"]"#);
    assert_eq!(list("/list/2", "/list/0"), r#"["z","x","y"]"#);
    assert_eq!(list("/list/1", "/list/1"), r#"["x","y","z"]"#);
    assert_eq!(list("/list/-1", "/data/b"), r#"["x","y"]"#);
}
