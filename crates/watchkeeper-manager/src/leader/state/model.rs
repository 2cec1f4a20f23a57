//! The shipped state, and all that can happen to two replicas of it, however long it goes on.
//!
//! Two replicas with clocks of different speed share one lease on a server. In each tick of true time each
//! replica does at most one thing: its request reaches the server, or is lost, or reaches it after nobody
//! waits for it any more; the answer comes back, or is lost; or nothing happens, as when its process
//! sleeps. A leader's work may end at any time: its lease is given up then, at once if all that it wrote was
//! answered, and a margin later if not; and it is a candidate anew. A replica that shares objects (see
//! `sharding`) is a candidate only while it wants to be: it may cease at any time, and begin again from a record
//! that it has seen in a list meanwhile. A write that its fence lets out may reach
//! the server up to [`DELAY`] later. Every world that can be reached is visited, and in none of them can a
//! write arrive after another replica was let write.
//!
//! Worlds are the same that differ only by a shift in time, by dates and by the numbers of versions: no
//! decision depends on those. Candidates look again after the shortest wait: to wait longer is to sleep.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;

use super::*;

/// How many ticks after its fence let it out a leader's write may still reach the server.
const DELAY: u32 = 1;
/// Of so many ticks the slow clock misses one.
const SLOW: u32 = 4;

const LEASE: Duration = Duration::from_secs(4);

/// What keeps writes apart: seconds before the lease ends, and after the last write before it is given up.
#[derive(Clone, Copy, Debug)]
struct Margins {
    lapse: u64,
    release: u64,
}

const MARGINS: Margins = Margins { lapse: 2, release: 2 };

fn election(margin: u64) -> LeaderElection {
    let (lease, renew, retry) = (LEASE, Duration::from_secs(2), Duration::from_secs(1));
    let mut election = LeaderElection::new("l").times(lease, renew, retry);
    election.fence_margin = Duration::from_secs(margin);
    election
}

#[derive(Clone, Debug)]
struct World {
    server: Server,
    replicas: [Replica; 2],
    time: u32,
}

#[derive(Clone, Debug, Default)]
struct Server {
    lease: Option<Lease>,
    version: u32,
}

#[derive(Clone, Debug)]
struct Replica {
    state: State,
    next: Next,
    /// A request that was sent, whose answer is not there yet.
    answer: Option<Input>,
    /// A write that was given up, and may still arrive.
    late: Option<Next>,
    /// The lease is being given up.
    release: Option<Release>,
    /// The record as it was when it was listed last.
    listed: Option<Seen>,
    /// The last tick in which a write may reach the server.
    writes_until: Option<u32>,
    slow: bool,
    margins: Margins,
}

/// What happens to a replica in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Luck {
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
    fn write(&mut self, lease: &Lease, create: bool) -> Input {
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

    fn serve(&mut self, next: &Next) -> Input {
        match next {
            Next::Sleep(_) => Input::Woken,
            Next::Get => self.lease.clone().map_or(Input::Missing, Input::Found),
            Next::Create(lease) => self.write(lease, true),
            Next::Update(lease) => self.write(lease, false),
        }
    }
}

impl Replica {
    fn new(name: &str, slow: bool, margins: Margins) -> Self {
        let state = State::new(&election(margins.lapse), name.to_owned(), 1);
        let next = Next::Sleep(Duration::ZERO);
        let (answer, late, release, listed, writes_until) = (None, None, None, None, None);
        Self { state, next, answer, late, release, listed, writes_until, slow, margins }
    }

    /// What its clock shows at a tick: a quarter of a second is the unit of both.
    fn clock(&self, time: u32) -> Duration {
        let quarters = if self.slow { SLOW - 1 } else { SLOW };
        Duration::from_millis(250) * quarters * time
    }

    /// Whether its fence lets a write out.
    fn may_write(&self, time: u32) -> bool {
        let reach = LEASE.saturating_sub(Duration::from_secs(self.margins.lapse));
        let open = |term: Term| self.clock(time) < term.renewed.saturating_add(reach);
        self.state.term().is_some_and(open)
    }

    /// The work is over: what is on its way is given up, and the lease is when that is settled.
    fn end(&mut self, settled: Duration, lates: bool) {
        let (election, name) = (election(self.margins.lapse), self.state.form.identity.clone());
        self.release = Some(Release::new(&election, name, settled));
        self.begin_anew(settled, lates);
    }

    /// What is on its way is given up, and it is a candidate from then on.
    fn begin_anew(&mut self, from: Duration, lates: bool) {
        if lates && self.answer.is_none() && matches!(self.next, Next::Create(_) | Next::Update(_))
        {
            self.late = Some(self.next.clone());
        }
        let (election, name) = (election(self.margins.lapse), self.state.form.identity.clone());
        self.state = State::new(&election, name, 1).having(self.listed.clone());
        (self.next, self.answer) = (Next::Sleep(from), None);
    }

