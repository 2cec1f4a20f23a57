//! How it is said: in JSON or in protobuf, whole or metadata only.

use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, header};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::meta::v1::ListMeta;
use watchkeeper_api::{Map, StaticKind as _, json, pb};
use watchkeeper_client::{Body, status_answer};

use super::Kept;
use super::asked::Asked;
use super::past::Happened;
use crate::speech::Speech;

/// The form of an answer. Metadata is said in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    speech: Speech,
    metadata: bool,
}

const JSON: &str = "application/json";
const MESSAGE: &str = "application/vnd.kubernetes.protobuf";
const MESSAGES: &str = "application/vnd.kubernetes.protobuf;stream=watch";

impl Said {
    pub(super) const fn of(asked: &Asked) -> Self {
        let is_message = asked.message && !asked.metadata;
        let speech = if is_message { Speech::Protobuf } else { Speech::Json };
        Self { speech, metadata: asked.metadata }
    }

    pub(super) fn answer(self, code: u16, streams: bool, body: Body) -> Response<Body> {
        let kind = match (self.speech, streams) {
            (Speech::Json, _) => JSON,
            (Speech::Protobuf, true) => MESSAGES,
            (Speech::Protobuf, false) => MESSAGE,
        };
        let mut answer = Response::new(body);
        *answer.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
        answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        answer
    }

    pub(super) fn object(self, code: u16, kept: &Kept) -> Response<Body> {
        let body = match self.speech {
            Speech::Json => Body::from(kept.json.clone()),
            Speech::Protobuf => Body::from(pb::to_body(&kept.map)),
        };
        self.answer(code, false, body)
    }

    /// The JSON of an object.
    fn text(self, kept: &Kept) -> String {
        if !self.metadata {
            return kept.json.clone();
        }
        let metadata = json::to_string(&kept.map.metadata);
        format!(
            r#"{{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{metadata}}}"#
        )
    }

    pub(super) fn list(
        self,
        version: u64,
        more: &str,
        page: &[&std::sync::Arc<Kept>],
    ) -> Response<Body> {
        let body = match self.speech {
            Speech::Json => {
                let items: Vec<String> = page.iter().map(|kept| self.text(kept)).collect();
                let items = items.join(",");
                let kind =
                    if self.metadata { "PartialObjectMetadataList" } else { "ConfigMapList" };
                let group = if self.metadata { "meta.k8s.io/v1" } else { "v1" };
                Body::from(format!(
                    r#"{{"kind":"{kind}","apiVersion":"{group}","metadata":{{"resourceVersion":"{version}","continue":"{more}"}},"items":[{items}]}}"#
                ))
            }
            Speech::Protobuf => {
                let metadata = ListMeta {
                    resource_version: version.to_string().into(),
                    continue_: more.into(),
                    ..ListMeta::default()
                };
                let items: Vec<&dyn pb::Message> =
                    page.iter().map(|kept| &kept.map as &dyn pb::Message).collect();
                Body::from(pb::list_to_body(ConfigMap::static_kind(), &metadata, items))
            }
        };
        self.answer(200, false, body)
    }

    pub(super) fn frame(self, verb: &str, kept: &Kept) -> Bytes {
        match self.speech {
            Speech::Json => {
                format!("{{\"type\":\"{verb}\",\"object\":{}}}\n", self.text(kept)).into()
            }
            Speech::Protobuf => pb::event_to_frame(verb, &kept.map).into(),
        }
    }

    /// What an event is for who asked: entering a selection is an addition, leaving it a deletion.
    pub(super) fn event(self, event: &Happened, asked: &Asked) -> Option<Bytes> {
        let Happened { version, before, now, alive } = event;
        if now.map.metadata.namespace() != Some(&*asked.namespace) {
            return None;
        }
        let is_in = |kept: &Kept| !asked.even || kept.is_even();
        let was = before.as_deref().filter(|before| is_in(before));
        match (was, *alive && is_in(now)) {
            (None, false) => None,
            (None, true) => Some(self.frame("ADDED", now)),
            (Some(_), true) => Some(self.frame("MODIFIED", now)),
            (Some(before), false) => Some(self.frame("DELETED", &before.at(*version))),
        }
    }

    pub(super) fn bookmark(self, version: u64) -> Bytes {
        self.speech.bookmark(version)
    }

    /// What ends the present state.
    pub(super) fn initial_end(self, version: u64) -> Bytes {
        let mut map = ConfigMap::default();
        map.metadata.resource_version = version.to_string().into();
        map.metadata.annotations = Map::from([("k8s.io/initial-events-end", "true")]);
        self.frame("BOOKMARK", &Kept { json: json::to_string(&map), map })
    }

    pub(super) fn expired(self) -> Bytes {
        self.speech.error(410, "Expired")
    }
}

/// An answer that says of an object that there is none.
pub(super) fn absent(resource: &str, name: &str) -> Response<Body> {
    refused(404, "NotFound", resource, name)
}

pub(super) fn refused(code: u16, reason: &str, resource: &str, name: &str) -> Response<Body> {
    let mut answer = status_answer(code, reason, "");
    *answer.body_mut() = Body::from(format!(
        r#"{{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Failure","message":"{resource} {name}","reason":"{reason}","details":{{"name":"{name}","kind":"{resource}"}},"code":{code}}}"#
    ));
    answer
}

pub(super) fn deleted(resource: &str, name: &str, uid: &str) -> Response<Body> {
    text(format!(
        r#"{{"kind":"Status","apiVersion":"v1","metadata":{{}},"status":"Success","details":{{"name":"{name}","kind":"{resource}","uid":"{uid}"}}}}"#
    ))
}

/// An object of which only the metadata counts.
pub(super) fn metadata(kind: &str, name: &str, namespace: &str, version: u64) -> Response<Body> {
    text(format!(
        r#"{{"kind":"{kind}","apiVersion":"v1","metadata":{{"name":"{name}","namespace":"{namespace}","uid":"{name}","resourceVersion":"{version}"}}}}"#
    ))
}

fn text(body: String) -> Response<Body> {
    let mut answer = Response::new(Body::from(body));
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    answer
}
