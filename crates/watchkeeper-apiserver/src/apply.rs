//! Server-side apply, and who owns which field after any write (KEP-555).
//!
//! [`apply`] merges what a manager wants into the live object and takes away what it wanted before
//! and nobody else owns. [`track_update`] gives the fields that a plain write changed to its
//! manager. Both keep `metadata.managedFields`.
//!
//! The semantics are those of structured-merge-diff and of apimachinery's
//! `pkg/util/managedfields`.

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use serde_json::{Map, Value};
use watchkeeper_schema::SchemaRef;

use crate::fields::{FieldSet, PathElement};

mod compare;
mod conflict;
mod last_applied;
mod managers;
mod merge;
mod remove;
mod set;
mod typed;
mod versions;

#[cfg(test)]
pub(crate) mod tests;

pub use conflict::{ApplyConflicts, Conflict};
use managers::{ManagerId, Managers, Operation, Owned};
use typed::Of;
use typed::fit::{self, Repeats};
use versions::Changes;
pub use versions::{VersionError, Versions};

/// The manager that owns what an object held before it was first applied to.
const BEFORE_FIRST_APPLY: &str = "before-first-apply";

/// Who writes, where and when.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    /// The field manager.
    pub manager: &'a str,
    /// The version written in, e.g. `apps/v1`.
    pub api_version: &'a str,
    /// The subresource written to; empty for the object itself.
    pub subresource: &'a str,
    /// The time, RFC 3339 in seconds.
    pub now: &'a str,
}

/// An apply.
#[derive(Clone, Copy, Debug)]
pub struct ApplyInput<'a> {
    /// The stored object, if there is one.
    pub live: Option<&'a Value>,
    /// An object as empty as its kind allows: what a new one is compared with (see
    /// [`shape::empty`](crate::shape::empty)).
    pub empty: &'a Value,
    /// What the manager wants.
    pub applied: &'a Value,
    /// The schema of the kind.
    pub schema: SchemaRef<'a>,
    /// Who applies.
    pub writer: Writer<'a>,
    /// Takes fields from other managers instead of failing.
    pub force: bool,
    /// The fields that this endpoint does not set (see [`reset_fields`]).
    pub reset: &'a FieldSet,
    /// In which version others are told to own what conflicts, if not in that in which they wrote it.
    pub told_version: Option<&'a str>,
}

/// Why an apply was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApplyError {
    /// Other managers own some of the fields: 409.
    Conflicts(ApplyConflicts),
    /// The applied object may not be applied at all: 400.
    Malformed(String),
    /// The applied object does not fit its schema: 500, as upstream answers.
    Untyped(String),
    /// What others own, or was applied before, cannot be told.
    Version(VersionError),
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Conflicts(conflicts) => conflicts.fmt(f),
            Self::Malformed(why)
            | Self::Untyped(why)
            | Self::Version(VersionError::Failed(why)) => f.write_str(why),
            Self::Version(VersionError::Missing) => f.write_str("the version is gone"),
            Self::Version(VersionError::Unasked) => f.write_str("a webhook must be asked first"),
        }
    }
}

impl std::error::Error for ApplyError {}

impl From<VersionError> for ApplyError {
    fn from(error: VersionError) -> Self {
        Self::Version(error)
    }
}

/// An object with an incomplete one laid over it, owned by nobody; what can only be replaced as a
/// whole may not be in it.
///
/// # Errors
///
/// What cannot be merged.
pub(crate) fn lay_over(live: &Value, over: &Value, schema: SchemaRef<'_>) -> Result<Value, String> {
    let mut found = Vec::new();
    typed::atomics("", Some(schema), over, &mut found);
    if !found.is_empty() {
        let found = found.join(", ");
        return Err(format!(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {found}"
        ));
    }
    merge::merge(live, over, Some(schema))
        .map_err(|why| format!("failed to convert patch object to typed object: {why}"))
}

/// Whether an object can be applied at all: upstream says so before anything else.
///
/// # Errors
///
/// A field that the schema does not declare or that is of another type, an item of a list without its key or there
/// twice.
pub fn check(applied: &Value, schema: SchemaRef<'_>) -> Result<(), ApplyError> {
    fit::check(applied, Some(schema), Repeats::Refused)
        .map_err(|why| untyped("patch", applied, &why))
}

