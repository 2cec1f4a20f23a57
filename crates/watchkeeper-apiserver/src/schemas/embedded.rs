//! Whole objects within custom resources: what they say of themselves is decoded as of any object
//! (apiextensions, `pkg/apiserver/schema/objectmeta`).

use serde_json::{Map, Value};
use watchkeeper_schema::error::{child, item, key};
use watchkeeper_schema::{FieldError, SchemaRef};

use crate::decode_error;

/// The first of these that is of another type.
pub(super) fn type_error(value: &Value, schema: SchemaRef<'_>) -> Option<FieldError> {
    walk(value, schema, "")
}

fn walk(value: &Value, schema: SchemaRef<'_>, path: &str) -> Option<FieldError> {
    match value {
        Value::Object(members) => {
            let own = schema.node.embedded_resource.then(|| head(members, schema, path)).flatten();
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

fn head(members: &Map<String, Value>, schema: SchemaRef<'_>, path: &str) -> Option<FieldError> {
    let wrong = |name: &str, value: &Value| match name {
        "apiVersion" | "kind" if !value.is_string() => Some("must be a string".to_owned()),
        "metadata" => decode_error::find(value, schema.property(name)?),
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

    use super::type_error;

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
}
