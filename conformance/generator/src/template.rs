//! Objects out of `conformance/generated/kinds.json`: what a kind may look like, written once, with choices.
//!
//! A member whose name ends in `?` is there half of the time, with `??` rarely. `$one` is one of a list, `$some`
//! some of a list in its order, `$any` perhaps none; `$use` and `$with` stand for a part of that name, or for what
//! is written there, whose members join those beside them.

use serde_json::{Map, Value};

use super::Dice;

const KINDS: &str = include_str!("../../generated/kinds.json");

/// The file, read.
#[derive(Debug)]
pub(crate) struct Templates {
    parts: Value,
    pub(crate) kinds: Vec<Template>,
    weights: u64,
}

/// What objects of a kind look like.
#[derive(Debug)]
pub(crate) struct Template {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    /// Objects of this kind would change what others become: nothing is stored.
    pub(crate) dry: bool,
    weight: u64,
    object: Value,
}

/// What stands for the name of an object and for its namespace.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) namespace: String,
}

impl Templates {
    /// Reads the file.
    ///
    /// # Panics
    /// When it is no JSON.
    pub(crate) fn read() -> Self {
        let file: Value = serde_json::from_str(KINDS).expect("kinds.json");
        let kinds: Vec<Template> =
            file["kinds"].as_array().into_iter().flatten().map(template).collect();
        let weights = kinds.iter().map(|kind| kind.weight).sum();
        Self { parts: file["parts"].clone(), kinds, weights }
    }

    /// A kind, those that are met often more often.
    pub(crate) fn pick(&self, dice: &mut Dice) -> &Template {
        let mut left = dice.below(self.weights);
        let found = self.kinds.iter().find(|kind| {
            let is_here = left < kind.weight;
            left = left.saturating_sub(kind.weight);
            is_here
        });
        found.unwrap_or(&self.kinds[0])
    }

    /// An object of a kind.
    pub(crate) fn object(&self, of: &Template, place: &Place, dice: &mut Dice) -> Value {
        self.with(of, place, SOME, dice)
    }

    /// An object of a kind that has most of what it may have.
    pub(crate) fn whole(&self, of: &Template, place: &Place, dice: &mut Dice) -> Value {
        self.with(of, place, MOST, dice)
    }

    fn with(&self, of: &Template, place: &Place, there: There, dice: &mut Dice) -> Value {
        let mut object = Expansion { templates: self, place, there }.expand(&of.object, dice);
        object["apiVersion"] = of.api_version.as_str().into();
        object["kind"] = of.kind.as_str().into();
        object
    }

    /// The part of a name, or what is written in place of one.
    fn part<'a>(&'a self, named: &'a Value) -> &'a Value {
        let Some(name) = named.as_str() else { return named };
        name.split('.').fold(&self.parts, |part, name| &part[name])
    }
}

/// How often a member is there, of a hundred objects: one with `?`, and one with `??`.
type There = [u64; 2];

const SOME: There = [50, 8];
const MOST: There = [85, 30];

/// What one object is made with.
struct Expansion<'a> {
    templates: &'a Templates,
    place: &'a Place,
    there: There,
}

impl Expansion<'_> {
    fn expand(&self, template: &Value, dice: &mut Dice) -> Value {
        match template {
            Value::Object(members) => self.choice(members, dice),
            Value::Array(items) => items.iter().map(|item| self.expand(item, dice)).collect(),
            Value::String(text) => {
                text.replace("{n}", &self.place.name).replace("{ns}", &self.place.namespace).into()
            }
            other => other.clone(),
        }
    }

    fn choice(&self, members: &Map<String, Value>, dice: &mut Dice) -> Value {
        let list = |name: &str| members.get(name).and_then(Value::as_array);
        if let Some(items) = list("$one") {
            return self.expand(dice.one(items), dice);
        }
        if let Some(items) = list("$some").or_else(|| list("$any")) {
            let mut kept: Vec<&Value> = items.iter().filter(|_| dice.chance(50)).collect();
            if kept.is_empty() && members.contains_key("$some") {
                kept.push(dice.one(items));
            }
            return kept.into_iter().map(|item| self.expand(item, dice)).collect();
        }
        if let (1, Some(part)) = (members.len(), members.get("$use")) {
            return self.expand(self.templates.part(part), dice);
        }
        let [mostly, rarely] = self.there;
        let mut object = Map::new();
        for (name, member) in members {
            let (name, chance) = match name.strip_suffix("??") {
                Some(name) => (name, rarely),
                None => name.strip_suffix('?').map_or((name.as_str(), 100), |name| (name, mostly)),
            };
            if !dice.chance(chance) {
                continue;
            }
            if name == "$use" || name == "$with" {
                if let Value::Object(joined) = self.expand(self.templates.part(member), dice) {
                    object.extend(joined);
                }
            } else {
                object.insert(name.to_owned(), self.expand(member, dice));
            }
        }
        Value::Object(object)
    }
}

fn template(entry: &Value) -> Template {
    let of = entry["of"].as_str().unwrap_or_default();
    let (api_version, kind) = of.split_once(' ').unwrap_or(("", of));
    Template {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        dry: entry["dry"] == true,
        weight: entry["weight"].as_u64().unwrap_or(1),
        object: entry["object"].clone(),
    }
}

#[cfg(test)]
mod tests {
    use watchkeeper_schema::builtin::facts;

    use super::super::Dice;
    use super::{Place, Templates};

    #[test]
    fn every_kind_has_facts_and_every_part_is_there() {
        let templates = Templates::read();
        let place = Place { name: "a".to_owned(), namespace: "b".to_owned() };
        for kind in &templates.kinds {
            let (group, version) =
                kind.api_version.split_once('/').unwrap_or(("", &kind.api_version));
            assert!(facts().kind(group, version, &kind.kind).is_some(), "{}", kind.kind);
            for seed in 0..40 {
                let object = templates.object(kind, &place, &mut Dice::new(seed)).to_string();
                assert!(!object.contains('$'), "{object}");
                assert!(!object.contains("null,\""), "a part that is not there: {object}");
            }
        }
    }
}
