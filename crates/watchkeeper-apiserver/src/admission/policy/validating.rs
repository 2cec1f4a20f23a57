//! `ValidatingAdmissionPolicy`: expressions that must hold.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::super::attributes::Attributes;
use super::super::conditions::Scope;
use super::super::outcome::annotate;
use super::{Relevant, forbidden, forgives, met, relevant, scope, widen};
use crate::error::{ApiError, Cause};
use crate::turn::Turn;

pub(in crate::admission) const POLICIES: &str =
    "validatingadmissionpolicies.admissionregistration.k8s.io";
const BINDINGS: &str = "validatingadmissionpolicybindings.admissionregistration.k8s.io";
/// The annotation of what failed and is only noted.
const FAILURE: &str = "validation.policy.admission.k8s.io/validation_failure";

/// What a policy says against a write.
struct Denial {
    message: String,
    reason: String,
    /// The place of the expression.
    index: usize,
}

/// What a policy says against a write, and which of its annotations could not be told: those
/// refuse whatever the actions of the binding are.
#[derive(Default)]
struct Verdict {
    denials: Vec<Denial>,
    untold: Option<String>,
}

/// Asks all policies that are about a write.
///
/// # Errors
///
/// What the first policy that denies says.
pub(in crate::admission) fn judge(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
) -> Result<(), ApiError> {
    let mut denied: Option<ApiError> = None;
    let mut annotations: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for found in relevant(turn, attributes, (POLICIES, BINDINGS))? {
        let found = match found {
            Ok(found) => found,
            Err(wrong) => {
                if !forgives(&wrong.policy) {
                    let binding = wrong.binding.as_ref().map(|binding| binding.name());
                    let (name, message) = (wrong.policy.name(), wrong.message());
                    let error = refusal(attributes, (name, binding), &message, "");
                    denied.get_or_insert(error);
                }
                continue;
            }
        };
        let names = (found.policy.name(), Some(found.binding.name()));
        let Verdict { denials, untold } = ask(turn, attributes, &found, &mut annotations);
        for denial in denials {
            let binding = found.binding.value();
            let actions = binding["spec"]["validationActions"].as_array();
            for action in actions.into_iter().flatten().filter_map(Value::as_str) {
                match action {
                    "Deny" => {
                        let Denial { message, reason, .. } = &denial;
                        denied.get_or_insert_with(|| refusal(attributes, names, message, reason));
                    }
                    "Warn" => turn.warn(format!(
                        "Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': {}",
                        found.policy.name(),
                        found.binding.name(),
                        denial.message
                    )),
                    "Audit" => note(turn, attributes, &found, &denial),
                    _ => {}
                }
            }
        }
        if let Some(why) = untold {
            denied.get_or_insert_with(|| refusal(attributes, names, &why, ""));
        }
    }
    for (annotation, values) in annotations {
        annotate(turn, attributes, annotation, &values.join(", "));
    }
    denied.map_or(Ok(()), Err)
}

fn ask(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    found: &Relevant,
    annotations: &mut BTreeMap<String, Vec<String>>,
) -> Verdict {
    let failed = |message: String, index: usize| {
        let denial = Denial { message, reason: String::new(), index };
        (!forgives(&found.policy)).then_some(denial)
    };
    let mut verdict = Verdict::default();
    let mut scope = scope(turn, attributes, found);
    match met(turn, attributes, found, &scope) {
        Ok(true) => {}
        Ok(false) => return verdict,
        Err(why) => {
            verdict.denials.extend(failed(why, 0));
            return verdict;
        }
    }
    widen(turn, attributes, found, &mut scope);
    let policy = found.policy.value();
    let spec = &policy["spec"];
    let mut quiet = Quiet::default();
    for (index, rule) in spec["validations"].as_array().into_iter().flatten().enumerate() {
        let text = text(rule, "expression");
        match scope.ask(turn, attributes, text) {
            Ok(Value::Bool(true)) => {}
            Ok(_) => {
                let message = message(turn, attributes, found, rule, &mut quiet);
                let reason = self::text(rule, "reason").to_owned();
                verdict.denials.push(Denial { message, reason, index });
            }
            // What the others said does not count.
            Err(why) if scope.variables.is_spent() => {
                verdict.denials = failed(why, 0).into_iter().collect();
                return verdict;
            }
            Err(why) => verdict.denials.extend(failed(why, index)),
        }
    }
    for annotation in spec["auditAnnotations"].as_array().into_iter().flatten() {
        let expression = text(annotation, "valueExpression");
        let scope = quiet.scope(turn, attributes, found);
        match scope.ask(turn, attributes, expression) {
            Ok(Value::String(value)) if !value.trim().is_empty() => {
                let name = format!("{}/{}", found.policy.name(), text(annotation, "key"));
                let values = annotations.entry(name).or_default();
                let value = value.trim().to_owned();
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            Ok(_) => {}
            Err(why) if !forgives(&found.policy) => verdict.untold = Some(why),
            Err(_) => {}
        }
    }
    verdict
}

/// What messages and annotations may name, once it is wanted: nobody answers their `authorizer`, nor that of
/// the variables that they name.
#[derive(Default)]
struct Quiet(Option<Scope>);

impl Quiet {
    fn scope(
        &mut self,
        turn: &mut Turn<'_>,
        attributes: &Attributes<'_>,
        found: &Relevant,
    ) -> &Scope {
        self.0.get_or_insert_with(|| {
            let mut scope = scope(turn, attributes, found);
            scope.asks = false;
            widen(turn, attributes, found, &mut scope);
            scope
        })
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// The message that is computed, else the one that is written, else the expression.
fn message(
    turn: &mut Turn<'_>,
    attributes: &Attributes<'_>,
    found: &Relevant,
    rule: &Value,
    quiet: &mut Quiet,
) -> String {
    let computed = text(rule, "messageExpression");
    let mut told = || quiet.scope(turn, attributes, found).ask(turn, attributes, computed);
    if !computed.is_empty()
        && let Ok(Value::String(told)) = told()
    {
        let told = told.trim();
        if !told.is_empty() && !told.contains('\n') && told.len() <= 5 * 1024 {
            return told.to_owned();
        }
    }
    let written = text(rule, "message").trim();
    if written.is_empty() {
        return format!("failed expression: {}", text(rule, "expression").trim());
    }
    written.to_owned()
}

fn refusal(
    attributes: &Attributes<'_>,
    (policy, binding): (&str, Option<&str>),
    message: &str,
    reason: &str,
) -> ApiError {
    let with = binding.map(|binding| format!(" with binding '{binding}'")).unwrap_or_default();
    let message = format!("ValidatingAdmissionPolicy '{policy}'{with} denied request: {message}");
    let mut error = forbidden(attributes, &message);
    let (code, reason) = match reason {
        "Forbidden" => (403, "Forbidden"),
        "RequestEntityTooLarge" => (413, "RequestEntityTooLarge"),
        _ => (422, "Invalid"),
    };
    (error.code, error.reason) = (code, reason.into());
    let (no_reason, field) = (String::new(), String::new());
    error.causes([Cause { reason: no_reason, message, field }])
}

fn note(turn: &mut Turn<'_>, attributes: &Attributes<'_>, found: &Relevant, denial: &Denial) {
    let value = json!([{
        "message": denial.message,
        "policy": found.policy.name(),
        "binding": found.binding.name(),
        "expressionIndex": denial.index,
        "validationActions": found.binding.value()["spec"]["validationActions"],
    }]);
    annotate(turn, attributes, FAILURE.to_owned(), &value.to_string());
}

#[cfg(test)]
mod tests;
