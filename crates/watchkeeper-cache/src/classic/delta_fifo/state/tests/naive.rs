//! The queue against the contract as a list that is walked.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Copy, Debug)]
enum Turn {
    Add(u8),
    Update(u8),
    Delete(u8),
    Vanish(u8),
    /// The bits of what is in it.
    Replace(u8),
    Resync,
    Pop,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => (0..5_u8).prop_map(Turn::Add),
        4 => (0..5_u8).prop_map(Turn::Update),
        4 => (0..5_u8).prop_map(Turn::Delete),
        1 => (0..5_u8).prop_map(Turn::Vanish),
        2 => any::<u8>().prop_map(Turn::Replace),
        1 => Just(Turn::Resync),
        8 => Just(Turn::Pop),
    ];
    prop::collection::vec(turn, 0..300)
}

pub(super) fn name(number: u8) -> String {
    format!("o{number}")
}

/// The contract as a list that is walked.
#[derive(Default)]
struct Naive {
    waiting: Vec<(String, Vec<String>)>,
    /// What is stored: everything popped is applied at once.
    known: BTreeMap<String, String>,
    populated: bool,
    initial: usize,
}

impl Naive {
    fn queue(&mut self, name: &str, delta: String) {
        if !self.waiting.iter().any(|(waiting, _)| waiting == name) {
            self.waiting.push((name.to_owned(), Vec::new()));
        }
        let (_, list) = self.waiting.iter_mut().find(|(waiting, _)| waiting == name).unwrap();
        let both = delta.starts_with("deleted")
            && list.last().is_some_and(|last| last.starts_with("deleted"));
        match both {
            true if list.last().unwrap().contains("last seen") => {
                list.pop();
                list.push(delta);
            }
            true => {}
            false => list.push(delta),
        }
    }

    fn last(&self, name: &str) -> String {
        let waiting = self.waiting.iter().find(|(waiting, _)| waiting == name);
        match waiting {
            Some((_, list)) => list.last().unwrap().rsplit(' ').next().unwrap().to_owned(),
            None => self.known.get(name).map_or("never".to_owned(), |v| format!("@{v}")),
        }
    }

    fn is_there(&self, name: &str) -> bool {
        self.known.contains_key(name) || self.waiting.iter().any(|(waiting, _)| waiting == name)
    }

    fn replace(&mut self, names: &[String], version: &str) {
        names.iter().for_each(|name| self.queue(name, format!("replaced @{version}")));
        let queued = self.waiting.iter().map(|(name, _)| name.clone());
        let mut missing: Vec<String> = queued.filter(|name| !names.contains(name)).collect();
        for name in self.known.keys() {
            if !names.contains(name) && !missing.contains(name) {
                missing.push(name.clone());
            }
        }
        if !self.populated {
            self.populated = true;
            self.initial = names.len() + missing.len();
        }
        for name in missing {
            let last = self.last(&name);
            self.queue(&name, format!("deleted, last seen {last}"));
        }
    }

    fn pop(&mut self) -> Option<(String, Vec<String>)> {
        let first = (!self.waiting.is_empty()).then(|| self.waiting.remove(0))?;
        self.initial = self.initial.saturating_sub(1);
        let newest = first.1.last().unwrap();
        if newest.starts_with("deleted") {
            self.known.remove(&first.0);
        } else {
            let version = newest.rsplit('@').next().unwrap().to_owned();
            self.known.insert(first.0.clone(), version);
        }
        Some(first)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn it_is_as_the_naive_queue(turns in turns()) {
        let (mut state, store) = (State::new(), Store::new());
        let mut naive = Naive::default();
        for (version, turn) in (1..).zip(turns) {
            let object = |number| Arc::new(tiny(&format!("{}@{version}", name(number))));
            let known: Known<'_, Tiny> = Some(&store);
            match turn {
                Turn::Add(n) => {
                    state.push(Delta::Added(object(n)), known);
                    naive.populated = true;
                    naive.queue(&name(n), format!("added @{version}"));
                }
                Turn::Update(n) => {
                    state.push(Delta::Updated(object(n)), known);
                    naive.populated = true;
                    naive.queue(&name(n), format!("updated @{version}"));
                }
                Turn::Delete(n) => {
                    state.push(Delta::Deleted(object(n)), known);
                    naive.populated = true;
                    if naive.is_there(&name(n)) {
                        naive.queue(&name(n), format!("deleted @{version}"));
                    }
                }
                Turn::Vanish(n) => {
                    let key = ("default", &*name(n)).into();
                    state.push(Delta::Vanished { key, version: String::new() }, known);
                    naive.populated = true;
                    if naive.is_there(&name(n)) {
                        let last = naive.last(&name(n));
                        naive.queue(&name(n), format!("deleted, last seen {last}"));
                    }
                }
                Turn::Replace(bits) => {
                    let names: Vec<String> = (0..5).filter(|n| bits & (1 << n) != 0).map(name).collect();
                    let words: Vec<String> = names.iter().map(|name| format!("{name}@{version}")).collect();
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    state.push(replacement(&version.to_string(), &words), known);
                    naive.replace(&names, &version.to_string());
                }
                Turn::Resync => {
                    state.push(Delta::Sync, known);
                    for (name, version) in naive.known.clone() {
                        if !naive.waiting.iter().any(|(waiting, _)| *waiting == name) {
                            naive.queue(&name, format!("sync @{version}"));
                        }
                    }
                }
                Turn::Pop => {
                    let popped = state.pop();
                    let shown = popped.as_ref().map(|deltas| {
                        let list: Vec<String> = deltas.list.iter().map(ToString::to_string).collect();
                        (deltas.key.name.to_string(), list)
                    });
                    prop_assert_eq!(shown, naive.pop());
                    if let Some(deltas) = popped {
                        apply_deltas(&store, deltas, drop);
                    }
                    // What was popped is applied; the naive queue knows of no hand.
                    state.in_hand = None;
                }
            }
            prop_assert_eq!(state.has_synced(), naive.populated && naive.initial == 0);
            let deltas: usize = naive.waiting.iter().map(|(_, list)| list.len()).sum();
            prop_assert_eq!(state.len(), deltas);
        }
    }
}
