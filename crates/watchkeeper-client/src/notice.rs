//! What the server tells beside its answers: warnings, and at which priority it served the request.
//!
//! Upstream: `rest/warnings.go` and KEP-1693 for warnings, KEP-1040 for the headers of priority and
//! fairness.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use http::{HeaderMap, StatusCode, header};
use watchkeeper_api::Kind;

use crate::discovery::{Catalog, Resource};
use crate::request::Call;

mod parse;
#[cfg(test)]
mod tests;

use parse::warnings_in;

/// The request that a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked<'a> {
    /// `POST`
    pub method: &'a str,
    /// `/api/v1/namespaces/shop/pods`, with its query. Of an exec the query holds every word of the command: who
    /// writes down what was asked takes the [`path`](Self::path).
    pub uri: &'a str,
}

impl<'a> Asked<'a> {
    /// `/api/v1/namespaces/shop/pods`, without the query.
    ///
    /// ```
    /// # use watchkeeper_client::Asked;
    /// let asked = Asked { method: "GET", uri: "/api/v1/namespaces/shop/pods/web-0/exec?command=id" };
    /// assert_eq!(asked.path(), "/api/v1/namespaces/shop/pods/web-0/exec");
    /// ```
    #[must_use]
    pub fn path(&self) -> &'a str {
        self.uri.split_once('?').map_or(self.uri, |(path, _)| path)
    }
}

/// One `Warning` header: the API is deprecated, a field is unknown, a value is likely a mistake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Warning {
    /// 299 from Kubernetes.
    pub code: u16,
    /// Who warns; `-` from Kubernetes.
    pub agent: String,
    /// What of.
    pub text: String,
}

/// How priority and fairness classified a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow<'a> {
    /// The uid of the `FlowSchema` that matched.
    pub flow_schema: &'a str,
    /// The uid of the `PriorityLevelConfiguration` that served it.
    pub priority_level: &'a str,
    /// What came of it: 429 when the level is full.
    pub status: u16,
}

/// Takes what the server tells beside its answers. Called on the caller's task: it must not block.
///
/// ```
/// use std::sync::Arc;
/// use watchkeeper_client::{Asked, Client, NoticeHandler, Warning};
///
/// struct Deprecations;
///
/// impl NoticeHandler for Deprecations {
///     fn warning(&self, asked: &Asked<'_>, warning: &Warning) {
///         println!("{} {}: {}", asked.method, asked.path(), warning.text);
///     }
/// }
///
/// fn told(client: Client) -> Client {
///     client.notices(Arc::new(Deprecations))
/// }
/// ```
pub trait NoticeHandler: Send + Sync {
    /// The server warns.
    fn warning(&self, asked: &Asked<'_>, warning: &Warning);

    /// The server tells how it classified the request. Nothing is done unless this is overridden.
    ///
    /// ```
    /// # use watchkeeper_client::{Asked, Flow, NoticeHandler, Warning};
    /// struct Full;
    ///
    /// impl NoticeHandler for Full {
    ///     fn warning(&self, _: &Asked<'_>, _: &Warning) {}
    ///
    ///     fn flow(&self, asked: &Asked<'_>, flow: &Flow<'_>) {
    ///         if flow.status == 429 {
    ///             println!("{} waits: {} is full", asked.path(), flow.priority_level);
    ///         }
    ///     }
    /// }
    /// ```
    fn flow(&self, asked: &Asked<'_>, flow: &Flow<'_>) {
        let _ = (asked, flow);
    }

    /// A short name was taken for one resource and could mean others, too (upstream: the warnings of
    /// `NewShortcutExpander`). Goes to the log unless this is overridden.
    fn ambiguous(&self, name: &str, taken: &Kind, others: &[&Kind]) {
        tracing::warn!("{}", Ambiguous { name, taken, others });
    }
}

/// What is told of a short name, as a sentence.
struct Ambiguous<'a> {
    name: &'a str,
    taken: &'a Kind,
    others: &'a [&'a Kind],
}

impl fmt::Display for Ambiguous<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others: Vec<_> = self.others.iter().map(|kind| kind.group_resource()).collect();
        let (name, taken, others) = (self.name, self.taken.group_resource(), others.join(", "));
        write!(f, "{name:?} is taken for {taken}, and could be {others}, too: say which")
    }
}

