//! The webhooks of a program, each at its path.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use tokio::time::timeout;
use watchkeeper_api::{Error, IStr, Kind, Result, StaticKind, Writable};

use super::admission::Answers;
use super::conversion::{self, Conversion, Conversions, Hub};
use super::protocol::{self, Asked, Version};
use super::{
    Admission, CONVERT_PATH, Defaulter, Reviewed, Validator, by_defaulter, by_validator,
    mutate_path, validate_path,
};
use crate::panics::caught;

/// How long a body may be, as upstream's: an object may have a megabyte and a half, and an update comes with two
/// of them.
const LONGEST_REVIEW: usize = 7 * 1024 * 1024;
/// A server sends a whole page of a list at once, and upstream has no limit.
const LONGEST_CONVERSION: usize = 128 * 1024 * 1024;
/// The longest time that a server gives a webhook.
const LONGEST_TIME: Duration = Duration::from_secs(30);

/// The webhooks of a program, each at its path.
///
/// They need no socket: [`answer`](Self::answer) takes a request and gives the answer, so that a test asks them by
/// itself, and the embedded server in the process.
///
/// ```
/// use watchkeeper_api::apps::v1::Deployment;
/// use watchkeeper_manager::webhook::{Webhooks, defaulting};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let webhooks = Webhooks::new().defaulter(defaulting(|web: &mut Deployment, _review| {
///     web.spec.replicas.get_or_insert(2);
///     Ok(())
/// }));
/// let review = r#"{
///     "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1",
///     "request": { "uid": "1", "operation": "CREATE", "object": {
///         "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": "web" }, "spec": {}
///     } }
/// }"#;
/// let request = http::Request::post("https://localhost/mutate-apps-v1-deployment?timeout=10s")
///     .header("content-type", "application/json")
///     .body(review.into())
///     .unwrap();
/// let answer = webhooks.answer(request).await;
/// let answer: serde_json::Value = serde_json::from_slice(answer.body()).unwrap();
/// assert_eq!(answer["response"]["patchType"], "JSONPatch");
/// # }
/// ```
#[derive(Clone, Default)]
#[must_use = "a server has to be given them"]
pub struct Webhooks {
    admissions: BTreeMap<String, Arc<dyn Answers>>,
    conversions: Conversions,
    pub(super) defaulted: Vec<&'static Kind>,
    pub(super) validated: Vec<&'static Kind>,
    /// What is wrong with how they were put together.
    mistakes: Vec<String>,
}

impl Webhooks {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets `defaulter` fill in what objects of its kind leave open, at the kind's
    /// [path](super::mutate_path). At another path it is an [`admission`](Self::admission) by
    /// [`by_defaulter`](super::by_defaulter).
    pub fn defaulter<K: StaticKind + Writable, D: Defaulter<K>>(mut self, defaulter: D) -> Self {
        self.defaulted.push(K::static_kind());
        self.admission(mutate_path(K::static_kind()), by_defaulter(defaulter))
    }

    /// Lets `validator` judge writes of its kind, at the kind's [path](super::validate_path). At another path it is
    /// an [`admission`](Self::admission) by [`by_validator`](super::by_validator).
    pub fn validator<K: StaticKind, V: Validator<K>>(mut self, validator: V) -> Self {
        self.validated.push(K::static_kind());
        self.admission(validate_path(K::static_kind()), by_validator(validator))
    }

    /// Lets `admission` answer at a path: `/`, or words of letters, digits, `-` and `_`, each after a `/`.
    ///
    /// A path that is taken, or none, is an error of the manager's run (upstream: a panic of `Register`).
    pub fn admission(mut self, path: impl Into<String>, admission: impl Admission) -> Self {
        let path = path.into();
        if !is_path(&path) {
            self.mistakes.push(format!("{path:?} is no path: words of letters, digits, - and _"));
        } else if path == CONVERT_PATH || self.admissions.contains_key(&path) {
            self.mistakes.push(format!("{path} is taken twice"));
        }
        self.admissions.insert(path, Arc::new(admission));
        self
    }

    /// Converts objects of a kind between its versions, at [`CONVERT_PATH`](super::CONVERT_PATH).
    pub fn conversion<H: Hub>(mut self, conversion: Conversion<H>) -> Self {
        let (kind, converts, mistakes) = conversion.erased();
        self.mistakes.extend(mistakes);
        let named = (kind.group.to_string(), kind.kind.to_string());
        if self.conversions.insert(named, converts).is_some() {
            self.mistakes.push(format!("{} are converted twice", kind.group_resource()));
        }
        self
    }

