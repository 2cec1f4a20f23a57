//! What servers refuse in rules, and what rules refuse in objects.

use serde_json::json;

use super::*;

/// A schema with one of each type, and that rule at `spec`.
fn schema(rule: Validation) -> Schema {
    let json = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {
        "name": {"type": "string"}, "count": {"type": "integer"}, "share": {"type": "number"},
        "on": {"type": "boolean"}, "port": {"x-kubernetes-int-or-string": true},
        "begin": {"type": "string", "format": "date-time"}, "wait": {"type": "string", "format": "duration"},
        "secret": {"type": "string", "format": "byte"}, "labels": {"type": "object",
            "additionalProperties": {"type": "string"}},
        "names": {"type": "array", "maxItems": 10, "items": {"type": "string"}},
        "free": {"x-kubernetes-preserve-unknown-fields": true},
        "parts": {"type": "array", "maxItems": 100, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"],
            "items": {"type": "object", "properties": {"id": {"type": "string"}, "size": {"type": "integer"}}}},
        "in": {"type": "string"}, "a-b": {"type": "integer"}, "level": {"type": "integer", "default": 3},
    }}}});
    let mut schema = Schema::from_crd_json(&json).expect("a schema");
    schema.properties.get_mut("spec").expect("it is there").validations.push(rule);
    schema
}

fn rule(text: &str) -> Validation {
    Validation { rule: text.to_owned(), ..Validation::default() }
}

