//! Who judges writes.

use std::future::Future;
use std::marker::PhantomData;

use watchkeeper_api::Object;
use watchkeeper_api::json::ReadError;

use super::{Admission, Refusal, Review, Reviewed};

/// Judges writes, after all that changes them. Upstream: `admission.Validator`.
///
/// What it tells with [`Review::warn`] is told whether the write is refused or not.
///
/// ```
/// use watchkeeper_api::apps::v1::Deployment;
/// use watchkeeper_manager::webhook::{FieldError, Refusal, Review, Validator};
///
/// struct Bounds;
///
/// impl Validator<Deployment> for Bounds {
///     async fn validate_create(&self, web: &Deployment, review: &Review) -> Result<(), Refusal> {
///         if web.spec.replicas == Some(0) {
///             review.warn("nobody will answer");
///         }
///         Ok(())
///     }
///
///     async fn validate_update(
///         &self,
///         old: &Deployment,
///         new: &Deployment,
///         _: &Review,
///     ) -> Result<(), Refusal> {
///         if old.spec.replicas > new.spec.replicas {
///             let fewer = FieldError::forbidden("spec.replicas", "there can only be more");
///             return Err(Refusal::invalid(new, [fewer]));
///         }
///         Ok(())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not judge writes of `{K}`",
    note = "write `impl Validator<{K}> for …`, or `validating(|object: &{K}, review| …)`"
)]
pub trait Validator<K: Sync>: Send + Sync + 'static {
    /// Judges a creation.
    ///
    /// # Errors
    /// Who writes is told them; nothing is stored.
    fn validate_create(
        &self,
        object: &K,
        review: &Review,
    ) -> impl Future<Output = Result<(), Refusal>> + Send;

    /// Judges an update. Unless said otherwise, the new object is judged as if it were created.
    ///
    /// # Errors
    /// Who writes is told them; nothing is stored.
    fn validate_update(
        &self,
        old: &K,
        new: &K,
        review: &Review,
    ) -> impl Future<Output = Result<(), Refusal>> + Send {
        let _ = old;
        self.validate_create(new, review)
    }

    /// Judges a deletion, if the webhook is configured to be asked. Unless said otherwise, it may be.
    ///
    /// # Errors
    /// Who deletes is told them; nothing is deleted.
    fn validate_delete(
        &self,
        object: &K,
        review: &Review,
    ) -> impl Future<Output = Result<(), Refusal>> + Send {
        let _ = (object, review);
        async { Ok(()) }
    }
}

/// A [`Validator`] of what is to be stored, by a creation or by an update, that need not wait.
///
/// ```
/// use watchkeeper_api::apps::v1::Deployment;
/// use watchkeeper_manager::webhook::{Refusal, Webhooks, validating};
///
/// let webhooks = Webhooks::new().validator(validating(|web: &Deployment, _review| {
///     match web.spec.replicas {
///         Some(9..) => Err(Refusal::denied("so many are not needed")),
///         _ => Ok(()),
///     }
/// }));
/// # drop(webhooks);
/// ```
pub fn validating<K, F>(judge: F) -> impl Validator<K>
where
    K: Sync + 'static,
    F: Fn(&K, &Review) -> Result<(), Refusal> + Send + Sync + 'static,
{
    Validating(judge, PhantomData)
}

struct Validating<K, F>(F, PhantomData<fn(&K)>);

impl<K, F> Validator<K> for Validating<K, F>
where
    K: Sync + 'static,
    F: Fn(&K, &Review) -> Result<(), Refusal> + Send + Sync + 'static,
{
    async fn validate_create(&self, object: &K, review: &Review) -> Result<(), Refusal> {
        (self.0)(object, review)
    }
}

/// A validator in the terms of the wire: for a path of one's own, or [beside](super::both) another one.
pub fn by_validator<K: Object, V: Validator<K>>(validator: V) -> impl Admission {
    Judges(validator, PhantomData)
}

struct Judges<K, V>(V, PhantomData<fn(&K)>);

impl<K: Object, V: Validator<K>> Judges<K, V> {
    async fn judge(&self, review: &Review) -> Result<Result<(), Refusal>, ReadError> {
        let Self(validator, _) = self;
        Ok(match &*review.operation {
            "CREATE" => validator.validate_create(&review.new_object()?, review).await,
            "UPDATE" => {
                let (old, new) = (review.stored_object()?, review.new_object()?);
                validator.validate_update(&old, &new, review).await
            }
            "DELETE" => validator.validate_delete(&review.stored_object()?, review).await,
            "CONNECT" => Ok(()),
            other => Err(Refusal::bad_request(format!("unknown operation {other:?}"))),
        })
    }
}

impl<K: Object, V: Validator<K>> Admission for Judges<K, V> {
    async fn admit(&self, review: &Review) -> Reviewed {
        match self.judge(review).await {
            Ok(Ok(())) => Reviewed::allowed(),
            Ok(Err(refusal)) => refusal.into(),
            Err(error) => Reviewed::errored(400, error.to_string()),
        }
    }
}
