//! Roles and who has them (`pkg/apis/rbac/validation`).

use watchkeeper_schema::{FieldError, Reason};

use super::{Check, Place, internal, metadata, names};

const GROUP: &str = "rbac.authorization.k8s.io";

/// Who has which role.
pub(super) fn role_binding(check: &mut Check<'_>, kind: &str) {
    let group = check.at("roleRef.apiGroup");
    if group.text() != GROUP {
        check.push(FieldError::not_supported(&*group.path, group.text(), [GROUP]));
    }
    let of = check.at("roleRef.kind");
    let allowed: &[&str] =
        if kind == "RoleBinding" { &["Role", "ClusterRole"] } else { &["ClusterRole"] };
    if !allowed.contains(&of.text()) {
        check.push(FieldError::not_supported(&*of.path, of.text(), allowed));
    }
    let name = check.at("roleRef.name");
    check.name(&name, "", names::path_segment);
    for subject in check.at("subjects").items() {
        self::subject(check, &subject, kind == "ClusterRoleBinding");
    }
    metadata::update_again(check);
    if check.old.is_some_and(|old| old.get("roleRef") != check.new.get("roleRef")) {
        let now = check.new.get("roleRef");
        let shown = internal::shown("io.k8s.api.rbac.v1.RoleRef", now);
        let detail = format!("{shown}: cannot change roleRef");
        check.push(FieldError::new(Reason::Invalid, "roleRef", None, detail));
    }
}

fn subject(check: &mut Check<'_>, place: &Place<'_>, needs_namespace: bool) {
    let [name, kind, group] = ["name", "kind", "apiGroup"].map(|name| place.member(name));
    if name.is_empty() {
        check.push(FieldError::required(&*name.path, ""));
    }
    match kind.text() {
        "ServiceAccount" => {
            if !name.is_empty() {
                check.all(&name, name.text(), names::subdomain(name.text()));
            }
            if !group.is_empty() {
                check.push(FieldError::not_supported(&*group.path, group.text(), [""]));
            }
            let namespace = place.member("namespace");
            if needs_namespace && namespace.is_empty() {
                check.push(FieldError::required(&*namespace.path, ""));
            }
        }
        "User" | "Group" => {
            if group.text() != GROUP {
                check.push(FieldError::not_supported(&*group.path, group.text(), [GROUP]));
            }
        }
        other => {
            let allowed = ["ServiceAccount", "User", "Group"];
            check.push(FieldError::not_supported(&*kind.path, other, allowed));
        }
    }
}

/// What may be done to what.
pub(super) fn role(check: &mut Check<'_>, kind: &str) {
    for rule in check.at("rules").items() {
        let verbs = rule.member("verbs");
        if verbs.is_empty() {
            check.push(FieldError::required(&*verbs.path, "verbs must contain at least one value"));
        }
        let (groups, resources) = (rule.member("apiGroups"), rule.member("resources"));
        let paths = rule.member("nonResourceURLs");
        if !paths.is_empty() {
            let mut say = |is_so: bool, detail: &str| {
                if is_so {
                    let value = paths.value.cloned().unwrap_or_default();
                    check.push(FieldError::invalid(&*paths.path, value, detail));
                }
            };
            say(kind == "Role", "namespaced rules cannot apply to non-resource URLs");
            let names = rule.member("resourceNames");
            say(
                ![&groups, &resources, &names].iter().all(|of| of.is_empty()),
                "rules cannot apply to both regular resources and non-resource URLs",
            );
            continue;
        }
        if groups.is_empty() {
            let detail = "resource rules must supply at least one api group";
            check.push(FieldError::required(&*groups.path, detail));
        }
        if resources.is_empty() {
            let detail = "resource rules must supply at least one resource";
            check.push(FieldError::required(&*resources.path, detail));
        }
    }
    metadata::update_again(check);
}
