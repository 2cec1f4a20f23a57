//! What expressions are, by the schema (upstream: `SchemaDeclType` of apiserver's `pkg/cel/common`).

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{CallExpr, ComprehensionExpr, EntryExpr, Expr, LiteralValue};

use super::calls;
use crate::cel::escaped;
use crate::interpreter::macros;
use crate::node::{Schema, Type};

/// The type of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty<'a> {
    /// Known when it runs.
    Any,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    Text,
    Bytes,
    Moment,
    Span,
    List(Box<Self>),
    /// A map, by what its values are.
    Map(Box<Self>),
    /// An object of the schema; the root of a resource has more members than it says.
    Object(&'a Schema, bool),
    Optional(Box<Self>),
}

impl Ty<'_> {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Any => "dyn".to_owned(),
            Self::Null => "null".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Int => "int".to_owned(),
            Self::Uint => "uint".to_owned(),
            Self::Double => "double".to_owned(),
            Self::Text => "string".to_owned(),
            Self::Bytes => "bytes".to_owned(),
            Self::Moment => "google.protobuf.Timestamp".to_owned(),
            Self::Span => "google.protobuf.Duration".to_owned(),
            Self::List(of) => format!("list({})", of.name()),
            Self::Map(of) => format!("map(string, {})", of.name()),
            Self::Object(..) => "object".to_owned(),
            Self::Optional(of) => format!("optional_type({})", of.name()),
        }
    }

    /// Whether a value may be of both.
    pub(super) fn fits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::List(a), Self::List(b))
            | (Self::Map(a), Self::Map(b))
            | (Self::Optional(a), Self::Optional(b)) => a.fits(b),
            (Self::Null, other) | (other, Self::Null) => matches!(
                other,
                Self::Null | Self::Object(..) | Self::Moment | Self::Span | Self::Optional(_)
            ),
            (a, b) => a == b,
        }
    }

    /// Whether the values of a list that is written out may be of both: as servers have it, of one type.
    fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::List(a), Self::List(b))
            | (Self::Map(a), Self::Map(b))
            | (Self::Optional(a), Self::Optional(b)) => a.is_alike(b),
            (a, b) => a == b,
        }
    }

    pub(super) fn is_number(&self) -> bool {
        matches!(self, Self::Any | Self::Int | Self::Uint | Self::Double)
    }
}

/// The type of what a schema describes; none for what rules cannot reach.
fn of_schema(schema: &Schema) -> Option<Ty<'_>> {
    if schema.int_or_string {
        return Some(Ty::Any);
    }
    Some(match schema.type_? {
        Type::Object => match &schema.additional {
            Some(values) => Ty::Map(Box::new(of_schema(values)?)),
            None => Ty::Object(schema, schema.embedded_resource),
        },
        Type::Array => Ty::List(Box::new(of_schema(schema.items.as_deref()?)?)),
        Type::Boolean => Ty::Bool,
        Type::Number => Ty::Double,
        Type::Integer => Ty::Int,
        Type::String => match schema.format.as_deref() {
            Some("byte") => Ty::Bytes,
            Some("duration") => Ty::Span,
            Some("date" | "date-time") => Ty::Moment,
            _ => Ty::Text,
        },
    })
}

/// The variables of a rule.
pub(super) struct Scope<'a> {
    variables: Vec<(String, Ty<'a>)>,
}

impl<'a> Scope<'a> {
    pub(super) fn new(schema: &'a Schema, root: bool, optional_old: bool) -> Self {
        let this = match of_schema(schema) {
            Some(Ty::Object(schema, embedded)) => Ty::Object(schema, embedded || root),
            other => other.unwrap_or(Ty::Any),
        };
        let old = if optional_old { Ty::Optional(Box::new(this.clone())) } else { this.clone() };
        Self { variables: vec![("self".to_owned(), this), ("oldSelf".to_owned(), old)] }
    }

    /// That of a selector of devices.
    pub(super) fn of_device(schema: &'a Schema) -> Self {
        Self { variables: vec![("device".to_owned(), Ty::Object(schema, false))] }
    }
}

/// An expression as it is written, and what it should give.
pub(super) struct Asked<'t> {
    pub(super) text: &'t str,
    pub(super) wanted: Ty<'static>,
}

