//! Single expressions in CEL, such as the conditions of webhooks and the validations of policies.
//!
//! ```
//! use serde_json::json;
//! use watchkeeper_schema::expression::{Expression, Variables};
//!
//! let expression = Expression::compile("object.spec.replicas <= 5").expect("it can be read");
//! let mut variables = Variables::new();
//! variables.set("object", &json!({ "spec": { "replicas": 7 } }));
//! assert_eq!(expression.evaluate(&variables), Ok(json!(false)));
//! ```
//!
//! An expression that is compiled may have types that do not fit, which shows when it runs; whether they
//! do can be asked of an [`Environment`] before. What it costs is counted while it runs, and one that
//! costs too much ends (upstream: a million for each, ten million for all that are asked about the same
//! variables).

mod check;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use kube_cel::cel::common::ast::{EntryExpr, Expr, LiteralValue, MapEntryExpr, MapExpr};
use kube_cel::cel::objects::{Key, Map};
use kube_cel::cel::{IdedExpr, Value as Cel};
use serde_json::Value;

pub use check::{Checked, Environment, With};

pub use crate::interpreter::authorization::{Authorizer, Check, Decision, Target};
use crate::interpreter::{Failure, Interpreter, MOST_PER_CALL, as_optional, parse};

/// What all expressions about the same variables may cost, unless they are allowed something else (upstream:
/// `RuntimeCELCostBudget`).
pub const BUDGET: u64 = 10_000_000;
/// What is said when they cost more together.
const SPENT: &str = "validation failed due to running out of cost budget, no further validation rules \
                     will be run";
/// How large a result is, at most, in values and bytes of texts: a list whose items are the same list
/// is small until it is written out.
const LARGEST_RESULT: usize = 16 << 20;
/// How deep a result is nested, at most: variables hold each other's.
const DEEPEST_RESULT: usize = 256;

/// An expression that can be asked.
pub struct Expression {
    text: String,
    expression: IdedExpr,
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.text).finish()
    }
}

/// What expressions may name, and what they have cost so far.
pub struct Variables {
    interpreter: Interpreter,
    given: BTreeMap<String, Cel>,
    /// None once they cost more.
    budget: Cell<Option<u64>>,
}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.given.keys().collect();
        f.debug_struct("Variables").field("names", &names).finish_non_exhaustive()
    }
}

impl Default for Variables {
    fn default() -> Self {
        Self::new()
    }
}

impl Variables {
    /// No variables, and the functions that servers know.
    #[must_use]
    pub fn new() -> Self {
        let budget = Cell::new(Some(BUDGET));
        Self { interpreter: Interpreter::new(), given: BTreeMap::new(), budget }
    }

    /// Lets a name stand for a value.
    pub fn set(&mut self, name: &str, value: &Value) {
        self.given.insert(name.to_owned(), seen(value));
    }

    /// Lets a member of a name stand for what an expression gives, which need not be JSON. A name that
    /// stood for something else has no other members afterwards.
    ///
    /// # Errors
    ///
    /// As [`Expression::evaluate`]. The name has no such member then.
    pub fn declare(
        &mut self,
        (name, member): (&str, &str),
        expression: &Expression,
        authorizer: Option<&dyn Authorizer>,
    ) -> Result<(), String> {
        let made = expression.made(self, authorizer)?;
        let mut members = match self.given.remove(name) {
            Some(Cel::Map(members)) => members,
            _ => Map { map: Arc::default() },
        };
        Arc::make_mut(&mut members.map).insert(Key::String(Arc::new(member.to_owned())), made);
        self.given.insert(name.to_owned(), Cel::Map(members));
        Ok(())
    }

    /// Lets all that is evaluated from now on cost so much, whatever it was before.
    pub fn allow(&mut self, budget: u64) {
        self.budget.set(Some(budget));
    }

