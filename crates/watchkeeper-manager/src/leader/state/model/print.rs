//! What tells worlds apart.

use super::world::Replica;
use super::*;

/// Numbers, some of which are versions that count only by which is newer.
#[derive(Default)]
pub(super) struct Print {
    numbers: Vec<i64>,
    versions: Vec<(usize, i64)>,
}

impl Print {
    pub(super) fn number(&mut self, number: i64) {
        self.numbers.push(number);
    }

    /// How long from now, in quarters; what is over is over.
    pub(super) fn ahead(&mut self, time: Duration, now: Duration) {
        let left = time.saturating_sub(now).as_millis() / 250;
        self.number(i64::try_from(left).unwrap());
    }

    pub(super) fn lease(&mut self, lease: Option<&Lease>) {
        let Some(lease) = lease else { return self.number(-1) };
        let holder = lease::holder(&lease.spec);
        self.number(match holder {
            "a" => 1,
            "b" => 2,
            _ => 0,
        });
        let version = lease.metadata.resource_version.parse().unwrap_or(-1);
        self.versions.push((self.numbers.len(), version));
        self.number(0);
    }

    pub(super) fn replica(&mut self, replica: &Replica, now: Duration) {
        let Replica { state, next, answer, late, release, listed, .. } = replica;
        // When it is settled is what it sleeps until.
        self.number(i64::from(release.is_some()));
        for seen in [&state.seen, listed] {
            self.lease(seen.as_ref().map(|seen| &seen.lease));
            if let Some(seen) = seen {
                self.ahead(seen.since + lease::duration(&seen.lease.spec), now);
            }
        }
        match state.term {
            Some(term) => self.ahead(term.renewed + LEASE, now),
            None => self.number(-1),
        }
        match state.trying {
            Trying::Nothing => self.number(-1),
            Trying::Get => self.number(-2),
            Trying::Write { sent, fast, .. } => {
                self.number(i64::from(fast));
                self.ahead(sent + LEASE, now);
            }
        }
        self.next(Some(next), now);
        self.next(late.as_ref(), now);
        match answer {
            None => self.number(0),
            Some(Input::Woken) => self.number(1),
            Some(Input::Missing) => self.number(2),
            Some(Input::Failed) => self.number(3),
            Some(Input::Conflict) => self.number(6),
            Some(Input::Found(lease)) => {
                self.number(4);
                self.lease(Some(lease));
            }
            Some(Input::Stored(lease)) => {
                self.number(5);
                self.lease(Some(lease));
            }
        }
    }

    pub(super) fn next(&mut self, next: Option<&Next>, now: Duration) {
        match next {
            None => self.number(-1),
            Some(Next::Get) => self.number(-2),
            Some(Next::Sleep(until)) => self.ahead(*until, now),
            Some(Next::Create(lease) | Next::Update(lease)) => {
                self.number(-3);
                self.lease(Some(lease));
            }
        }
    }

    pub(super) fn ranked(mut self) -> Vec<i64> {
        let mut order: Vec<i64> = self.versions.iter().map(|(_, version)| *version).collect();
        order.sort_unstable();
        order.dedup();
        for (place, version) in self.versions {
            self.numbers[place] = i64::try_from(order.partition_point(|v| *v < version)).unwrap();
        }
        self.numbers
    }
}
