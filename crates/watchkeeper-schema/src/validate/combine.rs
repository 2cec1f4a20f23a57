//! `anyOf`, `oneOf`, `allOf` and `not`.

use std::rc::Rc;

use serde_json::Value;

use super::Check;
use crate::error::{FieldError, quote};
use crate::node::Schema;
use crate::registry::SchemaRef;

pub(super) fn check(
    check: &mut Check,
    value: &Value,
    old: Option<&Value>,
    schema: SchemaRef<'_>,
    path: &str,
) {
    let (patterns, effort) = (Rc::clone(&check.patterns), Rc::clone(&check.effort));
    let is_default = check.is_default;
    let mut test = |of: &Schema| {
        let (patterns, effort) = (Rc::clone(&patterns), Rc::clone(&effort));
        let mut alternative = Check { patterns, effort, is_default, ..Check::default() };
        alternative.value(value, old, schema.schemas().at(of), path);
        alternative
    };
    let node = schema.node;
    if !node.any_of.is_empty() {
        any_of(check, node.any_of.iter().map(&mut test).collect(), path);
    }
    if !node.one_of.is_empty() {
        one_of(check, node.one_of.iter().map(&mut test).collect(), path);
    }
    if !node.all_of.is_empty() {
        all_of(check, node.all_of.iter().map(&mut test).collect(), path);
    }
    if let Some(not) = &node.not
        && test(not).errors.is_empty()
    {
        let place = quote(path);
        check.errors.push(composite(format!("{place} must not validate the schema (not)")));
    }
}

/// Such mistakes belong to no field in particular.
fn composite(detail: String) -> FieldError {
    FieldError::invalid("<nil>", "", detail)
}

/// The failed alternative that got furthest.
fn best(alternatives: Vec<Check>) -> Check {
    let mut best = Check::default();
    for (index, alternative) in alternatives.into_iter().enumerate() {
        if index == 0 || alternative.made > best.made {
            best = alternative;
        }
    }
    best
}

fn any_of(check: &mut Check, alternatives: Vec<Check>, path: &str) {
    if alternatives.iter().any(|alternative| alternative.errors.is_empty()) {
        return;
    }
    let place = quote(path);
    check.errors.push(composite(format!("{place} must validate at least one schema (anyOf)")));
    check.errors.extend(best(alternatives).errors);
}

fn one_of(check: &mut Check, alternatives: Vec<Check>, path: &str) {
    let valid = alternatives.iter().filter(|alternative| alternative.errors.is_empty()).count();
    let found = match valid {
        1 => return,
        0 => "Found none valid".to_owned(),
        n => format!("Found {n} valid alternatives"),
    };
    let place = quote(path);
    let detail = format!("{place} must validate one and only one schema (oneOf). {found}");
    check.errors.push(composite(detail));
    if valid == 0 {
        check.errors.extend(best(alternatives).errors);
    }
}

fn all_of(check: &mut Check, alternatives: Vec<Check>, path: &str) {
    let total = alternatives.len();
    let valid = alternatives.iter().filter(|alternative| alternative.errors.is_empty()).count();
    check.errors.extend(alternatives.into_iter().flat_map(|alternative| alternative.errors));
    if valid != total {
        let none = if valid == 0 { ". None validated" } else { "" };
        let place = quote(path);
        check
            .errors
            .push(composite(format!("{place} must validate all the schemas (allOf){none}")));
    }
}
