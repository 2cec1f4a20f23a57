//! Which objects a quota is about (`podMatchesScopeFunc` and `pvcMatchesScopeFunc` in `pkg/quota/v1/evaluator/core`).

use serde_json::{Value, json};

use crate::registry::pods::qos_class;
use crate::resource::Resource;
use crate::storage::selector::Labels;

/// Whether a quota is about an object. One with scopes is about what is in all of them: of nothing but pods and claims
/// can anything be.
pub(super) fn selects(quota: &Value, resource: &Resource, object: &Value) -> bool {
    let plain = quota["spec"]["scopes"].as_array().into_iter().flatten();
    let plain = plain.map(|scope| json!({"scopeName": scope, "operator": "Exists"}));
    let chosen = quota["spec"]["scopeSelector"]["matchExpressions"].as_array();
    let mut scopes = plain.chain(chosen.into_iter().flatten().cloned());
    if resource.is("", "pods") {
        scopes.all(|scope| has_pod(&scope, object))
    } else if resource.is("", "persistentvolumeclaims") {
        scopes.all(|scope| has_claim(&scope, object))
    } else {
        scopes.next().is_none()
    }
}

fn has_pod(scope: &Value, pod: &Value) -> bool {
    let spec = &pod["spec"];
    let ends = spec["activeDeadlineSeconds"].as_i64().is_some_and(|seconds| seconds >= 0);
    match scope["scopeName"].as_str() {
        Some("Terminating") => ends,
        Some("NotTerminating") => !ends,
        Some("BestEffort") => qos_class(spec) == "BestEffort",
        Some("NotBestEffort") => qos_class(spec) != "BestEffort",
        Some("PriorityClass") => chooses(scope, &[&spec["priorityClassName"]]),
        Some("CrossNamespacePodAffinity") => looks_elsewhere(&spec["affinity"]),
        _ => false,
    }
}

/// The classes of a claim are the one that it asks for, the one that it has, and the one that it is about to get.
fn has_claim(scope: &Value, claim: &Value) -> bool {
    let (spec, status) = (&claim["spec"], &claim["status"]);
    let classes = [
        &spec["volumeAttributesClassName"],
        &status["currentVolumeAttributesClassName"],
        &status["modifyVolumeStatus"]["targetVolumeAttributesClassName"],
    ];
    scope["scopeName"] == "VolumeAttributesClass" && chooses(scope, &classes)
}

/// Whether a scope is about what has one of these names, or none.
fn chooses(scope: &Value, names: &[&Value]) -> bool {
    let mut expression = scope.clone();
    expression["key"] = "name".into();
    let selector = Labels::of_selector(&json!({"matchExpressions": [expression]}));
    let Ok(selector) = selector else { return false };
    let named = |name: &&str| !name.is_empty();
    let names: Vec<&str> = names.iter().filter_map(|name| name.as_str()).filter(named).collect();
    match names.is_empty() {
        true => selector.matches(Some(&json!({}))),
        false => names.iter().any(|name| selector.matches(Some(&json!({"name": name})))),
    }
}

