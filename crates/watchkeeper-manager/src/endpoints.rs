//! What a manager answers over HTTP: to probes, and to who scrapes.
//!
//! One of the named edges of the toolkit. The endpoints are the first to be there and the last to go, so
//! that a program which waits for its caches, or for its turn to lead, is seen to be alive.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use http::request::Parts;
use http::{HeaderValue, Response, StatusCode, header};
use tokio::net::TcpListener;
use watchkeeper_api::{Error, Result};
use watchkeeper_client::access::Need;
use watchkeeper_client::{Body, Client};
use watchkeeper_controller::Clock;

use crate::health::Checks;
use crate::sync::{Mutex, MutexGuard};

mod bind;
mod reviews;
mod scrape;
mod server;
#[cfg(feature = "tls")]
mod tls;

pub use self::bind::Bind;
pub use self::scrape::MetricsEndpoint;
pub(crate) use self::server::Served;
use self::server::Wire;
#[cfg(feature = "tls")]
pub(crate) use self::tls::CertificateReads;
#[cfg(feature = "webhooks")]
pub(crate) use self::tls::Current;
#[cfg(feature = "tls")]
pub use self::tls::Tls;

/// How long answers that are under way may take once the process ends.
const GRACE: Duration = Duration::from_secs(2);

/// The endpoints of a manager, until they are opened.
#[derive(Default)]
pub(crate) struct Endpoints {
    pub(crate) health: Arc<Checks>,
    pub(crate) ready: Arc<Checks>,
    #[cfg(feature = "webhooks")]
    pub(crate) webhooks: Arc<crate::webhook::Standing>,
    places: Mutex<Places>,
}

#[derive(Default)]
struct Places {
    probes: Bind,
    metrics: Option<MetricsEndpoint>,
    #[cfg(feature = "profiles")]
    profiles: Bind,
    #[cfg(feature = "tls")]
    reads: Option<Arc<CertificateReads>>,
    #[cfg(feature = "webhooks")]
    webhooks: Option<crate::webhook::WebhookServer>,
    #[cfg(all(feature = "prometheus", feature = "webhooks"))]
    webhook_metrics: Option<Arc<crate::webhook::PrometheusMetrics>>,
}

impl Endpoints {
    /// Says where probes are answered.
    pub(crate) fn probes_at(&self, bind: Bind) {
        self.lock().probes = bind;
    }

    /// Says where and how metrics are told, and what that needs.
    pub(crate) fn metrics_at(&self, endpoint: MetricsEndpoint) -> Vec<Need> {
        let reviews = endpoint.authorized.then(reviews::Reviews::needs);
        let needs = reviews.into_iter().flatten();
        #[cfg(feature = "webhooks")]
        let needs = needs.chain(endpoint.tls.iter().flat_map(Tls::needs));
        let needs = needs.collect();
        self.lock().metrics = Some(endpoint);
        needs
    }

    /// Says where profiles are taken.
    #[cfg(feature = "profiles")]
    pub(crate) fn profiles_at(&self, bind: Bind) {
        self.lock().profiles = bind;
    }

    /// Says where webhooks are asked, and with which certificate, and what that needs.
    #[cfg(feature = "webhooks")]
    pub(crate) fn webhooks_at(&self, server: crate::webhook::WebhookServer) -> Vec<Need> {
        let needs = server.needs();
        self.webhooks.are_wanted();
        self.lock().webhooks = Some(server);
        needs
    }

    /// Tells how webhooks are asked and answer.
    #[cfg(all(feature = "prometheus", feature = "webhooks"))]
    pub(crate) fn webhooks_told_to(&self, metrics: Arc<crate::webhook::PrometheusMetrics>) {
        self.lock().webhook_metrics = Some(metrics);
    }

    /// Counts how often the files of a certificate are read.
    #[cfg(all(feature = "prometheus", feature = "tls"))]
    pub(crate) fn counted_by(&self, reads: Arc<CertificateReads>) {
        self.lock().reads = Some(reads);
    }

