//! Reconcile functions as programs of kube have them, under our controllers.

use std::error::Error as StdError;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::Object;
use watchkeeper_cache::Watch;
use watchkeeper_controller::{self as controller, Context, Failure, Request};

/// When to look again: kube's `Action`, by the names that it has there. (Of kube's own nobody but
/// kube can tell what it says.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "return it from the reconcile function"]
pub struct Action {
    after: Option<Duration>,
}

impl Action {
    /// Look again after `delay`, even if nothing changes.
    pub const fn requeue(delay: Duration) -> Self {
        Self { after: Some(delay) }
    }

    /// Nothing to do until something changes.
    pub const fn await_change() -> Self {
        Self { after: None }
    }
}

/// A reconcile function, an error policy and a context as `kube::runtime::Controller::run` takes
/// them, as the state of a controller of ours.
///
/// The functions stay as they are, but for the import of [`Action`], and for kinds of k8s-openapi,
/// which come as `Arc<Kube<Pod>>` in place of `Arc<Pod>`. What is different around them:
///
/// - An object that is gone is nothing to do, no error.
/// - Each object is read from a cache that has this process's own writes, if they go through our
///   client: `kube::Api` tells the cache nothing.
/// - What the error policy says is what is done: `requeue` after that time, `await_change` not before
///   something changes. A function of ours returns the error alone, and is called later each time.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use k8s_openapi::api::core::v1 as openapi;
/// use watchkeeper_cache::Cache;
/// use watchkeeper_client::Client;
/// use watchkeeper_controller::Controller;
/// use watchkeeper_kube::{Action, Kube, Reconciler};
///
/// type ConfigMap = Kube<openapi::ConfigMap>;
/// struct Shared { kube_client: kube::Client }
///
/// async fn reconcile(map: Arc<ConfigMap>, shared: Arc<Shared>) -> Result<Action, kube::Error> {
///     let namespace = map.metadata.namespace.as_deref().unwrap_or("default");
///     let pods = kube::Api::<openapi::Pod>::namespaced(shared.kube_client.clone(), namespace);
///     println!("{} pods", pods.list(&Default::default()).await?.items.len());
///     Ok(Action::await_change())
/// }
///
/// fn error_policy(_: Arc<ConfigMap>, _: &kube::Error, _: Arc<Shared>) -> Action {
///     Action::requeue(Duration::from_secs(5))
/// }
///
/// fn controller(client: &Client, cache: &Cache, shared: Arc<Shared>) -> Controller {
///     let maps = cache.watch::<ConfigMap>();
///     let reconciler = Reconciler::new(&maps, reconcile, error_policy, shared);
///     Controller::new(client, "counter", &maps).with(reconciler).reconcile(Reconciler::reconcile)
/// }
/// ```
pub struct Reconciler<K: Object, C, F, P> {
    objects: Watch<K>,
    reconcile: F,
    error_policy: P,
    context: Arc<C>,
}

impl<K: Object, C, F, P, Fut, E> Reconciler<K, C, F, P>
where
    F: Fn(Arc<K>, Arc<C>) -> Fut,
    Fut: Future<Output = Result<Action, E>>,
    E: StdError + Send + Sync + 'static,
    P: Fn(Arc<K>, &E, Arc<C>) -> Action,
{
    /// The functions, and the objects that they are called with.
    pub fn new(objects: &Watch<K>, reconcile: F, error_policy: P, context: Arc<C>) -> Self {
        Self { objects: objects.clone(), reconcile, error_policy, context }
    }

    /// What the controller calls: `.with(reconciler).reconcile(Reconciler::reconcile)`.
    ///
    /// # Errors
    /// Those of the reconcile function, with what the error policy says of them; those of the cache.
    ///
    /// # Cancel safety
    /// That of the reconcile function.
    pub async fn reconcile(
        &self,
        request: Request,
        _: Context,
    ) -> Result<controller::Action, Failure> {
        let Some(object) = self.objects.get(&request).await? else {
            return Ok(controller::Action::done());
        };
        match (self.reconcile)(Arc::clone(&object), Arc::clone(&self.context)).await {
            Ok(Action { after: Some(delay) }) => Ok(controller::Action::after(delay)),
            Ok(Action { after: None }) => Ok(controller::Action::done()),
            Err(error) => {
                let asked = (self.error_policy)(object, &error, Arc::clone(&self.context));
                let failure = Failure::new(error);
                Err(match asked.after {
                    Some(delay) => failure.retry_after(delay),
                    None => failure.terminal(),
                })
            }
        }
    }
}

impl<K: Object, C, F, P> fmt::Debug for Reconciler<K, C, F, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reconciler").finish_non_exhaustive()
    }
}
