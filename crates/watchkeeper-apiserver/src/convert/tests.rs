//! Which kinds are served in several shapes.

use std::collections::BTreeMap;

use http::Method;
use watchkeeper_schema::builtin::facts;

use serde_json::json;

use crate::handlers::bootstrap::own_call;
use crate::registry::{Registry, builtin};
use crate::storage::key;

use super::*;

/// The fields of a model and of all that it holds, without the names of versions.
fn shape(model: &str, path: &str, out: &mut Vec<String>) {
    let Some(of) = facts().get(model) else { return };
    for field in &of.fields {
        let path = format!("{path}.{}", field.json);
        let number = field.pb.map(|pb| pb.number);
        let ty = format!("{:?}", field.ty).replace(&version_of(model), "");
        out.push(format!("{path} {number:?} {:?} {ty}", field.presence));
        // Schemas hold themselves.
        if let Some(inner) = field.ty.model().filter(|_| path.len() < 200) {
            shape(inner, &path, out);
        }
    }
}

/// `v1beta1` of `io.k8s.api.resource.v1beta1.DeviceClass`.
fn version_of(model: &str) -> String {
    model.rsplit('.').nth(1).unwrap_or_default().to_owned()
}

#[test]
fn kinds_of_several_shapes_are_converted() {
    let registry = Registry::builtin();
    let mut kinds: BTreeMap<&str, Vec<&Arc<Resource>>> = BTreeMap::new();
    for resource in registry.iter() {
        kinds.entry(&resource.table).or_default().push(resource);
    }
    let differs = |resources: &[&Arc<Resource>]| {
        let shapes = resources.iter().map(|resource| {
            let mut out = Vec::new();
            shape(&resource.model, "", &mut out);
            out.sort();
            out
        });
        let shapes: Vec<Vec<String>> = shapes.collect();
        shapes.iter().any(|one| one.is_empty() || *one != shapes[0])
    };
    let several = kinds.iter().filter(|(_, resources)| resources.len() > 1);
    let differing: Vec<&str> =
        several.filter(|(_, all)| differs(all)).map(|(table, _)| *table).collect();
    assert_eq!(differing, ["events", "horizontalpodautoscalers.autoscaling"]);
}

fn resource(group: &str, version: &str, kind: &str) -> Arc<Resource> {
    builtin(group, version, kind).expect("a kind")
}

#[test]
fn what_has_one_shape_is_served_as_it_is_stored() {
    let autoscaler = "HorizontalPodAutoscaler";
    for (group, version, kind, stored, expected) in [
        ("", "v1", "Pod", "v1", true),
        ("", "v1", "Event", "v1", true),
        ("events.k8s.io", "v1", "Event", "v1", false),
        ("autoscaling", "v1", autoscaler, "autoscaling/v2", false),
        ("autoscaling", "v2", autoscaler, "autoscaling/v2", true),
        ("apps", "v1", "Deployment", "apps/v1", true),
    ] {
        let of = resource(group, version, kind);
        assert_eq!(is_served_as_stored(&of), expected, "{group} {version} {kind}");
        assert_eq!(storage_api_version(&of), stored);
        let value = json!({"kind": "K", "metadata": {}});
        assert_eq!(matches!(served(&of, &value), Cow::Borrowed(_)), expected);
    }
}

#[test]
fn events_have_other_names_in_their_own_group() {
    let (old, new) = (resource("", "v1", "Event"), resource("events.k8s.io", "v1", "Event"));
    let stored = json!({
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "a"}, "reason": "R",
        "involvedObject": {"name": "x"}, "message": "m", "source": {"component": "c"},
        "firstTimestamp": null, "lastTimestamp": null, "count": 2, "reportingComponent": "r",
        "reportingInstance": "",
    });
    let shown = json!({
        "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "a"},
        "reason": "R", "regarding": {"name": "x"}, "note": "m",
        "deprecatedSource": {"component": "c"}, "deprecatedFirstTimestamp": null,
        "deprecatedLastTimestamp": null, "deprecatedCount": 2, "reportingController": "r",
    });
    assert_eq!(between(&old, &new, &stored), shown);
    let mut back = stored.clone();
    back.as_object_mut().map(|members| members.remove("reportingInstance"));
    assert_eq!(between(&new, &old, &shown), back);
    assert_eq!(between(&new, &new, &shown), shown);
    assert_eq!(*printed(&new, &stored), shown);
}

#[test]
fn what_is_written_obeys_the_rules_of_the_version_that_is_stored() {
    let autoscaler = "HorizontalPodAutoscaler";
    for (group, version, kind, is_settled, stored) in [
        ("", "v1", "Pod", false, None),
        ("events.k8s.io", "v1", "Event", false, None),
        ("autoscaling", "v1", autoscaler, true, Some("autoscaling/v2")),
        ("autoscaling", "v2", autoscaler, true, None),
    ] {
        let of = resource(group, version, kind);
        let call = own_call(Method::PUT, Arc::clone(&of), "a", "x");
        let object = json!({"apiVersion": of.api_version(), "kind": kind,
            "metadata": {"name": "x"}, "spec": {"maxReplicas": 2}});
        let settled = settled(&of, &object).map(|settled| settled["apiVersion"].clone());
        assert_eq!(settled, is_settled.then(|| json!(of.api_version())), "{group} {version}");
        let (at, object) = at_storage(&call, object);
        let own = of.api_version();
        assert_eq!(matches!(at, Cow::Owned(_)), stored.is_some(), "{group} {version}");
        assert_eq!(
            (at.resource.api_version(), &*at.name),
            (stored.unwrap_or(&own).to_owned(), "x")
        );
        assert_eq!(object["apiVersion"], stored.unwrap_or(&own), "{group} {version}");
    }
}

#[test]
fn what_is_stored_is_shown_under_the_kind_and_version_that_is_asked_for() {
    let pods = resource("", "v1", "Pod");
    for (kind, version) in [("Pod", "v1"), ("Pod", "v0"), ("X", "v1"), ("X", "v0")] {
        let object = json!({"apiVersion": version, "kind": kind, "metadata": {"name": "x"}});
        let stored = Stored::new(key("a", "x"), 7, object);
        let shown = live(&pods, &stored);
        let names = (&shown["apiVersion"], &shown["kind"]);
        assert_eq!(names, (&json!("v1"), &json!("Pod")), "{kind} {version}");
        assert_eq!(shown["metadata"], json!({"name": "x", "resourceVersion": "7"}));
    }
}

/// Printers know the stored version of an autoscaler, and the served one of an event.
#[test]
fn cells_are_made_of_what_printers_know() {
    let object = json!({"spec": {"metrics": []}});
    for (group, version, kind, is_stored) in [
        ("autoscaling", "v1", "HorizontalPodAutoscaler", true),
        ("autoscaling", "v2", "HorizontalPodAutoscaler", true),
        ("", "v1", "Event", true),
        ("events.k8s.io", "v1", "Event", false),
    ] {
        let of = resource(group, version, kind);
        let printed = matches!(printed(&of, &object), Cow::Borrowed(_));
        assert_eq!(printed, is_stored, "{group} {version}");
    }
}
