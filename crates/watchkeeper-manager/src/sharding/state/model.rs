//! The shipped states of a sharding, a lease and its release, and what happens to replicas of them.
//!
//! That no shard has two who write is the business of its lease, whoever wants it when (`leader/state/model.rs`);
//! it is looked at here, too. This is about what becomes of the shards: replicas that are stopped, killed, cut
//! off from the server or asleep, and that come, one after the other and two at once, at every moment of their
//! rounds. Not later than [`BOUND`] rounds after the last of it every shard is held, and by fair shares.
//!
//! In each tick, a second, those that are awake do all that is due, one after the other.

use std::ops::ControlFlow;

use watchkeeper_api::MicroTime;

use super::*;
use crate::leader::state::{Input, Next, Release, State as Candidacy};

const SHARDS: u32 = 3;
const LEASE: u64 = 4;
const RENEW: u64 = 2;
/// A lease that nobody renews is free after its time, counted from when it was seen to change last, which is
/// at most one round after it did; and a round more where who looks had been cut off until then.
const BOUND: u64 = LEASE + 2;

#[derive(Clone, Debug)]
struct World {
    leases: BTreeMap<String, Lease>,
    version: u32,
    time: u64,
    replicas: Vec<Replica>,
}

#[derive(Clone, Debug)]
struct Replica {
    sharding: Sharding,
    state: State,
    /// Its own lease, while it is there.
    member: Option<Holder>,
    shards: BTreeMap<u32, Holder>,
    standing: Standing,
    /// Whether a candidate begins from what it saw in a list.
    remembers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Not begun, or ended.
    Away,
    Works,
    /// Nothing happens before this time.
    Asleep(u64),
    /// No request is answered before this time.
    CutOff(u64),
    /// For ever.
    Dead,
}

/// A candidate for a lease, or its holder.
#[derive(Clone, Debug)]
struct Holder {
    candidacy: Candidacy,
    election: LeaderElection,
    next: Next,
}

/// What happens to a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Comes(usize),
    Stops(usize),
    Dies(usize),
    Sleeps(usize, u64),
    IsCutOff(usize, u64),
}

fn date(time: u64) -> MicroTime {
    MicroTime::from_unix_micros(i64::try_from(time).unwrap() * 1_000_000)
}

impl Holder {
    fn new(election: LeaderElection, identity: &str, seen: Option<Seen>) -> Self {
        let candidacy = Candidacy::new(&election, identity.to_owned(), 1).having(seen);
        Self { candidacy, election, next: Next::Sleep(Duration::ZERO) }
    }

    fn leads(&self) -> bool {
        self.candidacy.term().is_some()
    }

    /// Does what is due; whether the lease is lost with it.
    fn turn(&mut self, world: &mut Served<'_>) -> bool {
        let now = Duration::from_secs(world.time);
        loop {
            let over = self.candidacy.deadline().is_some_and(|deadline| now >= deadline);
            let input = match &self.next {
                Next::Sleep(until) if *until > now && !over => return false,
                next => world.serve(next, &self.election.lease),
            };
            let step = self.candidacy.step(input, now, date(world.time));
            self.next = step.next;
            if step.lost {
                return true;
            }
        }
    }

    fn give_up(self, identity: &str, world: &mut Served<'_>) {
        let now = Duration::from_secs(world.time);
        let release = Release::new(&self.election, identity.to_owned(), now);
        let mut input = Input::Woken;
        while let ControlFlow::Continue(next) = release.step(&input, now, date(world.time)) {
            input = world.serve(&next, &self.election.lease);
        }
    }
}

/// The server, as one replica reaches it.
struct Served<'a> {
    leases: &'a mut BTreeMap<String, Lease>,
    version: &'a mut u32,
    time: u64,
    answers: bool,
}

impl Served<'_> {
    fn serve(&mut self, next: &Next, name: &str) -> Input {
        match next {
            Next::Sleep(_) => Input::Woken,
            _ if !self.answers => Input::Failed,
            Next::Get => self.leases.get(name).cloned().map_or(Input::Missing, Input::Found),
            Next::Create(lease) => self.write(lease, name, None),
            Next::Update(lease) => self.write(lease, name, Some(&lease.metadata.resource_version)),
        }
    }

    fn write(&mut self, lease: &Lease, name: &str, version: Option<&str>) -> Input {
        let stored = self.leases.get(name).map(|lease| &*lease.metadata.resource_version);
        if stored != version {
            return Input::Conflict;
        }
        *self.version += 1;
        let mut lease = lease.clone();
        lease.metadata.resource_version = self.version.to_string().as_str().into();
        self.leases.insert(name.to_owned(), lease.clone());
        Input::Stored(lease)
    }
}

