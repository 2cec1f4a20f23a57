//! A server, two replicas, and what one tick does to them.

use std::ops::ControlFlow;

use super::print::Print;
use super::*;

#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) server: Server,
    pub(super) replicas: [Replica; 2],
    pub(super) time: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Server {
    pub(super) lease: Option<Lease>,
    pub(super) version: u32,
}

#[derive(Clone, Debug)]
pub(super) struct Replica {
    pub(super) state: State,
    pub(super) next: Next,
    /// A request that was sent, whose answer is not there yet.
    pub(super) answer: Option<Input>,
    /// A write that was given up, and may still arrive.
    pub(super) late: Option<Next>,
    /// The lease is being given up.
    pub(super) release: Option<Release>,
    /// The record as it was when it was listed last.
    pub(super) listed: Option<Seen>,
    /// The last tick in which a write may reach the server.
    pub(super) writes_until: Option<u32>,
    pub(super) slow: bool,
    pub(super) margins: Margins,
}

/// What happens to a replica in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Luck {
    /// The process sleeps, or the network holds everything.
    Nothing,
    /// What is to be done is done, with an answer, or the answer comes that was missing.
    Fine,
    /// The request is served; its answer takes another tick, or longer.
    Served,
    /// The answer of the server does not come.
    AnswerLost,
    /// The request does not arrive, or not before it is given up.
    Lost,
    /// The work ends, and the last that it wrote, in this tick, is not answered.
    Ended,
    /// The work ends, and all that it wrote was answered.
    EndedAnswered,
    /// A write that was given up arrives.
    Late,
    /// The leases are listed, whether or not it is a candidate.
    Listed,
    /// A candidate is one no more, and begins anew from what was listed.
    Retired,
}

impl Server {
    pub(super) fn write(&mut self, lease: &Lease, create: bool) -> Input {
        let version = &*lease.metadata.resource_version;
        let fits = match &self.lease {
            None => create,
            Some(_) => !create && version == self.version.to_string(),
        };
        if !fits {
            return Input::Conflict;
        }
        self.version += 1;
        let mut stored = lease.clone();
        stored.metadata.resource_version = self.version.to_string().as_str().into();
        self.lease = Some(stored.clone());
        Input::Stored(stored)
    }

    pub(super) fn serve(&mut self, next: &Next) -> Input {
        match next {
            Next::Sleep(_) => Input::Woken,
            Next::Get => self.lease.clone().map_or(Input::Missing, Input::Found),
            Next::Create(lease) => self.write(lease, true),
            Next::Update(lease) => self.write(lease, false),
        }
    }
}

impl Replica {
    pub(super) fn new(name: &str, slow: bool, margins: Margins) -> Self {
        let state = State::new(&election(margins.lapse), name.to_owned(), 1);
        let next = Next::Sleep(Duration::ZERO);
        let (answer, late, release, listed, writes_until) = (None, None, None, None, None);
        Self { state, next, answer, late, release, listed, writes_until, slow, margins }
    }

    /// What its clock shows at a tick: a quarter of a second is the unit of both.
    pub(super) fn clock(&self, time: u32) -> Duration {
        let quarters = if self.slow { SLOW - 1 } else { SLOW };
        Duration::from_millis(250) * quarters * time
    }

    /// Whether its fence lets a write out.
    pub(super) fn may_write(&self, time: u32) -> bool {
        let reach = LEASE.saturating_sub(Duration::from_secs(self.margins.lapse));
        let open = |term: Term| self.clock(time) < term.renewed.saturating_add(reach);
        self.state.term().is_some_and(open)
    }

    /// The work is over: what is on its way is given up, and the lease is when that is settled.
    pub(super) fn end(&mut self, settled: Duration, lates: bool) {
        let (election, name) = (election(self.margins.lapse), self.state.form.identity.clone());
        self.release = Some(Release::new(&election, name, settled));
        self.begin_anew(settled, lates);
    }

    /// What is on its way is given up, and it is a candidate from then on.
    pub(super) fn begin_anew(&mut self, from: Duration, lates: bool) {
        if lates && self.answer.is_none() && matches!(self.next, Next::Create(_) | Next::Update(_))
        {
            self.late = Some(self.next.clone());
        }
        let (election, name) = (election(self.margins.lapse), self.state.form.identity.clone());
        self.state = State::new(&election, name, 1).having(self.listed.clone());
        (self.next, self.answer) = (Next::Sleep(from), None);
    }

