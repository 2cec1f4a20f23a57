//! The built-in plugins whose absence users notice.
//!
//! Source: `kubernetes/plugin/pkg/admission` and `k8s.io/apiserver/pkg/admission/plugin/resourcequota`.
//! Namespace lifecycle is in [`namespaces`](crate::registry::namespaces), default tolerations in
//! [`kind_defaults`](crate::kind_defaults).

mod account;
mod amounts;
mod limits;
mod priority;
pub(crate) mod quota;
mod storage_class;

pub(crate) use priority::{CLASSES, SYSTEM, TABLE as CLASSES_TABLE, keep_classes};

use std::ops::Bound;

use serde_json::Value;

use super::attributes::{Attributes, Operation};
use crate::error::ApiError;
use crate::meta;
use crate::request::Call;
use crate::storage::Stored;
use crate::turn::Turn;

/// What a plugin is told: the write, and the state before.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub call: &'a Call,
    pub operation: Operation,
    pub old: Option<&'a Value>,
    /// Whether the name was made up a moment ago, so that nobody knows it.
    pub generated: bool,
}

impl Asked<'_> {
    fn is(&self, group: &str, plural: &str) -> bool {
        self.call.resource.is(group, plural) && self.call.subresource.is_empty()
    }

    fn creates(&self, group: &str, plural: &str) -> bool {
        self.operation == Operation::Create && self.is(group, plural)
    }
}

/// Completes an object, new or changed, before webhooks see it.
///
/// # Errors
///
/// 403 in the words of the plugin that refuses.
pub(crate) fn change(
    turn: &mut Turn<'_>,
    asked: Asked<'_>,
    object: &mut Value,
) -> Result<(), ApiError> {
    if turn.by_itself {
        return Ok(());
    }
    if asked.creates("", "pods") {
        limits::fill(turn, asked, object);
        account::admit(turn, asked, object)?;
        priority::admit(turn, asked, object)?;
    } else if asked.creates("", "persistentvolumeclaims") {
        storage_class::fill(turn, object);
    } else if let Some(old) = asked.old.filter(|_| asked.is("", "pods")) {
        priority::keep(old, object);
    }
    Ok(())
}

/// Completes it once more, after policies and webhooks changed it.
///
/// # Errors
///
/// 403 in the words of the plugin that refuses.
pub(super) fn change_again(
    turn: &mut Turn<'_>,
    attributes: &mut Attributes<'_>,
) -> Result<(), ApiError> {
    let Some(mut object) = attributes.object.take() else { return Ok(()) };
    let asked = Asked {
        call: attributes.call,
        operation: attributes.operation,
        old: attributes.old.as_ref(),
        generated: attributes.name.is_empty(),
    };
    change(turn, asked, &mut object)?;
    attributes.object = Some(object);
    Ok(())
}

/// Judges an object that is about to be stored.
///
/// # Errors
///
/// 403 in the words of the plugin that refuses.
pub(crate) fn judge(turn: &Turn<'_>, asked: Asked<'_>, object: &Value) -> Result<(), ApiError> {
    if turn.by_itself {
        return Ok(());
    }
    limits::judge(turn, asked, object)?;
    priority::judge(turn, asked, object)
}

/// `NewForbidden`: 403 with the name as far as there is one.
fn forbidden(asked: Asked<'_>, object: &Value, why: &str) -> ApiError {
    let own = if asked.generated { "" } else { meta::name(object) };
    let names = [&*asked.call.name, own, meta::text(object, "generateName")];
    let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or("Unknown");
    ApiError::forbidden(&asked.call.resource, name, why)
}

/// The objects of a table that are in a namespace, in order.
fn within<'a>(turn: &'a Turn<'_>, table: &str, namespace: &str) -> Vec<&'a Stored> {
    let Some(table) = turn.core.store.table(table).filter(|table| !table.is_empty()) else {
        return Vec::new();
    };
    let prefix = format!("{namespace}/");
    let from = (Bound::Included(&*prefix), Bound::Unbounded);
    let all = table.range::<str, _>(from).take_while(|(key, _)| key.starts_with(&prefix));
    all.map(|(_, stored)| &**stored).collect()
}
