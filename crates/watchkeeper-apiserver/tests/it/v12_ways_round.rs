//! V12: requests that would do more than what they were let in for.

use serde_json::{Value, json};
use watchkeeper_apiserver::{ApiServer, User};

use crate::support::{Answer, CONFIG_MAPS, CRDS, Client, PODS, foo, foo_crd, pod};

const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const BINDINGS: &str = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

/// A server where `eve` may use some verbs on these resources of any group.
async fn server(verbs: &[&str], resources: &[&str]) -> Client {
    let server = ApiServer::builder().rbac().token("root").user("eve", User::new("eve")).build();
    let client = Client { server, agent: "tester" };
    let rules = json!([{"apiGroups": ["*"], "resources": resources, "verbs": verbs}]);
    let role = json!({"metadata": {"name": "some"}, "rules": rules});
    send(&client, "root", "POST", ROLES, &role).await.expect(201);
    let binding = json!({
        "metadata": {"name": "some"}, "subjects": [{"kind": "User", "name": "eve"}],
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "some"},
    });
    send(&client, "root", "POST", BINDINGS, &binding).await.expect(201);
    client
}

async fn send(client: &Client, who: &str, method: &str, path: &str, body: &Value) -> Answer {
    let kind = if method == "PATCH" { "application/apply-patch+yaml" } else { "application/json" };
    let headers = [("authorization", &*format!("Bearer {who}")), ("content-type", kind)];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    client.try_send(method, path, &headers, body).await.expect("an answer")
}

#[tokio::test(start_paused = true)]
async fn v12_2_who_may_watch_does_nothing_else_below_the_path_of_watches() {
    let client = server(&["watch"], &["*"]).await;
    send(&client, "root", "POST", PODS, &pod("x")).await.expect(201);
    let revision = client.server.revision();
    let pods = "/api/v1/watch/namespaces/default/pods";
    let one = &format!("{pods}/x");
    for who in ["eve", "root"] {
        for (method, path) in [
            ("DELETE", one),
            ("DELETE", &pods.to_owned()),
            ("POST", &pods.to_owned()),
            ("PUT", one),
            ("PATCH", &format!("{one}?fieldManager=m")),
        ] {
            let answer = send(&client, who, method, path, &pod("x")).await;
            let told = "405 MethodNotAllowed: the server does not allow this method on the requested resource";
            assert_eq!(answer.line(), told, "{who} {method} {path}");
        }
        let scale = "/apis/apps/v1/watch/namespaces/default/deployments/x/scale";
        for path in [&format!("{one}/status"), scale] {
            let answer = send(&client, who, "GET", path, &Value::Null).await;
            assert_eq!(answer.code, 404, "{who} {path} {}", answer.text);
        }
    }
    assert_eq!(client.server.revision(), revision);
    let read = send(&client, "root", "GET", &format!("{PODS}/x"), &Value::Null).await;
    assert_eq!(read.code, 200, "{}", read.text);
}

#[tokio::test(start_paused = true)]
async fn v12_2_who_may_get_one_object_does_not_watch_it() {
    let client = server(&["get"], &["pods"]).await;
    send(&client, "root", "POST", PODS, &pod("x")).await.expect(201);
    let read = send(&client, "eve", "GET", &format!("{PODS}/x?watch=true"), &Value::Null).await;
    assert_eq!(read.expect(200)["kind"], "Pod");
    let refused = send(&client, "eve", "GET", &format!("{PODS}?watch=true"), &Value::Null).await;
    assert_eq!(refused.code, 403, "{}", refused.text);
}

