//! Fields and what they name.

use serde_json::json;
use watchkeeper_api::{Kind, Scope};

use super::owned::Part;
use super::*;

const POD: Kind = Kind::new("", "v1", "Pod", "pods", Scope::Namespaced);
const FOO: Kind = Kind::new("example.com", "v1", "Foo", "foos", Scope::Namespaced);

fn part_of(object: &Value, manager: &str, subresource: &str) -> Option<Part> {
    let entry = Entry::find(object, manager, subresource)?;
    Some(entry.part(&Shape::unknown(&POD)))
}

fn owned_by(object: &Value, manager: &str, subresource: &str) -> Option<Value> {
    part_of(object, manager, subresource).map(|part| part.value)
}

fn object() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {
            "name": "x", "namespace": "a", "uid": "u", "labels": { "mine": "1", "theirs": "2" },
            "finalizers": ["mine", "theirs"],
            "managedFields": [
                { "manager": "me", "operation": "Update", "fieldsV1": { "f:spec": {} } },
                { "manager": "me", "operation": "Apply", "fieldsV1": {
                    "f:metadata": { "f:labels": { "f:mine": {} }, "f:finalizers": { "v:\"mine\"": {} } },
                    "f:spec": {
                        "f:nodeSelector": {},
                        "f:containers": { "k:{\"name\":\"c\"}": {
                            ".": {}, "f:image": {},
                            "f:ports": { "k:{\"containerPort\":80,\"protocol\":\"TCP\"}": { ".": {}, "f:containerPort": {} } },
                        } },
                    },
                } },
                { "manager": "me", "operation": "Apply", "subresource": "status", "fieldsV1": { "f:status": { "f:phase": {} } } },
            ],
        },
        "spec": {
            "nodeSelector": { "disk": "ssd" }, "restartPolicy": "Always",
            "containers": [
                { "name": "sidecar", "image": "s" },
                { "name": "c", "image": "i", "imagePullPolicy": "Always", "ports": [{ "containerPort": 80, "name": "web" }] },
            ],
        },
        "status": { "phase": "Running", "reason": "x" },
    })
}

#[test]
fn what_was_applied_is_taken_and_nothing_else() {
    let expected = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": "x", "namespace": "a", "labels": { "mine": "1" }, "finalizers": ["mine"] },
        "spec": {
            "nodeSelector": { "disk": "ssd" },
            "containers": [{ "name": "c", "image": "i", "ports": [{ "containerPort": 80 }] }],
        },
    });
    assert_eq!(owned_by(&object(), "me", ""), Some(expected));
}

/// Something applied, and what stands there.
fn applied(mine: Value, theirs: Value, spec: Value) -> Value {
    json!({
        "apiVersion": "v1",
        "metadata": { "managedFields": [
            { "manager": "them", "operation": "Update", "fieldsV1": { "f:spec": theirs } },
            { "manager": "me", "operation": "Apply", "apiVersion": "v1", "fieldsV1": { "f:spec": mine } },
        ] },
        "spec": spec,
    })
}

/// An applied `{}` is a leaf, as a map is that is owned as a whole: names tell which, in built-in kinds.
#[test]
fn an_empty_struct_claims_nothing_of_what_stands_in_it() {
    let mine = json!({ "f:resources": {}, "f:nodeSelector": {}, "f:containers": {
        "k:{\"name\":\"c\"}": { ".": {}, "f:name": {}, "f:securityContext": {} },
    } });
    let spec = json!({
        "resources": { "limits": { "cpu": "1" } },
        "nodeSelector": { "disk": "ssd" },
        "containers": [{ "name": "c", "securityContext": { "runAsUser": 5 } }],
    });
    let empty = json!({
        "resources": {}, "nodeSelector": { "disk": "ssd" },
        "containers": [{ "name": "c", "securityContext": {} }],
    });
    for theirs in [json!({}), json!({ "f:resources": { "f:limits": { "f:cpu": {} } } })] {
        let part = part_of(&applied(mine.clone(), theirs, spec.clone()), "me", "").unwrap();
        assert_eq!((&part.value["spec"], part.unsure), (&empty, false));
    }
}

