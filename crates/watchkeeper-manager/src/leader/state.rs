//! Decides when to ask for the lease, when to write it, and whether it is held. Knows no clock and no
//! server: times are offsets of a clock that only goes forward, dates are handed in.

use std::time::Duration;

use watchkeeper_api::MicroTime;
use watchkeeper_api::coordination::v1::Lease;

use super::lease::{self, Form};
use super::{JITTER, LeaderElection};

mod release;

pub(crate) use release::Release;

/// One replica's view of an election.
#[derive(Clone, Debug)]
pub(crate) struct State {
    form: Form,
    renew_deadline: Duration,
    retry_period: Duration,
    /// The record as it was seen last, and since when it has been like that for this replica (L-04).
    seen: Option<Seen>,
    /// Held, as far as this replica knows.
    term: Option<Term>,
    trying: Trying,
    random: u64,
}

/// A record, and since when it has been as it is for who looks.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) lease: Lease,
    pub(crate) since: Duration,
}

/// The time of a leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// When the last write that the server took was sent: for others the lease runs from then or later.
    pub(crate) renewed: Duration,
    /// What the wall clock said then.
    pub(crate) date: MicroTime,
}

/// What was asked last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trying {
    Nothing,
    Get,
    /// A write sent at this time.
    Write {
        sent: Duration,
        date: MicroTime,
        /// Without a look at the record before it (L-05).
        fast: bool,
    },
}

/// What happened.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// Time has come to do something, or to look whether it has.
    Woken,
    /// The answer to a read.
    Found(Lease),
    /// There is no lease.
    Missing,
    /// The server took the write, and this is what it stores.
    Stored(Lease),
    /// The server did not take the write, as somebody else wrote meanwhile.
    Conflict,
    /// The call failed, or was given up.
    Failed,
}

/// What to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    Get,
    Create(Lease),
    Update(Lease),
    Sleep(Duration),
}

/// What has become of it, beside what is to be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) next: Next,
    /// The lease was lost with this input.
    pub(crate) lost: bool,
    /// Somebody else holds the lease than before.
    pub(crate) leader: Option<String>,
    /// A renewal without a read did not succeed (`leader_election_slowpath_total`).
    pub(crate) slow: bool,
}

impl Step {
    const fn new(next: Next) -> Self {
        Self { next, lost: false, leader: None, slow: false }
    }
}

impl State {
    pub(crate) fn new(election: &LeaderElection, identity: String, seed: u64) -> Self {
        Self {
            form: Form::new(election, identity),
            renew_deadline: election.renew_deadline,
            retry_period: election.retry_period,
            seen: None,
            term: None,
            trying: Trying::Nothing,
            random: seed,
        }
    }

    /// The same for a candidate who has seen the record before, since it was no candidate: it need not wait
    /// again for what has run out already.
    pub(crate) fn having(mut self, seen: Option<Seen>) -> Self {
        self.seen = seen;
        self
    }

    /// Takes in what happened at `now`, which the wall clock calls `date`.
    pub(crate) fn step(&mut self, input: Input, now: Duration, date: MicroTime) -> Step {
        let trying = std::mem::replace(&mut self.trying, Trying::Nothing);
        if let (Input::Stored(lease), Trying::Write { sent, date, .. }) = (&input, trying) {
            return self.stored(lease.clone(), Term { renewed: sent, date }, now);
        }
        if self.term.is_some() && self.is_over(now) {
            self.term = None;
            return Step { lost: true, ..self.again(now) };
        }
        match input {
            Input::Woken | Input::Stored(_) => self.begin(now, date),
            Input::Found(lease) => self.found(lease, now, date),
            Input::Missing => self.missing(now, date),
            Input::Conflict | Input::Failed => match trying {
                Trying::Write { fast: true, .. } => Step { slow: true, ..self.get() },
                _ => self.again(now),
            },
        }
    }

    /// When a leader that is not answered has lost the lease.
    pub(crate) fn deadline(&self) -> Option<Duration> {
        self.term.map(|term| term.renewed.saturating_add(self.renew_deadline))
    }

    pub(crate) const fn term(&self) -> Option<Term> {
        self.term
    }

    fn is_over(&self, now: Duration) -> bool {
        self.deadline().is_some_and(|deadline| now >= deadline)
    }

