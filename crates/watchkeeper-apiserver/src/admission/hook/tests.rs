use http::Method;
use serde_json::{Value, json};

use super::{fits, selects_object};
use crate::admission::attributes::{Attributes, Operation};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;

fn call(group: &str, kind: &str, subresource: &str) -> Call {
    let resource = builtin(group, "v1", kind).expect("a kind");
    let namespace = if resource.namespaced { "a" } else { "" };
    let mut call = own_call(Method::POST, resource, namespace, "x");
    subresource.clone_into(&mut call.subresource);
    call
}

/// A rule about new config maps of version v1, with other members.
fn rule(more: &Value) -> Value {
    let mut rule = json!({
        "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"],
        "resources": ["configmaps"],
    });
    for (name, value) in more.as_object().expect("members") {
        rule[name] = value.clone();
    }
    rule
}

fn is_about(more: &Value, call: &Call) -> bool {
    let attributes = Attributes::write(call, Operation::Create, "x", json!({}), None);
    fits(&rule(more), &attributes, &call.resource)
}

#[test]
fn a_rule_is_about_a_write_in_all_its_members() {
    let maps = call("", "ConfigMap", "");
    for (more, expected) in [
        (json!({}), true),
        (json!({"operations": ["UPDATE", "*"]}), true),
        (json!({"operations": ["UPDATE"]}), false),
        (json!({"apiGroups": ["apps"]}), false),
        (json!({"apiGroups": ["apps", "*"]}), true),
        (json!({"apiVersions": ["v2"]}), false),
        (json!({"resources": ["pods"]}), false),
        (json!({"resources": ["*"]}), true),
        (json!({"resources": ["*/*"]}), true),
        (json!({"resources": ["configmaps/*"]}), true),
        (json!({"resources": ["configmaps/status"]}), false),
        (json!({"scope": "*"}), true),
        (json!({"scope": "Namespaced"}), true),
        (json!({"scope": "Cluster"}), false),
        (json!({"scope": "Other"}), false),
        (json!({"resourceNames": []}), true),
        (json!({"resourceNames": ["y", "x"]}), true),
        (json!({"resourceNames": ["y"]}), false),
    ] {
        assert_eq!(is_about(&more, &maps), expected, "{more}");
    }
}

#[test]
fn a_rule_is_about_subresources_that_it_names() {
    let status = call("", "Pod", "status");
    for (resources, expected) in [
        (json!(["pods"]), false),
        (json!(["*"]), false),
        (json!(["pods/status"]), true),
        (json!(["*/status"]), true),
        (json!(["pods/*"]), true),
        (json!(["pods/log", "nodes/status"]), false),
    ] {
        let told = is_about(&json!({"resources": resources}), &status);
        assert_eq!(told, expected, "{resources}");
    }
}

/// Namespaces are of the cluster, though each counts as its own content.
#[test]
fn what_is_in_no_namespace_is_of_the_cluster() {
    for (kind, plural) in [("Namespace", "namespaces"), ("Node", "nodes")] {
        let call = call("", kind, "");
        let told = ["Cluster", "Namespaced"]
            .map(|scope| is_about(&json!({"resources": [plural], "scope": scope}), &call));
        assert_eq!(told, [true, false], "{kind}");
    }
}

#[test]
fn an_object_is_selected_as_it_is_or_as_it_was() {
    let call = call("", "ConfigMap", "");
    let of = |label: &str| json!({"metadata": {"labels": {"a": label}}});
    let selector = json!({"matchLabels": {"a": "b"}});
    for (new, old, selector, expected) in [
        (of("b"), Some(of("c")), &selector, true),
        (of("c"), Some(of("b")), &selector, true),
        (of("c"), Some(of("c")), &selector, false),
        (of("c"), None, &selector, false),
        (json!({}), None, &selector, false),
        (json!({}), None, &json!({}), true),
    ] {
        let attributes = Attributes::write(&call, Operation::Update, "x", new, old);
        assert_eq!(selects_object(&attributes, selector), Ok(expected), "{attributes:?}");
    }
}
