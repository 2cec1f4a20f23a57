//! Starts everything in order, and stops it in reverse.

use std::future::Future;
use std::pin::pin;
use std::sync::OnceLock;
use std::time::Duration;

use futures_util::future::maybe_done;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, interval_at, sleep};
use watchkeeper_api::{Error, Result};
use watchkeeper_controller::Stop;

use super::Manager;
use crate::crew::Crew;
use crate::leader::{Ended, LeaderElector};
use crate::runnable::{Group, Registry};
use crate::sharding::Sharer;

/// How often the manager tells what it still waits for.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// How often it is looked whether there is more to wait for.
const LOOK_EVERY: Duration = Duration::from_secs(1);

impl Manager {
    /// Runs until `shutdown` completes or a runnable fails, then stops everything in order.
    ///
    /// Everything starts when the cache is synced. A watch that the server refuses, as it has no such kind or
    /// does not let this program read it, is not waited for: controllers that listen to it wait by themselves
    /// and [say so](watchkeeper_controller::ControllerHandle::status), whoever reads it is told that it is not
    /// synced, and all others run.
    ///
    /// # Errors
    ///
    /// Fails with the error of the first runnable that failed; if two have the same name; if the
    /// cache is not synced in time, breaks down or is shut down by somebody else; if the lease is lost; if
    /// runnables do not end within the grace period; if the address of an endpoint cannot be had; if the
    /// manager was run before.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops everything at once.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        if !self.registry.begin() {
            return Err(Error::other("a manager can be run once"));
        }
        // However this ends, also before there was anything to run.
        let _closed = ClosedOnDrop(&self.registry);
        #[cfg(feature = "endpoints")]
        let served = self.endpoints.open(&self.unfenced, &self.clock).await?;
        let result = Box::pin(self.run_leading(shutdown)).await;
        #[cfg(feature = "endpoints")]
        served.close().await;
        result
    }

    async fn run_leading(&self, shutdown: impl Future<Output = ()> + Send) -> Result<()> {
        let elector = checked(self.elector.as_deref())?;
        let sharer = checked(self.sharer.as_deref())?;
        self.run_with(elector, sharer, shutdown).await
    }

    /// Runs the cache, and what reads it.
    pub(super) async fn run_with(
        &self,
        elector: Option<&LeaderElector>,
        sharer: Option<&Sharer>,
        shutdown: impl Future<Output = ()> + Send,
    ) -> Result<()> {
        let cache = self.cache.clone();
        let mut caches = JoinSet::new();
        caches.spawn(async move { cache.run().await });
        let result = self.run_synced(elector, sharer, &mut caches, shutdown).await;
        // A copy that was left to itself would tell of the connection that its program closes.
        self.cache.shut_down();
        let ended = async { while caches.join_next().await.is_some() {} };
        let _late = tokio::time::timeout(self.grace, ended).await;
        result
    }

    /// Runs what reads the cache as soon as it is synced.
    async fn run_synced(
        &self,
        elector: Option<&LeaderElector>,
        sharer: Option<&Sharer>,
        caches: &mut JoinSet<()>,
        shutdown: impl Future<Output = ()> + Send,
    ) -> Result<()> {
        let mut shutdown = pin!(shutdown);
        tokio::select! {
            biased;
            () = &mut shutdown => return Ok(()),
            synced = self.cache_synced() => synced.map_err(|error| self.cause_of(error))?,
        }
        Box::pin(self.run_groups(elector, sharer, caches, shutdown)).await
    }

    /// Runs the two groups: first those of every replica are stopped, then those of the leader, who holds the
    /// lease until the last of them has ended. So do those who share objects hold their shards.
    async fn run_groups(
        &self,
        elector: Option<&LeaderElector>,
        sharer: Option<&Sharer>,
        caches: &mut JoinSet<()>,
        shutdown: impl Future<Output = ()>,
    ) -> Result<()> {
        let (stopper, stopped) = Stop::channel();
        let until = OnceLock::new();
        let mut everywhere = Crew::new(Group::Everywhere);
        let mut leading = pin!(self.lead(elector, &stopped, &until));
        let mut sharing = pin!(maybe_done(share(sharer, &stopped)));
        let (result, led) = tokio::select! {
            biased;
            () = shutdown => (Ok(()), None),
            Some(ended) = caches.join_next() => (Err(self.cache_ended(&ended)), None),
            failed = everywhere.work(&self.registry) => (failed, None),
            led = &mut leading => (Ok(()), Some(led)),
            () = &mut sharing => (Ok(()), None),
        };
        // Before the stop: what breaks in it did not cause it.
        let result = result.map_err(|error| self.cause_of(error));
        let mut led = led.map(|led| led.map_err(|error| self.cause_of(error)));
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
        // The leases are renewed while the others stop.
        let (stopped, led, ()) = tokio::join!(biased; stopping, leading, sharing);
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
            match Box::pin(elector.lead_term(None, stop.requested(), work)).await {
                Ended::Finished(result) => return result,
                Ended::Shutdown => return Ok(()),
                Ended::Lost => {}
            }
            // Its writes are refused by now; what blocks its thread can be left behind, but no new term begins
            // beside it.
            if let Err(running) = crew.abort(elector.election().fence_margin).await {
                let running = running.join(", ");
                return Err(Error::other(format!(
                    "leader election lost, and what ran does not end: {running}"
                )));
            }
            if !elector.election().step_down {
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

    /// Waits for the cache, and tells from time to time what it is that it waits for. What the server
    /// refuses, as it has no such kind or does not let this program read it, keeps back only those who need it.
    async fn cache_synced(&self) -> Result<()> {
        let mut over = pin!(sleep(self.sync_timeout));
        let mut tell = interval_at(Instant::now() + TELL_EVERY, TELL_EVERY);
        loop {
            tokio::select! {
                biased;
                synced = self.cache.synced() => {
                    return synced.map_err(|stopped| Error::other(stopped.to_string()));
                }
                () = &mut over => break,
                _ = tell.tick() => {
                    tracing::warn!(waiting_for = self.late(), "the cache is not synced yet");
                }
                () = sleep(LOOK_EVERY) => if self.is_only_refused() {
                    tracing::warn!(without = self.late(), "starts what can be started");
                    return Ok(());
                },
            }
        }
        let (limit, late) = (self.sync_timeout, self.late());
        Err(Error::other(format!("the cache was not synced within {limit:?}: {late}")))
    }

    /// What a cache that ended while the manager runs says of it.
    fn cache_ended(&self, ended: &Result<(), JoinError>) -> Error {
        let why = match ended {
            Ok(()) => "it was shut down, or is run by somebody else, too".to_owned(),
            Err(error) => error.to_string(),
        };
        self.cause_of(Error::other(format!("the cache has ended while the manager runs: {why}")))
    }

    /// Who reads a copy that broke down fails because of it, and may be heard of first.
    fn cause_of(&self, error: Error) -> Error {
        let broken: Vec<_> = self.cache.broken().iter().map(ToString::to_string).collect();
        if broken.is_empty() {
            return error;
        }
        Error::other(format!("the cache broke down: {}", broken.join("; ")))
    }

    /// Whether every watch that is not synced is refused by the server.
    fn is_only_refused(&self) -> bool {
        self.cache.status().iter().filter(|status| !status.synced).all(|status| status.refused)
    }

    /// The watches that are not synced, each with the reason.
    fn late(&self) -> String {
        let status = self.cache.status();
        let late: Vec<_> = status.iter().filter(|s| !s.synced).map(ToString::to_string).collect();
        late.join("; ")
    }
}

/// What was asked for, if it makes sense.
fn checked<T>(made: Option<&Result<T>>) -> Result<Option<&T>> {
    match made {
        None => Ok(None),
        Some(Ok(made)) => Ok(Some(made)),
        Some(Err(error)) => Err(Error::usage(error.to_string())),
    }
}

/// Takes part in the sharding until the stop, if there is one.
async fn share(sharer: Option<&Sharer>, stop: &Stop) {
    match sharer {
        Some(sharer) => sharer.run(stop).await,
        None => stop.requested().await,
    }
}

/// A manager that was run starts nothing more.
pub(super) struct ClosedOnDrop<'a>(pub(super) &'a Registry);

impl Drop for ClosedOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
