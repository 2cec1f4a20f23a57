//! What kinds do differently: generations, unconditional writes, initial states, graceful ends.
//!
//! Source: the strategies in `k8s.io/kubernetes/pkg/registry`.

use serde_json::{Value, json};
use watchkeeper_schema::Reason;

use crate::clock::Now;
use crate::error::{ApiError, Cause};
use crate::kind_defaults;
use crate::meta;
use crate::registry::{certificates, claims, namespaces, pods, status};
use crate::request::Call;
use crate::resource::Resource;
use crate::schemas;
use crate::shape;
use crate::turn::{Halt, Turn};

/// Whether the generation is counted: custom resources always, built-in kinds as listed.
#[must_use]
pub fn has_generation(resource: &Resource) -> bool {
    resource.custom.is_some()
        || matches!(
            (&*resource.group, &*resource.plural),
            ("apps", "deployments" | "replicasets" | "statefulsets" | "daemonsets")
                | ("batch", "jobs" | "cronjobs")
                | ("", "pods" | "podtemplates" | "replicationcontrollers")
                | ("networking.k8s.io", "ingresses" | "ingressclasses" | "networkpolicies")
                | ("policy", "poddisruptionbudgets")
                | ("discovery.k8s.io", "endpointslices")
                | ("apiextensions.k8s.io", "customresourcedefinitions")
                | ("flowcontrol.apiserver.k8s.io", "flowschemas" | "prioritylevelconfigurations")
                | ("admissionregistration.k8s.io", _)
                | ("resource.k8s.io", "deviceclasses" | "resourceslices")
                | ("scheduling.k8s.io", "priorityclasses")
        )
}

/// Whether changes are counted, from the first one on, of what is made without a generation.
pub(crate) fn counts_changes(resource: &Resource) -> bool {
    resource.is("storage.k8s.io", "csidrivers")
}

/// Whether a PUT without a version replaces whatever is there (V4.3).
#[must_use]
pub fn updates_unconditionally(resource: &Resource) -> bool {
    resource.custom.is_none()
        && !matches!(
            (&*resource.group, &*resource.plural),
            ("coordination.k8s.io", _)
                | ("policy", "poddisruptionbudgets")
                | ("apiextensions.k8s.io" | "apiregistration.k8s.io", _)
                | ("admissionregistration.k8s.io", _)
                | ("node.k8s.io", "runtimeclasses")
                | (
                    "storage.k8s.io",
                    "csidrivers" | "csinodes" | "csistoragecapacities" | "volumeattachments"
                )
        )
}

/// Whether a PUT of something new creates it.
#[must_use]
pub fn creates_on_update(resource: &Resource) -> bool {
    matches!(
        (&*resource.group, &*resource.plural),
        ("", "events" | "endpoints" | "limitranges" | "services")
            | (
                "events.k8s.io"
                    | "coordination.k8s.io"
                    | "node.k8s.io"
                    | "rbac.authorization.k8s.io",
                _
            )
    )
}

/// What objects of a kind are kept under in upstream's storage, which some messages tell.
#[must_use]
pub fn stored_as(resource: &Resource) -> &str {
    match (&*resource.group, &*resource.plural) {
        ("", "services") => "services/specs",
        ("", "endpoints") => "services/endpoints",
        ("", "nodes") => "minions",
        ("", "replicationcontrollers") => "controllers",
        ("networking.k8s.io", "ingresses") => "ingress",
        (_, plural) => plural,
    }
}

/// Whether dependents are left alone unless the client says otherwise: kinds as old as that.
#[must_use]
pub fn orphans_by_default(resource: &Resource) -> bool {
    resource.is("batch", "jobs") || resource.is("", "replicationcontrollers")
}

/// Whether the collector looks for dependents: events are taken to have none (`rest.Unsupported`).
#[must_use]
pub fn may_own(resource: &Resource) -> bool {
    !resource.is("", "events") && !resource.is("events.k8s.io", "events")
}

