//! Data, leases and RBAC.

use serde_json::Value;
use watchkeeper_schema::error::key;
use watchkeeper_schema::{FieldError, Reason};

use super::{Check, Place, internal, names, selector};

/// The most bytes that the data of a config map or secret may have.
const MOST_BYTES: u64 = 1024 * 1024;

pub(super) fn config_map(check: &mut Check<'_>) {
    let mut size = 0;
    for path in ["data", "binaryData"] {
        size += entries(check, &check.at(path));
    }
    let binary = check.at("binaryData");
    for (name, _) in check.at("data").entries() {
        if !binary.member(name).is_missing() {
            let detail = "duplicate of key present in binaryData";
            check.push(FieldError::invalid(key("data", name), name, detail));
        }
    }
    if size > MOST_BYTES {
        check.push(FieldError::too_long("[]", MOST_BYTES));
    }
    stays(check, &["data", "binaryData"]);
}

pub(super) fn secret(check: &mut Check<'_>) {
    check.immutable("type");
    stays(check, &["data"]);
    let data = check.at("data");
    if entries(check, &data) > MOST_BYTES {
        check.push(FieldError::too_long(&*data.path, MOST_BYTES));
    }
    let either = ["username", "password"];
    // Nothing may be in them, but one has to be there.
    let has = |name: &&str| data.value.is_some_and(|data| data.get(*name).is_some());
    if check.at("type").text() == "kubernetes.io/basic-auth" && !either.iter().any(has) {
        for name in either {
            check.push(FieldError::required(key(&data.path, name), ""));
        }
    }
    let required: &[&str] = match check.at("type").text() {
        "kubernetes.io/dockercfg" => &[".dockercfg"],
        "kubernetes.io/dockerconfigjson" => &[".dockerconfigjson"],
        "kubernetes.io/ssh-auth" => &["ssh-privatekey"],
        "kubernetes.io/tls" => &["tls.crt", "tls.key"],
        _ => &[],
    };
    for name in required.iter().filter(|name| data.member(name).is_missing()) {
        check.push(FieldError::required(key(&data.path, name), ""));
    }
}

/// Checks the keys, and gives the size of the values.
fn entries(check: &mut Check<'_>, place: &Place<'_>) -> u64 {
    let mut size = 0;
    for (name, value) in place.entries() {
        let at = Place { value: None, path: key(&place.path, name) };
        check.all(&at, name, names::config_key(name));
        size += value.len() as u64;
    }
    size
}

/// An immutable object keeps its data, and stays immutable.
fn stays(check: &mut Check<'_>, parts: &[&str]) {
    let is_immutable = |object: &Value| object.get("immutable") == Some(&Value::Bool(true));
    let Some(old) = check.old.filter(|old| is_immutable(old)) else { return };
    if !is_immutable(check.new) {
        let detail = "field is immutable when `immutable` is set";
        check.push(FieldError::forbidden("immutable", detail));
    }
    for part in parts.iter().filter(|part| old.get(**part) != check.new.get(**part)) {
        let detail = "field is immutable when `immutable` is set";
        check.push(FieldError::forbidden(*part, detail));
    }
}

/// An Event lives beside what it is about; of what has no namespace, in `default`. One with a time of its own says
/// who reports what was done.
pub(super) fn event(check: &mut Check<'_>) {
    let own = check.at("metadata.namespace");
    // Of the two versions of events one calls it otherwise; upstream tells of the other.
    let mut about = check.at("involvedObject.namespace");
    if about.is_empty() {
        about.value = check.at("regarding.namespace").value;
    }
    let is_new = !check.at("eventTime").is_empty();
    let fits = match (about.text(), is_new) {
        ("", false) => matches!(own.text(), "" | "default"),
        ("", true) => matches!(own.text(), "default" | "kube-system"),
        (namespace, false) => own.text() == namespace,
        (_, true) => true,
    };
    if !fits {
        let detail = "does not match event.namespace";
        check.push(FieldError::invalid(&*about.path, about.text(), detail));
    }
    if is_new {
        reported(check);
    }
    if check.old.is_some() && check.new.get("apiVersion").is_some_and(|of| of != "v1") {
        event_stays(check);
    }
}

