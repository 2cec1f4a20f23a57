//! Cluster roles that are made of others: `aggregationRule`.
//!
//! Upstream does this in a controller beside the server
//! (`kubernetes/pkg/controller/clusterroleaggregation`); here it happens in the same step, right
//! after the write. Whoever wrote has nothing to do with it: what a hook says of this server's own
//! write is not told to them, and where it was refused the next request makes up for it.

use std::collections::BTreeSet;

use http::Method;
use serde_json::{Value, json};

use super::GROUP;
use super::resolve::CLUSTER_ROLES;
use crate::handlers::bootstrap::own_call;
use crate::handlers::create::Managed;
use crate::handlers::save;
use crate::history::Verb;
use crate::managed;
use crate::request::Call;
use crate::storage::selector::Labels;
use crate::storage::{Key, Stored, Table};
use crate::turn::{Halt, Turn};

/// Who manages the rules that were gathered.
const MANAGER: &str = "clusterrole-aggregation-controller";

/// Gathers rules anew after a write to a cluster role.
///
/// # Errors
///
/// 400 for a dry run that is none.
pub(crate) fn after(turn: &mut Turn<'_>, call: &Call) -> Result<(), Halt> {
    if call.resource.is(GROUP, "clusterroles") && !call.dry_run()? {
        gather(turn);
    }
    Ok(())
}

/// Gathers rules anew if that could not be done before.
pub(crate) fn make_up(turn: &mut Turn<'_>) {
    if turn.core.gathering_is_due {
        gather(turn);
    }
}

/// Gathers rules; notes whether that is still to be done.
fn gather(turn: &mut Turn<'_>) {
    let (loses_reply, by_itself) = (turn.lose_reply, turn.by_itself);
    turn.by_itself = true;
    turn.core.gathering_is_due = rounds(turn).is_err();
    // There is no reply to these writes, and what the request writes is its own again.
    (turn.lose_reply, turn.by_itself) = (loses_reply, by_itself);
}

fn rounds(turn: &mut Turn<'_>) -> Result<(), Halt> {
    let table = turn.core.store.table(CLUSTER_ROLES);
    let keys: Vec<Key> = table.into_iter().flat_map(Table::keys).cloned().collect();
    // One role after another, each from what the others are by then: roles in a circle that were all
    // made from one state could change places for ever. A round hands rules at least one role on.
    for _ in &keys {
        let mut rests = true;
        for key in &keys {
            let table = turn.core.store.table(CLUSTER_ROLES);
            let rules = table.and_then(|table| stale(table.get(key)?, table));
            if let Some(rules) = rules {
                write(turn, key, &rules)?;
                rests = false;
            }
        }
        if rests {
            break;
        }
    }
    Ok(())
}

/// Applies the rules to the role.
fn write(turn: &mut Turn<'_>, key: &Key, rules: &[Value]) -> Result<(), Halt> {
    let found = turn.core.registry.find(GROUP, "v1", "clusterroles").cloned();
    let (Some(resource), Some(old)) = (found, turn.core.store.get(CLUSTER_ROLES, key).cloned())
    else {
        return Ok(());
    };
    let mut call = own_call(Method::PATCH, resource, "", old.name());
    call.query.set("fieldManager", MANAGER);
    call.query.set("force", "true");
    let applied = json!({
        "apiVersion": call.resource.api_version(),
        "kind": call.resource.kind,
        "metadata": {"name": old.name()},
        "rules": rules,
    });
    let now = turn.now;
    let new = managed::apply(turn, Some(&old.value()), &applied, &call, now)?;
    save::save(turn, &call, &old, new, Verb::Patch, Managed::Applied)?;
    Ok(())
}

/// The rules that a role should have, if it gathers rules and has others.
fn stale(role: &Stored, table: &Table) -> Option<Vec<Value>> {
    let rules = gathered(role, table)?;
    let role = role.value();
    let own = role["rules"].as_array().map(Vec::as_slice).unwrap_or_default();
    (own != rules).then_some(rules)
}

/// The rules of the other roles that a role gathers, by their names, each rule once.
pub(crate) fn gathered(role: &Stored, table: &Table) -> Option<Vec<Value>> {
    let rule = role.glimpse(&["aggregationRule"]);
    let selectors = rule["aggregationRule"]["clusterRoleSelectors"].as_array()?;
    let selectors: Vec<Labels> = selectors.iter().filter_map(labels).collect();
    let (mut rules, mut seen) = (Vec::new(), BTreeSet::new());
    for other in table.values().filter(|other| other.key != role.key) {
        let other = other.glimpse(&["metadata.labels", "rules"]);
        let labels = other.pointer("/metadata/labels");
        if !selectors.iter().any(|selector| selector.matches(labels)) {
            continue;
        }
        for rule in other["rules"].as_array().into_iter().flatten() {
            if seen.insert(rule.to_string()) {
                rules.push(rule.clone());
            }
        }
    }
    Some(rules)
}

/// A selector of an object, in the words of a query.
fn labels(selector: &Value) -> Option<Labels> {
    let mut parts = Vec::new();
    for (key, value) in selector["matchLabels"].as_object().into_iter().flatten() {
        parts.push(format!("{key}={}", value.as_str()?));
    }
    for requirement in selector["matchExpressions"].as_array().into_iter().flatten() {
        let key = requirement["key"].as_str()?;
        let values = requirement["values"].as_array().into_iter().flatten();
        let values: Vec<&str> = values.filter_map(Value::as_str).collect();
        parts.push(match requirement["operator"].as_str()? {
            "In" => format!("{key} in ({})", values.join(",")),
            "NotIn" => format!("{key} notin ({})", values.join(",")),
            "Exists" => key.to_owned(),
            "DoesNotExist" => format!("!{key}"),
            _ => return None,
        });
    }
    Labels::parse(&parts.join(",")).ok()
}

#[cfg(test)]
mod tests;
