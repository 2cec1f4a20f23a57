//! The figures of controllers, under controller-runtime's names.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::exemplar::Exemplar;
use prometheus_client::registry::Registry;

use crate::metrics::{Measured, Measures, ReconcileMetrics, ReconcileTimes};

#[cfg(test)]
mod tests;

/// Tells a registry of `prometheus-client` how reconciles go, under the names of controller-runtime:
/// `controller_runtime_reconcile_total` by result, `…_reconcile_errors_total`,
/// `…_terminal_reconcile_errors_total`, `…_reconcile_panics_total`, `…_reconcile_timeouts_total`,
/// `…_reconcile_time_seconds`, `…_max_concurrent_reconciles` and `…_active_workers`, each with the
/// `controller`.
///
/// The figures are those of the moment they are asked for. Those of a controller are gone with it;
/// controllers of one name are told as one.
///
/// ```
/// use prometheus_client::registry::Registry;
/// use watchkeeper_api::core::v1::ConfigMap;
/// use watchkeeper_cache::Watch;
/// use watchkeeper_client::Client;
/// use watchkeeper_controller::{Action, Controller, PrometheusMetrics};
///
/// # fn f(client: &Client, maps: &Watch<ConfigMap>) {
/// let mut registry = Registry::default();
/// let controller = Controller::new(client, "maps", maps)
///     .reconcile_metrics(PrometheusMetrics::register(&mut registry))
///     .reconcile(async |_request, _ctx| Ok(Action::done()));
/// # drop(controller);
/// # }
/// ```
#[derive(Default)]
pub struct PrometheusMetrics {
    controllers: Mutex<Vec<(String, Weak<dyn Measured>)>>,
}

impl PrometheusMetrics {
    /// A collector whose controllers `registry` tells of.
    pub fn register(registry: &mut Registry) -> Arc<Self> {
        let metrics = Arc::new(Self::default());
        registry.register_collector(Box::new(Arc::clone(&metrics)));
        metrics
    }

    /// The figures of each name; the controllers that are gone are forgotten.
    fn measures(&self) -> BTreeMap<String, Measures> {
        let mut controllers = self.controllers.lock().unwrap_or_else(PoisonError::into_inner);
        controllers.retain(|(_, controller)| controller.strong_count() > 0);
        let controllers = controllers.clone();
        let mut measures: BTreeMap<String, Measures> = BTreeMap::new();
        for (name, controller) in controllers {
            if let Some(controller) = controller.upgrade() {
                measures.entry(name).or_default().merge(&controller.measures());
            }
        }
        measures
    }
}

impl ReconcileMetrics for PrometheusMetrics {
    fn controller_made(&self, name: &str, controller: Weak<dyn Measured>) {
        let mut controllers = self.controllers.lock().unwrap_or_else(PoisonError::into_inner);
        controllers.retain(|(_, controller)| controller.strong_count() > 0);
        controllers.push((name.to_owned(), controller));
    }
}

impl Collector for PrometheusMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let measures = self.measures();
        if measures.is_empty() {
            return Ok(());
        }
        for metric in METRICS {
            let Metric { name, help, kind, encode } = metric;
            let mut encoder = encoder.encode_descriptor(name, help, None, *kind)?;
            for (controller, measures) in &measures {
                encode(&mut encoder, controller, measures)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for PrometheusMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrometheusMetrics").finish_non_exhaustive()
    }
}

/// A metric, and how it tells of one controller.
struct Metric {
    /// The encoder says of a counter that it is a total.
    name: &'static str,
    help: &'static str,
    kind: MetricType,
    encode: fn(&mut MetricEncoder<'_>, &str, &Measures) -> fmt::Result,
}

const METRICS: &[Metric] = &[
    Metric {
        name: "controller_runtime_reconcile",
        help: "Reconciles, by how they went",
        kind: MetricType::Counter,
        encode: results,
    },
    Metric {
        name: "controller_runtime_reconcile_errors",
        help: "Reconciles that failed",
        kind: MetricType::Counter,
        encode: |encoder, name, measures| counter(encoder, name, measures.figures.failed),
    },
    Metric {
        name: "controller_runtime_terminal_reconcile_errors",
        help: "Reconciles that failed and are not tried again",
        kind: MetricType::Counter,
        encode: |encoder, name, measures| counter(encoder, name, measures.figures.terminal),
    },
    Metric {
        name: "controller_runtime_reconcile_panics",
        help: "Reconciles that panicked",
        kind: MetricType::Counter,
        encode: |encoder, name, measures| counter(encoder, name, measures.figures.panics),
    },
    Metric {
        name: "controller_runtime_reconcile_timeouts",
        help: "Reconciles that took longer than they may",
        kind: MetricType::Counter,
        encode: |encoder, name, measures| counter(encoder, name, measures.figures.timeouts),
    },
    Metric {
        name: "controller_runtime_reconcile_time_seconds",
        help: "How long reconciles took",
        kind: MetricType::Histogram,
        encode: |encoder, name, measures| histogram(encoder, name, &measures.times),
    },
    Metric {
        name: "controller_runtime_max_concurrent_reconciles",
        help: "How many objects are reconciled at once at most",
        kind: MetricType::Gauge,
        encode: |encoder, name, measures| gauge(encoder, name, measures.workers),
    },
    Metric {
        name: "controller_runtime_active_workers",
        help: "Reconciles that run now",
        kind: MetricType::Gauge,
        encode: |encoder, name, measures| gauge(encoder, name, measures.figures.active),
    },
];

/// Those of upstream, also where there was none; `requeue` is its way that is no more recommended, and not ours.
fn results(encoder: &mut MetricEncoder<'_>, name: &str, measures: &Measures) -> fmt::Result {
    let figures = measures.figures;
    let results = [
        ("error", figures.failed),
        ("requeue", 0),
        ("requeue_after", figures.asked_again),
        ("success", figures.succeeded),
    ];
    for (result, count) in results {
        let labels = [("controller", name), ("result", result)];
        let none: Option<&Exemplar<NoLabelSet, u64>> = None;
        encoder.encode_family(&labels)?.encode_counter(&count, none)?;
    }
    Ok(())
}

fn counter(encoder: &mut MetricEncoder<'_>, name: &str, count: u64) -> fmt::Result {
    let labels = [("controller", name)];
    let none: Option<&Exemplar<NoLabelSet, u64>> = None;
    encoder.encode_family(&labels)?.encode_counter(&count, none)
}

fn gauge(encoder: &mut MetricEncoder<'_>, name: &str, value: usize) -> fmt::Result {
    let labels = [("controller", name)];
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    encoder.encode_family(&labels)?.encode_gauge(&value)
}

fn histogram(encoder: &mut MetricEncoder<'_>, name: &str, times: &ReconcileTimes) -> fmt::Result {
    let bounds = ReconcileTimes::BOUNDS.iter().map(Duration::as_secs_f64).chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(times.counts).collect();
    let (sum, count) = (times.sum.as_secs_f64(), times.count());
    let labels = [("controller", name)];
    encoder.encode_family(&labels)?.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
}
