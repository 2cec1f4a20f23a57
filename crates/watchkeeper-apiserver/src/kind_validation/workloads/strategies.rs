//! How workloads replace their pods (`pkg/apis/apps/validation`).

use std::num::IntErrorKind;

use serde_json::{Value, json};
use watchkeeper_schema::error::quote;
use watchkeeper_schema::{FieldError, Reason};

use super::super::{Check, Place, internal};

const DEPLOYMENT: &str = "io.k8s.api.apps.v1.DeploymentStrategy";
const DAEMON_SET: &str = "io.k8s.api.apps.v1.DaemonSetUpdateStrategy";
const STATEFUL_SET: &str = "io.k8s.api.apps.v1.StatefulSetUpdateStrategy";
const PARTITION: &str = "io.k8s.api.apps.v1.RollingUpdateStatefulSetStrategy";

/// What a rolling update of pods that are all alike is bounded by.
const BOUNDS: [&str; 2] = ["maxUnavailable", "maxSurge"];

/// `ValidateDeploymentStrategy`.
pub(super) fn of_deployment(check: &mut Check<'_>) {
    let place = check.at("spec.strategy");
    let rolling = place.member("rollingUpdate");
    match place.member("type").text() {
        "Recreate" if rolling.is_missing() => {}
        "Recreate" => {
            let detail = "may not be specified when strategy `type` is 'Recreate'";
            check.push(FieldError::forbidden(&*rolling.path, detail));
        }
        "RollingUpdate" if rolling.is_missing() => {
            let detail = "this should be defaulted and never be nil";
            check.push(FieldError::required(&*rolling.path, detail));
        }
        "RollingUpdate" => deployment_rolls(check, &rolling),
        _ => check.push(unknown(&place, DEPLOYMENT, &["Recreate", "RollingUpdate"])),
    }
}

/// `ValidateRollingUpdateDeployment`: something has to change, be it at once.
fn deployment_rolls(check: &mut Check<'_>, rolling: &Place<'_>) {
    let [unavailable, surge] = BOUNDS.map(|name| rolling.member(name));
    positive(check, &unavailable);
    positive(check, &surge);
    if is_zero(&unavailable) && is_zero(&surge) {
        let detail = "may not be 0 when `maxSurge` is 0";
        check.push(FieldError::invalid(&*unavailable.path, given(&unavailable), detail));
    }
    at_most_all(check, &unavailable);
}

/// `ValidateDaemonSetUpdateStrategy`.
pub(super) fn of_daemon_set(check: &mut Check<'_>) {
    let place = check.at("spec.updateStrategy");
    let rolling = place.member("rollingUpdate");
    match place.member("type").text() {
        "OnDelete" => {}
        "RollingUpdate" if rolling.is_missing() => {
            check.push(FieldError::required(&*rolling.path, ""));
        }
        "RollingUpdate" => daemon_set_rolls(check, &rolling),
        _ => check.push(unknown(&place, DAEMON_SET, &["RollingUpdate", "OnDelete"])),
    }
}

/// `ValidateRollingUpdateDaemonSet`: a node has one pod less for a while, or one more.
fn daemon_set_rolls(check: &mut Check<'_>, rolling: &Place<'_>) {
    let [unavailable, surge] = BOUNDS.map(|name| rolling.member(name));
    positive(check, &unavailable);
    positive(check, &surge);
    at_most_all(check, &unavailable);
    at_most_all(check, &surge);
    match (is_zero(&unavailable), is_zero(&surge)) {
        (false, false) => {
            let detail = "may not be set when maxUnavailable is non-zero";
            check.push(FieldError::invalid(&*surge.path, given(&surge), detail));
        }
        (true, true) => {
            let detail = "cannot be 0 when maxSurge is 0";
            check.push(FieldError::required(&*unavailable.path, detail));
        }
        _ => {}
    }
}

/// The strategy of a stateful set, as `ValidateStatefulSetSpec` looks at it. The bound on its
/// unavailable pods is behind a gate that is off (`MaxUnavailableStatefulSet`): upstream takes it
/// away before.
pub(super) fn of_stateful_set(check: &mut Check<'_>) {
    let place = check.at("spec.updateStrategy");
    let rolling = place.member("rollingUpdate");
    match place.member("type").text() {
        "" => check.push(FieldError::required(&*place.path, "")),
        "RollingUpdate" => check.not_negative(&rolling.member("partition")),
        "OnDelete" if rolling.is_missing() => {}
        "OnDelete" => {
            let shown = internal::shown(PARTITION, Some(&partition(&rolling)));
            let detail = format!("{shown}: only allowed for updateStrategy 'RollingUpdate'");
            check.push(FieldError::new(Reason::Invalid, &*rolling.path, None, detail));
        }
        kind => {
            let inside = match rolling.is_missing() {
                true => json!({ "type": kind }),
                false => json!({ "type": kind, "rollingUpdate": partition(&rolling) }),
            };
            let shown = internal::shown(STATEFUL_SET, Some(&inside));
            let detail = format!("{shown}: must be 'RollingUpdate' or 'OnDelete'");
            check.push(FieldError::new(Reason::Invalid, &*place.path, None, detail));
        }
    }
}

/// What is left of the rolling update of a stateful set.
fn partition(rolling: &Place<'_>) -> Value {
    json!({ "partition": rolling.member("partition").number().unwrap_or_default() })
}

/// A strategy of a type that is none. Inside, the bounds of a rolling update are no pointers: they
/// are zero unless they are told.
fn unknown(place: &Place<'_>, model: &str, known: &[&str]) -> FieldError {
    let mut inside = place.value.cloned().unwrap_or_default();
    if let Some(Value::Object(rolling)) = inside.get_mut("rollingUpdate") {
        for name in BOUNDS {
            let bound = rolling.entry(name).or_insert(Value::Null);
            if bound.is_null() {
                *bound = Value::from(0);
            }
        }
    }
    let known: Vec<String> = known.iter().map(|known| quote(known)).collect();
    let shown = internal::shown(model, Some(&inside));
    let detail = format!("{shown}: supported values: {}", known.join(", "));
    FieldError::new(Reason::NotSupported, &*place.path, None, detail)
}

/// `ValidatePositiveIntOrPercent`.
fn positive(check: &mut Check<'_>, place: &Place<'_>) {
    check.not_negative(place);
    let is_text = place.value.is_some_and(Value::is_string);
    if is_text && percent(place).is_none() {
        let detail = "a valid percent string must be a numeric string followed by an ending '%' \
                      (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}

/// `IsNotMoreThan100Percent`.
fn at_most_all(check: &mut Check<'_>, place: &Place<'_>) {
    if percent(place).is_some_and(|percent| percent > 100) {
        let detail = "must not be greater than 100%";
        check.push(FieldError::invalid(&*place.path, given(place), detail));
    }
}

/// `getPercentValue`. Go takes the greatest number for one that is greater still.
fn percent(place: &Place<'_>) -> Option<i64> {
    let digits = place.text().strip_suffix('%')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(i64::MAX))
}

/// Whether `getIntOrPercentValue` is zero: text that is neither a percentage nor a number counts as
/// zero.
fn is_zero(place: &Place<'_>) -> bool {
    if let Some(number) = place.number().or_else(|| percent(place)) {
        return number == 0;
    }
    match place.text().parse::<i64>() {
        Ok(number) => number == 0,
        Err(why) => !matches!(why.kind(), IntErrorKind::PosOverflow | IntErrorKind::NegOverflow),
    }
}

/// A bound as it is shown.
fn given(place: &Place<'_>) -> Value {
    place.value.cloned().unwrap_or_else(|| Value::from(0))
}
