//! Nobody gives away more than they have: what a write to a role or a binding needs beside the
//! permission to write it (`kubernetes/pkg/registry/rbac/*/policybased`).

use serde_json::Value;

use super::attributes::{Attributes, Target};
use super::resolve::{self, same_but_for_deletion};
use super::rule::{Rule, quoted_list};
use super::{Authorization, GROUP, covers, decide};
use crate::error::{ApiError, Result, quoted};
use crate::meta;
use crate::request::Call;
use crate::step::Core;
use crate::user::MASTERS;

/// Checks a write to a role or a binding; other writes pass.
///
/// # Errors
///
/// 403 with the rules that the user does not have, or where there are too many to compare; 404 for a binding of a role that is not there.
pub(crate) fn check(core: &Core, call: &Call, old: Option<&Value>, new: &Value) -> Result<()> {
    if call.resource.group != GROUP
        || core.config.authorization == Authorization::AlwaysAllow
        || call.user.is_in(MASTERS)
        || old.is_some_and(|old| same_but_for_deletion(old, new))
    {
        return Ok(());
    }
    match &*call.resource.plural {
        "roles" | "clusterroles" => role(core, call, old, new),
        _ => binding(core, call, new),
    }
}

fn role(core: &Core, call: &Call, old: Option<&Value>, new: &Value) -> Result<()> {
    if may(core, call, "escalate", &call.resource.plural, &call.name) {
        return Ok(());
    }
    confirm(core, call, meta::name(new), &Rule::of_role(new))?;
    let aggregates = |role: &Value| !role["aggregationRule"].is_null();
    if (aggregates(new) || old.is_some_and(aggregates))
        && confirm(core, call, meta::name(new), &Rule::everything()).is_err()
    {
        let why = "must have cluster-admin privileges to use the aggregationRule";
        return Err(ApiError::forbidden(&call.resource, meta::name(new), why));
    }
    Ok(())
}

fn binding(core: &Core, call: &Call, new: &Value) -> Result<()> {
    let role = &new["roleRef"];
    let text = |name: &str| role[name].as_str().unwrap_or_default();
    let plural = if text("kind") == "Role" { "roles" } else { "clusterroles" };
    if may(core, call, "bind", plural, text("name")) {
        return Ok(());
    }
    let rules = resolve::role_rules(&core.store, role, &call.namespace);
    // The name of the role, as if it were that of a binding.
    let missing = |error: ApiError| match error.code {
        404 => ApiError::not_found(&call.resource, text("name")),
        _ => error,
    };
    let rules = rules.map_err(missing)?;
    confirm(core, call, meta::name(new), &rules)
}

/// Whether the user has a verb that lifts the check.
fn may(core: &Core, call: &Call, verb: &str, plural: &str, name: &str) -> bool {
    let mut target = Target::resource(GROUP, plural);
    if let Target::Resource { namespace, name: asked, .. } = &mut target {
        namespace.clone_from(&call.namespace);
        name.clone_into(asked);
    }
    decide(&core.store, &call.user, &Attributes { verb: verb.to_owned(), target }).allowed
}

/// Whether the user has all of these rules where the object is.
fn confirm(core: &Core, call: &Call, name: &str, rules: &[Rule]) -> Result<()> {
    let user = &call.user;
    let (held, errors) = resolve::rules(&core.store, user, &call.namespace);
    let who = || format!("user {} (groups={})", quoted(&user.name), quoted_list(&user.groups));
    let refused = |why: String| Err(ApiError::forbidden(&call.resource, name, &why));
    let Ok(missing) = covers::missing(&held, rules) else {
        let who = who();
        let why = format!("{who} is attempting to grant more RBAC permissions than are compared");
        return refused(why);
    };
    if missing.is_empty() {
        return Ok(());
    }
    let mut why = format!(
        "{} is attempting to grant RBAC permissions not currently held:\n{}",
        who(),
        missing.told().join("\n")
    );
    if !errors.is_empty() {
        why = format!("{why}; resolution errors: [{}]", super::list(errors));
    }
    refused(why)
}

#[cfg(test)]
mod tests;
