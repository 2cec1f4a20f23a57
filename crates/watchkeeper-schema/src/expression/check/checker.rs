//! Finds the type of each part of an expression (cel-go, `checker/checker.go`).

use std::collections::HashMap;

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, ListExpr, LiteralValue, MapExpr, SelectExpr,
    StructExpr,
};

use super::environment::{Environment, With};
use super::told::Told;
use super::types::{Form, Type};
use super::unify::Bindings;

/// Follows an expression, with what is known of it so far.
pub(super) struct Checker<'e> {
    pub(super) environment: &'e Environment,
    pub(super) with: With,
    pub(super) bindings: Bindings,
    pub(super) told: Told,
    /// The variables of the loops that we are in, the innermost last.
    pub(super) scopes: Vec<(&'e str, Type)>,
    /// What has been found of each part, by its id.
    types: HashMap<u64, Type>,
}

/// A call of a function.
pub(super) struct Called<'c> {
    pub(super) part: u64,
    pub(super) name: &'c str,
    /// The type of what stands before the name of a method.
    pub(super) target: Option<Type>,
    pub(super) args: Vec<Type>,
}

impl<'e> Checker<'e> {
    pub(super) fn new(environment: &'e Environment, with: With, steps: usize) -> Self {
        Self {
            environment,
            with,
            bindings: Bindings::new(steps),
            told: Told::default(),
            scopes: Vec::new(),
            types: HashMap::new(),
        }
    }

    /// The type that a part has in the end.
    pub(super) fn found(&mut self, part: u64) -> Type {
        let found = self.types.get(&part).cloned().unwrap_or(Type::Dyn);
        self.bindings.settled(&found)
    }

    pub(super) fn ty(&mut self, expression: &'e IdedExpr) -> Type {
        let found = match &expression.expr {
            Expr::Literal(literal) => of_literal(literal),
            Expr::Ident(name) => self.named(name).unwrap_or_else(|| {
                self.told.undeclared(expression.id, name);
                Type::Error
            }),
            Expr::Select(select) => self.select(expression, select),
            Expr::Call(call) => self.call(expression.id, call),
            Expr::Comprehension(of) => self.comprehension(of),
            Expr::List(list) => self.list(list),
            Expr::Map(map) => self.map(map),
            Expr::Struct(of) => self.object(expression.id, of),
            Expr::Unspecified => Type::Error,
        };
        self.types.insert(expression.id, found.clone());
        found
    }

    fn named(&self, name: &str) -> Option<Type> {
        let name = name.strip_prefix('.').unwrap_or(name);
        let own = self.scopes.iter().rev().find(|(known, _)| *known == name);
        own.map(|(_, of)| of.clone()).or_else(|| self.environment.named(name, self.with))
    }

    fn select(&mut self, expression: &'e IdedExpr, select: &'e SelectExpr) -> Type {
        // Some names have dots in them.
        if let Some(found) = qualified(expression).and_then(|name| self.named(&name)) {
            return found;
        }
        let member = self.member(expression.id, &select.operand, &select.field, false);
        if select.test { Type::Bool } else { self.bindings.known(&member) }
    }

    /// A member, which is optional if what it is of is, or if it may be missing.
    fn member(&mut self, part: u64, of: &'e IdedExpr, field: &str, may_miss: bool) -> Type {
        let of = self.ty(of);
        let of = self.bindings.known(&of);
        let (of, is_optional) = match of.unwrapped() {
            Some(inner) => (inner.clone(), true),
            None => (of, may_miss),
        };
        let found = match &of {
            Type::Object(name) => {
                let found = self.environment.field(name, field, self.with);
                found.unwrap_or_else(|why| {
                    self.told.tell(part, why);
                    Type::Error
                })
            }
            Type::Free(_) => {
                self.bindings.accepts(&Type::Dyn, &of);
                Type::Dyn
            }
            Type::Dyn | Type::Any | Type::Error => Type::Dyn,
            other => match other.parts(Form::Map) {
                Some([_, values]) => values.clone(),
                _ => {
                    let what = format!("type '{}' does not support field selection", other.name());
                    self.told.tell(part, what);
                    Type::Dyn
                }
            },
        };
        if is_optional { Type::optional(found) } else { found }
    }

