//! Evictions: deletes that disruption budgets may refuse (`registry/core/pod/storage/eviction.go`).

use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use crate::error::{ApiError, Cause};
use crate::handlers::bootstrap::own_call;
use crate::handlers::create::Managed;
use crate::handlers::delete::{self, Deleted};
use crate::handlers::{Handled, read, save};
use crate::history::Verb;
use crate::request::Call;
use crate::request::body;
use crate::request::options::DeleteOptions;
use crate::storage::Stored;
use crate::storage::selector::Labels;
use crate::turn::{Commit, Halt, Outcome, Turn};
use crate::{convert, meta, reply};

/// How many evictions a budget's controller may be behind with.
const MOST_DISRUPTED: usize = 2_000;

/// Deletes a pod if its budget allows that.
pub(super) fn evict(turn: &mut Turn<'_>, call: &Call) -> Handled {
    let eviction = body::decode(call.content_type(), &call.body, "policy/v1", "Eviction")?.value;
    if meta::name(&eviction) != call.name {
        let why = "name in URL does not match name in Eviction object";
        return Err(ApiError::bad_request(why).into());
    }
    let given = eviction.get("deleteOptions").filter(|options| options.is_object());
    let empty = json!({});
    let mut options = DeleteOptions::parse(&call.query, Some(given.unwrap_or(&empty)))?;
    options.dry_run |= call.dry_run()?;
    let _ = super::admit(turn, call, eviction)?;
    let pod = read::existing(turn, call)?;
    if !goes_anyway(&pod.value()) {
        match budgets(turn, &pod).as_slice() {
            [] => {}
            [budget] => ask(turn, budget, &pod, options.dry_run)?,
            _ => return Ok(too_many_budgets(call)),
        }
    }
    remove(turn, call, &pod, options)?;
    Ok(super::success(call))
}

/// Pods that run nowhere, have ended or are going are disrupted already.
fn goes_anyway(pod: &Value) -> bool {
    let phase = pod["status"]["phase"].as_str();
    matches!(phase, Some("Succeeded" | "Failed" | "Pending")) || meta::is_deleting(pod)
}

/// The budgets that are about a pod.
fn budgets(turn: &Turn<'_>, pod: &Stored) -> Vec<Arc<Stored>> {
    let table = turn.core.store.table("poddisruptionbudgets.policy");
    let all = table.into_iter().flat_map(|all| all.values());
    let here = all.filter(|budget| budget.namespace() == pod.namespace());
    let pod_value = pod.value();
    let labels = pod_value["metadata"].get("labels");
    let selects = |budget: &&Arc<Stored>| {
        let budget = budget.glimpse(&["spec.selector"]);
        let selector = budget.get("spec").and_then(|spec| spec.get("selector"));
        let selector = selector.filter(|one| one.is_object());
        // Without a selector there is nothing that a budget is about.
        let selector = selector.and_then(|selector| Labels::of_selector(selector).ok());
        selector.is_some_and(|selector| selector.matches(labels))
    };
    here.filter(selects).cloned().collect()
}

/// An answer that is a failure without a reason or details.
fn too_many_budgets(call: &Call) -> Outcome {
    let status = json!({
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": "This pod has more than one PodDisruptionBudget, which the eviction subresource \
                    does not support.",
        "code": 500,
    });
    Outcome::Reply(reply::value(500, call.form.codec, &status))
}

/// Asks a budget, and takes a disruption from it. A pod that is not ready is not guarded as long as
/// enough others are.
fn ask(turn: &mut Turn<'_>, budget: &Arc<Stored>, pod: &Stored, dry_run: bool) -> Result<(), Halt> {
    if !is_ready(&pod.value()) && unguarded(&budget.value()) {
        return Ok(());
    }
    check(budget)?;
    if dry_run { Ok(()) } else { take(turn, budget, pod.name()) }
}

fn is_ready(pod: &Value) -> bool {
    let conditions = pod["status"]["conditions"].as_array().into_iter().flatten();
    conditions.into_iter().any(|one| one["type"] == "Ready" && one["status"] == "True")
}

fn unguarded(budget: &Value) -> bool {
    let (healthy, desired) = health(budget);
    budget["spec"]["unhealthyPodEvictionPolicy"] == "AlwaysAllow"
        || healthy >= desired && desired > 0
}

fn health(budget: &Value) -> (i64, i64) {
    (count(budget, "currentHealthy"), count(budget, "desiredHealthy"))
}

fn count(budget: &Value, name: &str) -> i64 {
    budget["status"][name].as_i64().unwrap_or_default()
}

/// Whether a budget allows a disruption.
///
/// # Errors
///
/// 429 with what it needs, 403 for a budget whose status cannot be right.
fn check(budget: &Stored) -> Result<(), ApiError> {
    let (value, name) = (&*budget.value(), budget.name());
    let generation = value["metadata"]["generation"].as_i64().unwrap_or_default();
    if count(value, "observedGeneration") < generation {
        let why = format!("The disruption budget {name} is still being processed by the server.");
        return Err(refused(why).retry_after(10));
    }
    let disrupted = value["status"]["disruptedPods"].as_object();
    if count(value, "disruptionsAllowed") < 0 {
        return Err(forbidden(name, "pdb disruptions allowed is negative"));
    }
    if disrupted.is_some_and(|pods| pods.len() > MOST_DISRUPTED) {
        let why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
        return Err(forbidden(name, why));
    }
    if count(value, "disruptionsAllowed") == 0 { Err(refused(needs(budget))) } else { Ok(()) }
}