    /// The write was taken: this replica leads from when it was sent, unless the answer was so late that the
    /// time to renew is over.
    fn stored(&mut self, lease: Lease, term: Term, now: Duration) -> Step {
        let held = self.form.holds(&lease.spec);
        let leader = self.observe(lease, now);
        let late = now >= self.term.unwrap_or(term).renewed.saturating_add(self.renew_deadline);
        if held && !late {
            self.term = Some(term);
            let next = Next::Sleep(now.saturating_add(self.retry_period));
            return Step { leader, ..Step::new(next) };
        }
        let lost = self.term.take().is_some();
        Step { leader, lost, ..self.again(now) }
    }

    /// A leader whose record is good writes at once; everybody else looks first.
    fn begin(&mut self, now: Duration, date: MicroTime) -> Step {
        let mine = self.seen.as_ref().filter(|seen| {
            self.term.is_some() && self.form.holds(&seen.lease.spec) && seen.is_good(now)
        });
        match mine.map(|seen| self.form.taken(&seen.lease, date)) {
            Some(lease) => self.write(Next::Update(lease), now, date, true),
            None => self.get(),
        }
    }

    fn found(&mut self, lease: Lease, now: Duration, date: MicroTime) -> Step {
        let leader = self.observe(lease, now);
        let Some(seen) = &self.seen else { return self.again(now) };
        if self.is_of_another(seen, now) {
            // Who reads that somebody else holds it has lost it already.
            let lost = self.term.take().is_some();
            return Step { leader, lost, ..self.again(now) };
        }
        let lease = self.form.taken(&seen.lease, date);
        Step { leader, ..self.write(Next::Update(lease), now, date, false) }
    }

    /// The lease is gone: who saw it in other hands waits until it has run out for them, as they may not know.
    fn missing(&mut self, now: Duration, date: MicroTime) -> Step {
        if self.seen.as_ref().is_some_and(|seen| self.is_of_another(seen, now)) {
            return self.again(now);
        }
        self.write(Next::Create(self.form.made(date)), now, date, false)
    }

    /// Whether somebody else holds the lease, and still has time.
    fn is_of_another(&self, seen: &Seen, now: Duration) -> bool {
        let spec = &seen.lease.spec;
        !lease::holder(spec).is_empty() && !self.form.holds(spec) && seen.is_good(now)
    }

    /// Notes the record.
    fn observe(&mut self, lease: Lease, now: Duration) -> Option<String> {
        let before = self.seen.as_ref();
        let held_before = before.map(|seen| lease::holder(&seen.lease.spec).to_owned());
        let holder = lease::holder(&lease.spec).to_owned();
        self.seen = Some(Seen::after(before, lease, now));
        (held_before.as_ref() != Some(&holder)).then_some(holder)
    }

    fn get(&mut self) -> Step {
        self.trying = Trying::Get;
        Step::new(Next::Get)
    }

    fn write(&mut self, next: Next, now: Duration, date: MicroTime, fast: bool) -> Step {
        self.trying = Trying::Write { sent: now, date, fast };
        Step::new(next)
    }

    /// A leader tries again after the period, others after up to 2.2 of it.
    fn again(&mut self, now: Duration) -> Step {
        let mut wait = self.retry_period;
        if self.term.is_none() {
            wait = wait.mul_f64(1.0 + self.draw() * JITTER);
        }
        Step::new(Next::Sleep(now.saturating_add(wait)))
    }

    /// From 0 to 1, the same for the same seed.
    fn draw(&mut self) -> f64 {
        self.random = watchkeeper_controller::seed_for(self.random, "leader election");
        let high = u32::try_from(self.random >> 32).unwrap_or(u32::MAX);
        f64::from(high) / f64::from(u32::MAX)
    }
}

impl Seen {
    /// What was seen at `now`, after `before`: a change of anything in the record starts its time anew (L-06).
    pub(crate) fn after(before: Option<&Self>, lease: Lease, now: Duration) -> Self {
        let same = before.filter(|seen| seen.lease.spec == lease.spec);
        let since = same.map_or(now, |seen| seen.since);
        Self { lease, since }
    }

    /// Whether the holder still has time by this replica's clock.
    pub(crate) fn is_good(&self, now: Duration) -> bool {
        self.since.saturating_add(lease::duration(&self.lease.spec)) > now
    }
}

#[cfg(test)]
mod looks;
#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
