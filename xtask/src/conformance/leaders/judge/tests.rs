use watchkeeper_api::MicroTime;

use super::*;

/// A lease of two seconds, whose holders may be heard 1.6 seconds after a renewal.
const SECONDS: i64 = 2;
const RULES: Rules<'_> = Rules { reach: &|_, lease| lease / 5 * 4 };

/// What is in a script: lines such as `a takes 1000`, at a millisecond; the answer comes a millisecond later.
fn written(script: &str) -> Vec<Write> {
    let mut record = Record { transitions: -1, ..Record::default() };
    let line = |line: &str| {
        let [actor, verb, at] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let received = at.parse::<i64>().expect("milliseconds") * 1_000;
        let date = MicroTime::from_unix_micros(received).to_string();
        match verb {
            "takes" => {
                record.holder = format!("the-{actor}");
                record.transitions += 1;
                (record.acquired, record.renewed) = (date.clone(), date);
            }
            "renews" => record.renewed = date,
            "releases" => {
                record.holder.clear();
                (record.acquired, record.renewed) = (date.clone(), date);
            }
            "works" => {}
            _ => panic!("{line}"),
        }
        record.seconds = if verb == "releases" { 1 } else { SECONDS };
        Write {
            actor: actor.to_owned(),
            what: "patch maps m".to_owned(),
            received,
            answered: received + 1_000,
            code: 200,
            lease: (verb != "works").then(|| record.clone()),
        }
    };
    script.lines().map(str::trim).filter(|line| !line.is_empty()).map(line).collect()
}

fn told(writes: &[Write]) -> Vec<String> {
    judge(writes, &RULES).wrong.into_iter().map(|wrong| wrong.what).collect()
}

/// Wants exactly these complaints, each by some of its words.
#[track_caller]
fn complains(script: &str, wanted: &[&str]) {
    let told = told(&written(script));
    assert_eq!(told.len(), wanted.len(), "{told:#?}");
    for (told, wanted) in told.iter().zip(wanted) {
        assert!(told.contains(wanted), "{told} should say {wanted:?}");
    }
}

const FINE: &str = "
    a takes 0
    a works 5
    a renews 300
    a works 1800
    b takes 2310
    b works 2320
    b releases 2330
    a takes 2400
    a works 2410";

#[test]
fn leaders_that_follow_each_other_are_fine() {
    let verdict = judge(&written(FINE), &RULES);
    assert_eq!(verdict.wrong, []);
    let ends: Vec<_> = verdict.terms.iter().map(|term| (&*term.actor, term.end)).collect();
    assert_eq!(ends, [("a", End::Taken), ("b", End::Released), ("a", End::Open)]);
    assert_eq!(verdict.closest(End::Taken), Some(509_000));
    assert_eq!(verdict.gaps().collect::<Vec<_>>(), [("b", "a", 70_000)]);
    assert_eq!(verdict.stalest["a"], 1_500_000);
    assert!(verdict.handed_over("a") && verdict.handed_over("b") && !verdict.handed_over("c"));
}

#[test]
fn who_has_not_worked_has_handed_nothing_over() {
    let verdict = judge(&written("a takes 0\nb takes 2000\nb works 2010"), &RULES);
    assert!(!verdict.handed_over("a"));
    let verdict = judge(&written("a takes 0\na works 10\nb takes 2000"), &RULES);
    assert!(!verdict.handed_over("a"), "and who takes over has to work");
}

#[test]
fn a_write_beside_another_leader_is_seen() {
    complains(
        "a takes 0\na works 5\nb takes 2001\nb works 2010\na works 2020\nb works 2030",
        &[
            "a patch maps m (2.020000 s, answered 200): was sent without the lease, which b held since 2.002000 s",
        ],
    );
}

#[test]
fn an_overlap_is_told_from_other_mistakes() {
    let overlaps = |script| {
        let wrong = judge(&written(script), &RULES).wrong;
        wrong.into_iter().map(|wrong| wrong.is_overlap).collect::<Vec<_>>()
    };
    assert_eq!(overlaps("a takes 0\nb takes 2001\na works 2020"), [true]);
    assert_eq!(overlaps("a takes 0\na releases 10\na works 12\nb takes 20"), [false]);
    assert_eq!(overlaps("a takes 0\na works 1601"), [false]);
}

