//! What an informer tells of its work, and to whom.
//!
//! The figures are those of client-go's informers (KEP-4346), and are kept only for caches that somebody
//! wants to hear of. Nothing is pushed: who collects asks, and what an informer told is gone with it.
//!
//! | metric | kind | of |
//! |---|---|---|
//! | `informer_queued_items` | gauge | [`Figures::queued_items`] |
//! | `informer_processing_latency_seconds` | histogram | [`Figures::processing_latency`] |
//! | `informer_store_resource_version` | gauge | [`Figures::store_resource_version`] |
//!
//! And of ours, since nothing upstream says what an informer holds:
//!
//! | metric | kind | of |
//! |---|---|---|
//! | `informer_store_objects` | gauge | [`Figures::store_objects`] |
//! | `informer_store_own_bytes` | gauge | [`Figures::store_own_bytes`] |
//! | `informer_store_content_bytes`, `informer_store_content_limit_bytes` | gauges | [`Figures::store_content`] |
//! | `informer_handler_pending_changes` | gauge, with the label `handler` | [`Figures::handlers`] |
//!
//! With the feature `prometheus`, a `PrometheusMetrics` tells them to a registry of `prometheus-client`.

use std::fmt;
use std::sync::Weak;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

/// Deltas that wait to be applied.
pub const QUEUED_ITEMS: &str = "informer_queued_items";
/// How long a delta took to be applied and handed to the handlers.
pub const PROCESSING_LATENCY_SECONDS: &str = "informer_processing_latency_seconds";
/// The last fifteen digits of the version that the copy has reached.
pub const STORE_RESOURCE_VERSION: &str = "informer_store_resource_version";

/// Objects in the copy.
pub const STORE_OBJECTS: &str = "informer_store_objects";
/// What the copy takes by itself, in bytes.
pub const STORE_OWN_BYTES: &str = "informer_store_own_bytes";
/// What the objects of the copy take, where that has a limit, in bytes.
pub const STORE_CONTENT_BYTES: &str = "informer_store_content_bytes";
/// The limit of that, in bytes.
pub const STORE_CONTENT_LIMIT_BYTES: &str = "informer_store_content_limit_bytes";
/// Changes that wait for a handler.
pub const HANDLER_PENDING_CHANGES: &str = "informer_handler_pending_changes";

/// Who collects the figures of informers: a registry's collector, say.
pub trait MetricsProvider: fmt::Debug + Send + Sync {
    /// An informer was made. It can be asked for as long as it is there; where it cannot be any more, its
    /// series are to be removed. Copies of one kind that select differently have one name. Called under a lock
    /// of the cache, which must not be asked for a copy from here.
    fn informer_made(&self, name: &InformerName, informer: Weak<dyn Measured>);
}

/// What can be asked for its figures.
pub trait Measured: Send + Sync {
    /// The figures of now.
    fn figures(&self) -> Figures;
}

/// The labels of an informer's series (upstream: `InformerNameAndResource`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InformerName {
    /// Which cache of the process.
    pub name: String,
    /// The API group; empty for the core group.
    pub group: String,
    /// The version within the group.
    pub version: String,
    /// The resource: `deployments`.
    pub resource: String,
}

/// What an informer has done since it was made, and what it has before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Deltas that wait to be applied.
    pub queued_items: usize,
    /// From taking a delta until it was applied and handed to the handlers.
    pub processing_latency: Latency,
    /// The version that the copy has reached, its last fifteen digits; zero for one that is no number.
    pub store_resource_version: u64,
    /// How many objects the copy holds.
    pub store_objects: usize,
    /// What the copy takes by itself: of each object what stands in it, and its places in the table and in the
    /// order. Not what objects point to, such as texts and lists, of which many objects share much.
    pub store_own_bytes: usize,
    /// What the objects of the copy take, where that has a [limit](crate::Cache::content_limit).
    pub store_content: Option<Content>,
    /// How many changes wait for each handler, by its name. Of those with one name together.
    pub handlers: Vec<(String, usize)>,
}

impl Figures {
    /// Those of two informers that are told as one. The version is that of the one behind.
    pub fn merge(&mut self, other: &Self) {
        self.queued_items += other.queued_items;
        self.processing_latency.merge(&other.processing_latency);
        self.store_resource_version = self.store_resource_version.min(other.store_resource_version);
        self.store_objects += other.store_objects;
        self.store_own_bytes += other.store_own_bytes;
        self.store_content = match (self.store_content, other.store_content) {
            (Some(one), Some(other)) => Some(one.and(other)),
            (one, other) => one.or(other),
        };
        for (name, pending) in &other.handlers {
            match self.handlers.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known += pending,
                None => self.handlers.push((name.clone(), *pending)),
            }
        }
        self.handlers.sort();
    }
}

