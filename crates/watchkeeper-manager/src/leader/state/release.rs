//! Decides how a lease is given up: not before nothing that its holder wrote can be stored any more.

use std::ops::ControlFlow;
use std::time::Duration;

use watchkeeper_api::MicroTime;

use super::{Input, Next};
use crate::leader::LeaderElection;
use crate::leader::lease::Form;

/// A lease on its way to nobody (L-08).
#[derive(Clone, Debug)]
pub(crate) struct Release {
    form: Form,
    /// From when on nothing of this replica can be stored.
    settled: Duration,
}

impl Release {
    pub(crate) fn new(election: &LeaderElection, identity: String, settled: Duration) -> Self {
        Self { form: Form::new(election, identity), settled }
    }

    /// Takes in what happened at `now`, which the wall clock calls `date`: what to do, or, at the end, whether
    /// this replica has the lease no more. If it has, it runs out.
    pub(crate) fn step(
        &self,
        input: &Input,
        now: Duration,
        date: MicroTime,
    ) -> ControlFlow<bool, Next> {
        if now < self.settled {
            return ControlFlow::Continue(Next::Sleep(self.settled));
        }
        match input {
            Input::Woken | Input::Conflict => ControlFlow::Continue(Next::Get),
            Input::Found(lease) if self.form.holds(&lease.spec) => {
                ControlFlow::Continue(Next::Update(self.form.released(lease, date)))
            }
            Input::Found(_) | Input::Missing | Input::Stored(_) => ControlFlow::Break(true),
            Input::Failed => ControlFlow::Break(false),
        }
    }
}

#[cfg(test)]
mod tests;