/// Whether DELETE answers with the object even when it is gone.
#[must_use]
pub fn returns_deleted(resource: &Resource) -> bool {
    matches!(
        (&*resource.group, &*resource.plural),
        (
            "",
            "pods"
                | "services"
                | "serviceaccounts"
                | "persistentvolumes"
                | "persistentvolumeclaims"
                | "podtemplates"
                | "resourcequotas"
        ) | ("resource.k8s.io", _)
            | (
                "storage.k8s.io",
                "csidrivers"
                    | "csinodes"
                    | "storageclasses"
                    | "volumeattachments"
                    | "volumeattributesclasses"
            )
    )
}

/// What a kind makes of its own fields when it is decoded.
pub(crate) fn complete(resource: &Resource, value: &mut Value) {
    match (&*resource.group, &*resource.plural) {
        ("", "secrets") => take_string_data(value),
        ("", "namespaces") => namespaces::label(value),
        ("apiregistration.k8s.io", "apiservices") => crate::api_services::complete(value),
        ("apiextensions.k8s.io", "customresourcedefinitions") => crate::crd::sync::complete(value),
        _ => {}
    }
}

/// The state of a new object that clients do not set.
pub(crate) fn prepare_create(
    turn: &mut Turn<'_>,
    call: &Call,
    value: &mut Value,
) -> Result<(), ApiError> {
    let resource = &call.resource;
    if resource.has_status()
        && !keeps_status(resource)
        && let Some(object) = value.as_object_mut()
    {
        object.remove("status");
    }
    match (&*resource.group, &*resource.plural) {
        ("", "namespaces") => namespaces::prepare(value),
        ("", "pods") => pods::prepare(value, turn),
        ("", "persistentvolumes") => {
            let now = turn.began.rfc3339();
            value["status"] = json!({"phase": "Pending", "lastPhaseTransitionTime": now});
        }
        ("", "persistentvolumeclaims") => value["status"] = json!({"phase": "Pending"}),
        ("coordination.k8s.io", "leases") => drop_coordination(value, &Value::Null),
        ("resource.k8s.io", "resourceslices") => drop_lists(value),
        // Who gives none a name gets one that nobody has.
        ("", "limitranges") if meta::name(value).is_empty() => {
            meta::set(value, "name", turn.rng.uuid());
        }
        ("certificates.k8s.io", "certificatesigningrequests") => set_requestor(call, value),
        ("apps", "daemonsets") => kind_defaults::count_templates(value, None, false),
        ("apps", "statefulsets") => drop_unavailable(value, &Value::Null),
        ("batch", "jobs") => kind_defaults::select_by_uid(value),
        ("apiextensions.k8s.io", "customresourcedefinitions") => crate::crd::sync::prepare(value),
        ("apiregistration.k8s.io", "apiservices") => crate::api_services::begin(value, turn.began),
        _ => {}
    }
    fill_empty_status(resource, value);
    Ok(())
}

/// Nodes come with the status that their kubelet reports.
fn keeps_status(resource: &Resource) -> bool {
    resource.is("", "nodes")
}

/// Go writes the status of built-in kinds by value, so it is there even when nothing is in it.
fn fill_empty_status(resource: &Resource, value: &mut Value) {
    if resource.custom.is_none() && resource.has_status() {
        shape::normalize(value, schemas::of(resource));
    }
    forget_empty_lists(resource, value);
}

/// What upstream stores in protobuf has no empty lists; definitions it stores as JSON.
fn forget_empty_lists(resource: &Resource, value: &mut Value) {
    if resource.custom.is_none() && resource.group != "apiextensions.k8s.io" {
        shape::forget_empty_lists(value, schemas::of(resource));
    }
}

/// Who asks for a certificate is whoever makes the request, whatever it says.
fn set_requestor(call: &Call, request: &mut Value) {
    let Some(spec) = request.get_mut("spec").and_then(Value::as_object_mut) else { return };
    for name in ["username", "uid", "groups", "extra"] {
        spec.remove(name);
    }
    let user = &call.user;
    spec.insert("username".to_owned(), user.name.as_str().into());
    if !user.uid.is_empty() {
        spec.insert("uid".to_owned(), user.uid.as_str().into());
    }
    if !user.groups.is_empty() {
        spec.insert("groups".to_owned(), user.groups.clone().into());
    }
    if !user.extra.is_empty() {
        spec.insert("extra".to_owned(), json!(user.extra));
    }
}

