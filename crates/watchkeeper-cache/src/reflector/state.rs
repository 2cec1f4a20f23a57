//! What to ask the server next, given what it answered.
//!
//! One input at a time, each with the time since the start; the answer is at most one delta for the copy
//! and the next thing to do. Nothing here waits, reads a clock or knows HTTP.
//!
//! ```text
//!            ┌────── other failure ──────┐
//!  start → WatchList ──────────────▶ Listing ◀── next page
//!            │ end of initial events     │ last page
//!            ▼                           ▼
//!         Watching ◀─────────────── (watch from the list's version)
//!            │ 410, forbidden, …         ▲ clean end, 429, refused, broken
//!            └──▶ Asleep ── WatchList    └── Watching, same version
//! ```

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use super::backoff::Backoff;
use super::malformed::Malformed;
use super::message::{
    EventKind, Input, ListCall, Next, Page, Step, Trouble, Unreadable, WatchCall,
};
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::rng::Rng;
use crate::version::Version;
use crate::writes::Since;

mod retry;
mod tuning;

pub(crate) use tuning::Tuning;

/// Objects a page, where pages are asked for.
const PAGE: u32 = 500;
/// A watch is asked to last between once and twice this, so that watches do not end all at once.
const SHORTEST_WATCH: Duration = Duration::from_secs(300);
/// A server that does not know `sendInitialEvents` never ends them: after so much silence a list is tried.
const SILENCE: Duration = Duration::from_secs(30);

/// A reflector without its waiting.
#[derive(Debug)]
pub(crate) struct State<K> {
    phase: Phase<K>,
    /// Where the copy is; empty before the first list.
    version: String,
    /// The first list must not be older.
    since: String,
    /// Ask for the newest: the server could not serve `version`, or only the newest will do.
    expired: bool,
    /// A list from the server's cache came in pages, although none were asked for.
    paged: bool,
    /// The last stream of the present state was not answered.
    unanswered: bool,
    short_watches: u32,
    internal_since: Option<Duration>,
    backoff: Backoff,
    page: Option<u32>,
    shortest_watch: Duration,
    rng: Rng,
    trouble: Option<Trouble>,
    malformed: Malformed,
}

#[derive(Debug)]
enum Phase<K> {
    /// Until the time given to the shell, then this.
    Asleep(Plan),
    /// A watch is sending the present state.
    WatchList { seen: BTreeMap<ObjectKey, Arc<K>>, unreadable: BTreeSet<ObjectKey>, nameless: bool },
    /// A list is under way.
    Listing { call: ListCall, from: String, pages: u32, list: Replacement<K> },
    /// The copy follows. `moved` once the watch has come further than where it began.
    Watching { since: Duration, moved: bool, ordered: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    Relist,
    Rewatch,
}

/// Where a reflector is, as its status tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Asleep,
    Listing,
    Watching,
}

impl<K: Item> State<K> {
    /// A reflector whose first list is at least as new as `since`; empty for any.
    pub(crate) fn new(seed: u64, since: String) -> Self {
        Self {
            phase: Phase::Asleep(Plan::Relist),
            version: String::new(),
            since,
            expired: false,
            paged: false,
            unanswered: false,
            short_watches: 0,
            internal_since: None,
            backoff: Backoff::new(),
            page: None,
            shortest_watch: SHORTEST_WATCH,
            rng: Rng::new(seed),
            trouble: None,
            malformed: Malformed::default(),
        }
    }

    /// A reflector whose first list has the writes of before.
    pub(crate) fn since(seed: u64, since: Since) -> Self {
        match since {
            Since::Ever => Self::new(seed, String::new()),
            Since::Version(version) => Self::new(seed, version.to_string()),
            Since::Now => Self { expired: true, ..Self::new(seed, String::new()) },
        }
    }

    /// What to do first.
    pub(crate) fn start(&mut self) -> Next {
        self.watch_list()
    }

