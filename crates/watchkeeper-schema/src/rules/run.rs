//! Running a rule.

use std::collections::BTreeMap;

use kube_cel::cel::Value as Cel;
use serde_json::Value;

use super::Compiled;
use crate::error::{FieldError, Reason, child};
use crate::interpreter::{self, Failure, Interpreter, MOST_PER_CALL};

/// What all rules of an object may cost (upstream: `RuntimeCELCostBudget`).
const BUDGET: u64 = 10_000_000;
/// How long a message is that an expression gives, at most, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;
/// What is said of the rules that there is no budget left for.
const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

/// What a rule says against a value.
pub(super) struct Wrong {
    pub(super) error: FieldError,
    /// It does not hold; otherwise it does not run.
    pub(super) is_false: bool,
}

/// The value that rules are asked about.
pub(super) struct Asked<'a> {
    pub(super) this: Cel,
    pub(super) old: Option<Cel>,
    /// The value as an error shows it; lists and objects are not shown.
    pub(super) value: Option<&'a Value>,
    /// The type as the schema names it.
    pub(super) type_name: &'a str,
    pub(super) path: &'a str,
    /// Why rules cannot be asked about the value at all.
    pub(super) mismatch: Option<String>,
}

/// Runs rules as long as there is budget left.
pub(super) struct Runner {
    pub(super) interpreter: Interpreter,
    left: u64,
    /// No rule is asked any more.
    pub(super) is_over: bool,
}

impl Runner {
    pub(super) fn new() -> Self {
        Self { interpreter: Interpreter::new(), left: BUDGET, is_over: false }
    }

    /// What a rule says against a value; nothing if it holds.
    pub(super) fn run(&mut self, compiled: &Compiled, asked: &Asked<'_>) -> Option<Wrong> {
        let optional = compiled.rule.optional_old_self.unwrap_or_default();
        if compiled.transition && asked.old.is_none() && !optional {
            return None;
        }
        if self.left == 0 {
            return Some(self.end(asked, OUT_OF_BUDGET.to_owned()));
        }
        if let Some(why) = &asked.mismatch {
            let rule = named(compiled);
            return Some(not_run(asked, format!("{why} evaluating rule: {rule}")));
        }
        let variables = variables(asked, optional);
        let limit = self.left.min(MOST_PER_CALL);
        let (made, cost) = self.interpreter.run(&compiled.expression, &variables, limit);
        let rule = named(compiled);
        match made {
            Err(Failure::Cost) if limit < MOST_PER_CALL => {
                Some(self.end(asked, OUT_OF_BUDGET.to_owned()))
            }
            Err(why @ Failure::Cost) => Some(self.end(
                asked,
                format!(
                    "'{}': no further validation rules will be run due to call cost exceeds limit \
                     for rule: {rule}",
                    why.text()
                ),
            )),
            Err(Failure::Wrong(why)) => {
                self.left -= cost;
                let detail = if why.starts_with("no such overload") {
                    format!(
                        "'{why}': call arguments did not match a supported operator, function or \
                         macro signature for rule: {rule}"
                    )
                } else {
                    format!("{why} evaluating rule: {rule}")
                };
                Some(not_run(asked, detail))
            }
            Ok(Cel::Bool(true)) => {
                self.left -= cost;
                None
            }
            Ok(_) => {
                self.left -= cost;
                Some(self.failed(compiled, &variables, asked))
            }
        }
    }

    fn end(&mut self, asked: &Asked<'_>, detail: String) -> Wrong {
        self.is_over = true;
        not_run(asked, detail)
    }

    fn failed(
        &mut self,
        compiled: &Compiled,
        variables: &interpreter::Variables,
        asked: &Asked<'_>,
    ) -> Wrong {
        let path = match compiled.field.as_str() {
            "" => asked.path.to_owned(),
            field if field.starts_with('[') => format!("{}{field}", asked.path),
            field => child(asked.path, field),
        };
        let detail = match self.message(compiled, variables) {
            Ok(detail) => detail,
            Err(detail) => {
                self.is_over = true;
                let error = FieldError::invalid(path, asked.type_name, detail);
                return Wrong { error, is_false: true };
            }
        };
        let shown =
            |reason| FieldError::new(reason, path.clone(), asked.value.cloned(), detail.clone());
        let error = match compiled.rule.reason.as_deref() {
            Some("FieldValueForbidden") => FieldError::forbidden(path, detail),
            Some("FieldValueRequired") => FieldError::required(path, detail),
            Some("FieldValueDuplicate") => {
                FieldError { detail: String::new(), ..shown(Reason::Duplicate) }
            }
            _ => shown(Reason::Invalid),
        };
        Wrong { error, is_false: true }
    }

    /// An expression that gives no text of one line gives way to the message that is written out.
    ///
    /// # Errors
    ///
    /// What is said when it costs too much.
    fn message(
        &mut self,
        compiled: &Compiled,
        variables: &interpreter::Variables,
    ) -> Result<String, String> {
        let written = || match compiled.rule.message.as_deref() {
            Some(message) if !message.is_empty() => message.trim().to_owned(),
            _ => format!("failed rule: {}", named(compiled)),
        };
        let Some(expression) = &compiled.message else { return Ok(written()) };
        let limit = self.left.min(MOST_PER_CALL);
        let (made, cost) = self.interpreter.run(expression, variables, limit);
        self.left -= cost;
        match made {
            Err(Failure::Cost) if limit < MOST_PER_CALL => Err(
                "messageExpression evaluation failed due to running out of cost budget, no further \
                 validation rules will be run"
                    .to_owned(),
            ),
            Err(Failure::Cost) => {
                let text = compiled.rule.message_expression.as_deref().unwrap_or_default();
                Err(format!(
                    "no further validation rules will be run due to call cost exceeds limit for \
                     messageExpression: {}",
                    crate::error::quote(text)
                ))
            }
            Ok(Cel::String(text)) => {
                let text = text.trim();
                let fits = !text.is_empty() && !text.contains('\n') && text.len() <= LONGEST_MESSAGE;
                Ok(if fits { text.to_owned() } else { written() })
            }
            _ => Ok(written()),
        }
    }
}

fn variables(asked: &Asked<'_>, optional: bool) -> interpreter::Variables {
    let mut variables = BTreeMap::from([("self".to_owned(), asked.this.clone())]);
    let old = asked.old.clone();
    let old = if optional { Some(interpreter::optional(old)) } else { old };
    variables.extend(old.map(|old| ("oldSelf".to_owned(), old)));
    variables
}

fn not_run(asked: &Asked<'_>, detail: String) -> Wrong {
    let error = FieldError::invalid(asked.path, asked.type_name, detail);
    Wrong { error, is_false: false }
}

/// A rule as messages name it.
fn named(compiled: &Compiled) -> &str {
    let message = compiled.rule.message.as_deref().filter(|message| !message.is_empty());
    message.unwrap_or(&compiled.rule.rule).trim()
}
