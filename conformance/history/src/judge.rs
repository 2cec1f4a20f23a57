//! Holds what one handler is told against the contract.
//!
//! For each object: a subsequence of the states that the server had, in order; nothing that was not there; one
//! deletion for each life that the handler saw, and no life after its deletion; a resync tells what is held
//! already. A handler that loses nothing is told the same as every other of its kind, from where it came on.

use std::collections::BTreeMap;

use crate::told::{PARTS, Seen, Told, part_of};
use crate::truth::{Scope, State, Truth};

/// What may be told to a handler beside the states of its objects.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What the handler is about.
    pub scope: Scope,
    /// It is told again of what it holds, now and then.
    pub resyncs: bool,
    /// Its copy is about more than the handler: objects leave for it alone.
    pub filtered: bool,
    /// Some states cannot be read, and must not be told.
    pub unreadable: bool,
    /// Each object comes at its own time: what the first list has of one may be told after what happened to
    /// another since.
    pub by_object: bool,
}

impl Rules {
    /// What its copy is about.
    const fn copied(&self) -> Scope {
        if self.filtered { self.scope.even_or_not() } else { self.scope }
    }
}

/// What one handler believes.
#[derive(Debug)]
pub struct Judge {
    who: String,
    rules: Rules,
    /// Of each namespace.
    parts: Vec<Part>,
    /// The life of each object that the handler was told the end of, and the version.
    ended: BTreeMap<u64, Seen>,
    /// Nothing may be told any more.
    left: bool,
}

/// What one handler believes of one namespace, since that was taken up.
#[derive(Debug, Default)]
struct Part {
    held: BTreeMap<u64, Seen>,
    /// One number for all that is held.
    sum: u64,
    /// What was told since the beginning, and the sum after each.
    story: Vec<(u64, u64)>,
    /// The sum at the first change that was not part of the beginning.
    begin: Option<u64>,
    /// It was given up, and nothing may be told of it.
    given_up: bool,
    /// What a filter had let through when it was given up. Nobody tells a filter of that, so it may yet tell of
    /// the end of these.
    before: BTreeMap<u64, Seen>,
}

impl Judge {
    /// A judge of a handler that knows nothing.
    #[must_use]
    pub fn new(who: String, rules: Rules) -> Self {
        let parts = (0..PARTS).map(|_| Part::default()).collect();
        Self { who, rules, parts, ended: BTreeMap::new(), left: false }
    }

    /// Who the handler is.
    #[must_use]
    pub fn who(&self) -> &str {
        &self.who
    }

    /// The handler is not listening any more.
    pub const fn leave(&mut self) {
        self.left = true;
    }

    /// A namespace was given up, or taken up: the handler knows nothing of it, and is told of all in it when it
    /// is followed.
    pub fn follow_part(&mut self, part: u64, is_followed: bool) {
        let is_filtered = self.rules.filtered;
        let part = self.part_mut(part);
        let Part { held, mut before, .. } = std::mem::take(part);
        if is_filtered {
            before.extend(held);
        }
        *part = Part { given_up: !is_followed, before, ..Part::default() };
    }

    fn part(&self, object: u64) -> &Part {
        &self.parts[part_of(object) as usize]
    }

    fn part_mut(&mut self, object: u64) -> &mut Part {
        &mut self.parts[part_of(object) as usize]
    }

    /// The handler is told something.
    ///
    /// # Errors
    /// The rule that this breaks.
    pub fn hear(&mut self, told: Told, truth: &Truth) -> Result<(), String> {
        let rule = self.judge(told, truth);
        rule.map_err(|rule| format!("{}: {rule}: {told:?}", self.who))
    }

