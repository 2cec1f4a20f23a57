//! Who looks at the lease before it writes, and what it tells of the look.

use super::*;

fn replica(name: &str) -> State {
    State::new(&LeaderElection::new("l"), name.to_owned(), 1)
}

fn held_by(name: &str) -> Lease {
    Form::new(&LeaderElection::new("l"), name.to_owned()).made(MicroTime::from_unix_micros(0))
}

/// A step at so many seconds, by both clocks.
fn step(state: &mut State, second: u32, input: Input) -> Step {
    let date = MicroTime::from_unix_micros(i64::from(second) * 1_000_000);
    state.step(input, Duration::from_secs(second.into()), date)
}

/// L-05: it may be of the life before a restart, and the write that was not answered may be stored.
#[test]
fn who_does_not_lead_looks_though_the_record_is_its_own() {
    let mut state = replica("a");
    step(&mut state, 0, Input::Woken);
    let found = step(&mut state, 0, Input::Found(held_by("a")));
    assert!(matches!(found.next, Next::Update(_)));
    assert_eq!(found.leader.as_deref(), Some("a"), "who holds it is told of the look");
    assert!(matches!(step(&mut state, 0, Input::Failed).next, Next::Sleep(_)));
    assert_eq!(step(&mut state, 4, Input::Woken).next, Next::Get);
}

#[test]
fn who_saw_another_hold_it_looks() {
    let mut state = replica("b");
    step(&mut state, 0, Input::Woken);
    assert!(matches!(step(&mut state, 0, Input::Found(held_by("a"))).next, Next::Sleep(_)));
    assert_eq!(step(&mut state, 5, Input::Woken).next, Next::Get);
}

/// Somebody took its name out of the record, and nobody wrote another one.
#[test]
fn a_leader_whose_record_names_nobody_looks() {
    let mut state = replica("a");
    step(&mut state, 0, Input::Woken);
    step(&mut state, 0, Input::Missing);
    step(&mut state, 0, Input::Stored(held_by("a")));
    step(&mut state, 2, Input::Woken);
    step(&mut state, 2, Input::Failed);
    let found = step(&mut state, 2, Input::Found(held_by("")));
    assert!(matches!(found.next, Next::Update(_)) && !found.lost);
    step(&mut state, 2, Input::Conflict);
    assert_eq!(step(&mut state, 4, Input::Woken).next, Next::Get);
    assert!(state.term().is_some());
}
