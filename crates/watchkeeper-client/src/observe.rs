//! The seam through which a cache learns of this process's own writes.
//!
//! The client knows no cache. Around every mutating request it calls [`WriteObserver::begin`] before the
//! first byte leaves and [`WriteObserver::finish`] once, whatever happens: answered, refused, answer lost,
//! or the caller's future dropped.

use std::fmt;
use std::sync::Arc;

use watchkeeper_api::{Kind, Object};

use crate::request::Verb;

/// What a write is about to do.
#[derive(Clone, Copy, Debug)]
pub struct WriteIntent<'a> {
    /// The kind of the object written.
    pub kind: &'a Kind,
    /// Empty for cluster-scoped objects.
    pub namespace: &'a str,
    /// `None` when the server chooses it (generateName) and for collections.
    pub name: Option<&'a str>,
    /// One of the mutating verbs.
    pub verb: Verb,
    /// `status`, `scale` …
    pub subresource: Option<&'a str>,
    /// Nothing will be stored: the request is a dry run.
    pub dry_run: bool,
}

/// What is known of a write once it is over.
#[derive(Clone, Copy, Debug)]
pub enum WriteOutcome<'a> {
    /// The server holds this version, or a newer one.
    Stored {
        /// Empty for cluster-scoped objects.
        namespace: &'a str,
        /// The object's name, also where the server chose it.
        name: &'a str,
        /// The object's uid.
        uid: &'a str,
        /// The version the server answered with.
        resource_version: &'a str,
        /// The labels of that version; `None` where the answer does not tell them, as that to a write of a
        /// scale.
        labels: Option<Labels<'a>>,
    },
    /// The object is gone.
    Deleted {
        /// Empty for cluster-scoped objects.
        namespace: &'a str,
        /// The object's name.
        name: &'a str,
        /// Empty when the server did not tell it.
        uid: &'a str,
    },
    /// There is no object of this name: the server answered 404 and named it. Whichever had the name when
    /// the write began is gone. Never of a write of a subresource, of which a 404 may mean either.
    Absent,
    /// The server refused: nothing was stored.
    Refused,
    /// It may or may not have been stored: the answer was lost, unreadable or ambiguous, the deadline
    /// passed, the caller went away. Or it was, and the answer does not tell what there is now: an eviction, a
    /// binding, many objects that were deleted at once.
    Unknown,
}

/// The labels of an object that was stored.
#[derive(Clone, Copy)]
pub struct Labels<'a>(&'a dyn Labelled);

/// An object of whatever type.
trait Labelled: Sync {
    fn value_of(&self, key: &str) -> Option<&str>;
}

impl<K: Object> Labelled for K {
    fn value_of(&self, key: &str) -> Option<&str> {
        self.label(key)
    }
}

impl<'a> Labels<'a> {
    /// Those of an object.
    pub fn of<K: Object>(object: &'a K) -> Self {
        Self(object)
    }

    /// The value of one of them.
    #[must_use]
    pub fn get(self, key: &str) -> Option<&'a str> {
        self.0.value_of(key)
    }
}

impl fmt::Debug for Labels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Labels")
    }
}

/// Told of every mutating request of a client.
///
/// ```
/// use std::sync::Arc;
/// use watchkeeper_client::{Client, WriteIntent, WriteObserver, WriteOutcome};
///
/// struct Diary;
///
/// impl WriteObserver for Diary {
///     fn begin(&self, write: &WriteIntent<'_>) -> u64 {
///         println!("{} {}", write.verb.as_str(), write.kind.plural);
///         0
///     }
///
///     fn finish(&self, _ticket: u64, outcome: &WriteOutcome<'_>) {
///         println!("{outcome:?}");
///     }
/// }
///
/// fn observed(client: Client) -> Client {
///     client.observed_by(Arc::new(Diary))
/// }
/// ```
///
/// Both calls are made on the caller's task and must not block.
pub trait WriteObserver: Send + Sync {
    /// A write starts. The ticket is handed back to [`finish`](Self::finish).
    fn begin(&self, write: &WriteIntent<'_>) -> u64;

    /// The write of this ticket is over.
    fn finish(&self, ticket: u64, outcome: &WriteOutcome<'_>);
}

/// The observers of one client, in the order they were added.
#[derive(Clone, Default)]
pub(crate) struct Observers(Vec<Arc<dyn WriteObserver>>);

impl Observers {
    pub(crate) fn push(&mut self, observer: Arc<dyn WriteObserver>) {
        self.0.push(observer);
    }

    /// Begins a write at each of them.
    pub(crate) fn begin(&self, intent: &WriteIntent<'_>) -> Watched {
        let tickets = self.0.iter().map(|o| (Arc::clone(o), o.begin(intent))).collect();
        let (dry_run, is_part) = (intent.dry_run, intent.subresource.is_some());
        Watched { tickets, dry_run, is_part }
    }
}

impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} observers", self.0.len())
    }
}

/// A write under way. Dropping it unanswered reports [`WriteOutcome::Unknown`].
#[must_use]
pub(crate) struct Watched {
    tickets: Vec<(Arc<dyn WriteObserver>, u64)>,
    dry_run: bool,
    /// Of a part of an object.
    is_part: bool,
}

impl Watched {
    pub(crate) fn finish(mut self, outcome: &WriteOutcome<'_>) {
        self.report(outcome);
    }

    fn report(&mut self, outcome: &WriteOutcome<'_>) {
        // A dry run stores nothing, whatever the answer looks like.
        let dry_run = self.dry_run && !matches!(outcome, WriteOutcome::Unknown);
        let outcome = if dry_run { &WriteOutcome::Refused } else { outcome };
        // A definition without such a part says of its objects what is said of those that are not there.
        let is_vague = self.is_part && matches!(outcome, WriteOutcome::Absent);
        let outcome = if is_vague { &WriteOutcome::Unknown } else { outcome };
        for (observer, ticket) in self.tickets.drain(..) {
            observer.finish(ticket, outcome);
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.report(&WriteOutcome::Unknown);
    }
}