impl Replica {
    fn new(identity: &str, remembers: bool) -> Self {
        let [lease, renew, retry] = [LEASE, RENEW, 1].map(Duration::from_secs);
        let sharding = Sharding::new("s", SHARDS).identity(identity).times(lease, renew, retry);
        let state = State::new(&sharding, identity.to_owned());
        let (member, shards, standing) = (None, BTreeMap::new(), Standing::Away);
        Self { sharding, state, member, shards, standing, remembers }
    }

    fn identity(&self) -> String {
        self.state.identity.clone()
    }

    fn election(&self, name: String) -> LeaderElection {
        self.state.names.election(&self.sharding, name)
    }

    fn held(&self) -> BTreeSet<u32> {
        let held = self.shards.iter().filter(|(_, holder)| holder.leads());
        held.map(|(shard, _)| *shard).collect()
    }

    /// Whether its fence lets a write of a shard out.
    fn may_write(&self, shard: u32, time: u64) -> bool {
        let reach = Duration::from_secs(LEASE).saturating_sub(self.sharding.election.fence_margin);
        let term = self.shards.get(&shard).and_then(|holder| holder.candidacy.term());
        self.standing != Standing::Dead
            && term.is_some_and(|term| Duration::from_secs(time) < term.renewed + reach)
    }

    fn tick(&mut self, server: &mut Served<'_>) {
        match self.standing {
            Standing::Away | Standing::Dead => return,
            Standing::Asleep(until) if until > server.time => return,
            Standing::CutOff(until) if until > server.time => server.answers = false,
            _ => self.standing = Standing::Works,
        }
        let (identity, name) = (self.identity(), self.state.names.member(&self.identity()));
        let election = self.election(name);
        let member = self.member.get_or_insert_with(|| Holder::new(election, &identity, None));
        if member.turn(server) {
            // What is within its term ends with it, and nothing is given up.
            self.member = None;
            self.shards.clear();
        }
        if self.member.as_ref().is_some_and(Holder::leads) {
            self.share(server);
        }
    }

    /// What the shell does in a round.
    fn share(&mut self, server: &mut Served<'_>) {
        let now = Duration::from_secs(server.time);
        if server.answers {
            self.state.observe(server.leases.values().cloned().collect(), now);
        }
        let plan = self.state.plan(&self.held(), now);
        if let Some(litter) = plan.litter.filter(|_| server.answers) {
            server.leases.remove(&*litter.metadata.name);
        }
        let identity = self.identity();
        for shard in 0..SHARDS {
            let holder = self.shards.remove(&shard);
            if !plan.wanted.contains(&shard) {
                if let Some(holder) = holder.filter(Holder::leads) {
                    holder.give_up(&identity, server);
                }
                continue;
            }
            let seen = self.state.seen(shard).filter(|_| self.remembers).cloned();
            let election = self.election(self.state.names.shard(shard));
            let mut holder = holder.unwrap_or_else(|| Holder::new(election, &identity, seen));
            if !holder.turn(server) {
                self.shards.insert(shard, holder);
            }
        }
    }

    fn stop(&mut self, server: &mut Served<'_>) {
        let identity = self.identity();
        let shards = std::mem::take(&mut self.shards).into_values();
        for holder in shards.chain(self.member.take()).filter(Holder::leads) {
            holder.give_up(&identity, server);
        }
        self.standing = Standing::Away;
    }
}

impl World {
    /// Two that have settled, and one that may come.
    fn settled(remembers: bool) -> Self {
        let replicas = ["a", "b", "c"].map(|name| Replica::new(name, remembers)).into();
        let mut world = Self { leases: BTreeMap::new(), version: 0, time: 0, replicas };
        world.happens(Event::Comes(1));
        world.happens(Event::Comes(0));
        for _ in 0..2 * BOUND {
            world.tick();
        }
        assert!(world.is_fair());
        world
    }

