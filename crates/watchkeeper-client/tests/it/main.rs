//! The client as its users see it, against a server that answers what the test says.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod access;
mod auto;
mod clientset;
mod codec_parts;
mod codecs;
mod discover;
mod entries;
mod extract;
mod fake;
mod foreign;
mod fuzzed;
mod going_on;
mod live;
mod log;
mod logs;
mod mapper;
mod notices;
mod pages;
mod parts;
mod patience;
mod read;
mod rest;
mod retries;
mod secrets;
mod strategic;
mod streams;
mod tunnel;
mod upsert;
mod watch;
mod wrap;
mod write;

use serde_json::{Value, json};

/// A `ConfigMap` as servers send it.
pub(crate) fn config_map(name: &str, version: u32) -> Value {
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {
            "name": name, "namespace": "a", "uid": format!("uid-{name}"), "resourceVersion": version.to_string(),
        },
        "data": { "key": "value" },
    })
}

/// A Status as servers send it.
pub(crate) fn failure(code: u16, reason: &str, message: &str) -> String {
    json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "code": code, "reason": reason, "message": message,
    })
    .to_string()
}
