//! Named schemas, and following references between them.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::OnceLock;

use crate::node::{ListType, MapType, PatchStrategy, Schema, Type};

#[cfg(test)]
mod tests;

/// Schemas by name, e.g. `io.k8s.api.apps.v1.DeploymentSpec`.
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    /// Those that are not made yet are made when they are first wanted: hardly any program wants all.
    by_name: HashMap<String, OnceLock<Box<Schema>>, BuildHasherDefault<DefaultHasher>>,
    make: Option<fn(&str) -> Schema>,
}

/// No schemas, for those that refer to none.
static NONE: Schemas =
    Schemas { by_name: HashMap::with_hasher(BuildHasherDefault::new()), make: None };

impl PartialEq for Schemas {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Schemas {
    /// Without any schema.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a schema, in place of an older one of that name.
    pub fn insert(&mut self, name: impl Into<String>, schema: Schema) {
        self.by_name.insert(name.into(), OnceLock::from(Box::new(schema)));
    }

    /// Schemas of these names, each of which is made when it is first wanted.
    #[cfg(feature = "facts")]
    pub(crate) fn made_by(names: impl Iterator<Item = String>, make: fn(&str) -> Schema) -> Self {
        let by_name = names.map(|name| (name, OnceLock::new())).collect();
        Self { by_name, make: Some(make) }
    }

    /// The schema of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Schema> {
        self.by_name.get_key_value(name).map(|(name, schema)| self.made(name, schema))
    }

    fn made<'a>(&self, name: &str, schema: &'a OnceLock<Box<Schema>>) -> &'a Schema {
        schema.get_or_init(|| Box::new(self.make.map(|make| make(name)).unwrap_or_default()))
    }

    /// The schema of that name, ready to be followed.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<SchemaRef<'_>> {
        let (name, schema) = self.by_name.get_key_value(name)?;
        Some(SchemaRef { name: Some(name), ..self.at(self.made(name, schema)) })
    }

    /// All names and schemas, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Schema)> {
        let mut all: Vec<_> = self.by_name.iter().collect();
        all.sort_by_key(|(name, _)| *name);
        all.into_iter().map(|(name, schema)| (name.as_str(), self.made(name, schema)))
    }

    /// `schema` together with the schemas that it may refer to.
    #[must_use]
    pub fn at<'a>(&'a self, schema: &'a Schema) -> SchemaRef<'a> {
        SchemaRef::resolve(schema, self)
    }
}

impl Schema {
    /// The schema as one that refers to no other.
    #[must_use]
    pub fn alone(&self) -> SchemaRef<'_> {
        SchemaRef::resolve(self, &NONE)
    }
}

/// A schema, the place it is used at, and the schemas that it may refer to. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub struct SchemaRef<'a> {
    /// The node as written where the value is used: holds default, presence and merge rules.
    pub usage: &'a Schema,
    /// The node that describes the value: `usage` itself, or what it refers to.
    pub node: &'a Schema,
    name: Option<&'a str>,
    schemas: &'a Schemas,
}

impl<'a> SchemaRef<'a> {
    fn resolve(usage: &'a Schema, schemas: &'a Schemas) -> Self {
        let name = usage.reference.as_deref();
        let node = name.and_then(|name| schemas.get(name)).unwrap_or(usage);
        Self { usage, node, name, schemas }
    }

    /// The name of the schema that describes the value, if it has one.
    #[must_use]
    pub fn name(self) -> Option<&'a str> {
        self.name
    }

    /// The schemas that this one may refer to.
    #[must_use]
    pub fn schemas(self) -> &'a Schemas {
        self.schemas
    }

    /// `schema`, which belongs to this one.
    #[must_use]
    pub fn child(self, schema: &'a Schema) -> Self {
        Self::resolve(schema, self.schemas)
    }

    /// The schema of a declared member.
    #[must_use]
    pub fn property(self, name: &str) -> Option<Self> {
        self.node.properties.get(name).map(|schema| self.child(schema))
    }

    /// The schema of a member, declared or not.
    #[must_use]
    pub fn member(self, name: &str) -> Option<Self> {
        self.property(name).or_else(|| self.additional())
    }

    /// The declared members.
    pub fn properties(self) -> impl Iterator<Item = (&'a str, Self)> {
        self.node.properties.iter().map(move |(name, schema)| (name.as_str(), self.child(schema)))
    }

    /// The schema of members that are not declared.
    #[must_use]
    pub fn additional(self) -> Option<Self> {
        self.node.additional.as_deref().map(|schema| self.child(schema))
    }

    /// The schema of items.
    #[must_use]
    pub fn items(self) -> Option<Self> {
        self.node.items.as_deref().map(|schema| self.child(schema))
    }

    /// The JSON type.
    #[must_use]
    pub fn type_(self) -> Option<Type> {
        self.node.type_
    }

    /// The list type, as the place of use or the type says.
    #[must_use]
    pub fn list_type(self) -> Option<ListType> {
        self.usage.list_type.or(self.node.list_type)
    }

    /// The keys of a list of type map.
    #[must_use]
    pub fn list_keys(self) -> &'a [String] {
        if self.usage.list_keys.is_empty() { &self.node.list_keys } else { &self.usage.list_keys }
    }

    /// The map type, as the place of use or the type says.
    #[must_use]
    pub fn map_type(self) -> Option<MapType> {
        self.usage.map_type.or(self.node.map_type)
    }

    /// How a strategic merge patch treats the value here.
    #[must_use]
    pub fn patch(self) -> PatchStrategy {
        self.usage.patch
    }

    /// The key of a strategic merge of this list.
    #[must_use]
    pub fn merge_key(self) -> Option<&'a str> {
        self.usage.merge_key.as_deref()
    }

    /// Whether members without a schema are kept.
    #[must_use]
    pub fn preserves_unknown(self) -> bool {
        self.usage.preserve_unknown || self.node.preserve_unknown
    }
}
