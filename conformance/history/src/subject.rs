//! What is judged: something that keeps a copy and tells handlers of it.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use watchkeeper_cache::{Cache, Overflow, Subscription};
use watchkeeper_client::{Client, WriteObserver};

use crate::mode::Mode;
use crate::space::Space;
use crate::told::{Seen, Told};
use crate::truth::Scope;

mod copies;
mod spaces;

/// A handler as an informer takes it.
pub type Handler = Box<dyn FnMut(Told) + Send>;
/// A future of an informer.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How a handler wants to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    /// How many changes may wait for it.
    pub buffer: usize,
    /// What happens when there are more.
    pub overflow: Overflow,
    /// How often it is told of everything once more.
    pub resync: Option<Duration>,
    /// Only of objects with the label.
    pub filtered: bool,
}

impl Default for Manner {
    fn default() -> Self {
        Self { buffer: usize::MAX, overflow: Overflow::Coalesce, resync: None, filtered: false }
    }
}

/// A handler's place. It leaves when this is dropped.
pub trait Place: Send {
    /// Whether it was thrown out because it was too slow.
    fn is_lagged(&self) -> bool;

    /// How much waits for it; `None` if nobody can say.
    fn pending(&self) -> Option<usize> {
        None
    }
}

/// What a copy shows of one namespace.
#[derive(Debug)]
pub struct View {
    /// Which.
    pub part: u64,
    /// The version that the copy says it has reached.
    pub version: u64,
    /// Every object.
    pub states: Vec<Seen>,
    /// One number for what its index finds under the label.
    pub found: Option<u64>,
    /// Whether it tells its objects in the order of their keys, each once.
    pub is_in_order: bool,
    /// Those that it says cannot be read.
    pub unreadable: BTreeSet<u64>,
}

impl View {
    /// One number for everything in it.
    #[must_use]
    pub fn sum(&self) -> u64 {
        sum_of(self.states.iter())
    }

    /// One number for those of it that have the label.
    #[must_use]
    pub fn even(&self) -> u64 {
        sum_of(self.states.iter().filter(|seen| seen.even))
    }
}

fn sum_of<'a>(states: impl Iterator<Item = &'a Seen>) -> u64 {
    states.fold(0, |sum, seen| sum ^ seen.digest())
}

/// An informer.
pub trait Subject: Send {
    /// Calls the handler for everything there is, and then for every change.
    fn subscribe(&self, manner: &Manner, handler: Handler) -> Box<dyn Place>;

    /// What the copy of each namespace shows now; of none that has no first list yet.
    fn views(&self) -> Vec<View>;

    /// The object, with every write that this process made to it, `written` the last of them; no answer if
    /// it does not come.
    fn get(&self, object: u64, written: u64) -> Pending<'_, Option<Option<Seen>>>;

    /// From now on the copy is of these namespaces, if it can be of several.
    fn follow(&self, parts: &BTreeSet<u64>) {
        let _ = parts;
    }
}

/// Our own informers, and what keeps them up to date.
pub(crate) struct Ours {
    pub(crate) subjects: Vec<(Scope, Box<dyn Subject>)>,
    pub(crate) observer: Arc<dyn WriteObserver>,
    pub(crate) cache: Cache,
}

/// Two copies of this mode, behind `client`: of everything and of what has a label, or of two shards.
pub(crate) fn ours(client: &Client, space: &Space, mode: Mode, seed: u64) -> Ours {
    // Longer than any fault lasts: a read that is not answered then never would be.
    let cache = Cache::new(client).seed(seed).read_deadline(Duration::from_secs(24 * 3600));
    let subjects = match mode {
        Mode::Whole | Mode::Unreadable => copies::whole(&cache, space),
        Mode::Classic => copies::classic(&cache, space),
        Mode::Packed => copies::packed(&cache, space),
        Mode::Transformed => copies::transformed(&cache, space),
        Mode::Metadata => copies::metadata(&cache, space),
        Mode::Sharded => copies::sharded(&cache, space),
        Mode::Namespaces => spaces::both(&cache, space),
    };
    Ours { subjects, observer: cache.observer(), cache }
}

impl Place for Subscription {
    fn is_lagged(&self) -> bool {
        Self::is_lagged(self)
    }

    fn pending(&self) -> Option<usize> {
        Some(Self::pending(self))
    }
}

impl std::fmt::Debug for dyn Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Subject")
    }
}
