//! Data, namespaces, leases, budgets, revisions and priorities.

use serde_json::Value;
use watchkeeper_schema::error::key;
use watchkeeper_schema::{FieldError, Reason};

use super::pod::running;
use super::{Check, Place, internal, metadata, names, selector};
use crate::go::go_bytes;
use crate::request::syntax;

/// The most bytes that the data of a config map or secret may have.
const MOST_BYTES: u64 = 1024 * 1024;

pub(super) fn config_map(check: &mut Check<'_>) {
    stays(check, &["data", "binaryData"]);
    metadata::whole_again(check);
    let mut size = entries(check, &check.at("data"), str::len);
    size += entries(check, &check.at("binaryData"), bytes_of);
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
}

pub(super) fn secret(check: &mut Check<'_>) {
    check.immutable("type");
    stays(check, &["data"]);
    metadata::whole_again(check);
    let data = check.at("data");
    if entries(check, &data, bytes_of) > MOST_BYTES {
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
    if check.at("type").text() == "kubernetes.io/service-account-token" {
        let account = "kubernetes.io/service-account.name";
        let annotations = check.at("metadata.annotations");
        if annotations.member(account).is_empty() {
            check.push(FieldError::required(key(&annotations.path, account), ""));
        }
    }
    let required: &[&str] = match check.at("type").text() {
        "kubernetes.io/dockercfg" => &[".dockercfg"],
        "kubernetes.io/dockerconfigjson" => &[".dockerconfigjson"],
        "kubernetes.io/ssh-auth" => &["ssh-privatekey"],
        "kubernetes.io/tls" => &["tls.crt", "tls.key"],
        _ => &[],
    };
    // Of these the others may be empty.
    let is_there = |part: &Place<'_>| match check.at("type").text() {
        "kubernetes.io/ssh-auth" => !part.text().is_empty(),
        _ => !part.is_missing(),
    };
    let (there, missing): (Vec<&str>, Vec<&str>) =
        required.iter().partition(|name| is_there(&data.member(name)));
    for name in missing {
        check.push(FieldError::required(key(&data.path, name), ""));
    }
    for name in there.into_iter().filter(|name| name.starts_with(".docker")) {
        if let Some(why) = no_object(data.member(name).text()) {
            let hidden = "<secret contents redacted>";
            check.push(FieldError::invalid(key(&data.path, name), hidden, why));
        }
    }
}

/// Why a text in base64 is no JSON object, in Go's words; none where it is one, or `null`.
fn no_object(text: &str) -> Option<String> {
    let bytes = go_bytes(text)?;
    if let Some(wrong) = syntax::error(&bytes) {
        return Some(wrong);
    }
    let kind = match bytes.trim_ascii_start().first()? {
        b'{' | b'n' => return None,
        b'[' => "array",
        b'"' => "string",
        b't' | b'f' => "bool",
        _ => "number",
    };
    Some(format!("json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}"))
}

/// How many bytes a text in base64 stands for. It is written as Go writes it.
fn bytes_of(text: &str) -> usize {
    let padding = text.len() - text.trim_end_matches('=').len();
    (text.len() / 4 * 3).saturating_sub(padding)
}

/// Checks the keys, and gives the size of the values.
fn entries(check: &mut Check<'_>, place: &Place<'_>, size_of: fn(&str) -> usize) -> u64 {
    let mut size = 0;
    for (name, value) in place.entries() {
        let at = Place { value: None, path: key(&place.path, name) };
        check.all(&at, name, names::config_key(name));
        size += size_of(value) as u64;
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

/// What holds a new namespace (`ValidateNamespace`). An update leaves it to a subresource.
pub(super) fn namespace(check: &mut Check<'_>) {
    if check.old.is_some() {
        return;
    }
    let all = check.at("spec.finalizers");
    for finalizer in all.items() {
        let place = Place { path: all.path.clone(), ..finalizer };
        check.all(&place, place.text(), names::qualified(place.text()));
        metadata::known_finalizer(check, &place);
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
    let policies = ["AlwaysAllow", "IfHealthyBudget"];
    check.optional(&spec.member("unhealthyPodEvictionPolicy"), &policies);
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
    let Some(old) = check.old else {
        let is_ours = check.at("metadata.name").text().starts_with("system-");
        if !is_ours && check.at("value").number().is_some_and(|value| value > HIGHEST) {
            let detail = format!("maximum allowed value of a user defined priority is {HIGHEST}");
            check.push(FieldError::forbidden("value", detail));
        }
        return running::preemption(check, &check.at("preemptionPolicy"));
    };
    if old.get("value") != check.new.get("value") {
        check.push(FieldError::forbidden("value", "may not be changed in an update."));
    }
    check.immutable("preemptionPolicy");
}

pub(super) fn lease(check: &mut Check<'_>) {
    let duration = check.at("spec.leaseDurationSeconds");
    if let Some(seconds) = duration.number().filter(|seconds| *seconds <= 0) {
        let detail = "must be greater than 0";
        check.push(FieldError::invalid(&*duration.path, seconds, detail));
    }
    check.not_negative(&check.at("spec.leaseTransitions"));
}
