//! Labels, selectors and counts in a cell.

use serde_json::json;

use super::*;

fn row(object: &Value) -> Row<'_> {
    Row { object, now: Timestamp::UNIX_EPOCH }
}

/// As `FormatLabelSelector` of apimachinery prints them.
#[test]
fn a_selector_is_shown_in_the_order_of_its_keys() {
    let expression = |operator: &str, key: &str, values: &[&str]| json!({"key": key, "operator": operator, "values": values});
    for (of, told) in [
        (Value::Null, "<none>"),
        (json!({}), "<none>"),
        (json!({"matchLabels": {"b": "2", "a": "1"}}), "a=1,b=2"),
        (json!({"matchExpressions": [expression("In", "c", &["z", "y"])]}), "c in (y,z)"),
        (json!({"matchExpressions": [expression("NotIn", "c", &["z"])]}), "c notin (z)"),
        (json!({"matchExpressions": [expression("Exists", "c", &[])]}), "c"),
        (
            json!({"matchLabels": {"b": "2"}, "matchExpressions": [expression("DoesNotExist", "a", &[])]}),
            "!a,b=2",
        ),
    ] {
        assert_eq!(selector(row(&json!({"selector": of})), "/selector"), told, "{of}");
    }
}

#[test]
fn what_is_not_there_is_shown_as_nothing() {
    let object = json!({
        "labels": {"b": "2", "a": "1"}, "list": [1, 2, 3], "null": null, "number": 7, "flag": true, "text": "x",
        "empty": {}, "metadata": {"annotations": {"a": "b"}},
    });
    let row = row(&object);
    assert_eq!((labels(row, "/labels").as_str(), &*labels(row, "/empty")), ("a=1,b=2", "<none>"));
    assert_eq!(labels(row, "/none"), "<none>");
    let counts = ["/labels", "/list", "/null", "/text", "/none"].map(|at| row.count(at));
    assert_eq!(counts, [2, 3, 0, 0, 0]);
    assert_eq!((row.number("/number"), row.number("/text")), (7, 0));
    assert!(row.flag("/flag") && !row.flag("/none") && !row.flag("/text"));
    let texts = ["/text", "/null", "/number"].map(|at| row.text_or(at, "?"));
    assert_eq!(texts, ["x", "?", "?"]);
    assert!(row.at("/null").is_none() && row.items("/list").len() == 3);
    assert_eq!((row.annotation("a"), row.annotation("c")), (Some("b"), None));
    assert_eq!((row.since("/text"), row.is_deleting()), ("<unknown>".to_owned(), false));
}
