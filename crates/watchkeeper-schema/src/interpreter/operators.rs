//! Operators, members and keys, with upstream's words for what they do not take.

use std::cmp::Ordering;
use std::sync::Arc;

use kube_cel::cel::Value;
use kube_cel::cel::objects::{Key, Map};

use super::{Failure, Interpreter, Outcome, as_optional, authorization, cost, in_order, optional};

/// A value as a truth value.
pub(super) fn truth(value: &Value) -> Result<bool, Failure> {
    if let Value::Bool(flag) = value { Ok(*flag) } else { Err(Failure::overload()) }
}

/// A value as a key of a map.
pub(super) fn key(value: &Value) -> Result<Key, Failure> {
    Ok(match value {
        Value::String(text) => Key::String(Arc::clone(text)),
        Value::Int(number) => Key::Int(*number),
        Value::UInt(number) => Key::Uint(*number),
        Value::Bool(flag) => Key::Bool(*flag),
        _ => return Err(Failure::wrong("unsupported key type")),
    })
}

/// A key as a value.
pub(super) fn keyed(key: &Key) -> Value {
    match key {
        Key::String(text) => Value::String(Arc::clone(text)),
        Key::Int(number) => Value::Int(*number),
        Key::Uint(number) => Value::UInt(*number),
        Key::Bool(flag) => Value::Bool(*flag),
    }
}

/// What a loop walks: of a list index and item, of a map key and value, in order.
pub(super) enum Pairs {
    List(Arc<Vec<Value>>, usize),
    Map(std::vec::IntoIter<(Value, Value)>),
}

impl Iterator for Pairs {
    type Item = (Value, Value);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::List(items, at) => {
                let item = items.get(*at)?.clone();
                let index = Value::Int(i64::try_from(*at).unwrap_or(i64::MAX));
                *at += 1;
                Some((index, item))
            }
            Self::Map(entries) => entries.next(),
        }
    }
}

/// A member of a map, or of an optional map.
pub(super) fn member(of: &Value, name: &str) -> Outcome {
    match of {
        Value::Map(map) => {
            let found = map.map.get(&Key::String(Arc::new(name.to_owned())));
            found.cloned().ok_or_else(|| Failure::wrong(format!("no such key: {name}")))
        }
        other if authorization::type_name(other).is_some() => {
            Err(Failure::wrong(format!("no such key: {name}")))
        }
        other => {
            let inner = as_optional(other).ok_or_else(Failure::overload)?;
            Ok(optional(inner.value().and_then(|inner| member(inner, name).ok())))
        }
    }
}

/// An item of a list, or the value of a key.
pub(super) fn indexed(of: &Value, index: &Value) -> Outcome {
    match of {
        Value::List(items) => {
            let at = match index {
                Value::Int(at) => usize::try_from(*at).ok(),
                Value::UInt(at) => usize::try_from(*at).ok(),
                _ => return Err(Failure::overload()),
            };
            let found = at.and_then(|at| items.get(at)).cloned();
            found.ok_or_else(|| Failure::wrong(format!("index out of bounds: {}", shown(index))))
        }
        Value::Map(map) => {
            let found = lookup(map, index)?.cloned();
            found.ok_or_else(|| Failure::wrong(format!("no such key: {}", shown(index))))
        }
        other => {
            let inner = as_optional(other).ok_or_else(Failure::overload)?;
            Ok(optional(inner.value().and_then(|inner| indexed(inner, index).ok())))
        }
    }
}

/// The value of a key; numbers are the same whatever their type.
fn lookup<'m>(map: &'m Map, index: &Value) -> Result<Option<&'m Value>, Failure> {
    Ok(map.get(&key(index)?))
}

/// A key or an index in a message.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::UInt(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => "?".to_owned(),
    }
}

/// `a.?b`: an optional of the member.
pub(super) fn chained(of: &Value, name: &str) -> Outcome {
    match of {
        Value::Map(_) => Ok(optional(member(of, name).ok())),
        other => member(other, name),
    }
}

