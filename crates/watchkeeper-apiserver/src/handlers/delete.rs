//! DELETE of one object: at once, gracefully, or as soon as its finalizers are gone.
//!
//! The order of decisions is that of `registry/rest/delete.go` and `registry/generic/registry/store.go`.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use watchkeeper_schema::Schemas;

use crate::admission::{self, Attributes, plugins};
use crate::clock::Now;
use crate::convert::seen;
use crate::error::{ApiError, quoted};
use crate::history::Verb;
use crate::protobuf::{self, Unread};
use crate::registry::allocate::addresses;
use crate::registry::{namespaces, strategy};
use crate::request::Call;
use crate::request::body;
use crate::request::options::{DeleteOptions, Propagation};
use crate::resource::Resource;
use crate::storage::Stored;
use crate::turn::{Commit, Halt, Outcome, Turn};
use crate::{convert, meta, reply};

use super::{Handled, read};

mod grace;

/// The finalizer of orphaning deletion.
const ORPHAN: &str = "orphan";
/// The finalizer of foreground deletion.
const FOREGROUND: &str = "foregroundDeletion";

/// The model of delete options.
const DELETE_OPTIONS: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

/// What became of a delete.
#[derive(Debug)]
pub(crate) enum Deleted {
    /// It is gone.
    Gone(Arc<Stored>),
    /// It is on its way.
    Pending(Arc<Stored>),
}

impl Deleted {
    /// The same in the version of the call, in which `old` has been seen: a delete changes nothing
    /// that is converted.
    fn seen_as(self, resource: &Resource, old: &Stored) -> Self {
        let seen = |stored: Arc<Stored>| {
            stored.inherit(old);
            seen::just_stored(resource, &stored)
        };
        match self {
            Self::Gone(stored) => Self::Gone(seen(stored)),
            Self::Pending(stored) => Self::Pending(seen(stored)),
        }
    }
}

/// Deletes the object that the call names.
pub(super) fn delete(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let options = options(call)?;
    warn_of_orphans(turn, call, &options);
    plugins::keep_classes(call)?;
    let old = read::existing(turn, call)?;
    let was = seen::seen(turn, &call.resource, &old)?;
    admit(turn, call, &was, &options, &call.name)?;
    let deleted = remove(turn, call, &old, &options)?.seen_as(&call.resource, &old);
    super::follow(turn, call, old.name())?;
    Ok(answer(turn, call, &options, &deleted))
}

/// Whoever deletes a Job may not know that its pods stay.
pub(super) fn warn_of_orphans(turn: &mut Turn<'_>, call: &Call, options: &DeleteOptions) {
    if options.propagation.is_none() && call.resource.is("batch", "jobs") {
        turn.warn(
            "child pods are preserved by default when jobs are deleted; set \
             propagationPolicy=Background to remove them or set propagationPolicy=Orphan to \
             suppress this warning"
                .to_owned(),
        );
    }
}

/// Options from the body, or else from the query.
pub(super) fn options(call: &Call) -> Result<DeleteOptions, Halt> {
    let decoded = if call.body.is_empty() { None } else { Some(sent_options(call)?) };
    Ok(DeleteOptions::parse(&call.query, decoded.as_ref())?)
}

/// The options in the body, of their own kind and of their own types.
fn sent_options(call: &Call) -> Result<Value, ApiError> {
    let json = matches!(call.content_type(), "" | "application/json");
    let value = if json {
        let unreadable = |why| format!("couldn't get version/kind; json parse error: {why}");
        body::text(&call.body).map_err(|why| ApiError::bad_request(unreadable(why)))?.value
    } else {
        options_of(call)?
    };
    if let Some(why) = super::intake::head::error(&value, &call.body).filter(|_| !value.is_null()) {
        return Err(ApiError::bad_request(why));
    }
    let kind = value["kind"].as_str().filter(|kind| !matches!(*kind, "" | "DeleteOptions"));
    if let Some(kind) = kind {
        let version = value["apiVersion"].as_str().unwrap_or_default();
        return Err(ApiError::bad_request(format!(
            "no kind {} is registered for version {} in scheme \"pkg/runtime/scheme.go:111\"",
            quoted(kind),
            quoted(version)
        )));
    }
    let schema = Schemas::builtin().by_name(DELETE_OPTIONS);
    let wrong = schema.and_then(|schema| crate::decode_error::find(&value, schema));
    wrong.map_or(Ok(value), |why| Err(ApiError::bad_request(why)))
}

