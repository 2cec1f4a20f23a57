//! A configuration that a program makes by itself, without a kubeconfig.
//!
//! It says what a kubeconfig could say, and goes the same way from there.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use watchkeeper_api::Result;

use super::{Config, ExecPlugin, OidcTokens};
use crate::kubeconfig::{Cluster, User};
use crate::say::Names;

/// A server and who calls it, said by the program (upstream: `rest.Config`).
///
/// Of several ways to say who calls, the first of these counts: a token file, a token, a name and a password, a
/// plugin, OpenID Connect. A client certificate is shown beside any of them.
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
    headers: Vec<(String, String)>,
    namespace: Option<String>,
}

impl Config {
    /// Begins a configuration of the server at this URL; alone, without authentication, trusting whom the
    /// machine trusts (upstream: `rest.Config{Host: …}`; kube-rs: `Config::new`).
    ///
    /// `host:port` means `https` with a certificate authority, a client certificate or [`insecure`], else `http`.
    /// Over `http` credentials are sent for all on the way to read: what the program says counts.
    ///
    /// [`insecure`]: ConfigBuilder::insecure
    #[doc(alias = "new")]
    pub fn builder(server: impl Into<String>) -> ConfigBuilder {
        let cluster = Cluster { server: server.into(), ..Cluster::default() };
        ConfigBuilder { cluster, user: User::default(), headers: Vec::new(), namespace: None }
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

    /// Trusts whoever answers. For experiments; beside a certificate authority it is an error.
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

    /// Calls with what this program prints: a token, a client certificate, or both.
    pub fn exec(mut self, plugin: ExecPlugin) -> Self {
        self.user.exec = Some(plugin.into_exec());
        self
    }

    /// Calls with tokens of an OpenID Connect provider, which gives others when they expire.
    pub fn oidc(mut self, tokens: OidcTokens) -> Self {
        self.user.auth_provider = Some(tokens.into_provider());
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

    /// Acts as the user of this uid.
    pub fn impersonate_uid(mut self, uid: impl Into<String>) -> Self {
        self.user.as_uid = Some(uid.into());
        self
    }

    /// Says one thing more of the user as whom this acts, such as a scope; a key may have several values.
    pub fn impersonate_extra(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.user.as_user_extra.entry(key.into()).or_default().push(value.into());
        self
    }

    /// Sends this header with every request, as [`Config::header`] does.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
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
    /// A server that is no URL, a file that cannot be read, credentials or headers that are none.
    pub fn build(self) -> Result<Config> {
        let names = Names::all("the program's configuration");
        let mut config = Config::of(&self.cluster, &self.user, names)?;
        config.namespace = self.namespace;
        self.headers.iter().try_fold(config, |config, (name, value)| config.header(name, value))
    }
}

/// Tells the server, never the credentials.
impl std::fmt::Debug for ConfigBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ConfigBuilder({})", super::without_password(&self.cluster.server))
    }
}
