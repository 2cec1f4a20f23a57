//! Whole objects within objects: where they are, and what they say they are.

use std::ops::ControlFlow;

use serde_json::{Map, Value};

use super::path::Path;
use super::told::Told;
use crate::error::FieldError;
use crate::registry::SchemaRef;

/// What is wrong with the whole objects within a value. `judge` tells it of one, by the way from there; the way to it is
/// put before that. No more is told of all of them together than somebody might read.
pub fn each_embedded(
    value: &Value,
    schema: SchemaRef<'_>,
    judge: impl Fn(&Map<String, Value>) -> Vec<FieldError>,
) -> Vec<FieldError> {
    let mut told = Told::default();
    let _ = walk(value, schema, &Path::Root, &mut |members, path| {
        let has_room = judge(members).into_iter().all(|error| told.tell(path, error));
        if has_room { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    told.into_errors()
}

/// The first mistake that `judge` finds in the whole objects within a value.
pub fn find_embedded(
    value: &Value,
    schema: SchemaRef<'_>,
    judge: impl Fn(&Map<String, Value>) -> Option<FieldError>,
) -> Option<FieldError> {
    let mut first = None;
    let _ = walk(value, schema, &Path::Root, &mut |members, path| {
        let Some(error) = judge(members) else { return ControlFlow::Continue(()) };
        first = Some(path.place(error));
        ControlFlow::Break(())
    });
    first
}

/// What is wrong with what a whole object says it is: its version and kind. Both are there before either is judged.
#[must_use]
pub fn object_types(members: &Map<String, Value>) -> Vec<FieldError> {
    let mut errors = Vec::new();
    for name in ["apiVersion", "kind"] {
        if !members.contains_key(name) {
            errors.push(FieldError::required(name, ""));
        }
    }
    for (name, judge) in
        [("apiVersion", wrong_version as fn(&str) -> Option<String>), ("kind", wrong_kind)]
    {
        let Some(value) = members.get(name) else { continue };
        let detail = match value.as_str() {
            None => Some("must be a string".to_owned()),
            Some("") => Some("must not be empty".to_owned()),
            Some(text) => judge(text),
        };
        errors.extend(detail.map(|detail| FieldError::invalid(name, value.clone(), detail)));
    }
    errors
}

/// What is wrong with a version, if anything is.
fn wrong_version(text: &str) -> Option<String> {
    let is_wrong = text.matches('/').count() > 1;
    is_wrong.then(|| format!("unexpected GroupVersion string: {text}"))
}

/// What is wrong with a kind, if anything is.
fn wrong_kind(text: &str) -> Option<String> {
    const FORM: &str = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an \
                        alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', \
                        regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
    let mut wrong = Vec::new();
    let bytes = text.as_bytes();
    let is_formed = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    if text.len() > 63 {
        wrong.push("must be no more than 63 characters");
    }
    if !is_formed {
        wrong.push(FORM);
    }
    let all = wrong.join(",");
    (!wrong.is_empty()).then(|| format!("may have mixed case, but should otherwise match: {all}"))
}

/// What is done with a whole object and where it is, and whether to look for more.
type Visit<'v> = dyn FnMut(&Map<String, Value>, &Path<'_>) -> ControlFlow<()> + 'v;

/// Shows `visit` each whole object, one before those within it.
fn walk(
    value: &Value,
    schema: SchemaRef<'_>,
    path: &Path<'_>,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    match value {
        Value::Object(members) => {
            if schema.node.embedded_resource {
                visit(members, path)?;
            }
            // Within a text or a number there is nothing.
            let inner = members.iter().filter(|(_, value)| value.is_object() || value.is_array());
            for (name, value) in inner {
                if let Some(of) = schema.property(name) {
                    walk(value, of, &Path::Field(path, name), visit)?;
                } else if let Some(of) = schema.additional() {
                    walk(value, of, &Path::Key(path, name), visit)?;
                }
            }
        }
        Value::Array(items) => {
            if let Some(of) = schema.items() {
                for (index, value) in items.iter().enumerate() {
                    walk(value, of, &Path::Item(path, index), visit)?;
                }
            }
        }
        _ => {}
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;
    use crate::Schema;
    use crate::error::MOST_TOLD;

    /// Whole objects by name, each of which may have a list of others.
    fn schema() -> Schema {
        let whole = |properties: Value| {
            json!({"type": "object", "x-kubernetes-embedded-resource": true,
                "x-kubernetes-preserve-unknown-fields": true, "properties": properties})
        };
        let list = json!({"type": "array", "items": whole(json!({}))});
        let by_name =
            json!({"type": "object", "additionalProperties": whole(json!({"list": list}))});
        let schema = json!({"type": "object", "properties": {"by": by_name}});
        Schema::from_crd_json(&schema).expect("a schema")
    }

    fn wrong(value: &Value) -> Vec<String> {
        let schema = schema();
        let errors = each_embedded(value, schema.alone(), object_types);
        errors.iter().map(|error| error.to_string().chars().take(70).collect()).collect()
    }

    #[test]
    fn each_whole_object_is_judged_where_it_is() {
        let fine = json!({"apiVersion": "v1", "kind": "Pod"});
        let inner = json!({"apiVersion": "v1", "kind": "Pod", "list": [fine, {"kind": "Pod"}]});
        assert_eq!(wrong(&json!({"by": {"a": fine}})), Vec::<String>::new());
        assert_eq!(
            wrong(&json!({"by": {"a": {"kind": 1, "list": []}, "b": inner}})),
            [
                "by[a].apiVersion: Required value",
                "by[a].kind: Invalid value: 1: must be a string",
                "by[b].list[1].apiVersion: Required value",
            ]
        );
    }

    #[test]
    fn whole_objects_say_what_they_are() {
        let of = |object: Value| {
            let errors = object_types(object.as_object().expect("an object"));
            let all: Vec<String> =
                errors.iter().map(|error| error.to_string().chars().take(70).collect()).collect();
            all.join("; ")
        };
        assert_eq!(of(json!({"apiVersion": "v1", "kind": "Pod"})), "");
        assert_eq!(of(json!({})), "apiVersion: Required value; kind: Required value");
        assert_eq!(
            of(json!({"apiVersion": "", "kind": 1})),
            "apiVersion: Invalid value: \"\": must not be empty; kind: Invalid value: 1: must be a string"
        );
        assert_eq!(
            of(json!({"apiVersion": "a/b/c", "kind": "-"})),
            "apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: a/; kind: Invalid value: \"-\": may have mixed case, but should otherwise ma"
        );
    }

    #[test]
    fn the_search_ends_with_what_is_found() {
        let seen = Cell::new(0);
        let judge = |members: &Map<String, Value>| {
            seen.set(seen.get() + 1);
            let is_wrong = members.contains_key("wrong");
            is_wrong.then(|| FieldError::required("wrong", ""))
        };
        let value =
            json!({"by": {"a": {"list": [{}, {"wrong": 1}, {"wrong": 2}]}, "b": {"wrong": 3}}});
        let schema = schema();
        let first = find_embedded(&value, schema.alone(), judge);
        assert_eq!(first.map(|error| error.field).as_deref(), Some("by[a].list[1].wrong"));
        assert_eq!(seen.get(), 3);
        assert_eq!(find_embedded(&json!({"by": {"a": {}}}), schema.alone(), judge), None);
    }

    /// Where each of them is would be a text of megabytes, thousands of times.
    #[test]
    fn of_all_whole_objects_together_no_more_is_told_than_somebody_reads() {
        let name = "x".repeat(MOST_TOLD / 3);
        let objects = vec![json!({}); 1_000];
        let mut by = Map::new();
        by.insert(name, json!({"apiVersion": "v1", "kind": "Pod", "list": objects}));
        let value = json!({ "by": by });
        let schema = schema();
        let errors = each_embedded(&value, schema.alone(), object_types);
        assert_eq!(errors.len(), 2);
        assert!(errors[1].field.ends_with("].list[0].kind"));
        assert!(each_embedded(&value, schema.alone(), |_| Vec::new()).is_empty());
    }
}
