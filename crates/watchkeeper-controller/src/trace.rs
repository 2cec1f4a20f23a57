//! Why objects are reconciled: what a reconcile function is never told, and people want to know.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use watchkeeper_api::{IStr, Object, ObjectKey};
use watchkeeper_cache::Change;

use crate::lru::Lru;
use crate::request::Request;

/// Of so many objects it is known why they were looked at; of those that were not for the longest time no
/// more.
const OBJECTS: usize = 1024;
/// So many causes are kept of each run; the oldest are left out.
const CAUSES: usize = 8;

/// One cause why an object is reconciled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Who told of it: the kind that changed, a [`Trigger`](crate::Trigger), or the controller itself.
    pub source: Arc<str>,
    /// What happened.
    pub what: Happened,
    /// What changed, if it was an object; for what is owned that is another one than the one reconciled.
    pub object: Option<ObjectKey>,
    /// The version that the change led to; empty if none is known.
    pub version: String,
    /// How long ago it was told.
    pub age: Duration,
}

/// What makes a controller look at an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Happened {
    /// It was there when the source began.
    WasThere,
    /// It came.
    Added,
    /// It changed.
    Updated,
    /// It is gone.
    Deleted,
    /// Nothing: it was time to look at everything again.
    Resync,
    /// The program asked for it.
    Requested,
    /// The last reconcile failed.
    Failed,
    /// The last reconcile asked for it: [`Action::after`](crate::Action::after).
    Asked,
}

/// Why an object was reconciled last, and why it will be again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Why {
    /// What led to the last reconcile, or the one under way: the oldest first.
    pub last: Vec<Cause>,
    /// How many older causes of that one are not kept.
    pub last_omitted: u64,
    /// What happened since, and leads to the next one: the one that waits for room, and those after it.
    pub next: Vec<Cause>,
    /// How many older causes of that one are not kept.
    pub next_omitted: u64,
}

/// What is noted of a cause.
struct Noted {
    source: Arc<str>,
    what: Happened,
    object: Option<ObjectKey>,
    version: IStr,
    at: Instant,
    when: When,
}

/// When what happened is to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Now,
    /// At a time of its own: what is looked at before that may not be because of it.
    Later,
}

impl When {
    pub(crate) fn after(delay: Option<Duration>) -> Self {
        if delay.is_none_or(|delay| delay.is_zero()) { Self::Now } else { Self::Later }
    }
}

#[derive(Default)]
struct Run {
    causes: Vec<Noted>,
    omitted: u64,
}

#[derive(Default)]
struct Runs {
    last: Run,
    /// Of what a worker holds and has not begun, since it waits for room.
    taken: Run,
    next: Run,
}

/// Beside the queue: bounded, and nothing depends on it.
pub(crate) struct Trace(Mutex<Lru<Request, Runs>>);

impl Default for Trace {
    fn default() -> Self {
        Self(Mutex::new(Lru::new(OBJECTS)))
    }
}

impl Trace {
    /// Notes why `request` will be reconciled.
    pub(crate) fn note(
        &self,
        request: &Request,
        source: &Arc<str>,
        what: Happened,
        changed: Option<(ObjectKey, &str)>,
        when: When,
    ) {
        let (object, version) = changed.map_or((None, ""), |(key, version)| (Some(key), version));
        let (source, version) = (Arc::clone(source), IStr::from(version));
        let noted = Noted { source, what, object, version, at: Instant::now(), when };
        self.lock().entry(request, Runs::default).next.push(noted);
    }

    /// A worker has taken `request`: what was noted of it until now leads to the run that it waits for. What
    /// `is_delayed` still leads to the one after that, with what is noted from now on.
    pub(crate) fn take(&self, request: &Request, is_delayed: bool) {
        let mut runs = self.lock();
        let Some(Runs { taken, next, .. }) = runs.get_mut(request) else { return };
        let is_later = |noted: &mut Noted| is_delayed && noted.when == When::Later;
        if taken.causes.is_empty() {
            std::mem::swap(taken, next);
            next.causes.extend(taken.causes.extract_if(.., is_later));
            return;
        }
        taken.omitted += std::mem::take(&mut next.omitted);
        for noted in next.causes.extract_if(.., |noted| !is_later(noted)) {
            taken.push(noted);
        }
    }

    /// The run of `request` begins.
    pub(crate) fn begin(&self, request: &Request) {
        let mut runs = self.lock();
        if let Some(Runs { last, taken, .. }) = runs.get_mut(request) {
            // What the list before the last had room for is used again.
            std::mem::swap(last, taken);
            taken.causes.clear();
            taken.omitted = 0;
        }
    }

    /// What is known of `request`; none if it was not looked at for long.
    pub(crate) fn why(&self, request: &Request) -> Option<Why> {
        let now = Instant::now();
        let mut runs = self.lock();
        let Runs { last, taken, next } = runs.get_mut(request)?;
        Some(Why {
            last: last.told(now),
            last_omitted: last.omitted,
            next: [taken.told(now), next.told(now)].concat(),
            next_omitted: taken.omitted + next.omitted,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Lru<Request, Runs>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Run {
    fn push(&mut self, noted: Noted) {
        if self.causes.len() == CAUSES {
            self.causes.remove(0);
            self.omitted += 1;
        }
        self.causes.push(noted);
    }

    fn told(&self, now: Instant) -> Vec<Cause> {
        let told = self.causes.iter().map(|noted| Cause {
            source: Arc::clone(&noted.source),
            what: noted.what,
            object: noted.object.clone(),
            version: noted.version.as_str().to_owned(),
            age: now.saturating_duration_since(noted.at),
        });
        told.collect()
    }
}

impl Happened {
    pub(crate) fn to<K: Object>(change: &Change<K>) -> Self {
        match change {
            Change::Added { initial: true, .. } => Self::WasThere,
            Change::Added { .. } => Self::Added,
            Change::Updated { .. } if change.is_resync() => Self::Resync,
            Change::Updated { .. } => Self::Updated,
            Change::Deleted { .. } => Self::Deleted,
        }
    }
}

impl fmt::Display for Happened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WasThere => "was there",
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Deleted => "deleted",
            Self::Resync => "looked at again",
            Self::Requested => "requested",
            Self::Failed => "failed before",
            Self::Asked => "asked for it",
        })
    }
}

/// `pods: shop/web-1 updated @12`.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.source)?;
        if let Some(object) = &self.object {
            write!(f, " {object}")?;
        }
        write!(f, " {}", self.what)?;
        match &*self.version {
            "" => Ok(()),
            version => write!(f, " @{version}"),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs =
            [("last", &self.last, self.last_omitted), ("next", &self.next, self.next_omitted)];
        for (run, causes, omitted) in runs {
            let causes: Vec<_> = causes.iter().map(ToString::to_string).collect();
            match omitted {
                0 => writeln!(f, "{run}: {}", causes.join("; "))?,
                omitted => writeln!(f, "{run}: {omitted} more; {}", causes.join("; "))?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trace")
    }
}

#[cfg(test)]
mod tests;
