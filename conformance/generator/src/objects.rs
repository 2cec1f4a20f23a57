//! Objects of the built-in kinds: made, read, replaced and deleted, as good and as bad as they are drawn.

use serde_json::{Value, json};
use watchkeeper_schema::builtin::facts;
use watchkeeper_schema::facts::{KindFacts, Scope};

use super::Dice;
use super::case::{Case, JSON, Request, YAML, yaml};
use super::spoil;
use super::template::{Place, Template, Templates};

/// How often a body is spoiled, of a hundred.
const SPOILED: u64 = 50;

/// A kind with its paths.
pub(crate) struct Kind<'a> {
    pub(crate) template: &'a Template,
    pub(crate) facts: &'static KindFacts,
    pub(crate) place: Place,
}

impl<'a> Kind<'a> {
    /// One of all, for a case.
    pub(crate) fn pick(templates: &'a Templates, place: Place, dice: &mut Dice) -> Self {
        Self::new(templates.pick(dice), place)
    }

    /// The one of this number, round and round.
    pub(crate) fn of(templates: &'a Templates, number: usize, place: Place) -> Self {
        Self::new(&templates.kinds[number % templates.kinds.len()], place)
    }

    /// # Panics
    /// When a kind has no facts; a test holds the file to it.
    fn new(template: &'a Template, place: Place) -> Self {
        let (group, version) =
            template.api_version.split_once('/').unwrap_or(("", &template.api_version));
        let facts = facts().kind(group, version, &template.kind).expect("facts of every kind");
        Self { template, facts, place }
    }

    pub(crate) fn collection(&self) -> String {
        let root = if self.facts.group.is_empty() { "/api/" } else { "/apis/" };
        let root = format!("{root}{}", self.template.api_version);
        let plural = &self.facts.plural;
        match self.facts.scope {
            Some(Scope::Namespaced) => {
                format!("{root}/namespaces/{}/{plural}", self.place.namespace)
            }
            _ => format!("{root}/{plural}"),
        }
    }

    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.collection(), self.place.name)
    }

    pub(crate) fn object(&self, templates: &Templates, dice: &mut Dice) -> Value {
        templates.object(self.template, &self.place, dice)
    }

    /// What leaves nothing behind.
    pub(crate) fn after(&self) -> Vec<Request> {
        let bare = json!({"metadata": {"finalizers": null}}).to_string();
        let merge = "application/merge-patch+json";
        vec![
            Request::delete(format!("{}?gracePeriodSeconds=0", self.path())),
            Request::text("PATCH", self.path(), merge, bare),
        ]
    }
}

/// A case of this generator.
pub(crate) fn case(templates: &Templates, place: Place, dice: &mut Dice) -> Case {
    let kind = Kind::pick(templates, place, dice);
    let dry = if kind.template.dry { "dryRun=All" } else { "" };
    let mut requests = vec![write("POST", kind.collection(), &kind, templates, dice)];
    if !kind.template.dry {
        if dice.chance(20) {
            requests.push(Request::get(kind.path()));
        }
        for _ in 0..dice.below(3) {
            requests.push(write("PUT", kind.path(), &kind, templates, dice));
        }
        if dice.chance(30) {
            requests.push(delete(&kind, dice));
            requests.push(Request::get(kind.path()));
        }
    }
    for request in &mut requests {
        if !dry.is_empty() {
            add_query(&mut request.path, dry);
        }
    }
    let after = if kind.template.dry { Vec::new() } else { kind.after() };
    Case { requests, after }
}

/// A create or an update.
fn write(
    method: &'static str,
    mut path: String,
    kind: &Kind<'_>,
    templates: &Templates,
    dice: &mut Dice,
) -> Request {
    let mut object = kind.object(templates, dice);
    if method == "PUT" {
        of_update(&mut object, dice);
    }
    while dice.chance(SPOILED) {
        spoil::spoil(&mut object, &kind.facts.model, &kind.place, dice);
    }
    for option in options(dice) {
        add_query(&mut path, option);
    }
    if dice.chance(15) {
        Request::text(method, path, YAML, yaml(&object).replace("@twice@", ""))
    } else {
        Request::text(method, path, JSON, spoil::text(&object))
    }
}

/// Version and uid as they are, or not.
fn of_update(object: &mut Value, dice: &mut Dice) {
    let version = *dice.one(&["@rv@", "@rv@", "@rv@", "", "1", "x"]);
    if !version.is_empty() {
        object["metadata"]["resourceVersion"] = version.into();
    }
    if dice.chance(20) {
        object["metadata"]["uid"] =
            (*dice.one(&["@uid@", "11111111-2222-3333-4444-555555555555"])).into();
    }
}

/// Options of a write.
pub(crate) fn options(dice: &mut Dice) -> Vec<&'static str> {
    let mut options = Vec::new();
    let validation = ["fieldValidation=Strict", "fieldValidation=Warn", "fieldValidation=Ignore"];
    if dice.chance(60) {
        options.push(*dice.one(&validation));
    }
    if dice.chance(10) {
        options.push("dryRun=All");
    }
    if dice.chance(30) {
        options.push("fieldManager=someone");
    }
    if dice.chance(2) {
        let wrong = [
            "dryRun=x",
            "fieldValidation=x",
            "dryRun=All&dryRun=All",
            "fieldManager=a%0Ab",
            "timeout=x",
            "unheardOf=1",
        ];
        options.push(*dice.one(&wrong));
    }
    options
}

pub(crate) fn add_query(path: &mut String, option: &str) {
    path.push(if path.contains('?') { '&' } else { '?' });
    path.push_str(option);
}

fn delete(kind: &Kind<'_>, dice: &mut Dice) -> Request {
    let mut path = kind.path();
    let queries = [
        "",
        "",
        "",
        "gracePeriodSeconds=0",
        "propagationPolicy=Foreground",
        "propagationPolicy=Orphan",
        "propagationPolicy=x",
        "dryRun=All",
        "gracePeriodSeconds=-1",
        "orphanDependents=true",
        "gracePeriodSeconds=x",
    ];
    let query = *dice.one(&queries);
    if !query.is_empty() {
        add_query(&mut path, query);
    }
    if dice.chance(60) {
        return Request::delete(path);
    }
    let bodies = [
        json!({"preconditions": {"uid": "@uid@"}}),
        json!({"preconditions": {"uid": "11111111-2222-3333-4444-555555555555"}}),
        json!({"preconditions": {"resourceVersion": "@rv@"}}),
        json!({"preconditions": {"resourceVersion": "1"}}),
        json!({"propagationPolicy": "Background", "gracePeriodSeconds": 5}),
        json!({"propagationPolicy": "Orphan", "orphanDependents": true}),
        json!({"kind": "DeleteOptions", "apiVersion": "v1", "dryRun": ["All"]}),
        json!({"kind": "Wrong", "apiVersion": "v1"}),
        json!({"unheardOf": 1}),
        json!({"dryRun": ["x"]}),
        json!({"gracePeriodSeconds": "x"}),
    ];
    Request::json("DELETE", path, dice.one(&bodies))
}
