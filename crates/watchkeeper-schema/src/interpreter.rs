//! Runs expressions in CEL, and counts what that costs while it does.
//!
//! The parser and most functions are those of `kube-cel`. Running is done here because a server must be
//! able to stop: each step has the cost that upstream gives it (cel-go, `interpreter/runtimecost.go`;
//! apiserver, `pkg/cel/library/cost.go`), and what makes or walks large values costs as much as it is large,
//! before it is done.
//!
//! Maps are walked in the order of their keys, so the same rule says the same each time.

pub(crate) mod authorization;
pub(crate) mod cost;
mod functions;
pub(crate) mod macros;
mod operators;
pub(crate) mod parse;
mod texts;

#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use kube_cel::KubeCelExt as _;
use kube_cel::cel::common::ast::{
    ComprehensionExpr, EntryExpr, Expr, ListExpr, LiteralValue, MapExpr, SelectExpr,
};
use kube_cel::cel::objects::{Key, Map, OptionalValue};
use kube_cel::cel::{Context, IdedExpr, Value};

use authorization::{AUTHORIZER, Authorizer, REQUEST_RESOURCE};
pub(crate) use functions::as_optional;

/// What one call may cost (upstream: `PerCallLimit`).
pub(crate) const MOST_PER_CALL: u64 = 1_000_000;

/// Why an expression gives no value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    /// It costs more than it may. Nothing forgives that.
    Cost,
    /// It does not run, in the words of upstream as far as they are known.
    Wrong(String),
}

impl Failure {
    pub(crate) fn wrong(why: impl Into<String>) -> Self {
        Self::Wrong(why.into())
    }

    /// A value of a type that nothing is declared for.
    pub(crate) fn overload() -> Self {
        Self::wrong("no such overload")
    }

    /// What is said of it.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Cost => "operation cancelled: actual cost limit exceeded".to_owned(),
            Self::Wrong(why) => why.clone(),
        }
    }
}

pub(crate) type Outcome = Result<Value, Failure>;

/// The functions that servers know, and what running took so far.
pub(crate) struct Interpreter {
    functions: Context<'static>,
    texts: texts::Patterns,
    left: Cell<u64>,
}

/// What names stand for, from the innermost loop outwards.
struct Scope<'s> {
    name: &'s str,
    value: RefCell<Outcome>,
    outer: Option<&'s Self>,
}

/// The variables that an expression is given.
pub(crate) type Variables = BTreeMap<String, Value>;

/// What running an expression needs to know of where it is.
#[derive(Clone, Copy)]
struct Frame<'s> {
    given: &'s Variables,
    /// Who answers for `authorizer`; without one there is no such name.
    authorizer: Option<&'s dyn Authorizer>,
    scope: Option<&'s Scope<'s>>,
}

impl<'s> Frame<'s> {
    fn inside(self, scope: &'s Scope<'s>) -> Self {
        Self { scope: Some(scope), ..self }
    }

    fn scopes(self) -> impl Iterator<Item = &'s Scope<'s>> {
        std::iter::successors(self.scope, |scope| scope.outer)
    }

    fn knows(self, name: &str) -> bool {
        self.scopes().any(|scope| scope.name == name) || self.given.contains_key(name)
    }
}

impl Interpreter {
    pub(crate) fn new() -> Self {
        let functions = Context::default().with_all();
        Self { functions, texts: texts::Patterns::default(), left: Cell::new(0) }
    }

    /// Runs an expression for at most `limit`, and says what it cost.
    pub(crate) fn run(
        &self,
        expression: &IdedExpr,
        given: &Variables,
        limit: u64,
    ) -> (Outcome, u64) {
        self.run_with(expression, given, None, limit)
    }

    /// As [`run`](Self::run), of an expression that may ask who may do what.
    pub(crate) fn run_with(
        &self,
        expression: &IdedExpr,
        given: &Variables,
        authorizer: Option<&dyn Authorizer>,
        limit: u64,
    ) -> (Outcome, u64) {
        self.left.set(limit);
        let outcome = self.eval(expression, Frame { given, authorizer, scope: None });
        (outcome, limit - self.left.get())
    }

    /// Takes a cost from what is left.
    fn charge(&self, cost: u64) -> Result<(), Failure> {
        let left = self.left.get().checked_sub(cost);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(Failure::Cost)
    }

    fn eval(&self, expression: &IdedExpr, frame: Frame<'_>) -> Outcome {
        match &expression.expr {
            Expr::Literal(literal) => Ok(literal_value(literal)),
            Expr::Ident(name) => {
                self.charge(cost::SELECT)?;
                self.variable(name, frame)
            }
            Expr::Select(select) => self.select(select, frame),
            Expr::Call(call) => self.call(call, frame),
            Expr::List(list) => self.list(list, frame),
            Expr::Map(map) => self.map(map, frame),
            Expr::Comprehension(of) => self.comprehension(of, frame),
            Expr::Struct(of) => {
                Err(Failure::wrong(format!("undeclared reference to '{}'", of.type_name)))
            }
            Expr::Unspecified => Err(Failure::wrong("an expression is missing")),
        }
    }

