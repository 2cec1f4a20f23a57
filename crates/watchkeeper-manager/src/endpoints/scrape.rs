//! The endpoint that is scraped: metrics, and pages beside them.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use http::request::Parts;
use http::{HeaderValue, Method, Response, StatusCode, header};
use watchkeeper_client::{Body, Client};

use super::reviews::Reviews;
use super::{Answering, Answers, Bind, decoded, not_found, text};

/// Where the metrics are.
const METRICS: &str = "/metrics";
/// What the metrics are written in.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// What a manager tells to who scrapes it, for [`Manager::serve_metrics`](crate::Manager::serve_metrics):
/// `/metrics`, and pages of one's own.
#[must_use = "a manager has to be given it"]
pub struct MetricsEndpoint {
    pub(super) bind: Bind,
    pub(super) pages: Pages,
    pub(super) authorized: bool,
    #[cfg(feature = "tls")]
    pub(super) tls: Option<super::Tls>,
}

impl MetricsEndpoint {
    /// Metrics that `encode` writes, in the text format of OpenMetrics, whenever they are asked for. With the
    /// feature `prometheus`, `MetricsEndpoint::of` writes those of a registry of `prometheus-client`.
    pub fn new(
        bind: impl Into<Bind>,
        encode: impl Fn(&mut String) -> fmt::Result + Send + Sync + 'static,
    ) -> Self {
        let pages = Pages { encode: Box::new(encode), others: BTreeMap::new() };
        Self {
            bind: bind.into(),
            pages,
            authorized: false,
            #[cfg(feature = "tls")]
            tls: None,
        }
    }

    /// The metrics of a registry of `prometheus-client`.
    ///
    /// ```no_run
    /// use prometheus_client::registry::Registry;
    /// use watchkeeper_manager::{Manager, Metrics, MetricsEndpoint, signals};
    ///
    /// # async fn f(client: watchkeeper_client::Client) -> watchkeeper_api::Result<()> {
    /// let mut registry = Registry::default();
    /// let metrics = Metrics::register(&mut registry);
    /// // … metrics of one's own
    /// let manager = Manager::new(&client)
    ///     .metrics(metrics)
    ///     .serve_metrics(MetricsEndpoint::of(":8080", registry));
    /// // … the watches and controllers
    /// manager.run(signals::shutdown()).await
    /// # }
    /// ```
    #[cfg(feature = "prometheus")]
    pub fn of(
        bind: impl Into<Bind>,
        registry: impl Into<Arc<prometheus_client::registry::Registry>>,
    ) -> Self {
        let registry = registry.into();
        Self::new(bind, move |text| prometheus_client::encoding::text::encode(text, &registry))
    }

    /// Answers only those who may: each request has a bearer token, which the API server is asked about
    /// (`TokenReview`), and whether its holder may `get` the path (`SubjectAccessReview`); what it says is
    /// believed for a minute of the token, for five of a yes, and for half of one of a no (upstream:
    /// `WithAuthenticationAndAuthorization`).
    ///
    /// The program needs to create both reviews, as [`Manager::needs`](crate::Manager::needs) tells; who
    /// scrapes needs the verb `get` on the non-resource URL `/metrics`. Tokens go over the wire: use TLS.
    pub const fn authorized(mut self) -> Self {
        self.authorized = true;
        self
    }

    /// Answers over TLS.
    ///
    /// ```
    /// use watchkeeper_manager::{MetricsEndpoint, Tls};
    ///
    /// let tls = Tls::files("/tmp/k8s-metrics-server/serving-certs/tls.crt", "/tmp/k8s-metrics-server/serving-certs/tls.key");
    /// let endpoint = MetricsEndpoint::new(":8443", |_text| Ok(())).tls(tls).authorized();
    /// # drop(endpoint);
    /// ```
    #[cfg(feature = "tls")]
    pub fn tls(mut self, tls: super::Tls) -> Self {
        self.tls = Some(tls);
        self
    }

    /// A page of one's own beside the metrics, for the same eyes (upstream: `AddMetricsServerExtraHandler`).
    /// Metrics stay at `/metrics`, whatever page is put there.
    ///
    /// ```
    /// use http::Response;
    /// use watchkeeper_client::Body;
    /// use watchkeeper_manager::MetricsEndpoint;
    ///
    /// let endpoint = MetricsEndpoint::new(":8080", |_text| Ok(()))
    ///     .page("/version", async |_request| Response::new(Body::from("1.0.0")));
    /// # drop(endpoint);
    /// ```
    pub fn page<F, Fut>(mut self, path: &str, answer: F) -> Self
    where
        F: Fn(Parts) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Response<Body>> + Send + 'static,
    {
        let answer = move |request| -> Answering { Box::pin(answer(request)) };
        self.pages.others.insert(path.to_owned(), Box::new(answer));
        self
    }

    /// What answers, with `client` to ask about who asks.
    pub(super) fn answers(pages: Pages, reviews: Option<Client>) -> Arc<dyn Answers> {
        Arc::new(Scraped { pages, reviews: reviews.map(Reviews::new) })
    }
}

impl fmt::Debug for MetricsEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MetricsEndpoint")
            .field("bind", &self.bind)
            .field("pages", &self.pages.others.keys())
            .field("authorized", &self.authorized)
            .finish_non_exhaustive()
    }
}

/// What there is to read.
pub(super) struct Pages {
    encode: Box<dyn Fn(&mut String) -> fmt::Result + Send + Sync>,
    others: BTreeMap<String, Page>,
}

type Page = Box<dyn Fn(Parts) -> Answering + Send + Sync>;

struct Scraped {
    pages: Pages,
    reviews: Option<Reviews>,
}

impl Answers for Scraped {
    fn answer(self: Arc<Self>, request: Parts, _body: Body) -> Answering {
        Box::pin(async move {
            let path = decoded(request.uri.path());
            let page = self.pages.others.get(&path);
            if path != METRICS && page.is_none() {
                return not_found();
            }
            if let Some(reviews) = &self.reviews
                && let Some(refusal) = reviews.refusal(&request, &path).await
            {
                return refusal;
            }
            match page {
                Some(page) if path != METRICS => page(request).await,
                _ => self.pages.metrics(&request.method),
            }
        })
    }
}

impl Pages {
    fn metrics(&self, method: &Method) -> Response<Body> {
        if !matches!(*method, Method::GET | Method::HEAD) {
            return text(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed\n");
        }
        let mut written = String::new();
        if (self.encode)(&mut written).is_err() {
            tracing::error!("the metrics could not be written");
            return text(StatusCode::INTERNAL_SERVER_ERROR, "the metrics cannot be written\n");
        }
        let mut answer = text(StatusCode::OK, written);
        let kind = HeaderValue::from_static(OPEN_METRICS);
        answer.headers_mut().insert(header::CONTENT_TYPE, kind);
        answer
    }
}

#[cfg(test)]
mod tests;
