//! What a pod bears, told as JSON in an annotation, from before it had a field (`ValidateTolerationsInPodAnnotations`).

use serde_json::{Map, Value};
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::child;

use crate::go::go_kind;
use crate::kind_validation::pod::running;
use crate::kind_validation::{Check, Place};
use crate::request::syntax;

const TOLERATIONS: &str = "scheduler.alpha.kubernetes.io/tolerations";

/// The members of a toleration in Go, by what they are called there, and in JSON, and their types.
const MEMBERS: [(&str, &str, &str); 5] = [
    ("Key", "key", "string"),
    ("Operator", "operator", "core.TolerationOperator"),
    ("Value", "value", "string"),
    ("Effect", "effect", "core.TaintEffect"),
    ("TolerationSeconds", "tolerationSeconds", "int64"),
];

/// What is no list of tolerations is told by the name of the annotation, in the words of Go's decoder.
pub(super) fn check(check: &mut Check<'_>, annotations: &Place<'_>) {
    let text = annotations.member(TOLERATIONS).text();
    if text.is_empty() {
        return;
    }
    match read(text) {
        Err(why) => check.push(FieldError::invalid(&*annotations.path, TOLERATIONS, why)),
        Ok(list) => {
            let list = Value::from(list);
            let path = child(&annotations.path, TOLERATIONS);
            for toleration in (Place { value: Some(&list), path }).items() {
                running::toleration(check, &toleration);
            }
        }
    }
}

/// The tolerations, with the members that JSON has elsewhere.
fn read(text: &str) -> Result<Vec<Value>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        // What is nested too deep for that is none of Go's mistakes.
        syntax::error(text.as_bytes()).unwrap_or_else(|| error.to_string())
    })?;
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(items) => items.into_iter().map(toleration).collect(),
        other => {
            let kind = go_kind(&other);
            Err(format!("json: cannot unmarshal {kind} into Go value of type []core.Toleration"))
        }
    }
}

fn toleration(item: Value) -> Result<Value, String> {
    let mut toleration = Map::new();
    match item {
        Value::Null => {}
        Value::Object(members) => {
            for (name, value) in members {
                // Go's decoder takes names in whatever case they are.
                let known = MEMBERS.iter().find(|(go, ..)| go.eq_ignore_ascii_case(&name));
                let Some((go, json, ty)) = known else { continue };
                match &value {
                    Value::Null => continue,
                    Value::String(_) if *ty != "int64" => {}
                    Value::Number(number) if *ty == "int64" && number.is_i64() => {}
                    wrong => return Err(unfit(wrong, go, ty)),
                }
                toleration.insert((*json).to_owned(), value);
            }
        }
        other => {
            let kind = go_kind(&other);
            return Err(format!(
                "json: cannot unmarshal {kind} into Go value of type core.Toleration"
            ));
        }
    }
    Ok(toleration.into())
}

fn unfit(value: &Value, member: &str, ty: &str) -> String {
    // The number is shown where one is wanted, only not this one.
    let what = match value {
        Value::Number(number) if ty == "int64" => format!("number {number}"),
        other => go_kind(other).to_owned(),
    };
    format!("json: cannot unmarshal {what} into Go struct field Toleration.{member} of type {ty}")
}
