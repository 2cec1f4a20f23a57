//! Calls whose arguments name variables, which the parser leaves as they are written. Their types are those of what
//! upstream's macros make of them (cel-go, `cel/library.go`, `ext/comprehensions.go`, `ext/lists.go`,
//! `ext/bindings.go`).

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{CallExpr, Expr};

use super::checker::{Called, Checker};
use super::types::Type;

/// Whether it is that name and nothing else.
pub(super) fn is_named(expression: &IdedExpr, name: &str) -> bool {
    name_of(expression) == Some(name)
}

pub(super) fn name_of(expression: &IdedExpr) -> Option<&str> {
    match &expression.expr {
        Expr::Ident(name) => Some(name),
        _ => None,
    }
}

impl<'e> Checker<'e> {
    /// None for a call that names no variables.
    pub(super) fn macros(&mut self, part: u64, call: &'e CallExpr) -> Option<Type> {
        let target = call.target.as_deref()?;
        Some(match (call.func_name.as_str(), call.args.as_slice()) {
            (name @ ("optMap" | "optFlatMap"), [variable, body]) => {
                self.of_optional(part, target, [variable, body], name == "optMap")
            }
            ("sortBy", [variable, by]) => self.sorted(part, target, variable, by),
            ("bind", [variable, value, body])
                if self.environment.is_of_devices() && is_named(target, "cel") =>
            {
                let value = self.ty(value);
                let body = self.within(&[(variable, value)], body);
                self.bindings.known(&body)
            }
            (name @ ("all" | "exists" | "existsOne" | "exists_one"), [first, second, body]) => {
                self.quantified(part, name, target, [first, second, body])
            }
            (
                name @ ("transformList" | "transformMap" | "transformMapEntry"),
                [first, second, rest @ ..],
            ) if matches!(rest.len(), 1 | 2) => {
                self.transformed(part, name, target, [first, second], rest)
            }
            _ => return None,
        })
    }

    /// What an expression gives in which some names stand for something.
    fn within(&mut self, variables: &[(&'e IdedExpr, Type)], body: &'e IdedExpr) -> Type {
        let outer = self.scopes.len();
        let named = variables.iter().filter_map(|(name, of)| Some((name_of(name)?, of.clone())));
        self.scopes.extend(named);
        let found = self.ty(body);
        self.scopes.truncate(outer);
        found
    }

    fn function(&mut self, part: u64, name: &str, args: Vec<Type>) -> Type {
        self.resolve(Called { part, name, target: None, args })
    }

    fn method(&mut self, part: u64, name: &str, target: Type, args: Vec<Type>) -> Type {
        self.resolve(Called { part, name, target: Some(target), args })
    }

    /// Upstream asks the optional whether it has a value, and then for it: what is wrong with it is told twice.
    fn of_optional(
        &mut self,
        part: u64,
        target: &'e IdedExpr,
        [variable, body]: [&'e IdedExpr; 2],
        is_wrapped: bool,
    ) -> Type {
        let begin = self.told.mark();
        let of = self.ty(target);
        let end = self.told.mark();
        let has = self.method(part, "hasValue", of.clone(), Vec::new());
        self.told.again(begin, end);
        let value = self.method(part, "value", of, Vec::new());
        let made = self.within(&[(variable, value)], body);
        let mut made = self.bindings.known(&made);
        if is_wrapped {
            made = self.function(part, "optional.of", vec![made]);
        }
        let none = self.function(part, "optional.none", Vec::new());
        self.function(part, "_?_:_", vec![has, made, none])
    }

    /// A list that is sorted by other values, of which a list is made first.
    fn sorted(
        &mut self,
        part: u64,
        target: &'e IdedExpr,
        variable: &'e IdedExpr,
        by: &'e IdedExpr,
    ) -> Type {
        let list = self.ty(target);
        let (item, _) = self.items(part, &list, false);
        let begun = Type::list(self.bindings.fresh());
        let key = self.within(&[(variable, item)], by);
        let keys = self.grown(part, &begun, key);
        self.expect(part, &begun, &keys);
        let keys = self.bindings.known(&begun);
        self.method(part, "@sortByAssociatedKeys", list, vec![keys])
    }

    /// A list with one more item.
    fn grown(&mut self, part: u64, list: &Type, item: Type) -> Type {
        self.function(part, "_+_", vec![list.clone(), Type::list(item)])
    }

    /// Loops over indexes and items, or keys and values, that ask a question.
    fn quantified(
        &mut self,
        part: u64,
        name: &str,
        target: &'e IdedExpr,
        [first, second, body]: [&'e IdedExpr; 3],
    ) -> Type {
        let range = self.ty(target);
        let (key, value) = self.items(target.id, &range, true);
        let found = self.within(&[(first, key), (second, value)], body);
        if matches!(name, "all" | "exists") {
            let step = self.logic(&[part, body.id], &[Type::Bool, found]);
            self.expect(part, &Type::Bool, &step);
        } else {
            let step = self.function(part, "_?_:_", vec![found, Type::Int, Type::Int]);
            self.expect(part, &Type::Int, &step);
        }
        Type::Bool
    }

    /// Such loops that make a list or a map, of what meets a condition if there is one.
    fn transformed(
        &mut self,
        part: u64,
        name: &str,
        target: &'e IdedExpr,
        [first, second]: [&'e IdedExpr; 2],
        rest: &'e [IdedExpr],
    ) -> Type {
        let range = self.ty(target);
        let mut fresh = || self.bindings.fresh();
        let begun = match name {
            "transformList" => Type::list(fresh()),
            _ => Type::map(fresh(), fresh()),
        };
        let (key, value) = self.items(target.id, &range, true);
        let variables = [(first, key.clone()), (second, value)];
        let found: Vec<Type> = rest.iter().map(|part| self.within(&variables, part)).collect();
        let made = found.last().cloned().unwrap_or(Type::Error);
        let mut step = match name {
            "transformList" => self.grown(part, &begun, made),
            "transformMap" => self.function(part, "cel.@mapInsert", vec![begun.clone(), key, made]),
            _ => self.function(part, "cel.@mapInsert", vec![begun.clone(), made]),
        };
        if let [condition, _] = found.as_slice() {
            let args = vec![condition.clone(), step, begun.clone()];
            step = self.function(part, "_?_:_", args);
        }
        self.expect(part, &begun, &step);
        self.bindings.known(&begun)
    }
}
