//! Cluster IPs and node ports of Services: the server gives them out itself.
//!
//! Addresses come from the range of the settings and ports from 30000–32767, lowest free number first from a
//! place that the seed decides. Which addresses are taken is told by objects of their own (`addresses`); which ports,
//! by the stored Services, so there is no second book to keep.

pub(crate) mod addresses;
mod operation;
mod ports;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::error::{ApiError, Cause, quoted};
use crate::kind_validation::service::{asks_health, has_node_ports, is_external};
use crate::registry::stacks;
use crate::request::Call;
use crate::turn::Turn;
use operation::Operation;

/// What is said where all that there is has been given out.
const FULL: &str = "range is full";

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
/// 422 for an address or port that is taken or not in the range.
pub(crate) fn update(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    old: &Value,
) -> Result<(), ApiError> {
    if !call.resource.is("", "services") || !call.subresource.is_empty() {
        return Ok(());
    }
    if !value["spec"].is_object() {
        return Ok(());
    }
    keep_given(value, old);
    leave_type(value, old);
    leave_family(value, old);
    if needs_address(value) && needs_address(old) {
        keep_family(call, value, old)?;
    } else {
        addresses_of(turn, call, value)?;
    }
    all_ports(turn, call, value, Some(old))
}

/// An address that was given is not given again; another one is for validation to refuse.
fn keep_family(call: &Call, value: &mut Value, old: &Value) -> Result<(), ApiError> {
    if value["spec"]["ipFamilyPolicy"].is_null() {
        value["spec"]["ipFamilyPolicy"] = old["spec"]["ipFamilyPolicy"].clone();
    }
    family(value);
    configured(call, value, Some(old), crate::meta::name(value))
}

/// What a Service was given and does not name comes back, so that what it was made from can be sent again.
fn keep_given(value: &mut Value, old: &Value) {
    if needs_address(value) && needs_address(old) {
        keep_addresses(value, old);
    }
    if needs_ports(value) && needs_ports(old) {
        keep_ports(value, old);
    }
    if asks_health(value) && asks_health(old) && health_port(value) == 0 {
        value["spec"]["healthCheckNodePort"] = old["spec"]["healthCheckNodePort"].clone();
    }
}

/// One of the address and the list of addresses follows the other, when only that was changed.
fn keep_addresses(value: &mut Value, old: &Value) {
    let address =
        |service: &Value| service["spec"]["clusterIP"].as_str().unwrap_or_default().to_owned();
    let list =
        |service: &Value| service["spec"]["clusterIPs"].as_array().cloned().unwrap_or_default();
    if address(value).is_empty() {
        value["spec"]["clusterIP"] = old["spec"]["clusterIP"].clone();
    }
    if list(value).is_empty() && !list(old).is_empty() {
        value["spec"]["clusterIPs"] = old["spec"]["clusterIPs"].clone();
    }
    let (same_one, same_all) = (address(value) == address(old), list(value) == list(old));
    if !same_one && same_all {
        value["spec"]["clusterIPs"] = json!([address(value)]);
    } else if same_one
        && !same_all
        && let Some(first) = list(value).first()
    {
        value["spec"]["clusterIP"] = first.clone();
    }
}

/// What belonged to the type that a Service had, and was not touched, goes with that type.
fn leave_type(value: &mut Value, old: &Value) {
    let (before, now) = (old["spec"]["type"].clone(), value["spec"]["type"].clone());
    let mut gone = Vec::new();
    if asks_health(old) && !asks_health(value) {
        gone.push("healthCheckNodePort");
    }
    let had = node_ports(old);
    if has_node_ports(old) && !has_node_ports(value) && node_ports(value).is_subset(&had) {
        for port in value["spec"]["ports"].as_array_mut().into_iter().flatten() {
            port.as_object_mut().map(|port| port.remove("nodePort"));
        }
    }
    if is_external(old) && !is_external(value) {
        gone.push("externalTrafficPolicy");
    }
    if before == "LoadBalancer" && now != "LoadBalancer" {
        gone.extend(["allocateLoadBalancerNodePorts", "loadBalancerClass"]);
        value["status"]["loadBalancer"] = json!({});
    }
    if now == "ExternalName" && before != "ExternalName" {
        gone.extend(["ipFamilies", "ipFamilyPolicy", "clusterIP", "clusterIPs"]);
        gone.push("internalTrafficPolicy");
    }
    let Some(spec) = value["spec"].as_object_mut() else { return };
    for name in gone {
        if spec.get(name) == old["spec"].get(name) {
            spec.remove(name);
        }
    }
}

