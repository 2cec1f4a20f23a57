use http::Method;

use super::{bootstrap, check_watch_path, verb};
use crate::registry::builtin;
use crate::request::Call;
use crate::request::query::Query;

fn call(method: &Method, path: &str) -> Call {
    let pods = builtin("", "v1", "Pod").expect("pods");
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let (watch, path) = path.strip_prefix("watch/").map_or((false, path), |path| (true, path));
    let (name, subresource) = path.split_once('/').unwrap_or((path, ""));
    let mut call = bootstrap::own_call(method.clone(), pods, "a", name);
    subresource.clone_into(&mut call.subresource);
    call.watch_path = watch;
    call.query = Query::parse(query);
    call
}

#[test]
fn requests_have_the_verbs_of_rbac() {
    for (method, path, expected) in [
        (Method::GET, "", "list"),
        (Method::GET, "?watch=1", "watch"),
        (Method::GET, "?watch=false", "list"),
        (Method::GET, "watch/", "watch"),
        (Method::GET, "x", "get"),
        (Method::GET, "x?watch=1", "get"),
        (Method::GET, "watch/x", "watch"),
        (Method::GET, "x/status", "get"),
        (Method::GET, "watch/x/status", "get"),
        (Method::POST, "", "create"),
        (Method::POST, "x/eviction", "create"),
        (Method::POST, "x", ""),
        (Method::PUT, "x", "update"),
        (Method::PUT, "", ""),
        (Method::PATCH, "x", "patch"),
        (Method::PATCH, "", ""),
        (Method::DELETE, "", "deletecollection"),
        (Method::DELETE, "x", "delete"),
        (Method::HEAD, "x", ""),
    ] {
        assert_eq!(verb(&call(&method, path)), expected, "{method} {path}");
    }
}

#[test]
fn below_the_path_of_watches_there_are_watches_only() {
    for (method, path, code) in [
        (Method::GET, "watch/x", None),
        (Method::POST, "x/eviction", None),
        (Method::DELETE, "watch/x", Some(405)),
        (Method::GET, "watch/x/status", Some(404)),
        (Method::POST, "watch/x/eviction", Some(404)),
    ] {
        let refused = check_watch_path(&call(&method, path)).err().map(|error| error.code);
        assert_eq!(refused, code, "{method} {path}");
    }
}

#[test]
fn of_a_request_neither_headers_nor_body_are_printed() {
    let mut call = call(&Method::PUT, "x/status");
    call.headers.insert("authorization", http::HeaderValue::from_static("Bearer hunter2"));
    call.body = bytes::Bytes::from_static(b"hunter2");
    assert_eq!(format!("{call:?}"), "Call(PUT pods a/x status, 7 bytes)");
}