/// The object after the apply, with its managed fields; not yet defaulted.
///
/// When nothing changes, the live object comes back with the same managed fields, times included.
///
/// # Errors
///
/// Conflicts, unless forced; an applied object with `managedFields` or one that does not fit its
/// schema; objects that cannot be had in the version of a manager.
pub fn apply(input: ApplyInput<'_>, versions: &mut dyn Versions) -> Result<Value, ApplyError> {
    if input.applied.pointer("/metadata/managedFields").is_some_and(|fields| !fields.is_null()) {
        return Err(ApplyError::Malformed("metadata.managedFields must be nil".to_owned()));
    }
    let of = Some(input.schema);
    let mut managers = input.live.map(Managers::of).unwrap_or_default();
    let live = without_managed_fields(input.live.unwrap_or(input.empty));
    let is_unmanaged = managers.0.is_empty() && input.live.is_some();
    let unfit = fit::check(&live, of, Repeats::Allowed).err();
    if let Some(why) = unfit.as_ref().filter(|_| is_unmanaged) {
        return Err(unmanageable(&live, why));
    }
    check(input.applied, input.schema)?;
    if let Some(why) = unfit {
        return Err(untyped("live", &live, &why));
    }
    if is_unmanaged {
        let before = Writer { manager: BEFORE_FIRST_APPLY, subresource: "", ..input.writer };
        let none = FieldSet::default();
        take_changes(&mut managers, (input.empty, &live), of, before, &none, versions)?;
    }
    let writer = input.writer;
    versions::keep_known(&mut managers, &live, writer.api_version, versions)?;
    let id = ManagerId::new(Operation::Apply, writer.manager, "", writer.subresource);
    let last = managers.0.get(&id).cloned();
    let merged = merge::merge(&live, input.applied, of)
        .map_err(|why| untyped("patch", input.applied, &why))?;
    let owned = Owned {
        fields: set::fields_of(input.applied, of).without(input.reset),
        api_version: writer.api_version.to_owned(),
        time: last.as_ref().and_then(|last| last.time.clone()),
    };
    managers.0.insert(id.clone(), owned);
    let mut new = match &last {
        Some(last) => versions::prune(&merged, &managers, last, writer.api_version, versions)?,
        None => merged,
    };
    let compared = compare::compare(&live, &new, of).without(input.reset);
    let allowed = match writer.manager {
        last_applied::KUBECTL => last_applied::allowed(&live, writer.api_version, of),
        _ => FieldSet::default(),
    };
    let own = (writer.api_version, compared);
    let changes = Changes::of(&mut managers, &id, own, (&live, &new), versions)?;
    let others = conflicts(&managers, &id, &changes, &allowed);
    if !input.force && !others.is_empty() {
        return Err(ApplyError::Conflicts(ApplyConflicts::new(&others, input.told_version)));
    }
    changes.yield_fields(&mut managers, &id);
    strip(&mut managers, &id);
    if *live != new
        && let Some(owned) = managers.0.get_mut(&id)
    {
        owned.time = Some(writer.now.to_owned());
    }
    if writer.manager == last_applied::KUBECTL {
        last_applied::update(&mut new, input.applied);
    }
    managers.write(&mut new);
    Ok(new)
}

/// Gives the fields that differ between `live` and `new` to the writer, and writes
/// `metadata.managedFields` of `new`. Called on every write that is not an apply; `new` is what
/// will be stored, defaults filled in.
///
/// `live` is the stored object; for a create, one as empty as the kind allows, and `creates` true.
/// Managed fields that the request itself sent take effect, except on a subresource.
///
/// # Errors
///
/// Why an object is not to be had in the version of a manager, or what in it is not of its type; `new` has no managed
/// fields then.
pub fn track_update(
    live: &Value,
    new: &mut Value,
    creates: bool,
    schema: SchemaRef<'_>,
    writer: Writer<'_>,
    reset: &FieldSet,
    versions: &mut dyn Versions,
) -> Result<(), VersionError> {
    let mut managers = sent_or_live(live, new, writer.subresource);
    take_managed_fields(new);
    if !managers.0.is_empty() || creates {
        // Only those who convert it would see them: what differs in them is nobody's.
        let is_converted = !managers.other_versions(writer.api_version).is_empty();
        let before = if is_converted { without_managed_fields(live) } else { Cow::Borrowed(live) };
        // What is as empty as its kind allows fits.
        for object in [&*new].into_iter().chain((!creates).then_some(&*before)) {
            fit::check(object, Some(schema), Repeats::Allowed).map_err(VersionError::Failed)?;
        }
        versions::keep_known(&mut managers, &before, writer.api_version, versions)?;
        take_changes(&mut managers, (&before, new), Some(schema), writer, reset, versions)?;
        managers.cap();
    }
    managers.write(new);
    Ok(())
}

