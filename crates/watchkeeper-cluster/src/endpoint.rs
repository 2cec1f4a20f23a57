//! Where other programs find a cluster: a port on loopback and a kubeconfig.

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use tokio::net::TcpListener;
use watchkeeper_api::{Error, Result};
use watchkeeper_apiserver::{User, serve};

use crate::cluster::Cluster;

#[cfg(test)]
mod tests;

/// A port on loopback that a cluster is served at, and a kubeconfig that says so.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> watchkeeper_api::Result<()> {
/// use watchkeeper_cluster::{Cluster, Endpoint};
///
/// let cluster = Cluster::builder().build();
/// let mut endpoint = Endpoint::bind(0).await?;
/// println!("kubectl --kubeconfig {} get pods", endpoint.kubeconfig()?.display());
/// let shutdown = async {}; // a real program waits here
/// endpoint.serve(&cluster, shutdown).await
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nobody listens until it serves"]
pub struct Endpoint {
    listener: TcpListener,
    address: SocketAddr,
    kubeconfigs: Option<Kubeconfigs>,
}

impl Endpoint {
    /// Takes a port on 127.0.0.1, any free one for 0.
    ///
    /// # Errors
    ///
    /// When the port is taken.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future before it completes gives the port back.
    pub async fn bind(port: u16) -> Result<Self> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let cannot = |error: io::Error| {
            Error::other(format!("the embedded cluster cannot listen on {wanted}: {error}"))
        };
        let listener = TcpListener::bind(wanted).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok(Self { listener, address, kubeconfigs: None })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The kubeconfig, which is there for as long as the endpoint. The first call writes it, into a
    /// folder of its own below the folder of temporary files. It names no user: where roles and
    /// bindings hold, clients want [`Endpoint::kubeconfig_as`].
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn kubeconfig(&mut self) -> Result<PathBuf> {
        let text = text(self.address, "{}");
        self.folder()?.write("kubeconfig", &text)
    }

    /// A kubeconfig of one user of a cluster, beside the other. Each call writes another, with a
    /// token of its own.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn kubeconfig_as(&mut self, cluster: &Cluster, user: &User) -> Result<PathBuf> {
        let token = format!("{{ token: {} }}", cluster.token_for(user));
        let text = text(self.address, &token);
        let folder = self.folder()?;
        folder.users += 1;
        let name = format!("kubeconfig-{}", folder.users);
        folder.write(&name, &text)
    }

    /// The folder of the kubeconfigs, made when it is first wanted.
    fn folder(&mut self) -> Result<&mut Kubeconfigs> {
        let folder = match self.kubeconfigs.take() {
            Some(made) => made,
            None => Kubeconfigs::make(self.address)?,
        };
        Ok(self.kubeconfigs.insert(folder))
    }

    /// Serves the cluster's API server until `shutdown` completes; the actors work beside it, in
    /// [`Cluster::run`].
    ///
    /// # Errors
    ///
    /// What accepting connections fails with.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future closes the port and every connection, and removes the kubeconfig.
    pub async fn serve(self, cluster: &Cluster, shutdown: impl Future<Output = ()>) -> Result<()> {
        let served = serve(self.listener, cluster.server().clone(), shutdown).await;
        served.map_err(|error| {
            Error::other(format!("the embedded cluster stopped listening: {error}"))
        })
    }
}

/// Kubeconfigs in a folder that goes with them.
#[derive(Debug)]
struct Kubeconfigs {
    folder: PathBuf,
    /// How many users have one.
    users: u32,
}

impl Kubeconfigs {
    fn make(address: SocketAddr) -> Result<Self> {
        let name = format!("watchkeeper-{}-{}", std::process::id(), address.port());
        let folder = std::env::temp_dir().join(name);
        // Only a dead process of the same id can have left one.
        let _left = std::fs::remove_dir_all(&folder);
        // Not one that somebody else made: what is written into it would be theirs to choose.
        private_folder(&folder).map_err(cannot)?;
        Ok(Self { folder, users: 0 })
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(cannot)?;
        Ok(path)
    }
}

fn cannot(error: io::Error) -> Error {
    let parent = std::env::temp_dir();
    Error::other(format!(
        "no kubeconfig can be written below {}: {error}; set TMPDIR to a folder that can be written \
         to",
        parent.display()
    ))
}

/// A folder that nobody else looks into, where the system knows such: tokens are in it.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

impl Drop for Kubeconfigs {
    fn drop(&mut self) {
        // The folder of temporary files is cleared by others if not by us.
        let _left = std::fs::remove_dir_all(&self.folder);
    }
}

/// A kubeconfig; `user` is the user's entry.
fn text(address: SocketAddr, user: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: watchkeeper\nclusters:\n\
         - name: watchkeeper\n  cluster: {{ server: \"http://{address}\" }}\ncontexts:\n\
         - name: watchkeeper\n  context: {{ cluster: watchkeeper, user: watchkeeper }}\n\
         users:\n- name: watchkeeper\n  user: {user}\n"
    )
}
