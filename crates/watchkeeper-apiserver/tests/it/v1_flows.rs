//! V1.6: answers say by which flow schema a request was.

use http::HeaderMap;
use serde_json::{Value, json};
use tower_service::Service as _;
use watchkeeper_apiserver::{ApiServer, User};

use crate::support::{Client, PODS, client};

const SCHEMAS: &str = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
const LEVELS: &str = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x";

/// The flow schema and the priority level of an answer, by their names.
async fn flow(client: &Client, headers: &HeaderMap) -> String {
    let mut names = Vec::new();
    for (header, path) in
        [("x-kubernetes-pf-flowschema-uid", SCHEMAS), ("x-kubernetes-pf-prioritylevel-uid", LEVELS)]
    {
        let Some(uid) = headers.get(header) else { continue };
        let list = client.get(path).await.expect(200);
        let has = |item: &&Value| item["metadata"]["uid"].as_str() == uid.to_str().ok();
        let found = list["items"].as_array().expect("items").iter().find(has).expect("its object");
        names.push(found["metadata"]["name"].as_str().expect("a name").to_owned());
    }
    names.join(", ")
}

/// The code of an answer to a user, and what it is of.
async fn asked(client: &Client, user: User, path: &str) -> (u16, String) {
    let request = http::Request::get(path).body(String::new()).expect("a request");
    let answer = client.server.acting_as(user).call(request).await.expect("an answer");
    (answer.status().as_u16(), flow(client, answer.headers()).await)
}

#[tokio::test(start_paused = true)]
async fn v1_6_answers_say_of_which_flow_schema_and_priority_level_a_request_is() {
    let client = client();
    let known = |name: &str| User::new(name).authenticated();
    let node = || known("system:node:one").in_group("system:nodes");
    let own = "/api/v1/nodes/one/status";
    let account = |namespace: &str| User::service_account(namespace, "x");
    for (user, path, flow) in [
        (User::admin(), PODS, "exempt, exempt"),
        (User::anonymous(), "/healthz", "probes, exempt"),
        (User::anonymous(), PODS, "global-default, global-default"),
        (known("alice"), PODS, "global-default, global-default"),
        (account("default"), PODS, "service-accounts, workload-low"),
        (account("kube-system"), PODS, "kube-system-service-accounts, workload-high"),
        (node(), PODS, "system-nodes, system"),
        (node(), own, "system-node-high, node-high"),
        (known("system:kube-scheduler"), PODS, "kube-scheduler, workload-high"),
        (known("system:kube-scheduler"), LEASE, "system-leader-election, leader-election"),
        (known("alice"), &format!("{PODS}?watch=1"), "global-default, global-default"),
        (User::new("bob"), "/nothing", "global-default, global-default"),
        (known("alice"), &format!("{PODS}/x/log"), ""),
    ] {
        assert_eq!(asked(&client, user.clone(), path).await.1, flow, "{user:?} {path}");
    }
}

#[tokio::test(start_paused = true)]
async fn v1_6_who_may_not_is_told_the_flow_and_who_is_nobody_is_not() {
    let server = ApiServer::builder().rbac().token("root").user("eve", User::new("eve")).build();
    let client = Client { server: server.clone(), agent: "tester" };
    let send = async |token: &str| {
        let headers = [("authorization", token)];
        client.try_send("GET", PODS, &headers, String::new()).await.expect("an answer")
    };
    let admin = server.acting_as(User::admin());
    let flow = async |answer: &crate::support::Answer| {
        let uid = answer.headers.get("x-kubernetes-pf-flowschema-uid");
        let uid = uid?.to_str().expect("text").to_owned();
        let request = http::Request::get(SCHEMAS).body(String::new()).expect("a request");
        let list = admin.clone().call(request).await.expect("an answer").into_body();
        let list = http_body_util::BodyExt::collect(list).await.expect("a body").to_bytes();
        let list: Value = serde_json::from_slice(&list).expect("a list");
        let items = list["items"].as_array()?;
        let found = items.iter().find(|item| item["metadata"]["uid"] == uid)?;
        found["metadata"]["name"].as_str().map(str::to_owned)
    };
    let forbidden = send("Bearer eve").await;
    assert_eq!((forbidden.code, flow(&forbidden).await.as_deref()), (403, Some("global-default")));
    let nobody = send("Bearer none").await;
    assert_eq!((nobody.code, flow(&nobody).await), (401, None));
    assert_eq!(flow(&send("Bearer root").await).await.as_deref(), Some("exempt"));
    let headers = [("authorization", "Bearer root"), ("impersonate-user", "bob")];
    let other = client.try_send("GET", PODS, &headers, String::new()).await.expect("an answer");
    assert_eq!(flow(&other).await.as_deref(), Some("global-default"), "as whom it is done");
}

#[tokio::test(start_paused = true)]
async fn v1_6_the_first_schema_that_matches_and_names_a_level_counts() {
    let client = client();
    let alice = || User::new("alice").authenticated();
    let schema = |name: &str, precedence: u32, level: &str| {
        let rule = json!({"verbs": ["list"], "apiGroups": [""], "resources": ["pods"],
            "namespaces": ["default"]});
        let subject = json!({"kind": "User", "user": {"name": "alice"}});
        json!({"metadata": {"name": name}, "spec": {
            "matchingPrecedence": precedence,
            "priorityLevelConfiguration": {"name": level},
            "rules": [{"subjects": [subject], "resourceRules": [rule]}],
        }})
    };
    client.post(SCHEMAS, &schema("b", 700, "workload-low")).await.expect(201);
    assert_eq!(asked(&client, alice(), PODS).await.1, "b, workload-low");
    client.post(SCHEMAS, &schema("a", 700, "system")).await.expect(201);
    assert_eq!(asked(&client, alice(), PODS).await.1, "a, system", "by name");
    client.post(SCHEMAS, &schema("c", 600, "nothing")).await.expect(201);
    assert_eq!(asked(&client, alice(), PODS).await.1, "a, system", "one without a level");
    let other = format!("{PODS}/x");
    assert_eq!(
        asked(&client, alice(), &other).await,
        (404, "global-default, global-default".into())
    );
    client.delete(&format!("{SCHEMAS}/a")).await.expect(200);
    assert_eq!(asked(&client, alice(), PODS).await.1, "b, workload-low");
}

#[tokio::test(start_paused = true)]
async fn v13_flow_schemas_and_priority_levels_are_there_from_the_first_moment() {
    let client = client();
    let exempt = client.get(&format!("{SCHEMAS}/exempt")).await.expect(200);
    assert_eq!(exempt["status"]["conditions"][0]["reason"], "Found");
    let count = async |path: &str| {
        let list = client.get(path).await.expect(200);
        list["items"].as_array().expect("items").len()
    };
    assert_eq!((count(SCHEMAS).await, count(LEVELS).await), (11, 8));
}
