//! Objects made up from schemas: one with everything in it, one with as little as may be, and others
//! in between. Those that a schema takes are counted.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use watchkeeper_codegen::custom::GeneratedKind;
use watchkeeper_schema::Schema;
use watchkeeper_schema::validate::validate;

#[cfg(test)]
mod tests;

const KEEPS: &str = "x-kubernetes-preserve-unknown-fields";

/// Texts that patterns and formats are tried with.
const TEXTS: &[&str] = &[
    "a",
    "A",
    "1",
    "a1",
    "example",
    "example.com",
    "www.example.com",
    "10m",
    "1h",
    "1h0m0s",
    "10s",
    "10.0.0.1",
    "10.0.0.0/8",
    "2001:db8::1",
    "2001:db8::/32",
    "https://example.com",
    "/path",
    "a/b",
    "example.com/a",
    "http",
    "HTTP",
    "GET",
    "v1",
    "v1.2.3",
    "*",
    "*.example.com",
    "0",
    "200",
    "5xx",
    "true",
    "True",
    ".json",
    "a=b",
    "YQ==",
    "a@example.com",
    "2026-01-02",
    "00000000-0000-4000-8000-000000000000",
    "aaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "projects/a/secrets/b",
    "arn:aws:iam::123456789012:role/a",
    "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "ocid1.a",
    "-----BEGIN",
];

/// The objects of a kind.
pub(in crate::conformance) struct Objects {
    pub(in crate::conformance) objects: Vec<Value>,
    /// How many of them the schema takes.
    pub(super) valid: usize,
    /// Which.
    taken: Vec<bool>,
}

impl Objects {
    /// Leaves those that the schema takes.
    pub(super) fn keep_valid(&mut self) {
        let mut taken = self.taken.iter();
        self.objects.retain(|_| taken.next().is_some_and(|taken| *taken));
    }
}

/// The texts found so far, by their schema.
pub(in crate::conformance) type Texts = BTreeMap<String, Value>;

pub(super) fn objects(kind: &GeneratedKind, texts: &mut Texts, seed: u64, cases: usize) -> Objects {
    of_schema(&kind.schema, [&kind.api_version, &kind.kind], texts, seed, cases)
}

/// Objects of that schema, which say this version and kind.
pub(in crate::conformance) fn of_schema(
    of: &Value,
    [api_version, kind]: [&str; 2],
    texts: &mut Texts,
    seed: u64,
    cases: usize,
) -> Objects {
    let schema = Schema::from_crd_json(of).ok();
    let mut objects = Vec::new();
    let mut taken = Vec::new();
    for case in 0..cases + 2 {
        // Everything, nothing, and from rarely to often.
        let share = match case {
            0 => 100,
            1 => 0,
            other => 10 + (other as u64 * 37) % 80,
        };
        let state = seed.wrapping_mul(0x9e37_79b9).wrapping_add(case as u64 + 1);
        let mut maker = Maker { state, share, texts };
        let mut object = maker.object(of, 0);
        object.insert("apiVersion".into(), api_version.into());
        object.insert("kind".into(), kind.into());
        object.insert("metadata".into(), json!({"name": "a", "namespace": "default"}));
        let object = Value::Object(object);
        let takes = |schema: &Schema| validate(&object, None, schema.alone()).is_empty();
        taken.push(schema.as_ref().is_some_and(takes));
        objects.push(object);
    }
    let valid = taken.iter().filter(|taken| **taken).count();
    Objects { objects, valid, taken }
}

struct Maker<'a> {
    state: u64,
    texts: &'a mut Texts,
    /// How many of a hundred optional members there are.
    share: u64,
}

