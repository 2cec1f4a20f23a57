//! The state against a model that is too simple to be wrong.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// What is known of one key, and nothing else.
#[derive(Clone, Debug, Default)]
struct Known {
    queued_since: Option<u64>,
    held: bool,
    again: bool,
    due: Option<(u64, u64)>,
}

#[derive(Debug, Default)]
struct Model {
    keys: BTreeMap<u8, Known>,
    counter: u64,
    closed: bool,
}

impl Model {
    fn tick(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    fn add(&mut self, key: u8) {
        let number = self.tick();
        let known = self.keys.entry(key).or_default();
        if known.held {
            known.again |= !self.closed;
        } else if !self.closed {
            known.queued_since.get_or_insert(number);
        }
    }

    fn add_at(&mut self, key: u8, at: u64) {
        let number = self.tick();
        let known = self.keys.entry(key).or_default();
        if !self.closed && known.due.is_none_or(|(due, _)| at < due) {
            known.due = Some((at, number));
        }
    }

    fn next(&mut self, now: u64) -> Option<u8> {
        while let Some((_, key)) = self.first(|known| known.due.filter(|(at, _)| *at <= now)) {
            self.keys.entry(key).or_default().due = None;
            self.add(key);
        }
        let (_, key) = self.first(|known| known.queued_since)?;
        let known = self.keys.entry(key).or_default();
        known.queued_since = None;
        known.held = true;
        Some(key)
    }

    fn done(&mut self, key: u8) {
        let number = self.tick();
        let known = self.keys.entry(key).or_default();
        if std::mem::take(&mut known.held) && std::mem::take(&mut known.again) {
            known.queued_since = Some(number);
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
    Add(u8),
    AddIn(u8, u64),
    Next,
    Done(u8),
    Pass(u64),
    ShutDown,
}

fn call() -> impl Strategy<Value = Call> {
    let key = 0..6_u8;
    prop_oneof![
        6 => key.clone().prop_map(Call::Add),
        4 => (key.clone(), 0..20_u64).prop_map(|(key, wait)| Call::AddIn(key, wait)),
        6 => Just(Call::Next),
        6 => key.prop_map(Call::Done),
        4 => (0..15_u64).prop_map(Call::Pass),
        1 => Just(Call::ShutDown),
    ]
}

proptest! {
    #[test]
    fn the_state_does_what_the_model_does(calls in prop::collection::vec(call(), 1..200)) {
        let (mut state, mut model, mut now) = (State::default(), Model::default(), 0);
        for call in calls {
            match call {
                Call::Add(key) => {
                    state.add(key);
                    model.add(key);
                }
                Call::AddIn(key, wait) => {
                    state.add_at(key, Duration::from_millis(now + wait));
                    model.add_at(key, now + wait);
                }
                Call::Next => {
                    prop_assert_eq!(state.next(Duration::from_millis(now)), model.next(now));
                }
                Call::Done(key) => {
                    state.done(&key);
                    model.done(key);
                }
                Call::Pass(time) => now += time,
                Call::ShutDown => {
                    state.shut_down();
                    model.shut_down();
                }
            }
            prop_assert_eq!(state.len(), model.count(|known| known.queued_since.is_some()));
            prop_assert_eq!(state.held(), model.count(|known| known.held));
            prop_assert_eq!(state.delayed(), model.count(|known| known.due.is_some()));
            let wake_at = model.first(|known| known.due).map(|((at, _), _)| at);
            prop_assert_eq!(state.wake_at(), wake_at.map(Duration::from_millis));
        }
    }
}