/// Options in YAML or protobuf.
fn options_of(call: &Call) -> Result<Value, ApiError> {
    if call.content_type() == protobuf::MEDIA_TYPE {
        let read = protobuf::value(&call.body, ("v1", "DeleteOptions"));
        return read.map_err(|(Unread::Envelope(why) | Unread::Message { why, .. })| {
            ApiError::bad_request(why)
        });
    }
    Ok(body::decode(call.content_type(), &call.body, "v1", "DeleteOptions")?.value)
}

/// V1.1: a Status when the object is gone, the object while it is still there.
fn answer(turn: &Turn<'_>, call: &Call, options: &DeleteOptions, deleted: &Deleted) -> Outcome {
    match deleted {
        Deleted::Gone(stored) if strategy::returns_deleted(&call.resource) => {
            read::answer(turn, call, 200, stored)
        }
        Deleted::Gone(stored) => {
            let mut details = json!({
                "name": stored.name(),
                "kind": call.resource.plural,
                "uid": meta::text(&stored.value(), "uid"),
            });
            if !call.resource.group.is_empty() {
                details["group"] = call.resource.group.as_str().into();
            }
            let status = json!({
                "kind": "Status",
                "apiVersion": "v1",
                "metadata": {},
                "status": "Success",
                "details": details,
            });
            Outcome::Reply(reply::value(200, call.form.codec, &status))
        }
        Deleted::Pending(stored) => {
            let accepted = options.orphan_dependents == Some(false);
            read::answer(turn, call, if accepted { 202 } else { 200 }, stored)
        }
    }
}

/// Lets admission judge a delete of an object in the version of the call. Those of a collection have no
/// name.
pub(super) fn admit(
    turn: &mut Turn<'_>,
    call: &Call,
    old: &Stored,
    options: &DeleteOptions,
    name: &str,
) -> Result<(), Halt> {
    if turn.by_itself || !admission::is_configured(&turn.core.store) {
        return Ok(());
    }
    check_preconditions(call, old, options)?;
    namespaces::admit_delete(call, old.name())?;
    let live = convert::to_served(&call.resource, &old.value());
    let mut attributes = Attributes::delete(call, name, live, options.to_json());
    admission::mutate(turn, &mut attributes)?;
    admission::validate(turn, &attributes)
}

/// Deletes an object, as far as that goes now.
pub(crate) fn remove(
    turn: &mut Turn<'_>,
    call: &Call,
    old: &Arc<Stored>,
    options: &DeleteOptions,
) -> Result<Deleted, Halt> {
    check_preconditions(call, old, options)?;
    namespaces::admit_delete(call, old.name())?;
    let mut value = old.value().into_value();
    if call.resource.is("apiextensions.k8s.io", "customresourcedefinitions") {
        crate::crd::sync::before_delete(turn, &mut value);
    }
    let finalizers = collector_finalizers(call, &meta::finalizers(&value), options);
    meta::set_finalizers(&mut value, &finalizers);
    let held = !finalizers.is_empty() || namespaces::is_held(&call.resource, &value);
    let plan = plan(turn, call, &mut value, options, held);
    let dry = options.dry_run;
    match plan {
        Plan::Nothing => Ok(Deleted::Pending(old.clone())),
        Plan::Mark if value == *old.value() => Ok(Deleted::Pending(old.clone())),
        Plan::Mark => mark(turn, call, old, value, dry).map(Deleted::Pending),
        Plan::MarkAndRemove => {
            let marked = mark(turn, call, old, value, dry)?;
            erase(turn, call, &marked, dry).map(Deleted::Gone)
        }
        Plan::Remove => erase(turn, call, old, dry).map(Deleted::Gone),
    }
}

/// V6.1.
pub(crate) fn check_preconditions(
    call: &Call,
    old: &Stored,
    options: &DeleteOptions,
) -> Result<(), ApiError> {
    let tests = [
        ("UID", &options.uid, "uid", "The object might have been deleted and then recreated"),
        (
            "ResourceVersion",
            &options.resource_version,
            "resourceVersion",
            "The object might have been modified",
        ),
    ];
    for (what, wanted, member, guess) in tests {
        let old_value = old.value();
        let stored = meta::text(&old_value, member);
        if let Some(wanted) = wanted.as_deref().filter(|wanted| *wanted != stored) {
            let why = format!(
                "the {what} in the precondition ({wanted}) does not match the {what} in record \
                 ({stored}). {guess}"
            );
            // Upstream names the kind here where it names the resource elsewhere.
            let mut resource = (*call.resource).clone();
            resource.plural.clone_from(&call.resource.kind);
            if resource.is("events.k8s.io", &resource.plural.clone()) {
                resource.group.clear();
            }
            return Err(ApiError::conflict(&resource, old.name(), &why));
        }
    }
    Ok(())
}