    fn server<'a>(
        leases: &'a mut BTreeMap<String, Lease>,
        version: &'a mut u32,
        time: u64,
    ) -> Served<'a> {
        Served { leases, version, time, answers: true }
    }

    /// False if it cannot happen now.
    fn happens(&mut self, event: Event) -> bool {
        let Self { leases, version, time, replicas } = self;
        let (one, standing) = match event {
            Event::Comes(one) if replicas[one].standing == Standing::Away => (one, Standing::Works),
            Event::Comes(_) => return false,
            Event::Stops(one) => (one, Standing::Away),
            Event::Dies(one) => (one, Standing::Dead),
            Event::Sleeps(one, ticks) => (one, Standing::Asleep(*time + ticks)),
            Event::IsCutOff(one, ticks) => (one, Standing::CutOff(*time + ticks)),
        };
        let replica = &mut replicas[one];
        if !matches!(event, Event::Comes(_)) && replica.standing != Standing::Works {
            return false;
        }
        if standing == Standing::Away {
            replica.stop(&mut Self::server(leases, version, *time));
        }
        replica.standing = standing;
        true
    }

    fn tick(&mut self) {
        self.time += 1;
        let Self { leases, version, time, replicas } = self;
        for replica in replicas.iter_mut() {
            replica.tick(&mut Self::server(leases, version, *time));
        }
        for shard in 0..SHARDS {
            let writers = replicas.iter().filter(|replica| replica.may_write(shard, *time));
            assert!(writers.count() < 2, "two write: {self:#?}");
        }
    }

    /// All shards are held, by those that work and by fair shares.
    fn is_fair(&self) -> bool {
        let works = self.replicas.iter().filter(|replica| replica.standing == Standing::Works);
        let held: Vec<_> = works.map(Replica::held).collect();
        let sizes = held.iter().map(BTreeSet::len);
        let (most, least) = (sizes.clone().max().unwrap_or(0), sizes.clone().min().unwrap_or(0));
        let all: BTreeSet<u32> = held.iter().flatten().copied().collect();
        let once = u32::try_from(sizes.sum::<usize>()) == Ok(SHARDS);
        held.is_empty() || (all.len() == SHARDS as usize && once && most - least <= 1)
    }
}

/// All that can happen to one. The long run has every pause up to two leases.
fn events() -> Vec<Event> {
    let long = std::env::var_os("WATCHKEEPER_TICKS").is_some();
    let pauses: Vec<u64> =
        if long { (1..=2 * LEASE).collect() } else { vec![2, LEASE + 2, 2 * LEASE] };
    let of = |one| {
        let mut events = vec![Event::Comes(one), Event::Stops(one), Event::Dies(one)];
        for ticks in pauses.clone() {
            events.extend([Event::Sleeps(one, ticks), Event::IsCutOff(one, ticks)]);
        }
        events
    };
    (0..3).flat_map(of).collect()
}

/// How long what is under way lasts.
fn lasts(event: Event) -> u64 {
    match event {
        Event::Comes(_) | Event::Stops(_) | Event::Dies(_) => 0,
        Event::Sleeps(_, ticks) | Event::IsCutOff(_, ticks) => ticks,
    }
}

/// How long it takes until shares are fair, and stay so; `None` if it takes longer than the bound.
fn settles(mut world: World, after: u64) -> Option<u64> {
    let mut fair_since = None;
    for round in 1..=after + BOUND + 4 {
        world.tick();
        match world.is_fair() {
            true => fair_since = fair_since.or(Some(round)),
            false => fair_since = None,
        }
    }
    fair_since.map(|since| since.saturating_sub(after)).filter(|since| *since <= BOUND)
}

/// How long it takes at most after what happens to two that have settled; or what is not mended in time.
fn worst(remembers: bool) -> Result<u64, [Option<Event>; 2]> {
    let (settled, events) = (World::settled(remembers), events());
    let mut worst = 0;
    for first in events.iter().copied() {
        let mut world = settled.clone();
        if !world.happens(first) {
            continue;
        }
        worst = worst.max(settles(world.clone(), lasts(first)).ok_or([Some(first), None])?);
        for round in 0..=LEASE + 2 {
            for second in events.iter().copied() {
                let mut world = world.clone();
                if world.happens(second) {
                    let after = lasts(second).max(lasts(first).saturating_sub(round));
                    let settled = settles(world, after).ok_or([Some(first), Some(second)])?;
                    worst = worst.max(settled);
                }
            }
            world.tick();
        }
    }
    Ok(worst)
}

#[test]
fn shards_are_held_again_and_by_fair_shares_in_a_bounded_time() {
    let worst = worst(true).unwrap_or_else(|events| panic!("not mended in time: {events:?}"));
    assert_eq!(worst, BOUND, "no later bound is needed, and no earlier one is kept");
}

/// The walk can tell: who begins to look at a lease only when it wants it waits for it once more.
#[test]
fn who_has_not_seen_a_lease_before_waits_too_long() {
    let unmended = worst(false).expect_err("a shard that is held too late");
    assert!(matches!(unmended[0], Some(Event::Dies(_))), "{unmended:?}");
}
