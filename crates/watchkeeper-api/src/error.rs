//! What can go wrong between a caller and the server.

mod earlier;
mod from;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use crate::json::ReadError;
use crate::meta::v1::{Status, StatusCause};
use crate::{Kind, ObjectKey};
pub use earlier::Earlier;

/// The result of what talks to the server.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A call that failed: what it was about, and [`Why`].
///
/// Opaque, with questions for the decisions that callers take. Its [`source`](StdError::source) is
/// always its [`Why`], so a reason survives any wrapping: [`Why::of`] finds it in a chain.
///
/// ```
/// use watchkeeper_api::error::{Error, Subject, Why};
/// use watchkeeper_api::meta::v1::Status;
/// use watchkeeper_api::object;
/// let status = object!(Status { code: 404, reason: "NotFound", message: "no such thing" });
/// let error = Error::from_status(Subject::new("get", "pods").of("shop", "web"), status);
/// assert!(error.is_not_found());
/// assert_eq!(error.to_string(), "get pods shop/web: no such thing");
/// let wrapped = std::io::Error::other(error);
/// assert!(Why::of(&wrapped).is_some_and(Why::is_not_found));
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    subject: Option<Subject>,
    why: Why,
    earlier: Earlier,
}

/// What a call was about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// What was asked: `get`, `list`, `create` …
    pub verb: Cow<'static, str>,
    /// Of which resource: `deployments.apps`.
    pub resource: Cow<'static, str>,
    /// Of which object; without a name it was the collection.
    pub key: ObjectKey,
}

/// Why a call failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Why {
    /// The server answered with an error.
    Status(Box<Status>),
    /// No answer came, or not all of it.
    Transport(Box<dyn StdError + Send + Sync>),
    /// No answer came in time.
    Timeout(Duration),
    /// What was waited for did not happen in time.
    Late(Duration),
    /// The answer could not be read.
    Decode(ReadError),
    /// It is not known here yet: a local copy has not come, or not caught up, in time. What is asked of it
    /// later may be answered.
    NotYet(Box<dyn StdError + Send + Sync>),
    /// The caller asked for what cannot be asked.
    Usage(Cow<'static, str>),
    /// Something else.
    Other(Cow<'static, str>),
}

impl Subject {
    /// A call on a collection.
    #[must_use]
    pub fn new(verb: impl Into<Cow<'static, str>>, resource: impl Into<Cow<'static, str>>) -> Self {
        Self { verb: verb.into(), resource: resource.into(), key: ObjectKey::default() }
    }

    /// A call on the collection of a kind.
    #[must_use]
    pub fn kind(verb: impl Into<Cow<'static, str>>, kind: &Kind) -> Self {
        Self::new(verb, kind.group_resource())
    }

    /// The same call on one object; an empty name is the collection of that namespace.
    #[must_use]
    pub fn of(mut self, namespace: &str, name: &str) -> Self {
        self.key = ObjectKey::from((namespace, name));
        self
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb, self.resource)?;
        match (self.key.namespace(), self.key.name()) {
            (None, "") => Ok(()),
            (Some(namespace), "") => write!(f, " in {}", one_line(namespace)),
            _ => write!(f, " {}", one_line(&self.key.to_string())),
        }
    }
}

/// An object that cannot be read may have anything in its name: it must not break a line of a log.
fn one_line(name: &str) -> Cow<'_, str> {
    if name.contains(char::is_control) {
        name.escape_debug().to_string().into()
    } else {
        name.into()
    }
}

impl Error {
    /// A failed call.
    #[must_use]
    pub fn new(subject: Subject, why: Why) -> Self {
        Self(Box::new(Inner { subject: Some(subject), why, earlier: Earlier::default() }))
    }

    /// The server answered with an error.
    #[must_use]
    pub fn from_status(subject: Subject, status: Status) -> Self {
        Self::new(subject, Why::Status(Box::new(status)))
    }

    /// No answer came, or not all of it.
    #[must_use]
    pub fn transport(subject: Subject, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(subject, Why::Transport(source.into()))
    }

    /// No answer came within `deadline`.
    #[must_use]
    pub fn timeout(subject: Subject, deadline: Duration) -> Self {
        Self::new(subject, Why::Timeout(deadline))
    }

    /// The answer could not be read.
    #[must_use]
    pub fn decode(subject: Subject, error: ReadError) -> Self {
        Self::new(subject, Why::Decode(error))
    }

    /// The caller asked for what cannot be asked.
    #[must_use]
    pub fn usage(message: impl Into<Cow<'static, str>>) -> Self {
        Why::Usage(message.into()).into()
    }

