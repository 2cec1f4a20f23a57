//! Autoscalers (`pkg/apis/autoscaling/validation`).

use watchkeeper_schema::FieldError;

use super::{Check, Place, names, resources};

/// Each kind of metric, and its member.
const METRICS: [(&str, &str); 5] = [
    ("Object", "object"),
    ("External", "external"),
    ("Pods", "pods"),
    ("Resource", "resource"),
    ("ContainerResource", "containerResource"),
];
const KINDS: [&str; 5] = ["ContainerResource", "External", "Object", "Pods", "Resource"];
/// In seconds.
const LONGEST_WINDOW: i64 = 3600;
const LONGEST_PERIOD: i64 = 1800;

pub(super) fn autoscaler(check: &mut Check<'_>) {
    let spec = check.at("spec");
    let (least, most) = (spec.member("minReplicas"), spec.member("maxReplicas"));
    if let Some(number) = least.number().filter(|number| *number < 1) {
        let detail = "must be greater than or equal to 1";
        check.push(FieldError::invalid(&*least.path, number, detail));
    }
    let number = most.number().unwrap_or_default();
    if number == 0 {
        check.push(FieldError::required(&*most.path, "must be set and greater than 0"));
    } else if number < 0 {
        let detail = "must be greater than or equal to 1";
        check.push(FieldError::invalid(&*most.path, number, detail));
    }
    if least.number().is_some_and(|least| number < least) {
        let detail = "must be greater than or equal to `minReplicas`";
        check.push(FieldError::invalid(&*most.path, number, detail));
    }
    reference(check, &spec.member("scaleTargetRef"));
    let metrics = spec.member("metrics");
    for metric in metrics.items() {
        self::metric(check, &metric);
    }
    let is_outside =
        |metric: &Place<'_>| matches!(metric.member("type").text(), "Object" | "External");
    if least.number() == Some(0) && !metrics.items().iter().any(is_outside) {
        let detail = "must specify at least one Object or External metric to support scaling \
                      to zero replicas";
        check.push(FieldError::forbidden(&*metrics.path, detail));
    }
    let behavior = spec.member("behavior");
    for direction in ["scaleUp", "scaleDown"] {
        rules(check, &behavior.member(direction));
    }
}

fn reference(check: &mut Check<'_>, place: &Place<'_>) {
    for name in ["kind", "name"] {
        let place = place.member(name);
        check.name(&place, "", names::path_segment);
    }
    let version = place.member("apiVersion");
    let text = version.text();
    let wrong = match text.matches('/').count() {
        0 => "apiVersion must specify API group".to_owned(),
        1 if text.starts_with('/') => "apiVersion must specify API group".to_owned(),
        1 => return,
        _ => format!("unexpected GroupVersion string: {text}"),
    };
    check.push(FieldError::invalid(&*version.path, text, wrong));
}

fn metric(check: &mut Check<'_>, place: &Place<'_>) {
    let kind = place.member("type");
    if kind.is_empty() {
        check.push(FieldError::required(&*kind.path, "must specify a metric source type"));
    }
    let not_supported = || FieldError::not_supported(&*kind.path, kind.text(), KINDS);
    let member = METRICS.iter().find(|(name, _)| *name == kind.text()).map(|(_, member)| *member);
    if member.is_none() {
        check.push(not_supported());
    }
    let given: Vec<&str> = METRICS
        .iter()
        .map(|(_, member)| *member)
        .filter(|member| !place.member(member).is_missing())
        .collect();
    if let Some(first) = given.first() {
        source(check, first, &place.member(first));
    }
    match member {
        Some(member) if !given.contains(&member) => {
            let detail = "must populate information for the given metric source";
            check.push(FieldError::required(place.member(member).path, detail));
        }
        Some(_) => {}
        None => check.push(not_supported()),
    }
    if given.len() != 1 {
        for other in given.iter().filter(|given| Some(**given) != member) {
            let detail = "must populate the given metric source only";
            check.push(FieldError::forbidden(place.member(other).path, detail));
        }
    }
}

