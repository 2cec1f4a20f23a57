//! What differs between two values, field by field.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::typed::{Of, atomic_list, atomic_map, item_element, items, list, map, member};
use crate::fields::{FieldSet, PathElement};

/// The fields that differ.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// In the new value only.
    pub(super) added: FieldSet,
    /// In both, with different values.
    pub(super) modified: FieldSet,
    /// In the old value only.
    pub(super) removed: FieldSet,
}

impl Comparison {
    /// Without what is below `ignored`.
    pub(super) fn without(self, ignored: &FieldSet) -> Self {
        Self {
            added: self.added.without(ignored),
            modified: self.modified.without(ignored),
            removed: self.removed.without(ignored),
        }
    }

    /// Whatever is set anew or differently.
    pub(super) fn changed(&self) -> FieldSet {
        self.modified.clone().union(self.added.clone())
    }

    /// As [`changed`](Self::changed), of a comparison that nobody needs any more.
    pub(super) fn into_changed(self) -> FieldSet {
        self.modified.union(self.added)
    }

    /// Whatever somebody else owns no more.
    pub(super) fn lost(&self) -> FieldSet {
        self.changed().union(self.removed.clone())
    }

    /// Adds what was found of a part.
    fn put(&mut self, element: impl FnOnce() -> PathElement, found: Found) {
        if found.is_nothing() {
            return;
        }
        let (element, below) = (element(), found.below);
        self.added.put(&element, found.added, below.added);
        self.modified.put(&element, found.modified, below.modified);
        self.removed.put(&element, found.removed, below.removed);
    }
}

/// What was found of a value: what became of itself, and of what is below.
#[derive(Debug, Default)]
struct Found {
    added: bool,
    modified: bool,
    removed: bool,
    below: Comparison,
}

impl Found {
    fn is_nothing(&self) -> bool {
        let Comparison { added, modified, removed } = &self.below;
        let is_itself = self.added || self.modified || self.removed;
        !is_itself && [added, modified, removed].into_iter().all(FieldSet::is_empty)
    }
}

/// Compares two objects.
pub(super) fn compare(old: &Value, new: &Value, of: Of<'_>) -> Comparison {
    value(Some(old), Some(new), of).below
}

/// Whether two values are the same, of which one may have a float where the other has a whole number.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || ((one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same = |(name, one)| other.get(name).is_some_and(|other| is_same(one, other));
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}

fn value(old: Option<&Value>, new: Option<&Value>, of: Of<'_>) -> Found {
    let Some(below) = descend(old, new, of) else { return leaf(old, new, of) };
    let (added, removed) = (old.is_none(), new.is_none());
    Found { added, removed, below, ..Found::default() }
}

fn leaf(old: Option<&Value>, new: Option<&Value>, of: Of<'_>) -> Found {
    let differ = |old, new| !is_same(old, new);
    let (added, removed) = (old.is_none(), old.is_some() && new.is_none());
    let modified = old.zip(new).is_some_and(|(old, new)| differ(old, new));
    Found { added, modified, removed, below: replaced(old, new, of) }
}

/// Of a map that takes the place of something else each member is new, and the other way round.
fn replaced(old: Option<&Value>, new: Option<&Value>, of: Of<'_>) -> Comparison {
    if atomic_map(of) || old.is_none() || new.is_none() {
        return Comparison::default();
    }
    match (map(old), map(new)) {
        (Some(old), None) => members(Some(old), None, of),
        (None, Some(new)) => members(None, Some(new), of),
        _ => Comparison::default(),
    }
}

/// Goes into maps and lists; nothing for a leaf. Nothing and `null` take the form of the other.
fn descend(old: Option<&Value>, new: Option<&Value>, of: Of<'_>) -> Option<Comparison> {
    let nothing = |value: Option<&Value>| value.is_none_or(Value::is_null);
    let (old_map, new_map) = (map(old), map(new));
    if (old_map.is_some() || nothing(old)) && (new_map.is_some() || nothing(new)) {
        let is_leaf = old_map.is_none_or(Map::is_empty) && new_map.is_none_or(Map::is_empty)
            || atomic_map(of);
        return (!is_leaf).then(|| members(old_map, new_map, of));
    }
    let (old_list, new_list) = (list(old), list(new));
    if (old_list.is_some() || nothing(old)) && (new_list.is_some() || nothing(new)) {
        let is_leaf = old_list.is_none_or(Vec::is_empty) && new_list.is_none_or(Vec::is_empty)
            || atomic_list(of);
        return (!is_leaf).then(|| list_items(old_list, new_list, of));
    }
    None
}

fn members(
    old: Option<&Map<String, Value>>,
    new: Option<&Map<String, Value>>,
    of: Of<'_>,
) -> Comparison {
    let mut out = Comparison::default();
    let mut step = |name: &String, old: Option<&Value>, new: Option<&Value>| {
        out.put(|| PathElement::field(name), value(old, new, member(of, name)));
    };
    for (name, value) in old.into_iter().flatten() {
        step(name, Some(value), new.and_then(|new| new.get(name)));
    }
    for (name, value) in new.into_iter().flatten() {
        if !old.is_some_and(|old| old.contains_key(name)) {
            step(name, None, Some(value));
        }
    }
    out
}

fn list_items(old: Option<&Vec<Value>>, new: Option<&Vec<Value>>, of: Of<'_>) -> Comparison {
    let (old, new) = (grouped(old, of), grouped(new, of));
    let mut out = Comparison::default();
    for (element, old_items) in &old {
        let new_items = new.get(element).map_or(&[][..], |items| items);
        out.put(|| element.clone(), item(old_items, new_items, of));
    }
    for (element, new_items) in new.iter().filter(|(element, _)| !old.contains_key(element)) {
        out.put(|| element.clone(), item(&[], new_items, of));
    }
    out
}

/// Items that are there twice are compared as a whole.
fn item(old: &[&Value], new: &[&Value], of: Of<'_>) -> Found {
    match (old, new) {
        ([] | [_], [] | [_]) => value(old.first().copied(), new.first().copied(), items(of)),
        ([_, _, ..], [_, _, ..]) => Found { modified: old != new, ..Found::default() },
        ([_, _, ..], rest) => {
            let of_one = |one: &[&Value]| value(None, one.first().copied(), items(of));
            let found = if rest.is_empty() { Found::default() } else { of_one(rest) };
            Found { removed: true, ..found }
        }
        (rest, _) => {
            let of_one = |one: &[&Value]| value(one.first().copied(), None, items(of));
            let found = if rest.is_empty() { Found::default() } else { of_one(rest) };
            Found { added: true, ..found }
        }
    }
}

/// Items by what identifies them.
fn grouped<'a>(list: Option<&'a Vec<Value>>, of: Of<'_>) -> BTreeMap<PathElement, Vec<&'a Value>> {
    let mut groups: BTreeMap<PathElement, Vec<&Value>> = BTreeMap::new();
    for item in list.into_iter().flatten() {
        if let Ok(element) = item_element(of, item) {
            groups.entry(element).or_default().push(item);
        }
    }
    groups
}
