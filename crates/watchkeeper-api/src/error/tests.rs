//! What errors say and answer.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use super::{Error, Subject, Why};
use crate::meta::v1::Status;
use crate::registry::Registry;
use crate::selector::Selector;
use crate::{List, ObjectKey, Quantity, Span, Time, json, object};

fn answered(status: Status) -> Error {
    Error::from_status(Subject::new("update", "deployments.apps").of("shop", "web"), status)
}

#[test]
fn the_reason_decides_and_the_code_fills_in() {
    let conflict = answered(object!(Status { code: 409, reason: "Conflict" }));
    assert!(conflict.is_conflict() && !conflict.is_already_exists() && !conflict.is_retryable());
    let exists = answered(object!(Status { code: 409, reason: "AlreadyExists" }));
    assert!(exists.is_already_exists() && !exists.is_conflict());
    let unknown = answered(object!(Status { code: 404, reason: "Weird" }));
    assert!(unknown.is_not_found());
    for reason in ["Expired", "Gone"] {
        assert!(answered(object!(Status { code: 410, reason: reason })).is_gone());
    }
    let overloaded = answered(object!(Status {
        code: 429,
        reason: "TooManyRequests",
        details: { retry_after_seconds: 3 },
    }));
    assert!(overloaded.is_too_many_requests() && overloaded.is_retryable());
    assert_eq!(overloaded.retry_after(), Some(Duration::from_secs(3)));
    let timeout = Error::timeout(Subject::new("list", "pods"), Duration::from_secs(30));
    assert!(timeout.is_timeout() && timeout.is_retryable() && timeout.status().is_none());
}

#[test]
fn errors_name_the_call() {
    let message = |error: Error| error.to_string();
    let status = object!(Status { message: "the object has been modified" });
    assert_eq!(
        message(answered(status)),
        "update deployments.apps shop/web: the object has been modified"
    );
    let silent = object!(Status {
        code: 422,
        reason: "Invalid",
        details: { causes: [{ field: "spec.x", message: "must not be" }] },
    });
    assert_eq!(
        message(answered(silent)),
        "update deployments.apps shop/web: the server answered 422 Invalid; spec.x: must not be"
    );
    let list = Subject::new("list", "pods");
    let late = Error::timeout(list.clone().of("shop", ""), Duration::from_secs(30));
    assert_eq!(message(late), "list pods in shop: no answer within 30s");
    let refused = Error::transport(
        list.clone(),
        io::Error::other(Box::<dyn StdError + Send + Sync>::from("refused")),
    );
    assert_eq!(message(refused), "list pods: refused");
    let read = json::from_str::<List<i32>>("[true]").unwrap_err();
    assert_eq!(
        message(Error::decode(list, read)),
        "list pods: the answer cannot be read: [0]: expected a number, found a boolean (at byte 1)"
    );
    assert_eq!(message(Error::other("no kubeconfig")), "no kubeconfig");
}

#[test]
fn the_reason_survives_wrapping() {
    let conflict = || answered(object!(Status { code: 409, reason: "Conflict" }));
    assert!(Why::of(&conflict()).is_some_and(Why::is_conflict));
    let wrapped = io::Error::other(io::Error::other(conflict()));
    assert!(Why::of(&wrapped).is_some_and(Why::is_conflict));
    let boxed: Box<dyn StdError + Send + Sync> = conflict().into();
    assert!(Why::of(&*boxed).is_some_and(Why::is_conflict));
    assert!(Why::of(&io::Error::other("x")).is_none());
}

#[test]
fn each_reason_has_its_question_and_only_that() {
    type Question = fn(&Error) -> bool;
    let questions: [(i32, &str, Question); 15] = [
        (400, "BadRequest", Error::is_bad_request),
        (401, "Unauthorized", Error::is_unauthorized),
        (403, "Forbidden", Error::is_forbidden),
        (404, "NotFound", Error::is_not_found),
        (405, "MethodNotAllowed", Error::is_method_not_supported),
        (406, "NotAcceptable", Error::is_not_acceptable),
        (409, "AlreadyExists", Error::is_already_exists),
        (409, "Conflict", Error::is_conflict),
        (410, "Expired", Error::is_gone),
        (413, "RequestEntityTooLarge", Error::is_request_too_large),
        (415, "UnsupportedMediaType", Error::is_unsupported_media_type),
        (422, "Invalid", Error::is_invalid),
        (429, "TooManyRequests", Error::is_too_many_requests),
        (500, "InternalError", Error::is_internal_error),
        (503, "ServiceUnavailable", Error::is_service_unavailable),
    ];
    for (code, reason, _) in questions {
        let error = answered(object!(Status { code: code, reason: reason }));
        let yes: Vec<&str> = questions
            .iter()
            .filter(|(_, _, asks)| asks(&error))
            .map(|(_, reason, _)| *reason)
            .collect();
        assert_eq!(yes, [reason]);
    }
    // Of an answer without a reason that we know the code decides; 409 may be either.
    for (code, _, asks) in questions.iter().filter(|(_, reason, _)| *reason != "AlreadyExists") {
        assert!(asks(&answered(object!(Status { code: *code }))), "{code}");
    }
}

#[test]
fn what_is_no_key_selector_or_quantity_becomes_an_error_by_itself() {
    let text = "a/b/c{,";
    let errors = [
        text.parse::<ObjectKey>().err().map(Error::from),
        text.parse::<Selector>().err().map(Error::from),
        Quantity::from(text).amount().err().map(Error::from),
        text.parse::<Time>().err().map(Error::from),
        text.parse::<Span>().err().map(Error::from),
        Registry::new().read(text).err().map(Error::from),
        json::from_str::<List<i32>>(text).err().map(Error::from),
    ];
    for (index, error) in errors.into_iter().enumerate() {
        let error = error.unwrap_or_else(|| panic!("{index} was read"));
        assert!(error.subject().is_none() && !error.to_string().is_empty(), "{index}");
    }
    let error = Error::from(json::from_str::<List<i32>>("[true]").unwrap_err());
    assert_eq!(error.to_string(), "[0]: expected a number, found a boolean (at byte 1)");
    assert!(error.is_decode());
}

#[test]
fn what_is_not_known_yet_may_be_asked_again() {
    let error = Error::from(Why::NotYet("the copy of pods is behind".into()));
    assert!(error.is_retryable() && !error.is_transport() && !error.is_not_found());
    assert_eq!(error.to_string(), "the copy of pods is behind");
    let why = error.source().and_then(StdError::source).map(ToString::to_string);
    assert_eq!(why.as_deref(), Some("the copy of pods is behind"));
}

#[test]
fn a_name_does_not_break_a_line() {
    let subject =
        |namespace, name| Subject::new("list", "configmaps").of(namespace, name).to_string();
    assert_eq!(subject("shop", "web"), "list configmaps shop/web");
    assert_eq!(subject("", "a\nb\u{85}"), r"list configmaps a\nb\u{85}");
    assert_eq!(subject("a\r", ""), r"list configmaps in a\r");
}
