//! What Go's JSON decoder says of a value that does not fit a struct.

use serde_json::Value;
use watchkeeper_schema::{SchemaRef, Type, builtin, facts};

use crate::go::go_kind;
use crate::shape;

mod special;

#[cfg(test)]
mod tests;

use special::Wrong;

/// The first value that does not fit its Go type, in the decoder's words. `null` fits everything.
///
/// Types that decode themselves end the decoding, and are told; of the others the first one is, when it is over.
pub(crate) fn find(value: &Value, schema: SchemaRef<'_>) -> Option<String> {
    let mut noted = None;
    walk(value, &Place { above: None, field: None, of: schema }, &mut noted).or(noted)
}

/// Where a value stands. What is said of it is put together only where something is wrong: every write is looked
/// through.
struct Place<'a> {
    above: Option<&'a Self>,
    /// The struct that the value is a field of, and its member there; none in a list or a map.
    field: Option<(SchemaRef<'a>, &'a str)>,
    of: SchemaRef<'a>,
}

impl Place<'_> {
    /// The struct that the value is a field of, or what holds it; empty for the outermost.
    fn owner(&self) -> String {
        match self.field {
            Some((of, _)) => struct_name(of),
            None => self.above.map(Self::owner).unwrap_or_default(),
        }
    }

    /// The way there from the outermost: `spec.template.spec.containers`.
    fn path(&self) -> String {
        let before = self.above.map(Self::path).unwrap_or_default();
        let Some((of, name)) = self.field else { return before };
        let found = of.name().and_then(|model| field(model, name));
        let way = found.map_or_else(|| name.to_owned(), |found| found.way);
        if before.is_empty() { way } else { format!("{before}.{way}") }
    }

    /// The Go type.
    fn go(&self) -> String {
        match (self.field, self.above) {
            (Some((of, name)), _) => named(of, name, self.of),
            (None, Some(above)) => go_inside(&above.go(), self.of),
            (None, None) => go(self.of),
        }
    }
}

/// What ends the decoding; the first of all else that is wrong is noted.
fn walk(value: &Value, place: &Place<'_>, noted: &mut Option<String>) -> Option<String> {
    let of = place.of;
    if value.is_null() {
        return None;
    }
    match special::check(value, of) {
        Some(Wrong::Text(why)) => return Some(why),
        Some(Wrong::Type(go)) => return Some(unmarshal(value, place, go)),
        Some(Wrong::Bytes(why)) => {
            noted.get_or_insert(why);
        }
        Some(Wrong::Item(item)) => {
            noted.get_or_insert_with(|| unmarshal(&item, place, "uint8"));
        }
        None if special::is_bytes(value, of) => {}
        None if !fits(value, of) => {
            noted.get_or_insert_with(|| unmarshal(value, place, &place.go()));
            return None;
        }
        None => {}
    }
    if let Some(inner) = shape::schema_within(of) {
        let within = Place { above: Some(place), field: None, of: inner };
        // This type decodes itself.
        let mut own = None;
        let mut schemas = shape::schemas_in(value);
        return schemas.find_map(|value| walk(value, &within, &mut own)).or(own);
    }
    match value {
        Value::Object(members) => members.iter().find_map(|(name, value)| {
            let field = of.property(name).is_some().then_some((of, name.as_str()));
            walk(value, &Place { above: Some(place), field, of: of.member(name)? }, noted)
        }),
        Value::Array(items) => {
            let item = Place { above: Some(place), field: None, of: of.items()? };
            items.iter().find_map(|value| walk(value, &item, noted))
        }
        _ => None,
    }
}

fn unmarshal(value: &Value, place: &Place<'_>, go: &str) -> String {
    let place = match &*place.owner() {
        "" => "value".to_owned(),
        owner => format!("struct field {owner}.{}", place.path()),
    };
    // Numbers are shown where a number is wanted, only not this one.
    let what = match value {
        Value::Number(number) if go.starts_with("int") || go == "uint8" => {
            format!("number {number}")
        }
        other => go_kind(other).to_owned(),
    };
    format!("json: cannot unmarshal {what} into Go {place} of type {go}")
}

/// Types that write themselves say so on their own. Two of them take whatever there is: `runtime.RawExtension` and
/// `FieldsV1`.
fn writes_itself(of: SchemaRef<'_>) -> bool {
    let takes_all =
        |name: &str| [".runtime.RawExtension", ".FieldsV1"].iter().any(|of| name.ends_with(of));
    of.name().is_some_and(|name| of.type_() != Some(Type::Object) || takes_all(name))
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
    let Some(Found { model, ty, .. }) = field(model, member) else { return go(below) };
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

/// A field of a struct, or of one that is embedded in it.
struct Found<'a> {
    /// The member, behind the structs within the struct that have it: `ProbeHandler.exec`.
    way: String,
    /// The struct that has it.
    model: &'a str,
    ty: &'static facts::Type,
}

fn field<'a>(model: &'a str, member: &str) -> Option<Found<'a>> {
    let of = builtin::facts().get(model)?;
    if let Some(own) = of.fields.iter().find(|field| field.json == member) {
        return Some(Found { way: member.to_owned(), model, ty: &own.ty });
    }
    let embedded = of.fields.iter().filter(|one| one.presence == facts::Presence::Inline);
    embedded.filter_map(|one| one.ty.model()).find_map(|inner| {
        let found = field(inner, member)?;
        let name = inner.rsplit('.').next().unwrap_or_default();
        Some(Found { way: format!("{name}.{}", found.way), ..found })
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
