//! The server as a reflector sees it: the client's lists and watches, and what their errors mean.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use watchkeeper_api::meta::v1::Status;
use watchkeeper_api::{Error, Kind, Object};
use watchkeeper_client::{
    Api, Client, ListItem, ListOptions, Malformed, RestMapper, Select, VersionMatch, WatchEvent,
    WatchOptions, WatchStream,
};

use crate::intake::{Intake, NotTaken, Whole};
use crate::item::Item;
use crate::ledger::{Ledger, OverLimit};
use crate::reflector::message::{
    Class, EventKind, Input, ListCall, Page, Trouble, Unreadable, WatchCall,
};
use crate::reflector::{Events, ListerWatcher};
use crate::store::Store;

/// Some objects on a server.
pub(crate) struct Remote<K, I = Whole> {
    pub(crate) target: Target,
    pub(crate) select: Select<K>,
    pub(crate) intake: Arc<I>,
    /// How many objects of the list under way have come.
    pub(crate) listed: Arc<AtomicU64>,
    /// What the objects take.
    pub(crate) ledger: Arc<Ledger>,
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

/// Where the objects are. Of a kind that is known by its plural the server is asked for the rest, each time
/// until it tells: its definition may come later.
pub(crate) struct Target {
    client: Client,
    mapper: RestMapper,
    kind: Kind,
    named: Arc<OnceLock<Kind>>,
}

impl Target {
    pub(crate) fn new<K: Object>(
        client: &Client,
        mapper: &RestMapper,
        select: &Select<K>,
        named: &Arc<OnceLock<Kind>>,
    ) -> Self {
        let (client, mapper, named) = (client.clone(), mapper.clone(), Arc::clone(named));
        Self { client, mapper, kind: select.target().clone(), named }
    }

    pub(crate) async fn api<K: Object>(&self, select: &Select<K>) -> Result<Api<K>, Trouble> {
        if !self.kind.kind.is_empty() {
            return Ok(self.client.selected(select));
        }
        let named = match self.named.get() {
            Some(named) => named,
            None => {
                let found = self.mapper.plural(&self.kind.api_version(), &self.kind.plural).await;
                let found = found.map_err(|error| match error.is_not_found() {
                    // It says itself what may be missing.
                    true => Trouble { class: Class::Refused, text: error.to_string() },
                    false => self.trouble(&error),
                })?;
                self.named.get_or_init(|| found.kind)
            }
        };
        Ok(self.client.selected(&select.clone().of_kind(named.clone())))
    }

    fn trouble(&self, error: &Error) -> Trouble {
        request_trouble(error, &self.kind)
    }
}

impl<K: Object> Remote<K, Whole> {
    /// What `select` selects, as it is.
    pub(crate) fn whole(client: &Client, select: Select<K>) -> Self {
        let target = Target::new(client, &client.mapper(), &select, &Arc::default());
        let (listed, ledger) = (Arc::default(), Arc::default());
        Self { target, select, intake: Arc::new(Whole), listed, ledger }
    }
}

impl<K: Object, I: Intake<K>> ListerWatcher<I::Kept> for Remote<K, I> {
    type Events = RemoteEvents<K, I>;

