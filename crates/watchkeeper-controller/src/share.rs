//! The part of all objects that this process works on, where several processes share them.
//!
//! Who holds what is decided elsewhere, by leases say. Here it is kept: what may begin, what is under way and
//! has to end with it, and who looks at what was gained.

use std::collections::BTreeSet;
use std::fmt;
use std::future::{Future, pending};
use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::{Arc, PoisonError};

use watchkeeper_api::ObjectKey;
use watchkeeper_client::Client;

use crate::mix::{fnv, mixed};
use crate::sync::{Mutex, MutexGuard, Notify};

/// Which shards of all objects this process holds. Clones are the same share.
///
/// An object is in one shard, by its namespace and its name, and stays there: through deletion and
/// re-creation, and in every process that counts as many shards. A controller that was
/// [given](crate::ControllerBuilder::share) a share reconciles the objects of the shards that are held, and
/// looks at all of a shard's when it is gained. A manager with sharding has one, and gives it to its
/// controllers.
///
/// ```
/// use watchkeeper_controller::Share;
///
/// let share = Share::new(16, |_shard, client| client.clone());
/// let shard = share.shard_of(&("shop", "a").into());
/// assert!(shard < 16 && !share.has(&("shop", "a").into()));
/// share.gain(shard);
/// assert!(share.has(&("shop", "a").into()));
/// ```
#[derive(Clone)]
pub struct Share {
    shared: Arc<Shared>,
}

struct Shared {
    count: NonZeroU32,
    guard: Box<Guard>,
    state: Mutex<State>,
    /// Something was gained or lost.
    changed: Notify,
    /// The last work on a shard has ended. Apart, so that no end of a reconcile wakes those under way.
    rested: Notify,
}

type Guard = dyn Fn(u32, &Client) -> Client + Send + Sync;

#[derive(Default)]
struct State {
    shards: Vec<Shard>,
    /// How often something was gained.
    gains: u64,
}

#[derive(Clone, Debug, Default)]
struct Shard {
    held: bool,
    /// How often it was lost: work is of the term in which it began.
    losses: u64,
    /// Which gain of all was the last one of this shard.
    gained: u64,
    /// Reconciles that have begun and not ended.
    under_way: usize,
}

impl Share {
    /// None of so many shards, and at least of one. `guard` makes of a client the one by which objects of a
    /// shard are written: it sends nothing when the shard may be another process's.
    #[must_use]
    pub fn new(
        shards: u32,
        guard: impl Fn(u32, &Client) -> Client + Send + Sync + 'static,
    ) -> Self {
        let count = NonZeroU32::new(shards).unwrap_or(NonZeroU32::MIN);
        let shards = (0..count.get()).map(|_| Shard::default()).collect();
        let state = Mutex::new(State { shards, gains: 0 });
        let (changed, rested) = (Notify::new(), Notify::new());
        let shared = Shared { count, guard: Box::new(guard), state, changed, rested };
        Self { shared: Arc::new(shared) }
    }

