//! What it takes to connect, gathered.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use watchkeeper_api::{Error, Result};
use watchkeeper_client::{Client, RequestMetrics};

use crate::auth::{Auth, TokenFile};
use crate::certs::{Certs, Sources, Trusted, Unusable};
use crate::connector::bare_host;
use crate::files::{Pod, default_paths, in_cluster, variable};
use crate::kubeconfig::{Chosen, Cluster, Kubeconfig, User};
use crate::pem::Pem;
use crate::proxy::{Proxy, is_loopback, of_environment};
use crate::say;
use crate::say::Names;
use crate::service::{Connection, Inner};
pub(crate) use address::{AFTER_HOST, without_password};
use address::{address, server_name};
pub(crate) use user::not_base64;
use user::{auth, identity, impersonation, speaks_tls, trust};

mod address;
mod builder;
mod contexts;
mod options;
mod plugin;
mod user;

pub use builder::ConfigBuilder;
pub use contexts::KubeconfigContext;
pub use options::Options;
pub use plugin::{ExecPlugin, Interactive, OidcTokens};

/// A server and who calls it: read, checked, not yet connected.
pub struct Config {
    inner: Inner,
    user: String,
    namespace: Option<String>,
    /// Of a pod that has a namespace, and is not told which.
    namespace_is_unknown: bool,
    metrics: Option<Arc<dyn RequestMetrics>>,
}

impl Config {
    /// From kubeconfig files (upstream: `clientcmd.BuildConfigFromFlags`).
    ///
    /// # Errors
    /// Each is one sentence that says what to do, without a secret. A file that cannot be read or is malformed
    /// is named with the place in it; a context that is not there or names what is not, with the file. All else
    /// names the file, the context and whose entry it is: that of the user (credentials, certificates, as whom
    /// it acts), or that of the cluster (address, certificate authority, proxy); a server that the caller says
    /// instead is named as `--master`.
    #[doc(alias = "BuildConfigFromFlags")]
    pub fn from_kubeconfig(options: &Options) -> Result<Self> {
        let options = &options.said();
        let (paths, must_exist) = paths(options);
        Self::from_paths(&paths, must_exist, options)
    }

    /// From the text of a kubeconfig, such as a Secret holds (upstream: `clientcmd.RESTConfigFromKubeConfig`;
    /// kube-rs: `Config::from_custom_kubeconfig`). `origin` says in messages where it is from. Paths in it are
    /// relative to the working directory; [`Options::path`] says nothing here.
    ///
    /// The text can start programs and read files as this process: take it from whom you trust.
    ///
    /// # Errors
    /// As of [`Self::from_kubeconfig`].
    #[doc(alias = "from_custom_kubeconfig")]
    #[doc(alias = "RESTConfigFromKubeConfig")]
    pub fn from_kubeconfig_text(text: &str, origin: &str, options: &Options) -> Result<Self> {
        let parsed = Kubeconfig::parse(text);
        let parsed =
            parsed.map_err(|what| say!("the kubeconfig of {origin} is malformed: {what}"))?;
        Self::chosen(&parsed, &options.said(), origin)
    }

    /// From the service account of the pod that this runs in (upstream: `rest.InClusterConfig`).
    ///
    /// # Errors
    /// When it runs in none.
    #[doc(alias = "InClusterConfig")]
    #[doc(alias = "incluster")]
    pub fn in_cluster() -> Result<Self> {
        Self::of_pod(in_cluster()?)
    }

    fn of_pod(pod: Pod) -> Result<Self> {
        let names = Names::all("the pod's service account");
        let mut config = Self::bare(&pod.server, true, names)?;
        let roots = Trusted::Roots(Pem::file("its CA", pod.ca));
        config.inner.certs = certs(roots, None, &config.inner.names)?;
        config.inner.auth = Auth::TokenFile(TokenFile::new(pod.token, None));
        config.namespace_is_unknown = pod.namespace.is_none();
        config.namespace = pod.namespace;
        config.go_through(None)?;
        Ok(config)
    }

    /// From kubeconfig files if there are any, else from the pod that this runs in.
    ///
    /// # Errors
    /// As of both; with neither at hand, a sentence that says so.
    pub fn infer() -> Result<Self> {
        let paths = default_paths();
        if paths.iter().any(|path| is_there(path)) {
            return Self::from_paths(&paths, false, &Options::default());
        }
        Self::in_cluster().map_err(|_| {
            say!(
                "there is no kubeconfig ({}) and this does not run in a pod; set KUBECONFIG to one",
                listed(&paths)
            )
        })
    }

