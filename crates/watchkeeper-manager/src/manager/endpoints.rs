//! What a manager tells over HTTP of how it is doing.

use std::error::Error as StdError;
use std::future::{Future, Ready, ready};

use watchkeeper_api::{Error, Result};

use super::Manager;
use crate::endpoints::{Bind, MetricsEndpoint};

impl Manager {
    /// Answers probes at an [address](Bind): `/healthz` says whether the process should live on, `/readyz`
    /// whether it can do its work, `/healthz/NAME` what one check says; `?verbose` has a line for each check,
    /// `?exclude=NAME` leaves one out. Nothing listens unless this is called.
    ///
    /// Probes are answered from the moment [`run`](Self::run) begins until everything else has ended.
    /// Without a check the answer is that the process answers.
    ///
    /// ```no_run
    /// use std::future::ready;
    /// use std::time::Duration;
    /// use watchkeeper_manager::{Manager, signals};
    ///
    /// # async fn f(client: watchkeeper_client::Client) -> watchkeeper_api::Result<()> {
    /// let manager = Manager::new(&client).leader_election("my-operator").health_probes(":8081");
    /// if let Some(elector) = manager.elector().cloned() {
    ///     // A leader that hangs is ended by its kubelet.
    ///     let tolerance = Duration::from_secs(20);
    ///     manager.health_check("leaderElection", move || ready(elector.healthy(tolerance)));
    /// }
    /// manager.ready_check("informer-sync", manager.informers_synced());
    /// manager.ready_check("database", async || {
    ///     tokio::net::TcpStream::connect("database:5432").await.map(drop)
    /// });
    /// manager.run(signals::shutdown()).await
    /// # }
    /// ```
    #[must_use]
    pub fn health_probes(self, bind: impl Into<Bind>) -> Self {
        self.endpoints.probes_at(bind.into());
        self
    }

    /// Asks `check` whether the process should live on: one that says otherwise has it ended by its kubelet
    /// (upstream: `AddHealthzCheck`). It takes the place of another one of this name.
    ///
    /// It is asked at each probe of [`health_probes`](Self::health_probes), and dropped where it is when the
    /// one who asks goes. What panics has failed. It may be added at any time.
    pub fn health_check<F, Fut, E>(&self, name: &str, check: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.endpoints.health.add(name, check);
    }

    /// The same of whether the process can do its work: one that says otherwise gets no requests from a
    /// service (upstream: `AddReadyzCheck`).
    pub fn ready_check<F, Fut, E>(&self, name: &str, check: F)
    where
        F: Fn() -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        self.endpoints.ready.add(name, check);
    }

    /// Tells metrics to who scrapes them, from the moment [`run`](Self::run) begins until everything else has
    /// ended. Nothing listens unless this is called; upstream does at `:8080`. What there is to tell is told to
    /// [`metrics`](Self::metrics).
    #[must_use]
    pub fn serve_metrics(self, endpoint: MetricsEndpoint) -> Self {
        self.registry.need(self.endpoints.metrics_at(endpoint));
        self
    }

    /// Takes profiles for who asks, at the paths of Go's `net/http/pprof`, from the moment [`run`](Self::run) begins
    /// until everything else has ended (upstream: `Options.PprofBindAddress`). Nothing listens unless this is called.
    /// There is no token, and whoever reaches the endpoint may slow the program down and read its command line: let
    /// it be an address of this machine alone, as in the example.
    ///
    /// ```no_run
    /// use watchkeeper_manager::{Manager, signals};
    ///
    /// # async fn f(client: watchkeeper_client::Client) -> watchkeeper_api::Result<()> {
    /// // kubectl port-forward POD 6060, then: go tool pprof 'http://127.0.0.1:6060/debug/pprof/profile?seconds=5'
    /// let manager = Manager::new(&client).serve_profiles("127.0.0.1:6060");
    /// // … the watches and controllers
    /// manager.run(signals::shutdown()).await
    /// # }
    /// ```
    ///
    /// - `/debug/pprof/` tells what there is, and why the rest of what Go has is not.
    /// - `/debug/pprof/profile` looks where the processor's time goes, 100 times in each second of it, for 30 seconds
    ///   or for `?seconds=`, from 1 to 300. There is one profile at a time; it ends when the one who asked goes.
    /// - `/debug/pprof/cmdline` is how the program was started.
    ///
    /// Names are those of the program's table of symbols, which `strip = "symbols"` takes away (`strip = "debuginfo"`
    /// leaves it); lines are those of its debug information (`debug = "line-tables-only"`). Samples in one function
    /// are counted together, and have the line of the first of them.
    ///
    /// # What it takes
    ///
    /// Linux with glibc, on `x86_64` or `aarch64`; elsewhere a profile is answered with 404, and why. A folder for
    /// temporary files (`TMPDIR`, else `/tmp`) that can be written to: where the root of a container is read-only,
    /// mount an `emptyDir` there. Memory: some 70 MB from the first profile on, which a pod's limit must have room for;
    /// nothing before it.
    ///
    /// Samples are taken by a handler of the signal `SIGPROF`, which is there only during a profile; no other
    /// profiler of the process may use it then. The handler neither allocates nor waits for a lock. It asks `libgcc`
    /// which function an address is in, which is safe at any moment with glibc 2.35 and libgcc 12 or newer; with older
    /// ones it may meet a library that is just being loaded. `docs/design/profiles.md` has the reasons.
    #[cfg(feature = "profiles")]
    #[must_use]
    pub fn serve_profiles(self, bind: impl Into<Bind>) -> Self {
        self.endpoints.profiles_at(bind.into());
        self
    }

    /// Answers webhooks over HTTPS, from the moment [`run`](Self::run) begins until everything else has ended, and
    /// on every replica: caches may need the conversions. Nothing listens unless this is called.
    #[cfg(feature = "webhooks")]
    #[must_use]
    pub fn serve_webhooks(self, server: crate::webhook::WebhookServer) -> Self {
        self.registry.need(self.endpoints.webhooks_at(server));
        self
    }

    /// A [check](Self::ready_check) of whether [webhooks](Self::serve_webhooks) are answered (upstream:
    /// `StartedChecker`).
    #[cfg(feature = "webhooks")]
    pub fn webhooks_started(&self) -> impl Fn() -> Ready<Result<()>> + Send + Sync + 'static {
        let standing = std::sync::Arc::clone(&self.endpoints.webhooks);
        move || ready(standing.check())
    }

    /// A [check](Self::ready_check) of whether the manager's informers have all that there is. Those that the
    /// server refuses, as it has no such kind or does not let this program read it, do not count, nor do those that
    /// are above their [limit](Self::content_limit): they keep back only their own controllers.
    pub fn informers_synced(&self) -> impl Fn() -> Ready<Result<()>> + Send + Sync + 'static {
        let cache = self.cache.clone();
        move || {
            let status = cache.status();
            let late = status.iter().filter(|status| !status.synced && !status.refused);
            let late: Vec<_> = late.map(ToString::to_string).collect();
            ready(match late.is_empty() {
                true => Ok(()),
                false => Err(Error::other(late.join("; "))),
            })
        }
    }
}
