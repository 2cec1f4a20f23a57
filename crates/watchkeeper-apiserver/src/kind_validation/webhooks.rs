//! Configurations of webhooks (`pkg/apis/admissionregistration/validation`,
//! `webhook/validation.go`).

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::expression::Environment;

use super::{Check, Place, expressions, names, selector};

const OPERATIONS: [&str; 5] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const FORM: &str = "; desired format: https://host[/path]";

/// What is wrong with the webhooks of a configuration. What was wrong before in the same way, and
/// is only left as it is, is forgiven as upstream forgives it: side effects, review versions,
/// names, conditions.
pub(super) fn configuration(check: &mut Check<'_>) {
    let new = check.new;
    let forgiven = check.old.map_or_else(Forgiven::default, |old| Forgiven::of(old, new));
    let mut seen = BTreeSet::new();
    for hook in check.at("webhooks").items() {
        webhook(check, &hook, &forgiven);
        review_versions(check, &hook.member("admissionReviewVersions"), &forgiven);
        let name = hook.member("name");
        if !forgiven.names && !name.is_empty() && !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
    }
}

/// What an update need not make right.
#[derive(Default)]
struct Forgiven {
    effects: bool,
    versions: bool,
    names: bool,
    conditions: bool,
}

impl Forgiven {
    fn of(old: &Value, new: &Value) -> Self {
        let hooks = || old["webhooks"].as_array().into_iter().flatten();
        let none =
            |hook: &Value| matches!(hook["sideEffects"].as_str(), Some("None" | "NoneOnDryRun"));
        let known = |hook: &Value| {
            let versions = hook["admissionReviewVersions"].as_array();
            versions.is_none_or(|all| all.is_empty() || all.iter().any(is_known))
        };
        let conditions = |configuration: &Value| -> Vec<Value> {
            let hooks = configuration["webhooks"].as_array().into_iter().flatten();
            hooks.map(|hook| hook["matchConditions"].clone()).collect()
        };
        let mut seen = BTreeSet::new();
        Self {
            effects: !hooks().all(none),
            versions: !hooks().all(known),
            names: !hooks().all(|hook| seen.insert(hook["name"].as_str())),
            conditions: conditions(old) == conditions(new),
        }
    }
}

fn is_known(version: &Value) -> bool {
    matches!(version.as_str(), Some("v1" | "v1beta1"))
}

fn review_versions(check: &mut Check<'_>, place: &Place<'_>, forgiven: &Forgiven) {
    let versions = place.items();
    if versions.is_empty() {
        let detail = "must specify one of v1, v1beta1";
        check.push(FieldError::required(&*place.path, detail));
        return;
    }
    let mut seen = BTreeSet::new();
    for version in &versions {
        if !seen.insert(version.text()) {
            let detail = "duplicate version";
            check.push(FieldError::invalid(&*version.path, version.text(), detail));
            continue;
        }
        check.all(version, version.text(), names::label_1035(version.text()));
    }
    if !forgiven.versions && !versions.iter().filter_map(|version| version.value).any(is_known) {
        let detail = "must include at least one of v1, v1beta1";
        let value = place.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*place.path, value, detail));
    }
}

fn webhook(check: &mut Check<'_>, hook: &Place<'_>, forgiven: &Forgiven) {
    full_name(check, &hook.member("name"));
    for rule in hook.member("rules").items() {
        with_operations(check, &rule);
    }
    check.optional(&hook.member("failurePolicy"), &["Fail", "Ignore"]);
    check.optional(&hook.member("matchPolicy"), &["Equivalent", "Exact"]);
    side_effects(check, &hook.member("sideEffects"), forgiven);
    let timeout = hook.member("timeoutSeconds");
    if let Some(seconds) = timeout.number().filter(|seconds| !(1..=30).contains(seconds)) {
        let detail = "the timeout value must be between 1 and 30 seconds";
        check.push(FieldError::invalid(&*timeout.path, seconds, detail));
    }
    selector::check(check, &hook.member("namespaceSelector"));
    selector::check(check, &hook.member("objectSelector"));
    check.optional(&hook.member("reinvocationPolicy"), &["IfNeeded", "Never"]);
    client(check, &hook.member("clientConfig"));
    if !forgiven.conditions {
        let environment = Environment::admission();
        expressions::conditions(check, &hook.member("matchConditions"), &environment);
    }
}

fn side_effects(check: &mut Check<'_>, place: &Place<'_>, forgiven: &Forgiven) {
    let allowed: &[&str] = match forgiven.effects {
        true => &["None", "NoneOnDryRun", "Some", "Unknown"],
        false => &["None", "NoneOnDryRun"],
    };
    if place.is_missing() {
        let detail = format!("must specify one of {}", allowed.join(", "));
        check.push(FieldError::required(&*place.path, detail));
    }
    check.optional(place, allowed);
}

