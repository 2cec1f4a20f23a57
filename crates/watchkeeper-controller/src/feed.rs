//! What a source gives its requests to.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::Change;
use watchkeeper_queue::{AddOptions, RateLimitingQueue};

use crate::request::Request;
use crate::share::Only;
use crate::told::Told;
use crate::trace::{Happened, Trace, When};

/// The priority of what is looked at although nothing changed: it waits behind what did (B-05). The queue
/// lets the oldest go first from time to time, so it does not wait for ever.
const UNCHANGED: i32 = -100;

/// The way into a controller's queue for a source of one's own
/// ([`ControllerBuilder::source`](crate::ControllerBuilder::source)). Clones are the same way.
#[derive(Clone)]
pub struct Feed {
    way: Arc<Way>,
}

struct Way {
    source: Arc<str>,
    channel: Channel,
    told: Told,
}

/// What the sources of a run share.
#[derive(Clone)]
pub(crate) struct Channel {
    pub(crate) queue: RateLimitingQueue<Request>,
    pub(crate) trace: Arc<Trace>,
    /// How long changes are collected before they are looked at.
    pub(crate) debounce: Option<Duration>,
    /// Of which objects it is asked.
    pub(crate) only: Only,
}

impl Feed {
    pub(crate) fn new(source: &str, channel: Channel) -> Self {
        Self { way: Arc::new(Way { source: source.into(), channel, told: Told::default() }) }
    }

    /// Asks for a look at an object because something happened. It comes to nothing if the controller has a
    /// [share](crate::ControllerBuilder::share) in which the object is not: when that is gained, sources are
    /// asked anew.
    pub fn request(&self, key: impl Into<ObjectKey>) {
        let options = AddOptions { after: self.way.channel.debounce, ..AddOptions::default() };
        self.request_with(key, options);
    }

    /// Asks for a look at an object: when, and before which others. A controller's
    /// [debounce](crate::ControllerBuilder::debounce) has no say in it.
    pub fn request_with(&self, key: impl Into<ObjectKey>, options: AddOptions) {
        let Way { source, channel, .. } = &*self.way;
        let request = Request::from(key.into());
        if !channel.only.has(&request) {
            return;
        }
        let when = if options.rate_limited { When::Later } else { When::after(options.after) };
        channel.trace.note(&request, source, Happened::Requested, None, when);
        channel.queue.add_with(request, options);
    }

    /// Says that all that there was at the start has been told: the controller begins its work when every
    /// source has.
    pub fn told_all(&self) {
        self.way.told.say();
    }

    /// Whether it is a clone of the other.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.way, &other.way)
    }

    pub(crate) async fn all_told(&self) {
        self.way.told.all().await;
    }

    /// Because an object of the source changed.
    pub(crate) fn changed<K: Object>(&self, change: &Change<K>, requests: Vec<Request>) {
        let Way { source, channel, .. } = &*self.way;
        let happened = Happened::to(change);
        let is_new = !matches!(happened, Happened::WasThere | Happened::Resync);
        let priority = if is_new { 0 } else { UNCHANGED };
        let after = channel.debounce.filter(|_| is_new);
        let object = change.object();
        for request in requests.into_iter().filter(|request| channel.only.has(request)) {
            let about = (object.key(), object.resource_version());
            channel.trace.note(&request, source, happened, Some(about), When::after(after));
            channel
                .queue
                .add_with(request, AddOptions { priority, after, ..AddOptions::default() });
        }
    }
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Feed({})", self.way.source)
    }
}
