//! Which families of addresses the cluster has: one, the older (`initIPFamilyFields` in
//! `pkg/registry/core/service/storage`).

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::item;

use crate::error::Cause;

/// What is wrong with the families that a Service asks for, with what it was before. Those that have no address of the
/// cluster ask for none.
pub(crate) fn check(service: &Value, old: Option<&Value>) -> Vec<Cause> {
    let spec = &service["spec"];
    let selects = spec["selector"].as_object().is_some_and(|selector| !selector.is_empty());
    // Nobody knows what answers behind a headless Service without a selector.
    let is_anywhere = spec["clusterIP"] == "None" && !selects;
    if spec["type"] == "ExternalName" || prefers_as_before(spec, old) {
        return Vec::new();
    }
    let mut causes = unknown(spec);
    if is_anywhere || !causes.is_empty() {
        return causes;
    }
    if spec["ipFamilyPolicy"] == "RequireDualStack" {
        let detail = "this cluster is not configured for dual-stack services";
        causes.push(Cause::invalid("spec.ipFamilyPolicy", &spec["ipFamilyPolicy"], detail));
    }
    for (index, family) in spec["ipFamilies"].as_array().into_iter().flatten().enumerate() {
        if family != "IPv4" {
            let field = format!("spec.ipFamilies[{index}]");
            causes.push(Cause::invalid(field, family, "not configured on this cluster"));
        }
    }
    causes
}

/// What is no family or policy at all, or there twice (`ValidateServiceClusterIPsRelatedFields`).
fn unknown(spec: &Value) -> Vec<Cause> {
    const FAMILIES: [&str; 2] = ["IPv4", "IPv6"];
    const POLICIES: [&str; 3] = ["PreferDualStack", "RequireDualStack", "SingleStack"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (mut errors, mut seen) = (Vec::new(), BTreeSet::new());
    for (index, family) in spec["ipFamilies"].as_array().into_iter().flatten().enumerate() {
        let (field, family) = (item("spec.ipFamilies", index), text(family));
        if !FAMILIES.contains(&&*family) {
            errors.push(FieldError::not_supported(&*field, &*family, FAMILIES));
        }
        if !seen.insert(family.clone()) {
            errors.push(FieldError::duplicate(field, family));
        }
    }
    let policy = text(&spec["ipFamilyPolicy"]);
    if !spec["ipFamilyPolicy"].is_null() && !POLICIES.contains(&&*policy) {
        errors.push(FieldError::not_supported("spec.ipFamilyPolicy", policy, POLICIES));
    }
    errors.into_iter().map(Cause::from).collect()
}

/// A Service that would rather have both stays as it is when the cluster changes.
fn prefers_as_before(spec: &Value, old: Option<&Value>) -> bool {
    let is_same = |name: &&str| old.is_some_and(|old| old["spec"][*name] == spec[*name]);
    spec["ipFamilyPolicy"] == "PreferDualStack"
        && ["ipFamilyPolicy", "ipFamilies", "clusterIPs"].iter().all(is_same)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(spec: &Value, old: Option<&Value>) -> Vec<String> {
        let old = old.map(|spec| json!({"spec": spec}));
        let causes = check(&json!({"spec": spec}), old.as_ref());
        causes.into_iter().map(|cause| cause.field).collect()
    }

    #[test]
    fn there_is_one_family() {
        let both = json!({"ipFamilyPolicy": "RequireDualStack", "ipFamilies": ["IPv4", "IPv6"]});
        assert_eq!(fields(&both, None), ["spec.ipFamilyPolicy", "spec.ipFamilies[1]"]);
        let mut anywhere = both;
        anywhere["clusterIP"] = "None".into();
        assert!(fields(&anywhere, None).is_empty());
        anywhere["selector"] = json!({"app": "a"});
        assert_eq!(fields(&anywhere, None).len(), 2);
        let rather = json!({"ipFamilyPolicy": "PreferDualStack", "ipFamilies": ["IPv6"]});
        assert_eq!(fields(&rather, None), ["spec.ipFamilies[0]"]);
        assert!(fields(&rather, Some(&rather)).is_empty());
    }

    #[test]
    fn what_is_no_family_or_policy_is_told_first() {
        let unknown = json!({"ipFamilyPolicy": "Both", "ipFamilies": ["IPv6", "IPv7", "IPv6"]});
        let expected = ["spec.ipFamilies[1]", "spec.ipFamilies[2]", "spec.ipFamilyPolicy"];
        assert_eq!(fields(&unknown, None), expected);
    }
}
