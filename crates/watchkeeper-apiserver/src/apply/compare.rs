//! What differs between two values, field by field.

use std::collections::BTreeMap;

use serde_json::Value;

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
        self.modified.union(&self.added)
    }
}

/// Compares two objects.
pub(super) fn compare(old: &Value, new: &Value, of: Of<'_>) -> Comparison {
    let mut walker = Walker { out: Comparison::default(), path: Vec::new() };
    walker.value(Some(old), Some(new), of);
    walker.out
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

struct Walker {
    out: Comparison,
    path: Vec<PathElement>,
}

impl Walker {
    fn value(&mut self, old: Option<&Value>, new: Option<&Value>, of: Of<'_>) {
        if !self.descend(old, new, of) {
            self.leaf(old, new);
            self.replaced(old, new, of);
            return;
        }
        match (old, new) {
            (None, Some(_)) => self.out.added.insert(&self.path),
            (Some(_), None) => self.out.removed.insert(&self.path),
            _ => {}
        }
    }

    fn leaf(&mut self, old: Option<&Value>, new: Option<&Value>) {
        match (old, new) {
            (None, _) => self.out.added.insert(&self.path),
            (_, None) => self.out.removed.insert(&self.path),
            (Some(old), Some(new)) if !is_same(old, new) => self.out.modified.insert(&self.path),
            _ => {}
        }
    }

    /// Of a map that takes the place of something else each member is new, and the other way round.
    fn replaced(&mut self, old: Option<&Value>, new: Option<&Value>, of: Of<'_>) {
        if atomic_map(of) || old.is_none() || new.is_none() {
            return;
        }
        match (map(old), map(new)) {
            (Some(old), None) => self.members(Some(old), None, of),
            (None, Some(new)) => self.members(None, Some(new), of),
            _ => {}
        }
    }

    /// Goes into maps and lists; false for a leaf. Nothing and `null` take the form of the other.
    fn descend(&mut self, old: Option<&Value>, new: Option<&Value>, of: Of<'_>) -> bool {
        let nothing = |value: Option<&Value>| value.is_none_or(Value::is_null);
        let (old_map, new_map) = (map(old), map(new));
        if (old_map.is_some() || nothing(old)) && (new_map.is_some() || nothing(new)) {
            let both_empty = old_map.is_none_or(serde_json::Map::is_empty)
                && new_map.is_none_or(serde_json::Map::is_empty);
            if both_empty || atomic_map(of) {
                return false;
            }
            self.members(old_map, new_map, of);
            return true;
        }
        let (old_list, new_list) = (list(old), list(new));
        if (old_list.is_some() || nothing(old)) && (new_list.is_some() || nothing(new)) {
            let both_empty =
                old_list.is_none_or(Vec::is_empty) && new_list.is_none_or(Vec::is_empty);
            if both_empty || atomic_list(of) {
                return false;
            }
            self.items(old_list, new_list, of);
            return true;
        }
        false
    }

    fn members(
        &mut self,
        old: Option<&serde_json::Map<String, Value>>,
        new: Option<&serde_json::Map<String, Value>>,
        of: Of<'_>,
    ) {
        let mut step = |name: &String, old: Option<&Value>, new: Option<&Value>| {
            self.path.push(PathElement::field(name));
            self.value(old, new, member(of, name));
            self.path.pop();
        };
        for (name, value) in old.into_iter().flatten() {
            step(name, Some(value), new.and_then(|new| new.get(name)));
        }
        for (name, value) in new.into_iter().flatten() {
            if !old.is_some_and(|old| old.contains_key(name)) {
                step(name, None, Some(value));
            }
        }
    }

    fn items(&mut self, old: Option<&Vec<Value>>, new: Option<&Vec<Value>>, of: Of<'_>) {
        let old = grouped(old, of);
        let new = grouped(new, of);
        let none: Vec<&Value> = Vec::new();
        for (element, old_items) in &old {
            self.item(element, old_items, new.get(element).unwrap_or(&none), of);
        }
        for (element, new_items) in new.iter().filter(|(element, _)| !old.contains_key(element)) {
            self.item(element, &none, new_items, of);
        }
    }

    /// Items that are there twice are compared as a whole.
    fn item(&mut self, element: &PathElement, old: &[&Value], new: &[&Value], of: Of<'_>) {
        self.path.push(element.clone());
        match (old, new) {
            ([] | [_], [] | [_]) => {
                self.value(old.first().copied(), new.first().copied(), items(of));
            }
            ([_, _, ..], [_, _, ..]) => {
                if old != new {
                    self.out.modified.insert(&self.path);
                }
            }
            ([_, _, ..], rest) => {
                if let [item] = rest {
                    self.value(None, Some(item), items(of));
                }
                self.out.removed.insert(&self.path);
            }
            (rest, _) => {
                if let [item] = rest {
                    self.value(Some(item), None, items(of));
                }
                self.out.added.insert(&self.path);
            }
        }
        self.path.pop();
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
