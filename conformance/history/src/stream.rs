//! A body that ends as bodies do when a connection fails, whatever the server sends.
//!
//! What it does to a watch it does to whole events: `events` says why.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::Frame;
use tokio::time::{Sleep, sleep};
use watchkeeper_client::{Body, BoxError};

use crate::events::Events;
use crate::faults::{Fault, Faults};
use crate::speech::Speech;

/// Which ends a body may come to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Endings {
    /// Before the first frame.
    AtOnce,
    /// Those of a list.
    OfList,
    /// Those of a watch.
    OfWatch,
    /// A watch that says no more than where it is.
    Bookmarks(u64),
}

/// How most watches end.
const OF_WATCH: &[(Fault, u64)] = &[
    (Fault::CutFrame, 130),
    (Fault::Reset, 130),
    (Fault::Garbage, 110),
    (Fault::CleanEnd, 180),
    (Fault::HalfOpen, 80),
    (Fault::GoneEvent, 150),
    (Fault::BusyEvent, 60),
    (Fault::InternalEvent, 60),
];
const OF_LIST: &[(Fault, u64)] =
    &[(Fault::CutFrame, 60), (Fault::Reset, 40), (Fault::Garbage, 40), (Fault::HalfOpen, 20)];
/// What goes on while a watch lasts.
const MANNERS: &[(Fault, u64)] =
    &[(Fault::Slow, 100), (Fault::Sliced, 100), (Fault::Repeated, 100), (Fault::Bookmarks, 150)];

/// What follows what is still to be handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    End,
    Break,
    Silence,
}

/// The body.
pub(crate) struct Stream {
    body: Body,
    faults: Arc<Faults>,
    speech: Speech,
    /// What came of a watch.
    events: Events,
    /// Whether the server has ended it.
    ended: bool,
    /// Frames until it ends in this way.
    ending: Option<(u64, Fault)>,
    manner: Option<Fault>,
    is_watch: bool,
    /// Where it is, and how many bookmarks it will send of that.
    bookmarks: Option<(u64, u32)>,
    ready: VecDeque<Bytes>,
    rest: Option<Pin<Box<Sleep>>>,
    then: Option<Then>,
}

impl Stream {
    pub(crate) fn new(body: Body, faults: Arc<Faults>, speech: Speech, endings: Endings) -> Self {
        let is_watch = matches!(endings, Endings::OfWatch | Endings::Bookmarks(_));
        let (mut ending, mut manner, mut bookmarks) = (None, None, None);
        match endings {
            Endings::AtOnce => ending = Some((0, Fault::ResetAfterHead)),
            Endings::OfList => ending = faults.draw(OF_LIST).map(|fault| (0, fault)),
            Endings::OfWatch => {
                let most = faults.frames();
                let fault = faults.draw(OF_WATCH).or_else(|| faults.end_of_others());
                ending = fault.map(|fault| (faults.below(most), fault));
                manner = faults.draw(MANNERS);
            }
            Endings::Bookmarks(version) => bookmarks = Some((version, 3)),
        }
        let (ready, rest, then) = (VecDeque::new(), None, None);
        let (events, ended) = (Events::of(speech), false);
        Self {
            body,
            faults,
            speech,
            events,
            ended,
            ending,
            manner,
            is_watch,
            bookmarks,
            ready,
            rest,
            then,
        }
    }

    /// The end that was meant for it, if its time has come and it needs no frame.
    fn end(&mut self) {
        let Some((0, fault)) = self.ending else { return };
        if fault == Fault::CutFrame {
            return;
        }
        if !self.faults.are_on() {
            self.ending = None;
            return;
        }
        self.faults.strike(fault);
        let then = match fault {
            Fault::HalfOpen => Then::Silence,
            Fault::Reset | Fault::ResetAfterHead => Then::Break,
            _ => Then::End,
        };
        self.ready.extend(match fault {
            Fault::Garbage => Some(Bytes::from_static(b"{\"type\": garbage\n")),
            Fault::GoneEvent => Some(self.speech.error(410, "Expired")),
            Fault::BusyEvent => Some(self.speech.error(429, "TooManyRequests")),
            Fault::InternalEvent => Some(self.speech.error(500, "InternalError")),
            _ => None,
        });
        self.then = Some(then);
    }

