//! The wait around a call: deadline, attempts, Status errors.

use std::future::Future;
use std::time::Duration;

use bytes::Bytes;
use http::{Response, StatusCode};
use tokio::time::{sleep, timeout};
use tracing::Instrument;

use crate::body::{Body, BoxError};
use crate::client::Client;
use crate::fail::{Failed, Why};
use crate::intercept::NotSent;
use crate::request::{Call, Patience, Verb};
use crate::retry::{Attempt, Retries};
use crate::span;

/// The largest answer that is read whole. Lists and watches are not.
const ANSWER_LIMIT: usize = 64 << 20;
/// As much as is read of an answer that is thrown away, so that its connection can be used again.
const DRAIN_LIMIT: usize = 64 << 10;

impl Client {
    /// Sends, and reads the whole answer, within the deadline.
    pub(crate) async fn unary(&self, call: &Call) -> Result<Bytes, Failed> {
        self.exchange(call).await.map(Response::into_body)
    }

    /// The same, with the answer's head.
    pub(crate) async fn exchange(&self, call: &Call) -> Result<Response<Bytes>, Failed> {
        let call = &*self.settings.rules.over(call)?;
        let (deadline, mut retries) = self.begin(call);
        let _measured = self.settings.meter.request(call);
        let result = in_time(deadline, self.whole(call, &mut retries)).await;
        result.map_err(|why| Failed::after(why, retries))
    }

    /// Sends, and returns the body of an answer that is a success, within the deadline.
    pub(crate) async fn open(&self, call: &Call) -> Result<Body, Failed> {
        self.open_answer(call).await.map(Response::into_body)
    }

    /// The same, with the answer's head.
    pub(crate) async fn open_answer(&self, call: &Call) -> Result<Response<Body>, Failed> {
        let call = &*self.settings.rules.over(call)?;
        let (deadline, mut retries) = self.begin(call);
        let _measured = self.settings.meter.request(call);
        let result = in_time(deadline, self.head(call, &mut retries)).await;
        result.map_err(|why| Failed::after(why, retries))
    }

    pub(crate) fn deadline_of(&self, patience: Patience) -> Option<Duration> {
        match patience {
            Patience::Usual => self.settings.deadline,
            Patience::For(deadline) => Some(deadline),
            Patience::Endless => None,
        }
    }

    fn begin(&self, call: &Call) -> (Option<Duration>, Retries) {
        let deadline = self.deadline_of(call.patience);
        let retries = call.retries.unwrap_or(self.settings.retries);
        (deadline, Retries::new(retries).within(deadline))
    }

    async fn whole(&self, call: &Call, retries: &mut Retries) -> Result<Response<Bytes>, Why> {
        loop {
            let (head, body) = self.head(call, retries).await?.into_parts();
            let error = match body.collect(ANSWER_LIMIT).await {
                Ok(bytes) => {
                    self.settings.meter.answer(call, bytes.len());
                    return Ok(Response::from_parts(head, bytes));
                }
                Err(error) => error,
            };
            self.again(call, retries, error).await?;
        }
    }

    async fn head(&self, call: &Call, retries: &mut Retries) -> Result<Response<Body>, Why> {
        loop {
            match self.attempt(call, retries.earlier.attempts()).await {
                Ok(answer) if is_good(answer.status()) => return Ok(answer),
                Ok(answer) => {
                    let code = answer.status();
                    let wait = refused(answer, call, retries).await?;
                    self.settings.meter.retry(call, Some(code));
                    sleep(wait).await;
                }
                Err(error) => self.again(call, retries, error).await?,
            }
        }
    }

    /// Waits until a broken attempt may be made again.
    async fn again(&self, call: &Call, retries: &mut Retries, error: BoxError) -> Result<(), Why> {
        let Some(wait) = retries.after(call, &Attempt::Broken(&error)) else {
            return Err(Why::Broken(error));
        };
        retries.earlier.add(Why::Broken(error).sentence());
        self.settings.meter.retry(call, None);
        sleep(wait).await;
        Ok(())
    }

    async fn attempt(&self, call: &Call, again: u32) -> Result<Response<Body>, BoxError> {
        let settings = &self.settings;
        // Upstream's rule: a watch is one request in minutes, and waits for nobody.
        if let Some(limit) = settings.rate_limit.as_ref().filter(|_| call.verb != Verb::Watch) {
            let waited = limit.accept().await;
            settings.meter.throttled(call, waited);
        }
        let request = call.request(&settings.user_agent)?;
        let span = span::of_attempt(call, &settings.meter.host, again);
        // Called within the span, too: what stands between hands it on.
        let calling = span.in_scope(|| self.transport.call(request));
        let answer = calling.instrument(span.clone()).await;
        span::ended(&span, &answer);
        settings.meter.attempt(call, answer.as_ref().ok().map(Response::status));
        if let Ok(answer) = &answer {
            settings.notices.tell(call, answer.status(), answer.headers());
        }
        answer
    }
}

/// A connection that becomes something else is what was asked for, too.
fn is_good(status: StatusCode) -> bool {
    status.is_success() || status == StatusCode::SWITCHING_PROTOCOLS
}

/// The result of `work`, or that it took too long.
pub(crate) async fn in_time<T>(
    deadline: Option<Duration>,
    work: impl Future<Output = Result<T, Why>>,
) -> Result<T, Why> {
    match deadline {
        Some(deadline) => timeout(deadline, work).await.unwrap_or(Err(Why::Deadline(deadline))),
        None => work.await,
    }
}

/// How long to wait after an answer that is no success, or the error it is.
async fn refused(
    answer: Response<Body>,
    call: &Call,
    retries: &mut Retries,
) -> Result<Duration, Why> {
    let (head, body) = answer.into_parts();
    let attempt = Attempt::Refused { status: head.status, headers: &head.headers };
    // What was not sent is not asked about again: it was refused on this side.
    let sent = head.extensions.get::<NotSent>().is_none();
    let wait = if sent { retries.after(call, &attempt) } else { None };
    let limit = if wait.is_some() { DRAIN_LIMIT } else { ANSWER_LIMIT };
    let body = body.collect(limit).await;
    let why = Why::refused(&call.method, &head, &body.unwrap_or_default());
    let Some(wait) = wait else { return Err(why) };
    retries.earlier.add(format!("{}, {}", head.status.as_u16(), why.sentence()));
    Ok(wait)
}
