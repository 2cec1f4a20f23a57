//! Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

use super::labels::Labels;
use super::{BUCKETS, Histogram, Metrics};
use crate::step::Core;

/// Everything that is counted.
pub(super) fn written(core: &Core) -> String {
    let mut out = Text(String::new());
    under_way(&mut out, core);
    let metrics = &core.metrics;
    streams(&mut out, metrics);
    durations(&mut out, &metrics.durations);
    let name = "apiserver_request_total";
    out.head(name, "counter", "Counter of apiserver requests by verb, dry run value, group, version, resource, scope, component and HTTP response code.");
    for ((code, labels), count) in &metrics.requests {
        out.line(name, &format!("code=\"{code}\",{}", labels.of_request()), count);
    }
    objects(&mut out, core);
    let name = "apiserver_watch_events_total";
    out.head(name, "counter", "Number of events sent to watch clients.");
    for ((group, resource, version), count) in &metrics.events {
        let labels = format!("group=\"{group}\",resource=\"{resource}\",version=\"{version}\"");
        out.line(name, &labels, count);
    }
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
    for labels in metrics.streams.values() {
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

fn durations(out: &mut Text, durations: &BTreeMap<Labels, Histogram>) {
    let name = "apiserver_request_duration_seconds";
    out.head(name, "histogram", "Response latency in seconds by verb, dry run value, group, version, resource, subresource, scope and component.");
    for (labels, histogram) in durations {
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
