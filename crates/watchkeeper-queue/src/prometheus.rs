//! The figures of queues, under upstream's names.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::exemplar::Exemplar;
use prometheus_client::registry::Registry;

use crate::metrics::{Durations, Figures, Measured, MetricsProvider};

#[cfg(test)]
mod tests;

/// What stands for each priority beyond those that are told, as in controller-runtime.
const OTHERS: &str = "exceeded_cardinality_limit";

/// Tells a registry of `prometheus-client` what queues do, under the names that client-go and
/// controller-runtime give: `workqueue_depth` by priority, `workqueue_adds_total`,
/// `workqueue_retries_total`, `workqueue_queue_duration_seconds`,
/// `workqueue_work_duration_seconds`, `workqueue_unfinished_work_seconds` and
/// `workqueue_longest_running_processor_seconds`, each with the queue's `name`.
///
/// The figures are those of the moment they are asked for. Those of a queue are gone with it;
/// queues of one name are told as one.
///
/// ```
/// use std::sync::Arc;
/// use prometheus_client::registry::Registry;
/// use watchkeeper_queue::{
///     PrometheusMetrics, QueueOptions, RateLimitingQueue, per_item_rate_limiter,
/// };
///
/// let mut registry = Registry::default();
/// let metrics = Some(PrometheusMetrics::register(&mut registry) as Arc<_>);
/// let options = QueueOptions { name: "pods".to_owned(), metrics, ..QueueOptions::default() };
/// let queue = RateLimitingQueue::with_options(per_item_rate_limiter(), options);
/// queue.add("default/a");
///
/// let mut text = String::new();
/// prometheus_client::encoding::text::encode(&mut text, &registry)?;
/// assert!(text.contains(r#"workqueue_depth{name="pods",priority="0"} 1"#));
/// # Ok::<_, std::fmt::Error>(())
/// ```
#[derive(Default)]
pub struct PrometheusMetrics {
    queues: Mutex<Vec<(String, Weak<dyn Measured>)>>,
    /// Labels that have the queue's name, too.
    also: &'static [&'static str],
}

impl PrometheusMetrics {
    /// A provider whose queues `registry` tells of.
    pub fn register(registry: &mut Registry) -> Arc<Self> {
        Self::register_labelled(registry, &[])
    }

    /// The same with the queue's name under other labels, too: controller-runtime's have `controller` beside
    /// `name`.
    pub fn register_labelled(registry: &mut Registry, also: &'static [&'static str]) -> Arc<Self> {
        let metrics = Arc::new(Self { also, ..Self::default() });
        registry.register_collector(Box::new(Arc::clone(&metrics)));
        metrics
    }

    fn labels<'a>(&self, name: &'a str) -> Labels<'a> {
        [&"name"].into_iter().chain(self.also).map(|label| (*label, name)).collect()
    }

    /// The figures of each name; the queues that are gone are forgotten.
    fn figures(&self) -> BTreeMap<String, Figures> {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|(_, queue)| queue.strong_count() > 0);
        let queues = queues.clone();
        let mut figures: BTreeMap<String, Figures> = BTreeMap::new();
        for (name, queue) in queues {
            if let Some(queue) = queue.upgrade() {
                figures.entry(name).or_default().merge(&queue.figures());
            }
        }
        figures
    }
}

impl MetricsProvider for PrometheusMetrics {
    fn queue_made(&self, name: &str, queue: Weak<dyn Measured>) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|(_, queue)| queue.strong_count() > 0);
        queues.push((name.to_owned(), queue));
    }
}

impl Collector for PrometheusMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let figures = self.figures();
        if figures.is_empty() {
            return Ok(());
        }
        for metric in METRICS {
            let Metric { name, help, kind, encode } = metric;
            let mut encoder = encoder.encode_descriptor(name, help, None, *kind)?;
            for (name, figures) in &figures {
                encode(&mut encoder, &self.labels(name), figures)?;
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

/// The labels of a queue.
type Labels<'a> = Vec<(&'static str, &'a str)>;

/// A metric, and how it tells of one queue.
struct Metric {
    name: &'static str,
    help: &'static str,
    kind: MetricType,
    encode: fn(&mut MetricEncoder<'_>, &Labels<'_>, &Figures) -> fmt::Result,
}

const METRICS: &[Metric] = &[
    Metric {
        name: "workqueue_depth",
        help: "Keys that are to run, by priority",
        kind: MetricType::Gauge,
        encode: depth,
    },
    Metric {
        name: "workqueue_adds",
        help: "Keys added that were not to run yet",
        kind: MetricType::Counter,
        encode: |encoder, labels, figures| counter(encoder, labels, figures.adds),
    },
    Metric {
        name: "workqueue_queue_duration_seconds",
        help: "How long keys waited until they were handed out",
        kind: MetricType::Histogram,
        encode: |encoder, labels, figures| histogram(encoder, labels, &figures.queue_duration),
    },
    Metric {
        name: "workqueue_work_duration_seconds",
        help: "How long keys were held",
        kind: MetricType::Histogram,
        encode: |encoder, labels, figures| histogram(encoder, labels, &figures.work_duration),
    },
    Metric {
        name: "workqueue_unfinished_work_seconds",
        help: "How long the keys held now have been, in all",
        kind: MetricType::Gauge,
        encode: |encoder, labels, figures| seconds(encoder, labels, figures.unfinished_work),
    },
    Metric {
        name: "workqueue_longest_running_processor_seconds",
        help: "How long the key has been held that has been the longest",
        kind: MetricType::Gauge,
        encode: |encoder, labels, figures| seconds(encoder, labels, figures.longest_running),
    },
    Metric {
        name: "workqueue_retries",
        help: "Keys added for later, or as their failures deserve",
        kind: MetricType::Counter,
        encode: |encoder, labels, figures| counter(encoder, labels, figures.retries),
    },
];

fn depth(encoder: &mut MetricEncoder<'_>, labels: &Labels<'_>, figures: &Figures) -> fmt::Result {
    let known = figures.depth.iter().map(|(priority, depth)| (priority.to_string(), *depth));
    let others = figures.depth_of_others.map(|depth| (OTHERS.to_owned(), depth));
    for (priority, depth) in known.chain(others) {
        let mut labels = labels.clone();
        labels.push(("priority", &*priority));
        let depth = i64::try_from(depth).unwrap_or(i64::MAX);
        encoder.encode_family(&labels)?.encode_gauge(&depth)?;
    }
    Ok(())
}

fn counter(encoder: &mut MetricEncoder<'_>, labels: &Labels<'_>, count: u64) -> fmt::Result {
    let none: Option<&Exemplar<NoLabelSet, u64>> = None;
    encoder.encode_family(labels)?.encode_counter(&count, none)
}

fn seconds(
    encoder: &mut MetricEncoder<'_>,
    labels: &Labels<'_>,
    duration: Duration,
) -> fmt::Result {
    encoder.encode_family(labels)?.encode_gauge(&duration.as_secs_f64())
}

fn histogram(
    encoder: &mut MetricEncoder<'_>,
    labels: &Labels<'_>,
    durations: &Durations,
) -> fmt::Result {
    let bounds = Durations::BOUNDS.iter().map(Duration::as_secs_f64).chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(durations.counts).collect();
    let (sum, count) = (durations.sum.as_secs_f64(), durations.count());
    encoder.encode_family(labels)?.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
}
