//! Starts everything in order, and stops it in reverse.

use std::future::Future;
use std::pin::pin;
use std::sync::OnceLock;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use watchkeeper_api::{Error, Result};
use watchkeeper_controller::Stop;

use super::Manager;
use crate::crew::Crew;
use crate::leader::{Ended, LeaderElector};
use crate::runnable::Group;

/// How often the manager tells what it still waits for.
const TELL_EVERY: Duration = Duration::from_secs(10);

impl Manager {
    /// Runs until `shutdown` completes or a runnable fails, then stops everything in order.
    ///
    /// # Errors
    ///
    /// Fails with the error of the first runnable that failed; if two have the same name; if the
    /// cache is not synced in time; if the lease is lost; if runnables do not end within the grace
    /// period; if the manager was run before.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops everything at once.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        if !self.registry.begin() {
            return Err(Error::other("a manager can be run once"));
        }
        let elector = self.checked_elector()?;
        let mut shutdown = pin!(shutdown);
        let cache = self.cache.clone();
        let mut caches = JoinSet::new();
        caches.spawn(async move { cache.run().await });
        tokio::select! {
            biased;
            () = &mut shutdown => return Ok(()),
            synced = self.cache_synced() => synced?,
        }
        Box::pin(self.run_groups(elector, shutdown)).await
    }

    /// Runs the two groups: first those of every replica are stopped, then those of the leader, who holds the
    /// lease until the last of them has ended.
    async fn run_groups(
        &self,
        elector: Option<&LeaderElector>,
        shutdown: impl Future<Output = ()>,
    ) -> Result<()> {
        let (stopper, stopped) = Stop::channel();
        let until = OnceLock::new();
        let mut everywhere = Crew::new(Group::Everywhere);
        let mut leading = pin!(self.lead(elector, &stopped, &until));
        let (result, mut led) = tokio::select! {
            biased;
            () = shutdown => (Ok(()), None),
            failed = everywhere.work(&self.registry) => (failed, None),
            led = &mut leading => (Ok(()), Some(led)),
        };
        self.registry.close();
        tracing::info!("stopping");
        let until = *until.get_or_init(|| self.last_moment());
        let stopping = async {
            let ended = everywhere.stop(until, self.grace).await;
            stopper.stop();
            ended
        };
        let leading = async {
            match led.take() {
                Some(led) => led,
                None => leading.await,
            }
        };
        // The lease is renewed while the others stop.
        let (stopped, led) = tokio::join!(biased; stopping, leading);
        result.and(led).and(stopped)
    }

    /// What the leader does, until the stop or a failure.
    async fn lead(
        &self,
        elector: Option<&LeaderElector>,
        stop: &Stop,
        until: &OnceLock<Option<Instant>>,
    ) -> Result<()> {
        let mut crew = Crew::new(Group::Leading);
        let Some(elector) = elector else {
            return self.work(&mut crew, stop, until).await.0;
        };
        loop {
            let work = async || match crew.again() {
                Ok(()) => self.work(&mut crew, stop, until).await,
                Err(error) => (Err(error), true),
            };
            match Box::pin(elector.lead_term(stop.requested(), work)).await {
                Ended::Finished(result) => return result,
                Ended::Shutdown => return Ok(()),
                Ended::Lost => crew.abort().await,
            }
            if !elector.steps_down() {
                return Err(Error::other("leader election lost"));
            }
        }
    }

    /// Runs the leader's group; also whether all of it has ended in time.
    async fn work(
        &self,
        crew: &mut Crew,
        stop: &Stop,
        until: &OnceLock<Option<Instant>>,
    ) -> (Result<()>, bool) {
        let result = tokio::select! {
            biased;
            () = stop.requested() => Ok(()),
            failed = crew.work(&self.registry) => failed,
        };
        let until = *until.get_or_init(|| self.last_moment());
        let ended = crew.stop(until, self.grace).await;
        let all = crew.is_empty();
        (result.and(ended), all)
    }

    /// When the grace period is over that begins now; never if that is beyond time.
    fn last_moment(&self) -> Option<Instant> {
        Instant::now().checked_add(self.grace)
    }

    fn checked_elector(&self) -> Result<Option<&LeaderElector>> {
        match self.elector.as_deref() {
            None => Ok(None),
            Some(Ok(elector)) => Ok(Some(elector)),
            Some(Err(error)) => Err(Error::usage(error.to_string())),
        }
    }

    /// Waits for the cache, and tells from time to time what it is that it waits for.
    async fn cache_synced(&self) -> Result<()> {
        let mut over = pin!(sleep(self.sync_timeout));
        loop {
            tokio::select! {
                biased;
                synced = self.cache.synced() => {
                    return synced.map_err(|stopped| Error::other(stopped.to_string()));
                }
                () = &mut over => break,
                () = sleep(TELL_EVERY) => {
                    tracing::warn!(waiting_for = self.late(), "the cache is not synced yet");
                }
            }
        }
        let (limit, late) = (self.sync_timeout, self.late());
        Err(Error::other(format!("the cache was not synced within {limit:?}: {late}")))
    }

    /// The watches that are not synced, each with the reason.
    fn late(&self) -> String {
        let status = self.cache.status();
        let late: Vec<_> = status.iter().filter(|s| !s.synced).map(ToString::to_string).collect();
        late.join("; ")
    }
}