    /// Something else went wrong.
    #[must_use]
    pub fn other(message: impl Into<Cow<'static, str>>) -> Self {
        Why::Other(message.into()).into()
    }

    /// The same error about another call.
    #[must_use]
    pub fn about(mut self, subject: Subject) -> Self {
        self.0.subject = Some(subject);
        self
    }

    /// Why it failed.
    #[must_use]
    pub fn why(&self) -> &Why {
        &self.0.why
    }

    /// What it was about, if it was a call.
    #[must_use]
    pub fn subject(&self) -> Option<&Subject> {
        self.0.subject.as_ref()
    }

    /// The server's answer, if it gave one.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        self.why().status()
    }
}

/// The questions, on the error and on its reason alike.
macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident => $test:expr;)*) => {
        impl Why {
            $($(#[$doc])* #[must_use] pub fn $name(&self) -> bool {
                let test: fn(&Self) -> bool = $test;
                test(self)
            })*
        }

        impl Error {
            $($(#[$doc])* #[must_use] pub fn $name(&self) -> bool {
                self.why().$name()
            })*
        }
    };
}

questions! {
    /// There is no such object, or no such resource.
    is_not_found => |why| why.is("NotFound", 404);
    /// The object is not the one, or not in the state, that the caller thought.
    is_conflict => |why| why.is("Conflict", 409);
    /// An object of that name exists.
    is_already_exists => |why| why.reason() == Some("AlreadyExists");
    /// The server has forgotten the version that was asked for; list anew.
    is_gone => |why| why.is("Expired", 410) || why.reason() == Some("Gone");
    /// The object breaks a rule of its type.
    is_invalid => |why| why.is("Invalid", 422);
    /// The request makes no sense to the server.
    is_bad_request => |why| why.is("BadRequest", 400);
    /// The server knows who asks, and says no.
    is_forbidden => |why| why.is("Forbidden", 403);
    /// The server does not know who asks.
    is_unauthorized => |why| why.is("Unauthorized", 401);
    /// The server asks for fewer requests.
    is_too_many_requests => |why| why.is("TooManyRequests", 429);
    /// No answer in time, said by the server or noticed here.
    is_timeout => |why| {
        matches!(why, Why::Timeout(_) | Why::Late(_)) || why.is("Timeout", 504) || why.reason() == Some("ServerTimeout")
    };
    /// The resource cannot be asked for this.
    is_method_not_supported => |why| why.is("MethodNotAllowed", 405);
    /// The server has no form of answer that was asked for.
    is_not_acceptable => |why| why.is("NotAcceptable", 406);
    /// The request is larger than the server takes.
    is_request_too_large => |why| why.is("RequestEntityTooLarge", 413);
    /// The server does not take the form of what was sent.
    is_unsupported_media_type => |why| why.is("UnsupportedMediaType", 415);
    /// The server failed.
    is_internal_error => |why| why.is("InternalError", 500);
    /// The server, or one behind it, cannot serve now.
    is_service_unavailable => |why| why.is("ServiceUnavailable", 503);
    /// The connection failed.
    is_transport => |why| matches!(why, Why::Transport(_));
    /// The answer, or an object in it, could not be read.
    is_decode => |why| matches!(why, Why::Decode(_));
    /// The same call may succeed later without anybody changing anything.
    ///
    /// Whether it may be repeated blindly is another question: without an answer, a write may have
    /// happened.
    is_retryable => |why| {
        matches!(why, Why::NotYet(_))
            || why.is_transport()
            || why.is_timeout()
            || why.is_too_many_requests()
            || why.retry_after().is_some()
            || matches!(why.code(), Some(500 | 502..=504))
    };
}

impl Error {
    /// How long the server asks to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        self.why().retry_after()
    }

    /// The first cause of this reason that the server names (upstream: `StatusCause`).
    ///
    /// ```
    /// use watchkeeper_api::error::{Error, Subject};
    /// use watchkeeper_api::meta::v1::Status;
    /// use watchkeeper_api::object;
    /// let status = object!(Status {
    ///     code: 403,
    ///     reason: "Forbidden",
    ///     details: { causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace" }] },
    /// });
    /// let error = Error::from_status(Subject::new("create", "pods").of("shop", "web"), status);
    /// assert!(error.is_forbidden() && error.cause("NamespaceTerminating").is_some());
    /// assert!(error.cause("FieldValueInvalid").is_none());
    /// ```
    #[must_use]
    pub fn cause(&self, reason: &str) -> Option<&StatusCause> {
        self.why().cause(reason)
    }
}

