//! Selectors: the grammar's corners, printing, matching against a naive model.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{FieldSelector, Selector};
use crate::meta::v1::{LabelSelector, LabelSelectorRequirement};
use crate::{IStr, List, object};

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&text.parse::<Selector>().map_or_else(|e| e.to_string(), |s| s.to_string()));
}

#[test]
fn the_grammar_of_labels() {
    check("", &expect![""]);
    check(" , ", &expect![[r#"found "," in a label selector, expected a label key"#]]);
    check("app", &expect!["app"]);
    check("! app", &expect!["!app"]);
    check("b==1 , a != 2", &expect!["a!=2,b=1"]);
    check("a=", &expect!["a="]);
    check("a=,b", &expect!["a=,b"]);
    check("x in (b,a,b)", &expect!["x in (a,b)"]);
    check("x notin ( a ,)", &expect!["x notin (,a)"]);
    check("x in ()", &expect!["x in ()"]);
    check("x>1,y<-2", &expect!["x>1,y<-2"]);
    check("in in (in)", &expect!["in in (in)"]);
    check("example.com/app=web", &expect!["example.com/app=web"]);
}

#[test]
fn what_is_no_label_selector() {
    check("a=b c", &expect![[r#"found "c" in a label selector, expected `,` or the end"#]]);
    check(
        "a b",
        &expect![[
            r#"found "b" in a label selector, expected one of `=`, `!=`, `in`, `notin`, `>`, `<`"#
        ]],
    );
    check("a in b", &expect![[r#"found "b" in a label selector, expected `(`"#]]);
    check("a in (b", &expect!["found the end in a label selector, expected `,` or `)`"]);
    check("a>x", &expect![[r#"found "x" in a label selector, expected a whole number"#]]);
    check("a,", &expect!["found the end in a label selector, expected a label key"]);
    check("-a", &expect![[r#""-a" is no label key"#]]);
    check("a/b/c", &expect![[r#""a/b/c" is no label key"#]]);
    check("A.b/c", &expect![[r#""A.b/c" is no label key"#]]);
    check("a=b_", &expect![[r#""b_" is no label value (of the label "a")"#]]);
}

#[test]
fn the_grammar_of_fields() {
    let check = |text: &str, expected: &str| {
        let printed =
            text.parse::<FieldSelector>().map_or_else(|e| e.to_string(), |s| s.to_string());
        assert_eq!(printed, expected);
    };
    check("", "");
    check("a=b,c!=d,e==f", "a=b,c!=d,e=f");
    check("a=", "a=");
    check("a=b\\=c\\\\", "a=b\\=c\\\\");
    check("a", "\"a\" is no field selector: expected `path=value` or `path!=value`");
    check("=a", "\"=a\" is no field selector: expected `path=value` or `path!=value`");
    check("a=b=c", "\"b=c\": write `\\=` within a value");
    check("a=\\b", "\"\\\\b\": a backslash protects only `\\`, `,` and `=`");
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
    assert_eq!(wrong("in", &[]), "\"in\" is no operator of a label selector");
    assert_eq!(wrong("In", &[]), "`in` and `notin` need at least one value");
    assert_eq!(wrong("Exists", &["x"]), "`Exists` and `DoesNotExist` take no values");
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
        prop_assert_eq!(selector.to_string().parse(), Ok(selector));
    }
}
