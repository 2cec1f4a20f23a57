//! POST: a new object.

use std::sync::Arc;

use http::Method;
use serde_json::Value;

use crate::access::{self, escalation};
use crate::admission::plugins::{self, Asked};
use crate::admission::{self, Attributes, Operation};
use crate::convert::seen::{self, Written};
use crate::error::{ApiError, Cause};
use crate::history::Verb;
use crate::registry::allocate::addresses;
use crate::registry::{allocate, namespaces, owners, strategy};
use crate::request::Call;
use crate::storage::{Key, Stored, key};
use crate::turn::{Commit, Halt, Turn};
use crate::{convert, managed, meta, schemas};

use super::{Handled, intake, read, sent};

/// How many names are tried for one `generateName` (store.go, KEP-4420).
const NAME_ATTEMPTS: usize = 8;
/// The longest prefix that leaves room for the suffix.
const PREFIX: usize = 58;

/// Stores the object of the body.
pub(crate) fn create(turn: &mut Turn<'_>, call: &Call) -> Handled {
    if call.resource.namespaced && call.namespace.is_empty() {
        return Err(super::not_allowed().into());
    }
    let mut object = intake::object(turn, call)?;
    intake::check_place(call, &mut object)?;
    if let Some(answer) = crate::subresource::virtual_create(turn, call, &object)? {
        return Ok(answer);
    }
    let stored = store_new(turn, call, object, Managed::Update)?;
    finish(turn, call, &stored)
}

/// The answer after a create, and what follows from it.
pub(crate) fn finish(turn: &mut Turn<'_>, call: &Call, stored: &Stored) -> Handled {
    super::follow(turn, call, stored.name())?;
    Ok(read::answer(turn, call, 201, stored))
}

/// Who keeps the field managers of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Managed {
    /// This is a plain write: they are computed here.
    Update,
    /// An apply has computed them.
    Applied,
}

/// Stores an object in the version of the call that has been decoded, pruned and defaulted, and gives
/// it back in that version.
pub(crate) fn store_new(
    turn: &mut Turn<'_>,
    call: &Call,
    mut object: Value,
    managed: Managed,
) -> Result<Arc<Stored>, Halt> {
    if let Some(custom) = call.resource.custom.as_ref().filter(|custom| custom.terminating) {
        let message = "create not allowed while custom resource definition is terminating";
        let _ = custom;
        return Err(ApiError::new(405, "MethodNotAllowed", message).into());
    }
    escalation::check(turn.core, call, None, &object)?;
    let named = fill_metadata(turn, call, &mut object)?;
    owners::dedup(turn, &mut object);
    namespaces::admit_create(turn, call, meta::name(&object))?;
    if managed == Managed::Update {
        let began = turn.began;
        managed::track(turn, None, &mut object, call, began)?;
    }
    mutate(turn, call, &mut object, named)?;
    let asked = call;
    let (stored_call, mut object) = convert::at_storage(call, object);
    let call = &*stored_call;
    // Upstream gives out what is asked for before it judges what it was asked in.
    allocate::create(turn, call, &mut object)?;
    strategy::prepare_create(turn, call, &mut object)?;
    strategy::validate(turn, call, None, &object, || sent::again(asked, call, None))?;
    schemas::write_numbers(&call.resource, &mut object);
    if call.method != Method::POST {
        access::check_create(turn.core, call)?;
    }
    judge(turn, asked, call, &object, named)?;
    check_unversioned(call, &object)?;
    schemas::fill_status(call, &mut object);
    if managed == Managed::Applied {
        schemas::prune_stored(&call.resource, &mut object);
    }
    let (key, object) = place(turn, call, object, named)?;
    let written = seen::written(turn, &call.resource, object)?;
    if call.dry_run()? {
        return Ok(Arc::new(Stored::unstored(key, written.into_seen())));
    }
    let Written { value, shown } = written;
    let taken = addresses::take(turn, call, &value, None);
    let commit = Commit {
        verb: Verb::Create,
        subresource: "",
        actor: &call.actor(),
        table: &call.resource.table,
        key: &key,
        value,
        remove: false,
        shown,
    };
    let committed = turn.commit(commit);
    if committed.is_err() {
        addresses::give_back(turn, taken);
    }
    Ok(seen::just_stored(&call.resource, &committed?.object))
}

/// A version is what storage gives, so it is the last to refuse one (`etcd3` of `apiserver/pkg/storage`): a
/// dry run does not get there, and what is no number says nothing.
fn check_unversioned(call: &Call, object: &Value) -> Result<(), ApiError> {
    let version: u64 = meta::text(object, "resourceVersion").parse().unwrap_or_default();
    if version == 0 || call.dry_run()? {
        return Ok(());
    }
    let message = "resourceVersion should not be set on objects to be created";
    Err(ApiError::new(500, "", message))
}

/// What the server alone decides is decided after admission.
const OWN: [&str; 3] = ["uid", "creationTimestamp", "generation"];