    /// Gives the lease up in no time, if that is settled.
    fn give_up(&mut self, server: &mut Server, time: u32) {
        while self.release.is_some() {
            let input = match &self.next {
                Next::Sleep(until) if self.clock(time) < *until => return,
                next => server.serve(next),
            };
            self.step(input, time);
        }
    }

    fn step(&mut self, input: Input, time: u32) {
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
    fn tick(&mut self, luck: Luck, server: &mut Server, time: u32, lates: bool) -> bool {
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
    fn new(margins: Margins) -> Self {
        let replicas = [Replica::new("a", true, margins), Replica::new("b", false, margins)];
        Self { server: Server::default(), replicas, time: 0 }
    }

    /// Lets everybody write who may. True if the other one's write can still arrive after it.
    fn overlaps(&mut self) -> bool {
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
    fn print(&self) -> Vec<i64> {
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

/// Numbers, some of which are versions that count only by which is newer.
#[derive(Default)]
struct Print {
    numbers: Vec<i64>,
    versions: Vec<(usize, i64)>,
}

impl Print {
    fn number(&mut self, number: i64) {
        self.numbers.push(number);
    }

    /// How long from now, in quarters; what is over is over.
    fn ahead(&mut self, time: Duration, now: Duration) {
        let left = time.saturating_sub(now).as_millis() / 250;
        self.number(i64::try_from(left).unwrap());
    }

    fn lease(&mut self, lease: Option<&Lease>) {
        let Some(lease) = lease else { return self.number(-1) };
        let holder = lease::holder(&lease.spec);
        self.number(match holder {
            "a" => 1,
            "b" => 2,
            _ => 0,
        });
        let version = lease.metadata.resource_version.parse().unwrap_or(-1);
        self.versions.push((self.numbers.len(), version));
        self.number(0);
    }

    fn replica(&mut self, replica: &Replica, now: Duration) {
        let Replica { state, next, answer, late, release, listed, .. } = replica;
        // When it is settled is what it sleeps until.
        self.number(i64::from(release.is_some()));
        for seen in [&state.seen, listed] {
            self.lease(seen.as_ref().map(|seen| &seen.lease));
            if let Some(seen) = seen {
                self.ahead(seen.since + lease::duration(&seen.lease.spec), now);
            }
        }
        match state.term {
            Some(term) => self.ahead(term.renewed + LEASE, now),
            None => self.number(-1),
        }
        match state.trying {
            Trying::Nothing => self.number(-1),
            Trying::Get => self.number(-2),
            Trying::Write { sent, fast, .. } => {
                self.number(i64::from(fast));
                self.ahead(sent + LEASE, now);
            }
        }
        self.next(Some(next), now);
        self.next(late.as_ref(), now);
        match answer {
            None => self.number(0),
            Some(Input::Woken) => self.number(1),
            Some(Input::Missing) => self.number(2),
            Some(Input::Failed) => self.number(3),
            Some(Input::Conflict) => self.number(6),
            Some(Input::Found(lease)) => {
                self.number(4);
                self.lease(Some(lease));
            }
            Some(Input::Stored(lease)) => {
                self.number(5);
                self.lease(Some(lease));
            }
        }
    }

    fn next(&mut self, next: Option<&Next>, now: Duration) {
        match next {
            None => self.number(-1),
            Some(Next::Get) => self.number(-2),
            Some(Next::Sleep(until)) => self.ahead(*until, now),
            Some(Next::Create(lease) | Next::Update(lease)) => {
                self.number(-3);
                self.lease(Some(lease));
            }
        }
    }

    fn ranked(mut self) -> Vec<i64> {
        let mut order: Vec<i64> = self.versions.iter().map(|(_, version)| *version).collect();
        order.sort_unstable();
        order.dedup();
        for (place, version) in self.versions {
            self.numbers[place] = i64::try_from(order.partition_point(|v| *v < version)).unwrap();
        }
        self.numbers
    }
}

const LUCK: [Luck; 8] = [
    Luck::Nothing,
    Luck::Fine,
    Luck::Served,
    Luck::AnswerLost,
    Luck::Lost,
    Luck::Ended,
    Luck::EndedAnswered,
    Luck::Late,
];

/// What can happen to replicas that share objects.
const SHARING: &[Luck] = &[
    Luck::Nothing,
    Luck::Fine,
    Luck::Served,
    Luck::AnswerLost,
    Luck::Lost,
    Luck::Ended,
    Luck::EndedAnswered,
    Luck::Listed,
    Luck::Retired,
];

/// The same without answers that are late and requests that are lost, and without the end of work.
const CEASING: &[Luck] = &[Luck::Nothing, Luck::Fine, Luck::Listed, Luck::Retired];

/// What can happen without writes that arrive when nobody waits for them any more.
const PROMPT: &[Luck] = LUCK.split_at(7).0;

/// What can happen while the work goes on.
const WORKING: &[Luck] = LUCK.split_at(5).0;

/// What a walk has seen.
#[derive(Debug)]
struct Walked {
    worlds: usize,
    /// In how many of them each replica leads, and gives the lease up.
    led: [usize; 2],
    released: [usize; 2],
    /// There is no world that it has not seen; otherwise it ran out of ticks.
    all: bool,
}

/// Visits the worlds within so many ticks; or finds one in which both write.
fn walk(margins: Margins, luck: &[Luck], ticks: u32) -> Result<Walked, Box<World>> {
    let mut ahead = VecDeque::from([World::new(margins)]);
    let lates = luck.contains(&Luck::Late);
    let mut seen = HashSet::new();
    let mut walked = Walked { worlds: 0, led: [0; 2], released: [0; 2], all: true };
    while let Some(world) = ahead.pop_front() {
        if world.time == ticks {
            walked.all = false;
            break;
        }
        for (first, second) in luck.iter().flat_map(|a| luck.iter().map(move |b| (*a, *b))) {
            let mut world = world.clone();
            world.time += 1;
            let World { server, replicas: [one, other], time } = &mut world;
            if !one.tick(first, server, *time, lates) || !other.tick(second, server, *time, lates) {
                continue;
            }
            if world.overlaps() {
                return Err(Box::new(world));
            }
            if seen.insert(world.print()) {
                for (one, replica) in world.replicas.iter().enumerate() {
                    walked.led[one] += usize::from(replica.state.term().is_some());
                    walked.released[one] += usize::from(replica.release.is_some());
                }
                ahead.push_back(world);
            }
        }
    }
    walked.worlds = seen.len();
    Ok(walked)
}

fn never(found: Result<Walked, Box<World>>) -> Walked {
    found.unwrap_or_else(|world| panic!("two write at once: {world:#?}"))
}

/// L-14: with a margin for the delay and for what the clocks differ in a lease, whatever happens.
#[test]
fn l_14_no_two_replicas_write_at_once_within_the_bounds() {
    let walked = never(walk(MARGINS, WORKING, u32::MAX));
    assert!(walked.all && walked.worlds > 10_000, "{walked:?}");
    assert!(walked.led.iter().all(|count| *count > 1_000), "both lead: {walked:?}");
}

/// The same with work that ends, and a lease that is given up, so many ticks deep; `cargo xtask long` goes to
/// the end.
#[test]
fn l_14_no_two_replicas_write_at_once_when_a_lease_is_given_up() {
    let walked = as_deep_as_asked(PROMPT, 8, u32::MAX);
    assert!(walked.released.iter().all(|count| *count > 10), "both give it up: {walked:?}");
}

/// The same with writes of the lease that arrive late. There are more worlds than memory holds: the long run
/// goes somewhat deeper, and to no end.
#[test]
fn l_14_no_two_replicas_write_at_once_when_writes_arrive_late() {
    let walked = as_deep_as_asked(&LUCK, 8, 10);
    assert!(walked.released.iter().all(|count| *count > 10), "both give it up: {walked:?}");
}

/// The same with candidates that cease to be, and begin anew from what they saw in a list: no shard has two
/// replicas that write, whatever decides which shards they want. So many ticks deep; `cargo xtask long` goes to
/// the end.
#[test]
fn no_shard_is_held_twice_whoever_wants_it_when() {
    as_deep_as_asked(CEASING, 9, u32::MAX);
}

/// And with all that can happen to requests and to the work besides.
#[test]
fn no_shard_is_held_twice_within_the_bounds() {
    let walked = as_deep_as_asked(SHARING, 6, 10);
    assert!(walked.released.iter().all(|count| *count > 10), "both give it up: {walked:?}");
}

#[expect(clippy::disallowed_methods, reason = "the long run says how deep")]
fn as_deep_as_asked(luck: &[Luck], usual: u32, at_most: u32) -> Walked {
    let long: Option<u32> =
        std::env::var("WATCHKEEPER_TICKS").ok().map(|ticks| ticks.parse().expect("a number"));
    let ticks = long.unwrap_or(usual).min(at_most);
    let walked = never(walk(MARGINS, luck, ticks));
    assert!(walked.worlds > 1_000, "{walked:?}");
    assert!(walked.led.iter().all(|count| *count > 10), "both lead: {walked:?}");
    assert!(walked.all || long != Some(ticks), "the long run sees every world: {walked:?}");
    walked
}

/// The walk finds what it looks for: without a margin the late write of a slow clock.
#[test]
fn without_a_margin_two_replicas_can_write_at_once() {
    let margins = Margins { lapse: 0, ..MARGINS };
    walk(margins, WORKING, u32::MAX).expect_err("a world in which two write at once");
}

/// The same of a shard, the late write and that of who gave it up.
#[test]
fn without_a_margin_a_shard_can_be_held_twice() {
    for (luck, margins) in
        [(CEASING, Margins { lapse: 0, ..MARGINS }), (SHARING, Margins { release: 0, ..MARGINS })]
    {
        walk(margins, luck, 9).expect_err("a world in which two write at once");
    }
}

/// And the write of who gave the lease up without waiting for it.
#[test]
fn without_a_margin_for_what_is_given_up_two_replicas_can_write_at_once() {
    let margins = Margins { release: 0, ..MARGINS };
    walk(margins, PROMPT, 8).expect_err("a world in which two write at once");
}
