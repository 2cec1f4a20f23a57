//! Paths with their operations.

use serde_json::{Map, Value, json};

use super::names::{self, META};
use crate::resource::Resource;

/// Adds the paths of a resource: of the collection, of one object, and of its subresources.
pub(super) fn add(paths: &mut Map<String, Value>, resource: &Resource) {
    let base = match resource.group.as_str() {
        "" => format!("/api/{}", resource.version),
        group => format!("/apis/{group}/{}", resource.version),
    };
    let namespace = if resource.namespaced { "/namespaces/{namespace}" } else { "" };
    let collection = format!("{base}{namespace}/{}", resource.plural);
    let object = format!("{collection}/{{name}}");
    let strategic = resource.custom.is_none();
    let of = Target { model: names::model(resource), kind: names::kind_of(resource), strategic };
    let list = Target { model: names::list_model(resource), ..of.clone() };
    let has = |verb: &str| resource.verbs.iter().any(|v| v == verb);

    let mut operations = Map::new();
    let mut set = |offered: bool, method: &str, operation: Value| {
        if offered {
            operations.insert(method.to_owned(), operation);
        }
    };
    set(has("list"), "get", read("list", &list, LIST));
    set(has("create"), "post", write("post", &of, &of));
    set(has("deletecollection"), "delete", remove("deletecollection", &of));
    insert(paths, &collection, operations, resource.namespaced, false);
    if resource.namespaced && has("list") {
        let operations = Map::from_iter([("get".to_owned(), read("list", &list, LIST))]);
        insert(paths, &format!("{base}/{}", resource.plural), operations, false, false);
    }

    // What is created has no path of its own yet.
    let verbs: Vec<_> = resource.verbs.iter().filter(|verb| *verb != "create").cloned().collect();
    insert(paths, &object, operations_of(&of, &verbs), resource.namespaced, true);
    for sub in &resource.subresources {
        let model = names::builtin_model(&sub.group, &sub.version, &sub.kind);
        let kind = json!({"group": sub.group, "version": sub.version, "kind": sub.kind});
        let model = model.unwrap_or_else(|| of.model.clone());
        let target = Target { model, kind, strategic };
        let operations = operations_of(&target, &sub.verbs);
        insert(paths, &format!("{object}/{}", sub.name), operations, resource.namespaced, true);
    }
}

/// What an operation takes and gives.
#[derive(Clone)]
struct Target {
    model: String,
    kind: Value,
    /// Whether it can be patched strategically: kubectl asks this of the document.
    strategic: bool,
}

impl Target {
    fn content(&self) -> Value {
        let schema = json!({"$ref": format!("#/components/schemas/{}", self.model)});
        json!({"application/json": {"schema": schema}})
    }
}

fn operations_of(of: &Target, verbs: &[String]) -> Map<String, Value> {
    let has = |verb: &str| verbs.iter().any(|v| v == verb);
    let mut operations = Map::new();
    if has("get") {
        operations.insert("get".to_owned(), read("get", of, &[]));
    }
    if has("create") {
        operations.insert("post".to_owned(), write("post", of, of));
    }
    if has("update") {
        operations.insert("put".to_owned(), write("put", of, of));
    }
    if has("patch") {
        operations.insert("patch".to_owned(), patch(of));
    }
    if has("delete") {
        operations.insert("delete".to_owned(), remove("delete", of));
    }
    operations
}

const LIST: &[(&str, &str)] = &[
    ("allowWatchBookmarks", "boolean"),
    ("continue", "string"),
    ("fieldSelector", "string"),
    ("labelSelector", "string"),
    ("limit", "integer"),
    ("resourceVersion", "string"),
    ("resourceVersionMatch", "string"),
    ("sendInitialEvents", "boolean"),
    ("timeoutSeconds", "integer"),
    ("watch", "boolean"),
];

const WRITE: &[(&str, &str)] =
    &[("dryRun", "string"), ("fieldManager", "string"), ("fieldValidation", "string")];

const DELETE: &[(&str, &str)] = &[
    ("dryRun", "string"),
    ("gracePeriodSeconds", "integer"),
    ("orphanDependents", "boolean"),
    ("propagationPolicy", "string"),
];

fn parameters(names: &[(&str, &str)]) -> Vec<Value> {
    let query = |(name, type_): &(&str, &str)| json!({"name": name, "in": "query", "schema": {"type": type_, "uniqueItems": true}});
    names.iter().map(query).collect()
}

fn responses(of: &Target) -> Value {
    json!({"200": {"description": "OK", "content": of.content()}})
}

fn read(action: &str, of: &Target, query: &[(&str, &str)]) -> Value {
    json!({
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": of.kind,
        "parameters": parameters(query),
        "responses": responses(of),
    })
}

fn write(action: &str, of: &Target, body: &Target) -> Value {
    json!({
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": of.kind,
        "parameters": parameters(WRITE),
        "requestBody": {"required": true, "content": body.content()},
        "responses": responses(of),
    })
}

fn patch(of: &Target) -> Value {
    let mut query = parameters(WRITE);
    query.extend(parameters(&[("force", "boolean")]));
    let body = json!({"schema": {"$ref": format!("#/components/schemas/{META}.Patch")}});
    let mut media = vec!["apply-patch+yaml", "json-patch+json", "merge-patch+json"];
    if of.strategic {
        media.push("strategic-merge-patch+json");
    }
    let content: Map<String, Value> =
        media.iter().map(|media| (format!("application/{media}"), body.clone())).collect();
    json!({
        "x-kubernetes-action": "patch",
        "x-kubernetes-group-version-kind": of.kind,
        "parameters": query,
        "requestBody": {"required": true, "content": content},
        "responses": responses(of),
    })
}

fn remove(action: &str, of: &Target) -> Value {
    let options =
        Target { model: format!("{META}.DeleteOptions"), kind: Value::Null, strategic: false };
    let status = Target { model: format!("{META}.Status"), kind: Value::Null, strategic: false };
    json!({
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": of.kind,
        "parameters": parameters(DELETE),
        "requestBody": {"content": options.content()},
        "responses": responses(&status),
    })
}

fn insert(
    paths: &mut Map<String, Value>,
    path: &str,
    mut operations: Map<String, Value>,
    namespaced: bool,
    named: bool,
) {
    if operations.is_empty() {
        return;
    }
    let place = |name: &str| {
        json!({"name": name, "in": "path", "required": true,
            "schema": {"type": "string", "uniqueItems": true}})
    };
    let mut parameters = Vec::new();
    if named {
        parameters.push(place("name"));
    }
    if namespaced {
        parameters.push(place("namespace"));
    }
    operations.insert("parameters".to_owned(), Value::Array(parameters));
    paths.insert(path.to_owned(), Value::Object(operations));
}
