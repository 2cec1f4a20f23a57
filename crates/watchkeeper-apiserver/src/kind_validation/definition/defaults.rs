//! The defaults of a schema: each is a value that the schema itself takes.

use serde_json::Value;
use watchkeeper_schema::error::{child, key};
use watchkeeper_schema::rules::{Judgement, Rules};
use watchkeeper_schema::validate::validate_default;
use watchkeeper_schema::{FieldError, Schema, Schemas, prune};

/// What is wrong with the defaults of a structural schema at `path`.
pub(super) fn check(schema: &Schema, path: &str) -> Vec<FieldError> {
    let mut errors = Vec::new();
    node(schema, path, true, &mut errors);
    errors
}

/// Those under `additionalProperties` are not looked at: upstream says that none may be there.
fn node(schema: &Schema, path: &str, is_root: bool, errors: &mut Vec<FieldError>) {
    if let Some(default) = schema.default.as_ref().filter(|default| !default.is_null()) {
        value(default, schema, &child(path, "default"), errors);
    }
    if let Some(items) = &schema.items {
        node(items, &child(path, "items"), false, errors);
    }
    for (name, of) in &schema.properties {
        // At the root that is said already, and within an embedded resource it is no schema's own.
        let is_meta = matches!(&**name, "metadata" | "apiVersion" | "kind");
        if !(is_meta && (is_root || schema.embedded_resource)) {
            node(of, &key(&child(path, "properties"), name), false, errors);
        }
    }
}

fn value(default: &Value, schema: &Schema, path: &str, errors: &mut Vec<FieldError>) {
    let at = Schemas::builtin().at(schema);
    let mut pruned = default.clone();
    if !prune::prune(&mut pruned, at, schema.embedded_resource).is_empty() {
        errors.push(FieldError::invalid(path, default.clone(), "must not have unknown fields"));
    }
    let mut wrong = validate_default(default, at);
    if wrong.is_empty()
        && let Ok(rules) = Rules::compile_stored(schema, "")
    {
        wrong = judged(&rules, default);
    }
    errors.extend(wrong.into_iter().map(|error| placed(error, path)));
}

/// What the rules say of a default that was there before, and of one that was not.
fn judged(rules: &Rules, default: &Value) -> Vec<FieldError> {
    let Judgement { mut errors, forgiven } = rules.judge(default, Some(default));
    errors.extend(forgiven);
    if errors.is_empty() { rules.judge(default, None).errors } else { errors }
}

fn placed(mut error: FieldError, path: &str) -> FieldError {
    error.field = match &*error.field {
        "" | "<nil>" => path.to_owned(),
        field => child(path, field.trim_start_matches('.')),
    };
    error
}
