//! Bodies of answers: bytes at hand, a list that is written while it is sent, or the frames of a watch.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

use super::call::Alarm;
use super::caller::Calls;
use super::mailbox::Shared;
use super::{ApiServer, Hangup};
use crate::containers::LogStream;
use crate::present::Pieces;
use crate::step::{Input, Ticket};

/// The body of an answer.
pub struct Body(Kind);

enum Kind {
    Whole(Option<Bytes>),
    List(Pieces),
    Stream(Stream),
    Log(LogStream),
}

struct Stream {
    server: ApiServer,
    ticket: Ticket,
    mailbox: Shared,
    alarm: Alarm,
    /// What its events wait for.
    calls: Calls,
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            Kind::Whole(_) => "Body::Whole",
            Kind::List(_) => "Body::List",
            Kind::Stream(_) => "Body::Stream",
            Kind::Log(_) => "Body::Log",
        })
    }
}

impl Body {
    pub(super) fn whole(bytes: Bytes) -> Self {
        Self(Kind::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())))
    }

    pub(super) fn pieces(pieces: Pieces) -> Self {
        Self(Kind::List(pieces))
    }

    pub(super) fn log(log: LogStream) -> Self {
        Self(Kind::Log(log))
    }

    pub(super) fn stream(
        server: ApiServer,
        (ticket, mailbox): (Ticket, Shared),
        calls: Calls,
    ) -> Self {
        Self(Kind::Stream(Stream { server, ticket, mailbox, alarm: Alarm::default(), calls }))
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Hangup;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Hangup>>> {
        match &mut self.get_mut().0 {
            Kind::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Kind::List(pieces) => Poll::Ready(pieces.next().map(|piece| Ok(Frame::data(piece)))),
            Kind::Stream(stream) => stream.poll(cx),
            Kind::Log(log) => log.as_mut().poll_next(cx).map(|part| Some(Ok(Frame::data(part?)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Whole(bytes) => bytes.is_none(),
            Kind::List(pieces) => pieces.left() == 0,
            Kind::Stream(_) | Kind::Log(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Kind::List(pieces) => SizeHint::with_exact(pieces.left()),
            Kind::Stream(_) | Kind::Log(_) => SizeHint::default(),
        }
    }
}

impl Stream {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Hangup>>> {
        loop {
            let (wake, calls) = {
                let mut mailbox = self.mailbox.lock();
                if let Some(bytes) = mailbox.take_frame() {
                    return Poll::Ready(Some(Ok(Frame::data(bytes))));
                }
                if mailbox.ended {
                    return Poll::Ready(None);
                }
                mailbox.listen(cx.waker());
                (mailbox.wake, std::mem::take(&mut mailbox.calls))
            };
            self.calls.start(&self.server, calls);
            if let Poll::Ready((id, answer)) = self.calls.poll(cx) {
                self.server.step(Input::Called(self.ticket, id, answer));
                continue;
            }
            if self.alarm.poll(&self.server, wake, cx).is_pending() {
                return Poll::Pending;
            }
            self.server.step(Input::Alarm(self.ticket));
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.server.close(self.ticket);
    }
}
