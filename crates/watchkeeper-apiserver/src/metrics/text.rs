//! Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use super::{BUCKETS, Metrics};
use crate::step::Core;

/// Everything that is counted.
pub(super) fn written(core: &Core) -> String {
    let mut out = Text(String::new());
    under_way(&mut out, core);
    let metrics = &core.metrics;
    streams(&mut out, metrics);
    durations(&mut out, metrics);
    requests(&mut out, metrics);
    objects(&mut out, core);
    events(&mut out, metrics);
    out.0
}

struct Text(String);

impl Text {
    fn head(&mut self, name: &str, kind: &str, help: &str) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn line(&mut self, name: &str, labels: &str, value: impl Display) {
        let _ = writeln!(self.0, "{name}{{{labels}}} {value}");
    }
}

fn under_way(out: &mut Text, core: &Core) {
    let name = "apiserver_current_inflight_requests";
    out.head(name, "gauge", "Number of requests under way per request kind.");
    let (reading, mutating) = core.under_way.count();
    out.line(name, "request_kind=\"mutating\"", mutating);
    out.line(name, "request_kind=\"readOnly\"", reading);
}

fn streams(out: &mut Text, metrics: &Metrics) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (labels, _) in metrics.streams.values() {
        *counts.entry(labels.of_stream()).or_default() += 1;
    }
    let name = "apiserver_longrunning_requests";
    out.head(
        name,
        "gauge",
        "Number of watches by verb, group, version, resource, scope and component.",
    );
    for (labels, count) in counts {
        out.line(name, &labels, count);
    }
}

fn durations(out: &mut Text, metrics: &Metrics) {
    let name = "apiserver_request_duration_seconds";
    out.head(name, "histogram", "Response latency in seconds by verb, dry run value, group, version, resource, subresource, scope and component.");
    let all = metrics.ended.iter().map(|(labels, ended)| (labels, &ended.durations));
    for (labels, histogram) in all.filter(|(_, histogram)| histogram.count > 0) {
        let labels = labels.of_request();
        let bucket = format!("{name}_bucket");
        for (count, end) in histogram.buckets.iter().zip(BUCKETS) {
            let end = std::time::Duration::from_millis(end).as_secs_f64();
            out.line(&bucket, &format!("{labels},le=\"{end}\""), count);
        }
        out.line(&bucket, &format!("{labels},le=\"+Inf\""), histogram.count);
        out.line(&format!("{name}_sum"), &labels, histogram.sum.as_secs_f64());
        out.line(&format!("{name}_count"), &labels, histogram.count);
    }
}

fn requests(out: &mut Text, metrics: &Metrics) {
    let name = "apiserver_request_total";
    out.head(name, "counter", "Counter of apiserver requests by verb, dry run value, group, version, resource, scope, component and HTTP response code.");
    for (labels, ended) in &metrics.ended {
        let labels = labels.of_request();
        for (code, count) in &ended.codes {
            out.line(name, &format!("code=\"{code}\",{labels}"), count);
        }
    }
}

/// What watches were told, of those that have ended and of those that go on.
fn events(out: &mut Text, metrics: &Metrics) {
    let name = "apiserver_watch_events_total";
    out.head(name, "counter", "Number of events sent to watch clients.");
    let ended = metrics.ended.iter().map(|(labels, ended)| (labels, ended.events));
    let going_on = metrics.streams.values().map(|(labels, events)| (labels, *events));
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (labels, events) in ended.chain(going_on).filter(|(_, events)| *events > 0) {
        *counts.entry(labels.of_resource()).or_default() += events;
    }
    for (labels, count) in counts {
        out.line(name, &labels, count);
    }
}

/// By resource, under the name of today and that of before.
fn objects(out: &mut Text, core: &Core) {
    let tables =
        || core.store.tables().filter_map(|name| Some((name, core.store.table(name)?.len())));
    let name = "apiserver_resource_objects";
    out.head(name, "gauge", "Number of stored objects split by kind.");
    for (table, count) in tables() {
        let (resource, group) = table.split_once('.').unwrap_or((&**table, ""));
        out.line(name, &format!("group=\"{group}\",resource=\"{resource}\""), count);
    }
    let name = "apiserver_storage_objects";
    out.head(
        name,
        "gauge",
        "Number of stored objects split by kind; apiserver_resource_objects says the same.",
    );
    for (table, count) in tables() {
        out.line(name, &format!("resource=\"{table}\""), count);
    }
}
