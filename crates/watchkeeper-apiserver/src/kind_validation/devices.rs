//! Classes of devices, and what they share with claims (`pkg/apis/resource/validation`).

use serde_json::Value;
use watchkeeper_schema::FieldError;

use super::storage::driver_name;
use super::{Check, Place, expressions, names, resources};

const MOST_SELECTORS: u64 = 32;
const MOST_CONFIGURATIONS: u64 = 32;
/// How long the parameters of a driver are, at most, in bytes.
const LONGEST_PARAMETERS: usize = 10 * 1024;

/// Which devices are of a class, and what their drivers are told.
pub(super) fn device_class(check: &mut Check<'_>) {
    let spec = check.at("spec");
    selectors(check, &spec.member("selectors"));
    let configurations = spec.member("config");
    let is_kept = check
        .before()
        .is_some_and(|before| before.at("spec").member("config").value == configurations.value);
    slice(check, &configurations, MOST_CONFIGURATIONS, |check, place| {
        configuration(check, place, is_kept);
    });
    let name = spec.member("extendedResourceName");
    if !name.is_missing() && !resources::is_extended(name.text()) {
        let detail = "must be a valid extended resource name";
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
}

/// Items that are not too many (`validateSlice`).
pub(super) fn slice(
    check: &mut Check<'_>,
    list: &Place<'_>,
    most: u64,
    mut each: impl FnMut(&mut Check<'_>, &Place<'_>),
) {
    let items = list.items();
    if items.len() as u64 > most {
        return check.push(FieldError::too_many(&*list.path, items.len() as u64, most));
    }
    for item in &items {
        each(check, item);
    }
}

/// Which devices are meant.
pub(super) fn selectors(check: &mut Check<'_>, list: &Place<'_>) {
    slice(check, list, MOST_SELECTORS, |check, selector| {
        let cel = selector.member("cel");
        if cel.is_missing() {
            check.push(FieldError::required(&*cel.path, ""));
        } else {
            expressions::of_devices(check, &cel.member("expression"));
        }
    });
}

/// What a driver is told, which only it understands (`validateDeviceConfiguration`). What has been
/// taken once may be long.
pub(super) fn configuration(check: &mut Check<'_>, place: &Place<'_>, is_kept: bool) {
    let opaque = place.member("opaque");
    if opaque.is_missing() {
        return check.push(FieldError::required(&*opaque.path, ""));
    }
    driver_name(check, &opaque.member("driver"));
    object(check, &opaque.member("parameters"), is_kept);
}

/// JSON that only a driver understands (`validateRawExtension`).
pub(super) fn object(check: &mut Check<'_>, place: &Place<'_>, is_kept: bool) {
    let Some(value) = place.value else {
        return check.push(FieldError::required(&*place.path, ""));
    };
    if !is_kept && value.to_string().len() > LONGEST_PARAMETERS {
        check.push(FieldError::too_long(&*place.path, LONGEST_PARAMETERS as u64));
    } else if !matches!(value, Value::Object(_)) {
        let (shown, detail) = ("<value omitted>", "must be a valid JSON object");
        check.push(FieldError::invalid(&*place.path, shown, detail));
    }
}

/// What a request for devices bears (`validateDeviceToleration`).
pub(super) fn toleration(check: &mut Check<'_>, place: &Place<'_>) {
    let [key, operator, value, effect] =
        ["key", "operator", "value", "effect"].map(|name| place.member(name));
    if !key.is_empty() {
        check.all(&key, key.text(), names::qualified(key.text()));
    }
    match operator.text() {
        "Exists" if !value.is_empty() => {
            let detail = "must be empty for operator `Exists`";
            check.push(FieldError::invalid(&*value.path, value.text(), detail));
        }
        "Equal" => check.all(&value, value.text(), names::label_value(value.text())),
        _ => check.one_of(&operator, &["Equal", "Exists"]),
    }
    if !effect.is_empty() {
        check.one_of(&effect, &EFFECTS);
    }
}

/// What is wrong with a device, and what comes of it (`validateDeviceTaint`).
pub(super) fn taint(check: &mut Check<'_>, place: &Place<'_>) {
    let [key, value, effect] = ["key", "value", "effect"].map(|name| place.member(name));
    check.all(&key, key.text(), names::qualified(key.text()));
    check.all(&value, value.text(), names::label_value(value.text()));
    check.one_of(&effect, &EFFECTS);
}

const EFFECTS: [&str; 3] = ["NoExecute", "NoSchedule", "None"];

/// A name that may have the domain of a driver before it (`validateQualifiedName`).
pub(super) fn qualified_name(check: &mut Check<'_>, place: &Place<'_>, text: &str) {
    let parts: Vec<&str> = text.split('/').collect();
    match parts[..] {
        [name] => identifier(check, place, name),
        [domain, name] => {
            let at = Place { value: None, path: place.path.clone() };
            match domain {
                "" => {
                    let detail = "the domain must not be empty";
                    check.push(FieldError::invalid(&*place.path, "", detail));
                }
                domain => {
                    let domain = Value::from(domain);
                    driver_name(check, &Place { value: Some(&domain), ..at });
                }
            }
            match name {
                "" => {
                    let detail = "the name must not be empty";
                    check.push(FieldError::invalid(&*place.path, "", detail));
                }
                name => identifier(check, place, name),
            }
        }
        // Upstream does not look at others.
        _ => {}
    }
}

/// A name with the domain of a driver before it (`validateFullyQualifiedName`).
pub(super) fn full_name(check: &mut Check<'_>, place: &Place<'_>) {
    qualified_name(check, place, place.text());
    if !place.text().contains('/') {
        let detail = "a fully qualified name must be a domain and a name separated by a slash";
        check.push(FieldError::invalid(&*place.path, place.text(), detail));
    }
}

fn identifier(check: &mut Check<'_>, place: &Place<'_>, text: &str) {
    const LONGEST: usize = 32;
    if text.len() > LONGEST {
        check.push(FieldError::too_long(&*place.path, LONGEST as u64));
    }
    if !names::is_identifier(text) {
        let detail = "a valid C identifier must start with alphabetic character or '_', followed \
                      by a string of alphanumeric characters or '_' (e.g. 'my_name',  or \
                      'MY_NAME',  or 'MyName', regex used for validation is \
                      '[A-Za-z_][A-Za-z0-9_]*')";
        check.push(FieldError::invalid(&*place.path, text, detail));
    }
}
