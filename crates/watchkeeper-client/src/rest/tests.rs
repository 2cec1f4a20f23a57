//! Paths, both ways.

use super::*;
use crate::body::BoxError;
use crate::{Body, Verb};

/// A service that is never called.
#[derive(Clone)]
struct Nobody;

impl tower_service::Service<http::Request<Body>> for Nobody {
    type Response = http::Response<Body>;
    type Error = BoxError;
    type Future = std::future::Pending<Result<Self::Response, BoxError>>;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), BoxError>> {
        std::task::Poll::Pending
    }

    fn call(&mut self, _: http::Request<Body>) -> Self::Future {
        std::future::pending()
    }
}

fn core() -> RestClient {
    Client::new(Nobody).rest_for("v1")
}

#[test]
fn a_request_is_put_together() {
    let apps = core().client().rest_for("apps/v1");
    let uri = |request: RestRequest| request.uri().unwrap();
    let pods = core().get().namespace("shop").resource("pods");
    assert_eq!(uri(pods.clone()), "/api/v1/namespaces/shop/pods");
    let log = pods.name("web-0").subresource("log").query("follow", true);
    assert_eq!(uri(log), "/api/v1/namespaces/shop/pods/web-0/log?follow=true");
    assert_eq!(uri(apps.get().resource("deployments")), "/apis/apps/v1/deployments");
    assert_eq!(uri(core().get().path("/readyz").query("verbose", "")), "/readyz?verbose=");
    assert_eq!(uri(core().client().rest().get()), "/");
    let proxy = "/api/v1/namespaces/a/services/web/proxy/";
    assert_eq!(uri(core().get().path(proxy).query("q", 1)), format!("{proxy}?q=1"));
    assert_eq!(uri(core().get().path(proxy).segment("path", "x")), format!("{proxy}x"));
    let proxy = core().get().namespace("a").resource("services").name("https:web:443");
    let proxy = proxy.subresource("proxy").segment("path", "a b").segment("path", "ü");
    assert_eq!(uri(proxy), "/api/v1/namespaces/a/services/https:web:443/proxy/a%20b/%C3%BC");
    let late = core().get().resource("pods").name("x").namespace("a");
    assert_eq!(uri(late), "/api/v1/namespaces/a/pods/x");
    let said = core().get().path("/x/?foo=b&c=1").query("foo", "a").query("timeout", 42);
    assert_eq!(uri(said), "/x/?foo=b&c=1&foo=a&timeout=42", "all of it, in its order");
}

#[test]
fn what_makes_no_request_is_told_and_not_sent() {
    let pods = || core().get().namespace("a").resource("pods");
    let said = |request: RestRequest| request.uri().unwrap_err().to_string();
    assert_eq!(said(pods().name("")), "list pods in a: the name is empty");
    assert!(said(pods().name("..")).ends_with("the name may not be \"..\""));
    assert!(said(pods().name("a/b")).ends_with("may not contain '/' or '%'"));
    for wrong in [".", "..", "a/b", "a%2fb"] {
        assert!(said(core().get().namespace(wrong)).contains("the namespace"), "{wrong}");
        assert!(said(core().get().resource(wrong)).contains("the resource"), "{wrong}");
        assert!(said(pods().name("x").subresource(wrong)).contains("the subresource"), "{wrong}");
    }
    assert!(said(core().get().path("readyz")).ends_with("does not start with '/'"));
    assert!(said(core().get().path("/a b")).ends_with("\"/a b\" is no path"));
    let secret = said(core().get().header("authorization", "Bearer s3\ncret"));
    assert!(secret.contains("authorization") && !secret.contains("cret"), "{secret}");
}

/// It would be a request for something else.
#[test]
fn what_is_said_twice_is_told_and_the_first_mistake_stays() {
    let pod = || core().get().namespace("a").resource("pods").name("x").subresource("log");
    let said = |request: RestRequest| request.uri().unwrap_err().to_string();
    assert!(said(pod().namespace("b")).ends_with("the namespace is said twice"));
    assert!(said(pod().resource("nodes")).ends_with("the resource is said twice"));
    assert!(said(pod().name("y")).ends_with("the name is said twice"));
    assert!(said(pod().subresource("status")).ends_with("the subresource is said twice"));
    let wrong = pod().name("y").path("readyz").namespace("..");
    assert!(said(wrong).ends_with("the name is said twice"));
}

#[test]
fn a_path_tells_what_it_is_about() {
    let told = |path: &str| {
        Info::of(path)
            .map(|i| [i.group, i.version, i.namespace, i.resource, i.name, i.subresource].join(" "))
    };
    let is = |text: &str| Some(text.to_owned());
    assert_eq!(told("/api/v1/pods?watch=true"), is(" v1  pods  "));
    assert_eq!(told("/api/v1/namespaces/a/pods/x/log"), is(" v1 a pods x log"));
    assert_eq!(told("/apis/apps/v1/namespaces/a/deployments"), is("apps v1 a deployments  "));
    assert_eq!(told("/api/v1/namespaces/a"), is(" v1  namespaces a "));
    assert_eq!(told("/api/v1/namespaces/a/finalize"), is(" v1  namespaces a finalize"));
    assert_eq!(told("/api/v1/nodes/n/status"), is(" v1  nodes n status"));
    for path in ["", "/", "/version", "/api", "/api/v1", "/apis/apps", "/apis/apps/v1"] {
        assert_eq!(told(path), None, "{path}");
    }
}

#[test]
fn a_method_and_a_path_are_a_verb() {
    let verb = |method: Method, path: &str| Info::of(path).unwrap().verb(&method, path);
    assert_eq!(verb(Method::GET, "/api/v1/pods"), Verb::List);
    assert_eq!(verb(Method::GET, "/api/v1/pods?watch=true"), Verb::Watch);
    assert_eq!(verb(Method::GET, "/api/v1/nodes/n"), Verb::Get);
    assert_eq!(verb(Method::DELETE, "/api/v1/nodes"), Verb::DeleteCollection);
    assert_eq!(verb(Method::DELETE, "/api/v1/nodes/n"), Verb::Delete);
    assert_eq!(verb(Method::PATCH, "/api/v1/nodes/n"), Verb::Patch);
}
