use watchkeeper_api::{MicroTime, object};

use super::*;

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// The view of `b` on four shards.
fn view() -> State {
    let sharding = Sharding::new("op", 4);
    State::new(&sharding, "b".to_owned())
}

/// A lease, in these hands and renewed then.
fn lease(name: &str, holder: &str, renewed: u64) -> Lease {
    let micros = i64::try_from(renewed).unwrap() * 1_000_000;
    let mut lease = object!(Lease { metadata: { name: name } });
    lease.spec.holder_identity = Some(holder.into());
    lease.spec.lease_duration_seconds = Some(if holder.is_empty() { 1 } else { 15 });
    lease.spec.renew_time = Some(MicroTime::from_unix_micros(micros));
    lease
}

fn shard(number: u32, holder: &str, renewed: u64) -> Lease {
    lease(&format!("op-shard-{number}"), holder, renewed)
}

fn member(identity: &str, renewed: u64) -> Lease {
    let name = Names("op".to_owned()).member(identity);
    let mut lease = lease(&name, identity, renewed);
    lease.metadata.labels.insert(SHARDS, "4");
    lease
}

#[test]
fn leases_are_called_by_the_sharding_and_asked_for_by_its_label() {
    let sharding = Sharding::new("op", 4);
    let names = Names::of(&sharding);
    let election = names.election(&sharding, names.shard(3));
    assert_eq!(election.lease, "op-shard-3");
    let labels: Vec<_> =
        election.labels.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(labels, ["watchkeeper.io/sharding=op", "watchkeeper.io/shards=4"]);
    assert_eq!(names.selector(), "watchkeeper.io/sharding=op");
}

/// What is wanted by who has these.
fn wanted(state: &State, held: &[u32], now: u64) -> Vec<u32> {
    state.plan(&held.iter().copied().collect(), secs(now)).wanted.into_iter().collect()
}

#[test]
fn who_is_alone_wants_everything() {
    let mut state = view();
    assert_eq!(wanted(&state, &[], 0), [0, 1, 2, 3], "also without any lease");
    state.observe(vec![member("b", 0), shard(1, "", 0)], secs(0));
    assert_eq!(wanted(&state, &[0], 1), [0, 1, 2, 3]);
    assert_eq!(state.plan(&BTreeSet::new(), secs(1)).members, BTreeSet::from(["b".to_owned()]));
}

#[test]
fn who_has_more_than_its_share_gives_up_and_takes_nothing() {
    let mut state = view();
    state.observe(vec![member("a", 0), member("b", 0), shard(3, "", 0)], secs(0));
    assert_eq!(wanted(&state, &[0, 1, 2], 1), [0, 1]);
    assert_eq!(wanted(&state, &[0, 1], 1), [0, 1], "what is free is another's to take");
}

#[test]
fn what_another_holds_is_left_until_its_lease_runs_out() {
    let mut state = view();
    let leases = |renewed| {
        let shards = (0..4).map(|number| shard(number, "a", renewed));
        [member("a", renewed), member("b", 0)].into_iter().chain(shards).collect::<Vec<_>>()
    };
    state.observe(leases(0), secs(0));
    assert_eq!(wanted(&state, &[], 1), [0; 0]);
    state.observe(leases(2), secs(10));
    assert_eq!(wanted(&state, &[], 24), [0; 0], "it was renewed when it was seen to change");
    state.observe(leases(2), secs(25));
    assert_eq!(wanted(&state, &[], 25), [0, 1, 2, 3], "its holder is gone, and `b` alone");
    assert_eq!(state.seen(0).map(|seen| seen.since), Some(secs(10)), "a candidate knows");
}

/// Its own from a term before, or by a write of which it does not know.
#[test]
fn what_is_in_its_own_hands_is_free_to_it() {
    let mut state = view();
    let shards = [shard(0, "b", 0), shard(1, "b", 0), shard(2, "a", 0), shard(3, "a", 0)];
    state.observe([member("a", 0), member("b", 0)].into_iter().chain(shards).collect(), secs(0));
    assert_eq!(wanted(&state, &[], 1), [0, 1]);
}

#[test]
fn replicas_begin_at_different_shards() {
    let mut state = view();
    state.observe(vec![member("a", 0), member("b", 0)], secs(0));
    assert_eq!(wanted(&state, &[], 1), [2, 3], "the second of two");
    state.observe(vec![member("b", 0), member("c", 0)], secs(0));
    assert_eq!(wanted(&state, &[], 1), [0, 1], "the first");
}

#[test]
fn while_others_count_other_shards_nothing_moves() {
    let mut state = view();
    let mut stranger = member("a", 0);
    stranger.metadata.labels.insert(SHARDS, "8");
    state.observe(vec![stranger, member("b", 0)], secs(0));
    assert_eq!(wanted(&state, &[0], 1), [0]);
    let plan = state.plan(&BTreeSet::new(), secs(1));
    assert_eq!(plan.strangers, BTreeSet::from(["a".to_owned()]));
    assert!(plan.wanted.is_empty());
    assert_eq!(wanted(&state, &[], 15), [0, 1, 2, 3], "until they are gone");
}

#[test]
fn the_first_deletes_the_leases_of_who_has_gone() {
    let mut state = view();
    let left = Lease { spec: lease("", "", 0).spec, ..member("c", 0) };
    state.observe(vec![member("b", 0), member("d", 0), shard(0, "", 0)], secs(0));
    let litter = |state: &State, now| state.plan(&BTreeSet::new(), secs(now)).litter;
    assert_eq!(litter(&state, 14), None);
    state.observe(vec![member("b", 9), member("d", 0), left.clone()], secs(16));
    assert_eq!(litter(&state, 16), Some(left), "who has left in order, at once");
    state.observe(vec![member("b", 9), member("d", 0)], secs(17));
    assert_eq!(litter(&state, 17), None, "who may come back");
    assert_eq!(litter(&state, 30), Some(member("d", 0)), "who has been gone for long");
    state.observe(vec![member("a", 20), member("b", 20), member("d", 0)], secs(31));
    assert_eq!(litter(&state, 31), None, "that is another's to do");
}

/// With any number of shards and replicas.
#[test]
fn shares_are_fair_and_move_no_more_than_they_must() {
    for shards in 1..40 {
        for members in 1..20 {
            let of = |members| (0..members).map(move |rank| quota(shards, members, rank));
            let quotas: Vec<_> = of(members).collect();
            assert_eq!(quotas.iter().sum::<usize>(), usize::try_from(shards).unwrap());
            assert!(quotas.iter().max().unwrap() - quotas.iter().min().unwrap() <= 1);
            // One more comes, at any place among them: who was there before loses or keeps.
            let more: Vec<_> = of(members + 1).collect();
            for place in 0..=members {
                let others = (0..=members).filter(|rank| *rank != place);
                assert!(others.zip(&quotas).all(|(rank, before)| more[rank] <= *before));
            }
        }
    }
}
