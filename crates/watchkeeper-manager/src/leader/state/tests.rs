use super::*;

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn date(n: u64) -> MicroTime {
    MicroTime::from_unix_micros(i64::try_from(n * 1_000_000).unwrap())
}

fn replica(name: &str) -> State {
    State::new(&LeaderElection::new("l"), name.to_owned(), 1)
}

/// The lease in the hands of `name`, renewed at `n`.
fn held_by(name: &str, n: u64) -> Lease {
    Form::new(&LeaderElection::new("l"), name.to_owned()).made(date(n))
}

impl State {
    /// A step at so many seconds, by both clocks.
    fn at(&mut self, n: u64, input: Input) -> Step {
        self.step(input, secs(n), date(n))
    }
}

fn written(step: &Step) -> &Lease {
    match &step.next {
        Next::Create(lease) | Next::Update(lease) => lease,
        other => panic!("no write: {other:?}"),
    }
}

/// A leader whose last renewal was sent at `n`.
fn leader(n: u64) -> State {
    let mut state = replica("a");
    state.at(n, Input::Woken);
    let create = state.at(n, Input::Missing);
    let step = state.at(n, Input::Stored(written(&create).clone()));
    assert_eq!(step.leader.as_deref(), Some("a"));
    state
}

#[test]
fn the_first_one_makes_the_lease() {
    let mut state = replica("a");
    assert_eq!(state.at(0, Input::Woken).next, Next::Get);
    let step = state.at(0, Input::Missing);
    assert!(matches!(step.next, Next::Create(_)));
    let spec = &written(&step).spec;
    assert_eq!(spec.holder_identity.as_deref(), Some("a"));
    assert_eq!(spec.lease_duration_seconds, Some(15));
    assert_eq!((spec.acquire_time, spec.renew_time), (Some(date(0)), Some(date(0))));
    assert_eq!(spec.lease_transitions, Some(0));
    let step = state.at(1, Input::Stored(written(&step).clone()));
    assert_eq!(step.next, Next::Sleep(secs(3)));
    assert_eq!(
        state.term(),
        Some(Term { renewed: secs(0), date: date(0) }),
        "from when it was sent"
    );
}

/// L-03: others wait one period and up to 1.2 more, a leader exactly one.
#[test]
fn l_03_candidates_look_again_after_a_time_that_differs() {
    let waits: Vec<Duration> = (0..200)
        .map(|seed| {
            let mut state = State::new(&LeaderElection::new("l"), "b".to_owned(), seed);
            state.at(0, Input::Woken);
            match state.at(0, Input::Found(held_by("a", 0))).next {
                Next::Sleep(until) => until,
                other => panic!("{other:?}"),
            }
        })
        .collect();
    assert!(waits.iter().all(|wait| (2.0..=4.4).contains(&wait.as_secs_f64())), "{waits:?}");
    assert!(waits.iter().any(|wait| wait.as_secs_f64() < 2.5));
    assert!(waits.iter().any(|wait| wait.as_secs_f64() > 4.0));
}

#[test]
fn l_03_a_leader_that_cannot_renew_in_time_has_lost() {
    let mut state = leader(100);
    assert_eq!(state.deadline(), Some(secs(110)));
    for n in [102, 104, 106, 108] {
        assert!(matches!(state.at(n, Input::Woken).next, Next::Update(_)));
        assert_eq!(state.at(n, Input::Failed).next, Next::Get, "the slow way");
        let step = state.at(n, Input::Failed);
        assert_eq!((step.next, step.lost), (Next::Sleep(secs(n + 2)), false));
    }
    let step = state.at(110, Input::Failed);
    assert!(step.lost && state.term().is_none());
}

/// L-04: the holder's dates do not matter, only when this replica saw them change.
#[test]
fn l_04_a_lease_runs_out_by_ones_own_clock() {
    let mut state = replica("b");
    let lease = held_by("a", 5_000_000);
    state.at(0, Input::Woken);
    state.at(0, Input::Found(lease.clone()));
    state.at(14, Input::Woken);
    assert!(matches!(state.at(14, Input::Found(lease.clone())).next, Next::Sleep(_)));
    state.at(15, Input::Woken);
    let step = state.at(15, Input::Found(lease));
    let spec = &written(&step).spec;
    assert_eq!(spec.holder_identity.as_deref(), Some("b"));
    assert_eq!((spec.acquire_time, spec.renew_time), (Some(date(15)), Some(date(15))));
    assert_eq!(spec.lease_transitions, Some(1));
}

/// L-05.
#[test]
fn l_05_a_leader_renews_without_a_look_and_looks_when_that_fails() {
    let mut state = leader(0);
    let step = state.at(2, Input::Woken);
    assert!(matches!(step.next, Next::Update(_)) && !step.slow);
    assert_eq!(written(&step).spec.renew_time, Some(date(2)));
    let step = state.at(3, Input::Failed);
    assert_eq!((step.next, step.slow, step.lost), (Next::Get, true, false));
    let step = state.at(3, Input::Found(held_by("a", 0)));
    assert!(matches!(step.next, Next::Update(_)));
    let step = state.at(3, Input::Stored(written(&step).clone()));
    assert_eq!(step.next, Next::Sleep(secs(5)));
    assert_eq!(state.deadline(), Some(secs(13)));
}

