//! Of Services: parts that nobody looks at, and parts on their way out.

use serde_json::Value;

use super::{addresses, items};

/// Whatever the Service was before.
pub(super) fn warnings(service: &Value) -> Vec<String> {
    let spec = &service["spec"];
    let text = |name: &str| spec[name].as_str().unwrap_or_default();
    let has_external_ips = !items(&spec["externalIPs"]).is_empty();
    let is_headless = text("type") == "ClusterIP" && text("clusterIP") == "None";
    let is_name = text("type") == "ExternalName";
    let hints = "service.kubernetes.io/topology-aware-hints";
    let of_list = |list: &str| addresses::listed(spec, "spec", list);
    let mut warnings = if_so([(
        service["metadata"]["annotations"].get(hints).is_some(),
        "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use \
         service.kubernetes.io/topology-mode instead",
    )]);
    warnings.extend(of_list("clusterIPs"));
    warnings.extend(if_so([
        (
            is_headless && !text("loadBalancerIP").is_empty(),
            "spec.loadBalancerIP is ignored for headless services",
        ),
        (is_headless && has_external_ips, "spec.externalIPs is ignored for headless services"),
        (
            is_headless && text("sessionAffinity") != "None",
            "spec.SessionAffinity is ignored for headless services",
        ),
    ]));
    warnings.extend(of_list("externalIPs"));
    warnings.extend(if_so([(
        has_external_ips && !is_headless && !is_name,
        "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    )]));
    warnings.extend(addresses::address_of("spec.loadBalancerIP", text("loadBalancerIP")));
    warnings.extend(if_so([
        (
            has_external_ips && is_name,
            "spec.externalIPs is ignored when spec.type is \"ExternalName\"",
        ),
        (
            !is_name && !text("externalName").is_empty(),
            "spec.externalName is ignored when spec.type is not \"ExternalName\"",
        ),
        (
            text("trafficDistribution") == "PreferClose",
            "spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"",
        ),
    ]));
    warnings
}

/// The sentences of what is so.
fn if_so<const COUNT: usize>(sentences: [(bool, &str); COUNT]) -> Vec<String> {
    let so = sentences.into_iter().filter(|(is_so, _)| *is_so);
    so.map(|(_, sentence)| sentence.to_owned()).collect()
}
