use super::*;

const fn seen(object: u64, version: u64, mark: u64) -> Seen {
    Seen { object, life: 7, version, mark, even: false }
}

const fn added(new: Seen) -> Told {
    Told::Added { new, initial: false }
}

fn judge(scope: Scope, unreadable: bool) -> Judge {
    let rules = Rules { scope, resyncs: false, filtered: false, unreadable, by_object: false };
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

/// The first list comes object by object, and what happened to one since comes with it.
#[test]
fn what_is_there_at_first_may_come_after_a_change_where_each_object_has_its_own_time() {
    let (one, other, new) = (seen(4, 5, 1), seen(8, 6, 2), seen(4, 7, 3));
    let truth = truth(&[one, other, new]);
    let initial = |new| Told::Added { new, initial: true };
    let change = Told::Updated { old: one, new };
    for by_object in [false, true] {
        let mut first = judge(Scope::ALL, false);
        first.rules.by_object = by_object;
        first.hear(initial(one), &truth).expect("it is there");
        first.hear(change, &truth).expect("it was changed");
        assert_eq!(first.hear(initial(other), &truth).is_ok(), by_object);
    }
}

/// Whoever came between the two was told of the rest only.
#[test]
fn a_late_joiner_is_held_against_all_that_was_told_since() {
    let (one, other, new, last) = (seen(4, 5, 1), seen(8, 6, 2), seen(4, 7, 3), seen(8, 8, 4));
    let truth = truth(&[one, other, new, last]);
    let initial = |new| Told::Added { new, initial: true };
    let mut judges = [(); 3].map(|()| {
        let mut judge = judge(Scope::ALL, false);
        judge.rules.by_object = true;
        judge
    });
    let first = [initial(one), Told::Updated { old: one, new }, initial(other)];
    let end = Told::Updated { old: other, new: last };
    let late = [initial(new), initial(other)];
    let stories = [&first[..], &late, &late[..1]];
    for (judge, story) in judges.iter_mut().zip(stories) {
        story.iter().for_each(|told| judge.hear(*told, &truth).expect("it is so"));
    }
    let [first, late, short] = &mut judges;
    for judge in [&mut *first, &mut *late] {
        judge.hear(end, &truth).expect("it is so");
    }
    late.follow(first).expect("it was told the rest");
    short.hear(Told::Added { new: last, initial: false }, &truth).expect("it is so");
    assert!(short.follow(first).is_err(), "it was not told of the other as the first was");
}

/// Of a copy to which each object comes at its own time.
#[test]
fn a_copy_may_be_ahead_of_its_version_and_never_behind() {
    let (old, new, other) = (seen(4, 5, 1), seen(4, 7, 2), seen(8, 6, 3));
    let mut truth = truth(&[old, other, new]);
    let allows = |truth: &Truth, version, shown: &[Seen]| {
        truth.allows_since(0, version, Scope::ALL, shown).is_ok()
    };
    for (version, one, is_right) in
        [(5, old, true), (5, new, true), (7, old, false), (7, new, true)]
    {
        assert_eq!(allows(&truth, version, &[one, other]), is_right, "{one:?} at {version}");
    }
    assert!(allows(&truth, 5, &[old]), "the other came later");
    assert!(!allows(&truth, 6, &[old]), "it was there");
    assert!(!allows(&truth, 6, &[Seen { mark: 9, ..old }, other]), "it never had that");
    assert!(!allows(&truth, 6, &[old, other, seen(12, 6, 4)]), "nobody made it");
    truth.record(Seen { version: 8, ..other }, false);
    assert!(allows(&truth, 6, &[old]), "it went since");
    assert!(!allows(&truth, 8, &[new, other]), "it was gone by then");
}
