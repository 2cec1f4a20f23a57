//! What an audit log says of writes: who, what, when it was received and when it was answered.

use std::collections::BTreeMap;

use serde_json::Value;
use watchkeeper_api::MicroTime;

use crate::Outcome;

/// A write that was received, whatever was answered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Write {
    /// Who sent it: the user as whom it was to be carried out.
    pub(super) actor: String,
    /// Verb and object, for people.
    pub(super) what: String,
    /// By the server's clock, in microseconds. So is the next.
    pub(super) received: i64,
    pub(super) answered: i64,
    pub(super) code: u16,
    /// What it says of the lease, if it is a write of it.
    pub(super) lease: Option<Record>,
}

/// A lease, as a write has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record {
    /// Empty if it is nobody's.
    pub(super) holder: String,
    pub(super) seconds: i64,
    pub(super) transitions: i64,
    pub(super) acquired: String,
    pub(super) renewed: String,
}

impl Write {
    pub(super) const fn is_accepted(&self) -> bool {
        matches!(self.code, 200..300)
    }

    /// As when whoever sent it was gone before it was answered.
    pub(super) const fn is_doubtful(&self) -> bool {
        self.code >= 500
    }
}

impl Record {
    /// How long the lease lasts.
    pub(super) const fn micros(&self) -> i64 {
        self.seconds * 1_000_000
    }
}

/// The writes of those who act as somebody, by the time they were received. `lease` is the name of the lease.
///
/// # Errors
/// A request was received, and nothing tells how it was answered: then the log does not judge.
pub(super) fn writes(log: &str, lease: &str) -> Outcome<Vec<Write>> {
    let mut received = BTreeMap::new();
    let mut writes = Vec::new();
    for line in log.lines() {
        let event: Value =
            serde_json::from_str(line).map_err(|e| format!("the audit log: {e}: {line}"))?;
        let reads = matches!(event["verb"].as_str(), Some("get" | "list" | "watch"));
        // The server writes, too, and until its end.
        if reads || event["user"]["username"] == "system:apiserver" {
            continue;
        }
        let id = text(&event, "/auditID").to_owned();
        if event["stage"] == "RequestReceived" {
            received.insert(id, line);
            continue;
        }
        received.remove(&id);
        // Who it is that acts is known after the request was received.
        if event.pointer("/impersonatedUser/username").is_some() {
            writes.push(write(&event, lease).ok_or_else(|| format!("the audit log: {line}"))?);
        }
    }
    if let Some(line) = received.values().next() {
        return Err(format!("{} requests have no end in the audit log: {line}", received.len()));
    }
    writes.sort_by_key(|write| write.received);
    Ok(writes)
}

/// Whether somebody's write that is none of the lease was carried out, as far as the log has been written.
pub(super) fn has_worked(log: &str, lease: &str, actor: &str) -> bool {
    // Only those that name somebody are worth reading, and the last are the likeliest.
    let lines = log.lines().rev().filter(|line| line.contains(actor));
    let events = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let answered = events.filter(|event| event["stage"] != "RequestReceived");
    let changing =
        answered.filter(|event| !matches!(text(event, "/verb"), "get" | "list" | "watch"));
    changing
        .filter_map(|event| write(&event, lease))
        .any(|write| write.actor == actor && write.lease.is_none() && write.is_accepted())
}

fn write(event: &Value, lease: &str) -> Option<Write> {
    let time = |pointer| Some(text(event, pointer).parse::<MicroTime>().ok()?.unix_micros());
    let mut resource = text(event, "/objectRef/resource").to_owned();
    if let Some(part) = event.pointer("/objectRef/subresource").and_then(Value::as_str) {
        resource = format!("{resource}/{part}");
    }
    let spec = event.pointer("/requestObject/spec");
    // Who creates does not name it in the path.
    let names = [text(event, "/objectRef/name"), text(event, "/requestObject/metadata/name")];
    let is_lease = resource == "leases" && names.contains(&lease);
    Some(Write {
        actor: text(event, "/impersonatedUser/username").to_owned(),
        what: format!("{} {resource} {}", text(event, "/verb"), names[0]),
        received: time("/requestReceivedTimestamp")?,
        answered: time("/stageTimestamp")?,
        code: event.pointer("/responseStatus/code")?.as_u64()?.try_into().ok()?,
        lease: if is_lease { Some(record(spec?)) } else { None },
    })
}

fn record(spec: &Value) -> Record {
    let number = |pointer| spec.pointer(pointer).and_then(Value::as_i64).unwrap_or_default();
    Record {
        holder: text(spec, "/holderIdentity").to_owned(),
        seconds: number("/leaseDurationSeconds"),
        transitions: number("/leaseTransitions"),
        acquired: text(spec, "/acquireTime").to_owned(),
        renewed: text(spec, "/renewTime").to_owned(),
    }
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
