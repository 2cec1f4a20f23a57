//! `SubjectAccessReview`, its relatives for oneself and for one namespace, and
//! `SelfSubjectRulesReview` (`kubernetes/pkg/registry/authorization`).

use serde_json::{Map, Value, json};

use crate::access::{self, Attributes, Rule, resolve};
use crate::error::{ApiError, Cause, Result};
use crate::meta;
use crate::request::Call;
use crate::step::Core;
use crate::user::User;

/// Whether somebody may do something.
///
/// # Errors
///
/// 422 for a question that is none.
pub(super) fn access(core: &Core, call: &Call, review: &Value) -> Result<Value> {
    let spec = &review["spec"];
    let mut causes = both_or_none(spec);
    let is_own = call.resource.plural == "selfsubjectaccessreviews";
    if !is_own && text(spec, "user").is_empty() && list(&spec["groups"]).is_empty() {
        let detail = "at least one of user or group must be specified";
        causes.push(Cause::invalid("spec.user", &"".into(), detail));
    }
    if call.resource.namespaced {
        causes.extend(local(call, spec));
    }
    causes.extend(named(call, review));
    let asked = Attributes::of_review(spec).filter(|_| causes.is_empty());
    let Some(asked) = asked else {
        return Err(ApiError::invalid(&call.resource.group, "", "", causes));
    };
    let decision = if is_own {
        access::decide(&core.store, &call.user, &asked)
    } else {
        access::decide(&core.store, &subject(spec), &asked)
    };
    let mut status = json!({"allowed": decision.allowed});
    if !decision.reason.is_empty() {
        status["reason"] = decision.reason.into();
    }
    Ok(status)
}

/// What oneself may do.
///
/// # Errors
///
/// 400 for a review without a namespace.
pub(super) fn rules(core: &Core, call: &Call, review: &Value) -> Result<Value> {
    let namespace = text(&review["spec"], "namespace");
    if namespace.is_empty() {
        return Err(ApiError::bad_request("no namespace on request"));
    }
    let (rules, errors) = resolve::rules(&core.store, &call.user, namespace);
    let mut status = json!({
        "resourceRules": rules.iter().filter_map(Rule::resource_review).collect::<Vec<_>>(),
        "nonResourceRules": rules.iter().filter_map(Rule::path_review).collect::<Vec<_>>(),
        "incomplete": false,
    });
    if !errors.is_empty() {
        status["evaluationError"] = access::list(errors).into();
    }
    Ok(status)
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn list(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Whom a review asks about.
fn subject(spec: &Value) -> User {
    let extra = spec["extra"].as_object().into_iter().flatten();
    User {
        name: text(spec, "user").to_owned(),
        uid: text(spec, "uid").to_owned(),
        groups: list(&spec["groups"]),
        extra: extra.map(|(key, values)| (key.clone(), list(values))).collect(),
    }
}

/// A question is about objects or about a path.
fn both_or_none(spec: &Value) -> Vec<Cause> {
    let of_path = &spec["nonResourceAttributes"];
    match (spec["resourceAttributes"].is_object(), of_path.is_object()) {
        (true, true) => {
            let detail = "cannot be specified in combination with resourceAttributes";
            vec![Cause::invalid("spec.nonResourceAttributes", &go_path(of_path), detail)]
        }
        (false, false) => {
            let detail =
                "exactly one of nonResourceAttributes or resourceAttributes must be specified";
            vec![Cause::invalid("spec.resourceAttributes", &Value::Null, detail)]
        }
        _ => Vec::new(),
    }
}

/// Attributes of a path as upstream's error shows them.
fn go_path(of_path: &Value) -> Value {
    json!({"Path": text(of_path, "path"), "Verb": text(of_path, "verb")})
}

/// A review in a namespace is about that namespace.
fn local(call: &Call, spec: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    let of_path = &spec["nonResourceAttributes"];
    if of_path.is_object() {
        let detail = "disallowed on this kind of request";
        causes.push(Cause::invalid("spec.nonResourceAttributes", &go_path(of_path), detail));
    }
    let namespace = text(&spec["resourceAttributes"], "namespace");
    if spec["resourceAttributes"].is_object() && namespace != call.namespace {
        let field = "spec.resourceAttributes.namespace";
        causes.push(Cause::invalid(field, &namespace.into(), "must match metadata.namespace"));
    }
    causes
}

/// A review has no metadata of its own.
fn named(call: &Call, review: &Value) -> Option<Cause> {
    let own: Map<String, Value> = review["metadata"].as_object().cloned().unwrap_or_default();
    let allowed = |name: &str| {
        name == "managedFields" || name == "namespace" && meta::namespace(review) == call.namespace
    };
    if own.keys().all(|name| allowed(name)) {
        return None;
    }
    let detail = if call.resource.namespaced {
        "must be empty except for namespace"
    } else {
        "must be empty"
    };
    Some(Cause::invalid("metadata", &Value::Object(own), detail))
}
