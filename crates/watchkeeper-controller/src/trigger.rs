//! Requests that come from the program itself.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use watchkeeper_api::ObjectKey;

use crate::feed::Feed;

/// Asks controllers to look at objects, from anywhere in the program: a web hook, another controller, a timer.
/// Clones are the same trigger. Controller-runtime's `source.Channel`.
///
/// A request never waits, and is kept, once each, until a reconcile of it begins, or the controller is gone:
/// whether the controller does not run, is just stopping, or stops before it came to it. From there on it is as
/// any other: a reconcile that failed is not tried again after a [stop](crate::ControllerHandle::stop). Of
/// processes that [share](crate::ControllerBuilder::share) the objects only the one whose trigger it is hears
/// of it: it reconciles the object when that is its own, and until then keeps the request.
///
/// ```
/// use std::time::Duration;
///
/// use watchkeeper_api::{core::v1::ConfigMap, object};
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_cache::Cache;
/// use watchkeeper_client::Client;
/// use watchkeeper_controller::{Action, Controller, Trigger};
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> watchkeeper_api::Result<()> {
/// let client = Client::new(ApiServer::new());
/// let cache = Cache::new(&client);
/// let maps = cache.watch::<ConfigMap>();
/// let pushed = Trigger::new("web hook");
/// let controller = Controller::new(&client, "maps", &maps).triggered_by(&pushed).reconcile(
///     async |request, _ctx| {
///         println!("looks at {request}");
///         Ok(Action::done())
///     },
/// );
/// pushed.request(("default", "a"));
/// tokio::select! {
///     biased;
///     ended = controller.run(tokio::time::sleep(Duration::from_secs(1))) => ended?,
///     () = cache.run() => {}
/// }
/// assert_eq!(controller.handle().status().figures.succeeded, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Trigger {
    name: Arc<str>,
    inboxes: Arc<Mutex<Vec<Weak<Inbox>>>>,
}

/// What was asked of one controller.
pub(crate) struct Inbox {
    name: Arc<str>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What no reconcile has begun of; the queue of a run goes with it.
    kept: BTreeSet<ObjectKey>,
    feed: Option<Feed>,
}

impl Trigger {
    /// A trigger that is called `name` where it is told why an object is reconciled.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), inboxes: Arc::default() }
    }

    /// Asks every controller that was built with this trigger to look at an object.
    pub fn request(&self, key: impl Into<ObjectKey>) {
        let key = key.into();
        let mut inboxes = lock(&self.inboxes);
        inboxes.retain(|inbox| inbox.strong_count() > 0);
        let inboxes: Vec<_> = inboxes.iter().filter_map(Weak::upgrade).collect();
        for inbox in inboxes {
            inbox.request(key.clone());
        }
    }

    pub(crate) fn inbox(&self) -> Arc<Inbox> {
        let inbox = Arc::new(Inbox { name: Arc::clone(&self.name), state: Mutex::default() });
        lock(&self.inboxes).push(Arc::downgrade(&inbox));
        inbox
    }
}

impl Inbox {
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn request(&self, key: ObjectKey) {
        let mut state = lock(&self.state);
        state.kept.insert(key.clone());
        if let Some(feed) = &state.feed {
            feed.request(key);
        }
    }

    /// A reconcile of it begins.
    pub(crate) fn began(&self, key: &ObjectKey) {
        lock(&self.state).kept.remove(key);
    }

    /// Asks again for what was kept.
    pub(crate) fn tell_again(&self, feed: &Feed) {
        for key in &lock(&self.state).kept {
            feed.request(key.clone());
        }
    }

    /// Delivers what was kept, and from now on at once, until what is returned is dropped.
    pub(crate) fn open(self: Arc<Self>, feed: Feed) -> Open {
        let mut state = lock(&self.state);
        for key in &state.kept {
            feed.request(key.clone());
        }
        state.feed = Some(feed.clone());
        drop(state);
        Open { inbox: self, feed }
    }
}

/// An inbox that is delivered from.
pub(crate) struct Open {
    inbox: Arc<Inbox>,
    feed: Feed,
}

impl Drop for Open {
    fn drop(&mut self) {
        // Who looks at the status may hold this for longer than the run: the next one has its own way by then.
        let mut state = lock(&self.inbox.state);
        let own = state.feed.take_if(|feed| feed.is(&self.feed));
        drop(state);
        drop(own);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trigger({})", self.name)
    }
}

#[cfg(test)]
mod tests;
