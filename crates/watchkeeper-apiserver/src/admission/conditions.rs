//! Conditions in CEL: whether a webhook or a policy is about a write.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};
use watchkeeper_schema::expression::{Authorizer, Expression, Variables};

use super::attributes::{self, Attributes};
use super::hook::{Invocation, versioned};
use super::permissions::Permissions;
use crate::error::ApiError;
use crate::step::Core;
use crate::turn::Turn;

/// How many expressions are remembered.
const REMEMBERED: usize = 4_096;
/// What all conditions of a webhook or a policy may cost (upstream: `RuntimeCELCostBudgetMatchConditions`).
const BUDGET: u64 = 2_500_000;

/// Expressions that have been read, by their texts.
#[derive(Debug, Default)]
pub(crate) struct Expressions(BTreeMap<String, Arc<Result<Expression, String>>>);

impl Expressions {
    /// Reads an expression, once.
    pub(crate) fn get(&mut self, text: &str) -> Arc<Result<Expression, String>> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        if self.0.len() == REMEMBERED {
            self.0.clear();
        }
        let read = Arc::new(Expression::compile(text));
        self.0.insert(text.to_owned(), Arc::clone(&read));
        read
    }
}

/// What expressions about a write may name.
pub(super) struct Scope {
    pub(super) variables: Variables,
    /// Whether they may ask who may do what.
    pub(super) asks: bool,
    /// The members of `variables` that could not be told, and why.
    untold: BTreeMap<String, String>,
}

impl Scope {
    /// What an expression gives, or what is said of it.
    pub(super) fn ask(
        &self,
        turn: &mut Turn<'_>,
        attributes: &Attributes<'_>,
        text: &str,
    ) -> Result<Value, String> {
        let Core { expressions, store, config, .. } = &mut *turn.core;
        let permissions = Permissions { store, config, attributes };
        let authorizer = self.asks.then_some(&permissions as &dyn Authorizer);
        match &*expressions.get(text) {
            Ok(expression) => {
                let given = expression.evaluate_with(&self.variables, authorizer);
                given.map_err(|why| match self.variables.is_spent() {
                    true => why,
                    false => {
                        let why = blamed(&self.untold, text, why);
                        format!("expression '{text}' resulted in error: {why}")
                    }
                })
            }
            Err(why) => Err(format!("compilation error: {}", why.trim_end())),
        }
    }

    /// Lets a member of `variables` stand for what an expression gives.
    pub(super) fn declare(
        &mut self,
        turn: &mut Turn<'_>,
        attributes: &Attributes<'_>,
        (name, text): (&str, &str),
    ) {
        let Core { expressions, store, config, .. } = &mut *turn.core;
        let permissions = Permissions { store, config, attributes };
        let authorizer = self.asks.then_some(&permissions as &dyn Authorizer);
        let declared = match &*expressions.get(text) {
            Ok(expression) => self.variables.declare(("variables", name), expression, authorizer),
            Err(why) => Err(why.trim_end().to_owned()),
        };
        if let Err(why) = declared {
            let why = blamed(&self.untold, text, why);
            let why = format!("composited variable \"{name}\" fails to evaluate: {why}");
            self.untold.insert(name.to_owned(), why);
        }
    }
}

/// An expression that needs a variable which could not be told fails for that variable's reason.
fn blamed(untold: &BTreeMap<String, String>, text: &str, why: String) -> String {
    let missing = why.strip_prefix("no such key: ").filter(|_| text.contains("variables."));
    missing.and_then(|name| untold.get(name).cloned()).unwrap_or(why)
}

/// Whether all conditions are met. One that is not met decides; one that cannot be told decides
/// by the failure policy.
///
/// # Errors
///
/// 403 when it cannot be told and failures count.
pub(super) fn met(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    invocation: &Invocation,
    conditions: &Value,
    ignore: bool,
) -> Result<bool, ApiError> {
    let Some(conditions) = conditions.as_array().filter(|list| !list.is_empty()) else {
        return Ok(true);
    };
    let scope = scope(turn, attributes, invocation);
    match all(turn, attributes, conditions, &scope) {
        Ok(met) => Ok(met),
        Err(_) if ignore => Ok(false),
        Err(errors) => {
            let resource = &attributes.call.resource;
            Err(ApiError::forbidden(resource, &attributes.name, &aggregate(&errors)))
        }
    }
}

/// Whether all conditions are met, or why that cannot be told.
pub(super) fn all(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    conditions: &[Value],
    scope: &Scope,
) -> Result<bool, Vec<String>> {
    let mut errors = Vec::new();
    for condition in conditions {
        let text = condition["expression"].as_str().unwrap_or_default();
        match scope.ask(turn, attributes, text) {
            Ok(Value::Bool(false)) => return Ok(false),
            Ok(_) => {}
            Err(why) if scope.variables.is_spent() => return Err(vec![why]),
            Err(why) => errors.push(why),
        }
    }
    if errors.is_empty() { Ok(true) } else { Err(errors) }
}

/// Several errors as one text (`utilerrors.NewAggregate`).
pub(super) fn aggregate(errors: &[String]) -> String {
    match errors {
        [only] => only.clone(),
        _ => format!("[{}]", errors.join(", ")),
    }
}

/// What conditions may name, and what they may cost together.
pub(super) fn scope(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    invocation: &Invocation,
) -> Scope {
    let mut variables = Variables::new();
    variables.allow(BUDGET);
    let resource = &invocation.resource;
    let object = versioned(turn, attributes, resource, attributes.object.as_ref());
    let old = versioned(turn, attributes, resource, attributes.old.as_ref());
    variables.set("object", &object.unwrap_or(Value::Null));
    variables.set("oldObject", &old.unwrap_or(Value::Null));
    let request = Value::Object(request(attributes, invocation));
    variables.set("request", &request);
    variables.set("namespaceObject", &Value::Null);
    Scope { variables, asks: true, untold: BTreeMap::new() }
}

/// The request of a review without its uid and its objects.
pub(super) fn request(attributes: &Attributes<'_>, invocation: &Invocation) -> Map<String, Value> {
    let call = attributes.call;
    let own = &call.resource;
    let mut request = Map::new();
    let mut add = |name: &str, value: Value| {
        if value != "" {
            request.insert(name.to_owned(), value);
        }
    };
    add("kind", attributes.kind(&invocation.resource).json("kind"));
    add("resource", attributes::resource(&invocation.resource).json("resource"));
    add("subResource", call.subresource.as_str().into());
    add("requestKind", attributes.kind(own).json("kind"));
    add("requestResource", attributes::resource(own).json("resource"));
    add("requestSubResource", call.subresource.as_str().into());
    add("name", attributes.name.as_str().into());
    add("namespace", attributes.namespace().into());
    add("operation", attributes.operation.name().into());
    add("userInfo", call.user.to_json());
    add("dryRun", attributes.dry_run.into());
    add("options", attributes.options.clone());
    request
}

#[cfg(test)]
mod tests;
