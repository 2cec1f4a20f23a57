//! Calls whose arguments name variables, which the parser leaves as they are written: `cel.bind`,
//! `optMap`, loops of two variables, `sortBy`
//! (cel-go, `ext/bindings.go`, `ext/comprehensions.go`, `ext/lists.go`, `cel/library.go`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use kube_cel::cel::common::ast::{CallExpr, Expr};
use kube_cel::cel::objects::{Key, Map};
use kube_cel::cel::{IdedExpr, Value};

use super::{
    Failure, Frame, Interpreter, Outcome, Scope, as_optional, cost, functions, in_order, operators,
    optional,
};

/// Whether a call names variables of its own, and how many.
pub(crate) fn variables_of(call: &CallExpr) -> usize {
    match (call.func_name.as_str(), call.args.len()) {
        ("bind", 3) | ("optMap" | "optFlatMap" | "sortBy", 2) => 1,
        ("all" | "exists" | "existsOne" | "exists_one", 3)
        | ("transformList" | "transformMap" | "transformMapEntry", 3 | 4) => 2,
        _ => 0,
    }
}

fn name(expression: &IdedExpr) -> Result<&str, Failure> {
    match &expression.expr {
        Expr::Ident(name) => Ok(name),
        _ => Err(Failure::wrong("argument must be a simple name")),
    }
}

impl Interpreter {
    /// None for a call that names no variables.
    pub(super) fn lazy(&self, call: &CallExpr, frame: Frame<'_>) -> Option<Outcome> {
        let target = call.target.as_deref();
        Some(match (call.func_name.as_str(), call.args.as_slice(), variables_of(call)) {
            (_, _, 0) => return None,
            ("bind", [variable, value, body], _) => {
                functions::space_of(call, frame).filter(|space| *space == "cel")?;
                let value = self.eval(value, frame);
                self.with(variable, value, body, frame)
            }
            ("optMap" | "optFlatMap", [variable, body], _) => {
                self.opt_map(target?, variable, body, call.func_name == "optFlatMap", frame)
            }
            ("sortBy", [variable, by], _) => self.sort_by(target?, variable, by, frame),
            (_, [first, second, rest @ ..], 2) => {
                self.walk_pairs(&call.func_name, target?, [first, second], rest, frame)
            }
            _ => return None,
        })
    }

    fn with(
        &self,
        variable: &IdedExpr,
        value: Outcome,
        body: &IdedExpr,
        frame: Frame<'_>,
    ) -> Outcome {
        if value == Err(Failure::Cost) {
            return value;
        }
        let scope = Scope { name: name(variable)?, value: RefCell::new(value), outer: frame.scope };
        self.eval(body, frame.inside(&scope))
    }

    fn opt_map(
        &self,
        of: &IdedExpr,
        variable: &IdedExpr,
        body: &IdedExpr,
        flat: bool,
        frame: Frame<'_>,
    ) -> Outcome {
        self.charge(cost::CALL)?;
        let of = self.eval(of, frame)?;
        let Some(inner) = as_optional(&of).ok_or_else(Failure::overload)?.value().cloned() else {
            return Ok(optional(None));
        };
        let made = self.with(variable, Ok(inner), body, frame)?;
        Ok(if flat { made } else { optional(Some(made)) })
    }

    fn sort_by(
        &self,
        of: &IdedExpr,
        variable: &IdedExpr,
        by: &IdedExpr,
        frame: Frame<'_>,
    ) -> Outcome {
        let Value::List(items) = self.eval(of, frame)? else { return Err(Failure::overload()) };
        let mut keyed = Vec::with_capacity(items.len());
        for item in items.iter() {
            self.charge(cost::ROUND)?;
            keyed.push((self.with(variable, Ok(item.clone()), by, frame)?, item.clone()));
        }
        // Only what has one order can be sorted: values of one type, and no number that is none.
        if let Some((first, _)) = keyed.first() {
            for (key, _) in &keyed {
                let is_alike = std::mem::discriminant(first) == std::mem::discriminant(key);
                if !is_alike || self.order(key, key)?.is_none() {
                    return Err(Failure::overload());
                }
            }
        }
        keyed.sort_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        Ok(Value::List(Arc::new(keyed.into_iter().map(|(_, item)| item).collect())))
    }

    /// Loops over indexes and items, or keys and values.
    fn walk_pairs(
        &self,
        what: &str,
        of: &IdedExpr,
        variables: [&IdedExpr; 2],
        rest: &[IdedExpr],
        frame: Frame<'_>,
    ) -> Outcome {
        let of = self.eval(of, frame)?;
        let (filter, body) = match rest {
            [body] => (None, body),
            [filter, body] => (Some(filter), body),
            _ => return Err(Failure::overload()),
        };
        let names = [name(variables[0])?, name(variables[1])?];
        let mut gathered = Gathered::default();
        for (first, second) in self.pairs(&of)? {
            self.charge(cost::ROUND)?;
            let key = first.clone();
            let outer =
                Scope { name: names[0], value: RefCell::new(Ok(first)), outer: frame.scope };
            let inner =
                Scope { name: names[1], value: RefCell::new(Ok(second)), outer: Some(&outer) };
            let inside = frame.inside(&inner);
            if let Some(filter) = filter
                && !operators::truth(&self.eval(filter, inside)?)?
            {
                continue;
            }
            if gathered.take(what, key, self.eval(body, inside))? {
                break;
            }
        }
        gathered.finish(what)
    }
}

/// What a loop of two variables has seen.
#[derive(Default)]
struct Gathered {
    list: Vec<Value>,
    map: HashMap<Key, Value>,
    true_ones: usize,
    decided: bool,
    failed: Option<Failure>,
}

impl Gathered {
    /// Takes what one round gave, and says whether that decides.
    fn take(&mut self, what: &str, key: Value, made: Outcome) -> Result<bool, Failure> {
        match what {
            "all" | "exists" => {
                let decides = what == "exists";
                match made.and_then(|made| operators::truth(&made)) {
                    Ok(value) => self.decided = value == decides,
                    Err(Failure::Cost) => return Err(Failure::Cost),
                    Err(why) => self.failed = self.failed.take().or(Some(why)),
                }
            }
            "existsOne" | "exists_one" => self.true_ones += usize::from(operators::truth(&made?)?),
            "transformList" => self.list.push(made?),
            "transformMap" => {
                self.map.insert(operators::key(&key)?, made?);
            }
            _ => {
                let Value::Map(entries) = made? else { return Err(Failure::overload()) };
                for (key, value) in in_order(&entries) {
                    if self.map.insert(key.clone(), value.clone()).is_some() {
                        return Err(Failure::wrong(format!(
                            "insert failed: key {key} already exists"
                        )));
                    }
                }
            }
        }
        Ok(self.decided)
    }

    fn finish(self, what: &str) -> Outcome {
        Ok(match what {
            "all" | "exists" if self.decided => Value::Bool(what == "exists"),
            "all" | "exists" => match self.failed {
                Some(why) => return Err(why),
                None => Value::Bool(what == "all"),
            },
            "existsOne" | "exists_one" => Value::Bool(self.true_ones == 1),
            "transformList" => Value::List(Arc::new(self.list)),
            _ => Value::Map(Map { map: Arc::new(self.map) }),
        })
    }
}
