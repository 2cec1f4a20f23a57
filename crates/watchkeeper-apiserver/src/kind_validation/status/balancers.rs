//! Where load balancers are reached.

use watchkeeper_schema::FieldError;

use super::super::{Check, Place, addresses, names};

pub(super) fn ingress(check: &mut Check<'_>) {
    for point in points(check) {
        address(check, &point.member("ip"));
        host(check, &point.member("hostname"));
    }
}

pub(super) fn service(check: &mut Check<'_>) {
    let points = points(check);
    if check.at("spec.type").text() != "LoadBalancer" && !points.is_empty() {
        let detail = "may only be used when `spec.type` is 'LoadBalancer'";
        return check.push(FieldError::forbidden("status.loadBalancer.ingress", detail));
    }
    for point in points {
        address(check, &point.member("ip"));
        mode(check, &point);
        host(check, &point.member("hostname"));
    }
}

fn points<'a>(check: &Check<'a>) -> Vec<Place<'a>> {
    check.at("status.loadBalancer.ingress").items()
}

/// One that was there before stays, however it is written.
fn address(check: &mut Check<'_>, place: &Place<'_>) {
    let before = check.before().map(|before| points(&before)).unwrap_or_default();
    let is_old = before.iter().any(|point| point.member("ip").text() == place.text());
    if !place.is_empty() && !is_old {
        let _ = addresses::address(check, place);
    }
}

/// Whether what is sent to an address goes on to the nodes as it came.
fn mode(check: &mut Check<'_>, point: &Place<'_>) {
    let (address, mode) = (point.member("ip"), point.member("ipMode"));
    match (mode.is_missing(), address.is_empty()) {
        (true, true) => {}
        (true, false) => {
            check.push(FieldError::required(mode.path, "must be specified when `ip` is set"));
        }
        (false, true) => {
            let detail = "may not be specified when `ip` is not set";
            check.push(FieldError::forbidden(mode.path, detail));
        }
        (false, false) => check.optional(&mode, &["Proxy", "VIP"]),
    }
}

fn host(check: &mut Check<'_>, place: &Place<'_>) {
    if place.is_empty() {
        return;
    }
    check.all(place, place.text(), names::subdomain(place.text()));
    if addresses::lenient(place.text()).is_some() {
        let detail = "must be a DNS name, not an IP address";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}
