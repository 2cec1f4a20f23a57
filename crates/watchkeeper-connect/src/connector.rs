//! From a host to a byte stream: TCP, perhaps through a proxy, and TLS over it.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Extensions, Uri};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::Error as HyperError;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use rustls::{AlertDescription, ClientConfig};
use rustls_pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tower_service::Service;
use watchkeeper_client::BoxError;

use crate::proxy::Proxy;

#[cfg(test)]
mod tests;

/// How long one attempt to connect may take, and each step after it. The call's own deadline is longer, so
/// the error says which address did not answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// What was sent is acknowledged within this time, or the peer is dead. HTTP/1.1 knows no ping. Linux also ends a
/// connection whose peer leaves the questions below unanswered by this time and not by their number (tcp(7)), so
/// it is the time after which the last of them would be given up.
const ACKNOWLEDGE_TIMEOUT: Duration = Duration::from_secs(25);
/// A silent peer is asked whether it is there after the first time, then so often, so many times.
const KEEPALIVE: (Duration, Duration, u32) = (Duration::from_secs(10), Duration::from_secs(5), 3);

/// Bytes there and back.
pub(crate) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

pub(crate) type Wire = Box<dyn Io>;

/// Connects to a server.
#[derive(Clone)]
pub(crate) struct Connector {
    tcp: HttpConnector,
    tls: TlsConnector,
    /// What the certificate is to be for, when not for the host.
    server_name: Option<ServerName<'static>>,
    proxy: Option<Via>,
}

/// A proxy, and how to know it.
#[derive(Clone)]
pub(crate) struct Via {
    pub(crate) proxy: Arc<Proxy>,
    pub(crate) tls: Arc<ClientConfig>,
}

impl Connector {
    pub(crate) fn new(
        tls: Arc<ClientConfig>,
        server_name: Option<ServerName<'static>>,
        proxy: Option<Via>,
    ) -> Self {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(KEEPALIVE.0));
        tcp.set_keepalive_interval(Some(KEEPALIVE.1));
        tcp.set_keepalive_retries(Some(KEEPALIVE.2));
        #[cfg(target_os = "linux")]
        tcp.set_tcp_user_timeout(Some(ACKNOWLEDGE_TIMEOUT));
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        Self { tcp, tls: TlsConnector::from(tls), server_name, proxy }
    }

    async fn connect(mut self, uri: Uri) -> Result<Stream, BoxError> {
        let encrypted = uri.scheme_str() == Some("https");
        let forwarded = !encrypted && self.proxy.as_ref().is_some_and(|via| via.proxy.forwards());
        let wire = match &self.proxy {
            None => Box::new(self.tcp.call(uri.clone()).await?.into_inner()),
            Some(via) => through(via, &mut self.tcp, &uri, forwarded).await?,
        };
        if !encrypted {
            return Ok(Stream::of(wire, false, forwarded));
        }
        let name = self.server_name.map_or_else(|| host(&uri), Ok)?;
        let stream = in_time(self.tls.connect(name, wire)).await??;
        let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok(Stream::of(Box::new(stream), http2, forwarded))
    }
}

/// A stream to the host of `uri`; to the proxy itself where it forwards requests.
async fn through(
    via: &Via,
    tcp: &mut HttpConnector,
    uri: &Uri,
    forwarded: bool,
) -> Result<Wire, BoxError> {
    let proxy = &via.proxy;
    let reached = tcp.call(proxy.address()).await;
    let reached = reached.map_err(|error| proxy.unreachable(&error))?;
    let mut wire: Wire = Box::new(reached.into_inner());
    if proxy.is_encrypted() {
        let connector = TlsConnector::from(Arc::clone(&via.tls));
        let connecting = connector.connect(host(&proxy.address())?, wire);
        let stream = in_time(connecting).await.and_then(|stream| stream);
        wire = Box::new(stream.map_err(|error| proxy.unreachable(&error))?);
    }
    if !forwarded {
        let opened = in_time(proxy.open(&mut wire, uri)).await;
        opened.map_err(|error| proxy.unreachable(&error))??;
    }
    Ok(wire)
}

async fn in_time<T>(work: impl Future<Output = T>) -> io::Result<T> {
    let late = |_| io::Error::from(io::ErrorKind::TimedOut);
    tokio::time::timeout(CONNECT_TIMEOUT, work).await.map_err(late)
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, BoxError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.tcp.poll_ready(cx).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        Box::pin(self.clone().connect(uri))
    }
}

fn host(uri: &Uri) -> Result<ServerName<'static>, BoxError> {
    Ok(ServerName::try_from(bare_host(uri).to_owned())?)
}

/// Without the brackets of an IPv6 address.
pub(crate) fn bare_host(uri: &Uri) -> &str {
    let host = uri.host().unwrap_or_default();
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// A connection, encrypted or not.
pub(crate) struct Stream {
    wire: TokioIo<Wire>,
    http2: bool,
    /// A proxy reads the requests and sends them on.
    forwarded: bool,
    refusal: Refusal,
}

/// What the server said against our certificate on a connection that was believed to be open: in TLS 1.3 it looks
/// at that last. Nothing that was sent there was heard.
#[derive(Clone, Default)]
pub(crate) struct Refusal(Arc<OnceLock<rustls::Error>>);

impl Refusal {
    /// That of the connection on which this went wrong.
    pub(crate) fn of(error: &HyperError) -> Option<rustls::Error> {
        let mut extras = Extensions::new();
        error.connect_info()?.get_extras(&mut extras);
        extras.get::<Self>()?.0.get().cloned()
    }

    fn hear(&self, error: &io::Error) {
        let said = error.get_ref().and_then(|error| error.downcast_ref::<rustls::Error>());
        if let Some(said) = said.filter(|said| is_about_ours(said)) {
            // The first word counts.
            let _ = self.0.set(said.clone());
        }
    }
}

/// Whether our certificate, or that there is none, is why.
fn is_about_ours(error: &rustls::Error) -> bool {
    use AlertDescription as Alert;
    let rustls::Error::AlertReceived(alert) = error else { return false };
    matches!(
        alert,
        Alert::BadCertificate
            | Alert::UnsupportedCertificate
            | Alert::CertificateRevoked
            | Alert::CertificateExpired
            | Alert::CertificateUnknown
            | Alert::CertificateRequired
            | Alert::UnknownCA
            | Alert::AccessDenied
    )
}

impl Stream {
    fn of(wire: Wire, http2: bool, forwarded: bool) -> Self {
        Self { wire: TokioIo::new(wire), http2, forwarded, refusal: Refusal::default() }
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        let connected = Connected::new().proxy(self.forwarded).extra(self.refusal.clone());
        if self.http2 { connected.negotiated_h2() } else { connected }
    }
}

impl Read for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { wire, refusal, .. } = self.get_mut();
        let read = Pin::new(wire).poll_read(cx, buf);
        if let Poll::Ready(Err(error)) = &read {
            refusal.hear(error);
        }
        read
    }
}

impl Write for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().wire).poll_write(cx, buf)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().wire).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().wire).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().wire).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.wire.is_write_vectored()
    }
}
