//! The scale subresource (V4.8): `autoscaling/v1` Scale as a view of an object.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::admission::{self, Attributes, Operation};
use crate::convert::seen;
use crate::crd::ScalePaths;
use crate::error::{ApiError, Cause};
use crate::handlers::create::Managed;
use crate::handlers::{self, Handled, intake, patch, read, save};
use crate::history::Verb;
use crate::request::Call;
use crate::request::body;
use crate::resource::Resource;
use crate::storage::Stored;
use crate::turn::{Halt, Outcome, Turn};
use crate::{convert, managed, present, reply};

const VERSION: &str = "autoscaling/v1";

/// Reads or writes the scale of an object.
pub(super) fn handle(turn: &mut Turn<'_>, call: &Call, verb: &str) -> Handled {
    let sent = match verb {
        "update" => Some(sent(call)?),
        _ => None,
    };
    let old = read::existing(turn, call)?;
    let paths = paths(&call.resource);
    let was = seen::seen(turn, &call.resource, &old)?;
    let live = convert::live(&call.resource, &was);
    let scale = view(&live, &paths);
    let new = match verb {
        "get" => {
            is_there(&call.resource, &live, &paths)?;
            return Ok(answer(turn, call, &scale));
        }
        "update" => sent.unwrap_or_default(),
        _ if patch::is_apply(call) => return apply(turn, call, (&old, &live), &paths),
        _ => patch::plain(call, &scale)?,
    };
    let verb = if verb == "update" { Verb::Update } else { Verb::Patch };
    let new = admit(turn, call, scale, new)?;
    write(turn, call, (&old, live.into_value()), &new, verb)
}

/// A custom resource that says nothing of its replicas has no scale to read.
fn is_there(resource: &Resource, live: &Value, paths: &ScalePaths) -> Result<(), ApiError> {
    if resource.custom.is_none() || get(live, &paths.spec).is_some() {
        return Ok(());
    }
    let why = format!("the spec replicas field \".{}\" does not exist", paths.spec.join("."));
    let cause = Cause { reason: String::new(), message: why.clone(), field: String::new() };
    Err(ApiError::internal(why).causes([cause]))
}

/// The scale that was sent, for the object of the path whether it is there or not.
fn sent(call: &Call) -> Result<Value, Halt> {
    let sent = body::decode(call.content_type(), &call.body, VERSION, "Scale")?.value;
    if sent["metadata"].is_object() {
        intake::check_place(call, &mut sent.clone())?;
    }
    Ok(sent)
}

/// Admission judges the scale that was sent, and not what it does to the object.
fn admit(turn: &mut Turn<'_>, call: &Call, old: Value, new: Value) -> Result<Value, Halt> {
    let mut attributes = Attributes::write(call, Operation::Update, &call.name, new, Some(old));
    admission::mutate(turn, &mut attributes)?;
    admission::validate(turn, &attributes)?;
    Ok(attributes.object.unwrap_or_default())
}

/// An apply of a scale is one of the object, of its replicas alone: it may conflict with whoever owns them
/// (upstream: `managedfields.ScaleHandler`).
fn apply(
    turn: &mut Turn<'_>,
    call: &Call,
    (old, live): (&Arc<Stored>, &Value),
    paths: &ScalePaths,
) -> Handled {
    let said = handlers::apply::read_view(call, VERSION, "Scale")?;
    patch::check_version(call, &said, old)?;
    let mut part = json!({
        "apiVersion": call.resource.api_version(),
        "kind": call.resource.kind,
        "metadata": { "name": call.name },
    });
    if !said["spec"]["replicas"].is_null() {
        set(&mut part, &paths.spec, replicas(call, &said)?.into());
    }
    let began = turn.began;
    let mut new = managed::apply_as(turn, Some(live), &part, call, began, Some(VERSION))?;
    let asked = view(&new, paths);
    let scale = admit(turn, call, view(live, paths), asked.clone())?;
    if scale != asked {
        set(&mut new, &paths.spec, replicas(call, &scale)?.into());
    }
    let saved = save::save(turn, call, old, new, Verb::Patch, Managed::Applied)?;
    let live = convert::live(&call.resource, &saved.object);
    Ok(answer(turn, call, &view(&live, paths)))
}

