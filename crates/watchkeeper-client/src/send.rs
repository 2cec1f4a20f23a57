//! The wait around a call: deadline, attempts, Status errors.

use std::future::Future;
use std::time::Duration;

use bytes::Bytes;
use http::Response;
use tokio::time::{sleep, timeout};

use crate::body::{Body, BoxError};
use crate::client::Client;
use crate::fail::{Failed, Why};
use crate::request::Call;
use crate::retry::{Attempt, Retries};

/// The largest answer that is read whole. Lists and watches are not.
const ANSWER_LIMIT: usize = 64 << 20;
/// As much as is read of an answer that is thrown away, so that its connection can be used again.
const DRAIN_LIMIT: usize = 64 << 10;

impl Client {
    /// Sends, and reads the whole answer, within the deadline.
    pub(crate) async fn unary(&self, call: &Call) -> Result<Bytes, Failed> {
        let mut retries = Retries::new(self.settings.retries);
        let result = self.in_time(self.whole(call, &mut retries)).await;
        result.map_err(|why| Failed::new(why, retries.ambiguous))
    }

    /// Sends, and returns the body of an answer that is a success, within the deadline.
    pub(crate) async fn open(&self, call: &Call) -> Result<Body, Failed> {
        let mut retries = Retries::new(self.settings.retries);
        let result = self.in_time(self.head(call, &mut retries)).await;
        let answer = result.map_err(|why| Failed::new(why, retries.ambiguous))?;
        Ok(answer.into_body())
    }

    async fn in_time<T>(&self, work: impl Future<Output = Result<T, Why>>) -> Result<T, Why> {
        let deadline = self.settings.deadline;
        timeout(deadline, work).await.unwrap_or(Err(Why::Deadline(deadline)))
    }

    async fn whole(&self, call: &Call, retries: &mut Retries) -> Result<Bytes, Why> {
        loop {
            let answer = self.head(call, retries).await?;
            let error = match answer.into_body().collect(ANSWER_LIMIT).await {
                Ok(bytes) => return Ok(bytes),
                Err(error) => error,
            };
            match retries.after(call, &Attempt::Broken(&error)) {
                Some(wait) => sleep(wait).await,
                None => return Err(Why::Broken(error)),
            }
        }
    }

    async fn head(&self, call: &Call, retries: &mut Retries) -> Result<Response<Body>, Why> {
        loop {
            let wait = match self.attempt(call).await {
                Ok(answer) if answer.status().is_success() => return Ok(answer),
                Ok(answer) => refused(answer, call, retries).await?,
                Err(error) => match retries.after(call, &Attempt::Broken(&error)) {
                    Some(wait) => wait,
                    None => return Err(Why::Broken(error)),
                },
            };
            sleep(wait).await;
        }
    }

    async fn attempt(&self, call: &Call) -> Result<Response<Body>, BoxError> {
        let request = call.request(&self.settings.user_agent)?;
        self.transport.call(request).await
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
    let wait = retries.after(call, &attempt);
    let limit = if wait.is_some() { DRAIN_LIMIT } else { ANSWER_LIMIT };
    let body = body.collect(limit).await;
    match wait {
        Some(wait) => Ok(wait),
        None => Err(Why::refused(&head, &body.unwrap_or_default())),
    }
}