    async fn list(
        &self,
        call: &ListCall,
        known: &Store<I::Kept>,
    ) -> Result<Page<I::Kept>, Trouble> {
        if call.more.is_empty() {
            self.listed.store(0, Ordering::Relaxed);
            self.ledger.list_begins();
        }
        let options = list_options(self.select.list_options(), call);
        let api = self.target.api(&self.select).await?;
        let stream = api.list_stream(&options).await;
        let mut stream = stream.map_err(|error| self.target.trouble(&error))?;
        let (mut items, mut unreadable) = (Vec::new(), Vec::new());
        while let Some(item) = stream.next().await.map_err(|error| self.target.trouble(&error))? {
            self.listed.fetch_add(1, Ordering::Relaxed);
            match item {
                ListItem::Object(object) if !self.select.may_hold(&object) => {}
                ListItem::Object(object) => match take(&*self.intake, object, known, false) {
                    Ok(object) => {
                        let size = self.intake.size(&object, stream.item_len());
                        self.ledger.came(|| object.item_key(), size).map_err(too_much)?;
                        items.push(object);
                    }
                    Err(failed) => unreadable.push(failed),
                },
                ListItem::Malformed(malformed) => unreadable.push(set_aside(malformed)),
            }
        }
        unreadable.iter().flat_map(|which| &which.key).for_each(|key| self.ledger.stays(key));
        let meta = stream.meta().cloned().unwrap_or_default();
        let more = Some(meta.continue_).filter(|more| !more.is_empty());
        if more.is_none() {
            self.ledger.list_ends();
        }
        Ok(Page { items, unreadable, version: meta.resource_version, more })
    }

    async fn watch(
        &self,
        call: &WatchCall,
        known: &Store<I::Kept>,
    ) -> Result<Self::Events, Trouble> {
        self.listed.store(0, Ordering::Relaxed);
        if call.initial_events {
            self.ledger.list_begins();
        } else {
            self.ledger.list_breaks_off();
        }
        let api = self.target.api(&self.select).await?;
        let options = watch_options(self.select.watch_options(), call);
        let stream = api.watch(&options).await;
        let stream = stream.map_err(|error| self.target.trouble(&error))?;
        Ok(RemoteEvents {
            stream,
            known: known.clone(),
            kind: api.kind().clone(),
            select: self.select.clone(),
            intake: Arc::clone(&self.intake),
            listed: Arc::clone(&self.listed),
            ledger: Arc::clone(&self.ledger),
        })
    }
}

/// An open watch of a server.
pub(crate) struct RemoteEvents<K: Object, I: Intake<K> = Whole> {
    stream: WatchStream<K>,
    known: Store<I::Kept>,
    kind: Kind,
    select: Select<K>,
    intake: Arc<I>,
    listed: Arc<AtomicU64>,
    ledger: Arc<Ledger>,
}

impl<K: Object> RemoteEvents<K> {
    /// A watch that was opened elsewhere.
    pub(crate) fn new(stream: WatchStream<K>, known: &Store<K>, kind: &Kind) -> Self {
        Self {
            stream,
            known: known.clone(),
            kind: kind.clone(),
            select: Select::of(kind.clone()),
            intake: Arc::new(Whole),
            listed: Arc::default(),
            ledger: Arc::default(),
        }
    }
}

impl<K: Object, I: Intake<K>> Events<I::Kept> for RemoteEvents<K, I> {
    async fn next(&mut self) -> Input<I::Kept> {
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
        let object = |kind, object: K| {
            if !self.select.may_hold(&object) {
                return Input::Elsewhere(kind, object.resource_version().to_owned());
            }
            let gone = kind == EventKind::Deleted;
            match take(&*self.intake, object, &self.known, gone) {
                Ok(object) => match self.note(kind, &object) {
                    Ok(()) => Input::Event(kind, object),
                    Err(over) => Input::Failed(too_much(over)),
                },
                Err(failed) => self.unreadable(failed),
            }
        };
        match event {
            WatchEvent::Added(new) => {
                self.listed.fetch_add(1, Ordering::Relaxed);
                object(EventKind::Added, new)
            }
            WatchEvent::Modified(new) => object(EventKind::Modified, new),
            WatchEvent::Deleted(last) => object(EventKind::Deleted, last),
            WatchEvent::Bookmark { resource_version, initial_events_end } => {
                if initial_events_end {
                    self.ledger.list_ends();
                }
                Input::Bookmark { version: resource_version, initial_events_end }
            }
            WatchEvent::Malformed(malformed) => self.unreadable(set_aside(malformed)),
            WatchEvent::Error(status) => Input::Failed(Trouble {
                class: class_of(&status),
                text: format!("{}{}", status.message, advice(&status, &self.kind)),
            }),
        }
    }
}

impl<K: Object, I: Intake<K>> RemoteEvents<K, I> {
    /// Notes of what cannot be read that it is gone, or stays as it was.
    fn unreadable(&self, which: Unreadable) -> Input<I::Kept> {
        match &which.key {
            Some(key) if which.gone => self.ledger.gone(|| key.clone()),
            Some(key) => self.ledger.stays(key),
            None => {}
        }
        Input::Unreadable(which)
    }