#[test]
fn a_write_that_is_under_way_when_the_lease_changes_hands_is_seen() {
    let mut writes = written("a takes 0\na renews 1000\na works 2990\nb takes 3000");
    writes[2].answered = 3_000_500;
    assert!(told(&writes)[0].contains("was sent without the lease"), "{:?}", told(&writes));
    writes[2].answered = 2_999_999;
    assert!(!told(&writes)[0].contains("was sent without the lease"), "{:?}", told(&writes));
}

#[test]
fn a_write_after_the_lease_was_given_up_is_seen() {
    complains(
        "a takes 0\na works 5\na releases 10\na works 12",
        &["was sent without the lease, which nobody held"],
    );
}

#[test]
fn a_write_of_who_never_led_is_seen() {
    complains(
        "a works 0\na takes 10\nb works 20",
        &["which nobody held", "which a held since 0.011000 s"],
    );
}

#[test]
fn a_write_too_long_after_a_renewal_is_seen() {
    complains("a takes 0\na renews 100\na works 1700", &[]);
    complains("a takes 0\na renews 100\na works 1701", &["1.601000 s after the lease was renewed"]);
}

#[test]
fn a_write_counts_whatever_was_answered() {
    let mut writes = written("a takes 0\na works 5\nb takes 2001\na works 2020");
    for (code, is_doubtful) in [(200, false), (409, false), (404, false), (504, true)] {
        writes[3].code = code;
        let wrong = judge(&writes, &RULES).wrong;
        let told: Vec<_> = wrong.iter().map(|wrong| wrong.is_doubtful).collect();
        assert_eq!(told, [is_doubtful], "{code}");
    }
}

#[test]
fn a_lease_that_is_taken_before_it_has_run_out_is_seen() {
    complains("a takes 0\na renews 500\nb takes 2500", &[]);
    complains("a takes 0\na renews 500\nb takes 2499", &["took the lease 1.999000 s after"]);
}

#[test]
fn a_lease_that_was_refused_is_in_the_same_hands() {
    let mut writes = written("a takes 0\na renews 1000\nb takes 2000\na works 2010");
    writes[2].code = 409;
    let verdict = judge(&writes, &RULES);
    assert_eq!((verdict.wrong, verdict.terms.len()), (vec![], 1));
    writes[2].code = 422;
    let told = told(&writes);
    assert!(told.len() == 1 && told[0].contains("the server answered 422"), "{told:?}");
    writes[2].code = 504;
    assert_eq!(judge(&writes, &RULES).wrong, [], "its sender was gone");
}

#[test]
fn a_lease_in_the_name_of_another_is_seen() {
    let mut writes = written("a takes 0\na renews 300\na releases 400");
    writes[1].actor = "b".to_owned();
    writes[2].actor = "b".to_owned();
    let told = told(&writes);
    assert!(told[0].contains("it is a that is the-a"), "{told:?}");
    assert!(told[1].contains("gave up the lease of a"), "{told:?}");
}

/// Changes the record of one write of [`FINE`], and wants that it is told.
#[track_caller]
fn spoilt(index: usize, words: &str, spoil: impl FnOnce(&mut Record)) {
    let mut writes = written(FINE);
    spoil(writes[index].lease.as_mut().expect("a write of the lease"));
    let told = told(&writes);
    assert!(told.iter().any(|told| told.contains(words)), "{told:?} should say {words:?}");
}

#[test]
fn a_record_that_the_other_side_would_not_read_is_seen() {
    spoilt(0, "begins with 1", |record| record.transitions = 1);
    spoilt(2, "has 1 transitions, not 0", |record| record.transitions = 1);
    spoilt(4, "has 0 transitions, not 1", |record| record.transitions = 0);
    spoilt(6, "has 2 transitions, not 1", |record| record.transitions = 2);
    spoilt(2, "was acquired at", |record| record.acquired = "1970-01-01T00:00:00.300000Z".into());
    spoilt(4, "was acquired at", |record| record.acquired = "1970-01-01T00:00:00.000000Z".into());
    spoilt(2, "is no time of a lease", |record| record.renewed = "1970-01-01T00:00:00Z".into());
    spoilt(2, "is no time of a lease", |record| {
        record.renewed = "tomorrow, at a quarter to 1.Z".into();
    });
}
