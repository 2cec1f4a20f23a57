//! What the server really had: every state of every object, and a number for all of it at every version.
//!
//! Naive on purpose: it is told of each write in order, and never of anything that a connection did.

use std::collections::BTreeMap;

use crate::told::Seen;

/// Which objects a copy, or a handler, is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All.
    All,
    /// Those with the label.
    Even,
}

/// A state of an object, or its end.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// What is in it; of an end, the last state under the version of its going.
    pub seen: Seen,
    /// Whether the object was there.
    pub alive: bool,
}

impl State {
    /// Whether it belongs to the scope.
    #[must_use]
    pub const fn is_in(&self, scope: Scope) -> bool {
        self.alive && (matches!(scope, Scope::All) || self.seen.even)
    }
}

/// One number for everything in a scope.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    all: u64,
    even: u64,
}

impl Sums {
    const fn of(self, scope: Scope) -> u64 {
        match scope {
            Scope::All => self.all,
            Scope::Even => self.even,
        }
    }
}

/// The history of the objects of one namespace.
#[derive(Debug, Default)]
pub struct Truth {
    objects: BTreeMap<u64, Vec<State>>,
    /// What there was from each version on.
    sums: Vec<(u64, Sums)>,
}

impl Truth {
    /// The server wrote this.
    pub fn record(&mut self, seen: Seen, alive: bool) {
        let state = State { seen, alive };
        let states = self.objects.entry(seen.object).or_default();
        let mut sums = self.sums.last().map_or_else(Sums::default, |(_, sums)| *sums);
        for state in states.last().into_iter().chain([&state]) {
            let digest = state.seen.digest();
            sums.all ^= if state.is_in(Scope::All) { digest } else { 0 };
            sums.even ^= if state.is_in(Scope::Even) { digest } else { 0 };
        }
        states.push(state);
        self.sums.push((seen.version, sums));
    }

    /// How many writes there were.
    #[must_use]
    pub const fn writes(&self) -> usize {
        self.sums.len()
    }

    /// The version of the last write.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.sums.last().map_or(0, |(version, _)| *version)
    }

    /// One number for everything that is in the scope now.
    #[must_use]
    pub fn now(&self, scope: Scope) -> u64 {
        self.sums.last().map_or(0, |(_, sums)| sums.of(scope))
    }

    /// One number for everything that was in the scope at a version.
    #[must_use]
    pub fn at(&self, version: u64, scope: Scope) -> u64 {
        let later = self.sums.partition_point(|(written, _)| *written <= version);
        let before = later.checked_sub(1).and_then(|index| self.sums.get(index));
        before.map_or(0, |(_, sums)| sums.of(scope))
    }

    /// What a write of this version did to an object.
    #[must_use]
    pub fn written(&self, object: u64, version: u64) -> Option<&State> {
        let states = self.objects.get(&object)?;
        let index = states.binary_search_by_key(&version, |state| state.seen.version).ok()?;
        states.get(index)
    }

    /// The last word on an object.
    #[must_use]
    pub fn last(&self, object: u64) -> Option<&State> {
        self.objects.get(&object)?.last()
    }

    /// Whether an object left the scope, or the world, after a version.
    #[must_use]
    pub fn ended_after(&self, object: u64, version: u64, scope: Scope) -> bool {
        let Some(states) = self.objects.get(&object) else { return false };
        let later = states.partition_point(|state| state.seen.version <= version);
        states[later..].iter().any(|state| !state.is_in(scope))
    }
}
