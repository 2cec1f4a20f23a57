//! What is looked at once the types are right: that lists and maps that are written out have one type, and that
//! durations, moments, patterns and formats that are written out are ones (cel-go, `cel/validator.go`).

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{CallExpr, EntryExpr, Expr, ListExpr, LiteralValue, MapExpr};

use super::checker::Checker;
use super::formats;
use super::types::Type;
use crate::interpreter::parse::parts;
use crate::pattern;
use crate::times::{Fraction, duration, moment};

/// Looks through an expression that was found right.
pub(super) fn look(checker: &mut Checker<'_>, expression: &IdedExpr) {
    Looking { checker }.at(expression, false);
}

struct Looking<'l, 'e> {
    checker: &'l mut Checker<'e>,
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
        parts(expression, |part| self.at(part, is_inside));
    }

    fn call(&mut self, expression: &IdedExpr, call: &CallExpr) {
        let Some(first) = call.args.first() else { return };
        match (call.func_name.as_str(), text_of(first)) {
            (name @ ("duration" | "timestamp" | "matches"), Some(text)) if !is_read(name, text) => {
                self.checker.told.tell(first.id, format!("invalid {name} argument"));
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

/// Whether a text can be read as what a function takes. Nothing is made of it, as nobody pays for that here.
fn is_read(function: &str, text: &str) -> bool {
    match function {
        "duration" => duration(text).is_ok(),
        // The first year is the year 1.
        "timestamp" => !text.starts_with("0000") && moment(text, Fraction::Optional).is_ok(),
        _ => pattern::read(text).is_ok(),
    }
}

fn text_of(expression: &IdedExpr) -> Option<&str> {
    match &expression.expr {
        Expr::Literal(LiteralValue::String(text)) => Some(text.inner()),
        _ => None,
    }
}
