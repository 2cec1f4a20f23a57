//! Whole objects within custom resources: what they say of themselves is decoded and judged as of any object
//! (apiextensions, `pkg/apiserver/schema/objectmeta`).

use serde_json::Value;
use watchkeeper_schema::validate::{each_embedded, find_embedded, object_types};
use watchkeeper_schema::{FieldError, SchemaRef};

use super::metadata;
use crate::kind_validation;

/// What is wrong with what the whole objects within a value say of themselves: what is of another type comes first.
pub(crate) fn wrong(value: &Value, schema: SchemaRef<'_>) -> Vec<FieldError> {
    type_error(value, schema).map_or_else(|| judged(value, schema), |error| vec![error])
}

/// What is wrong with what the whole objects within a value say of themselves, all of it of the right type.
pub(super) fn judged(value: &Value, schema: SchemaRef<'_>) -> Vec<FieldError> {
    each_embedded(value, schema, |members| {
        let mut errors = object_types(members);
        let metadata = members.get("metadata").map(kind_validation::embedded_metadata);
        errors.extend(metadata.unwrap_or_default());
        errors
    })
}

/// The first of what whole objects say of themselves that is of another type.
pub(super) fn type_error(value: &Value, schema: SchemaRef<'_>) -> Option<FieldError> {
    find_embedded(value, schema, |members| {
        members.iter().find_map(|(name, value)| {
            let detail = of_another_type(name, value)?;
            Some(FieldError::invalid(&**name, value.clone(), detail))
        })
    })
}

fn of_another_type(name: &str, value: &Value) -> Option<String> {
    match name {
        "apiVersion" | "kind" if !value.is_string() => Some("must be a string".to_owned()),
        // Whatever the schema makes of it.
        "metadata" => metadata::wrong_type(value),
        _ => None,
    }
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
        // What is written behind it makes a name of it.
        assert_eq!(told(of(json!({"generateName": ".."}))), "");
        assert_eq!(
            told(of(json!({"managedFields": [{"operation": "Patch"}]}))),
            cut(
                r#"[a].metadata.managedFields[0].operation: Invalid value: "Patch": must be `Apply` or `Update`"#
            )
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
