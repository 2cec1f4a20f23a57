//! One schema node, for custom resources and built-in kinds alike.
//!
//! The fields are those of `JSONSchemaProps` (apiextensions/v1) that structural schemas allow,
//! plus what Go struct tags say of built-in types: patch strategy, merge key and presence.

use std::collections::BTreeMap;

use serde_json::Value;

#[cfg(test)]
mod tests;

/// A schema of a JSON value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// The name of another schema that takes the place of this one; beside it only presence,
    /// default, description and merge rules count.
    pub reference: Option<String>,
    /// A short name, seldom used.
    pub title: Option<String>,
    /// What `kubectl explain` prints.
    pub description: Option<String>,
    /// The JSON type; none means any.
    pub type_: Option<Type>,
    /// The format, e.g. `date-time` or `int32`.
    pub format: Option<String>,
    /// The members of an object that have schemas of their own.
    pub properties: BTreeMap<String, Self>,
    /// The schema of all other members (`additionalProperties`).
    pub additional: Option<Box<Self>>,
    /// What `additionalProperties: true` is a schema of: any value, of whose objects nothing is kept.
    pub unspecified: bool,
    /// The schema of the items of an array.
    pub items: Option<Box<Self>>,
    /// The members that must be there.
    pub required: Vec<String>,
    /// Whether `null` is a value.
    pub nullable: bool,
    /// What is filled in when the value is missing.
    pub default: Option<Value>,
    /// The values allowed; empty means all.
    pub enum_values: Vec<Value>,
    /// An example for readers.
    pub example: Option<Value>,
    /// Where more is said of it.
    pub external_docs: Option<ExternalDocs>,
    /// Limits of numbers, lengths and counts.
    pub bounds: Bounds,
    /// A regular expression that strings match.
    pub pattern: Option<String>,
    /// `x-kubernetes-preserve-unknown-fields`: members without a schema are kept.
    pub preserve_unknown: bool,
    /// `x-kubernetes-embedded-resource`: the value is a whole object with kind and metadata.
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-list-type`.
    pub list_type: Option<ListType>,
    /// `x-kubernetes-list-map-keys`.
    pub list_keys: Vec<String>,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<MapType>,
    /// How a strategic merge patch treats the value; built-in types only.
    pub patch: PatchStrategy,
    /// The key of a strategic merge of lists; built-in types only.
    pub merge_key: Option<String>,
    /// When Go writes the member; built-in types only.
    pub presence: Presence,
    /// The value passes all of these.
    pub all_of: Vec<Self>,
    /// The value passes one of these or more.
    pub any_of: Vec<Self>,
    /// The value passes exactly one of these.
    pub one_of: Vec<Self>,
    /// The value does not pass this.
    pub not: Option<Box<Self>>,
    /// `x-kubernetes-validations`.
    pub validations: Vec<Validation>,
}

/// Documentation elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalDocs {
    /// What is found there.
    pub description: Option<String>,
    /// Where it is.
    pub url: Option<String>,
}

/// A JSON type as OpenAPI names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// An object or map.
    Object,
    /// A list.
    Array,
    /// Text.
    String,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
}

impl Type {
    /// The name in schemas and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Array => "array",
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
        }
    }

    /// The type of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Object, Self::Array, Self::String, Self::Integer, Self::Number, Self::Boolean]
            .into_iter()
            .find(|t| t.name() == name)
    }
}

/// Limits of numbers, lengths and counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The smallest number.
    pub minimum: Option<f64>,
    /// The greatest number.
    pub maximum: Option<f64>,
    /// The minimum itself is not allowed.
    pub exclusive_minimum: bool,
    /// The maximum itself is not allowed.
    pub exclusive_maximum: bool,
    /// Numbers are multiples of this.
    pub multiple_of: Option<f64>,
    /// The fewest characters.
    pub min_length: Option<u64>,
    /// The most characters.
    pub max_length: Option<u64>,
    /// The fewest items.
    pub min_items: Option<u64>,
    /// The most items.
    pub max_items: Option<u64>,
    /// The fewest members.
    pub min_properties: Option<u64>,
    /// The most members.
    pub max_properties: Option<u64>,
    /// No item is there twice.
    pub unique_items: bool,
}

/// `x-kubernetes-list-type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListType {
    /// Items are found by their keys.
    Map,
    /// Items are scalars, each at most once.
    Set,
    /// The list is one value.
    Atomic,
}

impl ListType {
    /// The name in schemas.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Set => "set",
            Self::Atomic => "atomic",
        }
    }
}

/// `x-kubernetes-map-type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapType {
    /// The object is one value.
    Atomic,
    /// Each member is a value of its own.
    Granular,
}

impl MapType {
    /// The name in schemas.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Granular => "granular",
        }
    }
}

/// `patchStrategy` of a Go struct tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatchStrategy {
    /// Lists merge instead of being replaced.
    pub merge: bool,
    /// Objects are replaced instead of being merged.
    pub replace: bool,
    /// Only the keys that the patch names are kept.
    pub retain_keys: bool,
}