    /// Gives the lease up in no time, if that is settled.
    pub(super) fn give_up(&mut self, server: &mut Server, time: u32) {
        while self.release.is_some() {
            let input = match &self.next {
                Next::Sleep(until) if self.clock(time) < *until => return,
                next => server.serve(next),
            };
            self.step(input, time);
        }
    }

    pub(super) fn step(&mut self, input: Input, time: u32) {
        let now = self.clock(time);
        let date = MicroTime::from_unix_micros(i64::try_from(now.as_micros()).unwrap());
        if let Some(release) = &self.release {
            match release.step(&input, now, date) {
                ControlFlow::Continue(next) => self.next = next,
                ControlFlow::Break(_) => {
                    (self.release, self.next) = (None, Next::Sleep(now));
                }
            }
            return;
        }
        self.next = self.state.step(input, now, date).next;
        self.state.random = 1;
        if let (Next::Sleep(until), None) = (&mut self.next, self.state.term()) {
            *until = now + self.state.retry_period;
        }
    }

    /// One thing at most; false if this cannot happen now.
    pub(super) fn tick(&mut self, luck: Luck, server: &mut Server, time: u32, lates: bool) -> bool {
        match (luck, &self.next) {
            (Luck::Nothing, _) => {}
            (Luck::Ended | Luck::EndedAnswered, _) if self.state.term().is_none() => return false,
            (Luck::Ended, _) => {
                if self.may_write(time) {
                    self.writes_until = Some(time + DELAY);
                }
                let margin = Duration::from_secs(self.margins.release);
                self.end(self.clock(time) + margin, lates);
                self.give_up(server, time);
            }
            (Luck::EndedAnswered, _) => {
                self.writes_until = None;
                self.end(self.clock(time), lates);
                self.give_up(server, time);
            }
            (Luck::Late, _) => match self.late.take() {
                Some(late) => _ = server.serve(&late),
                None => return false,
            },
            (Luck::Listed, _) => {
                let (now, before) = (self.clock(time), self.listed.take());
                let seen = |lease: &Lease| Seen::after(before.as_ref(), lease.clone(), now);
                self.listed = server.lease.as_ref().map(seen);
            }
            (Luck::Retired, _) => {
                if self.state.term().is_some() || self.release.is_some() {
                    return false;
                }
                self.begin_anew(self.clock(time), lates);
            }
            (Luck::Fine, Next::Sleep(until)) => {
                let until = self.state.deadline().map_or(*until, |deadline| deadline.min(*until));
                if self.clock(time) < until {
                    return false;
                }
                self.step(Input::Woken, time);
                if self.release.is_some() {
                    let looked = server.serve(&self.next);
                    self.step(looked, time);
                }
            }
            (_, Next::Sleep(_)) => return false,
            (Luck::Fine, next) => {
                let answer = self.answer.take().unwrap_or_else(|| server.serve(next));
                self.step(answer, time);
            }
            (Luck::Served, next) => match &self.answer {
                Some(_) => return false,
                None => self.answer = Some(server.serve(next)),
            },
            (Luck::AnswerLost, _) => match self.answer.take() {
                Some(_) => self.step(Input::Failed, time),
                None => return false,
            },
            (Luck::Lost, next) => {
                if self.answer.is_some() {
                    return false;
                }
                if lates && !matches!(next, Next::Get) {
                    self.late = Some(next.clone());
                }
                self.step(Input::Failed, time);
            }
        }
        true
    }
}

impl World {
    pub(super) fn new(margins: Margins) -> Self {
        let replicas = [Replica::new("a", true, margins), Replica::new("b", false, margins)];
        Self { server: Server::default(), replicas, time: 0 }
    }

    /// Lets everybody write who may. True if the other one's write can still arrive after it.
    pub(super) fn overlaps(&mut self) -> bool {
        for one in [0, 1] {
            if self.replicas[one].may_write(self.time) {
                if self.replicas[1 - one].writes_until.is_some_and(|until| until >= self.time) {
                    return true;
                }
                self.replicas[one].writes_until = Some(self.time + DELAY);
            }
        }
        false
    }

    /// All that decisions depend on.
    pub(super) fn print(&self) -> Vec<i64> {
        let mut print = Print::default();
        print.number(i64::from(self.time % SLOW));
        print.lease(self.server.lease.as_ref());
        for replica in &self.replicas {
            let left = replica.writes_until;
            let left = left.map_or(-1, |until| i64::from(until) - i64::from(self.time));
            print.number(left.max(-1));
            print.replica(replica, replica.clock(self.time));
        }
        print.ranked()
    }
}
