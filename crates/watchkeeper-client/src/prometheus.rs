//! The figures of requests, for a registry of `prometheus-client`.

use std::cmp::Ordering;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::exemplar::Exemplar;
use prometheus_client::registry::Registry;

use crate::metrics::{self, Label, RequestMetrics};

#[cfg(test)]
mod tests;

/// Tells a registry of `prometheus-client` what clients ask for, under the names, labels and buckets of
/// [client-go](crate::metrics). Series are there from their first value on.
///
/// ```
/// use prometheus_client::registry::Registry;
/// use watchkeeper_client::{Client, PrometheusMetrics};
///
/// # async fn f() -> Result<(), Box<dyn std::error::Error>> {
/// let mut registry = Registry::default();
/// let client = Client::unconnected().metrics(PrometheusMetrics::register(&mut registry)).host("here:443");
/// client.server_version().await.unwrap_err();
///
/// let mut text = String::new();
/// prometheus_client::encoding::text::encode(&mut text, &registry)?;
/// assert!(text.contains(r#"rest_client_requests_total{code="<error>",host="here:443",method="GET"}"#));
/// # Ok(())
/// # }
/// # tokio::runtime::Builder::new_current_thread()
/// #     .enable_time().start_paused(true).build().unwrap().block_on(f()).unwrap();
/// ```
#[derive(Default)]
pub struct PrometheusMetrics {
    /// By the place of their metric in [`METRICS`]; each sorted by labels.
    series: Mutex<[Vec<Series>; METRICS.len()]>,
}

impl PrometheusMetrics {
    /// What is counted, and told by `registry`. One serves any number of clients.
    pub fn register(registry: &mut Registry) -> Arc<Self> {
        let metrics = Arc::new(Self::default());
        registry.register_collector(Box::new(Arc::clone(&metrics)));
        metrics
    }

    /// Changes a series. A metric of no known name, or of another kind, is not told.
    fn change(&self, name: &str, labels: &[Label<'_>], change: impl FnOnce(&mut Value)) {
        let Some(place) = METRICS.iter().position(|metric| metric.name == name) else { return };
        let mut series = self.series.lock().unwrap_or_else(PoisonError::into_inner);
        let series = &mut series[place];
        let at = match series.binary_search_by(|series| series.compare(labels)) {
            Ok(at) => at,
            Err(at) => {
                let labels = labels.iter().map(|(label, value)| (*label, (*value).to_owned()));
                let value = METRICS[place].kind.start();
                series.insert(at, Series { labels: labels.collect(), value });
                at
            }
        };
        change(&mut series[at].value);
    }
}

impl RequestMetrics for PrometheusMetrics {
    fn count(&self, name: &'static str, labels: &[Label<'_>]) {
        self.change(name, labels, |value| {
            if let Value::Counter(count) = value {
                *count += 1;
            }
        });
    }

    fn observe(&self, name: &'static str, labels: &[Label<'_>], observed: f64) {
        self.change(name, labels, |value| {
            if let Value::Histogram { bounds, counts, sum } = value {
                let bucket = bounds.partition_point(|bound| *bound < observed);
                counts[bucket] += 1;
                *sum += observed;
            }
        });
    }

    fn set(&self, name: &'static str, labels: &[Label<'_>], set: f64) {
        self.change(name, labels, |value| {
            if let Value::Gauge(value) = value {
                *value = set;
            }
        });
    }
}