    /// Notes what comes or goes with an event.
    fn note(&self, kind: EventKind, object: &I::Kept) -> Result<(), OverLimit> {
        if kind == EventKind::Deleted {
            self.ledger.gone(|| object.item_key());
            return Ok(());
        }
        let size = self.intake.size(object, self.stream.object_len());
        self.ledger.came(|| object.item_key(), size)
    }
}

fn too_much(over: OverLimit) -> Trouble {
    Trouble { class: Class::OverLimit, text: over.to_string() }
}

/// Takes an object in, or tells why it cannot be kept. What has no name is no object: a `Table`, for one,
/// which some servers send whatever they are asked for (C-18).
fn take<K: Object, I: Intake<K>>(
    intake: &I,
    object: K,
    known: &Store<I::Kept>,
    gone: bool,
) -> Result<Arc<I::Kept>, Unreadable> {
    if object.name().is_empty() {
        let version = object.resource_version().to_owned();
        let reason = "it has no name, so it can be none of these".to_owned();
        return Err(Unreadable { key: None, version, gone, reason });
    }
    let key = object.key();
    intake.take(object, known).map_err(|NotTaken { version, reason }| Unreadable {
        key: Some(key),
        version: version.into(),
        gone,
        reason,
    })
}

/// [`take`], of what was listed elsewhere.
pub(crate) fn take_listed<K: Object>(object: K, known: &Store<K>) -> Result<Arc<K>, Unreadable> {
    take(&Whole, object, known, false)
}

pub(crate) fn set_aside(malformed: Malformed) -> Unreadable {
    let Malformed { key, resource_version: version, gone, error } = malformed;
    Unreadable { key, version, gone, reason: error.to_string() }
}

/// What the server's words mean for what to do next.
fn class_of(status: &Status) -> Class {
    match (status.code, &*status.reason) {
        (410, _) | (_, "Expired" | "Gone") => Class::Expired,
        _ if is_too_large(status) => Class::Expired,
        (429, _) | (_, "TooManyRequests") => Class::Busy { retry_after: retry_after(status) },
        (502..=504, _) => Class::Unreachable,
        // These say what it is, so it does not pass by waiting: what was deleted although the server could not
        // read it is told by the first, and only a list shows that it is gone (upstream: `IsInternalError`).
        (500, "StorageReadError" | "ServerTimeout") => Class::Other,
        (500, _) => Class::Internal,
        (403 | 404, _) => Class::Refused,
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
    let mut text = error.to_string();
    let is_lost = error.is_transport() || error.is_timeout();
    match error.status() {
        Some(status) => text.push_str(&advice(status, kind)),
        // Who connects may have asked already what is wrong with the way there.
        None if is_lost && !text.ends_with('?') => {
            text.push_str("; is the server up, and is it there?");
        }
        None => {}
    }
    text
}

/// What to do about what the server says.
fn advice(status: &Status, kind: &Kind) -> String {
    match status.code {
        403 => format!(
            "; this rule would allow it: apiGroups [{:?}], resources [{:?}], verbs [\"list\", \"watch\"]",
            kind.group, kind.plural
        ),
        404 if kind.kind.is_empty() => {
            let (plural, version) = (&kind.plural, kind.api_version());
            format!("; is {plural} of {version} served, its CustomResourceDefinition installed?")
        }
        404 => format!("; is the kind {kind} served, its CustomResourceDefinition installed?"),
        401 => "; the credentials are missing or not accepted any more".to_owned(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
