//! Running a rule.

use kube_cel::cel::{Context, Program, Value as Cel};

use super::Compiled;
use crate::error::{FieldError, child};

/// What a rule says against a value.
pub(super) struct Wrong {
    pub(super) error: FieldError,
    /// It does not hold; otherwise it does not run.
    pub(super) is_false: bool,
}

/// What a rule says against a value at a place; nothing if it holds.
pub(super) fn run(
    compiled: &Compiled,
    context: &Context<'_>,
    this: &Cel,
    old: Option<&Cel>,
    shown: &serde_json::Value,
    path: &str,
) -> Option<Wrong> {
    let optional = compiled.rule.optional_old_self.unwrap_or_default();
    if compiled.transition && old.is_none() && !optional {
        return None;
    }
    let mut context = context.new_inner_scope();
    context.add_variable_from_value("self", this.clone());
    if let Some(old) = old {
        context.add_variable_from_value("oldSelf", old.clone());
    }
    if optional {
        let made = if old.is_some() { "optional.of(oldSelf)" } else { "optional.none()" };
        let made = Program::compile(made).ok().and_then(|program| program.execute(&context).ok());
        context.add_variable_from_value("oldSelf", made.unwrap_or(Cel::Null));
    }
    let rule = compiled.rule.rule.trim();
    match compiled.program.execute(&context) {
        Ok(Cel::Bool(true)) => None,
        Ok(Cel::Bool(false)) => {
            let detail = message(compiled, &context);
            let path = field(path, compiled.rule.field_path.as_deref());
            let error = match compiled.rule.reason.as_deref() {
                Some("FieldValueForbidden") => FieldError::forbidden(path, detail),
                Some("FieldValueRequired") => FieldError::required(path, detail),
                Some("FieldValueDuplicate") => FieldError::duplicate(path, shown.clone()),
                _ => FieldError::invalid(path, shown.clone(), detail),
            };
            Some(Wrong { error, is_false: true })
        }
        Ok(other) => {
            let detail =
                format!("{:?} is no truth value, evaluating rule: {rule}", other.type_of());
            let error = FieldError::invalid(path, shown.clone(), detail);
            Some(Wrong { error, is_false: false })
        }
        Err(error) => {
            let detail = format!("{error} evaluating rule: {rule}");
            let error = FieldError::invalid(path, shown.clone(), detail);
            Some(Wrong { error, is_false: false })
        }
    }
}

/// An expression that gives no text of one line gives way to the message that is written out.
fn message(compiled: &Compiled, context: &Context<'_>) -> String {
    if let Some(Ok(Cel::String(text))) =
        compiled.message.as_ref().map(|program| program.execute(context))
        && !text.trim().is_empty()
        && !text.contains('\n')
    {
        return text.trim().to_owned();
    }
    let written = compiled.rule.message.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let rule = || format!("failed rule: {}", compiled.rule.rule.trim());
    written.map_or_else(rule, str::to_owned)
}

/// The place that a rule names, or its own.
fn field(path: &str, named: Option<&str>) -> String {
    match named.map(|named| named.strip_prefix('.').unwrap_or(named)) {
        None => path.to_owned(),
        Some(named) if named.starts_with('[') => format!("{path}{named}"),
        Some(named) => child(path, named),
    }
}