/// What objects take, and what they may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The bytes that the server sent of each, together; of packed objects those that are kept.
    pub bytes: usize,
    /// So many bytes are allowed.
    pub limit: usize,
}

impl Content {
    const fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            limit: self.limit.saturating_add(other.limit),
        }
    }
}

/// How many durations there were up to each bound.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// How many are above the bound before and not above that of the same index; the last are above all.
    pub counts: [u64; Self::BOUNDS.len() + 1],
    /// All of them together.
    pub sum: Duration,
}

impl Latency {
    /// The bounds, as upstream's.
    pub const BOUNDS: [Duration; 12] = {
        const fn millis(millis: u64) -> Duration {
            Duration::from_millis(millis)
        }
        [
            millis(1),
            millis(5),
            millis(10),
            millis(25),
            millis(50),
            millis(100),
            millis(250),
            millis(500),
            millis(1000),
            millis(2500),
            millis(5000),
            millis(10_000),
        ]
    };

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn merge(&mut self, other: &Self) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, other)| *count += other);
        self.sum += other.sum;
    }
}

/// What a copy holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holding {
    pub(crate) objects: usize,
    pub(crate) own_bytes: usize,
    pub(crate) content: Option<Content>,
}

/// What is counted of an informer while it works.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    queued: AtomicUsize,
    counts: [AtomicU64; Latency::BOUNDS.len() + 1],
    nanos: AtomicU64,
}

impl Meter {
    /// So many deltas wait.
    pub(crate) fn queued(&self, items: usize) {
        self.queued.store(items, Ordering::Relaxed);
    }

    /// A delta was applied.
    pub(crate) fn processed(&self, took: Duration) {
        let bucket = Latency::BOUNDS.partition_point(|bound| *bound < took);
        self.counts[bucket].fetch_add(1, Ordering::Relaxed);
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
    }

    /// With what the copy knows beside it.
    pub(crate) fn figures(
        &self,
        version: &str,
        holding: Holding,
        handlers: Vec<(String, usize)>,
    ) -> Figures {
        let counts = std::array::from_fn(|at| self.counts[at].load(Ordering::Relaxed));
        let sum = Duration::from_nanos(self.nanos.load(Ordering::Relaxed));
        Figures {
            store_objects: holding.objects,
            store_own_bytes: holding.own_bytes,
            store_content: holding.content,
            queued_items: self.queued.load(Ordering::Relaxed),
            processing_latency: Latency { counts, sum },
            store_resource_version: last_digits(version),
            handlers,
        }
    }
}

/// A gauge is a floating-point number, which has no room for more.
fn last_digits(version: &str) -> u64 {
    if !version.bytes().all(|byte| byte.is_ascii_digit()) {
        return 0;
    }
    version[version.len().saturating_sub(15)..].parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_told_by_its_last_digits() {
        assert_eq!(last_digits("42"), 42);
        assert_eq!(last_digits("1234567890123456789"), 567_890_123_456_789);
        assert_eq!(last_digits("10000000000000000"), 0);
        for opaque in ["", "a1", "-1", "é2"] {
            assert_eq!(last_digits(opaque), 0, "{opaque}");
        }
    }

    #[test]
    fn durations_fall_into_the_buckets_of_upstream() {
        let meter = Meter::default();
        for millis in [0, 1, 2, 5, 6, 10_000, 10_001] {
            meter.processed(Duration::from_millis(millis));
        }
        let latency = meter.figures("", Holding::default(), Vec::new()).processing_latency;
        assert_eq!(latency.counts, [2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!((latency.count(), latency.sum), (7, Duration::from_millis(20_015)));
    }

    #[test]
    fn figures_of_one_name_are_told_as_one() {
        let meter = Meter::default();
        meter.queued(3);
        meter.processed(Duration::from_millis(2));
        let content = Some(Content { bytes: 40, limit: 1000 });
        let holding = Holding { objects: 5, own_bytes: 100, content };
        let handlers = |of: &[(&str, usize)]| {
            of.iter().map(|(name, pending)| ((*name).to_owned(), *pending)).collect::<Vec<_>>()
        };
        let mut both = meter.figures("42", holding, handlers(&[("b", 1), ("d", 2)]));
        both.merge(&meter.figures("7", holding, handlers(&[("a", 3), ("b", 4)])));
        assert_eq!((both.queued_items, both.store_objects, both.store_own_bytes), (6, 10, 200));
        assert_eq!(both.store_content, Some(Content { bytes: 80, limit: 2000 }));
        assert_eq!(both.processing_latency.count(), 2);
        assert_eq!(both.processing_latency.sum, Duration::from_millis(4));
        assert_eq!(both.store_resource_version, 7, "of the one behind");
        assert_eq!(both.handlers, handlers(&[("a", 3), ("b", 5), ("d", 2)]));
    }
}
