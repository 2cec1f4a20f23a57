//! What a rule may cost at most, before it runs: servers refuse what may cost too much
//! (cel-go, `checker/cost.go`; apiserver, `pkg/cel/library/cost.go`).

use kube_cel::cel::IdedExpr;
use kube_cel::cel::common::ast::{
    CallExpr, ComprehensionExpr, EntryExpr, Expr, ListExpr, LiteralValue, MapExpr, SelectExpr,
};

use super::calls;
use super::types::{Checker, Scope, Ty};
use crate::interpreter::cost;
use crate::interpreter::parse::parts;
use crate::node::Schema;
use declared::{Declared, Step};
use device::Device;
use range::Range;

mod declared;
mod device;
mod functions;
mod range;
mod written;

#[cfg(test)]
mod tests;

pub(super) use declared::Sizes;

/// How often a value may be in a request that is so large at least.
pub(super) fn times_in_a_request(schema: &Schema, sizes: &Sizes) -> u64 {
    declared::REQUEST / (sizes.least_bytes(schema) + 1)
}

/// What an expression that was found right costs at most.
pub(super) fn most(
    expression: &IdedExpr,
    scope: &Scope<'_>,
    of: (&Schema, bool),
    sizes: &Sizes,
) -> u64 {
    let root = Declared::Schema(of.0, of.0.embedded_resource || of.1);
    Estimate::new(expression, scope, root, sizes).node(expression).cost.most
}

/// The same of a selector of devices.
pub(crate) fn most_of_selector(expression: &IdedExpr) -> u64 {
    let scope = Scope::of_device(device::schema());
    let (root, sizes) = (Declared::Device(Device::Whole), Sizes::default());
    Estimate::new(expression, &scope, root, &sizes).node(expression).cost.most
}

/// Where a value comes from: a variable, and the steps from it. Empty if that is not known.
type Path = Vec<Step>;

/// How large the keys and the values of a list or a map may be.
#[derive(Clone, Copy, Debug)]
struct Entry {
    is_list: bool,
    key: Range,
    value: Range,
}

impl Entry {
    fn or(self, other: Self) -> Self {
        let (key, value) = (self.key.or(other.key), self.value.or(other.value));
        Self { key, value, ..self }
    }
}

/// What is known of an expression.
#[derive(Clone, Debug)]
struct Node<'a> {
    ty: Ty<'a>,
    path: Path,
    size: Option<Range>,
    entry: Option<Entry>,
    cost: Range,
    /// What it is, if that is written out.
    number: Option<u64>,
    /// Whether it is a value of servers' own types, which are compared at once.
    small: bool,
}

impl Node<'_> {
    fn sized(&self) -> Range {
        self.size.unwrap_or(Range::UNKNOWN)
    }
}

struct Local<'a> {
    name: String,
    ty: Ty<'a>,
    path: Path,
    size: Option<Range>,
    entry: Option<Entry>,
}

struct Estimate<'a, 's> {
    checker: Checker<'a>,
    locals: Vec<Local<'a>>,
    root: Declared<'a>,
    sizes: &'s Sizes,
    /// How many parts are still looked at.
    left: usize,
}

/// How many parts are looked at: so many, and so many for each part of an expression as it is written. Calls that
/// stand for others may have more in them than anybody would wait for, and cost more than they may.
const PARTS: usize = 20_000;
const PARTS_PER_PART: usize = 64;

/// How many parts an expression has as it is written.
fn size(expression: &IdedExpr) -> usize {
    let (mut rest, mut count) = (vec![expression], 0_usize);
    while let Some(part) = rest.pop() {
        count += 1;
        parts(part, |part| rest.push(part));
    }
    count
}

const CALL: Range = Range::of(cost::CALL);
const SELECT: Range = Range::of(cost::SELECT);
const NEW_LIST: Range = Range::of(cost::NEW_LIST);
const NEW_MAP: Range = Range::of(cost::NEW_MAP);

