//! Copies of one namespace: of whole objects, also through the classic queue, packed or transformed ones, of
//! metadata, of shards.

use std::collections::BTreeSet;

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Metadata, Object as _, StaticKind};
use watchkeeper_cache::classic::DeltaFifo;
use watchkeeper_cache::{
    Cache, Change, HandlerOptions, Index, Item, Packed, Status, Store, Transformed, Watch, filtered,
};
use watchkeeper_client::{Select, Shard};

use super::{Handler, Manner, Pending, Place, Subject, View};
use crate::space::Space;
use crate::told::{EVEN, MARK, Seen, Told, hash, number, object_of};
use crate::truth::Scope;

type Both = Vec<(Scope, Box<dyn Subject>)>;

/// A watch of a cache, and what its objects are in numbers.
pub(super) struct Copy<K: Item> {
    watch: Watch<K>,
    index: Index<K, bool>,
    seen: fn(&K) -> Seen,
    space: Space,
}

/// A copy of everything, and one of what has the label.
fn both<S: StaticKind, K: Item>(
    space: &Space,
    seen: fn(&K) -> Seen,
    watch: impl Fn(Select<S>) -> Watch<K>,
) -> Both {
    let all = Select::<S>::all().namespace(space.namespace(0));
    let even = labelled(all.clone());
    let copy = |select| boxed(Copy::new(watch(select), seen, space));
    vec![(Scope::ALL, copy(all)), (Scope::ALL.even(), copy(even))]
}

pub(super) fn labelled<K: StaticKind>(select: Select<K>) -> Select<K> {
    select.labels(format!("{EVEN}=true"))
}

fn boxed(subject: impl Subject + 'static) -> Box<dyn Subject> {
    Box::new(subject)
}

pub(super) fn whole(cache: &Cache, space: &Space) -> Both {
    both(space, Seen::of, |select: Select<ConfigMap>| cache.watch_only(select))
}

pub(super) fn classic(cache: &Cache, space: &Space) -> Both {
    let fifo = |store: &Store<ConfigMap>| DeltaFifo::new().known_objects(store.clone());
    both(space, Seen::of, |select: Select<ConfigMap>| cache.watch_through(select, fifo))
}

pub(super) fn packed(cache: &Cache, space: &Space) -> Both {
    let seen = |map: &Packed<ConfigMap>| Seen::of(&map.unpack());
    both(space, seen, |select: Select<ConfigMap>| cache.packed(select))
}

pub(super) fn metadata(cache: &Cache, space: &Space) -> Both {
    let watch = |select: Select<Metadata<ConfigMap>>| cache.watch_only(select);
    both(space, Seen::of_metadata, watch)
}

/// What a transform keeps.
struct Noted {
    mark: u64,
    even: bool,
}

pub(super) fn transformed(cache: &Cache, space: &Space) -> Both {
    let note = |map: ConfigMap| {
        let mark = number(map.data.get(MARK).map(|mark| &**mark));
        Ok::<_, String>(Noted { mark, even: map.label(EVEN) == Some("true") })
    };
    let seen = |noted: &Transformed<Noted>| Seen {
        object: object_of(&noted.key().namespace, &noted.key().name),
        life: hash(noted.uid()),
        version: number(Some(noted.resource_version())),
        mark: noted.mark,
        even: noted.even,
    };
    both(space, seen, |select: Select<ConfigMap>| cache.transformed(select, note))
}

pub(super) fn sharded(cache: &Cache, space: &Space) -> Both {
    let all = Select::<ConfigMap>::all().namespace(space.namespace(0));
    let halves = [false, true].map(|upper| {
        let half = Shard::of(u32::from(upper), 2).map(|half| all.clone().shard(half));
        let copy = half.map(|half| Copy::new(cache.watch_only(half), Seen::of, space));
        copy.map(|copy| (Scope { even: false, upper: Some(upper) }, boxed(copy)))
    });
    halves.into_iter().flatten().collect()
}

impl<K: Item> Copy<K> {
    fn new(watch: Watch<K>, seen: fn(&K) -> Seen, space: &Space) -> Self {
        let index = watch.index(move |object: &K| [seen(object).even]);
        Self { watch, index, seen, space: space.clone() }
    }
}

impl<K: Item> Subject for Copy<K> {
    fn subscribe(&self, manner: &Manner, handler: Handler) -> Box<dyn Place> {
        let (options, tell) = (options(manner), telling(self.seen, handler));
        let seen = self.seen;
        Box::new(if manner.filtered {
            self.watch.subscribe_with(options, filtered(move |object| seen(object).even, tell))
        } else {
            self.watch.subscribe_with(options, tell)
        })
    }

    fn views(&self) -> Vec<View> {
        let found = self.index.get(&true);
        let found = found.iter().fold(0, |sum, object| sum ^ (self.seen)(object).digest());
        view(0, &self.watch, self.seen, Some(found)).into_iter().collect()
    }

    fn get(&self, object: u64, _: u64) -> Pending<'_, Option<Option<Seen>>> {
        Box::pin(async move {
            let read = self.watch.get(self.space.key(object)).await.ok()?;
            Some(read.map(|object| (self.seen)(&object)))
        })
    }
}

pub(super) fn options(manner: &Manner) -> HandlerOptions {
    let Manner { buffer, overflow, resync, .. } = *manner;
    HandlerOptions { buffer, overflow, resync, ..HandlerOptions::default() }
}

/// A handler of the informer's, which tells in numbers.
pub(super) fn telling<K: Item>(
    seen: fn(&K) -> Seen,
    mut handler: Handler,
) -> impl FnMut(&Change<K>) + Send {
    move |change| handler(Told::of(change, seen))
}

/// What a watch of one namespace shows.
pub(super) fn view<K: Item>(
    part: u64,
    watch: &Watch<K>,
    seen: fn(&K) -> Seen,
    found: Option<u64>,
) -> Option<View> {
    let snapshot = watch.snapshot();
    let version = snapshot.version().parse().ok()?;
    let states: Vec<Seen> = snapshot.iter().map(|object| seen(object)).collect();
    let keys: Vec<_> = snapshot.iter().map(|object| object.item_key()).collect();
    let is_in_order = keys.is_sorted_by(|one, next| one < next);
    let unreadable = unreadable(&watch.status());
    Some(View { part, version, states, found, is_in_order, unreadable })
}

fn unreadable(status: &Status) -> BTreeSet<u64> {
    let names = status.malformed.keys();
    names
        .map(|name| name.split_once('/').map_or(0, |(space, name)| object_of(space, name)))
        .collect()
}
