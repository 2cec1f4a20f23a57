//! Selectors: the grammar's corners, printing, matching against a naive model.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{FieldSelector, Requirement, Selector, Test};
use crate::meta::v1::{LabelSelector, LabelSelectorRequirement};
use crate::{IStr, List, object};

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&text.parse::<Selector>().map_or_else(|e| e.to_string(), |s| s.to_string()));
}

#[test]
fn the_grammar_of_labels() {
    check("", &expect![""]);
    check("app", &expect!["app"]);
    check("! app", &expect!["!app"]);
    check("b==1 , a != 2", &expect!["a!=2,b=1"]);
    check("a=", &expect!["a="]);
    check("a=,b", &expect!["a=,b"]);
    check("x in (b,a,b)", &expect!["x in (a,b)"]);
    check("x notin ( a ,)", &expect!["x notin (,a)"]);
    check("x in ()", &expect!["x in ()"]);
    check("x>1,y<02", &expect!["x>1,y<2"]);
    check("in in (in)", &expect!["in in (in)"]);
    check("example.com/app=web", &expect!["example.com/app=web"]);
}

#[test]
fn the_grammar_of_fields() {
    let check = |text: &str, expected: &str| {
        let printed =
            text.parse::<FieldSelector>().map_or_else(|e| e.to_string(), |s| s.to_string());
        assert_eq!(printed, expected);
    };
    check("", "");
    check("e==f,a=b,c!=d", "a=b,c!=d,e=f");
    check("a=", "a=");
    check("a=b\\=c\\\\", "a=b\\=c\\\\");
    check("a", "invalid selector: 'a'; can't understand 'a'");
    check("=a", "invalid selector: '=a'; can't understand '=a'");
}

#[test]
fn what_is_wrong_has_a_place() {
    for (text, offset) in [
        (",a", 0),
        ("a b", 2),
        ("a,,b", 2),
        ("a=b,", 4),
        ("a, b in c", 8),
        ("a=b, !", 6),
        ("a, b in (c", 10),
        ("a, -b", 3),
        ("é=b", 0),
        ("a=b, c in (-)", 5),
    ] {
        let error = text.parse::<Selector>().unwrap_err();
        assert_eq!(error.offset(), Some(offset), "{text}: {error}");
    }
    for (text, offset) in [("a=b,c", 4), ("c=d,=a", 4), ("a=é\\x", 4), ("b=1,a=b=c", 7)] {
        let error = text.parse::<FieldSelector>().unwrap_err();
        assert_eq!(error.offset(), Some(offset), "{text}: {error}");
    }
    let of_no_text = Requirement::new("a", Test::In(Vec::new())).unwrap_err();
    assert_eq!(of_no_text.offset(), None);
}

#[test]
fn selectors_of_the_api() {
    let printed = |selector: LabelSelector| {
        Selector::try_from(&selector).map_or_else(|e| e.to_string(), |s| s.to_string())
    };
    assert_eq!(printed(LabelSelector::default()), "");
    let selector = object!(LabelSelector {
        match_labels: { "app": "web" },
        match_expressions: [
            { key: "tier", operator: "NotIn", values: ["b", "a"] },
            { key: "new", operator: "Exists" },
            { key: "old", operator: "DoesNotExist" },
        ],
    });
    assert_eq!(printed(selector), "app=web,new,!old,tier notin (a,b)");
    let wrong = |operator: &str, values: &[&str]| {
        let values: List<IStr> = values.iter().copied().map(IStr::from).collect();
        let term =
            object!(LabelSelectorRequirement { key: "a", operator: operator, values: values });
        printed(object!(LabelSelector { match_expressions: [term] }))
    };
    assert_eq!(wrong("in", &[]), "\"in\" is not a valid label selector operator");
}

#[test]
fn a_text_becomes_a_selector_of_the_api() {
    let made = |text: &str| LabelSelector::try_from(&text.parse::<Selector>().unwrap());
    let selector = made("app=web,new,!old,tier notin (a,b),app=db,x!=y").unwrap();
    let back = Selector::try_from(&selector).unwrap();
    assert_eq!(back.to_string(), "app=web,app in (db),new,!old,tier notin (a,b),x notin (y)");
    assert_eq!(made("a>1").unwrap_err().to_string(), "\"gt\" isn't supported in label selectors");
}

fn label() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "d"]).prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", "x", "y", "1", "5"]).prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn matching(labels in prop::collection::btree_map(label(), value(), 0..4), key in label(), wanted in value(), other in value()) {
        let found = labels.get(&key);
        let holds = |text: String| text.parse::<Selector>().unwrap().matches(|key| labels.get(key).map(String::as_str));
        prop_assert_eq!(holds(format!("{key}={wanted}")), found == Some(&wanted));
        prop_assert_eq!(holds(format!("{key}!={wanted}")), found != Some(&wanted));
        let set = [&wanted, &other];
        prop_assert_eq!(holds(format!("{key} in ({wanted},{other})")), found.is_some_and(|f| set.contains(&f)));
        prop_assert_eq!(holds(format!("{key} notin ({wanted},{other})")), found.is_none_or(|f| !set.contains(&f)));
        prop_assert_eq!(holds(key.clone()), found.is_some());
        prop_assert_eq!(holds(format!("!{key}")), found.is_none());
        prop_assert_eq!(holds(format!("{key}>3")), found.is_some_and(|f| f == "5"));
        prop_assert_eq!(holds(format!("{key}<3")), found.is_some_and(|f| f == "1"));
    }

    #[test]
    fn all_labels_of_a_set_are_asked_for(labels in prop::collection::btree_map(label(), value(), 0..4), wanted in prop::collection::btree_map(label(), value(), 0..4)) {
        let selector = Selector::from_labels(wanted.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        let naive = wanted.iter().all(|(key, value)| labels.get(key) == Some(value));
        prop_assert_eq!(selector.matches(|key| labels.get(key).map(String::as_str)), naive);
    }

    #[test]
    fn what_is_printed_is_read(text in "[a-c=!<>, ()]{0,14}( in \\(a,b\\))?") {
        if let Ok(selector) = text.parse::<Selector>() {
            prop_assert_eq!(selector.to_string().parse(), Ok(selector));
        }
    }

    #[test]
    fn fields_print_and_match(fields in prop::collection::btree_map("[a-z.]{1,5}", "[a-z,=\\\\]{0,5}", 0..4)) {
        let fields: BTreeMap<String, String> = fields;
        let selector = fields.iter().fold(FieldSelector::everything(), |selector, (path, value)| {
            selector.and_equals(path, value)
        });
        prop_assert!(selector.matches(|path| fields.get(path).map(String::as_str)));
        let back: FieldSelector = selector.to_string().parse().unwrap();
        let terms = |selector: &FieldSelector| {
            let terms = selector.terms().map(|(path, equal, value)| (path.to_owned(), equal, value.to_owned()));
            terms.collect::<std::collections::BTreeSet<_>>()
        };
        prop_assert_eq!(terms(&back), terms(&selector));
        prop_assert_eq!(back.to_string().parse(), Ok(back));
    }

    #[test]
    fn any_text_is_refused_or_read(text in any::<String>()) {
        let _ = text.parse::<Selector>();
        let _ = text.parse::<FieldSelector>();
    }
}