/// `stringData` is written into `data` and forgotten.
fn take_string_data(secret: &mut Value) {
    use base64::Engine as _;
    let Some(object) = secret.as_object_mut() else { return };
    let Some(Value::Object(plain)) = object.remove("stringData") else { return };
    let data = object.entry("data").or_insert_with(|| json!({}));
    for (name, text) in plain {
        let text = text.as_str().unwrap_or_default();
        data[name] = base64::engine::general_purpose::STANDARD.encode(text).into();
    }
}

/// Takes from the stored object what the addressed part does not include (V4.7).
pub(crate) fn prepare_update(call: &Call, new: &mut Value, old: &Value, now: Now) {
    let resource = &call.resource;
    meta::copy(new, old, &["creationTimestamp"]);
    match &*call.subresource {
        "status" if resource.custom.is_some() => status::keep_all_else(new, old),
        "status" => status::prepare(resource, new, old, now),
        "approval" => certificates::prepare_approval(new, old, now),
        part if resource.is("", "pods") && !part.is_empty() => pods::keep_rest(part, new, old),
        "" if resource.has_status() => keep_member(new, old, "status"),
        _ => {}
    }
    match (&*resource.group, &*resource.plural) {
        ("", "namespaces") if call.subresource.is_empty() => {
            keep_pointer(new, old, "spec", "finalizers");
        }
        ("", "pods") if call.subresource.is_empty() => kind_defaults::admit_tolerations(new),
        ("certificates.k8s.io", "certificatesigningrequests") => keep_member(new, old, "spec"),
        ("coordination.k8s.io", "leases") => drop_coordination(new, old),
        ("resource.k8s.io", "resourceslices") => drop_lists(new),
        ("apps", "statefulsets") => drop_unavailable(new, old),
        ("apps", "daemonsets") => {
            let changed = new["spec"]["template"] != old["spec"]["template"];
            kind_defaults::count_templates(new, Some(old), changed);
        }
        _ => {}
    }
    forget_empty_lists(resource, new);
}

/// Coordinated leader election is off (the gate `CoordinatedLeaderElection`), and its fields go where they were not.
fn drop_coordination(new: &mut Value, old: &Value) {
    let Some(spec) = new["spec"].as_object_mut() else { return };
    for name in ["strategy", "preferredHolder"] {
        if old["spec"][name].is_null() {
            spec.remove(name);
        }
    }
}

/// How many pods of a stateful set may be missing at a time is of a gate that is off (`MaxUnavailableStatefulSet`), and goes
/// where it was not said before.
fn drop_unavailable(new: &mut Value, old: &Value) {
    const ROLLING: &str = "/spec/updateStrategy/rollingUpdate";
    const BOUND: &str = "maxUnavailable";
    let is_said = old.pointer(ROLLING).is_some_and(|rolling| !rolling[BOUND].is_null());
    let rolling = new.pointer_mut(ROLLING).filter(|_| !is_said);
    rolling.and_then(Value::as_object_mut).map(|rolling| rolling.remove(BOUND));
}

/// Attributes of devices that are lists are of a gate that is off (`DRAListTypeAttributes`).
fn drop_lists(slice: &mut Value) {
    let devices = slice.pointer_mut("/spec/devices").and_then(Value::as_array_mut);
    for device in devices.into_iter().flatten() {
        let attributes = device.get_mut("attributes").and_then(Value::as_object_mut);
        for attribute in attributes.into_iter().flat_map(|all| all.values_mut()) {
            let Some(attribute) = attribute.as_object_mut() else { continue };
            for list in ["bools", "ints", "strings", "versions"] {
                attribute.remove(list);
            }
        }
    }
}

pub(super) fn keep_member(new: &mut Value, old: &Value, name: &str) {
    let Some(object) = new.as_object_mut() else { return };
    match old.get(name) {
        Some(value) => object.insert(name.to_owned(), value.clone()),
        None => object.remove(name),
    };
}

pub(super) fn keep_pointer(new: &mut Value, old: &Value, outer: &str, inner: &str) {
    if !new[outer].is_object() {
        new[outer] = json!({});
    }
    keep_member(&mut new[outer], &old[outer], inner);
}

