//! `Priority`: from the class of a pod to its priority.

use serde_json::Value;

use super::{Asked, forbidden};
use crate::error::ApiError;
use crate::meta;
use crate::request::Call;
use crate::turn::Turn;

/// Where classes are.
pub(crate) const TABLE: &str = "priorityclasses.scheduling.k8s.io";
/// The group of classes, and those that every cluster has.
pub(crate) const CLASSES: (&str, &str) =
    ("scheduling.k8s.io", include_str!("priority_classes.json"));

/// What these are called.
pub(crate) const SYSTEM: [&str; 2] = ["system-cluster-critical", "system-node-critical"];

/// What a class means.
struct Class {
    name: String,
    value: i64,
    preemption: String,
}

/// The classes that every cluster has stay (`Delete` in `pkg/registry/scheduling/priorityclass/storage`).
///
/// # Errors
///
/// 403 for one of them.
pub(crate) fn keep_classes(call: &Call) -> Result<(), ApiError> {
    let is_kept = SYSTEM.contains(&&*call.name);
    if is_kept && call.resource.is(CLASSES.0, "priorityclasses") {
        let why = "this is a system priority class and cannot be deleted";
        return Err(ApiError::forbidden(&call.resource, &call.name, why));
    }
    Ok(())
}

/// Gives a new pod the priority of its class.
///
/// # Errors
///
/// 403 for a class that is not there, and for a priority that is another one.
pub(super) fn admit(turn: &Turn<'_>, asked: Asked<'_>, pod: &mut Value) -> Result<(), ApiError> {
    let name = pod["spec"]["priorityClassName"].as_str().unwrap_or_default();
    let class = if name.is_empty() { default(turn) } else { named(turn, name) };
    let Some(Class { name, value, preemption }) = class else {
        let why = format!("no PriorityClass with name {name} was found");
        return Err(forbidden(asked, pod, &why));
    };
    if let Some(given) = pod["spec"]["priority"].as_i64().filter(|given| *given != value) {
        let why = format!(
            "the integer value of priority ({given}) must not be provided in pod spec; priority \
             admission controller computed {value} from the given PriorityClass name"
        );
        return Err(forbidden(asked, pod, &why));
    }
    let given = pod["spec"]["preemptionPolicy"].as_str().filter(|given| *given != preemption);
    if let Some(given) = given {
        let why = format!(
            "the string value of PreemptionPolicy ({given}) must not be provided in pod spec; \
             priority admission controller computed {preemption} from the given PriorityClass name"
        );
        return Err(forbidden(asked, pod, &why));
    }
    let Some(spec) = pod["spec"].as_object_mut() else { return Ok(()) };
    if !name.is_empty() {
        spec.insert("priorityClassName".to_owned(), name.into());
    }
    spec.insert("priority".to_owned(), value.into());
    spec.insert("preemptionPolicy".to_owned(), preemption.into());
    Ok(())
}

/// An update that says nothing of the priority means what was computed before.
pub(super) fn keep(old: &Value, pod: &mut Value) {
    let Some(spec) = pod["spec"].as_object_mut() else { return };
    for name in ["priority", "preemptionPolicy"] {
        let was = old["spec"].get(name).filter(|was| !was.is_null());
        if let (None | Some(Value::Null), Some(was)) = (spec.get(name), was) {
            spec.insert(name.to_owned(), was.clone());
        }
    }
}

fn class(object: &Value) -> Class {
    let policy = object["preemptionPolicy"].as_str().unwrap_or("PreemptLowerPriority");
    Class {
        name: meta::name(object).to_owned(),
        value: object["value"].as_i64().unwrap_or(0),
        preemption: policy.to_owned(),
    }
}

fn named(turn: &Turn<'_>, name: &str) -> Option<Class> {
    turn.core.store.get(TABLE, name).map(|stored| class(&stored.value()))
}

/// The default class, the lowest should there be several; without any, priority 0.
fn default(turn: &Turn<'_>) -> Option<Class> {
    let table = turn.core.store.table(TABLE).into_iter().flat_map(|table| table.values());
    let trees = table.map(|stored| stored.value());
    let defaults = trees.filter(|value| value["globalDefault"] == true);
    let lowest = defaults.map(|value| class(&value)).min_by_key(|class| class.value);
    let preemption = "PreemptLowerPriority".to_owned();
    Some(lowest.unwrap_or(Class { name: String::new(), value: 0, preemption }))
}

/// One class is the default.
///
/// # Errors
///
/// 403 for a second one.
pub(super) fn judge(turn: &Turn<'_>, asked: Asked<'_>, object: &Value) -> Result<(), ApiError> {
    if !asked.is("scheduling.k8s.io", "priorityclasses") || object["globalDefault"] != true {
        return Ok(());
    }
    let Some(Class { name, .. }) = default(turn).filter(|class| !class.name.is_empty()) else {
        return Ok(());
    };
    if asked.operation == super::Operation::Update && name == meta::name(object) {
        return Ok(());
    }
    let why =
        format!("PriorityClass {name} is already marked as default. Only one default can exist");
    Err(forbidden(asked, object, &why))
}
