//! Values at the edges of what is allowed: of an object that has most of its members some numbers, texts and quantities
//! become those next to which upstream draws its lines, and a list becomes as long; and of an object that is stored
//! one part becomes that of another.

use serde_json::{Value, json};
use watchkeeper_schema::facts::{Scalar, Type};

use super::Dice;
use super::case::{Case, Request};
use super::objects::{Kind, add_query};
use super::spoil::{Part, parts};
use super::template::{Place, Templates};

const NUMBERS: [i64; 37] = [
    -1,
    0,
    1,
    2,
    9,
    10,
    11,
    30,
    31,
    63,
    64,
    100,
    101,
    511,
    512,
    599,
    600,
    1_000,
    1_001,
    1_800,
    1_801,
    3_600,
    3_601,
    10_000,
    10_001,
    65_535,
    65_536,
    86_400,
    86_401,
    100_000,
    100_001,
    10_000_000,
    10_000_001,
    i32::MAX as i64,
    i32::MAX as i64 + 1,
    1 << 32,
    (1 << 32) + 1,
];

/// How long a text is.
const LENGTHS: [usize; 12] = [1, 15, 16, 52, 53, 63, 64, 128, 129, 253, 254, 257];

const TEXTS: [&str; 28] = [
    "",
    "A",
    "a_b",
    "a.b",
    "a b",
    "a/b",
    "a/b/c",
    "-a",
    "a-",
    "1",
    "*",
    "*.a",
    "/a",
    "/a/",
    "/a//b",
    "/a/../b",
    "..",
    "../a",
    "a:b",
    "10.0.0.1",
    "fe80::1",
    "10.0.0.0/8",
    "https://a/b",
    "kubernetes.io/a",
    "a=b",
    "5%",
    "ü",
    "a\n",
];

const QUANTITIES: [&str; 10] = ["0", "-1", "1", "1m", "0.5", "1.5", "2", "100", "1Ki", "100Gi"];

/// How long a list is, whose items are small enough.
const COUNTS: [usize; 20] =
    [0, 2, 3, 8, 9, 16, 17, 20, 21, 32, 33, 50, 51, 64, 65, 100, 101, 128, 129, 257];
/// In bytes of its JSON.
const SMALL: usize = 200;

/// What is done to an object, in turn.
const CHANGES: usize = 6;

/// The case of this generator with this index: each kind in turn, with each value in turn.
pub(crate) fn case(templates: &Templates, index: usize, place: Place, dice: &mut Dice) -> Case {
    let kinds = templates.kinds.len();
    let kind = Kind::of(templates, index % kinds, place);
    let (what, turn) = (index / kinds % CHANGES, index / kinds / CHANGES);
    if what == 0 && !kind.template.dry {
        return update(templates, &kind, dice);
    }
    let mut object = kind.whole(templates, dice);
    match what {
        0 | 1 => list(&mut object, &kind, dice),
        2 | 3 => numbers(&mut object, &kind, turn * 2 + what % 2, dice),
        _ => texts(&mut object, &kind, turn * 2 + what % 2, dice),
    }
    let mut path = kind.collection();
    add_query(&mut path, "dryRun=All");
    Case { requests: vec![Request::json("POST", path, &object)], after: Vec::new() }
}

/// An object that is stored, and then changed.
fn update(templates: &Templates, kind: &Kind<'_>, dice: &mut Dice) -> Case {
    let object = kind.whole(templates, dice);
    let mut changed = object.clone();
    change(&mut changed, kind, &kind.whole(templates, dice), dice);
    let create = Request::json("POST", kind.collection(), &object);
    let update = Request::json("PUT", kind.path(), &changed);
    Case { requests: vec![create, update], after: kind.after() }
}

impl Kind<'_> {
    fn whole(&self, templates: &Templates, dice: &mut Dice) -> Value {
        templates.whole(self.template, &self.place, dice)
    }
}

