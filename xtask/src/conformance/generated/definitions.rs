//! Definitions of a file: they are installed first, then objects of each of their versions are made, changed, patched and
//! applied, good ones and such as were spoiled.

use std::path::Path;

use serde_json::{Value, json};
use watchkeeper_generator::{Case, Dice, Request};

use watchkeeper_schema::yaml::{Limits, documents};

use crate::Outcome;
use crate::conformance::crds::sample::{Texts, of_schema};

#[cfg(test)]
mod tests;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

/// What there is to do with a file.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    /// A case for each definition: it is made, and its versions are served.
    pub(super) installs: Vec<Case>,
    /// Cases of objects.
    pub(super) objects: Vec<Case>,
}

impl Definitions {
    /// Reads a file of definitions, and draws so many objects of each of their versions.
    ///
    /// # Errors
    /// When it cannot be read, or is no YAML.
    pub(super) fn read(path: &Path, seed: u64, objects: usize) -> Outcome<Self> {
        let of_file = |error: String| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| of_file(error.to_string()))?;
        let documents = documents(&text, &Limits { depth: 160, nodes: usize::MAX });
        let documents = documents.map_err(|error| of_file(error.to_string()))?;
        let (mut all, mut texts) = (Self::default(), Texts::new());
        let are =
            documents.iter().filter(|document| document["kind"] == "CustomResourceDefinition");
        for (index, definition) in are.enumerate() {
            all.add(definition, &mut texts, seed.wrapping_add(index as u64), objects);
        }
        Ok(all)
    }

    fn add(&mut self, definition: &Value, texts: &mut Texts, seed: u64, objects: usize) {
        let mut install = vec![sent("POST", DEFINITIONS.to_owned(), JSON, definition)];
        let versions = definition["spec"]["versions"].as_array().into_iter().flatten();
        for version in versions.filter(|version| version["served"] == true) {
            let place = Place::of(definition, version);
            install.push(Request {
                method: "GET",
                path: place.path.clone(),
                waits: true,
                ..Request::default()
            });
            let schema = &version["schema"]["openAPIV3Schema"];
            let says = [&*place.api_version, &*place.kind];
            let drawn = of_schema(schema, says, texts, seed, objects).objects;
            for (number, object) in drawn.into_iter().enumerate() {
                let mut dice = Dice::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number as u64);
                self.objects.push(place.case(number, object, &mut dice));
            }
        }
        let name = definition["metadata"]["name"].as_str().unwrap_or_default();
        install.push(Request {
            method: "GET",
            path: format!("{DEFINITIONS}/{name}"),
            ..Request::default()
        });
        self.installs.push(Case { requests: install, after: Vec::new() });
    }
}

fn sent(method: &'static str, path: String, content_type: &'static str, body: &Value) -> Request {
    Request { method, path, content_type, body: body.to_string(), waits: false }
}

/// Where objects of a version are.
struct Place {
    path: String,
    api_version: String,
    kind: String,
    is_namespaced: bool,
    has_status: bool,
}