impl Why {
    /// The first reason in the chain of `error`: that of our own error, however it was wrapped.
    pub fn of<'e>(error: &'e (dyn StdError + 'static)) -> Option<&'e Self> {
        // `io::Error` and its like hand out the source of what they wrap, so look at sources only
        // after the error itself.
        let mut next = Some(error);
        while let Some(error) = next {
            let direct = error.downcast_ref::<Self>();
            if let Some(why) = direct.or_else(|| error.downcast_ref::<Error>().map(Error::why)) {
                return Some(why);
            }
            next = error.source();
        }
        None
    }

    /// The server's answer, if it gave one.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        match self {
            Self::Status(status) => Some(status),
            _ => None,
        }
    }

    /// The server's reason in one word, as in `NotFound`.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.status().map(|status| status.reason.as_str()).filter(|reason| !reason.is_empty())
    }

    /// The HTTP status of the server's answer.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.status().map(|status| status.code).filter(|code| *code != 0)
    }

    /// The first cause of this reason that the server names.
    #[must_use]
    pub fn cause(&self, reason: &str) -> Option<&StatusCause> {
        let causes = &self.status()?.details.as_ref()?.causes;
        causes.iter().find(|cause| cause.reason == reason)
    }

    /// How long the server asks to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let seconds = self.status()?.details.as_ref()?.retry_after_seconds;
        u64::try_from(seconds).ok().filter(|seconds| *seconds > 0).map(Duration::from_secs)
    }

    /// Upstream's rule: the reason decides; the code only where the reason is none we know.
    fn is(&self, reason: &str, code: i32) -> bool {
        match self.reason() {
            Some(found) if KNOWN_REASONS.contains(&found) => found == reason,
            _ => self.code() == Some(code),
        }
    }
}

/// The reasons of `metav1.StatusReason`.
const KNOWN_REASONS: [&str; 19] = [
    "Unauthorized",
    "Forbidden",
    "NotFound",
    "AlreadyExists",
    "Conflict",
    "Gone",
    "Invalid",
    "ServerTimeout",
    "StoreReadError",
    "Timeout",
    "TooManyRequests",
    "BadRequest",
    "MethodNotAllowed",
    "NotAcceptable",
    "RequestEntityTooLarge",
    "UnsupportedMediaType",
    "InternalError",
    "Expired",
    "ServiceUnavailable",
];

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.subject(), self.why()) {
            // Without a call there was no answer: it is a text of the caller's own.
            (None, Why::Decode(error)) => fmt::Display::fmt(error, f)?,
            (None, why) => fmt::Display::fmt(why, f)?,
            (Some(subject), why) => write!(f, "{subject}: {why}")?,
        }
        fmt::Display::fmt(&self.0.earlier, f)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(status) => write_status(f, status),
            Self::Transport(source) => write_chain(f, &**source),
            Self::Timeout(deadline) => write!(f, "no answer within {deadline:?}"),
            Self::Late(deadline) => write!(f, "it did not happen within {deadline:?}"),
            Self::Decode(error) => write!(f, "the answer cannot be read: {error}"),
            Self::NotYet(error) => fmt::Display::fmt(error, f),
            Self::Usage(message) | Self::Other(message) => f.write_str(message),
        }
    }
}

/// The server's message, which mostly names its causes; where it has none, code and reason.
fn write_status(f: &mut fmt::Formatter<'_>, status: &Status) -> fmt::Result {
    if !status.message.is_empty() {
        return f.write_str(&status.message);
    }
    write!(f, "the server answered {}", status.code)?;
    if !status.reason.is_empty() {
        write!(f, " {}", status.reason)?;
    }
    let causes: &[StatusCause] = status.details.as_ref().map_or(&[], |details| &details.causes);
    causes.iter().try_for_each(|cause| write!(f, "; {}: {}", cause.field, cause.message))
}

/// Transport errors say little at their top: `client error (Connect)`.
fn write_chain(f: &mut fmt::Formatter<'_>, top: &dyn StdError) -> fmt::Result {
    let mut said = top.to_string();
    f.write_str(&said)?;
    let mut next = top.source();
    while let Some(error) = next {
        let message = error.to_string();
        if !said.contains(&message) {
            write!(f, ": {message}")?;
        }
        said = message;
        next = error.source();
    }
    Ok(())
}

/// The sentence, as this is what a `main` that returns an error prints; the parts are in
/// [`source`](StdError::source).
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.0.why)
    }
}

impl StdError for Why {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Transport(source) | Self::NotYet(source) => Some(&**source),
            Self::Decode(error) => Some(error),
            Self::Status(_)
            | Self::Timeout(_)
            | Self::Late(_)
            | Self::Usage(_)
            | Self::Other(_) => None,
        }
    }
}

impl From<Why> for Error {
    fn from(why: Why) -> Self {
        Self(Box::new(Inner { subject: None, why, earlier: Earlier::default() }))
    }
}
