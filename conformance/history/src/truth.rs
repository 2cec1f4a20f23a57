//! What the server really had: every state of every object, and a number for all of it at every version.
//!
//! Naive on purpose: it is told of each write in order, and never of anything that a connection did.

use std::collections::{BTreeMap, BTreeSet};

use crate::told::{PARTS, Seen, part_of};

/// Which objects a copy, or a handler, is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// Only those with the label.
    pub even: bool,
    /// Only those whose uid has a hash in the upper half, or in the lower one.
    pub upper: Option<bool>,
}

impl Scope {
    /// Everything.
    pub const ALL: Self = Self { even: false, upper: None };

    /// Those of it with the label.
    #[must_use]
    pub const fn even(self) -> Self {
        Self { even: true, ..self }
    }

    /// With the label or without.
    #[must_use]
    pub const fn even_or_not(self) -> Self {
        Self { even: false, ..self }
    }

    /// Whether a state is one of these.
    #[must_use]
    pub const fn has(&self, seen: &Seen) -> bool {
        let in_half = match self.upper {
            Some(upper) => upper == is_upper(seen),
            None => true,
        };
        in_half && (!self.even || seen.even)
    }
}

const fn is_upper(seen: &Seen) -> bool {
    seen.life >> 63 == 1
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
        self.alive && scope.has(&self.seen)
    }
}

/// One number for what there is of each sort: with the label or without, in the upper half or in the lower.
#[derive(Clone, Copy, Debug, Default)]
struct Sums([u64; 4]);

impl Sums {
    const fn toggle(&mut self, state: &State) {
        if state.alive {
            let sort = state.seen.even as usize + 2 * is_upper(&state.seen) as usize;
            self.0[sort] ^= state.seen.digest();
        }
    }

    fn of(&self, scope: Scope) -> u64 {
        let sorts = self.0.iter().enumerate();
        let is_in = |sort: usize| {
            (!scope.even || sort % 2 == 1) && scope.upper.is_none_or(|upper| upper == (sort > 1))
        };
        sorts.filter(|(sort, _)| is_in(*sort)).fold(0, |all, (_, sum)| all ^ sum)
    }
}

/// The history of the objects of one namespace.
#[derive(Debug, Default)]
struct Part {
    objects: BTreeMap<u64, Vec<State>>,
    /// What there was from each version on.
    sums: Vec<(u64, Sums)>,
}

/// The history of all objects.
#[derive(Debug)]
pub struct Truth {
    parts: Vec<Part>,
}

impl Default for Truth {
    fn default() -> Self {
        Self { parts: (0..PARTS).map(|_| Part::default()).collect() }
    }
}

impl Truth {
    /// The server wrote this.
    pub fn record(&mut self, seen: Seen, alive: bool) {
        let state = State { seen, alive };
        let part = &mut self.parts[index(seen.object)];
        let states = part.objects.entry(seen.object).or_default();
        let mut sums = part.sums.last().map_or_else(Sums::default, |(_, sums)| *sums);
        states.last().into_iter().chain([&state]).for_each(|state| sums.toggle(state));
        states.push(state);
        part.sums.push((seen.version, sums));
    }

    /// How many writes there were.
    #[must_use]
    pub fn writes(&self) -> usize {
        self.parts.iter().map(|part| part.sums.len()).sum()
    }

    /// The version of the last write.
    #[must_use]
    pub fn version(&self) -> u64 {
        let last = self.parts.iter().filter_map(|part| part.sums.last());
        last.map(|(version, _)| *version).max().unwrap_or(0)
    }

    /// Whether what was written to an object's namespace is known up to a version.
    #[must_use]
    pub fn knows(&self, object: u64, version: u64) -> bool {
        self.parts[index(object)].sums.last().is_some_and(|(last, _)| *last >= version)
    }

    /// One number for everything of a part that is in the scope now.
    #[must_use]
    pub fn now(&self, part: u64, scope: Scope) -> u64 {
        self.at(part, u64::MAX, scope)
    }

    /// One number for everything of a part that was in the scope at a version.
    #[must_use]
    pub fn at(&self, part: u64, version: u64, scope: Scope) -> u64 {
        let sums = &self.parts[index(part)].sums;
        let later = sums.partition_point(|(written, _)| *written <= version);
        let before = later.checked_sub(1).and_then(|index| sums.get(index));
        before.map_or(0, |(_, sums)| sums.of(scope))
    }

