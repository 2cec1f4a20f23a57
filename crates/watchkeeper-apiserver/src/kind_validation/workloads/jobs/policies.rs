//! What the pods of a job make of it when they end (`validatePodFailurePolicy`,
//! `validateSuccessPolicy`).

use std::collections::BTreeSet;

use watchkeeper_schema::{FieldError, Reason};

use super::super::super::{Check, Place, names};
use super::super::wrong;
use super::{SUCCESS_POLICY, indexes, is_indexed};

/// How many rules a policy has, at most, and how many conditions of pods one of them looks at.
const MOST_RULES: u64 = 20;
/// How many exit codes a rule looks at, at most.
const MOST_CODES: u64 = 255;
/// How long a list of indexes is, at most, in bytes.
const LONGEST_INDEXES: u64 = 64 << 10;

const ACTIONS: [&str; 4] = ["Count", "FailIndex", "FailJob", "Ignore"];
const OPERATORS: [&str; 2] = ["In", "NotIn"];
const STATES: [&str; 3] = ["False", "True", "Unknown"];

pub(super) fn of_failures(check: &mut Check<'_>, spec: &Place<'_>) {
    let rules = spec.member("podFailurePolicy").member("rules");
    check.not_more(&rules, MOST_RULES);
    let pod = spec.member("template").member("spec");
    let containers = ["containers", "initContainers"].map(|list| pod.member(list).items());
    let containers: BTreeSet<&str> =
        containers.iter().flatten().map(|container| container.member("name").text()).collect();
    for rule in rules.items() {
        action(check, &rule, spec);
        let (codes, conditions) = (rule.member("onExitCodes"), rule.member("onPodConditions"));
        if !codes.is_missing() {
            exit_codes(check, &codes, &containers);
        }
        pod_conditions(check, &conditions);
        let detail = match (codes.is_missing(), conditions.is_empty()) {
            (false, false) => "specifying both OnExitCodes and OnPodConditions is not supported",
            (true, true) => "specifying one of OnExitCodes and OnPodConditions is required",
            _ => continue,
        };
        check.push(FieldError::new(Reason::Invalid, &*rule.path, None, detail));
    }
}

/// A text that must be there and one of these, which are told where it is not there.
fn one_of(check: &mut Check<'_>, place: &Place<'_>, known: &[&str]) {
    match place.text() {
        "" => {
            let known: Vec<String> = known.iter().map(|known| format!("\"{known}\"")).collect();
            let detail = format!("valid values: [{}]", known.join(" "));
            check.push(FieldError::required(&*place.path, detail));
        }
        text if !known.contains(&text) => {
            check.push(FieldError::not_supported(&*place.path, text, known));
        }
        _ => {}
    }
}

fn action(check: &mut Check<'_>, rule: &Place<'_>, spec: &Place<'_>) {
    let action = rule.member("action");
    one_of(check, &action, &ACTIONS);
    if action.text() == "FailIndex" && spec.member("backoffLimitPerIndex").is_missing() {
        let detail = "requires the backoffLimitPerIndex to be set";
        check.push(FieldError::invalid(&*action.path, action.text(), detail));
    }
}

/// `validatePodFailurePolicyRuleOnExitCodes`.
fn exit_codes(check: &mut Check<'_>, place: &Place<'_>, containers: &BTreeSet<&str>) {
    let (operator, values) = (place.member("operator"), place.member("values"));
    one_of(check, &operator, &OPERATORS);
    let name = place.member("containerName");
    if !name.is_missing() && !containers.contains(name.text()) {
        let detail = "must be one of the container or initContainer names in the pod template";
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
    let shown = || values.value.cloned().unwrap_or_default();
    if values.is_empty() {
        let detail = "at least one value is required";
        check.push(FieldError::invalid(&*values.path, shown(), detail));
    }
    check.not_more(&values, MOST_CODES);
    let (mut seen, mut last, mut is_ordered) = (BTreeSet::new(), i64::MIN, true);
    for value in values.items() {
        let code = value.number().unwrap_or_default();
        if operator.text() == "In" && code == 0 {
            let detail = "must not be 0 for the In operator";
            check.push(FieldError::invalid(&*value.path, code, detail));
        }
        if !seen.insert(code) {
            check.push(FieldError::duplicate(&*value.path, code));
        }
        is_ordered &= last <= code;
        last = code;
    }
    if !is_ordered {
        check.push(FieldError::invalid(&*values.path, shown(), "must be ordered"));
    }
}

/// `validatePodFailurePolicyRuleOnPodConditions`.
fn pod_conditions(check: &mut Check<'_>, list: &Place<'_>) {
    check.not_more(list, MOST_RULES);
    for pattern in list.items() {
        let kind = pattern.member("type");
        check.all(&kind, kind.text(), names::qualified(kind.text()));
        one_of(check, &pattern.member("status"), &STATES);
    }
}

pub(super) fn of_success(check: &mut Check<'_>, spec: &Place<'_>) {
    let policy = spec.member("successPolicy");
    if policy.is_missing() {
        return;
    }
    if !is_indexed(spec) {
        return check.push(wrong(&policy, SUCCESS_POLICY, "requires indexed completion mode"));
    }
    let rules = policy.member("rules");
    if rules.is_empty() {
        let detail = "at least one rules must be specified when the successPolicy is specified";
        check.push(FieldError::required(&*rules.path, detail));
    }
    check.not_more(&rules, MOST_RULES);
    // Without completions, which are asked for elsewhere, upstream has nothing to go by, and fails.
    let Some(completions) = spec.member("completions").number() else { return };
    for rule in rules.items() {
        success(check, &rule, completions);
    }
}

/// `validateSuccessPolicyRule`.
fn success(check: &mut Check<'_>, rule: &Place<'_>, completions: i64) {
    let (count, listed) = (rule.member("succeededCount"), rule.member("succeededIndexes"));
    if count.is_missing() && listed.is_missing() {
        let detail = "at least one of succeededCount or succeededIndexes must be specified";
        check.push(FieldError::required(&*rule.path, detail));
    }
    let total = listed_indexes(check, &listed, completions);
    check.not_negative(&count);
    let bounded = |check: &mut Check<'_>, most: i64, what: &str| {
        if let Some(number) = count.number().filter(|number| *number > most) {
            let detail = format!("must be less than or equal to {most} (the number of {what})");
            check.push(FieldError::invalid(&*count.path, number, detail));
        }
    };
    bounded(check, completions, "specified completions");
    if !listed.is_missing() {
        bounded(check, total, "indexes in the specified succeededIndexes field");
    }
}

/// How many indexes are listed; none where the list cannot be read.
fn listed_indexes(check: &mut Check<'_>, place: &Place<'_>, completions: i64) -> i64 {
    if place.text().len() as u64 > LONGEST_INDEXES {
        check.push(FieldError::too_long(&*place.path, LONGEST_INDEXES));
    }
    let told = indexes::count(place.text(), completions);
    told.unwrap_or_else(|why| {
        let detail = format!("error parsing succeededIndexes: {why}");
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
        0
    })
}
