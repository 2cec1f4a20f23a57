//! One request: who it is for, and what becomes of it.

pub(crate) mod apply;
pub(crate) mod bootstrap;
mod collection;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod intake;
mod list;
pub(crate) mod patch;
pub(crate) mod read;
pub(crate) mod save;
mod sent;
pub(crate) mod update;
pub(crate) mod watch;

use std::sync::Arc;

use bytes::Bytes;
use http::{Method, Request, Response};

use crate::access::{aggregate, login};
use crate::admission::plugins::quota;
use crate::containers::proxy::{self, PROXY};
use crate::error::ApiError;
use crate::present::Pieces;
use crate::registry::allocate::addresses;
use crate::request::query::Query;
use crate::request::route::{self, Route, Target};
use crate::request::{Call, accept};
use crate::turn::{Halt, Outcome, Turn};
use crate::{compress, discovery, kind_warnings, pretty, reply};

/// What handlers of resources return.
pub(crate) type Handled = Result<Outcome, Halt>;

/// Answers one request.
pub(crate) fn handle(turn: &mut Turn<'_>, request: &Request<Bytes>) -> Outcome {
    aggregate::make_up(turn);
    quota::make_up(turn);
    addresses::make_up(turn);
    let outcome = match handled(turn, request) {
        Ok(outcome) => outcome,
        Err(Halt::Error(error)) => Outcome::Reply(reply::error(status_codec(request), &error)),
        Err(Halt::Park(revision)) => return Outcome::Park(revision),
        Err(Halt::Ask(questions)) => return Outcome::Ask(questions),
        Err(Halt::Hangup) => return Outcome::Hangup,
    };
    match outcome {
        Outcome::Reply(_) | Outcome::List(_) if turn.lose_reply => Outcome::Hangup,
        Outcome::Reply(mut response) => {
            reply::warn(&mut response, &turn.warnings);
            Outcome::Reply(written(request, response))
        }
        Outcome::List(mut response) => {
            reply::warn(&mut response, &turn.warnings);
            if pretty::is_wanted(request.uri(), request.headers()) {
                return Outcome::Reply(written(request, (*response).map(Pieces::whole)));
            }
            Outcome::List(response)
        }
        other => other,
    }
}

/// An answer as it is sent: in lines or not, and small.
fn written(request: &Request<Bytes>, response: Response<Bytes>) -> Response<Bytes> {
    let response = pretty::answer(request.uri(), request.headers(), response);
    compress::answer(request.headers(), response)
}

fn handled(turn: &mut Turn<'_>, request: &Request<Bytes>) -> Handled {
    match route::parse(request.uri().path()) {
        // Upstream's mux knows the paths of what is served and nothing else.
        Route::Resource(target)
            if !turn.core.registry.has_path(&target.group, &target.version, &target.resource) =>
        {
            Ok(Outcome::Reply(discovery::unknown_path()))
        }
        Route::Resource(target) => {
            let call = call(turn, request, target)?;
            if call.subresource == PROXY {
                return proxy::hand_on(turn, &call, request);
            }
            dispatch(turn, &call)
        }
        other => Ok(Outcome::Reply(discovery::answer(turn.core, &other, request)?)),
    }
}

/// An error that cannot be told as the client likes is told in JSON.
fn status_codec(request: &Request<Bytes>) -> accept::Codec {
    accept::codec(request.headers()).unwrap_or_default()
}

fn call(turn: &Turn<'_>, request: &Request<Bytes>, target: Target) -> Result<Call, Halt> {
    let found = turn.core.registry.find(&target.group, &target.version, &target.resource);
    let Some(resource) = found.map(Arc::clone) else {
        return Err(ApiError::no_path().into());
    };
    let in_namespace = !target.namespace.is_empty();
    if in_namespace && !resource.namespaced
        || !in_namespace && resource.namespaced && !target.name.is_empty()
    {
        return Err(ApiError::no_path().into());
    }
    let query = Query::parse(request.uri().query().unwrap_or_default());
    // What follows is told to whoever is behind.
    let below = target.subresource.split_once('/').filter(|(first, _)| *first == PROXY);
    let subresource = below.map_or(target.subresource.as_str(), |(first, _)| first).to_owned();
    let mut call = Call {
        method: request.method().clone(),
        form: accept::Form::default(),
        resource,
        namespace: target.namespace,
        name: target.name,
        subresource,
        watch_path: target.watch,
        query,
        user: login::user(request.extensions()),
        headers: request.headers().clone(),
        body: request.body().clone(),
    };
    if call.subresource == PROXY {
        return Ok(call);
    }
    let (collection, watch) = match verb(&call) {
        "watch" => (true, true),
        "list" | "deletecollection" => (true, false),
        _ => (false, false),
    };
    let asked = accept::Asked { resource: &call.resource, collection, watch };
    call.form = accept::form(request.headers(), &call.query, asked)?;
    Ok(call)
}

