//! Pings of ours, and what it means that one is not answered.
//!
//! The pod's node answers them, and so they tell of more than those of the WebSocket, which the API server answers
//! by itself. But a node that is there may owe an answer for long: upstream's (`moby/spdystream`) takes frames
//! by five workers in turn, each of which waits for the program that does not read what was said to it.

use std::collections::BTreeSet;

/// Where pings are not answered, no more than these wait there: each takes a place that content needs, of fifty
/// a worker.
const UNANSWERED_LIMIT: usize = 8;

#[derive(Debug, Default)]
pub(super) struct Pings {
    asked: u32,
    unanswered: BTreeSet<u32>,
    /// The latest that was answered.
    answered: Option<u32>,
    /// The first that came after all content so far.
    clear: u32,
}

impl Pings {
    /// The name of another, if there may be another. Those of clients are odd.
    pub(super) fn ask(&mut self) -> Option<u32> {
        if self.unanswered.len() >= UNANSWERED_LIMIT {
            return None;
        }
        let id = self.asked.checked_mul(2)? | 1;
        self.asked += 1;
        self.unanswered.insert(id);
        Some(id)
    }

    /// One came back.
    pub(super) fn hear(&mut self, id: u32) {
        if self.unanswered.remove(&id) {
            self.answered = self.answered.max(Some(id));
        }
    }

    /// Content goes out, which may keep the other side from answering.
    pub(super) const fn say(&mut self) {
        self.clear = self.asked.saturating_mul(2) | 1;
    }

    /// Whether the other side would answer at once if it were there: it has answered after the last content
    /// that it was sent, has left out none, and owes one now.
    pub(super) fn are_owed(&self) -> bool {
        let answered = self.answered.filter(|answered| *answered >= self.clear);
        let owed = self.unanswered.first();
        answered.zip(owed).is_some_and(|(answered, owed)| answered < *owed)
    }
}

#[cfg(test)]
mod tests {
    use super::Pings;

    #[test]
    fn an_answer_is_owed_by_those_who_gave_one_after_all_content() {
        let mut pings = Pings::default();
        assert_eq!((pings.ask(), pings.ask()), (Some(1), Some(3)));
        // Nobody knows whether it answers at all.
        assert!(!pings.are_owed());
        pings.hear(1);
        assert!(pings.are_owed());
        pings.hear(3);
        assert!(!pings.are_owed());
        pings.ask();
        pings.say();
        pings.hear(5);
        pings.ask();
        // What was said after the one that was answered may be in the way.
        assert!(!pings.are_owed());
        pings.hear(7);
        pings.ask();
        assert!(pings.are_owed());
    }

    #[test]
    fn whoever_left_one_out_owes_none() {
        let mut pings = Pings::default();
        for id in [1, 3, 5] {
            assert_eq!(pings.ask(), Some(id));
        }
        for id in [3, 3, 9] {
            pings.hear(id);
        }
        assert!(!pings.are_owed());
        pings.hear(1);
        assert!(pings.are_owed());
    }

    #[test]
    fn no_more_than_a_few_wait() {
        let mut pings = Pings::default();
        let asked: Vec<u32> = std::iter::from_fn(|| pings.ask()).collect();
        assert_eq!(asked, [1, 3, 5, 7, 9, 11, 13, 15]);
        pings.hear(9);
        assert_eq!((pings.ask(), pings.ask()), (Some(17), None));
    }
}
