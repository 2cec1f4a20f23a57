//! The rules of sending again, one line each.

use http::HeaderValue;

use super::*;
use crate::request::Verb;

fn call(verb: Verb, method: Method, idempotent: bool) -> Call {
    let mut call = Call::raw("/", "application/json");
    (call.verb, call.method, call.idempotent) = (verb, method, idempotent);
    call
}

fn get() -> Call {
    call(Verb::Get, Method::GET, true)
}

fn create() -> Call {
    call(Verb::Create, Method::POST, false)
}

fn answered(call: &Call, status: u16, retry_after: Option<&'static str>) -> Option<u64> {
    let mut headers = HeaderMap::new();
    if let Some(text) = retry_after {
        headers.insert(header::RETRY_AFTER, HeaderValue::from_static(text));
    }
    let status = StatusCode::from_u16(status).unwrap();
    let attempt = Attempt::Refused { status, headers: &headers };
    Retries::new(10).after(call, &attempt).map(|wait| wait.as_secs())
}

fn broken(call: &Call, kind: io::ErrorKind) -> Option<u64> {
    let error: BoxError = io::Error::from(kind).into();
    Retries::new(10).after(call, &Attempt::Broken(&error)).map(|wait| wait.as_secs())
}

#[test]
fn the_server_says_when() {
    assert_eq!(answered(&get(), 429, Some("3")), Some(3));
    assert_eq!(answered(&get(), 500, Some("0")), Some(0));
    assert_eq!(answered(&get(), 429, None), None);
    assert_eq!(answered(&get(), 503, Some("tomorrow")), None);
    assert_eq!(answered(&get(), 409, Some("1")), None);
}

#[test]
fn what_may_have_happened_is_not_repeated() {
    assert_eq!(answered(&create(), 429, Some("1")), Some(1), "never executed");
    assert_eq!(answered(&create(), 503, Some("1")), None);
    let update = call(Verb::Update, Method::PUT, true);
    assert_eq!(answered(&update, 503, Some("1")), Some(1));
    assert_eq!(broken(&update, io::ErrorKind::ConnectionReset), None);
}

#[test]
fn a_lost_connection_repeats_reads() {
    assert_eq!(broken(&get(), io::ErrorKind::ConnectionReset), Some(1));
    assert_eq!(broken(&get(), io::ErrorKind::UnexpectedEof), Some(1));
    assert_eq!(broken(&get(), io::ErrorKind::ConnectionRefused), None);
}

#[test]
fn ten_times_and_no_more() {
    let mut retries = Retries::new(10);
    let error: BoxError = io::Error::from(io::ErrorKind::ConnectionReset).into();
    let tries = std::iter::from_fn(|| retries.after(&get(), &Attempt::Broken(&error))).take(99);
    assert_eq!(tries.count(), 10);
    assert!(retries.ambiguous);
}
