//! Ports of nodes for the ports of a Service.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{FIRST_PORT, FULL, PORTS, Ports, check_port, free, held_ports, internal, needs_ports};
use super::{node_port, refuse, used};
use crate::error::{ApiError, Cause};
use crate::request::Call;
use crate::turn::Turn;

/// What has been given so far.
#[derive(Default)]
struct Given {
    by_number: BTreeMap<u64, u64>,
    all: BTreeSet<u64>,
}

/// Where a Service gets its first ports, those of one number lead to the same port of nodes, whatever their protocol is
/// (`initNodePorts` in `pkg/registry/core/service/storage`; later ones are as in `updateNodePorts`).
///
/// # Errors
///
/// 422 for a port that is another's or out of range, 500 when none is left.
pub(super) fn allocate(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    (name, which): (&str, Ports),
) -> Result<(), ApiError> {
    let mut used = used(turn, call, name, held_ports);
    let gives = needs_ports(value);
    let Some(mut ports) = value["spec"]["ports"].as_array().cloned() else { return Ok(()) };
    let asked = if which == Ports::First { asked(&ports) } else { BTreeMap::new() };
    let mut given = Given::default();
    for (index, port) in ports.iter_mut().enumerate() {
        let number = port["port"].as_u64().unwrap_or_default();
        let same = given.by_number.get(&number).copied().filter(|_| which == Ports::First);
        let wanted = match (node_port(port), same) {
            (0, _) if !gives => continue,
            (0, Some(same)) => same,
            (0, None) => asked.get(&number).copied().unwrap_or_default(),
            (wanted, _) => wanted,
        };
        let is_own = match which {
            Ports::First => same == Some(wanted),
            Ports::Later => given.all.contains(&wanted),
        };
        if wanted != 0 && !is_own {
            check_port(wanted, &used).map_err(|detail| {
                let field = format!("spec.ports[{index}].nodePort");
                refuse(call, name, Cause::invalid(field, &wanted.into(), &detail))
            })?;
        }
        let made = if wanted == 0 { draw(turn, &used)? } else { wanted };
        port["nodePort"] = made.into();
        given.by_number.entry(number).or_insert(made);
        given.all.insert(made);
        used.insert(made.to_string());
    }
    value["spec"]["ports"] = ports.into();
    Ok(())
}

/// The node port that is first asked for with each number.
fn asked(ports: &[Value]) -> BTreeMap<u64, u64> {
    let mut asked = BTreeMap::new();
    for port in ports.iter().filter(|port| node_port(port) != 0) {
        let number = port["port"].as_u64().unwrap_or_default();
        asked.entry(number).or_insert(node_port(port));
    }
    asked
}

fn draw(turn: &mut Turn<'_>, used: &BTreeSet<String>) -> Result<u64, ApiError> {
    let port = free(turn, PORTS, |number| (FIRST_PORT + number).to_string(), used);
    let port = port.and_then(|port| port.parse::<u64>().ok());
    port.ok_or_else(|| internal(format!("failed to allocate a nodePort: {FULL}")))
}