    /// Whether what was evaluated cost more than was allowed; no more is evaluated then.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.budget.get().is_none()
    }
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// What cannot be read, and where.
    pub fn compile(text: &str) -> Result<Self, String> {
        let mut expression = parse::parse(text)?;
        unname(&mut expression);
        Ok(Self { text: text.to_owned(), expression })
    }

    /// The expression as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the expression names a variable.
    #[must_use]
    pub fn names(&self, variable: &str) -> bool {
        self.expression.references().has_variable(variable)
    }

    /// What the expression gives, as JSON.
    ///
    /// # Errors
    ///
    /// Why it does not run: an absent member, a value of another type, a cost past all bounds.
    pub fn evaluate(&self, variables: &Variables) -> Result<Value, String> {
        self.evaluate_with(variables, None)
    }

    /// As [`evaluate`](Self::evaluate), of an expression that may ask who may do what.
    ///
    /// # Errors
    ///
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_with(
        &self,
        variables: &Variables,
        authorizer: Option<&dyn Authorizer>,
    ) -> Result<Value, String> {
        json(&self.made(variables, authorizer)?)
    }

    /// What the expression gives, which is not too large to be written out.
    fn made(
        &self,
        variables: &Variables,
        authorizer: Option<&dyn Authorizer>,
    ) -> Result<Cel, String> {
        let Some(left) = variables.budget.get() else { return Err(SPENT.to_owned()) };
        let (interpreter, given) = (&variables.interpreter, &variables.given);
        let (made, cost) = interpreter.run_with(&self.expression, given, authorizer, MOST_PER_CALL);
        variables.budget.set(left.checked_sub(cost));
        if variables.is_spent() {
            return Err(SPENT.to_owned());
        }
        let made = made.map_err(|why| why.text())?;
        measure(&made, &mut LARGEST_RESULT.clone(), 0)?;
        Ok(made)
    }
}

/// JSON as expressions see it: without a schema, so names are as they are.
fn seen(value: &Value) -> Cel {
    match value {
        Value::Null => Cel::Null,
        Value::Bool(flag) => Cel::Bool(*flag),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Cel::Int(whole),
            None => Cel::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(text) => Cel::String(Arc::new(text.clone())),
        Value::Array(items) => Cel::List(Arc::new(items.iter().map(seen).collect())),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| {
                (Key::String(Arc::new(name.clone())), seen(value))
            };
            Cel::Map(Map { map: Arc::new(members.iter().map(member).collect()) })
        }
    }
}

/// Refuses what is too large, or nested too deep.
fn measure(value: &Cel, room: &mut usize, level: usize) -> Result<(), String> {
    if level > DEEPEST_RESULT {
        return Err("the result is nested too deep".to_owned());
    }
    let mut take = |size: usize| -> Result<(), String> {
        *room = room.checked_sub(size).ok_or_else(|| Failure::Cost.text())?;
        Ok(())
    };
    match value {
        Cel::String(text) => take(text.len()),
        Cel::List(items) => {
            take(1)?;
            items.iter().try_for_each(|item| measure(item, room, level + 1))
        }
        Cel::Map(map) => {
            take(1)?;
            map.map.iter().try_for_each(|(key, value)| {
                let name = if let Key::String(name) = key { name.len() } else { 1 };
                *room = room.checked_sub(name).ok_or_else(|| Failure::Cost.text())?;
                measure(value, room, level + 1)
            })
        }
        other => {
            take(1)?;
            let inner = as_optional(other).and_then(|inner| inner.value());
            inner.map_or(Ok(()), |inner| measure(inner, room, level + 1))
        }
    }
}

/// What was [measured](measure), as JSON.
fn json(value: &Cel) -> Result<Value, String> {
    Ok(match value {
        Cel::Null => Value::Null,
        Cel::Bool(flag) => (*flag).into(),
        Cel::Int(number) => (*number).into(),
        Cel::UInt(number) => (*number).into(),
        Cel::Float(number) => (*number).into(),
        Cel::String(text) => text.as_str().into(),
        Cel::List(items) => Value::Array(items.iter().map(json).collect::<Result<_, _>>()?),
        Cel::Map(map) => {
            let member = |(key, value): (&Key, &Cel)| match key {
                Key::String(name) => Ok((name.to_string(), json(value)?)),
                other => Err(format!("a key of an object is a text, not {other}")),
            };
            Value::Object(map.map.iter().map(member).collect::<Result<_, String>>()?)
        }
        other => return Err(format!("a {:?} is no JSON", other.type_of())),
    })
}

/// Objects with the name of a type, as `Object.spec{replicas: 1}`, are objects without one: nothing
/// here knows types.
fn unname(expression: &mut IdedExpr) {
    each(expression, &mut unname);
    let Expr::Struct(of) = &mut expression.expr else { return };
    for entry in &mut of.entries {
        if let EntryExpr::StructField(field) = &mut entry.expr {
            let name = LiteralValue::String(field.field.clone().into());
            let key = IdedExpr { id: entry.id, expr: Expr::Literal(name) };
            let (value, optional) = (std::mem::take(&mut field.value), field.optional);
            entry.expr = EntryExpr::MapEntry(MapEntryExpr { key, value, optional });
        }
    }
    let entries = std::mem::take(&mut of.entries);
    expression.expr = Expr::Map(MapExpr { entries });
}

