//! From and to the JSON of `JSONSchemaProps` (apiextensions/v1), which is also that of OpenAPI v3
//! documents.

use std::fmt;

mod read;
mod write;

#[cfg(test)]
mod tests;

/// The model name of `metav1.ObjectMeta`, which every resource has as `metadata`.
pub const OBJECT_META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

impl crate::Schema {
    /// The schema of a custom resource as the server uses it: with `apiVersion`, `kind` and the
    /// whole of `metadata`, which CRDs leave out. Follow it in
    /// `Schemas::builtin()` (feature `facts`).
    #[must_use]
    pub fn into_resource(mut self) -> Self {
        self.type_ = Some(crate::Type::Object);
        for name in ["apiVersion", "kind"] {
            self.properties.entry(name.to_owned()).or_insert_with(Self::string);
        }
        self.embed_metadata();
        self.property("metadata", Self::reference(OBJECT_META))
    }

    /// Whole objects within have the same `metadata` where their schemas say nothing of it.
    fn embed_metadata(&mut self) {
        let inner = self.properties.values_mut().chain(self.items.as_deref_mut());
        inner.chain(self.additional.as_deref_mut()).for_each(Self::embed_metadata);
        if self.embedded_resource {
            let metadata = self.properties.entry("metadata".to_owned());
            metadata.or_insert_with(|| Self::reference(OBJECT_META));
        }
    }
}

/// Why a JSON value is no schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    path: String,
    message: String,
}

impl SchemaError {
    fn new(path: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), message: message.into() }
    }

    /// Where in the schema, e.g. `.properties[spec].type`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for SchemaError {}