fn source(check: &mut Check<'_>, member: &str, place: &Place<'_>) {
    let is_resource = matches!(member, "resource" | "containerResource");
    if member == "object" {
        reference(check, &place.member("describedObject"));
    }
    let name =
        if is_resource { place.member("name") } else { place.member("metric").member("name") };
    if name.is_empty() {
        let what = if is_resource { "a resource name" } else { "a metric name" };
        check.push(FieldError::required(&*name.path, format!("must specify {what}")));
    } else if !is_resource {
        check.all(&name, name.text(), names::path_segment(name.text()));
    } else if member == "containerResource" {
        resources::container_name(check, &name.path, name.text());
    }
    if member == "containerResource" {
        let container = place.member("container");
        check.name(&container, "must specify a container", names::label);
    }
    let target = place.member("target");
    self::target(check, &target);
    let [value, average, share] =
        ["value", "averageValue", "averageUtilization"].map(|name| target.member(name));
    let (value_given, average_given) = (!value.is_missing(), !average.is_missing());
    let missing = match member {
        "object" if !value_given && !average_given => {
            Some((&average, "must set either a target value or averageValue"))
        }
        "external" if !value_given && !average_given => {
            Some((&average, "must set either a target value for metric or a per-pod target"))
        }
        "pods" if !average_given => Some((&average, "must specify a positive target averageValue")),
        "resource" | "containerResource" if share.is_missing() && !average_given => {
            Some((&share, "must set either a target raw value or a target utilization"))
        }
        _ => None,
    };
    if let Some((place, detail)) = missing {
        check.push(FieldError::required(&*place.path, detail));
    }
    if member == "external" && value_given && average_given {
        let detail = "may not set both a target value for metric and a per-pod target";
        check.push(FieldError::forbidden(&*value.path, detail));
    }
    if is_resource && !share.is_missing() && average_given {
        let detail = "may not set both a target raw value and a target utilization";
        check.push(FieldError::forbidden(&*average.path, detail));
    }
}

fn target(check: &mut Check<'_>, place: &Place<'_>) {
    let kind = place.member("type");
    if kind.is_empty() {
        check.push(FieldError::required(&*kind.path, "must specify a metric target type"));
    }
    if !["Utilization", "Value", "AverageValue"].contains(&kind.text()) {
        let detail = "must be either Utilization, Value, or AverageValue";
        check.push(FieldError::invalid(&*kind.path, kind.text(), detail));
    }
    for name in ["value", "averageValue"] {
        let place = place.member(name);
        let zero = watchkeeper_api::Quantity::from("0");
        if !place.is_missing() && watchkeeper_api::Quantity::from(place.text()) <= zero {
            check.push(FieldError::invalid(&*place.path, place.text(), "must be positive"));
        }
    }
    let share = place.member("averageUtilization");
    if let Some(number) = share.number().filter(|number| *number < 1) {
        check.push(FieldError::invalid(&*share.path, number, "must be greater than 0"));
    }
}

fn rules(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_missing() {
        return;
    }
    let window = place.member("stabilizationWindowSeconds");
    if let Some(seconds) = window.number() {
        if seconds < 0 {
            let detail = "must be greater than or equal to zero";
            check.push(FieldError::invalid(&*window.path, seconds, detail));
        }
        if seconds > LONGEST_WINDOW {
            let detail = format!("must be less than or equal to {LONGEST_WINDOW}");
            check.push(FieldError::invalid(&*window.path, seconds, detail));
        }
    }
    let (select, known) = (place.member("selectPolicy"), ["Disabled", "Max", "Min"]);
    if !select.is_missing() && !known.contains(&select.text()) {
        check.push(FieldError::not_supported(&*select.path, select.text(), known));
    }
    let policies = place.member("policies");
    if policies.is_empty() {
        let detail = "must specify at least one Policy";
        check.push(FieldError::required(&*policies.path, detail));
    }
    for policy in policies.items() {
        let (kind, known) = (policy.member("type"), ["Percent", "Pods"]);
        if !known.contains(&kind.text()) {
            check.push(FieldError::not_supported(&*kind.path, kind.text(), known));
        }
        for name in ["value", "periodSeconds"] {
            let place = policy.member(name);
            if let Some(number) = place.number().filter(|number| *number <= 0) {
                let detail = "must be greater than zero";
                check.push(FieldError::invalid(&*place.path, number, detail));
            }
        }
        let period = policy.member("periodSeconds");
        if let Some(number) = period.number().filter(|number| *number > LONGEST_PERIOD) {
            let detail = format!("must be less than or equal to {LONGEST_PERIOD}");
            check.push(FieldError::invalid(&*period.path, number, detail));
        }
    }
    let tolerance = place.member("tolerance");
    let zero = watchkeeper_api::Quantity::from("0");
    if !tolerance.is_missing() && watchkeeper_api::Quantity::from(tolerance.text()) < zero {
        let detail = "must be greater than or equal to 0";
        check.push(FieldError::invalid(&*tolerance.path, tolerance.text(), detail));
    }
}
