//! What an expression names, and whether anybody declares it (cel-go, `checker/checker.go`).

use std::collections::BTreeMap;

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{EntryExpr, Expr, IdedEntryExpr, LiteralValue};

use super::Expression;
use crate::interpreter::macros::variables_of;

/// What may be named everywhere: types, and what names of functions and types begin with.
const EVERYWHERE: [&str; 28] = [
    "base64",
    "bool",
    "bytes",
    "cel",
    "double",
    "duration",
    "dyn",
    "format",
    "google",
    "int",
    "ip",
    "jsonpatch",
    "kubernetes",
    "list",
    "lists",
    "map",
    "math",
    "net",
    "null_type",
    "optional",
    "optional_type",
    "regex",
    "sets",
    "string",
    "strings",
    "timestamp",
    "type",
    "uint",
];
/// How many mistakes are told of one expression, at most (cel-go, `common/errors.go`).
const MOST_ERRORS: usize = 100;
/// The longest line that is shown with a mistake, in bytes.
const LONGEST_LINE: usize = 8 << 10;

impl Expression {
    /// What the expression names although nobody declares it, each as upstream tells it, in the
    /// order of the text.
    ///
    /// ```
    /// use watchkeeper_schema::expression::Expression;
    ///
    /// let expression = Expression::compile("object.all(x, x < y)")?;
    /// let told = "ERROR: <input>:1:19: undeclared reference to 'y' (in container '')\
    ///             \n | object.all(x, x < y)\n | ..................^";
    /// assert_eq!(expression.undeclared(&["object"]), [told]);
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn undeclared(&self, declared: &[&str]) -> Vec<String> {
        let mut names = Names { declared, bound: Vec::new(), unknown: Vec::new() };
        names.visit(&self.expression);
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, name) in identifiers(&self.text).into_iter().rev() {
            places.entry(name).or_default().push(at);
        }
        let mut found: Vec<(Option<usize>, &str)> = names
            .unknown
            .into_iter()
            .map(|name| (places.get_mut(name).and_then(Vec::pop), name))
            .collect();
        found.sort_by_key(|(at, _)| *at);
        let more = found.len().saturating_sub(MOST_ERRORS);
        found.truncate(MOST_ERRORS);
        let mut told: Vec<String> =
            found.into_iter().map(|(at, name)| told(&self.text, at, name)).collect();
        if more > 0 {
            told.push(format!("{more} more errors were truncated"));
        }
        told
    }

    /// The name of the type that the expression gives, where it is one value and nothing else.
    #[must_use]
    pub fn literal_type(&self) -> Option<&'static str> {
        let Expr::Literal(literal) = &self.expression.expr else { return None };
        Some(match literal {
            LiteralValue::Boolean(_) => "bool",
            LiteralValue::Bytes(_) => "bytes",
            LiteralValue::Double(_) => "double",
            LiteralValue::Int(_) => "int",
            LiteralValue::Null => "null_type",
            LiteralValue::String(_) => "string",
            LiteralValue::UInt(_) => "uint",
        })
    }
}

/// Looks for names that nobody declares.
struct Names<'e> {
    declared: &'e [&'e str],
    /// Those of the loops that we are in.
    bound: Vec<&'e str>,
    unknown: Vec<&'e str>,
}

impl<'e> Names<'e> {
    fn visit(&mut self, expression: &'e IdedExpr) {
        match &expression.expr {
            Expr::Ident(name) => self.name(name),
            Expr::Call(call) => {
                if let Some(target) = &call.target {
                    self.visit(target);
                }
                let own = variables_of(call);
                let known = self.bound.len();
                for variable in call.args.iter().take(own) {
                    if let Expr::Ident(name) = &variable.expr {
                        self.bound.push(name);
                    }
                }
                call.args.iter().skip(own).for_each(|part| self.visit(part));
                self.bound.truncate(known);
            }
            Expr::Comprehension(of) => {
                self.visit(&of.iter_range);
                self.visit(&of.accu_init);
                let known = self.bound.len();
                self.bound.push(&of.iter_var);
                self.bound.extend(of.iter_var2.as_deref());
                self.bound.push(&of.accu_var);
                self.visit(&of.loop_cond);
                self.visit(&of.loop_step);
                self.visit(&of.result);
                self.bound.truncate(known);
            }
            Expr::List(list) => list.elements.iter().for_each(|part| self.visit(part)),
            Expr::Map(map) => self.entries(&map.entries),
            Expr::Select(select) => self.visit(&select.operand),
            Expr::Struct(of) => self.entries(&of.entries),
            Expr::Literal(_) | Expr::Unspecified => {}
        }
    }