    fn call(&mut self, part: u64, call: &'e CallExpr) -> Type {
        if let Some(found) = self.macros(part, call) {
            return found;
        }
        let name = call.func_name.as_str();
        if let ("_?._", [of, field]) = (name, call.args.as_slice()) {
            let Expr::Literal(LiteralValue::String(field)) = &field.expr else {
                return Type::Error;
            };
            let member = self.member(part, of, field.inner(), true);
            return self.bindings.known(&member);
        }
        let args: Vec<Type> = call.args.iter().map(|arg| self.ty(arg)).collect();
        if matches!(name, "_&&_" | "_||_") {
            let parts: Vec<u64> = call.args.iter().map(|arg| arg.id).collect();
            return self.logic(&parts, &args);
        }
        let Some(target) = call.target.as_deref() else {
            return self.resolve(Called { part, name, target: None, args });
        };
        // The names of some functions have dots in them.
        if let Some(space) = qualified(target) {
            let name = format!("{space}.{name}");
            if self.environment.function(&name, self.with).is_some() {
                return self.resolve(Called { part, name: &name, target: None, args });
            }
        }
        let target = Some(self.ty(target));
        self.resolve(Called { part, name, target, args })
    }

    /// `&&` and `||`, each of whose sides is told of by itself.
    pub(super) fn logic(&mut self, parts: &[u64], args: &[Type]) -> Type {
        let mut found = Type::Bool;
        for (part, arg) in parts.iter().zip(args) {
            if !self.bindings.accepts(arg, &Type::Bool) {
                self.told.mismatch(*part, &Type::Bool, arg);
                found = Type::Error;
            }
        }
        found
    }

    /// What a call gives: what all overloads give that fit, or what only shows when it runs.
    pub(super) fn resolve(&mut self, called: Called<'_>) -> Type {
        let Called { part, name, target, args } = called;
        let plain = name.strip_prefix('.').unwrap_or(name);
        let Some(overloads) = self.environment.function(plain, self.with) else {
            self.told.undeclared(part, name);
            return Type::Error;
        };
        let is_method = target.is_some();
        let given: Vec<Type> = target.into_iter().chain(args).collect();
        let mut found: Option<Type> = None;
        for overload in overloads.iter().filter(|overload| overload.is_method == is_method) {
            let fresh: Vec<(char, Type)> =
                overload.parameters.iter().map(|name| (*name, self.bindings.fresh())).collect();
            let wanted: Vec<Type> = overload.args.iter().map(|arg| filled(arg, &fresh)).collect();
            if !self.bindings.accepts_all(&given, &wanted) {
                continue;
            }
            let result = self.bindings.known(&filled(&overload.result, &fresh));
            found = Some(match found {
                None => result,
                Some(first) if first.is_dyn() || first == result => first,
                Some(_) => Type::Dyn,
            });
        }
        found.unwrap_or_else(|| {
            let given: Vec<Type> = given.iter().map(|of| self.bindings.settled(of)).collect();
            match given.split_first().filter(|_| is_method) {
                Some((target, args)) => self.told.overload(part, plain, Some(target), args),
                None => self.told.overload(part, plain, None, &given),
            }
            Type::Error
        })
    }

    fn list(&mut self, list: &'e ListExpr) -> Type {
        let mut joined = None;
        for (index, item) in list.elements.iter().enumerate() {
            let of = self.ty(item);
            let of = self.maybe(item.id, of, list.optional_indices.contains(&index));
            joined = Some(self.join(joined, of));
        }
        Type::list(joined.unwrap_or_else(|| self.bindings.fresh()))
    }

    fn map(&mut self, map: &'e MapExpr) -> Type {
        let (mut keys, mut values) = (None, None);
        for entry in &map.entries {
            let EntryExpr::MapEntry(entry) = &entry.expr else { continue };
            let key = self.ty(&entry.key);
            keys = Some(self.join(keys, key));
            let value = self.ty(&entry.value);
            let value = self.maybe(entry.value.id, value, entry.optional);
            values = Some(self.join(values, value));
        }
        let keys = keys.unwrap_or_else(|| self.bindings.fresh());
        let values = values.unwrap_or_else(|| self.bindings.fresh());
        Type::map(keys, values)
    }

    /// What stands in place of an optional that may have nothing.
    fn maybe(&mut self, part: u64, of: Type, is_optional: bool) -> Type {
        if !is_optional || of.is_dyn() {
            return of;
        }
        if let Some(inner) = of.unwrapped() {
            return inner.clone();
        }
        self.told.mismatch(part, &Type::optional(of.clone()), &of);
        of
    }

    /// What both of two are. That they should be the same is looked at later.
    fn join(&mut self, before: Option<Type>, next: Type) -> Type {
        match before {
            None => next,
            Some(before) if self.bindings.accepts(&before, &next) => {
                if before.is_looser(&next) {
                    before
                } else {
                    next
                }
            }
            Some(_) => Type::Dyn,
        }
    }

