//! What is done to leaders, one round after the other.

use std::time::Duration;

use super::has_worked;
use super::replica::{QUICK, Replica, Side};
use super::stage::Stage;
use crate::{Outcome, step};

/// How long a program may take to notice that it has lost the lease.
const PATIENCE: Duration = Duration::from_secs(20);

/// Who was ended, and how.
#[derive(Debug, Default)]
pub(super) struct Played {
    pub(super) killed: Vec<String>,
    /// For longer than the lease, so that another one took it.
    pub(super) paused: Vec<String>,
    /// For about as long as the lease.
    pub(super) napped: Vec<String>,
    /// In order: it gave the lease up.
    pub(super) stopped: Vec<String>,
    /// Paused as well, without a fence of ours.
    pub(super) unfenced: Vec<String>,
    /// How often a client of those that woke did not send what it was asked to.
    pub(super) not_sent: usize,
}

impl Played {
    /// Kills the leader in the midst of its work.
    pub(super) fn kill(&mut self, stage: &mut Stage) -> Outcome<()> {
        let name = working(stage, Side::Ours)?;
        stage.end(&name, Replica::kill)?;
        stage.converge()?;
        self.killed.push(name);
        Ok(())
    }

    /// Stops the leader until another one works, then lets it go on: it has to notice, and end.
    pub(super) fn pause(&mut self, stage: &mut Stage) -> Outcome<()> {
        let name = working(stage, Side::Ours)?;
        self.not_sent += pause(stage, &name)?;
        stage.converge()?;
        self.paused.push(name);
        Ok(())
    }

    /// Stops the leader for about as long as its lease: it may find that it leads still, and may not have
    /// written before it knew.
    pub(super) fn nap(&mut self, stage: &mut Stage) -> Outcome<()> {
        let name = working(stage, Side::Ours)?;
        stage.replica(&name)?.pause();
        // From where the fence closes on.
        stage.go_on(QUICK.lease * 4 / 5..QUICK.lease * 6 / 5)?;
        stage.replica(&name)?.wake();
        stage.go_on(500..600)?;
        self.napped.push(name);
        stage.leader("")?;
        stage.converge()
    }

    /// The lease goes from ours to client-go's and back: by a kill and in order.
    pub(super) fn turn(&mut self, stage: &mut Stage) -> Outcome<()> {
        for side in [Side::Ours, Side::Go] {
            let name = working(stage, side)?;
            stage.end(&name, Replica::kill)?;
            self.killed.push(name);
        }
        for side in [Side::Ours, Side::Go] {
            let name = working(stage, side)?;
            stage.end(&name, Replica::stop)?;
            self.stopped.push(name);
        }
        stage.leader_of(Side::Ours)?;
        stage.converge()
    }

    /// As [`pause`](Self::pause), of a leader that has no fence: it writes when it wakes.
    pub(super) fn unfenced(&mut self, stage: &mut Stage) -> Outcome<()> {
        let name = working(stage, Side::Go)?;
        self.unfenced.push(name.clone());
        pause(stage, &name).map(drop)
    }
}

/// How often a leader may lose its lease by itself, on a busy machine, before it is told.
const TRIES: usize = 10;

/// A leader of this side, at a random moment of its work: one that has kept its lease and done something.
fn working(stage: &mut Stage, side: Side) -> Outcome<String> {
    for _ in 0..TRIES {
        let name = stage.leader_of(side)?.name.clone();
        step::within(PATIENCE, || {
            stage.go_on(300..900)?;
            Ok(has_worked(&name)? || stage.leader_of(side)?.name != name)
        })?;
        if stage.leader_of(side)?.name == name && has_worked(&name)? {
            return Ok(name);
        }
    }
    Err(format!("no leader kept its lease and worked in {TRIES} tries"))
}

/// Pauses a leader until another one works; how often it did not send what it was asked to when it woke.
fn pause(stage: &mut Stage, name: &str) -> Outcome<usize> {
    let side = stage.replica(name)?.side;
    stage.replica(name)?.pause();
    stage.leader(name)?;
    stage.go_on(0..500)?;
    stage.replica(name)?.wake();
    stage.go_on(300..500)?;
    let replica = stage.replica(name)?;
    step::until(PATIENCE, || Ok(!replica.runs()))
        .map_err(|problem| format!("{name} does not notice that it lost the lease: {problem}"))?;
    let said = replica.said();
    if !said.contains("leader election lost") {
        return Err(format!("{name} ended: {said}"));
    }
    stage.forget(name);
    stage.add(side)?;
    Ok(said.matches("not sent:").count() + said.matches("given up:").count())
}