    fn entries(&mut self, entries: &'e [IdedEntryExpr]) {
        for entry in entries {
            match &entry.expr {
                EntryExpr::StructField(field) => self.visit(&field.value),
                EntryExpr::MapEntry(entry) => {
                    self.visit(&entry.key);
                    self.visit(&entry.value);
                }
            }
        }
    }

    fn name(&mut self, name: &'e str) {
        let name = name.trim_start_matches('.');
        let is_known = self.bound.contains(&name)
            || self.declared.contains(&name)
            || EVERYWHERE.contains(&name);
        if !is_known {
            self.unknown.push(name);
        }
    }
}

fn told(text: &str, at: Option<usize>, name: &str) -> String {
    let what = format!("undeclared reference to '{name}' (in container '')");
    let before = at.and_then(|at| text.get(..at)).unwrap_or_default();
    let number = before.matches('\n').count() + 1;
    let begin = before.rfind('\n').map_or(0, |end| end + 1);
    let column = before.get(begin..).unwrap_or_default().chars().count();
    let head = format!("ERROR: <input>:{number}:{}: {what}", column + 1);
    let line = text.get(begin..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    if line.len() > LONGEST_LINE {
        return head;
    }
    format!("{head}\n | {line}\n | {}^", ".".repeat(column))
}

/// Where names stand in a text: not in its strings and comments, and not behind a dot.
fn identifiers(text: &str) -> Vec<(usize, &str)> {
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
    let (mut found, mut rest, mut is_member) = (Vec::new(), text, false);
    while let Some(sign) = rest.chars().next() {
        let at = text.len() - rest.len();
        let length = match sign {
            '"' | '\'' => string(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            sign if is_name(sign) => rest.find(|sign: char| !is_name(sign)).unwrap_or(rest.len()),
            sign => sign.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if is_name(sign) && !sign.is_ascii_digit() && !is_member {
            found.push((at, token));
        }
        is_member = sign == '.' || is_member && sign.is_whitespace();
        rest = after;
    }
    found
}

/// How long the string is that a text begins with.
fn string(text: &str) -> usize {
    let quotes = ["\"\"\"", "'''", "\"", "'"];
    let quote = quotes.into_iter().find(|quote| text.starts_with(quote)).unwrap_or("'");
    let mut rest = text.strip_prefix(quote).unwrap_or_default();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(quote) {
            return text.len() - after.len();
        }
        let mut signs = rest.chars();
        if signs.next() == Some('\\') {
            signs.next();
        }
        rest = signs.as_str();
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undeclared(text: &str) -> String {
        let expression = Expression::compile(text).expect("readable");
        expression.undeclared(&["object", "request"]).join("\n")
    }

    #[test]
    fn what_nobody_declares_is_told_where_it_stands() {
        assert_eq!(
            undeclared("a"),
            "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')\n | a\n | ^"
        );
        let told = undeclared("object.b == 'b' // b\n  && b");
        let expected = "ERROR: <input>:2:6: undeclared reference to 'b' (in container '')\
                        \n |   && b\n | .....^";
        assert_eq!(told, expected);
        let twice = undeclared("c + c");
        assert!(twice.contains("<input>:1:1:") && twice.contains("<input>:1:5:"), "{twice}");
    }

    #[test]
    fn what_an_expression_names_itself_is_declared() {
        for text in [
            "object.items.all(x, x.items.exists(y, y == x))",
            "object.items.map(x, x * 2).filter(x, x > 1)",
            "object.items.transformList(i, x, i + x) == []",
            "cel.bind(x, object.a, x == x)",
            "optional.of(object).optMap(x, x.a).hasValue()",
            "type(object) == string || math.greatest(1, 2) == 2",
            "has(object.a) && request.name.matches('^a$')",
            "Object{spec: Object.spec{a: object.b}}",
        ] {
            assert_eq!(undeclared(text), "", "{text}");
        }
    }

    #[test]
    fn values_that_are_written_out_have_a_type() {
        let type_of = |text: &str| Expression::compile(text).expect("readable").literal_type();
        assert_eq!(type_of("1"), Some("int"));
        assert_eq!(type_of("'a'"), Some("string"));
        assert_eq!(type_of("true"), Some("bool"));
        assert_eq!(type_of("1 < 2"), None);
    }
}