    fn object(&mut self, part: u64, of: &'e StructExpr) -> Type {
        let Some(found) = self.named(&of.type_name) else {
            self.told.undeclared(part, &of.type_name);
            return Type::Error;
        };
        let found = match found.parts(Form::Type) {
            None => {
                self.told.tell(part, format!("'{}' is not a type", found.plain()));
                Type::Error
            }
            Some([object @ Type::Object(_)]) => object.clone(),
            Some(other) => {
                let name = other.first().unwrap_or(&found).plain();
                self.told.tell(part, format!("'{name}' is not a message type"));
                Type::Error
            }
        };
        for entry in &of.entries {
            let EntryExpr::StructField(field) = &entry.expr else { continue };
            let value = self.ty(&field.value);
            let name = of.type_name.strip_prefix('.').unwrap_or(&of.type_name);
            let wanted = self.environment.field(name, &field.field, self.with);
            let wanted = wanted.unwrap_or_else(|why| {
                self.told.tell(entry.id, why);
                Type::Error
            });
            let value = self.maybe(field.value.id, value, field.optional);
            if !self.bindings.accepts(&wanted, &value) {
                let (field, wanted, value) = (&field.field, wanted.name(), value.name());
                let what = format!(
                    "expected type of field '{field}' is '{wanted}' but provided type is '{value}'"
                );
                self.told.tell(entry.id, what);
            }
        }
        found
    }

    /// `all`, `exists`, `exists_one`, `map`, `filter`, as the parser spells them out.
    fn comprehension(&mut self, of: &'e ComprehensionExpr) -> Type {
        let range = self.ty(&of.iter_range);
        let begun = self.ty(&of.accu_init);
        let outer = self.scopes.len();
        self.scopes.push((of.accu_var.as_str(), begun.clone()));
        let (first, second) = self.items(of.iter_range.id, &range, of.iter_var2.is_some());
        self.scopes.push((of.iter_var.as_str(), first));
        if let Some(variable) = &of.iter_var2 {
            self.scopes.push((variable.as_str(), second));
        }
        let goes_on = self.ty(&of.loop_cond);
        self.expect(of.loop_cond.id, &Type::Bool, &goes_on);
        let step = self.ty(&of.loop_step);
        self.expect(of.loop_step.id, &begun, &step);
        self.scopes.truncate(outer + 1);
        let result = self.ty(&of.result);
        self.scopes.truncate(outer);
        self.bindings.known(&result)
    }

    /// What the variables of a loop stand for: one, or an index and an item, or a key and a value.
    pub(super) fn items(&mut self, part: u64, range: &Type, is_pair: bool) -> (Type, Type) {
        let range = self.bindings.known(range);
        match &range {
            Type::Dyn | Type::Error | Type::Free(_) => {
                self.bindings.accepts(&Type::Dyn, &range);
                return (Type::Dyn, Type::Dyn);
            }
            Type::Of(of) => match (of.form, of.parts.as_slice()) {
                (Form::List, [items]) if is_pair => return (Type::Int, items.clone()),
                (Form::List, [items]) => return (items.clone(), Type::Dyn),
                (Form::Map, [keys, values]) => return (keys.clone(), values.clone()),
                _ => {}
            },
            _ => {}
        }
        let what = format!(
            "expression of type '{}' cannot be range of a comprehension (must be list, map, or dynamic)",
            range.name()
        );
        self.told.tell(part, what);
        (Type::Error, Type::Error)
    }

    pub(super) fn expect(&mut self, part: u64, wanted: &Type, found: &Type) {
        if !self.bindings.accepts(wanted, found) {
            self.told.mismatch(part, wanted, found);
        }
    }
}

fn of_literal(literal: &LiteralValue) -> Type {
    match literal {
        LiteralValue::Boolean(_) => Type::Bool,
        LiteralValue::Bytes(_) => Type::Bytes,
        LiteralValue::Double(_) => Type::Double,
        LiteralValue::Int(_) => Type::Int,
        LiteralValue::Null => Type::Null,
        LiteralValue::String(_) => Type::String,
        LiteralValue::UInt(_) => Type::Uint,
    }
}

/// A signature's type with what stands for what is open in it.
fn filled(of: &Type, fresh: &[(char, Type)]) -> Type {
    of.replaced(&mut |part: &Type| {
        let Type::Parameter(name) = part else { return None };
        fresh.iter().find(|(known, _)| known == name).map(|(_, by)| by.clone())
    })
}

/// `a.b.c` as one name.
fn qualified(expression: &IdedExpr) -> Option<String> {
    match &expression.expr {
        Expr::Ident(name) => Some(name.clone()),
        Expr::Select(select) if !select.test => {
            Some(format!("{}.{}", qualified(&select.operand)?, select.field))
        }
        _ => None,
    }
}