/// The fields that an endpoint does not set: the status on the object's own path (where there is
/// a status subresource), and what [`status_reset`] names on the status path.
#[must_use]
pub fn reset_fields(
    group: &str,
    kind: &str,
    is_custom: bool,
    has_status: bool,
    subresource: &str,
) -> FieldSet {
    let is_request = (group, kind) == ("certificates.k8s.io", "CertificateSigningRequest");
    match subresource {
        "status" if is_request => FieldSet::of_fields(&["spec", "status.conditions"]),
        "approval" if is_request => FieldSet::of_fields(&["spec", "status.certificate"]),
        "" if is_request => FieldSet::of_fields(&["spec", "status"]),
        "status" => FieldSet::of_fields(status_reset(group, kind, is_custom)),
        "" if has_status => FieldSet::of_fields(&["status"]),
        _ => FieldSet::default(),
    }
}

/// What a write to the status path leaves as it is (`GetResetFields` of the status strategies in
/// `kubernetes/pkg/registry`): built-in kinds mostly take metadata there, too.
#[must_use]
pub fn status_reset(group: &str, kind: &str, is_custom: bool) -> &'static [&'static str] {
    match (group, kind) {
        _ if is_custom => &["metadata", "spec"],
        (
            "resource.k8s.io"
            | "flowcontrol.apiserver.k8s.io"
            | "admissionregistration.k8s.io"
            | "storagemigration.k8s.io"
            | "internal.apiserver.k8s.io",
            _,
        )
        | ("storage.k8s.io", "VolumeAttachment")
        | ("networking.k8s.io", "ServiceCIDR") => &["metadata", "spec"],
        ("apps", "Deployment") => &["spec", "metadata.labels"],
        ("", "Pod") => &["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
        _ => &["spec"],
    }
}

/// Gives back `new` with the old managed fields if nothing but their times differs, so that a
/// write without effect is seen as one.
pub fn forget_time_only_change(live: &Value, new: &mut Value) {
    if !is_same_but_for_managers(live, new) {
        return;
    }
    let timeless = |object: &Value| {
        let mut managers = Managers::of(object);
        managers.0.values_mut().for_each(|owned| owned.time = None);
        managers
    };
    if timeless(live) == timeless(new) {
        Managers::of(live).write(new);
    }
}

fn untyped(what: &str, object: &Value, why: &str) -> ApplyError {
    let named = named(object);
    ApplyError::Untyped(format!("failed to create typed {what} object ({named}): {why}"))
}

/// Nobody's fields cannot be given to whoever was there before the first apply.
fn unmanageable(live: &Value, why: &str) -> ApplyError {
    let named = named(live);
    ApplyError::Untyped(format!(
        "failed to create manager for existing fields: failed to convert new object ({named}) to smd typed: {why}"
    ))
}

fn named(object: &Value) -> String {
    let text = |path: &str| object.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name"));
    let (version, kind) = (text("/apiVersion"), text("/kind"));
    format!("{namespace}/{name}; {}, Kind={kind}", group_version(version))
}

fn without_managed_fields(object: &Value) -> Cow<'_, Value> {
    if object.pointer("/metadata/managedFields").is_none() {
        return Cow::Borrowed(object);
    }
    let mut object = object.clone();
    take_managed_fields(&mut object);
    Cow::Owned(object)
}

fn take_managed_fields(object: &mut Value) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("managedFields");
    }
}

/// Whether nothing but the managed fields differs. Nothing is copied: each write asks.
fn is_same_but_for_managers(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else {
        return one == other;
    };
    one.len() == other.len()
        && one.iter().all(|(name, value)| match (&**name, other.get(name)) {
            ("metadata", Some(metadata)) => is_same_metadata(value, metadata),
            (_, found) => found == Some(value),
        })
}

