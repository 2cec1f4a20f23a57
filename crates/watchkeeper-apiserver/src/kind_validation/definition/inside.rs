//! Versions and schemas of definitions as upstream shows them where it refuses them: with the names that their parts have
//! in Go, and with all of them (`pkg/apis/apiextensions/types.go` and `types_jsonschema.go`).

use serde_json::Value;
use watchkeeper_schema::error::whole_numbers;
use watchkeeper_schema::{FieldError, Reason};

use super::super::{Check, Place};
use super::SHARED;
use crate::go::go_escaped;

#[cfg(test)]
mod tests;

/// What is longer is shown in JSON as it was sent: a schema without anything in it has 762 bytes.
const LONGEST: usize = 1 << 20;
/// And what is nested deeper.
const DEEPEST: u32 = 100;

/// How a part is written.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Flag,
    Number,
    /// Anything that may be missing: in JSON.
    Any,
    Struct(&'static [Member]),
    Structs(&'static [Member]),
    Schema,
    Schemas,
    /// Schemas by name.
    Named,
    /// A schema or a list of them.
    OrList,
    /// A schema or whether there may be any.
    OrFlag,
    /// By name, a schema or a list of names.
    OrNames,
}

/// The name in Go, the one in JSON, and the form.
type Member = (&'static str, &'static str, Form);

const VERSION: [Member; 9] = [
    ("Name", "name", Form::Text),
    ("Served", "served", Form::Flag),
    ("Storage", "storage", Form::Flag),
    ("Deprecated", "deprecated", Form::Flag),
    ("DeprecationWarning", "deprecationWarning", Form::Any),
    ("Schema", "schema", Form::Struct(&VALIDATION)),
    ("Subresources", "subresources", Form::Struct(&SUBRESOURCES)),
    ("AdditionalPrinterColumns", "additionalPrinterColumns", Form::Structs(&COLUMN)),
    ("SelectableFields", "selectableFields", Form::Structs(&SELECTABLE)),
];

const VALIDATION: [Member; 1] = [("OpenAPIV3Schema", "openAPIV3Schema", Form::Schema)];

const SUBRESOURCES: [Member; 2] =
    [("Status", "status", Form::Any), ("Scale", "scale", Form::Struct(&SCALE))];

const SCALE: [Member; 3] = [
    ("SpecReplicasPath", "specReplicasPath", Form::Text),
    ("StatusReplicasPath", "statusReplicasPath", Form::Text),
    ("LabelSelectorPath", "labelSelectorPath", Form::Any),
];

const COLUMN: [Member; 6] = [
    ("Name", "name", Form::Text),
    ("Type", "type", Form::Text),
    ("Format", "format", Form::Text),
    ("Description", "description", Form::Text),
    ("Priority", "priority", Form::Number),
    ("JSONPath", "jsonPath", Form::Text),
];

const SELECTABLE: [Member; 1] = [("JSONPath", "jsonPath", Form::Text)];

const SCHEMA: [Member; 44] = [
    ("ID", "id", Form::Text),
    ("Schema", "$schema", Form::Text),
    ("Ref", "$ref", Form::Any),
    ("Description", "description", Form::Text),
    ("Type", "type", Form::Text),
    ("Nullable", "nullable", Form::Flag),
    ("Format", "format", Form::Text),
    ("Title", "title", Form::Text),
    ("Default", "default", Form::Any),
    ("Maximum", "maximum", Form::Any),
    ("ExclusiveMaximum", "exclusiveMaximum", Form::Flag),
    ("Minimum", "minimum", Form::Any),
    ("ExclusiveMinimum", "exclusiveMinimum", Form::Flag),
    ("MaxLength", "maxLength", Form::Any),
    ("MinLength", "minLength", Form::Any),
    ("Pattern", "pattern", Form::Text),
    ("MaxItems", "maxItems", Form::Any),
    ("MinItems", "minItems", Form::Any),
    ("UniqueItems", "uniqueItems", Form::Flag),
    ("MultipleOf", "multipleOf", Form::Any),
    ("Enum", "enum", Form::Any),
    ("MaxProperties", "maxProperties", Form::Any),
    ("MinProperties", "minProperties", Form::Any),
    ("Required", "required", Form::Any),
    ("Items", "items", Form::OrList),
    ("AllOf", "allOf", Form::Schemas),
    ("OneOf", "oneOf", Form::Schemas),
    ("AnyOf", "anyOf", Form::Schemas),
    ("Not", "not", Form::Schema),
    ("Properties", "properties", Form::Named),
    ("AdditionalProperties", "additionalProperties", Form::OrFlag),
    ("PatternProperties", "patternProperties", Form::Named),
    ("Dependencies", "dependencies", Form::OrNames),
    ("AdditionalItems", "additionalItems", Form::OrFlag),
    ("Definitions", "definitions", Form::Named),
    ("ExternalDocs", "externalDocs", Form::Struct(&DOCS)),
    ("Example", "example", Form::Any),
    ("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", Form::Any),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", Form::Flag),
    ("XIntOrString", "x-kubernetes-int-or-string", Form::Flag),
    ("XListMapKeys", "x-kubernetes-list-map-keys", Form::Any),
    ("XListType", "x-kubernetes-list-type", Form::Any),
    ("XMapType", "x-kubernetes-map-type", Form::Any),
    ("XValidations", "x-kubernetes-validations", Form::Structs(&RULE)),
];

const DOCS: [Member; 2] = [("Description", "description", Form::Text), ("URL", "url", Form::Text)];

const RULE: [Member; 6] = [
    ("Rule", "rule", Form::Text),
    ("Message", "message", Form::Text),
    ("MessageExpression", "messageExpression", Form::Text),
    ("Reason", "reason", Form::Any),
    ("FieldPath", "fieldPath", Form::Text),
    ("OptionalOldSelf", "optionalOldSelf", Form::Any),
];

/// Tells what is wrong with a part, as long as there is room: a schema that is three bytes in JSON is 762 here, and may be
/// wrong for any number of reasons, in any number of places.
pub(super) fn refuse(
    check: &mut Check<'_>,
    (path, value): (&str, Option<&Value>),
    show: impl FnOnce() -> Option<String>,
    detail: &str,
) {
    if check.is_full() {
        return;
    }
    let shown = show();
    // That it is too long is known once so much of it is written.
    let lost = if shown.is_none() { LONGEST } else { 0 };
    check.push(refused(path, shown, value, detail));
    check.spend(lost);
}

/// What is wrong with a part that is shown in one form, or in JSON where that is none.
fn refused(path: &str, shown: Option<String>, value: Option<&Value>, detail: &str) -> FieldError {
    match shown {
        Some(shown) => FieldError::new(Reason::Invalid, path, None, format!("{shown}: {detail}")),
        None => FieldError::invalid(path, value.cloned().unwrap_or_default(), detail),
    }
}

/// All versions. What they have alike stands elsewhere inside.
pub(super) fn versions(all: &[Place<'_>], alike: [bool; 4]) -> Option<String> {
    let elsewhere: Vec<&str> =
        SHARED.into_iter().zip(alike).filter(|(_, is_alike)| *is_alike).map(|of| of.0).collect();
    shown(|writer| {
        let is_own = |name: &str| !elsewhere.contains(&name);
        let items = all.iter().filter_map(|version| version.value);
        writer.each(('[', ']'), items, |writer, version| {
            writer.members(&VERSION, version, is_own, DEEPEST);
        });
    })
}

/// A schema.
pub(super) fn schema(value: &Value) -> Option<String> {
    shown(|writer| writer.part(Form::Schema, Some(value), DEEPEST))
}

/// Schemas for the items of a list.
pub(super) fn items(value: &Value) -> Option<String> {
    shown(|writer| writer.part(Form::OrList, Some(value), DEEPEST))
}

/// What is written, unless it is too long or too deep.
fn shown(write: impl FnOnce(&mut Writer)) -> Option<String> {
    let mut writer = Writer { out: String::new(), is_over: false };
    write(&mut writer);
    (!writer.is_over).then(|| go_escaped(&writer.out))
}

struct Writer {
    out: String,
    /// Nothing more is written, and nobody will see what was.
    is_over: bool,
}

impl Writer {
    /// A struct, of which some members may not be its own.
    fn members(
        &mut self,
        members: &[Member],
        value: &Value,
        is_own: impl Fn(&str) -> bool,
        depth: u32,
    ) {
        self.is_over |= depth == 0 || self.out.len() > LONGEST;
        if self.is_over {
            return;
        }
        self.each(('{', '}'), members.iter(), |writer, (go, json, form)| {
            let own = Some(value).filter(|_| is_own(json));
            let part = own.and_then(|value| value.get(json)).filter(|part| !part.is_null());
            writer.out.push_str(&format!("\"{go}\":"));
            writer.part(*form, part, depth - 1);
        });
    }

    fn part(&mut self, form: Form, value: Option<&Value>, depth: u32) {
        let whole = |_: &str| true;
        let Some(value) = value else { return self.out.push_str(absent(form)) };
        match (form, value) {
            (Form::Struct(members), value) => self.members(members, value, whole, depth),
            (Form::Structs(members), Value::Array(items)) => {
                self.each(('[', ']'), items.iter(), |writer, item| {
                    writer.members(members, item, whole, depth);
                });
            }
            (Form::Schema, value) => self.members(&SCHEMA, value, whole, depth),
            (Form::Schemas, Value::Array(items)) => {
                self.each(('[', ']'), items.iter(), |writer, item| {
                    writer.part(Form::Schema, Some(item), depth);
                });
            }
            (Form::Named | Form::OrNames, Value::Object(parts)) => {
                let mut parts: Vec<_> = parts.iter().collect();
                parts.sort_by_key(|(name, _)| *name);
                self.each(('{', '}'), parts.into_iter(), |writer, (name, part)| {
                    writer.out.push_str(&format!("{}:", Value::from(name.as_str())));
                    match form {
                        Form::Named => writer.part(Form::Schema, Some(part), depth),
                        _ => writer.either(("Schema", "Property"), Form::Any, part, depth),
                    }
                });
            }
            (Form::OrList, value) => {
                self.either(("Schema", "JSONSchemas"), Form::Schemas, value, depth);
            }
            (Form::OrFlag, value) => {
                let allows = value.as_bool().unwrap_or(true);
                self.out.push_str(&format!("{{\"Allows\":{allows},\"Schema\":"));
                let schema = Some(value).filter(|value| !value.is_boolean());
                self.part(Form::Schema, schema, depth);
                self.out.push('}');
            }
            (_, value) => self.json(value),
        }
    }

    /// A schema, or a list of something else.
    fn either(&mut self, names: (&str, &str), form: Form, value: &Value, depth: u32) {
        let (schema, list) = match value {
            Value::Array(_) => (None, Some(value)),
            _ => (Some(value), None),
        };
        self.out.push_str(&format!("{{\"{}\":", names.0));
        self.part(Form::Schema, schema, depth);
        self.out.push_str(&format!(",\"{}\":", names.1));
        self.part(form, list, depth);
        self.out.push('}');
    }

    fn json(&mut self, value: &Value) {
        let mut value = value.clone();
        whole_numbers(&mut value);
        self.out.push_str(&value.to_string());
    }

    /// Parts between brackets, with commas.
    fn each<T>(
        &mut self,
        (open, close): (char, char),
        parts: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.out.push(open);
        for (index, part) in parts.enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            write(self, part);
        }
        self.out.push(close);
    }
}

/// What stands where nothing is.
const fn absent(form: Form) -> &'static str {
    match form {
        Form::Text => "\"\"",
        Form::Flag => "false",
        Form::Number => "0",
        _ => "null",
    }
}
