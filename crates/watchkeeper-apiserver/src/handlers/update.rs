//! PUT: a whole new state.

use serde_json::Value;

use crate::convert::seen;
use crate::error::{ApiError, Cause};
use crate::go::parse_uint;
use crate::history::Verb;
use crate::meta;
use crate::registry::{owners, strategy};
use crate::request::Call;
use crate::turn::Turn;

use super::create::{self, Managed};
use super::save::{self, Saved};
use super::{Handled, intake, read};

/// Replaces the object, or its status for `…/status`.
pub(crate) fn update(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let mut object = intake::object(turn, call)?;
    intake::check_namespace(call, &mut object)?;
    check_named(call, &object)?;
    intake::check_place(call, &mut object)?;
    owners::dedup(turn, &mut object);
    let Some(old) = turn.core.store.get(&call.resource.table, &call.key()).cloned() else {
        return create_on_update(turn, call, object);
    };
    let was = seen::seen(turn, &call.resource, &old)?;
    check_versions(call, &object, &was.value())?;
    let saved = save::save(turn, call, &old, object, Verb::Update, Managed::Update)?;
    finish(turn, call, &saved)
}

/// The answer after a save, and what follows from it.
pub(crate) fn finish(turn: &mut Turn<'_>, call: &Call, saved: &Saved) -> Handled {
    super::follow(turn, call, saved.object.name())?;
    Ok(read::answer(turn, call, 200, &saved.object))
}

/// A whole object says its name.
pub(crate) fn check_named(call: &Call, object: &Value) -> Result<(), ApiError> {
    if meta::name(object).is_empty() { Err(unnamed(call)) } else { Ok(()) }
}

/// 400 for an object that does not say its name.
pub(crate) fn unnamed(call: &Call) -> ApiError {
    let why = "was undeterminable: name must be provided";
    let why = format!("the name of the object ({} based on URL) {why}", call.name);
    ApiError::bad_request(why)
}

/// The version that was sent is that of something else, so it says nothing about the new object, and is gone as
/// soon as that is stored; a uid does.
fn create_on_update(turn: &mut Turn<'_>, call: &Call, mut object: Value) -> Handled {
    if !call.subresource.is_empty() || !strategy::creates_on_update(&call.resource) {
        return Err(call.not_found().into());
    }
    check_uid(call, meta::text(&object, "uid"), "")?;
    check_readable(&object)?;
    if !call.dry_run()? {
        meta::members(&mut object).remove("resourceVersion");
    }
    let stored = create::store_new(turn, call, object, Managed::Update)?;
    create::finish(turn, call, &stored)
}

/// V4.3: uid and version in the body are preconditions.
pub(crate) fn check_versions(call: &Call, new: &Value, old: &Value) -> Result<(), ApiError> {
    check_uid(call, meta::text(new, "uid"), meta::text(old, "uid"))?;
    check_readable(new)?;
    if is_unversioned(new) {
        return check_unconditional(call);
    }
    if meta::text(new, "resourceVersion") != meta::text(old, "resourceVersion") {
        return Err(ApiError::modified(&call.resource, &call.name));
    }
    Ok(())
}

/// Whether an object does not say which version it replaces.
pub(crate) fn is_unversioned(object: &Value) -> bool {
    matches!(meta::text(object, "resourceVersion"), "" | "0")
}

/// 422 for kinds of which a version must be said.
pub(crate) fn check_unconditional(call: &Call) -> Result<(), ApiError> {
    let resource = &call.resource;
    if strategy::updates_unconditionally(resource) {
        return Ok(());
    }
    let cause = Cause {
        reason: "FieldValueInvalid".to_owned(),
        message: "Invalid value: 0: must be specified for an update".to_owned(),
        field: "metadata.resourceVersion".to_owned(),
    };
    Err(ApiError::invalid(&resource.group, &resource.plural, &call.name, vec![cause]))
}

/// A version is a number or nothing.
fn check_readable(object: &Value) -> Result<(), ApiError> {
    let version = meta::text(object, "resourceVersion");
    if version.is_empty() {
        return Ok(());
    }
    parse_uint(version, u64::MAX).map(|_| ()).map_err(|why| ApiError::new(500, "", why))
}

fn check_uid(call: &Call, wanted: &str, stored: &str) -> Result<(), ApiError> {
    if wanted.is_empty() || wanted == stored {
        return Ok(());
    }
    Err(failed_precondition(call, "UID", wanted, stored))
}

/// 409 for an object that is not the one that was meant.
pub(crate) fn failed_precondition(call: &Call, what: &str, wanted: &str, stored: &str) -> ApiError {
    let resource = &call.resource;
    // A dry run looks at what is stored from above, where its place has no root.
    let root = if call.dry_run().unwrap_or(false) { "" } else { "/registry" };
    let group = if resource.custom.is_some() { &*resource.group } else { "" };
    let place = [group, strategy::stored_as(resource), &*call.key()].map(str::to_owned);
    let place: Vec<String> = place.into_iter().filter(|part| !part.is_empty()).collect();
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: {root}/{}, ResourceVersion: 0, \
         AdditionalErrorMsg: Precondition failed: {what} in precondition: {wanted}, {what} in \
         object meta: {stored}",
        place.join("/")
    );
    ApiError::conflict(resource, &call.name, &why)
}
