//! Frames that hooks keep back on their way to one watcher.

use bytes::Bytes;

use super::{Sending, Watcher};
use crate::clock::Now;
use crate::hooks::Passage;
use crate::step::Output;

#[cfg(test)]
mod tests;

/// What is kept back, soonest first.
#[derive(Debug, Default)]
pub(crate) struct Held {
    frames: Vec<(Now, Bytes)>,
    /// Nothing that keeps its place comes before this moment.
    in_order: Now,
}

/// When a frame comes, as hooks want it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lag {
    in_order: Now,
    alone: Now,
}

impl Lag {
    /// Takes up what one more hook wants.
    pub(super) fn add(&mut self, passage: Passage, now: Now) {
        match passage {
            Passage::Delay(time) => self.in_order = self.in_order.max(now.plus(time)),
            Passage::Late(time) => self.alone = self.alone.max(now.plus(time)),
            Passage::Deliver | Passage::Skip | Passage::End => {}
        }
    }

    fn is_none(self, now: Now) -> bool {
        self.in_order <= now && self.alone <= now
    }
}

impl Held {
    /// Keeps a frame for its moment.
    fn keep(&mut self, lag: Lag, bytes: Bytes) {
        self.in_order = self.in_order.max(lag.in_order);
        let due = self.in_order.max(lag.alone);
        let place = self.frames.partition_point(|(other, _)| *other <= due);
        self.frames.insert(place, (due, bytes));
    }

    fn is_behind(&self, now: Now) -> bool {
        self.in_order > now
    }

    pub(super) fn next(&self) -> Option<Now> {
        self.frames.first().map(|(due, _)| *due)
    }

    fn take_due(&mut self, now: Now) -> impl Iterator<Item = Bytes> + '_ {
        let due = self.frames.partition_point(|(due, _)| *due <= now);
        self.frames.drain(..due).map(|(_, bytes)| bytes)
    }
}

impl Watcher {
    /// Sends a frame when its time comes.
    pub(super) fn send_after(&mut self, lag: Lag, bytes: Bytes, sending: &mut Sending<'_>) {
        self.send_due(sending);
        let is_behind = self.held.as_ref().is_some_and(|held| held.is_behind(sending.now));
        if lag.is_none(sending.now) && !is_behind {
            return sending.frame(self.ticket, bytes);
        }
        self.held.get_or_insert_default().keep(lag, bytes);
        sending.out.push(Output::Wake(self.ticket, self.wake()));
    }

    /// Sends what has been kept back for long enough.
    pub(super) fn send_due(&mut self, sending: &mut Sending<'_>) {
        let ticket = self.ticket;
        let Some(held) = &mut self.held else { return };
        held.take_due(sending.now).for_each(|bytes| sending.frame(ticket, bytes));
    }

    /// Whether something is kept back, so that the watcher has not seen all that a bookmark would tell.
    pub(super) fn has_held(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.next().is_some())
    }
}
