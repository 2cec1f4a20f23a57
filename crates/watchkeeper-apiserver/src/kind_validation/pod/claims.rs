//! The claims for devices that a pod has (`validatePodResourceClaims`).

use std::collections::BTreeSet;

use watchkeeper_schema::{FieldError, Reason};

use super::{Check, Place, Whose, annotations, names};
use crate::kind_validation::internal;

const CLAIM: &str = "io.k8s.api.core.v1.PodResourceClaim";

/// What is wrong with the claims of a pod, and how they are called.
pub(super) fn check<'a>(
    check: &mut Check<'_>,
    spec: &Place<'a>,
    whose: &Whose<'_>,
) -> BTreeSet<&'a str> {
    let list = spec.member("resourceClaims").items();
    if whose.pod.is_some() && check.at("metadata.annotations").has(annotations::MIRROR) {
        for _ in &list {
            check.push(FieldError::forbidden("", "static pods do not support resource claims"));
        }
        return list.iter().map(|claim| claim.member("name").text()).collect();
    }
    let mut seen = BTreeSet::new();
    for claim in &list {
        let name = claim.member("name");
        if seen.contains(name.text()) {
            check.push(FieldError::duplicate(&*name.path, name.text()));
        } else {
            check.name(&name, "", names::label);
            if !name.is_empty() {
                seen.insert(name.text());
            }
        }
        source(check, claim);
    }
    seen
}

/// A claim is one that is there, or is made from a template.
fn source(check: &mut Check<'_>, claim: &Place<'_>) {
    let given = ["resourceClaimName", "resourceClaimTemplateName"].map(|name| claim.member(name));
    let detail = match given.iter().filter(|place| !place.is_missing()).count() {
        0 => Some("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"),
        1 => None,
        _ => Some(
            "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified",
        ),
    };
    if let Some(detail) = detail {
        let shown = internal::shown(CLAIM, claim.value);
        let detail = format!("{shown}: {detail}");
        check.push(FieldError::new(Reason::Invalid, &*claim.path, None, detail));
    }
    for name in given.iter().filter(|place| !place.is_missing()) {
        check.all(name, name.text(), names::subdomain(name.text()));
    }
}