    fn from_paths(paths: &[PathBuf], must_exist: bool, options: &Options) -> Result<Self> {
        let (merged, read) = merged(paths, must_exist)?;
        if let (true, Some(master)) = (read.is_empty(), &options.master) {
            let mut config = Self::bare(master, false, Names::all("--master"))?;
            config.go_through(None)?;
            return Ok(config);
        }
        if read.is_empty() {
            return Err(no_kubeconfig(paths));
        }
        Self::chosen(&merged, options, &listed(&read))
    }

    fn chosen(merged: &Kubeconfig, options: &Options, files: &str) -> Result<Self> {
        Self::of_chosen(chosen(merged, options, files)?, files)
    }

    fn of_chosen(chosen: Chosen, files: &str) -> Result<Self> {
        let Chosen { context, cluster_name, user_name, cluster, user, namespace } = chosen;
        let origin = match &*context {
            "" => files.to_owned(),
            context => format!("context {context:?} of {files}"),
        };
        let names = Names::new(origin, &cluster_name, &user_name);
        if cluster.server.is_empty() {
            return Err(say!("{} has no server; set it to https://HOST:PORT", names.cluster));
        }
        let mut config = Self::of(&cluster, &user, names)?;
        config.user = user_name;
        config.namespace = namespace;
        config.keep_in_the_machine();
        Ok(config)
    }

    /// Leaves out a kubeconfig's credentials where everybody on the way could read them. Upstream
    /// (`DirectClientConfig.ClientConfig`) sends none without TLS, to loopback neither.
    fn keep_in_the_machine(&mut self) {
        let inner = &mut self.inner;
        let stays = inner.proxy.is_none() && is_loopback(bare_host(&inner.server));
        if inner.server.scheme_str() == Some("https") || stays || matches!(inner.auth, Auth::None) {
            return;
        }
        tracing::warn!(
            "{}: its credentials are not sent to {}, which is asked without TLS; should the address begin with https://?",
            inner.names.user,
            inner.server
        );
        inner.auth = Auth::Withheld;
    }

    /// A server and who calls it.
    fn of(cluster: &Cluster, user: &User, names: Names) -> Result<Self> {
        let mut config = Self::bare(&cluster.server, speaks_tls(cluster, user), names)?;
        config.inner.compression = !cluster.disable_compression;
        config.go_through(cluster.proxy_url.as_deref())?;
        let inner = &mut config.inner;
        let of_cluster = |what: String| say!("{}: {what}", inner.names.cluster);
        let of_user = |what: String| say!("{}: {what}", inner.names.user);
        let trusted = trust(cluster).map_err(of_cluster)?;
        inner.server_name = server_name(cluster).map_err(of_cluster)?;
        let sources = identity(user).map_err(of_user)?;
        inner.certs = certs(trusted, sources, &inner.names)?;
        inner.auth = auth(user, cluster).map_err(of_user)?;
        inner.headers = impersonation(user).map_err(of_user)?;
        Ok(config)
    }

    /// A server and nothing else. An address without a scheme is one for `tls` or not.
    fn bare(server: &str, tls: bool, names: Names) -> Result<Self> {
        let inner = Inner {
            server: address(server, tls).map_err(|what| say!("{}: {what}", names.cluster))?,
            proxy: None,
            compression: true,
            certs: certs(Trusted::Machine, None, &names)?,
            server_name: None,
            auth: Auth::None,
            headers: HeaderMap::new(),
            names,
            pools: Mutex::default(),
        };
        let namespace_is_unknown = false;
        Ok(Self {
            inner,
            user: String::new(),
            namespace: None,
            namespace_is_unknown,
            metrics: None,
        })
    }

    /// Through this proxy, else the environment's.
    fn go_through(&mut self, url: Option<&str>) -> Result<()> {
        let inner = &mut self.inner;
        let proxy = match url.filter(|url| !url.is_empty()) {
            Some(url) => Proxy::parse(url, "proxy-url").map(Some),
            None => of_environment(&inner.server, variable),
        };
        inner.proxy = proxy.map_err(|what| say!("{}: {what}", inner.names.cluster))?.map(Arc::new);
        Ok(())
    }

    /// The server's address.
    #[must_use]
    pub const fn server(&self) -> &Uri {
        &self.inner.server
    }

    /// The namespace that the context, or the pod, is about.
    #[must_use]
    pub fn default_namespace(&self) -> &str {
        self.namespace.as_deref().unwrap_or("default")
    }

