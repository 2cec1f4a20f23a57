//! The server on a socket: HTTP/1.1, and HTTP/2 for clients that begin with it or, over TLS, ask for it.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tower_service::Service as _;

use crate::server::{ApiServer, Hangup, Upgrade};

mod certificate;
mod opening;
mod peer;
mod tls;
mod tunnel;

#[cfg(test)]
mod tests;

use opening::Opening;
use peer::Peer;
pub use tls::{Identity, Tls};

/// How long open connections may take to end once a shutdown has begun.
const GRACE: Duration = Duration::from_millis(500);
/// How long a client may take to agree on a connection over TLS.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a client may take to say what it speaks and, over HTTP/1.1, what it asks for, also on a connection on which
/// it asked before (upstream: `IdleTimeout`).
const PATIENCE: Duration = Duration::from_secs(90);

/// How many connections may wait to be accepted, as far as the machine lets them (Linux: `net.core.somaxconn`, which
/// Go's listeners use). A client that comes when there are more tries again after a second; there are 128 unless told.
const WAITING: u32 = 4096;

/// A listener for [`serve`] that many clients may come to at once.
///
/// # Errors
///
/// When the address is taken, or none of this machine.
///
/// # Panics
///
/// Outside of a tokio runtime, as its own listeners.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let listener = watchkeeper_apiserver::listen(([127, 0, 0, 1], 0).into())?;
/// println!("http://{}", listener.local_addr()?);
/// # Ok(())
/// # }
/// ```
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // What the last server left on its way is not waited for; elsewhere than on Unix that would share the port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

/// Serves connections until `shutdown` is ready; then lets them end, and cuts them after a moment.
///
/// # Errors
///
/// What accepting connections fails with.
///
/// # Cancel safety
///
/// Dropping the future closes the listener and every connection.
pub async fn serve(
    listener: TcpListener,
    server: ApiServer,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    accept(listener, shutdown, move |stream| connection(stream, Peer::Silent, server.clone())).await
}

/// Serves connections over TLS, as [`serve`] does without: by an [`Identity`], or by [`Tls`] that knows
/// clients by their certificates as well.
///
/// # Errors
///
/// What accepting connections fails with, an identity whose key does not fit, and authorities that are
/// no certificates.
///
/// # Cancel safety
///
/// Dropping the future closes the listener and every connection.
pub async fn serve_tls(
    listener: TcpListener,
    server: ApiServer,
    tls: impl Into<Tls>,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let acceptor = tls.into().acceptor()?;
    let secured = move |stream| {
        let (server, acceptor) = (server.clone(), acceptor.clone());
        async move {
            let agreed = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream)).await;
            if let Ok(Some((stream, peer))) = agreed {
                connection(stream, peer, server).await;
            }
        }
    };
    accept(listener, shutdown, secured).await
}

async fn accept<F>(
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
    connection: impl Fn(TcpStream) -> F,
) -> io::Result<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut shutdown = pin!(shutdown);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let _ = stream.set_nodelay(true);
                    connections.spawn(connection(stream));
                }
                // A client that left before it was accepted, or no descriptors left for now.
                Err(error) if is_passing(&error) => tokio::time::sleep(GRACE / 50).await,
                Err(error) => return Err(error),
            },
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
        }
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    // Watches end with their connections; there is nothing to wait for beyond the grace.
    let _ = tokio::time::timeout(GRACE, ended).await;
    Ok(())
}

fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, WouldBlock};
    matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted | WouldBlock)
        || matches!(error.raw_os_error(), Some(23 | 24))
}

async fn connection<S>(stream: S, peer: Peer, server: ApiServer)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let becoming: Becoming = Arc::default();
    let noted = becoming.clone();
    let service = service_fn(move |mut request: Request<Incoming>| {
        let (mut server, noted) = (server.clone(), noted.clone());
        peer.note(request.extensions_mut());
        async move {
            let coming = hyper::upgrade::on(&mut request);
            let response = server.call(request).await?;
            if let Some(upgrade) = response.extensions().get::<Upgrade>() {
                let mut noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
                *noted = Some((coming, upgrade.clone()));
            }
            Ok::<_, Hangup>(response)
        }
    });
    let mut builder = auto::Builder::new(Streams::default());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    let stream = Opening::within(stream, PATIENCE);
    // What ends a connection concerns its client only.
    let _ = builder.serve_connection_with_upgrades(TokioIo::new(stream), service).await;
    let becomes = becoming.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((coming, upgrade)) = becomes {
        tunnel::through(coming, upgrade).await;
    }
}

/// What a connection becomes that stops to be HTTP.
type Becoming = Arc<Mutex<Option<(OnUpgrade, Upgrade)>>>;

/// Runs the streams of one HTTP/2 connection; they end with it.
#[derive(Clone, Debug, Default)]
struct Streams(Arc<Mutex<JoinSet<()>>>);

impl<F> hyper::rt::Executor<F> for Streams
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, stream: F) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while running.try_join_next().is_some() {}
        running.spawn(async move {
            stream.await;
        });
    }
}
