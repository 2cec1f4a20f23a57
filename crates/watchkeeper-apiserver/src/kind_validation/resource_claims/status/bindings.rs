//! What must have become of a device before pods are bound to it (`validateDeviceBindingParameters`).

use std::collections::BTreeSet;

use serde_json::{Value, json};
use watchkeeper_schema::FieldError;

use crate::kind_validation::{Check, Place, devices, names};

const MOST: u64 = 4;

pub(super) fn check(check: &mut Check<'_>, of: &Place<'_>) {
    let lists = ["bindingConditions", "bindingFailureConditions"].map(|name| of.member(name));
    for list in &lists {
        devices::slice(check, list, MOST, |check, name| {
            check.all(name, name.text(), names::qualified(name.text()));
        });
    }
    let [good, bad] = lists;
    let wanted = repeated(check, &good, &BTreeSet::new());
    repeated(check, &bad, &wanted);
    let (has_good, has_bad) = (!good.is_empty(), !bad.is_empty());
    if has_bad && !has_good {
        let detail = "bindingConditions are required to use bindingFailureConditions";
        check.push(FieldError::invalid(&*good.path, shown(&good), detail));
    }
    if has_good && !has_bad {
        let detail = "bindingFailureConditions are required to use bindingConditions";
        check.push(FieldError::invalid(&*bad.path, shown(&bad), detail));
    }
}

/// Upstream shows a list that is not there as `null`.
fn shown(list: &Place<'_>) -> Value {
    list.value.cloned().unwrap_or(json!(null))
}

/// Each is there once, and none that means the contrary. Gives all that there are.
fn repeated<'a>(
    check: &mut Check<'_>,
    list: &Place<'a>,
    others: &BTreeSet<&str>,
) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    for name in list.items() {
        if !seen.insert(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        }
        if others.contains(name.text()) {
            let detail = "bindingFailureConditions must not overlap with bindingConditions";
            check.push(FieldError::invalid(&*name.path, name.text(), detail));
        }
    }
    seen
}
