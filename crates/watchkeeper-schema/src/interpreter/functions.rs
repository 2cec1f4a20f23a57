//! Calls: operators, what is done here, and everything else, which `kube-cel` does.

use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use kube_cel::cel::common::ast::{CallExpr, Expr};
use kube_cel::cel::objects::{Opaque, OptionalValue};
use kube_cel::cel::{ExecutionError, IdedExpr, Value};

use super::{Failure, Frame, Interpreter, Outcome, authorization, cost, operators, optional};
use crate::error::quote;

/// What names of functions begin with.
const SPACES: [&str; 8] =
    ["base64", "cel", "format", "ip", "jsonpatch", "math", "optional", "sets"];

/// A type, which is a value: `type(self) == string`.
#[derive(Debug, PartialEq, Eq)]
struct Named(&'static str);

impl Opaque for Named {
    fn runtime_type_name(&self) -> &str {
        "type"
    }
}

/// The value that a name of a type is.
pub(super) fn type_named(name: &str) -> Option<Value> {
    const NAMES: [&str; 11] = [
        "bool",
        "bytes",
        "double",
        "int",
        "list",
        "map",
        "null_type",
        "string",
        "type",
        "uint",
        "optional_type",
    ];
    let name = NAMES.into_iter().find(|known| *known == name)?;
    Some(Value::Opaque(Arc::new(Named(name))))
}

fn type_of(value: &Value) -> Value {
    let name = match value {
        Value::Bool(_) => "bool",
        Value::Bytes(_) => "bytes",
        Value::Float(_) => "double",
        Value::Int(_) => "int",
        Value::List(_) => "list",
        Value::Map(_) => "map",
        Value::Null => "null_type",
        Value::String(_) => "string",
        Value::UInt(_) => "uint",
        Value::Timestamp(_) => "google.protobuf.Timestamp",
        Value::Duration(_) => "google.protobuf.Duration",
        other if as_optional(other).is_some() => "optional_type",
        other => authorization::type_name(other).unwrap_or("type"),
    };
    Value::Opaque(Arc::new(Named(name)))
}

/// The optional that a value is.
pub(crate) fn as_optional(value: &Value) -> Option<&OptionalValue> {
    if let Value::Opaque(opaque) = value { opaque.downcast_ref() } else { None }
}

impl Interpreter {
    pub(super) fn call(&self, call: &CallExpr, frame: Frame<'_>) -> Outcome {
        match (call.func_name.as_str(), call.args.as_slice()) {
            ("_&&_", [a, b]) => self.either(false, [a, b], frame),
            ("_||_", [a, b]) => self.either(true, [a, b], frame),
            ("_?_:_", [condition, then, other]) => {
                let condition = operators::truth(&self.eval(condition, frame)?)?;
                self.eval(if condition { then } else { other }, frame)
            }
            ("@not_strictly_false", [of]) => {
                self.charge(cost::CALL)?;
                match self.eval(of, frame) {
                    Err(Failure::Cost) => Err(Failure::Cost),
                    value => Ok(Value::Bool(value != Ok(Value::Bool(false)))),
                }
            }
            ("_+_", [a, b]) => {
                let a = self.taken(a, frame)?;
                let b = self.eval(b, frame)?;
                self.sum(a, b)
            }
            _ => match self.lazy(call, frame) {
                Some(outcome) => outcome,
                None => self.eager(call, frame),
            },
        }
    }

    /// What a loop gathers is taken from it, so that a list grows in place instead of being copied
    /// for each item. No expression can name it otherwise.
    fn taken(&self, of: &IdedExpr, frame: Frame<'_>) -> Outcome {
        match &of.expr {
            Expr::Ident(name) if name.starts_with('@') => {
                self.charge(cost::SELECT)?;
                let gathered = frame.scopes().find(|scope| scope.name == name);
                gathered.map_or(Err(Failure::overload()), |scope| {
                    scope.value.replace(Err(Failure::overload()))
                })
            }
            _ => self.eval(of, frame),
        }
    }

    /// `||` where `decides` is true, `&&` where it is false: an error of one side does not matter if
    /// the other one decides.
    fn either(&self, decides: bool, sides: [&IdedExpr; 2], frame: Frame<'_>) -> Outcome {
        let mut failed = None;
        for side in sides {
            match self.eval(side, frame) {
                Ok(Value::Bool(value)) if value == decides => return Ok(Value::Bool(decides)),
                Ok(Value::Bool(_)) => {}
                Err(Failure::Cost) => return Err(Failure::Cost),
                Err(why) => failed = failed.or(Some(why)),
                Ok(_) => failed = failed.or_else(|| Some(Failure::overload())),
            }
        }
        failed.map_or(Ok(Value::Bool(!decides)), Err)
    }

    /// A call of which all values are told first.
    fn eager(&self, call: &CallExpr, frame: Frame<'_>) -> Outcome {
        let space = space_of(call, frame);
        let target = call.target.as_deref().filter(|_| space.is_none());
        let mut values = Vec::with_capacity(call.args.len() + 1);
        for of in target.into_iter().chain(&call.args) {
            values.push(self.eval(of, frame)?);
        }
        let name = match space {
            Some(space) => format!("{space}.{}", call.func_name),
            None => call.func_name.clone(),
        };
        let own = || self.own(&name, &values);
        let asking = || self.of_authorization(&name, &values, frame);
        match self.operator(&name, &values).or_else(asking).or_else(own) {
            Some(outcome) => outcome,
            None => self.other(&name, target.is_some(), &values),
        }
    }

    fn operator(&self, name: &str, values: &[Value]) -> Option<Outcome> {
        let compare = |fits: fn(Ordering) -> bool| match values {
            [a, b] => {
                let order = self.order(a, b);
                order.map(|order| Value::Bool(order.is_some_and(fits)))
            }
            _ => Err(Failure::overload()),
        };
        Some(match (name, values) {
            ("_==_", [a, b]) => self.equal(a, b).map(Value::Bool),
            ("_!=_", [a, b]) => self.equal(a, b).map(|equal| Value::Bool(!equal)),
            ("_<_", _) => compare(Ordering::is_lt),
            ("_<=_", _) => compare(Ordering::is_le),
            ("_>_", _) => compare(Ordering::is_gt),
            ("_>=_", _) => compare(Ordering::is_ge),
            ("_-_" | "_*_" | "_/_" | "_%_", [a, b]) => self.arithmetic(name, a.clone(), b.clone()),
            ("@in", [item, of]) => self.contains(item, of),
            ("!_", [of]) => {
                self.charge(cost::CALL).and_then(|()| Ok(Value::Bool(!operators::truth(of)?)))
            }
            ("-_", [of]) => self.charge(cost::CALL).and_then(|()| negated(of)),
            ("_[_]", [of, index]) => {
                let cost = cost::SELECT + cost::glance(index);
                self.charge(cost).and_then(|()| operators::indexed(of, index))
            }
            ("_[?_]", [of, index]) => self.charge(cost::SELECT + cost::glance(index)).map(|()| {
                let found = operators::indexed(of, index).ok();
                match as_optional(of) {
                    Some(_) => found.unwrap_or_else(|| optional(None)),
                    None => optional(found),
                }
            }),
            ("_?._", [of, Value::String(name)]) => {
                self.charge(cost::SELECT).and_then(|()| operators::chained(of, name))
            }
            _ => return None,
        })
    }

    /// What has other words or other costs upstream than in `kube-cel`.
    fn own(&self, name: &str, values: &[Value]) -> Option<Outcome> {
        let cheap = |value: Value| self.charge(cost::CALL).map(|()| value);
        Some(match (name, values) {
            ("size", [Value::String(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_)]) => {
                self.charge(cost::CALL + cost::glance(&values[0])).map(|()| {
                    let size = cost::size(&values[0]);
                    Value::Int(i64::try_from(size).unwrap_or(i64::MAX))
                })
            }
            ("dyn", [of]) => cheap(of.clone()),
            ("type", [of]) => cheap(type_of(of)),
            ("string", [Value::Bool(flag)]) => cheap(flag.to_string().into()),
            ("optional.none", []) => cheap(optional(None)),
            ("optional.of", [of]) => cheap(optional(Some(of.clone()))),
            ("optional.ofNonZeroValue", [of]) => {
                cheap(optional((!of.is_zero()).then(|| of.clone())))
            }
            ("hasValue", [of]) => cheap(Value::Bool(as_optional(of)?.value().is_some())),
            ("value", [of]) => {
                let inner = as_optional(of)?.value().cloned();
                inner.map_or_else(|| Err(Failure::wrong("optional.none() dereference")), cheap)
            }
            ("or", [of, other]) => {
                cheap(if as_optional(of)?.value().is_some() { of } else { other }.clone())
            }
            ("orValue", [of, other]) => cheap(as_optional(of)?.value().unwrap_or(other).clone()),
            ("lists.range", [Value::Int(end)]) => self.numbers(*end),
            ("string", [of]) if authorization::type_name(of).is_some() => {
                let of = authorization::type_name(of).unwrap_or_default();
                Err(Failure::wrong(format!("no such overload: string({of})")))
            }
            _ => return self.of_texts(name, values),
        })
    }

    fn numbers(&self, end: i64) -> Outcome {
        if end < 0 {
            return Err(Failure::wrong("range argument must be non-negative"));
        }
        self.charge(end.unsigned_abs().max(cost::NEW_LIST))?;
        Ok(Value::List(Arc::new((0..end).map(Value::Int).collect())))
    }

    /// Everything else. Its values are copied and walked, and it may compare each with each.
    fn other(&self, name: &str, has_target: bool, values: &[Value]) -> Outcome {
        self.charge(cost::CALL)?;
        values.iter().try_for_each(|value| self.charge_walk(value))?;
        let length =
            |value: &Value| if let Value::List(items) = value { items.len() as u64 } else { 0 };
        match (name, values) {
            ("sets.contains" | "sets.equivalent" | "sets.intersects", [a, b]) => {
                self.charge(length(a).saturating_mul(length(b)))?;
            }
            ("distinct" | "sort", [of]) => {
                self.charge(length(of).saturating_mul(length(of)) / 10)?;
            }
            ("join", [Value::List(items), Value::String(between)]) => {
                self.charge(cost::walk(items.len().saturating_mul(between.len())))?;
            }
            // The crate takes no empty part of bytes, and upstream none of bytes at all.
            ("contains", _) => return Err(Failure::overload()),
            _ => {}
        }
        let (target, args) = match values.split_first() {
            Some((target, args)) if has_target => (Some(target), args),
            _ => (None, values),
        };
        self.delegate(name, target, args)
    }

    /// What a function makes of a text, if it can.
    pub(crate) fn converted(&self, function: &str, text: String) -> Option<Value> {
        self.delegate(function, None, &[Value::String(Arc::new(text))]).ok()
    }

    /// Lets `kube-cel` do it.
    pub(super) fn delegate(&self, name: &str, target: Option<&Value>, args: &[Value]) -> Outcome {
        let mut context = self.functions.new_inner_scope();
        let mut named = |at: usize, value: &Value| {
            let name = format!("@{at}");
            context.add_variable_from_value(name.clone(), value.clone());
            IdedExpr { id: 0, expr: Expr::Ident(name) }
        };
        let unread = if target.is_none() { unread(name, args) } else { None };
        let target = target.map(|target| Box::new(named(args.len(), target)));
        let args = args.iter().enumerate().map(|(at, value)| named(at, value)).collect();
        let call = CallExpr { func_name: name.to_owned(), target, args };
        let call = IdedExpr { id: 0, expr: Expr::Call(call) };
        // The functions are not ours, and their values are anybody's.
        let called = catch_unwind(AssertUnwindSafe(|| Value::resolve(&call, &context)));
        called.map_or_else(
            |_| Err(Failure::wrong(format!("{name}: this value cannot be worked on"))),
            |made| {
                made.map_err(|error| match (&error, unread) {
                    (ExecutionError::FunctionError { .. }, Some(unread)) => Failure::wrong(unread),
                    _ => said(&error),
                })
            },
        )
    }
}

/// What upstream says of a text that a function makes nothing of.
fn unread(name: &str, args: &[Value]) -> Option<String> {
    let [Value::String(text)] = args else { return None };
    let to = match name {
        "int" | "uint" | "double" | "bool" => name,
        "duration" => "google.protobuf.Duration",
        "timestamp" => "google.protobuf.Timestamp",
        "url" => {
            let why = match &***text {
                "" => "empty url",
                text if text.starts_with(':') => "missing protocol scheme",
                _ => "invalid URI for request",
            };
            let text = quote(text);
            return Some(format!(
                "URL parse error during conversion from string: parse {text}: {why}"
            ));
        }
        _ => return None,
    };
    Some(format!("type conversion error from 'string' to '{to}'"))
}

/// What a name of a function begins with, unless that is a variable.
pub(super) fn space_of<'c>(call: &'c CallExpr, frame: Frame<'_>) -> Option<&'c str> {
    match &call.target.as_deref()?.expr {
        Expr::Ident(space) if SPACES.contains(&space.as_str()) && !frame.knows(space) => {
            Some(space)
        }
        Expr::Ident(space) if space == "lists" || space == "strings" => Some(space),
        _ => None,
    }
}

fn negated(of: &Value) -> Outcome {
    match of {
        Value::Int(number) => {
            let made = number.checked_neg().map(Value::Int);
            made.ok_or_else(|| Failure::wrong("integer overflow"))
        }
        Value::Float(number) => Ok(Value::Float(-number)),
        _ => Err(Failure::overload()),
    }
}

/// What upstream's evaluator says, where the crate says it otherwise.
fn said(error: &ExecutionError) -> Failure {
    use ExecutionError as Error;
    Failure::Wrong(match error {
        Error::NoSuchKey(name) => format!("no such key: {name}"),
        Error::UndeclaredReference(name) => format!("undeclared reference to '{name}'"),
        Error::NoSuchOverload
        | Error::UnexpectedType { .. }
        | Error::InvalidArgumentCount { .. }
        | Error::UnsupportedTargetType { .. }
        | Error::NotSupportedAsMethod { .. } => "no such overload".to_owned(),
        other => other.to_string(),
    })
}
