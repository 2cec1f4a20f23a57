//! Where other programs find a cluster: a port on loopback and a kubeconfig.

use std::future::Future;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use kubeconfig::{Entry, Folder, OneFile};
use tokio::net::TcpListener;
use watchkeeper_api::{Error, Result};
use watchkeeper_apiserver::{Identity, User, serve, serve_tls};

use crate::cluster::Cluster;

mod kubeconfig;

#[cfg(feature = "tls")]
pub(crate) mod authority;
#[cfg(test)]
mod tests;

/// A port that a cluster is served at, on loopback unless told otherwise, and a kubeconfig that says
/// so.
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
    kubeconfigs: Option<Folder>,
    elsewhere: Vec<OneFile>,
    secured: Option<Secured>,
}

/// What an endpoint over TLS proves itself with.
#[derive(Debug)]
struct Secured {
    identity: Identity,
    /// The authority's certificate (PEM).
    root_ca: String,
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
        Self::bind_to(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
    }

    /// Takes an address. Whoever reaches it may do everything, unless the cluster asks who they are
    /// ([`Builder::rbac`](crate::Builder::rbac)): on loopback that is whoever has an account on the
    /// machine.
    ///
    /// # Errors
    ///
    /// When the address is taken, or none of this machine.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future before it completes gives the port back.
    #[expect(clippy::unused_async, reason = "a runtime is needed, as for tokio's own listeners")]
    pub async fn bind_to(wanted: SocketAddr) -> Result<Self> {
        let cannot = |error: io::Error| {
            Error::other(format!("the embedded cluster cannot listen on {wanted}: {error}"))
        };
        let listener = watchkeeper_apiserver::listen(wanted).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok(Self { listener, address, kubeconfigs: None, elsewhere: Vec::new(), secured: None })
    }

    /// Speaks TLS, with a certificate of one's own and that of the authority (PEM) which clients know it
    /// by. With feature `tls` `Authority` makes both.
    pub fn secured(mut self, identity: Identity, root_ca: impl Into<String>) -> Self {
        self.secured = Some(Secured { identity, root_ca: root_ca.into() });
        self
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address as clients write it: `http://127.0.0.1:8001`.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = if self.secured.is_some() { "https" } else { "http" };
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(IpAddr::from(Ipv4Addr::LOCALHOST));
        }
        format!("{scheme}://{address}")
    }

    /// The kubeconfig, which is there for as long as the endpoint. The first call writes it, into a
    /// folder of its own below the folder of temporary files. It names no user: where roles and
    /// bindings hold, and over TLS (kubectl would ask for a password), clients want
    /// [`Endpoint::kubeconfig_as`].
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn kubeconfig(&mut self) -> Result<PathBuf> {
        let text = self.entry(None).text();
        self.folder()?.write("kubeconfig", &text)
    }

    /// A kubeconfig of one user of a cluster, beside the other. Each call writes another, with a
    /// token of its own.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn kubeconfig_as(&mut self, cluster: &Cluster, user: &User) -> Result<PathBuf> {
        let text = self.entry(Some(cluster.token_for(user))).text();
        let folder = self.folder()?;
        folder.users += 1;
        let name = format!("kubeconfig-{}", folder.users);
        folder.write(&name, &text)
    }

    /// Writes a kubeconfig of one user where it is wanted; it goes with the endpoint, too. A file that
    /// is there already is replaced only if an endpoint wrote it, as one that was killed leaves its own.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or when what is there was written by others or by an endpoint that still serves.
    pub fn kubeconfig_at(&mut self, path: &Path, cluster: &Cluster, user: &User) -> Result<()> {
        let text = self.entry(Some(cluster.token_for(user))).text();
        // Its own it may replace, and nobody else's that is still there.
        self.elsewhere.retain(|file| !file.is_at(path));
        self.elsewhere.push(OneFile::write(path, text)?);
        Ok(())
    }

    fn entry(&self, token: Option<String>) -> Entry {
        let root_ca = self.secured.as_ref().map(|secured| secured.root_ca.clone());
        Entry { server: self.url(), root_ca, token }
    }

    /// The folder of the kubeconfigs, made when it is first wanted.
    fn folder(&mut self) -> Result<&mut Folder> {
        let folder = match self.kubeconfigs.take() {
            Some(made) => made,
            None => Folder::make(self.address)?,
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
    /// Dropping the future closes the port and every connection, and removes the kubeconfigs.
    pub async fn serve(self, cluster: &Cluster, shutdown: impl Future<Output = ()>) -> Result<()> {
        let Self { listener, secured, kubeconfigs, elsewhere, .. } = self;
        let server = cluster.server().clone();
        let served = match secured {
            None => serve(listener, server, shutdown).await,
            Some(secured) => serve_tls(listener, server, secured.identity, shutdown).await,
        };
        drop((kubeconfigs, elsewhere));
        served.map_err(|error| {
            Error::other(format!("the embedded cluster stopped listening: {error}"))
        })
    }
}
