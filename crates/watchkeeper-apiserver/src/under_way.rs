//! Requests under way: how many there may be, and until when they are answered (V1.5).
//!
//! - Reads and writes have a limit each; watches and the streams of containers do not count
//!   (apiserver's `server/filters/maxinflight.go` and `longrunning.go`).
//! - A request is answered within a minute, or within the `timeout` that it asks for
//!   (`endpoints/filters/request_deadline.go`); the work of a write ends sooner
//!   (`requestTimeoutUpperBound` in `endpoints/handlers/rest.go`).

mod duration;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, Method, Request};

use crate::admission::{Asking, CallError, Session};
use crate::clock::Now;
use crate::config::Config;
use crate::error::ApiError;
use crate::request::query::Query;
use crate::request::route::{self, Route};
use crate::step::Ticket;
use crate::user::User;

/// How long a request may take (`RequestTimeout` of apiserver's `server/config.go`).
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// How long the work of a write may take (`requestTimeoutUpperBound`).
pub const WRITE_TIMEOUT: Duration = Duration::from_secs(34);

/// What kind of request counts where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Reading,
    Mutating,
    /// Watches and streams: no limit, no deadline.
    LongRunning,
}

/// What a request waits for.
#[derive(Debug)]
pub(crate) enum Stage {
    /// The rest of what the client sends.
    Body(Box<Parts>),
    /// The delay that a hook wants.
    Delay(Box<Request<Bytes>>, Now),
    /// A revision that is still ahead, until a moment.
    Revision(Box<Request<Bytes>>, u64, Now),
    /// What others say of the write.
    Asking(Box<Request<Bytes>>, Box<Asking>),
    /// Nothing: it is being answered.
    Work,
}

impl Stage {
    /// When the wait is over whatever happens, but for the limit of the request.
    fn until(&self) -> Option<Now> {
        match self {
            Self::Delay(_, until) | Self::Revision(_, _, until) => Some(*until),
            Self::Asking(_, asking) => asking.deadline(),
            Self::Body(_) | Self::Work => None,
        }
    }
}

/// One request.
#[derive(Debug)]
struct Progress {
    class: Class,
    /// When whatever is still missing is given up.
    reply_by: Now,
    /// When the work is given up.
    work_by: Now,
    stage: Stage,
}

impl Progress {
    fn limit(&self) -> Now {
        if matches!(self.stage, Stage::Body(_)) { self.reply_by } else { self.work_by }
    }
}

/// What a wake-up time means for a request.
#[derive(Debug)]
pub(crate) enum Due {
    /// Nothing yet; this is when.
    Later(Now),
    /// It took too long.
    Timeout(Box<ApiError>),
    /// The delay is over.
    Go(Box<Request<Bytes>>),
    /// The revision did not come, for a read, or for a watch.
    Absent { asked: u64, is_watch: bool },
    /// All have said what they say.
    Told(Box<Request<Bytes>>, Session),
}

/// All requests that have not been answered.
#[derive(Debug, Default)]
pub(crate) struct UnderWay {
    requests: BTreeMap<Ticket, Progress>,
    reading: usize,
    mutating: usize,
}

impl UnderWay {
    /// Takes up a request, of which only the head need be there, and gives back who makes it.
    ///
    /// # Errors
    ///
    /// That of the login, 429 when there are too many, 400 for a timeout that cannot be read.
    pub(crate) fn admit(
        &mut self,
        ticket: Ticket,
        head: &Parts,
        config: &Config,
        login: Result<Arc<User>, ApiError>,
        now: Now,
    ) -> Result<Arc<User>, ApiError> {
        let query = Query::parse(head.uri.query().unwrap_or_default());
        let class = class(head, &query);
        let timeout = timeout(&query, class)?;
        let user = login?;
        let (count, most) = match class {
            Class::Reading => (&mut self.reading, config.max_requests_in_flight),
            Class::Mutating => (&mut self.mutating, config.max_mutating_requests_in_flight),
            Class::LongRunning => (&mut 0, 0),
        };
        if most != 0 && *count >= most {
            return Err(ApiError::too_many_requests(
                "Too many requests, please try again later.",
                1,
            ));
        }
        *count += 1;
        let work = if class == Class::Mutating { timeout.min(WRITE_TIMEOUT) } else { timeout };
        let (reply_by, work_by) = (now.plus(timeout), now.plus(work));
        self.requests.insert(ticket, Progress { class, reply_by, work_by, stage: Stage::Work });
        Ok(user)
    }

    /// Lets a request wait, and tells when to look again.
    pub(crate) fn wait(&mut self, ticket: Ticket, stage: Stage) -> Option<Now> {
        let progress = self.requests.get_mut(&ticket)?;
        progress.stage = stage;
        let limit = progress.limit();
        Some(progress.stage.until().map_or(limit, |until| until.min(limit)))
    }

    /// The head of a request whose body has come.
    pub(crate) fn take_head(&mut self, ticket: Ticket) -> Option<Parts> {
        let progress = self.requests.get_mut(&ticket)?;
        match std::mem::replace(&mut progress.stage, Stage::Work) {
            Stage::Body(head) => Some(*head),
            other => {
                progress.stage = other;
                None
            }
        }
    }

    /// The headers of a request whose body is on its way.
    pub(crate) fn headers(&self, ticket: Ticket) -> Option<&HeaderMap> {
        match &self.requests.get(&ticket)?.stage {
            Stage::Body(head) => Some(&head.headers),
            _ => None,
        }
    }

