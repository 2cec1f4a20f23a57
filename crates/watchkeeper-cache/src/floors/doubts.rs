//! Writes of which nobody here knows what became: an answer that was lost, or that does not tell.
//!
//! Such a write was carried out by the time that its caller gave up, or never will be: what a server does
//! later is as another's write. So the server is asked what it has, once for all doubts that there are then,
//! and only when a read waits for it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use super::touched::{Question, Touched};
use super::{Copied, Ended, Seen};
use crate::reflector::backoff::Backoff;
use crate::rng::Rng;
use crate::version::Version;

/// Above this many doubts the fullest namespace is in doubt as a whole, and all there is where each has one.
const MOST: usize = 1000;
/// Of more objects than this a list asks by namespace, and of more namespaces for everything.
const FEW: usize = 8;
/// So many questions are under way at once, and so many of them about more than one object: those may take long,
/// and nobody else waits for them.
const AT_ONCE: usize = 8;
const LISTS_AT_ONCE: usize = 4;
/// After an answer that did not come nothing is asked for so long: a server in trouble is not asked everything at
/// once. The question itself waits longer.
const BREATH: Duration = Duration::from_millis(100);
/// How long the event of a write is waited for before the server is asked whether there will be one.
const PATIENCE: Duration = Duration::from_secs(1);

/// What the server had at a version: each object that is asked of and selected, with its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Survey {
    pub(crate) version: Version,
    pub(crate) found: BTreeMap<ObjectKey, Version>,
}

#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// What is in doubt.
    of: BTreeMap<Touched, Doubt>,
    /// Moments are counted, not measured.
    moment: u64,
    /// What readers wait for.
    asked: BTreeMap<Question, Asked>,
    /// Nothing is asked before.
    quiet: Duration,
    /// By namespace, empty for all: what the copy has to come to.
    surveys: BTreeMap<String, Survey>,
    /// The ends that were told while something was asked, each with the moment of that.
    ended: BTreeMap<ObjectKey, (u64, Ended)>,
}

/// What nobody here knows.
#[derive(Clone, Copy, Debug)]
struct Doubt {
    /// The moment of the newest write that is in doubt.
    since: u64,
    /// The oldest of them.
    ticket: u64,
}

/// A question that readers wait for.
#[derive(Debug)]
struct Asked {
    /// Since when, or when it may be asked again.
    since: Duration,
    is_under_way: bool,
    failures: Backoff,
}

impl Doubts {
    pub(super) const fn moment(&self) -> u64 {
        self.moment
    }