    /// Takes what happened at `now`.
    pub(crate) fn step(&mut self, input: Input<K>, now: Duration) -> Step<K> {
        match input {
            Input::Page(page) => self.page(page, now),
            Input::Opened => Step::only(self.opened(now)),
            Input::Event(kind, object) => self.event(kind, object, now),
            Input::Elsewhere(kind, version) => self.elsewhere(kind, version, now),
            Input::Bookmark { version, initial_events_end } => {
                self.bookmark(version, initial_events_end, now)
            }
            Input::Unreadable(which) if self.is_told_again(&which.version) => {
                Step::only(Next::Read { until: None })
            }
            Input::Unreadable(which) if which.gone => self.vanished(which, now),
            Input::Unreadable(which) => self.set_aside(which, now),
            Input::Failed(trouble) => Step::only(self.failed(trouble, now)),
            Input::Closed => Step::only(self.closed(now)),
            Input::Woken => Step::only(self.woken()),
        }
    }

    /// How far the copy is with what was emitted last; `None` where nobody can tell.
    pub(crate) fn how_far(&self) -> Option<String> {
        ordered(&self.version).then(|| self.version.clone())
    }

    pub(crate) const fn place(&self) -> Place {
        match self.phase {
            Phase::Asleep(_) => Place::Asleep,
            Phase::WatchList { .. } | Phase::Listing { .. } => Place::Listing,
            Phase::Watching { .. } => Place::Watching,
        }
    }

    /// Whether the end of a sleep brings a list rather than a watch.
    pub(crate) const fn relists(&self) -> bool {
        matches!(self.phase, Phase::Asleep(Plan::Relist))
    }

    /// The failure that the server has not made good since.
    pub(crate) const fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    /// The objects that the copy goes without, as they could not be read.
    pub(crate) const fn malformed(&self) -> &Malformed {
        &self.malformed
    }

    /// The same, to tell what of it has changed.
    pub(crate) const fn malformed_mut(&mut self) -> &mut Malformed {
        &mut self.malformed
    }

    // ---- the present state -------------------------------------------------------------------------

    /// Asks for the present state as a stream (C-06).
    fn watch_list(&mut self) -> Next {
        let (seen, unreadable) = (BTreeMap::new(), BTreeSet::new());
        self.phase = Phase::WatchList { seen, unreadable, nameless: false };
        let version = if self.expired { String::new() } else { self.version.clone() };
        let timeout = self.watch_timeout();
        Next::Watch(WatchCall { version, initial_events: true, timeout })
    }

    /// Asks for the present state as a list (C-01, C-03).
    fn list(&mut self) -> Next {
        let version = match () {
            () if self.expired => String::new(),
            () if !self.version.is_empty() => self.version.clone(),
            () if !self.since.is_empty() => self.since.clone(),
            () => "0".to_owned(),
        };
        let limit = self.page.or((version.is_empty() || self.paged).then_some(PAGE));
        self.request_list(ListCall { limit, version, more: String::new() })
    }

    fn request_list(&mut self, call: ListCall) -> Next {
        let list = Replacement::default();
        let from = call.version.clone();
        self.phase = Phase::Listing { call: call.clone(), from, pages: 0, list };
        Next::List(call)
    }

    fn page(&mut self, page: Page<K>, now: Duration) -> Step<K> {
        let Phase::Listing { call, pages, list, .. } = &mut self.phase else {
            return self.out_of_place(now);
        };
        if *pages == 0 {
            self.malformed.clear();
        }
        *pages += 1;
        list.items.extend(page.items);
        list.version = page.version;
        for which in page.unreadable {
            list.nameless |= which.key.is_none();
            list.unreadable.extend(which.key.clone());
            self.malformed.insert(which);
        }
        if let Some(more) = page.more.filter(|more| !more.is_empty()) {
            self.paged |= call.version == "0";
            let limit = self.page.or(Some(PAGE));
            *call = ListCall { version: String::new(), limit, more };
            return Step::only(Next::List(call.clone()));
        }
        let list = std::mem::take(list);
        self.version.clone_from(&list.version);
        self.in_sync();
        Step { emit: Some(Delta::Replaced(list)), next: self.watch() }
    }

