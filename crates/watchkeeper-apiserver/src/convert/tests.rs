//! Which kinds are served in several shapes.

use std::collections::BTreeMap;

use watchkeeper_schema::builtin::facts;

use crate::registry::Registry;

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