    /// Where they are asked.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let convert = (!self.conversions.is_empty()).then_some(CONVERT_PATH);
        self.admissions.keys().map(String::as_str).chain(convert)
    }

    /// What a request is answered with.
    ///
    /// A body that is no review, is longer than seven megabytes or is no JSON is answered by a review that refuses;
    /// so is a panic, with its words, and a webhook that is not done within the `timeout` of the query, or 30
    /// seconds. Only a path that nobody is asked at is 404, and what asks for conversions and cannot be read 400.
    ///
    /// # Cancel safety
    /// What is under way is dropped with the future, where it waits.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (head, body) = request.into_parts();
        self.answered(&head, &body).await.0
    }

    /// The same, and what panicked.
    pub(super) async fn answered(
        &self,
        head: &Parts,
        body: &[u8],
    ) -> (Response<Bytes>, Option<Panicked>) {
        let path = head.uri.path();
        if path == CONVERT_PATH && !self.conversions.is_empty() {
            return self.converted(body);
        }
        let Some(admission) = self.admissions.get(path) else {
            return (text(StatusCode::NOT_FOUND, "404 page not found\n".to_owned()), None);
        };
        let limit = time_limit(head.uri.query().unwrap_or_default());
        match checked(&head.headers, body) {
            Ok(()) => admitted(&**admission, body, limit).await,
            Err(refused) => (unread(*refused), None),
        }
    }

    fn converted(&self, body: &[u8]) -> (Response<Bytes>, Option<Panicked>) {
        match conversion::answer(&self.conversions, body) {
            Ok((body, panicked)) => (json(body), panicked.then_some(Panicked::Conversion)),
            Err(why) => (text(StatusCode::BAD_REQUEST, format!("{why}\n")), None),
        }
    }

    /// The longest body that is read for a path.
    pub(super) fn longest_body(path: &str) -> usize {
        if path == CONVERT_PATH { LONGEST_CONVERSION } else { LONGEST_REVIEW }
    }

    /// The answer to a longer one.
    pub(super) fn too_long(path: &str) -> Response<Bytes> {
        let why = too_long(Self::longest_body(path));
        match path {
            CONVERT_PATH => text(StatusCode::PAYLOAD_TOO_LARGE, format!("{why}\n")),
            _ => unread(Reviewed::errored(413, why)),
        }
    }

    /// # Errors
    /// What is wrong with how they were put together.
    pub(crate) fn check(&self) -> Result<()> {
        match &*self.mistakes {
            [] => Ok(()),
            mistakes => Err(Error::usage(format!("webhooks: {}", mistakes.join("; ")))),
        }
    }
}

impl fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhooks")
            .field("paths", &self.paths().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// # Errors
/// The answer to what cannot be a review.
fn checked(headers: &HeaderMap, body: &[u8]) -> Result<(), Box<Reviewed>> {
    let refused = |code, why: String| Err(Box::new(Reviewed::errored(code, why)));
    if body.is_empty() {
        return refused(400, "request body is empty".to_owned());
    }
    if body.len() > LONGEST_REVIEW {
        return refused(413, too_long(LONGEST_REVIEW));
    }
    let said = headers.get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    if said == b"application/json" {
        return Ok(());
    }
    let said = String::from_utf8_lossy(said);
    refused(400, format!("contentType={said}, expected application/json"))
}

/// What was under way when something panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Panicked {
    Admission,
    Conversion,
}

async fn admitted(
    admission: &dyn Answers,
    body: &[u8],
    limit: Duration,
) -> (Response<Bytes>, Option<Panicked>) {
    let Asked { version, review } = match protocol::read(body) {
        Ok(asked) => asked,
        Err(refused) => return (unread(*refused), None),
    };
    let answering = async { admission.answer(&review).await };
    let (reviewed, panicked) = match timeout(limit, caught(answering)).await {
        Ok(Ok(reviewed)) => (reviewed, None),
        Ok(Err(panic)) => {
            tracing::error!(review = ?review, panic, "a webhook panicked");
            let why = format!("panic: {panic} [recovered]");
            (Reviewed::errored(500, why), Some(Panicked::Admission))
        }
        Err(_elapsed) => {
            tracing::warn!(review = ?review, ?limit, "a webhook was not done in time");
            let why = format!("the webhook was not done within {limit:?}");
            (Reviewed::errored(504, why), None)
        }
    };
    let reviewed = reviewed.told_by(&review);
    tracing::debug!(review = ?review, reviewed = ?reviewed, "reviewed");
    (json(protocol::written(version, &review.uid, reviewed)), panicked)
}

/// The answer to a review whose uid is not known.
fn unread(refused: Reviewed) -> Response<Bytes> {
    json(protocol::written(Version::default(), &IStr::default(), refused))
}

fn too_long(limit: usize) -> String {
    format!("request entity is too large; limit is {limit} bytes")
}

/// What the server says that it waits: `timeout=10s`.
fn time_limit(query: &str) -> Duration {
    let said = crate::endpoints::pairs(query).find(|(name, _)| name == "timeout");
    let seconds = said.and_then(|(_, time)| time.strip_suffix('s')?.parse().ok());
    seconds.map_or(LONGEST_TIME, |seconds| Duration::from_secs(seconds).min(LONGEST_TIME))
}

/// Upstream's `webhookPathStringValidation`.
fn is_path(path: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let is_word = |word: &str| !word.is_empty() && word.chars().all(fits);
    path.strip_prefix('/').is_some_and(|rest| rest.is_empty() || rest.split('/').all(is_word))
}

fn json(body: Vec<u8>) -> Response<Bytes> {
    let mut answer = Response::new(Bytes::from(body));
    let json = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    answer
}

fn text(status: StatusCode, said: String) -> Response<Bytes> {
    let mut answer = Response::new(Bytes::from(said));
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests;
