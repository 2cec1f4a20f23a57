//! What observers are told of a write made by hand.

use bytes::Bytes;
use http::{Method, Response};

use crate::client::Client;
use crate::fail::Failed;
use crate::head::head_of;
use crate::observe::{Watched, WriteIntent, WriteOutcome};
use crate::request::{Call, Verb};
use crate::rest::Info;

/// A write under way.
#[must_use]
pub(super) struct Observed {
    watched: Watched,
    info: Info,
    verb: Verb,
    dry_run: bool,
}

/// Begins to tell of `call`, if it is a write of a resource.
pub(super) fn begin(client: &Client, call: &Call) -> Option<Observed> {
    if matches!(call.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return None;
    }
    let info = Info::of(&call.uri)?;
    let in_body = call.method == Method::DELETE && contains(&call.body, b"\"dryRun\"");
    let dry_run = in_body || call.uri.contains("dryRun=") || client.settings.rules.dry_run;
    let kind = info.kind();
    // The path of what is to be made does not name it; the object does, unless the server is to choose.
    let made = (call.method == Method::POST && info.name.is_empty()).then(|| head_of(&call.body));
    let named = made.and_then(Result::ok).map_or_else(|| info.name.clone(), |head| head.name);
    let watched = client.settings.observers.begin(&WriteIntent {
        kind: &kind,
        namespace: &info.namespace,
        name: Some(named.as_str()).filter(|name| !name.is_empty()),
        verb: call.verb,
        subresource: Some(info.subresource.as_str()).filter(|sub| !sub.is_empty()),
        dry_run,
    });
    Some(Observed { watched, info, verb: call.verb, dry_run })
}

impl Observed {
    pub(super) fn finish(self, answer: &Result<Response<Bytes>, Failed>) {
        let answer = match answer {
            Ok(_) if self.dry_run => return self.watched.finish(&WriteOutcome::Refused),
            Ok(answer) => answer.body(),
            Err(failed) => {
                let resource = self.info.kind().group_resource();
                return self.watched.finish(&failed.outcome(&resource, &self.info.name));
            }
        };
        let head = head_of(answer).unwrap_or_default();
        let namespace = self.info.namespace.as_str();
        let name = if self.info.name.is_empty() { head.name.as_str() } else { &self.info.name };
        let outcome = match self.verb {
            Verb::DeleteCollection => WriteOutcome::Unknown,
            Verb::Delete if head.is_gone() && self.info.subresource.is_empty() => {
                WriteOutcome::Deleted { namespace, name, uid: head.uid() }
            }
            _ => head.version_of(name).map_or(WriteOutcome::Unknown, |(uid, resource_version)| {
                WriteOutcome::Stored { namespace, name, uid, resource_version, labels: None }
            }),
        };
        self.watched.finish(&outcome);
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}
