//! Profiles of what a container may ask its kernel for.

use watchkeeper_schema::{FieldError, Reason};

use super::{Check, Place, files};
use crate::kind_validation::internal;

const SECCOMP: &str = "io.k8s.api.core.v1.SeccompProfile";
/// A path has at most one byte more.
const LONGEST: u64 = 4095;

/// A profile says of which type it is, and where its file is if it has one (`validateSeccompProfileField`).
pub(super) fn seccomp(check: &mut Check<'_>, profile: &Place<'_>) {
    if profile.is_missing() {
        return;
    }
    let (of, file) = (profile.member("type"), profile.member("localhostProfile"));
    kind(check, &of, "seccompProfile");
    match (of.text() == "Localhost", file.is_missing()) {
        (true, true) => {
            let detail = "must be set when seccomp type is Localhost";
            check.push(FieldError::required(file.path, detail));
        }
        (true, false) => files::descending(check, &file),
        (false, false) => {
            let shown = internal::shown(SECCOMP, profile.value);
            let detail = format!("{shown}: can only be set when seccomp type is Localhost");
            check.push(FieldError::new(Reason::Invalid, file.path, None, detail));
        }
        (false, true) => {}
    }
}

fn kind(check: &mut Check<'_>, of: &Place<'_>, what: &str) {
    let known = ["Localhost", "RuntimeDefault", "Unconfined"];
    if of.is_empty() {
        let detail = format!("type is required when {what} is set");
        check.push(FieldError::required(&*of.path, detail));
    } else if !known.contains(&of.text()) {
        check.push(FieldError::not_supported(&*of.path, of.text(), known));
    }
}

/// `ValidateAppArmorProfileField`
pub(super) fn app_armor(check: &mut Check<'_>, profile: &Place<'_>) {
    if profile.is_missing() {
        return;
    }
    let (of, file) = (profile.member("type"), profile.member("localhostProfile"));
    match of.text() {
        "Localhost" => loaded(check, &file),
        "RuntimeDefault" | "Unconfined" if !file.is_missing() => {
            let detail = "can only be set when AppArmor type is Localhost";
            check.push(FieldError::invalid(&*file.path, file.text(), detail));
        }
        _ => kind(check, &of, "appArmorProfile"),
    }
}

/// A profile that is loaded on the node, by its name.
fn loaded(check: &mut Check<'_>, name: &Place<'_>) {
    if name.text().trim() != name.text() {
        let detail = "must not be padded with whitespace";
        check.push(FieldError::invalid(&*name.path, name.text(), detail));
    } else if name.is_empty() {
        let detail = "must be set when AppArmor type is Localhost";
        check.push(FieldError::required(&*name.path, detail));
    }
    if name.text().len() as u64 > LONGEST {
        check.push(FieldError::too_long(&*name.path, LONGEST));
    }
}
