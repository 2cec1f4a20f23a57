//! From text to resources: YAML or JSON, one document or several, definitions or an OpenAPI document.

mod spec;

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use serde_json::{Map, Value, json};
use watchkeeper_schema::yaml::{self, Limits};

use super::openapi;
use super::problem::{At, InputError, Place};

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
    for (index, document) in documents(text, source)?.into_iter().enumerate() {
        document_resources(document, &At::document(index), source, &mut found)?;
    }
    if found.is_empty() {
        let message = "there is neither a CustomResourceDefinition with a served version nor an \
                       OpenAPI v3 document with resources in it";
        return Err(InputError::new(source, Place::Source, message));
    }
    Ok(found)
}

/// Refuses names that no server takes. `member` tells where a group, a version, a kind or a plural stands.
fn named(
    resource: &Resource,
    source: &str,
    at: &At,
    member: &dyn Fn(&str) -> String,
) -> Result<(), InputError> {
    let Resource { group, version, kind, plural, .. } = resource;
    let parts = group.split('.').filter(|_| !group.is_empty()).map(|part| ("group", part));
    let names = [("version", version), ("kind", kind), ("plural", plural)];
    let labels = names.iter().map(|(what, name)| (*what, name.as_str()));
    for (what, name) in parts.chain(labels) {
        if !is_label(name, what == "group", what == "kind") {
            let message = format!("no {what} is called {name:?}");
            return Err(InputError::new(source, at.member(&member(what)), message));
        }
    }
    Ok(())
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
        let no_room = |error| (Place::Source, format!("the parser of YAML has no room: {error}"));
        let parser = parser.map_err(no_room)?;
        parser.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    documents.map_err(|(place, what)| InputError::new(source, place, what))
}

fn yaml(text: &str) -> Result<Vec<Value>, (Place, String)> {
    // Definitions are long and deep: what the parser takes by itself is for smaller texts.
    let limits = Limits { depth: MAX_DEPTH, nodes: usize::MAX };
    yaml::documents(text, &limits).map_err(|error| {
        let place = error.line().map_or(Place::Source, Place::Line);
        let what = error.what();
        if what.contains("budget breached: Depth") {
            return (place, format!("it nests deeper than {MAX_DEPTH} levels"));
        }
        (place, format!("this is not YAML: {what}"))
    })
}

/// The definitions of every document of `text`, as they are sent to a server, and where they stand.
pub(crate) fn definitions(text: &str, source: &str) -> Result<Vec<(At, Value)>, InputError> {
    let mut found = Vec::new();
    for (index, document) in documents(text, source)?.into_iter().enumerate() {
        each_definition(document, &At::document(index), &mut |definition, at| {
            found.push((at.clone(), for_server(definition, at, source)?));
            Ok(())
        })?;
    }
    Ok(found)
}

fn document_resources(
    document: Value,
    at: &At,
    source: &str,
    found: &mut Vec<Resource>,
) -> Result<(), InputError> {
    if document.get("openapi").is_some() {
        for (path, resource) in openapi::resources(document) {
            named(&resource, source, at, &|_| format!("paths[{path:?}]"))?;
            found.push(resource);
        }
        return Ok(());
    }
    each_definition(document, at, &mut |of, at| {
        found.extend(definition(of, at, source)?);
        Ok(())
    })
}

/// Shows every definition of a document: itself, or those of a list.
fn each_definition(
    document: Value,
    at: &At,
    show: &mut dyn FnMut(&Value, &At) -> Result<(), InputError>,
) -> Result<(), InputError> {
    let kind = document.get("kind").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "CustomResourceDefinition" => show(&document, at),
        "List" | "CustomResourceDefinitionList" => {
            let items = document.get("items").and_then(Value::as_array);
            for (index, item) in items.into_iter().flatten().enumerate() {
                let mut item = item.clone();
                if let (Some(item), true) = (item.as_object_mut(), kind != "List") {
                    item.entry("kind").or_insert_with(|| "CustomResourceDefinition".into());
                }
                each_definition(item, &at.item(index), show)?;
            }
            Ok(())
        }
        // Manifests hold other objects beside the definitions.
        _ => Ok(()),
    }
}

fn name_of(definition: &Value) -> &str {
    definition.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default()
}

/// The served versions of a definition.
fn definition(document: &Value, at: &At, source: &str) -> Result<Vec<Resource>, InputError> {
    let name = name_of(document);
    let text = |pointer: &str| {
        let found = document.pointer(pointer).and_then(Value::as_str);
        found.map(str::to_owned).ok_or_else(|| {
            let member = pointer.trim_start_matches('/').replace('/', ".");
            let message = format!("the definition {name:?} has none");
            InputError::new(source, at.member(&member), message)
        })
    };
    let (group, kind) = (text("/spec/group")?, text("/spec/names/kind")?);
    let (plural, scope) = (text("/spec/names/plural")?, text("/spec/scope")?);
    let versions = document.pointer("/spec/versions").and_then(Value::as_array);
    let of = for_server(document, at, source)?;
    let sound = spec::schemas_are_sound(&of["spec"]);
    let definition: Arc<str> = of.to_string().into();
    let mut resources = Vec::new();
    for (index, version) in versions.into_iter().flatten().enumerate() {
        if version.get("served").and_then(Value::as_bool) == Some(false) {
            continue;
        }
        let version_at = format!("spec.versions[{index}].name");
        let Some(version_name) = version.get("name").and_then(Value::as_str) else {
            let message = format!("this version of {name:?} has none");
            return Err(InputError::new(source, at.member(&version_at), message));
        };
        let resource = Resource {
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
        };
        named(&resource, source, at, &|what| match what {
            "version" => version_at.clone(),
            "group" => "spec.group".to_owned(),
            of_names => format!("spec.names.{of_names}"),
        })?;
        resources.push(resource);
    }
    Ok(resources)
}

/// The definition as it is sent to a server.
fn for_server(document: &Value, at: &At, source: &str) -> Result<Value, InputError> {
    let name = name_of(document);
    let metadata = metadata(document).map_err(|member| {
        let message = format!("in the definition {name:?} it must be a text");
        InputError::new(source, at.member(&format!("metadata.{member}")), message)
    })?;
    let spec = document.get("spec").cloned().unwrap_or_default();
    if let Some((member, must)) = spec::mistake(&spec) {
        let message = format!("in the definition {name:?} it must be {must}");
        return Err(InputError::new(source, at.member(&member), message));
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
