//! Nodes (`ValidateNode` and `ValidateNodeUpdate` in `pkg/apis/core/validation`).

use std::collections::BTreeSet;

use watchkeeper_schema::FieldError;

use super::{Check, Place, addresses, metadata, names};

const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/// A node keeps its ranges of addresses and what the cloud calls it, once it has them.
pub(super) fn node(check: &mut Check<'_>) {
    taints(check);
    ranges(check);
    if check.old.is_none() {
        return;
    }
    metadata::update_again(check);
    ranges_stay(check);
    let provider = check.at("spec.providerID");
    let was = check.before().map(|before| before.at("spec.providerID").text().to_owned());
    if was.is_some_and(|was| !was.is_empty() && was != provider.text()) {
        let detail = "node updates may not change providerID except from \"\" to valid";
        check.push(FieldError::forbidden(&*provider.path, detail));
    }
    taints(check);
    let external = check.at("spec.externalID");
    if check.before().is_some_and(|before| before.at("spec.externalID").text() != external.text()) {
        check.push(FieldError::forbidden(&*external.path, "may not be updated"));
    }
}

/// Upstream looks for the taints in the metadata.
fn taints(check: &mut Check<'_>) {
    let mut seen = BTreeSet::new();
    let all = Place { path: "metadata.taints".to_owned(), ..check.at("spec.taints") };
    for taint in all.items() {
        let [key, value, effect] = ["key", "value", "effect"].map(|name| taint.member(name));
        check.all(&key, key.text(), names::qualified(key.text()));
        let wrong = names::label_value(value.text());
        if !wrong.is_empty() {
            check.push(FieldError::invalid(&*value.path, value.text(), wrong.join(";")));
        }
        check.one_of(&effect, &EFFECTS);
        if !seen.insert((effect.text(), key.text())) {
            let value = taint.value.cloned().unwrap_or_default();
            let mut error = FieldError::duplicate(&*taint.path, value);
            error.detail = "taints must be unique by key and effect pair".to_owned();
            check.push(error);
        }
    }
}

/// One range, or one of each family.
fn ranges(check: &mut Check<'_>) {
    let place = check.at("spec.podCIDRs");
    let all = place.items();
    let families: Vec<Option<bool>> =
        all.iter().map(|range| addresses::range(check, range)).collect();
    let is_pair = matches!(families[..], [Some(one), Some(other)] if one != other);
    if all.len() > 1 && !is_pair && families.iter().all(Option::is_some) {
        let value = place.value.cloned().unwrap_or_default();
        let detail = "may specify no more than one CIDR for each IP family";
        check.push(FieldError::invalid(&*place.path, value, detail));
    }
}

fn ranges_stay(check: &mut Check<'_>) {
    let now = check.at("spec.podCIDRs");
    let Some(before) = check.before() else { return };
    let (was, items) = (before.at("spec.podCIDRs").items(), now.items());
    let changed = match was.len() == items.len() {
        true => was.iter().zip(&items).filter(|(was, now)| was.text() != now.text()).count(),
        false => usize::from(!was.is_empty()),
    };
    for _ in 0..changed {
        let detail = "node updates may not change podCIDR except from \"\" to valid";
        check.push(FieldError::forbidden(&*now.path, detail));
    }
}
