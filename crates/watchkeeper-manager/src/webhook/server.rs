//! Webhooks over HTTPS.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use http::request::Parts;
use http::{Response, StatusCode};
use tokio::time::timeout;
use watchkeeper_api::{Error, Result};
use watchkeeper_client::Body;
use watchkeeper_client::access::Need;

use super::Webhooks;
use super::figures::Figures;
use crate::endpoints::{Answering, Answers, Bind, Current, Tls, text};
use crate::sync::Mutex;

/// How long a body may take: no server waits longer for its answer.
const BODY_TIME: Duration = Duration::from_secs(30);
/// How long answers that are under way may take once the process ends; connections without one end at once.
pub(crate) const GRACE: Duration = Duration::from_secs(30);

/// The webhooks of a program, where they are asked and with which certificate, for
/// [`Manager::serve_webhooks`](crate::Manager::serve_webhooks). Upstream: `webhook.Server`.
///
/// ```
/// use watchkeeper_manager::webhook::{Webhooks, WebhookServer};
/// use watchkeeper_manager::{Manager, Tls};
///
/// # fn f(client: &watchkeeper_client::Client) {
/// // As cert-manager writes them into a volume.
/// let folder = "/tmp/k8s-webhook-server/serving-certs";
/// let tls = Tls::files(format!("{folder}/tls.crt"), format!("{folder}/tls.key"));
/// let server = WebhookServer::new(":9443", tls, Webhooks::new());
/// let manager = Manager::new(client).serve_webhooks(server);
/// manager.ready_check("webhooks", manager.webhooks_started());
/// # }
/// # f(&watchkeeper_client::Client::unconnected());
/// ```
#[derive(Debug)]
#[must_use = "a manager has to be given it"]
pub struct WebhookServer {
    bind: Bind,
    tls: Tls,
    webhooks: Webhooks,
}

impl WebhookServer {
    /// Serves `webhooks` at an address; upstream's is `:9443`, and `0` is nowhere.
    pub fn new(bind: impl Into<Bind>, tls: Tls, webhooks: Webhooks) -> Self {
        Self { bind: bind.into(), tls, webhooks }
    }

    /// What answers, once there is a listener.
    ///
    /// # Errors
    /// The webhooks were put together wrongly.
    pub(crate) fn served(webhooks: Webhooks) -> Result<Arc<Served>> {
        webhooks.check()?;
        let figures = Arc::new(Figures::new(webhooks.paths()));
        Ok(Arc::new(Served { webhooks, figures }))
    }

    /// What the program needs to be allowed.
    pub(crate) fn needs(&self) -> Vec<Need> {
        self.tls.needs()
    }

    pub(crate) fn into_parts(self) -> (Bind, Tls, Webhooks) {
        (self.bind, self.tls, self.webhooks)
    }
}

/// Webhooks that are asked over the wire.
pub(crate) struct Served {
    webhooks: Webhooks,
    pub(crate) figures: Arc<Figures>,
}

impl Answers for Served {
    fn answer(self: Arc<Self>, request: Parts, body: Body) -> Answering {
        Box::pin(async move {
            let in_flight = self.figures.of(request.uri.path()).map(|figures| figures.begin());
            let answer = self.answered(&request, body).await;
            if let Some(in_flight) = in_flight {
                in_flight.answered(answer.status().as_u16());
            }
            answer
        })
    }
}

impl Served {
    async fn answered(&self, request: &Parts, body: Body) -> Response<Body> {
        let path = request.uri.path();
        let longest = Webhooks::longest_body(path);
        let body = match timeout(BODY_TIME, body.collect(longest)).await {
            Ok(Ok(body)) => body,
            // Who broke off is not there to be told.
            Ok(Err(_too_long)) => return Webhooks::too_long(path).map(Body::from),
            Err(_elapsed) => {
                return text(StatusCode::REQUEST_TIMEOUT, "the request came too slowly\n");
            }
        };
        let (answer, panicked) = self.webhooks.answered(request, &body).await;
        if let Some(panicked) = panicked {
            self.figures.count_panic(panicked);
        }
        answer.map(Body::from)
    }
}

/// How far a server of webhooks has come, for who asks whether it is ready.
#[derive(Debug, Default)]
pub(crate) struct Standing(Mutex<Stage>);

#[derive(Clone, Debug, Default)]
enum Stage {
    /// Nobody asked for one, or it is nowhere.
    #[default]
    Nowhere,
    Wanted,
    /// With this certificate, if there is one yet.
    Listens(Arc<Current>),
}

impl Standing {
    pub(crate) fn are_nowhere(&self) {
        self.set(Stage::Nowhere);
    }

    pub(crate) fn are_wanted(&self) {
        self.set(Stage::Wanted);
    }

    pub(crate) fn listen(&self, certificate: Arc<Current>) {
        self.set(Stage::Listens(certificate));
    }

    /// # Errors
    /// It does not listen yet, or has no certificate.
    pub(crate) fn check(&self) -> Result<()> {
        let stage = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match stage {
            Stage::Nowhere => Ok(()),
            Stage::Wanted => Err(Error::other("webhook server has not been started yet")),
            Stage::Listens(certificate) if certificate.get().is_none() => {
                Err(Error::other("webhook server has no certificate yet: the log tells why"))
            }
            Stage::Listens(_) => Ok(()),
        }
    }

    fn set(&self, stage: Stage) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }
}
