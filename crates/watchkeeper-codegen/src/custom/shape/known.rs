//! Schemas that stand for types of the library.

use serde_json::Value;

use super::Ty;
use super::schema::{is_set, keeps_others, type_name};

const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
/// How the pattern of a quantity begins, as definitions made from Go types write it.
const QUANTITY_PATTERN: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))";

/// Scalars, by type and format.
pub(super) fn scalar(schema: &Value) -> Option<Ty> {
    let text = |name: &str| schema.get(name).and_then(Value::as_str).unwrap_or_default();
    let quantity = text("pattern").starts_with(QUANTITY_PATTERN);
    if is_set(schema, INT_OR_STRING) || text("format") == "int-or-string" {
        return Some(Ty::Api(if quantity { "Quantity" } else { "IntOrString" }));
    }
    match type_name(schema)? {
        "string" if quantity => Some(Ty::Api("Quantity")),
        "string" => Some(Ty::Api(match text("format") {
            "date-time" => "Time",
            "byte" => "ByteString",
            "password" => "SecretText",
            _ => "IStr",
        })),
        "boolean" => Some(Ty::Plain("bool")),
        "integer" => {
            let small = matches!(text("format"), "int32" | "int16" | "int8") && fits_i32(schema);
            Some(Ty::Plain(if small { "i32" } else { "i64" }))
        }
        "number" => Some(Ty::Plain("f64")),
        _ => None,
    }
}

/// The texts of an enumeration: what a schema allows, where that is some texts and nothing else.
pub(super) fn choices(schema: &Value) -> Option<Vec<String>> {
    if scalar(schema)? != Ty::Api("IStr") {
        return None;
    }
    let values = schema.get("enum")?.as_array()?;
    let mut texts = Vec::new();
    // `null` says that the member may be null, which its type tells already.
    for value in values.iter().filter(|value| !value.is_null()) {
        let text = value.as_str()?.to_owned();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    // A member that is not said is the empty text, so that cannot be one of them.
    texts.retain(|text| !text.is_empty());
    Some(texts).filter(|texts| !texts.is_empty())
}

/// Some definitions say `int32` of what needs more.
fn fits_i32(schema: &Value) -> bool {
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    number("maximum").is_none_or(|most| most <= f64::from(i32::MAX))
        && number("minimum").is_none_or(|least| least >= f64::from(i32::MIN))
}

/// The components that every server has, and that the library has types of.
pub(super) fn component(name: &str) -> Option<Ty> {
    let name = name.strip_prefix("io.k8s.").unwrap_or(name);
    Some(match name {
        "apimachinery.pkg.apis.meta.v1.ObjectMeta" => Ty::Api("meta::v1::ObjectMeta"),
        "apimachinery.pkg.apis.meta.v1.LabelSelector" => Ty::Api("meta::v1::LabelSelector"),
        "apimachinery.pkg.apis.meta.v1.Condition" => Ty::Api("meta::v1::Condition"),
        "apimachinery.pkg.apis.meta.v1.OwnerReference" => Ty::Api("meta::v1::OwnerReference"),
        "apimachinery.pkg.apis.meta.v1.Time" => Ty::Api("Time"),
        "apimachinery.pkg.apis.meta.v1.MicroTime" => Ty::Api("MicroTime"),
        "apimachinery.pkg.api.resource.Quantity" => Ty::Api("Quantity"),
        "apimachinery.pkg.util.intstr.IntOrString" => Ty::Api("IntOrString"),
        "apimachinery.pkg.runtime.RawExtension"
        | "apimachinery.pkg.apis.meta.v1.FieldsV1"
        | "apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON" => Ty::Raw,
        _ => return None,
    })
}

/// Objects that have the shape of a type of the library, to the last member.
pub(super) fn object(schema: &Value) -> Option<Ty> {
    if keeps_others(schema) {
        return None;
    }
    if is_condition(schema) {
        return Some(Ty::Api("meta::v1::Condition"));
    }
    is_label_selector(schema).then_some(Ty::Api("meta::v1::LabelSelector"))
}

fn is_condition(schema: &Value) -> bool {
    has_members(
        schema,
        &[
            ("lastTransitionTime", Ty::Api("Time")),
            ("message", Ty::Api("IStr")),
            ("observedGeneration", Ty::Plain("i64")),
            ("reason", Ty::Api("IStr")),
            ("status", Ty::Api("IStr")),
            ("type", Ty::Api("IStr")),
        ],
    ) && requires(schema, &["lastTransitionTime", "message", "reason", "status", "type"])
}

fn is_label_selector(schema: &Value) -> bool {
    let part = |pointer: &str| schema.pointer(pointer).unwrap_or(&Value::Null);
    let requirement = part("/properties/matchExpressions/items");
    let members = schema.get("properties").and_then(Value::as_object);
    members.is_some_and(|members| members.len() == 2)
        && scalar(part("/properties/matchLabels/additionalProperties")) == Some(Ty::Api("IStr"))
        && requires(schema, &[])
        && requirement.pointer("/properties/values/items").and_then(scalar) == Some(Ty::Api("IStr"))
        && has_scalars(requirement, &["key", "operator"], 3)
        && requires(requirement, &["key", "operator"])
}

fn has_members(schema: &Value, wanted: &[(&str, Ty)]) -> bool {
    let Some(members) = schema.get("properties").and_then(Value::as_object) else { return false };
    members.len() == wanted.len()
        && wanted.iter().all(|(name, ty)| {
            members.get(*name).is_some_and(|schema| scalar(schema).as_ref() == Some(ty))
        })
}

fn has_scalars(schema: &Value, names: &[&str], members: usize) -> bool {
    let Some(found) = schema.get("properties").and_then(Value::as_object) else { return false };
    let is_text = |name: &&str| found.get(*name).and_then(scalar) == Some(Ty::Api("IStr"));
    found.len() == members && names.iter().all(is_text)
}

/// Exactly these members are required.
fn requires(schema: &Value, wanted: &[&str]) -> bool {
    let found: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    found.len() == wanted.len() && wanted.iter().all(|name| found.contains(name))
}
