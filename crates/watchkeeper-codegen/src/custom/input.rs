//! From text to resources: YAML or JSON, one document or several, definitions or an OpenAPI document.

mod spec;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use serde_json::{Map, Value, json};
use watchkeeper_schema::yaml::{self, Limits};

use super::openapi;
use super::problem::InputError;

/// A kind to write types for, in one of its versions.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) namespaced: bool,
    /// The status is a subresource.
    pub(crate) status: bool,
    pub(crate) schema: Value,
    /// What the server needs before it takes such objects; an OpenAPI document does not tell, and one with a
    /// schema that is none no server takes.
    pub(crate) definition: Option<Definition>,
    /// What `$ref` points into; a definition has none.
    pub(crate) components: Option<Arc<Map<String, Value>>>,
}

/// The definition that a resource comes from.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// As JSON, without what a server adds.
    pub(crate) text: Arc<str>,
    /// Objects are stored in the resource's version.
    pub(crate) storage: bool,
}

impl Resource {
    pub(crate) fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }
}

/// The resources of every document of `text`.
pub(crate) fn resources(text: &str, source: &str) -> Result<Vec<Resource>, InputError> {
    let mut found = Vec::new();
    for document in documents(text, source)? {
        document_resources(document, source, &mut found)?;
    }
    if found.is_empty() {
        let message = "there is neither a CustomResourceDefinition with a served version nor an \
                       OpenAPI v3 document with resources in it";
        return Err(InputError::new(source, message));
    }
    for resource in &found {
        let Resource { group, version, kind, plural, .. } = resource;
        let parts = group.split('.').filter(|_| !group.is_empty()).map(|part| ("group", part));
        let names = [("version", version), ("kind", kind), ("plural", plural)];
        let labels = names.iter().map(|(what, name)| (*what, name.as_str()));
        for (what, name) in parts.chain(labels) {
            if !is_label(name, what == "group", what == "kind") {
                return Err(InputError::new(source, format!("no {what} is called {name:?}")));
            }
        }
    }
    Ok(found)
}

/// Whether a server takes it for a name (upstream: `IsDNS1035Label`; parts of groups may begin with a
/// digit, kinds have capitals).
fn is_label(name: &str, digit_first: bool, capitals: bool) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase() || capitals && c.is_ascii_uppercase();
    let first =
        name.chars().next().is_some_and(|c| is_letter(c) || digit_first && c.is_ascii_digit());
    first
        && name.len() <= 63
        && !name.ends_with('-')
        && name.chars().all(|c| is_letter(c) || c.is_ascii_digit() || c == '-')
}

/// How deep documents may nest. A level of a schema is two of JSON.
const MAX_DEPTH: usize = 160;
/// Room for what the parser of YAML needs for so many levels without optimization, eight times over. Only what is
/// used of it is ever given by the system.
const STACK: usize = 32 << 20;

pub(crate) fn documents(text: &str, source: &str) -> Result<Vec<Value>, InputError> {
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(vec![value]);
    }
    let documents = thread::scope(|threads| {
        let parser = thread::Builder::new().name("yaml".to_owned()).stack_size(STACK);
        let parser = parser.spawn_scoped(threads, || yaml(text));
        let parser = parser.map_err(|error| format!("the parser of YAML has no room: {error}"))?;
        parser.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    documents.map_err(|what| InputError::new(source, what))
}

fn yaml(text: &str) -> Result<Vec<Value>, String> {
    // Definitions are long and deep: what the parser takes by itself is for smaller texts.
    let limits = Limits { depth: MAX_DEPTH, nodes: usize::MAX };
    yaml::documents(text, &limits).map_err(|error| {
        let error = error.to_string();
        if error.contains("budget breached: Depth") {
            return format!("it nests deeper than {MAX_DEPTH} levels");
        }
        format!("this is not YAML: {error}")
    })
}

/// The definitions of every document of `text`, as they are sent to a server.
pub(crate) fn definitions(text: &str, source: &str) -> Result<Vec<Value>, InputError> {
    let mut found = Vec::new();
    for document in documents(text, source)? {
        each_definition(document, &mut |definition| {
            found.push(for_server(definition, source)?);
            Ok(())
        })?;
    }
    Ok(found)
}

fn document_resources(
    document: Value,
    source: &str,
    found: &mut Vec<Resource>,
) -> Result<(), InputError> {
    if document.get("openapi").is_some() {
        found.extend(openapi::resources(document));
        return Ok(());
    }
    each_definition(document, &mut |of| {
        found.extend(definition(of, source)?);
        Ok(())
    })
}

/// Shows every definition of a document: itself, or those of a list.
fn each_definition(
    document: Value,
    show: &mut dyn FnMut(&Value) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "CustomResourceDefinition" => show(&document),
        "List" | "CustomResourceDefinitionList" => {
            let items = document.get("items").and_then(Value::as_array);
            for item in items.into_iter().flatten() {
                let mut item = item.clone();
                if let (Some(item), true) = (item.as_object_mut(), kind != "List") {
                    item.entry("kind").or_insert_with(|| "CustomResourceDefinition".into());
                }
                each_definition(item, show)?;
            }
            Ok(())
        }
        // Manifests hold other objects beside the definitions.
        _ => Ok(()),
    }
}

