//! What Go's JSON decoder says of a value that does not fit a struct.

use serde_json::Value;
use watchkeeper_schema::{SchemaRef, Type, builtin, facts};

use crate::go::go_kind;

mod special;

#[cfg(test)]
mod tests;

use special::Wrong;

/// The first value that does not fit its Go type, in the decoder's words. `null` fits everything.
pub(crate) fn find(value: &Value, schema: SchemaRef<'_>) -> Option<String> {
    walk(value, schema, ("", ""), &go(schema))
}

/// `owner` is the struct that the value is a field of, `path` the way there from the outermost, `go_name` the Go type.
fn walk(
    value: &Value,
    of: SchemaRef<'_>,
    (owner, path): (&str, &str),
    go_name: &str,
) -> Option<String> {
    if value.is_null() {
        return None;
    }
    match special::check(value, of) {
        Some(Wrong::Text(why)) => return Some(why),
        Some(Wrong::Type(go)) => return Some(unmarshal(value, owner, path, go)),
        None if !fits(value, of) => return Some(unmarshal(value, owner, path, go_name)),
        None => {}
    }
    match value {
        Value::Object(members) => members.iter().find_map(|(name, value)| {
            let below = of.member(name)?;
            let is_field = of.property(name).is_some();
            let owner = if is_field { struct_name(of) } else { owner.to_owned() };
            let path = match (is_field, path) {
                (true, "") => way(of, name),
                (true, path) => format!("{path}.{}", way(of, name)),
                (false, path) => path.to_owned(),
            };
            let own = if is_field { named(of, name, below) } else { go_inside(go_name, below) };
            walk(value, below, (&owner, &path), &own)
        }),
        Value::Array(items) => {
            let below = of.items()?;
            let own = go_inside(go_name, below);
            items.iter().find_map(|item| walk(item, below, (owner, path), &own))
        }
        _ => None,
    }
}

fn unmarshal(value: &Value, owner: &str, path: &str, go: &str) -> String {
    let place = match owner {
        "" => "value".to_owned(),
        owner => format!("struct field {owner}.{path}"),
    };
    // Numbers are shown where a number is wanted, only not this one.
    let what = match value {
        Value::Number(number) if go.starts_with("int") => format!("number {number}"),
        other => go_kind(other).to_owned(),
    };
    format!("json: cannot unmarshal {what} into Go {place} of type {go}")
}

/// Types that write themselves say so on their own.
fn writes_itself(of: SchemaRef<'_>) -> bool {
    of.name().is_some() && of.type_() != Some(Type::Object)
}

fn fits(value: &Value, of: SchemaRef<'_>) -> bool {
    let Some(type_) = of.type_() else { return true };
    if writes_itself(of) {
        return true;
    }
    match (type_, value) {
        (Type::Object, Value::Object(_))
        | (Type::Array, Value::Array(_))
        | (Type::String, Value::String(_))
        | (Type::Boolean, Value::Bool(_))
        | (Type::Number, Value::Number(_)) => true,
        (Type::Integer, Value::Number(number)) => number.is_i64() && !too_big(value, of),
        _ => false,
    }
}

fn too_big(value: &Value, of: SchemaRef<'_>) -> bool {
    let is_int32 = of.usage.format.as_deref() == Some("int32");
    is_int32 && value.as_i64().is_some_and(|number| i32::try_from(number).is_err())
}

/// `DeploymentSpec`.
fn struct_name(of: SchemaRef<'_>) -> String {
    of.name().and_then(|name| name.rsplit('.').next()).unwrap_or_default().to_owned()
}

/// A member, behind the structs within that struct that have it: `ProbeHandler.exec`.
fn way(of: SchemaRef<'_>, member: &str) -> String {
    fn embedded(model: &str, member: &str) -> Option<String> {
        let of = builtin::facts().get(model)?;
        if of.fields.iter().any(|field| field.json == member) {
            return Some(member.to_owned());
        }
        let inline = of.fields.iter().filter(|one| one.presence == facts::Presence::Inline);
        inline.filter_map(|one| one.ty.model()).find_map(|inner| {
            let name = inner.rsplit('.').next().unwrap_or_default();
            Some(format!("{name}.{}", embedded(inner, member)?))
        })
    }
    of.name().and_then(|model| embedded(model, member)).unwrap_or_else(|| member.to_owned())
}

