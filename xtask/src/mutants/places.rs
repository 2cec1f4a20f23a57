//! Where in a file a mutant can be put behind a switch.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ReturnType, Type};

use super::mutant::Kind;
use crate::Outcome;

/// A place that can be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// What a switch stands around: all that is parsed together with what is replaced. For a body and an arm
    /// only where the switch goes.
    pub(super) whole: Range<usize>,
    pub(super) holds: Holds,
}

/// Whether a place can hold a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Switch,
    /// A constant has no switch, and what is some `impl` has one type.
    Nothing,
    /// What binds names can be neither left out nor be one of two.
    Let,
}

/// All places of a file, by what is replaced and where that begins.
#[derive(Debug, Default)]
pub(super) struct Places {
    places: BTreeMap<(Kind, usize), Place>,
    /// The word `const` of functions, which cannot ask for a switch, but of those that constants call.
    pub(super) consts: Vec<Range<usize>>,
    /// Inside of so many constants.
    constants: usize,
    /// What constants call.
    called: BTreeSet<String>,
    /// Constant functions; the last ones are those around.
    functions: Vec<ConstFn>,
    around: Vec<usize>,
}

/// A function that constants may call.
#[derive(Debug)]
struct ConstFn {
    name: String,
    word: Range<usize>,
    block: Range<usize>,
    calls: BTreeSet<String>,
}

impl Places {
    /// # Errors
    /// When it is no Rust.
    pub(super) fn of(text: &str) -> Outcome<Self> {
        let file = syn::parse_file(text).map_err(|e| format!("cannot parse: {e}"))?;
        let mut places = Self::default();
        places.visit_file(&file);
        places.keep_called();
        Ok(places)
    }

    /// What constants call, and what that calls, stays constant, and has no switch; as far as this file tells.
    fn keep_called(&mut self) {
        let mut before = None;
        while before != Some(self.called.len()) {
            before = Some(self.called.len());
            let kept =
                self.functions.iter().filter(|function| self.called.contains(&function.name));
            let calls: Vec<_> = kept.flat_map(|function| function.calls.clone()).collect();
            self.called.extend(calls);
        }
        for function in std::mem::take(&mut self.functions) {
            if !self.called.contains(&function.name) {
                self.consts.push(function.word);
                continue;
            }
            let within = |at: usize| function.block.contains(&at);
            let inner = self.places.iter_mut().filter(|((_, start), _)| within(*start));
            inner.for_each(|(_, place)| place.holds = Holds::Nothing);
        }
    }

    /// Notes what is called by name.
    fn call(&mut self, name: &syn::Ident) {
        let name = name.to_string();
        if self.constants > 0 {
            self.called.insert(name.clone());
        }
        for function in &self.around {
            self.functions[*function].calls.insert(name.clone());
        }
    }

    /// Visits a function.
    fn within(
        &mut self,
        signature: &syn::Signature,
        block: &syn::Block,
        visit: impl FnOnce(&mut Self),
    ) {
        self.function(signature, block);
        let Some(word) = signature.constness.map(|word| word.span.byte_range()) else {
            return visit(self);
        };
        let (name, block) = (signature.ident.to_string(), block.span().byte_range());
        self.around.push(self.functions.len());
        self.functions.push(ConstFn { name, word, block, calls: BTreeSet::new() });
        visit(self);
        self.around.pop();
    }

    pub(super) fn get(&self, kind: Kind, start: usize) -> Option<&Place> {
        self.places.get(&(kind, start))
    }

    fn add(&mut self, kind: Kind, start: usize, whole: Range<usize>, holds: Holds) {
        let holds = if self.constants > 0 { Holds::Nothing } else { holds };
        self.places.insert((kind, start), Place { whole, holds });
    }

    fn constant(&mut self, visit: impl FnOnce(&mut Self)) {
        self.constants += 1;
        visit(self);
        self.constants -= 1;
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let Some(first) = block.stmts.first() else { return };
        let start = first.span().byte_range().start;
        let holds = if is_some_impl(&signature.output) { Holds::Nothing } else { Holds::Switch };
        self.add(Kind::Body, start, start..start, holds);
    }

