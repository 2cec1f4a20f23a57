//! A server with certificates of its own that answers `/version` and remembers who asked how.

use std::convert::Infallible;
use std::io::Write as _;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use rustls::RootCertStore;
use rustls::crypto::ring;
use rustls::server::WebPkiClientVerifier;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// Who signs.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(crate) pem: String,
    der: CertificateDer<'static>,
}

/// A certificate and its key, as PEM.
pub(crate) struct Pair {
    pub(crate) certificate: String,
    pub(crate) key: String,
    der: (CertificateDer<'static>, PrivateKeyDer<'static>),
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let mut params = params(name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        let (pem, der) = (certificate.pem(), certificate.der().clone());
        Self { issuer: Issuer::new(params, key), pem, der }
    }

    /// A certificate for a host or a client of that name.
    pub(crate) fn sign(&self, name: &str) -> Pair {
        self.sign_with(name, |_| {})
    }

    pub(crate) fn expired(&self, name: &str) -> Pair {
        self.sign_with(name, |params| {
            params.not_before = rcgen::date_time_ymd(2020, 1, 1);
            params.not_after = rcgen::date_time_ymd(2021, 1, 1);
        })
    }

    fn sign_with(&self, name: &str, change: impl FnOnce(&mut CertificateParams)) -> Pair {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let secret = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        Pair {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
            der: (certificate.der().clone(), secret),
        }
    }
}

fn params(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

/// One request as the server saw it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) what: String,
    pub(crate) http: http::Version,
    pub(crate) authorization: Option<String>,
    /// The client's certificate.
    pub(crate) certificate: Option<CertificateDer<'static>>,
    /// Which of the connections, counted from 0.
    pub(crate) connection: usize,
    /// Of the body.
    pub(crate) length: Option<String>,
    /// `Accept-Encoding`.
    pub(crate) packing: Option<String>,
    /// As whom, and what else is said of the caller: `impersonate-…` and `x-…`.
    pub(crate) told: Vec<String>,
}

/// A server that lives as long as this.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    open: watch::Receiver<usize>,
    held: watch::Sender<usize>,
    tls: watch::Sender<Option<TlsAcceptor>>,
    _tasks: JoinSet<()>,
}

/// A request whose answer, or an answer whose end, is never told. Dropped where the client gave it up.
struct Held(watch::Sender<usize>);

impl Held {
    fn new(held: &watch::Sender<usize>) -> Self {
        held.send_modify(|held| *held += 1);
        Self(held.clone())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.send_modify(|held| *held -= 1);
    }
}

/// What the handler of one connection knows.
#[derive(Clone)]
struct Shared {
    seen: Arc<Mutex<Vec<Seen>>>,
    held: watch::Sender<usize>,
    certificate: Option<CertificateDer<'static>>,
    connection: usize,
}

impl Server {
    /// Plain HTTP.
    pub(crate) async fn plain() -> Self {
        Self::start(None).await
    }

    /// HTTPS. Clients may show a certificate of `clients`.
    pub(crate) async fn tls(pair: &Pair, clients: &Authority) -> Self {
        Self::start(Some(acceptor(pair, clients))).await
    }

    async fn start(tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::default();
        let (count, open) = watch::channel(0);
        let (tls, acceptor) = watch::channel(tls);
        let held = watch::Sender::new(0);
        let mut tasks = JoinSet::new();
        let shared = Shared {
            seen: Arc::clone(&seen),
            held: held.clone(),
            certificate: None,
            connection: 0,
        };
        tasks.spawn(accept(listener, acceptor, shared, count));
        Self { address, seen, open, held, tls, _tasks: tasks }
    }

    /// Becomes another, on the same address: hangs up, and shows this certificate from now on.
    pub(crate) fn show(&self, pair: &Pair, clients: &Authority) {
        self.tls.send_replace(Some(acceptor(pair, clients)));
    }

    /// Waits until so many connections are open.
    pub(crate) async fn has_open(&mut self, connections: usize) {
        self.open.wait_for(|open| *open == connections).await.unwrap();
    }

    /// Waits until so many requests are without the end of their answer.
    pub(crate) async fn holds(&self, requests: usize) {
        self.held.subscribe().wait_for(|held| *held == requests).await.unwrap();
    }

