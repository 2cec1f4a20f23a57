//! From a kubeconfig or a pod to a live client.
//!
//! ```no_run
//! # async fn f() -> watchkeeper_client::Result<()> {
//! let client = watchkeeper_connect::connect().await?;
//! println!("{}", client.server_version().await?.git_version);
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//!   kubeconfig files ─┐                        ┌─ auth (token, token file, plugin, OpenID Connect)
//!   a pod's files ────┴──▶ Config ──client()──▶ Connection ──▶ pool ──▶ connector (TCP, proxy, TLS)
//! ```
//!
//! What may change does not have to stay as it was read: tokens, certificates and authorities in files are
//! read again each minute and when a server refuses them, plugins run again when what they printed expires,
//! and a request that is answered with 401 is sent once more with fresh credentials. Calls and watches have
//! connections of their own, and a server that falls silent is noticed within 15 seconds.
//!
//! | kube-rs | client-go | here |
//! |---|---|---|
//! | `Client::try_default` | `config.GetConfig` of controller-runtime | [`connect`] |
//! | `Config::infer` | `clientcmd.NewDefaultClientConfigLoadingRules` | [`Config::infer`] |
//! | `Config::from_kubeconfig` | `clientcmd.BuildConfigFromFlags` | [`Config::from_kubeconfig`] |
//! | `Config::from_custom_kubeconfig` | `clientcmd.RESTConfigFromKubeConfig` | [`Config::from_kubeconfig_text`] |
//! | `Config::incluster` | `rest.InClusterConfig` | [`Config::in_cluster`] |
//! | `Config::new`, `AuthInfo`, `ExecConfig` | `rest.Config{Host, ExecProvider, Impersonate, …}` | [`Config::builder`], [`ExecPlugin`], [`OidcTokens`] |
//! | `config.headers` | `rest.Config.WrapTransport`, for a header | [`Config::header`] |
//! | `Client::try_from(config)` | `kubernetes.NewForConfig` | [`Config::client`], [`verified`] |
//!
//! With the feature `ws`, `PortForward` listens on ports of this machine that lead to ports of a pod.
//!
//! This crate is the edge: it alone reads files, the environment and the clock, starts credential plugins
//! and opens sockets. What is wrong is told in one sentence with the mend, the file, the context, and whose entry
//! it is: the user's or the cluster's. A file that cannot be read, and a context that is not there, have no entry
//! to tell. Tokens, keys and passwords are in no error and no debug output.

mod auth;
mod certs;
mod config;
mod connector;
mod exec;
mod explain;
mod files;
mod flight;
#[cfg(feature = "ws")]
mod forward;
mod greeting;
mod gzip;
mod kubeconfig;
mod oidc;
mod pem;
mod pool;
mod proxy;
mod say;
mod service;
mod tls;

#[cfg(test)]
mod tests;

pub use config::{
    Config, ConfigBuilder, ExecPlugin, Interactive, KubeconfigContext, OidcTokens, Options,
};
#[cfg(feature = "ws")]
pub use forward::{ForwardError, LocalPort, PortForward};
use greeting::Greeting;
use say::say;
use watchkeeper_client::{Client, Result};

/// A client for the cluster at hand ([`Config::infer`]), whose server has answered (kube-rs:
/// `Client::try_default`).
///
/// # Errors
/// As of [`Config::infer`] and [`verified`].
///
/// # Cancel safety
/// As of [`verified`].
#[doc(alias = "try_default")]
#[doc(alias = "GetConfig")]
pub async fn connect() -> Result<Client> {
    verified(Config::infer()?).await
}

/// A client whose server has answered, so that a wrong address, an untrusted certificate or credentials
/// that it does not know are told at the start, not by the first watch.
///
/// # Errors
/// When the server cannot be reached or does not know the caller.
///
/// # Cancel safety
/// Dropping the future closes the connection, and ends a credential plugin that runs.
pub async fn verified(config: Config) -> Result<Client> {
    config.log_in().await?;
    let greeting = Greeting::of(&config);
    let client = config.client()?;
    match client.server_version().await {
        Ok(_) => Ok(client),
        // A caller who may not read the version may still do his work.
        Err(error) if error.is_forbidden() => Ok(client),
        Err(error) => Err(greeting.explain(&error)),
    }
}