fn numbers(object: &mut Value, kind: &Kind<'_>, turn: usize, dice: &mut Dice) {
    let number = NUMBERS[turn % NUMBERS.len()];
    let quantity = QUANTITIES[turn % QUANTITIES.len()];
    for part in of(object, kind) {
        let value = match scalar(&part.ty) {
            Some(Scalar::Int32 | Scalar::Int64 | Scalar::IntOrString) => json!(number),
            Some(Scalar::Quantity) => json!(quantity),
            _ => continue,
        };
        if dice.chance(60) {
            put(object, &part.pointer, value);
        }
    }
}

fn texts(object: &mut Value, kind: &Kind<'_>, turn: usize, dice: &mut Dice) {
    let turn = turn % (LENGTHS.len() + TEXTS.len());
    let text = match LENGTHS.get(turn) {
        Some(length) => "a".repeat(*length),
        None => TEXTS[turn - LENGTHS.len()].to_owned(),
    };
    for part in of(object, kind) {
        let is_text = matches!(scalar(&part.ty), Some(Scalar::String));
        let is_head = matches!(&*part.pointer, "/kind" | "/apiVersion")
            || part.pointer.starts_with("/metadata");
        if is_text && !is_head && dice.chance(25) {
            put(object, &part.pointer, json!(text));
        }
    }
}

fn list(object: &mut Value, kind: &Kind<'_>, dice: &mut Dice) {
    let lists: Vec<Part> = of(object, kind)
        .into_iter()
        .filter(|part| matches!(part.ty, Type::List(_)) && !part.pointer.starts_with("/metadata"))
        .collect();
    if lists.is_empty() {
        return;
    }
    let part = dice.one(&lists);
    let count = *dice.one(&COUNTS);
    let Some(Value::Array(items)) = object.pointer_mut(&part.pointer) else { return };
    let Some(item) = items.first().cloned() else { return };
    let count = if item.to_string().len() > SMALL { count.min(33) } else { count };
    *items = (0..count).map(|index| numbered(&item, index)).collect();
}

/// An item that is like no other, if it has a text that can tell it from them.
fn numbered(item: &Value, index: usize) -> Value {
    let mut item = item.clone();
    let text = match &mut item {
        Value::Object(members) => members.values_mut().find(|member| member.is_string()),
        other => Some(other),
    };
    if let Some(Value::String(text)) = text {
        text.push_str(&index.to_string());
    }
    item
}

/// One part becomes that of another object, or goes.
fn change(object: &mut Value, kind: &Kind<'_>, other: &Value, dice: &mut Dice) {
    let is_own = |part: &Part| part.pointer.is_empty() || part.pointer.starts_with("/metadata");
    let parts: Vec<Part> = of(object, kind).into_iter().filter(|part| !is_own(part)).collect();
    for _ in 0..8 {
        let part = dice.one(&parts);
        let there = object.pointer(&part.pointer);
        match other.pointer(&part.pointer) {
            Some(value) if there != Some(value) => {
                return put(object, &part.pointer, value.clone());
            }
            None if dice.chance(30) => return remove(object, &part.pointer),
            _ => {}
        }
    }
}

fn of(object: &Value, kind: &Kind<'_>) -> Vec<Part> {
    parts(object, &kind.facts.model)
}

const fn scalar(ty: &Type) -> Option<&Scalar> {
    match ty {
        Type::Scalar(scalar) | Type::Named(scalar, _) => Some(scalar),
        _ => None,
    }
}

fn put(object: &mut Value, pointer: &str, value: Value) {
    if let Some(place) = object.pointer_mut(pointer) {
        *place = value;
    }
}

fn remove(object: &mut Value, pointer: &str) {
    let Some((parent, name)) = pointer.rsplit_once('/') else { return };
    match object.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.remove(&name.replace("~1", "/").replace("~0", "~"));
        }
        Some(Value::Array(items)) => {
            if let Ok(index) = name.parse() {
                let _item: Value = items.remove(index);
            }
        }
        _ => {}
    }
}
