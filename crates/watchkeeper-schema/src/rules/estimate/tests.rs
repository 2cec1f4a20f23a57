//! What rules cost, beside what a kube-apiserver says of them.

use serde_json::json;

use crate::node::Schema;
use crate::rules::Rules;

/// What is said of a rule about each of 400,000 values, whose parts have bounds.
fn told(rule: &str) -> String {
    let text = |length: u64| json!({"type": "string", "maxLength": length});
    let schema = json!({"type": "object", "properties": {"all": {
        "type": "array", "maxItems": 400_000, "items": {
            "type": "object", "x-kubernetes-validations": [{"rule": rule}], "properties": {
                "s": text(100), "i": {"type": "integer"},
                "n": {"type": "array", "maxItems": 30, "items": text(20)},
                "m": {"type": "object", "maxProperties": 40, "additionalProperties": text(20)},
                "o": {"type": "array", "maxItems": 25, "items": {
                    "type": "object", "required": ["k"],
                    "properties": {"k": text(10), "v": {"type": "integer"}},
                }},
            },
        },
    }}});
    let schema = Schema::from_crd_json(&schema).expect("a schema");
    let Err(error) = Rules::compile(&schema) else { return "taken".to_owned() };
    let first = error.0[0].detail.split(" by factor of ").nth(1).unwrap_or_default();
    first.split(" (").next().unwrap_or_default().to_owned()
}

#[test]
fn rules_cost_what_a_server_says() {
    for (rule, factor) in [
        ("self.i > 1", "taken"),
        ("self.s == 'abc'", "taken"),
        ("self.s in self.n", "1.360000x"),
        ("self.s.contains('abcdefghijklmnop')", "3.3x"),
        ("self.s.matches('^[a-z]+$')", "3.4x"),
        ("self.n.all(x, x.startsWith('a'))", "6.1x"),
        ("self.n.exists(x, self.n.exists(y, x == y))", "more than 100x"),
        ("self.n.map(x, x + 'b').all(y, y.contains('c'))", "31.8x"),
        ("self.n.filter(x, x != 'a').size() > 2", "18.6x"),
        ("self.m.all(k, self.m[k] == 'abc')", "12.9x"),
        ("self.o.map(x, x.v).sum() > 1", "15.6x"),
        ("self.n.join(',') == 'a'", "9.8x"),
        ("self.s.replace('a', 'bb') == 'x'", "3.3x"),
        ("sets.equivalent(self.n, self.n)", "72.2x"),
        ("self.m.transformMap(k, v, v).size() > 1", "7.8x"),
        ("self.o.sortBy(x, x.v)[0].v == 1", "65.6x"),
        ("self.?s.optMap(x, x + 'b').orValue('') == ''", "more than 100x"),
    ] {
        assert_eq!(told(rule), factor, "{rule}");
    }
}

/// What a server took before stays, whatever it may cost.
#[test]
fn what_is_stored_is_not_reckoned_again() {
    let schema = json!({"type": "object", "properties": {"all": {
        "type": "array", "items": {"type": "string"},
        "x-kubernetes-validations": [{"rule": "self.all(x, self.all(y, x == y))"}],
    }}});
    let schema = Schema::from_crd_json(&schema).expect("a schema");
    let error = Rules::compile(&schema).expect_err("too costly").to_string();
    assert!(error.contains("total for entire OpenAPIv3 schema exceeds budget"), "{error}");
    assert_eq!(Rules::compile_stored(&schema, "").expect("taken").len(), 1);
}
