//! A body of which each part has a deadline.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::time::{Sleep, sleep};
use watchkeeper_api::error::Subject;

use crate::body::{Body, BoxError};
use crate::fail::Why;

/// A body whose sender may not fall silent.
pub(super) struct Timed {
    body: Body,
    deadline: Duration,
    subject: Subject,
    /// The end of the wait for the part that is asked for. It goes on when that wait is given up and begun
    /// again: the sender was silent meanwhile, too.
    late: Option<Pin<Box<Sleep>>>,
}

impl Timed {
    pub(super) const fn new(body: Body, deadline: Duration, subject: Subject) -> Self {
        Self { body, deadline, subject, late: None }
    }
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            self.late = None;
            return Poll::Ready(frame);
        }
        let deadline = self.deadline;
        let late = self.late.get_or_insert_with(|| Box::pin(sleep(deadline)));
        late.as_mut()
            .poll(cx)
            .map(|()| Some(Err(Why::Deadline(deadline).into_error(&self.subject).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
