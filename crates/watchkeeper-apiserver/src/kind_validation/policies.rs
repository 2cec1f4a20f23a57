//! Policies of admission and what binds them (`pkg/apis/admissionregistration/validation`).

mod rules;

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use super::webhooks::with_operations;
use super::{Check, Place, names, selector};

/// A policy that takes objects or not.
pub(super) fn validating(check: &mut Check<'_>) {
    let spec = check.at("spec");
    what_is_met(check, &spec);
    rules::conditions(check, &spec);
    let has_variables = !spec.member("variables").is_empty();
    let mut environment = rules::environment(&spec, has_variables);
    rules::variables(check, &spec.member("variables"), &mut environment);
    let (validations, notes) = (spec.member("validations"), spec.member("auditAnnotations"));
    if validations.is_empty() && notes.is_empty() {
        let detail = "validations or auditAnnotations must contain at least one item";
        check.push(FieldError::required(&*validations.path, detail));
        return check.push(FieldError::required(&*notes.path, detail));
    }
    for validation in validations.items() {
        rules::validation(check, &validation, &environment);
    }
    rules::annotations(check, &notes, &environment);
}

/// A policy that changes objects: those that are made or updated.
pub(super) fn mutating(check: &mut Check<'_>) {
    let spec = check.at("spec");
    what_is_met(check, &spec);
    only_writes(check, &spec.member("matchConstraints"));
    rules::conditions(check, &spec);
    let mut environment = rules::environment(&spec, true);
    rules::variables(check, &spec.member("variables"), &mut environment);
    let mutations = spec.member("mutations");
    if mutations.is_empty() {
        let detail = "mutations must contain at least one item";
        check.push(FieldError::required(&*mutations.path, detail));
    }
    for mutation in mutations.items() {
        rules::mutation(check, &mutation, &environment);
    }
    check.one_of(&spec.member("reinvocationPolicy"), &["IfNeeded", "Never"]);
}

fn what_is_met(check: &mut Check<'_>, spec: &Place<'_>) {
    required(check, &spec.member("failurePolicy"), &["Fail", "Ignore"]);
    parameter_kind(check, &spec.member("paramKind"));
    let met = spec.member("matchConstraints");
    if met.is_missing() {
        return check.push(FieldError::required(&*met.path, ""));
    }
    resources(check, &met);
    let rules = met.member("resourceRules");
    if rules.is_empty() {
        check.push(FieldError::required(&*rules.path, ""));
    }
}

fn required(check: &mut Check<'_>, place: &Place<'_>, known: &[&str]) {
    if place.is_missing() {
        check.push(FieldError::required(&*place.path, ""));
    }
    check.optional(place, known);
}

fn parameter_kind(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_missing() {
        return;
    }
    let (version, kind) = (place.member("apiVersion"), place.member("kind"));
    group_and_version(check, &version);
    let wrong = names::label_1035(&kind.text().to_lowercase());
    if kind.is_empty() {
        check.push(FieldError::required(&*kind.path, ""));
    } else if !wrong.is_empty() {
        let detail =
            format!("may have mixed case, but should otherwise match: {}", wrong.join(","));
        check.push(FieldError::invalid(&*kind.path, kind.text(), detail));
    }
}

/// `apps/v1`, or `v1` alone. What is wrong is shown without the rest.
fn group_and_version(check: &mut Check<'_>, place: &Place<'_>) {
    let text = place.text();
    if text.is_empty() {
        return check.push(FieldError::required(&*place.path, ""));
    }
    let mut wrong = |shown: &str, messages: &[String]| {
        if !messages.is_empty() {
            check.push(FieldError::invalid(&*place.path, shown, messages.join(",")));
        }
    };
    let parts: Vec<&str> = text.split('/').collect();
    match parts[..] {
        [version] => wrong(version, &names::label_1035(version)),
        [group, version] => {
            if !group.is_empty() {
                wrong(group, &names::subdomain(group));
            }
            match version {
                "" => wrong(text, &["version must be specified".to_owned()]),
                version => wrong(version, &names::label_1035(version)),
            }
        }
        _ => wrong(text, &[format!("unexpected GroupVersion string: {text}")]),
    }
}

/// Which requests are met (`validateMatchResources`).
fn resources(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_missing() {
        return;
    }
    required(check, &place.member("matchPolicy"), &["Equivalent", "Exact"]);
    for selector in ["namespaceSelector", "objectSelector"].map(|name| place.member(name)) {
        if selector.is_missing() {
            check.push(FieldError::required(&*selector.path, ""));
        }
        selector::check(check, &selector);
    }
    for list in ["resourceRules", "excludeResourceRules"] {
        for rule in place.member(list).items() {
            let mut seen = BTreeSet::new();
            for name in rule.member("resourceNames").items() {
                check.all(&name, name.text(), names::path_segment(name.text()));
                if !seen.insert(name.text()) {
                    check.push(FieldError::duplicate(&*name.path, name.text()));
                }
            }
            with_operations(check, &rule);
        }
    }
}

/// Upstream does not tell which rule it speaks of.
fn only_writes(check: &mut Check<'_>, place: &Place<'_>) {
    let path = child(&child(&place.path, "resourceRules"), "operations");
    let rules = place.member("resourceRules").items();
    for operation in rules.iter().flat_map(|rule| rule.member("operations").items()) {
        let known = ["*", "CONNECT", "CREATE", "UPDATE"];
        if !known.contains(&operation.text()) {
            check.push(FieldError::not_supported(&*path, operation.text(), known));
        }
    }
}

/// Which policy holds, for what, and what comes of it.
pub(super) fn validating_binding(check: &mut Check<'_>) {
    binding(check);
    let actions = check.at("spec.validationActions");
    let mut seen = BTreeSet::new();
    for action in actions.items() {
        let known = ["Audit", "Deny", "Warn"];
        if !known.contains(&action.text()) {
            check.push(FieldError::not_supported(&*action.path, action.text(), known));
        }
        if !seen.insert(action.text()) {
            check.push(FieldError::duplicate(&*action.path, action.text()));
        }
    }
    if seen.contains("Deny") && seen.contains("Warn") {
        let detail = "must not contain both Deny and Warn (repeating the same validation failure \
                      information in the API response and headers serves no purpose)";
        let value = actions.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*actions.path, value, detail));
    }
    if seen.is_empty() {
        let detail = "at least one validation action is required";
        check.push(FieldError::required(&*actions.path, detail));
    }
}

/// Which policy holds, and for what.
pub(super) fn mutating_binding(check: &mut Check<'_>) {
    binding(check);
    only_writes(check, &check.at("spec.matchResources"));
}

fn binding(check: &mut Check<'_>) {
    check.name(&check.at("spec.policyName"), "", names::subdomain);
    parameter(check, &check.at("spec.paramRef"));
    resources(check, &check.at("spec.matchResources"));
}

/// Parameters are named or selected (`validateParamRef`).
fn parameter(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_missing() {
        return;
    }
    let (name, selected) = (place.member("name"), place.member("selector"));
    let is_both = !name.is_empty() && !selected.is_missing();
    check.all(&name, name.text(), names::path_segment(name.text()));
    let detail = "name and selector are mutually exclusive";
    if is_both {
        check.push(FieldError::forbidden(&*name.path, detail));
    }
    selector::check(check, &selected);
    if is_both {
        check.push(FieldError::forbidden(&*selected.path, detail));
    }
    if name.is_empty() && selected.is_missing() {
        let detail = "one of name or selector must be specified";
        check.push(FieldError::required(&*place.path, detail));
    }
    check.one_of(&place.member("parameterNotFoundAction"), &["Deny", "Allow"]);
}