impl<'a, 's> Estimate<'a, 's> {
    fn new(expression: &IdedExpr, scope: &Scope<'a>, root: Declared<'a>, sizes: &'s Sizes) -> Self {
        let left = PARTS.saturating_add(size(expression).saturating_mul(PARTS_PER_PART));
        Self { checker: Checker::silent(scope), locals: Vec::new(), root, sizes, left }
    }
}

impl<'a> Estimate<'a, '_> {
    fn node(&mut self, expression: &IdedExpr) -> Node<'a> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return self.made(Ty::Any, Vec::new(), Range::of(u64::MAX));
        }
        match &expression.expr {
            Expr::Literal(literal) => self.literal(literal, &expression.expr),
            Expr::Ident(name) => self.name(name),
            Expr::Select(select) => self.select(select),
            Expr::Call(call) => self.call(call),
            Expr::Comprehension(of) => self.comprehension(of),
            Expr::List(list) => self.list(list),
            Expr::Map(map) => self.map(map),
            Expr::Struct(_) | Expr::Unspecified => self.made(Ty::Any, Vec::new(), Range::of(0)),
        }
    }

    /// A node of a type that comes from somewhere.
    fn made(&self, ty: Ty<'a>, path: Path, cost: Range) -> Node<'a> {
        let found = self.found(&path);
        let size = self.declared(&path).or_else(|| is_scalar(&ty).then_some(Range::of(1)));
        let small = matches!(found, Some(Declared::Device(Device::Amount)));
        Node { ty, path, size, entry: None, cost, number: None, small }
    }

    /// What is declared of what is at a path. The first step counts for nothing, also where it is no variable.
    fn found(&self, path: &[Step]) -> Option<Declared<'a>> {
        let (_, steps) = path.split_first()?;
        steps.iter().try_fold(self.root, |of, step| of.inner(step))
    }

    /// What is declared of its size.
    fn declared(&self, path: &[Step]) -> Option<Range> {
        self.found(path).map(|found| Range::up_to(self.sizes.most(found)))
    }

    fn literal(&mut self, literal: &LiteralValue, expression: &Expr) -> Node<'a> {
        let (size, number) = match literal {
            LiteralValue::String(text) => (text.inner().chars().count() as u64, None),
            LiteralValue::Bytes(bytes) => (bytes.inner().len() as u64, None),
            LiteralValue::Int(number) => (1, u64::try_from(*number.inner()).ok()),
            _ => (1, None),
        };
        let ty = self.checker.ty(expression);
        let node = self.made(ty, Vec::new(), Range::of(0));
        Node { size: Some(Range::of(size)), number, ..node }
    }

    fn name(&mut self, name: &str) -> Node<'a> {
        let known = self.locals.iter().rev().find(|local| local.name == name);
        let Some(local) = known else {
            let ty = self.checker.ty(&Expr::Ident(name.to_owned()));
            return self.made(ty, vec![Step::Name(name.to_owned())], SELECT);
        };
        let (size, entry) = (local.size, local.entry);
        let node = self.made(local.ty.clone(), local.path.clone(), SELECT);
        Node { size: node.size.or(size), entry, ..node }
    }

    fn select(&mut self, select: &SelectExpr) -> Node<'a> {
        let of = self.node(&select.operand);
        if select.test {
            return self.made(Ty::Bool, Vec::new(), of.cost);
        }
        let ty = self.checker.member(&of.ty, &select.field);
        let has_members = matches!(of.ty, Ty::Map(_) | Ty::Object(..));
        let cost = if has_members { of.cost.plus(SELECT) } else { of.cost };
        let mut path = of.path;
        path.push(Step::Name(select.field.clone()));
        self.made(ty, path, cost)
    }

    fn list(&mut self, list: &ListExpr) -> Node<'a> {
        let items: Vec<Node<'a>> = list.elements.iter().map(|item| self.node(item)).collect();
        let ty = items.first().map_or(Ty::Any, |first| first.ty.clone());
        let entry = Entry { is_list: true, key: Range::of(1), value: joined(&items) };
        let node = self.made(Ty::List(Box::new(ty)), Vec::new(), sum(&items).plus(NEW_LIST));
        Node { size: Some(Range::of(items.len() as u64)), entry: Some(entry), ..node }
    }

    fn map(&mut self, map: &MapExpr) -> Node<'a> {
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for entry in &map.entries {
            if let EntryExpr::MapEntry(entry) = &entry.expr {
                keys.push(self.node(&entry.key));
                values.push(self.node(&entry.value));
            }
        }
        let ty = values.first().map_or(Ty::Any, |first| first.ty.clone());
        let entry = Entry { is_list: false, key: joined(&keys), value: joined(&values) };
        let cost = sum(&keys).plus(sum(&values)).plus(NEW_MAP);
        let node = self.made(Ty::Map(Box::new(ty)), Vec::new(), cost);
        Node { size: Some(Range::of(keys.len() as u64)), entry: Some(entry), ..node }
    }

    fn call(&mut self, call: &CallExpr) -> Node<'a> {
        if let Some(expression) = written::out(call) {
            return self.node(&expression);
        }
        let (name, space) = (call.func_name.as_str(), self.checker.space(call));
        match (name, space, call.args.as_slice()) {
            ("bind", _, [variable, value, body]) if written::is_bind(call) => {
                return self.bind(variable, value, body);
            }
            ("_?._", _, [of, field]) => return self.maybe(of, field),
            ("dyn", None, [value]) if call.target.is_none() => {
                let of = self.node(value);
                let node = self.made(Ty::Any, Vec::new(), of.cost.plus(CALL));
                return Node { size: of.size, entry: of.entry, ..node };
            }
            _ => {}
        }
        let target = call.target.as_deref().filter(|_| space.is_none());
        let args: Vec<Node<'a>> = call.args.iter().map(|arg| self.node(arg)).collect();
        let target = target.map(|target| self.node(target));
        self.called(name, space, target.as_ref(), &args)
    }

    fn called(
        &mut self,
        name: &str,
        space: Option<&str>,
        target: Option<&Node<'a>>,
        args: &[Node<'a>],
    ) -> Node<'a> {
        let types: Vec<Ty<'a>> = args.iter().map(|arg| arg.ty.clone()).collect();
        let of = target.map(|target| &target.ty);
        let ty = match (name, of) {
            ("@sorted", Some(of)) => of.clone(),
            _ => calls::result(&mut self.checker, name, space, of, &types),
        };
        let told = functions::Call { name, space, target, args };
        let estimate = told.estimate(&|path| self.declared(path));
        let target_cost = target.map_or(Range::of(0), |target| target.cost);
        let path = path_of_item(name, args);
        let node = self.made(ty, path, target_cost.plus(estimate.cost));
        Node {
            size: estimate.size.or(node.size),
            entry: estimate.entry,
            small: functions::is_small(name, space) || node.small,
            ..node
        }
    }

    /// A member that may be missing.
    fn maybe(&mut self, of: &IdedExpr, field: &IdedExpr) -> Node<'a> {
        let of = self.node(of);
        let member = match &field.expr {
            Expr::Literal(LiteralValue::String(field)) => {
                self.checker.member(&of.ty, field.inner())
            }
            _ => Ty::Any,
        };
        let ty = match member {
            Ty::Optional(_) => member,
            member => Ty::Optional(Box::new(member)),
        };
        self.made(ty, Vec::new(), of.cost.plus(CALL))
    }

    fn bind(&mut self, variable: &IdedExpr, value: &IdedExpr, body: &IdedExpr) -> Node<'a> {
        let value = self.node(value);
        let cost = NEW_LIST.plus(value.cost);
        let Expr::Ident(name) = &variable.expr else { return value };
        self.push(name, value.ty, value.path, (value.size, value.entry));
        let body = self.node(body);
        self.locals.pop();
        let node = self.made(body.ty, Vec::new(), cost.plus(body.cost));
        Node { size: body.size, entry: body.entry, ..node }
    }

    fn push(
        &mut self,
        name: &str,
        ty: Ty<'a>,
        path: Path,
        (size, entry): (Option<Range>, Option<Entry>),
    ) {
        self.locals.push(Local { name: name.to_owned(), ty, path, size, entry });
    }

    fn comprehension(&mut self, of: &ComprehensionExpr) -> Node<'a> {
        let range = self.node(&of.iter_range);
        let begun = self.node(&of.accu_init);
        let known = self.locals.len();
        self.push(&of.accu_var, begun.ty.clone(), begun.path.clone(), (begun.size, begun.entry));
        self.iterate(of, &range);
        let round = self.node(&of.loop_cond).cost;
        let step = self.node(&of.loop_step);
        self.locals.truncate(known + 1);
        if let Some(accumulator) = self.locals.last_mut() {
            accumulator.ty = step.ty.clone();
        }
        let result = self.node(&of.result);
        self.locals.truncate(known);
        let rounds = range.sized().times(step.cost.plus(round));
        let cost = range.cost.plus(begun.cost).plus(result.cost).plus(rounds);
        let node = self.made(result.ty, Vec::new(), cost);
        match &of.accu_init.expr {
            Expr::Literal(_) => Node { size: begun.size, ..node },
            Expr::List(_) | Expr::Map(_) => {
                Node { size: Some(range.sized()), entry: step.entry, ..node }
            }
            _ => node,
        }
    }

    /// The variables of a loop.
    fn iterate(&mut self, of: &ComprehensionExpr, range: &Node<'a>) {
        let is_list = range.entry.map_or(matches!(range.ty, Ty::List(_)), |entry| entry.is_list);
        let inner = match &range.ty {
            Ty::List(inner) | Ty::Map(inner) => (**inner).clone(),
            _ => Ty::Any,
        };
        let at = |step: Step| range.path.iter().cloned().chain([step]).collect::<Path>();
        let (key, value) = (range.entry.map(|of| of.key), range.entry.map(|of| of.value));
        let keys = match range.ty {
            Ty::Map(_) => Ty::Text,
            Ty::List(_) => Ty::Int,
            _ => Ty::Any,
        };
        let values = at(if is_list { Step::Items } else { Step::Values });
        match &of.iter_var2 {
            Some(second) => {
                let index = if is_list { Step::Indices } else { Step::Keys };
                self.push(&of.iter_var, keys, at(index), (key, None));
                self.push(second, inner, values, (value, None));
            }
            None if is_list => self.push(&of.iter_var, inner, values, (value, None)),
            None => self.push(&of.iter_var, keys, at(Step::Keys), (key, None)),
        }
    }
}

/// Where an item of a list or a map comes from.
fn path_of_item(name: &str, args: &[Node<'_>]) -> Path {
    let ("_[_]", [of, _]) = (name, args) else { return Vec::new() };
    let step = if matches!(of.ty, Ty::List(_)) { Step::Items } else { Step::Values };
    of.path.iter().cloned().chain([step]).collect()
}

fn sum(nodes: &[Node<'_>]) -> Range {
    nodes.iter().fold(Range::of(0), |sum, node| sum.plus(node.cost))
}

/// The sizes of several; of none it is 0.
fn joined(nodes: &[Node<'_>]) -> Range {
    let none = if nodes.is_empty() { Range::of(0) } else { Range::NOTHING };
    nodes.iter().fold(none, |joined, node| joined.or(node.sized()))
}

fn is_scalar(ty: &Ty<'_>) -> bool {
    match ty {
        Ty::Bool | Ty::Double | Ty::Int | Ty::Uint | Ty::Moment | Ty::Span => true,
        Ty::Optional(inner) => is_scalar(inner),
        _ => false,
    }
}