    /// The request that waits under a ticket.
    pub(crate) fn waiting(&self, ticket: Ticket) -> Option<&Request<Bytes>> {
        match &self.requests.get(&ticket)?.stage {
            Stage::Delay(request, _) | Stage::Revision(request, ..) | Stage::Asking(request, _) => {
                Some(request)
            }
            Stage::Body(_) | Stage::Work => None,
        }
    }

    /// What is said of a request whose time is up.
    pub(crate) fn overdue(&self, ticket: Ticket, now: Now) -> Option<ApiError> {
        let progress = self.requests.get(&ticket)?;
        if progress.class == Class::LongRunning || now < progress.limit() {
            return None;
        }
        let is_work = !matches!(progress.stage, Stage::Body(_));
        Some(ApiError::timeout(if is_work && progress.work_by < progress.reply_by {
            "request did not complete within requested timeout - context deadline exceeded"
        } else {
            "request did not complete within the allotted timeout"
        }))
    }

    /// What the wake-up time of a request means; none for those that are answered.
    pub(crate) fn alarm(&mut self, ticket: Ticket, now: Now) -> Option<Due> {
        if let Some(error) = self.overdue(ticket, now) {
            return Some(Due::Timeout(Box::new(error)));
        }
        let progress = self.requests.get_mut(&ticket)?;
        let limit = progress.limit();
        Some(match std::mem::replace(&mut progress.stage, Stage::Work) {
            Stage::Delay(request, until) if until <= now => Due::Go(request),
            Stage::Revision(_, asked, until) if until <= now => {
                Due::Absent { asked, is_watch: progress.class == Class::LongRunning }
            }
            Stage::Asking(request, mut asking) => {
                asking.give_up(now);
                if asking.is_complete() {
                    Due::Told(request, asking.into_session())
                } else {
                    let until = asking.deadline().map_or(limit, |until| until.min(limit));
                    progress.stage = Stage::Asking(request, asking);
                    Due::Later(until)
                }
            }
            stage => {
                let until = stage.until().map_or(limit, |until| until.min(limit));
                progress.stage = stage;
                Due::Later(until)
            }
        })
    }

    /// Takes the answer to a call; when it was the last one, the request goes on.
    pub(crate) fn told(
        &mut self,
        ticket: Ticket,
        id: u64,
        answer: Result<Bytes, CallError>,
    ) -> Option<(Box<Request<Bytes>>, Session)> {
        let progress = self.requests.get_mut(&ticket)?;
        match std::mem::replace(&mut progress.stage, Stage::Work) {
            Stage::Asking(request, mut asking) => {
                asking.answer(id, answer);
                if asking.is_complete() {
                    return Some((request, asking.into_session()));
                }
                progress.stage = Stage::Asking(request, asking);
            }
            other => progress.stage = other,
        }
        None
    }

    /// Takes up a request whose revision has come.
    pub(crate) fn ready(&mut self, revision: u64) -> Option<(Ticket, Box<Request<Bytes>>)> {
        let waits =
            |stage: &Stage| matches!(stage, Stage::Revision(_, wanted, _) if *wanted <= revision);
        let (ticket, progress) =
            self.requests.iter_mut().find(|(_, progress)| waits(&progress.stage))?;
        match std::mem::replace(&mut progress.stage, Stage::Work) {
            Stage::Revision(request, ..) => Some((*ticket, request)),
            _ => None,
        }
    }

    /// How many reads and how many writes there are.
    pub(crate) const fn count(&self) -> (usize, usize) {
        (self.reading, self.mutating)
    }

    /// Forgets a request, which makes room for another.
    pub(crate) fn remove(&mut self, ticket: Ticket) {
        match self.requests.remove(&ticket).map(|progress| progress.class) {
            Some(Class::Reading) => self.reading -= 1,
            Some(Class::Mutating) => self.mutating -= 1,
            Some(Class::LongRunning) | None => {}
        }
    }
}

fn class(head: &Parts, query: &Query) -> Class {
    let reads = matches!(head.method, Method::GET | Method::HEAD);
    if let Route::Resource(target) = route::parse(head.uri.path()) {
        let sub = &target.subresource;
        let asked = target.name.is_empty() && query.flag("watch").unwrap_or(false);
        let watches = sub.is_empty() && (target.watch || asked);
        if reads && watches || is_stream(sub) {
            return Class::LongRunning;
        }
    }
    if reads { Class::Reading } else { Class::Mutating }
}

/// Whether a subresource is a stream of a container, or a way to what is behind the server.
pub(crate) fn is_stream(subresource: &str) -> bool {
    const STREAMS: [&str; 5] = ["attach", "exec", "log", "portforward", "proxy"];
    STREAMS.contains(&subresource.split('/').next().unwrap_or_default())
}

/// The time that a request has: what it asks for, if that is less than what is given.
fn timeout(query: &Query, class: Class) -> Result<Duration, ApiError> {
    let text = query.text("timeout");
    if text.is_empty() || class == Class::LongRunning {
        return Ok(REQUEST_TIMEOUT);
    }
    match duration::parse(text) {
        Ok(asked) if asked.is_zero() => Ok(REQUEST_TIMEOUT),
        Ok(asked) => Ok(asked.min(REQUEST_TIMEOUT)),
        Err(why) => Err(ApiError::bad_request(format!(
            "invalid timeout specified in the request URL - {why}"
        ))),
    }
}
