//! A log of requests as upstream writes it: a line of JSON for each.

use std::fmt;
use std::io::Write;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use super::{Answered, Hook, Particulars, Written};
use crate::access::Target;
use crate::request::route::{self, Route};

/// Writes a line for each request that is answered: an `Event` of `audit.k8s.io/v1` at level `Metadata`, of the stage
/// `ResponseComplete`, or `ResponseStarted` where the answer goes on (a watch, a log).
///
/// A line is written before its answer is sent, as upstream does by itself (`--audit-log-mode=blocking`). What cannot be
/// written is lost: a server goes on without its log.
///
/// Unlike upstream's, it does not tell of requests as they come, of the end of what goes on, of addresses, nor of who is
/// nobody known (401).
///
/// ```
/// use watchkeeper_apiserver::ApiServer;
/// use watchkeeper_apiserver::hooks::AuditLines;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() -> std::io::Result<()> {
/// # let path = std::env::temp_dir().join(format!("audit-lines-{}", std::process::id()));
/// let server = ApiServer::new();
/// server.add_hook(AuditLines::new(std::fs::File::create(&path)?));
/// let read = http::Request::get("/api/v1/namespaces/default/pods/a").header("user-agent", "me/1");
/// server.answer(read.body(bytes::Bytes::new()).unwrap()).await.unwrap();
/// let line = std::fs::read_to_string(&path)?;
/// assert!(line.contains(r#""verb":"get","user":{"groups":["system:masters","system:authenticated"],"#));
/// assert!(line.contains(r#""reason":"NotFound""#));
/// # std::fs::remove_file(path)
/// # }
/// ```
pub struct AuditLines<W>(W);

impl<W: Write + Send> AuditLines<W> {
    /// Writes to this, a whole line at a time.
    pub const fn new(writer: W) -> Self {
        Self(writer)
    }
}

impl<W: Write + Send> Hook for AuditLines<W> {
    fn on_answer(&mut self, answered: &Answered<'_>) {
        if let Ok(mut line) = serde_json::to_vec(&Line(answered)) {
            line.push(b'\n');
            let _lost = self.0.write_all(&line);
        }
    }
}

/// Without what it writes to.
impl<W> fmt::Debug for AuditLines<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditLines").finish_non_exhaustive()
    }
}

/// A request as an event, its members in upstream's order.
struct Line<'a>(&'a Answered<'a>);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Particulars { audit_id, uri, user_agent, user, acting, goes_on, .. } =
            *self.0.particulars;
        let mut line = serializer.serialize_map(None)?;
        line.serialize_entry("kind", "Event")?;
        line.serialize_entry("apiVersion", "audit.k8s.io/v1")?;
        line.serialize_entry("level", "Metadata")?;
        line.serialize_entry("auditID", audit_id)?;
        let stage = if goes_on { "ResponseStarted" } else { "ResponseComplete" };
        line.serialize_entry("stage", stage)?;
        line.serialize_entry("requestURI", uri)?;
        line.serialize_entry("verb", self.0.verb)?;
        line.serialize_entry("user", &user.to_json())?;
        if let Some(acting) = acting {
            line.serialize_entry("impersonatedUser", &acting.to_json())?;
        }
        if !user_agent.is_empty() {
            line.serialize_entry("userAgent", user_agent)?;
        }
        if let Some(object) = object(self.0.particulars) {
            line.serialize_entry("objectRef", &object)?;
        }
        if let Some(code) = self.0.code {
            line.serialize_entry("responseStatus", &status(code, self.0.particulars.failure))?;
        }
        let Particulars { received, answered, .. } = self.0.particulars;
        line.serialize_entry("requestReceivedTimestamp", &received.rfc3339_micro())?;
        line.serialize_entry("stageTimestamp", &answered.rfc3339_micro())?;
        line.serialize_entry("annotations", &annotations(self.0.particulars))?;
        line.end()
    }
}

/// `ObjectReference` of audit.k8s.io; none of a path that leads to no objects.
fn object(of: &Particulars<'_>) -> Option<Value> {
    let Target::Resource { group, resource, subresource, namespace, name } = of.target else {
        return None;
    };
    let none = Written { name: String::new(), uid: String::new(), resource_version: 0 };
    let written = of.written.unwrap_or(&none);
    let version = match written.resource_version {
        0 => String::new(),
        version => version.to_string(),
    };
    let api_version = match route::parse(of.uri.split('?').next().unwrap_or_default()) {
        Route::Resource(target) => target.version,
        _ => String::new(),
    };
    let members = [
        ("resource", &**resource),
        ("namespace", namespace),
        ("name", if name.is_empty() { &written.name } else { name }),
        ("uid", &written.uid),
        ("apiGroup", group),
        ("apiVersion", &api_version),
        ("resourceVersion", &version),
        ("subresource", subresource),
    ];
    let said = members.into_iter().filter(|(_, text)| !text.is_empty());
    Some(said.map(|(name, text)| (name.to_owned(), text.into())).collect::<Map<_, _>>().into())
}

/// What of a Status is told: not what it is about, which is told already.
fn status(code: u16, failure: Option<&Value>) -> Value {
    let mut status = json!({"metadata": {}, "code": code});
    for member in ["status", "message", "reason", "details"] {
        if let Some(said) = failure.and_then(|failure| failure.get(member)) {
            status[member] = said.clone();
        }
    }
    status
}

fn annotations(of: &Particulars<'_>) -> Map<String, Value> {
    let decision = if of.decision.allowed { "allow" } else { "forbid" };
    let decided = [
        ("authorization.k8s.io/decision", decision),
        ("authorization.k8s.io/reason", &*of.decision.reason),
    ];
    let added = of.annotations.iter().map(|(name, text)| (&**name, &**text));
    decided.into_iter().chain(added).map(|(name, text)| (name.to_owned(), text.into())).collect()
}
