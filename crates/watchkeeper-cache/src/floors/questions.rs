//! What only the server knows: which question is next, and what its answer settles.

use std::collections::BTreeSet;
use std::time::Duration;

use watchkeeper_api::ObjectKey;

use super::floor::{Floor, has_unsure};
use super::{Floors, Question, Survey, Touched};
use crate::rng::Rng;
use crate::selection::Selected;
use crate::version::Version;

impl Floors {
    /// What to ask the server next for a read that waits, and when.
    pub(crate) fn question(&mut self) -> Option<(Duration, Question)> {
        let floors = &self.floors;
        let is_unsure = |question: &Question| match question {
            Question::One(key) => floors.get(key).is_some_and(|floors| has_unsure(floors)),
            Question::Within(_) => {
                floors.iter().any(|(key, floors)| question.is_of(key) && has_unsure(floors))
            }
        };
        self.doubts.question(is_unsure)
    }

    /// The server gave no answer: the question is asked again after a while, longer each time.
    pub(crate) fn postpone(&mut self, question: &Question, now: Duration, rng: &mut Rng) {
        self.doubts.postpone(question, now, rng);
    }

    /// The server is about to be asked: what is in doubt later is not answered by that.
    pub(crate) fn inquire(&mut self, question: &Question) -> u64 {
        self.doubts.begin(question);
        self.doubts.next_moment()
    }

    /// The server was asked at a [moment](Self::inquire), and said what it has; `None` if it will not say:
    /// then nobody waits for it.
    pub(crate) fn settle(
        &mut self,
        question: &Question,
        moment: u64,
        answer: Option<Survey>,
        reached: Option<Version>,
    ) {
        let doubted = self.doubts.settle(question, moment);
        let told = answer.as_ref().map(|survey| survey.version);
        let settled = |floor: &Floor| {
            floor.selected == Selected::Unsure
                && told.is_none_or(|version| version >= floor.version)
        };
        let asked = self
            .floors
            .iter()
            .filter(|(key, floors)| question.is_of(key) && floors.iter().any(settled));
        let unsure: Vec<ObjectKey> = asked.map(|(key, _)| key.clone()).collect();
        unsure.iter().for_each(|key| self.lower(key, settled));
        let Some(survey) = answer else { return };
        self.unread.found(question, &survey);
        match question {
            Question::One(key) => self.found(key, (&survey, moment), reached),
            Question::Within(namespace) => {
                // Of each that was in question by name, whether it can be read is known, too.
                let named: BTreeSet<&ObjectKey> = doubted.iter().chain(&unsure).collect();
                let found = named.into_iter().filter(|key| survey.found.contains_key(key));
                found.for_each(|key| self.found(key, (&survey, moment), reached));
                self.doubts.heed(namespace.clone(), survey, reached);
            }
        }
        self.doubts.forget_ends();
    }

    /// The copy has to come to what the server has of an object, which was asked for at that moment.
    fn found(&mut self, key: &ObjectKey, (survey, made): (&Survey, u64), reached: Option<Version>) {
        let over = match self.doubts.end_since(key, made) {
            Some(ended) if ended.began >= made => Some(ended.ticket),
            // What was found may be from before the end or after it.
            Some(ended) if survey.found.contains_key(key) => {
                return self.doubts.raise(Touched::One(key.clone()), ended.ticket);
            }
            _ => None,
        };
        let found = survey.found.get(key).copied();
        let selected = if found.is_some() { Selected::Yes } else { Selected::No };
        let version = found.unwrap_or(survey.version);
        let floor = Floor { ticket: 0, version, uid: String::new(), selected, made, over };
        self.raise(key.clone(), floor, reached);
    }
}
