//! Whether a definition is of the shape of `CustomResourceDefinition`, so that what reads it back cannot fail.

use serde_json::Value;

/// What a member is.
enum Is {
    Text,
    Flag,
    Int32,
    Int64,
    Number,
    Bytes,
    Any,
    Object(&'static [(&'static str, Self)]),
    List(&'static Self),
    Map(&'static Self),
    /// Another schema.
    Schema,
    /// Another schema, or a flag.
    SchemaOrFlag,
    /// Another schema, or a list.
    SchemaOrList(&'static Self),
}

use Is::{
    Any, Bytes, Flag, Int32, Int64, List, Map, Number, Object, Schema, SchemaOrFlag, SchemaOrList,
    Text,
};

/// `CustomResourceDefinitionSpec`, but for the schemas.
const SPEC: Is = Object(&[
    ("group", Text),
    ("scope", Text),
    ("preserveUnknownFields", Flag),
    (
        "names",
        Object(&[
            ("plural", Text),
            ("singular", Text),
            ("kind", Text),
            ("listKind", Text),
            ("shortNames", List(&Text)),
            ("categories", List(&Text)),
        ]),
    ),
    ("versions", List(&VERSION)),
    ("conversion", Object(&[("strategy", Text), ("webhook", WEBHOOK)])),
]);

const VERSION: Is = Object(&[
    ("name", Text),
    ("served", Flag),
    ("storage", Flag),
    ("deprecated", Flag),
    ("deprecationWarning", Text),
    ("schema", Object(&[("openAPIV3Schema", Any)])),
    ("subresources", Object(&[("status", Object(&[])), ("scale", SCALE)])),
    ("additionalPrinterColumns", List(&COLUMN)),
    ("selectableFields", List(&Object(&[("jsonPath", Text)]))),
]);

const SCALE: Is = Object(&[
    ("specReplicasPath", Text),
    ("statusReplicasPath", Text),
    ("labelSelectorPath", Text),
]);

const COLUMN: Is = Object(&[
    ("name", Text),
    ("type", Text),
    ("format", Text),
    ("description", Text),
    ("priority", Int32),
    ("jsonPath", Text),
]);

const WEBHOOK: Is = Object(&[
    (
        "clientConfig",
        Object(&[
            ("url", Text),
            ("caBundle", Bytes),
            (
                "service",
                Object(&[("namespace", Text), ("name", Text), ("path", Text), ("port", Int32)]),
            ),
        ]),
    ),
    ("conversionReviewVersions", List(&Text)),
]);

/// `JSONSchemaProps`.
const SCHEMA: Is = Object(&[
    ("id", Text),
    ("$schema", Text),
    ("$ref", Text),
    ("description", Text),
    ("type", Text),
    ("format", Text),
    ("title", Text),
    ("default", Any),
    ("maximum", Number),
    ("exclusiveMaximum", Flag),
    ("minimum", Number),
    ("exclusiveMinimum", Flag),
    ("maxLength", Int64),
    ("minLength", Int64),
    ("pattern", Text),
    ("maxItems", Int64),
    ("minItems", Int64),
    ("uniqueItems", Flag),
    ("multipleOf", Number),
    ("enum", List(&Any)),
    ("maxProperties", Int64),
    ("minProperties", Int64),
    ("required", List(&Text)),
    ("items", SchemaOrList(&Schema)),
    ("allOf", List(&Schema)),
    ("oneOf", List(&Schema)),
    ("anyOf", List(&Schema)),
    ("not", Schema),
    ("properties", Map(&Schema)),
    ("additionalProperties", SchemaOrFlag),
    ("patternProperties", Map(&Schema)),
    ("dependencies", Map(&SchemaOrList(&Text))),
    ("additionalItems", SchemaOrFlag),
    ("definitions", Map(&Schema)),
    ("externalDocs", Object(&[("description", Text), ("url", Text)])),
    ("example", Any),
    ("nullable", Flag),
    ("x-kubernetes-preserve-unknown-fields", Flag),
    ("x-kubernetes-embedded-resource", Flag),
    ("x-kubernetes-int-or-string", Flag),
    ("x-kubernetes-list-map-keys", List(&Text)),
    ("x-kubernetes-list-type", Text),
    ("x-kubernetes-map-type", Text),
    ("x-kubernetes-validations", List(&RULE)),
]);

const RULE: Is = Object(&[
    ("rule", Text),
    ("message", Text),
    ("messageExpression", Text),
    ("reason", Text),
    ("fieldPath", Text),
    ("optionalOldSelf", Flag),
]);

/// The first place of a spec that is of another shape than servers take, and what must be there; schemas are
/// left aside.
pub(super) fn mistake(spec: &Value) -> Option<Mistake> {
    wrong(spec, &SPEC, "spec", 0)
}

/// Whether the schema of every version is of the shape of one.
pub(super) fn schemas_are_sound(spec: &Value) -> bool {
    let versions = spec.get("versions").and_then(Value::as_array);
    versions.into_iter().flatten().all(|version| {
        let schema = version.pointer("/schema/openAPIV3Schema");
        schema.is_none_or(|schema| wrong(schema, &Schema, "", 0).is_none())
    })
}

/// A path, and what must be there.
type Mistake = (String, &'static str);

/// Deeper than any reader follows.
const MAX_DEPTH: usize = 100;

fn wrong(value: &Value, is: &Is, path: &str, depth: usize) -> Option<Mistake> {
    let must = |what| Some((path.to_owned(), what));
    if depth > MAX_DEPTH {
        return must("less deep");
    }
    // Servers take `null` for nothing said, but not among items.
    if value.is_null() {
        return None;
    }
    let inner = |value: &Value, is: &Is, path: String| wrong(value, is, &path, depth + 1);
    match is {
        Any => None,
        Text if value.is_string() => None,
        Text => must("a text"),
        Flag if value.is_boolean() => None,
        Flag => must("true or false"),
        Int32 if value.as_i64().is_some_and(|number| i32::try_from(number).is_ok()) => None,
        Int64 if value.is_i64() => None,
        Int32 | Int64 => must("a whole number"),
        Number if value.is_number() => None,
        Number => must("a number"),
        Bytes if value.as_str().is_some_and(is_base64) => None,
        Bytes => must("base64"),
        Object(members) => {
            let Some(found) = value.as_object() else { return must("an object") };
            members.iter().find_map(|(name, is)| {
                found.get(*name).and_then(|value| inner(value, is, format!("{path}.{name}")))
            })
        }
        List(is) => {
            let Some(items) = value.as_array() else { return must("a list") };
            let mut items = items.iter().enumerate();
            items.find_map(|(at, item)| {
                let path = format!("{path}[{at}]");
                if item.is_null() && !matches!(is, Any) {
                    return Some((path, "something"));
                }
                inner(item, is, path)
            })
        }
        Map(is) => {
            let Some(members) = value.as_object() else { return must("an object") };
            members.iter().find_map(|(name, value)| inner(value, is, format!("{path}[{name}]")))
        }
        Schema => wrong(value, &SCHEMA, path, depth),
        SchemaOrFlag if value.is_boolean() => None,
        SchemaOrFlag => wrong(value, &SCHEMA, path, depth),
        SchemaOrList(is) if value.is_array() => wrong(value, &List(is), path, depth),
        SchemaOrList(_) => wrong(value, &SCHEMA, path, depth),
    }
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/');
    text.len().is_multiple_of(4) && text.len() - body.len() <= 2 && body.chars().all(plain)
}