/// What is wrong with an expression, as upstream says it of what is called `what`.
pub(super) fn check(
    expression: &IdedExpr,
    scope: &Scope<'_>,
    asked: &Asked<'_>,
    what: &str,
) -> Result<(), String> {
    let mut checker = Checker {
        text: asked.text,
        variables: scope.variables.clone(),
        wrong: Vec::new(),
        formats: 0,
        tests: false,
    };
    let found = checker.ty(&expression.expr);
    checker.wrong.dedup();
    if !checker.wrong.is_empty() {
        return Err(format!("{what}compilation failed: {}", checker.wrong.join("\n")));
    }
    if found.fits(&asked.wanted) {
        return Ok(());
    }
    let what = if what.is_empty() { "cel expression " } else { what };
    Err(format!("{what}must evaluate to a {}", asked.wanted.name()))
}

/// How many mistakes are told of one expression, at most, as in cel-go.
const MOST_ERRORS: usize = 100;
/// The longest line that is shown with a mistake, in bytes.
const LONGEST_LINE: usize = 8 << 10;

pub(super) struct Checker<'a> {
    text: &'a str,
    variables: Vec<(String, Ty<'a>)>,
    wrong: Vec<String>,
    /// Calls of `format` around: their values may be of any types.
    formats: usize,
    /// Whether a member is looked for by `has`, which is where an error is shown then.
    tests: bool,
}

impl<'a> Checker<'a> {
    /// One that is asked for types, of what was found right.
    pub(super) fn silent(scope: &Scope<'a>) -> Self {
        Self {
            text: "",
            variables: scope.variables.clone(),
            wrong: Vec::new(),
            formats: 1,
            tests: false,
        }
    }