/// Who no longer wants both families, and names those that there were, keeps the first.
fn leave_family(value: &mut Value, old: &Value) {
    if value["spec"]["ipFamilyPolicy"] != "SingleStack" {
        return;
    }
    let Some(spec) = value["spec"].as_object_mut() else { return };
    for name in ["clusterIPs", "ipFamilies"] {
        let list = spec.get_mut(name).filter(|list| **list == old["spec"][name]);
        if let Some(list) = list.and_then(Value::as_array_mut) {
            list.truncate(1);
        }
    }
}

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
    addresses_of(turn, call, value)?;
    all_ports(turn, call, value, None)
}

fn addresses_of(turn: &mut Turn<'_>, call: &Call, value: &mut Value) -> Result<(), ApiError> {
    let name = crate::meta::name(value).to_owned();
    if needs_address(value) {
        return address(turn, call, value, &name);
    }
    listed(value);
    Ok(())
}

/// An address that a Service may not have is for validation to refuse, which looks at the list.
fn listed(value: &mut Value) {
    let address = value["spec"]["clusterIP"].as_str().unwrap_or_default().to_owned();
    let has_list = value["spec"]["clusterIPs"].as_array().is_some_and(|list| !list.is_empty());
    if !address.is_empty() && !has_list {
        value["spec"]["clusterIPs"] = json!([address]);
    }
}

/// The ports of a Service that is made, or changed from `old`.
fn all_ports(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    old: Option<&Value>,
) -> Result<(), ApiError> {
    if !has_node_ports(value) {
        return Ok(());
    }
    let mut operation = Operation::begin(turn, call, crate::meta::name(value), old)?;
    ports::allocate(turn, call, value, old, &mut operation)?;
    // One that is there already is not given again; another one is for validation to refuse.
    if asks_health(value) && !old.is_some_and(asks_health) {
        ask_for_health(turn, value, &mut operation)?;
    }
    Ok(())
}

/// Gives the port of nodes by which load balancers ask, which is none of the Service's others.
fn ask_for_health(
    turn: &mut Turn<'_>,
    value: &mut Value,
    operation: &mut Operation,
) -> Result<(), ApiError> {
    let given = health_port(value);
    if given != 0 {
        return operation.allocate(given).map_err(|why| {
            let what = "failed to allocate requested HealthCheck NodePort";
            internal(format!("{what} {given}: {why}"))
        });
    }
    // The number is the one that was asked for: none.
    let full = |why: &str| internal(format!("failed to allocate a HealthCheck NodePort 0: {why}"));
    value["spec"]["healthCheckNodePort"] = operation.allocate_next(turn).map_err(full)?.into();
    Ok(())
}

/// The port of nodes by which load balancers ask; 0 for none.
fn health_port(service: &Value) -> i64 {
    service["spec"]["healthCheckNodePort"].as_i64().unwrap_or_default()
}

/// The ports of nodes that a Service holds.
fn held_ports(service: &Value) -> BTreeSet<i64> {
    let health = Some(health_port(service)).filter(|port| *port != 0);
    node_ports(service).into_iter().chain(health).collect()
}

fn address(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    name: &str,
) -> Result<(), ApiError> {
    listed(value);
    configured(call, value, None, name)?;
    let given = value["spec"]["clusterIP"].as_str().unwrap_or_default().to_owned();
    let range = turn.core.config.service_range;
    let is_dry = call.dry_run()?;
    let ip = match &*given {
        "None" => given,
        // Upstream looks for none where none is needed, and shows the range's own.
        "" if is_dry => range.network().to_string(),
        "" => free_address(turn, call, name)?,
        ip => {
            check_address(turn, call, ip, (name, is_dry))?;
            given
        }
    };
    value["spec"]["clusterIPs"] = json!([ip]);
    value["spec"]["clusterIP"] = ip.into();
    family(value);
    Ok(())
}

