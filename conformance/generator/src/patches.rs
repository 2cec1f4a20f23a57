//! Patches of every kind, of objects of the built-in kinds: JSON patches, merge patches, strategic merge patches with
//! their directives, and applies of several managers.

use serde_json::{Map, Value, json};
use watchkeeper_schema::facts::{Field, Type};

use super::Dice;
use super::case::{Case, Request, yaml};
use super::objects::{Kind, add_query, options};
use super::spoil::{self, fields};
use super::template::{Place, Templates};

const JSON_PATCH: &str = "application/json-patch+json";
const MERGE: &str = "application/merge-patch+json";
const STRATEGIC: &str = "application/strategic-merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

/// A case of this generator: an object is made, patched a few times and read.
pub(crate) fn case(templates: &Templates, place: Place, dice: &mut Dice) -> Case {
    let kind = Kind::pick(templates, place, dice);
    let object = kind.object(templates, dice);
    let mut requests = Vec::new();
    let is_applied = dice.chance(30);
    if kind.template.dry {
        // Nothing is stored that could be patched.
        requests.push(apply(&kind, templates, dice));
    } else if is_applied {
        requests.push(apply(&kind, templates, dice));
    } else {
        requests.push(Request::json("POST", kind.collection(), &object));
    }
    if !kind.template.dry {
        for _ in 0..=dice.below(3) {
            let roll = if is_applied { 60 + dice.below(40) } else { dice.below(100) };
            requests.push(match roll {
                0..20 => json_patch(&kind, &object, dice),
                20..40 => merge(&kind, templates, dice),
                40..65 => strategic(&kind, templates, &object, dice),
                _ => apply(&kind, templates, dice),
            });
        }
    }
    for request in &mut requests {
        if kind.template.dry {
            add_query(&mut request.path, "dryRun=All");
        }
    }
    let after = if kind.template.dry { Vec::new() } else { kind.after() };
    Case { requests, after }
}

fn patch(kind: &Kind<'_>, of: &'static str, body: &Value, dice: &mut Dice) -> Request {
    let mut path = kind.path();
    let has_status = kind.facts.subresources.iter().any(|one| one.name == "status");
    if has_status && dice.chance(7) {
        path += "/status";
    }
    for option in options(dice) {
        add_query(&mut path, option);
    }
    Request::text("PATCH", path, of, spoil::text(body))
}

/// Operations on what is there, and on what is not.
fn json_patch(kind: &Kind<'_>, object: &Value, dice: &mut Dice) -> Request {
    let mut pointers = Vec::new();
    collect(object, String::new(), &mut pointers);
    let mut operations = Vec::new();
    for _ in 0..=dice.below(3) {
        let at = dice.one(&pointers).clone();
        let from = dice.one(&pointers).clone();
        let there = object.pointer(&at).cloned().unwrap_or(Value::Null);
        let values =
            [there.clone(), json!("x"), json!(3), json!(null), json!({"a": "b"}), json!([])];
        let value = dice.one(&values).clone();
        let beside = format!(
            "{}/{}",
            at.rsplit_once('/').map_or("", |(parent, _)| parent),
            dice.one(&["-", "new", "0", "9", "01"])
        );
        operations.push(match dice.below(16) {
            0..3 => json!({"op": "replace", "path": at, "value": value}),
            3..5 => json!({"op": "remove", "path": at}),
            5..8 => json!({"op": "add", "path": beside, "value": value}),
            8 => json!({"op": "add", "path": at, "value": value}),
            9 => json!({"op": "test", "path": at, "value": there}),
            10 => json!({"op": "test", "path": at, "value": value}),
            11 => json!({"op": "copy", "from": from, "path": beside}),
            12 => json!({"op": "move", "from": from, "path": beside}),
            13 => json!({"op": "remove", "path": beside}),
            14 => json!({"op": "add", "path": "/metadata/labels", "value": {"patched": "yes"}}),
            _ => dice
                .one(&[
                    json!({"op": "x", "path": "/a"}),
                    json!({"path": "/a"}),
                    json!({"op": "add", "path": "a", "value": 1}),
                    json!({"op": "add", "path": "/metadata/labels/a~1b"}),
                    json!(1),
                    json!({"op": "test", "path": "/metadata/name", "value": "x"}),
                ])
                .clone(),
        });
    }
    patch(kind, JSON_PATCH, &Value::Array(operations), dice)
}

fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                collect(member, format!("{pointer}/{name}"), pointers);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{pointer}/{index}"), pointers);
            }
        }
        _ => {}
    }
    if !pointer.is_empty() {
        pointers.push(pointer);
    }
}

/// Some of another object of the kind, spoiled or not.
fn part(kind: &Kind<'_>, templates: &Templates, dice: &mut Dice) -> Value {
    let mut object = kind.object(templates, dice);
    thin(&mut object, dice, 0);
    if dice.chance(15) {
        spoil::spoil(&mut object, &kind.facts.model, &kind.place, dice);
    }
    object
}

/// Leaves out members, deeper ones more rarely.
fn thin(value: &mut Value, dice: &mut Dice, depth: u64) {
    if let Value::Object(members) = value {
        members.retain(|name, _| name == "name" || !dice.chance(40_u64.saturating_sub(depth * 8)));
        members.values_mut().for_each(|member| thin(member, dice, depth + 1));
    }
}

