//! What is asked, as it goes over the wire.

use expect_test::{Expect, expect};
use serde_json::json;
use watchkeeper_api::json as text;
use watchkeeper_api::meta;

use super::*;
use crate::Client;
use crate::options::{Propagation, VersionMatch};

static DEPLOYMENT: Kind = Kind::new("apps", "v1", "Deployment", "deployments", Scope::Namespaced);
static POD: Kind = Kind::new("", "v1", "Pod", "pods", Scope::Namespaced);
static NODE: Kind = Kind::new("", "v1", "Node", "nodes", Scope::Cluster);

fn pods(namespace: &str) -> Target<'_> {
    Target::collection(&POD, namespace)
}

fn web() -> Target<'static> {
    Target::object(&DEPLOYMENT, "shop", "web").unwrap()
}

#[expect(clippy::needless_pass_by_value, reason = "an expectation is used once")]
fn check(call: &Call, expected: Expect) {
    let mut text = format!("{} {}", call.method, call.uri);
    if let Some(content_type) = &call.content_type {
        text += &format!("\n{content_type}\n{}", String::from_utf8_lossy(&call.body));
    }
    expected.assert_eq(&text);
}

#[test]
fn reads() {
    check(&Call::get(&web()), expect!["GET /apis/apps/v1/namespaces/shop/deployments/web"]);
    let node = Target::object(&NODE, "", "n1").unwrap();
    check(&Call::get(&node.sub("status")), expect!["GET /api/v1/nodes/n1/status"]);
    check(&Call::list(&pods(""), &ListOptions::default()), expect!["GET /api/v1/pods"]);
    let options = ListOptions {
        continue_: "a/b=".to_owned(),
        version_match: Some(VersionMatch::NotOlderThan),
        ..ListOptions::default()
            .labels("app in (a,b)")
            .fields("spec.nodeName!=x")
            .limit(500)
            .any_version()
    };
    check(
        &Call::list(&pods("a"), &options),
        expect![
            "GET /api/v1/namespaces/a/pods?labelSelector=app%20in%20%28a%2Cb%29&fieldSelector=spec.nodeName%21%3Dx&resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=500&continue=a%2Fb%3D"
        ],
    );
}

#[test]
fn watches() {
    check(
        &Call::watch(&pods("a"), &WatchOptions::since("7")),
        expect![
            "GET /api/v1/namespaces/a/pods?watch=true&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=290"
        ],
    );
    let options = WatchOptions { send_initial_events: true, ..WatchOptions::default() };
    check(
        &Call::watch(&pods(""), &options),
        expect![
            "GET /api/v1/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=290"
        ],
    );
}

