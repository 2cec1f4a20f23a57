//! What a schema says of lists and maps: which of their items are the same ones, and what that asks of the items.

use std::collections::BTreeSet;

use serde_json::Value;
use watchkeeper_schema::FieldError;
use watchkeeper_schema::error::{child, key};

use super::super::Check;
use super::inside;
use super::keywords::Node;

pub(super) const LIST_TYPE: &str = "x-kubernetes-list-type";
pub(super) const MAP_TYPE: &str = "x-kubernetes-map-type";
const KEYS: &str = "x-kubernetes-list-map-keys";
pub(super) const LIST_TYPES: [&str; 3] = ["atomic", "set", "map"];
pub(super) const MAP_TYPES: [&str; 2] = ["atomic", "granular"];

pub(super) fn check(node: &Node<'_>, check: &mut Check<'_>) {
    if node.get(MAP_TYPE).is_some() {
        of_type(node, "object", MAP_TYPE, check);
        known(node, MAP_TYPE, &MAP_TYPES, check);
    }
    if node.get(LIST_TYPE).is_some() {
        if of_type(node, "array", LIST_TYPE, check) && node.text(LIST_TYPE) == "set" {
            items_of_set(node, check);
        }
        known(node, LIST_TYPE, &LIST_TYPES, check);
    }
    if !keys(node).is_empty() && node.text(LIST_TYPE) != "map" {
        let (place, detail) =
            (node.at(LIST_TYPE), "must be map if x-kubernetes-list-map-keys is non-empty");
        check.push(match node.get(LIST_TYPE) {
            None => FieldError::required(place, detail),
            Some(of) => FieldError::invalid(place, of.clone(), detail),
        });
    }
    if node.text(LIST_TYPE) == "map" {
        items_of_map(node, check);
    }
    nothing_missing(node, check);
}

/// Whether the node is of the type that a keyword is for.
fn of_type(node: &Node<'_>, wanted: &str, keyword: &str, check: &mut Check<'_>) -> bool {
    let type_ = node.text("type");
    if type_ == wanted {
        return true;
    }
    let detail = format!("must be {wanted} if {keyword} is specified");
    check.push(if type_.is_empty() {
        FieldError::required(node.at("type"), detail)
    } else {
        FieldError::invalid(node.at("type"), type_, detail)
    });
    false
}

fn known(node: &Node<'_>, keyword: &str, known: &[&str], check: &mut Check<'_>) {
    let text = node.text(keyword);
    if !known.contains(&text) {
        check.push(FieldError::not_supported(node.at(keyword), text, known));
    }
}

fn keys<'a>(node: &Node<'a>) -> &'a [Value] {
    node.get(KEYS).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn text<'a>(schema: &'a Value, name: &str) -> Option<&'a str> {
    schema.get(name).and_then(Value::as_str)
}

/// The items of a set are each one value.
fn items_of_set(node: &Node<'_>, check: &mut Check<'_>) {
    let Some(items) = node.get("items").filter(|items| items.is_object()) else { return };
    let list_type = text(items, LIST_TYPE);
    let place = node.at("items");
    let wrong = match text(items, "type") {
        Some("array") if list_type.is_some_and(|of| of != "atomic") => LIST_TYPE,
        Some("object") if text(items, MAP_TYPE) != Some("atomic") => MAP_TYPE,
        _ => return,
    };
    let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
    check.push(FieldError::invalid(child(&place, wrong), list_type.map(Value::from), detail));
}

/// The items of a map have the members that tell them apart.
fn items_of_map(node: &Node<'_>, check: &mut Check<'_>) {
    let (keys_place, items_place) = (node.at(KEYS), node.at("items"));
    if keys(node).is_empty() {
        let detail = "must not be empty if x-kubernetes-list-type is map";
        check.push(FieldError::required(&*keys_place, detail));
    }
    let Some(items) = node.get("items") else {
        let detail = "must have a schema if x-kubernetes-list-type is map";
        return check.push(FieldError::required(items_place, detail));
    };
    if !items.is_object() {
        let detail = "must only have a single schema if x-kubernetes-list-type is map";
        let part = (&*items_place, Some(items));
        return inside::refuse(check, part, || inside::items(items), detail);
    }
    let type_ = text(items, "type").unwrap_or_default();
    if type_ != "object" {
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        return check.push(FieldError::invalid(child(&items_place, "type"), type_, detail));
    }
    keys_of_map(node, items, check);
}

/// The keys of a map are members of its items, of plain types, each named once.
fn keys_of_map(node: &Node<'_>, items: &Value, check: &mut Check<'_>) {
    let (keys_place, items_place) = (node.at(KEYS), node.at("items"));
    let mut seen = BTreeSet::new();
    for name in keys(node).iter().filter_map(Value::as_str) {
        // Each mistake shows all keys.
        if check.is_full() {
            return;
        }
        let property = items.get("properties").and_then(|properties| properties.get(name));
        match property.map(|property| text(property, "type")) {
            None => {
                let detail = "entries must all be names of item properties";
                check.push(FieldError::invalid(&*keys_place, keys(node), detail));
            }
            Some(Some("array" | "object")) => {
                let place = child(&key(&child(&items_place, "properties"), name), "type");
                let detail =
                    "must be a scalar type if parent array's x-kubernetes-list-type is map";
                check.push(FieldError::invalid(place, "object", detail));
            }
            Some(_) => {}
        }
        if !seen.insert(name) {
            let detail = "must not contain duplicate entries";
            check.push(FieldError::invalid(&*keys_place, keys(node), detail));
        }
    }
}

/// What tells items apart is never missing and never null.
fn nothing_missing(node: &Node<'_>, check: &mut Check<'_>) {
    let list_type = node.text(LIST_TYPE);
    let Some(items) = node.get("items").filter(|items| items.is_object()) else { return };
    if !matches!(list_type, "set" | "map") {
        return;
    }
    let place = node.at("items");
    let is_nullable = |schema: &Value| schema.get("nullable") == Some(&Value::Bool(true));
    if is_nullable(items) {
        let detail = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        check.push(FieldError::forbidden(child(&place, "nullable"), detail));
    }
    if list_type == "set" {
        return;
    }
    let required = items.get("required").and_then(Value::as_array);
    for name in keys(node).iter().filter_map(Value::as_str) {
        let Some(property) = items.get("properties").and_then(|of| of.get(name)) else { continue };
        let place = key(&child(&place, "properties"), name);
        let is_required = required.is_some_and(|names| names.iter().any(|of| of == name));
        if !is_required && property.get("default").is_none_or(Value::is_null) {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a \
                          default or be a required property";
            check.push(FieldError::required(child(&place, "default"), detail));
        }
        if is_nullable(property) {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            check.push(FieldError::forbidden(child(&place, "nullable"), detail));
        }
    }
}
