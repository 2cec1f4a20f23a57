//! Logs of containers: what is asked of whoever plays the kubelet.
//!
//! The server decides what can be decided without it: which container is meant, whether there is a log of
//! it, whether the options make sense, all in upstream's words. What is left is asked of the [`Kubelet`]
//! that [`ApiServer::set_kubelet`](crate::ApiServer::set_kubelet) was given.
//!
//! ```text
//!  request ─▶ step: pod, container, options ──Connect──▶ server ─▶ Kubelet ─▶ log
//! ```
//!
//! Sources: `kubernetes/pkg/registry/core/pod/strategy.go`, `kubernetes/pkg/kubelet/kubelet_pods.go`.

pub(crate) mod handle;
mod instance;
mod log_options;

#[cfg(test)]
mod tests;

use std::pin::Pin;

use bytes::Bytes;
use futures_core::Stream;

use crate::clock::Now;
use crate::server::ApiServer;

pub use instance::instance;

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
}

/// What a step wants of the kubelet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connect {
    /// The log of a container.
    Log(LogRequest),
}
