//! Calls that name variables, written out as upstream's macros do: what they cost is what that costs
//! (cel-go, `cel/library.go`, `ext/comprehensions.go`).

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{
    CallExpr, ComprehensionExpr, Expr, ListExpr, LiteralValue, MapExpr,
};
use kube_cel::cel::common::types::{CelBool, CelInt};

use crate::interpreter::macros;

/// What takes up what a loop makes.
const MADE: &str = "@result";

/// A call as it is written out; none for one that names no variables, and for `cel.bind`.
pub(super) fn out(call: &CallExpr) -> Option<IdedExpr> {
    let target = call.target.as_deref()?;
    let count = macros::variables_of(call);
    match (call.func_name.as_str(), call.args.as_slice(), count) {
        (_, _, 0) | ("bind", ..) => None,
        (name @ ("optMap" | "optFlatMap"), [variable, body], _) => {
            Some(of_optional(target, variable, body, name == "optMap"))
        }
        ("sortBy", [variable, by], _) => Some(sorted(target, variable, by)),
        (name, [first, second, rest @ ..], 2) => loops(name, target, [first, second], rest),
        _ => None,
    }
}

/// Whether it is `cel.bind`.
pub(super) fn is_bind(call: &CallExpr) -> bool {
    let space = call.target.as_deref().map(|target| &target.expr);
    matches!(space, Some(Expr::Ident(space)) if space == "cel")
}

fn expression(expr: Expr) -> IdedExpr {
    IdedExpr { id: 0, expr }
}

fn ident(name: &str) -> IdedExpr {
    expression(Expr::Ident(name.to_owned()))
}

fn truth(value: bool) -> IdedExpr {
    expression(Expr::Literal(LiteralValue::Boolean(CelBool::from(value))))
}

fn number(value: i64) -> IdedExpr {
    expression(Expr::Literal(LiteralValue::Int(CelInt::from(value))))
}

fn list(elements: Vec<IdedExpr>) -> IdedExpr {
    expression(Expr::List(ListExpr::new(elements)))
}

fn called(name: &str, target: Option<&IdedExpr>, args: Vec<IdedExpr>) -> IdedExpr {
    let target = target.cloned().map(Box::new);
    expression(Expr::Call(CallExpr { func_name: name.to_owned(), target, args }))
}

fn bound(variable: &IdedExpr, value: IdedExpr, body: &IdedExpr) -> IdedExpr {
    called("bind", Some(&ident("cel")), vec![variable.clone(), value, body.clone()])
}

fn of_optional(of: &IdedExpr, variable: &IdedExpr, body: &IdedExpr, is_new: bool) -> IdedExpr {
    let optional = ident("optional");
    let mut made = bound(variable, called("value", Some(of), Vec::new()), body);
    if is_new {
        made = called("of", Some(&optional), vec![made]);
    }
    let none = called("none", Some(&optional), Vec::new());
    called("_?_:_", None, vec![called("hasValue", Some(of), Vec::new()), made, none])
}

/// A list that is sorted by other values: these are made first.
fn sorted(of: &IdedExpr, variable: &IdedExpr, by: &IdedExpr) -> IdedExpr {
    const GIVEN: &str = "@given";
    let grown = called("_+_", None, vec![ident(MADE), list(vec![by.clone()])]);
    let keys = looped([variable, variable], false, &ident(GIVEN), list(Vec::new()), grown);
    let sorted = called("@sorted", Some(&ident(GIVEN)), vec![keys]);
    bound(&ident(GIVEN), of.clone(), &sorted)
}

fn looped(
    [first, second]: [&IdedExpr; 2],
    is_pair: bool,
    range: &IdedExpr,
    begun: IdedExpr,
    step: IdedExpr,
) -> IdedExpr {
    let name = |of: &IdedExpr| match &of.expr {
        Expr::Ident(name) => name.clone(),
        _ => String::new(),
    };
    expression(Expr::Comprehension(Box::new(ComprehensionExpr {
        iter_range: range.clone(),
        iter_var: name(first),
        iter_var2: is_pair.then(|| name(second)),
        accu_var: MADE.to_owned(),
        accu_init: begun,
        loop_cond: truth(true),
        loop_step: step,
        result: ident(MADE),
    })))
}

/// Loops of two variables.
fn loops(
    name: &str,
    range: &IdedExpr,
    variables: [&IdedExpr; 2],
    rest: &[IdedExpr],
) -> Option<IdedExpr> {
    let made = || ident(MADE);
    let (begun, mut step) = match (name, rest.last()?) {
        ("all", body) => (truth(true), called("_&&_", None, vec![made(), body.clone()])),
        ("exists", body) => (truth(false), called("_||_", None, vec![made(), body.clone()])),
        ("existsOne" | "exists_one", body) => {
            let more = called("_+_", None, vec![made(), number(1)]);
            (number(0), called("_?_:_", None, vec![body.clone(), more, made()]))
        }
        ("transformList", body) => {
            (list(Vec::new()), called("_+_", None, vec![made(), list(vec![body.clone()])]))
        }
        ("transformMap" | "transformMapEntry", body) => {
            let map = expression(Expr::Map(MapExpr { entries: Vec::new() }));
            let mut args = vec![made(), body.clone()];
            if name == "transformMap" {
                args.insert(1, variables[0].clone());
            }
            (map, called("@insert", None, args))
        }
        _ => return None,
    };
    if let [condition, _] = rest {
        step = called("_?_:_", None, vec![condition.clone(), step, made()]);
    }
    let mut expression = looped(variables, true, range, begun, step);
    if let (Expr::Comprehension(of), true) = (&mut expression.expr, name.starts_with("exists")) {
        finish(of, name);
    } else if let (Expr::Comprehension(of), "all") = (&mut expression.expr, name) {
        of.loop_cond = called("@not_strictly_false", None, vec![made()]);
    }
    Some(expression)
}

/// How loops end that look for something.
fn finish(of: &mut ComprehensionExpr, name: &str) {
    if name == "exists" {
        let not_yet = called("!_", None, vec![ident(MADE)]);
        of.loop_cond = called("@not_strictly_false", None, vec![not_yet]);
    } else {
        of.result = called("_==_", None, vec![ident(MADE), number(1)]);
    }
}