/// Of other kinds it is not known, unless others own something there, or the server tells.
#[test]
fn of_other_kinds_the_schema_tells_what_is_owned_as_a_whole() {
    let mine = json!({ "f:limits": {}, "f:where": {}, "f:any": {}, "f:kept": {}, "f:parts": {
        "k:{\"name\":\"c\"}": { ".": {}, "f:name": {}, "f:size": {} },
    } });
    let one = json!({ "a": "1" });
    let spec = json!({
        "limits": one, "where": one, "any": one, "kept": one,
        "parts": [{ "name": "c", "size": one }],
    });
    let object = applied(mine, json!({}), spec.clone());
    let entry = Entry::find(&object, "me", "").unwrap();
    let part = entry.part(&Shape::unknown(&FOO));
    assert_eq!((&part.value["spec"], part.unsure), (&spec, true));

    let text = json!({ "type": "string" });
    let map = json!({ "type": "object", "additionalProperties": text });
    let atomic = json!({ "type": "object", "additionalProperties": text, "x-kubernetes-map-type": "atomic" });
    let item = json!({ "type": "object", "properties": { "name": text, "size": map } });
    let document = |schema: Value| {
        json!({ "components": { "schemas": {
        "com.example.v1.Foo": schema,
        "Where": { "type": "object", "properties": { "a": text }, "x-kubernetes-map-type": "atomic" },
    } } })
    };
    let foo = json!({
        "x-kubernetes-group-version-kind": [{ "group": "example.com", "version": "v1", "kind": "Foo" }],
        "properties": { "spec": { "properties": {
            "limits": map, "any": { "type": "object" },
            "where": { "allOf": [{ "$ref": "#/components/schemas/Where" }], "default": {} },
            "kept": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
            "parts": { "type": "array", "items": item },
        } } },
    });
    let told = entry.part(&Shape::of(&FOO, document(foo.clone())));
    let owned = json!({
        "limits": {}, "where": one, "any": one, "kept": {},
        "parts": [{ "name": "c", "size": {} }],
    });
    assert_eq!((&told.value["spec"], told.unsure), (&owned, false));
    let mut whole = foo;
    whole["properties"]["spec"]["properties"]["limits"] = atomic;
    let told = entry.part(&Shape::of(&FOO, document(whole)));
    assert_eq!(told.value["spec"]["limits"], one);
    // A document without the kind tells nothing, and then nobody is asked again.
    for document in [json!({}), document(json!({}))] {
        let silent = entry.part(&Shape::of(&FOO, document));
        assert_eq!((&silent.value["spec"], silent.unsure), (&spec, false));
    }
}

/// Fields of another version are looked for by their names; one that is not there is told.
#[test]
fn a_field_that_only_another_version_has_is_missing() {
    let mine = json!({ "f:maxReplicas": {}, "f:target": { "f:share": {} } });
    let mut object = applied(mine, json!({}), json!({ "maxReplicas": 3, "target": {} }));
    let part = part_of(&object, "me", "").unwrap();
    assert_eq!(part.missing.as_deref(), Some("spec.target.share"));
    assert_eq!(part.value["spec"], json!({ "maxReplicas": 3, "target": {} }));
    assert_eq!(Entry::find(&object, "me", "").unwrap().other_version(), None);
    object["apiVersion"] = json!("v2");
    assert_eq!(Entry::find(&object, "me", "").unwrap().other_version(), Some("v1"));
}

#[test]
fn a_subresource_is_another_matter() {
    let expected = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "x", "namespace": "a" },
        "status": { "phase": "Running" },
    });
    assert_eq!(owned_by(&object(), "me", "status"), Some(expected));
    assert_eq!(owned_by(&object(), "you", ""), None);
}

#[test]
fn fields_of_any_shape_are_read() {
    for fields in [
        json!(null),
        json!([]),
        json!({"k:": {}, "v:x": {}, "i:9": {}, "f": {}, "": {}}),
        json!({"f:spec": {"f:containers": {"k:[1]": {}, "k:{\"name\":{}}": {}, "i:0": null}}}),
    ] {
        let mut object = object();
        object["metadata"]["managedFields"][1]["fieldsV1"] = fields;
        assert!(owned_by(&object, "me", "").is_some());
    }
}

/// What the server's documents call atomic is what is known of built-in kinds.
#[tokio::test(start_paused = true)]
async fn names_of_atomic_members_are_those_of_the_documents() {
    let client = crate::Client::new(watchkeeper_apiserver::ApiServer::new());
    let documents = client.openapi(|_| true).await.unwrap();
    let is_atomic = |of: &Value| of["x-kubernetes-map-type"] == "atomic";
    let mut found = std::collections::BTreeSet::new();
    for document in &documents {
        let text: Value = serde_json::from_str(&document.text).unwrap();
        let schemas = text["components"]["schemas"].as_object().unwrap();
        for schema in schemas.values() {
            for (name, member) in schema["properties"].as_object().into_iter().flatten() {
                // Items are called as their list is.
                let inner = if member["items"].is_object() { &member["items"] } else { member };
                let reference = inner.get("$ref").or_else(|| inner.pointer("/allOf/0/$ref"));
                let reference =
                    reference.and_then(Value::as_str).and_then(|of| of.rsplit('/').next());
                let named = reference.and_then(|of| schemas.get(of));
                if is_atomic(inner) || named.is_some_and(is_atomic) {
                    found.insert(name.as_str().to_owned());
                }
            }
        }
    }
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), shape::ATOMIC);
}

#[test]
fn the_groups_are_those_of_the_built_in_kinds() {
    let kinds = watchkeeper_api::registry::kinds();
    let groups: std::collections::BTreeSet<&str> = kinds.iter().map(|kind| &*kind.group).collect();
    assert_eq!(groups.into_iter().collect::<Vec<_>>(), shape::GROUPS);
}
