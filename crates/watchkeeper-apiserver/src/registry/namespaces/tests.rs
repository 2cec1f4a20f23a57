use http::Method;
use serde_json::{Value, json};

use super::{admit_delete, is_held, label, prepare};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;

#[test]
fn some_namespaces_stay_for_ever() {
    for (kind, name, code) in [
        ("Namespace", "default", Some(403)),
        ("Namespace", "kube-system", Some(403)),
        ("Namespace", "kube-public", Some(403)),
        ("Namespace", "kube-node-lease", None),
        ("Namespace", "a", None),
        ("Node", "default", None),
    ] {
        let call = own_call(Method::DELETE, builtin("", "v1", kind).expect("a kind"), "", name);
        assert_eq!(admit_delete(&call, name).err().map(|error| error.code), code, "{kind} {name}");
    }
}

#[test]
fn a_namespace_waits_for_its_content() {
    let (namespaces, nodes) = (builtin("", "v1", "Namespace"), builtin("", "v1", "Node"));
    let of = |finalizers: Value| json!({"spec": {"finalizers": finalizers}});
    let namespaces = namespaces.expect("namespaces");
    assert!(is_held(&namespaces, &of(json!(["kubernetes"]))));
    assert!(!is_held(&namespaces, &of(json!([]))) && !is_held(&namespaces, &json!({})));
    assert!(!is_held(&nodes.expect("nodes"), &of(json!(["kubernetes"]))));
}

#[test]
fn a_new_namespace_is_active_and_has_a_finalizer_once() {
    for (spec, expected) in [
        (Value::Null, json!(["kubernetes"])),
        (json!({"finalizers": ["a/b"]}), json!(["a/b", "kubernetes"])),
        (json!({"finalizers": ["kubernetes", "a/b"]}), json!(["kubernetes", "a/b"])),
    ] {
        let mut namespace = json!({"spec": spec, "status": {"phase": "Terminating", "a": 1}});
        prepare(&mut namespace);
        assert_eq!(namespace["spec"]["finalizers"], expected);
        assert_eq!(namespace["status"], json!({"phase": "Active"}));
    }
}

#[test]
fn a_namespace_is_selected_by_its_name() {
    let mut namespace =
        json!({"metadata": {"name": "a", "labels": {"kubernetes.io/metadata.name": "b"}}});
    label(&mut namespace);
    assert_eq!(namespace["metadata"]["labels"], json!({"kubernetes.io/metadata.name": "a"}));
    let mut wrong = json!({"metadata": {"name": "a", "labels": 1}});
    label(&mut wrong);
    assert_eq!(wrong["metadata"]["labels"], 1);
}

#[test]
fn what_else_a_new_namespace_says_stays() {
    let mut namespace = json!({"spec": {"a": 1}});
    prepare(&mut namespace);
    assert_eq!(namespace["spec"], json!({"a": 1, "finalizers": ["kubernetes"]}));
    let mut namespace = json!({"spec": "a"});
    prepare(&mut namespace);
    assert_eq!(namespace["spec"], json!({"finalizers": ["kubernetes"]}));
}
