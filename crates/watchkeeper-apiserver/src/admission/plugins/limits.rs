//! `LimitRanger`: what containers get unless they ask, and what they may ask for.

use serde_json::{Value, json};
use watchkeeper_api::quantity::Amount;

use super::amounts::{Amounts, amount, of_pod, shown};
use super::{Asked, forbidden, within};
use crate::admission::conditions::aggregate;
use crate::error::ApiError;
use crate::meta;
use crate::turn::Turn;

const TABLE: &str = "limitranges";
const ANNOTATION: &str = "kubernetes.io/limit-ranger";

/// Fills in what the containers of a new pod do not ask for.
pub(super) fn fill(turn: &Turn<'_>, asked: Asked<'_>, pod: &mut Value) {
    let ranges = within(turn, TABLE, &asked.call.namespace);
    for range in ranges {
        let (mut requests, mut limits) = (Vec::new(), Vec::new());
        for limit in items(&range.value()).filter(|limit| limit["type"] == "Container") {
            requests.extend(members(&limit["defaultRequest"]));
            limits.extend(members(&limit["default"]));
        }
        let mut told = Vec::new();
        for (list, what) in [("containers", "container"), ("initContainers", "init container")] {
            let containers = pod["spec"][list].as_array_mut().into_iter().flatten();
            for container in containers {
                merge(container, "requests", &requests, what, &mut told);
                merge(container, "limits", &limits, what, &mut told);
            }
        }
        if !told.is_empty() {
            let text = format!("LimitRanger plugin set: {}", told.join("; "));
            let all = meta::members(pod).entry("annotations").or_insert_with(|| json!({}));
            all[ANNOTATION] = text.into();
        }
    }
}

fn items(range: &Value) -> impl Iterator<Item = &Value> {
    range["spec"]["limits"].as_array().into_iter().flatten()
}

fn members(list: &Value) -> Vec<(String, Value)> {
    let members = list.as_object().into_iter().flatten();
    members.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn merge(
    container: &mut Value,
    part: &str,
    defaults: &[(String, Value)],
    what: &str,
    told: &mut Vec<String>,
) {
    let mut set = Vec::new();
    for (name, value) in defaults {
        if !container["resources"].is_object() {
            container["resources"] = json!({});
        }
        let of = &mut container["resources"];
        if !of[part].is_object() {
            of[part] = json!({});
        }
        if of[part].get(name).is_none() {
            of[part][name.as_str()] = value.clone();
            set.push(name.as_str());
        }
    }
    if !set.is_empty() {
        set.sort_unstable();
        let (set, part) = (set.join(", "), part.trim_end_matches('s'));
        let name = container["name"].as_str().unwrap_or_default();
        told.push(format!("{set} {part} for {what} {name}"));
    }
}

/// Whether a new pod, or a claim, asks for what is allowed. What is being deleted may be changed
/// whatever it asks for: its finalizers must go.
///
/// # Errors
///
/// 403 with every limit that is broken.
pub(super) fn judge(turn: &Turn<'_>, asked: Asked<'_>, object: &Value) -> Result<(), ApiError> {
    let is_pod = asked.creates("", "pods");
    let is_leaving = asked.old.is_some_and(meta::is_deleting);
    if is_leaving || !is_pod && !asked.is("", "persistentvolumeclaims") {
        return Ok(());
    }
    for range in within(turn, TABLE, &asked.call.namespace) {
        let mut errors = Vec::new();
        for limit in items(&range.value()) {
            match limit["type"].as_str() {
                Some("PersistentVolumeClaim") if !is_pod => claim(limit, object, &mut errors),
                Some("Container") if is_pod => {
                    for list in ["containers", "initContainers"] {
                        for container in object["spec"][list].as_array().into_iter().flatten() {
                            let of = |part: &str| Amounts::read(&container["resources"][part]);
                            bounds("Container", limit, &of("requests"), &of("limits"), &mut errors);
                        }
                    }
                }
                Some("Pod") if is_pod => {
                    let (requests, limits) = (of_pod(object, "requests"), of_pod(object, "limits"));
                    bounds("Pod", limit, &requests, &limits, &mut errors);
                }
                _ => {}
            }
        }
        if !errors.is_empty() {
            errors.dedup();
            return Err(forbidden(asked, object, &aggregate(&errors)));
        }
    }
    Ok(())
}

fn claim(limit: &Value, claim: &Value, errors: &mut Vec<String>) {
    let kind = "PersistentVolumeClaim";
    let requests = Amounts::read(&claim["spec"]["resources"]["requests"]);
    for (name, bound) in Amounts::read(&limit["min"]).0 {
        let bound = (&*name, bound);
        errors.extend(least(kind, bound, &requests, &Amounts::default()));
    }
    for (name, bound) in Amounts::read(&limit["max"]).0 {
        let head = format!("maximum {name} usage per {kind} is {}", shown(bound));
        match requests.get(&name) {
            None => errors.push(format!("{head}.  No request is specified")),
            Some(request) if request.nanos() > bound.nanos() => {
                errors.push(format!("{head}, but request is {}", shown(request)));
            }
            Some(_) => {}
        }
    }
}

/// An amount by its name.
type Bound<'a> = (&'a str, Amount);

