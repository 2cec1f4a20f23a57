//! What a program of controllers is told on its command line, or by its environment, under the names that
//! upstream's programs have.

use std::path::PathBuf;
use std::time::Duration;

use clap::ArgAction;
use prometheus_client::registry::Registry;
use watchkeeper_api::Result;
use watchkeeper_client::Client;
use watchkeeper_connect::{Config, Options};

use crate::endpoints::{MetricsEndpoint, Tls};
use crate::leader::LeaderElection;
use crate::manager::Manager;
use crate::metrics::Metrics;

mod duration;
mod logs;
#[cfg(test)]
mod tests;
#[cfg(feature = "webhooks")]
mod webhooks;

pub use logs::{LogEncoder, LogFlags};
#[cfg(feature = "webhooks")]
pub use webhooks::WebhookFlags;

/// The flags that controller-runtime and kubebuilder give to their programs, for `#[command(flatten)]`. Each but
/// those of the kubeconfig may be told by the environment, too: `--leader-elect` by `LEADER_ELECT`. What the command
/// line says counts before that.
///
/// ```no_run
/// use clap::Parser;
/// use prometheus_client::registry::Registry;
/// use watchkeeper_manager::{Flags, signals};
///
/// #[derive(Parser)]
/// struct Args {
///     #[command(flatten)]
///     flags: Flags,
///     /// A flag of its own.
///     #[arg(long, default_value_t = 2)]
///     workers: usize,
/// }
///
/// # async fn f() -> watchkeeper_api::Result<()> {
/// let Args { flags, workers } = Args::parse();
/// let client = flags.connect().await?.user_agent("my-operator");
/// let manager = flags.manager(&client, "my-operator", Registry::default());
/// // … the watches and controllers
/// # let _ = workers;
/// manager.run(signals::shutdown()).await
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
#[command(next_help_heading = "Manager")]
pub struct Flags {
    /// Path to a kubeconfig; else that of KUBECONFIG, ~/.kube/config, or the pod's service account
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig to use
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
    /// The address of the API server; overrides the kubeconfig's
    #[arg(long, value_name = "URL")]
    pub master: Option<String>,

    /// Where metrics are told, such as :8443; 0 is nowhere
    #[arg(long, env, value_name = "ADDRESS", default_value = "0")]
    pub metrics_bind_address: String,
    /// Tell metrics over TLS, and only to whom the API server lets
    #[arg(long, env, value_name = "BOOL", default_value_t = true, default_missing_value = "true")]
    #[arg(num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    pub metrics_secure: bool,
    /// The folder of the certificate for metrics; without it they have one that nobody vouches for
    #[arg(long, env, value_name = "FOLDER")]
    pub metrics_cert_path: Option<PathBuf>,
    /// The file of the certificate in that folder
    #[arg(long, env, value_name = "FILE", default_value = "tls.crt")]
    pub metrics_cert_name: String,
    /// The file of its key
    #[arg(long, env, value_name = "FILE", default_value = "tls.key")]
    pub metrics_cert_key: String,

    /// Where probes of health and readiness are answered; 0 is nowhere
    #[arg(long, env, value_name = "ADDRESS", default_value = ":8081")]
    pub health_probe_bind_address: String,

    /// Where profiles are taken, such as 127.0.0.1:6060; 0 is nowhere
    #[cfg(feature = "profiles")]
    #[arg(long, env, value_name = "ADDRESS", default_value = "0")]
    pub pprof_bind_address: String,

    /// Let one of several replicas work at a time
    #[arg(long, env, value_name = "BOOL", default_value_t = false, default_missing_value = "true")]
    #[arg(num_args = 0..=1, require_equals = true, action = ArgAction::Set)]
    pub leader_elect: bool,
    /// How long others wait for a leader that does not renew
    #[arg(long, env, value_name = "DURATION", default_value = "15s", value_parser = duration::read)]
    pub leader_elect_lease_duration: Duration,
    /// How long a leader tries to renew before it gives up
    #[arg(long, env, value_name = "DURATION", default_value = "10s", value_parser = duration::read)]
    pub leader_elect_renew_deadline: Duration,
    /// How often a leader renews, and others look
    #[arg(long, env, value_name = "DURATION", default_value = "2s", value_parser = duration::read)]
    pub leader_elect_retry_period: Duration,
    /// The name of the lease; that of the program unless it is said
    #[arg(long, env, value_name = "NAME")]
    pub leader_elect_resource_name: Option<String>,
    /// The namespace of the lease; that of the connection unless it is said
    #[arg(long, env, value_name = "NAME")]
    pub leader_elect_resource_namespace: Option<String>,
}

impl Flags {
    /// A client for the cluster that the flags name, whose server has answered.
    ///
    /// # Errors
    /// As [`Config::from_kubeconfig`], [`Config::infer`] and [`watchkeeper_connect::verified`].
    ///
    /// # Cancel safety
    /// As of [`watchkeeper_connect::verified`].
    pub async fn connect(&self) -> Result<Client> {
        let Self { kubeconfig, context, master, .. } = self;
        let is_named = kubeconfig.is_some() || context.is_some() || master.is_some();
        let options = Options {
            path: kubeconfig.clone(),
            context: context.clone(),
            master: master.clone(),
            ..Options::default()
        };
        let config = if is_named { Config::from_kubeconfig(&options)? } else { Config::infer()? };
        watchkeeper_connect::verified(config).await
    }

    /// A manager as the flags say: with probes, metrics, profiles and an election. `program` names its lease;
    /// `registry` may have metrics of the program's own.
    #[must_use]
    pub fn manager(&self, client: &Client, program: &str, mut registry: Registry) -> Manager {
        let mut manager = Manager::new(client);
        if !matches!(&*self.metrics_bind_address, "" | "0") {
            manager = manager.metrics(Metrics::register(&mut registry));
            manager = manager.serve_metrics(self.metrics(registry));
        }
        if self.leader_elect {
            manager = manager.leader_election(self.election(program));
        }
        #[cfg(feature = "profiles")]
        let manager = manager.serve_profiles(self.pprof_bind_address.as_str());
        manager.health_probes(self.health_probe_bind_address.as_str())
    }

    fn metrics(&self, registry: Registry) -> MetricsEndpoint {
        let endpoint = MetricsEndpoint::of(self.metrics_bind_address.as_str(), registry);
        if !self.metrics_secure {
            return endpoint;
        }
        let tls = match &self.metrics_cert_path {
            Some(folder) => Tls::files(
                folder.join(&self.metrics_cert_name),
                folder.join(&self.metrics_cert_key),
            ),
            None => Tls::self_signed(),
        };
        endpoint.tls(tls).authorized()
    }

    fn election(&self, program: &str) -> LeaderElection {
        let lease = self.leader_elect_resource_name.as_deref().unwrap_or(program);
        let election = LeaderElection::new(lease).times(
            self.leader_elect_lease_duration,
            self.leader_elect_renew_deadline,
            self.leader_elect_retry_period,
        );
        match &self.leader_elect_resource_namespace {
            Some(namespace) => election.namespace(namespace),
            None => election,
        }
    }
}
