//! Where instances keep how many there shall be and are.

use watchkeeper_schema::FieldError;

use super::super::{Check, Place};

pub(super) fn check(check: &mut Check<'_>, place: &Place<'_>) {
    let scale = place.member("scale");
    if scale.is_missing() {
        return;
    }
    for (name, under) in [("specReplicasPath", ".spec."), ("statusReplicasPath", ".status.")] {
        let path = scale.member(name);
        if path.is_empty() {
            check.push(FieldError::required(&*path.path, ""));
        } else {
            let detail = format!("should be a json path under {}", under.trim_end_matches('.'));
            self::path(check, &path, &[under], &detail);
        }
    }
    let selector = scale.member("labelSelectorPath");
    if !selector.is_empty() {
        let detail = "should be a json path under either .spec or .status";
        path(check, &selector, &[".spec.", ".status."], detail);
    }
}

fn path(check: &mut Check<'_>, place: &Place<'_>, under: &[&str], detail: &str) {
    let text = place.text();
    let detail =
        if text.starts_with('.') { detail } else { "must be a simple json path starting with ." };
    if !under.iter().any(|under| text.starts_with(under)) {
        check.push(FieldError::invalid(&*place.path, text, detail));
    }
}
