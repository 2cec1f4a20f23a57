//! What managers own who wrote in other versions than the one that is written now.
//!
//! Fields have other names in other versions, so whether somebody loses one is found out in the
//! version in which it was written (structured-merge-diff, `merge.Updater` and its `Converter`).

use std::collections::BTreeMap;
use std::mem::take;

use serde_json::Value;
use watchkeeper_schema::SchemaRef;

use super::compare::{self, Comparison};
use super::managers::{ManagerId, Managers, Owned};
use super::{remove, set, step};
use crate::fields::FieldSet;

/// Objects of one kind in its versions.
pub trait Versions {
    /// The object in a version; it says itself of which one it is.
    ///
    /// # Errors
    ///
    /// Why there is none.
    fn convert(&mut self, object: &Value, api_version: &str) -> Result<Value, VersionError>;

    /// The schema of a version that something was converted to.
    fn schema(&self, api_version: &str) -> SchemaRef<'_>;

    /// What the endpoint does not set, as fields of a version.
    fn reset(&self, api_version: &str) -> &FieldSet;
}

/// Why an object is not to be had in a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionError {
    /// There is no such version any more: who owned fields of it owns nothing.
    Missing,
    /// It cannot be converted.
    Failed(String),
    /// Somebody must be asked first, and all of this is to be tried anew.
    Unasked,
}

/// Without what is not known because the version is gone.
///
/// # Errors
///
/// Why something else is not known.
fn unless_missing(found: Result<Value, VersionError>) -> Result<Option<Value>, VersionError> {
    match found {
        Err(VersionError::Missing) => Ok(None),
        found => found.map(Some),
    }
}

/// Forgets the managers whose version is gone.
///
/// # Errors
///
/// Why an object is not to be had in the version of a manager.
pub(super) fn keep_known(
    managers: &mut Managers,
    live: &Value,
    own: &str,
    versions: &mut dyn Versions,
) -> Result<(), VersionError> {
    for version in managers.other_versions(own) {
        if unless_missing(versions.convert(live, &version))?.is_none() {
            managers.0.retain(|_, owned| owned.api_version != version);
        }
    }
    Ok(())
}

/// What a write changed, in the version of each manager.
#[derive(Debug)]
pub(super) struct Changes(BTreeMap<String, Comparison>);

impl Changes {
    /// The changes in the version that is written and in those of the other managers.
    ///
    /// # Errors
    ///
    /// Why an object is not to be had in the version of a manager.
    pub(super) fn of(
        managers: &mut Managers,
        writer: &ManagerId,
        (own, comparison): (&str, Comparison),
        (live, new): (&Value, &Value),
        versions: &mut dyn Versions,
    ) -> Result<Self, VersionError> {
        let mut all = BTreeMap::new();
        for version in managers.other_versions(own) {
            let live = unless_missing(versions.convert(live, &version))?;
            let new = unless_missing(versions.convert(new, &version))?;
            let (Some(live), Some(new)) = (live, new) else {
                managers.0.retain(|id, owned| id == writer || owned.api_version != version);
                continue;
            };
            let compared = compare::compare(&live, &new, Some(versions.schema(&version)));
            all.insert(version.clone(), compared.without(versions.reset(&version)));
        }
        all.insert(own.to_owned(), comparison);
        Ok(Self(all))
    }

    /// What changed for a manager, in the version in which it owns fields.
    pub(super) fn for_manager(&self, owned: &Owned) -> Option<&Comparison> {
        self.0.get(&owned.api_version)
    }

    /// The others lose what changed or went.
    pub(super) fn yield_fields(&self, managers: &mut Managers, writer: &ManagerId) {
        for (version, compared) in &self.0 {
            let lost = compared.lost();
            let others = managers.0.iter_mut().filter(|(id, _)| *id != writer);
            for (_, owned) in others.filter(|(_, owned)| owned.api_version == *version) {
                owned.lose(&lost);
            }
        }
        managers.drop_empty();
    }
}

/// What the merged object loses: fields that the manager applied last time, did not apply this time,
/// and that nobody else owns. What it applied last time are fields of the version of that time.
///
/// # Errors
///
/// Why the object is not to be had in the version of a manager.
pub(super) fn prune(
    merged: &Value,
    managers: &Managers,
    last: &Owned,
    own: &str,
    versions: &mut dyn Versions,
) -> Result<Value, VersionError> {
    if last.fields.is_empty() {
        return Ok(merged.clone());
    }
    let version = &*last.api_version;
    let Some(base) = unless_missing(versions.convert(merged, version))? else {
        return Ok(merged.clone());
    };
    let of = Some(versions.schema(version));
    let without_last = remove::remove(&base, &last.fields.with_declared(of, &step), of);
    let pruned = add_back_owned(&base, without_last, managers, version, versions)?;
    let pruned = versions.convert(&pruned, version)?;
    let of = Some(versions.schema(version));
    let declared = |set: &FieldSet| set.with_declared(of, &step);
    let all = declared(&set::fields_of(&base, of));
    let left = declared(&set::fields_of(&pruned, of));
    let gone = all.difference(&left).intersection(&declared(&last.fields));
    let kept = remove::remove(&base, &gone, of);
    versions.convert(&kept, own)
}

/// Adds back what somebody owns, version by version, that of the last apply first: a conversion may
/// need what was taken away.
fn add_back_owned(
    base: &Value,
    without_last: Value,
    managers: &Managers,
    first: &str,
    versions: &mut dyn Versions,
) -> Result<Value, VersionError> {
    let mut owned: BTreeMap<&str, FieldSet> = BTreeMap::new();
    for manager in managers.0.values() {
        let all = owned.entry(&manager.api_version).or_default();
        *all = take(all).union(manager.fields.clone());
    }
    let first = owned.remove_entry(first);
    let (mut merged, mut pruned) = (base.clone(), without_last);
    for (version, owned) in first.into_iter().chain(owned) {
        let whole = unless_missing(versions.convert(&merged, version))?;
        let part = unless_missing(versions.convert(&pruned, version))?;
        let (Some(whole), Some(part)) = (whole, part) else { continue };
        let of = Some(versions.schema(version));
        let declared = |set: &FieldSet| set.with_declared(of, &step);
        let kept = declared(&set::fields_of(&part, of)).union(declared(&owned));
        let unowned = declared(&set::fields_of(&whole, of)).difference(&kept);
        pruned = remove::remove(&whole, &unowned, of);
        merged = whole;
    }
    Ok(pruned)
}
