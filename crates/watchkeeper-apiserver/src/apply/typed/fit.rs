//! Whether a value is of the types that its schema has for it, in the words of upstream's typed values
//! (structured-merge-diff, `typed`). Of what has no type anything goes.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use watchkeeper_schema::{SchemaRef, Type, builtin};

use super::{Of, atomic_list, item_element, items, member};
use crate::fields::PathElement;
use crate::go::{go_syntax, go_type, go_value};

/// Whether an item of a list may be there twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::apply) enum Repeats {
    Allowed,
    Refused,
}

/// The bytes of what is told, about: the places of a large value could be more than fits into memory.
const ROOM: usize = 1 << 20;

/// Checks the types of a value.
///
/// # Errors
///
/// All that is wrong, each with its place.
pub(in crate::apply) fn check(value: &Value, of: Of<'_>, repeats: Repeats) -> Result<(), String> {
    let mut fit = Fit { repeats, keeps: false, path: Vec::new(), wrong: Vec::new(), room: ROOM };
    fit.value(value, of);
    match &fit.wrong[..] {
        [] => Ok(()),
        [one] => Err(one.clone()),
        several => Err(format!("errors:\n  {}", several.join("\n  "))),
    }
}

/// What a value is to be.
#[derive(Clone, Copy)]
enum Shape {
    Number,
    Text,
    Truth,
    /// A number, a text or a truth value.
    Scalar,
    Map,
    List,
}

fn shape(of: SchemaRef<'_>) -> Option<Shape> {
    match of.name() {
        Some(builtin::QUANTITY | builtin::INT_OR_STRING | builtin::TIME | builtin::MICRO_TIME) => {
            return Some(Shape::Scalar);
        }
        Some(builtin::RAW | builtin::FIELDS_V1) => return None,
        _ if of.node.int_or_string => return None,
        _ => {}
    }
    Some(match of.type_()? {
        Type::Object => Shape::Map,
        Type::Array => Shape::List,
        Type::String if is_plain(of) => Shape::Text,
        Type::String => Shape::Scalar,
        Type::Integer | Type::Number => Shape::Number,
        Type::Boolean => Shape::Truth,
    })
}

/// A text in any other format may be any scalar (kube-openapi, `pkg/schemaconv`).
fn is_plain(of: SchemaRef<'_>) -> bool {
    matches!(of.usage.format.as_deref(), None | Some("" | "byte"))
}

struct Fit<'a> {
    repeats: Repeats,
    /// Members without a schema are kept here: that holds for all that is within, but for types with a name.
    keeps: bool,
    /// Where it is; a text only where something is wrong, as this is asked of each write.
    path: Vec<Step<'a>>,
    wrong: Vec<String>,
    /// How much may still be told.
    room: usize,
}

/// A step of a path.
enum Step<'a> {
    Member(&'a str),
    Item(PathElement),
}

impl<'a> Fit<'a> {
    fn value(&mut self, value: &'a Value, of: Of<'_>) {
        let Some(shape) = of.and_then(shape).filter(|_| !value.is_null()) else { return };
        if self.room == 0 {
            return;
        }
        let above = self.keeps;
        self.keeps = of.is_some_and(|schema| {
            schema.preserves_unknown() || (above && schema.usage.reference.is_none())
        });
        match (shape, value) {
            (Shape::Map, Value::Object(members)) => self.members(members, of),
            (Shape::List, Value::Array(list)) => self.list(list, of),
            (Shape::Number, Value::Number(_))
            | (Shape::Text, Value::String(_))
            | (Shape::Truth, Value::Bool(_))
            | (Shape::Scalar, Value::Number(_) | Value::String(_) | Value::Bool(_)) => {}
            (shape, value) => self.say(&mismatch(shape, value)),
        }
        self.keeps = above;
    }

    fn say(&mut self, what: &str) {
        let mut told = String::new();
        for step in &self.path {
            told += &match step {
                Step::Member(name) => format!(".{name}"),
                Step::Item(element) => element.to_string(),
            };
        }
        let colon = if told.is_empty() { "" } else { ": " };
        told = format!("{told}{colon}{what}");
        self.room = self.room.saturating_sub(told.len());
        self.wrong.push(told);
    }

    /// Upstream goes no further in an object with a member that is none of it.
    fn members(&mut self, members: &'a Map<String, Value>, of: Of<'_>) {
        let is_closed = !self.keeps && of.is_some_and(|schema| !schema.node.properties.is_empty());
        let is_resource = of.is_some_and(|schema| schema.node.embedded_resource);
        for (name, value) in members {
            let below = member(of, name);
            // What a whole object says of itself is no matter of the schema around it.
            let is_own = || below.is_none_or(|of| of.usage.reference.is_none());
            if is_resource && matches!(&**name, "apiVersion" | "kind" | "metadata") && is_own() {
                continue;
            }
            let is_unknown = below.is_none() && is_closed;
            self.path.push(Step::Member(name));
            if is_unknown {
                self.say("field not declared in schema");
            } else {
                self.value(value, below);
            }
            self.path.pop();
            if is_unknown {
                return;
            }
        }
    }

    fn list(&mut self, list: &'a [Value], of: Of<'_>) {
        let mut seen: BTreeSet<PathElement> = BTreeSet::new();
        for (index, item) in list.iter().enumerate() {
            let element = if atomic_list(of) {
                PathElement::Index(i64::try_from(index).unwrap_or(i64::MAX))
            } else {
                match item_element(of, item) {
                    Ok(element) => element,
                    // Nothing more can be told of a list with an item that has no place in it.
                    Err(why) => return self.say(&format!("element {index}: {why}")),
                }
            };
            if self.repeats == Repeats::Refused && !seen.insert(element.clone()) {
                self.say(&format!("duplicate entries for key {element}"));
            }
            self.path.push(Step::Item(element));
            self.value(item, items(of));
            self.path.pop();
        }
    }
}

fn mismatch(shape: Shape, value: &Value) -> String {
    match shape {
        Shape::Number => format!("expected numeric (int or float), got {}", go_type(value)),
        Shape::Text => {
            format!("expected string, got &value.valueUnstructured{{Value:{}}}", go_syntax(value))
        }
        Shape::Truth => format!("expected boolean, got &{{{}}}", go_value(value)),
        Shape::Scalar => format!("expected any scalar, got &{{{}}}", go_value(value)),
        Shape::Map => format!("expected map, got &{{{}}}", go_value(value)),
        Shape::List => format!("expected list, got &{{{}}}", go_value(value)),
    }
}
