//! What was declared joined with what was recorded.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Permission, Wanted};
use crate::custom::{At, InputError, Place};

/// Everything that programs said and did.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    declared: BTreeMap<Permission, Declared>,
    /// Who called.
    recorded: BTreeMap<Permission, BTreeSet<String>>,
}

/// Why something was declared.
#[derive(Clone, Debug, Default)]
struct Declared {
    reasons: BTreeSet<String>,
    /// No call shows it.
    unseen: bool,
}

impl Access {
    pub(super) fn add(&mut self, source: &str, text: &str) -> Result<(), InputError> {
        let problem = |place, message: String| InputError::new(source, place, message);
        let document: Value = serde_json::from_str(text).map_err(|error| {
            // It counts from 1, and says 0 of a text with nothing in it.
            problem(Place::Line(error.line().max(1)), format!("this is no JSON: {error}"))
        })?;
        let at = At::document(0);
        let mut seen = false;
        for list in ["declared", "recorded"] {
            let Some(entries) = document.get(list) else { continue };
            seen = true;
            let entries = entries
                .as_array()
                .ok_or_else(|| problem(at.member(list), "it is no list".into()))?;
            for (index, entry) in entries.iter().enumerate() {
                self.entry(list, entry)
                    .map_err(|what| problem(at.member(&format!("{list}[{index}]")), what))?;
            }
        }
        let empty = || problem(Place::Source, "it declares nothing and records nothing".into());
        if seen { Ok(()) } else { Err(empty()) }
    }

    fn entry(&mut self, list: &str, entry: &Value) -> Result<(), String> {
        let permission = Permission::read(entry)?;
        if list == "declared" {
            let declared = self.declared.entry(permission).or_default();
            declared.reasons.extend(texts(entry, "reasons"));
            declared.unseen |= entry.get("unseen").and_then(Value::as_bool) == Some(true);
        } else {
            self.recorded.entry(permission).or_default().extend(texts(entry, "by"));
        }
        Ok(())
    }

    /// Everything that is wanted, generalised, with the reasons: first of what was declared.
    pub(super) fn wanted(&self) -> Vec<Wanted> {
        let mut wanted: BTreeMap<Permission, BTreeSet<String>> = BTreeMap::new();
        for (permission, declared) in &self.declared {
            wanted.entry(permission.clone()).or_default().extend(declared.reasons.iter().cloned());
        }
        for of in self.undeclared() {
            wanted.entry(of.permission).or_default().extend(of.reasons);
        }
        let wanted = wanted.into_iter().filter(|(permission, _)| !permission.is_everyones());
        let of = |(permission, reasons): (Permission, BTreeSet<String>)| Wanted {
            permission,
            reasons: reasons.into_iter().collect(),
        };
        wanted.map(of).collect()
    }

    /// The permissions to grant: those that no other one covers.
    pub(super) fn granted(&self) -> Vec<Permission> {
        let all: Vec<Permission> = self.wanted().into_iter().map(|of| of.permission).collect();
        let covered = |one: &Permission| all.iter().any(|other| other != one && other.covers(one));
        all.iter().filter(|one| !covered(one)).cloned().collect()
    }

    pub(super) fn unexercised(&self) -> Vec<Wanted> {
        let places = self.places();
        let called = |of: &Permission| {
            let is = |call: &Permission| {
                of.covers(call) || placed(call, &places).iter().any(|call| of.covers(call))
            };
            // A list that comes as a watch (KEP-3157) is asked for as a watch; where the server streams none, as a list.
            let streamed = |call: &Permission| {
                call.verb == "watch" && is(&Permission { verb: "list".to_owned(), ..call.clone() })
            };
            self.recorded.keys().any(|call| is(call) || streamed(call))
        };
        let declared = self.declared.iter().filter(|(of, why)| !why.unseen && !called(of));
        let of = |(permission, declared): (&Permission, &Declared)| Wanted {
            permission: permission.clone(),
            reasons: declared.reasons.iter().cloned().collect(),
        };
        declared.map(of).collect()
    }

    pub(super) fn undeclared(&self) -> Vec<Wanted> {
        let places = self.places();
        let is_declared = |call: &Permission| self.declared.keys().any(|of| of.covers(call));
        let mut found: BTreeMap<Permission, BTreeSet<String>> = BTreeMap::new();
        for (call, by) in &self.recorded {
            let placed = placed(call, &places);
            if call.is_everyones() || is_declared(call) || placed.iter().any(is_declared) {
                continue;
            }
            for call in placed {
                found.entry(call.of_all_names()).or_default().extend(by.iter().cloned());
            }
        }
        let of = |(permission, by): (Permission, BTreeSet<String>)| {
            let by: Vec<String> = by.into_iter().collect();
            Wanted { permission, reasons: vec![format!("called by {}", by.join(", "))] }
        };
        found.into_iter().map(of).collect()
    }

    /// The namespaces of everything that was declared; none unless all of it lies in some.
    fn places(&self) -> BTreeSet<&str> {
        let places: BTreeSet<&str> = self.declared.keys().map(Permission::namespace).collect();
        if places.contains("") { BTreeSet::new() } else { places }
    }
}

/// What a call in a test's namespace is elsewhere: in the declared ones where it lies in none of them, and
/// in all where nothing says which.
fn placed(call: &Permission, places: &BTreeSet<&str>) -> Vec<Permission> {
    let place = call.namespace();
    if place.is_empty() || places.contains(place) {
        return vec![call.clone()];
    }
    if places.is_empty() {
        return vec![call.moved_to("")];
    }
    places.iter().map(|place| call.moved_to(place)).collect()
}

fn texts(entry: &Value, name: &str) -> Vec<String> {
    let list = entry.get(name).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}
