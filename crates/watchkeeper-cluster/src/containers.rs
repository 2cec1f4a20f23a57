//! What the containers of the cluster's pods print, run and listen to.
//!
//! Nothing runs in them, so a test says what they would.

mod follow;
mod handlers;
mod log;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::Response;
use tokio::sync::Notify;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Error, ObjectKey, Result, json};
use watchkeeper_apiserver::containers::{Doing, Kubelet, LogRequest, LogStream, instance};
use watchkeeper_apiserver::{ApiServer, User};
use watchkeeper_client::Client;

use handlers::Handlers;
use log::Log;

pub use watchkeeper_apiserver::containers::{
    Behind, Container, Exit, Forward, PortStream, Proxied, Run, Size, Streams, Terminal,
};

/// What the programs of this repository that keep a cluster for people say in place of containers.
pub const NOTHING_RUNS: &str = "Nothing runs here: this cluster keeps the status of its pods, and runs none of their programs.";

/// The containers of a cluster's pods, as a test plays them.
///
/// ```
/// use watchkeeper_api::core::v1::Pod;
/// use watchkeeper_api::{Object as _, object};
/// use watchkeeper_client::{CreateOptions, LogOptions};
/// use watchkeeper_cluster::Cluster;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> watchkeeper_api::Result<()> {
/// let cluster = Cluster::builder().seed(7).build();
/// let web = object!(Pod {
///     metadata: { name: "web", namespace: "default" },
///     spec: { containers: [{ name: "main", image: "nginx:1.29" }] },
/// });
/// let pods = cluster.client("me").api_for(&web);
/// pods.create(&web, &CreateOptions::default()).await?;
/// cluster.run(tokio::time::sleep(std::time::Duration::from_secs(5))).await?;
///
/// cluster.containers().print(&web.key(), "main", "listening\n").await?;
/// assert_eq!(pods.logs("web", &LogOptions::default()).await?, "listening\n");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Containers {
    server: ApiServer,
    fake: Fake,
}

impl Containers {
    pub(crate) fn new(server: &ApiServer) -> Self {
        let fake = Fake::default();
        server.set_kubelet(fake.clone());
        Self { server: server.clone(), fake }
    }

    /// Lets a container print lines, now by the server's clock; the last one is ended if it is not. They
    /// are in the log of the run that is under way, or of the last one, and who follows it gets them.
    ///
    /// The log of a run is there as long as the cluster.
    ///
    /// # Errors
    ///
    /// When there is no such pod, or nothing to be read of its container, as upstream says it: it has
    /// not been started yet, say.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, nothing or everything is printed.
    pub async fn print(&self, pod: &ObjectKey, container: &str, text: &str) -> Result<()> {
        let pods = client(&self.server).api::<Pod>().namespace(pod.namespace().unwrap_or_default());
        let found = json::to_value(&pods.get(pod.name()).await?);
        let id = instance(&found, container, false).map_err(Error::other)?;
        self.fake.logs.print(&id, self.server.now(), text);
        Ok(())
    }

    /// Lets every log begin with a line, every program that no closure answers for tell it and end with 126, and every
    /// port to which none listens tell it, from now on: who looks at a cluster with kubectl would wait for lines that
    /// never come.
    ///
    /// ```
    /// use watchkeeper_cluster::Cluster;
    /// use watchkeeper_cluster::containers::NOTHING_RUNS;
    ///
    /// let cluster = Cluster::builder().build();
    /// cluster.containers().banner(NOTHING_RUNS);
    /// ```
    pub fn banner(&self, text: impl Into<String>) {
        *self.fake.logs.banner() = Some(text.into());
    }

    /// Lets this closure answer for all programs that are run in containers (`kubectl exec`) and for who
    /// attaches to their own, from now on. It is dropped when the client leaves.
    ///
    /// ```
    /// use watchkeeper_cluster::Cluster;
    /// use watchkeeper_cluster::containers::Exit;
    ///
    /// let cluster = Cluster::builder().build();
    /// cluster.containers().on_run(|run, mut terminal| async move {
    ///     match run.command.as_deref() {
    ///         Some([echo, rest @ ..]) if echo == "echo" => {
    ///             terminal.print(rest.join(" ") + "\n").await;
    ///             Exit::Code(0)
    ///         }
    ///         Some([cat]) if cat == "cat" => {
    ///             while let Some(piece) = terminal.read().await {
    ///                 terminal.print(piece).await;
    ///             }
    ///             Exit::Code(0)
    ///         }
    ///         _ => Exit::Code(127),
    ///     }
    /// });
    /// ```
    pub fn on_run<A, F>(&self, answer: A)
    where
        A: Fn(Run, Terminal) -> F + Send + Sync + 'static,
        F: Future<Output = Exit> + Send + 'static,
    {
        let program = move |run, terminal| -> Doing<Exit> { Box::pin(answer(run, terminal)) };
        self.fake.handlers.set_program(Arc::new(program));
    }

