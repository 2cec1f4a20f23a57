//! What is made of answers that are no success.

use http::Response;
use serde_json::{Value, json};
use watchkeeper_api::object;

use super::*;

fn status(method: &Method, code: u16, body: &[u8]) -> Box<Status> {
    let (head, ()) = Response::builder().status(code).body(()).unwrap().into_parts();
    match Why::refused(method, &head, body) {
        Why::Refused(status) => status,
        other => panic!("{other:?}"),
    }
}

fn reason(method: &Method, code: u16, body: &[u8]) -> (i32, String) {
    let status = status(method, code, body);
    (status.code, status.reason.to_string())
}

#[test]
fn an_answer_without_a_status_is_told_by_its_code() {
    for (code, expected) in [
        (199, "Unknown"),
        (301, "Unknown"),
        (400, "BadRequest"),
        (401, "Unauthorized"),
        (403, "Forbidden"),
        (404, "NotFound"),
        (405, "MethodNotAllowed"),
        (406, "NotAcceptable"),
        (409, "Conflict"),
        (410, "Gone"),
        (413, "RequestEntityTooLarge"),
        (415, "UnsupportedMediaType"),
        (422, "Invalid"),
        (429, "TooManyRequests"),
        (500, "InternalError"),
        (502, "InternalError"),
        (503, "ServiceUnavailable"),
        (504, "Timeout"),
    ] {
        for body in ["", "aaaaa", "{}", "null", "[1]", "k8s\0aaaaa"] {
            let found = reason(&Method::GET, code, body.as_bytes());
            assert_eq!(found, (code.into(), expected.to_owned()), "{body:?}");
        }
    }
    assert_eq!(reason(&Method::POST, 409, b"").1, "AlreadyExists");
    assert_eq!(reason(&Method::PUT, 409, b"").1, "Conflict");
}

/// Whoever is told 404 may take an object for gone.
#[test]
fn only_a_failure_that_is_called_a_status_is_believed() {
    let bad = |body: &Value| reason(&Method::GET, 503, body.to_string().as_bytes());
    let answered = (503, "ServiceUnavailable".to_owned());
    for body in [
        json!({ "code": 404, "message": "no healthy upstream" }),
        json!({ "status": "Failure", "code": 404, "reason": "NotFound" }),
        json!({ "kind": "Error", "status": "Failure", "code": 404, "reason": "NotFound" }),
        json!({ "kind": "Status", "apiVersion": "v1", "status": "Success", "code": 404 }),
        json!({ "kind": "Status", "apiVersion": "v1", "status": "Failure" }),
    ] {
        assert_eq!(bad(&body), answered, "{body}");
    }
    let found = json!({ "kind": "Status", "status": "Failure", "code": 404, "reason": "NotFound" });
    assert_eq!(bad(&found), (404, "NotFound".to_owned()));
    let failure = object!(Status { status: "Failure", code: 404, reason: "NotFound" });
    assert_eq!(reason(&Method::GET, 503, &pb::to_body(&failure)).1, "NotFound");
    let without = json!({ "kind": "Status", "status": "Failure", "reason": "Unauthorized" });
    assert_eq!(
        reason(&Method::GET, 401, without.to_string().as_bytes()),
        (401, "Unauthorized".to_owned()),
        "a code that the Status leaves out is that of the answer"
    );
}

/// The class of the error is the server's, and so are its first words.
#[test]
fn a_hint_stands_behind_what_the_server_says() {
    let text = |body: &[u8]| {
        let (mut head, ()) = Response::builder().status(401).body(()).unwrap().into_parts();
        head.extensions.insert(Hint::new("renew it"));
        let error =
            Why::refused(&Method::GET, &head, body).into_error(&Subject::new("get", "pods"));
        assert!(error.is_unauthorized());
        error.to_string()
    };
    let said = json!({
        "kind": "Status", "status": "Failure", "code": 401, "reason": "Unauthorized", "message": "who?",
    });
    assert_eq!(text(said.to_string().as_bytes()), "get pods: who?; renew it");
    let silent = json!({ "kind": "Status", "status": "Failure", "code": 401 });
    assert_eq!(text(silent.to_string().as_bytes()), "get pods: the server answered 401; renew it");
    let none = "get pods: the server answered 401 Unauthorized without a Status; renew it";
    assert_eq!(text(b""), none);
}
