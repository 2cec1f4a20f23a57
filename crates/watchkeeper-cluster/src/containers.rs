//! What the containers of the cluster's pods print.
//!
//! Nothing runs in them, so a test says what they would.

mod follow;
mod log;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Error, ObjectKey, Result, json};
use watchkeeper_apiserver::containers::{Kubelet, LogRequest, LogStream, instance};
use watchkeeper_apiserver::{ApiServer, User};
use watchkeeper_client::Client;

use log::Log;

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
    logs: Logs,
}

impl Containers {
    pub(crate) fn new(server: &ApiServer) -> Self {
        let logs = Logs::default();
        server.set_kubelet(logs.clone());
        Self { server: server.clone(), logs }
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
        self.logs.print(&id, self.server.now(), text);
        Ok(())
    }
}

/// The kubelet's own client.
fn client(server: &ApiServer) -> Client {
    Client::new(server.acting_as(User::admin())).user_agent("kubelet")
}

/// The logs of all runs by their ids.
#[derive(Clone)]
struct Logs {
    of: Arc<Mutex<BTreeMap<String, Log>>>,
    /// Changes when somebody has printed.
    printed: watch::Sender<u64>,
}

impl Default for Logs {
    fn default() -> Self {
        Self { of: Arc::default(), printed: watch::Sender::new(0) }
    }
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

    fn print(&self, id: &str, now: watchkeeper_apiserver::Now, text: &str) {
        self.lock().entry(id.to_owned()).or_default().print(now, text);
        self.printed.send_modify(|count| *count += 1);
    }
}

impl Kubelet for Logs {
    fn log(&self, server: &ApiServer, asked: LogRequest) -> LogStream {
        follow::stream(self.clone(), client(server), asked)
    }
}