    fn judge(&mut self, told: Told, truth: &Truth) -> Result<(), &'static str> {
        if self.left {
            return Err("told after it left");
        }
        let object = told.seen().object;
        let part = self.part(object);
        if part.given_up {
            return Err("told of a namespace that was given up");
        }
        let known = part.held.get(&object).copied();
        if let (None, Some(before)) = (known, part.before.get(&object).copied()) {
            self.part_mut(object).before.remove(&object);
            if !matches!(told, Told::Added { .. }) {
                return self.goes_on(before, told, truth);
            }
        }
        match told {
            Told::Added { new, initial } => self.added(known, new, initial, truth)?,
            Told::Updated { old, new } if old == new => {
                let expected = self.rules.resyncs && known == Some(new);
                return if expected { Ok(()) } else { Err("a resync of what is not held") };
            }
            Told::Updated { old, new } => self.updated(known, old, new, truth)?,
            Told::Deleted { last, unknown } => self.deleted(known, last, unknown, truth)?,
        }
        if matches!(told, Told::Deleted { .. }) {
            self.ended.insert(object, told.seen());
        }
        self.part_mut(object).take(told);
        Ok(())
    }

    /// A filter tells of an object that it had let through before its namespace was given up.
    fn goes_on(&mut self, before: Seen, told: Told, truth: &Truth) -> Result<(), &'static str> {
        let new = told.seen();
        match told {
            Told::Deleted { .. }
                if truth.ended_after(new.object, before.version, self.rules.scope) =>
            {
                self.ended.insert(new.object, new);
                return Ok(());
            }
            Told::Deleted { .. } => return Err("deleted what is there"),
            _ if new.version <= before.version => return Err("back in time"),
            _ => self.was_there(new, truth)?,
        }
        self.part_mut(new.object).take(told);
        Ok(())
    }

    fn added(
        &self,
        known: Option<Seen>,
        new: Seen,
        initial: bool,
        truth: &Truth,
    ) -> Result<(), &'static str> {
        if known.is_some() {
            return Err("added twice");
        }
        if initial && !self.rules.by_object && self.part(new.object).begin.is_some() {
            return Err("part of the beginning, after it");
        }
        if let Some(ended) = self.ended.get(&new.object) {
            if new.version <= ended.version {
                return Err("back in time, after its end");
            }
            if new.life == ended.life && !self.rules.scope.even {
                return Err("a life after its end");
            }
        }
        self.was_there(new, truth)
    }

    fn updated(
        &self,
        known: Option<Seen>,
        old: Seen,
        new: Seen,
        truth: &Truth,
    ) -> Result<(), &'static str> {
        if known != Some(old) {
            return Err("the state before is not the one told before");
        }
        if old.life != new.life {
            return Err("one update, two lives");
        }
        if new.version <= old.version {
            return Err("back in time");
        }
        self.was_there(new, truth)
    }

    fn was_there(&self, seen: Seen, truth: &Truth) -> Result<(), &'static str> {
        self.was_in(self.rules.scope, seen, truth)
    }

    fn was_in(&self, scope: Scope, seen: Seen, truth: &Truth) -> Result<(), &'static str> {
        if self.rules.unreadable && seen.is_unreadable() {
            return Err("a state that cannot be read");
        }
        match truth.written(seen.object, seen.version) {
            Some(state) if state.seen == seen && state.is_in(scope) => Ok(()),
            Some(_) | None => Err("a state that the server never had"),
        }
    }

    fn deleted(
        &self,
        known: Option<Seen>,
        last: Seen,
        unknown: bool,
        truth: &Truth,
    ) -> Result<(), &'static str> {
        let Some(known) = known else { return Err("deleted, and not held, or twice") };
        if known.life != last.life {
            return Err("another life was deleted");
        }
        if last.version < known.version {
            return Err("deleted, back in time");
        }
        let scope = self.rules.scope;
        if unknown || (self.rules.filtered && last == known) {
            // The last state known to the copy may be one that the handler does not want.
            self.was_in(self.rules.copied(), last, truth)?;
            return if truth.ended_after(last.object, last.version, scope) {
                Ok(())
            } else {
                Err("deleted what is there")
            };
        }
        let is_end = |state: &State| !state.is_in(scope) && state.seen.life == last.life;
        match truth.written(last.object, last.version) {
            Some(state) if is_end(state) && (state.alive || state.seen.mark == last.mark) => Ok(()),
            Some(_) | None => Err("an end that the server never had"),
        }
    }

    /// All is quiet: what the handler believes must be so.
    ///
    /// # Errors
    /// It is not.
    pub fn conclude(&self, truth: &Truth) -> Result<(), String> {
        for (part, number) in self.parts.iter().zip(0..) {
            part.conclude(number, self.rules, truth)
                .map_err(|wrong| format!("{}: the last state was not told: {wrong}", self.who))?;
        }
        Ok(())
    }

    /// Both lose nothing: what this handler was told since it came must be what the other was told
    /// since then, of each namespace.
    ///
    /// # Errors
    /// It is not.
    pub fn follow(&self, other: &Self) -> Result<(), String> {
        for (part, others) in self.parts.iter().zip(&other.parts) {
            part.follow(others, self.left)
                .map_err(|wrong| format!("{}: {wrong} {} since it came", self.who, other.who))?;
        }
        Ok(())
    }
}

impl Part {
    fn take(&mut self, told: Told) {
        // What is told once it has gone on is part of the story, whatever it is called.
        let is_initial = told.is_initial() && self.begin.is_none();
        if !is_initial {
            self.begin.get_or_insert(self.sum);
        }
        let seen = told.seen();
        let before = if matches!(told, Told::Deleted { .. }) {
            self.held.remove(&seen.object)
        } else {
            self.sum ^= seen.digest();
            self.held.insert(seen.object, seen)
        };
        self.sum ^= before.map_or(0, |before| before.digest());
        if !is_initial {
            self.story.push((told.digest(), self.sum));
        }
    }

    fn conclude(&self, number: u64, rules: Rules, truth: &Truth) -> Result<(), String> {
        let scope = rules.scope;
        if rules.unreadable {
            let held: Vec<Seen> = self.held.values().copied().collect();
            return truth.allows(number, u64::MAX, [scope, rules.copied()], &held);
        }
        if self.sum == truth.now(number, scope) {
            return Ok(());
        }
        let in_scope = |object| {
            let last = truth.last(object).filter(|state| state.is_in(scope));
            last.map(|state| state.seen)
        };
        let wrong = self.held.values().find(|seen| in_scope(seen.object) != Some(**seen));
        Err(format!("it holds {} objects, one wrong is {wrong:?}", self.held.len()))
    }

    fn follow(&self, other: &Self, left: bool) -> Result<(), &'static str> {
        // Who left before the end of the beginning was told a part of that, and no more.
        if left && self.begin.is_none() {
            return Ok(());
        }
        let from = self.begin.unwrap_or(self.sum);
        let sum_before = |at: usize| match at.checked_sub(1) {
            Some(before) => other.story.get(before).map(|(_, sum)| *sum),
            None => other.begin.or(Some(other.sum)),
        };
        let told = self.story.iter().map(|(told, _)| *told);
        let matches = |at: usize| {
            let rest = other.story[at..].iter().map(|(told, _)| *told);
            sum_before(at) == Some(from) && rest.take(self.story.len()).eq(told.clone())
        };
        // Those that stayed are told the end of the story, those that left any part of it.
        let end = other.story.len();
        let mut places = if left {
            0..=end
        } else {
            let at = end.checked_sub(self.story.len()).ok_or("told more than")?;
            at..=at
        };
        // A handler that left may not have been told of the last of it.
        if places.any(matches) { Ok(()) } else { Err("told something else than") }
    }
}

#[cfg(test)]
mod tests;
