//! Paths below an object: status, scale, binding, eviction, finalize, token.

mod eviction;
mod review;
pub(crate) mod scale;
mod token;

use serde_json::{Value, json};

use crate::admission::{self, Attributes, Operation};
use crate::error::{ApiError, Cause};
use crate::handlers::create::Managed;
use crate::handlers::{self, Handled, intake, patch, read, save, update};
use crate::history::Verb;
use crate::request::Call;
use crate::request::body;
use crate::turn::{Halt, Outcome, Turn};
use crate::{containers, convert, meta, reply, schemas};

pub(crate) use review::virtual_create;

/// Answers a request for a subresource.
pub(crate) fn handle(turn: &mut Turn<'_>, call: &Call, verb: &str) -> Handled {
    let Some(sub) = call.resource.subresource(&call.subresource) else {
        // Of a custom resource it is the object that is not found, also if it is there.
        return Err(match &call.resource.custom {
            Some(_) => ApiError::not_found(&call.resource, &call.name).into(),
            None => ApiError::no_path().into(),
        });
    };
    if !sub.verbs.iter().any(|one| one == verb) {
        return Err(handlers::not_allowed().into());
    }
    match (&*call.subresource, verb) {
        ("status", "get") => read::shown(turn, call),
        ("status" | "ephemeralcontainers" | "resize" | "approval", "update") => {
            update::update(turn, call)
        }
        ("status" | "ephemeralcontainers" | "resize" | "approval", "patch") => {
            patch::patch(turn, call)
        }
        ("scale", _) => scale::handle(turn, call, verb),
        ("binding", "create") if call.resource.is("", "pods") => bind(turn, call),
        ("eviction", "create") => eviction::evict(turn, call),
        ("finalize", "update") => finalize(turn, call),
        ("token", "create") if call.resource.is("", "serviceaccounts") => token::create(turn, call),
        ("exec" | "attach", _) if call.resource.is("", "pods") => {
            containers::handle::run(turn, call)
        }
        ("portforward", _) if call.resource.is("", "pods") => {
            containers::handle::forward(turn, call)
        }
        ("log", "get") if call.resource.is("", "pods") => containers::handle::log(turn, call),
        _ => Err(unsupported(call).into()),
    }
}

/// What is announced but has nothing behind it in this server.
fn unsupported(call: &Call) -> ApiError {
    let message = format!(
        "the embedded server does not offer {} of {}",
        call.subresource,
        call.resource.qualified()
    );
    ApiError::new(501, "NotImplemented", message).about(&call.resource, &call.name)
}

fn success(call: &Call) -> Outcome {
    let status = json!({
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "code": 201,
    });
    Outcome::Reply(reply::value(201, call.form.codec, &status))
}

/// A pod gets its node, once (`registry/core/pod/storage`).
fn bind(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let binding = body::decode(call.content_type(), &call.body, "v1", "Binding")?.value;
    if meta::name(&binding) != call.name {
        let why = "name in URL does not match name in Binding object";
        return Err(ApiError::bad_request(why).into());
    }
    let node = binding["target"]["name"].as_str().unwrap_or_default();
    if node.is_empty() {
        let cause = Cause::required("target.name", "");
        return Err(ApiError::invalid("", "Binding", &call.name, vec![cause]).into());
    }
    let binding = admit(turn, call, binding)?;
    let node = binding["target"]["name"].as_str().unwrap_or_default();
    let old = read::existing(turn, call)?;
    for (what, member) in [("UID", "uid"), ("ResourceVersion", "resourceVersion")] {
        let old_value = old.value();
        let (wanted, stored) = (meta::text(&binding, member), meta::text(&old_value, member));
        if !wanted.is_empty() && wanted != stored {
            return Err(update::failed_precondition(call, what, wanted, stored).into());
        }
    }
    let mut pod = convert::to_served(&call.resource, &old.value());
    let assigned = pod["spec"]["nodeName"].as_str().unwrap_or_default();
    let why = if meta::is_deleting(&pod) {
        format!("pod {} is being deleted, cannot be assigned to a host", call.name)
    } else if !assigned.is_empty() {
        let quoted = crate::error::quoted(assigned);
        format!("pod {} is already assigned to node {quoted}", call.name)
    } else {
        String::new()
    };
    if !why.is_empty() {
        let mut error = ApiError::conflict(&call.resource, &call.name, &why);
        error.message = error.message.replacen("pods", "pods/binding", 1);
        error.details.insert("kind".to_owned(), "pods/binding".into());
        return Err(error.into());
    }
    pod["spec"]["nodeName"] = node.into();
    let annotations = binding["metadata"]["annotations"].as_object().into_iter().flatten();
    for (name, text) in annotations.filter(|(_, text)| text.is_string()) {
        let all = meta::members(&mut pod).entry("annotations").or_insert_with(|| json!({}));
        all[name] = text.clone();
    }
    set_scheduled(&mut pod, turn.began.rfc3339());
    // Nobody owns what a binding sets.
    save::save(turn, call, &old, pod, Verb::Create, Managed::Applied)?;
    Ok(success(call))
}

/// Admission judges what was sent to a subresource as something new.
fn admit(turn: &mut Turn<'_>, call: &Call, sent: Value) -> Result<Value, Halt> {
    let mut attributes = Attributes::write(call, Operation::Create, &call.name, sent, None);
    admission::mutate(turn, &mut attributes)?;
    admission::validate(turn, &attributes)?;
    Ok(attributes.object.unwrap_or_default())
}

fn set_scheduled(pod: &mut Value, now: String) {
    let condition = json!({
        "type": "PodScheduled",
        "status": "True",
        "lastProbeTime": null,
        "lastTransitionTime": now,
    });
    let conditions = pod["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let others = conditions.into_iter().filter(|one| one["type"] != "PodScheduled");
    let all: Vec<Value> = others.chain([condition]).collect();
    if !pod["status"].is_object() {
        pod["status"] = json!({});
    }
    pod["status"]["conditions"] = all.into();
}

/// A namespace says which of its contents are gone; without any left it goes itself.
fn finalize(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let mut sent = body::decode(call.content_type(), &call.body, "v1", "Namespace")?.value;
    intake::check_type(&mut sent, &call.resource, &call.body)?;
    schemas::check_types(&call.resource, &sent)?;
    intake::check_place(call, &mut sent)?;
    let old = read::existing(turn, call)?;
    update::check_versions(call, &sent, &old.value())?;
    let mut new = convert::to_served(&call.resource, &old.value());
    if !new["spec"].is_object() {
        new["spec"] = json!({});
    }
    match sent["spec"]["finalizers"].as_array().filter(|list| !list.is_empty()) {
        Some(finalizers) => new["spec"]["finalizers"] = finalizers.clone().into(),
        None => new["spec"] = json!({}),
    }
    let saved = save::save(turn, call, &old, new, Verb::Update, Managed::Update)?;
    update::finish(turn, call, &saved)
}

/// What handlers of subresources return besides [`Handled`].
pub(crate) type Created = Result<Option<Outcome>, Halt>;

#[cfg(test)]
mod tests;
