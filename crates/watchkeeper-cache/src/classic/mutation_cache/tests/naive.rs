//! The cache against own writes in a line, the one used last at its end.

use proptest::prelude::*;

use super::*;

/// More than are remembered.
const NAMES: u8 = 130;
/// Half of the time that they are remembered for.
const STEP: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
enum Turn {
    /// The store gets an object: name, life, and how much newer it is than the turn.
    Store(u8, u8, u32),
    Lose(u8),
    Replace(Vec<u8>),
    /// The server answered a write.
    Mutate(u8, u8, u32),
    /// The server answered a deletion.
    Delete(u8, u8),
    /// Writes of many names, so that some are forgotten.
    MutateMany(u8, u8),
    Get(u8),
    Find(u8),
    Pass,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    // Few names are used much, so that things happen to them; many are used sometimes.
    let name = || prop_oneof![3 => 0..6_u8, 1 => 0..NAMES];
    let life = 0..2_u8;
    let newer = 0..6_u32;
    let turn = prop_oneof![
        4 => (name(), life.clone(), newer.clone()).prop_map(|(n, uid, by)| Turn::Store(n, uid, by)),
        2 => name().prop_map(Turn::Lose),
        1 => prop::collection::vec(name(), 0..40).prop_map(Turn::Replace),
        6 => (name(), life.clone(), newer).prop_map(|(n, uid, by)| Turn::Mutate(n, uid, by)),
        3 => (name(), life).prop_map(|(n, uid)| Turn::Delete(n, uid)),
        1 => (0..NAMES, 0..120_u8).prop_map(|(from, count)| Turn::MutateMany(from, count)),
        8 => name().prop_map(Turn::Get),
        3 => (0..3_u8).prop_map(Turn::Find),
        1 => Just(Turn::Pass),
    ];
    prop::collection::vec(turn, 0..200)
}

/// A version beginning with `x` is no number.
fn make(name: u8, uid: u8, version: u32) -> Tiny {
    let opaque = if version.is_multiple_of(11) { "x" } else { "" };
    let letter = ["a", "b", "c"][usize::from(name % 3)];
    tiny(&format!("{letter}{name:03}#{uid}@{opaque}{version}"))
}

fn key(name: u8) -> ObjectKey {
    make(name, 0, 0).item_key()
}

/// A write, or the uid of what was deleted, and when.
type Own = (ObjectKey, Result<Tiny, String>, Duration);

#[derive(Default)]
struct Naive {
    store: BTreeMap<ObjectKey, Tiny>,
    /// The one used longest ago first.
    own: Vec<Own>,
    include_adds: bool,
}

impl Naive {
    fn write(&mut self, key: ObjectKey, write: Result<Tiny, String>, now: Duration) {
        self.own.retain(|(other, ..)| *other != key);
        self.own.push((key, write, now));
        if self.own.len() > 100 {
            drop(self.own.remove(0));
        }
    }

    fn get(&mut self, key: &ObjectKey, now: Duration) -> Option<Tiny> {
        let stored = self.store.get(key).cloned();
        let Some(at) = self.own.iter().position(|(other, ..)| other == key) else { return stored };
        let (key, write, since) = self.own.remove(at);
        if now - since >= MINUTE {
            return stored;
        }
        let number = |object: &Tiny| object.version.parse::<u64>().ok();
        let (told, is_kept) = match (&write, stored) {
            (Ok(own), None) => (self.include_adds.then(|| own.clone()), true),
            (Ok(own), Some(stored)) => match (number(own), number(&stored)) {
                (Some(new), Some(old)) if new > old => (Some(own.clone()), true),
                _ => (Some(stored), false),
            },
            (Err(uid), Some(stored)) if stored.uid == *uid => (None, true),
            (Err(_), stored) => (stored, false),
        };
        if is_kept {
            self.own.push((key, write, since));
        }
        told
    }

    fn find(&mut self, letter: &str, now: Duration) -> Vec<String> {
        let of = |object: &Tiny| object.name.starts_with(letter);
        let stored: Vec<_> = self.store.values().filter(|o| of(o)).map(Tiny::item_key).collect();
        let mut found: BTreeMap<_, _> =
            stored.iter().filter_map(|key| Some((key.clone(), self.get(key, now)?))).collect();
        if self.include_adds {
            let fresh = self.own.iter().filter(|(.., since)| now - *since < MINUTE);
            let mut added: Vec<_> = fresh
                .filter(|(_, write, _)| write.as_ref().is_ok_and(of))
                .map(|(key, ..)| key.clone())
                .collect();
            added.sort();
            for key in added {
                if !found.contains_key(&key)
                    && let Some(object) = self.get(&key, now)
                {
                    found.insert(key, object);
                }
            }
        }
        found.values().map(ToString::to_string).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 96 }))]

    #[test]
    fn it_is_as_the_writes_in_a_line(include_adds in any::<bool>(), turns in turns()) {
        let indexer = backing(&[]);
        let cache = MutationCache::new(indexer.clone(), MINUTE, include_adds);
        let mut naive = Naive { include_adds, ..Naive::default() };
        let mut now = Duration::ZERO;
        for (version, turn) in (1..).zip(turns) {
            let version: u32 = version;
            match turn {
                Turn::Store(name, uid, by) => {
                    let object = make(name, uid, version + by);
                    naive.store.insert(object.item_key(), object.clone());
                    indexer.update(Arc::new(object));
                }
                Turn::Lose(name) => {
                    naive.store.remove(&key(name));
                    indexer.delete(&key(name));
                }
                Turn::Replace(some) => {
                    let items: Vec<Tiny> = some.into_iter().map(|name| make(name, 0, version)).collect();
                    naive.store = items.iter().map(|o| (o.item_key(), o.clone())).collect();
                    indexer.replace(items.into_iter().map(Arc::new).collect(), &version.to_string());
                }
                Turn::Mutate(name, uid, by) => {
                    let object = make(name, uid, version + by);
                    naive.write(key(name), Ok(object.clone()), now);
                    cache.mutation(Arc::new(object), now);
                }
                Turn::Delete(name, uid) => {
                    let last = make(name, uid, version);
                    naive.write(key(name), Err(last.uid.clone()), now);
                    cache.deletion(&last, now);
                }
                Turn::MutateMany(from, count) => for at in 0..count {
                    let object = make((from + at % NAMES) % NAMES, 0, version);
                    naive.write(object.item_key(), Ok(object.clone()), now);
                    cache.mutation(Arc::new(object), now);
                },
                Turn::Get(name) => {
                    let found = cache.get_by_key(&key(name), now).map(|found| Tiny::clone(&found));
                    prop_assert_eq!(found, naive.get(&key(name), now));
                }
                Turn::Find(letter) => {
                    let letter = ["a", "b", "c"][usize::from(letter)];
                    prop_assert_eq!(found(&cache, letter, now), naive.find(letter, now));
                }
                Turn::Pass => now += STEP,
            }
        }
        for name in 0..NAMES {
            let found = cache.get_by_key(&key(name), now).map(|found| Tiny::clone(&found));
            prop_assert_eq!(found, naive.get(&key(name), now));
        }
    }
}