fn rules(text: &str) -> Rules {
    Rules::compile(&schema(rule(text))).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refused(text: &str) -> String {
    let error = Rules::compile(&schema(rule(text))).expect_err(text);
    assert!(
        error.0.iter().all(|e| e.field == "properties[spec].x-kubernetes-validations[0].rule"),
        "{error}"
    );
    error.to_string()
}

#[test]
fn what_a_server_refuses_is_refused() {
    for (text, why) in [
        ("self.count >=", "compilation failed"),
        ("self.counts > 1", "undefined field 'counts'"),
        ("has(self.counts)", "undefined field 'counts'"),
        ("self.free.a == 1", "undefined field 'free'"),
        ("self.name.first == 'a'", "type 'string' does not support field selection"),
        ("self.name > 1", "no matching overload for '_>_' applied to '(string, int)'"),
        ("self.name == 1", "no matching overload for '_==_' applied to '(string, int)'"),
        ("self.name == null", "no matching overload for '_==_' applied to '(string, null)'"),
        (
            "self.count + self.share > 1.0",
            "no matching overload for '_+_' applied to '(int, double)'",
        ),
        ("self.count && true", "no matching overload for '_&&_' applied to '(int, bool)'"),
        ("1 in self.names", "no matching overload for '@in' applied to '(int, list(string))'"),
        ("self.begin > self.wait", "no matching overload for '_>_'"),
        ("self.name in ['a', 1]", "expected type 'string' but found 'int'"),
        ("[1, 2.0].size() == 2", "expected type 'int' but found 'double'"),
        ("[self.names, [1]].size() == 2", "expected type 'list(string)' but found 'list(int)'"),
        ("{'a': 1, 2: 3}.size() == 2", "expected type 'string' but found 'int'"),
        ("{'a': 1, 'b': 'c'}.size() == 2", "expected type 'int' but found 'string'"),
        ("[self.port, 'a', 1].size() == 3", "expected type 'string' but found 'int'"),
        ("self.count", "cel expression must evaluate to a bool"),
        ("self.names.map(n, n)", "cel expression must evaluate to a bool"),
        ("self.parts.all(p, p.weight > 1)", "undefined field 'weight'"),
        ("self.count.all(c, c > 1)", "cannot be range of a comprehension"),
        ("object.count > 1", "undeclared reference to 'object'"),
        ("self.name.shout() == 'A'", "undeclared reference to 'shout'"),
        ("math.greatest(1, 2) == 2", "undeclared reference to 'math'"),
        ("base64.encode(b'a') == ''", "undeclared reference to 'encode'"),
    ] {
        let error = refused(text);
        assert!(error.contains(why), "{text}: {error}");
    }
}

/// What is known only when it runs, and what is formatted, may be of any type.
#[test]
fn lists_of_several_types_are_taken_where_servers_take_them() {
    for text in ["[dyn('a'), dyn(1)].size() == 2", "'%s %d'.format(['a', 1]) == 'a 1'"] {
        assert_eq!(rules(text).len(), 1, "{text}");
    }
}

/// A rule that would never be asked is not passed over.
#[test]
fn rules_inside_of_value_validations_are_refused() {
    for (nested, place) in [
        (
            json!({"allOf": [{}, {"x-kubernetes-validations": [{"rule": "self.count > 1"}]}]}),
            "allOf[1]",
        ),
        (
            json!({"not": {"properties": {"a": {"x-kubernetes-validations": [{"rule": "true"}]}}}}),
            "not.properties[a]",
        ),
        (
            json!({"anyOf": [{"oneOf": [{"items": {"x-kubernetes-validations": [{"rule": "true"}]}}]}]}),
            "anyOf[0].oneOf[0].items",
        ),
    ] {
        let mut nested = nested;
        nested["type"] = "object".into();
        let schema = json!({"type": "object", "properties": {"spec": nested}});
        let schema = Schema::from_crd_json(&schema).expect("a schema");
        let error = Rules::compile(&schema).expect_err(place).to_string();
        let expected = format!(
            "properties[spec].{place}.x-kubernetes-validations: Forbidden: must be empty to be structural"
        );
        assert_eq!(error, expected);
    }
}

#[test]
fn what_a_server_takes_is_taken_and_asked() {
    let spec = json!({
        "name": "lamp", "count": 2, "share": 1, "on": true, "port": "http", "begin": "2026-01-02T03:04:05Z",
        "wait": "1h30m", "secret": "YWJj", "labels": {"a-b": "x"}, "names": ["b", "a"],
        "parts": [{"id": "a", "size": 1}, {"id": "b", "size": 2}], "in": "x", "a-b": 5, "free": {},
    });
    for (text, holds) in [
        ("self.count > 1 && self.share < 1.5", true),
        ("self.share == 1.0", true),
        ("!has(self.name) || self.name.size() < 4", false),
        ("self.__in__ == 'x' && self.a__dash__b == 5", true),
        ("self.labels['a-b'] == 'x' && 'c' in self.labels", false),
        ("self.port == 'http' || self.port == 80", true),
        ("self.wait > duration('1h') && self.begin < timestamp('2027-01-01T00:00:00Z')", true),
        ("self.secret.size() == 3", true),
        ("self.parts.map(p, p.size).sum() == 3", true),
        ("self.parts.exists_one(p, p.id == 'b') && self.names.filter(n, n > 'a') == ['b']", true),
        ("self.names.isSorted()", false),
        ("self.names.all(ip, ip.startsWith('b'))", false),
        ("self.name.matches('^l.*p$') && url('https://a.b/c').getHost() == 'a.b'", true),
        ("self.name in ['a', 'lamp'] && {'a': [1], 'b': []}.size() == 2", true),
        ("quantity('1Ki').isGreaterThan(quantity('1000'))", true),
        ("self.level == 3", true),
        ("(self.on ? self.count : 0) == 2", true),
        ("[self.on, has(self.level)].filter(x, x).size() <= 1", false),
    ] {
        let said = rules(text).check(&json!({ "spec": spec }));
        assert_eq!(said.is_empty(), holds, "{text}: {said:?}");
    }
}

#[test]
fn a_rule_that_fails_says_where_and_why() {
    let said = |rule: Validation, object: Value| {
        let rules = Rules::compile(&schema(rule)).expect("a rule");
        rules.check(&object).iter().map(FieldError::to_string).collect::<Vec<_>>()
    };
    let low = json!({ "spec": { "count": 1 } });
    let least = rule("self.count > 1");
    assert_eq!(
        said(least.clone(), low.clone()),
        ["spec: Invalid value: failed rule: self.count > 1"]
    );
    let with = Validation {
        message: Some("more of them".into()),
        reason: Some("FieldValueForbidden".into()),
        field_path: Some(".count".into()),
        ..least.clone()
    };
    assert_eq!(said(with.clone(), low.clone()), ["spec.count: Forbidden: more of them"]);
    let counted = Validation {
        message_expression: Some("'not %d'.format([self.count])".into()),
        reason: None,
        ..with
    };
    assert_eq!(said(counted, low), ["spec.count: Invalid value: not 1"]);
    let none = said(least, json!({ "spec": {} }));
    assert!(none[0].contains("evaluating rule: self.count > 1"), "{none:?}");
}

#[test]
fn a_message_that_is_no_text_is_refused() {
    let wrong =
        Validation { message_expression: Some("self.count".into()), ..rule("self.count > 1") };
    let error = Rules::compile(&schema(wrong)).expect_err("no text").to_string();
    assert!(error.contains("messageExpression"), "{error}");
    assert!(error.contains("messageExpression must evaluate to a string"), "{error}");
}

#[test]
fn rules_of_changes_are_asked_of_changes() {
    let rules = rules("self.count >= oldSelf.count");
    let at = |count: i32| json!({ "spec": { "count": count } });
    assert_eq!(rules.check(&at(1)), []);
    assert_eq!(rules.check_update(&at(2), &at(1)), []);
    assert_eq!(rules.check_update(&at(1), &at(2)).len(), 1);
    // Without an old value there is no change.
    assert_eq!(rules.check_update(&at(1), &json!({})), []);
}

#[test]
fn an_old_value_that_may_not_be_there_is_optional() {
    let optional = Validation {
        optional_old_self: Some(true),
        ..rule("oldSelf.hasValue() ? self.count >= oldSelf.value().count : self.count == 1")
    };
    let rules = Rules::compile(&schema(optional)).expect("a rule");
    let at = |count: i32| json!({ "spec": { "count": count } });
    assert_eq!(rules.check(&at(1)), []);
    assert_eq!(rules.check(&at(2)).len(), 1);
    assert_eq!(rules.check_update(&at(2), &at(1)), []);
    assert_eq!(rules.check_update(&at(1), &at(2)).len(), 1);
    let needless = Validation { optional_old_self: Some(true), ..rule("self.count > 1") };
    let error = Rules::compile(&schema(needless)).expect_err("oldSelf is not used").to_string();
    assert!(error.contains("may not be set if oldSelf is not used in rule"), "{error}");
}

#[test]
fn what_has_not_changed_is_not_complained_about() {
    let rules = rules("self.count > 1");
    let object = |count: i32, label: &str| json!({ "metadata": { "name": label }, "spec": { "count": count } });
    assert_eq!(rules.check_update(&object(1, "b"), &object(1, "a")), []);
    assert_eq!(rules.check_update(&object(0, "b"), &object(1, "a")).len(), 1);
}

/// Of a list without keys no item is found again: it is the list that must be as it was.
#[test]
fn an_unchanged_list_is_forgiven_what_is_said_of_its_items() {
    let mut plain = schema(rule("true"));
    let spec = plain.properties.get_mut("spec").expect("it is there");
    let names = spec.properties.get_mut("names").expect("it is there");
    names.items.as_mut().expect("items").validations.push(rule("self.size() > 3"));
    let rules = Rules::compile(&plain).expect("rules");
    let of = |names: &[&str], count: i32| json!({ "spec": { "names": names, "count": count } });
    let said = |new: &Value, old: &Value| -> Vec<String> {
        rules.check_update(new, old).into_iter().map(|error| error.field).collect()
    };
    assert_eq!(said(&of(&["ab"], 2), &of(&["ab"], 1)), [""; 0], "another field has changed");
    assert_eq!(said(&of(&["ab", "abcd"], 1), &of(&["ab"], 1)), ["spec.names[0]"]);
    assert_eq!(said(&of(&["ab"], 1), &json!({ "spec": { "count": 1 } })), ["spec.names[0]"]);
    assert_eq!(rules.check(&of(&["ab"], 1)).len(), 1);
}

/// Only what is false is forgiven.
#[test]
fn a_rule_that_does_not_run_is_told_whatever_has_changed() {
    let rules = rules("self.count > 1");
    let object = |label: &str| json!({ "metadata": { "name": label }, "spec": {} });
    let said = rules.check_update(&object("b"), &object("a"));
    assert_eq!(said.len(), 1);
    assert!(said[0].to_string().contains("evaluating rule: self.count > 1"), "{}", said[0]);
}

#[test]
fn a_value_is_unchanged_as_servers_compare() {
    let rules = rules("self.count > 1");
    let forgiven = |new: Value, old: Value| {
        let with_count = |spec: Value| {
            let mut spec = spec;
            spec["count"] = 1.into();
            json!({ "spec": spec })
        };
        rules.check_update(&with_count(new), &with_count(old)).is_empty()
    };
    let part = |id: &str| json!({ "id": id, "size": 1 });
    let parts = |ids: [&str; 2]| json!({ "parts": ids.map(part) });
    assert!(forgiven(parts(["a", "b"]), parts(["b", "a"])), "items with keys have no order");
    assert!(!forgiven(parts(["a", "b"]), parts(["a", "c"])));
    assert!(!forgiven(parts(["a", "b"]), json!({ "parts": [part("a")] })));
    assert!(!forgiven(json!({ "names": ["a", "b"] }), json!({ "names": ["b", "a"] })));
    assert!(forgiven(json!({ "labels": { "x": "1" } }), json!({ "labels": { "x": "1" } })));
    assert!(!forgiven(json!({ "labels": { "x": "1" } }), json!({ "labels": { "y": "1" } })));
    // Of what the schema says nothing nobody knows whether it is the same.
    let free = || json!({ "free": { "a": 1 } });
    assert!(!forgiven(free(), free()));
    assert!(forgiven(json!({ "free": {} }), json!({ "free": {} })));
}

/// Of the items of a list with keys, and of no others, the old ones are found.
#[test]
fn items_are_compared_with_the_old_ones_of_the_same_keys() {
    let grown = || rule("self.size >= oldSelf.size");
    let mut keyed = schema(rule("true"));
    let spec = keyed.properties.get_mut("spec").expect("it is there");
    let parts = spec.properties.get_mut("parts").expect("it is there");
    parts.items.as_mut().expect("items").validations.push(grown());
    let rules = Rules::compile(&keyed).expect("rules");
    let parts = |a: i32, b: i32| json!([{ "id": "a", "size": a }, { "id": "b", "size": b }]);
    let turned = json!([{ "id": "b", "size": 2 }, { "id": "a", "size": 1 }]);
    let of = |parts: Value| json!({ "spec": { "parts": parts } });
    assert_eq!(rules.check_update(&of(turned), &of(parts(1, 2))), []);
    let said = rules.check_update(&of(parts(1, 1)), &of(parts(1, 2)));
    assert_eq!(said.iter().map(|e| e.field.as_str()).collect::<Vec<_>>(), ["spec.parts[1]"]);

    let mut plain = schema(rule("true"));
    let spec = plain.properties.get_mut("spec").expect("it is there");
    let names = spec.properties.get_mut("names").expect("it is there");
    names.items.as_mut().expect("items").validations.push(rule("self == oldSelf"));
    let error = Rules::compile(&plain).expect_err("old items are not found").to_string();
    assert!(error.contains("within properties[spec].properties[names]"), "{error}");
}

#[test]
fn at_the_root_there_is_what_every_object_has() {
    let root = |text: &str| {
        let mut schema = schema(rule("true"));
        schema.validations.push(rule(text));
        Rules::compile(&schema)
    };
    let rules = root("self.metadata.name.startsWith('a') && self.kind == 'Foo'").expect("a rule");
    assert_eq!(rules.len(), 2);
    let named = |name: &str| json!({ "kind": "Foo", "metadata": { "name": name } });
    assert_eq!(rules.check(&named("ab")), []);
    assert_eq!(rules.check(&named("ba")).len(), 1);
    let error = root("self.metadata.labels['a'] == 'b'").expect_err("labels are not to be seen");
    assert!(error.to_string().contains("undefined field 'labels'"), "{error}");
}

#[test]
fn values_of_maps_are_asked_by_their_keys() {
    let mut schema = schema(rule("true"));
    let spec = schema.properties.get_mut("spec").expect("it is there");
    let labels = spec.properties.get_mut("labels").expect("it is there");
    labels.additional.as_mut().expect("values").validations.push(rule("self.size() > 1"));
    let rules = Rules::compile(&schema).expect("rules");
    let said = rules.check(&json!({ "spec": { "labels": { "a.b": "x", "c": "yy" } } }));
    let said: Vec<String> = said.iter().map(FieldError::to_string).collect();
    assert_eq!(said, ["spec.labels[a.b]: Invalid value: \"x\": failed rule: self.size() > 1"]);
}

/// Upstream has no value of another type for a rule, and so no rule that holds.
#[test]
fn a_value_of_another_type_is_no_matter_of_a_rule() {
    let schema = |of: Value| {
        let spec = json!({"type": "object", "properties": {"a": of}});
        Schema::from_crd_json(&json!({"type": "object", "properties": {"spec": spec}}))
            .expect("a schema")
    };
    let told = |mut of: Value, value: Value| {
        of["x-kubernetes-validations"] = json!([{"rule": "self == self"}]);
        let rules = Rules::compile(&schema(of)).expect("a rule");
        let errors = rules.judge(&json!({"spec": {"a": value}}), None).errors;
        errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let invalid = "spec.a: Invalid value: \"integer\": invalid data, expected int, got float64 evaluating rule: self == self";
    assert_eq!(told(json!({"type": "integer"}), json!(2.0)), invalid);
    assert_eq!(told(json!({"type": "integer"}), json!(2)), "");
    assert_eq!(told(json!({"type": "number"}), json!(2)), "");
    let text = "spec.a: Invalid value: \"string\": invalid data, expected string, got bool evaluating rule: self == self";
    assert_eq!(told(json!({"type": "string"}), json!(true)), text);
    let map = "spec.a: Invalid value: \"object\": invalid data, expected a map for the provided schema with type=object evaluating rule: self == self";
    assert_eq!(
        told(json!({"type": "object", "additionalProperties": {"type": "string"}}), json!([])),
        map
    );
    let either = "spec.a: Invalid value: \"\": invalid data, expected XIntOrString value to be either a string or integer evaluating rule: self == self";
    assert_eq!(told(json!({"x-kubernetes-int-or-string": true}), json!(1.5)), either);
}
