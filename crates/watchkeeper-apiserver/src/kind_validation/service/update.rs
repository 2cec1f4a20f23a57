//! What of a Service stays: its addresses and their families, unless it becomes or was an external name; and what a
//! load balancer was made with.

use serde_json::Value;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::item;

use super::super::{Check, Place};
use super::{asks_health, balancer_class};

pub(super) fn check(check: &mut Check<'_>) {
    let Some(before) = check.before() else { return };
    let is_name = |of: &Check<'_>| of.at("spec.type").text() == "ExternalName";
    if !is_name(&before) && !is_name(check) {
        addresses(check, &before);
        families(check, &before);
    }
    let is_balancer = |of: &Check<'_>| of.at("spec.type").text() == "LoadBalancer";
    if is_balancer(&before) && is_balancer(check) {
        let class = check.at("spec.loadBalancerClass");
        if class.value != before.at("spec.loadBalancerClass").value {
            let value = class.value.cloned().unwrap_or_default();
            check.push(FieldError::invalid(&*class.path, value, "may not change once set"));
        }
    }
    balancer_class(check);
    let port = check.at("spec.healthCheckNodePort");
    let was = before.at("spec.healthCheckNodePort").value;
    let has_changed = was.is_some_and(|was| port.value != Some(was));
    if asks_health(before.new) && asks_health(check.new) && has_changed {
        check.push(FieldError::forbidden(&*port.path, "field is immutable"));
    }
}

fn is_headless(of: &Check<'_>) -> bool {
    let addresses = of.at("spec.clusterIPs").items();
    matches!(&addresses[..], [one] if one.text() == "None")
        || addresses.is_empty() && of.at("spec.clusterIP").text() == "None"
}

fn addresses(check: &mut Check<'_>, before: &Check<'_>) {
    if is_headless(before) && is_headless(check) {
        return;
    }
    let (was, now) = (list(before, "clusterIP"), list(check, "clusterIP"));
    let changed = |at: usize| was.get(at) != now.get(at);
    let say = |check: &mut Check<'_>, at: usize, detail: &str| {
        let place = item("spec.clusterIPs", at);
        check.push(FieldError::invalid(place, now.clone(), detail));
    };
    if was.len() == now.len() {
        for at in (0..was.len()).filter(|at| changed(*at)) {
            say(check, at, "may not change once set");
        }
        return;
    }
    if now.is_empty() {
        say(check, 0, "primary clusterIP can not be unset");
    } else if !was.is_empty() && changed(0) {
        say(check, 0, "may not change once set");
    }
    if was.len() > now.len() && now.len() == 1 {
        released(check, "clusterIP");
    }
}

fn families(check: &mut Check<'_>, before: &Check<'_>) {
    if is_headless(before) || is_headless(check) {
        return;
    }
    let (was, now) = (list(before, "ipFamily"), list(check, "ipFamily"));
    let has_changed = was.len() == now.len() && was != now
        || !was.is_empty() && !now.is_empty() && was[0] != now[0];
    if has_changed {
        let detail = "may not change once set";
        check.push(FieldError::invalid("spec.ipFamilies[0]", now.clone(), detail));
    }
    if was.len() > now.len() && now.len() == 1 {
        released(check, "ipFamily");
    }
}

/// The texts of `spec.clusterIPs` or `spec.ipFamilies`; the single address stands for the list of it.
fn list(of: &Check<'_>, name: &str) -> Vec<Value> {
    let plural = if name == "ipFamily" { "spec.ipFamilies" } else { "spec.clusterIPs" };
    let mut items: Vec<Place<'_>> = of.at(plural).items();
    if items.is_empty() && name == "clusterIP" {
        items.extend(Some(of.at("spec.clusterIP")).filter(|place| !place.is_empty()));
    }
    items.iter().map(|place| place.text().into()).collect()
}

fn released(check: &mut Check<'_>, what: &str) {
    let policy = check.at("spec.ipFamilyPolicy");
    if policy.text() != "SingleStack" {
        let detail = format!("must be set to 'SingleStack' when releasing the secondary {what}");
        let value = policy.value.cloned().unwrap_or_default();
        check.push(FieldError::invalid(&*policy.path, value, detail));
    }
}
