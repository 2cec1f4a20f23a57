use http::Method;
use serde_json::{Value, json};

use super::{fits, in_namespace, selects_object};
use crate::admission::attributes::{Attributes, Operation};
use crate::clock::Now;
use crate::config::Config;
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;
use crate::rng::Rng;
use crate::step::{Core, Ticket};
use crate::storage::{TableName, key};
use crate::turn::Turn;

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

/// A namespace is judged by its own labels where it is written, and by those it has where it goes.
#[test]
fn what_is_written_is_selected_by_the_labels_of_its_namespace() {
    let mut core = Core::new(Config::default(), Now::default(), &mut Rng::new(0));
    for (name, on) in [("a", "yes"), ("x", "no")] {
        let namespace = json!({"metadata": {"name": name, "labels": {"on": on}}});
        core.store.put(&TableName::from("namespaces"), &key("", name), namespace);
    }
    let mut rng = Rng::new(0);
    let turn = Turn::new(&mut core, Now::default(), &mut rng, Ticket(0));
    let told = |call: &Call, operation: Operation, selector: &Value| {
        let object = json!({"metadata": {"name": "x", "labels": {"on": "yes"}}});
        let attributes = Attributes::write(call, operation, "x", object, None);
        in_namespace(&turn, &attributes, selector).map_err(|error| error.message)
    };
    let on = |value: &str| json!({"matchLabels": {"on": value}});
    let (create, update, delete) = (Operation::Create, Operation::Update, Operation::Delete);
    let maps = call("", "ConfigMap", "");
    assert_eq!(told(&maps, create, &on("yes")), Ok(true));
    assert_eq!(told(&maps, create, &on("no")), Ok(false));
    let nowhere = Call { namespace: "b".to_owned(), ..maps };
    let missing = Err("namespaces \"b\" not found".to_owned());
    assert_eq!(told(&nowhere, create, &on("yes")), missing);
    assert_eq!(told(&nowhere, create, &json!({})), Ok(true));
    assert_eq!(told(&call("", "Node", ""), create, &on("no")), Ok(true), "in none");
    let namespace = call("", "Namespace", "");
    for (operation, selected) in [(create, true), (update, true), (delete, false)] {
        assert_eq!(told(&namespace, operation, &on("yes")), Ok(selected), "{operation:?}");
        assert_eq!(told(&namespace, operation, &on("no")), Ok(!selected), "{operation:?}");
    }
    let status = call("", "Namespace", "status");
    assert_eq!(told(&status, update, &on("yes")), Ok(false), "its status only");
    let odd = json!({"matchExpressions": [{"key": "on", "operator": "Odd"}]});
    let why = "Internal error occurred: \"Odd\" is not a valid label selector operator";
    assert_eq!(told(&namespace, create, &odd), Err(why.to_owned()));
}
