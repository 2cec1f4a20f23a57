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

use self::world::{Luck, World};
use super::*;

mod print;
mod world;

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
