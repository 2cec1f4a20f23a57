//! A request under way.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::time::{Sleep, sleep_until};

use super::body::Body;
use super::caller::Calls;
use super::mailbox::{Head, Shared};
use super::{ApiServer, Hangup};
use crate::clock::Now;
use crate::containers::Doing;
use crate::request::body::LIMIT;
use crate::request::{self, AUDIT_ID};
use crate::step::{BodyError, Input, Ticket};

/// Reads the body, up to the limit, then answers (V1.5). The request counts as under way from its
/// head on, and is answered at its deadline even when the body never ends.
pub(super) async fn read_and_answer<B>(
    server: ApiServer,
    request: Request<B>,
) -> Result<Response<Body>, Hangup>
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let (head, body) = request.into_parts();
    let (ticket, mailbox) = server.open();
    let audit_id = audit_id(&head.headers, ticket);
    let mut answer = Answer {
        audit_id: Some(audit_id),
        server: server.clone(),
        request: None,
        opened: Some((ticket, mailbox)),
        alarm: Alarm::default(),
        calls: Calls::default(),
        connecting: None,
    };
    server.step(Input::Head(ticket, Box::new(head)));
    let body = Limited::new(Box::pin(body), LIMIT).collect();
    // A body that is at hand needs no timer.
    let body = tokio::select! {
        biased;
        body = body => match body {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(BodyError::TooLarge),
            Err(error) => Err(BodyError::Broken(error.to_string())),
        },
        early = &mut answer => return early,
    };
    server.step(Input::Body(ticket, body));
    answer.await
}

/// Waits for the answer to one request.
pub(super) struct Answer {
    server: ApiServer,
    /// Taken at the first poll.
    request: Option<Request<Bytes>>,
    /// What the answer is to be known by.
    audit_id: Option<HeaderValue>,
    /// Owned until the answer, or its body, takes it over.
    opened: Option<(Ticket, Shared)>,
    alarm: Alarm,
    /// What the request waits for.
    calls: Calls,
    /// What whoever is behind the server answers.
    connecting: Option<Doing<Response<Body>>>,
}

impl Answer {
    pub(super) fn new(server: ApiServer, request: Request<Bytes>) -> Self {
        let (alarm, calls) = (Alarm::default(), Calls::default());
        Self {
            server,
            request: Some(request),
            audit_id: None,
            opened: None,
            alarm,
            calls,
            connecting: None,
        }
    }

    /// V1.6.
    fn named<B>(&mut self, mut response: Response<B>) -> Response<B> {
        if let Some(audit_id) = self.audit_id.take() {
            response.headers_mut().insert(AUDIT_ID, audit_id);
        }
        response
    }
}

/// What the answer is to be known by.
fn audit_id(headers: &HeaderMap, ticket: Ticket) -> HeaderValue {
    let own = headers.get(AUDIT_ID).filter(|value| !value.is_empty());
    let made = || HeaderValue::from_str(&request::audit_id(headers, ticket)).ok();
    own.cloned().or_else(made).unwrap_or_else(|| HeaderValue::from_static("none"))
}

impl Future for Answer {
    type Output = Result<Response<Body>, Hangup>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if let Some(request) = this.request.take() {
            let (ticket, mailbox) = this.server.open();
            this.audit_id = Some(audit_id(request.headers(), ticket));
            this.opened = Some((ticket, mailbox));
            this.server.step(Input::Request(ticket, Box::new(request)));
        }
        let Some((ticket, mailbox)) = this.opened.clone() else {
            return Poll::Ready(Err(Hangup));
        };
        loop {
            if let Some(connecting) = &mut this.connecting {
                let answer = std::task::ready!(connecting.as_mut().poll(cx));
                return Poll::Ready(Ok(this.named(answer)));
            }
            let (head, wake, calls) = {
                let mut mailbox = mailbox.lock();
                mailbox.listen(cx.waker());
                (mailbox.take_head(), mailbox.wake, std::mem::take(&mut mailbox.calls))
            };
            this.calls.start(&this.server, calls);
            match head {
                Some(Head::Whole(response)) => {
                    return Poll::Ready(Ok(this.named(response).map(Body::whole)));
                }
                Some(Head::List(response)) => {
                    return Poll::Ready(Ok(this.named(*response).map(Body::pieces)));
                }
                Some(Head::Streamed(response)) => {
                    this.opened = None;
                    let calls = std::mem::take(&mut this.calls);
                    let body = Body::stream(this.server.clone(), (ticket, mailbox), calls);
                    return Poll::Ready(Ok(this.named(response).map(|()| body)));
                }
                Some(Head::Connect(connect)) => {
                    this.connecting = Some(this.server.connect(*connect));
                    continue;
                }
                Some(Head::Hangup) => return Poll::Ready(Err(Hangup)),
                None => {}
            }
            if let Poll::Ready((id, answer)) = this.calls.poll(cx) {
                this.server.step(Input::Called(ticket, id, answer));
                continue;
            }
            if this.alarm.poll(&this.server, wake, cx).is_pending() {
                return Poll::Pending;
            }
            this.server.step(Input::Alarm(ticket));
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if let Some((ticket, _)) = self.opened {
            self.server.close(ticket);
        }
    }
}

/// A sleep until the moment that the core wants to be woken at.
#[derive(Default)]
pub(super) struct Alarm {
    set: Option<(Now, Pin<Box<Sleep>>)>,
}

impl Alarm {
    /// Ready when the moment has come; the alarm is then used up.
    pub(super) fn poll(
        &mut self,
        server: &ApiServer,
        wake: Option<Now>,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        let Some(at) = wake else { return Poll::Pending };
        if self.set.as_ref().is_none_or(|(set, _)| *set != at) {
            self.set = Some((at, Box::pin(sleep_until(server.instant(at)))));
        }
        let Some((_, sleep)) = &mut self.set else { return Poll::Pending };
        if sleep.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        self.set = None;
        Poll::Ready(())
    }
}
