//! Whether who asks may: the API server knows, and what it says is believed for a while.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::PoisonError;
use std::time::Duration;

use http::request::Parts;
use http::{Response, StatusCode, header};
use tokio::time::Instant;
use watchkeeper_api::authentication::v1::{TokenReview, UserInfo};
use watchkeeper_api::authorization::v1::SubjectAccessReview;
use watchkeeper_api::{Error, IStr, Result, StaticKind, object};
use watchkeeper_client::access::{Need, Permission};
use watchkeeper_client::{Body, Client, CreateOptions, Verb};

use super::text;
use crate::sync::Mutex;

/// How long a review may take.
const LIMIT: Duration = Duration::from_secs(10);
/// How long it is known whose a token is, or that it is nobody's.
const TOKEN_KNOWN: Duration = Duration::from_mins(1);
/// How long a yes counts …
const YES_KNOWN: Duration = Duration::from_mins(5);
/// … and how long a no.
const NO_KNOWN: Duration = Duration::from_secs(30);
/// How many answers are kept, whatever is asked.
const KEPT: usize = 1024;

/// Asks the API server who may read an endpoint.
pub(super) struct Reviews {
    client: Client,
    users: Mutex<Kept<String, Option<UserInfo>>>,
    decisions: Mutex<Kept<Question, bool>>,
}

/// Whether who has this token may do this to that path.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    token: String,
    verb: String,
    path: String,
}

/// Why a request is not answered.
enum Refusal {
    Unauthorized,
    /// This user may not.
    Denied(IStr),
    /// It could not be found out.
    Failed(String, Error),
}

impl Reviews {
    pub(super) fn new(client: Client) -> Self {
        let (users, decisions) = (Mutex::default(), Mutex::default());
        Self { client: client.deadline(LIMIT), users, decisions }
    }

    /// What the program needs to be allowed.
    pub(super) fn needs() -> [Need; 2] {
        let reason = "the metrics endpoint asks who may read it";
        [TokenReview::static_kind(), SubjectAccessReview::static_kind()]
            .map(|kind| Need::new(Permission::on(kind, Verb::Create), reason))
    }

    /// What is answered to who may not; nothing to who may.
    pub(super) async fn refusal(&self, request: &Parts, path: &str) -> Option<Response<Body>> {
        let (status, said) = match self.admit(request, path).await {
            Ok(()) => return None,
            Err(Refusal::Unauthorized) => (StatusCode::UNAUTHORIZED, "Unauthorized\n".to_owned()),
            Err(Refusal::Denied(user)) => {
                (StatusCode::FORBIDDEN, format!("Authorization denied for user {user}\n"))
            }
            Err(Refusal::Failed(what, error)) => {
                tracing::error!(%error, "{what}");
                (StatusCode::INTERNAL_SERVER_ERROR, format!("{what}\n"))
            }
        };
        Some(text(status, said))
    }

    async fn admit(&self, request: &Parts, path: &str) -> Result<(), Refusal> {
        let token = bearer(request).ok_or(Refusal::Unauthorized)?;
        let unknown = |error| Refusal::Failed("Authentication failed".to_owned(), error);
        let user = self.user(token).await.map_err(unknown)?.ok_or(Refusal::Unauthorized)?;
        let name = user.username.clone();
        let verb = request.method.as_str().to_lowercase();
        let question = Question { token: token.to_owned(), verb, path: path.to_owned() };
        match self.may(question, user).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(Refusal::Denied(name)),
            Err(error) => {
                Err(Refusal::Failed(format!("Authorization for user {name} failed"), error))
            }
        }
    }

    /// Whose token this is; `None` if it is nobody's.
    async fn user(&self, token: &str) -> Result<Option<UserInfo>> {
        if let Some(known) = known(&self.users, token) {
            return Ok(known);
        }
        let review = object!(TokenReview { spec: { token: token } });
        let reviews = self.client.api::<TokenReview>();
        let status = reviews.create(&review, &CreateOptions::default()).await?.status;
        if !status.authenticated {
            tracing::debug!(error = %status.error, "a token is nobody's");
        }
        let user = status.authenticated.then_some(status.user);
        keep(&self.users, token.to_owned(), user.clone(), TOKEN_KNOWN);
        Ok(user)
    }

    async fn may(&self, question: Question, user: UserInfo) -> Result<bool> {
        if let Some(known) = known(&self.decisions, &question) {
            return Ok(known);
        }
        let Question { path, verb, .. } = &question;
        let review = object!(SubjectAccessReview {
            spec: {
                user: user.username,
                uid: user.uid,
                groups: user.groups,
                extra: user.extra,
                non_resource_attributes: { path: path.as_str(), verb: verb.as_str() },
            },
        });
        let reviews = self.client.api::<SubjectAccessReview>();
        let status = reviews.create(&review, &CreateOptions::default()).await?.status;
        if !status.allowed {
            tracing::debug!(reason = %status.reason, "an endpoint is not for everybody");
        }
        let time = if status.allowed { YES_KNOWN } else { NO_KNOWN };
        keep(&self.decisions, question, status.allowed, time);
        Ok(status.allowed)
    }
}

/// The token of a request, if it has one.
fn bearer(request: &Parts) -> Option<&str> {
    let said = request.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let mut words = said.trim().split(' ');
    let scheme = words.next().filter(|scheme| scheme.eq_ignore_ascii_case("bearer"));
    scheme.and(words.next()).filter(|token| !token.is_empty())
}

/// What is known, each until its time.
struct Kept<K, V>(HashMap<K, (Instant, V)>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

fn known<K, V, Q>(kept: &Mutex<Kept<K, V>>, key: &Q) -> Option<V>
where
    K: Eq + Hash + std::borrow::Borrow<Q>,
    Q: Eq + Hash + ?Sized,
    V: Clone,
{
    let Kept(kept) = &*kept.lock().unwrap_or_else(PoisonError::into_inner);
    let (until, value) = kept.get(key)?;
    (Instant::now() < *until).then(|| value.clone())
}

/// Those that are out of date make room; if none is, all do.
fn keep<K: Eq + Hash, V>(kept: &Mutex<Kept<K, V>>, key: K, value: V, time: Duration) {
    let Kept(kept) = &mut *kept.lock().unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    if kept.len() >= KEPT {
        kept.retain(|_, (until, _)| now < *until);
    }
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(key, (now + time, value));
}
