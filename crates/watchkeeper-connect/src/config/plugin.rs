//! Credentials that somebody else gives, said by the program.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use crate::kubeconfig::{AuthProvider, EnvVar, Exec};

/// A program that prints credentials (KEP-541; upstream: `api.ExecConfig`). It runs when the first call needs it,
/// and again when what it printed expires or is refused.
///
/// ```
/// use watchkeeper_connect::{Config, ExecPlugin, Interactive};
///
/// # fn f() -> watchkeeper_api::Result<()> {
/// let login = ExecPlugin {
///     args: vec!["eks".into(), "get-token".into(), "--cluster-name".into(), "shop".into()],
///     env: vec![("AWS_PROFILE".into(), "shop".into())],
///     interactive: Interactive::Never,
///     ..ExecPlugin::new("aws")
/// };
/// let config = Config::builder("https://10.0.0.1:6443").exec(login).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ExecPlugin {
    /// Searched for in `PATH` unless it has a slash.
    pub command: String,
    /// What it is called with.
    pub args: Vec<String>,
    /// Names and values, beside this process's own environment.
    pub env: Vec<(String, String)>,
    /// What it speaks: `client.authentication.k8s.io/v1`, or `…/v1beta1` of older ones.
    pub api_version: String,
    /// Whether it may ask a person.
    pub interactive: Interactive,
    /// Whether it is told the server's address, certificates and proxy.
    pub cluster_info: bool,
    /// How to get it, told when it is not there.
    pub install_hint: Option<String>,
}

/// Whether a plugin may ask a person, on the terminal that this process has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interactive {
    /// It never asks.
    Never,
    /// It asks where there is a terminal, and does without elsewhere.
    #[default]
    IfAvailable,
    /// It cannot do without: where there is no terminal, it is not run.
    Always,
}

impl ExecPlugin {
    /// This command without arguments, speaking `client.authentication.k8s.io/v1`.
    #[must_use]
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            args: Vec::new(),
            env: Vec::new(),
            api_version: "client.authentication.k8s.io/v1".to_owned(),
            interactive: Interactive::default(),
            cluster_info: false,
            install_hint: None,
        }
    }

    pub(super) fn into_exec(self) -> Exec {
        let mode = match self.interactive {
            Interactive::Never => "Never",
            Interactive::IfAvailable => "IfAvailable",
            Interactive::Always => "Always",
        };
        Exec {
            api_version: self.api_version,
            command: self.command,
            args: self.args,
            env: self.env.into_iter().map(|(name, value)| EnvVar { name, value }).collect(),
            install_hint: self.install_hint,
            interactive_mode: Some(mode.to_owned()),
            provide_cluster_info: self.cluster_info,
        }
    }
}

/// Tells the command; arguments and environment may hold secrets.
impl fmt::Debug for ExecPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExecPlugin({})", self.command)
    }
}

/// Tokens of an OpenID Connect provider, and where to get others when they expire (upstream: the auth provider
/// `oidc`). Others are kept in memory; a kubeconfig's are written back into it.
///
/// ```
/// use watchkeeper_connect::{Config, OidcTokens};
///
/// # fn f(refresh: String) -> watchkeeper_api::Result<()> {
/// let tokens = OidcTokens {
///     refresh_token: refresh,
///     ..OidcTokens::of("https://accounts.example.com", "kubernetes")
/// };
/// let config = Config::builder("https://10.0.0.1:6443").oidc(tokens).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct OidcTokens {
    /// The provider's address, below which its configuration is.
    pub issuer: String,
    /// As whom the provider knows this program.
    pub client_id: String,
    /// With which secret; empty for public clients.
    pub client_secret: String,
    /// What is shown to the server; empty: one is asked for first.
    pub id_token: String,
    /// What another one is got for; empty: the one there is must do.
    pub refresh_token: String,
    /// The PEM file of who vouches for the provider; whom the machine trusts unless said.
    pub ca_file: Option<PathBuf>,
}

impl OidcTokens {
    /// No tokens yet, of this provider, for this client.
    #[must_use]
    pub fn of(issuer: impl Into<String>, client_id: impl Into<String>) -> Self {
        Self { issuer: issuer.into(), client_id: client_id.into(), ..Self::default() }
    }

    pub(super) fn into_provider(self) -> AuthProvider {
        let mut config = BTreeMap::from([
            ("idp-issuer-url".to_owned(), self.issuer),
            ("client-id".to_owned(), self.client_id),
            ("client-secret".to_owned(), self.client_secret),
            ("id-token".to_owned(), self.id_token),
            ("refresh-token".to_owned(), self.refresh_token),
        ]);
        if let Some(path) = self.ca_file {
            let path = path.to_string_lossy().into_owned();
            config.insert("idp-certificate-authority".to_owned(), path);
        }
        AuthProvider { name: "oidc".to_owned(), config, place: None }
    }
}

/// Tells the provider and the client, never the tokens.
impl fmt::Debug for OidcTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issuer = super::without_password(&self.issuer);
        write!(f, "OidcTokens({issuer}, {})", self.client_id)
    }
}
