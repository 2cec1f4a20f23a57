//! What upstream's parser refuses and ours reads (cel-go, `parser/parser.go` and its macros).

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{CallExpr, Expr};

use super::environment::Environment;
use super::macros::{is_named, name_of};
use super::told::Told;
use crate::interpreter::parse::parts;

/// What is no name of anything.
const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "package",
    "namespace",
    "null",
    "return",
    "true",
    "var",
    "void",
    "while",
];
const NO_NAME: &str = "argument must be a simple name";

/// Looks through an expression and all of its parts.
pub(super) fn look(expression: &IdedExpr, environment: &Environment, told: &mut Told) {
    match &expression.expr {
        Expr::Ident(name) if RESERVED.contains(&name.as_str()) => {
            told.tell(expression.id, format!("reserved identifier: {name}"));
        }
        Expr::Call(call) => variables(call, environment, told),
        _ => {}
    }
    parts(expression, |part| look(part, environment, told));
}

/// The variables that a call names.
fn variables(call: &CallExpr, environment: &Environment, told: &mut Told) {
    let Some(target) = call.target.as_deref() else { return };
    match (call.func_name.as_str(), call.args.as_slice()) {
        (name @ ("optMap" | "optFlatMap"), [variable, _]) => {
            let what = format!("{name}() variable name must be a simple identifier");
            simple(variable, &what, told);
        }
        ("bind", [variable, _, _]) if environment.is_of_devices() && is_named(target, "cel") => {
            let what = "cel.bind() variable names must be simple identifiers";
            simple(variable, what, told);
        }
        ("sortBy", [variable, _]) => match &target.expr {
            Expr::Literal(_) | Expr::Map(_) | Expr::Struct(_) => {
                let what = "sortBy can only be applied to a list, identifier, comprehension, call \
                            or select expression";
                told.tell(target.id, what);
            }
            _ => {
                simple(variable, "argument is not an identifier", told);
            }
        },
        ("all" | "exists" | "existsOne" | "exists_one", [first, second, _])
        | (
            "transformList" | "transformMap" | "transformMapEntry",
            [first, second, _] | [first, second, _, _],
        ) => {
            let are_simple = simple(first, NO_NAME, told) && simple(second, NO_NAME, told);
            if let (true, Some(name)) = (are_simple, name_of(first).filter(|_| same(first, second)))
            {
                told.tell(second.id, format!("duplicate variable name: {name}"));
            }
        }
        _ => {}
    }
}

fn same(first: &IdedExpr, second: &IdedExpr) -> bool {
    name_of(first) == name_of(second)
}

/// Whether it is a name; otherwise that is told.
fn simple(variable: &IdedExpr, what: &str, told: &mut Told) -> bool {
    let is_simple = name_of(variable).is_some();
    if !is_simple {
        told.tell(variable.id, what);
    }
    is_simple
}
