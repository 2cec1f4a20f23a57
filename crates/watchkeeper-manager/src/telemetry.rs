//! Traces for a collector of OpenTelemetry.

use std::fmt;

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::propagation::{Injector, TextMapPropagator};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::tonic_types::transport::ClientTlsConfig;
use opentelemetry_otlp::{
    OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, SpanExporter,
    SpanExporterBuilder, TonicExporterBuilderSet, WithExportConfig, WithTonicConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tokio::runtime::Handle;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::registry::LookupSpan;
use watchkeeper_api::{Error, Result};
use watchkeeper_client::Client;

/// What is sent to without TLS. An address without a scheme is one of `https`.
const PLAIN: &str = "http://";
/// Who would tell of the telling, without an end.
const EXPORTERS: [&str; 6] = ["h2", "hyper", "hyper_util", "opentelemetry", "tonic", "tower"];

/// Sends the spans of `tracing` to a collector of OpenTelemetry, by OTLP over gRPC.
///
/// What is traced, under the names of OpenTelemetry's conventions where there are such:
///
/// | span | of | fields |
/// |---|---|---|
/// | `reconcile` | one reconcile, at info | `controller`, `kind`, `k8s.namespace.name`, `name`, `id`; at its end `outcome` (`success`, `requeue_after`, `error`; `given_up` where its shard was lost), `requeue_after` in seconds, `error.type` (`conflict`, `behind`, `terminal`, `failure`) |
/// | `request` | one attempt of a request up to the head of its answer, at debug | `verb`, `resource`, `k8s.namespace.name`, `name`, `http.request.method`, `http.request.resend_count`, `http.response.status_code`, `url.path`, `server.address`, `server.port`, `error.type` |
/// | `election` | one try for the lease, at debug | `lease`, `identity` |
///
/// No body, header or query is ever in a span. What a reconcile function asks the server for is below its
/// `reconcile`, and so are the spans of its own; what it logs is an event of the span. Where nobody listens, a
/// span costs the look at one flag, and nothing is allocated.
///
/// ```no_run
/// use tracing_subscriber::filter::LevelFilter;
/// use tracing_subscriber::prelude::*;
/// use watchkeeper_manager::{Manager, Telemetry, signals};
///
/// # async fn f(client: watchkeeper_client::Client) -> watchkeeper_api::Result<()> {
/// let telemetry = Telemetry::otlp("my-operator")?; // OTEL_EXPORTER_OTLP_ENDPOINT says where
/// tracing_subscriber::registry()
///     .with(tracing_subscriber::fmt::layer().with_filter(LevelFilter::INFO))
///     .with(telemetry.layer())
///     .init();
/// let manager = Manager::new(&telemetry.propagate(client));
/// // … the watches and controllers
/// let ended = manager.run(signals::shutdown()).await;
/// telemetry.shut_down().await?; // sends the last ones
/// ended
/// # }
/// ```
///
/// The environment says the rest, under the names of OpenTelemetry's specification: `OTEL_EXPORTER_OTLP_ENDPOINT`
/// (`http://localhost:4317` without it; `https` is TLS by the machine's roots), `OTEL_EXPORTER_OTLP_HEADERS`,
/// `OTEL_EXPORTER_OTLP_TIMEOUT`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`.
#[must_use = "its layer has to be installed"]
pub struct Telemetry {
    provider: SdkTracerProvider,
}

impl Telemetry {
    /// Sends spans as the environment says, under the name `service` unless that says another one. A collector that
    /// cannot be reached costs the spans that wait for it, and nothing else.
    ///
    /// # Errors
    /// The environment names no address, or there is no runtime of tokio, on which the connection is kept.
    pub fn otlp(service: &str) -> Result<Self> {
        let names = [OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT];
        let told = names.into_iter().filter_map(std::env::var_os).find(|told| !told.is_empty());
        let plain = told.is_none_or(|told| told.to_string_lossy().starts_with(PLAIN));
        Self::exported(service, plain, SpanExporter::builder().with_tonic())
    }

    /// The same to this address, as `http://collector:4317`, whatever the environment says.
    ///
    /// # Errors
    /// It is no address, or as [`otlp`](Self::otlp).
    pub fn otlp_at(service: &str, endpoint: &str) -> Result<Self> {
        let exporter = SpanExporter::builder().with_tonic().with_endpoint(endpoint);
        Self::exported(service, endpoint.starts_with(PLAIN), exporter)
    }

    fn exported(
        service: &str,
        plain: bool,
        exporter: SpanExporterBuilder<TonicExporterBuilderSet>,
    ) -> Result<Self> {
        Handle::try_current().map_err(none)?;
        // Left to itself the exporter trusts no authority.
        let roots = || ClientTlsConfig::new().with_enabled_roots();
        let exporter = if plain { exporter } else { exporter.with_tls_config(roots()) };
        let exporter = exporter.build().map_err(none)?;
        let provider = SdkTracerProvider::builder().with_resource(resource(service));
        Ok(Self::new(provider.with_batch_exporter(exporter).build()))
    }

    /// Sends spans as `provider` does: by another protocol, with a sampler of one's own, to several collectors.
    pub const fn new(provider: SdkTracerProvider) -> Self {
        Self { provider }
    }

    /// What makes spans of `tracing` spans of OpenTelemetry, to be [added](tracing_subscriber::prelude) to a registry:
    /// those at info, and requests and elections. Another filter in its place is
    /// [`unfiltered_layer`](Self::unfiltered_layer) with it.
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        self.unfiltered_layer().with_filter(filter())
    }

    /// The same of all spans, also of what sends them, which never ends: to be filtered.
    pub fn unfiltered_layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let tracer = self.provider.tracer("watchkeeper");
        tracing_opentelemetry::layer().with_tracer(tracer).with_threads(false)
    }

    /// A client whose requests tell the server which span they belong to, by the header `traceparent` of the
    /// W3C's Trace Context: an API server that traces puts its spans below.
    #[must_use]
    pub fn propagate(&self, client: Client) -> Client {
        client.intercept(|mut request, next| {
            // Called within the span of the request.
            let context = Span::current().context();
            let mut headers = Headers(request.headers_mut());
            TraceContextPropagator::new().inject_context(&context, &mut headers);
            next.send(request)
        })
    }

    /// Sends what was not sent yet, for ten seconds at most. Spans that end later are lost.
    ///
    /// # Errors
    /// The collector did not take them, or not in time.
    ///
    /// # Cancel safety
    /// Dropping the future waits for nothing; a thread of the runtime goes on sending.
    pub async fn shut_down(self) -> Result<()> {
        let provider = self.provider;
        // It waits for its own thread, and only the first of the two tells what came of it.
        let end = move || provider.force_flush().and(provider.shutdown());
        let ended = tokio::task::spawn_blocking(end).await;
        let ended = ended.map_err(none)?;
        ended.map_err(|error| Error::other(format!("the last spans were not sent: {error}")))
    }
}