/// V6.3: the finalizers that tell the garbage collector what to do with dependents.
fn collector_finalizers(call: &Call, existing: &[String], options: &DeleteOptions) -> Vec<String> {
    // Of an object that has both, what comes first counts.
    let own = existing.iter().find(|name| *name == ORPHAN || *name == FOREGROUND);
    let (orphan, foreground) = match options.propagation {
        _ if !strategy::may_own(&call.resource) => (false, false),
        Some(Propagation::Orphan) => (true, false),
        Some(Propagation::Foreground) => (false, true),
        Some(Propagation::Background) => (false, false),
        None => own.map_or_else(
            || (strategy::orphans_by_default(&call.resource), false),
            |own| (own == ORPHAN, own == FOREGROUND),
        ),
    };
    let mut finalizers: Vec<String> =
        existing.iter().filter(|name| *name != ORPHAN && *name != FOREGROUND).cloned().collect();
    if orphan {
        finalizers.push(ORPHAN.to_owned());
    }
    if foreground {
        finalizers.push(FOREGROUND.to_owned());
    }
    // In another order they are the same.
    let is_same = set_of(existing) == set_of(&finalizers);
    if is_same { existing.to_vec() } else { finalizers }
}

fn set_of(finalizers: &[String]) -> BTreeSet<&String> {
    finalizers.iter().collect()
}

/// What a delete comes to.
enum Plan {
    /// It is under way already.
    Nothing,
    /// Note the deletion and wait.
    Mark,
    /// Note the deletion, then remove in the same request.
    MarkAndRemove,
    /// Remove.
    Remove,
}

fn plan(
    turn: &Turn<'_>,
    call: &Call,
    value: &mut Value,
    options: &DeleteOptions,
    held: bool,
) -> Plan {
    let asked = options.grace_period_seconds.map(|seconds| if seconds < 0 { 1 } else { seconds });
    if call.resource.is("", "pods") {
        return grace::plan_pod(turn, value, asked, held);
    }
    if !held {
        return Plan::Remove;
    }
    mark_deleting(turn, call, value);
    Plan::Mark
}

/// V6.2: an object with finalizers is marked and kept.
fn mark_deleting(turn: &Turn<'_>, call: &Call, value: &mut Value) {
    let is_crd = call.resource.is("apiextensions.k8s.io", "customresourcedefinitions");
    let is_namespace = call.resource.is("", "namespaces");
    if !meta::is_deleting(value) {
        if !is_crd {
            bump(value);
        }
        meta::set(value, "deletionTimestamp", turn.now.rfc3339());
    }
    if is_namespace {
        namespaces::mark_terminating(value);
    } else if !is_crd {
        end_now(turn, value);
    }
}

/// What is on its way out has no time left: that it goes later than now is no longer true (`markAsDeleting`).
fn end_now(turn: &Turn<'_>, value: &mut Value) {
    let end = Now::parse(meta::text(value, "deletionTimestamp"));
    if end.is_none_or(|end| end > turn.now) {
        meta::set(value, "deletionTimestamp", turn.now.rfc3339());
    }
    meta::set(value, "deletionGracePeriodSeconds", 0);
}

fn bump(value: &mut Value) {
    let generation = meta::generation(value);
    if generation > 0 {
        meta::set(value, "generation", generation + 1);
    }
}

fn mark(
    turn: &mut Turn<'_>,
    call: &Call,
    old: &Arc<Stored>,
    value: Value,
    dry: bool,
) -> Result<Arc<Stored>, Halt> {
    if dry {
        return Ok(Arc::new(old.with(value)));
    }
    let event = turn.commit(Commit {
        verb: Verb::Delete,
        subresource: "",
        actor: &call.actor(),
        table: &call.resource.table,
        key: &old.key,
        value,
        remove: false,
        shown: None,
    })?;
    Ok(event.object.clone())
}

fn erase(
    turn: &mut Turn<'_>,
    call: &Call,
    old: &Arc<Stored>,
    dry: bool,
) -> Result<Arc<Stored>, Halt> {
    if dry {
        return Ok(old.clone());
    }
    let event = turn.commit(Commit {
        verb: Verb::Delete,
        subresource: "",
        actor: &call.actor(),
        table: &call.resource.table,
        key: &old.key,
        value: old.value().into_value(),
        remove: true,
        shown: None,
    })?;
    addresses::release(turn, call, &old.value());
    Ok(event.object.clone())
}

#[cfg(test)]
mod tests;
