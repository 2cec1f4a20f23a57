//! Structs as upstream shows them in messages: in JSON, but of the types that it has inside. Most of their members have
//! the names of Go there and are written even when nothing is in them.

use serde_json::Value;
use watchkeeper_schema::builtin::facts;
use watchkeeper_schema::facts::{Field, Presence, Scalar, Type};

use crate::go::{enclosed, go_escaped};

/// A value of the struct of a model.
pub(super) fn shown(model: &str, value: Option<&Value>) -> String {
    let mut out = String::new();
    structure(model, value, &mut out);
    go_escaped(&out)
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

fn members(model: &str, value: Option<&Value>, out: &mut String) {
    for field in facts().get(model).into_iter().flat_map(|of| &of.fields) {
        let member = value.and_then(|value| value.get(&field.json)).filter(|one| !one.is_null());
        match (field.presence, field.ty.model()) {
            (Presence::Inline, Some(inner)) => members(inner, value, out),
            // Metadata within an object is embedded there.
            (_, Some(inner)) if field.json == "metadata" && is_shared(inner) => {
                members(inner, member, out);
            }
            _ if is_shared(model) && member.is_none() => {}
            _ => {
                if !out.ends_with('{') {
                    out.push(',');
                }
                let name = if is_shared(model) { field.json.clone() } else { go_name(&field.json) };
                out.push_str(&format!("\"{name}\":"));
                self::member(field, member, out);
            }
        }
    }
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

/// The name that a member has in Go.
fn go_name(json: &str) -> String {
    const SHORT: [&str; 14] = [
        "api", "aws", "cel", "csi", "fc", "fs", "gce", "id", "ip", "iscsi", "nfs", "rbd", "uid",
        "url",
    ];
    let end = json.find(|c: char| c.is_ascii_uppercase()).unwrap_or(json.len());
    let (first, rest) = json.split_at(end);
    if SHORT.contains(&first) {
        return format!("{}{rest}", first.to_ascii_uppercase());
    }
    let mut letters = first.chars();
    let initial = letters.next().map(|c| c.to_ascii_uppercase());
    initial.into_iter().chain(letters).chain(rest.chars()).collect()
}
