//! Connections, and who answers them.

use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
#[cfg(feature = "tls")]
use watchkeeper_api::Result;
use watchkeeper_client::Body;
use watchkeeper_controller::{Stop, Stopper};

use super::Answers;
#[cfg(feature = "tls")]
use super::tls::{CertificateReads, Current, Edge, Opened};

/// How long the head of a request may take.
const HEAD: Duration = Duration::from_secs(32);
/// How long nothing is accepted after that failed: no descriptors may be left.
const PAUSE: Duration = Duration::from_millis(50);

/// How what is said goes over the wire.
#[derive(Clone)]
pub(super) enum Wire {
    Plain,
    #[cfg(feature = "tls")]
    Tls(tokio_rustls::TlsAcceptor),
}

/// The endpoints that are open; dropping this closes them, and cuts their connections.
#[derive(Default)]
pub(crate) struct Served {
    open: Vec<(Stopper, JoinSet<()>)>,
    /// What keeps certificates up to date.
    #[cfg(feature = "tls")]
    renewals: JoinSet<()>,
}

impl Served {
    /// Answers from now on; what is under way when it is closed may take this long.
    pub(super) fn add(
        &mut self,
        listener: TcpListener,
        wire: Wire,
        grace: Duration,
        answers: Arc<dyn Answers>,
    ) {
        let (stopper, stop) = Stop::channel();
        let mut server = JoinSet::new();
        server.spawn(serve(listener, wire, grace, answers, stop));
        self.open.push((stopper, server));
    }

    /// A wire over TLS, whose certificate is renewed while this is there.
    #[cfg(feature = "tls")]
    pub(super) async fn secured(
        &mut self,
        tls: super::Tls,
        reads: Option<Arc<CertificateReads>>,
        edge: &Edge,
    ) -> Result<(Wire, Arc<Current>)> {
        let Opened { acceptor, keeping, current } = tls.open(reads, edge).await?;
        if let Some(keeping) = keeping {
            self.renewals.spawn(keeping);
        }
        Ok((Wire::Tls(acceptor), current))
    }

    /// Takes no more requests, and waits a moment for the answers to those there are.
    pub(crate) async fn close(mut self) {
        for (stopper, _) in &self.open {
            stopper.stop();
        }
        for (_, server) in &mut self.open {
            while server.join_next().await.is_some() {}
        }
    }
}

async fn serve(
    listener: TcpListener,
    wire: Wire,
    grace: Duration,
    answers: Arc<dyn Answers>,
    stop: Stop,
) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            () = stop.requested() => break,
            Some(_) = connections.join_next(), if !connections.is_empty() => {}
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let (wire, answers) = (wire.clone(), Arc::clone(&answers));
                    connections.spawn(connection(stream, wire, answers, stop.clone()));
                }
                Err(error) => {
                    tracing::debug!(%error, "a connection was not accepted");
                    sleep(PAUSE).await;
                }
            }
        }
    }
    drop(listener);
    let ended = async { while connections.join_next().await.is_some() {} };
    // Who is cut off here was told nothing, and asks another one.
    let _in_time = timeout(grace, ended).await;
}

async fn connection(stream: TcpStream, wire: Wire, answers: Arc<dyn Answers>, stop: Stop) {
    match wire {
        Wire::Plain => converse(stream, answers, stop).await,
        #[cfg(feature = "tls")]
        Wire::Tls(acceptor) => {
            let agreed = timeout(HEAD, acceptor.accept(stream)).await;
            if let Ok(Ok(stream)) = agreed {
                converse(stream, answers, stop).await;
            }
        }
    }
}

async fn converse<S>(stream: S, answers: Arc<dyn Answers>, stop: Stop)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let service = service_fn(move |request: Request<Incoming>| {
        let (head, body) = request.into_parts();
        let answering = Arc::clone(&answers).answer(head, Body::new(body));
        async move { Ok::<_, Infallible>(answering.await) }
    });
    let mut http = http1::Builder::new();
    let http = http.timer(TokioTimer::new()).header_read_timeout(HEAD);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service));
    // What ends a connection concerns its client only.
    tokio::select! {
        biased;
        _ = connection.as_mut() => {}
        () = stop.requested() => {
            connection.as_mut().graceful_shutdown();
            let _ended = connection.await;
        }
    }
}