/// The served versions of a definition.
fn definition(document: &Value, source: &str) -> Result<Vec<Resource>, InputError> {
    let name = document.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let text = |pointer: &str| {
        let found = document.pointer(pointer).and_then(Value::as_str);
        found.map(str::to_owned).ok_or_else(|| {
            let member = pointer.trim_start_matches('/').replace('/', ".");
            InputError::new(source, format!("the definition {name:?} has no {member}"))
        })
    };
    let (group, kind) = (text("/spec/group")?, text("/spec/names/kind")?);
    let (plural, scope) = (text("/spec/names/plural")?, text("/spec/scope")?);
    let versions = document.pointer("/spec/versions").and_then(Value::as_array);
    let of = for_server(document, source)?;
    let sound = spec::schemas_are_sound(&of["spec"]);
    let definition: Arc<str> = of.to_string().into();
    let mut resources = Vec::new();
    for version in versions.into_iter().flatten() {
        if version.get("served").and_then(Value::as_bool) == Some(false) {
            continue;
        }
        let Some(version_name) = version.get("name").and_then(Value::as_str) else {
            return Err(InputError::new(source, format!("a version of {name:?} has no name")));
        };
        resources.push(Resource {
            group: group.clone(),
            version: version_name.to_owned(),
            kind: kind.clone(),
            plural: plural.clone(),
            namespaced: scope != "Cluster",
            status: version.pointer("/subresources/status").is_some(),
            schema: version.pointer("/schema/openAPIV3Schema").cloned().unwrap_or_default(),
            definition: sound.then(|| Definition {
                text: Arc::clone(&definition),
                storage: version.get("storage").and_then(Value::as_bool) == Some(true),
            }),
            components: None,
        });
    }
    Ok(resources)
}

/// The definition as it is sent to a server.
fn for_server(document: &Value, source: &str) -> Result<Value, InputError> {
    let metadata = metadata(document).map_err(|member| {
        let name = document.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
        InputError::new(source, format!("metadata.{member} of the definition {name:?} is no text"))
    })?;
    let spec = document.get("spec").cloned().unwrap_or_default();
    if let Some(mistake) = spec::mistake(&spec) {
        let name = metadata.get("name").and_then(Value::as_str).unwrap_or_default();
        return Err(InputError::new(source, format!("of the definition {name:?}, {mistake}")));
    }
    Ok(json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": metadata, "spec": spec,
    }))
}

/// What a definition says of itself; or the member of it that no server takes.
fn metadata(document: &Value) -> Result<Map<String, Value>, String> {
    let mut metadata = Map::new();
    let said = |member: &str| {
        let value = document.get("metadata").and_then(|metadata| metadata.get(member));
        value.filter(|value| !value.is_null())
    };
    if let Some(name) = said("name") {
        metadata.insert("name".to_owned(), text("name", name)?);
    }
    for member in ["labels", "annotations"] {
        let Some(value) = said(member) else { continue };
        let mut texts = Map::new();
        for (key, value) in value.as_object().ok_or(member)? {
            if key != "kubectl.kubernetes.io/last-applied-configuration" && !value.is_null() {
                texts.insert(key.clone(), text(&format!("{member}[{key:?}]"), value)?);
            }
        }
        metadata.insert(member.to_owned(), Value::Object(texts));
    }
    Ok(metadata)
}

fn text(member: &str, value: &Value) -> Result<Value, String> {
    if value.is_string() { Ok(value.clone()) } else { Err(member.to_owned()) }
}
