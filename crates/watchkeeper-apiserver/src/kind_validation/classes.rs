//! Classes of ingresses and the ranges that Services have addresses from (`pkg/apis/networking/validation`).

use serde_json::Value;
use watchkeeper_schema::error::item;
use watchkeeper_schema::{FieldError, Reason};

use super::addresses::{self, Range};
use super::{Check, Place, internal, metadata, names};

/// The most letters that the name of a controller has.
const MOST_LETTERS: u64 = 250;

/// A class is for one controller, and stays with it.
pub(super) fn ingress_class(check: &mut Check<'_>) {
    check.immutable_text("spec.controller");
    metadata::whole_again(check);
    let controller = check.at("spec.controller");
    if controller.text().len() as u64 > MOST_LETTERS {
        check.push(FieldError::too_long(&*controller.path, MOST_LETTERS));
    }
    domain_and_path(check, &controller);
    parameters(check, &check.at("spec.parameters"));
}

/// `acme.io/foo` (`IsDomainPrefixedPath`).
fn domain_and_path(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_empty() {
        return check.push(FieldError::required(&*place.path, ""));
    }
    match place.text().split_once('/') {
        Some((host, path)) if !host.is_empty() && !path.is_empty() => {
            check.all(place, host, names::subdomain(host));
        }
        _ => {
            let detail = "must be a domain-prefixed path (such as \"acme.io/foo\")";
            check.push(FieldError::invalid(&*place.path, place.text(), detail));
        }
    }
}

/// What a class is told more by: something in the cluster, or in one namespace.
fn parameters(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_missing() {
        return;
    }
    let group = place.member("apiGroup");
    if !group.is_missing() {
        check.all(&group, group.text(), names::subdomain(group.text()));
    }
    for name in ["kind", "name"] {
        check.name(&place.member(name), "", names::path_segment);
    }
    let (scope, namespace) = (place.member("scope"), place.member("namespace"));
    match scope.text() {
        _ if scope.is_missing() => check.push(FieldError::required(&*scope.path, "")),
        "Namespace" if namespace.is_missing() => {
            let detail = "`parameters.scope` is set to 'Namespace'";
            check.push(FieldError::required(&*namespace.path, detail));
        }
        "Namespace" => check.all(&namespace, namespace.text(), names::label(namespace.text())),
        "Cluster" if !namespace.is_missing() => {
            let detail = "`parameters.scope` is set to 'Cluster'";
            check.push(FieldError::forbidden(&*namespace.path, detail));
        }
        "Cluster" => {}
        other => {
            let known = ["Cluster", "Namespace"];
            check.push(FieldError::not_supported(&*scope.path, other, known));
        }
    }
}

/// There is a range, or one of each family. They stay, but for a second one that may be told later.
pub(super) fn service_ranges(check: &mut Check<'_>) {
    let place = check.at("spec.cidrs");
    let texts = |of: &Check<'_>| -> Vec<String> {
        of.at("spec.cidrs").items().iter().map(|range| range.text().to_owned()).collect()
    };
    let now = texts(check);
    let Some(was) = check.before().map(|before| texts(&before)) else {
        return ranges(check, &place);
    };
    let is_longer = was.len() == 1 && now.len() == 2;
    if !is_longer && was.len() != now.len() {
        let value = place.value.cloned().unwrap_or(Value::Null);
        return check.push(FieldError::invalid(&*place.path, value, "field is immutable"));
    }
    for (index, (was, now)) in was.iter().zip(&now).enumerate() {
        if was != now {
            let path = item(&place.path, index);
            check.push(FieldError::invalid(path, now.as_str(), "field is immutable"));
        }
    }
    if is_longer {
        ranges(check, &place);
    }
}

fn ranges(check: &mut Check<'_>, place: &Place<'_>) {
    let all = place.items();
    if all.is_empty() {
        let detail = "at least one CIDR required";
        return check.push(FieldError::required(&*place.path, detail));
    }
    if all.len() > 2 {
        let spec = check.at("spec").value;
        let shown = internal::shown("io.k8s.api.networking.v1.ServiceCIDRSpec", spec);
        let detail = format!("{shown}: may only hold up to 2 values");
        return check.push(FieldError::new(Reason::Invalid, &*place.path, None, detail));
    }
    for range in &all {
        addresses::canonical_range(check, range);
    }
    let families: Vec<Option<bool>> =
        all.iter().map(|range| Range::read(range.text()).map(Range::is_v6)).collect();
    if matches!(families[..], [Some(one), Some(other)] if one == other) {
        let value = place.value.cloned().unwrap_or_default();
        let detail = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and \
                      2001:db8::/64";
        check.push(FieldError::invalid(&*place.path, value, detail));
    }
}
