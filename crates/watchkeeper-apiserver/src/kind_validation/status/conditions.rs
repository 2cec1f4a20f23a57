//! Conditions (`ValidateConditions` in `apimachinery/pkg/apis/meta/v1/validation`, and those of kinds that have their
//! own).

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;

use super::super::{Check, Place, names};

const STATES: [&str; 3] = ["False", "True", "Unknown"];
const LONGEST_REASON: u64 = 1024;
const LONGEST_MESSAGE: u64 = 32 * 1024;

/// Those that kinds share: one of each type, with a state, a reason, and since when.
pub(in crate::kind_validation) fn standard(check: &mut Check<'_>, place: &Place<'_>) {
    let items = place.items();
    let mut seen = BTreeSet::new();
    for item in &items {
        let of = item.member("type");
        if !seen.insert(of.text()) {
            check.push(FieldError::duplicate(&*of.path, of.text()));
        }
        condition(check, item);
    }
}

fn condition(check: &mut Check<'_>, place: &Place<'_>) {
    let [of, state, observed, since] =
        ["type", "status", "observedGeneration", "lastTransitionTime"]
            .map(|name| place.member(name));
    check.all(&of, of.text(), names::qualified(of.text()));
    if !STATES.contains(&state.text()) {
        check.push(FieldError::not_supported(&*state.path, state.text(), STATES));
    }
    if let Some(number) = observed.number().filter(|number| *number < 0) {
        let detail = "must be greater than or equal to zero";
        check.push(FieldError::invalid(&*observed.path, number, detail));
    }
    if since.is_empty() {
        check.push(FieldError::required(&*since.path, ""));
    }
    reason(check, &place.member("reason"));
    let message = place.member("message");
    if message.text().len() as u64 > LONGEST_MESSAGE {
        check.push(FieldError::too_long(&*message.path, LONGEST_MESSAGE));
    }
}

fn reason(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_empty() {
        return check.push(FieldError::required(&*place.path, ""));
    }
    check.all(place, place.text(), names::condition_reason(place.text()));
    if place.text().len() as u64 > LONGEST_REASON {
        check.push(FieldError::too_long(&*place.path, LONGEST_REASON));
    }
}

pub(super) fn of_api_service(check: &mut Check<'_>) {
    for condition in check.at("status.conditions").items() {
        let state = condition.member("status");
        if !STATES.contains(&state.text()) {
            let known = ["True", "False", "Unknown"];
            check.push(FieldError::not_supported(&*state.path, state.text(), known));
        }
    }
}

pub(super) fn of_flow_control(check: &mut Check<'_>) {
    let items = check.at("status.conditions").items();
    let mut seen = BTreeSet::new();
    for of in items.iter().map(|condition| condition.member("type")) {
        if !seen.insert(of.text()) {
            check.push(FieldError::duplicate(&*of.path, of.text()));
        }
        if of.is_empty() {
            check.push(FieldError::required(&*of.path, ""));
        }
    }
}
