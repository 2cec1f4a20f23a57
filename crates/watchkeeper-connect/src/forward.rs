//! Ports of this machine that lead to ports of a pod (upstream: `kubectl port-forward`, `tools/portforward`).
//!
//! ```text
//!  TcpListener ─┐                                  ┌─▶ carry: TcpStream ⇄ PortStream
//!  TcpListener ─┴─▶ serve ─▶ Tunnel, opened anew ──┴─▶ carry
//!                            when it has ended, once for all who wait
//! ```

use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncWriteExt as _, copy, split};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use watchkeeper_api::error::Why;
use watchkeeper_api::{Error, HasStreams, Result};
use watchkeeper_client::{Api, Tunnel};

use crate::say::{Failure, say};

/// Failures that nobody has asked for yet. More are dropped.
const UNTOLD: usize = 64;
/// How long to wait when connections cannot be taken, as when there are too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// A port of this machine, and the port of the pod that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalPort {
    /// Where to listen; port 0 is any that is free.
    pub address: SocketAddr,
    /// The pod's port.
    pub port: u16,
}

impl LocalPort {
    /// Any port of the loopback interface that is free (kubectl: `:80`).
    #[must_use]
    pub const fn any(port: u16) -> Self {
        Self::at(0, port)
    }

    /// This port of the loopback interface (kubectl: `8080:80`).
    #[must_use]
    pub const fn at(local: u16, port: u16) -> Self {
        Self { address: SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), local), port }
    }
}

/// Listens on ports of this machine and forwards each connection to a pod. Dropping it closes the ports and
/// ends the connections.
///
/// Each direction of a connection ends by itself. Where the server knows no tunnels
/// ([`Tunnel::is_shared`]), the end of what is said on this side is the end of both.
///
/// ```no_run
/// # use watchkeeper_api::{core::v1::Pod, Result};
/// # use watchkeeper_client::Client;
/// use watchkeeper_connect::{LocalPort, PortForward};
///
/// # async fn f(client: Client) -> Result<()> {
/// let pods = client.api::<Pod>().namespace("shop");
/// let ports = [LocalPort::any(80), LocalPort::at(9090, 9090)];
/// let mut forward = PortForward::listen(&pods, "web-0", &ports).await?;
/// for local in forward.ports() {
///     println!("{} leads to port {}", local.address, local.port);
/// }
/// while let Some(failed) = forward.next_error().await {
///     eprintln!("{failed}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct PortForward {
    ports: Vec<LocalPort>,
    errors: mpsc::Receiver<ForwardError>,
    /// The one task, which owns those of the connections.
    _serving: JoinSet<()>,
}

/// What happened to one connection. The others go on.
#[derive(Debug)]
pub struct ForwardError {
    /// Who had connected.
    pub from: SocketAddr,
    /// The pod's port.
    pub port: u16,
    /// What went wrong.
    pub error: Error,
}

impl fmt::Display for ForwardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the connection of {} to port {}: {}", self.from, self.port, self.error)
    }
}

impl std::error::Error for ForwardError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl PortForward {
    /// Opens the ports and a tunnel to the pod. A tunnel that ends later is opened anew for the next
    /// connection; when that fails, whoever waited for it is told, and the next connection tries again.
    ///
    /// # Errors
    /// A port that cannot be opened; whatever the server says.
    ///
    /// # Cancel safety
    /// Dropping the future closes what was opened.
    pub async fn listen<K: HasStreams>(
        pods: &Api<K>,
        name: &str,
        ports: &[LocalPort],
    ) -> Result<Self> {
        let mut listeners = Vec::new();
        let mut bound = Vec::new();
        for LocalPort { address, port } in ports.iter().copied() {
            let listener = TcpListener::bind(address).await;
            let opened = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
            let (address, listener) = opened.map_err(|error| say!("{address}: {error}"))?;
            bound.push(LocalPort { address, port });
            listeners.push((listener, port));
        }
        let tunnel = pods.tunnel(name).await?;
        let (sender, errors) = mpsc::channel(UNTOLD);
        let mut serving = JoinSet::new();
        serving.spawn(serve(pods.clone(), name.to_owned(), listeners, tunnel, sender));
        Ok(Self { ports: bound, errors, _serving: serving })
    }

    /// The ports that are open, with their numbers, in the order in which they were asked for (upstream:
    /// `GetPorts`).
    #[must_use]
    pub fn ports(&self) -> &[LocalPort] {
        &self.ports
    }

    /// Where a port of the pod is reached.
    #[must_use]
    pub fn local(&self, port: u16) -> Option<SocketAddr> {
        self.ports.iter().find(|local| local.port == port).map(|local| local.address)
    }

    /// What next goes wrong with a connection; `None` when the runtime on which it listens is gone. That the
    /// one who connected goes away is nothing wrong.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn next_error(&mut self) -> Option<ForwardError> {
        self.errors.recv().await
    }
}