    /// Listens, and answers from now on. `client` asks who may, and keeps certificates; `clock` says how old these
    /// are.
    ///
    /// # Errors
    /// An address cannot be had, or a certificate; webhooks were put together wrongly.
    pub(crate) async fn open(&self, client: &Client, clock: &Clock) -> Result<Served> {
        let places = std::mem::take(&mut *self.lock());
        #[cfg(feature = "tls")]
        let edge = tls::Edge { client: client.clone(), clock: clock.clone() };
        #[cfg(not(feature = "tls"))]
        let _ = clock;
        let mut served = Served::default();
        if let Some(listener) = listener(places.probes, "health probes").await? {
            let (health, ready) = (Arc::clone(&self.health), Arc::clone(&self.ready));
            served.add(listener, Wire::Plain, GRACE, Arc::new(Probes { health, ready }));
        }
        if let Some(endpoint) = places.metrics
            && let Some(listener) = listener(endpoint.bind, "metrics").await?
        {
            let wire = Wire::Plain;
            #[cfg(feature = "tls")]
            let wire = match endpoint.tls {
                Some(tls) => served.secured(tls, places.reads.clone(), &edge).await?.0,
                None => wire,
            };
            let client = endpoint.authorized.then(|| client.clone());
            served.add(listener, wire, GRACE, MetricsEndpoint::answers(endpoint.pages, client));
        }
        #[cfg(feature = "profiles")]
        if let Some(listener) = listener(places.profiles, "profiles").await? {
            served.add(listener, Wire::Plain, GRACE, Arc::new(crate::profiles::Profiles::new()));
        }
        #[cfg(feature = "webhooks")]
        if let Some(webhooks) = places.webhooks {
            let figures = self.open_webhooks(&mut served, webhooks, places.reads, &edge).await?;
            #[cfg(feature = "prometheus")]
            if let Some(metrics) = places.webhook_metrics {
                metrics.served(&figures);
            }
            drop(figures);
        }
        Ok(served)
    }

    /// Lets webhooks be asked; gives their figures.
    #[cfg(feature = "webhooks")]
    async fn open_webhooks(
        &self,
        served: &mut Served,
        server: crate::webhook::WebhookServer,
        reads: Option<Arc<CertificateReads>>,
        edge: &tls::Edge,
    ) -> Result<Arc<crate::webhook::Figures>> {
        let (bind, tls, webhooks) = server.into_parts();
        let webhooks = crate::webhook::WebhookServer::served(webhooks)?;
        let figures = Arc::clone(&webhooks.figures);
        let Some(listener) = listener(bind, "webhooks").await? else {
            self.webhooks.are_nowhere();
            return Ok(figures);
        };
        let (wire, certificate) = served.secured(tls, reads, edge).await?;
        self.webhooks.listen(certificate);
        served.add(listener, wire, crate::webhook::GRACE, webhooks);
        Ok(figures)
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn listener(bind: Bind, what: &str) -> Result<Option<TcpListener>> {
    let named = bind.to_string();
    let failed =
        |error: io::Error| Error::other(format!("{what} cannot be served at {named}: {error}"));
    let listener = bind.listen().await.map_err(failed)?;
    if let Some(address) = listener.as_ref().map(TcpListener::local_addr) {
        tracing::info!(address = %address.map_err(failed)?, "serving {what}");
    }
    Ok(listener)
}

/// What an endpoint answers.
pub(crate) trait Answers: Send + Sync + 'static {
    fn answer(self: Arc<Self>, request: Parts, body: Body) -> Answering;
}

pub(crate) type Answering = Pin<Box<dyn Future<Output = Response<Body>> + Send>>;

/// `/healthz` and `/readyz`.
struct Probes {
    health: Arc<Checks>,
    ready: Arc<Checks>,
}

impl Answers for Probes {
    fn answer(self: Arc<Self>, request: Parts, _body: Body) -> Answering {
        Box::pin(async move {
            let path = decoded(request.uri.path());
            let (endpoint, name) =
                path.trim_matches('/').split_once('/').unwrap_or((path.trim_matches('/'), ""));
            let checks = match endpoint {
                "healthz" => &self.health,
                "readyz" => &self.ready,
                _ => return not_found(),
            };
            checks.answer(name, request.uri.query().unwrap_or_default()).await
        })
    }
}

/// An answer in words.
pub(crate) fn text(status: StatusCode, said: impl Into<String>) -> Response<Body> {
    let mut answer = Response::new(Body::from(said.into()));
    *answer.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, plain);
    let as_it_is = HeaderValue::from_static("nosniff");
    answer.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, as_it_is);
    answer
}

pub(crate) fn not_found() -> Response<Body> {
    text(StatusCode::NOT_FOUND, "404 page not found\n")
}

/// The names and values of a query.
pub(crate) fn pairs(query: &str) -> impl Iterator<Item = (String, String)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let spaced = |text: &str| decoded(&text.replace('+', " "));
        (spaced(name), spaced(value))
    })
}

/// The text that `%20` and its like stand for; what stands for none stays.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((first, behind)) = rest.split_first() {
        let code = behind.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|code| str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests;
