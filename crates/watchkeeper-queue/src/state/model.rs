//! The state against a model that is too simple to be wrong.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use proptest::prelude::*;

use super::*;

/// What is known of one key, and nothing else.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Ready, since when, and since when it stands in the line of its priority.
    queued: Option<(u64, u64)>,
    priority: i32,
    held: bool,
    again: bool,
    due: Option<(u64, u64, i32)>,
}

#[derive(Debug)]
struct Model {
    keys: BTreeMap<u8, Known>,
    counter: u64,
    closed: bool,
    oldest_every: u32,
    turn: u32,
}

impl Model {
    fn new(oldest_every: u32) -> Self {
        Self { keys: BTreeMap::new(), counter: 0, closed: false, oldest_every, turn: 0 }
    }

    fn tick(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    fn add(&mut self, key: u8, priority: i32) {
        let number = self.tick();
        let known = self.keys.entry(key).or_default();
        if self.closed {
        } else if known.queued.is_some() || known.again {
            Self::raise(known, number, priority);
        } else {
            known.priority = priority;
            known.again = known.held;
            known.queued = (!known.held).then_some((number, number));
        }
    }

    fn raise(known: &mut Known, number: u64, priority: i32) {
        if priority > known.priority {
            known.priority = priority;
            known.queued = known.queued.map(|(since, _)| (since, number));
        }
    }

    fn add_at(&mut self, key: u8, at: u64, priority: i32) {
        let number = self.tick();
        let known = self.keys.entry(key).or_default();
        if self.closed {
            return;
        }
        if known.queued.is_some() || known.again {
            Self::raise(known, number, priority);
        }
        known.due = Some(match known.due {
            Some((due, since, other)) if due <= at => (due, since, other.max(priority)),
            Some((_, _, other)) => (at, number, other.max(priority)),
            None => (at, number, priority),
        });
    }

    fn next(&mut self, now: u64) -> Option<(u8, i32)> {
        let due = |known: &Known| known.due.filter(|(at, ..)| *at <= now);
        while let Some(((.., priority), key)) = self.first(due) {
            self.keys.entry(key).or_default().due = None;
            self.add(key, priority);
        }
        let is_some = self.keys.values().any(|known| known.queued.is_some());
        self.turn += u32::from(is_some);
        let (_, key) = if self.turn == self.oldest_every {
            self.turn = 0;
            self.first(|known| known.queued.map(|(since, _)| (0, since)))?
        } else {
            self.first(|known| known.queued.map(|(_, place)| (-known.priority, place)))?
        };
        let known = self.keys.entry(key).or_default();
        known.queued = None;
        known.held = true;
        Some((key, known.priority))
    }

    fn done(&mut self, key: u8) {
        let number = self.tick();
        let known = self.keys.entry(key).or_default();
        if std::mem::take(&mut known.held) && std::mem::take(&mut known.again) {
            known.queued = Some((number, number));
        }
    }

    fn shut_down(&mut self) {
        self.closed = true;
        for known in self.keys.values_mut() {
            known.due = None;
        }
    }

    fn first<T: Ord>(&self, of: impl Fn(&Known) -> Option<T>) -> Option<(T, u8)> {
        self.keys.iter().filter_map(|(key, known)| Some((of(known)?, *key))).min()
    }

    fn count(&self, of: impl Fn(&Known) -> bool) -> usize {
        self.keys.values().filter(|known| of(known)).count()
    }
}

#[derive(Clone, Debug)]
enum Call {
    Add(u8, i32),
    AddIn(u8, u64, i32),
    Next,
    Batch(usize),
    Done(u8),
    Pass(u64),
    Keep(u8),
    LetGo,
    ShutDown,
}

fn call() -> impl Strategy<Value = Call> {
    let key = 0..6_u8;
    let priority = prop_oneof![2 => Just(0), 1 => -2..3_i32];
    prop_oneof![
        8 => (key.clone(), priority.clone()).prop_map(|(key, priority)| Call::Add(key, priority)),
        6 => (key.clone(), 0..20_u64, priority)
            .prop_map(|(key, wait, priority)| Call::AddIn(key, wait, priority)),
        8 => Just(Call::Next),
        2 => (0..4_usize).prop_map(Call::Batch),
        8 => key.clone().prop_map(Call::Done),
        5 => (0..15_u64).prop_map(Call::Pass),
        2 => key.prop_map(Call::Keep),
        2 => Just(Call::LetGo),
        1 => Just(Call::ShutDown),
    ]
}

/// Takes from the state, by place, with what the model tells.
fn take(state: &mut State<u8>, now: u64) -> Option<(u8, i32)> {
    let taken = state.take(Duration::from_millis(now))?;
    Some((*state.key(taken.slot)?, taken.priority))
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

proptest! {
    /// Odd keys are called by place where they have one that is kept, even ones by themselves.
    #[test]
    fn the_state_does_what_the_model_does(
        oldest_every in 1..6_u32,
        calls in prop::collection::vec(call(), 1..120),
    ) {
        let every = NonZeroU32::new(oldest_every).unwrap();
        let mut state = State::new(Order::Priority { oldest_every: every });
        let (mut model, mut now) = (Model::new(oldest_every), 0);
        let mut kept: Vec<(u8, Slot)> = Vec::new();
        for call in calls {
            let place = |key: u8| kept.iter().find(|(other, _)| *other == key && key % 2 == 1);
            match call {
                Call::Add(key, priority) => {
                    match place(key) {
                        Some((_, slot)) => state.add_slot(*slot, priority),
                        None => state.add(key, priority),
                    };
                    model.add(key, priority);
                }
                Call::AddIn(key, wait, priority) => {
                    match place(key) {
                        Some((_, slot)) => state.add_slot_at(*slot, ms(now + wait), priority),
                        None => state.add_at(key, ms(now + wait), priority),
                    };
                    model.add_at(key, now + wait, priority);
                }
                Call::Next => prop_assert_eq!(take(&mut state, now), model.next(now)),
                Call::Batch(max) => {
                    let batch: Vec<_> = (0..max).map_while(|_| take(&mut state, now)).collect();
                    let model: Vec<_> = (0..max).map_while(|_| model.next(now)).collect();
                    prop_assert_eq!(batch, model);
                }
                Call::Done(key) => {
                    match place(key) {
                        Some((_, slot)) => state.done_slot(*slot),
                        None => state.done(&key),
                    };
                    model.done(key);
                }
                Call::Pass(time) => now += time,
                Call::Keep(key) => kept.push((key, state.keep(key))),
                Call::LetGo => {
                    if let Some((key, slot)) = kept.pop() {
                        prop_assert_eq!(state.key(slot), Some(&key));
                        state.let_go(slot);
                    }
                }
                Call::ShutDown => {
                    state.shut_down();
                    model.shut_down();
                }
            }
            prop_assert_eq!(state.len(), model.count(|known| known.queued.is_some()));
            prop_assert_eq!(state.held(), model.count(|known| known.held));
            prop_assert_eq!(state.delayed(), model.count(|known| known.due.is_some()));
            for (key, known) in &model.keys {
                prop_assert_eq!(state.is_delayed(key), known.due.is_some());
            }
            let wake_at = model.first(|known| known.due).map(|((at, ..), _)| at);
            prop_assert_eq!(state.wake_at(), wake_at.map(ms));
        }
    }
}
