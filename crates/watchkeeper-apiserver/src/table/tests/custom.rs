//! Tables of custom resources.

use expect_test::expect;

use super::*;

#[test]
fn columns_of_a_crd() {
    let columns = Columns::custom(&[
        json!({"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"}),
        json!({"name": "Ready", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].status"}),
        json!({"name": "Spec", "type": "string", "jsonPath": ".spec", "priority": 1}),
        json!({"name": "Missing", "type": "string", "jsonPath": ".nope"}),
        json!({"name": "Wrong", "type": "integer", "jsonPath": ".metadata.name"}),
        json!({"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}),
    ]);
    check_columns(
        &columns,
        json!({"metadata": {"name": "x"}, "spec": {"replicas": 2}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}),
        expect![[r#"
            Name: "x"
            Replicas: 2
            Ready: "True"
            | Spec: "{\"replicas\":2}"
            Missing: null
            Wrong: null
            Age: "120m"
        "#]],
    );
    check_columns(
        &Columns::custom(&[]),
        json!({"metadata": {"name": "x"}}),
        expect![[r#"
        Name: "x"
        Age: "120m"
    "#]],
    );
}

#[test]
fn columns_of_a_crd_are_told_in_full_behind_the_name() {
    let told = |columns: &[Value]| {
        let columns = Columns::custom(columns);
        let table = render(&columns, &[], &json!({}), Include::None, true, now());
        table["columnDefinitions"].clone()
    };
    let name = json!({"name": "Name", "type": "string", "format": "name", "priority": 0,
        "description": "The name, unique within kind and namespace."});
    let size = json!({"name": "Size", "type": "integer", "format": "int32", "priority": 1,
        "description": "How large it is."});
    let mut column = size.clone();
    column["jsonPath"] = ".spec.size".into();
    assert_eq!(told(&[column]), json!([name, size]));
    let age = json!({"name": "Age", "type": "date", "format": "", "priority": 0,
        "description": "Time since the object was created."});
    assert_eq!(told(&[]), json!([name, age]));
}

#[test]
fn cells_of_a_crd_are_of_the_type_of_their_column() {
    let cell = |type_: &str, value: &Value| {
        let columns = Columns::custom(&[json!({"name": "V", "type": type_, "jsonPath": ".v"})]);
        let object = json!({"metadata": {"name": "x"}, "v": value});
        let table = render(&columns, &[&object], &json!({}), Include::None, false, now());
        table["rows"][0]["cells"][1].clone()
    };
    for (type_, value, shown) in [
        ("integer", json!(2.9), json!(2)),
        ("integer", json!(-2.9), json!(-2)),
        ("integer", json!("2"), Value::Null),
        ("number", json!(2.5), json!(2.5)),
        ("number", json!("2"), Value::Null),
        ("boolean", json!(false), json!(false)),
        ("boolean", json!(0), Value::Null),
        ("string", json!("a"), json!("a")),
        ("string", json!(true), json!("true")),
        ("string", Value::Null, Value::Null),
        ("date", json!("2026-01-01T01:58:00Z"), json!("2m")),
        ("date", json!("x"), json!("<invalid>")),
        ("date", json!(1), Value::Null),
    ] {
        assert_eq!(cell(type_, &value), shown, "{type_} {value}");
    }
}

#[test]
fn a_column_that_is_not_described_is_described_by_its_path() {
    let told = |columns: &[Value]| {
        let columns = Columns::custom(columns);
        let table = render(&columns, &[], &json!({}), Include::None, true, now());
        table["columnDefinitions"].clone()
    };
    let words = "Custom resource definition column (in JSONPath format): .spec.size";
    let size = json!({"name": "Size", "type": "integer", "format": "", "priority": 0,
        "description": words});
    let bare = json!({"name": "Size", "type": "integer", "jsonPath": ".spec.size"});
    let mut empty = bare.clone();
    empty["description"] = "".into();
    assert_eq!(told(&[bare])[1], size);
    assert_eq!(told(&[empty])[1], size);
    let wrong = json!({"name": "Size", "type": "integer", "jsonPath": ".a["});
    assert_eq!(told(&[wrong]).as_array().map(Vec::len), Some(1), "nor is there an age");
}
