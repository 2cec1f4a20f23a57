//! What to do when it does not work.

use std::time::Duration;

use super::super::message::{Class, ListCall, Next, Step, Trouble};
use super::{Phase, Plan, State};
use crate::item::Item;

/// A watch that ended before this and did not come further did not work.
const VERY_SHORT: Duration = Duration::from_secs(1);
/// So many watches that did not work, and the version is given up.
const SHORT_WATCHES: u32 = 5;
/// How long a server may answer a watch with internal errors before the version is given up.
const INTERNAL_ERRORS: Duration = Duration::from_secs(60);
/// The longest that a server's word keeps this away: it may be wrong, and nobody else would ask again.
const LONGEST_AWAY: Duration = Duration::from_secs(300);

impl<K: Item> State<K> {
    pub(super) fn failed(&mut self, trouble: Trouble, now: Duration) -> Next {
        let class = trouble.class;
        self.trouble = Some(trouble);
        match &self.phase {
            Phase::WatchList { .. } => self.watch_list_failed(class, now),
            Phase::Listing { .. } => self.list_failed(class, now),
            Phase::Watching { .. } => self.watch_failed(class, now),
            Phase::Asleep(plan) => self.sleep(*plan, class, now),
        }
    }

    /// C-10: what a list would meet as well is waited for; anything else may be a server that cannot do
    /// this, and a list is tried. So it is when nobody answers for the second time: what stands in between
    /// may pass lists and hold up streams.
    fn watch_list_failed(&mut self, class: Class, now: Duration) -> Next {
        match class {
            Class::Expired if !self.expired && !self.version.is_empty() => {
                self.expired = true;
                self.watch_list()
            }
            Class::Unreachable if !self.unanswered => {
                self.unanswered = true;
                self.sleep(Plan::Relist, class, now)
            }
            Class::Busy { .. } | Class::OverLimit => self.sleep(Plan::Relist, class, now),
            Class::Unreachable
            | Class::Expired
            | Class::Internal
            | Class::Broken
            | Class::Refused
            | Class::Other => self.list(),
        }
    }

    /// C-02 and C-04: a version that is gone is dropped at once, a page that is gone costs a full list;
    /// either only once.
    fn list_failed(&mut self, class: Class, now: Duration) -> Next {
        let Phase::Listing { call, from, pages, .. } = &self.phase else {
            return self.sleep(Plan::Relist, class, now);
        };
        if class == Class::Expired && *pages > 0 {
            let full = ListCall { version: from.clone(), limit: None, more: String::new() };
            return self.request_list(full);
        }
        if class == Class::Expired && !call.version.is_empty() {
            self.expired = true;
            return self.list();
        }
        self.sleep(Plan::Relist, class, now)
    }

    /// C-14 and C-15: only a version that is gone, or a failure that says nothing good about it, costs a
    /// relist.
    fn watch_failed(&mut self, class: Class, now: Duration) -> Next {
        let plan = match class {
            // What it breaks at may be what it begins with: the next one would break there, too.
            Class::Broken if self.short_watches(now) >= SHORT_WATCHES => Plan::Relist,
            Class::Busy { .. } | Class::Unreachable | Class::Broken => Plan::Rewatch,
            Class::Internal => {
                let since = *self.internal_since.get_or_insert(now);
                if now.saturating_sub(since) < INTERNAL_ERRORS {
                    Plan::Rewatch
                } else {
                    Plan::Relist
                }
            }
            Class::Expired | Class::Refused | Class::OverLimit | Class::Other => Plan::Relist,
        };
        self.sleep(plan, class, now)
    }

    /// C-16. A server that ends watches at once is left alone for a while, and in the end its version is
    /// given up.
    pub(super) fn closed(&mut self, now: Duration) -> Next {
        match self.phase {
            Phase::WatchList { .. } => self.list(),
            Phase::Watching { .. } => match self.short_watches(now) {
                0 => self.watch_on(),
                SHORT_WATCHES.. => self.sleep(Plan::Relist, Class::Other, now),
                _ => self.sleep(Plan::Rewatch, Class::Other, now),
            },
            Phase::Asleep(_) | Phase::Listing { .. } => self.out_of_place(now).next,
        }
    }

    /// A watch has ended: how many in a row did not work, with this one.
    fn short_watches(&mut self, now: Duration) -> u32 {
        if let Phase::Watching { since, moved, .. } = self.phase {
            let worked = moved || now.saturating_sub(since) >= VERY_SHORT;
            self.short_watches = if worked { 0 } else { self.short_watches + 1 };
        }
        self.short_watches
    }

    pub(super) fn woken(&mut self) -> Next {
        match &self.phase {
            Phase::Asleep(Plan::Relist) => self.watch_list(),
            Phase::Asleep(Plan::Rewatch) => self.watch_on(),
            // Silence where there should be initial events: this server cannot do it.
            Phase::WatchList { .. } => self.list(),
            Phase::Listing { call, .. } => Next::List(call.clone()),
            Phase::Watching { .. } => Next::Read { until: None },
        }
    }

    fn sleep(&mut self, plan: Plan, class: Class, now: Duration) -> Next {
        self.phase = Phase::Asleep(plan);
        let mut delay = self.backoff.delay(now, &mut self.rng);
        match class {
            Class::Busy { retry_after: Some(stay_away) } => {
                delay = delay.max(stay_away.min(LONGEST_AWAY));
            }
            // Each try costs the server a list up to the limit.
            Class::OverLimit => delay += LONGEST_AWAY,
            _ => {}
        }
        Next::Sleep { until: now + delay }
    }

    /// An input that does not answer what was asked: start over rather than trust it.
    pub(super) fn out_of_place(&mut self, now: Duration) -> Step<K> {
        Step::only(self.sleep(Plan::Relist, Class::Other, now))
    }
}