/// L-06: whatever of the record changes, its time begins anew.
#[test]
fn l_06_any_change_of_the_record_starts_its_time_anew() {
    let mut state = replica("b");
    state.at(0, Input::Woken);
    state.at(0, Input::Found(held_by("a", 0)));
    let mut touched = held_by("a", 0);
    touched.spec.strategy = Some("OldestEmulationVersion".into());
    state.at(10, Input::Woken);
    state.at(10, Input::Found(touched.clone()));
    state.at(24, Input::Woken);
    assert!(matches!(state.at(24, Input::Found(touched.clone())).next, Next::Sleep(_)));
    let mut labelled = touched;
    labelled.metadata.resource_version = "7".into();
    state.at(25, Input::Woken);
    let step = state.at(25, Input::Found(labelled));
    assert!(matches!(step.next, Next::Update(_)), "what is no part of the record does not count");
}

/// L-12: what this toolkit has no use for stays as it is.
#[test]
fn l_12_the_fields_of_coordinated_election_are_kept() {
    let mut state = replica("b");
    let mut free = held_by("", 0);
    free.spec.strategy = Some("OldestEmulationVersion".into());
    free.spec.preferred_holder = Some("c".into());
    let kept = |lease: &Lease| (lease.spec.strategy.clone(), lease.spec.preferred_holder.clone());
    state.at(0, Input::Woken);
    let step = state.at(0, Input::Found(free.clone()));
    assert_eq!(kept(written(&step)), kept(&free), "taken");
    state.at(0, Input::Stored(written(&step).clone()));
    let step = state.at(2, Input::Woken);
    assert_eq!(kept(written(&step)), kept(&free), "renewed");
    let release = Release::new(&LeaderElection::new("l"), "b".to_owned(), secs(0));
    let held = written(&step).clone();
    match release.step(&Input::Found(held), secs(3), date(3)) {
        std::ops::ControlFlow::Continue(Next::Update(lease)) => {
            assert_eq!(kept(&lease), kept(&free), "given up");
        }
        other => panic!("{other:?}"),
    }
}

/// Its holder need not know that the lease was deleted.
#[test]
fn a_deleted_lease_is_not_free_for_who_saw_it_held() {
    let mut state = replica("b");
    state.at(0, Input::Woken);
    state.at(0, Input::Found(held_by("a", 0)));
    state.at(5, Input::Woken);
    assert!(matches!(state.at(5, Input::Missing).next, Next::Sleep(_)));
    state.at(14, Input::Woken);
    assert!(matches!(state.at(14, Input::Missing).next, Next::Sleep(_)));
    state.at(15, Input::Woken);
    assert!(matches!(state.at(15, Input::Missing).next, Next::Create(_)), "it has run out");

    let mut state = leader(0);
    state.at(2, Input::Woken);
    state.at(2, Input::Failed);
    let step = state.at(2, Input::Missing);
    assert!(matches!(step.next, Next::Create(_)) && !step.lost, "one's own is made again");
}

/// L-07.
#[test]
fn l_07_a_lease_without_holder_is_free_at_once() {
    let mut state = replica("b");
    let form = Form::new(&LeaderElection::new("l"), "a".to_owned());
    let free = form.released(&held_by("a", 0), date(1));
    assert_eq!(free.spec.holder_identity.as_deref(), Some(""));
    assert_eq!(free.spec.lease_duration_seconds, Some(1), "L-08");
    state.at(1, Input::Woken);
    let step = state.at(1, Input::Found(free));
    assert_eq!(written(&step).spec.lease_transitions, Some(1));
    let mine = state.at(1, Input::Stored(written(&step).clone()));
    assert_eq!(mine.leader.as_deref(), Some("b"));
    let renewed = state.at(3, Input::Woken);
    let spec = &written(&renewed).spec;
    assert_eq!(spec.lease_transitions, Some(1), "a renewal is no change of holder");
    assert_eq!(spec.acquire_time, Some(date(1)));
}

/// Whose write was stored though its answer was lost finds that at the next look.
#[test]
fn an_own_lease_whose_answer_was_lost_is_renewed() {
    let mut state = replica("a");
    state.at(0, Input::Woken);
    let create = state.at(0, Input::Missing);
    assert!(matches!(state.at(5, Input::Failed).next, Next::Sleep(_)));
    assert!(state.term().is_none());
    state.at(8, Input::Woken);
    let step = state.at(8, Input::Found(written(&create).clone()));
    let spec = &written(&step).spec;
    assert_eq!((spec.acquire_time, spec.renew_time), (Some(date(0)), Some(date(8))));
    assert_eq!(spec.lease_transitions, Some(0));
}

#[test]
fn a_leader_that_reads_of_another_has_lost() {
    let mut state = leader(0);
    state.at(2, Input::Woken);
    state.at(2, Input::Failed);
    let step = state.at(2, Input::Found(held_by("b", 2)));
    assert!(step.lost && state.term().is_none());
    assert_eq!(step.leader.as_deref(), Some("b"));
}

/// A process that slept between a write and its answer does not lead by it.
#[test]
fn an_answer_that_comes_too_late_elects_nobody() {
    let mut state = replica("a");
    state.at(0, Input::Woken);
    let create = state.at(0, Input::Missing);
    let step = state.at(10, Input::Stored(written(&create).clone()));
    assert!(state.term().is_none() && !step.lost);
    assert!(matches!(step.next, Next::Sleep(_)));

    let mut state = leader(0);
    let update = state.at(2, Input::Woken);
    let step = state.at(30, Input::Stored(written(&update).clone()));
    assert!(state.term().is_none() && step.lost);
}

#[test]
fn what_the_server_stores_for_another_is_no_election() {
    let mut state = replica("a");
    state.at(0, Input::Woken);
    state.at(0, Input::Missing);
    let step = state.at(0, Input::Stored(held_by("b", 0)));
    assert!(state.term().is_none());
    assert_eq!(step.leader.as_deref(), Some("b"));
}
