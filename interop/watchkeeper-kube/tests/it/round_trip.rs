//! Every built-in kind, decoded and encoded by the lean types and by k8s-openapi: the same object
//! comes back.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use watchkeeper_api::json::{Decoder, Read, ReadError, Write, to_string};
use watchkeeper_api::pb::Message;
use watchkeeper_api::registry::{self, Visitor};
use watchkeeper_api::{HasMeta, StaticKind};
use watchkeeper_apiserver::Rng;
use watchkeeper_schema::builtin;
use watchkeeper_schema::facts::{Facts, KindFacts};

use crate::compare::{difference, differences, leaves, normal};
use crate::generate::{Fill, Maker};
use crate::kinds::{self, Theirs};

/// How many objects of a kind have some of their members, beside the fullest and the barest.
const SOME: u64 = 48;

type Ours = fn(&str) -> Result<String, ReadError>;

fn lean<T: Read + Write>(text: &str) -> Result<String, ReadError> {
    Decoder::new().strict(true).decode_str::<T>(text).map(|value| to_string(&value))
}

/// The lean types by apiVersion and kind.
#[derive(Default)]
struct Lean(BTreeMap<(String, String), Ours>);

impl Visitor for Lean {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        let kind = K::static_kind();
        self.0.insert((kind.api_version().into_owned(), kind.kind.to_string()), lean::<K>);
    }

    fn visit_plain<T: Read + Write + Message + Default + PartialEq>(
        &mut self,
        api_version: &'static str,
        kind: &'static str,
    ) {
        self.0.insert((api_version.to_owned(), kind.to_owned()), lean::<T>);
    }

    fn visit_json<T: Read + Write + Default + PartialEq>(
        &mut self,
        api_version: &'static str,
        kind: &'static str,
    ) {
        self.0.insert((api_version.to_owned(), kind.to_owned()), lean::<T>);
    }
}

/// A kind that both have.
struct Pair {
    facts: &'static KindFacts,
    ours: Ours,
    theirs: Theirs,
}

impl Pair {
    fn name(&self) -> String {
        format!("{} {}", self.facts.api_version(), self.facts.kind)
    }

    fn normal(&self, text: &str) -> Value {
        let mut value = serde_json::from_str(text).expect("both write JSON");
        let all = builtin::facts();
        normal(&mut value, all.get(&self.facts.model).expect("a struct"), all);
        value
    }

    fn ours(&self, text: &str) -> Value {
        self.normal(&(self.ours)(text).unwrap_or_else(|e| panic!("{}: {e}\n{text}", self.name())))
    }

    fn theirs(&self, text: &str) -> Value {
        self.normal(&(self.theirs)(text).unwrap_or_else(|e| panic!("{}: {e}\n{text}", self.name())))
    }
}

/// Each kind that both have; and why the others are left out.
fn pairs() -> (Vec<Pair>, BTreeMap<String, &'static str>) {
    let facts: &'static Facts = builtin::facts();
    let mut ours = Lean::default();
    registry::visit(&mut ours);
    let mut theirs = kinds::theirs();
    let (mut pairs, mut left_out) = (Vec::new(), BTreeMap::new());
    for facts in &facts.kinds {
        let names = (facts.api_version(), facts.kind.clone());
        match (ours.0.get(&names), theirs.remove(&names)) {
            (Some(ours), Some(theirs)) => pairs.push(Pair { facts, ours: *ours, theirs }),
            (_, None) => {
                left_out.insert(format!("{} {}", names.0, names.1), kinds::why_not(facts));
            }
            (None, Some(_)) => panic!("no lean type for {names:?}"),
        }
    }
    let only_theirs: Vec<_> = theirs.into_keys().collect();
    assert_eq!(only_theirs, [], "there are facts of every kind that k8s-openapi has");
    (pairs, left_out)
}

fn objects(pair: &Pair) -> impl Iterator<Item = String> + use<'_> {
    let some = (0..SOME).map(|seed| (seed, Fill::Some));
    let all = some.chain([(0, Fill::All), (1, Fill::All), (0, Fill::Least)]);
    all.map(|(seed, fill)| Maker::new(builtin::facts(), seed, fill).object(pair.facts).to_string())
}

