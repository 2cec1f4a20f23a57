//! Cluster IPs and node ports of Services: the server gives them out itself.
//!
//! Addresses come from the range of the settings and ports from 30000–32767, lowest free number first from a
//! place that the seed decides. What is taken is read from the stored Services, so there is no
//! second book to keep.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::error::{ApiError, Cause};
use crate::request::Call;
use crate::turn::Turn;

/// The first node port and how many there are.
const FIRST_PORT: u32 = 30_000;
const PORTS: u32 = 2768;

/// Gives a new Service what it needs.
///
/// # Errors
///
/// 422 for an address or port that is taken or not in the range.
pub(crate) fn create(turn: &mut Turn<'_>, call: &Call, value: &mut Value) -> Result<(), ApiError> {
    if call.resource.is("", "services") { service(turn, call, value) } else { Ok(()) }
}

/// Keeps what a Service has and adds what it needs now.
///
/// # Errors
///
/// 422 for an address or port that is taken or not in the range, or an address that changed.
pub(crate) fn update(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    old: &Value,
) -> Result<(), ApiError> {
    if !call.resource.is("", "services") || !call.subresource.is_empty() {
        return Ok(());
    }
    let before = old["spec"]["clusterIP"].as_str().unwrap_or_default();
    let stays = needs_address(value) && needs_address(old);
    if stays && value["spec"]["clusterIP"].as_str().unwrap_or_default().is_empty() {
        value["spec"]["clusterIP"] = before.into();
        value["spec"]["clusterIPs"] = old["spec"]["clusterIPs"].clone();
    } else if stays && value["spec"]["clusterIP"] != before {
        let field = "spec.clusterIPs[0]";
        let detail = "may not change once set";
        return Err(refuse(
            call,
            &call.name,
            Cause::invalid(field, &json!([value["spec"]["clusterIP"]]), detail),
        ));
    }
    leave_type(value, old);
    keep_ports(value, old);
    service(turn, call, value)
}

/// What belonged to the type that a Service had, and was not touched, goes with that type.
fn leave_type(value: &mut Value, old: &Value) {
    let (before, now) = (old["spec"]["type"].clone(), value["spec"]["type"].clone());
    if before == now {
        return;
    }
    let numbers = |service: &Value| -> Vec<Value> {
        let ports = service["spec"]["ports"].as_array();
        ports.into_iter().flatten().map(|port| port["nodePort"].clone()).collect()
    };
    if needs_ports(old) && !needs_ports(value) && numbers(value) == numbers(old) {
        for port in value["spec"]["ports"].as_array_mut().into_iter().flatten() {
            port.as_object_mut().map(|port| port.remove("nodePort"));
        }
    }
    let external = |service: &Value| {
        matches!(service["spec"]["type"].as_str(), Some("NodePort" | "LoadBalancer"))
    };
    let mut gone = Vec::new();
    if external(old) && !external(value) {
        gone.extend(["externalTrafficPolicy", "healthCheckNodePort"]);
    }
    if before == "LoadBalancer" {
        gone.extend(["allocateLoadBalancerNodePorts", "loadBalancerClass"]);
    }
    if now == "ExternalName" {
        let families = ["ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"];
        gone.extend(families);
        gone.extend(["clusterIP", "clusterIPs"]);
    }
    let Some(spec) = value["spec"].as_object_mut() else { return };
    for name in gone {
        if spec.get(name) == old["spec"].get(name) {
            spec.remove(name);
        }
    }
}