/// The Go type of a member of a struct, which may have a name of its own: `v1.PullPolicy`.
fn named(of: SchemaRef<'_>, member: &str, below: SchemaRef<'_>) -> String {
    let model = of.name().unwrap_or_default();
    let keyed = match (model.rsplit('.').next().unwrap_or_default(), member) {
        ("CapacityRequirements", "requests")
        | ("DeviceRequestAllocationResult", "consumedCapacity") => "v1.QualifiedName",
        ("NodeAllocatableResourceClaimStatus", "resources") => "v1.ResourceName",
        _ => "",
    };
    if !keyed.is_empty() {
        return format!("map[{keyed}]resource.Quantity");
    }
    let declared = of.name().and_then(|model| field(model, member));
    let Some((model, ty)) = declared else { return go(below) };
    let package = model.rsplit('.').nth(1).unwrap_or_default();
    fn spelled(ty: &facts::Type, package: &str) -> Option<String> {
        match ty {
            facts::Type::Named(_, name) if ["UID", "NodeName"].contains(&&**name) => {
                Some(format!("types.{name}"))
            }
            facts::Type::Named(_, name) => Some(format!("{package}.{name}")),
            facts::Type::List(of) => Some(format!("[]{}", spelled(of, package)?)),
            _ => None,
        }
    }
    spelled(ty, package).unwrap_or_else(|| go(below))
}

/// The field of a struct or of one that is embedded in it, and the struct that has it.
fn field<'a>(model: &'a str, member: &str) -> Option<(&'a str, &'static facts::Type)> {
    let of = builtin::facts().get(model)?;
    let own = of.fields.iter().find(|field| field.json == member).map(|field| (model, &field.ty));
    own.or_else(|| {
        let embedded = of.fields.iter().filter(|one| one.presence == facts::Presence::Inline);
        embedded.filter_map(|one| one.ty.model()).find_map(|inner| field(inner, member))
    })
}

/// What a list or a map holds.
fn go_inside(outer: &str, below: SchemaRef<'_>) -> String {
    let inside = outer.strip_prefix("[]").filter(|_| !outer.starts_with("[]uint8"));
    inside.map_or_else(|| go(below), str::to_owned)
}

/// The Go type: `int32`, `[]v1.Container`, `map[string]string`.
fn go(of: SchemaRef<'_>) -> String {
    if let Some(name) = of.name() {
        let mut parts = name.rsplit('.');
        let (kind, package) = (parts.next(), parts.next());
        return match name {
            builtin::OBJECT_META => "v1.ObjectMeta".to_owned(),
            _ => format!("{}.{}", package.unwrap_or_default(), kind.unwrap_or_default()),
        };
    }
    match of.type_() {
        Some(Type::Array) => format!("[]{}", of.items().map(go).unwrap_or_default()),
        Some(Type::Object) => map(&of.additional().map(go).unwrap_or_default()),
        Some(Type::Integer) => of.usage.format.clone().unwrap_or_else(|| "int64".to_owned()),
        Some(Type::Number) => "float64".to_owned(),
        Some(Type::Boolean) => "bool".to_owned(),
        Some(Type::String) if of.usage.format.as_deref() == Some("byte") => "[]uint8".to_owned(),
        Some(Type::String) => "string".to_owned(),
        None => "interface {}".to_owned(),
    }
}

/// Maps have a type of their own, or keys of one, by what they hold: `v1.ResourceList`.
fn map(held: &str) -> String {
    match held {
        "resource.Quantity" => "v1.ResourceList".to_owned(),
        "v1.DeviceAttribute" | "v1.DeviceCapacity" => format!("map[v1.QualifiedName]{held}"),
        _ => format!("map[string]{held}"),
    }
}
