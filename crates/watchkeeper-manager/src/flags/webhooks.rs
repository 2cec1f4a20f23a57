//! Where webhooks are asked, for programs that have some.

use std::env;
use std::path::PathBuf;

use crate::endpoints::Tls;
use crate::webhook::{WebhookServer, Webhooks};

/// The flags of the webhooks of a program, beside [`Flags`](super::Flags), for `#[command(flatten)]`: those that
/// kubebuilder gives to its programs, and the port that controller-runtime has in its options. Each may be
/// told by the environment, too: `--webhook-cert-path` by `WEBHOOK_CERT_PATH`.
///
/// ```no_run
/// use clap::Parser;
/// use prometheus_client::registry::Registry;
/// use watchkeeper_manager::webhook::Webhooks;
/// use watchkeeper_manager::{Flags, WebhookFlags, signals};
///
/// #[derive(Parser)]
/// struct Args {
///     #[command(flatten)]
///     flags: Flags,
///     #[command(flatten)]
///     webhooks: WebhookFlags,
/// }
///
/// # async fn f() -> watchkeeper_api::Result<()> {
/// let Args { flags, webhooks } = Args::parse();
/// let client = flags.connect().await?.user_agent("my-operator");
/// let server = webhooks.server(Webhooks::new());
/// let manager = flags.manager(&client, "my-operator", Registry::default()).serve_webhooks(server);
/// manager.run(signals::shutdown()).await
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Webhooks")]
pub struct WebhookFlags {
    /// The port where webhooks are asked
    #[arg(long, env, value_name = "PORT", default_value_t = 9443)]
    pub webhook_port: u16,
    /// The folder of the certificate for webhooks; k8s-webhook-server/serving-certs among the temporary files unless
    /// it is said
    #[arg(long, env, value_name = "FOLDER")]
    pub webhook_cert_path: Option<PathBuf>,
    /// The file of the certificate in that folder
    #[arg(long, env, value_name = "FILE", default_value = "tls.crt")]
    pub webhook_cert_name: String,
    /// The file of its key
    #[arg(long, env, value_name = "FILE", default_value = "tls.key")]
    pub webhook_cert_key: String,
}

impl WebhookFlags {
    /// The server of these webhooks. A certificate that is renewed is read again, as [`Tls::files`] says; one
    /// that is not there is told when the manager begins.
    pub fn server(&self, webhooks: Webhooks) -> WebhookServer {
        let folder = self.certificates();
        let (name, key) = (&self.webhook_cert_name, &self.webhook_cert_key);
        let tls = Tls::files(folder.join(name), folder.join(key));
        WebhookServer::new(format!(":{}", self.webhook_port), tls, webhooks)
    }

    /// Upstream's `webhook.Options.CertDir`.
    fn certificates(&self) -> PathBuf {
        let usual = || env::temp_dir().join("k8s-webhook-server").join("serving-certs");
        self.webhook_cert_path.clone().unwrap_or_else(usual)
    }
}
