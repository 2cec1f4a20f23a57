//! Which families of addresses the cluster has: one, the older (`initIPFamilyFields` in
//! `pkg/registry/core/service/storage`).

use serde_json::Value;
use watchkeeper_schema::error::item;

use crate::error::Cause;
use crate::kind_validation::service::{is_new, related};

/// What is wrong with the families that a Service asks for, with what it was before. Those that have no address of the
/// cluster ask for none.
pub(crate) fn check(service: &Value, old: Option<&Value>) -> Vec<Cause> {
    let spec = &service["spec"];
    if spec["type"] == "ExternalName" || prefers_as_before(spec, old) {
        return Vec::new();
    }
    let wrong = related(service, old);
    if !wrong.is_empty() {
        return wrong.into_iter().map(Cause::from).collect();
    }
    let selects = spec["selector"].as_object().is_some_and(|selector| !selector.is_empty());
    // Nobody knows what answers behind a headless Service without a selector.
    let is_anywhere = spec["clusterIP"] == "None" && !selects;
    let causes = more_than_one(spec, is_anywhere);
    if is_anywhere || !causes.is_empty() {
        return causes;
    }
    missing(spec)
}

/// Two addresses or families where one is wanted, and addresses of a family that the cluster does not have. Who says
/// nothing wants one, but for a Service that may be anywhere.
fn more_than_one(spec: &Value, is_anywhere: bool) -> Vec<Cause> {
    let mut causes = Vec::new();
    let list = |name: &str| spec[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let (addresses, families) = (list("clusterIPs"), list("ipFamilies"));
    let is_single = match spec["ipFamilyPolicy"].as_str() {
        Some(policy) => policy == "SingleStack",
        None => !is_anywhere,
    };
    for (list, what) in [(addresses, "cluster IPs"), (families, "IP families")] {
        if is_single && list.len() == 2 {
            let detail = format!(
                "must be 'RequireDualStack' or 'PreferDualStack' when multiple {what} are specified"
            );
            causes.push(Cause::invalid("spec.ipFamilyPolicy", &"SingleStack".into(), &detail));
        }
    }
    for (index, address) in addresses.iter().enumerate().skip(families.len()) {
        if address.as_str().is_some_and(is_new) {
            let field = item("spec.clusterIPs", index);
            let detail = "IPv6 is not configured on this cluster";
            causes.push(Cause::invalid(field, &spec["clusterIPs"], detail));
        }
    }
    causes
}

/// What is asked for that the cluster does not have.
fn missing(spec: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    if spec["ipFamilyPolicy"] == "RequireDualStack" {
        let detail = "this cluster is not configured for dual-stack services";
        causes.push(Cause::invalid("spec.ipFamilyPolicy", &spec["ipFamilyPolicy"], detail));
    }
    for (index, family) in spec["ipFamilies"].as_array().into_iter().flatten().enumerate() {
        if family != "IPv4" {
            let field = item("spec.ipFamilies", index);
            causes.push(Cause::invalid(field, family, "not configured on this cluster"));
        }
    }
    causes
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
        anywhere["clusterIPs"] = json!(["None"]);
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

    #[test]
    fn addresses_and_families_fit_one_another() {
        let told = |spec: &Value| -> Vec<String> {
            let causes = check(&json!({"spec": spec}), None);
            causes.into_iter().map(|cause| format!("{}: {}", cause.field, cause.message)).collect()
        };
        let one = |address: &str| json!({"clusterIP": address, "clusterIPs": [address]});
        assert!(told(&one("10.96.0.5")).is_empty());
        let mut lines = Vec::new();
        for spec in [
            json!({"clusterIPs": ["10.96.0.5"]}),
            json!({"clusterIP": "10.96.0.6", "clusterIPs": ["10.96.0.5"]}),
            json!({"clusterIP": "None", "clusterIPs": ["None", "10.96.0.5"]}),
            json!({"clusterIP": "10.96.0.5", "clusterIPs": ["10.96.0.5", "10.96.0.6"]}),
            json!({"clusterIP": "fd00::1", "clusterIPs": ["fd00::1"], "ipFamilies": ["IPv4"]}),
            one("fd00::1"),
            one("010.96.0.5"),
            json!({"clusterIP": "10.96.0.5", "clusterIPs": ["10.96.0.5", "fd00::1"]}),
            json!({"ipFamilyPolicy": "PreferDualStack", "clusterIP": "10.96.0.5", "clusterIPs": ["10.96.0.5", "fd00::1"]}),
            json!({"ipFamilies": ["IPv6", "IPv4"]}),
        ] {
            lines.extend(told(&spec));
        }
        expect_test::expect![[r#"
            spec.clusterIPs: Invalid value: ["10.96.0.5"]: must be empty when `clusterIP` is not specified
            spec.clusterIPs: Invalid value: ["10.96.0.5"]: first value must match `clusterIP`
            spec.clusterIPs: Invalid value: ["None","10.96.0.5"]: 'None' must be the first and only value
            spec.clusterIPs: Invalid value: ["10.96.0.5","10.96.0.6"]: may specify no more than one IP for each IP family
            spec.clusterIPs[0]: Invalid value: "fd00::1": expected an IPv4 value as indicated by `ipFamilies[0]`
            spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster
            spec.clusterIPs[0]: Invalid value: "010.96.0.5": must not have leading 0s
            spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified
            spec.clusterIPs[1]: Invalid value: ["10.96.0.5","fd00::1"]: IPv6 is not configured on this cluster
            spec.clusterIPs[1]: Invalid value: ["10.96.0.5","fd00::1"]: IPv6 is not configured on this cluster
            spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified"#]]
        .assert_eq(&lines.join("\n"));
    }
}
