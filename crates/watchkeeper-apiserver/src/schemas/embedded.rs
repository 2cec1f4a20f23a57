//! Whole objects within custom resources: what they say of themselves is decoded and judged as of any object
//! (apiextensions, `pkg/apiserver/schema/objectmeta`).

use serde_json::{Map, Value};
use watchkeeper_schema::crd::OBJECT_META;
use watchkeeper_schema::error::{child, item, key};
use watchkeeper_schema::validate::{embedded_metadata, embedded_types};
use watchkeeper_schema::{FieldError, SchemaRef, Schemas};

use crate::decode_error;
use crate::kind_validation;

/// What is wrong with what the whole objects within a value say of themselves: what is of another type comes first.
pub(crate) fn wrong(value: &Value, schema: SchemaRef<'_>) -> Vec<FieldError> {
    if let Some(error) = type_error(value, schema) {
        return vec![error];
    }
    let mut errors = embedded_types(value, schema);
    errors.extend(metadata(value, schema));
    errors
}

/// What is wrong with the metadata of the whole objects within a value.
pub(super) fn metadata(value: &Value, schema: SchemaRef<'_>) -> Vec<FieldError> {
    let all = embedded_metadata(value, schema).into_iter();
    all.flat_map(|(path, metadata)| kind_validation::embedded_metadata(metadata, &path)).collect()
}

/// The first of these that is of another type.
pub(super) fn type_error(value: &Value, schema: SchemaRef<'_>) -> Option<FieldError> {
    walk(value, schema, "")
}

fn walk(value: &Value, schema: SchemaRef<'_>, path: &str) -> Option<FieldError> {
    match value {
        Value::Object(members) => {
            let own = schema.node.embedded_resource.then(|| head(members, path)).flatten();
            own.or_else(|| {
                members.iter().find_map(|(name, value)| below(name, value, schema, path))
            })
        }
        Value::Array(items) => {
            let of = schema.items()?;
            let mut items = items.iter().enumerate();
            items.find_map(|(index, value)| walk(value, of, &item(path, index)))
        }
        _ => None,
    }
}

fn below(name: &str, value: &Value, schema: SchemaRef<'_>, path: &str) -> Option<FieldError> {
    if !value.is_object() && !value.is_array() {
        return None;
    }
    match schema.property(name) {
        // Metadata has no objects within.
        Some(of) if of.usage.reference.is_some() => None,
        Some(of) => walk(value, of, &child(path, name)),
        None => walk(value, schema.additional()?, &key(path, name)),
    }
}

fn head(members: &Map<String, Value>, path: &str) -> Option<FieldError> {
    let wrong = |name: &str, value: &Value| match name {
        "apiVersion" | "kind" if !value.is_string() => Some("must be a string".to_owned()),
        // Whatever the schema makes of it.
        "metadata" => decode_error::find(value, Schemas::builtin().by_name(OBJECT_META)?),
        _ => None,
    };
    members.iter().find_map(|(name, value)| {
        Some(FieldError::invalid(child(path, name), value.clone(), wrong(name, value)?))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use watchkeeper_schema::{Schema, Schemas};

    use super::{type_error, wrong};

    #[test]
    fn what_whole_objects_say_of_themselves_is_typed() {
        let template = json!({"type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true});
        let spec = json!({"type": "object", "properties": {"a": template, "b": {"type": "array", "items": template}}});
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        let schema = Schema::from_crd_json(&schema).expect("a schema").into_resource();
        let told = |spec| {
            let object = json!({"apiVersion": "g/v1", "kind": 5, "spec": spec});
            let found = type_error(&object, Schemas::builtin().at(&schema));
            found.map_or_else(String::new, |error| error.to_string())
        };
        assert_eq!(
            told(json!({"a": {"kind": "Pod", "metadata": {"name": "a"}, "x": {"kind": 1}}})),
            ""
        );
        assert_eq!(
            told(json!({"a": {"kind": {"a": 1}}})),
            r#"spec.a.kind: Invalid value: {"a":1}: must be a string"#
        );
        assert_eq!(
            told(json!({"b": [{}, {"metadata": {"labels": 1}}]})),
            r#"spec.b[1].metadata: Invalid value: {"labels":1}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string"#
        );
    }

    #[test]
    fn what_whole_objects_say_of_themselves_is_judged() {
        let metadata = json!({"type": "object", "properties": {"labels": {"x-kubernetes-preserve-unknown-fields": true}}});
        let template = json!({"type": "object", "x-kubernetes-embedded-resource": true,
            "properties": {"metadata": metadata}});
        let schema = json!({"type": "object", "additionalProperties": template});
        let schema = Schema::from_crd_json(&schema).expect("a schema");
        let told = |object: serde_json::Value| {
            let errors = wrong(&json!({"a": object}), Schemas::builtin().at(&schema));
            let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
            all.join("; ").chars().take(99).collect::<String>()
        };
        let of = |metadata| json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata});
        for fine in [json!({}), json!(null), json!({"name": "A", "labels": {"a": ""}})] {
            assert_eq!(told(of(fine.clone())), "", "{fine}");
        }
        let cut = |text: &str| text.chars().take(99).collect::<String>();
        assert_eq!(
            told(of(json!({"labels": {"a": 1}}))),
            cut(
                r#"[a].metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field"#
            )
        );
        assert_eq!(
            told(of(json!({"name": "a/b"}))),
            r#"[a].metadata.name: Invalid value: "a/b": may not contain '/'"#
        );
        assert_eq!(
            told(of(json!({"generation": -1}))),
            "[a].metadata.generation: Invalid value: -1: must be greater than or equal to 0"
        );
        assert_eq!(
            told(json!({"kind": "Pod", "metadata": {"labels": {"a": "b c"}}})),
            cut(
                r#"[a].apiVersion: Required value; [a].metadata.labels: Invalid value: "b c": a valid label must be an empty string"#
            )
        );
    }
}