    fn variable(&self, name: &str, frame: Frame<'_>) -> Outcome {
        if let Some(scope) = frame.scopes().find(|scope| scope.name == name) {
            return scope.value.borrow().clone();
        }
        if let Some(value) = frame.given.get(name) {
            return Ok(value.clone());
        }
        if name == AUTHORIZER {
            return frame.authorizer_value();
        }
        let named = functions::type_named(name);
        named.ok_or_else(|| Failure::wrong(format!("undeclared reference to '{name}'")))
    }

    fn select(&self, select: &SelectExpr, frame: Frame<'_>) -> Outcome {
        if select.field == REQUEST_RESOURCE
            && matches!(&select.operand.expr, Expr::Ident(name) if name == AUTHORIZER)
            && !frame.knows(AUTHORIZER)
        {
            return self.charge(cost::SELECT).and_then(|()| frame.request_resource());
        }
        let of = self.eval(&select.operand, frame)?;
        self.charge(cost::SELECT)?;
        let member = operators::member(&of, &select.field);
        if select.test {
            return Ok(Value::Bool(match member {
                Ok(found) => as_optional(&found).is_none_or(|inner| inner.value().is_some()),
                Err(Failure::Wrong(why)) if why.starts_with("no such key") => false,
                Err(other) => return Err(other),
            }));
        }
        member
    }

    fn list(&self, list: &ListExpr, frame: Frame<'_>) -> Outcome {
        self.charge(cost::NEW_LIST)?;
        let mut made = Vec::with_capacity(list.elements.len());
        for (index, element) in list.elements.iter().enumerate() {
            let value = self.eval(element, frame)?;
            if list.optional_indices.contains(&index) {
                made.extend(as_optional(&value).ok_or_else(Failure::overload)?.value().cloned());
            } else {
                made.push(value);
            }
        }
        Ok(Value::List(Arc::new(made)))
    }

    fn map(&self, map: &MapExpr, frame: Frame<'_>) -> Outcome {
        self.charge(cost::NEW_MAP)?;
        let mut made = HashMap::with_capacity(map.entries.len());
        for entry in &map.entries {
            let EntryExpr::MapEntry(entry) = &entry.expr else { return Err(Failure::overload()) };
            let key = operators::key(&self.eval(&entry.key, frame)?)?;
            let value = self.eval(&entry.value, frame)?;
            let value = match (entry.optional, as_optional(&value)) {
                (false, _) => Some(value),
                (true, Some(inner)) => inner.value().cloned(),
                (true, None) => return Err(Failure::overload()),
            };
            if let Some(value) = value {
                made.insert(key, value);
            }
        }
        Ok(Value::Map(Map { map: Arc::new(made) }))
    }

    /// `all`, `exists`, `exists_one`, `map`, `filter`, as the parser spells them out. What the loop
    /// gathers may be an error that a later step forgives, as `false && error`.
    fn comprehension(&self, of: &ComprehensionExpr, frame: Frame<'_>) -> Outcome {
        let range = self.eval(&of.iter_range, frame)?;
        // A loop of one variable sees the items of a list and the keys of a map.
        let of_map = matches!(range, Value::Map(_));
        let begun = self.eval(&of.accu_init, frame);
        let gathered = Scope { name: &of.accu_var, value: RefCell::new(begun), outer: frame.scope };
        for (first, second) in self.pairs(&range)? {
            // Each round costs something, however little its step does.
            self.charge(cost::ROUND)?;
            let inside = frame.inside(&gathered);
            if !operators::truth(&self.eval(&of.loop_cond, inside)?)? {
                break;
            }
            let item = if of_map { first } else { second };
            let item =
                Scope { name: &of.iter_var, value: RefCell::new(Ok(item)), outer: Some(&gathered) };
            let step = self.eval(&of.loop_step, frame.inside(&item));
            if step == Err(Failure::Cost) {
                return step;
            }
            *gathered.value.borrow_mut() = step;
        }
        self.eval(&of.result, frame.inside(&gathered))
    }
}

fn literal_value(literal: &LiteralValue) -> Value {
    match literal {
        LiteralValue::Boolean(flag) => Value::Bool(*flag.inner()),
        LiteralValue::Bytes(bytes) => Value::Bytes(Arc::new(bytes.inner().to_vec())),
        LiteralValue::Double(number) => Value::Float(*number.inner()),
        LiteralValue::Int(number) => Value::Int(*number.inner()),
        LiteralValue::Null => Value::Null,
        LiteralValue::String(text) => Value::String(Arc::new(text.inner().to_owned())),
        LiteralValue::UInt(number) => Value::UInt(*number.inner()),
    }
}

/// An optional of a value, or of none.
pub(crate) fn optional(value: Option<Value>) -> Value {
    Value::Opaque(Arc::new(value.map_or_else(OptionalValue::none, OptionalValue::of)))
}

/// A key as it is sorted by.
fn in_order(map: &Map) -> Vec<(&Key, &Value)> {
    let mut entries: Vec<(&Key, &Value)> = map.map.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    entries
}
