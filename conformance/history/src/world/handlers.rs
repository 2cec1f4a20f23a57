//! Who listens: handlers that are there from the beginning, and others that come and go.

use std::sync::{Arc, Mutex};

use super::World;
use crate::judge::Judge;
use crate::listener::{Claim, Kind, Listener};
use crate::mode::Mode;
use crate::truth::Scope;

/// Those that are there from the beginning, in this order.
const RESIDENTS: &[(Kind, usize)] = &[
    (Kind::Immediate, 0),
    (Kind::Immediate, 1),
    (Kind::Coalescing(1), 0),
    (Kind::Coalescing(4), 0),
    (Kind::Coalescing(1), 1),
    (Kind::Blocking, 0),
    (Kind::Resyncing, 0),
    (Kind::Panicking, 0),
    (Kind::Filtered(usize::MAX), 0),
    (Kind::Filtered(1), 0),
    (Kind::Disconnecting, 0),
];
/// Those that come later, and leave.
const GUESTS: &[Kind] =
    &[Kind::Immediate, Kind::Coalescing(2), Kind::Blocking, Kind::Panicking, Kind::Filtered(2)];

impl World {
    /// Those come that stay.
    pub(super) fn settle_in(&mut self) {
        for (kind, copy) in RESIDENTS {
            self.come(*kind, *copy);
        }
    }

    /// Somebody comes who may leave.
    pub(super) fn visit(&mut self) {
        let kind = GUESTS[self.below(GUESTS.len())];
        let copy = self.below(self.subjects.len());
        self.come(kind, copy);
    }

    /// A handler comes to a copy, if there is that copy.
    fn come(&mut self, kind: Kind, copy: usize) {
        let Some((scope, subject)) = self.subjects.get(copy) else { return };
        *self.handlers.entry(kind.name()).or_default() += 1;
        let number = self.handlers.values().sum();
        let first = self.first_of(*scope);
        let subject = (*scope, &**subject);
        let listener = Listener::come(kind, number, self.mode, subject, first, &self.court);
        for part in self.space.parts().filter(|part| !self.followed.contains(part)) {
            self.court.hear(Claim::Follows(Arc::clone(&listener.judge), part, false));
        }
        self.listeners.push(listener);
    }

    /// One of those that came later leaves; who was thrown out comes again.
    pub(super) fn leave(&mut self) {
        if let Some(at) = self.listeners.iter().position(Listener::is_lagged) {
            let slow = self.listeners.remove(at);
            // What waits of a namespace that is given up is told to nobody.
            if let Some(first) = self.first_of(slow.scope).filter(|_| self.mode != Mode::Namespaces)
            {
                self.court.rule(slow.was_slow(first));
            }
            slow.leave(None, &self.court);
            self.come(Kind::Disconnecting, 0);
        }
        let residents = RESIDENTS.iter().filter(|(_, copy)| *copy < self.subjects.len()).count();
        let guests = self.listeners.len().saturating_sub(residents);
        // A handful of them may stay.
        if guests > 3 || (guests > 0 && self.dice.below(2) == 0) {
            let at = residents + self.below(guests);
            let guest = self.listeners.remove(at);
            let first = self.first_beside(&guest);
            guest.leave(first, &self.court);
        }
    }

    /// The first handler of a copy.
    fn first_of(&self, scope: Scope) -> Option<&Listener> {
        self.listeners.iter().find(|first| first.scope == scope)
    }

    /// Who was told what a handler that loses nothing was told: the first of its copy.
    pub(super) fn first_beside(&self, listener: &Listener) -> Option<Arc<Mutex<Judge>>> {
        let first = self.first_of(listener.scope)?;
        let is_another = !Arc::ptr_eq(&first.judge, &listener.judge);
        (listener.kind.is_lossless() && is_another).then(|| Arc::clone(&first.judge))
    }
}
