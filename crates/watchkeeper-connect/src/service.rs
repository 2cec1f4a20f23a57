//! The service given to a client: credentials, the server's address, connections.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use http::header::{ACCEPT_ENCODING, AUTHORIZATION, PROXY_AUTHORIZATION};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri};
use hyper_util::client::legacy::Error as HyperError;
use hyper_util::rt::TokioIo;
use rustls_pki_types::ServerName;
use tower_service::Service;
use watchkeeper_api::Result;
use watchkeeper_client::{Body, BoxError, Hint, Upgrade};

use crate::auth::{Auth, Credentials};
use crate::certs::{Certs, Material};
use crate::connector::{Connector, Via};
use crate::explain::{Answer, explain, is_about_certificates, is_about_ours};
use crate::pool::{Age, Pool, Turn, Use};
use crate::proxy::Proxy;
use crate::say;
use crate::say::{Failure, Names};
use crate::tls::{Identity, Trust, client_config, proxy_config};

/// A server, and who calls it.
#[derive(Clone)]
pub(crate) struct Connection(Arc<Inner>);

pub(crate) struct Inner {
    /// Scheme, host, port, and perhaps a path before all paths.
    pub(crate) server: Uri,
    pub(crate) certs: Certs,
    pub(crate) server_name: Option<ServerName<'static>>,
    pub(crate) auth: Auth,
    pub(crate) proxy: Option<Arc<Proxy>>,
    /// Whether lists may come compressed.
    pub(crate) compression: bool,
    /// Sent with each request: impersonation.
    pub(crate) headers: HeaderMap,
    /// For errors.
    pub(crate) names: Names,
    /// Connections, by what they are for; more than one when there are many answers under way.
    pub(crate) pools: Mutex<Vec<Arc<Pool>>>,
}

/// What a request is sent with.
struct Presented {
    credentials: Credentials,
    material: Arc<Material>,
    /// The caller says who calls: no credentials of ours are sent.
    own: bool,
}

impl Presented {
    /// Whether this is something else than what was refused.
    fn differs(&self, refused: &Self) -> bool {
        let (ours, theirs) = (&self.credentials, &refused.credentials);
        ours.header != theirs.header
            || (ours.identity.is_some() && ours.run != theirs.run)
            || self.material.generation != refused.material.generation
    }

    /// Whether other credentials could mend that: not where it is we who do not trust the server, nor where the server
    /// does not take a certificate that did not come with them.
    fn are_credentials_refused(&self, opened: &Result<Opened, HyperError>) -> bool {
        !self.own
            && match opened {
                Ok(_unauthorized) => true,
                Err(error) => self.credentials.identity.is_some() && is_about_ours(error),
            }
    }

    /// Whether the server did nothing because of who we are, or we because of who it is.
    fn is_refused(&self, opened: &Result<Opened, HyperError>) -> bool {
        match opened {
            Ok((answer, _)) => !self.own && answer.status() == StatusCode::UNAUTHORIZED,
            Err(error) => is_about_certificates(error),
        }
    }

    /// A plugin's certificate wins over that of the kubeconfig.
    fn age(&self) -> Age {
        let run = if self.credentials.identity.is_some() { self.credentials.run } else { 0 };
        Age { run, generation: self.material.generation }
    }
}

/// An answer under way, and the connections that bring it.
type Opened = (Response<hyper::body::Incoming>, Turn);

impl Connection {
    /// Connects to nothing yet, but sees whether it could.
    pub(crate) fn open(inner: Inner) -> Result<Self> {
        inner.certs.fit().map_err(|what| say!("{}: {what}", inner.names.user))?;
        Ok(Self(Arc::new(inner)))
    }

    /// Sends, and once more with other credentials or certificates when those at hand are refused.
    async fn send(self, request: Request<Body>) -> Result<Response<Answer>, BoxError> {
        let inner = &self.0;
        let again = copy(&request);
        let mut with = inner.present(inner.says_who(&request)).await?;
        let mut opened = inner.exchange(request, &with).await?;
        if let Some(again) = again
            && with.is_refused(&opened)
            && let Some(second) = {
                let credentials = with.are_credentials_refused(&opened);
                inner.present_another(&with, credentials).await
            }
        {
            opened = inner.exchange(again, &second).await?;
            with = second;
        }
        let shown = || inner.certificate(&with);
        let opened = opened.map_err(|error| explain(error, &inner.server, &inner.names, shown()));
        let (mut answer, turn) = opened?;
        if answer.status() == StatusCode::UNAUTHORIZED && !with.own {
            let unknown = inner.auth.unknown(shown().as_deref());
            answer.extensions_mut().insert(Hint::new(format!("{}: {unknown}", inner.names.user)));
        }
        if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
            let stream = hyper::upgrade::on(&mut answer);
            answer.extensions_mut().insert(Upgrade::new(async { stream.await.map(TokioIo::new) }));
        }
        Ok(Answer::new(answer, turn))
    }
}

impl Inner {
    /// What to send now; an error tells whose credentials are not to be had.
    pub(crate) async fn credentials(&self) -> Result<Credentials, Failure> {
        let got = self.auth.credentials().await;
        got.map_err(|error| Failure(format!("{}: {error}", self.names.user)))
    }

    /// Whether the caller says who calls. Nobody is contradicted, nor refreshed (upstream:
    /// `transport/round_trippers.go`).
    fn says_who(&self, request: &Request<Body>) -> bool {
        self.headers.contains_key(AUTHORIZATION) || request.headers().contains_key(AUTHORIZATION)
    }

