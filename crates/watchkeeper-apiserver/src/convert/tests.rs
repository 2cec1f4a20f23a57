//! Which kinds are served in several shapes.

use std::collections::BTreeMap;

use watchkeeper_schema::builtin::facts;

use serde_json::json;

use crate::registry::{Registry, builtin};

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