/// Lets admission change a new object.
fn mutate(turn: &mut Turn<'_>, call: &Call, object: &mut Value, named: Named) -> Result<(), Halt> {
    let generated = named == Named::Generated;
    let asked = Asked { call, operation: Operation::Create, old: None, generated };
    plugins::change(turn, asked, object)?;
    if turn.by_itself || !admission::is_configured(&turn.core.store) {
        return Ok(());
    }
    let mut sent = object.clone();
    let members = meta::members(&mut sent);
    for name in OWN {
        members.remove(name);
    }
    if named == Named::Generated {
        members.remove("name");
    }
    let name = meta::name(&sent).to_owned();
    let mut attributes = Attributes::write(call, Operation::Create, &name, sent, None);
    admission::mutate(turn, &mut attributes)?;
    let Some(mut new) = attributes.object else { return Ok(()) };
    meta::copy(&mut new, object, &OWN);
    if meta::name(&new).is_empty() {
        meta::copy(&mut new, object, &["name"]);
    }
    owners::dedup(turn, &mut new);
    intake::check_place(call, &mut new)?;
    *object = new;
    Ok(())
}

/// Lets admission judge a new object, in the version in which it was sent.
fn judge(
    turn: &mut Turn<'_>,
    asked: &Call,
    stored: &Call,
    object: &Value,
    named: Named,
) -> Result<(), Halt> {
    let generated = named == Named::Generated;
    let told = Asked { call: asked, operation: Operation::Create, old: None, generated };
    plugins::judge(turn, told, object)?;
    judge_by_others(turn, asked, stored, object)?;
    Ok(plugins::quota::judge(turn, told, object)?)
}

fn judge_by_others(
    turn: &mut Turn<'_>,
    asked: &Call,
    stored: &Call,
    object: &Value,
) -> Result<(), Halt> {
    if turn.by_itself || !admission::is_configured(&turn.core.store) {
        return Ok(());
    }
    let seen = convert::between(&stored.resource, &asked.resource, object);
    let name = meta::name(object).to_owned();
    let attributes = Attributes::write(asked, Operation::Create, &name, seen, None);
    admission::validate(turn, &attributes)
}

/// Where a name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    ByClient,
    Generated,
}

/// V4.1: what the server alone decides.
fn fill_metadata(turn: &mut Turn<'_>, call: &Call, object: &mut Value) -> Result<Named, ApiError> {
    let mut named = Named::ByClient;
    let generate = meta::text(object, "generateName").to_owned();
    if meta::name(object).is_empty() {
        // Without either, validation says what else is wrong, too.
        if !generate.is_empty() {
            let name = generated(turn, &generate);
            meta::set(object, "name", name);
            named = Named::Generated;
        }
    }
    let members = meta::members(object);
    members.remove("selfLink");
    // What another verb creates keeps them, as upstream has it (`WipeObjectMetaSystemFields` is a create's).
    if call.method == Method::POST {
        members.remove("deletionTimestamp");
        members.remove("deletionGracePeriodSeconds");
    }
    members.insert("uid".to_owned(), turn.rng.uuid().into());
    members.insert("creationTimestamp".to_owned(), turn.began.rfc3339().into());
    if strategy::has_generation(&call.resource) {
        members.insert("generation".to_owned(), 1.into());
    }
    Ok(named)
}

/// V4.2: the prefix, cut to leave room, and five random characters.
fn generated(turn: &mut Turn<'_>, prefix: &str) -> String {
    let end = prefix.char_indices().nth(PREFIX).map_or(prefix.len(), |(at, _)| at);
    format!("{}{}", &prefix[..end], turn.rng.suffix(5))
}

/// Finds a free key: the given name, or generated ones until one is free.
fn place(
    turn: &mut Turn<'_>,
    call: &Call,
    mut object: Value,
    named: Named,
) -> Result<(Key, Value), ApiError> {
    let generate = meta::text(&object, "generateName").to_owned();
    for _ in 0..NAME_ATTEMPTS {
        let key = key(&call.namespace, meta::name(&object));
        let Some(taken) = turn.core.store.get(&call.resource.table, &key) else {
            return Ok((key, object));
        };
        let mut error = ApiError::already_exists(&call.resource, meta::name(&object));
        if named == Named::ByClient {
            if meta::is_deleting(&taken.value()) {
                error.message = format!("object is being deleted: {}", error.message);
            }
            return Err(error);
        }
        let name = generated(turn, &generate);
        meta::set(&mut object, "name", name);
    }
    let name = meta::name(&object);
    let cause = Cause {
        reason: "GenerateName".to_owned(),
        message: format!(
            "the server was not able to generate a unique name; {NAME_ATTEMPTS} attempts failed"
        ),
        field: "metadata.generateName".to_owned(),
    };
    Err(ApiError::already_exists(&call.resource, name).causes([cause]).retry_after(1))
}
