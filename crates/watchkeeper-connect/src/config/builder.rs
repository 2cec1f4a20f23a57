//! A configuration that a program makes by itself, without a kubeconfig.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use watchkeeper_api::Result;

use super::Config;
use crate::kubeconfig::{Cluster, User};

/// A server and who calls it, said by the program (upstream: `rest.Config`).
///
/// ```no_run
/// # fn f(token: &str) -> watchkeeper_api::Result<()> {
/// let config = watchkeeper_connect::Config::builder("https://10.0.0.1:6443")
///     .ca_file("/etc/cluster/ca.crt")
///     .token(token)
///     .namespace("shop")
///     .build()?;
/// let client = config.client()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "it does nothing until it is built"]
pub struct ConfigBuilder {
    cluster: Cluster,
    user: User,
    namespace: Option<String>,
}

impl Config {
    /// Begins a configuration of the server at this URL; alone, without authentication, trusting whom the
    /// machine trusts (upstream: `rest.Config{Host: …}`; kube-rs: `Config::new`).
    #[doc(alias = "new")]
    pub fn builder(server: impl Into<String>) -> ConfigBuilder {
        let cluster = Cluster { server: server.into(), ..Cluster::default() };
        ConfigBuilder { cluster, user: User::default(), namespace: None }
    }
}

impl ConfigBuilder {
    /// Trusts the certificates in this PEM file, and no others. It is read again when it changes.
    pub fn ca_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.cluster.certificate_authority = Some(path.into());
        self
    }

    /// Trusts the certificates of this PEM text, and no others.
    pub fn ca_pem(mut self, pem: impl AsRef<[u8]>) -> Self {
        self.cluster.certificate_authority_data = Some(BASE64.encode(pem));
        self
    }

    /// Trusts whoever answers. For experiments.
    pub fn insecure(mut self) -> Self {
        self.cluster.insecure_skip_tls_verify = true;
        self
    }

    /// The name that the server's certificate is to be for, when it is not the host's.
    pub fn tls_server_name(mut self, name: impl Into<String>) -> Self {
        self.cluster.tls_server_name = Some(name.into());
        self
    }

    /// Goes through this proxy: `http`, `https` or `socks5`. Otherwise the environment's, if it names one.
    pub fn proxy(mut self, url: impl Into<String>) -> Self {
        self.cluster.proxy_url = Some(url.into());
        self
    }

    /// Asks for no compression.
    pub fn without_compression(mut self) -> Self {
        self.cluster.disable_compression = true;
        self
    }

    /// Calls with this bearer token.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.user.token = Some(token.into());
        self
    }

    /// Calls with the bearer token in this file, which is read again each minute. It wins over a token.
    pub fn token_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.user.token_file = Some(path.into());
        self
    }

    /// Calls with a name and a password.
    pub fn basic(mut self, name: impl Into<String>, password: impl Into<String>) -> Self {
        self.user.username = Some(name.into());
        self.user.password = Some(password.into());
        self
    }

    /// Shows the client certificate in these PEM files, which are read again when they change.
    pub fn client_certificate_files(
        mut self,
        certificate: impl Into<PathBuf>,
        key: impl Into<PathBuf>,
    ) -> Self {
        self.user.client_certificate = Some(certificate.into());
        self.user.client_key = Some(key.into());
        self
    }

    /// Shows the client certificate of these PEM texts.
    pub fn client_certificate_pem(
        mut self,
        certificate: impl AsRef<[u8]>,
        key: impl AsRef<[u8]>,
    ) -> Self {
        self.user.client_certificate_data = Some(BASE64.encode(certificate));
        self.user.client_key_data = Some(BASE64.encode(key));
        self
    }

    /// Acts as this user, if the caller may.
    pub fn impersonate(mut self, user: impl Into<String>) -> Self {
        self.user.impersonate = Some(user.into());
        self
    }

    /// Acts as a member of this group, too.
    pub fn impersonate_group(mut self, group: impl Into<String>) -> Self {
        self.user.as_groups.push(group.into());
        self
    }

    /// The namespace that this is about: [`Config::default_namespace`].
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// The configuration, read and checked, not yet connected.
    ///
    /// # Errors
    /// A server that is no URL, a file that cannot be read, credentials that are none.
    pub fn build(self) -> Result<Config> {
        let origin = "the program's configuration".to_owned();
        let mut config = Config::of(&self.cluster, &self.user, origin.clone(), origin)?;
        config.namespace = self.namespace;
        Ok(config)
    }
}

/// Tells the server, never the credentials.
impl std::fmt::Debug for ConfigBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConfigBuilder({})", super::without_password(&self.cluster.server))
    }
}
