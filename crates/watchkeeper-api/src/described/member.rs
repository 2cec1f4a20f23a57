//! One member of a struct's schema, and what its attributes add.

use serde_json::Value;
use watchkeeper_schema::{ExternalDocs, ListType, MapType, Schema, Type};

use super::Described;

/// A member in the making. Attributes of `#[field(…)]` are calls of the methods here.
#[derive(Debug)]
pub struct Member {
    schema: Schema,
    required: bool,
}

impl Member {
    pub(super) fn new<T: Described>() -> Self {
        Self { schema: T::schema(), required: T::REQUIRED }
    }

    /// Any value.
    pub(super) fn any() -> Self {
        Self { schema: Schema::any(), required: false }
    }

    pub(super) fn whole(schema: Schema) -> Self {
        Self { schema, required: false }
    }

    pub(super) fn into_schema(self) -> Schema {
        self.schema
    }

    pub(super) fn finish(self, parent: &mut Schema, name: &str) {
        if self.required {
            parent.required.push(name.to_owned());
        }
        parent.properties.insert(name.to_owned(), self.schema);
    }

    pub(super) fn with(mut self, change: impl FnOnce(&mut Schema)) -> Self {
        change(&mut self.schema);
        self
    }

    /// It must be there.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// It may be missing.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// What is filled in when it is missing.
    #[must_use]
    pub fn default(self, value: impl Into<Value>) -> Self {
        let value = value.into();
        self.optional().with(|schema| schema.default = Some(value))
    }

    /// What is filled in when it is missing, as JSON text; text that is none is left out.
    #[must_use]
    pub fn default_json(self, text: &str) -> Self {
        match serde_json::from_str::<Value>(text) {
            Ok(value) => self.default(value),
            Err(_) => self,
        }
    }

    /// What `kubectl explain` prints.
    #[must_use]
    pub fn description(self, text: &str) -> Self {
        self.with(|schema| schema.description = Some(text.to_owned()))
    }

    /// The smallest number.
    #[must_use]
    pub fn minimum(self, minimum: f64) -> Self {
        self.with(|schema| schema.bounds.minimum = Some(minimum))
    }

    /// The greatest number.
    #[must_use]
    pub fn maximum(self, maximum: f64) -> Self {
        self.with(|schema| schema.bounds.maximum = Some(maximum))
    }

    /// Numbers greater than this.
    #[must_use]
    pub fn exclusive_minimum(self, minimum: f64) -> Self {
        self.minimum(minimum).with(|schema| schema.bounds.exclusive_minimum = true)
    }

    /// Numbers less than this.
    #[must_use]
    pub fn exclusive_maximum(self, maximum: f64) -> Self {
        self.maximum(maximum).with(|schema| schema.bounds.exclusive_maximum = true)
    }

    /// Multiples of this number.
    #[must_use]
    pub fn multiple_of(self, number: f64) -> Self {
        self.with(|schema| schema.bounds.multiple_of = Some(number))
    }

    /// The fewest characters.
    #[must_use]
    pub fn min_length(self, length: u64) -> Self {
        self.with(|schema| schema.bounds.min_length = Some(length))
    }

    /// The most characters.
    #[must_use]
    pub fn max_length(self, length: u64) -> Self {
        self.with(|schema| schema.bounds.max_length = Some(length))
    }

    /// The fewest items.
    #[must_use]
    pub fn min_items(self, count: u64) -> Self {
        self.with(|schema| schema.bounds.min_items = Some(count))
    }

    /// The most items.
    #[must_use]
    pub fn max_items(self, count: u64) -> Self {
        self.with(|schema| schema.bounds.max_items = Some(count))
    }

    /// The fewest members.
    #[must_use]
    pub fn min_properties(self, count: u64) -> Self {
        self.with(|schema| schema.bounds.min_properties = Some(count))
    }

    /// The most members.
    #[must_use]
    pub fn max_properties(self, count: u64) -> Self {
        self.with(|schema| schema.bounds.max_properties = Some(count))
    }

    /// A regular expression that texts match.
    #[must_use]
    pub fn pattern(self, pattern: &str) -> Self {
        self.with(|schema| schema.pattern = Some(pattern.to_owned()))
    }

    /// The format, e.g. `date-time`.
    #[must_use]
    pub fn format(self, format: &str) -> Self {
        self.with(|schema| schema.format = Some(format.to_owned()))
    }

