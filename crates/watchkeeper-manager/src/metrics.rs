//! Who is told what a manager does.

use std::fmt;
use std::sync::Arc;

use watchkeeper_cache::informer_metrics;
use watchkeeper_client::RequestMetrics;
use watchkeeper_controller::ReconcileMetrics;

use crate::leader::ElectionMetrics;

/// Who collects the figures of a manager's requests, informers, queues, reconciles and election, for
/// [`Manager::metrics`](crate::Manager::metrics). Each is left out unless somebody is named.
///
/// | figures | names | of |
/// |---|---|---|
/// | [requests](Self::requests) | `rest_client_…` | [`watchkeeper_client::metrics`] |
/// | [informers](Self::informers) | `informer_…` | [`watchkeeper_cache::informer_metrics`] |
/// | [queues](Self::queues) | `workqueue_…` | [`watchkeeper_queue::Figures`] |
/// | [reconciles](Self::reconciles) | `controller_runtime_…` | [`watchkeeper_controller::Measures`] |
/// | [elections](Self::elections) | `leader_election_…` | [`LeaderElector`](crate::LeaderElector) |
///
/// With the feature `prometheus`, `Metrics::register(&mut registry)` names a collector for each.
#[derive(Clone)]
#[must_use = "a manager has to be given it"]
pub struct Metrics {
    pub(crate) name: String,
    pub(crate) requests: Option<Arc<dyn RequestMetrics>>,
    pub(crate) informers: Option<Arc<dyn informer_metrics::MetricsProvider>>,
    pub(crate) queues: Option<Arc<dyn watchkeeper_queue::MetricsProvider>>,
    pub(crate) reconciles: Option<Arc<dyn ReconcileMetrics>>,
    pub(crate) elections: Option<Arc<dyn ElectionMetrics>>,
    /// How often the files of a certificate were read.
    #[cfg(all(feature = "prometheus", feature = "tls"))]
    pub(crate) certificates: Option<Arc<crate::endpoints::CertificateReads>>,
    /// How webhooks are asked and answer.
    #[cfg(all(feature = "prometheus", feature = "webhooks"))]
    pub(crate) webhooks: Option<Arc<crate::webhook::PrometheusMetrics>>,
}

impl Metrics {
    /// Nobody collects anything yet.
    pub fn new() -> Self {
        Self {
            name: "manager".to_owned(),
            requests: None,
            informers: None,
            queues: None,
            reconciles: None,
            elections: None,
            #[cfg(all(feature = "prometheus", feature = "tls"))]
            certificates: None,
            #[cfg(all(feature = "prometheus", feature = "webhooks"))]
            webhooks: None,
        }
    }

    /// Those for a registry of `prometheus-client`, under the names of client-go and controller-runtime.
    ///
    /// ```
    /// use prometheus_client::registry::Registry;
    /// use watchkeeper_manager::{Manager, Metrics};
    ///
    /// # fn f(client: &watchkeeper_client::Client) {
    /// let mut registry = Registry::default();
    /// let manager = Manager::new(client).metrics(Metrics::register(&mut registry));
    /// // … the watches and controllers; and whoever scrapes gets
    /// let mut text = String::new();
    /// prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
    /// # drop(manager);
    /// # }
    /// # f(&watchkeeper_client::Client::unconnected());
    /// ```
    #[cfg(feature = "prometheus")]
    pub fn register(registry: &mut prometheus_client::registry::Registry) -> Self {
        let metrics = Self::new();
        #[cfg(feature = "tls")]
        let metrics = Self {
            certificates: Some(crate::endpoints::CertificateReads::register(registry)),
            ..metrics
        };
        #[cfg(feature = "webhooks")]
        let metrics = Self {
            webhooks: Some(crate::webhook::PrometheusMetrics::register(registry)),
            ..metrics
        };
        metrics
            .requests(watchkeeper_client::PrometheusMetrics::register(registry))
            .informers(watchkeeper_cache::PrometheusMetrics::register(registry))
            .queues(watchkeeper_queue::PrometheusMetrics::register_labelled(
                registry,
                &["controller"],
            ))
            .reconciles(watchkeeper_controller::PrometheusMetrics::register(registry))
            .elections(crate::leader::PrometheusMetrics::register(registry))
    }

    /// What the manager's informers are called, to tell them from those of other caches of the process:
    /// `manager` unless said otherwise.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Who counts and measures requests.
    pub fn requests(mut self, metrics: Arc<dyn RequestMetrics>) -> Self {
        self.requests = Some(metrics);
        self
    }

    /// Who is told of each informer.
    pub fn informers(mut self, provider: Arc<dyn informer_metrics::MetricsProvider>) -> Self {
        self.informers = Some(provider);
        self
    }

    /// Who is told of the queue of each controller.
    pub fn queues(mut self, provider: Arc<dyn watchkeeper_queue::MetricsProvider>) -> Self {
        self.queues = Some(provider);
        self
    }

    /// Who is told of each controller, and asks how its reconciles go.
    pub fn reconciles(mut self, metrics: Arc<dyn ReconcileMetrics>) -> Self {
        self.reconciles = Some(metrics);
        self
    }

    /// Who is told of the candidate for the lease, and asks whether it leads.
    pub fn elections(mut self, metrics: Arc<dyn ElectionMetrics>) -> Self {
        self.elections = Some(metrics);
        self
    }

    /// Who counts and measures requests, for a `watchkeeper_connect::Config` whose credential plugin is to be
    /// measured, too.
    #[must_use]
    pub fn request_metrics(&self) -> Option<Arc<dyn RequestMetrics>> {
        self.requests.clone()
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics")
            .field("name", &self.name)
            .field("requests", &self.requests.is_some())
            .field("informers", &self.informers)
            .field("queues", &self.queues)
            .field("reconciles", &self.reconciles)
            .field("elections", &self.elections)
            .finish()
    }
}