/// In the newer of the two versions an event stays as it is; upstream has the names of the older one.
fn event_stays(check: &mut Check<'_>) {
    let is_same = |check: &Check<'_>, name: &str| {
        let value = |object: Option<&Value>| object.and_then(|of| of.get(name)).cloned();
        value(check.old) == value(Some(check.new))
    };
    if !is_same(check, "regarding") {
        let model = "io.k8s.api.core.v1.ObjectReference";
        let error = super::changed("involvedObject", model, check.new.get("regarding"));
        check.push(error);
    }
    for (name, told) in [
        ("reason", "reason"),
        ("note", "message"),
        ("reason", "reason"),
        ("type", "type"),
        ("action", "action"),
    ] {
        let now = check.at(name).text();
        if !is_same(check, name) {
            check.push(FieldError::invalid(told, now, "field is immutable"));
        }
    }
    if !is_same(check, "related") {
        let now = check.at("related");
        match now.value {
            None => check.push(FieldError::invalid("related", Value::Null, "field is immutable")),
            value => {
                let model = "io.k8s.api.core.v1.ObjectReference";
                check.push(super::changed("related", model, value));
            }
        }
    }
    for name in ["reportingController", "reportingInstance"] {
        check.immutable_text(name);
    }
}

/// Who saw what, and what was done.
fn reported(check: &mut Check<'_>) {
    let is_core = check.new.get("apiVersion").is_some_and(|version| version == "v1");
    let path = if is_core { "reportingComponent" } else { "reportingController" };
    let mut controller = check.at("reportingController");
    if controller.is_empty() {
        controller = check.at("reportingComponent");
    }
    if controller.is_empty() {
        check.push(FieldError::required(path, ""));
    }
    let controller = Place { value: controller.value, path: path.to_owned() };
    check.all(&controller, controller.text(), names::qualified(controller.text()));
    for name in ["reportingInstance", "action", "reason"] {
        let place = check.at(name);
        if place.is_empty() {
            check.push(FieldError::required(&*place.path, ""));
        }
    }
}

/// A budget is told one way, as a number or a share.
pub(super) fn disruption_budget(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let bounds = ["minAvailable", "maxUnavailable"].map(|name| spec.member(name));
    if bounds.iter().all(|bound| !bound.is_missing()) {
        let shown = internal::shown("io.k8s.api.policy.v1.PodDisruptionBudgetSpec", spec.value);
        let detail = format!("{shown}: minAvailable and maxUnavailable cannot be both set");
        check.push(FieldError::new(Reason::Invalid, &*spec.path, None, detail));
    }
    for bound in bounds.iter().filter(|bound| !bound.is_missing()) {
        match bound.number() {
            Some(_) => check.not_negative(bound),
            None => share(check, bound),
        }
    }
    selector::check(check, &spec.member("selector"));
    let (policy, known) =
        (spec.member("unhealthyPodEvictionPolicy"), ["AlwaysAllow", "IfHealthyBudget"]);
    if !policy.is_missing() && !known.contains(&policy.text()) {
        check.push(FieldError::not_supported(&*policy.path, policy.text(), known));
    }
}

/// `30%`
fn share(check: &mut Check<'_>, place: &Place<'_>) {
    let number = place.text().strip_suffix('%').filter(|digits| !digits.is_empty());
    let number = number.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let detail = match number.map(str::parse::<u64>) {
        None => {
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%', \
             \u{20}or '93%', regex used for validation is '[0-9]+%')"
        }
        Some(Ok(..=100)) => return,
        Some(_) => "must not be greater than 100%",
    };
    check.push(FieldError::invalid(&*place.path, place.text(), detail));
}