    /// An operator, as part of what is parsed with it. A change to another operator of its rank, or to one that
    /// binds tighter, is no change of what is around.
    fn binary(&mut self, expr: &ExprBinary, above: Option<&(Rank, Place)>) {
        let rank = rank(&expr.op);
        let place = match above {
            Some((above, place)) if *above == rank && rank != Rank::Assignment => place.clone(),
            _ => {
                let holds = if has_let(expr) { Holds::Let } else { Holds::Switch };
                Place { whole: expr.span().byte_range(), holds }
            }
        };
        let start = expr.op.span().byte_range().start;
        self.add(Kind::Binary, start, place.whole.clone(), place.holds);
        let above = (rank, place);
        for side in [&*expr.left, &*expr.right] {
            match side {
                Expr::Binary(side) => self.binary(side, Some(&above)),
                side => self.visit_expr(side),
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rank {
    Assignment,
    /// `&&` and `||`.
    Lazy,
    Other,
}

const fn rank(op: &BinOp) -> Rank {
    match op {
        BinOp::And(_) | BinOp::Or(_) => Rank::Lazy,
        BinOp::AddAssign(_)
        | BinOp::SubAssign(_)
        | BinOp::MulAssign(_)
        | BinOp::DivAssign(_)
        | BinOp::RemAssign(_)
        | BinOp::BitXorAssign(_)
        | BinOp::BitAndAssign(_)
        | BinOp::BitOrAssign(_)
        | BinOp::ShlAssign(_)
        | BinOp::ShrAssign(_) => Rank::Assignment,
        _ => Rank::Other,
    }
}

/// Whether names are bound in a chain of conditions.
fn has_let(expr: &ExprBinary) -> bool {
    rank(&expr.op) == Rank::Lazy && (binds(&expr.left) || binds(&expr.right))
}

fn binds(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(expr) => has_let(expr),
        _ => false,
    }
}

fn is_some_impl(output: &ReturnType) -> bool {
    struct Impl(bool);
    impl<'ast> Visit<'ast> for Impl {
        fn visit_type_impl_trait(&mut self, _some: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut found = Impl(false);
    match output {
        ReturnType::Default => {}
        ReturnType::Type(_, output) => found.visit_type(output),
    }
    found.0
}

impl<'ast> Visit<'ast> for Places {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.within(&function.sig, &function.block, |places| {
            visit::visit_item_fn(places, function);
        });
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.within(&function.sig, &function.block, |places| {
            visit::visit_impl_item_fn(places, function);
        });
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
        {
            self.call(&last.ident);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.call(&call.method);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.function(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_expr_binary(&mut self, expr: &'ast ExprBinary) {
        self.binary(expr, None);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let whole = expr.span().byte_range();
        self.add(Kind::Unary, whole.start, whole, Holds::Switch);
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_struct(&mut self, expr: &'ast syn::ExprStruct) {
        for field in &expr.fields {
            let start = field.span().byte_range().start;
            self.add(Kind::Field, start, expr.span().byte_range(), Holds::Switch);
        }
        visit::visit_expr_struct(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let pattern = arm.pat.span().byte_range();
        let start = arm.span().byte_range().start;
        self.add(Kind::Arm, start, pattern.end..pattern.end, Holds::Switch);
        if let Some((_, guard)) = &arm.guard {
            let whole = guard.span().byte_range();
            let holds = if binds(guard) { Holds::Let } else { Holds::Switch };
            self.add(Kind::Guard, whole.start, whole, holds);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(|places| visit::visit_item_const(places, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(|places| visit::visit_impl_item_const(places, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.constant(|places| visit::visit_trait_item_const(places, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(|places| visit::visit_item_static(places, item));
    }

    fn visit_expr_const(&mut self, expr: &'ast syn::ExprConst) {
        self.constant(|places| visit::visit_expr_const(places, expr));
    }

    fn visit_expr_repeat(&mut self, expr: &'ast syn::ExprRepeat) {
        self.visit_expr(&expr.expr);
        self.constant(|places| places.visit_expr(&expr.len));
    }

    fn visit_type(&mut self, of: &'ast Type) {
        self.constant(|places| visit::visit_type(places, of));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.constant(|places| visit::visit_variant(places, variant));
    }
}
