//! Of Services: parts that nobody looks at, and parts on their way out.

use serde_json::Value;

use super::items;

/// Whatever the Service was before.
pub(super) fn warnings(service: &Value) -> Vec<String> {
    let spec = &service["spec"];
    let text = |name: &str| spec[name].as_str().unwrap_or_default();
    let has_external_ips = !items(&spec["externalIPs"]).is_empty();
    let is_headless = text("type") == "ClusterIP" && text("clusterIP") == "None";
    let is_name = text("type") == "ExternalName";
    let mut warnings = Vec::new();
    let mut say = |is_so: bool, what: &str| {
        if is_so {
            warnings.push(what.to_owned());
        }
    };
    let hints = "service.kubernetes.io/topology-aware-hints";
    say(
        service["metadata"]["annotations"].get(hints).is_some(),
        "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use \
         service.kubernetes.io/topology-mode instead",
    );
    say(
        is_headless && !text("loadBalancerIP").is_empty(),
        "spec.loadBalancerIP is ignored for headless services",
    );
    say(is_headless && has_external_ips, "spec.externalIPs is ignored for headless services");
    say(
        is_headless && text("sessionAffinity") != "None",
        "spec.SessionAffinity is ignored for headless services",
    );
    say(
        has_external_ips && !is_headless && !is_name,
        "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    );
    say(
        has_external_ips && is_name,
        "spec.externalIPs is ignored when spec.type is \"ExternalName\"",
    );
    say(
        !is_name && !text("externalName").is_empty(),
        "spec.externalName is ignored when spec.type is not \"ExternalName\"",
    );
    say(
        text("trafficDistribution") == "PreferClose",
        "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"",
    );
    warnings
}