#[test]
fn writes() {
    let options = WriteOptions::dry_run().strict();
    let call = Call::write(Verb::Create, &pods("a"), b"{}".to_vec(), &options, Some("me"));
    check(
        &call,
        expect![[r#"
            POST /api/v1/namespaces/a/pods?dryRun=All&fieldManager=me&fieldValidation=Strict
            application/json
            {}"#]],
    );
    let status = web().sub("status");
    let options = WriteOptions::default().field_manager("a b");
    check(
        &Call::write(Verb::Update, &status, b"{}".to_vec(), &options, Some("me")),
        expect![[r#"
            PUT /apis/apps/v1/namespaces/shop/deployments/web/status?fieldManager=a%20b
            application/json
            {}"#]],
    );
}

#[test]
fn patches() {
    let options = WriteOptions::default();
    let change = json!({ "spec": { "replicas": 2 } });
    check(
        &Call::patch(&web(), &Patch::merge(&change), &options, None),
        expect![[r#"
            PATCH /apis/apps/v1/namespaces/shop/deployments/web
            application/merge-patch+json
            {"spec":{"replicas":2}}"#]],
    );
    check(
        &Call::patch(&web(), &Patch::strategic(&change), &options, None),
        expect![[r#"
            PATCH /apis/apps/v1/namespaces/shop/deployments/web
            application/strategic-merge-patch+json
            {"spec":{"replicas":2}}"#]],
    );
    let operations = json!([{ "op": "remove", "path": "/spec/paused" }]);
    check(
        &Call::patch(&web(), &Patch::json(&operations), &options, None),
        expect![[r#"
            PATCH /apis/apps/v1/namespaces/shop/deployments/web
            application/json-patch+json
            [{"op":"remove","path":"/spec/paused"}]"#]],
    );
    check(
        &apply(&web(), b"{}".to_vec(), &ApplyOptions::forced(), "me"),
        expect![[r#"
            PATCH /apis/apps/v1/namespaces/shop/deployments/web?fieldManager=me&force=true
            application/apply-patch+yaml
            {}"#]],
    );
}

#[test]
fn deletes() {
    check(
        &Call::delete(&web(), &DeleteOptions::default(), false),
        expect!["DELETE /apis/apps/v1/namespaces/shop/deployments/web"],
    );
    let mut options = DeleteOptions::only("u").propagation(Propagation::Foreground).grace_period(0);
    (options.dry_run, options.resource_version) = (true, Some("7".to_owned()));
    check(
        &Call::delete(&web(), &options, false),
        expect![[r#"
            DELETE /apis/apps/v1/namespaces/shop/deployments/web
            application/json
            {"apiVersion":"v1","dryRun":["All"],"gracePeriodSeconds":0,"kind":"DeleteOptions","preconditions":{"resourceVersion":"7","uid":"u"},"propagationPolicy":"Foreground"}"#]],
    );
    let message = Call::delete(&web(), &options, true);
    assert_eq!(message.content_type.as_deref(), Some(pb::CONTENT_TYPE));
    let said: meta::v1::DeleteOptions = pb::from_body(&message.body).unwrap();
    assert_eq!(text::from_slice(&options.body().unwrap()), Ok(said));
    let nothing = Call::delete(&web(), &DeleteOptions::default(), true);
    assert_eq!((nothing.body.len(), nothing.content_type), (0, None));
    let which = ListOptions::default().labels("app=web");
    check(
        &Call::delete_collection(&pods("a"), &DeleteOptions::default(), &which, false),
        expect!["DELETE /api/v1/namespaces/a/pods?labelSelector=app%3Dweb"],
    );
}

#[test]
fn what_cannot_be_a_path_is_not_sent() {
    let wrong = [
        (&POD, "a", "", "the name is empty"),
        (&POD, "a", "..", "the name may not be \"..\""),
        (&POD, "a", "x/status", "the name \"x/status\" may not contain '/' or '%'"),
        (&POD, "a/b", "x", "the namespace \"a/b\" may not contain '/' or '%'"),
        (&POD, "", "x", "pods are namespaced: say which namespace"),
        (&NODE, "a", "x", "nodes are cluster-scoped and have no namespace"),
    ];
    for (kind, namespace, name, why) in wrong {
        assert_eq!(Target::object(kind, namespace, name).unwrap_err(), why);
    }
}

#[test]
fn bodies_are_not_shown() {
    let secret = json!({ "data": { "password": "hunter2" } });
    let call = Call::patch(&web(), &Patch::merge(&secret), &WriteOptions::default(), None);
    assert!(!format!("{call:?}{:?}", Patch::merge(&secret)).contains("hunter2"));
    assert_eq!(format!("{:?}", Body::from("hunter2")), "Body(7 bytes)");
}

#[test]
fn metadata_alone_is_asked_for_by_what_is_accepted() {
    let list = Call::list(&pods(""), &ListOptions::default()).metadata_only();
    assert_eq!(list.accept, "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
    let watch = Call::watch(&pods(""), &WatchOptions::default()).metadata_only();
    assert_eq!(watch.accept, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
}

#[test]
fn each_request_says_who_calls_and_what_it_takes() {
    let list = Call::list(&pods("a"), &ListOptions::default()).protobuf();
    let mut write =
        Call::write(Verb::Create, &pods("a"), b"{}".to_vec(), &WriteOptions::default(), None);
    write.headers.append("x-gateway", HeaderValue::from_static("east"));
    let headers = |call: &Call| {
        let request = call.request(&HeaderValue::from_static("me/1")).unwrap();
        let lines = request.headers().iter();
        lines
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect::<Vec<_>>()
    };
    let (agent, plain) = ("user-agent: me/1".to_owned(), "accept-encoding: identity".to_owned());
    let accept = format!("accept: {}", pb::ACCEPT);
    assert_eq!(headers(&list), [accept, agent.clone(), plain.clone()]);
    let [accept, sent] = ["accept", "content-type"].map(|name| format!("{name}: application/json"));
    assert_eq!(headers(&write), [accept, agent, sent, plain, "x-gateway: east".to_owned()]);

    let agent = |client: Client| client.settings.user_agent.clone();
    let unnamed = concat!("watchkeeper/", env!("CARGO_PKG_VERSION"));
    assert_eq!(agent(Client::unconnected()), unnamed);
    assert_eq!(agent(Client::unconnected().user_agent("my\nprogram/1")), "my_program/1");
}
