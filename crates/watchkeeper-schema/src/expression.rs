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
//! Types show when an expression runs, not when it is compiled. What its loops cost is estimated before
//! it runs: loops within loops over long lists are refused. Ranges and results are bounded.

use std::fmt;
use std::sync::Arc;

use kube_cel::KubeCelExt as _;
use kube_cel::cel::common::ast::{EntryExpr, Expr, LiteralValue, MapEntryExpr, MapExpr};
use kube_cel::cel::objects::{Key, Map};
use kube_cel::cel::{Context, ExecutionError, IdedExpr, Program, Value as Cel};
use serde_json::Value;

/// How many steps the loops of an expression may take together, at most.
const MOST_STEPS: u64 = 4_000_000;
/// How many numbers `lists.range` gives, at most.
const LONGEST_RANGE: u64 = 2_000;
/// How large a result is, at most, in values and bytes of texts: a list whose items are the same list
/// is small until it is written out.
const LARGEST_RESULT: usize = 16 << 20;
/// What is said of an expression that is past its bounds.
const TOO_COSTLY: &str = "operation cancelled: actual cost limit exceeded";

/// An expression that can be asked.
pub struct Expression {
    text: String,
    expression: IdedExpr,
    /// How many loops stand in one another.
    loops: u32,
    /// How many values the longest list has that it writes out itself, or makes from a range.
    longest: u64,
    /// Whether it takes texts apart into characters, or may.
    splits: bool,
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Expression").field(&self.text).finish()
    }
}

/// What expressions may name.
pub struct Variables {
    context: Context<'static>,
    /// How many values the largest variable holds.
    largest: u64,
    /// How many bytes the longest text has in all of them.
    text: u64,
}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Variables").field("largest", &self.largest).finish_non_exhaustive()
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
        let mut context = Context::default().with_all();
        // In place of one without a bound.
        context.add_function("lists.range", range);
        Self { context, largest: 0, text: 0 }
    }

    /// Lets a name stand for a value.
    pub fn set(&mut self, name: &str, value: &Value) {
        self.largest = self.largest.max(count(value));
        self.text = self.text.max(longest_text(value));
        self.context.add_variable_from_value(name, seen(value));
    }
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// What cannot be read, and where.
    pub fn compile(text: &str) -> Result<Self, String> {
        let program = Program::compile(text).map_err(|error| error.to_string())?;
        let mut expression = program.expression().clone();
        unname(&mut expression);
        let loops = loops(&expression);
        let (mut longest, mut splits) = (0, false);
        look(&mut expression, &mut longest, &mut splits);
        Ok(Self { text: text.to_owned(), expression, loops, longest, splits })
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
        let text = if self.splits { variables.text } else { 0 };
        let largest = variables.largest.max(self.longest).max(text).max(1);
        let steps = largest.checked_pow(self.loops);
        if steps.is_none_or(|steps| steps > MOST_STEPS) {
            return Err(TOO_COSTLY.to_owned());
        }
        let made = Cel::resolve(&self.expression, &variables.context);
        let made = made.map_err(|error| said(&error))?;
        json(&made, &mut LARGEST_RESULT.clone())
    }
}

