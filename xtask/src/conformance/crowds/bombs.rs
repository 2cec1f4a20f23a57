//! Bodies that are small and mean much, from many at once.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Address;
use crate::Outcome;
use crate::conformance::http;

/// How many throw them at a time.
const THROWERS: usize = 6;
const MAPS: &str = "/api/v1/namespaces/default/configmaps";
const FOOS: &str = "/apis/example.com/v1/namespaces/default/foos";

/// A request, and what it may be answered with.
struct Bomb {
    name: &'static str,
    method: &'static str,
    path: String,
    content_type: &'static str,
    body: String,
    codes: &'static [u16],
}

/// All are answered, each by everybody.
pub(super) fn all_at_once(address: &Address, _many: usize) -> Outcome<()> {
    prepare(address)?;
    let bombs = bombs();
    let throw = |first: usize| -> Outcome<BTreeMap<&'static str, u16>> {
        let turns = (0..bombs.len()).map(|turn| &bombs[(first + turn) % bombs.len()]);
        turns.map(|bomb| Ok((bomb.name, bomb.thrown(address)?))).collect()
    };
    let answers: Vec<_> = std::thread::scope(|scope| {
        let throw = &throw;
        let throwers: Vec<_> =
            (0..THROWERS).map(|thrower| scope.spawn(move || throw(thrower * 2))).collect();
        throwers.into_iter().map(|thrower| thrower.join()).collect()
    });
    for answer in answers {
        answer.map_err(|_| "a thrower panicked".to_owned())??;
    }
    Ok(())
}

impl Bomb {
    fn thrown(&self, address: &Address) -> Outcome<u16> {
        let headers = [("Content-Type".to_owned(), self.content_type.to_owned())];
        let answer = http::ask(address, self.method, &self.path, &headers, self.body.as_bytes())?;
        if self.codes.contains(&answer.code) {
            return Ok(answer.code);
        }
        let text: String = answer.text.chars().take(300).collect();
        Err(format!("{} is answered with {}: {text}", self.name, answer.code))
    }
}

/// A definition whose schema and rules take long, and what patches are for.
fn prepare(address: &Address) -> Outcome<()> {
    let made = |path: &str, body: &Value| {
        let answer = http::send(address, "POST", path, &[], &body.to_string())?;
        if answer.code == 201 { Ok(()) } else { Err(answer.body.to_string()) }
    };
    made("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", &definition())?;
    made(MAPS, &json!({"metadata": {"name": "patched"}, "data": {"a": "x".repeat(1_000)}}))?;
    made(
        FOOS,
        &json!({"apiVersion": "example.com/v1", "kind": "Foo", "metadata": {"name": "patched"}, "spec": {"any": {"a": ["x".repeat(1_000)]}}}),
    )
}

fn definition() -> Value {
    let text = json!({"type": "string", "pattern": "^((a?){20}){50}a{1000}$"});
    let alternatives: Vec<Value> =
        (0..500).map(|number| json!({"minimum": 1_000_000 + number})).collect();
    let numbers = json!({"type": "array", "items": {"type": "integer", "anyOf": alternatives}});
    let words = json!({
        "type": "array", "maxItems": 100_000, "items": {"type": "string", "maxLength": 10},
        "x-kubernetes-validations": [{"rule": "self.all(x, x.matches('^(a+)+$'))"}],
    });
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    let spec = json!({"type": "object", "properties": {"text": text, "numbers": numbers, "words": words, "any": any}});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "foos.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    })
}

const JSON: &str = "application/json";
const YAML: &str = "application/yaml";
const MILLION: usize = 1_000_000;

fn bombs() -> Vec<Bomb> {
    texts().into_iter().chain(of_the_definition()).chain(patches()).collect()
}

fn post(
    name: &'static str,
    path: &str,
    content_type: &'static str,
    body: String,
    codes: &'static [u16],
) -> Bomb {
    Bomb { name, method: "POST", path: path.to_owned(), content_type, body, codes }
}

/// What is no object, or a strange one.
fn texts() -> Vec<Bomb> {
    let twice = format!(r#"{{"data":{{{}"b":"1"}}}}"#, r#""a":"1","#.repeat(250_000));
    let digits = format!(r#"{{"data":{}}}"#, "9".repeat(2 * MILLION));
    let name = format!(r#"{{"metadata":{{"generateName":"{}"}}}}"#, "a".repeat(2 * MILLION));
    vec![
        post("brackets", MAPS, JSON, "[".repeat(2 * MILLION), &[400]),
        post("members in members", MAPS, JSON, r#"{"a":"#.repeat(500_000), &[400]),
        post("one member many times", MAPS, JSON, twice, &[400, 422]),
        post("a number without end", MAPS, JSON, digits, &[400]),
        post("laughs", MAPS, YAML, laughs(), &[400]),
        post("names", MAPS, JSON, name, &[422]),
        Bomb {
            name: "selectors",
            method: "GET",
            path: format!("{MAPS}?labelSelector={}a", "a%20in%20(b),".repeat(600)),
            content_type: "",
            body: String::new(),
            codes: &[200, 400],
        },
    ]
}

/// What the schema and the rules of the definition are for.
fn of_the_definition() -> Vec<Bomb> {
    let foo = |name, spec: &str, codes| {
        let head =
            r#"{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"generateName":"f-"}"#;
        post(name, FOOS, JSON, format!(r#"{head},"spec":{spec}}}"#), codes)
    };
    let deep = format!(r#"{{"any":{}1{}}}"#, r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
    let words = r#""aaaaaaaaaa","#.repeat(90_000);
    vec![
        foo("deep and unknown", &deep, &[201, 400]),
        foo("a pattern", &format!(r#"{{"text":"{}"}}"#, "a".repeat(MILLION)), &[422]),
        foo("alternatives", &format!(r#"{{"numbers":[{}1]}}"#, "1,".repeat(500_000)), &[422]),
        foo("a rule", &format!(r#"{{"words":[{words}"b"]}}"#), &[422]),
    ]
}

fn patches() -> Vec<Bomb> {
    let in_front = json!({"op": "add", "path": "/spec/any/a/0", "value": []});
    vec![
        patch("copies", json_patch(&copies())),
        patch("list in list", json_patch(&vec![in_front; 10_001])),
    ]
}

fn patch(name: &'static str, body: String) -> Bomb {
    let path = format!("{FOOS}/patched");
    let codes = &[413, 422];
    Bomb { name, method: "PATCH", path, content_type: "application/json-patch+json", body, codes }
}

fn json_patch(operations: &[Value]) -> String {
    Value::from(operations).to_string()
}

/// Each doubles what is there.
fn copies() -> Vec<Value> {
    let copy = |number: u32| json!({"op": "copy", "from": "/spec/any", "path": format!("/spec/any/c{number}")});
    (0..60).map(copy).collect()
}

/// Each line means the one before it nine times.
fn laughs() -> String {
    let mut text = "a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n".to_owned();
    for line in 1..20 {
        let before = format!("*a{},", line - 1).repeat(9);
        text += &format!("a{line}: &a{line} [{}]\n", before.trim_end_matches(','));
    }
    text
}
