//! What a copy is told of the writes of its own process, and what it asks the server about them.

use tokio::time::sleep_until;
use watchkeeper_api::ObjectKey;
use watchkeeper_client::Labels;

use super::Core;
use crate::floors::{Outcome, Question, Survey, Touched};
use crate::item::Item;
use crate::lock::lock;
use crate::rng::Rng;
use crate::selection::Selected;

impl<K: Item> Core<K> {
    pub(crate) fn begin_write(&self, ticket: u64, touched: Touched) {
        if self.may_concern(&touched) {
            // The floors first: what reaches the store meanwhile still has its floor.
            let mut floors = lock(&self.floors);
            let held = match &touched {
                Touched::One(key) => self.store.get(key),
                Touched::New(_) | Touched::Many(_) => None,
            };
            let shown =
                held.map(|object| object.item_uid().to_owned()).filter(|uid| !uid.is_empty());
            let shown = self.store.is_filled().then(|| shown.into_iter().collect());
            floors.begin(ticket, touched, shown);
        }
    }

    pub(crate) fn finish_write(&self, ticket: u64, outcome: Outcome) {
        let outcome = self.concerning(outcome);
        {
            let mut floors = lock(&self.floors);
            floors.finish(ticket, outcome, self.store.reached());
            if self.store.is_filled() {
                floors.sweep(|key, uid| self.store.get(key).is_some_and(|o| o.item_uid() == uid));
            }
        }
        self.step(|_| {});
    }

    /// Whether an object is selected as it was stored.
    pub(crate) fn selects(
        &self,
        key: &ObjectKey,
        uid: &str,
        labels: Option<Labels<'_>>,
    ) -> Selected {
        self.scope.selection.selects(key, uid, labels)
    }

    /// What a write means for this copy: nothing if its object can never be in it, or if its versions
    /// cannot tell when the copy has caught up.
    fn concerning(&self, outcome: Outcome) -> Outcome {
        let is_opaque = || self.store.is_filled() && self.store.reached().is_none();
        let concerns = match &outcome {
            Outcome::Stored { key, .. } => self.may_hold(key) && !is_opaque(),
            Outcome::Deleted { key, .. } => self.may_hold(key),
            Outcome::Unknown(touched) => self.may_concern(touched) && !is_opaque(),
            Outcome::Absent | Outcome::Nothing => true,
        };
        if concerns { outcome } else { Outcome::Nothing }
    }

    fn may_hold(&self, key: &ObjectKey) -> bool {
        let namespace = self.scope.namespace.as_deref();
        namespace.is_none_or(|namespace| namespace == &*key.namespace)
            && self.scope.selection.may_hold(key)
    }

    fn may_concern(&self, touched: &Touched) -> bool {
        match touched {
            Touched::One(key) => self.may_hold(key),
            Touched::New(_) | Touched::Many(_) => {
                touched.may_be_in(self.scope.namespace.as_deref())
            }
        }
    }

    /// What to ask the server next, once a read waits for it.
    pub(crate) async fn question(&self) -> Question {
        loop {
            let asked = self.asked.notified();
            let next = lock(&self.floors).question();
            match next {
                Some((due, question)) if due <= self.now() => return question,
                Some((due, _)) => tokio::select! {
                    biased;
                    () = asked => {}
                    () = sleep_until(self.at(due)) => {}
                },
                None => asked.await,
            }
        }
    }

    /// The server is about to be asked.
    pub(crate) fn inquire(&self, question: &Question) -> u64 {
        lock(&self.floors).inquire(question)
    }

    /// The server gave no answer.
    pub(crate) fn postpone(&self, question: &Question, rng: &mut Rng) {
        lock(&self.floors).postpone(question, self.now(), rng);
    }

    /// The server was asked, and said what it has; `None` if it will not say.
    pub(crate) fn settle(&self, question: &Question, moment: u64, answer: Option<Survey>) {
        lock(&self.floors).settle(question, moment, answer, self.store.reached());
        self.step(|_| {});
    }
}
