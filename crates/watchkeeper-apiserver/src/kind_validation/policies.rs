//! Policies of admission and what binds them (`pkg/apis/admissionregistration/validation`). Expressions are not
//! compiled here: what they speak of is known to what asks them.

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use super::webhooks::with_operations;
use super::{Check, Place, names, selector};

/// Of a policy with a longer name that is told, and not of each of its annotations again.
const LONGEST: usize = 1024;

const REASONS: [&str; 3] = ["Forbidden", "Invalid", "RequestEntityTooLarge"];

/// A policy that takes objects or not.
pub(super) fn validating(check: &mut Check<'_>) {
    let spec = check.at("spec");
    what_is_met(check, &spec);
    variables(check, &spec.member("variables"));
    let (validations, notes) = (spec.member("validations"), spec.member("auditAnnotations"));
    if validations.is_empty() && notes.is_empty() {
        let detail = "validations or auditAnnotations must contain at least one item";
        check.push(FieldError::required(&*validations.path, detail));
        return check.push(FieldError::required(&*notes.path, detail));
    }
    for validation in validations.items() {
        self::validation(check, &validation);
    }
    annotations(check, &notes);
}

/// A policy that changes objects: those that are made or updated.
pub(super) fn mutating(check: &mut Check<'_>) {
    let spec = check.at("spec");
    what_is_met(check, &spec);
    only_writes(check, &spec.member("matchConstraints"));
    variables(check, &spec.member("variables"));
    let mutations = spec.member("mutations");
    if mutations.is_empty() {
        let detail = "mutations must contain at least one item";
        check.push(FieldError::required(&*mutations.path, detail));
    }
    for mutation in mutations.items() {
        self::mutation(check, &mutation);
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
    if version.is_empty() {
        check.push(FieldError::required(&*version.path, ""));
    }
    let wrong = names::label_1035(&kind.text().to_lowercase());
    if kind.is_empty() {
        check.push(FieldError::required(&*kind.path, ""));
    } else if !wrong.is_empty() {
        let detail =
            format!("may have mixed case, but should otherwise match: {}", wrong.join(","));
        check.push(FieldError::invalid(&*kind.path, kind.text(), detail));
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
        let known = ["CREATE", "UPDATE"];
        if !known.contains(&operation.text()) {
            check.push(FieldError::not_supported(&*path, operation.text(), known));
        }
    }
}

fn variables(check: &mut Check<'_>, list: &Place<'_>) {
    for variable in list.items() {
        for (name, detail) in
            [("name", "name is not specified"), ("expression", "expression is not specified")]
        {
            not_blank(check, &variable.member(name), detail);
        }
    }
}

fn not_blank(check: &mut Check<'_>, place: &Place<'_>, detail: &str) {
    if place.text().trim().is_empty() {
        check.push(FieldError::required(&*place.path, detail));
    }
}

fn validation(check: &mut Check<'_>, place: &Place<'_>) {
    not_blank(check, &place.member("expression"), "expression is not specified");
    for (name, may_break) in [("messageExpression", true), ("message", false)] {
        let text = place.member(name);
        let trimmed = text.text().trim();
        let detail = match trimmed.is_empty() {
            true if !text.is_empty() => "must be non-empty if specified",
            false if !may_break && trimmed.contains(['\n', '\r']) => "must not contain line breaks",
            _ => continue,
        };
        check.push(FieldError::invalid(&*text.path, text.text(), detail));
    }
    check.optional(&place.member("reason"), &REASONS);
}

fn annotations(check: &mut Check<'_>, list: &Place<'_>) {
    let policy = check.at("metadata.name").text();
    let mut seen = BTreeSet::new();
    for annotation in list.items() {
        let key = annotation.member("key");
        if policy.is_empty() {
            let detail = "requires metadata.name be non-empty";
            check.push(FieldError::invalid(&*key.path, key.text(), detail));
        } else if policy.len() <= LONGEST {
            let whole = format!("{policy}/{}", key.text());
            check.all(&key, &whole, names::qualified(&whole));
        }
        let expression = annotation.member("valueExpression");
        not_blank(check, &expression, "valueExpression is not specified");
        if !seen.insert(key.text()) {
            check.push(FieldError::duplicate(&*key.path, key.text()));
        }
    }
}

/// A change is told one way.
fn mutation(check: &mut Check<'_>, place: &Place<'_>) {
    let (of, patch, applied) =
        (place.member("patchType"), place.member("jsonPatch"), place.member("applyConfiguration"));
    let (told, other, shown) = match of.text() {
        "JSONPatch" => (patch, applied, "{applyConfiguration}"),
        "ApplyConfiguration" => (applied, patch, "{jsonPatch}"),
        _ => return check.one_of(&of, &["ApplyConfiguration", "JSONPatch"]),
    };
    if told.is_missing() {
        let detail = format!("must be specified when patchType is {}", of.text());
        check.push(FieldError::required(&*told.path, detail));
    }
    if !other.is_missing() {
        let detail = format!("must not be specified when patchType is {}", of.text());
        check.push(FieldError::invalid(&*other.path, shown, detail));
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
