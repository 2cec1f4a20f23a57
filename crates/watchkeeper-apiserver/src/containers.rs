//! Logs of containers, programs in them, their ports, and what is behind nodes: what is asked of whoever plays the
//! kubelet.
//!
//! The server decides what can be decided without it: which container is meant, whether there is a log of
//! it, whether the options make sense, all in upstream's words. What is left is asked of the [`Kubelet`]
//! that [`ApiServer::set_kubelet`](crate::ApiServer::set_kubelet) was given. Programs and ports come over
//! WebSockets (`v5.channel.k8s.io`, `v4.channel.k8s.io`, for ports `SPDY/3.1+portforward.k8s.io`); plain SPDY is
//! not spoken.
//!
//! ```text
//!  request ─▶ step: pod, container, options ──Connect──▶ server ─▶ Kubelet ─▶ log, terminal, port, answer
//! ```
//!
//! Sources: `kubernetes/pkg/registry/core/pod/strategy.go`, `kubernetes/pkg/kubelet/kubelet_pods.go`,
//! `k8s.io/cri-streaming`.

pub(crate) mod handle;
mod handshake;
mod instance;
mod log_options;
mod options;
mod place;
pub(crate) mod proxy;
pub(crate) mod terminal;

#[cfg(test)]
mod tests;

use std::future::Future;
use std::pin::Pin;

use bytes::Bytes;
use futures_core::Stream;
use http::Response;

use crate::clock::Now;
use crate::server::ApiServer;

pub use handshake::Agreed;
pub use instance::instance;
pub use proxy::{Behind, Proxied};
pub use terminal::{Exit, Size, Terminal};

/// A connection to a port, as what listens there has it.
pub type PortStream = tokio::io::DuplexStream;

/// A container that has been started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// The namespace of the pod.
    pub namespace: String,
    /// The name of the pod.
    pub pod: String,
    /// The name of the container.
    pub name: String,
    /// Which of its runs is meant: the `containerID` of its status.
    pub id: String,
}

/// What is wanted of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogRequest {
    /// Whose log it is.
    pub container: Container,
    /// Whether what is printed later is wanted, too.
    pub follow: bool,
    /// The first moment that is of interest.
    pub since: Option<Now>,
    /// How many lines from the end on.
    pub tail: Option<u64>,
    /// Whether each line begins with its time.
    pub timestamps: bool,
    /// How many bytes at most.
    pub limit: Option<u64>,
}

/// The parts of a log, as they come.
pub type LogStream = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// Which streams of a program are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Streams {
    /// Standard input.
    pub stdin: bool,
    /// Standard output.
    pub stdout: bool,
    /// Standard error. A terminal has none of its own.
    pub stderr: bool,
    /// Whether they are a terminal.
    pub tty: bool,
}

/// A program that is to be run in a container, or the container's own that is to be attached to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// In which container.
    pub container: Container,
    /// The program and its arguments; none where the container's own is meant.
    pub command: Option<Vec<String>>,
    /// Which of its streams are wanted.
    pub streams: Streams,
}

/// A connection to a port of a pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forward {
    /// The namespace of the pod.
    pub namespace: String,
    /// The name of the pod.
    pub pod: String,
    /// The port.
    pub port: u16,
}

/// What a kubelet does, to its end.
pub type Doing<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What answers for the containers of pods.
///
/// ```
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_apiserver::containers::{Kubelet, LogRequest, LogStream};
///
/// /// Every container says its name.
/// struct Named;
///
/// impl Kubelet for Named {
///     fn log(&self, _: &ApiServer, asked: LogRequest) -> LogStream {
///         let line = format!("{}\n", asked.container.name);
///         Box::pin(futures_util::stream::iter([line.into()]))
///     }
/// }
///
/// let server = ApiServer::new();
/// server.set_kubelet(Named);
/// ```
pub trait Kubelet: Send + Sync + 'static {
    /// The log of a container, which `server` knows to have been started. It is dropped when the client
    /// leaves.
    fn log(&self, server: &ApiServer, asked: LogRequest) -> LogStream;

    /// Runs a program in a container, or attaches to its own. It is dropped when the client leaves.
    ///
    /// Unless told otherwise nothing can be run.
    fn run(&self, asked: Run, terminal: Terminal) -> Doing<Exit> {
        drop(terminal);
        let what = if asked.command.is_some() { "executing command in" } else { "attaching to" };
        let why = format!("error {what} container: nothing answers for its programs");
        Box::pin(std::future::ready(Exit::Failed(why)))
    }

    /// Connects to a port of a pod until either side is done, or tells why that cannot be. It is dropped
    /// when the client leaves.
    ///
    /// Unless told otherwise nothing listens.
    fn forward(&self, asked: Forward, stream: PortStream) -> Doing<Result<(), String>> {
        drop(stream);
        let Forward { pod, port, .. } = asked;
        let why = format!("error forwarding port {port} to pod {pod}: connection refused");
        Box::pin(std::future::ready(Err(why)))
    }

    /// Answers a request to a node (`/api/v1/nodes/{name}/proxy/…`): as its kubelet would, or as what listens to
    /// another of its ports. An error is why there is no answer. It is dropped when the client leaves.
    ///
    /// Unless told otherwise nothing listens.
    fn node(&self, asked: Proxied) -> Doing<Result<Response<Bytes>, String>> {
        Box::pin(std::future::ready(Err(asked.refused())))
    }
}

/// What a step wants of the kubelet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connect {
    /// The log of a container.
    Log(LogRequest),
    /// A program.
    Run(Run, Agreed),
    /// Why there can be no program.
    Refused(String, Agreed),
    /// Connections to some ports, each of which is asked for by itself.
    Forward(Vec<Forward>, Agreed),
    /// A request that is handed on.
    Proxy(Box<Proxied>),
    /// Connections to whatever ports of a pod are asked for later; this one's port means nothing.
    Tunnel(Forward, Agreed),
}
