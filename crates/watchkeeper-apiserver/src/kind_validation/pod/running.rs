//! Where pods may run.

use watchkeeper_schema::FieldError;

use super::{Check, Place};

/// A toleration says what it tolerates.
pub(super) fn toleration(check: &mut Check<'_>, toleration: &Place<'_>) {
    let [key, operator, effect] = ["key", "operator", "effect"].map(|name| toleration.member(name));
    if key.is_empty() && operator.text() != "Exists" {
        let detail = "operator must be Exists when `key` is empty, which means \"match all values \
                      and all keys\"";
        check.push(FieldError::invalid(&*operator.path, operator.text(), detail));
    }
    if !toleration.member("tolerationSeconds").is_missing() && effect.text() != "NoExecute" {
        let detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
        check.push(FieldError::invalid(&*effect.path, effect.text(), detail));
    }
    if !matches!(operator.text(), "" | "Equal" | "Exists") {
        let known = ["Equal", "Exists"];
        check.push(FieldError::not_supported(&*operator.path, operator.text(), known));
    }
    let known = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
    if !effect.is_empty() && !known.contains(&effect.text()) {
        check.push(FieldError::not_supported(&*effect.path, effect.text(), known));
    }
}