    pub(super) fn ty(&mut self, expression: &Expr) -> Ty<'a> {
        match expression {
            Expr::Literal(literal) => match literal {
                LiteralValue::Boolean(_) => Ty::Bool,
                LiteralValue::Bytes(_) => Ty::Bytes,
                LiteralValue::Double(_) => Ty::Double,
                LiteralValue::Int(_) => Ty::Int,
                LiteralValue::Null => Ty::Null,
                LiteralValue::String(_) => Ty::Text,
                LiteralValue::UInt(_) => Ty::Uint,
            },
            Expr::Ident(name) => self.variable(name),
            Expr::Select(select) => {
                let of = self.ty(&select.operand.expr);
                let outer = std::mem::replace(&mut self.tests, select.test);
                let member = self.member(&of, &select.field);
                self.tests = outer;
                if select.test { Ty::Bool } else { member }
            }
            Expr::Call(call) => self.call(call),
            Expr::Comprehension(of) => self.comprehension(of),
            Expr::List(list) => {
                let types = list.elements.iter().enumerate().map(|(index, of)| {
                    maybe(self.ty(&of.expr), list.optional_indices.contains(&index))
                });
                let types: Vec<Ty<'a>> = types.collect();
                Ty::List(Box::new(self.common(types)))
            }
            Expr::Map(map) => {
                let (mut keys, mut values) = (Vec::new(), Vec::new());
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(entry) = &entry.expr {
                        keys.push(self.ty(&entry.key.expr));
                        values.push(maybe(self.ty(&entry.value.expr), entry.optional));
                    }
                }
                self.common(keys);
                Ty::Map(Box::new(self.common(values)))
            }
            Expr::Struct(of) => self.tell(format!("undeclared reference to '{}'", of.type_name)),
            Expr::Unspecified => Ty::Any,
        }
    }

    /// Tells what is wrong; nobody knows where.
    pub(super) fn tell(&mut self, what: String) -> Ty<'a> {
        if self.wrong.len() >= MOST_ERRORS {
            return Ty::Any;
        }
        self.wrong.push(format!("ERROR: <input>:1:1: {what}"));
        Ty::Any
    }

    /// Tells what is wrong with the first appearance of a text, as cel-go's errors show it.
    pub(super) fn tell_at(&mut self, mark: &str, what: &str) -> Ty<'a> {
        let found = match self.tests {
            true => position(self.text, "has(").map(|at| at + "has".len()),
            false => position(self.text, mark),
        };
        let Some(at) = found else { return self.tell(what.to_owned()) };
        let before = &self.text[..at];
        let number = before.matches('\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        let column = self.text[begin..at].chars().count();
        let line = self.text[begin..].lines().next().unwrap_or_default();
        if self.wrong.len() >= MOST_ERRORS || line.len() > LONGEST_LINE {
            return self.tell(what.to_owned());
        }
        let dots = ".".repeat(column);
        self.wrong
            .push(format!("ERROR: <input>:{number}:{}: {what}\n | {line}\n | {dots}^", column + 1));
        Ty::Any
    }

    /// What all of them are, which servers want to be one thing.
    fn common(&mut self, types: Vec<Ty<'a>>) -> Ty<'a> {
        let known = types.iter().find(|ty| **ty != Ty::Any);
        let other = known.and_then(|known| types.iter().find(|ty| !known.is_alike(ty)));
        if let (Some(known), Some(other), 0) = (known, other, self.formats) {
            let (known, other) = (known.name(), other.name());
            return self.tell(format!("expected type '{known}' but found '{other}'"));
        }
        let mut types = types.into_iter();
        let Some(first) = types.next() else { return Ty::Any };
        if types.all(|ty| ty == first) { first } else { Ty::Any }
    }

    fn variable(&mut self, name: &str) -> Ty<'a> {
        let known = self.variables.iter().rev().find(|(known, _)| known == name);
        match known {
            Some((_, ty)) => ty.clone(),
            // Types are values, too: `type(self.a) == string`.
            None if calls::TYPES.contains(&name) => Ty::Any,
            None => {
                self.tell_at(name, &format!("undeclared reference to '{name}' (in container '')"))
            }
        }
    }

    /// A member, by the name that CEL has for it.
    pub(super) fn member(&mut self, of: &Ty<'a>, name: &str) -> Ty<'a> {
        match of {
            Ty::Any => Ty::Any,
            Ty::Map(values) => (**values).clone(),
            // An optional's member is optional, as is the member of that.
            Ty::Optional(inner) => {
                let member = self.member(inner, name);
                match member {
                    Ty::Any | Ty::Optional(_) => member,
                    member => Ty::Optional(Box::new(member)),
                }
            }
            Ty::Object(schema, resource) => self.field(schema, *resource, name),
            other => {
                let what = format!("type '{}' does not support field selection", other.name());
                self.tell_at(&format!(".{name}"), &what)
            }
        }
    }

    fn field(&mut self, schema: &'a Schema, resource: bool, name: &str) -> Ty<'a> {
        if resource {
            match name {
                "apiVersion" | "kind" => return Ty::Text,
                // Of metadata only the names are to be seen.
                "metadata" => return Ty::Object(names_only(), false),
                _ => {}
            }
        }
        let mut properties = schema.properties.iter();
        let found = properties.find(|(property, _)| escaped(property) == name);
        match found.map(|(_, property)| of_schema(property)) {
            Some(Some(ty)) => ty,
            // What has no type is not to be seen.
            Some(None) | None => {
                self.tell_at(&format!(".{name}"), &format!("undefined field '{name}'"))
            }
        }
    }

    fn call(&mut self, call: &CallExpr) -> Ty<'a> {
        let is_format = usize::from(call.func_name == "format");
        self.formats += is_format;
        let ty = self.result(call);
        self.formats -= is_format;
        ty
    }

    fn result(&mut self, call: &CallExpr) -> Ty<'a> {
        let name = call.func_name.as_str();
        let space = self.space(call);
        let target = call.target.as_deref().filter(|_| space.is_none());
        let target = target.map(|target| self.ty(&target.expr));
        if let (Some(of), "optMap" | "optFlatMap", [variable, body]) =
            (&target, name, call.args.as_slice())
        {
            return self.with_optional(of.clone(), &variable.expr, &body.expr);
        }
        if let Some(of_variables) = self.with_variables(call, space, target.as_ref()) {
            return of_variables;
        }
        if let ("_?._", [of, field]) = (name, call.args.as_slice()) {
            let of = self.ty(&of.expr);
            let Expr::Literal(LiteralValue::String(field)) = &field.expr else { return Ty::Any };
            return match self.member(&of, field.inner()) {
                Ty::Optional(member) => Ty::Optional(member),
                member => Ty::Optional(Box::new(member)),
            };
        }
        let args: Vec<Ty<'a>> = call.args.iter().map(|arg| self.ty(&arg.expr)).collect();
        calls::result(self, name, space, target.as_ref(), &args)
    }

    /// `lists.range(…)`: what looks like a variable is a part of the name, unless it is one.
    pub(super) fn space<'c>(&self, call: &'c CallExpr) -> Option<&'c str> {
        let Expr::Ident(space) = &call.target.as_deref()?.expr else { return None };
        let is_variable = self.variables.iter().any(|(variable, _)| variable == space);
        (calls::SPACES.contains(&space.as_str()) && !is_variable).then_some(space)
    }

    /// Calls that name variables of their own; none for others.
    fn with_variables(
        &mut self,
        call: &CallExpr,
        space: Option<&str>,
        target: Option<&Ty<'a>>,
    ) -> Option<Ty<'a>> {
        let count = macros::variables_of(call);
        let (variables, rest) = call.args.split_at_checked(count).filter(|_| count > 0)?;
        let given = match (call.func_name.as_str(), space) {
            ("sortBy", None) => {
                vec![if let Ty::List(items) = target? { (**items).clone() } else { Ty::Any }]
            }
            (_, None) if count == 2 => match target? {
                Ty::List(items) => vec![Ty::Int, (**items).clone()],
                Ty::Map(values) => vec![Ty::Text, (**values).clone()],
                _ => vec![Ty::Any, Ty::Any],
            },
            _ => return None,
        };
        let known = self.variables.len();
        for (variable, ty) in variables.iter().zip(given) {
            let Expr::Ident(name) = &variable.expr else {
                return Some(self.tell("argument must be a simple name".to_owned()));
            };
            self.variables.push((name.clone(), ty));
        }
        let body = rest.iter().map(|part| self.ty(&part.expr)).last();
        self.variables.truncate(known);
        let body = body.unwrap_or(Ty::Any);
        Some(match call.func_name.as_str() {
            "transformMapEntry" => body,
            "sortBy" => target.cloned().unwrap_or(Ty::Any),
            "transformList" => Ty::List(Box::new(body)),
            "transformMap" => Ty::Map(Box::new(body)),
            _ => Ty::Bool,
        })
    }

    fn with_optional(&mut self, of: Ty<'a>, variable: &Expr, body: &Expr) -> Ty<'a> {
        let inner = if let Ty::Optional(inner) = of { *inner } else { Ty::Any };
        let Expr::Ident(variable) = variable else { return Ty::Any };
        self.variables.push((variable.clone(), inner));
        let found = self.ty(body);
        self.variables.pop();
        match found {
            Ty::Optional(_) => found,
            found => Ty::Optional(Box::new(found)),
        }
    }

    /// `all`, `exists`, `exists_one`, `map`, `filter`, as the parser spells them out.
    fn comprehension(&mut self, of: &ComprehensionExpr) -> Ty<'a> {
        let (first, second) = match self.ty(&of.iter_range.expr) {
            Ty::List(items) if of.iter_var2.is_some() => (Ty::Int, *items),
            Ty::List(items) => (*items, Ty::Any),
            Ty::Map(values) => (Ty::Text, *values),
            Ty::Any => (Ty::Any, Ty::Any),
            other => {
                self.tell(format!(
                    "expression of type '{}' cannot be range of a comprehension",
                    other.name()
                ));
                (Ty::Any, Ty::Any)
            }
        };
        let begun = self.ty(&of.accu_init.expr);
        let known = self.variables.len();
        self.variables.push((of.iter_var.clone(), first));
        if let Some(variable) = &of.iter_var2 {
            self.variables.push((variable.clone(), second));
        }
        self.variables.push((of.accu_var.clone(), begun));
        self.ty(&of.loop_cond.expr);
        let step = self.ty(&of.loop_step.expr);
        self.variables.truncate(known);
        self.variables.push((of.accu_var.clone(), step));
        let result = self.ty(&of.result.expr);
        self.variables.truncate(known);
        result
    }
}

/// What stands in a list in place of an optional that may have nothing.
fn maybe(ty: Ty<'_>, is_optional: bool) -> Ty<'_> {
    match ty {
        Ty::Optional(inner) if is_optional => *inner,
        ty => ty,
    }
}

/// What rules see of metadata.
fn names_only() -> &'static Schema {
    static NAMES: std::sync::LazyLock<Schema> = std::sync::LazyLock::new(|| {
        Schema::object()
            .property("name", Schema::string())
            .property("generateName", Schema::string())
    });
    &NAMES
}

/// Where a mark stands for itself: not within a longer name or a text.
fn position(text: &str, mark: &str) -> Option<usize> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let begins_with_name = mark.starts_with(is_name);
    text.match_indices(mark).map(|(at, _)| at).find(|at| {
        let (before, after) = (&text[..*at], &text[at + mark.len()..]);
        let quoted = before.matches('\'').count() % 2 == 1 || before.matches('"').count() % 2 == 1;
        let inside = begins_with_name && before.ends_with(is_name)
            || mark.ends_with(is_name) && after.starts_with(is_name);
        !quoted && !inside
    })
}
