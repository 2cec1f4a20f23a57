//! A server of config maps and nothing else, for histories of 10^8 changes: what the embedded server does for a
//! write (admission, defaults, managed fields, its own history) is most of what a change costs, and no informer
//! sees any of it.
//!
//! It answers as the embedded server does, in JSON and in protobuf: lists, in pages of one moment; watches, with or
//! without the present state, with bookmarks each minute and an end at their timeout; 410 for what it has forgotten,
//! which is what happened before the last hundred writes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Method, Request, Response};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object as _, json, pb};
use watchkeeper_apiserver::Rng;
use watchkeeper_client::{Body, BoxError, Client};

use crate::listener::lock;
use crate::shelf::asked::Asked;
use crate::shelf::past::{Happened, Past};
use crate::shelf::said::Said;
use crate::shelf::watched::{Inboxes, Watched};
use crate::told::{EVEN, Seen};

mod asked;
mod past;
mod said;
mod watched;

/// Requests are no longer.
const LONGEST: usize = 1 << 20;

/// The server. Clones are handles to the same one.
#[derive(Clone)]
pub(crate) struct Shelf(Arc<Mutex<State>>);

/// Told of each state as it is written, and whether it is alive.
type Scribe = Box<dyn FnMut(Seen, bool) + Send>;

struct State {
    version: u64,
    uids: Rng,
    maps: Maps,
    /// The names of secrets, of which nothing else is kept.
    secrets: BTreeSet<String>,
    past: Past,
    inboxes: Inboxes,
    scribe: Scribe,
}

/// Every config map, by namespace and name.
type Maps = BTreeMap<(String, String), Arc<Kept>>;

/// A config map, and its JSON.
struct Kept {
    map: ConfigMap,
    json: String,
}

impl Kept {
    fn new(map: ConfigMap) -> Arc<Self> {
        let json = json::to_string(&map);
        Arc::new(Self { map, json })
    }

    fn is_even(&self) -> bool {
        self.map.label(EVEN) == Some("true")
    }

    /// The same state, under a later version.
    fn at(&self, version: u64) -> Arc<Self> {
        let mut map = self.map.clone();
        map.metadata.resource_version = version.to_string().into();
        Self::new(map)
    }
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Shelf(@{})", lock(&self.0).version)
    }
}

impl Shelf {
    /// An empty one, that tells `scribe` of each write.
    pub(crate) fn new(seed: u64, scribe: impl FnMut(Seen, bool) + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(State {
            version: 1,
            uids: Rng::new(seed),
            maps: Maps::new(),
            secrets: BTreeSet::new(),
            past: Past::default(),
            inboxes: Inboxes::default(),
            scribe: Box::new(scribe),
        })))
    }

    /// A client of it.
    pub(crate) fn client(&self) -> Client {
        let shelf = self.clone();
        Client::unconnected().intercept(move |request, _| {
            let shelf = shelf.clone();
            async move { shelf.answer(request).await }
        })
    }

    /// Forgets what was before this moment.
    pub(crate) fn forget(&self) {
        let mut state = lock(&self.0);
        let version = state.version;
        state.past.forget(version);
    }

    async fn answer(&self, request: Request<Body>) -> Result<Response<Body>, BoxError> {
        let asked = Asked::of(&request);
        if request.method() == Method::GET {
            return Ok(if asked.watch { self.watch(asked) } else { lock(&self.0).list(&asked) });
        }
        let (method, is_message) = (request.method().clone(), asked.writes_message);
        let body = request.into_body().collect(LONGEST).await?;
        let mut state = lock(&self.0);
        if asked.resource != "configmaps" {
            return Ok(state.other(&method, &asked));
        }
        if method == Method::DELETE {
            return Ok(state.delete(&asked));
        }
        let map = if is_message { pb::from_body(&body) } else { json::from_slice(&body) };
        Ok(state.write(&method, &asked, map?))
    }

    fn watch(&self, asked: Asked) -> Response<Body> {
        let mut state = lock(&self.0);
        let said = Said::of(&asked);
        let inbox = state.open(&asked, said);
        drop(state);
        said.answer(200, true, Body::new(Watched::new(self.clone(), &asked, said, inbox)))
    }

    fn version(&self) -> u64 {
        lock(&self.0).version
    }
}

