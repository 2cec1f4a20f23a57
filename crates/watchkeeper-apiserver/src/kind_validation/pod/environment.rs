//! The environment of a container.

use watchkeeper_schema::FieldError;

use crate::kind_validation::{Check, Place, names};

/// What is wrong with the variables of a container, and with where it has others from.
pub(super) fn check(check: &mut Check<'_>, container: &Place<'_>) {
    for variable in container.member("env").items() {
        let name = variable.member("name");
        match name.text() {
            "" => check.push(FieldError::required(&*name.path, "")),
            _ => variable_name(check, &name),
        }
        value_from(check, &variable);
    }
    let from = container.member("envFrom");
    for source in from.items() {
        variable_name(check, &source.member("prefix"));
        let (map, secret) = (source.member("configMapRef"), source.member("secretRef"));
        for named in [&map, &secret].into_iter().filter(|named| !named.is_missing()) {
            check.name(&named.member("name"), "", names::subdomain_prefix);
        }
        let why = match (map.is_missing(), secret.is_missing()) {
            (true, true) => "must specify one of: `configMapRef` or `secretRef`",
            (false, false) => "may not have more than one field specified at a time",
            _ => continue,
        };
        check.push(FieldError::invalid(&*from.path, "", why));
    }
}

/// A value that is found elsewhere is found in one place (`validateEnvVarValueFrom`).
fn value_from(check: &mut Check<'_>, variable: &Place<'_>) {
    const SOURCES: [&str; 5] =
        ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];
    let from = variable.member("valueFrom");
    if from.is_missing() {
        return;
    }
    for name in ["configMapKeyRef", "secretKeyRef"] {
        let of = from.member(name);
        if !of.is_missing() {
            entry(check, &of);
        }
    }
    let given = SOURCES.iter().filter(|name| from.has(name)).count();
    let detail = match given {
        0 => {
            "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` \
             or `fileKeyRef`"
        }
        _ if !variable.member("value").is_empty() => {
            "may not be specified when `value` is not empty"
        }
        1 => return,
        _ => "may not have more than one field specified at a time",
    };
    check.push(FieldError::invalid(&*from.path, "", detail));
}

/// A key of a config map or secret.
fn entry(check: &mut Check<'_>, of: &Place<'_>) {
    let name = of.member("name");
    check.all(&name, name.text(), names::subdomain(name.text()));
    check.name(&of.member("key"), "", names::config_key);
}

fn variable_name(check: &mut Check<'_>, name: &Place<'_>) {
    if !name.text().bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'=') {
        let detail = "a valid environment variable name must consist only of printable ASCII \
                      characters other than '='";
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    }
}