    /// What was asked since the last time.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

pub(crate) fn acceptor(pair: &Pair, clients: &Authority) -> TlsAcceptor {
    let mut roots = RootCertStore::empty();
    roots.add(clients.der.clone()).unwrap();
    let provider = Arc::new(ring::default_provider());
    let verifier =
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
            .allow_unauthenticated()
            .build()
            .unwrap();
    let (certificate, key) = (pair.der.0.clone(), pair.der.1.clone_key());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier)
        .with_single_cert(vec![certificate], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

async fn accept(
    listener: TcpListener,
    tls: watch::Receiver<Option<TlsAcceptor>>,
    shared: Shared,
    open: watch::Sender<usize>,
) {
    let mut connections = JoinSet::new();
    for connection in 0.. {
        let (tcp, _) = listener.accept().await.unwrap();
        let (mut tls, open) = (tls.clone(), open.clone());
        let acceptor = tls.borrow_and_update().clone();
        let shared = Shared { connection, ..shared.clone() };
        open.send_modify(|open| *open += 1);
        connections.spawn(async move {
            tokio::select! {
                () = talk(tcp, acceptor, shared) => {}
                _became_another = tls.changed() => {}
            }
            open.send_modify(|open| *open -= 1);
        });
    }
}

async fn talk(tcp: TcpStream, tls: Option<TlsAcceptor>, shared: Shared) {
    let Some(tls) = tls else { return serve(tcp, shared).await };
    // A client that does not trust the server hangs up here.
    let Ok(stream) = tls.accept(tcp).await else { return };
    let certificates = stream.get_ref().1.peer_certificates();
    let certificate = certificates.map(|all| all[0].clone().into_owned());
    serve(stream, Shared { certificate, ..shared }).await;
}

async fn serve<S>(stream: S, shared: Shared)
where
    S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
{
    let service = service_fn(move |request| {
        let answer = answer(&request, &shared);
        let held = request.uri().path().contains("/held").then(|| Held::new(&shared.held));
        async move {
            if held.is_some() {
                std::future::pending::<()>().await;
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let mut builder = Builder::new(TokioExecutor::new());
    // As kube-apiserver does.
    builder.http2().max_concurrent_streams(100);
    let _ended = builder.serve_connection(TokioIo::new(stream), service).await;
}

/// A text, and perhaps no end after it.
struct Text {
    text: Option<Bytes>,
    open: bool,
    /// There is always more.
    flood: bool,
    _held: Option<Held>,
}

const MUCH: &str = match std::str::from_utf8(&[b' '; 1 << 20]) {
    Ok(text) => text,
    Err(_) => unreachable!(),
};

impl Body for Text {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.flood {
            return Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(MUCH.as_bytes())))));
        }
        match self.text.take() {
            Some(text) => Poll::Ready(Some(Ok(Frame::data(text)))),
            None if self.open => Poll::Pending,
            None => Poll::Ready(None),
        }
    }
}

/// Watches stay open.
fn answer(request: &Request<Incoming>, shared: &Shared) -> Response<Text> {
    let text = |name: &str| Some(request.headers().get(name)?.to_str().ok()?.to_owned());
    let authorization = text("authorization");
    let refused = request.uri().path().starts_with("/nobody")
        || matches!(
            authorization.as_deref(),
            // The last is of `me` with the password `stale`.
            Some("Bearer stale" | "Bearer token-1" | "Basic bWU6c3RhbGU=")
        );
    shared.seen.lock().unwrap().push(Seen {
        what: format!(
            "{} {} {:?}",
            request.method(),
            request.uri().path(),
            text("impersonate-user")
        ),
        http: request.version(),
        authorization,
        certificate: shared.certificate.clone(),
        connection: shared.connection,
        length: text("content-length"),
        packing: text("accept-encoding"),
        told: told(request.headers()),
    });
    let open = request.uri().query().is_some_and(|query| query.contains("watch=true"));
    let version = Bytes::from_static(br#"{"major":"1","minor":"36","gitVersion":"v1.36.3"}"#);
    let packing = text("accept-encoding").as_deref() == Some("gzip");
    let packed = packing && request.uri().path().contains("/packed");
    let version = if packed { two_members() } else { version };
    let version = oidc(request).unwrap_or(version);
    let flood = open && request.uri().path().contains("/flood");
    let held = open.then(|| Held::new(&shared.held));
    let text = (!open).then_some(version);
    let mut response = Response::new(Text { text, open, flood, _held: held });
    if packed {
        response.headers_mut().insert("content-encoding", HeaderValue::from_static("gzip"));
    }
    if refused {
        *response.status_mut() = StatusCode::UNAUTHORIZED;
    }
    response
}

fn told(headers: &HeaderMap) -> Vec<String> {
    let ours = |name: &str| name.starts_with("impersonate-") || name.starts_with("x-");
    let ours = headers.iter().filter(|(name, _)| ours(name.as_str()));
    let mut told: Vec<_> =
        ours.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())).collect();
    told.sort();
    told
}

/// A list of a thousand, as two members.
fn two_members() -> Bytes {
    let items: Vec<_> = (0..1000).map(|n| format!(r#"{{"metadata":{{"name":"m{n}"}}}}"#)).collect();
    let list = format!(r#"{{"metadata":{{"resourceVersion":"7"}},"items":[{}]}}"#, items.join(","));
    let (one, two) = list.as_bytes().split_at(list.len() / 3);
    let packed = [one, two].map(|part| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(part).unwrap();
        encoder.finish().unwrap()
    });
    packed.concat().into()
}

/// What an identity provider says at these paths.
fn oidc(request: &Request<Incoming>) -> Option<Bytes> {
    let told = match request.uri().path() {
        "/idp/.well-known/openid-configuration" => {
            format!(r#"{{"token_endpoint":"https://{}/token"}}"#, request.uri().authority()?)
        }
        // Until 2100.
        "/token" => {
            r#"{"id_token":"e30.eyJleHAiOjQxMDI0NDQ4MDB9.new","refresh_token":"second"}"#.into()
        }
        _ => return None,
    };
    Some(told.into())
}
