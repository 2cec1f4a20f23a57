//! The figures of informers, for a registry of `prometheus-client`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use crate::informer_metrics::{
    self, Content, Figures, InformerName, Latency, Measured, MetricsProvider,
};
use crate::lock::lock;

#[cfg(test)]
mod tests;

/// Tells a registry of `prometheus-client` what informers do and hold, under the names of
/// [`informer_metrics`], each with `name`, `group`, `version` and `resource`.
///
/// The figures are those of the moment they are asked for. Those of an informer are gone with it; informers
/// of one cache and resource, say of several namespaces, are told as one.
///
/// ```
/// use prometheus_client::registry::Registry;
/// use watchkeeper_api::core::v1::ConfigMap;
/// use watchkeeper_cache::{Cache, PrometheusMetrics};
///
/// # fn f(client: &watchkeeper_client::Client) -> Result<(), std::fmt::Error> {
/// let mut registry = Registry::default();
/// let cache = Cache::new(client).metrics("mine", PrometheusMetrics::register(&mut registry));
/// let maps = cache.watch::<ConfigMap>();
///
/// let mut text = String::new();
/// prometheus_client::encoding::text::encode(&mut text, &registry)?;
/// assert!(text.contains("informer_store_objects{name=\"mine\""));
/// # drop(maps);
/// # Ok(())
/// # }
/// # f(&watchkeeper_client::Client::unconnected()).unwrap();
/// ```
#[derive(Default)]
pub struct PrometheusMetrics {
    informers: Mutex<Vec<(InformerName, Weak<dyn Measured>)>>,
}

impl PrometheusMetrics {
    /// A provider whose informers `registry` tells of.
    pub fn register(registry: &mut Registry) -> Arc<Self> {
        let metrics = Arc::new(Self::default());
        registry.register_collector(Box::new(Arc::clone(&metrics)));
        metrics
    }

    /// The figures of each name; the informers that are gone are forgotten.
    fn figures(&self) -> BTreeMap<InformerName, Figures> {
        let informers = {
            let mut informers = lock(&self.informers);
            informers.retain(|(_, informer)| informer.strong_count() > 0);
            informers.clone()
        };
        let mut all: BTreeMap<InformerName, Figures> = BTreeMap::new();
        for (name, informer) in informers {
            // Not under the lock: what is dropped here may be the last of a copy.
            let Some(informer) = informer.upgrade() else { continue };
            let figures = informer.figures();
            match all.get_mut(&name) {
                Some(known) => known.merge(&figures),
                None => drop(all.insert(name, figures)),
            }
        }
        all
    }
}

impl MetricsProvider for PrometheusMetrics {
    fn informer_made(&self, name: &InformerName, informer: Weak<dyn Measured>) {
        let mut informers = lock(&self.informers);
        informers.retain(|(_, informer)| informer.strong_count() > 0);
        informers.push((name.clone(), informer));
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
                encode(&mut encoder, name, figures)?;
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

/// A metric, and how it tells of one informer.
struct Metric {
    name: &'static str,
    help: &'static str,
    kind: MetricType,
    encode: fn(&mut MetricEncoder<'_>, &InformerName, &Figures) -> fmt::Result,
}

const METRICS: &[Metric] = &[
    Metric {
        name: informer_metrics::QUEUED_ITEMS,
        help: "Deltas that wait to be applied",
        kind: MetricType::Gauge,
        encode: |encoder, name, figures| gauge(encoder, name, figures.queued_items as u64),
    },
    Metric {
        name: informer_metrics::PROCESSING_LATENCY_SECONDS,
        help: "How long a delta took to be applied and handed to the handlers",
        kind: MetricType::Histogram,
        encode: |encoder, name, figures| histogram(encoder, name, &figures.processing_latency),
    },
    Metric {
        name: informer_metrics::STORE_RESOURCE_VERSION,
        help: "The last fifteen digits of the version that the copy has reached",
        kind: MetricType::Gauge,
        encode: |encoder, name, figures| gauge(encoder, name, figures.store_resource_version),
    },
    Metric {
        name: informer_metrics::STORE_OBJECTS,
        help: "Objects in the copy",
        kind: MetricType::Gauge,
        encode: |encoder, name, figures| gauge(encoder, name, figures.store_objects as u64),
    },
    Metric {
        name: informer_metrics::STORE_OWN_BYTES,
        help: "What the copy takes by itself, without what its objects point to",
        kind: MetricType::Gauge,
        encode: |encoder, name, figures| gauge(encoder, name, figures.store_own_bytes as u64),
    },
    Metric {
        name: informer_metrics::STORE_CONTENT_BYTES,
        help: "What the objects of the copy take, where that has a limit",
        kind: MetricType::Gauge,
        encode: |encoder, name, figures| content(encoder, name, figures, |content| content.bytes),
    },
    Metric {
        name: informer_metrics::STORE_CONTENT_LIMIT_BYTES,
        help: "What the objects of the copy may take",
        kind: MetricType::Gauge,
        encode: |encoder, name, figures| content(encoder, name, figures, |content| content.limit),
    },
    Metric {
        name: informer_metrics::HANDLER_PENDING_CHANGES,
        help: "Changes that wait for a handler",
        kind: MetricType::Gauge,
        encode: pending,
    },
];

fn labels(name: &InformerName) -> [(&str, &str); 4] {
    let InformerName { name, group, version, resource } = name;
    [("name", name), ("group", group), ("version", version), ("resource", resource)]
}

fn gauge(encoder: &mut MetricEncoder<'_>, name: &InformerName, value: u64) -> fmt::Result {
    let value = i64::try_from(value).unwrap_or(i64::MAX);
    encoder.encode_family(&labels(name))?.encode_gauge(&value)
}

fn content(
    encoder: &mut MetricEncoder<'_>,
    name: &InformerName,
    figures: &Figures,
    of: impl FnOnce(Content) -> usize,
) -> fmt::Result {
    match figures.store_content {
        Some(content) => gauge(encoder, name, of(content) as u64),
        None => Ok(()),
    }
}

fn pending(encoder: &mut MetricEncoder<'_>, name: &InformerName, figures: &Figures) -> fmt::Result {
    for (handler, pending) in &figures.handlers {
        let [a, b, c, d] = labels(name);
        let labels = [a, b, c, d, ("handler", handler)];
        let pending = i64::try_from(*pending).unwrap_or(i64::MAX);
        encoder.encode_family(&labels)?.encode_gauge(&pending)?;
    }
    Ok(())
}

fn histogram(
    encoder: &mut MetricEncoder<'_>,
    name: &InformerName,
    latency: &Latency,
) -> fmt::Result {
    let bounds = Latency::BOUNDS.iter().map(Duration::as_secs_f64).chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(latency.counts).collect();
    let (sum, count) = (latency.sum.as_secs_f64(), latency.count());
    let labels = labels(name);
    encoder.encode_family(&labels)?.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
}