/// Whether a pod wants to be near pods of other namespaces, or far from them.
fn looks_elsewhere(affinity: &Value) -> bool {
    let is_elsewhere = |term: &Value| {
        let names = term["namespaces"].as_array();
        names.is_some_and(|names| !names.is_empty()) || !term["namespaceSelector"].is_null()
    };
    ["podAffinity", "podAntiAffinity"].iter().any(|of| {
        let terms = |name: &str| affinity[of][name].as_array().into_iter().flatten();
        terms("requiredDuringSchedulingIgnoredDuringExecution").any(is_elsewhere)
            || terms("preferredDuringSchedulingIgnoredDuringExecution")
                .any(|weighted| is_elsewhere(&weighted["podAffinityTerm"]))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::selects;
    use crate::registry;

    fn quota(scopes: &[&str]) -> Value {
        json!({"spec": {"scopes": scopes}})
    }

    #[test]
    fn a_quota_with_scopes_is_about_the_pods_in_all_of_them() {
        let pods = registry::builtin("", "v1", "Pod").expect("pods");
        let ends = json!({"spec": {"activeDeadlineSeconds": 0}});
        let asks = json!({"spec": {"containers": [{"resources": {"limits": {"cpu": "1"}}}]}});
        for (scopes, of_ends, of_asks) in [
            (&["Terminating"][..], true, false),
            (&["NotTerminating"], false, true),
            (&["BestEffort"], true, false),
            (&["NotBestEffort"], false, true),
            (&["Terminating", "BestEffort"], true, false),
            (&["Terminating", "NotBestEffort"], false, false),
            (&["PriorityClass"], false, false),
            (&["CrossNamespacePodAffinity"], false, false),
            (&["VolumeAttributesClass"], false, false),
            (&["Unheard"], false, false),
            (&[], true, true),
        ] {
            let found = [&ends, &asks].map(|pod| selects(&quota(scopes), &pods, pod));
            assert_eq!(found, [of_ends, of_asks], "{scopes:?}");
        }
        let maps = registry::builtin("", "v1", "ConfigMap").expect("config maps");
        assert!(!selects(&quota(&["NotTerminating"]), &maps, &json!({})));
        assert!(selects(&quota(&[]), &maps, &json!({})));
    }

    /// What is neither a processor nor memory makes no pod better than the best effort.
    #[test]
    fn a_pod_that_asks_for_disks_alone_is_of_the_best_effort() {
        let pods = registry::builtin("", "v1", "Pod").expect("pods");
        let disk = json!({"requests": {"ephemeral-storage": "1Gi", "cpu": "0"}});
        let pod = json!({"spec": {"containers": [{"resources": disk}]}});
        assert!(selects(&quota(&["BestEffort"]), &pods, &pod));
    }

    fn chosen(of: &str, scope: &str, operator: &str, values: Value, object: &Value) -> bool {
        let resource = registry::builtin("", "v1", of).expect("a kind");
        let chosen = json!({"scopeName": scope, "operator": operator, "values": values});
        let quota = json!({"spec": {"scopeSelector": {"matchExpressions": [chosen]}}});
        selects(&quota, &resource, object)
    }

    #[test]
    fn a_quota_may_choose_classes_of_pods() {
        let chosen = |operator: &str, values: Value, class: &str| {
            let pod = json!({"spec": {"priorityClassName": class}});
            chosen("Pod", "PriorityClass", operator, values, &pod)
        };
        assert!(chosen("In", json!(["high"]), "high") && !chosen("In", json!(["high"]), "low"));
        assert!(
            !chosen("NotIn", json!(["high"]), "high") && chosen("NotIn", json!(["high"]), "low")
        );
        assert!(chosen("Exists", json!([]), "low") && !chosen("Exists", json!([]), ""));
        assert!(!chosen("DoesNotExist", json!([]), "low") && chosen("DoesNotExist", json!([]), ""));
    }

    #[test]
    fn a_quota_may_choose_classes_of_claims() {
        let chosen = |operator: &str, values: Value, claim: &Value| {
            chosen("PersistentVolumeClaim", "VolumeAttributesClass", operator, values, claim)
        };
        let (plain, gold) = (json!({}), json!({"spec": {"volumeAttributesClassName": "gold"}}));
        let moves = json!({
            "spec": {"volumeAttributesClassName": "gold"},
            "status": {
                "currentVolumeAttributesClassName": "silver",
                "modifyVolumeStatus": {"targetVolumeAttributesClassName": "iron"},
            },
        });
        for (operator, values, expected) in [
            ("Exists", json!([]), [false, true, true]),
            ("DoesNotExist", json!([]), [true, false, false]),
            ("In", json!(["gold"]), [false, true, true]),
            ("In", json!(["silver"]), [false, false, true]),
            ("In", json!(["iron"]), [false, false, true]),
            ("NotIn", json!(["gold"]), [true, false, true]),
        ] {
            let found =
                [&plain, &gold, &moves].map(|claim| chosen(operator, values.clone(), claim));
            assert_eq!(found, expected, "{operator} {values}");
        }
        let claims = registry::builtin("", "v1", "PersistentVolumeClaim").expect("claims");
        assert!(!selects(&quota(&["BestEffort"]), &claims, &gold));
        assert!(selects(&quota(&[]), &claims, &plain));
    }

    #[test]
    fn a_quota_may_be_about_pods_that_look_into_other_namespaces() {
        let pods = registry::builtin("", "v1", "Pod").expect("pods");
        let looks = |affinity: Value| {
            let pod = json!({"spec": {"affinity": affinity}});
            selects(&quota(&["CrossNamespacePodAffinity"]), &pods, &pod)
        };
        let required =
            |term: Value| json!({"requiredDuringSchedulingIgnoredDuringExecution": [{}, term]});
        let preferred = |term: Value| json!({"preferredDuringSchedulingIgnoredDuringExecution": [{"podAffinityTerm": term}]});
        assert!(looks(json!({"podAffinity": required(json!({"namespaces": ["other"]}))})));
        assert!(looks(json!({"podAntiAffinity": preferred(json!({"namespaceSelector": {}}))})));
        assert!(!looks(json!({"podAffinity": required(json!({"namespaces": []}))})));
        assert!(!looks(json!({"nodeAffinity": required(json!({"namespaceSelector": {}}))})));
    }
}