/// V4.5: whether something changed that controllers act upon.
#[must_use]
pub fn wants_differ(call: &Call, new: &Value, old: &Value) -> bool {
    // Upstream begins to count of priority classes, and leaves it at that (`PrepareForUpdate` of their strategy).
    let is_never_counted = call.resource.is("scheduling.k8s.io", "priorityclasses");
    if is_never_counted || matches!(&*call.subresource, "status" | "binding") {
        return false;
    }
    let status = call.resource.has_status() && call.resource.custom.is_some()
        || call.resource.custom.is_none();
    let wants = |value: &Value| {
        let mut value = value.clone();
        if let Some(object) = value.as_object_mut() {
            object.remove("metadata");
            object.remove("kind");
            object.remove("apiVersion");
            if status {
                object.remove("status");
            }
        }
        value
    };
    let differ = |name: &str| new["metadata"][name] != old["metadata"][name];
    let marks = match () {
        () if call.resource.is("apps", "deployments") => differ("annotations"),
        () if call.resource.is("discovery.k8s.io", "endpointslices") => differ("labels"),
        () => false,
    };
    marks || wants(new) != wants(old)
}

/// V6.2: whether the object goes now that this state is reached.
#[must_use]
pub fn goes_with_update(resource: &Resource, new: &Value, old: &Value) -> bool {
    let grace = old["metadata"]["deletionGracePeriodSeconds"].as_i64().unwrap_or(0);
    meta::is_deleting(old)
        && grace == 0
        && meta::finalizers(new).is_empty()
        && !namespaces::is_held(resource, new)
}

/// V6.4: how long a pod may take: none when it runs nowhere or has ended.
#[must_use]
pub fn pod_grace(pod: &Value, asked: Option<i64>) -> i64 {
    let ended = matches!(pod["status"]["phase"].as_str(), Some("Failed" | "Succeeded"));
    if pod["spec"]["nodeName"].as_str().is_none_or(str::is_empty) || ended {
        return 0;
    }
    let own = pod["spec"]["terminationGracePeriodSeconds"].as_i64();
    let grace = asked.or(own).unwrap_or(30);
    if grace < 0 { 1 } else { grace }
}

/// Refuses what breaks the rules of metadata, kind or schema. `sent` gives the object before anything was dropped from
/// it, where that is known.
///
/// # Errors
///
/// 422 with every broken rule as a cause.
pub(crate) fn validate(
    turn: &mut Turn<'_>,
    call: &Call,
    old: Option<&Value>,
    new: &Value,
    sent: impl FnOnce() -> Option<Value>,
) -> Result<(), Halt> {
    let schemas::Said { mut causes, warnings } =
        schemas::validate(&call.resource, &call.subresource, old, new);
    let sent = may_show_sent(&call.resource, &causes).then(sent).flatten();
    if let Some(sent) = sent {
        causes = schemas::causes_as_sent(&call.resource, old, new, &sent);
    }
    warnings.into_iter().for_each(|warning| turn.warn(warning));
    let refused = claims::refusals(turn.core, call, old, new);
    let causes: Vec<Cause> = refused.into_iter().chain(causes).collect();
    if causes.is_empty() {
        return Ok(());
    }
    let resource = &call.resource;
    // Inside of upstream an event is of one group, whatever it was written as.
    let group = if resource.group == "events.k8s.io" { "" } else { &*resource.group };
    Err(ApiError::invalid(group, &resource.kind, meta::name(new), causes).into())
}

/// Whether what is wrong with an object may show a part of it as it was sent, which takes that it is judged once more.
/// Nothing that is said of a definition does, and it may be megabytes.
fn may_show_sent(resource: &Resource, causes: &[Cause]) -> bool {
    let shows = |cause: &Cause| {
        let reasons = [Reason::Invalid, Reason::Forbidden];
        reasons.into_iter().any(|reason| reason.cause() == cause.reason)
    };
    !resource.is("apiextensions.k8s.io", "customresourcedefinitions") && causes.iter().any(shows)
}

#[cfg(test)]
mod tests;