    /// Lets this closure listen to a port of all pods, from now on. A connection ends when it does; an
    /// error is told to the client. It is dropped when the client leaves.
    ///
    /// ```
    /// use tokio::io::AsyncWriteExt as _;
    /// use watchkeeper_cluster::Cluster;
    ///
    /// let cluster = Cluster::builder().build();
    /// cluster.containers().on_port(80, |to, mut stream| async move {
    ///     let told = stream.write_all(to.pod.as_bytes()).await;
    ///     told.map_err(|error| error.to_string())
    /// });
    /// ```
    pub fn on_port<A, F>(&self, port: u16, answer: A)
    where
        A: Fn(Forward, PortStream) -> F + Send + Sync + 'static,
        F: Future<Output = std::result::Result<(), String>> + Send + 'static,
    {
        let listener = move |to, stream| -> Doing<_> { Box::pin(answer(to, stream)) };
        self.fake.handlers.set_port(port, Arc::new(listener));
    }

    /// Lets this closure answer what is asked of nodes (`kubectl get --raw /api/v1/nodes/{name}/proxy/…`) in place of
    /// their kubelets, from now on. An error is why there is no answer. It is dropped when the client leaves.
    ///
    /// ```
    /// use watchkeeper_cluster::Cluster;
    ///
    /// let cluster = Cluster::builder().build();
    /// cluster.containers().on_node(|asked| async move {
    ///     match asked.target.as_str() {
    ///         "/healthz" => Ok(http::Response::new("ok".into())),
    ///         other => Err(format!("nothing answers {other}")),
    ///     }
    /// });
    /// ```
    pub fn on_node<A, F>(&self, answer: A)
    where
        A: Fn(Proxied) -> F + Send + Sync + 'static,
        F: Future<Output = std::result::Result<Response<Bytes>, String>> + Send + 'static,
    {
        let node = move |asked| -> Doing<_> { Box::pin(answer(asked)) };
        self.fake.handlers.set_node(Arc::new(node));
    }
}

/// What answers for the containers.
#[derive(Clone, Debug, Default)]
struct Fake {
    logs: Logs,
    handlers: Handlers,
}

impl Kubelet for Fake {
    fn log(&self, server: &ApiServer, asked: LogRequest) -> LogStream {
        if self.logs.banner().is_some() {
            self.logs.print(&asked.container.id, server.now(), "");
        }
        follow::stream(self.logs.clone(), client(server), asked)
    }

    fn run(&self, asked: Run, terminal: Terminal) -> Doing<Exit> {
        let banner = self.logs.banner().clone();
        match (self.handlers.program(), banner) {
            (Some(program), _) => program(asked, terminal),
            (None, Some(banner)) => Box::pin(async move {
                terminal.print_error(banner + "\n").await;
                Exit::Code(NO_PROGRAM)
            }),
            (None, None) => Nothing.run(asked, terminal),
        }
    }

    fn forward(
        &self,
        asked: Forward,
        stream: PortStream,
    ) -> Doing<std::result::Result<(), String>> {
        let banner = self.logs.banner().clone();
        match (self.handlers.port(asked.port), banner) {
            (Some(listener), _) => listener(asked, stream),
            (None, Some(banner)) => {
                let Forward { pod, port, .. } = asked;
                let why = format!("error forwarding port {port} to pod {pod}: {banner}");
                Box::pin(std::future::ready(Err(why)))
            }
            (None, None) => Nothing.forward(asked, stream),
        }
    }

    fn node(&self, asked: Proxied) -> Doing<std::result::Result<Response<Bytes>, String>> {
        match self.handlers.node() {
            Some(node) => node(asked),
            None => Nothing.node(asked),
        }
    }
}

/// What a shell returns for what it cannot run.
const NO_PROGRAM: i32 = 126;

/// The kubelet where nobody has said what there is.
struct Nothing;

impl Kubelet for Nothing {
    fn log(&self, _: &ApiServer, _: LogRequest) -> LogStream {
        Box::pin(futures_util::stream::empty())
    }
}

/// The kubelet's own client.
fn client(server: &ApiServer) -> Client {
    Client::new(server.acting_as(User::admin())).user_agent("kubelet")
}

/// The logs of all runs by their ids.
#[derive(Clone, Default)]
struct Logs {
    of: Arc<Mutex<BTreeMap<String, Log>>>,
    /// The first line of each.
    banner: Arc<Mutex<Option<String>>>,
    /// Told when somebody has printed.
    printed: Arc<Notify>,
}

/// How many there are, never what is in them.
impl fmt::Debug for Logs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Logs({})", self.lock().len())
    }
}

impl Logs {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Log>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn banner(&self) -> MutexGuard<'_, Option<String>> {
        self.banner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn print(&self, id: &str, now: watchkeeper_apiserver::Now, text: &str) {
        let banner = self.banner().clone();
        let begun = || {
            let mut log = Log::default();
            log.print(now, &banner.unwrap_or_default());
            log
        };
        self.lock().entry(id.to_owned()).or_insert_with(begun).print(now, text);
        self.printed.notify_waiters();
    }
}
