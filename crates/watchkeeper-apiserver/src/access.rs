//! Who may do what: identities, RBAC, and the checks that keep users from giving away more than
//! they have.
//!
//! ```text
//!  head ─▶ login ─▶ impersonate ─▶ attributes ─▶ resolve ─▶ rule ─▶ yes, or 403
//!           (401)      (403)                     (bindings)
//!  a write to a role or binding ─▶ escalation ─▶ covers
//!  a write to a cluster role ─▶ aggregate
//! ```
//!
//! Everything that decides is a pure function over the stored roles and bindings
//! (`docs/design/access.md`). Sources:
//! `kubernetes/plugin/pkg/auth/authorizer/rbac`, `kubernetes/pkg/registry/rbac`,
//! `apiserver/pkg/endpoints/{filters,request}`.

pub(crate) mod account;
pub(crate) mod aggregate;
pub mod attributes;
pub(crate) mod bootstrap;
pub mod covers;
pub(crate) mod escalation;
pub(crate) mod impersonate;
pub(crate) mod login;
pub mod resolve;
pub mod rule;

use std::collections::BTreeSet;
use std::sync::Arc;

use http::request::Parts;

use crate::config::Config;
use crate::error::{ApiError, Result, quoted};
use crate::request::Call;
use crate::step::Core;
use crate::storage::Store;
use crate::user::{MASTERS, User};

pub use attributes::{Attributes, Target};
pub use rule::Rule;

/// The group of roles and bindings.
pub(crate) const GROUP: &str = "rbac.authorization.k8s.io";

/// Who is let do what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Authorization {
    /// Whoever is in may do everything (`--authorization-mode=AlwaysAllow`). Reviews tell all the
    /// same what roles and bindings would say.
    #[default]
    AlwaysAllow,
    /// What roles and bindings say holds (`--authorization-mode=RBAC`).
    Rbac,
}

/// What roles and bindings say of a question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decision {
    /// Whether it is allowed.
    pub allowed: bool,
    /// Which binding allows it, or which roles could not be looked at.
    pub reason: String,
}

impl Decision {
    const fn yes() -> Self {
        Self { allowed: true, reason: String::new() }
    }
}

/// Decides by the roles and bindings of a store.
#[must_use]
pub fn decide(store: &Store, user: &User, asked: &Attributes) -> Decision {
    if user.is_in(MASTERS) {
        return Decision::yes();
    }
    let mut missing = Vec::new();
    for grant in resolve::grants(store, user, asked.namespace()) {
        match &grant.rules {
            Ok(rules) if rules.iter().any(|rule| rule.allows(asked)) => {
                let reason = format!("RBAC: allowed by {}", grant.source);
                return Decision { allowed: true, reason };
            }
            Ok(_) => {}
            Err(error) => missing.push(error.message.clone()),
        }
    }
    let reason =
        if missing.is_empty() { String::new() } else { format!("RBAC: {}", list(missing)) };
    Decision { allowed: false, reason }
}

/// As whom a user makes a request.
///
/// # Errors
///
/// 403, and 400 for an impersonation that names nobody.
pub(crate) fn acting(
    store: &Store,
    config: &Config,
    user: Arc<User>,
    head: &Parts,
    asked: &Attributes,
) -> Result<Arc<User>> {
    if !impersonate::is_asked_for(&head.headers) {
        return Ok(user);
    }
    let ways = impersonate::ways(&head.headers, asked)?;
    let refuse = |what: &Attributes, why: &str| forbidden(&user, what, why);
    let other = impersonate::choose(ways, |need| check(store, config, &user, need), refuse)?;
    Ok(other.map_or(user, Arc::new))
}

/// Whether a user may do something.
///
/// # Errors
///
/// 403.
pub(crate) fn check(store: &Store, config: &Config, user: &User, asked: &Attributes) -> Result<()> {
    heed(&judge(store, config, user, asked), user, asked)
}

/// What roles and bindings say of a request, where they hold.
pub(crate) fn judge(store: &Store, config: &Config, user: &User, asked: &Attributes) -> Decision {
    match config.authorization {
        Authorization::Rbac => decide(store, user, asked),
        Authorization::AlwaysAllow => Decision::yes(),
    }
}

/// Whether a decision lets a user go on.
///
/// # Errors
///
/// 403.
pub(crate) fn heed(decision: &Decision, user: &User, asked: &Attributes) -> Result<()> {
    if decision.allowed { Ok(()) } else { Err(forbidden(user, asked, &decision.reason)) }
}

/// Whether a write that makes what is not there may do so: who may update or patch may not
/// therefore create (`withAuthorization` of `apiserver/pkg/endpoints/handlers`).
///
/// # Errors
///
/// 403; unlike that of a request it does not say who may not do what.
pub(crate) fn check_create(core: &Core, call: &Call) -> Result<()> {
    if core.config.authorization != Authorization::Rbac {
        return Ok(());
    }
    let target = Target::Resource {
        group: call.resource.group.clone(),
        resource: call.resource.plural.clone(),
        subresource: call.subresource.clone(),
        namespace: call.namespace.clone(),
        name: call.name.clone(),
    };
    let decision =
        decide(&core.store, &call.user, &Attributes { verb: "create".to_owned(), target });
    if decision.allowed {
        return Ok(());
    }
    Err(ApiError::forbidden(&call.resource, &call.name, &decision.reason))
}

/// Several errors in one, each once, as apimachinery writes them.
pub(crate) fn list(mut errors: Vec<String>) -> String {
    let mut seen = BTreeSet::new();
    errors.retain(|error| seen.insert(error.clone()));
    match &errors[..] {
        [only] => only.clone(),
        _ => format!("[{}]", errors.join(", ")),
    }
}

/// 403 for what a user may not do (`responsewriters.Forbidden`).
#[must_use]
pub fn forbidden(user: &User, asked: &Attributes, reason: &str) -> ApiError {
    let mut why = escape(&sentence(user, asked));
    if !reason.is_empty() {
        why = format!("{why}: {reason}");
    }
    match &asked.target {
        Target::Path(_) => {
            ApiError::new(403, "Forbidden", format!("forbidden: {why}")).with_details()
        }
        Target::Resource { group, resource, name, .. } => {
            let qualified =
                if group.is_empty() { resource.clone() } else { format!("{resource}.{group}") };
            let what =
                if name.is_empty() { qualified } else { format!("{qualified} {}", quoted(name)) };
            let error = ApiError::new(403, "Forbidden", format!("{what} is forbidden: {why}"));
            error
                .with_detail("name", name)
                .with_detail("group", group)
                .with_detail("kind", resource)
        }
    }
}

fn sentence(user: &User, asked: &Attributes) -> String {
    let (user, verb) = (quoted(&user.name), &asked.verb);
    match &asked.target {
        Target::Path(path) => format!("User {user} cannot {verb} path {}", quoted(path)),
        Target::Resource { group, resource, subresource, namespace, .. } => {
            let resource = if subresource.is_empty() {
                quoted(resource)
            } else {
                quoted(&format!("{resource}/{subresource}"))
            };
            let place = if namespace.is_empty() {
                "at the cluster scope".to_owned()
            } else {
                format!("in the namespace {}", quoted(namespace))
            };
            let group = quoted(group);
            format!("User {user} cannot {verb} resource {resource} in API group {group} {place}")
        }
    }
}

/// Nothing that a browser would take for markup.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