    /// The end of the initial events: what was seen is all there is (C-08). The stream goes on as the
    /// watch (C-11).
    fn initial_events_end(&mut self, version: String, now: Duration) -> Step<K> {
        let ordered = ordered(&version);
        let watching = Phase::Watching { since: now, moved: ordered, ordered };
        let Phase::WatchList { seen, unreadable, nameless } =
            std::mem::replace(&mut self.phase, watching)
        else {
            return Step::only(Next::Read { until: None });
        };
        self.version.clone_from(&version);
        self.in_sync();
        let (items, unreadable) = (seen.into_values().collect(), unreadable.into_iter().collect());
        let list = Replacement { items, unreadable, nameless, version };
        Step { emit: Some(Delta::Replaced(list)), next: Next::Read { until: None } }
    }

    fn in_sync(&mut self) {
        self.expired = false;
        self.trouble = None;
        self.internal_since = None;
        self.short_watches = 0;
        self.unanswered = false;
    }

    // ---- the watch ---------------------------------------------------------------------------------

    /// Asks for what follows the present version (C-13).
    fn watch(&mut self) -> Next {
        self.phase = Phase::Watching {
            since: Duration::ZERO,
            moved: false,
            ordered: ordered(&self.version),
        };
        let timeout = self.watch_timeout();
        Next::Watch(WatchCall { version: self.version.clone(), initial_events: false, timeout })
    }

    /// Goes on from the present version. From no version a watch would not tell what vanished meanwhile.
    fn watch_on(&mut self) -> Next {
        if ordered(&self.version) { self.watch() } else { self.watch_list() }
    }

    fn watch_timeout(&mut self) -> Duration {
        self.rng.between(self.shortest_watch, self.shortest_watch)
    }

    fn opened(&mut self, now: Duration) -> Next {
        match &mut self.phase {
            Phase::WatchList { .. } => {
                self.malformed.clear();
                Next::Read { until: Some(now + SILENCE) }
            }
            Phase::Watching { since, .. } => {
                *since = now;
                self.trouble = None;
                Next::Read { until: None }
            }
            Phase::Asleep(_) | Phase::Listing { .. } => self.out_of_place(now).next,
        }
    }

    fn event(&mut self, kind: EventKind, object: Arc<K>, now: Duration) -> Step<K> {
        if self.is_told_again(object.item_version()) {
            return Step::only(Next::Read { until: None });
        }
        if !self.malformed.is_empty() {
            self.malformed.remove(&object.item_key());
        }
        match &mut self.phase {
            Phase::WatchList { seen, unreadable, .. } => {
                let key = object.item_key();
                unreadable.remove(&key);
                if kind == EventKind::Deleted {
                    seen.remove(&key);
                } else {
                    seen.insert(key, object);
                }
                Step::only(Next::Read { until: Some(now + SILENCE) })
            }
            Phase::Watching { moved, ordered, .. } => {
                // From no version the server first adds what there is, in no order (C-20).
                *ordered |= kind != EventKind::Added;
                if *ordered && !object.item_version().is_empty() {
                    *moved |= self.version != object.item_version();
                    object.item_version().clone_into(&mut self.version);
                }
                self.internal_since = None;
                let emit = match kind {
                    EventKind::Added => Delta::Added(object),
                    EventKind::Modified => Delta::Updated(object),
                    EventKind::Deleted => Delta::Deleted(object),
                };
                Step { emit: Some(emit), next: Next::Read { until: None } }
            }
            Phase::Asleep(_) | Phase::Listing { .. } => self.out_of_place(now),
        }
    }

    /// Whether a watch told of this version before: who tells it again must not turn back the time.
    fn is_told_again(&self, version: &str) -> bool {
        matches!(self.phase, Phase::Watching { ordered: true, .. })
            && compare(version, &self.version).is_some_and(Ordering::is_le)
    }