impl Collector for PrometheusMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let series = self.series.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (metric, series) in METRICS.iter().zip(&series) {
            if series.is_empty() {
                continue;
            }
            let Metric { name, help, kind } = metric;
            // The encoder says of a counter that it is a total.
            let name = name.strip_suffix("_total").unwrap_or(name);
            let mut encoder = encoder.encode_descriptor(name, help, None, kind.metric_type())?;
            for Series { labels, value } in series {
                if labels.is_empty() {
                    value.encode(&mut encoder)?;
                } else {
                    value.encode(&mut encoder.encode_family(labels)?)?;
                }
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

/// One line of a metric, or the lines of one histogram.
#[derive(Clone)]
struct Series {
    labels: Vec<(&'static str, String)>,
    value: Value,
}

impl Series {
    fn compare(&self, labels: &[Label<'_>]) -> Ordering {
        let own = self.labels.iter().map(|(label, value)| (*label, &**value));
        own.cmp(labels.iter().copied())
    }
}

#[derive(Clone)]
enum Value {
    Counter(u64),
    Gauge(f64),
    /// How many were not above each bound but above the one before; the last are above all.
    Histogram {
        bounds: &'static [f64],
        counts: Vec<u64>,
        sum: f64,
    },
}

impl Value {
    fn encode(&self, encoder: &mut MetricEncoder<'_>) -> fmt::Result {
        match self {
            Self::Counter(count) => {
                let none: Option<&Exemplar<NoLabelSet, u64>> = None;
                encoder.encode_counter(count, none)
            }
            Self::Gauge(value) => encoder.encode_gauge(value),
            Self::Histogram { bounds, counts, sum } => {
                let bounds = bounds.iter().copied().chain([f64::INFINITY]);
                let buckets: Vec<(f64, u64)> = bounds.zip(counts.iter().copied()).collect();
                let count = counts.iter().sum();
                encoder.encode_histogram::<NoLabelSet>(*sum, count, &buckets, None)
            }
        }
    }
}

/// A metric that clients have.
struct Metric {
    name: &'static str,
    help: &'static str,
    kind: Kind,
}

enum Kind {
    Counter,
    Gauge,
    Histogram(&'static [f64]),
}

impl Kind {
    fn start(&self) -> Value {
        match self {
            Self::Counter => Value::Counter(0),
            Self::Gauge => Value::Gauge(0.0),
            Self::Histogram(bounds) => {
                Value::Histogram { bounds, counts: vec![0; bounds.len() + 1], sum: 0.0 }
            }
        }
    }

    const fn metric_type(&self) -> MetricType {
        match self {
            Self::Counter => MetricType::Counter,
            Self::Gauge => MetricType::Gauge,
            Self::Histogram(_) => MetricType::Histogram,
        }
    }
}

/// The bounds of upstream's histograms, in seconds.
const SECONDS: &[f64] = &[0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0];

/// In bytes, up to 16 MiB.
const BYTES: &[f64] = &[
    64.0,
    256.0,
    512.0,
    1024.0,
    4096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
];

/// In seconds: what is too often, what is as it should be, and what is too rare.
const AGES: &[f64] = &[
    600.0,
    1800.0,
    3600.0,
    14_400.0,
    86_400.0,
    604_800.0,
    2_592_000.0,
    7_776_000.0,
    15_552_000.0,
    31_104_000.0,
    124_416_000.0,
];

const METRICS: &[Metric] = &[
    Metric {
        name: metrics::REQUESTS_TOTAL,
        help: "Requests sent, by what was answered",
        kind: Kind::Counter,
    },
    Metric {
        name: metrics::RETRIES_TOTAL,
        help: "Requests sent again, by what had been answered",
        kind: Kind::Counter,
    },
    Metric {
        name: metrics::DURATION_SECONDS,
        help: "How long calls took, retries and waits included",
        kind: Kind::Histogram(SECONDS),
    },
    Metric {
        name: metrics::REQUEST_BYTES,
        help: "How large the bodies of requests were",
        kind: Kind::Histogram(BYTES),
    },
    Metric {
        name: metrics::RESPONSE_BYTES,
        help: "How large the bodies of answers were",
        kind: Kind::Histogram(BYTES),
    },
    Metric {
        name: metrics::RATE_LIMITER_SECONDS,
        help: "How long requests waited for the limit of their client",
        kind: Kind::Histogram(SECONDS),
    },
    Metric {
        name: metrics::EXEC_PLUGIN_CALLS,
        help: "Runs of the credential plugin, by how they ended",
        kind: Kind::Counter,
    },
    Metric {
        name: metrics::EXEC_PLUGIN_ROTATION_AGE,
        help: "How long certificates of the credential plugin were valid when others took their place",
        kind: Kind::Histogram(AGES),
    },
    Metric {
        name: metrics::EXEC_PLUGIN_TTL,
        help: "How long the certificate of the credential plugin is still valid",
        kind: Kind::Gauge,
    },
];