/// A domain of three segments at least.
fn full_name(check: &mut Check<'_>, place: &Place<'_>) {
    let wrong = names::subdomain(place.text());
    if place.is_empty() {
        check.push(FieldError::required(&*place.path, ""));
    } else if !wrong.is_empty() {
        check.push(FieldError::invalid(&*place.path, place.text(), wrong.join(",")));
    } else if place.text().split('.').count() < 3 {
        let detail = "should be a domain with at least three segments separated by dots";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}

/// A rule about operations and resources.
pub(super) fn with_operations(check: &mut Check<'_>, rule: &Place<'_>) {
    let operations = rule.member("operations");
    lonely(check, &operations, "operations");
    for operation in operations.items() {
        if !OPERATIONS.contains(&operation.text()) {
            let path = &*operation.path;
            check.push(FieldError::not_supported(path, operation.text(), OPERATIONS));
        }
    }
    lonely(check, &rule.member("apiGroups"), "API groups");
    let versions = rule.member("apiVersions");
    lonely(check, &versions, "API versions");
    for version in versions.items().iter().filter(|version| version.is_empty()) {
        check.push(FieldError::required(&*version.path, ""));
    }
    resources(check, &rule.member("resources"));
    check.optional(&rule.member("scope"), &["*", "Cluster", "Namespaced"]);
}

/// A list that is not empty, and in which a star has no company.
fn lonely(check: &mut Check<'_>, place: &Place<'_>, what: &str) {
    let all = place.items();
    if all.is_empty() {
        check.push(FieldError::required(&*place.path, ""));
    } else if all.len() > 1 && all.iter().any(|one| one.text() == "*") {
        let detail = format!("if '*' is present, must not specify other {what}");
        let value = place.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*place.path, value, detail));
    }
}

fn resources(check: &mut Check<'_>, place: &Place<'_>) {
    let all = place.items();
    if all.is_empty() {
        check.push(FieldError::required(&*place.path, ""));
    }
    let (mut of_any, mut any_of) = (BTreeSet::new(), BTreeSet::new());
    let mut without_part = false;
    for one in &all {
        let text = one.text();
        if text.is_empty() {
            check.push(FieldError::required(&*one.path, ""));
            continue;
        }
        let Some((resource, part)) = text.split_once('/') else {
            without_part = text != "*";
            continue;
        };
        let mut clash = |is: bool, star: String| {
            if is {
                let detail = format!("if '{star}' is present, must not specify {text}");
                check.push(FieldError::invalid(&*one.path, text, detail));
            }
        };
        clash(of_any.contains(resource), format!("{resource}/*"));
        clash(any_of.contains(part), format!("*/{part}"));
        if part == "*" {
            of_any.insert(resource);
        }
        if resource == "*" {
            any_of.insert(part);
        }
    }
    let has = |text: &str| all.iter().any(|one| one.text() == text);
    let value = || place.value.cloned().unwrap_or_default();
    if all.len() > 1 && has("*/*") {
        let detail = "if '*/*' is present, must not specify other resources";
        check.push(FieldError::invalid(&*place.path, value(), detail));
    }
    if has("*") && without_part {
        let detail = "if '*' is present, must not specify other resources without subresources";
        check.push(FieldError::invalid(&*place.path, value(), detail));
    }
}

/// Whom a configuration names.
pub(super) fn client(check: &mut Check<'_>, place: &Place<'_>) {
    let (url, service) = (place.member("url"), place.member("service"));
    match (url.is_missing(), service.is_missing()) {
        (false, true) => address(check, &url),
        (true, false) => reference(check, &service),
        _ => {
            let detail = "exactly one of url or service is required";
            check.push(FieldError::required(&*place.path, detail));
        }
    }
}

fn address(check: &mut Check<'_>, place: &Place<'_>) {
    let text = place.text();
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (scheme, after) = rest.split_once("://").unwrap_or(("", ""));
    let authority = after.split('/').next().unwrap_or_default();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let mut say = |wrong: bool, value: &str, detail: &str| {
        if wrong {
            check.push(FieldError::invalid(&*place.path, value, detail));
        }
    };
    say(scheme != "https", scheme, &format!("'https' is the only allowed URL scheme{FORM}"));
    say(host.is_empty(), host, &format!("host must be specified{FORM}"));
    say(authority.contains('@'), user, "user information is not permitted in the URL");
    say(!fragment.is_empty(), fragment, "fragments are not permitted in the URL");
    say(!query.is_empty(), query, "query parameters are not permitted in the URL");
}

fn reference(check: &mut Check<'_>, place: &Place<'_>) {
    // Upstream takes the two for each other.
    for (name, missing) in [("name", "namespace"), ("namespace", "name")] {
        if place.member(missing).is_empty() {
            check.push(FieldError::required(place.member(name).path, ""));
        }
    }
    let port = place.member("port");
    if let Some(number) = port.number() {
        let wrong = names::port_number(number);
        if !wrong.is_empty() {
            let detail = format!("port is not valid: {}", wrong.join(", "));
            check.push(FieldError::invalid(&*port.path, number, detail));
        }
    }
    path(check, &place.member("path"));
}

fn path(check: &mut Check<'_>, place: &Place<'_>) {
    let text = place.text();
    let mut say = |detail: String| check.push(FieldError::invalid(&*place.path, text, detail));
    if matches!(text, "" | "/") {
        return;
    }
    if text == "//" {
        return say("segment[0] may not be empty".to_owned());
    }
    if !text.starts_with('/') {
        say("must start with a '/'".to_owned());
    }
    let mut rest = text.chars();
    rest.next();
    let rest = rest.as_str();
    for (index, step) in rest.strip_suffix('/').unwrap_or(rest).split('/').enumerate() {
        if step.is_empty() {
            say(format!("segment[{index}] may not be empty"));
            continue;
        }
        for wrong in names::subdomain(step) {
            say(format!("segment[{index}]: {wrong}"));
        }
    }
}
