//! `metadata.managedFields` of writes, and when two states are the same.

use serde_json::Value;

use crate::apply::{self, ApplyError, ApplyInput, Writer};
use crate::clock::Now;
use crate::error::{ApiError, Cause};
use crate::fields::FieldSet;
use crate::request::Call;
use crate::{convert, meta, schemas, shape};

/// Notes who set what in a plain write (V5.4).
pub(crate) fn track(live: Option<&Value>, new: &mut Value, call: &Call, now: Now) {
    let (schema, reset) = (schemas::of(&call.resource), reset(call));
    let names = Names::of(call, now, call.manager());
    let empty = empty(call);
    let before = live.unwrap_or(&empty);
    let mut settled = convert::settled(&call.resource, new);
    let seen = settled.as_mut().unwrap_or(&mut *new);
    apply::track_update(before, seen, live.is_none(), schema, names.writer(call), &reset);
    if let Some(live) = live {
        apply::forget_time_only_change(live, seen);
    }
    if let Some(settled) = settled {
        meta::copy(new, &settled, &["managedFields"]);
    }
}

/// The object after an apply, with its managers.
///
/// # Errors
///
/// 409 for fields that others manage, unless forced; 400 and 500 for objects that cannot be merged.
pub(crate) fn apply(
    live: Option<&Value>,
    applied: &Value,
    call: &Call,
    now: Now,
) -> Result<Value, ApiError> {
    apply_as(live, applied, call, now, None)
}

/// As [`apply`], of a view that has a version of its own, in which conflicts are told.
pub(crate) fn apply_as(
    live: Option<&Value>,
    applied: &Value,
    call: &Call,
    now: Now,
    told_version: Option<&str>,
) -> Result<Value, ApiError> {
    let names = Names::of(call, now, call.query.text("fieldManager").to_owned());
    let input = ApplyInput {
        live,
        empty: &empty(call),
        applied,
        schema: schemas::of(&call.resource),
        writer: names.writer(call),
        force: call.query.flag("force").unwrap_or(false),
        reset: &reset(call),
        told_version,
    };
    apply::apply(input).map_err(refuse)
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
        ApplyError::Untyped(why) => ApiError::new(500, "", why),
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

fn empty(call: &Call) -> Value {
    let resource = &call.resource;
    shape::empty(&resource.api_version(), &resource.kind, schemas::of(resource))
}
