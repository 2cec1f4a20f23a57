//! Where changes come from, and which requests they make.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use watchkeeper_api::{Error, Object, Result};
use watchkeeper_cache::{Change, HandlerOptions, Namespaces, Source, Status, Subscription, Watch};

use crate::feed::Feed;
use crate::request::Request;
use crate::trigger::{Inbox, Open};
use crate::worker::text_of;

/// What a controller can be told by: a watch, some namespaces, or part of their changes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` tells of no changes",
    note = "pass `&watch`, or `watch.when(|change| …)` for some of its changes"
)]
pub trait IntoSource {
    /// What changes.
    type Object: Object;

    /// The changes.
    fn into_source(self) -> Source<Self::Object>;
}

impl<K: Object> IntoSource for &Watch<K> {
    type Object = K;

    fn into_source(self) -> Source<K> {
        self.into()
    }
}

impl<K: Object> IntoSource for &Namespaces<K> {
    type Object = K;

    fn into_source(self) -> Source<K> {
        self.into()
    }
}

impl<K: Object> IntoSource for Source<K> {
    type Object = K;

    fn into_source(self) -> Self {
        self
    }
}

/// A source and its mapping, whatever their types; connected while the controller runs.
pub(crate) trait Wire: Send + Sync {
    /// What it tells of: the kind, or the name that it was given.
    fn name(&self) -> String;

    /// Feeds the queue from now on.
    fn connect(&self, feed: Feed, options: WireOptions) -> Connection;

    /// Whether the object of a request has this annotation; only the source of what is reconciled knows.
    fn has_annotation(&self, _request: &Request, _annotation: &str) -> bool {
        false
    }

    /// Feeds what there is once more; false if it has to be connected anew for that.
    fn tell_again(&self, _feed: &Feed) -> bool {
        false
    }

    /// A reconcile of it begins: what asked for it need not be kept any more.
    fn began(&self, _request: &Request) {}
}

/// What the source of what is reconciled is told besides.
#[derive(Clone, Debug, Default)]
pub(crate) struct WireOptions {
    /// Tells all there is once more, so often.
    pub(crate) resync: Option<Duration>,
    /// Tells also when this annotation comes or goes, whatever the predicates say.
    pub(crate) annotation: Option<Arc<str>>,
    /// Where a source that broke down says so.
    pub(crate) failures: Option<mpsc::UnboundedSender<Error>>,
}

/// A source that feeds a queue until this is dropped.
pub(crate) struct Connection {
    telling: Telling,
    /// How the copies are doing.
    status: Box<dyn Fn() -> Vec<Status> + Send + Sync>,
}

enum Telling {
    /// Of a watch.
    Subscription(Subscription),
    /// Of the program: there is nothing at the start.
    Inbox { _open: Open },
    /// By a function.
    Task { feed: Feed, _task: JoinSet<()> },
}

impl Connection {
    /// Waits until the queue was told all there was; false if that will not happen any more.
    pub(crate) async fn all_told(&self) -> bool {
        match &self.telling {
            Telling::Subscription(subscription) => subscription.synced().await,
            Telling::Inbox { .. } => true,
            Telling::Task { feed, .. } => {
                feed.all_told().await;
                true
            }
        }
    }

    pub(crate) fn status(&self) -> Vec<Status> {
        (self.status)()
    }
}

/// A source and which requests its changes make.
pub(crate) struct Mapped<K: Object, M> {
    pub(crate) source: Source<K>,
    pub(crate) map: Arc<M>,
}

impl<K, M> Wire for Mapped<K, M>
where
    K: Object,
    M: Fn(&Change<K>) -> Vec<Request> + Send + Sync + 'static,
{
    fn name(&self) -> String {
        self.source.kind().group_resource()
    }

    fn connect(&self, feed: Feed, options: WireOptions) -> Connection {
        let (mut source, map) = (self.source.clone(), Arc::clone(&self.map));
        let status = source.clone();
        if let Some(annotation) = options.annotation {
            source = source.or_when(move |change| annotation_changed(change, &annotation));
        }
        let handler = HandlerOptions {
            name: self.name(),
            resync: options.resync,
            ..HandlerOptions::default()
        };
        let subscription =
            source.subscribe_with(handler, move |change| feed.changed(change, map(change)));
        let telling = Telling::Subscription(subscription);
        Connection { telling, status: Box::new(move || status.status()) }
    }

    fn tell_again(&self, feed: &Feed) -> bool {
        for new in self.source.peek_all() {
            let change = Change::Added { new, initial: true };
            if self.source.wants(&change) {
                feed.changed(&change, (self.map)(&change));
            }
        }
        true
    }

    fn has_annotation(&self, request: &Request, annotation: &str) -> bool {
        let object = self.source.peek(request);
        object.is_some_and(|object| object.annotation(annotation).is_some())
    }
}

fn annotation_changed<K: Object>(change: &Change<K>, annotation: &str) -> bool {
    let was = change.old().and_then(|old| old.annotation(annotation));
    was != change.object().annotation(annotation)
}

impl Wire for Arc<Inbox> {
    fn name(&self) -> String {
        Inbox::name(self).to_owned()
    }

    fn connect(&self, feed: Feed, _options: WireOptions) -> Connection {
        let open = Self::clone(self).open(feed);
        Connection { telling: Telling::Inbox { _open: open }, status: Box::new(Vec::new) }
    }

    fn tell_again(&self, feed: &Feed) -> bool {
        Inbox::tell_again(self, feed);
        true
    }

    fn began(&self, request: &Request) {
        Inbox::began(self, &request.key);
    }
}

pub(crate) type Telltale = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// A function that tells.
pub(crate) struct Custom<F> {
    pub(crate) name: String,
    pub(crate) run: F,
}

impl<F: Fn(Feed) -> Telltale + Send + Sync> Wire for Custom<F> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn connect(&self, feed: Feed, options: WireOptions) -> Connection {
        let name = self.name.clone();
        let told = feed.clone();
        // Nobody joins the task: what panics has to be caught to be heard of.
        let running = catch_unwind(AssertUnwindSafe(|| (self.run)(feed.clone())));
        let mut task = JoinSet::new();
        task.spawn(async move {
            let ended = match running {
                Ok(running) => AssertUnwindSafe(running).catch_unwind().await,
                Err(panic) => Err(panic),
            };
            let error = match ended {
                // Who has ended has told all.
                Ok(Ok(())) => return told.told_all(),
                Ok(Err(error)) => format!("the source {name} failed: {error}"),
                Err(panic) => format!("the source {name} panicked: {}", text_of(&*panic)),
            };
            let _nobody_listens =
                options.failures.map(|failures| failures.send(Error::other(error)));
        });
        Connection { telling: Telling::Task { feed, _task: task }, status: Box::new(Vec::new) }
    }
}
