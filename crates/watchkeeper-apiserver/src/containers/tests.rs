//! Which run is meant, and what options say.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::handshake::Agreed;
use super::instance;
use super::log_options::LogOptions;
use crate::clock::Now;
use crate::request::query::Query;

/// A pod whose container has this status.
fn pod(status: Value) -> Value {
    let mut status = status;
    status["name"] = "main".into();
    json!({"metadata": {"name": "web"}, "status": {"containerStatuses": [status]}})
}

#[test]
fn a_log_is_of_the_run_under_way_or_of_the_last_one() {
    let ended = |id: &str| json!({"terminated": {"containerID": id}});
    for (status, previous, told) in [
        (json!({"containerID": "1", "state": {"running": {}}}), false, Ok("1")),
        (json!({"state": ended("2")}), false, Ok("2")),
        (json!({"state": ended(""), "lastState": ended("3")}), false, Ok("3")),
        (
            json!({"state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": ended("4")}),
            false,
            Ok("4"),
        ),
        (
            json!({"containerID": "6", "state": {"running": {}}, "lastState": ended("5")}),
            true,
            Ok("5"),
        ),
        (
            json!({"state": ended("")}),
            false,
            Err("container \"main\" in pod \"web\" is terminated"),
        ),
        (
            json!({"containerID": "1", "state": {"running": {}}}),
            true,
            Err("previous terminated container \"main\" in pod \"web\" not found"),
        ),
        (
            json!({"state": {"waiting": {"reason": "ContainerCreating"}}}),
            false,
            Err("container \"main\" in pod \"web\" is waiting to start: ContainerCreating"),
        ),
        (
            json!({"state": {"waiting": {"reason": "ImagePullBackOff"}}}),
            false,
            Err(
                "container \"main\" in pod \"web\" is waiting to start: trying and failing to pull image",
            ),
        ),
        (
            json!({"state": {"waiting": {"reason": "ErrImagePull"}}}),
            false,
            Err("container \"main\" in pod \"web\" is waiting to start: image can't be pulled"),
        ),
        (
            json!({"state": {"waiting": {}}}),
            false,
            Err("container \"main\" in pod \"web\" is waiting to start: "),
        ),
        (
            json!({}),
            false,
            Err("container \"main\" in pod \"web\" is waiting to start - no logs yet"),
        ),
    ] {
        let found = instance(&pod(status.clone()), "main", previous);
        assert_eq!(found.as_deref().map_err(String::as_str), told, "{status}");
    }
    let none = instance(&json!({"metadata": {"name": "web"}}), "main", false);
    assert_eq!(none, Err("container \"main\" in pod \"web\" is not available".to_owned()));
}

#[test]
fn options_are_read_or_refused() {
    let now = Now(Duration::from_secs(100));
    let read = |query: &str| LogOptions::read(&Query::parse(query), "web", now);
    let options = read("follow=true&tailLines=3&limitBytes=10&sinceSeconds=40&timestamps=1");
    let since = Some(Now(Duration::from_secs(60)));
    let want = LogOptions {
        follow: true,
        timestamps: true,
        tail: Some(3),
        limit: Some(10),
        since,
        previous: false,
    };
    assert_eq!(options, Ok(want));
    let options = read("sinceTime=1970-01-01T00:00:07Z&previous=true").expect("options");
    assert_eq!((options.since, options.previous), (Some(Now(Duration::from_secs(7))), true));
    let least = read("tailLines=0&limitBytes=1&sinceSeconds=1").expect("options");
    assert_eq!((least.tail, least.limit), (Some(0), Some(1)));
    assert_eq!(least.since, Some(Now(Duration::from_secs(99))));
    assert_eq!(read("follow=false&timestamps=0&sinceTime="), Ok(LogOptions::default()));
    for (query, code, why) in [
        ("tailLines=-1", 422, "tailLines: Invalid value: -1: must be greater than or equal to 0"),
        ("limitBytes=0", 422, "limitBytes: Invalid value: 0: must be greater than 0"),
        ("sinceSeconds=0", 422, "sinceSeconds: Invalid value: 0: must be greater than 0"),
        ("sinceSeconds=5&sinceTime=1970-01-01T00:00:07Z", 422, "at most one of `sinceTime`"),
        ("tailLines=x", 400, "strconv.ParseInt: parsing \"x\": invalid syntax"),
        ("limitBytes=9223372036854775808", 400, ": value out of range"),
        ("sinceTime=now", 400, "parsing time \"now\" as \"2006-01-02T15:04:05Z07:00\": "),
    ] {
        let error = read(query).expect_err(query);
        assert!(error.code == code && error.message.contains(why), "{query}: {error:?}");
    }
}

fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
    let pair = |(name, value): &(&'static str, &'static str)| {
        (HeaderName::from_static(name), HeaderValue::from_static(value))
    };
    pairs.iter().map(pair).collect()
}

/// The request of RFC 6455, 1.2.
const ASKED: [(&str, &str); 5] = [
    ("connection", "keep-alive, Upgrade"),
    ("upgrade", "websocket"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ("sec-websocket-version", "13"),
    ("sec-websocket-protocol", "v9.channel.k8s.io, v4.channel.k8s.io"),
];

#[test]
fn a_websocket_is_agreed_to_with_the_first_protocol_that_is_spoken() {
    let spoken = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
    let agreed = Agreed::with(&headers(&ASKED), &spoken).expect("a WebSocket");
    let answer = agreed.answer(());
    assert_eq!(answer.status(), 101);
    assert_eq!(answer.headers()["sec-websocket-accept"], "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_eq!(answer.headers()["sec-websocket-protocol"], "v4.channel.k8s.io");
    for (changed, value, why) in [
        ("connection", "close", "Upgrade request required"),
        ("upgrade", "SPDY/3.1", "unable to upgrade: SPDY/3.1 is not spoken here, WebSockets are"),
        ("upgrade", "", "Upgrade request required"),
        ("sec-websocket-key", "", "unable to upgrade: this is no WebSocket of version 13"),
        ("sec-websocket-version", "8", "unable to upgrade: this is no WebSocket of version 13"),
        ("sec-websocket-protocol", "v9", "unable to upgrade: of the protocols asked for none"),
    ] {
        let mut asked = headers(&ASKED);
        asked.insert(changed, HeaderValue::from_static(value));
        let error = Agreed::with(&asked, &spoken).expect_err(changed);
        assert!(error.code == 400 && error.message.starts_with(why), "{error:?}");
    }
}