async fn serve<K: HasStreams>(
    pods: Api<K>,
    name: String,
    listeners: Vec<(TcpListener, u16)>,
    mut tunnel: Tunnel,
    errors: mpsc::Sender<ForwardError>,
) {
    let mut connections = JoinSet::new();
    // Who came while there was no tunnel: they share one attempt at another, and how it ends.
    let mut waiting = Vec::new();
    let mut opening = pin!(None);
    loop {
        tokio::select! {
            biased;
            Some(_ended) = connections.join_next() => {}
            accepted = accept(&listeners) => {
                let Ok(accepted) = accepted else {
                    tokio::time::sleep(PAUSE).await;
                    continue;
                };
                if !tunnel.is_closed() {
                    connections.spawn(accepted.forward(tunnel.clone(), errors.clone()));
                    continue;
                }
                waiting.push(accepted);
                if opening.is_none() {
                    opening.set(Some(pods.tunnel(&name)));
                }
            }
            opened = poll_fn(|cx| poll_some(opening.as_mut(), cx)) => {
                opening.set(None);
                match opened {
                    Ok(opened) => tunnel = opened,
                    Err(error) => {
                        for accepted in waiting.drain(..) {
                            accepted.tell(&errors, same(&error));
                        }
                    }
                }
                for accepted in waiting.drain(..) {
                    connections.spawn(accepted.forward(tunnel.clone(), errors.clone()));
                }
            }
            // Waiting for it keeps it alive.
            _why = tunnel.closed(), if !tunnel.is_closed() => {}
        }
    }
}

/// Never ready where there is nothing to wait for.
fn poll_some<F: Future>(some: Pin<&mut Option<F>>, cx: &mut Context<'_>) -> Poll<F::Output> {
    some.as_pin_mut().map_or(Poll::Pending, |future| future.poll(cx))
}

/// The same failure, for another who waited for the same.
fn same(error: &Error) -> Error {
    let subject = error.subject().cloned().unwrap_or_default();
    match error.why() {
        Why::Status(status) => Error::from_status(subject, (**status).clone()),
        Why::Timeout(deadline) => Error::timeout(subject, *deadline),
        Why::Transport(cause) => Error::transport(subject, Failure(cause.to_string())),
        why => Error::other(why.to_string()).about(subject),
    }
}

/// Somebody who has connected.
struct Accepted {
    stream: TcpStream,
    from: SocketAddr,
    /// The pod's port.
    port: u16,
}

impl Accepted {
    /// Carries what is said, and tells what goes wrong with the pod's side.
    async fn forward(self, tunnel: Tunnel, errors: mpsc::Sender<ForwardError>) {
        let Self { stream, from, port } = self;
        if let Err(error) = carry(&tunnel, port, stream).await
            && let Some(error) = ours(error)
        {
            tell(&errors, ForwardError { from, port, error });
        }
    }

    /// Hangs up.
    fn tell(self, errors: &mpsc::Sender<ForwardError>, error: Error) {
        let Self { from, port, .. } = self;
        tell(errors, ForwardError { from, port, error });
    }
}

/// The last ones stay untold when nobody asks.
fn tell(errors: &mpsc::Sender<ForwardError>, error: ForwardError) {
    drop(errors.try_send(error));
}

/// The next connection to any of the ports.
async fn accept(listeners: &[(TcpListener, u16)]) -> io::Result<Accepted> {
    poll_fn(|cx| {
        for (listener, port) in listeners {
            if let Poll::Ready(accepted) = listener.poll_accept(cx) {
                let port = *port;
                return Poll::Ready(accepted.map(|(stream, from)| Accepted { stream, from, port }));
            }
        }
        Poll::Pending
    })
    .await
}

/// Brings what each side says to the other, until the pod's side has said all.
async fn carry(tunnel: &Tunnel, port: u16, mut local: TcpStream) -> io::Result<()> {
    let remote = tunnel.connect(port).await.map_err(io::Error::other)?;
    let (mut from_pod, mut to_pod) = split(remote);
    let (mut from_here, mut to_here) = local.split();
    let mut up = pin!(async {
        copy(&mut from_here, &mut to_pod).await?;
        to_pod.shutdown().await
    });
    let mut down = pin!(async {
        copy(&mut from_pod, &mut to_here).await?;
        to_here.shutdown().await
    });
    let mut is_up = true;
    loop {
        tokio::select! {
            biased;
            ended = &mut down => return ended,
            ended = &mut up, if is_up => match ended {
                // The pod's side hears no more; what it has said comes yet.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => is_up = false,
                ended => {
                    ended?;
                    is_up = false;
                }
            },
        }
    }
}

/// What the tunnel says; what sockets of this machine say is about who connected.
fn ours(error: io::Error) -> Option<Error> {
    error.into_inner()?.downcast::<Error>().ok().map(|error| *error)
}
