//! Ranges of limits (`ValidateLimitRange` in `pkg/apis/core/validation`).

use std::collections::BTreeSet;

use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::key;

use super::{Check, Place, names};

const TYPES: [&str; 3] = ["Container", "PersistentVolumeClaim", "Pod"];

/// One range for each type, in which each amount fits the others.
pub(super) fn limit_range(check: &mut Check<'_>) {
    let mut seen = BTreeSet::new();
    for limit in check.at("spec.limits").items() {
        let of = limit.member("type");
        type_name(check, &of);
        if !seen.insert(of.text()) {
            check.push(FieldError::duplicate(&*of.path, of.text()));
        }
        if of.text() == "Pod" {
            for place in ["default", "defaultRequest"].map(|name| limit.member(name)) {
                if !place.is_empty() {
                    let detail = "may not be specified when `type` is 'Pod'";
                    check.push(FieldError::forbidden(&*place.path, detail));
                }
            }
        }
        let has_storage = |name: &str| limit.member(name).has("storage");
        if of.text() == "PersistentVolumeClaim" && !has_storage("min") && !has_storage("max") {
            let place = limit.member("limits");
            let detail =
                "either minimum or maximum storage value is required, but neither was provided";
            check.push(FieldError::required(place.path, detail));
        }
        amounts(check, &limit, of.text() == "Pod");
    }
}

fn type_name(check: &mut Check<'_>, place: &Place<'_>) {
    let wrong = names::qualified(place.text());
    if !wrong.is_empty() {
        return check.all(place, place.text(), wrong);
    }
    if !place.text().contains('/') && !TYPES.contains(&place.text()) {
        let detail = "must be a standard limit type or fully qualified";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}

/// What is least is not more than what is most, and what is given unasked lies between.
fn amounts(check: &mut Check<'_>, limit: &Place<'_>, is_pod: bool) {
    const KINDS: [&str; 4] = ["min", "max", "default", "defaultRequest"];
    let kinds = if is_pod { &KINDS[..2] } else { &KINDS[..] };
    let lists: Vec<Place<'_>> = kinds.iter().map(|kind| limit.member(kind)).collect();
    let mut resources: BTreeSet<&str> = BTreeSet::new();
    for list in &lists {
        resources.extend(list.entries().into_iter().map(|(name, _)| name));
    }
    for resource in resources {
        let of = |kind: &str| {
            let list = limit.member(kind);
            let text = list.member(resource).value.and_then(serde_json::Value::as_str);
            let is_seen = kinds.contains(&kind);
            text.filter(|_| is_seen).map(|text| (key(&list.path, resource), text))
        };
        let (least, most, given, asked) =
            (of("min"), of("max"), of("default"), of("defaultRequest"));
        below(check, (&least, "min"), (&most, "max"), 0);
        below(check, (&least, "min"), (&asked, "default request"), 1);
        below(check, (&asked, "default request"), (&most, "max"), 0);
        below(check, (&asked, "default request"), (&given, "default limit"), 0);
        below(check, (&least, "min"), (&given, "default"), 0);
        below(check, (&given, "default"), (&most, "max"), 0);
    }
}

type Amount<'a> = Option<(String, &'a str)>;

/// Tells at one of the two, the first or the second, that the first is more. Where the least is more than the default,
/// upstream shows the least at the place of the default.
fn below(
    check: &mut Check<'_>,
    (less, less_name): (&Amount<'_>, &str),
    (more, more_name): (&Amount<'_>, &str),
    at: usize,
) {
    let (Some(less), Some(more)) = (less, more) else { return };
    if Quantity::from(less.1) > Quantity::from(more.1) {
        let detail =
            format!("{less_name} value {} is greater than {more_name} value {}", less.1, more.1);
        let path = if at == 1 || more_name == "default" { &more.0 } else { &less.0 };
        let value = if at == 1 { more.1 } else { less.1 };
        check.push(FieldError::invalid(&**path, value, detail));
    }
}
