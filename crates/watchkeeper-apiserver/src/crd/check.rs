//! What a definition must say before it is stored (apiextensions, `pkg/apis/apiextensions/validation`).

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::{Schema, structural};

use super::definition::versions;
use crate::error::{Cause, quoted};
use crate::meta;

/// Everything that is wrong with a definition.
#[must_use]
pub(crate) fn check(crd: &Value, old: Option<&Value>) -> Vec<Cause> {
    let mut causes = Vec::new();
    names(crd, &mut causes);
    if let Some(old) = old {
        immutable(crd, old, &mut causes);
    }
    if !matches!(crd["spec"]["scope"].as_str(), Some("Namespaced" | "Cluster")) {
        causes.push(Cause::required("spec.scope", "must be Namespaced or Cluster"));
    }
    storage(crd, &mut causes);
    for (index, version) in versions(crd).iter().enumerate() {
        schema(version, &format!("spec.versions[{index}]"), &mut causes);
    }
    causes
}

fn names(crd: &Value, causes: &mut Vec<Cause>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (group, plural) = (text(&crd["spec"]["group"]), text(&crd["spec"]["names"]["plural"]));
    let expected = format!("{plural}.{group}");
    if meta::name(crd) != expected {
        let detail = "must be spec.names.plural+\".\"+spec.group";
        causes.push(Cause::invalid("metadata.name", &meta::name(crd).into(), detail));
    }
    if group.split('.').count() < 2 {
        let detail = "should be a domain with at least one dot";
        causes.push(Cause::invalid("spec.group", &group.into(), detail));
    }
    for (field, value) in [
        ("spec.names.plural", &crd["spec"]["names"]["plural"]),
        ("spec.names.kind", &crd["spec"]["names"]["kind"]),
    ] {
        if value.as_str().is_none_or(str::is_empty) {
            causes.push(Cause::required(field, ""));
        }
    }
}

/// Group, scope and the names of kind and plural stay (for a definition that is established).
fn immutable(crd: &Value, old: &Value, causes: &mut Vec<Cause>) {
    if !super::definition::is_established(old) {
        return;
    }
    for (field, pointer) in [
        ("spec.scope", "/spec/scope"),
        ("spec.group", "/spec/group"),
        ("spec.names.kind", "/spec/names/kind"),
        ("spec.names.plural", "/spec/names/plural"),
    ] {
        let (new, before) = (crd.pointer(pointer), old.pointer(pointer));
        if new != before {
            let value = new.cloned().unwrap_or_default();
            causes.push(Cause::invalid(field, &value, "field is immutable"));
        }
    }
}

fn storage(crd: &Value, causes: &mut Vec<Cause>) {
    let versions = versions(crd);
    if versions.iter().filter(|version| version["storage"] == true).count() != 1 {
        let detail = "must have exactly one version marked as storage version";
        causes.push(Cause::invalid("spec.versions", &crd["spec"]["versions"], detail));
    }
    let mut seen = BTreeSet::new();
    for (index, version) in versions.iter().enumerate() {
        let name = version["name"].as_str().unwrap_or_default();
        if !seen.insert(name) {
            let field = format!("spec.versions[{index}].name");
            let message = format!("Duplicate value: {}", quoted(name));
            causes.push(Cause { reason: "FieldValueDuplicate".to_owned(), message, field });
        }
    }
}

/// V10.2: the schema is there and structural.
fn schema(version: &Value, place: &str, causes: &mut Vec<Cause>) {
    let path = format!("{place}.schema.openAPIV3Schema");
    let Some(written) = version.pointer("/schema/openAPIV3Schema") else {
        causes.push(Cause::required(path, "schemas are required"));
        return;
    };
    match Schema::from_crd_json(written) {
        Ok(schema) => causes.extend(structural::check(&schema, &path).into_iter().map(Cause::from)),
        Err(error) => {
            let field = format!("{path}{}", error.path());
            causes.push(Cause::invalid(field, &Value::Null, &error.to_string()));
        }
    }
}