    /// Whether these objects of a part are what was in the scope at a version, as a copy of `copied` can tell
    /// that cannot read some states: the state of then where it can be read, else an older one or none.
    ///
    /// # Errors
    /// What is wrong.
    pub fn allows(
        &self,
        part: u64,
        version: u64,
        [scope, copied]: [Scope; 2],
        shown: &[Seen],
    ) -> Result<(), String> {
        let shown: BTreeMap<u64, &Seen> = shown.iter().map(|seen| (seen.object, seen)).collect();
        for (object, states) in &self.parts[index(part)].objects {
            let later = states.partition_point(|state| state.seen.version <= version);
            let then = later.checked_sub(1).and_then(|at| states.get(at));
            let then = then.filter(|then| then.is_in(copied));
            if then.is_some_and(|then| then.seen.is_unreadable()) {
                continue;
            }
            let then = then.filter(|then| then.is_in(scope)).map(|then| &then.seen);
            match (shown.get(object).copied(), then) {
                (shown, then) if shown == then => {}
                // The end of what cannot be read is taken in, and moves no version on.
                (None, Some(_)) if ends_unread(&states[later..], copied) => {}
                (shown, then) => return Err(format!("{shown:?} instead of {then:?}")),
            }
        }
        let was = |seen: &&Seen| {
            let written = self.written(seen.object, seen.version);
            let written = written.filter(|state| state.is_in(scope) && state.seen == **seen);
            written.is_some() && !seen.is_unreadable()
        };
        match shown.values().find(|seen| !was(seen)) {
            Some(never) => Err(format!("{never:?} is nothing that could be read")),
            None => Ok(()),
        }
    }

    /// Whether these objects of a part are what was in the scope at a version, as a copy can tell to which each
    /// object comes at its own time: each has the state of then or a later one, and who is missing was not there
    /// then, or has left since.
    ///
    /// # Errors
    /// What is wrong.
    pub fn allows_since(
        &self,
        part: u64,
        version: u64,
        scope: Scope,
        shown: &[Seen],
    ) -> Result<(), String> {
        let shown: BTreeMap<u64, &Seen> = shown.iter().map(|seen| (seen.object, seen)).collect();
        let objects = &self.parts[index(part)].objects;
        if let Some(never) = shown.keys().find(|object| !objects.contains_key(object)) {
            return Err(format!("{never} never was"));
        }
        for (object, states) in objects {
            let later = states.partition_point(|state| state.seen.version <= version);
            let since = &states[later.saturating_sub(1)..];
            let is_right = match shown.get(object) {
                Some(shown) => since.iter().any(|s| s.is_in(scope) && s.seen == **shown),
                None => later == 0 || since.iter().any(|state| !state.is_in(scope)),
            };
            if !is_right {
                return Err(format!("{:?} instead of one of {since:?}", shown.get(object)));
            }
        }
        Ok(())
    }

    /// The objects of a part that are in the scope now and cannot be read.
    #[must_use]
    pub fn unreadable(&self, part: u64, scope: Scope) -> BTreeSet<u64> {
        let last = self.parts[index(part)].objects.values().filter_map(|states| states.last());
        let cannot = last.filter(|state| state.is_in(scope) && state.seen.is_unreadable());
        cannot.map(|state| state.seen.object).collect()
    }

    /// What a write of this version did to an object.
    #[must_use]
    pub fn written(&self, object: u64, version: u64) -> Option<&State> {
        let states = self.states(object)?;
        let index = states.binary_search_by_key(&version, |state| state.seen.version).ok()?;
        states.get(index)
    }

    /// The last word on an object.
    #[must_use]
    pub fn last(&self, object: u64) -> Option<&State> {
        self.states(object)?.last()
    }

    /// Whether an object left the scope, or the world, after a version.
    #[must_use]
    pub fn ended_after(&self, object: u64, version: u64, scope: Scope) -> bool {
        let Some(states) = self.states(object) else { return false };
        let later = states.partition_point(|state| state.seen.version <= version);
        states[later..].iter().any(|state| !state.is_in(scope))
    }

    fn states(&self, object: u64) -> Option<&Vec<State>> {
        self.parts[index(object)].objects.get(&object)
    }
}

/// Where the part of an object is; a part has its own number.
const fn index(object: u64) -> usize {
    part_of(object) as usize
}

/// Whether what could not be read leaves the scope in these states.
fn ends_unread(states: &[State], scope: Scope) -> bool {
    states.array_windows().any(|[before, after]| {
        before.is_in(scope) && before.seen.is_unreadable() && !after.is_in(scope)
    })
}
