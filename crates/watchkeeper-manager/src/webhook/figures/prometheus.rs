//! The figures of webhooks, under controller-runtime's names.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, Weak};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::exemplar::Exemplar;
use prometheus_client::registry::Registry;

use super::{BOUNDS, Figures, Told};
use crate::sync::Mutex;

const NO_EXEMPLAR: Option<&Exemplar<NoLabelSet, u64>> = None;

/// Tells a registry of `prometheus-client` how webhooks are asked and answer:
/// `controller_runtime_webhook_latency_seconds`, `…_requests_total` by code, `…_requests_in_flight`, each with the
/// path as `webhook`; `…_webhook_panics_total` and `controller_runtime_conversion_webhook_panics_total`.
#[derive(Debug, Default)]
pub(crate) struct PrometheusMetrics {
    servers: Mutex<Vec<Weak<Figures>>>,
}

/// What all servers tell together.
#[derive(Default)]
struct All {
    by_path: BTreeMap<String, (i64, Told)>,
    panics: u64,
    conversion_panics: u64,
}

impl PrometheusMetrics {
    pub(crate) fn register(registry: &mut Registry) -> Arc<Self> {
        let metrics = Arc::new(Self::default());
        registry.register_collector(Box::new(Arc::clone(&metrics)));
        metrics
    }

    pub(crate) fn served(&self, figures: &Arc<Figures>) {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        servers.retain(|server| server.strong_count() > 0);
        servers.push(Arc::downgrade(figures));
    }

    /// None where no server is.
    fn all(&self) -> Option<All> {
        let servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let servers: Vec<_> = servers.iter().filter_map(Weak::upgrade).collect();
        let mut all = (!servers.is_empty()).then(All::default)?;
        for server in servers {
            all.panics += server.panics.load(Ordering::Relaxed);
            all.conversion_panics += server.conversion_panics.load(Ordering::Relaxed);
            for (path, figures) in &server.by_path {
                let (in_flight, told) = all.by_path.entry(path.clone()).or_default();
                *in_flight += figures.in_flight.load(Ordering::Relaxed);
                told.merge(&figures.told());
            }
        }
        Some(all)
    }
}

impl Collector for PrometheusMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(all) = self.all() else { return Ok(()) };
        latency(&mut encoder, &all)?;
        requests(&mut encoder, &all)?;
        in_flight(&mut encoder, &all)?;
        for (name, help, count) in [
            ("controller_runtime_webhook_panics", "Webhooks that panicked", all.panics),
            (
                "controller_runtime_conversion_webhook_panics",
                "Conversions that panicked",
                all.conversion_panics,
            ),
        ] {
            encoder
                .encode_descriptor(name, help, None, MetricType::Counter)?
                .encode_counter(&count, NO_EXEMPLAR)?;
        }
        Ok(())
    }
}

fn latency(encoder: &mut DescriptorEncoder<'_>, all: &All) -> fmt::Result {
    let name = "controller_runtime_webhook_latency_seconds";
    let help = "How long webhooks took to answer";
    let mut encoder = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
    for (path, (_, told)) in &all.by_path {
        let bounds = BOUNDS.into_iter().chain([f64::INFINITY]);
        let buckets: Vec<(f64, u64)> = bounds.zip(told.counts).collect();
        let (sum, count) = (told.sum.as_secs_f64(), told.counts.iter().sum());
        let labels = [("webhook", path.as_str())];
        let mut encoder = encoder.encode_family(&labels)?;
        encoder.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)?;
    }
    Ok(())
}

fn requests(encoder: &mut DescriptorEncoder<'_>, all: &All) -> fmt::Result {
    let name = "controller_runtime_webhook_requests";
    let help = "Requests to webhooks, by the status code of HTTP";
    let mut encoder = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
    for (path, (_, told)) in &all.by_path {
        for (code, count) in &told.by_code {
            let code = code.to_string();
            let labels = [("code", code.as_str()), ("webhook", path.as_str())];
            encoder.encode_family(&labels)?.encode_counter(count, NO_EXEMPLAR)?;
        }
    }
    Ok(())
}

fn in_flight(encoder: &mut DescriptorEncoder<'_>, all: &All) -> fmt::Result {
    let name = "controller_runtime_webhook_requests_in_flight";
    let help = "Requests to webhooks that are not answered yet";
    let mut encoder = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for (path, (in_flight, _)) in &all.by_path {
        let labels = [("webhook", path.as_str())];
        encoder.encode_family(&labels)?.encode_gauge(in_flight)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
