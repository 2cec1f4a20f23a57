//! Addresses that are right and stand in a form that is not the one of RFC 5952.

use std::net::Ipv6Addr;

use serde_json::Value;
use watchkeeper_schema::error::{child, item};

use super::items;
use crate::error::quoted;

/// Those that a status tells: of load balancers their items are named, of pods the addresses in them.
pub(super) fn of_status(kind: &str, new: &Value) -> Vec<String> {
    let status = &new["status"];
    let lists = match kind {
        "Pod" => vec![("podIPs", &status["podIPs"], ".ip"), ("hostIPs", &status["hostIPs"], ".ip")],
        "Ingress" | "Service" => {
            vec![("loadBalancer.ingress", &status["loadBalancer"]["ingress"], "")]
        }
        _ => Vec::new(),
    };
    let each = lists.into_iter().flat_map(|(name, list, member)| {
        let path = format!("status.{name}");
        let told = move |(index, of): (usize, &Value)| {
            let address = of["ip"].as_str().unwrap_or_default();
            address_of(&format!("{}{member}", item(&path, index)), address)
        };
        items(list).iter().enumerate().filter_map(told)
    });
    each.collect()
}

/// Those that a Service asks for, by the name of the list.
pub(super) fn listed(spec: &Value, path: &str, list: &str) -> Vec<String> {
    let path = child(path, list);
    let told = |(index, address): (usize, &Value)| {
        address_of(&item(&path, index), address.as_str().unwrap_or_default())
    };
    items(&spec[list]).iter().enumerate().filter_map(told).collect()
}

/// Those by which a pod looks up names.
pub(super) fn of_pod(spec: &Value, path: &str, warnings: &mut Vec<String>) {
    warnings.extend(listed(&spec["dnsConfig"], &child(path, "dnsConfig"), "nameservers"));
    let path = child(path, "hostAliases");
    let told = |(index, alias): (usize, &Value)| {
        let place = child(&item(&path, index), "ip");
        address_of(&place, alias["ip"].as_str().unwrap_or_default())
    };
    warnings.extend(items(&spec["hostAliases"]).iter().enumerate().filter_map(told));
}

pub(super) fn address_of(path: &str, text: &str) -> Option<String> {
    let canonical = text.parse::<Ipv6Addr>().ok()?.to_string();
    let what = "should be in RFC 5952 canonical format";
    let told = || format!("{path}: IPv6 address {} {what} ({})", quoted(text), quoted(&canonical));
    (canonical != text).then(told)
}
