//! What was asked of a server, and what it answered.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Answered, Hook};

/// How many of the last requests are kept.
const KEPT: usize = 100_000;

/// A request that is over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AuditEntry {
    /// Who asked: the user agent up to `/`.
    pub actor: String,
    /// The verb as RBAC spells it.
    pub verb: String,
    /// The table, e.g. `deployments.apps`; empty of a path that leads to no objects.
    pub table: String,
    /// The part of the object that was addressed, e.g. `status`; empty for the object.
    pub subresource: String,
    /// `namespace/name`, or what is known of it: the name of what is made is not.
    pub key: String,
    /// The answer; `None` where the connection was cut.
    pub code: Option<u16>,
}

/// A log of all requests, as the server answered them: a hook, and a handle to read it. The last hundred thousand
/// are kept.
///
/// ```
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_apiserver::hooks::Audit;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let (server, audit) = (ApiServer::new(), Audit::default());
/// server.add_hook(audit.clone());
/// let read = http::Request::get("/api/v1/namespaces/default/pods/a").header("user-agent", "me/1");
/// server.answer(read.body(bytes::Bytes::new()).unwrap()).await.unwrap();
/// let entry = &audit.entries()[0];
/// assert_eq!((&*entry.actor, &*entry.verb, &*entry.key), ("me", "get", "default/a"));
/// assert_eq!(entry.code, Some(404));
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Audit(Arc<Mutex<VecDeque<AuditEntry>>>);

impl Audit {
    /// What was answered so far, in the order of the answers.
    #[must_use]
    pub fn entries(&self) -> Vec<AuditEntry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

impl Hook for Audit {
    fn on_answer(&mut self, answered: &Answered<'_>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() == KEPT {
            entries.pop_front();
        }
        let Answered { actor, verb, table, subresource, key, code, .. } = *answered;
        let [actor, verb, table, subresource, key] =
            [actor, verb, table, subresource, key].map(str::to_owned);
        entries.push_back(AuditEntry { actor, verb, table, subresource, key, code });
    }
}

/// Without the entries, of which there may be many.
impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audit").finish_non_exhaustive()
    }
}