/// When Go writes a member, which decides what a built-in object looks like after it went through
/// the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Presence {
    /// As it came; the rule of custom resources.
    #[default]
    AsIs,
    /// Always written.
    Always,
    /// Written unless empty; structs are never empty.
    OmitEmpty,
    /// Written unless zero; a struct is zero when all its members are.
    OmitZero,
    /// Written unless missing or `null`.
    Pointer,
    /// Written as `null` when missing.
    PointerOrNull,
}

/// One rule of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validation {
    /// The CEL expression.
    pub rule: String,
    /// What is said when it fails.
    pub message: Option<String>,
    /// A CEL expression that says it.
    pub message_expression: Option<String>,
    /// The reason of the error.
    pub reason: Option<String>,
    /// Where the error is shown.
    pub field_path: Option<String>,
    /// Whether the rule also runs without an old value.
    pub optional_old_self: Option<bool>,
}

impl Validation {
    /// A rule with its message.
    pub fn new(rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self { rule: rule.into(), message: Some(message.into()), ..Self::default() }
    }
}

/// Constructors.
impl Schema {
    /// Any value of that type.
    #[must_use]
    pub fn of(type_: Type) -> Self {
        Self { type_: Some(type_), ..Self::default() }
    }

    /// An object without members yet.
    #[must_use]
    pub fn object() -> Self {
        Self::of(Type::Object)
    }

    /// A list.
    #[must_use]
    pub fn array(items: Self) -> Self {
        Self { items: Some(Box::new(items)), ..Self::of(Type::Array) }
    }

    /// A map from string.
    #[must_use]
    pub fn map(values: Self) -> Self {
        Self { additional: Some(Box::new(values)), ..Self::of(Type::Object) }
    }

    /// Text.
    #[must_use]
    pub fn string() -> Self {
        Self::of(Type::String)
    }

    /// `true` or `false`.
    #[must_use]
    pub fn boolean() -> Self {
        Self::of(Type::Boolean)
    }

    /// A 32-bit integer.
    #[must_use]
    pub fn int32() -> Self {
        Self::of(Type::Integer).format("int32")
    }

    /// A 64-bit integer.
    #[must_use]
    pub fn int64() -> Self {
        Self::of(Type::Integer).format("int64")
    }

    /// A floating point number.
    #[must_use]
    pub fn number() -> Self {
        Self::of(Type::Number).format("double")
    }

    /// A moment, as `metav1.Time` and `metav1.MicroTime` are written.
    #[must_use]
    pub fn date_time() -> Self {
        Self::string().format("date-time")
    }

    /// `IntOrString`.
    #[must_use]
    pub fn int_or_string() -> Self {
        Self { int_or_string: true, ..Self::default() }
    }

    /// An object of which nothing is known.
    #[must_use]
    pub fn any_object() -> Self {
        Self { preserve_unknown: true, ..Self::object() }
    }

    /// Any value at all.
    #[must_use]
    pub fn any() -> Self {
        Self { preserve_unknown: true, ..Self::default() }
    }

    /// Any value that nothing is said of, as `additionalProperties: true`.
    #[must_use]
    pub fn unspecified() -> Self {
        Self { unspecified: true, nullable: true, ..Self::any() }
    }

    /// The schema of that name in a [`Schemas`](crate::Schemas).
    pub fn reference(name: impl Into<String>) -> Self {
        Self { reference: Some(name.into()), ..Self::default() }
    }
}

/// Changes, to be chained.
impl Schema {
    /// With that format.
    #[must_use]
    pub fn format(mut self, format: impl Into<String>) -> Self {
        self.format = Some(format.into());
        self
    }

    /// With that description.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// With a member more.
    #[must_use]
    pub fn property(mut self, name: impl Into<String>, schema: Self) -> Self {
        self.properties.insert(name.into(), schema);
        self
    }

    /// With a member that must be there.
    #[must_use]
    pub fn required(mut self, name: impl Into<String>) -> Self {
        self.required.push(name.into());
        self
    }

    /// With that default.
    #[must_use]
    pub fn default_value(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(value.into());
        self
    }

    /// With `null` as a value.
    #[must_use]
    pub fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// With only those values.
    #[must_use]
    pub fn enumeration<V: Into<Value>>(mut self, values: impl IntoIterator<Item = V>) -> Self {
        self.enum_values = values.into_iter().map(Into::into).collect();
        self
    }

    /// With a least number.
    #[must_use]
    pub fn minimum(mut self, minimum: f64) -> Self {
        self.bounds.minimum = Some(minimum);
        self
    }

    /// With a greatest number.
    #[must_use]
    pub fn maximum(mut self, maximum: f64) -> Self {
        self.bounds.maximum = Some(maximum);
        self
    }

    /// With a regular expression.
    #[must_use]
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = Some(pattern.into());
        self
    }

    /// As a list of that type.
    #[must_use]
    pub fn list_type(mut self, list_type: ListType) -> Self {
        self.list_type = Some(list_type);
        self
    }

    /// As a list whose items are found by those keys.
    #[must_use]
    pub fn list_map<K: Into<String>>(mut self, keys: impl IntoIterator<Item = K>) -> Self {
        self.list_type = Some(ListType::Map);
        self.list_keys = keys.into_iter().map(Into::into).collect();
        self
    }

    /// With a rule more.
    #[must_use]
    pub fn validation(mut self, validation: Validation) -> Self {
        self.validations.push(validation);
        self
    }
}
