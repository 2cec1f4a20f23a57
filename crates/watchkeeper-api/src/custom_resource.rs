//! From a type to the definition that tells a server of its kind.

use serde_json::Value;
use watchkeeper_schema::Schema;

use crate::apiextensions::v1::{
    CustomResourceColumnDefinition, CustomResourceDefinition, CustomResourceDefinitionNames,
    CustomResourceDefinitionSpec, CustomResourceDefinitionVersion, CustomResourceSubresourceScale,
    CustomResourceSubresources, CustomResourceValidation, JSONSchemaProps, SelectableField,
};
use crate::meta::v1::ObjectMeta;
use crate::{IStr, Kind, Map, Object, Scope, json};

#[cfg(test)]
mod tests;

/// Servers refuse a definition in a group of the Kubernetes project that does not say whether it
/// was approved there (upstream's `KubeAPIApprovedAnnotation`).
const APPROVED: &str = "api-approved.kubernetes.io";

/// A kind of one's own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a custom resource",
    note = "write `#[derive(Clone, Debug, Default, PartialEq, Object)] #[object(group = \"…\", version = \"…\")]` on the struct"
)]
pub trait CustomResource: Object {
    /// Whether objects are stored in this version; one version of a kind is.
    const STORAGE: bool = true;

    /// The definition that a server needs before it takes such objects.
    fn crd() -> CustomResourceDefinition;

    /// This version alone, as the definition holds it.
    #[must_use]
    fn crd_version() -> CustomResourceDefinitionVersion {
        Self::crd().spec.versions.first().cloned().unwrap_or_default()
    }
}

/// What a definition is made of, beside the kind itself. `#[derive(Object)]` writes this down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Definition {
    /// The name of one object, in lower case.
    pub singular: &'static str,
    /// The kind of lists, where it is not the kind and `List`.
    pub list_kind: Option<&'static str>,
    /// Annotations of the definition.
    pub annotations: &'static [(&'static str, &'static str)],
    /// Labels of the definition.
    pub labels: &'static [(&'static str, &'static str)],
    /// Short names for `kubectl`.
    pub short_names: &'static [&'static str],
    /// Groups of kinds that it belongs to, e.g. `all`.
    pub categories: &'static [&'static str],
    /// The status is written apart from the rest.
    pub status: bool,
    /// Where a scale finds its numbers.
    pub scale: Option<ScalePaths>,
    /// The columns of `kubectl get`.
    pub columns: Vec<Column>,
    /// What field selectors may name, e.g. `.spec.colour`.
    pub selectable: &'static [&'static str],
    /// The version is not served.
    pub unserved: bool,
    /// Objects are stored in another version.
    pub unstored: bool,
    /// The version is deprecated, with the warning of its own that clients get, or an empty one.
    pub deprecated: Option<&'static str>,
    /// The other versions of the kind.
    pub versions: Vec<CustomResourceDefinitionVersion>,
    /// The schema of a whole object.
    pub schema: Schema,
}

/// The paths of the `scale` subresource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScalePaths {
    /// Where the wish is, e.g. `.spec.replicas`.
    pub spec_replicas: &'static str,
    /// Where the count is, e.g. `.status.replicas`.
    pub status_replicas: &'static str,
    /// Where the selector is, as text.
    pub label_selector: Option<&'static str>,
}

/// A column of `kubectl get`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The heading.
    pub name: &'static str,
    /// `integer`, `number`, `string`, `boolean` or `date`.
    pub type_: &'static str,
    /// Where the value is, e.g. `.spec.replicas`.
    pub json_path: &'static str,
    /// What it means.
    pub description: &'static str,
    /// How the value is shown.
    pub format: &'static str,
    /// Columns above 0 are shown with `-o wide` only.
    pub priority: i32,
}

impl Definition {
    /// The definition of `kind`: this version, then the others.
    ///
    /// # Panics
    ///
    /// Never: the JSON of a schema is a `JSONSchemaProps`.
    #[must_use]
    pub fn of(mut self, kind: &Kind) -> CustomResourceDefinition {
        let scope = match kind.scope {
            Scope::Namespaced => "Namespaced",
            Scope::Cluster => "Cluster",
        };
        let others = std::mem::take(&mut self.versions);
        CustomResourceDefinition {
            metadata: self.metadata(kind),
            spec: CustomResourceDefinitionSpec {
                group: IStr::from(&*kind.group),
                names: self.names(kind),
                scope: scope.into(),
                versions: std::iter::once(self.version(kind)).chain(others).collect(),
                ..CustomResourceDefinitionSpec::default()
            },
            ..CustomResourceDefinition::default()
        }
    }

