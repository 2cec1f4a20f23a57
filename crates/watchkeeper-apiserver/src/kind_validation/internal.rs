//! Structs as upstream shows them in messages: in JSON, but of the types that it has inside. Most of their members have
//! the names of Go there and are written even when nothing is in them.

use serde_json::Value;
use watchkeeper_schema::builtin::facts;
use watchkeeper_schema::facts::{Field, Presence, Scalar, Type};

use crate::go::{enclosed, go_escaped};
use crate::unified;

mod forms;
#[cfg(test)]
mod tests;

use forms::{HOST, fields_of, go_name, is_by_value};

/// A value of the struct of a model.
pub(super) fn shown(model: &str, value: Option<&Value>) -> String {
    let mut out = String::new();
    structure(model, value, &mut out);
    go_escaped(&out)
}

/// What is different in two values of the struct of a model, in lines, behind one of the message; nothing where that
/// would be too much (apimachinery, `pkg/util/diff`).
pub(super) fn changes(model: &str, old: Option<&Value>, new: Option<&Value>) -> String {
    let [old, new] = [old, new].map(|value| indented(&shown(model, value)));
    unified::diff(&old, &new).map_or_else(String::new, |changes| format!("\n{changes}"))
}

/// JSON in lines, each as far in as it is deep.
fn indented(json: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0);
    let (mut in_text, mut is_escaped) = (false, false);
    let mut signs = json.chars().peekable();
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', depth));
    };
    while let Some(sign) = signs.next() {
        let ends = signs.peek().is_some_and(|next| matches!((sign, next), ('{', '}') | ('[', ']')));
        match sign {
            _ if in_text => {
                in_text = is_escaped || sign != '"';
                is_escaped = !is_escaped && sign == '\\';
                out.push(sign);
            }
            '{' | '[' if ends => {
                out.push(sign);
                out.extend(signs.next());
            }
            '{' | '[' => {
                out.push(sign);
                depth += 1;
                line(&mut out, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(sign);
            }
            ',' => {
                out.push(sign);
                line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => {
                in_text = sign == '"';
                out.push(sign);
            }
        }
    }
    out
}

fn structure(model: &str, value: Option<&Value>, out: &mut String) {
    out.push('{');
    members(model, value, out);
    out.push('}');
}

/// Types that all of upstream shares are the same inside as outside.
fn is_shared(model: &str) -> bool {
    model.starts_with("io.k8s.apimachinery.")
}

/// As `omitempty` has it, by which these types leave out what is empty.
fn is_left_out(field: &Field, member: Option<&Value>) -> bool {
    let is_kept = !matches!(field.presence, Presence::OmitEmpty);
    match member {
        None => true,
        Some(Value::Array(items)) => !is_kept && items.is_empty(),
        Some(Value::Object(members)) => {
            !is_kept && members.is_empty() && matches!(field.ty, Type::Map(_))
        }
        Some(_) => false,
    }
}

fn members(model: &str, value: Option<&Value>, out: &mut String) {
    let fields = facts().get(model).map(|of| of.fields.as_slice()).unwrap_or_default();
    for field in fields_of(model, fields) {
        let member = value.and_then(|value| value.get(&field.json)).filter(|one| !one.is_null());
        match (field.presence, field.ty.model()) {
            (Presence::Inline, Some(inner)) => members(inner, value, out),
            // Metadata within an object is embedded there.
            (_, Some(inner)) if field.json == "metadata" && is_shared(inner) => {
                members(inner, member, out);
            }
            _ if is_shared(model) && is_left_out(field, member) => {}
            _ => {
                if !out.ends_with('{') {
                    out.push(',');
                }
                if is_shared(model) {
                    out.push_str(&format!("\"{}\":", field.json));
                } else {
                    out.push_str(&format!("\"{}\":", go_name(model, &field.json)));
                }
                match field.json.as_str() {
                    "securityContext" if model.ends_with(".PodSpec") => security(value, out),
                    _ if is_by_value(model, &field.json) => part(&field.ty, member, out),
                    _ => self::member(field, member, out),
                }
            }
        }
    }
}

/// What a pod has of its node's stands beside its security inside, which is there always.
fn security(pod: Option<&Value>, out: &mut String) {
    let of = |name: &str| pod.and_then(|pod| pod.get(name)).filter(|value| !value.is_null());
    out.push('{');
    for (name, absent) in HOST {
        let comma = if out.ends_with('{') { "" } else { "," };
        let value = of(name).map_or_else(|| absent.to_owned(), Value::to_string);
        out.push_str(&format!("{comma}\"{}\":{value}", go_name("", name)));
    }
    members("io.k8s.api.core.v1.PodSecurityContext", of("securityContext"), out);
    out.push('}');
}

fn member(field: &Field, value: Option<&Value>, out: &mut String) {
    let is_pointer = matches!(field.presence, Presence::Pointer | Presence::PointerOrNull);
    if value.is_none() && is_pointer { out.push_str("null") } else { part(&field.ty, value, out) }
}

fn part(ty: &Type, value: Option<&Value>, out: &mut String) {
    match (ty, value) {
        (Type::Struct(model), value) => structure(model, value, out),
        (Type::List(of), Some(Value::Array(items))) => {
            enclosed(('[', ']'), items.iter(), out, |item, out| part(of, Some(item), out));
        }
        (Type::Map(of), Some(Value::Object(entries))) => {
            let mut entries: Vec<_> = entries.iter().collect();
            entries.sort_by_key(|(name, _)| *name);
            enclosed(('{', '}'), entries.into_iter(), out, |(name, value), out| {
                out.push_str(&format!("{}:", Value::from(name.as_str())));
                part(of, Some(value), out);
            });
        }
        (Type::Scalar(scalar) | Type::Named(scalar, _), None) => out.push_str(zero(*scalar)),
        (_, Some(value)) => out.push_str(&value.to_string()),
        (_, None) => out.push_str("null"),
    }
}

fn zero(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::String => "\"\"",
        Scalar::Bool => "false",
        Scalar::Int32 | Scalar::Int64 | Scalar::Float64 | Scalar::IntOrString => "0",
        Scalar::Quantity => "\"0\"",
        Scalar::Duration => "\"0s\"",
        _ => "null",
    }
}