    /// Where the client certificate is from that is shown.
    fn certificate(&self, with: &Presented) -> Option<String> {
        match &self.auth {
            Auth::Exec(plugin) if with.credentials.identity.is_some() => {
                Some(format!("that of {}", plugin.name()))
            }
            _ => self.certs.ours(),
        }
    }

    async fn present(&self, own: bool) -> Result<Presented, BoxError> {
        let credentials = if own { self.auth.at_hand() } else { self.credentials().await? };
        Ok(Presented { credentials, material: self.certs.current().await, own })
    }

    /// What to try after this was refused, perhaps because of the `credentials`; `None` when there is nothing else.
    async fn present_another(&self, refused: &Presented, credentials: bool) -> Option<Presented> {
        if credentials {
            self.auth.refused(&refused.credentials);
        }
        self.certs.doubt();
        // A plugin that fails says so at the next request; this one's answer is the server's.
        let another = self.present(refused.own).await.ok()?;
        another.differs(refused).then_some(another)
    }

    /// One request on one connection. The outer error is of what was to be sent.
    async fn exchange(
        &self,
        request: Request<Body>,
        with: &Presented,
    ) -> Result<Result<Opened, HyperError>, BoxError> {
        let purpose = Use::of(&request);
        let (pool, turn) = self.pool(with, purpose)?;
        let request = self.address(request, &with.credentials)?;
        let answer = pool.http.request(request).await;
        Ok(answer.map(|answer| (answer, turn)))
    }

    /// Connections that take one more answer: new ones when there are new certificates. Who still has
    /// those before goes with the newer.
    fn pool(&self, with: &Presented, purpose: Use) -> Result<(Arc<Pool>, Turn), BoxError> {
        let age = with.age();
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = pools.first().map_or(age, |pool| pool.age);
        if newest < age || (age.run == 0 && newest.run > 0) {
            pools.clear();
        }
        let newest = pools.first().map_or(age, |pool| pool.age);
        let fits = |pool: &&Arc<Pool>| pool.purpose == purpose && pool.age >= age;
        let free = pools.iter().filter(fits).find(|pool| !pool.is_full());
        if let Some(pool) = free.or_else(|| pools.iter().find(fits).filter(|_| newest > age)) {
            return Ok((Arc::clone(pool), Pool::turn(pool)));
        }
        let identity = with.credentials.identity.as_ref().or(with.material.identity.as_ref());
        let connector = self
            .connector(&with.material.trust, identity, purpose)
            .map_err(|what| format!("{}: {what}", self.names.user))?;
        let pool = Arc::new(Pool::new(connector, age, purpose));
        pools.push(Arc::clone(&pool));
        Ok((Arc::clone(&pool), Pool::turn(&pool)))
    }

    fn connector(
        &self,
        trust: &Trust,
        identity: Option<&Identity>,
        purpose: Use,
    ) -> Result<Connector, String> {
        let mut tls = client_config(trust, identity)?;
        if purpose == Use::Streams {
            tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        }
        let via = match &self.proxy {
            None => None,
            Some(proxy) => {
                let tls = Arc::new(proxy_config(trust)?);
                Some(Via { proxy: Arc::clone(proxy), tls })
            }
        };
        Ok(Connector::new(Arc::new(tls), self.server_name.clone(), via))
    }

    /// Puts the server before the path, and the credentials into the head.
    fn address(
        &self,
        mut request: Request<Body>,
        credentials: &Credentials,
    ) -> Result<Request<Body>, BoxError> {
        // The client unpacks nothing and asks for `identity`; this does.
        let asked = request.headers().get(ACCEPT_ENCODING);
        let packed = self.compression
            && request.method() == Method::GET
            && Use::of(&request) == Use::Calls
            && asked.is_none_or(|asked| asked == "identity");
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let prefix = self.server.path().trim_end_matches('/');
        let mut parts = self.server.clone().into_parts();
        parts.path_and_query = Some(format!("{prefix}{path}").parse()?);
        *request.uri_mut() = Uri::from_parts(parts)?;
        let headers = request.headers_mut();
        let (said, acts) =
            (headers.contains_key(AUTHORIZATION), headers.contains_key("impersonate-user"));
        // Of the call's own word and the configuration's, the call's counts: nobody is a member of another's groups.
        let counts = |name: &HeaderName| match name.as_str() {
            "authorization" => !said,
            name => !acts || !name.starts_with("impersonate-"),
        };
        for (name, value) in self.headers.iter().filter(|(name, _)| counts(name)) {
            headers.append(name, value.clone());
        }
        if let Some(header) = &credentials.header {
            headers.insert(AUTHORIZATION, header.clone());
        }
        if packed {
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        }
        let plain = self.server.scheme_str() != Some("https");
        let forwards = self.proxy.as_ref().filter(|proxy| plain && proxy.forwards());
        if let Some(login) = forwards.and_then(|proxy| proxy.authorization()) {
            headers.insert(PROXY_AUTHORIZATION, login);
        }
        Ok(request)
    }
}

/// The same request once more, if its body can be sent twice.
fn copy(request: &Request<Body>) -> Option<Request<Body>> {
    let mut copy = Request::new(request.body().again()?);
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.version_mut() = request.version();
    copy.headers_mut().clone_from(request.headers());
    copy.extensions_mut().clone_from(request.extensions());
    Some(copy)
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
