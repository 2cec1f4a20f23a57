//! Watches that are open.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use http_body::Frame;
use tokio::time::{Instant, Sleep, sleep_until};
use watchkeeper_client::BoxError;

use super::Shelf;
use super::asked::Asked;
use super::past::Happened;
use super::said::Said;
use crate::listener::lock;

/// The time between two bookmarks.
const MINUTE: Duration = Duration::from_secs(60);
/// Watches that do not say for how long last so.
const LONGEST: u64 = 1_800;

/// What waits for a watch.
#[derive(Clone)]
pub(super) struct Inbox(Arc<Mutex<Waiting>>);

struct Waiting {
    frames: VecDeque<Bytes>,
    /// Nothing follows.
    ends: bool,
    waker: Option<Waker>,
}

impl Inbox {
    fn new(frames: VecDeque<Bytes>, ends: bool) -> Self {
        Self(Arc::new(Mutex::new(Waiting { frames, ends, waker: None })))
    }

    /// One that ends with this frame.
    pub(super) fn ending(frame: Bytes) -> Self {
        Self::new([frame].into(), true)
    }

    fn put(&self, frame: Bytes) {
        let mut waiting = lock(&self.0);
        waiting.frames.push_back(frame);
        if let Some(waker) = waiting.waker.take() {
            drop(waiting);
            waker.wake();
        }
    }
}

/// Every open watch, in the order of opening.
#[derive(Default)]
pub(super) struct Inboxes(Vec<(Asked, Said, Weak<Mutex<Waiting>>)>);

impl Inboxes {
    pub(super) fn add(&mut self, asked: &Asked, said: Said, first: Vec<Bytes>) -> Inbox {
        self.0.retain(|(.., waiting)| waiting.strong_count() > 0);
        let inbox = Inbox::new(first.into(), false);
        self.0.push((asked.clone(), said, Arc::downgrade(&inbox.0)));
        inbox
    }

    pub(super) fn deliver(&self, event: &Happened) {
        for (asked, said, waiting) in &self.0 {
            if let Some(waiting) = waiting.upgrade()
                && let Some(frame) = said.event(event, asked)
            {
                Inbox(waiting).put(frame);
            }
        }
    }
}

/// The body of a watch.
pub(super) struct Watched {
    shelf: Shelf,
    said: Said,
    inbox: Inbox,
    end: Instant,
    /// When the next bookmark is due, if they are welcome.
    bookmark: Option<Instant>,
    sleep: Pin<Box<Sleep>>,
}

impl Watched {
    pub(super) fn new(shelf: Shelf, asked: &Asked, said: Said, inbox: Inbox) -> Self {
        let now = Instant::now();
        let end = now + Duration::from_secs(asked.timeout.unwrap_or(LONGEST));
        let bookmark = asked.bookmarks.then_some(now + MINUTE);
        let sleep = Box::pin(sleep_until(bookmark.map_or(end, |bookmark| bookmark.min(end))));
        Self { shelf, said, inbox, end, bookmark, sleep }
    }
}

impl http_body::Body for Watched {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = self.get_mut();
        loop {
            let mut waiting = lock(&this.inbox.0);
            if let Some(frame) = waiting.frames.pop_front() {
                return Poll::Ready(Some(Ok(Frame::data(frame))));
            }
            if waiting.ends {
                return Poll::Ready(None);
            }
            waiting.waker = Some(cx.waker().clone());
            drop(waiting);
            if this.sleep.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            let now = Instant::now();
            if now >= this.end {
                return Poll::Ready(None);
            }
            let next = now + MINUTE;
            this.bookmark = this.bookmark.map(|_| next);
            this.sleep.as_mut().reset(next.min(this.end));
            if this.bookmark.is_some() {
                let version = this.shelf.version();
                this.inbox.put(this.said.bookmark(version));
            }
        }
    }
}
