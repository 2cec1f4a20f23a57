//! Ports of nodes for the ports of a Service.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::operation::Operation;
use super::{internal, needs_ports, node_port, node_ports, refuse};
use crate::error::{ApiError, Cause};
use crate::request::Call;
use crate::turn::Turn;

/// Gives a Service its ports, or those that it has not got from `old`.
///
/// # Errors
///
/// 422 for a port that is another's or out of range, 500 when none is left.
pub(super) fn allocate(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
    old: Option<&Value>,
    operation: &mut Operation,
) -> Result<(), ApiError> {
    let gives = needs_ports(value);
    let name = crate::meta::name(value).to_owned();
    let Some(mut ports) = value["spec"]["ports"].as_array().cloned() else { return Ok(()) };
    let mut round = Round { turn, call, operation, name: &name };
    match old {
        None => round.first(&mut ports, gives)?,
        Some(old) => round.later(&mut ports, gives, &node_ports(old))?,
    }
    value["spec"]["ports"] = ports.into();
    Ok(())
}

/// What ports are given with.
struct Round<'r, 't> {
    turn: &'r mut Turn<'t>,
    call: &'r Call,
    operation: &'r mut Operation,
    name: &'r str,
}

impl Round<'_, '_> {
    /// Where a Service is made, ports of one number lead to the same port of nodes, whatever their protocol is
    /// (`initNodePorts`).
    fn first(&mut self, ports: &mut [Value], gives: bool) -> Result<(), ApiError> {
        let asked = asked(ports);
        let mut given: BTreeMap<i64, i64> = BTreeMap::new();
        for (index, port) in ports.iter_mut().enumerate() {
            let (own, number) = (node_port(port), number(port));
            if own == 0 && !gives {
                continue;
            }
            let made = match (given.get(&number).copied(), own) {
                (Some(same), 0) => same,
                (Some(same), own) if own == same => same,
                (Some(_), own) => self.take(index, own)?,
                (None, _) => match asked.get(&number) {
                    Some(asked) => self.take(index, *asked)?,
                    None => self.draw()?,
                },
            };
            port["nodePort"] = made.into();
            given.entry(number).or_insert(made);
        }
        Ok(())
    }

    /// Where a Service is changed, each port leads to one of its own, and what it had it has (`updateNodePorts`).
    fn later(
        &mut self,
        ports: &mut [Value],
        gives: bool,
        had: &BTreeSet<i64>,
    ) -> Result<(), ApiError> {
        let (mut taken, mut given) = (BTreeSet::new(), BTreeSet::new());
        for (index, port) in ports.iter_mut().enumerate() {
            match node_port(port) {
                0 if gives => port["nodePort"] = self.draw()?.into(),
                0 => {}
                own => {
                    if !had.contains(&own) && taken.insert(own) {
                        self.take(index, own)?;
                    }
                }
            }
            let (protocol, own) = (port["protocol"].as_str().unwrap_or("TCP"), node_port(port));
            if own != 0 && !given.insert((protocol.to_owned(), own)) {
                let told = format!("duplicate nodePort: {{{protocol} {own}}}");
                return Err(ApiError::new(500, "", told));
            }
        }
        Ok(())
    }

    /// The port that was asked for.
    fn take(&mut self, index: usize, port: i64) -> Result<i64, ApiError> {
        let refused = |why: String| {
            let field = format!("spec.ports[{index}].nodePort");
            refuse(self.call, self.name, Cause::invalid(field, &port.into(), &why))
        };
        self.operation.allocate(port).map_err(refused)?;
        Ok(port)
    }

    /// Any port.
    fn draw(&mut self) -> Result<i64, ApiError> {
        let port = self.operation.allocate_next(self.turn);
        port.map_err(|why| internal(format!("failed to allocate a nodePort: {why}")))
    }
}

fn number(port: &Value) -> i64 {
    port["port"].as_i64().unwrap_or_default()
}

/// The node port that is first asked for with each number.
fn asked(ports: &[Value]) -> BTreeMap<i64, i64> {
    let mut asked = BTreeMap::new();
    for port in ports.iter().filter(|port| node_port(port) != 0) {
        asked.entry(number(port)).or_insert(node_port(port));
    }
    asked
}