impl Interpreter {
    /// Begins to walk a list or a map.
    pub(super) fn pairs(&self, of: &Value) -> Result<Pairs, Failure> {
        match of {
            Value::List(items) => Ok(Pairs::List(Arc::clone(items), 0)),
            Value::Map(map) => {
                self.charge(cost::walk(map.map.len()))?;
                let entries = in_order(map).into_iter();
                let entries: Vec<_> =
                    entries.map(|(key, value)| (keyed(key), value.clone())).collect();
                Ok(Pairs::Map(entries.into_iter()))
            }
            _ => Err(Failure::overload()),
        }
    }

    /// Whether two values are equal; values of different types are not.
    pub(super) fn equal(&self, a: &Value, b: &Value) -> Result<bool, Failure> {
        if !matches!(a, Value::String(_) | Value::List(_) | Value::Map(_)) {
            self.charge(cost::CALL)?;
        }
        if authorization::type_name(a).is_some() {
            return Err(Failure::overload());
        }
        self.same(a, b)
    }

    fn same(&self, a: &Value, b: &Value) -> Result<bool, Failure> {
        if let Some(order) = numbers(a, b) {
            return Ok(order == Some(Ordering::Equal));
        }
        match (a, b) {
            (Value::List(a), Value::List(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                self.charge(cost::walk(a.len()))?;
                for (a, b) in a.iter().zip(b.iter()) {
                    if !self.same(a, b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Map(a), Value::Map(b)) => {
                if a.map.len() != b.map.len() {
                    return Ok(false);
                }
                self.charge(cost::walk(a.map.len()))?;
                for (key, a) in in_order(a) {
                    match b.get(key) {
                        Some(b) if self.same(a, b)? => {}
                        _ => return Ok(false),
                    }
                }
                Ok(true)
            }
            (Value::String(a), Value::String(b)) => {
                self.charge(cost::walk(a.len().min(b.len())))?;
                Ok(a == b)
            }
            _ => match (as_optional(a), as_optional(b)) {
                (Some(a), Some(b)) => match (a.value(), b.value()) {
                    (Some(a), Some(b)) => self.same(a, b),
                    (a, b) => Ok(a.is_none() && b.is_none()),
                },
                // What cannot be told of an item does not make its list another one.
                _ => Ok(authorization::type_name(a).is_some() || a == b),
            },
        }
    }

    /// Whether a list or a map has a value.
    pub(super) fn contains(&self, item: &Value, of: &Value) -> Outcome {
        match of {
            Value::List(items) => {
                self.charge(items.len() as u64)?;
                if authorization::type_name(item).is_some() {
                    return Ok(Value::Bool(false));
                }
                for other in items.iter() {
                    if self.same(item, other)? {
                        return Ok(Value::Bool(true));
                    }
                }
                Ok(Value::Bool(false))
            }
            Value::Map(map) => {
                self.charge(cost::CALL + cost::glance(item))?;
                Ok(Value::Bool(lookup(map, item)?.is_some()))
            }
            _ => Err(Failure::overload()),
        }
    }

    /// The order of two values, if they have one: numbers of any types, texts, bytes, moments, spans.
    pub(super) fn order(&self, a: &Value, b: &Value) -> Result<Option<Ordering>, Failure> {
        self.charge(cost::walk(cost::compared(a).min(cost::compared(b))).max(cost::CALL))?;
        if let Some(order) = numbers(a, b) {
            return Ok(order);
        }
        match (a, b) {
            (Value::String(a), Value::String(b)) => Ok(Some(a.cmp(b))),
            (Value::Bytes(a), Value::Bytes(b)) => Ok(Some(a.cmp(b))),
            (Value::Bool(a), Value::Bool(b)) => Ok(Some(a.cmp(b))),
            (Value::Timestamp(a), Value::Timestamp(b)) => Ok(Some(a.cmp(b))),
            (Value::Duration(a), Value::Duration(b)) => Ok(Some(a.cmp(b))),
            _ => Err(Failure::overload()),
        }
    }

    /// `+`, whose values may be large.
    pub(super) fn sum(&self, a: Value, b: Value) -> Outcome {
        match (a, b) {
            (Value::List(mut a), Value::List(b)) => {
                self.charge(cost::walk(b.len()).max(cost::CALL))?;
                if Arc::get_mut(&mut a).is_none() {
                    self.charge(cost::walk(a.len()))?;
                }
                Arc::make_mut(&mut a).extend(b.iter().cloned());
                Ok(Value::List(a))
            }
            (Value::String(a), Value::String(b)) => {
                self.charge(cost::walk(a.len() + b.len()))?;
                Ok(Value::String(Arc::new(format!("{a}{b}"))))
            }
            (Value::Bytes(a), Value::Bytes(b)) => {
                self.charge(cost::walk(a.len() + b.len()))?;
                Ok(Value::Bytes(Arc::new([a.as_slice(), b.as_slice()].concat())))
            }
            (a, b) => self.arithmetic("_+_", a, b),
        }
    }

    /// Operators between two numbers, moments or spans.
    pub(super) fn arithmetic(&self, name: &str, a: Value, b: Value) -> Outcome {
        self.charge(cost::CALL)?;
        match (&a, &b) {
            (Value::Int(x), Value::Int(y)) => whole(name, *x, *y).map(Value::Int),
            (Value::UInt(x), Value::UInt(y)) => natural(name, *x, *y).map(Value::UInt),
            (Value::Float(x), Value::Float(y)) => Ok(Value::Float(match name {
                "_+_" => x + y,
                "_-_" => x - y,
                "_*_" => x * y,
                "_/_" => x / y,
                _ => return Err(Failure::overload()),
            })),
            (
                Value::Timestamp(_) | Value::Duration(_),
                Value::Timestamp(_) | Value::Duration(_),
            ) => self.delegate(name, None, &[a, b]),
            _ => Err(Failure::overload()),
        }
    }
}

/// The order of two numbers of any types; none for other values.
fn numbers(a: &Value, b: &Value) -> Option<Option<Ordering>> {
    #[expect(clippy::cast_precision_loss, reason = "what upstream compares as floats, too")]
    let float = |value: &Value| match value {
        Value::Int(number) => Some(*number as f64),
        Value::UInt(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        _ => None,
    };
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::UInt(a), Value::UInt(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::UInt(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        (Value::UInt(a), Value::Int(b)) => Some(i128::from(*a).cmp(&i128::from(*b))),
        _ => float(a)?.partial_cmp(&float(b)?),
    })
}

fn whole(name: &str, a: i64, b: i64) -> Result<i64, Failure> {
    let made = match name {
        "_+_" => a.checked_add(b),
        "_-_" => a.checked_sub(b),
        "_*_" => a.checked_mul(b),
        "_/_" if b == 0 => return Err(Failure::wrong("division by zero")),
        "_/_" => a.checked_div(b),
        "_%_" if b == 0 => return Err(Failure::wrong("modulus by zero")),
        "_%_" => a.checked_rem(b),
        _ => return Err(Failure::overload()),
    };
    made.ok_or_else(|| Failure::wrong("integer overflow"))
}

fn natural(name: &str, a: u64, b: u64) -> Result<u64, Failure> {
    let made = match name {
        "_+_" => a.checked_add(b),
        "_-_" => a.checked_sub(b),
        "_*_" => a.checked_mul(b),
        "_/_" if b == 0 => return Err(Failure::wrong("division by zero")),
        "_/_" => a.checked_div(b),
        "_%_" if b == 0 => return Err(Failure::wrong("modulus by zero")),
        "_%_" => a.checked_rem(b),
        _ => return Err(Failure::overload()),
    };
    made.ok_or_else(|| Failure::wrong("unsigned integer overflow"))
}
