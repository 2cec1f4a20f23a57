//! Paths and what they find.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn check(path: &str, expected: Expect) {
    let value = json!({
        "spec": {"a.b": 1, "list": [1, 2, 3], "name": "x"},
        "status": {"conditions": [{"type": "Ready", "status": "True", "n": 2}, {"type": "Other", "status": "False", "n": 5}]},
        "metadata": {"annotations": {"example.com/key": "v"}},
    });
    let text = match JsonPath::parse(path) {
        Ok(path) => path.find(&value).iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Err(error) => format!("error: {error}"),
    };
    expected.assert_eq(&text);
}

#[test]
fn members() {
    check(".spec.name", expect![[r#""x""#]]);
    check("{.spec.name}", expect![[r#""x""#]]);
    check("spec.name", expect![[r#""x""#]]);
    check(r".spec['a\.b']", expect!["1"]);
    check(".spec['a.b']", expect![""]);
    check(r".spec.a\.b", expect!["1"]);
    check(r".metadata.annotations.example\.com/key", expect![[r#""v""#]]);
    check(".spec.nope.deeper", expect![[""]]);
    check(r".spec['name','a\.b']", expect![[r#""x" 1"#]]);
}

#[test]
fn lists() {
    check(".spec.list[0]", expect!["1"]);
    check(".spec.list[-1]", expect!["3"]);
    check(".spec.list[9]", expect![[""]]);
    check(".spec.list[*]", expect!["1 2 3"]);
    check(".spec.list[0,2]", expect!["1 3"]);
    check(".spec.list[1:]", expect!["2 3"]);
    check(".spec.list[0:3:2]", expect!["1 3"]);
    check(".spec.list[:-1]", expect!["1 2"]);
}

#[test]
fn filters_and_descent() {
    check(r#".status.conditions[?(@.type=="Ready")].status"#, expect![[r#""True""#]]);
    check(r#".status.conditions[?(@.type=='Other')].n"#, expect!["5"]);
    check(".status.conditions[?(@.n>2)].type", expect![[r#""Other""#]]);
    check(".status.conditions[?(@.n!=2)].type", expect![[r#""Other""#]]);
    check(".status.conditions[?(@.x)].type", expect![[""]]);
    check(
        "..status",
        expect![[
            r#"{"conditions":[{"n":2,"status":"True","type":"Ready"},{"n":5,"status":"False","type":"Other"}]} "True" "False""#
        ]],
    );
    check(".status..type", expect![[r#""Ready" "Other""#]]);
}

#[test]
fn what_is_no_path() {
    check(".spec[", expect!["error: unterminated array"]);
    check(".spec[x]", expect!["error: invalid array index x"]);
    check(".a[?(@.b==c)]", expect![[r#"error: unrecognized literal "c""#]]);
    check(".a...b", expect![[r#"error: a name is missing before ".b""#]]);
}

proptest! {
    #[test]
    fn no_text_panics(text in "[.a\\[\\]'\"?()@=<>:*,0-9\\\\{}$-]{0,24}") {
        if let Ok(path) = JsonPath::parse(&text) {
            let found = path.find(&json!({"a": [{"a": 1}, [2]]})).len();
            prop_assert!(found < 1000);
        }
    }
}

#[test]
fn a_dot_at_the_end_or_before_a_bracket_is_a_member_without_a_name() {
    for path in [".", ".spec.", "{.spec.}", ".spec.list.[0]"] {
        check(path, expect![[""]]);
    }
}

#[test]
fn a_path_leads_to_ten_thousand_values_at_most() {
    let value = json!({"a": vec![1; 100]});
    let every = |times: usize| {
        JsonPath::parse(&format!(".a[{}]", vec!["0"; times].join(","))).expect("a path")
    };
    assert_eq!(every(10_000).find(&value).len(), 10_000);
    assert_eq!(every(10_001).find(&value).len(), 0);
    let lists = (0..40).fold(json!(1), |inner, _| json!([inner]));
    let path = JsonPath::parse(&"[0,0]".repeat(40)).expect("a path");
    assert_eq!(path.find(&lists).len(), 0);
}

#[test]
fn names_stand_in_single_quotes() {
    check(r#".spec["name"]"#, expect![[r#"error: invalid array index "name""#]]);
    check(".spec['name]", expect!["error: unterminated array"]);
    check(".spec['a'b']", expect!["error: unterminated array"]);
    check(".spec['a,b']", expect![[r#"error: bad names in "'a,b'""#]]);
}

#[test]
fn places_count_from_either_end_as_far_as_the_list_goes() {
    check(".spec.list[2]", expect!["3"]);
    check(".spec.list[3]", expect![[""]]);
    check(".spec.list[-3]", expect!["1"]);
    check(".spec.list[-4]", expect![[""]]);
    check(".spec.list[1:2]", expect!["2"]);
    check(".spec.list[-2:]", expect!["2 3"]);
    check(".spec.list[2:2]", expect![[""]]);
    check(".spec.list[0:3:2]", expect!["1 3"]);
    check(".spec.list[1:4]", expect![[""]]);
    check(".spec.list[3:4]", expect![[""]]);
    check(".spec.list[-4:2]", expect![[""]]);
    check(".spec.list[2:1]", expect![[""]]);
    check(".spec.list[0:3:0]", expect![[""]]);
}

#[test]
fn filters_compare_to_the_last_unit() {
    let check = |test: &str, expected: Expect| {
        check(&format!(".status.conditions[?(@.{test})].type"), expected);
    };
    check("n<2", expect![[""]]);
    check("n<=2", expect![[r#""Ready""#]]);
    check("n<5", expect![[r#""Ready""#]]);
    check("n<=5", expect![[r#""Ready" "Other""#]]);
    check("n>5", expect![[""]]);
    check("n>=5", expect![[r#""Other""#]]);
    check("n>=2", expect![[r#""Ready" "Other""#]]);
    check(r#"type<"Ready""#, expect![[r#""Other""#]]);
    check(r#"type>="Ready""#, expect![[r#""Ready""#]]);
    check("n==@.n", expect![[r#""Ready" "Other""#]]);
    check("x!=1", expect![[""]]);
    check("x==1", expect![[""]]);
}

#[test]
fn filters_are_in_filters_eight_deep_at_most() {
    let nested = |depth: usize| {
        let inside = "@.a".to_owned();
        (0..depth).fold(inside, |inside, _| format!("@.a[?({inside})]"))
    };
    assert!(JsonPath::parse(&nested(8)).is_ok());
    let error = JsonPath::parse(&nested(9)).expect_err("one too many");
    assert_eq!(error.to_string(), "filters are nested too deep");
}

#[test]
fn booleans_are_equal_or_not() {
    let value = json!({"l": [{"b": true, "n": 1}, {"b": false, "n": 2}]});
    for (path, found) in [
        (".l[?(@.b==true)].n", json!([1])),
        (".l[?(@.b==false)].n", json!([2])),
        (".l[?(@.b!=true)].n", json!([2])),
        (".l[?(@.b<true)].n", json!([])),
        (".l[?(@.b==1)].n", json!([])),
    ] {
        let path = JsonPath::parse(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(json!(path.find(&value)), found, "{path:?}");
    }
}