/// Writes every warning to the log, with the method and the path of what was asked and nothing of its query:
/// what a client does by default (upstream: `WarningLogger`).
#[derive(Clone, Copy, Debug, Default)]
pub struct LogWarnings;

impl NoticeHandler for LogWarnings {
    fn warning(&self, asked: &Asked<'_>, warning: &Warning) {
        if warning.code == 299 && !warning.text.is_empty() {
            tracing::warn!(method = asked.method, path = asked.path(), "{}", warning.text);
        }
    }
}

/// Drops every notice (upstream: `NoWarnings`).
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWarnings;

impl NoticeHandler for NoWarnings {
    fn warning(&self, _: &Asked<'_>, _: &Warning) {}

    fn ambiguous(&self, _: &str, _: &Kind, _: &[&Kind]) {}
}

/// Hands on each warning once (upstream: `WarningWriterOptions.Deduplicate`). After a thousand different
/// ones it starts to forget.
#[derive(Debug, Default)]
pub struct WarnOnce<H> {
    handler: H,
    told: Mutex<BTreeSet<Warning>>,
}

impl<H> WarnOnce<H> {
    const REMEMBERED: usize = 1000;

    /// Hands on to `handler`.
    pub const fn new(handler: H) -> Self {
        Self { handler, told: Mutex::new(BTreeSet::new()) }
    }

    fn is_new(&self, warning: Warning) -> bool {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() >= Self::REMEMBERED {
            told.clear();
        }
        told.insert(warning)
    }
}

impl<H: NoticeHandler> NoticeHandler for WarnOnce<H> {
    fn warning(&self, asked: &Asked<'_>, warning: &Warning) {
        if self.is_new(warning.clone()) {
            self.handler.warning(asked, warning);
        }
    }

    fn ambiguous(&self, name: &str, taken: &Kind, others: &[&Kind]) {
        let text = Ambiguous { name, taken, others }.to_string();
        if self.is_new(Warning { code: 299, agent: String::new(), text }) {
            self.handler.ambiguous(name, taken, others);
        }
    }

    fn flow(&self, asked: &Asked<'_>, flow: &Flow<'_>) {
        self.handler.flow(asked, flow);
    }
}

/// The handler of a client.
#[derive(Clone)]
pub(crate) struct Notices(Arc<dyn NoticeHandler>);

impl Notices {
    pub(crate) const fn new(handler: Arc<dyn NoticeHandler>) -> Self {
        Self(handler)
    }

    /// Tells the handler what else a short name could mean, if it could.
    pub(crate) fn tell_ambiguous(&self, name: &str, taken: &Resource, catalog: &Catalog) {
        let others: Vec<&Kind> = catalog.also_short(name).iter().map(|of| &of.kind).collect();
        if !others.is_empty() {
            self.0.ambiguous(name, &taken.kind, &others);
        }
    }

    /// Tells the handler what the head of an answer holds.
    pub(crate) fn tell(&self, call: &Call, status: StatusCode, headers: &HeaderMap) {
        let asked = Asked { method: call.method.as_str(), uri: &call.uri };
        for warning in warnings(headers) {
            self.0.warning(&asked, &warning);
        }
        let text = |name| headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or("");
        let flow_schema = text("x-kubernetes-pf-flowschema-uid");
        let priority_level = text("x-kubernetes-pf-prioritylevel-uid");
        if !flow_schema.is_empty() || !priority_level.is_empty() {
            let flow = Flow { flow_schema, priority_level, status: status.as_u16() };
            self.0.flow(&asked, &flow);
        }
    }
}

/// The warnings of an answer. What is none is passed over.
pub(crate) fn warnings(headers: &HeaderMap) -> Vec<Warning> {
    let lines = headers.get_all(header::WARNING).iter();
    lines.flat_map(|line| warnings_in(line.as_bytes())).collect()
}

impl Default for Notices {
    fn default() -> Self {
        Self::new(Arc::new(LogWarnings))
    }
}

impl fmt::Debug for Notices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notices")
    }
}
