//! Whether a flow schema is for a request (`apiserver/pkg/util/flowcontrol/rule.go`).

use serde_json::Value;

use crate::access::{Attributes, Target};
use crate::user::User;

/// Whether one of the rules of a schema is for the request.
pub(super) fn matches(spec: &Value, user: &User, asked: &Attributes) -> bool {
    let each = |list: &Value, is: &dyn Fn(&Value) -> bool| items(list).iter().any(is);
    each(&spec["rules"], &|rule| {
        each(&rule["subjects"], &|subject| is_subject(subject, user))
            && match &asked.target {
                Target::Resource { .. } => {
                    each(&rule["resourceRules"], &|rule| is_of_resources(rule, asked))
                }
                Target::Path(path) => each(&rule["nonResourceRules"], &|rule| {
                    has(&rule["verbs"], &asked.verb) && leads_to(&rule["nonResourceURLs"], path)
                }),
            }
    })
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Whether a text is in a list, or the list is `*` alone.
fn has(list: &Value, text: &str) -> bool {
    let list = items(list);
    matches!(list, [only] if only == "*") || list.iter().any(|one| one == text)
}

fn is_subject(subject: &Value, user: &User) -> bool {
    let text = |kind: &str, name: &str| subject[kind][name].as_str();
    match subject["kind"].as_str() {
        Some("User") => text("user", "name").is_some_and(|name| name == "*" || name == user.name),
        Some("Group") => text("group", "name").is_some_and(|name| name == "*" || user.is_in(name)),
        Some("ServiceAccount") => {
            let Some(namespace) = text("serviceAccount", "namespace") else { return false };
            match text("serviceAccount", "name") {
                Some("*") => {
                    let rest = user.name.strip_prefix("system:serviceaccount:");
                    let rest = rest.and_then(|rest| rest.strip_prefix(namespace));
                    rest.is_some_and(|rest| rest.starts_with(':'))
                }
                Some(name) => user.is_account(namespace, name),
                None => false,
            }
        }
        _ => false,
    }
}

fn is_of_resources(rule: &Value, asked: &Attributes) -> bool {
    let Target::Resource { group, resource, subresource, namespace, .. } = &asked.target else {
        return false;
    };
    let joined = format!("{resource}/{subresource}");
    let resource = if subresource.is_empty() { resource } else { &joined };
    has(&rule["verbs"], &asked.verb)
        && has(&rule["resources"], resource)
        && has(&rule["apiGroups"], group)
        && match namespace.as_str() {
            "" => rule["clusterScope"] == true,
            namespace => has(&rule["namespaces"], namespace),
        }
}

/// A path is that of a rule, or below it.
fn leads_to(rules: &Value, path: &str) -> bool {
    items(rules).iter().filter_map(Value::as_str).any(|rule| {
        let above = rule.strip_suffix('*').unwrap_or(rule);
        let above = above.strip_suffix('/').unwrap_or(above);
        rule == "*"
            || rule == path
            || path.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
    })
}