fn bounds(
    kind: &str,
    limit: &Value,
    requests: &Amounts,
    limits: &Amounts,
    errors: &mut Vec<String>,
) {
    for (name, bound) in Amounts::read(&limit["min"]).0 {
        errors.extend(least(kind, (&name, bound), requests, limits));
    }
    for (name, bound) in Amounts::read(&limit["max"]).0 {
        errors.extend(most(kind, (&name, bound), requests, limits));
    }
    let ratios = limit["maxLimitRequestRatio"].as_object().into_iter().flatten();
    for (name, bound) in ratios {
        if let Some(bound) = amount(bound) {
            errors.extend(ratio(kind, (name, bound), requests, limits));
        }
    }
}

fn least(kind: &str, bound: Bound<'_>, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (name, bound) = bound;
    let head = format!("minimum {name} usage per {kind} is {}", shown(bound));
    let Some(request) = requests.get(name) else {
        return Some(format!("{head}.  No request is specified"));
    };
    if request.nanos() < bound.nanos() {
        return Some(format!("{head}, but request is {}", shown(request)));
    }
    let limit = limits.get(name).filter(|limit| limit.nanos() < bound.nanos())?;
    Some(format!("{head}, but limit is {}", shown(limit)))
}

fn most(kind: &str, bound: Bound<'_>, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (name, bound) = bound;
    let head = format!("maximum {name} usage per {kind} is {}", shown(bound));
    let Some(limit) = limits.get(name) else {
        return Some(format!("{head}.  No limit is specified"));
    };
    if limit.nanos() > bound.nanos() {
        return Some(format!("{head}, but limit is {}", shown(limit)));
    }
    let request = requests.get(name).filter(|request| request.nanos() > bound.nanos())?;
    Some(format!("{head}, but request is {}", shown(request)))
}

fn ratio(kind: &str, bound: Bound<'_>, requests: &Amounts, limits: &Amounts) -> Option<String> {
    let (name, bound) = bound;
    let head = format!("{name} max limit to request ratio per {kind} is {}", shown(bound));
    let some = |list: &Amounts| list.get(name).filter(|amount| amount.nanos() != 0);
    let Some(request) = some(requests) else {
        return Some(format!("{head}, but no request is specified or request is 0"));
    };
    let Some(limit) = some(limits) else {
        return Some(format!("{head}, but no limit is specified or limit is 0"));
    };
    let observed = limit.to_f64() / request.to_f64();
    (observed > bound.to_f64()).then(|| format!("{head}, but provided ratio is {observed:.6}"))
}