fn is_same_metadata(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else {
        return one == other;
    };
    let rest = |of: &Map<String, Value>| of.len() - usize::from(of.contains_key("managedFields"));
    rest(one) == rest(other)
        && one.iter().all(|(name, value)| name == "managedFields" || other.get(name) == Some(value))
}

/// A request may set the managed fields itself, or reset them with an empty list.
fn sent_or_live(live: &Value, new: &Value, subresource: &str) -> Managers {
    if subresource.is_empty() {
        let sent = new.pointer("/metadata/managedFields").and_then(Value::as_array);
        let is_reset = |entries: &Vec<Value>| match &entries[..] {
            [] => true,
            [only] => only.as_object().is_some_and(Map::is_empty),
            _ => false,
        };
        if sent.is_some_and(is_reset) {
            return Managers::default();
        }
        let sent = Managers::of(new);
        if !sent.0.is_empty() {
            return sent;
        }
    }
    Managers::of(live)
}

/// The writer owns what it changed; nobody else does any more.
fn take_changes(
    managers: &mut Managers,
    (live, new): (&Value, &Value),
    of: Of<'_>,
    writer: Writer<'_>,
    reset: &FieldSet,
    versions: &mut dyn Versions,
) -> Result<(), VersionError> {
    let compared = compare::compare(live, new, of).without(reset).without(managed_fields());
    let id =
        ManagerId::new(Operation::Update, writer.manager, writer.api_version, writer.subresource);
    if managers.0.is_empty() {
        // Of most creates: there is nobody to lose anything.
        managers.give(id, compared.into_changed().difference(untracked()), writer);
        return Ok(());
    }
    let taken = compared.changed().difference(untracked());
    let own = (writer.api_version, compared);
    let changes = Changes::of(managers, &id, own, (live, new), versions)?;
    changes.yield_fields(managers, &id);
    if let Some(owned) = managers.0.get_mut(&id)
        && let Some(compared) = changes.for_manager(owned)
    {
        owned.lose(&compared.lost());
    }
    managers.give(id, taken, writer);
    managers.drop_empty();
    Ok(())
}

/// One step of a path in a schema: whether it is a declared member, and what is below.
fn step<'a>(of: Of<'a>, element: &PathElement) -> (bool, Of<'a>) {
    match element {
        PathElement::Field(name) => (typed::declared(of, name), typed::member(of, name)),
        _ => (false, typed::items(of)),
    }
}

fn conflicts<'a>(
    managers: &'a Managers,
    applier: &ManagerId,
    changes: &Changes,
    allowed: &FieldSet,
) -> Vec<(&'a ManagerId, FieldSet)> {
    let others = managers.0.iter().filter(|(id, _)| *id != applier);
    let theirs = others.filter_map(|(id, owned)| {
        let changed = changes.for_manager(owned)?.changed().difference(allowed);
        Some((id, owned.fields.clone().intersection(&changed)))
    });
    theirs.filter(|(_, set)| !set.is_empty()).collect()
}

fn managed_fields() -> &'static FieldSet {
    static MANAGED_FIELDS: OnceLock<FieldSet> = OnceLock::new();
    MANAGED_FIELDS.get_or_init(|| FieldSet::of_fields(&["metadata.managedFields"]))
}

/// The metadata that the server sets belongs to nobody.
fn untracked() -> &'static FieldSet {
    static UNTRACKED: OnceLock<FieldSet> = OnceLock::new();
    UNTRACKED.get_or_init(|| FieldSet::of_fields(&UNTRACKED_FIELDS))
}

const UNTRACKED_FIELDS: [&str; 12] = [
    "apiVersion",
    "kind",
    "metadata",
    "metadata.name",
    "metadata.namespace",
    "metadata.creationTimestamp",
    "metadata.selfLink",
    "metadata.uid",
    "metadata.clusterName",
    "metadata.generation",
    "metadata.managedFields",
    "metadata.resourceVersion",
];

fn strip(managers: &mut Managers, id: &ManagerId) {
    if let Some(owned) = managers.0.get_mut(id) {
        owned.lose(untracked());
    }
    managers.drop_empty();
}

/// `/v1` and `apps/v1`, as Go prints a group and a version.
pub(crate) fn group_version(api_version: &str) -> String {
    if api_version.contains('/') { api_version.to_owned() } else { format!("/{api_version}") }
}