    /// The texts allowed.
    #[must_use]
    pub fn enum_values(self, values: &[&str]) -> Self {
        self.with(|schema| schema.enum_values = values.iter().map(|v| Value::from(*v)).collect())
    }

    /// The values allowed, which may be numbers.
    #[must_use]
    pub fn enum_json(self, texts: &[&str]) -> Self {
        let values = texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
        self.with(|schema| schema.enum_values = values)
    }

    /// A short name.
    #[must_use]
    pub fn title(self, title: &str) -> Self {
        self.with(|schema| schema.title = Some(title.to_owned()))
    }

    /// An example, as JSON text.
    #[must_use]
    pub fn example_json(self, text: &str) -> Self {
        let example = serde_json::from_str(text).ok();
        self.with(|schema| schema.example = example)
    }

    /// Where more is said of it; an empty description is none.
    #[must_use]
    pub fn external_docs(self, url: &str, description: &str) -> Self {
        let description = (!description.is_empty()).then(|| description.to_owned());
        let docs = ExternalDocs { description, url: Some(url.to_owned()) };
        self.with(|schema| schema.external_docs = Some(docs))
    }

    /// A value of that type, whatever the field's type says.
    #[must_use]
    pub fn of_type(self, name: &str) -> Self {
        self.with(|schema| {
            schema.type_ = Type::from_name(name);
            schema.int_or_string = false;
            schema.format = None;
        })
    }

    /// A whole number or text.
    #[must_use]
    pub fn int_or_string(self) -> Self {
        self.with(|schema| {
            schema.int_or_string = true;
            schema.preserve_unknown = false;
            schema.type_ = None;
            schema.format = None;
        })
    }

    /// What is true of each item of a list.
    #[must_use]
    pub fn items(self, change: fn(Self) -> Self) -> Self {
        self.with(|schema| nested(&mut schema.items, change))
    }

    /// What is true of each value of a map.
    #[must_use]
    pub fn values(self, change: fn(Self) -> Self) -> Self {
        self.with(|schema| nested(&mut schema.additional, change))
    }

    /// The value may be `null`.
    #[must_use]
    pub fn nullable(self) -> Self {
        self.with(|schema| schema.nullable = true)
    }

    /// Members without a schema are kept.
    #[must_use]
    pub fn preserve_unknown(self) -> Self {
        self.with(|schema| schema.preserve_unknown = true)
    }

    /// The value is a whole object with kind and metadata.
    #[must_use]
    pub fn embedded_resource(self) -> Self {
        self.with(|schema| {
            schema.embedded_resource = true;
            schema.type_ = Some(Type::Object);
        })
    }

    /// Any object, of which nothing is said.
    #[must_use]
    pub fn any_object(self) -> Self {
        Self { schema: Schema::any_object(), ..self }
    }

    /// Items are found by these keys.
    #[must_use]
    pub fn list_map(self, keys: &[&str]) -> Self {
        self.with(|schema| {
            schema.list_type = Some(ListType::Map);
            schema.list_keys = keys.iter().map(|key| (*key).to_owned()).collect();
            require_keys(schema);
        })
    }

    /// Each item is there once.
    #[must_use]
    pub fn list_set(self) -> Self {
        self.with(|schema| schema.list_type = Some(ListType::Set))
    }

    /// The list is one value.
    #[must_use]
    pub fn list_atomic(self) -> Self {
        self.with(|schema| schema.list_type = Some(ListType::Atomic))
    }

    /// The map or struct is one value.
    #[must_use]
    pub fn map_atomic(self) -> Self {
        self.with(|schema| schema.map_type = Some(MapType::Atomic))
    }

    /// Each entry of the map or struct is a value of its own.
    #[must_use]
    pub fn map_granular(self) -> Self {
        self.with(|schema| schema.map_type = Some(MapType::Granular))
    }
}

fn nested(schema: &mut Option<Box<Schema>>, change: fn(Member) -> Member) {
    if let Some(schema) = schema {
        **schema = change(Member::whole(std::mem::take(schema))).schema;
    }
}

/// A structural schema demands that the keys of a list are required or have a default.
fn require_keys(schema: &mut Schema) {
    let keys = schema.list_keys.clone();
    let Some(items) = &mut schema.items else { return };
    for key in keys {
        let has_default = items.properties.get(&key).is_some_and(|p| p.default.is_some());
        if !has_default && !items.required.contains(&key) {
            items.required.push(key);
        }
    }
}