impl Place {
    fn of(definition: &Value, version: &Value) -> Self {
        let spec = &definition["spec"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let api_version = format!("{}/{}", text(&spec["group"]), text(&version["name"]));
        let is_namespaced = spec["scope"] == "Namespaced";
        let namespace = if is_namespaced { "/namespaces/default" } else { "" };
        let path = format!("/apis/{api_version}{namespace}/{}", text(&spec["names"]["plural"]));
        let has_status = version["subresources"]["status"].is_object();
        Self { path, api_version, kind: text(&spec["names"]["kind"]), is_namespaced, has_status }
    }

    /// What is done with an object, which is spoiled before in every other case.
    fn case(&self, number: usize, mut object: Value, dice: &mut Dice) -> Case {
        let version = self.api_version.rsplit('/').next().unwrap_or_default();
        let name = format!("case-{version}-{}", letters(number));
        object["metadata"] = json!({"name": name, "labels": {"a": "b"}});
        if self.is_namespaced {
            object["metadata"]["namespace"] = "default".into();
        }
        let good = object.clone();
        if number % 2 == 1 {
            spoil(&mut object, dice);
        }
        let own = format!("{}/{name}", self.path);
        let validation = *dice.one(&[
            "?fieldValidation=Strict",
            "?fieldValidation=Warn",
            "?fieldValidation=Ignore",
        ]);
        let mut requests = vec![sent("POST", format!("{}{validation}", self.path), JSON, &object)];
        // The good one, so that what follows has something to change.
        requests.push(sent("PATCH", format!("{own}?fieldManager=one&force=true"), APPLY, &good));
        let mut changed = good.clone();
        spoil(&mut changed, dice);
        changed["metadata"]["resourceVersion"] = "@rv@".into();
        requests.push(sent("PUT", format!("{own}{validation}"), JSON, &changed));
        let mut part = good.clone();
        spoil(&mut part, dice);
        let part = json!({"spec": part["spec"]});
        requests.push(sent("PATCH", own.clone(), MERGE, &part));
        let mut applied = good;
        spoil(&mut applied, dice);
        let force = *dice.one(&["", "&force=true"]);
        requests.push(sent("PATCH", format!("{own}?fieldManager=two{force}"), APPLY, &applied));
        if self.has_status {
            changed["metadata"]["resourceVersion"] = "@rv@".into();
            requests.push(sent("PUT", format!("{own}/status"), JSON, &changed));
        }
        requests.push(Request { method: "GET", path: own.clone(), ..Request::default() });
        let after = vec![Request { method: "DELETE", path: own, ..Request::default() }];
        Case { requests, after }
    }
}

/// A number in letters: no number that a server draws is part of it.
fn letters(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return text;
        }
    }
}

/// Changes one thing somewhere below `spec`, or where there is none below the object: it goes, is of another kind, or
/// something is there that nobody knows.
fn spoil(object: &mut Value, dice: &mut Dice) {
    let has_spec = object["spec"].as_object().is_some_and(|spec| !spec.is_empty());
    let (parent, name) = somewhere(object, if has_spec { "/spec" } else { "" }, dice);
    match (object.pointer_mut(&parent), name) {
        (Some(at), Some(name)) => change(at, &name, dice),
        (Some(Value::Object(members)), None) => {
            members.insert("unheardOf".to_owned(), json!({"x": [1, null]}));
        }
        _ => {}
    }
}

/// A place below another one, as a JSON pointer, and which of its members or items, if it has any.
fn somewhere(object: &Value, root: &str, dice: &mut Dice) -> (String, Option<String>) {
    let mut parent = root.to_owned();
    loop {
        let names = object.pointer(&parent).map(names).unwrap_or_default();
        if names.is_empty() {
            return (parent, None);
        }
        let name = dice.one(&names).clone();
        let next = format!("{parent}/{}", name.replace('~', "~0").replace('/', "~1"));
        let is_deep = object.pointer(&next).is_some_and(|next| next.is_object() || next.is_array());
        if !is_deep || dice.chance(25) {
            return (parent, Some(name));
        }
        parent = next;
    }
}

/// The members that may be changed, or the numbers of the items.
fn names(at: &Value) -> Vec<String> {
    let is_own = |name: &&String| !["apiVersion", "kind", "metadata"].contains(&name.as_str());
    match at {
        Value::Object(members) => members.keys().filter(is_own).cloned().collect(),
        Value::Array(items) => (0..items.len()).map(|index| index.to_string()).collect(),
        _ => Vec::new(),
    }
}

fn change(at: &mut Value, name: &str, dice: &mut Dice) {
    let others = [
        Value::Null,
        json!(""),
        json!("text"),
        json!("a text that is longer than most may be, with blanks and ümläuts in it"),
        json!(-1),
        json!(3),
        json!(70_000),
        json!(1.5),
        json!(true),
        json!({}),
        json!([]),
        json!(["a", "a"]),
        json!({"unheardOf": 1}),
    ];
    let other = dice.one(&others).clone();
    match at {
        Value::Object(members) if dice.chance(25) => _ = members.remove(name),
        Value::Object(members) if dice.chance(15) => {
            members.insert("unheardOf".to_owned(), other);
        }
        Value::Object(members) => _ = members.insert(name.to_owned(), other),
        Value::Array(items) => {
            let Some(index) = name.parse().ok().filter(|index: &usize| *index < items.len()) else {
                return;
            };
            match dice.below(3) {
                0 => _ = items.remove(index),
                1 => items.push(items[index].clone()),
                _ => items[index] = other,
            }
        }
        _ => {}
    }
}
