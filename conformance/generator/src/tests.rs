use std::collections::BTreeSet;

use super::{Answer, Digest, Digests, Drawing, EDGES, Generator, name_of};

#[test]
fn a_number_is_always_the_same_case() {
    let drawing = || Drawing::of(7);
    for number in (0..60).chain(EDGES..EDGES + 700) {
        let told = |drawing: &Drawing| {
            let case = drawing.case(number);
            case.requests.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let (one, other) = (told(&drawing()), told(&drawing()));
        assert!(!one.is_empty());
        assert_eq!(one, other);
    }
}

#[test]
fn each_generator_has_its_share_and_each_case_a_name() {
    let of = |generator| (0..20).filter(|number| Generator::of(*number) == generator).count();
    assert_eq!(Generator::ALL.map(of), [8, 7, 1, 4, 0]);
    let names: BTreeSet<String> = (0..5_000).chain(EDGES..EDGES + 5_000).map(name_of).collect();
    assert_eq!(names.len(), 10_000);
}

#[test]
fn digests_are_read_as_they_are_shown() {
    let answer = |code| Answer::of(code, Vec::new(), br#"{"a": 1.1}"#);
    let digest = |codes: &[u64]| {
        let mut digest = Digest::default();
        codes.iter().for_each(|code| digest.add(&answer(*code)));
        digest.to_string()
    };
    let all = [digest(&[200]), digest(&[200, 404]), digest(&[404, 200])];
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 3);
    let digests = Digests { seed: 3, of: (5..).zip(all).collect() };
    let read = Digests::read(&digests.to_string());
    assert_eq!((read.seed, read.of), (digests.seed, digests.of));
}