fn write(
    turn: &mut Turn<'_>,
    call: &Call,
    (old, mut object): (&Arc<Stored>, Value),
    new: &Value,
    verb: Verb,
) -> Handled {
    patch::check_version(call, new, old)?;
    let replicas = replicas(call, new)?;
    let paths = paths(&call.resource);
    set(&mut object, &paths.spec, replicas.into());
    let saved = save::save(turn, call, old, object, verb, Managed::Update)?;
    let live = convert::live(&call.resource, &saved.object);
    Ok(answer(turn, call, &view(&live, &paths)))
}

fn answer(turn: &Turn<'_>, call: &Call, scale: &Value) -> Outcome {
    let shown = present::view(("autoscaling", "Scale"), &call.form, scale, turn.now);
    Outcome::Reply(reply::value(200, call.form.codec, &shown))
}

fn replicas(call: &Call, scale: &Value) -> Result<i64, Halt> {
    let value = &scale["spec"]["replicas"];
    let refuse = |detail: &str| {
        let cause = Cause::invalid("spec.replicas", value, detail);
        Halt::from(ApiError::invalid("autoscaling", "Scale", &call.name, vec![cause]))
    };
    match value {
        Value::Null => Ok(0),
        value => match value.as_i64() {
            // Of a custom resource the object is judged.
            Some(replicas) if replicas >= 0 || call.resource.custom.is_some() => Ok(replicas),
            Some(_) => Err(refuse("must be greater than or equal to 0")),
            None => Err(refuse("must be a whole number")),
        },
    }
}

/// Where a kind keeps its replicas; built-in kinds all do it alike.
fn paths(resource: &Resource) -> ScalePaths {
    let keys = |outer: &str, inner: &str| vec![outer.to_owned(), inner.to_owned()];
    match resource.custom.as_ref().and_then(|custom| custom.scale.clone()) {
        Some(paths) => paths,
        None => ScalePaths {
            spec: keys("spec", "replicas"),
            status: keys("status", "replicas"),
            selector: Some(keys("spec", "selector")),
        },
    }
}

fn view(object: &Value, paths: &ScalePaths) -> Value {
    let mut metadata = Map::new();
    for name in ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"] {
        if let Some(value) = object["metadata"].get(name) {
            metadata.insert(name.to_owned(), value.clone());
        }
    }
    let mut spec = Map::new();
    if let Some(replicas) = get(object, &paths.spec).filter(|replicas| **replicas != 0) {
        spec.insert("replicas".to_owned(), replicas.clone());
    }
    let observed = get(object, &paths.status).cloned().unwrap_or_else(|| 0.into());
    let mut status = json!({"replicas": observed});
    let selector = paths.selector.as_ref().and_then(|path| get(object, path));
    if let Some(selector) = selector.map(selector_text).filter(|text| !text.is_empty()) {
        status["selector"] = selector.into();
    }
    json!({
        "kind": "Scale",
        "apiVersion": VERSION,
        "metadata": metadata,
        "spec": spec,
        "status": status,
    })
}

/// A selector as text: written so, a map of labels, or a label selector.
fn selector_text(selector: &Value) -> String {
    if let Some(text) = selector.as_str() {
        return text.to_owned();
    }
    let labels = if selector["matchLabels"].is_object() || selector["matchExpressions"].is_array() {
        &selector["matchLabels"]
    } else {
        selector
    };
    let equal = labels.as_object().into_iter().flatten();
    let mut parts: Vec<String> =
        equal.filter_map(|(name, value)| Some(format!("{name}={}", value.as_str()?))).collect();
    let expressions = selector["matchExpressions"].as_array().into_iter().flatten();
    parts.extend(expressions.map(expression));
    parts.sort();
    parts.join(",")
}

fn expression(expression: &Value) -> String {
    let key = expression["key"].as_str().unwrap_or_default();
    let values = expression["values"].as_array().into_iter().flatten();
    let mut values: Vec<&str> = values.filter_map(Value::as_str).collect();
    values.sort_unstable();
    match expression["operator"].as_str() {
        Some("In") => format!("{key} in ({})", values.join(",")),
        Some("NotIn") => format!("{key} notin ({})", values.join(",")),
        Some("DoesNotExist") => format!("!{key}"),
        _ => key.to_owned(),
    }
}

/// What is at a path of members.
fn get<'a>(object: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(object, |value, key| value.get(key))
}

fn set(object: &mut Value, path: &[String], value: Value) {
    let mut place = object;
    for key in path {
        if !place.is_object() {
            *place = json!({});
        }
        place = &mut place[key.as_str()];
    }
    *place = value;
}

#[cfg(test)]
mod tests;
