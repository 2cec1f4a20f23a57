//! `metadata.managedFields` of writes, and when two states are the same.

mod versions;

use serde_json::Value;
use versions::OfCall;

use crate::apply::{self, ApplyError, ApplyInput, Writer};
use crate::clock::Now;
use crate::error::{ApiError, Cause};
use crate::fields::FieldSet;
use crate::request::Call;
use crate::turn::{Halt, Turn};
use crate::{convert, meta, schemas, shape};

/// Notes who set what in a plain write (V5.4). Where that cannot be told, nobody manages the object, as
/// upstream.
///
/// # Errors
///
/// What a webhook must be asked first.
pub(crate) fn track(
    turn: &mut Turn<'_>,
    live: Option<&Value>,
    new: &mut Value,
    call: &Call,
    now: Now,
) -> Result<(), Halt> {
    let (schema, reset) = (schemas::of(&call.resource), reset(call));
    let names = Names::of(call, now, call.manager());
    let before = live.unwrap_or_else(|| empty(call));
    let mut settled = convert::settled(&call.resource, new);
    let seen = settled.as_mut().unwrap_or(&mut *new);
    let (writer, mut versions) = (names.writer(call), OfCall::new(turn, call, &reset));
    let creates = live.is_none();
    let tracked = apply::track_update(before, seen, creates, schema, writer, &reset, &mut versions);
    if let Some(halt) = versions.owed {
        return Err(halt);
    }
    if tracked.is_err() {
        meta::members(seen).remove("managedFields");
    }
    if let Some(live) = live {
        apply::forget_time_only_change(live, seen);
    }
    if let Some(settled) = settled {
        meta::copy(new, &settled, &["managedFields"]);
    }
    Ok(())
}

/// The object after an apply, with its managers.
///
/// # Errors
///
/// 409 for fields that others manage, unless forced; 400 and 500 for objects that cannot be merged;
/// what a webhook must be asked first.
pub(crate) fn apply(
    turn: &mut Turn<'_>,
    live: Option<&Value>,
    applied: &Value,
    call: &Call,
    now: Now,
) -> Result<Value, Halt> {
    apply_as(turn, live, applied, call, now, None)
}

/// As [`apply`], of a view that has a version of its own, in which conflicts are told.
pub(crate) fn apply_as(
    turn: &mut Turn<'_>,
    live: Option<&Value>,
    applied: &Value,
    call: &Call,
    now: Now,
    told_version: Option<&str>,
) -> Result<Value, Halt> {
    let reset = reset(call);
    let names = Names::of(call, now, call.query.text("fieldManager").to_owned());
    let input = ApplyInput {
        live,
        empty: empty(call),
        applied,
        schema: schemas::of(&call.resource),
        writer: names.writer(call),
        force: call.query.flag("force").unwrap_or(false),
        reset: &reset,
        told_version,
    };
    let mut versions = OfCall::new(turn, call, &reset);
    let applied = apply::apply(input, &mut versions);
    match versions.owed {
        Some(halt) => Err(halt),
        None => Ok(applied.map_err(refuse)?),
    }
}

/// Whether an object can be applied at all.
///
/// # Errors
///
/// 500 for what does not fit the schema.
pub(crate) fn check(applied: &Value, call: &Call) -> Result<(), ApiError> {
    apply::check(applied, schemas::of(&call.resource)).map_err(refuse)
}

fn refuse(error: ApplyError) -> ApiError {
    match error {
        ApplyError::Conflicts(conflicts) => {
            let causes = conflicts.conflicts.iter().map(|conflict| Cause {
                reason: "FieldManagerConflict".to_owned(),
                message: conflict.message(),
                field: conflict.field.clone(),
            });
            ApiError::new(409, "Conflict", conflicts.to_string()).causes(causes)
        }
        ApplyError::Malformed(why) => ApiError::bad_request(why),
        ApplyError::Untyped(_) | ApplyError::Version(_) => {
            ApiError::new(500, "", error.to_string())
        }
    }
}

/// The texts that a [`Writer`] borrows.
struct Names {
    manager: String,
    api_version: String,
    now: String,
}

impl Names {
    fn of(call: &Call, now: Now, manager: String) -> Self {
        Self { manager, api_version: call.resource.api_version(), now: now.rfc3339() }
    }

    fn writer<'a>(&'a self, call: &'a Call) -> Writer<'a> {
        Writer {
            manager: &self.manager,
            api_version: &self.api_version,
            subresource: &call.subresource,
            now: &self.now,
        }
    }
}

fn reset(call: &Call) -> FieldSet {
    let resource = &call.resource;
    apply::reset_fields(
        &resource.group,
        &resource.kind,
        resource.custom.is_some(),
        resource.has_status(),
        &call.subresource,
    )
}

/// What a new object is compared with.
fn empty(call: &Call) -> &Value {
    let resource = &call.resource;
    let made = || shape::empty(&resource.api_version(), &resource.kind, schemas::of(resource));
    resource.empty.get_or_init(made)
}
