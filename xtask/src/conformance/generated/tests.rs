use std::collections::BTreeSet;

use super::{Drawing, Generator, Templates, name_of};

#[test]
fn a_number_is_always_the_same_case() {
    let drawing = || Drawing { seed: 7, templates: Templates::read().expect("the file") };
    for number in 0..60 {
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
    let generators =
        [Generator::Objects, Generator::Patches, Generator::Schemas, Generator::Selectors];
    assert_eq!(generators.map(of), [8, 7, 1, 4]);
    let names: BTreeSet<String> = (0..5_000).map(name_of).collect();
    assert_eq!(names.len(), 5_000);
}
