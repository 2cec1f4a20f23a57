//! What errors say and answer.

use std::error::Error as StdError;
use std::io;
use std::time::Duration;

use super::{Error, Subject, Why};
use crate::meta::v1::Status;
use crate::{List, json, object};

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