#[test]
fn an_object_of_every_kind_comes_back_from_ours_as_from_theirs() {
    let (pairs, left_out) = pairs();
    let (mut count, mut fields) = (0, 0);
    let mut different = BTreeMap::new();
    for pair in &pairs {
        let (mut of_kind, mut most) = (0, 0);
        for text in objects(pair) {
            let (ours, theirs) = (pair.ours(&text), pair.theirs(&text));
            let mut paths = Vec::new();
            differences(&ours, &theirs, "", &mut paths);
            for path in paths {
                let at = |value: &Value| value.pointer(&path).map(Value::to_string);
                let place = format!("{} {}", pair.name(), without_indices(&path));
                let example = format!("ours {:?}, theirs {:?}", at(&ours), at(&theirs));
                different.entry(place).or_insert(example);
            }
            let mut found = Vec::new();
            leaves(&ours, "", &mut found);
            (of_kind, most) = (of_kind + 1, most.max(found.len()));
            fields += found.len();
        }
        count += of_kind;
        println!("{}: {of_kind} objects, up to {most} fields", pair.name());
    }
    for (name, why) in &left_out {
        println!("left out: {name}: {why}");
    }
    println!(
        "{} kinds, {count} objects, {fields} fields; {} left out",
        pairs.len(),
        left_out.len()
    );
    for (place, why) in kinds::KNOWN {
        println!("differs: {place}: {why}");
    }
    let known: BTreeSet<_> = kinds::KNOWN.iter().map(|(place, _)| (*place).to_owned()).collect();
    assert_eq!(different.keys().cloned().collect::<BTreeSet<_>>(), known, "{different:#?}");
    assert_eq!((pairs.len(), left_out.len()), (kinds::COMPARED, kinds::LEFT_OUT));
}

/// Where a member is, in whatever element of a list.
fn without_indices(path: &str) -> String {
    let is_index = |step: &&str| !step.is_empty() && step.bytes().all(|b| b.is_ascii_digit());
    path.split('/').filter(|step| !is_index(step)).collect::<Vec<_>>().join("/")
}

#[test]
fn nothing_of_k8s_openapi_is_left_out_of_the_table() {
    let table: BTreeSet<_> =
        kinds::PATHS.iter().map(|path| path.split_whitespace().collect::<String>()).collect();
    let source = kinds::in_the_source();
    let not_in = |one: &BTreeSet<String>, other: &BTreeSet<String>| -> Vec<String> {
        one.difference(other).cloned().collect()
    };
    assert_eq!(not_in(&source, &table), [""; 0], "in the source, not in the table");
    assert_eq!(not_in(&table, &source), [""; 0], "in the table, not in the source");
}

#[test]
fn a_planted_difference_is_found_in_every_kind() {
    let (pairs, _) = pairs();
    let mut planted = 0;
    for pair in &pairs {
        let text = Maker::new(builtin::facts(), 0, Fill::All).object(pair.facts).to_string();
        let (ours, theirs) = (pair.ours(&text), pair.theirs(&text));
        let mut paths = Vec::new();
        leaves(&ours, "", &mut paths);
        let mut rng = Rng::new(7);
        for _ in 0..12 {
            let path = &paths[usize::try_from(rng.below(paths.len() as u64)).expect("an index")];
            let mut other = ours.clone();
            let leaf = other.pointer_mut(path).expect("a leaf");
            *leaf = match leaf.take() {
                Value::String(text) => json!(format!("{text}!")),
                Value::Bool(value) => json!(!value),
                Value::Number(number) => json!(number.as_f64().unwrap_or_default() / 2.0 + 1.0),
                _ => json!("other"),
            };
            let found = difference(&other, &theirs);
            assert!(found.is_some(), "{}: {path} was changed unseen", pair.name());
            planted += 1;
        }
    }
    println!("{planted} planted differences were found");
}

#[test]
fn a_codec_that_forgets_is_found() {
    let (pairs, _) = pairs();
    let pod = pairs.iter().find(|pair| pair.name() == "v1 Pod").expect("pods");
    let text = json!({
        "apiVersion": "v1", "kind": "Pod", "metadata": { "creationTimestamp": null },
        "spec": {
            "containers": [{ "name": "a", "resources": {}, "stdin": true }],
            "volumes": [{ "name": "v", "emptyDir": {} }],
        },
        "status": {},
    })
    .to_string();
    let ours = pod.ours(&text);
    assert_eq!(difference(&ours, &pod.theirs(&text)), None);
    // What may be left out is gone, what says something is there.
    assert_eq!(ours.get("status"), None);
    assert_eq!(ours.pointer("/spec/containers/0/resources"), None);
    assert_eq!(ours.pointer("/spec/volumes/0/emptyDir"), Some(&json!({})));
    for (from, to, path) in [
        (r#""emptyDir":{}"#, r#""other":{}"#, "/spec/volumes/0/emptyDir"),
        (r#","stdin":true"#, "", "/spec/containers/0/stdin"),
        (r#""volumes":["#, r#""volumes":[{"name":"w"},"#, "/spec/volumes"),
    ] {
        let (forgetful, whole) = ((pod.theirs)(&text.replace(from, to)), pod.ours(&text));
        let forgetful = pod.normal(&forgetful.expect("an object"));
        assert_eq!(difference(&whole, &forgetful).as_deref(), Some(path));
    }
}
