use std::time::Duration;

use bytes::Bytes;
use serde_json::{Value, json};

use super::{
    Answered, Asking, CallError, Known, OutgoingCall, Question, Session, Subject, Topic, joined,
};
use crate::clock::Now;

#[test]
fn the_path_of_a_url_is_joined_as_client_go_does() {
    for (url, wanted) in [
        ("https://a.test:1//check/", "https://a.test:1/check"),
        ("https://a.test/x/./y/../z", "https://a.test/x/z"),
        ("https://a.test", "https://a.test/"),
        ("https://a.test/..", "https://a.test/"),
        ("https://[::1]:8/x", "https://[::1]:8/x"),
        ("a.test/x//y", "a.test/x/y"),
    ] {
        assert_eq!(joined(url), wanted);
    }
}

fn call(config: &Value) -> Option<OutgoingCall> {
    OutgoingCall::new(config, Duration::from_secs(3), &json!({"secret": 1}))
}

#[test]
fn who_is_meant_has_an_address() {
    let service = |more: &Value| {
        let mut service = json!({"namespace": "a", "name": "b"});
        for (name, value) in more.as_object().expect("members") {
            service[name] = value.clone();
        }
        json!({"service": service, "url": "https://not.test"})
    };
    for (config, address, port) in [
        (json!({"url": "https://a.test/x"}), "https://a.test/x?timeout=3s", None),
        (service(&json!({})), "https://b.a.svc:443/?timeout=3s", Some(443)),
        (
            service(&json!({"port": 8443, "path": "/x/y"})),
            "https://b.a.svc:8443/x/y?timeout=3s",
            Some(8443),
        ),
        (service(&json!({"port": 70_000})), "https://b.a.svc:443/?timeout=3s", Some(443)),
    ] {
        let call = call(&config).expect("a call");
        let meant = port.map(|port| ("a".to_owned(), "b".to_owned(), port));
        assert_eq!((&*call.address(), call.service), (address, meant), "{config}");
        assert_eq!(call.body, Bytes::from_static(b"{\"secret\":1}"));
    }
    assert_eq!(call(&json!({})), None);
    assert_eq!(call(&json!({"url": ""})), None);
    let trusted = call(&json!({"url": "https://a.test", "caBundle": "eA=="})).expect("a call");
    assert_eq!(trusted.ca_bundle, b"x");
}

fn topic(hook: &str) -> Topic {
    Topic { hook: hook.to_owned(), round: 1, request: json!({"secret": 2}) }
}

fn asking(known: Known, seconds: &[u64]) -> (Asking, Vec<OutgoingCall>) {
    let questions = seconds.iter().map(|seconds| {
        let mut call = call(&json!({"url": "https://a.test/x"})).expect("a call");
        call.timeout = Duration::from_secs(*seconds);
        let uid = format!("of {seconds}");
        Question { subject: Subject::Admission(topic("h")), uid, call }
    });
    let session = Session { began: Now::default(), rng: None, known };
    Asking::new(session, questions.collect(), Now(Duration::from_secs(100)))
}

fn answered() -> Answered {
    let answer = Ok(Bytes::from_static(b"secret 3"));
    Answered { topic: topic("h"), uid: "u".to_owned(), answer }
}

#[test]
fn a_request_waits_until_all_have_answered() {
    let known = Known { answers: vec![answered()], ..Known::default() };
    let (mut asking, calls) = asking(known, &[5, 3]);
    let ids: Vec<u64> = calls.iter().map(|call| call.id).collect();
    assert_eq!(ids, [1, 2], "those of earlier tries have numbers");
    assert_eq!(asking.deadline(), Some(Now(Duration::from_secs(103))));
    asking.answer(7, Ok(Bytes::new()));
    assert!(!asking.is_complete());
    asking.answer(2, Ok(Bytes::from_static(b"yes")));
    assert!(!asking.is_complete());
    assert_eq!(asking.deadline(), Some(Now(Duration::from_secs(105))));
    asking.answer(1, Err(CallError("no".to_owned())));
    assert!(asking.is_complete());
    assert_eq!(asking.deadline(), None);
    let answers = asking.into_session().known.answers;
    let told: Vec<_> = answers.iter().map(|one| (&*one.uid, one.answer.is_ok())).collect();
    assert_eq!(told, [("u", true), ("of 3", true), ("of 5", false)]);
}

#[test]
fn who_takes_too_long_is_given_up_at_the_last_moment() {
    let (mut asking, _) = asking(Known::default(), &[5, 3]);
    asking.give_up(Now(Duration::from_millis(102_999)));
    assert_eq!(asking.deadline(), Some(Now(Duration::from_secs(103))));
    asking.give_up(Now(Duration::from_secs(103)));
    assert_eq!(asking.deadline(), Some(Now(Duration::from_secs(105))));
    assert!(!asking.is_complete());
    let why = "Post \"https://a.test/x?timeout=3s\": context deadline exceeded";
    let answers = asking.into_session().known.answers;
    assert_eq!(answers[0].answer, Err(CallError(why.to_owned())));
}

/// What is asked and answered may hold a secret.
#[test]
fn what_is_shown_of_a_question_is_no_secret() {
    let call = call(&json!({"url": "https://a.test"})).expect("a call");
    assert_eq!(format!("{call:?}"), "OutgoingCall(0, https://a.test, 12 bytes)");
    assert_eq!(format!("{:?}", answered()), "Answered(Topic(h, 1), u)");
}