/// Nothing is kept beside the Services, so nothing is given back.
pub(crate) fn release(_turn: &mut Turn<'_>, _call: &Call, _value: &Value) {}

fn needs_address(service: &Value) -> bool {
    service["spec"]["type"] != "ExternalName"
}

fn needs_ports(service: &Value) -> bool {
    match service["spec"]["type"].as_str() {
        Some("NodePort") => true,
        Some("LoadBalancer") => service["spec"]["allocateLoadBalancerNodePorts"] != false,
        _ => false,
    }
}

fn service(turn: &mut Turn<'_>, call: &Call, value: &mut Value) -> Result<(), ApiError> {
    if !value["spec"].is_object() {
        return Ok(());
    }
    let name = crate::meta::name(value).to_owned();
    if needs_address(value) {
        address(turn, call, value, &name)?;
    } else if let Some(spec) = value["spec"].as_object_mut() {
        spec.remove("clusterIP");
        spec.remove("clusterIPs");
    }
    if needs_ports(value) { ports(turn, call, value, &name) } else { Ok(()) }
}

fn address(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    name: &str,
) -> Result<(), ApiError> {
    let given = value["spec"]["clusterIP"].as_str().unwrap_or_default().to_owned();
    let given = match (&*given, value["spec"]["clusterIPs"][0].as_str()) {
        ("", Some(first)) => first.to_owned(),
        _ => given,
    };
    let ip = match &*given {
        "None" => given,
        "" => {
            let used = used(turn, call, name, |service| {
                service["spec"]["clusterIP"].as_str().map(str::to_owned).into_iter().collect()
            });
            let range = turn.core.config.service_range;
            free(turn, range.count(), |number| range.address(number).to_string(), &used)
                .ok_or_else(|| ApiError::internal("no cluster IP is left"))?
        }
        ip => {
            check_address(turn, call, ip, name)?;
            given
        }
    };
    value["spec"]["clusterIPs"] = json!([ip]);
    value["spec"]["clusterIP"] = ip.into();
    family(value);
    Ok(())
}

/// The families that follow from one address.
fn family(value: &mut Value) {
    let spec = &mut value["spec"];
    let selects = spec["selector"].as_object().is_some_and(|selector| !selector.is_empty());
    let anywhere = spec["clusterIP"] == "None" && !selects;
    if anywhere && spec["ipFamilies"].is_null() && spec["ipFamilyPolicy"].is_null() {
        // Nobody knows what answers behind a headless Service without a selector.
        spec["ipFamilies"] = json!(["IPv4", "IPv6"]);
        spec["ipFamilyPolicy"] = "RequireDualStack".into();
    }
    if spec["ipFamilies"].is_null() {
        spec["ipFamilies"] = json!(["IPv4"]);
    }
    if spec["ipFamilyPolicy"].is_null() {
        spec["ipFamilyPolicy"] = "SingleStack".into();
    }
}

fn check_address(turn: &Turn<'_>, call: &Call, ip: &str, name: &str) -> Result<(), ApiError> {
    let parsed = ip.parse::<std::net::Ipv4Addr>();
    let inside = parsed.clone().is_ok_and(|ip| turn.core.config.service_range.contains(ip));
    let value = json!([ip]);
    let refused =
        |detail: &str| refuse(call, name, Cause::invalid("spec.clusterIPs", &value, detail));
    if parsed.is_err() && ip.parse::<std::net::Ipv6Addr>().is_err() {
        let detail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
        return Err(refuse(call, name, Cause::invalid("spec.clusterIPs[0]", &ip.into(), detail)));
    }
    if !inside {
        return Err(refused(&format!(
            "failed to allocate IP {ip}: the provided network does not match the current range"
        )));
    }
    let used = used(turn, call, name, |service| {
        service["spec"]["clusterIP"].as_str().map(str::to_owned).into_iter().collect()
    });
    if used.contains(ip) {
        return Err(refused(&format!(
            "failed to allocate IP {ip}: provided IP is already allocated"
        )));
    }
    Ok(())
}

fn ports(turn: &mut Turn<'_>, call: &Call, value: &mut Value, name: &str) -> Result<(), ApiError> {
    let mut used = used(turn, call, name, |service| {
        let ports = service["spec"]["ports"].as_array().cloned().unwrap_or_default();
        ports.iter().filter_map(|port| port["nodePort"].as_u64()).map(|n| n.to_string()).collect()
    });
    let mut ports = value["spec"]["ports"].as_array().cloned().unwrap_or_default();
    for (index, port) in ports.iter_mut().enumerate() {
        let given = port["nodePort"].as_u64().filter(|given| *given > 0);
        let text = match given {
            Some(given) => {
                if !(FIRST_PORT..FIRST_PORT + PORTS).any(|port| u64::from(port) == given) {
                    let field = format!("spec.ports[{index}].nodePort");
                    let detail = format!(
                        "provided port is not in the valid range. The range of valid ports is \
                         {FIRST_PORT}-{}",
                        FIRST_PORT + PORTS - 1
                    );
                    let cause = Cause::invalid(field, &port["nodePort"], &detail);
                    return Err(refuse(call, name, cause));
                }
                let given = given.to_string();
                if used.contains(&given) {
                    let field = format!("spec.ports[{index}].nodePort");
                    let detail = "provided port is already allocated";
                    return Err(refuse(
                        call,
                        name,
                        Cause::invalid(field, &port["nodePort"], detail),
                    ));
                }
                given
            }
            None => free(turn, PORTS, |number| (FIRST_PORT + number).to_string(), &used)
                .ok_or_else(|| ApiError::internal("no node port is left"))?,
        };
        port["nodePort"] = text.parse::<u32>().unwrap_or(FIRST_PORT).into();
        used.insert(text);
    }
    value["spec"]["ports"] = ports.into();
    Ok(())
}

/// Ports keep the numbers that the ports of the same name or number had.
fn keep_ports(value: &mut Value, old: &Value) {
    if !needs_ports(value) {
        return;
    }
    let same = |port: &Value| (port["port"].as_u64(), port["protocol"].as_str().map(str::to_owned));
    let before = old["spec"]["ports"].as_array().into_iter().flatten().rev();
    let before: BTreeMap<_, _> = before.map(|port| (same(port), &port["nodePort"])).collect();
    for port in value["spec"]["ports"].as_array_mut().into_iter().flatten() {
        if let (true, Some(number)) = (port["nodePort"].is_null(), before.get(&same(port))) {
            port["nodePort"] = (*number).clone();
        }
    }
}

/// What the other Services hold.
fn used(
    turn: &Turn<'_>,
    call: &Call,
    name: &str,
    of: impl Fn(&Value) -> Vec<String>,
) -> BTreeSet<String> {
    let own = crate::storage::key(&call.namespace, name);
    let table = turn.core.store.table("services");
    let others = table.into_iter().flatten().filter(|(key, _)| **key != own);
    others.flat_map(|(_, service)| of(&service.value)).collect()
}

/// The first free number at or after a random one.
fn free(
    turn: &mut Turn<'_>,
    count: u32,
    text: impl Fn(u32) -> String,
    used: &BTreeSet<String>,
) -> Option<String> {
    let start = u32::try_from(turn.rng.below(u64::from(count))).unwrap_or(0);
    (0..count).map(|step| text((start + step) % count)).find(|one| !used.contains(one))
}

fn refuse(call: &Call, name: &str, cause: Cause) -> ApiError {
    ApiError::invalid(&call.resource.group, &call.resource.kind, name, vec![cause])
}
