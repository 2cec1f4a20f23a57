//! Where the outputs of the core wait for the futures that take them.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use bytes::Bytes;

use crate::admission::OutgoingCall;
use crate::clock::Now;
use crate::containers::Connect;
use crate::present::Pieces;
use crate::step::{Output, Ticket};

/// What has come for one ticket.
#[derive(Default)]
pub(super) struct Mailbox {
    /// The head of the answer, and its body unless it is streamed.
    head: Option<Head>,
    /// Parts of a streamed body.
    frames: VecDeque<Bytes>,
    /// Nothing follows the frames.
    pub(super) ended: bool,
    /// The core knows nothing of the ticket any more.
    pub(super) done: bool,
    /// How much of the frames is the first burst, which came before anybody could read.
    burst: Unread,
    /// How much the frames are in all.
    unread: Unread,
    /// When the core wants an alarm.
    pub(super) wake: Option<Now>,
    /// Calls that are to be made.
    pub(super) calls: Vec<OutgoingCall>,
    waker: Option<Waker>,
}

/// How far a watcher may be behind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slow {
    pub(super) frames: usize,
    pub(super) bytes: usize,
}

/// What waits to be read.
#[derive(Clone, Copy, Default)]
struct Unread {
    frames: usize,
    bytes: usize,
}

impl Unread {
    fn add(&mut self, frame: &Bytes) {
        self.frames += 1;
        self.bytes += frame.len();
    }

    /// Takes one away, if there is one.
    fn take(&mut self, frame: &Bytes) {
        self.frames = self.frames.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(frame.len());
    }

    fn is_beyond(self, burst: Self, slow: Slow) -> bool {
        self.frames > burst.frames.saturating_add(slow.frames)
            || self.bytes > burst.bytes.saturating_add(slow.bytes)
    }
}

/// The beginning of an answer.
pub(super) enum Head {
    Whole(http::Response<Bytes>),
    List(Box<http::Response<Pieces>>),
    Streamed(http::Response<()>),
    Connect(Box<Connect>),
    Hangup,
}

/// How much there is, never what: secrets are in it.
impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mailbox({} frames, done: {})", self.frames.len(), self.done)
    }
}

impl Mailbox {
    /// Takes the beginning of the answer.
    pub(super) fn take_head(&mut self) -> Option<Head> {
        self.burst = self.unread;
        self.head.take()
    }

    /// Takes the next part of the body.
    pub(super) fn take_frame(&mut self) -> Option<Bytes> {
        let frame = self.frames.pop_front()?;
        self.burst.take(&frame);
        self.unread.take(&frame);
        Some(frame)
    }

    /// Notes whom to wake when something comes.
    pub(super) fn listen(&mut self, waker: &Waker) {
        match &mut self.waker {
            Some(old) => old.clone_from(waker),
            None => self.waker = Some(waker.clone()),
        }
    }
}

/// A mailbox with a lock of its own: who reads it does not wait for what is done for others.
///
/// Whoever posts holds the lock of the server, too, so nobody who holds this one may want that.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared(Arc<Mutex<Mailbox>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Mailbox> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All mailboxes, and who is to be woken.
#[derive(Debug, Default)]
pub(super) struct Mailboxes {
    boxes: BTreeMap<Ticket, Shared>,
    wakers: Vec<Waker>,
}

impl Mailboxes {
    pub(super) fn len(&self) -> usize {
        self.boxes.len()
    }

    /// What the core still knows.
    pub(super) fn under_way(&self) -> impl Iterator<Item = Ticket> {
        let under_way = self.boxes.iter().filter(|(_, mailbox)| !mailbox.lock().done);
        under_way.map(|(ticket, _)| *ticket)
    }

    pub(super) fn open(&mut self, ticket: Ticket) -> Shared {
        let mailbox = Shared::default();
        self.boxes.insert(ticket, mailbox.clone());
        mailbox
    }

    /// Removes a mailbox; true when the core still knows the ticket.
    pub(super) fn close(&mut self, ticket: Ticket) -> bool {
        self.boxes.remove(&ticket).is_some_and(|mailbox| !mailbox.lock().done)
    }

    /// Sorts outputs into the mailboxes and names the watchers that are too slow. Those are cut:
    /// what they have not read is dropped.
    pub(super) fn post(&mut self, outputs: Vec<Output>, slow: Slow) -> Vec<Ticket> {
        let mut cut = Vec::new();
        for output in outputs {
            match output {
                Output::Frame(tickets, bytes) => {
                    for ticket in tickets {
                        let bytes = bytes.clone();
                        let is_slow = self.put(ticket, |mailbox| mailbox.put_frame(bytes, slow));
                        cut.extend((is_slow == Some(true)).then_some(ticket));
                    }
                }
                Output::Reply(ticket, response) => {
                    self.put(ticket, |mailbox| mailbox.answer(Head::Whole(response)));
                }
                Output::List(ticket, response) => {
                    self.put(ticket, |mailbox| mailbox.answer(Head::List(response)));
                }
                Output::Connect(ticket, connect) => {
                    self.put(ticket, |mailbox| mailbox.answer(Head::Connect(connect)));
                }
                Output::Start(ticket, response) => {
                    self.put(ticket, |mailbox| mailbox.head = Some(Head::Streamed(response)));
                }
                Output::End(ticket) => {
                    self.put(ticket, Mailbox::end);
                }
                Output::Hangup(ticket) => {
                    self.put(ticket, |mailbox| {
                        mailbox.head = Some(Head::Hangup);
                        mailbox.end();
                    });
                }
                Output::Call(ticket, call) => {
                    self.put(ticket, |mailbox| mailbox.calls.push(call));
                }
                Output::Wake(ticket, at) => {
                    self.put(ticket, |mailbox| mailbox.wake = Some(at));
                }
                // The journal's.
                Output::Commit(_) => {}
            }
        }
        cut
    }

    /// Puts something into a mailbox, if its client is still there, and notes whom that wakes.
    fn put<T>(&mut self, ticket: Ticket, put: impl FnOnce(&mut Mailbox) -> T) -> Option<T> {
        let mut mailbox = self.boxes.get(&ticket)?.lock();
        let told = put(&mut mailbox);
        self.wakers.extend(mailbox.waker.take());
        Some(told)
    }

    pub(super) fn take_wakers(&mut self) -> Vec<Waker> {
        std::mem::take(&mut self.wakers)
    }
}

impl Mailbox {
    fn answer(&mut self, head: Head) {
        self.head = Some(head);
        self.done = true;
    }

    fn end(&mut self) {
        self.ended = true;
        self.done = true;
    }

    /// Adds a frame; true when so much waits already that the watch is cut, with all that is not read.
    fn put_frame(&mut self, bytes: Bytes, slow: Slow) -> bool {
        if self.ended {
            return false;
        }
        self.unread.add(&bytes);
        self.frames.push_back(bytes);
        let is_slow = self.head.is_none() && self.unread.is_beyond(self.burst, slow);
        if is_slow {
            self.frames.clear();
            self.end();
        }
        is_slow
    }
}
