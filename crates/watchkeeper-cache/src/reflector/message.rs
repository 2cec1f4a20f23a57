//! What the reflector's state is told, and what it answers.

use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use crate::delta::Delta;

/// What happened.
#[derive(Debug)]
pub(crate) enum Input<K> {
    /// The list asked for, or a page of it.
    Page(Page<K>),
    /// The watch asked for was accepted.
    Opened,
    /// An object came up in the watch.
    Event(EventKind, Arc<K>),
    /// An object came up that this copy does not want, of another shard: it says how far the server is.
    Elsewhere(EventKind, String),
    /// The watch reached a version.
    Bookmark { version: String, initial_events_end: bool },
    /// An object of the watch could not be read. The watch goes on.
    Unreadable(Unreadable),
    /// The request failed, or the watch broke or carried an error.
    Failed(Trouble),
    /// The watch ended as the server meant it to.
    Closed,
    /// The time of [`Next::Sleep`] or [`Next::Read`] has come.
    Woken,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventKind {
    Added,
    Modified,
    Deleted,
}

/// A page of a list. The only page has no `more`.
#[derive(Debug)]
pub(crate) struct Page<K> {
    pub(crate) items: Vec<Arc<K>>,
    pub(crate) unreadable: Vec<Unreadable>,
    pub(crate) version: String,
    pub(crate) more: Option<String>,
}

/// An object that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable {
    /// Which, as far as that could be read.
    pub(crate) key: Option<ObjectKey>,
    /// In which version; empty where that could not be read either.
    pub(crate) version: String,
    /// The server said that it is gone.
    pub(crate) gone: bool,
    pub(crate) reason: String,
}

impl Unreadable {
    /// For people: `shop/web`.
    pub(crate) fn name(&self) -> String {
        let named = self.key.as_ref().map(ToString::to_string);
        named.unwrap_or_else(|| "an object without a name".to_owned())
    }
}

/// Why something failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) class: Class,
    pub(crate) text: String,
}

/// What a failure means for what to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The server does not have this version (any more, or yet): 410, or "too large".
    Expired,
    /// 429, perhaps with a time to stay away.
    Busy { retry_after: Option<Duration> },
    /// Nobody answered.
    Unreachable,
    /// 500 in a watch.
    Internal,
    /// The stream broke off.
    Broken,
    /// There is no such kind, or it may not be read: 404, 403.
    Refused,
    /// There is more than the copy may take.
    OverLimit,
    /// All else.
    Other,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    List(ListCall),
    /// Open a watch; an open one is dropped.
    Watch(WatchCall),
    /// Read on in the open watch, at most until then.
    Read {
        until: Option<Duration>,
    },
    /// Drop any open watch and do nothing until then.
    Sleep {
        until: Duration,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListCall {
    pub(crate) version: String,
    pub(crate) limit: Option<u32>,
    pub(crate) more: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchCall {
    pub(crate) version: String,
    pub(crate) initial_events: bool,
    pub(crate) timeout: Duration,
}

/// What comes of an input.
#[derive(Debug)]
pub(crate) struct Step<K> {
    pub(crate) emit: Option<Delta<K>>,
    pub(crate) next: Next,
}

impl<K> Step<K> {
    /// Nothing for the copy.
    pub(crate) const fn only(next: Next) -> Self {
        Self { emit: None, next }
    }
}
