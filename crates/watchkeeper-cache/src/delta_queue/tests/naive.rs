//! The queue against the list of all that was ever pushed, and a store that it feeds against a map.

use std::collections::BTreeMap;

use proptest::prelude::*;
use watchkeeper_api::ObjectKey;

use super::*;

const NAMES: u8 = 6;

#[derive(Clone, Copy, Debug)]
enum Turn {
    Put(u8),
    Delete(u8),
    Vanish(u8),
    /// The bits of what is in it.
    Replace(u8),
    Bookmark,
    Sync,
    Pop,
    Next,
    PopBatch,
    Close,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        24 => (0..NAMES).prop_map(Turn::Put),
        12 => (0..NAMES).prop_map(Turn::Delete),
        6 => (0..NAMES).prop_map(Turn::Vanish),
        8 => any::<u8>().prop_map(Turn::Replace),
        3 => Just(Turn::Bookmark),
        3 => Just(Turn::Sync),
        16 => Just(Turn::Pop),
        8 => Just(Turn::Next),
        8 => Just(Turn::PopBatch),
        // Most histories end open.
        1 => prop::option::weighted(0.1, Just(())).prop_map(|close| match close {
            Some(()) => Turn::Close,
            None => Turn::Pop,
        }),
    ];
    prop::collection::vec(turn, 0..400)
}

fn delta(turn: Turn, version: usize) -> Option<Delta<Tiny>> {
    let object = |number| Arc::new(tiny(&format!("o{number}@{version}")));
    let version = version.to_string();
    Some(match turn {
        Turn::Put(number) => Delta::Updated(object(number)),
        Turn::Delete(number) => Delta::Deleted(object(number)),
        Turn::Vanish(number) => Delta::Vanished { key: object(number).item_key(), version },
        Turn::Replace(bits) => {
            let items = (0..NAMES).filter(|number| bits & (1 << number) != 0).map(object).collect();
            Delta::Replaced(Replacement { items, unreadable: Vec::new(), nameless: false, version })
        }
        Turn::Bookmark => Delta::Bookmark(version),
        Turn::Sync => Delta::Sync,
        Turn::Pop | Turn::Next | Turn::PopBatch | Turn::Close => return None,
    })
}

/// Everything that was ever let in, and how much of it has left.
#[derive(Default)]
struct Naive {
    history: Vec<Delta<Tiny>>,
    left: usize,
    closed: bool,
    /// How often somebody asked for the next, and which time the first list was the answer.
    asked: usize,
    list_left_at: Option<usize>,
}

impl Naive {
    fn waiting(&self) -> &[Delta<Tiny>] {
        &self.history[self.left..]
    }

    /// What leaves; none if there is nothing yet.
    fn pop(&mut self, batch: bool) -> Vec<String> {
        self.asked += 1;
        let mut names = Vec::new();
        let mut taken = Vec::new();
        for delta in self.waiting() {
            let name = delta.key();
            let alone = name.is_none() || !batch;
            if !taken.is_empty() && (alone || names.contains(&name)) {
                break;
            }
            names.push(name);
            taken.push(show(delta));
            if alone {
                break;
            }
        }
        let first_list = self.history.iter().position(|delta| matches!(delta, Delta::Replaced(_)));
        if !taken.is_empty() && first_list == Some(self.left) {
            self.list_left_at = Some(self.asked);
        }
        self.left += taken.len();
        taken
    }

    /// An object came before any list, or whoever was given the first list has asked again.
    fn has_synced(&self) -> bool {
        let says =
            |delta: &&Delta<Tiny>| delta.key().is_some() || matches!(delta, Delta::Replaced(_));
        match self.history.iter().find(says) {
            Some(Delta::Replaced(_)) => self.list_left_at.is_some_and(|at| at < self.asked),
            Some(_) => true,
            None => false,
        }
    }

    /// What is there once all that has left was applied.
    fn objects(&self) -> BTreeMap<ObjectKey, Tiny> {
        let mut objects = BTreeMap::new();
        for delta in &self.history[..self.left] {
            match delta {
                Delta::Added(object) | Delta::Updated(object) => {
                    objects.insert(object.item_key(), Tiny::clone(object));
                }
                Delta::Deleted(object) => drop(objects.remove(&object.item_key())),
                Delta::Vanished { key, .. } => drop(objects.remove(key)),
                Delta::Replaced(list) => {
                    objects = list.items.iter().map(|o| (o.item_key(), Tiny::clone(o))).collect();
                }
                Delta::Unreadable { .. } | Delta::Bookmark(_) | Delta::Sync => {}
            }
        }
        objects
    }
}

/// What comes without waiting; the wait is given up otherwise, and nothing may be lost with it.
fn now<T>(future: impl Future<Output = Option<T>>) -> Poll<Option<T>> {
    poll(std::pin::pin!(future))
}

fn taken(queue: &DeltaQueue<Tiny>, turn: Turn) -> Poll<Option<Vec<Delta<Tiny>>>> {
    let one = |delta| vec![delta];
    match turn {
        Turn::PopBatch => now(queue.pop_batch()),
        Turn::Next => now(queue.next()).map(|popped| match popped? {
            Popped::Delta { delta, .. } => Some(one(delta)),
            Popped::Deltas(_) => panic!("this queue merges nothing"),
        }),
        _ => now(queue.pop()).map(|popped| popped.map(one)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 128 }))]

    /// Whatever is pushed, listed anew at whatever point, and taken one by one or in batches: it leaves in the
    /// order in which it came, a list as one, and a store that is given it has what the deltas say.
    #[test]
    fn it_is_as_the_list_of_what_was_pushed(capacity in 1..8_usize, turns in turns()) {
        let (queue, store) = (DeltaQueue::new(capacity), Store::new());
        let mut naive = Naive::default();
        for (version, turn) in (1..).zip(turns) {
            if let (Some(known), Some(pushed)) = (delta(turn, version), delta(turn, version)) {
                let pushed = poll(std::pin::pin!(queue.push(pushed)));
                let has_room = naive.waiting().len() < capacity;
                match pushed {
                    Poll::Ready(Ok(())) => prop_assert!(!naive.closed && has_room),
                    Poll::Ready(Err(refused)) => prop_assert!(naive.closed && refused.is_closed()),
                    Poll::Pending => prop_assert!(!naive.closed && !has_room),
                }
                if !naive.closed && has_room {
                    naive.history.push(known);
                }
            } else if let Turn::Close = turn {
                queue.close();
                naive.closed = true;
            } else {
                let expected = naive.pop(matches!(turn, Turn::PopBatch));
                match taken(&queue, turn) {
                    Poll::Ready(Some(deltas)) => {
                        let shown: Vec<String> = deltas.iter().map(show).collect();
                        prop_assert_eq!(shown, expected);
                        deltas.into_iter().for_each(|delta| drop(store.apply(delta)));
                    }
                    Poll::Ready(None) => prop_assert!(naive.closed && expected.is_empty()),
                    Poll::Pending => prop_assert!(!naive.closed && expected.is_empty()),
                }
            }
            prop_assert_eq!(queue.len(), naive.waiting().len());
            prop_assert_eq!(queue.has_synced(), naive.has_synced());
            let objects = naive.objects();
            prop_assert!(store.list().iter().map(|object| &**object).eq(objects.values()));
        }
    }
}
