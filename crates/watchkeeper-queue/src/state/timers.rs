//! When which slot is due.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use super::room;

/// A heap of alarms. One that was replaced by an earlier one stays in it until it comes up, or
/// until such are the most.
#[derive(Clone, Debug, Default)]
pub(super) struct Timers {
    /// The first is never one that was replaced.
    heap: BinaryHeap<Reverse<Alarm>>,
    /// The alarm of each slot that has one.
    due: Vec<Due>,
    /// How many slots have an alarm.
    len: usize,
    /// The number of the latest alarm.
    number: u32,
}

/// Ordered by time; the number keeps equal times in the order they came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Alarm {
    at: u64,
    number: u32,
    slot: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Due {
    at: u64,
    /// Zero when there is none.
    number: u32,
    priority: i32,
}

/// What is added when its time has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DueSlot {
    pub(super) slot: u32,
    pub(super) priority: i32,
}

/// Replaced alarms that are not worth a clearing.
const FEW: usize = 64;

impl Timers {
    /// Sets the alarm of a slot, unless it has an earlier one; keeps the higher priority. True if
    /// it is now the soonest of all.
    pub(super) fn set(&mut self, slot: u32, at: Duration, priority: i32) -> bool {
        let at = nanos(at);
        self.make_room(slot);
        let due = &mut self.due[slot as usize];
        if due.number == 0 {
            self.len += 1;
            due.priority = priority;
        } else {
            due.priority = due.priority.max(priority);
            if due.at <= at {
                return false;
            }
        }
        due.at = at;
        let number = self.next_number();
        self.due[slot as usize].number = number;
        self.heap.reserve_exact(room::more(self.heap.len(), self.heap.capacity()));
        self.heap.push(Reverse(Alarm { at, number, slot }));
        self.clear_replaced();
        self.heap.peek().is_some_and(|Reverse(first)| first.number == number)
    }

    /// Takes the soonest slot if it is due at `now`.
    #[inline]
    pub(super) fn pop(&mut self, now: Duration) -> Option<DueSlot> {
        let Reverse(first) = self.heap.peek()?;
        if first.at > nanos(now) {
            return None;
        }
        let Reverse(first) = self.heap.pop()?;
        let due = std::mem::take(self.due.get_mut(first.slot as usize)?);
        self.len -= 1;
        while self.heap.peek().is_some_and(|Reverse(alarm)| !is_set(&self.due, *alarm)) {
            self.heap.pop();
        }
        Some(DueSlot { slot: first.slot, priority: due.priority })
    }

    /// When the next slot is due.
    #[inline]
    pub(super) fn wake_at(&self) -> Option<Duration> {
        self.heap.peek().map(|Reverse(first)| Duration::from_nanos(first.at))
    }

    /// How many slots have an alarm.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Takes all, in no order.
    pub(super) fn take_all(&mut self) -> Vec<u32> {
        let Self { heap, due, .. } = std::mem::take(self);
        let set = heap.into_iter().filter(|Reverse(alarm)| is_set(&due, *alarm));
        set.map(|Reverse(alarm)| alarm.slot).collect()
    }

    /// The number of the next alarm. After four thousand million the alarms that are set get the first
    /// numbers, in the order that they have.
    fn next_number(&mut self) -> u32 {
        if self.number == u32::MAX {
            self.number_anew();
        }
        self.number += 1;
        self.number
    }

    fn number_anew(&mut self) {
        let Self { heap, due, .. } = self;
        let mut alarms = std::mem::take(heap).into_vec();
        alarms.retain(|Reverse(alarm)| is_set(due, *alarm));
        alarms.sort_unstable_by_key(|Reverse(alarm)| alarm.number);
        self.number = 0;
        for Reverse(alarm) in &mut alarms {
            self.number += 1;
            alarm.number = self.number;
            due[alarm.slot as usize].number = self.number;
        }
        *heap = alarms.into();
    }

    fn clear_replaced(&mut self) {
        if self.heap.len() > 2 * self.len + FEW {
            let due = &self.due;
            self.heap.retain(|Reverse(alarm)| is_set(due, *alarm));
        }
    }

    fn make_room(&mut self, slot: u32) {
        let len = slot as usize + 1;
        if len > self.due.len() {
            let more = room::more(self.due.len(), self.due.capacity());
            self.due.reserve_exact(more.max(len - self.due.len()));
            self.due.resize(len, Due::default());
        }
    }
}

fn is_set(due: &[Due], alarm: Alarm) -> bool {
    due.get(alarm.slot as usize).is_some_and(|due| due.number == alarm.number)
}

/// Beyond some 584 years it is all the same.
#[inline]
fn nanos(time: Duration) -> u64 {
    let seconds = time.as_secs().checked_mul(1_000_000_000);
    seconds.and_then(|nanos| nanos.checked_add(time.subsec_nanos().into())).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
