//! Where nodes, pods and services are reached (`ResourceLocation` of
//! `kubernetes/pkg/registry/core/{node,pod,service}`).

#[cfg(test)]
mod tests;

use std::net::IpAddr;
use std::sync::Arc;

use serde_json::Value;

use super::Forward;
use super::proxy::Behind;
use crate::error::{ApiError, Result, quoted};
use crate::request::Call;
use crate::resource::Resource;
use crate::storage::{Stored, key};
use crate::turn::Turn;

/// What is behind an object.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) to: Behind,
    /// Host and port.
    pub(super) address: String,
}

/// The port of kubelets that tell none.
const KUBELET: u64 = 10_250;
/// The kinds of addresses of nodes, the best first (`--kubelet-preferred-address-types`).
const PREFERRED: [&str; 5] = ["Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP"];

/// A name in a path: `name`, `name:port` or `scheme:name:port` (`SplitSchemeNamePort`).
#[derive(Debug, PartialEq, Eq)]
struct Named<'a> {
    scheme: &'a str,
    name: &'a str,
    port: &'a str,
}

impl<'a> Named<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let parts: Vec<&str> = text.split(':').collect();
        let (scheme, name, port) = match parts[..] {
            [name] => ("", name, ""),
            [name, port] => ("", name, port),
            [scheme, name, port] => (scheme, name, port),
            _ => return None,
        };
        let is_one = !name.is_empty() && ["", "http", "https"].contains(&scheme);
        is_one.then_some(Self { scheme, name, port })
    }
}

/// The place that a request for a proxy is about.
///
/// # Errors
///
/// 400 for a name that is none and for addresses that nobody is led to, 404 for objects that are not there, 503 where
/// nothing is behind them.
pub(super) fn find(turn: &Turn<'_>, call: &Call) -> Result<Place> {
    let resource = &call.resource;
    let Some(named) = Named::read(&call.name) else {
        let why = format!("invalid {} request {}", resource.singular, quoted(&call.name));
        return Err(ApiError::bad_request(why));
    };
    match &*resource.plural {
        "nodes" => of_node(&existing(turn, resource, named.name)?.value(), &named),
        "pods" => {
            of_pod(&existing(turn, resource, &key(&call.namespace, named.name))?.value(), &named)
        }
        _ => of_service(turn, call, &named),
    }
}

/// The object of a key, which is not found by its name.
fn existing(turn: &Turn<'_>, resource: &Resource, key: &str) -> Result<Arc<Stored>> {
    let stored = turn.core.store.get(&resource.table, key).cloned();
    let name = key.rsplit('/').next().unwrap_or_default();
    stored.ok_or_else(|| ApiError::not_found(resource, name))
}

fn of_node(node: &Value, named: &Named<'_>) -> Result<Place> {
    let addresses = node["status"]["addresses"].as_array().map_or(&[][..], Vec::as_slice);
    let mut preferred = PREFERRED
        .iter()
        .filter_map(|wanted| addresses.iter().find(|address| address["type"] == **wanted));
    let Some(host) = preferred.next().and_then(|address| address["address"].as_str()) else {
        let why = "no preferred addresses found; known addresses: []";
        return Err(ApiError::new(500, "", why));
    };
    // Names are not looked up: nothing here is reached by its address.
    check_reachable(host)?;
    let own = node["status"]["daemonEndpoints"]["kubeletEndpoint"]["Port"].as_u64();
    let own = own.filter(|port| *port > 0).unwrap_or(KUBELET).to_string();
    let port = if named.port.is_empty() { &own } else { named.port };
    Ok(Place { to: Behind::Node(named.name.to_owned()), address: joined(host, port) })
}

fn of_pod(pod: &Value, named: &Named<'_>) -> Result<Place> {
    let ports = pod["spec"]["containers"].as_array().into_iter().flatten();
    let first =
        ports.filter_map(|container| container["ports"][0]["containerPort"].as_u64()).next();
    let first = first.map(|port| port.to_string()).unwrap_or_default();
    let port = if named.port.is_empty() { &first } else { named.port };
    let ip = pod["status"]["podIPs"][0]["ip"].as_str().unwrap_or_default();
    if ip.parse::<IpAddr>().is_err() {
        return Err(ApiError::bad_request(NOT_ALLOWED));
    }
    check_reachable(ip)?;
    let port = match port {
        "" if named.scheme == "https" => "443",
        "" => "80",
        port => port,
    };
    to_pod((text(pod, "namespace"), text(pod, "name")), (ip, port), named)
}

