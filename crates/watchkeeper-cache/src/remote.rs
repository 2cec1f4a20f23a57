//! The server as a reflector sees it: the client's lists and watches, and what their errors mean.

use std::time::Duration;

use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Error, Kind, Object};
use watchkeeper_client::{
    Api, ListItem, ListOptions, Malformed, Select, VersionMatch, WatchEvent, WatchOptions,
    WatchStream,
};

use crate::reflector::message::{
    Class, EventKind, Input, ListCall, Page, Trouble, Unreadable, WatchCall,
};
use crate::reflector::{Events, ListerWatcher};
use crate::store::Store;

/// Some objects on a server.
pub(crate) struct Remote<K> {
    pub(crate) api: Api<K>,
    pub(crate) select: Select<K>,
}

impl<K: Object> Remote<K> {
    fn request_trouble(&self, error: &Error) -> Trouble {
        request_trouble(error, self.api.kind())
    }
}

/// What a list is asked for, beside the selection.
pub(crate) fn list_options(mut options: ListOptions, call: &ListCall) -> ListOptions {
    options.resource_version.clone_from(&call.version);
    options.limit = call.limit;
    options.continue_.clone_from(&call.more);
    // Together with a limit the server would take a bare version for an exact one.
    let at_least = !matches!(&*call.version, "" | "0");
    options.version_match = at_least.then_some(VersionMatch::NotOlderThan);
    options
}

/// What a watch is asked for, beside the selection.
pub(crate) fn watch_options(mut options: WatchOptions, call: &WatchCall) -> WatchOptions {
    options.resource_version.clone_from(&call.version);
    options.send_initial_events = call.initial_events;
    options.bookmarks = true;
    options.timeout = call.timeout;
    options
}

pub(crate) fn request_trouble(error: &Error, kind: &Kind) -> Trouble {
    let class = error.status().map_or(Class::Unreachable, class_of);
    Trouble { class, text: explain(error, kind) }
}

impl<K: Object> ListerWatcher<K> for Remote<K> {
    type Events = RemoteEvents<K>;

    async fn list(&self, call: &ListCall, known: &Store<K>) -> Result<Page<K>, Trouble> {
        let options = list_options(self.select.list_options(), call);
        let stream = self.api.list_stream(&options).await;
        let mut stream = stream.map_err(|error| self.request_trouble(&error))?;
        let (mut items, mut unreadable) = (Vec::new(), Vec::new());
        while let Some(item) = stream.next().await.map_err(|error| self.request_trouble(&error))? {
            match item {
                ListItem::Object(object) => items.push(known.share(object)),
                ListItem::Malformed(malformed) => unreadable.push(set_aside(malformed)),
            }
        }
        let meta = stream.meta().cloned().unwrap_or_default();
        let more = Some(meta.continue_).filter(|more| !more.is_empty());
        Ok(Page { items, unreadable, version: meta.resource_version, more })
    }

    async fn watch(&self, call: &WatchCall, known: &Store<K>) -> Result<Self::Events, Trouble> {
        let options = watch_options(self.select.watch_options(), call);
        let stream = self.api.watch(&options).await;
        let stream = stream.map_err(|error| self.request_trouble(&error))?;
        Ok(RemoteEvents::new(stream, known, self.api.kind()))
    }
}

/// An open watch of a server.
pub(crate) struct RemoteEvents<K> {
    stream: WatchStream<K>,
    known: Store<K>,
    kind: Kind,
}

impl<K> RemoteEvents<K> {
    pub(crate) fn new(stream: WatchStream<K>, known: &Store<K>, kind: &Kind) -> Self {
        Self { stream, known: known.clone(), kind: kind.clone() }
    }
}

impl<K: Object> Events<K> for RemoteEvents<K> {
    async fn next(&mut self) -> Input<K> {
        let event = match self.stream.next().await {
            None => return Input::Closed,
            Some(Ok(event)) => event,
            Some(Err(error)) => {
                return Input::Failed(Trouble {
                    class: Class::Broken,
                    text: explain(&error, &self.kind),
                });
            }
        };
        let object = |kind, object| Input::Event(kind, self.known.share(object));
        match event {
            WatchEvent::Added(new) => object(EventKind::Added, new),
            WatchEvent::Modified(new) => object(EventKind::Modified, new),
            WatchEvent::Deleted(last) => object(EventKind::Deleted, last),
            WatchEvent::Bookmark { resource_version, initial_events_end } => {
                Input::Bookmark { version: resource_version, initial_events_end }
            }
            WatchEvent::Malformed(malformed) => Input::Unreadable(set_aside(malformed)),
            WatchEvent::Error(status) => Input::Failed(Trouble {
                class: class_of(&status),
                text: status.message.to_string(),
            }),
        }
    }
}

pub(crate) fn set_aside(malformed: Malformed) -> Unreadable {
    Unreadable { key: malformed.key, gone: malformed.gone, reason: malformed.error.to_string() }
}

/// What the server's words mean for what to do next.
fn class_of(status: &Status) -> Class {
    match (status.code, &*status.reason) {
        (410, _) | (_, "Expired" | "Gone") => Class::Expired,
        _ if is_too_large(status) => Class::Expired,
        (429, _) | (_, "TooManyRequests") => Class::Busy { retry_after: retry_after(status) },
        (502..=504, _) => Class::Unreachable,
        (500, _) => Class::Internal,
        _ => Class::Other,
    }
}

/// The server has not come as far as the version asked for, as after a restore.
fn is_too_large(status: &Status) -> bool {
    let mut causes = status.details.iter().flat_map(|details| details.causes.iter());
    causes.any(|cause| &*cause.reason == "ResourceVersionTooLarge")
}

fn retry_after(status: &Status) -> Option<Duration> {
    let seconds = status.details.as_ref()?.retry_after_seconds;
    u64::try_from(seconds).ok().filter(|seconds| *seconds > 0).map(Duration::from_secs)
}

/// The error, and what to do about it where that is known.
fn explain(error: &Error, kind: &Kind) -> String {
    let advice = match error.status().map(|status| status.code) {
        Some(403) => format!(
            "; this rule would allow it: apiGroups [{:?}], resources [{:?}], verbs [\"list\", \"watch\"]",
            kind.group, kind.plural
        ),
        Some(404) => {
            format!("; is the kind {kind} served, its CustomResourceDefinition installed?")
        }
        _ => String::new(),
    };
    format!("{error}{advice}")
}

#[cfg(test)]
mod tests;