    /// Where this comes from, for messages: `context "a" of /home/me/.kube/config`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.inner.names.origin
    }

    /// The name of the kubeconfig's user; empty where there is none.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Sends this header with every request, beside those that every request has: for a gateway before the
    /// server, say, or to act as somebody else with what a kubeconfig says. `Authorization` takes the place of
    /// the credentials, as that of a single call does; a client certificate is shown all the same.
    ///
    /// ```no_run
    /// # fn f() -> watchkeeper_api::Result<()> {
    /// let config = watchkeeper_connect::Config::infer()?.header("Impersonate-User", "jane")?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// What is no header. The error does not tell the value, which may be a secret.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self> {
        let (Ok(key), Ok(mut value)) = (HeaderName::try_from(name), HeaderValue::try_from(value))
        else {
            return Err(say!(
                "{}: {name:?} and its value are no header; write both on one line, in ASCII",
                self.inner.names.origin
            ));
        };
        value.set_sensitive(true);
        // A server takes the first of these: what is said last counts.
        if matches!(key.as_str(), "authorization" | "impersonate-user" | "impersonate-uid") {
            self.inner.headers.insert(key, value);
        } else {
            self.inner.headers.append(key, value);
        }
        Ok(self)
    }

    /// Gets credentials, however long it takes: a plugin may ask a person. After this a client's calls find
    /// them at hand.
    pub(crate) async fn log_in(&self) -> Result<()> {
        if self.inner.headers.contains_key(AUTHORIZATION) {
            return Ok(());
        }
        self.inner.credentials().await.map(|_| ()).map_err(|error| say!("{error}"))
    }

    /// A client that connects when it is first used.
    ///
    /// # Errors
    /// When the certificates and keys do not fit together.
    #[doc(alias = "NewForConfig")]
    pub fn client(self) -> Result<Client> {
        let host = self.inner.server.authority().map(|host| host.as_str().to_owned());
        let namespace = self.default_namespace().to_owned();
        let client = Client::new(Connection::open(self.inner)?).host(host.unwrap_or_default());
        let client = match self.namespace_is_unknown {
            true => client.without_default_namespace(),
            false => client.with_default_namespace(&namespace),
        };
        Ok(match self.metrics {
            Some(metrics) => client.metrics(metrics),
            None => client,
        })
    }

    /// Counts and measures the requests of clients made of this, and the runs of its credential plugin, under
    /// [upstream's names](watchkeeper_client::metrics).
    #[must_use]
    pub fn metrics(mut self, metrics: Arc<dyn RequestMetrics>) -> Self {
        if let Auth::Exec(plugin) = &self.inner.auth {
            plugin.measured_by(Arc::clone(&metrics));
        }
        self.metrics = Some(metrics);
        self
    }
}

/// Tells the server and the origin, never the credentials.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Config({}, {})", self.inner.server, self.inner.names.origin)
    }
}

/// The files that the options mean, and whether they have to be there.
fn paths(options: &Options) -> (Vec<PathBuf>, bool) {
    match &options.path {
        Some(path) => (vec![path.clone()], true),
        None => (default_paths(), false),
    }
}

/// The files that are there, merged, and which they were.
fn merged(paths: &[PathBuf], must_exist: bool) -> Result<(Kubeconfig, Vec<PathBuf>)> {
    let (mut merged, mut read) = (Kubeconfig::default(), Vec::new());
    for path in paths.iter().filter(|path| must_exist || is_there(path)) {
        merged = merged.merge(Kubeconfig::read(path)?);
        read.push(path.clone());
    }
    Ok((merged, read))
}

/// What the options choose; what else they say wins.
fn chosen(merged: &Kubeconfig, options: &Options, files: &str) -> Result<Chosen> {
    let mut chosen = merged.choose(options, files)?;
    if let Some(master) = &options.master {
        // Here, as it is no cluster's.
        address(master, true).map_err(|what| say!("--master: {what}"))?;
        chosen.cluster.server.clone_from(master);
        // It was said of the other server (upstream: `DirectClientConfig.getCluster`).
        chosen.cluster.tls_server_name = None;
    }
    Ok(chosen)
}

/// Whether there is a file, or something that keeps us from seeing one: reading it tells what.
fn is_there(path: &Path) -> bool {
    path.try_exists().unwrap_or(true)
}

/// Certificates, read; what is wrong is told of whose entry names them.
fn certs(trusted: Trusted, sources: Option<Sources>, names: &Names) -> Result<Certs> {
    Certs::open(trusted, sources).map_err(|unusable| match unusable {
        Unusable::Trusted(what) => say!("{}: {what}", names.cluster),
        Unusable::Ours(what) => say!("{}: {what}", names.user),
    })
}

fn no_kubeconfig(paths: &[PathBuf]) -> Error {
    say!("there is no kubeconfig ({}); pass --kubeconfig, or set KUBECONFIG to one", listed(paths))
}

fn listed(paths: &[PathBuf]) -> String {
    let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests;
