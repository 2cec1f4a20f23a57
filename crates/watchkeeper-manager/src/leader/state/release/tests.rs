//! When a lease is given up, and whose.

use super::*;

const SETTLED: Duration = Duration::from_secs(5);

fn step(input: &Input, now: Duration) -> ControlFlow<bool, Next> {
    let release = Release::new(&LeaderElection::new("l"), "a".to_owned(), SETTLED);
    release.step(input, now, MicroTime::from_unix_micros(0))
}

fn found(holder: &str) -> Input {
    let form = Form::new(&LeaderElection::new("l"), holder.to_owned());
    Input::Found(form.made(MicroTime::from_unix_micros(0)))
}

#[test]
fn nothing_is_asked_before_all_is_settled() {
    for second in 0..5 {
        let early = step(&Input::Woken, Duration::from_secs(second));
        assert_eq!(early, ControlFlow::Continue(Next::Sleep(SETTLED)));
    }
    for input in [Input::Woken, Input::Conflict] {
        assert_eq!(step(&input, SETTLED), ControlFlow::Continue(Next::Get));
    }
}

#[test]
fn l_08_a_lease_is_given_up_only_by_who_holds_it() {
    match step(&found("a"), SETTLED) {
        ControlFlow::Continue(Next::Update(lease)) => {
            assert_eq!(lease.spec.holder_identity.as_deref(), Some(""));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(step(&found("b"), SETTLED), ControlFlow::Break(true));
}

#[test]
fn it_ends_when_the_lease_is_not_held_or_nobody_answers() {
    assert_eq!(step(&Input::Missing, SETTLED), ControlFlow::Break(true));
    assert_eq!(step(&Input::Failed, SETTLED), ControlFlow::Break(false), "it runs out");
}