impl fmt::Debug for Telemetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Telemetry").finish_non_exhaustive()
    }
}

fn none(why: impl fmt::Display) -> Error {
    Error::other(format!("no telemetry: {why}"))
}

/// What the spans are of. The environment goes first.
fn resource(service: &str) -> Resource {
    let found = Resource::builder().build();
    let named = found.get(&"service.name".into()).is_some_and(|name| !is_unknown(&name.as_str()));
    let builder = Resource::builder();
    if named { found } else { builder.with_service_name(service.to_owned()).build() }
}

/// What the SDK calls a program that nobody named.
fn is_unknown(name: &str) -> bool {
    name.starts_with("unknown_service")
}

fn filter() -> Targets {
    let filter = Targets::new()
        .with_default(LevelFilter::INFO)
        .with_target("watchkeeper_client", LevelFilter::DEBUG)
        .with_target("watchkeeper_manager", LevelFilter::DEBUG);
    filter.with_targets(EXPORTERS.map(|exporter| (exporter, LevelFilter::OFF)))
}

/// The headers of a request.
struct Headers<'a>(&'a mut HeaderMap);

impl Injector for Headers<'_> {
    fn set(&mut self, key: &str, value: String) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(key), HeaderValue::try_from(value)) {
            self.0.insert(name, value);
        }
    }
}
