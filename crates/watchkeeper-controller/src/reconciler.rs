//! The function that brings one object to what it shall be.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use crate::action::Action;
use crate::context::Context;
use crate::failure::Failure;
use crate::request::Request;

/// What a reconcile answers.
pub type Outcome = Result<Action, Failure>;

/// The future of an erased reconcile.
pub type Reconciling<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// A reconcile function whatever its type and state: the seam for wrappers.
pub trait Reconciler: Send + Sync + 'static {
    /// Brings the object to what it shall be.
    fn reconcile(&self, request: Request, context: Context) -> Reconciling<'_>;
}

/// A function of a lent state whose future may move between threads.
///
/// Implemented for every fitting function and async closure; it stands beside
/// `AsyncFn(&S, Request, Context) -> Result<Action, Failure>` in bounds, because `AsyncFn` alone
/// cannot promise that the future is `Send`. Write `async |state, request, ctx| …`, not
/// `|state, request, ctx| async move { … }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the reconcile function of a controller with state `{S}`",
    note = "write `.with(state).reconcile(async |state, request, ctx| {{ … Ok(Action::done()) }})`"
)]
pub trait ReconcileFn<'a, S: 'a>:
    Fn(&'a S, Request, Context) -> <Self as ReconcileFn<'a, S>>::Future
{
    /// What the function returns.
    type Future: Future<Output = Outcome> + Send + 'a;
}

impl<'a, S: 'a, F, Fut> ReconcileFn<'a, S> for F
where
    F: Fn(&'a S, Request, Context) -> Fut,
    Fut: Future<Output = Outcome> + Send + 'a,
{
    type Future = Fut;
}

/// A function that captures nothing, and whose future may move between threads.
///
/// The form of [`ReconcileFn`] for a controller without state. What a function uses from outside is
/// lent to it by [`ControllerBuilder::with`](crate::ControllerBuilder::with). The line with this
/// bound, and what is remarked beside it, is what the compiler shows to those who forgot.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the reconcile function of a controller without state",
    note = "write `.reconcile(async |request, ctx| {{ … Ok(Action::done()) }})`",
    note = "what it uses from outside is lent to it: `.with(state).reconcile(async |state, request, ctx| …)`"
)]
pub trait CapturesNothing:
    Fn(Request, Context) -> <Self as CapturesNothing>::Future + 'static
{
    /// What the function returns.
    type Future: Future<Output = Outcome> + Send + 'static;
}

impl<F, Fut> CapturesNothing for F
where
    F: Fn(Request, Context) -> Fut + 'static,
    Fut: Future<Output = Outcome> + Send + 'static,
{
    type Future = Fut;
}

/// A state and the function it is lent to.
pub(crate) struct Stateful<S, F> {
    pub(crate) state: S,
    pub(crate) function: F,
}

impl<S, F> Reconciler for Stateful<S, F>
where
    S: Send + Sync + 'static,
    F: for<'a> ReconcileFn<'a, S> + Send + Sync + 'static,
{
    fn reconcile(&self, request: Request, context: Context) -> Reconciling<'_> {
        Box::pin((self.function)(&self.state, request, context))
    }
}

/// A function that needs no state.
pub(crate) struct Stateless<F>(pub(crate) F);

impl<F: CapturesNothing + Send + Sync> Reconciler for Stateless<F> {
    fn reconcile(&self, request: Request, context: Context) -> Reconciling<'_> {
        Box::pin((self.0)(request, context))
    }
}

impl fmt::Debug for dyn Reconciler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reconciler")
    }
}