impl State {
    fn write(&mut self, method: &Method, asked: &Asked, mut map: ConfigMap) -> Response<Body> {
        let name = if asked.name.is_empty() { map.name() } else { &*asked.name };
        let key = (asked.namespace.clone(), name.to_owned());
        let before = self.maps.get(&key).cloned();
        match (&before, method == Method::POST) {
            (None, false) => return said::absent("configmaps", &key.1),
            (Some(_), true) => return said::refused(409, "AlreadyExists", "configmaps", &key.1),
            (Some(before), false) => map.metadata.uid = before.map.metadata.uid.clone(),
            (None, true) => map.metadata.uid = self.uid().into(),
        }
        self.version += 1;
        map.metadata.resource_version = self.version.to_string().into();
        let kept = Kept::new(map);
        self.maps.insert(key, Arc::clone(&kept));
        let answer = Said::of(asked).object(if before.is_some() { 200 } else { 201 }, &kept);
        self.happened(before, kept, true);
        answer
    }

    fn delete(&mut self, asked: &Asked) -> Response<Body> {
        let key = (asked.namespace.clone(), asked.name.clone());
        let Some(before) = self.maps.remove(&key) else {
            return said::absent("configmaps", &key.1);
        };
        self.version += 1;
        let uid = before.map.uid().to_owned();
        let last = before.at(self.version);
        self.happened(Some(before), last, false);
        said::deleted("configmaps", &key.1, &uid)
    }

    /// Secrets move the version on, and every namespace is there.
    fn other(&mut self, method: &Method, asked: &Asked) -> Response<Body> {
        let is_there = self.secrets.contains(&asked.name);
        if method == Method::PUT && !is_there {
            // Its creation follows, which says no name in its path.
            self.secrets.insert(asked.name.clone());
            return said::absent(&asked.resource, &asked.name);
        }
        self.version += 1;
        let kind = if asked.resource == "secrets" { "Secret" } else { "Namespace" };
        said::metadata(kind, &asked.name, &asked.namespace, self.version)
    }

    fn happened(&mut self, before: Option<Arc<Kept>>, now: Arc<Kept>, alive: bool) {
        (self.scribe)(Seen::of(&now.map), alive);
        let happened = Happened { version: self.version, before, now, alive };
        self.inboxes.deliver(&happened);
        self.past.push(happened);
    }

    fn uid(&mut self) -> String {
        let (high, low) = (self.uids.next_u64(), self.uids.next_u64());
        let (middle, rest) = (high & 0xffff_ffff, low & 0xffff_ffff_ffff);
        format!(
            "{:08x}-{:04x}-4{:03x}-8{:03x}-{rest:012x}",
            high >> 32,
            middle >> 16,
            middle & 0xfff,
            low >> 52
        )
    }

    fn list(&self, asked: &Asked) -> Response<Body> {
        let (version, after) = asked.continued.clone().unwrap_or((self.version, String::new()));
        let Some(maps) = self.past.undo(self.maps.clone(), version) else {
            return said::refused(410, "Expired", &asked.resource, "");
        };
        let wanted = maps.iter().filter(|((namespace, name), kept)| {
            *namespace == asked.namespace && *name > after && (!asked.even || kept.is_even())
        });
        let limit = asked.limit.unwrap_or(usize::MAX);
        let mut page: Vec<_> = wanted.map(|(_, kept)| kept).take(limit.saturating_add(1)).collect();
        let is_cut = page.len() > limit;
        page.truncate(limit);
        let last = page.last().filter(|_| is_cut);
        let more = last.map_or(String::new(), |last| format!("{version}.{}", last.map.name()));
        Said::of(asked).list(version, &more, &page)
    }

    /// A place for a watch, with what it begins with.
    fn open(&mut self, asked: &Asked, said: Said) -> watched::Inbox {
        let mut first: Vec<Bytes> = Vec::new();
        match asked.version {
            Some(version) if !asked.initial => match self.past.since(version) {
                Some(events) => {
                    let seen = events.filter_map(|event| said.event(event, asked));
                    first.extend(seen);
                }
                None => return watched::Inbox::ending(said.expired()),
            },
            _ => {
                let wanted = self.maps.iter().filter(|((namespace, _), kept)| {
                    *namespace == asked.namespace && (!asked.even || kept.is_even())
                });
                first.extend(wanted.map(|(_, kept)| said.frame("ADDED", kept)));
                if asked.initial {
                    first.push(said.initial_end(self.version));
                }
            }
        }
        self.inboxes.add(asked, said, first)
    }
}
