//! Which clusters are to be begun and ended, and when: decided, not done.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

#[cfg(test)]
mod tests;

/// How long a cluster rests after its first failure; twice as long after each that follows.
pub(crate) const FIRST_REST: Duration = Duration::from_secs(1);
/// How long it rests at most.
pub(crate) const LONGEST_REST: Duration = Duration::from_mins(2);
/// Who has run so long begins anew with its failures.
const WELL: Duration = Duration::from_mins(5);

/// The clusters by their names. `C` is what it takes to speak with one.
#[derive(Debug)]
pub(crate) struct State<C> {
    members: BTreeMap<String, Member<C>>,
}

#[derive(Debug)]
struct Member<C> {
    /// `None`: it is to leave.
    wanted: Option<Wanted<C>>,
    life: Life,
    failures: u32,
    /// What the last failure said.
    why: Option<String>,
}

#[derive(Debug)]
struct Wanted<C> {
    version: String,
    connection: C,
}

/// What a cluster is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// Nothing yet.
    Down,
    /// It runs.
    Up { version: String, since: Instant },
    /// It finishes what is under way.
    Leaving,
    /// It failed.
    Resting { until: Instant },
}

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step<C> {
    /// Begin it.
    Start(String, C),
    /// Let it end; that is to be [told](State::ended).
    Stop(String),
}

impl<C> Default for State<C> {
    fn default() -> Self {
        Self { members: BTreeMap::new() }
    }
}

impl<C: Clone> State<C> {
    /// A cluster is there, in this version; false if that was known.
    pub(crate) fn engage(&mut self, name: &str, version: &str, connection: C) -> bool {
        let member = self.members.entry(name.to_owned()).or_insert_with(Member::new);
        if member.wanted.as_ref().is_some_and(|wanted| wanted.version == version) {
            return false;
        }
        member.wanted = Some(Wanted { version: version.to_owned(), connection });
        if let Life::Resting { .. } = member.life {
            // What failed was the other one.
            *member = Member { wanted: member.wanted.take(), ..Member::new() };
        }
        true
    }

    /// A cluster is not there any more; false if that was known.
    pub(crate) fn disengage(&mut self, name: &str) -> bool {
        let Some(member) = self.members.get_mut(name) else { return false };
        let was_wanted = member.wanted.take().is_some();
        if matches!(member.life, Life::Down | Life::Resting { .. }) {
            self.members.remove(name);
        }
        was_wanted
    }

    /// A cluster that was begun has ended.
    pub(crate) fn ended(&mut self, name: &str, result: Result<(), String>, now: Instant) {
        let Some(member) = self.members.get_mut(name) else { return };
        let life = std::mem::replace(&mut member.life, Life::Down);
        if member.wanted.is_none() {
            self.members.remove(name);
            return;
        }
        // Whoever was told to end may say what it likes: another one follows.
        let (Life::Up { since, .. }, Err(why)) = (life, result) else { return };
        if now.saturating_duration_since(since) >= WELL {
            member.failures = 0;
        }
        member.life = Life::Resting { until: now + rest(member.failures) };
        member.failures = member.failures.saturating_add(1);
        member.why = Some(why);
    }

    /// What is to be done first; nothing for now if there is none.
    pub(crate) fn next(&mut self, now: Instant) -> Option<Step<C>> {
        self.members.iter_mut().find_map(|(name, member)| member.next(name, now))
    }

    /// When a rest ends first.
    pub(crate) fn wake(&self) -> Option<Instant> {
        let rests = self.members.values().filter_map(|member| match member.life {
            Life::Resting { until } => Some(until),
            Life::Down | Life::Up { .. } | Life::Leaving => None,
        });
        rests.min()
    }

    /// Each cluster, what it does, and what its last failure said.
    pub(crate) fn lives(&self) -> impl Iterator<Item = (&str, &Life, Option<&str>)> {
        let members = self.members.iter();
        members.map(|(name, member)| (name.as_str(), &member.life, member.why.as_deref()))
    }

    /// Forgets everything: nothing runs any more.
    pub(crate) fn clear(&mut self) {
        self.members.clear();
    }
}

impl<C> Member<C> {
    const fn new() -> Self {
        Self { wanted: None, life: Life::Down, failures: 0, why: None }
    }
}

impl<C: Clone> Member<C> {
    fn next(&mut self, name: &str, now: Instant) -> Option<Step<C>> {
        match (&self.life, &self.wanted) {
            (Life::Up { version, .. }, wanted)
                if wanted.as_ref().is_none_or(|wanted| wanted.version != *version) =>
            {
                self.life = Life::Leaving;
                Some(Step::Stop(name.to_owned()))
            }
            (Life::Down, Some(wanted)) => {
                let (version, connection) = (wanted.version.clone(), wanted.connection.clone());
                self.life = Life::Up { version, since: now };
                Some(Step::Start(name.to_owned(), connection))
            }
            (Life::Resting { until }, Some(_)) if *until <= now => {
                self.life = Life::Down;
                self.next(name, now)
            }
            (Life::Up { .. } | Life::Down | Life::Leaving | Life::Resting { .. }, _) => None,
        }
    }
}

fn rest(failures: u32) -> Duration {
    FIRST_REST.saturating_mul(2_u32.saturating_pow(failures)).min(LONGEST_REST)
}