    /// What came, in the pieces that faults are done to.
    fn next(&mut self) -> Option<Bytes> {
        let event = self.events.next();
        if self.ended { event.or_else(|| self.events.end()) } else { event }
    }

    /// A frame of the server's.
    fn take(&mut self, frame: Bytes) {
        let frame = if self.faults.spoil() { self.speech.spoiled(frame) } else { frame };
        if self.is_watch && self.speech.is_error(&frame) {
            self.faults.strike(Fault::Compacted);
        }
        if let Some((0, Fault::CutFrame)) = self.ending {
            self.ending = None;
            if self.faults.are_on() {
                self.faults.strike(Fault::CutFrame);
                let half = self.faults.below(frame.len() as u64);
                let half = usize::try_from(half).unwrap_or(0).max(1).min(frame.len());
                self.ready.push_back(frame.slice(..half));
                // What brings a list in parts says when it is not whole.
                let breaks = !self.is_watch || self.faults.below(2) == 0;
                self.then = Some(if breaks { Then::Break } else { Then::End });
                return;
            }
        }
        if let Some((frames, _)) = &mut self.ending {
            *frames = frames.saturating_sub(1);
        }
        self.hand_over(frame);
    }

    fn hand_over(&mut self, frame: Bytes) {
        let Some(manner) = self.manner.filter(|_| self.faults.are_on()) else {
            return self.ready.push_back(frame);
        };
        match manner {
            Fault::Slow => {
                self.rest = Some(Box::pin(sleep(self.faults.moment(3000))));
                self.ready.push_back(frame);
            }
            Fault::Sliced => {
                let size = 1 + usize::try_from(self.faults.below(40)).unwrap_or(0);
                let starts = (0..frame.len()).step_by(size);
                self.ready.extend(starts.map(|at| frame.slice(at..frame.len().min(at + size))));
            }
            Fault::Repeated => self.ready.extend([frame.clone(), frame]),
            _ => match self.speech.version_of(&frame) {
                Some(version) => {
                    let bookmark = self.speech.bookmark(version);
                    self.ready.extend([frame, bookmark]);
                }
                None => return self.ready.push_back(frame),
            },
        }
        self.faults.strike(manner);
    }

    /// Bookmarks, a while apart, and then the end.
    fn tell_where_it_is(&mut self) {
        let Some((version, left)) = self.bookmarks else { return };
        self.rest = Some(Box::pin(sleep(Duration::from_secs(20))));
        match left.checked_sub(1) {
            Some(left) => {
                self.ready.push_back(self.speech.bookmark(version));
                self.bookmarks = Some((version, left));
            }
            None => self.then = Some(Then::End),
        }
    }
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = self.get_mut();
        loop {
            if let Some(rest) = &mut this.rest {
                ready!(rest.as_mut().poll(cx));
                this.rest = None;
            }
            if let Some(bytes) = this.ready.pop_front() {
                return Poll::Ready(Some(Ok(Frame::data(bytes))));
            }
            match this.then {
                Some(Then::End) => return Poll::Ready(None),
                Some(Then::Silence) => return Poll::Pending,
                Some(Then::Break) => {
                    this.then = Some(Then::End);
                    let broken = io::Error::from(io::ErrorKind::ConnectionReset);
                    return Poll::Ready(Some(Err(broken.into())));
                }
                None => {}
            }
            if this.bookmarks.is_some() {
                this.tell_where_it_is();
                continue;
            }
            this.end();
            if this.then.is_some() {
                continue;
            }
            if let Some(event) = this.next() {
                this.take(event);
                continue;
            }
            if this.ended {
                return Poll::Ready(None);
            }
            match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) if this.is_watch => this.events.push(&data),
                    Ok(data) => this.take(data),
                    Err(_trailers) => {}
                },
                Some(error) => return Poll::Ready(Some(error)),
                None => this.ended = true,
            }
        }
    }
}

#[cfg(test)]
mod tests;
