//! What is sent, and what is not.

use std::sync::Arc;

use expect_test::{Expect, expect};
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::Secret;
use watchkeeper_api::object;

// The client's: one listener for the tests of both.
#[path = "../../../watchkeeper-client/tests/it/log.rs"]
mod log;
mod skew;

use super::*;
use crate::testing::{self, Server};

fn deployment() -> Arc<Deployment> {
    Arc::new(object!(Deployment {
        metadata: { name: "web", namespace: "shop", uid: "1", resource_version: "7" },
        spec: { replicas: 1, paused: true },
        status: { replicas: 1 },
    }))
}

/// Answers all requests with the deployment.
fn server() -> Server {
    let answer: Value = serde_json::from_slice(&to_vec(&*deployment())).expect("JSON");
    Server::new(move |_, _, _| Ok((200, answer.clone())))
}

fn sent(server: &Server, expected: Expect) {
    expected.assert_eq(&server.log().join("\n"));
}

#[tokio::test]
async fn an_edit_sends_the_difference_and_the_version_it_was_made_for() {
    let server = server();
    let (ctx, _sink) = testing::context(&server.client());
    let old = deployment();
    let edited = ctx.edit(&old, |deployment| {
        deployment.spec.replicas = Some(3);
        deployment.spec.paused = false;
        deployment.metadata.labels.insert("a", "b");
    });
    assert!(edited.await.unwrap().is_some());
    sent(
        &server,
        expect![[
            r#"PATCH /apis/apps/v1/namespaces/shop/deployments/web {"metadata":{"labels":{"a":"b"},"resourceVersion":"7"},"spec":{"paused":null,"replicas":3}}"#
        ]],
    );
}

#[tokio::test]
async fn a_status_is_sent_only_when_it_changes_and_apart_from_the_rest() {
    let server = server();
    let (ctx, _sink) = testing::context(&server.client());
    let old = deployment();
    let edited = ctx.edit_status(&old, |status| status.ready_replicas = 1);
    assert!(edited.await.unwrap().is_some());
    let same = ctx.edit_status(&old, |status| status.replicas = 1);
    assert!(same.await.unwrap().is_none());
    sent(
        &server,
        expect![[
            r#"PATCH /apis/apps/v1/namespaces/shop/deployments/web/status {"metadata":{"resourceVersion":"7"},"status":{"readyReplicas":1}}"#
        ]],
    );
}

#[tokio::test]
async fn what_an_edit_changes_is_told_at_debug_and_no_secret() {
    let server = server();
    let (ctx, _sink) = testing::context(&server.client());
    let log = log::Log::new();
    let old = deployment();
    ctx.edit(&old, |web| web.spec.replicas = Some(3)).await.unwrap();
    ctx.edit_status(&old, |status| status.ready_replicas = 1).await.unwrap();
    ctx.edit(&old, |_| {}).await.unwrap();
    let secret =
        object!(Secret { metadata: { name: "s", namespace: "shop" }, data: { "k": "hunter2" } });
    let _answered_with_a_deployment =
        ctx.edit(&secret, |secret| _ = secret.data.insert("k", "hunter3")).await;
    expect![[r#"
        DEBUG message=changes an object controller=test kind=deployments.apps key=shop/web changed=spec.replicas: 1 -> 3
        DEBUG message=changes an object controller=test kind=deployments.apps key=shop/web changed=readyReplicas: (absent) -> 1
        DEBUG message=changes an object controller=test kind=secrets key=shop/s changed=data.k: (redacted) -> (redacted)"#]]
    .assert_eq(&log.with("changes an object").join("\n"));
    assert!(log.with("hunter").is_empty());
}

#[tokio::test]
async fn nothing_is_sent_when_nothing_changed() {
    let server = server();
    let (ctx, _sink) = testing::context(&server.client());
    assert!(ctx.edit(&deployment(), |_| {}).await.unwrap().is_none());
    ctx.remove_finalizer(&deployment(), "example.com/a").await.unwrap();
    assert!(server.log().is_empty());
}

#[tokio::test]
async fn finalizers_are_added_and_removed_one_by_one() {
    let server = server();
    let (ctx, _sink) = testing::context(&server.client());
    let mut held = (*deployment()).clone();
    held.metadata.finalizers = ["a/b".into(), "c/d".into()].into();
    ctx.add_finalizer(&held, "a/b").await.unwrap();
    ctx.add_finalizer(&held, "e/f").await.unwrap();
    ctx.remove_finalizer(&held, "a/b").await.unwrap();
    sent(
        &server,
        expect![[r#"
            PATCH /apis/apps/v1/namespaces/shop/deployments/web {"metadata":{"finalizers":["a/b","c/d","e/f"],"resourceVersion":"7"}}
            PATCH /apis/apps/v1/namespaces/shop/deployments/web {"metadata":{"finalizers":["c/d"],"resourceVersion":"7"}}"#]],
    );
}

#[tokio::test]
async fn a_delete_means_this_very_object_and_may_come_late() {
    let gone = Server::new(|_, _, _| {
        Ok((404, json!({ "kind": "Status", "reason": "NotFound", "code": 404 })))
    });
    let (ctx, _sink) = testing::context(&gone.client());
    ctx.delete(&deployment()).await.unwrap();
    let log = gone.log();
    assert!(log[0].starts_with("DELETE /apis/apps/v1/namespaces/shop/deployments/web "));
    assert!(log[0].contains(r#""preconditions":{"uid":"1"}"#), "{log:?}");
}
