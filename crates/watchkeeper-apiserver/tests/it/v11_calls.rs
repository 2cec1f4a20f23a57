//! V11: what becomes of writes while webhooks are asked, and of those whose webhooks do not answer.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use watchkeeper_apiserver::admission::{Review, Reviewed};

use crate::support::*;
use crate::v11_webhooks::*;

/// A webhook that takes its time.
fn slow(client: &Client, name: &str, seconds: u64) -> Seen {
    let seen = Seen::default();
    let notes = seen.clone();
    client.server.on_webhook(address(name), move |review| {
        notes.push(&review);
        async move {
            sleep(Duration::from_secs(seconds)).await;
            review.allow()
        }
    });
    seen
}

fn failed(name: &str, why: &str) -> String {
    format!(
        "500 InternalError: Internal error occurred: failed calling webhook \"{name}.hooks.test\": \
         {why}"
    )
}

#[tokio::test(start_paused = true)]
async fn v11_1_who_takes_too_long_is_given_up() {
    let client = client();
    slow(&client, "a", 5);
    configure(&client, MUTATING, "a", &[hook("a", &json!({"timeoutSeconds": 3}))]).await;
    let began = Instant::now();
    let answer = client.post(CONFIG_MAPS, &map("x")).await;
    assert_eq!(began.elapsed(), Duration::from_secs(3));
    let post = "Post \"https://hooks.test/a?timeout=3s\"";
    let why = format!("failed to call webhook: {post}: context deadline exceeded");
    assert_eq!(answer.line(), failed("a", &why));
    let cause = &answer.json()["details"]["causes"][0]["message"];
    assert_eq!(*cause, format!("failed calling webhook \"a.hooks.test\": {why}"));
    // Ten seconds unless told.
    configure(&client, VALIDATING, "b", &[hook("b", &json!({"timeoutSeconds": 30}))]).await;
    client.delete(&format!("{MUTATING}/a")).await.expect(200);
    slow(&client, "b", 9);
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v11_1_failures_are_forgiven_where_the_policy_says_so() {
    let client = client();
    answer(&client, "a", |_| {
        Reviewed::failed("dial tcp 10.0.0.1:443: connect: connection refused")
    });
    let ignore = json!({"failurePolicy": "Ignore"});
    configure(&client, MUTATING, "a", &[hook("a", &ignore)]).await;
    configure(&client, VALIDATING, "a", &[hook("a", &ignore)]).await;
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    let told: Vec<String> =
        client.server.audit_annotations().into_iter().map(|one| one.annotation).collect();
    assert_eq!(
        told,
        [
            "failed-open.mutation.webhook.admission.k8s.io/round_0_index_0",
            "failed-open.validating.webhook.admission.k8s.io/round_0_index_0",
        ]
    );
    configure(&client, VALIDATING, "b", &[hook("a", &json!({}))]).await;
    let why = "failed to call webhook: Post \"https://hooks.test/a?timeout=10s\": dial tcp \
               10.0.0.1:443: connect: connection refused";
    assert_eq!(client.post(CONFIG_MAPS, &map("y")).await.line(), failed("a", why));
    // A refusal is no failure.
    answer(&client, "a", |review| review.deny("no"));
    assert_eq!(client.post(CONFIG_MAPS, &map("y")).await.code, 400);
}

#[tokio::test(start_paused = true)]
async fn v11_1_answers_that_are_none_are_told_as_upstream_tells_them() {
    let client = client();
    answer(&client, "a", |review| {
        let uid = review.request()["uid"].clone();
        let say = |response: Value| {
            Reviewed::raw(json!({
                "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1",
                "response": response,
            }))
        };
        match review.object()["metadata"]["name"].as_str().unwrap_or_default() {
            "absent" => say(Value::Null),
            "uid" => say(json!({"uid": "other", "allowed": true})),
            "old" => Reviewed::raw(json!({
                "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1beta2",
                "response": {"uid": uid, "allowed": true},
            })),
            "untyped" => say(json!({"uid": uid, "allowed": true, "patch": "W10="})),
            "nopatch" => say(json!({"uid": uid, "allowed": true, "patchType": "JSONPatch"})),
            "merge" => say(json!({
                "uid": uid, "allowed": true, "patchType": "Merge",
                "patch": "W3sib3AiOiJyZW1vdmUiLCJwYXRoIjoiL2RhdGEifV0=",
            })),
            "object" => say(json!({
                "uid": uid, "allowed": true, "patchType": "JSONPatch", "patch": "e30=",
            })),
            _ => Reviewed::raw(json!({"hello": "world"})),
        }
    });
    configure(&client, MUTATING, "a", &[hook("a", &json!({}))]).await;
    let line = async |name: &str| client.post(CONFIG_MAPS, &map(name)).await.line();
    let invalid = |why: &str| failed("a", &format!("received invalid webhook response: {why}"));
    assert_eq!(line("absent").await, invalid("webhook response was absent"));
    let wrong = line("uid").await;
    assert!(
        wrong.contains("expected response.uid=\"") && wrong.ends_with("got \"other\""),
        "{wrong}"
    );
    let version = "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got \
                   admission.k8s.io/v1beta2, Kind=AdmissionReview";
    assert_eq!(line("old").await, invalid(version));
    let untyped = "webhook returned response.patch but not response.patchType";
    assert_eq!(line("untyped").await, invalid(untyped));
    let nopatch = "webhook returned response.patchType but not response.patch";
    assert_eq!(line("nopatch").await, invalid(nopatch));
    assert_eq!(line("merge").await, failed("a", "unsupported patch type \"Merge\""));
    let object = "received undecodable patch in webhook response: json: cannot unmarshal object \
                  into Go value of type jsonpatch.Patch";
    assert_eq!(line("object").await, failed("a", object));
    let kind = "failed to call webhook: Object 'Kind' is missing in '{\"hello\":\"world\"}'";
    assert_eq!(line("else").await, failed("a", kind));
}

#[tokio::test(start_paused = true)]
async fn v11_1_who_only_judges_may_not_change() {
    let client = client();
    let patch = json!([{"op": "add", "path": "/data/a", "value": "b"}]);
    answer(&client, "a", move |review| review.allow().patch(&patch));
    configure(&client, VALIDATING, "a", &[hook("a", &json!({}))]).await;
    let why = "received invalid webhook response: validating webhook may not return response.patch";
    assert_eq!(client.post(CONFIG_MAPS, &map("x")).await.line(), failed("a", why));
    // And nothing is there to be changed by a delete.
    client.delete(&format!("{VALIDATING}/a")).await.expect(200);
    client.config_map("x", "1").await;
    configure(&client, MUTATING, "a", &[hook("a", &json!({}))]).await;
    assert_eq!(
        client.delete(&format!("{CONFIG_MAPS}/x")).await.line(),
        "500 InternalError: Internal error occurred: admission webhook \"a.hooks.test\" attempted \
         to modify the object, which is not supported for this operation"
    );
}

#[tokio::test(start_paused = true)]
async fn v11_1_those_who_judge_are_asked_at_once_and_those_who_change_in_turn() {
    let client = client();
    for name in ["a", "b", "c"] {
        slow(&client, name, 2);
    }
    let hooks = ["a", "b", "c"].map(|name| hook(name, &json!({})));
    configure(&client, VALIDATING, "a", &hooks).await;
    let began = Instant::now();
    client.post(CONFIG_MAPS, &map("x")).await.expect(201);
    assert_eq!(began.elapsed(), Duration::from_secs(2));
    client.delete(&format!("{VALIDATING}/a")).await.expect(200);
    configure(&client, MUTATING, "a", &hooks).await;
    let began = Instant::now();
    client.post(CONFIG_MAPS, &map("y")).await.expect(201);
    assert_eq!(began.elapsed(), Duration::from_secs(6));
}

#[tokio::test(start_paused = true)]
async fn v11_1_nothing_is_held_while_a_write_waits_and_it_is_tried_on_the_newest_state() {
    let client = client();
    client.config_map("x", "1").await;
    let seen = slow(&client, "a", 5);
    let conditions = json!([{"name": "who", "expression": "'slow' in object.data"}]);
    configure(&client, MUTATING, "a", &[hook("a", &json!({"matchConditions": conditions}))]).await;
    let path = format!("{CONFIG_MAPS}/x");
    let change = json!({"data": {"slow": "yes"}});
    let (patched, (other, read)) = tokio::join!(client.merge(&path, &change), async {
        sleep(Duration::from_secs(1)).await;
        let other = client.merge(&path, &json!({"data": {"other": "yes"}})).await;
        (other, client.get(&path).await)
    });
    other.expect(200);
    assert_eq!(read.expect(200)["data"], json!({"value": "1", "other": "yes"}));
    // The object changed while the webhook was asked: it is asked again, about the newest.
    assert_eq!(patched.expect(200)["data"], json!({"value": "1", "other": "yes", "slow": "yes"}));
    let asked: Vec<Value> =
        seen.all().iter().map(|request| request["oldObject"]["data"].clone()).collect();
    assert_eq!(asked, [json!({"value": "1"}), json!({"value": "1", "other": "yes"})]);
}

#[tokio::test(start_paused = true)]
async fn v11_1_a_write_that_no_longer_holds_fails_after_its_webhooks() {
    let client = client();
    client.config_map("x", "1").await;
    slow(&client, "a", 5);
    let create = json!([{
        "operations": ["*"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"],
    }]);
    let conditions = json!([{"name": "who", "expression": "'slow' in object.data"}]);
    let more = json!({"rules": create, "matchConditions": conditions});
    configure(&client, VALIDATING, "a", &[hook("a", &more)]).await;
    let mut whole = client.get(&format!("{CONFIG_MAPS}/x")).await.expect(200);
    whole["data"]["slow"] = "yes".into();
    let mut new = map("y");
    new["data"]["slow"] = "yes".into();
    let path = format!("{CONFIG_MAPS}/x");
    let (replaced, created, ()) =
        tokio::join!(client.put(&path, &whole), client.post(CONFIG_MAPS, &new), async {
            sleep(Duration::from_secs(1)).await;
            client.merge(&path, &json!({"data": {"other": "yes"}})).await.expect(200);
            client.post(CONFIG_MAPS, &map("y")).await.expect(201);
        });
    let line = replaced.line();
    assert!(line.starts_with("409 Conflict: ") && line.contains("has been modified"), "{line}");
    assert_eq!(created.line(), "409 AlreadyExists: configmaps \"y\" already exists");
}

#[tokio::test(start_paused = true)]
async fn v11_1_a_webhook_may_ask_the_server_and_services_have_addresses() {
    let client = client();
    client.config_map("limits", "2").await;
    let (server, seen) = (client.clone(), Seen::default());
    let notes = seen.clone();
    client.server.on_webhook("https://guard.ops.svc:8443/check", move |review| {
        notes.push(&review);
        let client = server.clone();
        async move {
            let limit = client.get(&format!("{CONFIG_MAPS}/limits")).await.expect(200);
            if limit["data"]["value"] == "2" {
                review.deny("two is enough")
            } else {
                review.allow()
            }
        }
    });
    let service = json!({"namespace": "ops", "name": "guard", "port": 8443, "path": "/check"});
    let more = json!({"clientConfig": {"service": service}});
    configure(&client, VALIDATING, "a", &[hook("a", &more)]).await;
    let line = client.post(CONFIG_MAPS, &map("x")).await.line();
    assert_eq!(line, "400 : admission webhook \"a.hooks.test\" denied the request: two is enough");
    assert_eq!(seen.count(), 1);
    let nowhere = json!({"clientConfig": {"service": {"namespace": "ops", "name": "other"}}});
    configure(&client, MUTATING, "b", &[hook("b", &nowhere)]).await;
    let why = "failed to call webhook: Post \"https://other.ops.svc:443/?timeout=10s\": service \
               \"other\" not found";
    assert_eq!(client.post(CONFIG_MAPS, &map("x")).await.line(), failed("b", why));
}

#[tokio::test(start_paused = true)]
async fn v11_1_a_client_that_leaves_takes_its_write_along() {
    let client = client();
    let seen = slow(&client, "a", 5);
    configure(&client, VALIDATING, "a", &[hook("a", &json!({}))]).await;
    let body = map("x");
    let write = client.post(CONFIG_MAPS, &body);
    assert!(tokio::time::timeout(Duration::from_secs(1), write).await.is_err());
    assert_eq!((seen.count(), client.server.open_requests()), (1, 0));
    sleep(Duration::from_secs(10)).await;
    assert_eq!(client.get(&format!("{CONFIG_MAPS}/x")).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v11_1_a_generated_name_and_the_uid_are_the_same_at_each_try() {
    let client = client();
    let first = answer(&client, "a", Review::allow);
    let second = slow(&client, "b", 1);
    configure(&client, MUTATING, "a", &[hook("a", &json!({}))]).await;
    configure(&client, VALIDATING, "b", &[hook("b", &json!({}))]).await;
    let body = json!({"metadata": {"generateName": "x-"}, "data": {"value": "1"}});
    let created = client.post(CONFIG_MAPS, &body).await.expect(201);
    // Who changes sees neither; who judges sees both.
    assert_eq!(first.all()[0]["object"]["metadata"]["name"], Value::Null);
    assert_eq!(first.all()[0]["object"]["metadata"]["uid"], Value::Null);
    let judged = &second.all()[0];
    assert_eq!((first.count(), second.count()), (1, 1));
    assert_eq!(judged["object"]["metadata"]["uid"], created["metadata"]["uid"]);
    assert_eq!(judged["name"], created["metadata"]["name"]);
    let stamp = &created["metadata"]["creationTimestamp"];
    assert_eq!(judged["object"]["metadata"]["creationTimestamp"], *stamp);
}

/// As cert-manager names its two configurations, whose reviews of a write may be equal.
#[tokio::test(start_paused = true)]
async fn v11_1_who_judges_is_asked_though_who_changes_has_the_same_names() {
    let client = client();
    client.config_map("x", "1").await;
    let changed = answer(&client, "mutate", Review::allow);
    let judged = answer(&client, "validate", |review| review.deny("never"));
    let at = |name: &str| hook("a", &json!({"clientConfig": {"url": address(name)}}));
    configure(&client, MUTATING, "a", &[at("mutate")]).await;
    configure(&client, VALIDATING, "a", &[at("validate")]).await;
    let path = format!("{CONFIG_MAPS}/x");
    let never = "400 : admission webhook \"a.hooks.test\" denied the request: never";
    assert_eq!(client.delete(&path).await.line(), never);
    assert_eq!((changed.count(), judged.count()), (1, 1));
    let labelled = json!({"metadata": {"labels": {"a": "b"}}});
    assert_eq!(client.merge(&path, &labelled).await.line(), never);
    assert_eq!((changed.count(), judged.count()), (2, 2));
}
