//! Devices, and who claims them (KEP-4381).

use serde_json::Value;

use crate::table::row::Row;

pub(super) fn claim(row: Row<'_>) -> Vec<Value> {
    let mut states = Vec::new();
    if row.is_deleting() {
        states.push("deleted");
    }
    if row.at("/status/allocation").is_some() {
        states.push("allocated");
        if row.count("/status/reservedFor") > 0 {
            states.push("reserved");
        }
    } else if !row.is_deleting() {
        states.push("pending");
    }
    vec![row.name(), states.join(",").into(), row.age()]
}

pub(super) fn slice(row: Row<'_>) -> Vec<Value> {
    vec![
        row.name(),
        row.text("/spec/nodeName").into(),
        row.text("/spec/driver").into(),
        row.text("/spec/pool/name").into(),
        row.age(),
    ]
}