/// What `Attributes` takes for a verb or for a part of a namespace is no resource to `Route` either.
#[tokio::test(start_paused = true)]
async fn v12_2_no_resource_hides_behind_a_word_of_paths() {
    // Everybody who is somebody may read paths below `/apis/`.
    let client = server(&["get"], &["pods"]).await;
    for plural in ["proxy", "status"] {
        let mut definition = foo_crd();
        definition["metadata"]["name"] = format!("{plural}.example.com").into();
        let names = json!({"kind": plural.to_uppercase(), "plural": plural});
        definition["spec"]["names"] = names;
        send(&client, "root", "POST", CRDS, &definition).await.expect(201);
    }
    let answer = send(&client, "eve", "GET", "/apis/example.com/v1/proxy", &Value::Null).await;
    assert_eq!(answer.code, 404, "{}", answer.text);
    let mut object = foo("x", "red");
    object["kind"] = "STATUS".into();
    let path = "/apis/example.com/v1/namespaces/default/status/x?fieldManager=m";
    let answer = send(&client, "root", "PATCH", path, &object).await;
    assert_eq!(answer.code, 404, "{}", answer.text);
}

#[tokio::test(start_paused = true)]
async fn v12_2_an_apply_and_a_put_that_create_need_leave_to_create() {
    let client = server(&["get", "patch", "update"], &["configmaps", "leases"]).await;
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
    let apply = format!("{CONFIG_MAPS}/a?fieldManager=m");
    let lease = json!({"metadata": {"name": "a"}, "spec": {"holderIdentity": "h"}});
    let put = format!("{LEASES}/a");
    let revision = client.server.revision();
    for path in [&apply, &format!("{apply}&dryRun=All")] {
        let refused = send(&client, "eve", "PATCH", path, &map).await;
        assert_eq!(refused.line(), "403 Forbidden: configmaps \"a\" is forbidden: ", "{path}");
    }
    let refused = send(&client, "eve", "PUT", &put, &lease).await;
    assert_eq!(refused.line(), "403 Forbidden: leases.coordination.k8s.io \"a\" is forbidden: ");
    assert_eq!(client.server.revision(), revision, "nothing was made");
    send(&client, "root", "PATCH", &apply, &map).await.expect(201);
    let lease = send(&client, "root", "PUT", &put, &lease).await.expect(201);
    // What is there is hers to change.
    send(&client, "eve", "PATCH", &apply, &map).await.expect(200);
    send(&client, "eve", "PUT", &put, &lease).await.expect(200);
}

#[tokio::test(start_paused = true)]
async fn v12_2_who_may_also_create_makes_it_by_an_apply() {
    let client = server(&["create", "patch"], &["configmaps"]).await;
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
    let apply = format!("{CONFIG_MAPS}/a?fieldManager=m");
    send(&client, "eve", "PATCH", &apply, &map).await.expect(201);
}

/// A role of some hundred words stands for a hundred thousand permissions, and a longer one for as many
/// as nobody can count.
#[tokio::test(start_paused = true)]
async fn v12_2_a_role_that_stands_for_much_is_refused_and_stalls_nobody() {
    let client = server(&["create"], &["clusterroles"]).await;
    let words = |prefix: &str, count: usize| -> Vec<String> {
        (0..count).map(|number| format!("{prefix}{number}")).collect()
    };
    let role = |groups, resources, verbs| {
        let rule = json!({
            "apiGroups": words("g", groups), "resources": words("r", resources),
            "verbs": words("v", verbs),
        });
        json!({"metadata": {"name": "large"}, "rules": [rule]})
    };
    let who = "clusterroles.rbac.authorization.k8s.io \"large\" is forbidden: user \"eve\" \
               (groups=[\"system:authenticated\"]) is attempting to grant";
    let answer = send(&client, "eve", "POST", ROLES, &role(100, 100, 10)).await;
    let refusal = answer.expect(403);
    let message = refusal["message"].as_str().unwrap_or_default();
    assert!(message.starts_with(&format!("{who} RBAC permissions not currently held:\n")));
    assert_eq!(message.lines().count(), 10_001);
    let answer = send(&client, "eve", "POST", ROLES, &role(1_000, 1_000, 100)).await;
    let refusal = answer.expect(403);
    assert_eq!(refusal["message"], format!("{who} more RBAC permissions than are compared"));
}
