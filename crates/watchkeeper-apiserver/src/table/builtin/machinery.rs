//! Kinds that the server keeps about itself.

use serde_json::Value;

use crate::table::row::{Row, member};

pub(super) fn flow_schema(row: Row<'_>) -> Vec<Value> {
    vec![
        row.name(),
        row.text("/spec/priorityLevelConfiguration/name").into(),
        row.number("/spec/matchingPrecedence").into(),
        row.text_or("/spec/distinguisherMethod/type", "<none>").into(),
        row.age(),
        row.condition("Dangling").unwrap_or("?").into(),
    ]
}

pub(super) fn priority_level(row: Row<'_>) -> Vec<Value> {
    let number = |pointer: &str| match row.at(pointer) {
        Some(number) => number.clone(),
        None => "<none>".into(),
    };
    vec![
        row.name(),
        row.text("/spec/type").into(),
        number("/spec/limited/nominalConcurrencyShares"),
        number("/spec/limited/limitResponse/queuing/queues"),
        number("/spec/limited/limitResponse/queuing/handSize"),
        number("/spec/limited/limitResponse/queuing/queueLengthLimit"),
        row.age(),
    ]
}

pub(super) fn component_status(row: Row<'_>) -> Vec<Value> {
    let mut conditions = row.items("/conditions").iter();
    let Some(healthy) = conditions.find(|of| member(of, "type") == "Healthy") else {
        return vec![row.name(), "Unknown".into(), "".into(), "".into()];
    };
    let state = if member(healthy, "status") == "True" { "Healthy" } else { "Unhealthy" };
    let text = |name: &str| member(healthy, name).into();
    vec![row.name(), state.into(), text("message"), text("error")]
}
