//! What is looked at once the types are right: that lists and maps that are written out have one type, and that
//! durations, moments, patterns and formats that are written out are ones (cel-go, `cel/validator.go`).

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{CallExpr, EntryExpr, Expr, ListExpr, LiteralValue, MapExpr};

use super::checker::Checker;
use super::formats;
use super::syntax::parts;
use super::types::Type;
use crate::interpreter::{Interpreter, MOST_PER_CALL, Variables};

/// Looks through an expression that was found right.
pub(super) fn look(checker: &mut Checker<'_>, expression: &IdedExpr) {
    Looking { checker, interpreter: None }.at(expression, false);
}

struct Looking<'l, 'e> {
    checker: &'l mut Checker<'e>,
    /// What runs literals, once there are some.
    interpreter: Option<Interpreter>,
}

impl Looking<'_, '_> {
    /// `is_formatted` says whether a text is made of it, which may be of values of any types.
    fn at(&mut self, expression: &IdedExpr, is_formatted: bool) {
        let mut is_inside = is_formatted;
        match &expression.expr {
            Expr::Call(call) => {
                self.call(expression, call);
                is_inside |= call.func_name == "format";
            }
            Expr::List(list) if !is_formatted => self.list(list),
            Expr::Map(map) if !is_formatted => self.map(map),
            _ => {}
        }
        for part in parts(expression) {
            self.at(part, is_inside);
        }
    }

    fn call(&mut self, expression: &IdedExpr, call: &CallExpr) {
        let Some(first) = call.args.first() else { return };
        let text = text_of(first);
        match (call.func_name.as_str(), text) {
            (name @ ("duration" | "timestamp"), Some(_)) if !self.runs(expression) => {
                self.checker.told.tell(first.id, format!("invalid {name} argument"));
            }
            ("matches", Some(pattern)) if !self.runs(&matching(pattern)) => {
                self.checker.told.tell(first.id, "invalid matches argument");
            }
            ("format", _) => {
                let format = call.target.as_deref().and_then(text_of);
                if let (Some(format), Expr::List(list), [_]) =
                    (format, &first.expr, call.args.as_slice())
                {
                    formats::look(self.checker, expression.id, format, &list.elements);
                }
            }
            _ => {}
        }
    }

    /// Whether a call with nothing but literals gives something.
    fn runs(&mut self, expression: &IdedExpr) -> bool {
        let interpreter = self.interpreter.get_or_insert_with(Interpreter::new);
        interpreter.run(expression, &Variables::new(), MOST_PER_CALL).0.is_ok()
    }

    fn list(&mut self, list: &ListExpr) {
        let mut first = None;
        for (index, item) in list.elements.iter().enumerate() {
            let of = self.found(item, list.optional_indices.contains(&index));
            if !self.is_alike(&mut first, of, item.id) {
                return;
            }
        }
    }

    fn map(&mut self, map: &MapExpr) {
        let (mut key, mut value) = (None, None);
        for entry in &map.entries {
            let EntryExpr::MapEntry(entry) = &entry.expr else { continue };
            let of = self.found(&entry.key, false);
            self.is_alike(&mut key, of, entry.key.id);
            let of = self.found(&entry.value, entry.optional);
            self.is_alike(&mut value, of, entry.value.id);
        }
    }

    fn found(&mut self, part: &IdedExpr, is_optional: bool) -> Type {
        let found = self.checker.found(part.id);
        found.unwrapped().filter(|_| is_optional).cloned().unwrap_or(found)
    }

    /// Whether a type is the first one again; otherwise that is told.
    fn is_alike(&mut self, first: &mut Option<Type>, of: Type, part: u64) -> bool {
        let first = &*first.get_or_insert_with(|| of.clone());
        let is_alike = *first == of;
        if !is_alike {
            self.checker.told.mismatch(part, first, &of);
        }
        is_alike
    }
}

fn text_of(expression: &IdedExpr) -> Option<&str> {
    match &expression.expr {
        Expr::Literal(LiteralValue::String(text)) => Some(text.inner()),
        _ => None,
    }
}

/// A question that a pattern can answer if it is one.
fn matching(pattern: &str) -> IdedExpr {
    let text = |text: &str| IdedExpr {
        id: 0,
        expr: Expr::Literal(LiteralValue::String(text.to_owned().into())),
    };
    let call = CallExpr {
        func_name: "matches".to_owned(),
        target: Some(Box::new(text(""))),
        args: vec![text(pattern)],
    };
    IdedExpr { id: 0, expr: Expr::Call(call) }
}