/// What upstream's evaluator says, where ours says it otherwise.
fn said(error: &ExecutionError) -> String {
    use ExecutionError as Error;
    match error {
        Error::NoSuchKey(name) => format!("no such key: {name}"),
        Error::FunctionError { message, .. } if message == TOO_COSTLY => message.clone(),
        Error::UndeclaredReference(name) => format!("undeclared reference to '{name}'"),
        other => other.to_string(),
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

fn json(value: &Cel, room: &mut usize) -> Result<Value, String> {
    let size = if let Cel::String(text) = value { text.len() } else { 1 };
    *room = room.checked_sub(size).ok_or(TOO_COSTLY)?;
    Ok(match value {
        Cel::Null => Value::Null,
        Cel::Bool(flag) => (*flag).into(),
        Cel::Int(number) => (*number).into(),
        Cel::UInt(number) => (*number).into(),
        Cel::Float(number) => (*number).into(),
        Cel::String(text) => text.as_str().into(),
        Cel::List(items) => {
            Value::Array(items.iter().map(|item| json(item, room)).collect::<Result<_, _>>()?)
        }
        Cel::Map(map) => {
            let mut member = |(key, value): (&Key, &Cel)| match key {
                Key::String(name) => Ok((name.to_string(), json(value, room)?)),
                other => Err(format!("a key of an object is a text, not {other}")),
            };
            Value::Object(map.map.iter().map(&mut member).collect::<Result<_, String>>()?)
        }
        other => return Err(format!("a {:?} is no JSON", other.type_of())),
    })
}

fn count(value: &Value) -> u64 {
    match value {
        Value::Array(items) => items.iter().map(count).sum::<u64>() + 1,
        Value::Object(members) => members.values().map(count).sum::<u64>() + 1,
        _ => 1,
    }
}

fn longest_text(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(longest_text).max().unwrap_or(0),
        Value::Object(members) => members.values().map(longest_text).max().unwrap_or(0),
        _ => 0,
    }
}

/// `lists.range` with a bound.
fn range(end: i64) -> Result<Cel, ExecutionError> {
    let wrong = |why: &str| ExecutionError::function_error("lists.range", why);
    if end < 0 {
        return Err(wrong("range argument must be non-negative"));
    }
    if end.unsigned_abs() > LONGEST_RANGE {
        return Err(wrong(TOO_COSTLY));
    }
    Ok(Cel::List(Arc::new((0..end).map(Cel::Int).collect())))
}

/// Looks for long lists that the expression makes itself, and for texts taken apart.
fn look(expression: &mut IdedExpr, longest: &mut u64, splits: &mut bool) {
    match &expression.expr {
        Expr::List(list) => *longest = (*longest).max(list.elements.len() as u64),
        Expr::Map(map) => *longest = (*longest).max(map.entries.len() as u64),
        Expr::Call(call) if matches!(call.func_name.as_str(), "range" | "lists.range") => {
            *longest = (*longest).max(LONGEST_RANGE);
        }
        Expr::Call(call) if call.func_name == "split" => {
            let by = call.args.first().map(|by| &by.expr);
            *splits |=
                !matches!(by, Some(Expr::Literal(LiteralValue::String(by))) if !by.is_empty());
        }
        _ => {}
    }
    each(expression, &mut |part| look(part, longest, splits));
}

/// Objects with the name of a type, as `Object.spec{replicas: 1}`, are objects without one: the
/// evaluator knows no types.
fn unname(expression: &mut IdedExpr) {
    each(expression, &mut unname);
    if let Expr::Struct(of) = &mut expression.expr {
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
}

/// Does something with each part of an expression.
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

/// How many loops stand in one another, at most.
fn loops(expression: &IdedExpr) -> u32 {
    let most = |inner: &[IdedExpr]| inner.iter().map(loops).max().unwrap_or(0);
    match &expression.expr {
        Expr::Call(call) => most(&call.args).max(call.target.as_deref().map_or(0, loops)),
        Expr::Comprehension(each) => {
            let inner = [&each.loop_cond, &each.loop_step, &each.result, &each.accu_init];
            let inner = inner.into_iter().map(loops).max().unwrap_or(0);
            (inner + 1).max(loops(&each.iter_range))
        }
        Expr::List(list) => most(&list.elements),
        Expr::Map(map) => {
            let entry = |entry: &EntryExpr| match entry {
                EntryExpr::StructField(field) => loops(&field.value),
                EntryExpr::MapEntry(entry) => loops(&entry.key).max(loops(&entry.value)),
            };
            map.entries.iter().map(|one| entry(&one.expr)).max().unwrap_or(0)
        }
        Expr::Select(select) => loops(&select.operand),
        _ => 0,
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
