//! Who is asked about writes, in the terms of the wire.

use std::future::Future;
use std::pin::Pin;

use super::{Review, Reviewed};

/// Answers reviews as they are: for several kinds at one path, for what is not stored (`CONNECT`), for patches of
/// one's own. For one kind, [`Defaulter`](super::Defaulter) and [`Validator`](super::Validator) do the reading and
/// the comparing. Upstream: `admission.Handler`.
///
/// A panic is answered with 500 and its words, and refuses the write. The future is dropped where it is when the
/// one who asks goes, or when the time that the server gave is over.
///
/// ```
/// use watchkeeper_manager::webhook::{Admission, Review, Reviewed};
///
/// /// Lets nobody into a container of what says so.
/// struct NoExec;
///
/// impl Admission for NoExec {
///     async fn admit(&self, review: &Review) -> Reviewed {
///         match (&*review.operation, &*review.sub_resource) {
///             ("CONNECT", "exec") => Reviewed::denied(format!("{} is sealed", review.name)),
///             _ => Reviewed::allowed(),
///         }
///     }
/// }
/// ```
pub trait Admission: Send + Sync + 'static {
    /// Answers one review.
    fn admit(&self, review: &Review) -> impl Future<Output = Reviewed> + Send;
}

/// An [`Admission`] that need not wait.
///
/// ```
/// use watchkeeper_manager::webhook::{Reviewed, Webhooks, admitting};
///
/// let nobody_deletes = admitting(|review| match &*review.operation {
///     "DELETE" => Reviewed::denied("nothing is deleted here"),
///     _ => Reviewed::allowed(),
/// });
/// let webhooks = Webhooks::new().admission("/keep", nobody_deletes);
/// # drop(webhooks);
/// ```
pub fn admitting<F>(answer: F) -> impl Admission
where
    F: Fn(&Review) -> Reviewed + Send + Sync + 'static,
{
    Admitting(answer)
}

struct Admitting<F>(F);

impl<F: Fn(&Review) -> Reviewed + Send + Sync + 'static> Admission for Admitting<F> {
    async fn admit(&self, review: &Review) -> Reviewed {
        (self.0)(review)
    }
}

/// Both at one path, the second where the first allows the write (upstream: `MultiMutatingHandler`,
/// `MultiValidatingHandler`). Each is asked about the object as it was received, so their changes must be about
/// different parts of it. What the first tells is told, too.
pub fn both(first: impl Admission, second: impl Admission) -> impl Admission {
    Both(first, second)
}

struct Both<A, B>(A, B);

impl<A: Admission, B: Admission> Admission for Both<A, B> {
    async fn admit(&self, review: &Review) -> Reviewed {
        let first = self.0.admit(review).await;
        if !first.is_allowed() {
            return first;
        }
        self.1.admit(review).await.after(first)
    }
}

/// The same behind a pointer.
pub(super) trait Answers: Send + Sync {
    fn answer<'a>(&'a self, review: &'a Review) -> Answering<'a>;
}

type Answering<'a> = Pin<Box<dyn Future<Output = Reviewed> + Send + 'a>>;

impl<A: Admission> Answers for A {
    fn answer<'a>(&'a self, review: &'a Review) -> Answering<'a> {
        Box::pin(self.admit(review))
    }
}
