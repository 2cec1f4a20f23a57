//! Writes of which nobody here knows what became: an answer that was lost, or that does not tell.
//!
//! Such a write was carried out by the time that its caller gave up, or never will be: what a server does
//! later is as another's write. So the server is asked what it has, once for all doubts that there are then,
//! and only when a read waits for it.

use std::collections::BTreeMap;
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use super::touched::{Question, Touched};
use super::{Copied, Seen};
use crate::version::Version;

/// Above this many doubts, all there is is in doubt.
const MOST: usize = 1000;
/// Of more objects than this a list asks in one question.
const FEW: usize = 8;
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
    /// What is in doubt, and since which moment.
    since: BTreeMap<Touched, u64>,
    /// Moments are counted, not measured.
    moment: u64,
    /// What readers wait for, and since when.
    asked: BTreeMap<Question, Duration>,
    /// By namespace, empty for all: what the copy has to come to.
    surveys: BTreeMap<String, Survey>,
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
        self.since.is_empty() && self.surveys.is_empty()
    }

    pub(super) fn raise(&mut self, touched: Touched) {
        let moment = self.next_moment();
        if self.since.len() >= MOST {
            self.since.clear();
            self.since.insert(Touched::Many(String::new()), moment);
        } else {
            self.since.insert(touched, moment);
        }
    }

    /// A write was answered, and it began at that moment: what was in doubt of its object before is known.
    pub(super) fn known(&mut self, key: &ObjectKey, began: Option<u64>) {
        if self.since.is_empty() {
            return;
        }
        let touched = Touched::One(key.clone());
        if let (Some(began), Some(since)) = (began, self.since.get(&touched))
            && *since <= began
        {
            self.since.remove(&touched);
        }
    }

    pub(super) fn reached(&mut self, version: Version) {
        self.surveys.retain(|_, survey| survey.version > version);
    }

    /// What was told of versions means nothing any more; what is in doubt still is.
    pub(super) fn clear(&mut self) {
        self.surveys.clear();
    }

    pub(super) fn ask(&mut self, question: Question, now: Duration) {
        self.asked.entry(question).or_insert(now);
    }

    /// Whether this object is in doubt; then the server will be asked.
    pub(super) fn hold(&mut self, key: &ObjectKey, now: Duration) -> bool {
        let doubted: Vec<Question> =
            self.since.keys().filter(|touched| touched.holds(key)).map(Touched::question).collect();
        let holds = !doubted.is_empty();
        doubted.into_iter().for_each(|question| self.ask(question, now));
        holds
    }

    /// The same of a namespace, or of everything.
    pub(super) fn hold_in(&mut self, namespace: Option<&str>, now: Duration) -> bool {
        let within = self.since.keys().filter(|touched| touched.may_be_in(namespace));
        let doubted: Vec<Question> = within.map(Touched::question).collect();
        let holds = !doubted.is_empty();
        if doubted.len() > FEW {
            self.ask(Question::Within(namespace.unwrap_or_default().to_owned()), now);
        } else {
            doubted.into_iter().for_each(|question| self.ask(question, now));
        }
        holds
    }

    /// What to ask first, and when.
    pub(super) fn question(
        &mut self,
        unsure: impl Fn(&ObjectKey) -> bool,
    ) -> Option<(Duration, Question)> {
        let since = &self.since;
        let is_doubt = |question: &Question| since.keys().any(|touched| question.answers(touched));
        let is_unsure = |question: &Question| matches!(question, Question::One(key) if unsure(key));
        self.asked.retain(|question, _| is_doubt(question) || is_unsure(question));
        let due = |(question, asked): (&Question, &Duration)| {
            let wait = if is_doubt(question) { Duration::ZERO } else { PATIENCE };
            (asked.saturating_add(wait), question.clone())
        };
        self.asked.iter().map(due).min()
    }

    pub(super) fn postpone(&mut self, question: &Question, now: Duration) {
        if let Some(asked) = self.asked.get_mut(question) {
            *asked = now;
        }
    }

    pub(super) fn settle(&mut self, question: &Question, moment: u64) {
        self.asked.remove(question);
        self.since.retain(|touched, since| *since >= moment || !question.answers(touched));
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