    fn metadata(&self, kind: &Kind) -> ObjectMeta {
        let mut annotations: Map = self.annotations.iter().copied().collect();
        // Upstream's `IsProtectedCommunityGroup`.
        let is_protected = ["k8s.io", "kubernetes.io"].iter().any(|domain| {
            let above = kind.group.strip_suffix(domain);
            above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
        });
        if is_protected && !annotations.contains_key(APPROVED) {
            annotations.insert(APPROVED, "unapproved, not an API of the Kubernetes project");
        }
        let labels = self.labels.iter().copied().collect();
        ObjectMeta {
            name: kind.group_resource().into(),
            annotations,
            labels,
            ..ObjectMeta::default()
        }
    }

    fn names(&self, kind: &Kind) -> CustomResourceDefinitionNames {
        let list = |names: &[&'static str]| names.iter().map(|name| IStr::from(*name)).collect();
        CustomResourceDefinitionNames {
            plural: IStr::from(&*kind.plural),
            singular: self.singular.into(),
            short_names: list(self.short_names),
            kind: IStr::from(&*kind.kind),
            list_kind: self.list_kind.map_or_else(|| kind.list_kind().into(), IStr::from),
            categories: list(self.categories),
        }
    }

    /// The version of `kind` that this is.
    ///
    /// # Panics
    ///
    /// Never: the JSON of a schema is a `JSONSchemaProps`.
    #[must_use]
    pub fn version(self, kind: &Kind) -> CustomResourceDefinitionVersion {
        let schema: JSONSchemaProps = json::from_value(&self.schema.to_crd_json())
            .unwrap_or_else(|error| unreachable!("a schema is a JSONSchemaProps: {error}"));
        let subresources = CustomResourceSubresources {
            status: self.status.then(Box::default),
            scale: self.scale.map(|paths| Box::new(paths.subresource())),
        };
        CustomResourceDefinitionVersion {
            name: IStr::from(&*kind.version),
            served: !self.unserved,
            storage: !self.unstored,
            deprecated: self.deprecated.is_some(),
            deprecation_warning: self.deprecated.filter(|text| !text.is_empty()).map(IStr::from),
            selectable_fields: self.selectable.iter().map(|path| selectable(path)).collect(),
            schema: Some(Box::new(CustomResourceValidation {
                open_api_v3_schema: Some(Box::new(schema)),
            })),
            subresources: (subresources != CustomResourceSubresources::default())
                .then(|| Box::new(subresources)),
            additional_printer_columns: self.columns.iter().map(Column::definition).collect(),
        }
    }
}

/// The definition that this JSON is, for generated code.
///
/// # Panics
///
/// The text is no definition: the generator writes down none that is not.
#[doc(hidden)]
#[must_use]
pub fn definition_of(text: &str) -> CustomResourceDefinition {
    json::from_str(text).unwrap_or_else(|error| panic!("a generated definition: {error}"))
}

/// The version of that name in the definition that this JSON is, for generated code.
///
/// # Panics
///
/// As [`definition_of`].
#[doc(hidden)]
#[must_use]
pub fn version_of(text: &str, name: &str) -> CustomResourceDefinitionVersion {
    let versions = definition_of(text).spec.versions;
    versions.iter().find(|version| version.name == name).cloned().unwrap_or_default()
}

/// The schema at a place in a version of the definition that this JSON is, for generated code. Where the
/// place is none, or says what is no schema, it is any value.
#[doc(hidden)]
#[must_use]
pub fn schema_of(text: &str, version: &str, pointer: &str) -> Schema {
    let definition: Value = serde_json::from_str(text).unwrap_or_default();
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    let version = versions.into_iter().flatten().find(|of| of["name"] == version);
    let pointer = format!("/schema/openAPIV3Schema{pointer}");
    let schema = version.and_then(|version| version.pointer(&pointer));
    schema.and_then(|schema| Schema::from_crd_json(schema).ok()).unwrap_or_else(Schema::any)
}

fn selectable(path: &str) -> SelectableField {
    SelectableField { json_path: path.into() }
}

impl ScalePaths {
    fn subresource(self) -> CustomResourceSubresourceScale {
        CustomResourceSubresourceScale {
            spec_replicas_path: self.spec_replicas.into(),
            status_replicas_path: self.status_replicas.into(),
            label_selector_path: self.label_selector.map(IStr::from),
        }
    }
}

impl Column {
    fn definition(&self) -> CustomResourceColumnDefinition {
        CustomResourceColumnDefinition {
            name: self.name.into(),
            type_: self.type_.into(),
            format: self.format.into(),
            description: self.description.into(),
            priority: self.priority,
            json_path: self.json_path.into(),
        }
    }
}