    pub(super) const fn next_moment(&mut self) -> u64 {
        self.moment += 1;
        self.moment
    }

    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty() && self.surveys.is_empty()
    }

    pub(super) fn raise(&mut self, touched: Touched, ticket: u64) {
        let since = self.next_moment();
        let doubt = self.of.entry(touched).or_insert(Doubt { since, ticket });
        *doubt = Doubt { since, ticket: doubt.ticket.min(ticket) };
        if self.of.len() > MOST {
            self.merge();
        }
    }

    /// Keeps less of what is in doubt than there is.
    fn merge(&mut self) {
        let mut doubts: BTreeMap<&str, usize> = BTreeMap::new();
        for touched in self.of.keys() {
            *doubts.entry(touched.namespace()).or_default() += 1;
        }
        let fullest = doubts.into_iter().max_by_key(|(_, doubts)| *doubts);
        let fullest = fullest.filter(|(_, doubts)| *doubts > 1);
        let namespace = fullest.map_or_else(String::new, |(namespace, _)| namespace.to_owned());
        let mut all = Doubt { since: 0, ticket: u64::MAX };
        self.of.retain(|touched, doubt| {
            let is_part = namespace.is_empty() || touched.namespace() == namespace;
            if is_part {
                all.since = all.since.max(doubt.since);
                all.ticket = all.ticket.min(doubt.ticket);
            }
            !is_part
        });
        self.of.insert(Touched::Many(namespace), all);
    }

    /// A write was answered, and it began at that moment: what was in doubt of its object before is known. Who
    /// waited for that waits for what is known instead: the ticket of the oldest write that was in doubt.
    pub(super) fn known(&mut self, key: &ObjectKey, began: Option<u64>) -> Option<u64> {
        if self.of.is_empty() {
            return None;
        }
        let touched = Touched::One(key.clone());
        let Doubt { since, ticket } = *self.of.get(&touched)?;
        if since > began? {
            return None;
        }
        self.of.remove(&touched);
        Some(ticket)
    }

    pub(super) fn reached(&mut self, version: Version) {
        self.surveys.retain(|_, survey| survey.version > version);
    }

    /// What was told of versions means nothing any more; what is in doubt still is.
    pub(super) fn clear(&mut self) {
        self.surveys.clear();
    }

    pub(super) fn ask(&mut self, question: Question, now: Duration) {
        let new = || Asked { since: now, is_under_way: false, failures: Backoff::new() };
        self.asked.entry(question).or_insert_with(new);
    }

    /// Whether this object is in doubt; then the server will be asked. What the copy has was not made by a
    /// write whose name nobody was told.
    pub(super) fn hold(&mut self, key: &ObjectKey, is_shown: bool, now: Duration) -> bool {
        let is_doubted =
            |touched: &&Touched| touched.holds(key) || !is_shown && touched.may_make(key);
        let doubted: Vec<Question> =
            self.of.keys().filter(is_doubted).map(Touched::question).collect();
        let holds = !doubted.is_empty();
        doubted.into_iter().for_each(|question| self.ask(question, now));
        holds
    }

    /// The same of a namespace, or of everything.
    pub(super) fn hold_in(&mut self, namespace: Option<&str>, now: Duration) -> bool {
        let within = self.of.keys().filter(|touched| touched.may_be_in(namespace));
        let doubted: Vec<Question> = within.map(Touched::question).collect();
        let holds = !doubted.is_empty();
        self.ask_all(doubted, now);
        holds
    }

    /// Asks few questions that answer all of these, beside those that are asked.
    pub(super) fn ask_all(&mut self, mut questions: Vec<Question>, now: Duration) {
        questions.retain(|question| !self.asked.keys().any(|asked| asked.covers(question)));
        let questions = few(questions);
        for question in &questions {
            if !questions.iter().any(|other| other.covers(question)) {
                self.ask(question.clone(), now);
            }
        }
    }

    /// What to ask next, and when; nothing while enough is asked.
    pub(super) fn question(
        &mut self,
        is_unsure: impl Fn(&Question) -> bool,
    ) -> Option<(Duration, Question)> {
        let doubts = &self.of;
        let is_doubt = |question: &Question| doubts.keys().any(|touched| question.answers(touched));
        self.asked.retain(|question, asked| {
            asked.is_under_way || is_doubt(question) || is_unsure(question)
        });
        let under_way = self.asked.iter().filter(|(_, asked)| asked.is_under_way);
        let (mut all, mut lists) = (0, 0);
        for (question, _) in under_way {
            all += 1;
            lists += usize::from(question.is_list());
        }
        let has_room =
            |question: &Question| all < AT_ONCE && (lists < LISTS_AT_ONCE || !question.is_list());
        let due = |(question, asked): (&Question, &Asked)| {
            let wait = if is_doubt(question) { Duration::ZERO } else { PATIENCE };
            (asked.since.saturating_add(wait).max(self.quiet), question.clone())
        };
        let waiting =
            self.asked.iter().filter(|(question, asked)| !asked.is_under_way && has_room(question));
        waiting.map(due).min()
    }

    /// It is asked now.
    pub(super) fn begin(&mut self, question: &Question) {
        if let Some(asked) = self.asked.get_mut(question) {
            asked.is_under_way = true;
        }
    }

    pub(super) fn postpone(&mut self, question: &Question, now: Duration, rng: &mut Rng) {
        self.quiet = now.saturating_add(BREATH);
        if let Some(asked) = self.asked.get_mut(question) {
            asked.is_under_way = false;
            asked.since = now.saturating_add(asked.failures.delay(now, rng));
        }
        self.forget_ends();
    }

    /// Of an object it was told that there is none.
    pub(super) fn ended(&mut self, key: &ObjectKey, ended: Ended) {
        if self.asked.values().any(|asked| asked.is_under_way) {
            let moment = self.next_moment();
            self.ended.insert(key.clone(), (moment, ended));
        }
    }

    /// The end of an object that was told after that moment, at which something was asked.
    pub(super) fn end_since(&self, key: &ObjectKey, moment: u64) -> Option<Ended> {
        let (told, ended) = self.ended.get(key)?;
        (*told > moment).then_some(*ended)
    }

    /// What is asked from now on is answered after all of them.
    pub(super) fn forget_ends(&mut self) {
        if !self.asked.values().any(|asked| asked.is_under_way) {
            self.ended.clear();
        }
    }

    /// It was answered: what was in doubt of single objects is told.
    pub(super) fn settle(&mut self, question: &Question, moment: u64) -> Vec<ObjectKey> {
        self.asked.remove(question);
        let mut settled = Vec::new();
        self.of.retain(|touched, doubt| {
            let is_open = doubt.since >= moment || !question.answers(touched);
            settled.extend(touched.key().filter(|_| !is_open).cloned());
            is_open
        });
        settled
    }

    /// The copy has to come to what the server had.
    pub(super) fn heed(&mut self, namespace: String, survey: Survey, reached: Option<Version>) {
        if reached.is_none_or(|reached| reached < survey.version) {
            self.surveys.insert(namespace, survey);
        }
    }

    /// The version that the copy has to come to before it may be asked for an object.
    pub(super) fn version_for(
        &self,
        key: &ObjectKey,
        seen: Option<Seen<'_>>,
        reached: Option<Version>,
    ) -> Option<Version> {
        let [all, own] = ["", &*key.namespace].map(|namespace| self.surveys.get(namespace));
        let mut surveys = all.into_iter().chain(own);
        surveys.find_map(|survey| survey.holds(key, seen, reached))
    }

    /// The same for a namespace, or for everything.
    pub(super) fn version_in(
        &self,
        namespace: Option<&str>,
        copy: &impl Copied,
        reached: Option<Version>,
    ) -> Option<Version> {
        let overlaps =
            |of: &str| of.is_empty() || namespace.is_none_or(|namespace| namespace == of);
        let is_in =
            |key: &&ObjectKey| namespace.is_none_or(|namespace| *key.namespace == *namespace);
        self.surveys.iter().filter(|(of, _)| overlaps(of)).find_map(|(of, survey)| {
            let mut found = survey.found.keys().filter(is_in);
            let missing = found.find_map(|key| survey.holds(key, copy.seen(key), reached));
            let within = namespace.or(Some(of.as_str())).filter(|of| !of.is_empty());
            let is_old =
                |key: &ObjectKey, seen: Seen<'_>| survey.holds(key, Some(seen), reached).is_some();
            missing.or_else(|| copy.any(within, is_old).then_some(survey.version))
        })
    }
}

/// Of many objects their namespaces are asked for, and of many namespaces all there is.
fn few(questions: Vec<Question>) -> Vec<Question> {
    if questions.len() <= FEW {
        return questions;
    }
    let namespaces: BTreeSet<&str> = questions.iter().map(Question::namespace).collect();
    if namespaces.len() > FEW {
        return vec![Question::Within(String::new())];
    }
    namespaces.into_iter().map(|namespace| Question::Within(namespace.to_owned())).collect()
}

impl Survey {
    /// The version that the copy has to come to. What was not found has to leave it, or to be newer.
    fn holds(
        &self,
        key: &ObjectKey,
        seen: Option<Seen<'_>>,
        reached: Option<Version>,
    ) -> Option<Version> {
        let shown = seen.and_then(|seen| Version::parse(seen.version));
        let newest = shown.max(reached)?;
        match self.found.get(key) {
            Some(version) => (newest < *version).then_some(*version),
            None => (shown.is_some() && newest < self.version).then_some(self.version),
        }
    }
}

#[cfg(test)]
mod tests;