/// Does something with each part of an expression that may be changed; otherwise as [`parse::parts`].
fn each(expression: &mut IdedExpr, work: &mut impl FnMut(&mut IdedExpr)) {
    let entries = match &mut expression.expr {
        Expr::Call(call) => {
            if let Some(target) = &mut call.target {
                work(target);
            }
            return call.args.iter_mut().for_each(work);
        }
        Expr::Comprehension(each) => {
            let each = &mut **each;
            work(&mut each.iter_range);
            work(&mut each.accu_init);
            work(&mut each.loop_cond);
            work(&mut each.loop_step);
            return work(&mut each.result);
        }
        Expr::List(list) => return list.elements.iter_mut().for_each(work),
        Expr::Select(select) => return work(&mut select.operand),
        Expr::Map(map) => &mut map.entries,
        Expr::Struct(of) => &mut of.entries,
        Expr::Ident(_) | Expr::Literal(_) | Expr::Unspecified => return,
    };
    for entry in entries {
        match &mut entry.expr {
            EntryExpr::StructField(field) => work(&mut field.value),
            EntryExpr::MapEntry(entry) => {
                work(&mut entry.key);
                work(&mut entry.value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Expression, Variables};

    fn ask(text: &str) -> Result<serde_json::Value, String> {
        let mut variables = Variables::new();
        variables.set("object", &json!({"metadata": {"labels": {"a": "b"}}, "many": [1, 2, 3]}));
        Expression::compile(text)?.evaluate(&variables)
    }

    #[test]
    fn expressions_see_objects_as_json() {
        assert_eq!(ask("object.metadata.labels['a'] == 'b'"), Ok(json!(true)));
        assert_eq!(ask("object.many.map(one, one * 2)"), Ok(json!([2, 4, 6])));
        assert_eq!(ask("'x' in object.metadata.labels"), Ok(json!(false)));
    }

    #[test]
    fn objects_with_the_name_of_a_type_are_objects() {
        let made = json!({"spec": {"list": [{"name": "a"}], "x": 1}});
        let text = "Object{spec: Object.spec{x: 1, list: [Object.spec.list{name: 'a'}]}}";
        assert_eq!(ask(text), Ok(made));
        let list = "[1, 2].map(one, JSONPatch{op: 'add', value: one})";
        let made = json!([{"op": "add", "value": 1}, {"op": "add", "value": 2}]);
        assert_eq!(ask(list), Ok(made));
    }

    #[test]
    fn what_is_not_there_is_told() {
        assert_eq!(ask("object.spec.a == 1"), Err("no such key: spec".to_owned()));
        assert!(ask("object.many[").is_err());
    }

    #[test]
    fn loops_within_loops_over_much_are_refused() {
        let nested = |depth: u32| {
            let (mut text, mut name) = ("true".to_owned(), 0);
            for _ in 0..depth {
                text = format!("many.all(x{name}, {text})");
                name += 1;
            }
            let mut variables = Variables::new();
            variables.set("many", &vec![1; 2_100].into());
            Expression::compile(&text).expect("readable").evaluate(&variables)
        };
        assert_eq!(nested(1), Ok(json!(true)));
        let refused = "operation cancelled: actual cost limit exceeded".to_owned();
        assert_eq!(nested(2), Err(refused));
    }

    #[test]
    fn what_an_expression_makes_itself_is_bounded() {
        let refused = Err("operation cancelled: actual cost limit exceeded".to_owned());
        assert_eq!(ask("lists.range(3)"), Ok(json!([0, 1, 2])));
        assert_eq!(ask("lists.range(100000000000).size() == 1"), refused);
        let list = format!("[{}]", vec!["1"; 200].join(", "));
        let thrice = format!("{list}.all(a, {list}.all(b, {list}.all(c, true)))");
        assert_eq!(ask(&thrice), refused);
        let mut variables = Variables::new();
        variables.set("text", &"a".repeat(10_000).into());
        let ask = |text: &str| Expression::compile(text)?.evaluate(&variables);
        let twice = |by: &str| format!("text.split({by}).all(a, text.split({by}).all(b, true))");
        assert_eq!(ask(&twice("''")), refused);
        assert_eq!(ask(&twice("'/'")), Ok(json!(true)));
        // Small as long as the lists are shared.
        let doubled = (0..5).fold("[text, text]".to_owned(), |inner, _| {
            format!("[{inner}].map(x, [x, x, x, x])[0]")
        });
        assert_eq!(ask(&doubled), refused);
    }
}
