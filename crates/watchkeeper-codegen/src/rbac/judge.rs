//! Whether roles grant a permission, as a server judges it (upstream's `rbac` authorizer).

use serde_json::Value;

use super::{Permission, PermissionTarget};
use crate::custom::{At, InputError, Place, documents};

/// The roles of a manifest.
pub(super) struct Roles(Vec<Role>);

struct Role {
    /// Empty: everywhere.
    namespace: String,
    rules: Vec<Value>,
}

impl Roles {
    pub(super) fn parse(source: &str, manifest: &str) -> Result<Self, InputError> {
        let mut roles = Vec::new();
        for (index, document) in documents(manifest, source)?.iter().enumerate() {
            collect(document, &At::document(index), source, &mut roles)?;
        }
        if roles.is_empty() {
            let message = "there is neither a ClusterRole nor a Role";
            return Err(InputError::new(source, Place::Source, message));
        }
        Ok(Self(roles))
    }

    pub(super) fn allow(&self, permission: &Permission) -> bool {
        let namespace = permission.namespace();
        let counts = |role: &&Role| role.namespace.is_empty() || role.namespace == namespace;
        let mut rules = self.0.iter().filter(counts).flat_map(|role| {
            // Paths lie in no namespace, so no Role grants them.
            role.rules.iter().map(|rule| (role.namespace.is_empty(), rule))
        });
        rules.any(|(everywhere, rule)| grants(rule, permission, everywhere))
    }
}

fn collect(
    document: &Value,
    at: &At,
    source: &str,
    roles: &mut Vec<Role>,
) -> Result<(), InputError> {
    let text =
        |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let namespace = match text("/kind") {
        "ClusterRole" => "",
        "Role" if text("/metadata/namespace").is_empty() => {
            let message = format!("the Role {:?} has none", text("/metadata/name"));
            return Err(InputError::new(source, at.member("metadata.namespace"), message));
        }
        "Role" => text("/metadata/namespace"),
        "List" | "ClusterRoleList" | "RoleList" => {
            let items = document.get("items").and_then(Value::as_array).into_iter().flatten();
            for (index, item) in items.enumerate() {
                collect(item, &at.item(index), source, roles)?;
            }
            return Ok(());
        }
        // Manifests hold other objects beside the roles.
        _ => return Ok(()),
    };
    let rules = document.get("rules").and_then(Value::as_array).cloned().unwrap_or_default();
    roles.push(Role { namespace: namespace.to_owned(), rules });
    Ok(())
}

fn grants(rule: &Value, permission: &Permission, everywhere: bool) -> bool {
    let any = |part: &str, fits: &dyn Fn(&str) -> bool| texts(rule, part).any(fits);
    let is_or_all = |part: &str, wanted: &str| any(part, &|text| text == "*" || text == wanted);
    if !is_or_all("verbs", &permission.verb) {
        return false;
    }
    match &permission.target {
        PermissionTarget::Url(url) => everywhere && any("nonResourceURLs", &|of| is_below(of, url)),
        PermissionTarget::Resource { group, resource, name, .. } => {
            is_or_all("apiGroups", group)
                && any("resources", &|of| is_resource(of, resource))
                && (texts(rule, "resourceNames").next().is_none()
                    || !name.is_empty() && any("resourceNames", &|of| of == name))
        }
    }
}

fn texts<'a>(rule: &'a Value, part: &str) -> impl Iterator<Item = &'a str> {
    rule.get(part).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// All resources and their parts, this one, or this part of any. There is no `pods/*`.
pub(super) fn is_resource(of: &str, resource: &str) -> bool {
    let part = resource.split_once('/').map(|(_, part)| part);
    of == "*" || of == resource || part.is_some() && of.strip_prefix("*/") == part
}

/// A path, or all that begin like it.
pub(super) fn is_below(of: &str, url: &str) -> bool {
    of == url || of.strip_suffix('*').is_some_and(|start| url.starts_with(start))
}
