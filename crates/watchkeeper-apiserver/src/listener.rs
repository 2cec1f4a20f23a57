//! The server on a socket: HTTP/1.1, and HTTP/2 for clients that begin with it.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::conn::auto;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tower_service::Service as _;

use crate::server::ApiServer;

/// How long open connections may take to end once a shutdown has begun.
const GRACE: Duration = Duration::from_millis(500);

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
    let mut shutdown = pin!(shutdown);
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(connection(stream, server.clone()));
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

async fn connection(stream: TcpStream, server: ApiServer) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| server.clone().call(request));
    let builder = auto::Builder::new(Streams::default());
    // What ends a connection concerns its client only.
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}

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
