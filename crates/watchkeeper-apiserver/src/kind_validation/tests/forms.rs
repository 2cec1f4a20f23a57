//! The forms of names: how long they may be, and what stands at their edges.

use super::*;

const NONE: [&str; 0] = [];

type Form = fn(&str) -> Vec<String>;

#[test]
fn names_are_so_long_and_no_longer() {
    let wanted = |most: usize, unit: &str| format!("must be no more than {most} {unit}");
    for (form, most, unit) in [
        (names::label as Form, 63, "characters"),
        (names::label_1035, 63, "characters"),
        (names::subdomain, 253, "characters"),
        (names::subdomain_with_underscores, 253, "characters"),
        (names::label_value, 63, "bytes"),
        (names::config_key, 253, "characters"),
        (names::port_name, 15, "characters"),
    ] {
        assert_eq!(form(&"a".repeat(most)), NONE);
        assert_eq!(form(&"a".repeat(most + 1)), [wanted(most, unit)]);
    }
    let (prefix, name) = ("p".repeat(253), "n".repeat(63));
    assert_eq!(names::qualified(&format!("{prefix}/{name}")), NONE);
    assert_eq!(
        names::qualified(&format!("{prefix}p/{name}n")),
        [
            format!("prefix part {}", wanted(253, "bytes")),
            format!("name part {}", wanted(63, "bytes")),
        ]
    );
}

#[test]
fn names_begin_and_end_with_signs_that_are_no_marks() {
    for (form, right, wrong) in [
        (
            names::label as Form,
            &["a", "0", "a-0"][..],
            &["", "-", "-a", "a-", "A", "a_b", "a.b", "a b"][..],
        ),
        (names::label_1035, &["a", "a-0", "a--b"], &["", "0", "0a", "-a", "a-", "A", "aA", "a.b"]),
        (
            names::subdomain,
            &["a", "0.a-0", "a.b.c"],
            &["", ".", "a.", ".a", "a..b", "a-.b", "a.-b", "A.b", "a_b"],
        ),
        (
            names::subdomain_with_underscores,
            &["a", "_a", "a_b.c", "_a._b"],
            &["", "_", "__a", "a_", "a_.b", "-a", "_a.", "A"],
        ),
        (
            names::wildcard,
            &["*.a", "*.a.b"],
            &["", "*", "*.", "a.b", "*a.b", "*.*.a", "*.A", "x*.a"],
        ),
        (names::header, &["A", "X-Name", "-", "0"], &["", "a_b", "a b", "a:"]),
        (names::path_segment, &["a", "...", "A:b"], &[".", "..", "a/b", "a%b"]),
        (
            names::qualified,
            &["a", "A", "a_b.c-d", "a/b", "a.b/C"],
            &["", "-a", "a-", "_", "a b", "/a", "a/", "A/b", "a/b/c"],
        ),
        (names::label_value, &["", "a", "A_b.c-0"], &["-", "-a", "a.", "a b", "a/b"]),
        (
            names::config_key,
            &["-", "_", "a..b", ".a", "A.b_c-d"],
            &["", ".", "..", "..a", "a b", "a/b", "a:b"],
        ),
        (names::port_name, &["a", "a-1", "1a"], &["", "1", "1-2", "A", "a--b", "-a", "a-", "a_b"]),
        (
            names::condition_reason,
            &["A", "aB", "A,b", "A:b_", "a1"],
            &["", "1a", "_a", "a,", "a:", "a b", "a-b"],
        ),
    ] {
        for name in right {
            assert_eq!(form(name), NONE, "{name}");
        }
        for name in wrong {
            assert!(!form(name).is_empty(), "{name}");
        }
    }
}

