//! From users to rules: the bindings that name them, and the roles that these refer to.

use std::sync::Arc;

use serde_json::Value;

use super::rule::Rule;
use crate::error::{ApiError, quoted};
use crate::meta;
use crate::storage::{Store, Stored};
use crate::user::User;

/// The tables of roles and bindings.
pub(crate) const CLUSTER_ROLES: &str = "clusterroles.rbac.authorization.k8s.io";
const ROLES: &str = "roles.rbac.authorization.k8s.io";
const CLUSTER_ROLE_BINDINGS: &str = "clusterrolebindings.rbac.authorization.k8s.io";
const ROLE_BINDINGS: &str = "rolebindings.rbac.authorization.k8s.io";

/// What one binding gives a user.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Which binding that is, as reasons tell it.
    pub source: String,
    /// The rules of its role, or that there is none.
    pub rules: Result<Vec<Rule>, Box<ApiError>>,
}

/// What the bindings of the cluster and, if there is one, of the namespace give a user.
pub fn grants<'a>(
    store: &'a Store,
    user: &'a User,
    namespace: &'a str,
) -> impl Iterator<Item = Grant> + 'a {
    let everywhere = bindings(store, CLUSTER_ROLE_BINDINGS);
    let here = bindings(store, ROLE_BINDINGS)
        .filter(move |binding| !namespace.is_empty() && binding.namespace() == namespace);
    everywhere.chain(here).filter_map(move |binding| grant(store, user, binding))
}

/// All rules that hold for a user, and what is said of the roles that are not there.
#[must_use]
pub fn rules(store: &Store, user: &User, namespace: &str) -> (Vec<Rule>, Vec<String>) {
    let (mut rules, mut errors) = (Vec::new(), Vec::new());
    for grant in grants(store, user, namespace) {
        match grant.rules {
            Ok(more) => rules.extend(more),
            Err(error) => errors.push(error.message),
        }
    }
    (rules, errors)
}

fn bindings<'a>(store: &'a Store, table: &str) -> impl Iterator<Item = &'a Arc<Stored>> + use<'a> {
    store.table(table).into_iter().flat_map(|table| table.values())
}

fn grant(store: &Store, user: &User, binding: &Stored) -> Option<Grant> {
    let namespace = binding.namespace();
    let value = binding.value();
    let subjects = value["subjects"].as_array()?;
    let subject = subjects.iter().find(|subject| is_about(subject, user, namespace))?;
    let role = &value["roleRef"];
    let (kind, of) = if namespace.is_empty() {
        ("ClusterRoleBinding", binding.name().to_owned())
    } else {
        ("RoleBinding", format!("{}/{namespace}", binding.name()))
    };
    let text = |name: &str| role[name].as_str().unwrap_or_default();
    let source = format!(
        "{kind} {} of {} {} to {}",
        quoted(&of),
        text("kind"),
        quoted(text("name")),
        told(subject, namespace)
    );
    Some(Grant { source, rules: role_rules(store, role, namespace).map_err(Box::new) })
}

/// The rules of the role that a binding in this namespace refers to.
///
/// # Errors
///
/// 404 when there is none.
pub fn role_rules(store: &Store, role: &Value, namespace: &str) -> Result<Vec<Rule>, ApiError> {
    let name = role["name"].as_str().unwrap_or_default();
    let (table, key, kind) = match role["kind"].as_str() {
        Some("ClusterRole") => (CLUSTER_ROLES, name.to_owned(), "clusterrole"),
        Some("Role") => (ROLES, format!("{namespace}/{name}"), "role"),
        other => {
            let kind = quoted(other.unwrap_or_default());
            return Err(ApiError::new(500, "", format!("unsupported role reference kind: {kind}")));
        }
    };
    let Some(role) = store.get(table, &key) else {
        let message = format!("{kind}.{} {} not found", super::GROUP, quoted(name));
        let error = ApiError::new(404, "NotFound", message);
        let error = error.with_detail("name", name).with_detail("group", super::GROUP);
        return Err(error.with_detail("kind", kind));
    };
    Ok(Rule::of_role(&role.value()))
}

/// Whether a subject of a binding is this user, one of its groups or its account.
fn is_about(subject: &Value, user: &User, namespace: &str) -> bool {
    let name = subject["name"].as_str().unwrap_or_default();
    match subject["kind"].as_str() {
        Some("User") => user.name == name,
        Some("Group") => user.is_in(name),
        Some("ServiceAccount") => {
            let own = subject["namespace"].as_str().filter(|own| !own.is_empty());
            let namespace = own.unwrap_or(namespace);
            !namespace.is_empty() && user.is_account(namespace, name)
        }
        _ => false,
    }
}

fn told(subject: &Value, namespace: &str) -> String {
    let text = |name: &str| subject[name].as_str().unwrap_or_default();
    let kind = text("kind");
    if kind != "ServiceAccount" {
        return format!("{kind} {}", quoted(text("name")));
    }
    let namespace = if text("namespace").is_empty() { namespace } else { text("namespace") };
    format!("{kind} {}", quoted(&format!("{}/{namespace}", text("name"))))
}

/// Whether two states of a role or binding differ in nothing but what deletions change.
pub(crate) fn same_but_for_deletion(one: &Value, other: &Value) -> bool {
    let rest = |object: &Value| {
        let mut object = object.clone();
        let members = meta::members(&mut object);
        for name in ["ownerReferences", "finalizers", "managedFields", "resourceVersion"] {
            members.remove(name);
        }
        object
    };
    rest(one) == rest(other)
}
