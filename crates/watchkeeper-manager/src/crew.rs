//! The runnables of a group that run.

use std::time::Duration;

use tokio::task::{AbortHandle, JoinError, JoinSet};
use tokio::time::{Instant, timeout, timeout_at};
use watchkeeper_api::{Error, Result};
use watchkeeper_controller::{Stop, Stopper};

use crate::runnable::{Group, Registry, Runnable};

/// The tasks of a group; dropping it aborts them all.
pub(crate) struct Crew {
    group: Group,
    tasks: JoinSet<(String, Result<()>)>,
    /// What was started, to be started again.
    members: Vec<Member>,
    stop: Stopper,
    stopped: Stop,
}

/// Something that was started.
struct Member {
    runnable: Runnable,
    task: AbortHandle,
}

impl Crew {
    pub(crate) fn new(group: Group) -> Self {
        let (stop, stopped) = Stop::channel();
        Self { group, tasks: JoinSet::new(), members: Vec::new(), stop, stopped }
    }

    /// Starts what was added and what will be; ends only with an error.
    pub(crate) async fn work(&mut self, registry: &Registry) -> Result<()> {
        loop {
            for runnable in registry.take(self.group)? {
                self.start(runnable)?;
            }
            tokio::select! {
                biased;
                () = registry.added(self.group) => {}
                Some(ended) = self.tasks.join_next() => {
                    finished(ended)?;
                    // What was done once, and well, need not be done again.
                    self.members.retain(|m| m.runnable.can_start() || !m.task.is_finished());
                }
            }
        }
    }

    fn start(&mut self, mut runnable: Runnable) -> Result<()> {
        let name = runnable.name.clone();
        tracing::debug!(runnable = name, "starting");
        let Some(running) = runnable.start(self.stopped.clone()) else {
            return Err(once(&name));
        };
        let task = self.tasks.spawn(async move { (name, running.await) });
        self.members.push(Member { runnable, task });
        Ok(())
    }

    /// Waits until all have ended, but not past `until`; `grace` is what that was in words.
    pub(crate) async fn stop(&mut self, until: Option<Instant>, grace: Duration) -> Result<()> {
        self.stop.stop();
        let mut result = Ok(());
        let all_ended = async {
            while let Some(ended) = self.tasks.join_next().await {
                let ended = finished(ended);
                result = std::mem::replace(&mut result, Ok(())).and(ended);
            }
        };
        let in_time = match until {
            Some(until) => timeout_at(until, all_ended).await.is_ok(),
            None => {
                all_ended.await;
                true
            }
        };
        // Who gives no time does not complain that it is over.
        if in_time || grace.is_zero() {
            return result;
        }
        result.and(Err(Error::other(format!(
            "failed waiting for all runnables to end within the grace period of {grace:?}"
        ))))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Ends all where they are, and waits until they have ended, for so long.
    ///
    /// # Errors
    /// Names those that do not end: they block a thread.
    pub(crate) async fn abort(&mut self, limit: Duration) -> Result<(), Vec<String>> {
        if timeout(limit, self.tasks.shutdown()).await.is_ok() {
            return Ok(());
        }
        let running = self.members.iter().filter(|member| !member.task.is_finished());
        Err(running.map(|member| member.runnable.name.clone()).collect())
    }

    /// Starts everything that was started before once more; nothing if there is something that cannot be.
    pub(crate) fn again(&mut self) -> Result<()> {
        if let Some(member) = self.members.iter().find(|member| !member.runnable.can_start()) {
            return Err(once(&member.runnable.name));
        }
        for member in std::mem::take(&mut self.members) {
            self.start(member.runnable)?;
        }
        Ok(())
    }
}

fn once(name: &str) -> Error {
    Error::other(format!(
        "{name} can be run once, and the lease was lost meanwhile: add it with `add_restartable`, or let the process end with the lease"
    ))
}

/// How a runnable ended; a panic is an error, too.
fn finished(ended: Result<(String, Result<()>), JoinError>) -> Result<()> {
    match ended {
        Ok((name, Ok(()))) => {
            tracing::debug!(runnable = name, "ended");
            Ok(())
        }
        Ok((name, Err(error))) => {
            tracing::error!(runnable = name, %error, "failed");
            Err(error)
        }
        Err(error) => Err(Error::other(format!("a runnable broke down: {error}"))),
    }
}
