//! What workloads count of their pods: nothing is less than none, and a part is not more than the whole
//! (`pkg/apis/apps/validation`, and `pkg/apis/core/validation` of replication controllers).

use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use super::super::Check;

const THAN_ALL: &str = "cannot be greater than status.replicas";

pub(super) fn deployment(check: &mut Check<'_>) {
    not_negative(
        check,
        &[
            "observedGeneration",
            "replicas",
            "updatedReplicas",
            "readyReplicas",
            "availableReplicas",
            "unavailableReplicas",
            "terminatingReplicas",
            "collisionCount",
        ],
    );
    parts(check, &["updatedReplicas", "readyReplicas", "availableReplicas"]);
    at_most(check, "availableReplicas", "readyReplicas", "cannot be greater than readyReplicas");
    collisions(check);
}

pub(super) fn replica_set(check: &mut Check<'_>) {
    labeled(check, &["observedGeneration", "terminatingReplicas"]);
}

pub(super) fn replication_controller(check: &mut Check<'_>) {
    labeled(check, &["observedGeneration"]);
}

/// What replica sets and replication controllers have alike, and what else is counted.
fn labeled(check: &mut Check<'_>, others: &[&str]) {
    let parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
    not_negative(check, &["replicas"]);
    not_negative(check, &parts);
    not_negative(check, others);
    self::parts(check, &parts);
    at_most(check, "availableReplicas", "readyReplicas", "cannot be greater than readyReplicas");
}

pub(super) fn stateful_set(check: &mut Check<'_>) {
    let parts = ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"];
    not_negative(check, &["replicas"]);
    not_negative(check, &parts);
    not_negative(check, &["observedGeneration", "collisionCount"]);
    self::parts(check, &parts);
    let detail = "cannot be greater than status.readyReplicas";
    at_most(check, "availableReplicas", "readyReplicas", detail);
}

pub(super) fn daemon_set(check: &mut Check<'_>) {
    not_negative(
        check,
        &[
            "currentNumberScheduled",
            "numberMisscheduled",
            "desiredNumberScheduled",
            "numberReady",
            "observedGeneration",
            "updatedNumberScheduled",
            "numberAvailable",
            "numberUnavailable",
            "collisionCount",
        ],
    );
    collisions(check);
}

/// How often a name was taken only becomes more.
pub(super) fn collisions(check: &mut Check<'_>) {
    let place = check.at("status.collisionCount");
    let before = check.before().and_then(|before| before.at("status.collisionCount").number());
    if before.is_some_and(|before| place.number().is_none_or(|now| now < before)) {
        let now = place.number().unwrap_or_default();
        check.push(FieldError::invalid(&*place.path, now, "cannot be decremented"));
    }
}

fn not_negative(check: &mut Check<'_>, names: &[&str]) {
    let status = check.at("status");
    names.iter().for_each(|name| check.not_negative(&status.member(name)));
}

fn parts(check: &mut Check<'_>, names: &[&str]) {
    names.iter().for_each(|name| at_most(check, name, "replicas", THAN_ALL));
}

fn at_most(check: &mut Check<'_>, part: &str, whole: &str, detail: &str) {
    let status = check.at("status");
    let count = |name: &str| status.member(name).number().unwrap_or_default();
    if count(part) > count(whole) {
        check.push(FieldError::invalid(child(&status.path, part), count(part), detail));
    }
}
