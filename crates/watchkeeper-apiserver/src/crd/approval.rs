//! Whether a definition in one of the groups of Kubernetes was approved there
//! (`apiextensions/pkg/controller/apiapproval`, `apihelpers.GetAPIApprovalState`).

use serde_json::Value;

use super::definition::condition;
use crate::clock::Now;
use crate::error::quoted;

#[cfg(test)]
mod tests;

/// Where the approval stands.
pub(crate) const ANNOTATION: &str = "api-approved.kubernetes.io";
const TYPE: &str = "KubernetesAPIApprovalPolicyConformant";
const SEE: &str = "see https://github.com/kubernetes/enhancements/pull/1111";

/// Whether definitions of a group need an approval.
pub(crate) fn is_protected(group: &str) -> bool {
    ["k8s.io", "kubernetes.io"].iter().any(|domain| {
        group.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// What the annotation says, in upstream's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing.
    Missing(String),
    /// Neither where it was approved nor why it was not.
    Invalid(String),
    /// Why it was not.
    Bypassed(String),
    /// Where it was.
    Approved(String),
}

/// The annotation of a definition.
pub(crate) fn annotation(crd: &Value) -> &str {
    let annotation = crd.pointer("/metadata/annotations").and_then(|all| all.get(ANNOTATION));
    annotation.and_then(Value::as_str).unwrap_or_default()
}

/// Reads it.
pub(crate) fn state(annotation: &str) -> State {
    let must = format!("protected groups must have approval annotation {}", quoted(ANNOTATION));
    if annotation.is_empty() {
        State::Missing(format!("{must}, {SEE}"))
    } else if annotation.starts_with("unapproved") {
        State::Bypassed(format!("not approved: {}", quoted(annotation)))
    } else if annotation.contains("://") {
        State::Approved(format!("approved in {annotation}"))
    } else {
        let form = r#"with either a URL or a reason starting with "unapproved""#;
        State::Invalid(format!("{must} {form}, {SEE}"))
    }
}

/// The condition of a definition; none outside of those groups.
pub(super) fn of(crd: &Value, now: Now) -> Option<Value> {
    if !is_protected(crd["spec"]["group"].as_str().unwrap_or_default()) {
        return None;
    }
    let (status, reason, message) = match state(annotation(crd)) {
        State::Missing(message) => ("False", "MissingAnnotation", message),
        State::Invalid(message) => ("False", "InvalidAnnotation", message),
        State::Bypassed(message) => ("False", "UnapprovedAnnotation", message),
        State::Approved(message) => ("True", "ApprovedAnnotation", message),
    };
    Some(condition(TYPE, status, reason, &message, now))
}