impl Maker<'_> {
    /// A number below `bound`, from a xorshift.
    fn below(&mut self, bound: u64) -> u64 {
        for _ in 0..3 {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
        }
        (self.state >> 11) % bound.max(1)
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Map<String, Value> {
        let mut object = Map::new();
        let required = schema.get("required").and_then(Value::as_array);
        let members = schema.get("properties").and_then(Value::as_object);
        for (name, member) in members.into_iter().flatten() {
            let must = required.is_some_and(|names| names.iter().any(|n| n.as_str() == Some(name)));
            if must || self.below(100) < self.share {
                object.insert(name.clone(), self.value(member, depth + 1));
            }
        }
        let values = schema.get("additionalProperties").filter(|values| values.is_object());
        // Where the members without a name have a schema, none is unheard of.
        let open = keeps(schema) || schema.get("additionalProperties") == Some(&Value::Bool(true));
        if open && values.is_none() && depth > 0 && self.below(100) < self.share {
            object.insert("unheardOf".into(), json!({"a": [1, "b", null]}));
            object.insert("nothing".into(), Value::Null);
        }
        if let Some(values) = values {
            let least = schema.get("minProperties").and_then(Value::as_u64).unwrap_or(1);
            for index in 0..least.max(1) {
                object.insert(format!("key{index}"), self.value(values, depth + 1));
            }
        }
        object
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        let text = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            let values: Vec<&Value> = values.iter().filter(|value| !value.is_null()).collect();
            let index = self.below(values.len() as u64) as usize;
            return values.get(index).map_or(Value::Null, |value| (*value).clone());
        }
        if schema.get("x-kubernetes-int-or-string") == Some(&Value::Bool(true)) {
            let number = self.below(2) == 0 && schema.get("pattern").is_none();
            return if number { json!(8080) } else { self.string(schema) };
        }
        if schema.get("x-kubernetes-embedded-resource") == Some(&Value::Bool(true)) {
            return json!({"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}});
        }
        match text("type") {
            "object" => Value::Object(self.object(schema, depth)),
            "array" => {
                let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1).max(1);
                let more = if depth < 5 { self.below(2) } else { 0 };
                let most = schema.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
                let mut items = schema.get("items").cloned().unwrap_or_default();
                // A server that keeps unknown members of a list keeps them in its items.
                if let (true, Some(items)) = (keeps(schema), items.as_object_mut()) {
                    items.insert(KEEPS.into(), true.into());
                }
                (0..(least + more).min(most).max(least))
                    .map(|_| self.value(&items, depth + 1))
                    .collect()
            }
            "boolean" => json!(self.below(2) == 0),
            "integer" => integer(schema),
            "number" => json!(0.5_f64.max(number(schema, "minimum").unwrap_or(0.5))),
            "string" => self.string(schema),
            _ => json!({"any": ["value", 1, true, null]}),
        }
    }

    /// The first text that the schema takes.
    fn string(&mut self, schema: &Value) -> Value {
        match schema.get("format").and_then(Value::as_str) {
            Some("date-time") => return "2026-01-02T03:04:05Z".into(),
            Some("byte") => return "YWJj".into(),
            _ => {}
        }
        let key = schema.to_string();
        if let Some(text) = self.texts.get(&key) {
            return text.clone();
        }
        let default = schema.get("default").and_then(Value::as_str);
        let parsed = Schema::from_crd_json(schema).ok();
        let takes = |text: &&str| {
            let value = Value::from(*text);
            parsed.as_ref().is_none_or(|schema| validate(&value, None, schema.alone()).is_empty())
        };
        let found = default.into_iter().chain(TEXTS.iter().copied()).find(takes);
        let found = Value::from(found.unwrap_or("a"));
        self.texts.insert(key, found.clone());
        found
    }
}

fn keeps(schema: &Value) -> bool {
    schema.get(KEEPS) == Some(&Value::Bool(true))
}

fn number(schema: &Value, name: &str) -> Option<f64> {
    schema.get(name).and_then(Value::as_f64)
}

fn integer(schema: &Value) -> Value {
    let whole = |name: &str| schema.get(name).and_then(Value::as_i64);
    let most = whole("maximum").unwrap_or(i64::MAX);
    json!(whole("minimum").map_or(1, |least| least.saturating_add(1)).min(most))
}