/// What a budget that allows nothing needs.
fn needs(budget: &Stored) -> String {
    let (value, name) = (&*budget.value(), budget.name());
    let conditions = value["status"]["conditions"].as_array().into_iter().flatten();
    let condition = conditions.into_iter().find(|one| one["type"] == "DisruptionAllowed");
    let condition = condition.filter(|one| one["status"] == "False" && one["message"] != "");
    let text = |member: &str| {
        condition.and_then(|one| one[member].as_str()).unwrap_or_default().to_owned()
    };
    let (healthy, desired) = health(value);
    let begin = format!("The disruption budget {name}");
    match condition {
        Some(one) if one["reason"] == "SyncFailed" => format!(
            "{begin} does not allow evicting pods currently because it failed sync: {}",
            text("message")
        ),
        _ if healthy <= desired => {
            format!("{begin} needs {desired} healthy pods and has {healthy} currently")
        }
        Some(_) => format!(
            "{begin} does not allow evicting pods currently ({}): {}",
            text("reason"),
            text("message")
        ),
        None => format!("{begin} does not allow evicting pods currently"),
    }
}

fn refused(why: String) -> ApiError {
    let message = "Cannot evict pod as it would violate the pod's disruption budget.";
    let cause = Cause { reason: "DisruptionBudget".to_owned(), message: why, field: String::new() };
    ApiError::new(429, "TooManyRequests", message).causes([cause])
}

fn forbidden(name: &str, why: &str) -> ApiError {
    let quoted = crate::error::quoted(name);
    let message = format!("poddisruptionbudget.policy {quoted} is forbidden: {why}");
    let mut error = ApiError::new(403, "Forbidden", message);
    let details = [("name", name), ("group", "policy"), ("kind", "poddisruptionbudget")];
    for (member, value) in details {
        error.details.insert(member.to_owned(), value.into());
    }
    error
}

/// Tells the budget's controller of a pod that is about to go.
fn take(turn: &mut Turn<'_>, budget: &Arc<Stored>, pod: &str) -> Result<(), Halt> {
    let found = turn.core.registry.find("policy", "v1", "poddisruptionbudgets").cloned();
    let Some(resource) = found else { return Ok(()) };
    let mut own = own_call(Method::PUT, resource, budget.namespace(), budget.name());
    "status".clone_into(&mut own.subresource);
    let now = turn.now.rfc3339();
    let mut value = convert::to_served(&own.resource, &budget.value());
    let left = count(&value, "disruptionsAllowed") - 1;
    value["status"]["disruptionsAllowed"] = left.into();
    if !value["status"]["disruptedPods"].is_object() {
        value["status"]["disruptedPods"] = json!({});
    }
    value["status"]["disruptedPods"][pod] = now.as_str().into();
    if left == 0 {
        allow_none(&mut value["status"], &now);
    }
    save::save(turn, &own, budget, value, Verb::Update, Managed::Update).map(|_| ())
}

/// The condition of a budget that has just allowed its last disruption.
fn allow_none(status: &mut Value, now: &str) {
    let mut conditions = status["conditions"].as_array().cloned().unwrap_or_default();
    let known = conditions.iter().position(|one| one["type"] == "DisruptionAllowed");
    let since = known.map(|at| &conditions[at]).filter(|one| one["status"] == "False");
    let since = since.map_or_else(|| now.into(), |one| one["lastTransitionTime"].clone());
    let condition = json!({
        "type": "DisruptionAllowed",
        "status": "False",
        "observedGeneration": status["observedGeneration"],
        "lastTransitionTime": since,
        "reason": "InsufficientPods",
        "message": "",
    });
    match known {
        Some(at) => conditions[at] = condition,
        None => conditions.push(condition),
    }
    status["conditions"] = conditions.into();
}

/// Notes on the pod why it goes, then deletes it.
fn remove(
    turn: &mut Turn<'_>,
    call: &Call,
    pod: &Arc<Stored>,
    mut options: DeleteOptions,
) -> Result<(), Halt> {
    let mut on_pod = Call { subresource: String::new(), ..call.clone() };
    delete::check_preconditions(&on_pod, pod, &options)?;
    let mut marked = Arc::clone(pod);
    if !options.dry_run {
        let mut value = pod.value().into_value();
        note(&mut value, &turn.now.rfc3339());
        "status".clone_into(&mut on_pod.subresource);
        let event = turn.commit(Commit {
            verb: Verb::Update,
            subresource: "status",
            actor: &call.actor(),
            table: &call.resource.table,
            key: &pod.key,
            value,
            remove: false,
            shown: None,
        })?;
        on_pod.subresource.clear();
        marked = Arc::clone(&event.object);
        let version = meta::text(&marked.value(), "resourceVersion").to_owned();
        options.resource_version = options.resource_version.map(|_| version);
    }
    let (Deleted::Gone(_) | Deleted::Pending(_)) =
        delete::remove(turn, &on_pod, &marked, &options)?;
    Ok(())
}

fn note(pod: &mut Value, now: &str) {
    let conditions = pod["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let is_noted = |one: &Value| one["type"] == "DisruptionTarget" && one["status"] == "True";
    let since = conditions.iter().find(|one| is_noted(one));
    let since = since.map_or_else(|| now.into(), |one| one["lastTransitionTime"].clone());
    let condition = json!({
        "type": "DisruptionTarget",
        "status": "True",
        "lastProbeTime": null,
        "lastTransitionTime": since,
        "reason": "EvictionByEvictionAPI",
        "message": "Eviction API: evicting",
    });
    let others = conditions.into_iter().filter(|one| one["type"] != "DisruptionTarget");
    let all: Vec<Value> = others.chain([condition]).collect();
    if !pod["status"].is_object() {
        pod["status"] = json!({});
    }
    pod["status"]["conditions"] = all.into();
}

#[cfg(test)]
mod tests;