    /// From no version the server first adds what there is, in no order, of other shards too (C-20): only an
    /// event that is no addition says how far it is.
    fn elsewhere(&mut self, kind: EventKind, version: String, now: Duration) -> Step<K> {
        if kind == EventKind::Added && matches!(self.phase, Phase::Watching { ordered: false, .. })
        {
            return Step::only(Next::Read { until: None });
        }
        self.bookmark(version, false, now)
    }

    fn bookmark(&mut self, version: String, initial_events_end: bool, now: Duration) -> Step<K> {
        match &mut self.phase {
            Phase::WatchList { .. } if initial_events_end => self.initial_events_end(version, now),
            Phase::WatchList { .. } => Step::only(Next::Read { until: Some(now + SILENCE) }),
            // It says nothing; the copy must not forget where it is.
            Phase::Watching { .. } if version.is_empty() => Step::only(Next::Read { until: None }),
            Phase::Watching { .. }
                if compare(&version, &self.version).is_some_and(Ordering::is_lt) =>
            {
                Step::only(Next::Read { until: None })
            }
            Phase::Watching { moved, ordered, .. } => {
                *moved |= self.version != version;
                *ordered = true;
                self.version.clone_from(&version);
                let emit = Some(Delta::Bookmark(version));
                Step { emit, next: Next::Read { until: None } }
            }
            Phase::Asleep(_) | Phase::Listing { .. } => self.out_of_place(now),
        }
    }

    /// One object that cannot be read must not cost the others (C-18): it is named in the status, and the
    /// copy keeps what it has of it. All the same the copy has come to that version: nothing is left to wait for.
    fn set_aside(&mut self, which: Unreadable, now: Duration) -> Step<K> {
        let mut step = Step::only(Next::Read { until: None });
        if let Phase::WatchList { unreadable, nameless, .. } = &mut self.phase {
            // What is gone is none of those that are there.
            *nameless |= which.key.is_none() && !which.gone;
            unreadable.extend(which.key.clone());
            step.next = Next::Read { until: Some(now + SILENCE) };
        } else if self.comes_to(&which.version) {
            let version = which.version.clone();
            step.emit = Some(match which.key.clone() {
                Some(key) => Delta::Unreadable { key, version },
                None => Delta::Bookmark(version),
            });
        }
        self.malformed.insert(which);
        step
    }

    /// Goes on from the version of an object that could not be read, if that can be believed: it is a number,
    /// and a later one.
    fn comes_to(&mut self, version: &str) -> bool {
        let Phase::Watching { moved, ordered: true, .. } = &mut self.phase else { return false };
        let is_later = compare(version, &self.version).is_some_and(Ordering::is_gt);
        if is_later {
            *moved = true;
            version.clone_into(&mut self.version);
        }
        is_later
    }

    /// What is gone is gone, also when its last state cannot be read.
    fn vanished(&mut self, which: Unreadable, now: Duration) -> Step<K> {
        let Some(key) = which.key.clone() else { return self.set_aside(which, now) };
        self.malformed.remove(&key);
        match &mut self.phase {
            Phase::WatchList { seen, unreadable, .. } => {
                seen.remove(&key);
                unreadable.remove(&key);
                Step::only(Next::Read { until: Some(now + SILENCE) })
            }
            Phase::Watching { ordered, .. } => {
                *ordered = true;
                let version =
                    if self.comes_to(&which.version) { which.version } else { String::new() };
                let emit = Some(Delta::Vanished { key, version });
                Step { emit, next: Next::Read { until: None } }
            }
            Phase::Asleep(_) | Phase::Listing { .. } => self.out_of_place(now),
        }
    }
}

fn ordered(version: &str) -> bool {
    !version.is_empty() && version != "0"
}

/// Which of two versions is the newer one; `None` where that cannot be told.
fn compare(told: &str, held: &str) -> Option<Ordering> {
    Some(Version::parse(told)?.cmp(&Version::parse(held)?))
}

#[cfg(test)]
mod tests;