    /// How many shards there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.shared.count.get()
    }

    /// The shard that an object is in, from zero.
    #[must_use]
    pub fn shard_of(&self, key: &ObjectKey) -> u32 {
        let place = u128::from(hash(key)) * u128::from(self.count());
        u32::try_from(place >> 64).unwrap_or(0)
    }

    /// Whether the shard of an object is held.
    #[must_use]
    pub fn has(&self, key: &ObjectKey) -> bool {
        let shard = self.shard_of(key);
        self.lock().of(shard).is_some_and(|shard| shard.held)
    }

    /// The shards that are held.
    #[must_use]
    pub fn held(&self) -> BTreeSet<u32> {
        let state = self.lock();
        let held = (0_u32..).zip(&state.shards).filter(|(_, shard)| shard.held);
        held.map(|(number, _)| number).collect()
    }

    /// From now on its objects are this process's: all of them are looked at.
    pub fn gain(&self, shard: u32) {
        self.change(|state| {
            state.gains += 1;
            let gains = state.gains;
            if let Some(shard) = state.of_mut(shard) {
                (shard.held, shard.gained) = (true, gains);
            }
        });
    }

    /// No reconcile of its objects begins any more; those under way go on.
    pub fn leave(&self, shard: u32) {
        self.change(|state| {
            if let Some(shard) = state.of_mut(shard) {
                shard.held = false;
            }
        });
    }

    /// Its objects may be another process's by now: reconciles under way are dropped where they are.
    pub fn lose(&self, shard: u32) {
        self.change(|state| {
            if let Some(shard) = state.of_mut(shard) {
                shard.held = false;
                shard.losses += 1;
            }
        });
    }

    /// Whether no reconcile of its objects is under way.
    #[must_use]
    pub fn is_at_rest(&self, shard: u32) -> bool {
        self.lock().of(shard).is_none_or(|shard| shard.under_way == 0)
    }

    /// Waits until no reconcile of its objects is under way.
    ///
    /// # Cancel safety
    ///
    /// Waiting changes nothing: the future may be dropped at any time.
    pub async fn at_rest(&self, shard: u32) {
        self.until(&self.shared.rested, |state| {
            let at_rest = state.of(shard).is_none_or(|shard| shard.under_way == 0);
            at_rest.then_some(())
        })
        .await;
    }

    /// The client by which objects of a shard are written.
    pub(crate) fn guard(&self, shard: u32, client: &Client) -> Client {
        (self.shared.guard)(shard, client)
    }

    /// Begins work on an object, if its shard is held.
    pub(crate) fn begin(&self, key: &ObjectKey) -> Option<Turn> {
        let number = self.shard_of(key);
        let mut state = self.lock();
        let shard = state.of_mut(number).filter(|shard| shard.held)?;
        shard.under_way += 1;
        Some(Turn { losses: shard.losses, shard: number, share: self.clone() })
    }

    /// What is gained from now on.
    pub(crate) fn gains(&self) -> Gains {
        Gains { seen: self.lock().gains, share: Some(self.clone()) }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.shared.changed.notify_waiters();
    }

    async fn until<T>(&self, told: &Notify, look: impl Fn(&State) -> Option<T>) -> T {
        loop {
            // Made before the look, it hears of what changes after it.
            let told = told.notified();
            let found = look(&self.lock());
            if let Some(found) = found {
                return found;
            }
            told.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn of(&self, shard: u32) -> Option<&Shard> {
        self.shards.get(usize::try_from(shard).ok()?)
    }

    fn of_mut(&mut self, shard: u32) -> Option<&mut Shard> {
        self.shards.get_mut(usize::try_from(shard).ok()?)
    }
}

/// Work on an object of a shard, which is at rest when this and all others are dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    share: Share,
    shard: u32,
    losses: u64,
}

impl Turn {
    pub(crate) const fn shard(&self) -> u32 {
        self.shard
    }

    /// What `work` comes to; `None` if the shard is lost before: the work is dropped then.
    pub(crate) async fn unless_lost<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let lost = self.share.until(&self.share.shared.changed, |state| {
            let losses = state.of(self.shard)?.losses;
            (losses != self.losses).then_some(())
        });
        let work = pin!(work);
        tokio::select! {
            biased;
            () = lost => None,
            done = work => Some(done),
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let under_way = self.share.lock().of_mut(self.shard).map(|shard| {
            shard.under_way = shard.under_way.saturating_sub(1);
            shard.under_way
        });
        if under_way == Some(0) {
            self.share.shared.rested.notify_waiters();
        }
    }
}

/// One who looks at what is gained.
pub(crate) struct Gains {
    share: Option<Share>,
    seen: u64,
}

impl Gains {
    /// Of a controller that has all objects.
    pub(crate) const fn none() -> Self {
        Self { share: None, seen: 0 }
    }

    /// Waits until shards were gained that were not told before, and are held still.
    pub(crate) async fn next(&mut self) -> BTreeSet<u32> {
        let Some(share) = &self.share else { return pending().await };
        let seen = self.seen;
        let (gains, gained) = share
            .until(&share.shared.changed, |state| {
                let new = |shard: &Shard| shard.held && shard.gained > seen;
                let gained = (0_u32..).zip(&state.shards).filter(|(_, shard)| new(shard));
                let gained: BTreeSet<u32> = gained.map(|(number, _)| number).collect();
                (!gained.is_empty()).then_some((state.gains, gained))
            })
            .await;
        self.seen = gains;
        gained
    }
}

/// The objects that a source may ask for.
#[derive(Clone, Default)]
pub(crate) struct Only {
    /// Those of what is held, if the controller has a share.
    pub(crate) share: Option<Share>,
    /// And of these shards alone, where it is told again what they have.
    pub(crate) gained: Option<Arc<BTreeSet<u32>>>,
}

impl Only {
    pub(crate) fn has(&self, key: &ObjectKey) -> bool {
        let Some(share) = &self.share else { return true };
        let among = |gained: &Arc<BTreeSet<u32>>| gained.contains(&share.shard_of(key));
        self.gained.as_ref().is_none_or(among) && share.has(key)
    }
}

/// The same in every version of this crate: programs of two versions share objects while one replaces the
/// other. FNV-1a alone puts names that differ at their ends next to each other.
fn hash(key: &ObjectKey) -> u64 {
    let text = key.namespace.bytes().chain([b'/']).chain(key.name.bytes());
    mixed(fnv(0, text))
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Share({:?} of {})", self.held(), self.count())
    }
}

#[cfg(test)]
mod tests;