/// An address for a Service that asks for any.
fn free_address(turn: &mut Turn<'_>, call: &Call, name: &str) -> Result<String, ApiError> {
    let Some(ip) = addresses::free(turn) else {
        let of = quoted(name);
        return Err(internal(format!("failed to allocate a serviceIP for Service {of}: {FULL}")));
    };
    let Some(why) = addresses::refusal(&ip, name) else { return Ok(ip) };
    let detail = format!("failed to allocate IP: {why}");
    Err(refuse(call, name, Cause::invalid("spec.clusterIPs", &json!([""]), &detail)))
}

/// Refuses families of addresses that the cluster does not have.
fn configured(call: &Call, value: &Value, old: Option<&Value>, name: &str) -> Result<(), ApiError> {
    let causes = stacks::check(value, old);
    if causes.is_empty() {
        return Ok(());
    }
    Err(ApiError::invalid(&call.resource.group, &call.resource.kind, name, causes))
}

/// The families that follow from one address.
fn family(value: &mut Value) {
    let spec = &mut value["spec"];
    let selects = spec["selector"].as_object().is_some_and(|selector| !selector.is_empty());
    // Nobody knows what answers behind a headless Service without a selector.
    let anywhere = spec["clusterIP"] == "None" && !selects;
    if spec["ipFamilyPolicy"].is_null() {
        let policy = if anywhere { "RequireDualStack" } else { "SingleStack" };
        spec["ipFamilyPolicy"] = policy.into();
    }
    if spec["ipFamilies"].as_array().is_none_or(Vec::is_empty) {
        spec["ipFamilies"] = json!(["IPv4"]);
    }
    let is_single = spec["ipFamilyPolicy"] == "SingleStack";
    if let (true, false, Some(families)) = (anywhere, is_single, spec["ipFamilies"].as_array_mut())
        && let [one] = &families[..]
    {
        let other = if one == "IPv4" { "IPv6" } else { "IPv4" };
        families.push(other.into());
    }
}

/// Whether a Service may have the address that it asks for. Where nothing is stored it is not asked who has it.
fn check_address(
    turn: &Turn<'_>,
    call: &Call,
    ip: &str,
    (name, is_dry): (&str, bool),
) -> Result<(), ApiError> {
    let range = turn.core.config.service_range;
    let is_inside = ip.parse().is_ok_and(|ip| range.contains(ip));
    let why = match (is_inside, is_dry) {
        (false, false) => "the provided network does not match the current range".to_owned(),
        (false, true) => format!(
            "the provided IP ({ip}) is not in the valid range. The range of valid IPs is {range}"
        ),
        (true, true) => return Ok(()),
        (true, false) => match addresses::unwritable(turn.core, call, ip, name) {
            Some(why) => why,
            None => return Ok(()),
        },
    };
    let detail = format!("failed to allocate IP {ip}: {why}");
    Err(refuse(call, name, Cause::invalid("spec.clusterIPs", &json!([ip]), &detail)))
}

/// Ports keep the numbers that the ports of their names had, unless another port asks for those.
fn keep_ports(value: &mut Value, old: &Value) {
    let name = |port: &Value| port["name"].as_str().unwrap_or_default().to_owned();
    let taken: BTreeSet<i64> = node_ports(old).intersection(&node_ports(value)).copied().collect();
    let before = old["spec"]["ports"].as_array().into_iter().flatten();
    let before: BTreeMap<_, _> = before.map(|port| (name(port), node_port(port))).collect();
    for port in value["spec"]["ports"].as_array_mut().into_iter().flatten() {
        let had = before.get(&name(port)).copied().unwrap_or_default();
        if node_port(port) == 0 && had != 0 && !taken.contains(&had) {
            port["nodePort"] = had.into();
        }
    }
}

fn node_port(port: &Value) -> i64 {
    port["nodePort"].as_i64().unwrap_or_default()
}

fn node_ports(service: &Value) -> BTreeSet<i64> {
    let ports = service["spec"]["ports"].as_array().into_iter().flatten();
    ports.map(node_port).filter(|port| *port != 0).collect()
}

/// 500 with the text as its cause (`NewInternalError`).
fn internal(message: String) -> ApiError {
    let (reason, field) = (String::new(), String::new());
    ApiError::internal(&*message).causes([Cause { reason, message, field }])
}

fn refuse(call: &Call, name: &str, cause: Cause) -> ApiError {
    ApiError::invalid(&call.resource.group, &call.resource.kind, name, vec![cause])
}

#[cfg(test)]
mod tests;
