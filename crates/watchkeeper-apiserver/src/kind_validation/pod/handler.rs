//! What is run, asked or waited for in a container: hooks of its life, and probes.

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::{Check, Place, names};

/// The hooks and probes of a container that runs beside others.
pub(super) fn of_container(check: &mut Check<'_>, container: &Place<'_>, grace: Option<i64>) {
    lifecycle(check, &container.member("lifecycle"), grace);
    probes(check, container);
}

/// A container sleeps no longer than it is waited for.
fn lifecycle(check: &mut Check<'_>, place: &Place<'_>, grace: Option<i64>) {
    for name in ["postStart", "preStop"] {
        let handler = place.member(name);
        if !handler.is_missing() {
            one(check, &handler, ["exec", "httpGet", "tcpSocket", "sleep"], grace);
        }
    }
}

/// The probes of a container.
fn probes(check: &mut Check<'_>, container: &Place<'_>) {
    for name in ["livenessProbe", "readinessProbe", "startupProbe"] {
        let probe = container.member(name);
        if probe.is_missing() {
            continue;
        }
        self::probe(check, &probe);
        let threshold = probe.member("successThreshold");
        let grace = probe.member("terminationGracePeriodSeconds");
        match (name, threshold.number(), grace.number()) {
            ("readinessProbe", _, Some(seconds)) => {
                let detail = "must not be set for readinessProbes";
                check.push(FieldError::invalid(grace.path, seconds, detail));
            }
            ("livenessProbe" | "startupProbe", Some(number), _) if number != 1 => {
                check.push(FieldError::invalid(threshold.path, number, "must be 1"));
            }
            _ => {}
        }
    }
}

/// What runs to its end before the others begin has neither a life that is watched nor probes.
pub(super) fn none_before_others(check: &mut Check<'_>, container: &Place<'_>) {
    for name in ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] {
        let place = container.member(name);
        if !place.is_missing() {
            let detail = "may not be set for init containers without restartPolicy=Always";
            check.push(FieldError::forbidden(place.path, detail));
        }
    }
}

/// A probe has one handler and no negative number.
fn probe(check: &mut Check<'_>, probe: &Place<'_>) {
    one(check, probe, ["exec", "httpGet", "tcpSocket", "grpc"], None);
    for number in [
        "initialDelaySeconds",
        "timeoutSeconds",
        "periodSeconds",
        "successThreshold",
        "failureThreshold",
    ] {
        check.not_negative(&probe.member(number));
    }
    let grace = probe.member("terminationGracePeriodSeconds");
    if let Some(seconds) = grace.number().filter(|seconds| *seconds <= 0) {
        check.push(FieldError::invalid(&*grace.path, seconds, "must be greater than 0"));
    }
}

/// The first handler counts, and there is no other.
fn one(check: &mut Check<'_>, place: &Place<'_>, names: [&str; 4], grace: Option<i64>) {
    let handlers = names.map(|name| (name, place.member(name)));
    let mut given = handlers.iter().filter(|(_, handler)| !handler.is_missing());
    match given.next() {
        None => check.push(FieldError::required(&*place.path, "must specify a handler type")),
        Some((name, handler)) => inside(check, name, handler, grace),
    }
    for (_, handler) in given {
        let detail = "may not specify more than 1 handler type";
        check.push(FieldError::forbidden(&*handler.path, detail));
    }
}

fn inside(check: &mut Check<'_>, name: &str, handler: &Place<'_>, grace: Option<i64>) {
    match name {
        "exec" if handler.member("command").is_empty() => {
            check.push(FieldError::required(handler.member("command").path, ""));
        }
        "httpGet" => http(check, handler),
        "tcpSocket" | "grpc" => port(check, &handler.member("port")),
        "sleep" => sleep(check, handler, grace),
        _ => {}
    }
}

fn http(check: &mut Check<'_>, get: &Place<'_>) {
    if get.member("path").is_empty() {
        check.push(FieldError::required(get.member("path").path, ""));
    }
    port(check, &get.member("port"));
    let scheme = get.member("scheme");
    if !["HTTP", "HTTPS"].contains(&scheme.text()) {
        check.push(FieldError::not_supported(&*scheme.path, scheme.text(), ["HTTP", "HTTPS"]));
    }
    let headers = get.member("httpHeaders");
    for header in headers.items() {
        let name = header.member("name").text();
        check.all(&headers, name, names::header(name));
    }
}

/// A port by number or name; none is the number 0.
fn port(check: &mut Check<'_>, port: &Place<'_>) {
    let wrong = match port.value.and_then(Value::as_str) {
        Some(name) => names::port_name(name),
        None => names::port_number(port.number().unwrap_or_default()),
    };
    let value = port.value.cloned().unwrap_or_else(|| 0.into());
    for why in wrong {
        check.push(FieldError::invalid(&*port.path, value.clone(), why));
    }
}

fn sleep(check: &mut Check<'_>, sleep: &Place<'_>, grace: Option<i64>) {
    let seconds = sleep.member("seconds").number().unwrap_or_default();
    let Some(grace) = grace.filter(|grace| !(0..=*grace).contains(&seconds)) else { return };
    let detail =
        format!("must be non-negative and less than terminationGracePeriodSeconds ({grace})");
    check.push(FieldError::invalid(&*sleep.path, seconds, detail));
}