/// The first of the endpoints that are pods; upstream takes any.
fn of_service(turn: &Turn<'_>, call: &Call, named: &Named<'_>) -> Result<Place> {
    let unavailable = |why: String| ApiError::new(503, "ServiceUnavailable", why);
    let at = key(&call.namespace, named.name);
    let mut wanted = named.port.to_owned();
    if let Ok(number) = wanted.parse::<i64>() {
        let service = existing(turn, &call.resource, &at)?.value();
        let mut ports = service["spec"]["ports"].as_array().into_iter().flatten();
        let Some(port) = ports.find(|port| port["port"].as_i64() == Some(number)) else {
            let name = quoted(named.name);
            return Err(unavailable(format!("no service port {number} found for service {name}")));
        };
        port["name"].as_str().unwrap_or_default().clone_into(&mut wanted);
    }
    let Some(endpoints) = turn.core.registry.find("", "v1", "endpoints") else {
        return Err(ApiError::no_path());
    };
    // That they are not there is told of the service.
    let Some(endpoints) = turn.core.store.get(&endpoints.table, &at) else {
        return Err(ApiError::not_found(&call.resource, named.name));
    };
    let endpoints = endpoints.value();
    let subsets = endpoints["subsets"].as_array().map_or(&[][..], Vec::as_slice);
    let none = |of: &str| unavailable(format!("no endpoints available for service {}", quoted(of)));
    if subsets.is_empty() {
        return Err(none(named.name));
    }
    for subset in subsets {
        let mut ports = subset["ports"].as_array().into_iter().flatten();
        let port = ports.find(|port| port["name"].as_str().unwrap_or_default() == wanted);
        let Some(port) = port.and_then(|port| port["port"].as_u64()) else { continue };
        let mut addresses = subset["addresses"].as_array().into_iter().flatten();
        if let Some((pod, ip)) = addresses.find_map(|address| pod_of(turn, call, address)) {
            return to_pod((&call.namespace, pod), (ip, &port.to_string()), named);
        }
    }
    Err(none(&call.name))
}

/// The pod that an address is of, and its address, if it is there.
fn pod_of<'a>(turn: &Turn<'_>, call: &Call, address: &'a Value) -> Option<(&'a str, &'a str)> {
    let target = &address["targetRef"];
    let (name, ip) = (target["name"].as_str()?, address["ip"].as_str()?);
    if target["namespace"].as_str() != Some(&*call.namespace) {
        return None;
    }
    let pod = turn.core.store.get("pods", &key(&call.namespace, name))?.value();
    let mut own = pod["status"]["podIPs"].as_array()?.iter();
    own.any(|own| own["ip"] == ip).then_some((name, ip))
}

fn to_pod(
    (namespace, pod): (&str, &str),
    (ip, port): (&str, &str),
    named: &Named<'_>,
) -> Result<Place> {
    let address = joined(ip, port);
    let unreached = |why: &str| {
        let why = format!("error trying to reach service: {why}");
        ApiError::new(503, "ServiceUnavailable", why)
    };
    if named.scheme == "https" {
        return Err(unreached(&format!(
            "{address}: TLS is not spoken with pods here, ask for http"
        )));
    }
    let Ok(port) = port.parse() else {
        return Err(unreached(&format!("dial tcp: lookup tcp/{port}: unknown port")));
    };
    let (namespace, pod) = (namespace.to_owned(), pod.to_owned());
    Ok(Place { to: Behind::Pod(Forward { namespace, pod, port }), address })
}

const NOT_ALLOWED: &str = "address not allowed";

/// Nobody is led to the server's own machine, or to whoever is near it.
fn check_reachable(host: &str) -> Result<()> {
    let is_reachable = match host.parse() {
        Ok(IpAddr::V4(ip)) => {
            !(ip.is_unspecified()
                || ip.is_loopback()
                || ip.is_multicast()
                || ip.is_link_local()
                || ip.is_broadcast())
        }
        Ok(IpAddr::V6(ip)) => {
            !(ip.is_unspecified()
                || ip.is_loopback()
                || ip.is_multicast()
                || ip.is_unicast_link_local())
        }
        Err(_) => host != "localhost",
    };
    if is_reachable { Ok(()) } else { Err(ApiError::bad_request(NOT_ALLOWED)) }
}

fn joined(host: &str, port: &str) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    crate::meta::text(object, name)
}
