//! The metadata of custom resources, and of the whole objects within them: decoded into Go's struct and written again
//! (apiextensions, `pkg/apiserver/customresource_handler.go`), whatever schemas say of it.

use serde_json::{Map, Value};
use watchkeeper_schema::crd::OBJECT_META;
use watchkeeper_schema::error::whole_numbers;
use watchkeeper_schema::prune::{Decode, decode_metadata};
use watchkeeper_schema::{SchemaRef, Schemas};

use crate::{decode_error, shape};

/// Gives metadata the form in which Go writes it. What is not known within is dropped and named.
pub(crate) fn decode(value: &mut Value, schema: SchemaRef<'_>) -> Vec<String> {
    if let Some(metadata) = value.get_mut("metadata")
        && let Some(of) = Schemas::builtin().by_name(OBJECT_META)
    {
        shape::normalize(metadata, of);
    }
    decode_metadata(value, schema, Decode { form: shape::normalize, is_stored: false })
}

/// As [`decode`], of what was stored under another schema: what is of another type within whole objects goes.
pub(crate) fn decode_stored(value: &mut Value, schema: SchemaRef<'_>) {
    decode_metadata(value, schema, Decode { form: normalize_fitting, is_stored: true });
}

fn normalize_fitting(value: &mut Value, of: SchemaRef<'_>) {
    if decode_error::find(value, of).is_some()
        && let Value::Object(members) = value
    {
        let fits = |name: &str, value: &Value| {
            let alone = Map::from_iter([(name.to_owned(), value.clone())]);
            decode_error::find(&Value::Object(alone), of).is_none()
        };
        members.retain(|name, value| fits(name, value));
    }
    shape::normalize(value, of);
}

/// What Go's JSON decoder says of metadata of this object that is of another type.
pub(crate) fn type_error(value: &Value) -> Option<String> {
    wrong_type(value.get("metadata")?)
}

/// What Go's JSON decoder says of metadata that is of another type. A float that is a whole number is one in Go, which
/// writes and reads it before.
pub(super) fn wrong_type(metadata: &Value) -> Option<String> {
    let of = Schemas::builtin().by_name(OBJECT_META)?;
    decode_error::find(metadata, of)?;
    let mut written = metadata.clone();
    whole_numbers(&mut written);
    decode_error::find(&written, of)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use watchkeeper_schema::{Schema, Schemas};

    use super::{decode, decode_stored, type_error};

    fn schema(closed: &serde_json::Value) -> Schema {
        let open = json!({"type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true});
        let spec = json!({"type": "object", "properties": {"open": open, "closed": closed,
            "each": {"type": "object", "additionalProperties": {"type": "array", "items": open}}}});
        let schema = json!({"type": "object", "properties": {"spec": spec}});
        Schema::from_crd_json(&schema).expect("a schema").into_resource()
    }

    #[test]
    fn metadata_is_written_as_go_writes_it() {
        let names = json!({"type": "object", "properties": {"name": {"type": "string"}}});
        let closed = json!({"type": "object", "x-kubernetes-embedded-resource": true,
            "properties": {"metadata": names}});
        let schema = schema(&closed);
        let metadata = json!({"name": "a", "labels": {}, "finalizers": [], "creationTimestamp": null, "x": {"y": 1}});
        let object = json!({"kind": "Pod", "metadata": metadata, "metadata2": 1});
        let mut value = json!({"metadata": {"name": "b", "labels": {}, "ownerReferences": []},
            "spec": {"open": object, "closed": object, "each": {"k": [object, {"metadata": null}, {}]}}});
        let dropped = decode(&mut value, Schemas::builtin().at(&schema));
        assert_eq!(
            dropped,
            ["spec.closed.metadata.x", "spec.each[k][0].metadata.x", "spec.open.metadata.x"]
        );
        let object = json!({"kind": "Pod", "metadata": {"name": "a"}, "metadata2": 1});
        let each = json!([object, {"metadata": {}}, {}]);
        let spec = json!({"open": object, "closed": object, "each": {"k": each}});
        assert_eq!(value, json!({"metadata": {"name": "b"}, "spec": spec}));
    }

    /// Where a schema says of metadata that it is no `null`, that is dropped before anybody decodes it.
    #[test]
    fn null_is_metadata_where_it_may_stand() {
        let told = |more: serde_json::Value| {
            let mut metadata =
                json!({"type": "object", "properties": {"name": {"type": "string"}}});
            let members = metadata.as_object_mut().expect("an object");
            members.extend(more.as_object().expect("an object").clone());
            let closed = json!({"type": "object", "x-kubernetes-embedded-resource": true,
                "properties": {"metadata": metadata}});
            let mut value = json!({"spec": {"closed": {"metadata": null}}});
            decode(&mut value, Schemas::builtin().at(&schema(&closed)));
            value["spec"]["closed"]["metadata"].clone()
        };
        assert_eq!(told(json!({})), json!(null));
        assert_eq!(told(json!({"nullable": true})), json!({}));
        assert_eq!(told(json!({"default": {}})), json!({}));
    }

    /// It was stored before the schema said that there is a whole object.
    #[test]
    fn what_was_stored_loses_what_is_of_another_type() {
        let metadata = json!({"name": "a", "labels": {"a": 1}, "annotations": {"b": "c"}});
        let object = json!({"kind": 5, "apiVersion": "v1", "metadata": metadata});
        let mut value = json!({"spec": {"open": object, "each": {"k": [{"metadata": "text"}]}}});
        decode_stored(&mut value, Schemas::builtin().at(&schema(&json!({}))));
        let metadata = json!({"name": "a", "annotations": {"b": "c"}});
        let object = json!({"apiVersion": "v1", "metadata": metadata});
        let each = json!({"k": [{"metadata": "text"}]});
        assert_eq!(value, json!({"spec": {"open": object, "each": each}}));
    }

    #[test]
    fn a_whole_number_may_be_written_as_a_float() {
        assert_eq!(type_error(&json!({"metadata": {"generation": 1.0}})), None);
        let told = type_error(&json!({"metadata": {"generation": 1.5}})).unwrap_or_default();
        let words = "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64";
        assert_eq!(told, words);
    }

    #[test]
    fn metadata_of_another_type_is_told_as_go_tells_it() {
        assert_eq!(type_error(&json!({"spec": 1})), None);
        assert_eq!(type_error(&json!({"metadata": {"name": "a", "managedFields": [{}]}})), None);
        let told = type_error(&json!({"metadata": {"managedFields": "a"}})).unwrap_or_default();
        let words = "json: cannot unmarshal string into Go struct field ObjectMeta.managedFields of type \
                     []v1.ManagedFieldsEntry";
        assert_eq!(told, words);
    }
}
