//! Ranges of limits (`ValidateLimitRange` in `pkg/apis/core/validation`).

use std::collections::BTreeSet;

use watchkeeper_api::Quantity;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::key;

use super::{Check, Place, names, resources};

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
        for list in ["max", "min"].map(|name| limit.member(name)) {
            resource_names(check, &list, of.text());
        }
        for list in ["default", "defaultRequest"].map(|name| limit.member(name)) {
            if of.text() != "Pod" {
                resource_names(check, &list, of.text());
            } else if !list.is_empty() {
                let detail = "may not be specified when `type` is 'Pod'";
                check.push(FieldError::forbidden(&*list.path, detail));
            }
        }
        let has_storage = |name: &str| limit.member(name).has("storage");
        if of.text() == "PersistentVolumeClaim" && !has_storage("min") && !has_storage("max") {
            let place = limit.member("limits");
            let detail =
                "either minimum or maximum storage value is required, but neither was provided";
            check.push(FieldError::required(place.path, detail));
        }
        resource_names(check, &limit.member("maxLimitRequestRatio"), of.text());
        amounts(check, &limit, of.text() == "Pod");
    }
}

/// What is limited is known, or has a domain (`validateLimitRangeResourceName`).
fn resource_names(check: &mut Check<'_>, list: &Place<'_>, of: &str) {
    for (name, _) in list.entries() {
        let path = key(&list.path, name);
        match of {
            "Pod" | "Container" => resources::container_name(check, &path, name),
            _ => resources::known_name(check, &path, name),
        }
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
    const KINDS: [&str; 5] = ["min", "max", "maxLimitRequestRatio", "default", "defaultRequest"];
    let kinds = if is_pod { &KINDS[..3] } else { &KINDS[..] };
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
        below(check, (&least, "min"), (&most, "max"), [0, 0]);
        below(check, (&least, "min"), (&asked, "default request"), [1, 1]);
        below(check, (&asked, "default request"), (&most, "max"), [0, 0]);
        below(check, (&asked, "default request"), (&given, "default limit"), [0, 0]);
        // Upstream shows the other one in these two.
        below(check, (&least, "min"), (&given, "default"), [1, 0]);
        below(check, (&given, "default"), (&most, "max"), [0, 1]);
        let ratio = of("maxLimitRequestRatio");
        self::ratio(check, &ratio, &least, &most);
        if !resources::is_overcommitted(resource) {
            same(check, &given, &asked, resource);
        }
    }
}

type Amount<'a> = Option<(String, &'a str)>;

/// Tells that the first is more than the second: at which of the two, and which is shown.
fn below(
    check: &mut Check<'_>,
    (less, less_name): (&Amount<'_>, &str),
    (more, more_name): (&Amount<'_>, &str),
    [at, shown]: [usize; 2],
) {
    let (Some(less), Some(more)) = (less, more) else { return };
    if Quantity::from(less.1) > Quantity::from(more.1) {
        let detail =
            format!("{less_name} value {} is greater than {more_name} value {}", less.1, more.1);
        let path = if at == 1 { &more.0 } else { &less.0 };
        let value = if shown == 1 { more.1 } else { less.1 };
        check.push(FieldError::invalid(&**path, value, detail));
    }
}

/// A limit is no less than its request, and no more of it than what is most is of what is least.
fn ratio(check: &mut Check<'_>, ratio: &Amount<'_>, least: &Amount<'_>, most: &Amount<'_>) {
    let Some((path, text)) = ratio else { return };
    if Quantity::from(*text) < Quantity::from("1") {
        let detail = format!("ratio {text} is less than 1");
        check.push(FieldError::invalid(&**path, *text, detail));
    }
    let (Some((_, least)), Some((_, most))) = (least, most) else { return };
    let number = |text: &str| Quantity::from(text).amount().map_or(0.0, |amount| amount.to_f64());
    let allowed = number(most) / number(least);
    if number(text) > allowed {
        let detail = format!("ratio {text} is greater than max/min = {allowed:.6}");
        check.push(FieldError::invalid(&**path, *text, detail));
    }
}

/// Of what is not promised twice as much is asked for as is given (`IsOvercommitAllowed`).
fn same(check: &mut Check<'_>, given: &Amount<'_>, asked: &Amount<'_>, resource: &str) {
    let (Some((_, given)), Some((path, asked))) = (given, asked) else { return };
    if Quantity::from(*given) != Quantity::from(*asked) {
        let detail = format!(
            "default value {given} must equal to defaultRequest value {asked} in {resource}"
        );
        check.push(FieldError::invalid(&**path, *asked, detail));
    }
}