fn merge(kind: &Kind<'_>, templates: &Templates, dice: &mut Dice) -> Request {
    let mut body = part(kind, templates, dice);
    nulls(&mut body, dice);
    if dice.chance(10) {
        spoil::set(&mut body, "resourceVersion", (*dice.one(&["@rv@", "1"])).into());
    }
    patch(kind, MERGE, &body, dice)
}

fn nulls(value: &mut Value, dice: &mut Dice) {
    for (name, member) in value.as_object_mut().into_iter().flatten() {
        if name != "name" && dice.chance(8) {
            *member = Value::Null;
        } else {
            nulls(member, dice);
        }
    }
}

fn strategic(kind: &Kind<'_>, templates: &Templates, object: &Value, dice: &mut Dice) -> Request {
    let mut body = part(kind, templates, dice);
    nulls(&mut body, dice);
    directives(&mut body, &Type::Struct(kind.facts.model.clone()), Some(object), dice);
    patch(kind, STRATEGIC, &body, dice)
}

/// Puts in directives of upstream's strategic merge patches.
fn directives(patch: &mut Value, ty: &Type, object: Option<&Value>, dice: &mut Dice) {
    let (Type::Struct(model), Some(members)) = (ty, patch.as_object_mut()) else { return };
    for field in fields(model) {
        let there = object.and_then(|object| object.get(&field.json));
        match &field.ty {
            Type::List(item) if field.patch.merge => {
                list(members, field, item, there, dice);
            }
            Type::Struct(_) => {
                if let Some(member) = members.get_mut(&field.json) {
                    directives(member, &field.ty, there, dice);
                    if field.patch.retain_keys && dice.chance(50) {
                        retain(member, dice);
                    }
                }
            }
            _ => {}
        }
    }
    if dice.chance(4) {
        let value = *dice.one(&["replace", "delete", "merge", "x"]);
        members.insert("$patch".to_owned(), value.into());
    }
}

fn retain(member: &mut Value, dice: &mut Dice) {
    let Some(members) = member.as_object_mut() else { return };
    let mut names: Vec<Value> = members.keys().map(|name| name.as_str().into()).collect();
    if dice.chance(20) {
        names.pop();
    }
    members.insert("$retainKeys".to_owned(), names.into());
}

/// Directives for a list that is merged: of items with a key, or of plain values.
fn list(
    members: &mut Map<String, Value>,
    field: &Field,
    item: &Type,
    there: Option<&Value>,
    dice: &mut Dice,
) {
    let name = &field.json;
    let theirs = there.and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(key) = field.merge_key.as_deref() else {
        if dice.chance(20) && !theirs.is_empty() {
            let gone = vec![dice.one(&theirs).clone()];
            members.insert(format!("$deleteFromPrimitiveList/{name}"), gone.into());
        }
        if dice.chance(10) {
            members.insert(format!("$setElementOrder/{name}"), theirs.into());
        }
        return;
    };
    if let Some(Value::Array(items)) = members.get_mut(name) {
        for (index, one) in items.iter_mut().enumerate() {
            directives(one, item, theirs.get(index), dice);
        }
    }
    let keyed = |one: &Value| json!({key: one[key]});
    if dice.chance(25) && !theirs.is_empty() {
        let mut gone = keyed(dice.one(&theirs));
        gone["$patch"] = (*dice.one(&["delete", "delete", "delete", "replace", "x"])).into();
        let items = members.entry(name.clone()).or_insert_with(|| json!([]));
        if let Some(items) = items.as_array_mut() {
            items.push(gone);
        }
    }
    if dice.chance(30) {
        let items = members.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let mut order: Vec<Value> = items.iter().chain(&theirs).map(keyed).collect();
        if dice.chance(60) {
            order.dedup();
            order.reverse();
        }
        if dice.chance(15) {
            order.pop();
        }
        members.insert(format!("$setElementOrder/{name}"), order.into());
    }
    if dice.chance(5) {
        let items = members.entry(name.clone()).or_insert_with(|| json!([]));
        if let Some(items) = items.as_array_mut() {
            items.push(json!({"$patch": "replace"}));
        }
    }
}

/// What a manager wants, with force or not.
fn apply(kind: &Kind<'_>, templates: &Templates, dice: &mut Dice) -> Request {
    let mut object = kind.object(templates, dice);
    if dice.chance(40) {
        thin(&mut object, dice, 2);
    }
    if dice.chance(12) {
        spoil::spoil(&mut object, &kind.facts.model, &kind.place, dice);
    }
    let mut path = kind.path();
    if dice.chance(97) {
        let option = *dice.one(&["fieldManager=one", "fieldManager=two", "fieldManager=three"]);
        add_query(&mut path, option);
    }
    if dice.chance(40) {
        let option =
            *dice.one(&["force=true", "force=true", "force=true", "force=false", "force=x"]);
        add_query(&mut path, option);
    }
    if dice.chance(30) {
        let option = *dice.one(&["fieldValidation=Strict", "fieldValidation=Ignore", "dryRun=All"]);
        add_query(&mut path, option);
    }
    let text =
        if dice.chance(20) { yaml(&object).replace("@twice@", "") } else { spoil::text(&object) };
    Request::text("PATCH", path, APPLY, text)
}
