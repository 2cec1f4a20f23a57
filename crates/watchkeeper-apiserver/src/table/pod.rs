//! Pods: their status is told from all their containers.

use serde_json::{Value, json};

use super::row::{Row, member, since};

/// Completed pods can be told from the row.
pub(super) fn condition(row: Row<'_>) -> Option<Value> {
    let (reason, message) = match row.text("/status/phase") {
        "Succeeded" => ("Succeeded", "The pod has completed successfully."),
        "Failed" => ("Failed", "The pod failed."),
        _ => return None,
    };
    Some(json!({"type": "Completed", "status": "True", "reason": reason, "message": message}))
}

pub(super) fn cells(row: Row<'_>) -> Vec<Value> {
    let summary = Summary::of(row);
    vec![
        row.name(),
        format!("{}/{}", summary.ready, summary.total).into(),
        summary.reason.into(),
        summary.restarts.shown(row).into(),
        row.age(),
        row.text_or("/status/podIPs/0/ip", "<none>").into(),
        row.text_or("/spec/nodeName", "<none>").into(),
        row.text_or("/status/nominatedNodeName", "<none>").into(),
        readiness_gates(row).into(),
    ]
}

fn readiness_gates(row: Row<'_>) -> String {
    let gates = row.items("/spec/readinessGates");
    if gates.is_empty() {
        return "<none>".to_owned();
    }
    let is_true = |gate: &&Value| row.condition(member(gate, "conditionType")) == Some("True");
    format!("{}/{}", gates.iter().filter(is_true).count(), gates.len())
}

/// What is said of a pod as a whole.
struct Summary<'a> {
    reason: String,
    ready: usize,
    total: usize,
    restarts: Restarts<'a>,
    /// Those of sidecars alone.
    of_sidecars: Restarts<'a>,
}

/// How often containers were started again, and when the last one that did had ended.
#[derive(Clone, Copy, Default)]
struct Restarts<'a> {
    count: i64,
    last: &'a str,
}

impl<'a> Restarts<'a> {
    fn add(&mut self, status: &'a Value) {
        self.count += status.get("restartCount").and_then(Value::as_i64).unwrap_or_default();
        let finished = status.pointer("/lastState/terminated/finishedAt").and_then(Value::as_str);
        // Times in this form compare as text.
        self.last = self.last.max(finished.unwrap_or_default());
    }

    fn shown(self, row: Row<'_>) -> String {
        match (self.count, self.last) {
            (0, _) | (_, "") => self.count.to_string(),
            (count, last) => format!("{count} ({} ago)", since(last, row.now)),
        }
    }
}

impl<'a> Summary<'a> {
    fn of(row: Row<'a>) -> Self {
        let sidecars = row.items("/spec/initContainers").iter().filter(|c| is_sidecar(c)).count();
        let mut summary = Self {
            reason: row.text_or("/status/reason", row.text("/status/phase")),
            ready: 0,
            total: row.count("/spec/containers") + sidecars,
            restarts: Restarts::default(),
            of_sidecars: Restarts::default(),
        };
        let gated = |c: &Value| {
            member(c, "type") == "PodScheduled" && member(c, "reason") == "SchedulingGated"
        };
        if row.items("/status/conditions").iter().any(gated) {
            summary.reason = "SchedulingGated".to_owned();
        }
        let initializing = summary.init_containers(row);
        if !initializing || row.condition("Initialized") == Some("True") {
            summary.containers(row);
        }
        let phase = row.text("/status/phase");
        if row.is_deleting() && row.text("/status/reason") == "NodeLost" {
            summary.reason = "Unknown".to_owned();
        } else if row.is_deleting() && !matches!(phase, "Succeeded" | "Failed") {
            summary.reason = "Terminating".to_owned();
        }
        summary
    }

    /// True if an init container has not done its part yet.
    fn init_containers(&mut self, row: Row<'a>) -> bool {
        let specs = row.items("/spec/initContainers");
        for (index, status) in row.items("/status/initContainerStatuses").iter().enumerate() {
            let of = specs.iter().find(|c| member(c, "name") == member(status, "name"));
            self.restarts.add(status);
            if of.is_some_and(is_sidecar) {
                self.of_sidecars.add(status);
            }
            let started = status.get("started") == Some(&Value::Bool(true));
            let terminated = status.pointer("/state/terminated");
            if terminated.is_some_and(|t| exit_code(t) == 0) {
                continue;
            }
            if of.is_some_and(is_sidecar) && started {
                self.ready += usize::from(status.get("ready") == Some(&Value::Bool(true)));
                continue;
            }
            let waiting = status.pointer("/state/waiting").map_or("", |w| member(w, "reason"));
            self.reason = match terminated {
                Some(terminated) => format!("Init:{}", exit_reason(terminated)),
                None if !matches!(waiting, "" | "PodInitializing") => format!("Init:{waiting}"),
                None => format!("Init:{index}/{}", specs.len()),
            };
            return true;
        }
        false
    }

    fn containers(&mut self, row: Row<'a>) {
        // Once initialized, only sidecars count among the init containers.
        self.restarts = self.of_sidecars;
        let (mut running, mut failure) = (false, None);
        for status in row.items("/status/containerStatuses").iter().rev() {
            self.restarts.add(status);
            let waiting = status.pointer("/state/waiting").map_or("", |w| member(w, "reason"));
            let terminated = status.pointer("/state/terminated");
            let ready = status.get("ready") == Some(&Value::Bool(true));
            if !waiting.is_empty() {
                waiting.clone_into(&mut self.reason);
            } else if let Some(terminated) = terminated {
                self.reason = exit_reason(terminated);
                if exit_code(terminated) != 0 {
                    failure = Some(self.reason.clone());
                }
            } else if ready && status.pointer("/state/running").is_some() {
                running = true;
                self.ready += 1;
            }
        }
        if self.reason == "Completed" {
            let is_ready = row.condition("Ready") == Some("True");
            self.reason = match (running, failure) {
                (true, _) if is_ready => "Running".to_owned(),
                (_, Some(failure)) => failure,
                (true, None) => "NotReady".to_owned(),
                (false, None) => return,
            };
        }
    }
}

/// An init container that keeps running.
fn is_sidecar(container: &Value) -> bool {
    member(container, "restartPolicy") == "Always"
}

fn exit_code(terminated: &Value) -> i64 {
    terminated.get("exitCode").and_then(Value::as_i64).unwrap_or_default()
}

fn exit_reason(terminated: &Value) -> String {
    let signal = terminated.get("signal").and_then(Value::as_i64).unwrap_or_default();
    match member(terminated, "reason") {
        "" if signal != 0 => format!("Signal:{signal}"),
        "" => format!("ExitCode:{}", exit_code(terminated)),
        reason => reason.to_owned(),
    }
}
