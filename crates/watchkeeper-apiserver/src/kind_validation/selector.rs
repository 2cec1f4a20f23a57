//! Label selectors of workloads.

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::metadata::labels;
use super::{Check, Place, names};

/// What is wrong with a selector.
pub(super) fn check(check: &mut Check<'_>, place: &Place<'_>) {
    labels(check, &place.member("matchLabels"));
    for expression in place.member("matchExpressions").items() {
        requirement(check, &expression);
    }
}

/// Tells what is wrong with a selector, and whether it can be used.
pub(super) fn is_valid(check: &mut Check<'_>, place: &Place<'_>) -> bool {
    let told = check.errors.len();
    self::check(check, place);
    check.errors.len() == told
}

/// Whether a selector can be used, without a word.
pub(super) fn can_be_used(place: &Place<'_>) -> bool {
    let mut check = Check::of(&Value::Null, None);
    is_valid(&mut check, place)
}

pub(super) fn requirement(check: &mut Check<'_>, place: &Place<'_>) {
    let values = place.member("values");
    let operator = place.member("operator");
    match operator.text() {
        "In" | "NotIn" if values.is_empty() => {
            let detail = "must be specified when `operator` is 'In' or 'NotIn'";
            check.push(FieldError::required(&*values.path, detail));
        }
        "Exists" | "DoesNotExist" if !values.is_empty() => {
            let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
            check.push(FieldError::forbidden(&*values.path, detail));
        }
        "In" | "NotIn" | "Exists" | "DoesNotExist" => {}
        other => {
            let detail = "not a valid selector operator";
            check.push(FieldError::invalid(&*operator.path, other, detail));
        }
    }
    let key = place.member("key");
    check.all(&key, key.text(), names::qualified(key.text()));
    for value in values.items() {
        check.all(&value, value.text(), names::label_value(value.text()));
    }
}

/// Whether a selector takes these labels. Everything matches the empty one.
pub(super) fn matches(selector: &Place<'_>, labels: &Place<'_>) -> bool {
    let label = |key: &str| labels.member(key).value.and_then(Value::as_str);
    let equal = |(key, value): &(&str, &str)| label(key) == Some(*value);
    let holds = |expression: &Place<'_>| {
        let value = label(expression.member("key").text());
        let named = expression.member("values").items().iter().any(|v| Some(v.text()) == value);
        match expression.member("operator").text() {
            "In" => named,
            "NotIn" => !named,
            "Exists" => value.is_some(),
            "DoesNotExist" => value.is_none(),
            _ => false,
        }
    };
    selector.member("matchLabels").entries().iter().all(equal)
        && selector.member("matchExpressions").items().iter().all(holds)
}
