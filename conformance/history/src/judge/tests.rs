use super::*;

const fn seen(object: u64, version: u64, mark: u64) -> Seen {
    Seen { object, life: 7, version, mark, even: false }
}

const fn added(new: Seen) -> Told {
    Told::Added { new, initial: false }
}

fn judge(scope: Scope, unreadable: bool) -> Judge {
    let rules = Rules { scope, resyncs: false, filtered: false, unreadable };
    Judge::new("a handler".to_owned(), rules)
}

/// Of the handler, and of its copy.
const BOTH: [Scope; 2] = [Scope::ALL; 2];

fn truth(seen: &[Seen]) -> Truth {
    let mut truth = Truth::default();
    seen.iter().for_each(|seen| truth.record(*seen, true));
    truth
}

#[test]
fn a_namespace_that_was_given_up_is_told_of_when_it_is_taken_up() {
    let (one, two) = (seen(1, 5, 1), seen(2, 6, 2));
    let truth = truth(&[one, two]);
    let mut judge = judge(Scope::ALL, false);
    judge.hear(added(one), &truth).expect("it is there");
    judge.hear(added(two), &truth).expect("it is there");
    judge.follow_part(1, false);
    let again = Told::Added { new: one, initial: true };
    assert!(judge.hear(again, &truth).is_err(), "it was given up");
    judge.follow_part(1, true);
    assert!(judge.conclude(&truth).is_err(), "it was not told again");
    judge.hear(again, &truth).expect("it is new once more");
    judge.conclude(&truth).expect("all was told");
    assert!(judge.hear(added(two), &truth).is_err(), "the other was not given up");
}

/// A filter is not told that a namespace was given up: what it had let through then ends once.
#[test]
fn a_filter_ends_what_it_had_told_of_before() {
    let even = Seen { even: true, ..seen(4, 5, 1) };
    let odd = seen(4, 6, 2);
    let mut truth = truth(&[even]);
    let mut judge = judge(Scope::ALL.even(), false);
    judge.rules.filtered = true;
    judge.hear(added(even), &truth).expect("it is there");
    judge.follow_part(0, false);
    judge.follow_part(0, true);
    let end = Told::Deleted { last: odd, unknown: false };
    assert!(judge.hear(end, &truth).is_err(), "it is there still");
    judge.follow_part(0, false);
    judge.follow_part(0, true);
    judge.hear(Told::Added { new: even, initial: true }, &truth).expect("it is told again");
    judge.follow_part(0, false);
    truth.record(odd, true);
    judge.follow_part(0, true);
    judge.hear(end, &truth).expect("it left");
    assert!(judge.hear(end, &truth).is_err(), "once");
    judge.conclude(&truth).expect("nothing is left");
}

#[test]
fn a_name_in_another_namespace_is_another_object() {
    let (one, two) = (seen(4, 5, 1), seen(5, 6, 2));
    let truth = truth(&[one]);
    let mut judge = judge(Scope::ALL, false);
    assert!(judge.hear(added(two), &truth).is_err(), "the server never had it there");
    judge.hear(added(one), &truth).expect("it is here");
}

#[test]
fn a_shard_is_told_of_its_own_objects() {
    let (lower, upper) = (seen(4, 5, 1), Seen { life: 1 << 63, ..seen(8, 6, 2) });
    let truth = truth(&[lower, upper]);
    let mut judge = judge(Scope { even: false, upper: Some(true) }, false);
    assert!(judge.hear(added(lower), &truth).is_err(), "it is of the other shard");
    assert!(judge.conclude(&truth).is_err(), "one is missing");
    judge.hear(added(upper), &truth).expect("it is of this one");
    judge.conclude(&truth).expect("all was told");
}

#[test]
fn what_cannot_be_read_is_told_to_nobody() {
    let (good, bad, gone) = (seen(4, 5, 1), seen(4, 6, 8), seen(4, 7, 9));
    let mut truth = truth(&[good]);
    let mut judge = judge(Scope::ALL, true);
    judge.hear(added(good), &truth).expect("it can be read");
    truth.record(bad, true);
    assert!(judge.hear(Told::Updated { old: good, new: bad }, &truth).is_err(), "it cannot");
    judge.conclude(&truth).expect("what there was is kept");
    assert_eq!(truth.unreadable(0, Scope::ALL), [4].into());
    assert!(truth.allows(0, 9, BOTH, &[bad]).is_err(), "nobody can have read it");
    assert_eq!(truth.allows(0, 9, BOTH, &[]), Ok(()), "who came later has nothing");
    assert!(truth.allows(0, 5, BOTH, &[]).is_err(), "then it could be read");
    truth.record(gone, true);
    assert!(judge.conclude(&truth).is_err(), "it can be read again");
    truth.record(Seen { version: 8, ..gone }, false);
    assert!(truth.allows(0, 9, BOTH, &[good]).is_err(), "it is gone");
}
