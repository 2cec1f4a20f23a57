//! The service given to a client: credentials, the server's address, connections.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::header::AUTHORIZATION;
use http::{HeaderMap, Request, Response, StatusCode, Uri};
use rustls_pki_types::ServerName;
use tower_service::Service;
use watchkeeper_api::Result;
use watchkeeper_client::{Body, BoxError};

use crate::auth::{Auth, Credentials};
use crate::connector::Connector;
use crate::explain::{Answer, explain};
use crate::pool::{Pool, Turn};
use crate::say;
use crate::tls::{Identity, Trust, client_config};

/// A server, and who calls it.
#[derive(Clone)]
pub(crate) struct Connection(Arc<Inner>);

pub(crate) struct Inner {
    /// Scheme, host, port, and perhaps a path before all paths.
    pub(crate) server: Uri,
    pub(crate) trust: Trust,
    pub(crate) server_name: Option<ServerName<'static>>,
    pub(crate) identity: Option<Identity>,
    pub(crate) auth: Auth,
    /// Sent with each request: impersonation.
    pub(crate) headers: HeaderMap,
    /// `context "a" of ~/.kube/config`, for errors.
    pub(crate) origin: String,
    /// Connections of one identity; more than one when there are many answers under way.
    pub(crate) pools: Mutex<Vec<Arc<Pool>>>,
}

impl Connection {
    /// Connects to nothing yet, but sees whether it could.
    pub(crate) fn open(inner: Inner) -> Result<Self> {
        let fits = client_config(&inner.trust, inner.identity.as_ref());
        fits.map_err(|what| say!("{}: {what}", inner.origin))?;
        Ok(Self(Arc::new(inner)))
    }

    async fn send(self, request: Request<Body>) -> Result<Response<Answer>, BoxError> {
        let inner = &self.0;
        let credentials = inner.auth.credentials().await?;
        let (pool, turn) = inner.pool(&credentials)?;
        let request = inner.address(request, &credentials)?;
        let answer = pool.http.request(request).await;
        let answer = answer.map_err(|error| explain(error, &inner.server, &inner.origin))?;
        if answer.status() == StatusCode::UNAUTHORIZED {
            inner.auth.refused(&credentials);
        }
        Ok(answer.map(|body| Answer::new(body, turn)))
    }
}

impl Inner {
    /// Connections for these credentials that take one more answer: new ones when a plugin brought a new
    /// certificate. Who still has the one before goes with the newer.
    fn pool(&self, credentials: &Credentials) -> Result<(Arc<Pool>, Turn), BoxError> {
        let run = if credentials.identity.is_some() { credentials.run } else { 0 };
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = pools.first().map_or(run, |pool| pool.run);
        if newest < run || run == 0 {
            pools.retain(|pool| pool.run == run);
        }
        let newer = pools.first().filter(|_| newest > run);
        if let Some(pool) = pools.iter().find(|pool| !pool.is_full()).or(newer) {
            return Ok((Arc::clone(pool), pool.turn()));
        }
        let identity = credentials.identity.as_ref().or(self.identity.as_ref());
        let tls = client_config(&self.trust, identity)
            .map_err(|what| format!("{} cannot be used: {what}", self.origin))?;
        let connector = Connector::new(Arc::new(tls), self.server_name.clone());
        let pool = Arc::new(Pool::new(connector, run));
        pools.push(Arc::clone(&pool));
        Ok((Arc::clone(&pool), pool.turn()))
    }

    /// Puts the server before the path, and the credentials into the head.
    fn address(
        &self,
        mut request: Request<Body>,
        credentials: &Credentials,
    ) -> Result<Request<Body>, BoxError> {
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let prefix = self.server.path().trim_end_matches('/');
        let mut parts = self.server.clone().into_parts();
        parts.path_and_query = Some(format!("{prefix}{path}").parse()?);
        *request.uri_mut() = Uri::from_parts(parts)?;
        let headers = request.headers_mut();
        for (name, value) in &self.headers {
            headers.append(name, value.clone());
        }
        if let Some(header) = &credentials.header {
            headers.insert(AUTHORIZATION, header.clone());
        }
        Ok(request)
    }
}

impl Service<Request<Body>> for Connection {
    type Response = Response<Answer>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Answer>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(self.clone().send(request))
    }
}

#[cfg(test)]
mod tests;
