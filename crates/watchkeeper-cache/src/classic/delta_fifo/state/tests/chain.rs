//! The queue between a server and a store.

use proptest::prelude::*;

use super::naive::name;
use super::*;
use crate::change::Change;
use crate::version::Version;

#[derive(Clone, Copy, Debug)]
enum Act {
    Put(u8),
    Remove(u8),
    /// Nothing of this reaches the queue: the next list tells it.
    PutUnseen(u8),
    RemoveUnseen(u8),
    Relist,
    Resync,
    /// What an informer takes out, before it is applied.
    Take,
    Apply,
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => (0..6_u8).prop_map(Act::Put),
        4 => (0..6_u8).prop_map(Act::Remove),
        1 => (0..6_u8).prop_map(Act::PutUnseen),
        1 => (0..6_u8).prop_map(Act::RemoveUnseen),
        1 => Just(Act::Relist),
        1 => Just(Act::Resync),
        8 => Just(Act::Take),
        8 => Just(Act::Apply),
    ];
    prop::collection::vec(act, 0..400)
}

/// A server, the queue, the store, and what every name was at every version.
struct Chain {
    revision: u64,
    server: BTreeMap<String, Tiny>,
    past: Vec<BTreeMap<String, Tiny>>,
    /// What changed without a word: until the next list events would skip it.
    blind: bool,
    state: State<Tiny>,
    store: Store<Tiny>,
    held: Option<Popped<Tiny>>,
    told: BTreeMap<ObjectKey, u64>,
}

impl Chain {
    fn new() -> Self {
        Self {
            revision: 0,
            server: BTreeMap::new(),
            past: vec![BTreeMap::new()],
            blind: true,
            state: State::new(),
            store: Store::new(),
            held: None,
            told: BTreeMap::new(),
        }
    }

    fn change(&mut self, number: u8, put: bool, seen: bool) {
        let key = name(number);
        let before = self.server.get(&key).cloned();
        self.blind |= !seen;
        if before.is_none() && !put {
            return;
        }
        self.revision += 1;
        let uid = before.as_ref().map_or(self.revision.to_string(), |before| before.uid.clone());
        let object = Arc::new(tiny(&format!("{key}#{uid}@{}", self.revision)));
        let delta = match (&before, put) {
            (None, _) => Delta::Added(Arc::clone(&object)),
            (Some(_), true) => Delta::Updated(Arc::clone(&object)),
            (Some(_), false) => Delta::Deleted(Arc::clone(&object)),
        };
        if put {
            self.server.insert(key, Tiny::clone(&object));
        } else {
            self.server.remove(&key);
        }
        self.past.push(self.server.clone());
        if !self.blind {
            self.state.push(delta, Some(&self.store));
        }
    }

    fn relist(&mut self) {
        let items = self.server.values().cloned().map(Arc::new).collect();
        let list = Replacement {
            items,
            unreadable: Vec::new(),
            nameless: false,
            version: self.revision.to_string(),
        };
        self.state.push(Delta::Replaced(list), Some(&self.store));
        self.blind = false;
    }

    fn take(&mut self) {
        if self.held.is_none() {
            self.held = self.state.next();
        }
    }

    /// Applies what is held. For each object versions go forward, and there is a deletion of what was there.
    fn apply(&mut self) {
        match self.held.take() {
            Some(Popped::Deltas(deltas)) => {
                let told = &mut self.told;
                apply_deltas(&self.store, deltas, |change| {
                    let key = change.key();
                    let version = change.object().version.parse().unwrap();
                    match &change {
                        Change::Added { .. } => assert!(told.insert(key, version).is_none()),
                        Change::Updated { .. } => {
                            assert!(told.insert(key, version).is_some_and(|old| old <= version));
                        }
                        Change::Deleted { .. } => assert!(told.remove(&key).is_some(), "{change}"),
                    }
                });
            }
            Some(Popped::Delta { delta, .. }) => drop(self.store.apply(delta)),
            None => {}
        }
    }

    /// The store is at least as new as it says.
    fn is_honest(&self) -> bool {
        let Some(reached) = self.store.reached() else { return true };
        let (at, _) = (0..self.past.len())
            .map(|revision| (revision, Version::parse(&revision.to_string())))
            .rfind(|(_, version)| version.is_none_or(|version| version <= reached))
            .unwrap();
        (0..6).map(name).all(|name| {
            let stored = self.store.get(&("default", &*name).into());
            let stored = stored.map(|object| Tiny::clone(&object));
            self.past[at..].iter().any(|then| then.get(&name) == stored.as_ref())
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_store_ends_as_the_server_is_and_never_says_too_much(acts in acts()) {
        let mut chain = Chain::new();
        for act in acts {
            match act {
                Act::Put(n) => chain.change(n, true, true),
                Act::Remove(n) => chain.change(n, false, true),
                Act::PutUnseen(n) => chain.change(n, true, false),
                Act::RemoveUnseen(n) => chain.change(n, false, false),
                Act::Relist => chain.relist(),
                Act::Resync => chain.state.push(Delta::Sync, Some(&chain.store)),
                Act::Take => chain.take(),
                Act::Apply => chain.apply(),
            }
            prop_assert!(chain.is_honest());
        }
        chain.relist();
        loop {
            chain.apply();
            chain.take();
            if chain.held.is_none() {
                break;
            }
        }
        let stored: Vec<Tiny> = chain.store.list().iter().map(|o| Tiny::clone(o)).collect();
        let served: Vec<Tiny> = chain.server.into_values().collect();
        prop_assert_eq!(stored, served);
        prop_assert_eq!(chain.store.version(), if chain.revision == 0 { "0".to_owned() } else { chain.revision.to_string() });
    }
}
