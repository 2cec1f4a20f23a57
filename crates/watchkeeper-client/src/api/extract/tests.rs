//! Fields and what they name.

use super::*;

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

/// An applied `{}` is a leaf, as a map is that is owned as a whole. Who else owns something in it tells which.
#[test]
fn an_empty_struct_claims_nothing_of_what_others_say_in_it() {
    let owned = |theirs: Value| {
        let mine = json!({ "f:spec": { "f:resources": {}, "f:containers": {
            "k:{\"name\":\"c\"}": { ".": {}, "f:name": {}, "f:securityContext": {} },
        } } });
        let object = json!({
            "metadata": { "managedFields": [
                { "manager": "them", "operation": "Update", "fieldsV1": { "f:spec": theirs } },
                { "manager": "me", "operation": "Apply", "fieldsV1": mine },
            ] },
            "spec": {
                "resources": { "limits": { "cpu": "1" } },
                "containers": [{ "name": "c", "securityContext": { "runAsUser": 5 } }],
            },
        });
        owned_by(&object, "me", "").unwrap()["spec"].take()
    };
    let whole = json!({
        "resources": { "limits": { "cpu": "1" } },
        "containers": [{ "name": "c", "securityContext": { "runAsUser": 5 } }],
    });
    assert_eq!(owned(json!({})), whole);
    // They said no more than that it is there, too.
    assert_eq!(owned(json!({ "f:resources": {} })), whole);
    assert_eq!(owned(json!({ "f:resources": { ".": {} } })), whole);
    let theirs = json!({
        "f:resources": { "f:limits": { "f:cpu": {} } },
        "f:containers": { "k:{\"name\":\"c\"}": { "f:securityContext": { "f:runAsUser": {} } } },
    });
    let empty = json!({ "resources": {}, "containers": [{ "name": "c", "securityContext": {} }] });
    assert_eq!(owned(theirs), empty);
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