#[test]
fn names_in_c_begin_with_a_letter_or_an_underscore() {
    for name in ["a", "A", "_", "_1", "a_1Z"] {
        assert!(names::is_identifier(name), "{name}");
    }
    for name in ["", "1", "1a", "-", "a-b", "a.b", "a b"] {
        assert!(!names::is_identifier(name), "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_key_or_a_port_is_said_apart() {
    assert_eq!(names::label("a.b"), ["must not contain dots"]);
    assert_eq!(names::path_segment("."), ["may not be '.'"]);
    assert_eq!(names::path_segment(".."), ["may not be '..'"]);
    assert_eq!(names::path_segment("a%/"), ["may not contain '/'", "may not contain '%'"]);
    assert_eq!(names::config_key("."), ["must not be '.'"]);
    assert_eq!(names::config_key(".."), ["must not be '..'"]);
    assert_eq!(names::config_key("..."), ["must not start with '..'"]);
    let letter = "must contain at least one letter (a-z)";
    let ends = "must not begin or end with a hyphen";
    assert_eq!(names::port_name("1"), [letter]);
    assert_eq!(names::port_name("-a"), [ends]);
    assert_eq!(names::port_name("a-"), [ends]);
    assert_eq!(names::port_name("a--b"), ["must not contain consecutive hyphens"]);
    assert_eq!(names::port_name("-"), [letter, ends]);
    for number in [1, 65_535] {
        assert_eq!(names::port_number(number), NONE);
    }
    for number in [-1, 0, 65_536] {
        assert_eq!(names::port_number(number), ["must be between 1 and 65535, inclusive"]);
    }
}

#[test]
fn what_becomes_a_name_may_end_with_a_dash() {
    for prefix in ["a", "a-", "a.b-", "a--"] {
        assert_eq!(names::subdomain_prefix(prefix), NONE, "{prefix}");
    }
    for prefix in ["", "-", "Aa-", "a.", "-a-"] {
        assert!(!names::subdomain_prefix(prefix).is_empty(), "{prefix}");
    }
}

#[test]
fn what_becomes_part_of_a_path_may_be_dots() {
    let form = NameForm::PathSegment;
    for prefix in ["", ".", "..", "-", "A:b-"] {
        assert_eq!(form.check_prefix(prefix), NONE, "{prefix}");
    }
    assert_eq!(form.check_prefix("a/"), ["may not contain '/'"]);
    assert_eq!(form.check_prefix("a/-"), ["may not contain '/'"], "a dash hides nothing");
    assert_eq!(form.check_prefix("%/"), ["may not contain '/'", "may not contain '%'"]);
    assert_eq!(NameForm::Label.check_prefix("a-"), NONE);
    assert_eq!(NameForm::Label.check_prefix("a.b-"), ["must not contain dots"]);
    assert_eq!(NameForm::Subdomain.check_prefix("a.b-"), NONE);
}

#[test]
fn the_names_of_a_kind_have_its_form() {
    for (group, kind, form) in [
        ("", "Namespace", NameForm::Label),
        ("", "Service", NameForm::Label),
        ("apps", "StatefulSet", NameForm::Label),
        ("apps", "Deployment", NameForm::Subdomain),
        ("", "Pod", NameForm::Subdomain),
        ("resource.k8s.io", "DeviceClass", NameForm::LongName),
        ("", "Event", NameForm::PathSegment),
        ("events.k8s.io", "Event", NameForm::Subdomain),
        ("policy", "PodDisruptionBudget", NameForm::PathSegment),
        ("rbac.authorization.k8s.io", "Role", NameForm::PathSegment),
        ("certificates.k8s.io", "CertificateSigningRequest", NameForm::PathSegment),
    ] {
        assert_eq!(NameForm::of(group, kind), form, "{group} {kind}");
    }
    assert_eq!(NameForm::Label.check("a.b"), ["must not contain dots"]);
    assert_eq!(NameForm::Subdomain.check("a.b"), NONE);
    assert!(!NameForm::Subdomain.check("A").is_empty());
    let long = "a".repeat(254);
    for (form, told) in [(NameForm::Subdomain, "characters"), (NameForm::LongName, "bytes")] {
        assert_eq!(form.check(&long), [format!("must be no more than 253 {told}")]);
        assert_eq!(form.check(&long[1..]), NONE);
    }
    assert_eq!(NameForm::PathSegment.check("A"), NONE);
}