fn dispatch(turn: &mut Turn<'_>, call: &Call) -> Handled {
    check_watch_path(call)?;
    if let Some(custom) = &call.resource.custom
        && let Some(warning) = &custom.deprecation
    {
        turn.warn(warning.clone());
    }
    if let Some(warning) = kind_warnings::deprecation(&call.resource) {
        turn.warn(warning);
    }
    let verb = verb(call);
    let options = match verb {
        "create" => "CreateOptions",
        "update" => "UpdateOptions",
        "patch" => "PatchOptions",
        _ => "",
    };
    if !options.is_empty() {
        crate::request::options::check_write(&call.query, options)?;
    }
    if !call.subresource.is_empty() {
        return crate::subresource::handle(turn, call, verb);
    }
    let everywhere = call.resource.namespaced && call.namespace.is_empty();
    if !call.resource.verbs.iter().any(|one| one == verb)
        || everywhere && verb == "deletecollection"
    {
        return Err(not_allowed().into());
    }
    match verb {
        "get" => read::get(turn, call),
        "list" => list::list(turn, call),
        "watch" => watch::watch(turn, call),
        "create" => create::create(turn, call),
        "update" => update::update(turn, call),
        "patch" => patch::patch(turn, call),
        "delete" => delete::delete(turn, call),
        "deletecollection" => collection::delete(turn, call),
        _ => Err(not_allowed().into()),
    }
}

/// What follows from a write to a definition, an instance of one, or a cluster role.
pub(crate) fn follow(turn: &mut Turn<'_>, call: &Call, name: &str) -> Result<(), Halt> {
    turn.by_itself = true;
    crate::crd::sync::after(turn, call, name)?;
    crate::api_services::after(turn, call, name)?;
    aggregate::after(turn, call)?;
    if call.resource.namespaced {
        quota::follow(turn, &call.namespace);
    }
    Ok(())
}

pub(crate) fn not_allowed() -> ApiError {
    let message = "the server does not allow this method on the requested resource";
    ApiError::new(405, "MethodNotAllowed", message).with_details()
}

/// Whatever is done below `/watch/` has been allowed as a watch, so nothing else may be done there.
fn check_watch_path(call: &Call) -> Result<(), ApiError> {
    match (call.watch_path, &*call.subresource, &call.method) {
        (false, ..) | (true, "", &Method::GET) => Ok(()),
        (true, "", _) => Err(not_allowed()),
        (true, ..) => Err(ApiError::no_path()),
    }
}

/// The verb as RBAC spells it.
fn verb(call: &Call) -> &'static str {
    let collection = call.name.is_empty();
    match (&call.method, collection) {
        (&Method::GET, _) if watches(call) => "watch",
        (&Method::GET, true) => "list",
        (&Method::GET, false) => "get",
        (&Method::POST, true) => "create",
        (&Method::POST, false) if !call.subresource.is_empty() => "create",
        (&Method::PUT, false) => "update",
        (&Method::PATCH, false) => "patch",
        (&Method::DELETE, true) => "deletecollection",
        (&Method::DELETE, false) => "delete",
        _ => "",
    }
}

/// The query makes a list a watch; one object is read whatever the query says, and is allowed as that.
fn watches(call: &Call) -> bool {
    let asked = call.name.is_empty() && call.query.flag("watch").unwrap_or(false);
    call.subresource.is_empty() && (call.watch_path || asked)
}

#[cfg(test)]
mod tests;