/// A revision has an object in it, and keeps it.
pub(super) fn controller_revision(check: &mut Check<'_>) {
    check.not_negative(&check.at("revision"));
    let data = check.at("data");
    if check.old.is_some() {
        return check.immutable("data");
    }
    match data.value {
        None => check.push(FieldError::required("data", "data is mandatory")),
        Some(Value::Object(_)) => {}
        Some(_) => {
            check.push(FieldError::required("data", "data must be a valid JSON object"));
        }
    }
}

/// The value of a priority class stays, and leaves room for those of the system.
pub(super) fn priority_class(check: &mut Check<'_>) {
    const HIGHEST: i64 = 1_000_000_000;
    let is_ours = check.at("metadata.name").text().starts_with("system-");
    if !is_ours && check.at("value").number().is_some_and(|value| value > HIGHEST) {
        let detail = format!("maximum allowed value of a user defined priority is {HIGHEST}");
        check.push(FieldError::forbidden("value", detail));
    }
    if check.old.is_some_and(|old| old.get("value") != check.new.get("value")) {
        check.push(FieldError::forbidden("value", "may not be changed in an update."));
    }
}

pub(super) fn lease(check: &mut Check<'_>) {
    let duration = check.at("spec.leaseDurationSeconds");
    if let Some(seconds) = duration.number().filter(|seconds| *seconds <= 0) {
        let detail = "must be greater than 0";
        check.push(FieldError::invalid(&*duration.path, seconds, detail));
    }
    check.not_negative(&check.at("spec.leaseTransitions"));
}

pub(super) fn role_binding(check: &mut Check<'_>, kind: &str) {
    let group = check.at("roleRef.apiGroup");
    if group.text() != "rbac.authorization.k8s.io" {
        let allowed = ["rbac.authorization.k8s.io"];
        check.push(FieldError::not_supported(&*group.path, group.text(), allowed));
    }
    let of = check.at("roleRef.kind");
    let allowed: &[&str] =
        if kind == "RoleBinding" { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
    if !allowed.contains(&of.text()) {
        check.push(FieldError::not_supported(&*of.path, of.text(), allowed));
    }
    let name = check.at("roleRef.name");
    check.name(&name, "", names::path_segment);
    for subject in check.at("subjects").items() {
        self::subject(check, &subject, kind == "ClusterRoleBinding");
    }
    if check.old.is_some_and(|old| old.get("roleRef") != check.new.get("roleRef")) {
        let now = check.new.get("roleRef");
        let shown = internal::shown("io.k8s.api.rbac.v1.RoleRef", now);
        let detail = format!("{shown}: cannot change roleRef");
        check.push(FieldError::new(Reason::Invalid, "roleRef", None, detail));
    }
}

fn subject(check: &mut Check<'_>, place: &Place<'_>, needs_namespace: bool) {
    let (name, kind) = (place.member("name"), place.member("kind"));
    if name.is_empty() {
        check.push(FieldError::required(&*name.path, ""));
    }
    match kind.text() {
        "ServiceAccount" => {
            if !name.is_empty() {
                check.all(&name, name.text(), names::subdomain(name.text()));
            }
            let namespace = place.member("namespace");
            if needs_namespace && namespace.is_empty() {
                check.push(FieldError::required(&*namespace.path, ""));
            }
        }
        "User" | "Group" => {}
        other => {
            let allowed = ["ServiceAccount", "User", "Group"];
            check.push(FieldError::not_supported(&*kind.path, other, allowed));
        }
    }
}

pub(super) fn role(check: &mut Check<'_>) {
    for rule in check.at("rules").items() {
        let verbs = rule.member("verbs");
        if verbs.is_empty() {
            check.push(FieldError::required(&*verbs.path, "verbs must contain at least one value"));
        }
        if !rule.member("nonResourceURLs").is_empty() {
            continue;
        }
        let (groups, resources) = (rule.member("apiGroups"), rule.member("resources"));
        if groups.is_empty() {
            let detail = "resource rules must supply at least one api group";
            check.push(FieldError::required(&*groups.path, detail));
        }
        if resources.is_empty() {
            let detail = "resource rules must supply at least one resource";
            check.push(FieldError::required(&*resources.path, detail));
        }
    }
}
