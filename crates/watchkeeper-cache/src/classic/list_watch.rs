//! Where a reflector reads from.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::Ordering;

use watchkeeper_api::{Kind, Object, Result, StaticKind};
use watchkeeper_client::{Client, ListOptions, ListPage, Select, WatchOptions, WatchStream};

use crate::cache::describe;
use crate::reflector::ListerWatcher;
use crate::reflector::message::{Class, ListCall, Page, Trouble, WatchCall};
use crate::remote::{
    Remote, RemoteEvents, list_options, request_trouble, set_aside, take_listed, watch_options,
};
use crate::store::Store;

type Boxed<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;
type ListFunc<K> = Box<dyn Fn(ListOptions) -> Boxed<ListPage<K>> + Send + Sync>;
type WatchFunc<K> = Box<dyn Fn(WatchOptions) -> Boxed<WatchStream<K>> + Send + Sync>;

/// Lists and watches some objects (upstream: `ListWatch`).
///
/// ```
/// # use watchkeeper_api::core::v1::Pod;
/// # use watchkeeper_client::{Client, Select};
/// # use watchkeeper_cache::classic::ListWatch;
/// # fn f(client: Client) {
/// let web = ListWatch::new(&client, Select::<Pod>::all().namespace("shop").labels("app=web"));
///
/// // The same, call by call.
/// let pods = client.api::<Pod>().namespace("shop");
/// let (lists, watches) = (pods.clone(), pods);
/// let web = ListWatch::from_functions(
///     move |options| {
///         let pods = lists.clone();
///         async move { pods.list(&options.labels("app=web")).await }
///     },
///     move |options| {
///         let pods = watches.clone();
///         async move { pods.watch(&options.labels("app=web")).await }
///     },
/// );
/// # }
/// ```
pub struct ListWatch<K> {
    kind: Kind,
    /// `pods in shop`, for people.
    pub(super) what: String,
    from: Origin<K>,
    watch_list: bool,
}

enum Origin<K> {
    Client(Box<Remote<K>>),
    Functions { list: ListFunc<K>, watch: WatchFunc<K> },
}

impl<K: Object> ListWatch<K> {
    /// Reads what `select` selects through `client` (upstream: `NewListWatchFromClient`). Lists are read
    /// object by object as they come in.
    #[must_use]
    pub fn new(client: &Client, select: Select<K>) -> Self {
        let api = client.selected(&select);
        let (kind, what) = (api.kind().clone(), describe(&select, api.in_namespace()));
        let from = Origin::Client(Box::new(Remote::whole(client, select)));
        Self { kind, what, from, watch_list: true }
    }

    /// Asks for lists, not for a watch with the present state first; for servers that are known not to be
    /// able to. A server that cannot is found out otherwise, at the cost of a request.
    #[must_use]
    pub const fn without_watch_list(mut self) -> Self {
        self.watch_list = false;
        self
    }

    /// How many objects of the list under way have come; `None` where that cannot be told.
    pub(super) fn listed(&self) -> Option<u64> {
        match &self.from {
            Origin::Client(remote) => Some(remote.listed.load(Ordering::Relaxed)),
            Origin::Functions { .. } => None,
        }
    }
}

impl<K: StaticKind> ListWatch<K> {
    /// Reads by these functions, which are told what to ask for and may add to it.
    pub fn from_functions<L, W>(
        list: impl Fn(ListOptions) -> L + Send + Sync + 'static,
        watch: impl Fn(WatchOptions) -> W + Send + Sync + 'static,
    ) -> Self
    where
        L: Future<Output = Result<ListPage<K>>> + Send + 'static,
        W: Future<Output = Result<WatchStream<K>>> + Send + 'static,
    {
        let from = Origin::Functions {
            list: Box::new(move |options| Box::pin(list(options))),
            watch: Box::new(move |options| Box::pin(watch(options))),
        };
        let kind = K::static_kind().clone();
        Self { what: kind.group_resource(), kind, from, watch_list: true }
    }
}

impl<K: Object> ListerWatcher<K> for ListWatch<K> {
    type Events = RemoteEvents<K>;

    async fn list(&self, call: &ListCall, known: &Store<K>) -> Result<Page<K>, Trouble> {
        match &self.from {
            Origin::Client(remote) => remote.list(call, known).await,
            Origin::Functions { list, .. } => {
                let answer = list(list_options(ListOptions::default(), call)).await;
                let page = answer.map_err(|error| request_trouble(&error, &self.kind))?;
                let mut unreadable: Vec<_> = page.malformed.into_iter().map(set_aside).collect();
                let mut items = Vec::with_capacity(page.items.len());
                for object in page.items {
                    match take_listed(object, known) {
                        Ok(object) => items.push(object),
                        Err(failed) => unreadable.push(failed),
                    }
                }
                Ok(Page {
                    items,
                    unreadable,
                    version: page.resource_version,
                    more: Some(page.continue_).filter(|more| !more.is_empty()),
                })
            }
        }
    }

    async fn watch(&self, call: &WatchCall, known: &Store<K>) -> Result<Self::Events, Trouble> {
        // C-12: a failure that says no more than that a list is to be asked for.
        if call.initial_events && !self.watch_list {
            let text = "the present state is not asked for as a stream".to_owned();
            return Err(Trouble { class: Class::Other, text });
        }
        match &self.from {
            Origin::Client(remote) => remote.watch(call, known).await,
            Origin::Functions { watch, .. } => {
                let answer = watch(watch_options(WatchOptions::default(), call)).await;
                let stream = answer.map_err(|error| request_trouble(&error, &self.kind))?;
                Ok(RemoteEvents::new(stream, known, &self.kind))
            }
        }
    }
}

impl<K> fmt::Debug for ListWatch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ListWatch({})", self.what)
    }
}
