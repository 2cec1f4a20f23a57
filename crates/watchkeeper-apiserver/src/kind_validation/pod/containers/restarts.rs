//! When a container begins again: by its own policy, by how it ended, or as its resources change.

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;

use super::{Check, Place};

const MOST_RULES: u64 = 20;
const MOST_CODES: u64 = 255;
const NO_POLICY: &str = "must specify restartPolicy when restart rules are used";

/// Those of a container that runs before the others, which are not looked at without a policy
/// (`validateInitContainerRestartPolicy`).
pub(super) fn rules_before_others(check: &mut Check<'_>, container: &Place<'_>) {
    let (policy, rules) =
        (container.member("restartPolicy"), container.member("restartPolicyRules"));
    if policy.is_missing() && !rules.is_empty() {
        check.push(FieldError::required(&*policy.path, NO_POLICY));
    } else if !policy.is_missing() {
        self::rules(check, container);
    }
}

/// The policy of a container, and what it does by exit codes (`validateContainerRestartPolicy`).
pub(super) fn rules(check: &mut Check<'_>, container: &Place<'_>) {
    let (policy, list) =
        (container.member("restartPolicy"), container.member("restartPolicyRules"));
    let rules = list.items();
    if !policy.is_missing() {
        check.optional(&policy, &["Always", "Never", "OnFailure"]);
    } else if !rules.is_empty() {
        check.push(FieldError::required(&*policy.path, NO_POLICY));
    }
    check.not_more(&list, MOST_RULES);
    for rule in &rules {
        let (action, codes) = (rule.member("action"), rule.member("exitCodes"));
        let known = ["Restart", "RestartAllContainers"];
        if !known.contains(&action.text()) {
            check.push(FieldError::not_supported(&*action.path, action.text(), known));
        }
        if codes.is_missing() {
            check.push(FieldError::required(&*codes.path, "must be specified"));
            continue;
        }
        let (operator, values) = (codes.member("operator"), codes.member("values"));
        let known = ["In", "NotIn"];
        if !known.contains(&operator.text()) {
            check.push(FieldError::not_supported(&*operator.path, operator.text(), known));
        }
        check.not_more(&values, MOST_CODES);
    }
}

/// What happens to a container as its resources change, which upstream tells of at the list (`validateResizePolicy`).
pub(super) fn resizes(check: &mut Check<'_>, list: &Place<'_>, pod_restarts: &str) {
    let mut seen = BTreeSet::new();
    for policy in list.items() {
        let text = |name: &str| policy.member(name).text();
        let (resource, restart) = (text("resourceName"), text("restartPolicy"));
        if !seen.insert(resource) {
            check.push(FieldError::duplicate(&*policy.path, resource));
        }
        known(check, list, resource, ["cpu", "memory"]);
        known(check, list, restart, ["NotRequired", "RestartContainer"]);
        if pod_restarts == "Never" && restart != "NotRequired" {
            let detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
            check.push(FieldError::invalid(&*list.path, restart, detail));
        }
    }
}

fn known(check: &mut Check<'_>, list: &Place<'_>, text: &str, known: [&str; 2]) {
    if text.is_empty() {
        check.push(FieldError::required(&*list.path, ""));
    } else if !known.contains(&text) {
        check.push(FieldError::not_supported(&*list.path, text, known));
    }
}
