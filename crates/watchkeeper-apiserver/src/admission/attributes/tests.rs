use std::sync::Arc;

use http::Method;
use serde_json::json;

use super::{Attributes, Operation, resource};
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;
use crate::request::query::Query;
use crate::resource::Resource;

fn kind(group: &str, kind: &str) -> Arc<Resource> {
    builtin(group, "v1", kind).expect("a kind")
}

fn call(group: &str, of: &str, subresource: &str) -> Call {
    let mut call = own_call(Method::POST, kind(group, of), "a", "x");
    subresource.clone_into(&mut call.subresource);
    call
}

fn write(call: &Call, operation: Operation) -> Attributes<'_> {
    Attributes::write(call, operation, "x", json!({}), None)
}

#[test]
fn a_write_has_the_options_of_its_query() {
    for (operation, query, mut options, is_dry) in [
        (Operation::Create, "", json!({"kind": "CreateOptions"}), false),
        (Operation::Update, "", json!({"kind": "UpdateOptions"}), false),
        (
            Operation::Update,
            "fieldManager=me&fieldValidation=Warn&dryRun=All&other=1",
            json!({
                "kind": "UpdateOptions", "fieldManager": "me", "fieldValidation": "Warn",
                "dryRun": ["All"],
            }),
            true,
        ),
    ] {
        options["apiVersion"] = "meta.k8s.io/v1".into();
        let mut call = call("", "ConfigMap", "");
        call.query = Query::parse(query);
        let told = write(&call, operation);
        assert_eq!((&told.options, told.dry_run), (&options, is_dry), "{query}");
        assert_eq!((&*told.name, told.namespace()), ("x", "a"));
    }
}

#[test]
fn a_delete_is_dry_where_its_options_say_so() {
    let call = call("", "ConfigMap", "");
    for (options, is_dry) in [(json!({}), false), (json!({"dryRun": ["All"]}), true)] {
        let told = Attributes::delete(&call, "y", json!({"a": 1}), options);
        assert_eq!((told.dry_run, &*told.name), (is_dry, "y"));
        assert_eq!((told.object, told.old), (None, Some(json!({"a": 1}))));
        assert_eq!(told.operation.name(), "DELETE");
    }
}

#[test]
fn a_namespace_is_within_itself() {
    let of = call("", "Namespace", "");
    assert_eq!(write(&of, Operation::Create).namespace(), "x");
}

#[test]
fn some_subresources_have_a_kind_of_their_own() {
    for (group, of, subresource, expected, is_whole) in [
        ("", "Pod", "", "v1 Pod", true),
        ("", "Pod", "status", "v1 Pod", true),
        ("", "Pod", "eviction", "policy v1 Eviction", false),
        ("", "Pod", "binding", "v1 Binding", false),
        ("apps", "Deployment", "scale", "autoscaling v1 Scale", false),
        ("apps", "Deployment", "status", "apps v1 Deployment", true),
    ] {
        let call = call(group, of, subresource);
        let told = write(&call, Operation::Update);
        let kind = told.kind(&call.resource);
        let text = format!("{} {} {}", kind.group, kind.version, kind.name);
        assert_eq!((text.trim(), told.is_whole()), (expected, is_whole), "{of} {subresource}");
    }
    let place = resource(&kind("apps", "Deployment")).json("resource");
    let told = json!({"group": "apps", "version": "v1", "resource": "deployments"});
    assert_eq!(place, told);
}

#[test]
fn what_is_configured_is_not_judged() {
    const GROUP: &str = "admissionregistration.k8s.io";
    let exempt = |resource: Arc<Resource>| {
        let call = own_call(Method::POST, resource, "", "x");
        write(&call, Operation::Create).is_exempt()
    };
    for of in [
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
    ] {
        assert!(exempt(kind(GROUP, of)), "{of}");
    }
    let like = |group: &str, plural: &str| {
        let (group, plural) = (group.to_owned(), plural.to_owned());
        exempt(Arc::new(Resource { group, plural, ..(*kind("", "ConfigMap")).clone() }))
    };
    assert!(like(GROUP, "mutatingadmissionpolicies"));
    assert!(!like(GROUP, "others") && !like("example.com", "mutatingadmissionpolicies"));
}

#[test]
fn operations_have_names() {
    let names = [Operation::Create, Operation::Update, Operation::Delete].map(Operation::name);
    assert_eq!(names, ["CREATE", "UPDATE", "DELETE"]);
}
