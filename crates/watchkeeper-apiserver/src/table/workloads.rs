//! The kinds of apps and batch.

use serde_json::Value;

use super::age::{human_duration, seconds_since};
use super::row::{Row, containers, labels, selector};

const CONTAINERS: &str = "/spec/template/spec/containers";

pub(super) fn deployment(row: Row<'_>) -> Vec<Value> {
    let (names, images) = containers(row, CONTAINERS);
    let ready = format!("{}/{}", row.number("/status/readyReplicas"), row.number("/spec/replicas"));
    vec![
        row.name(),
        ready.into(),
        row.number("/status/updatedReplicas").into(),
        row.number("/status/availableReplicas").into(),
        row.age(),
        names,
        images,
        selector(row, "/spec/selector").into(),
    ]
}

pub(super) fn replica_set(row: Row<'_>) -> Vec<Value> {
    let (names, images) = containers(row, CONTAINERS);
    // Replication controllers select by plain labels.
    let by_labels = row.at("/spec/selector/matchLabels").is_none()
        && row.at("/spec/selector/matchExpressions").is_none();
    let selects =
        if by_labels { labels(row, "/spec/selector") } else { selector(row, "/spec/selector") };
    vec![
        row.name(),
        row.number("/spec/replicas").into(),
        row.number("/status/replicas").into(),
        row.number("/status/readyReplicas").into(),
        row.age(),
        names,
        images,
        selects.into(),
    ]
}

pub(super) fn stateful_set(row: Row<'_>) -> Vec<Value> {
    let (names, images) = containers(row, CONTAINERS);
    let ready = format!("{}/{}", row.number("/status/readyReplicas"), row.number("/spec/replicas"));
    vec![row.name(), ready.into(), row.age(), names, images]
}

pub(super) fn daemon_set(row: Row<'_>) -> Vec<Value> {
    let (names, images) = containers(row, CONTAINERS);
    vec![
        row.name(),
        row.number("/status/desiredNumberScheduled").into(),
        row.number("/status/currentNumberScheduled").into(),
        row.number("/status/numberReady").into(),
        row.number("/status/updatedNumberScheduled").into(),
        row.number("/status/numberAvailable").into(),
        labels(row, "/spec/template/spec/nodeSelector").into(),
        row.age(),
        names,
        images,
        selector(row, "/spec/selector").into(),
    ]
}

pub(super) fn controller_revision(row: Row<'_>) -> Vec<Value> {
    let owners = row.items("/metadata/ownerReferences").iter();
    let controller = owners.into_iter().find(|o| o.get("controller") == Some(&Value::Bool(true)));
    let shown = controller.map_or_else(
        || "<none>".to_owned(),
        |owner| {
            let text = |name| owner.get(name).and_then(Value::as_str).unwrap_or_default();
            let group = text("apiVersion").split_once('/').map_or("", |(group, _)| group);
            let dot = if group.is_empty() { "" } else { "." };
            format!("{}{dot}{group}/{}", text("kind").to_lowercase(), text("name"))
        },
    );
    vec![row.name(), shown.into(), row.number("/revision").into(), row.age()]
}

pub(super) fn job(row: Row<'_>) -> Vec<Value> {
    let (names, images) = containers(row, CONTAINERS);
    vec![
        row.name(),
        job_status(row).into(),
        job_completions(row).into(),
        job_duration(row).into(),
        row.age(),
        names,
        images,
        selector(row, "/spec/selector").into(),
    ]
}

fn job_completions(row: Row<'_>) -> String {
    let succeeded = row.number("/status/succeeded");
    match (row.at("/spec/completions"), row.number("/spec/parallelism")) {
        (Some(completions), _) => format!("{succeeded}/{completions}"),
        (None, parallelism) if parallelism > 1 => format!("{succeeded}/1 of {parallelism}"),
        (None, _) => format!("{succeeded}/1"),
    }
}

fn job_duration(row: Row<'_>) -> String {
    let start = row.text("/status/startTime");
    let end = row.text("/status/completionTime").parse().unwrap_or(row.now);
    seconds_since(start, end).map_or_else(String::new, human_duration)
}

fn job_status(row: Row<'_>) -> &'static str {
    let is_true = |type_| row.condition(type_) == Some("True");
    if is_true("Complete") {
        "Complete"
    } else if is_true("Failed") {
        "Failed"
    } else if row.is_deleting() {
        "Terminating"
    } else if is_true("Suspended") {
        "Suspended"
    } else if is_true("FailureTarget") {
        "FailureTarget"
    } else if is_true("SuccessCriteriaMet") {
        "SuccessCriteriaMet"
    } else {
        "Running"
    }
}

pub(super) fn cron_job(row: Row<'_>) -> Vec<Value> {
    let (names, images) = containers(row, "/spec/jobTemplate/spec/template/spec/containers");
    let last = match row.at("/status/lastScheduleTime") {
        Some(_) => row.since("/status/lastScheduleTime"),
        None => "<none>".to_owned(),
    };
    let suspend = row.at("/spec/suspend").and_then(Value::as_bool);
    let suspend = suspend.map_or("<unset>", |flag| if flag { "True" } else { "False" });
    vec![
        row.name(),
        row.text("/spec/schedule").into(),
        row.text_or("/spec/timeZone", "<none>").into(),
        suspend.into(),
        row.count("/status/active").into(),
        last.into(),
        row.age(),
        names,
        images,
        selector(row, "/spec/jobTemplate/spec/selector").into(),
    ]
}
