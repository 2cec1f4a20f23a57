//! V1: errors, negotiation and limits.

use serde_json::json;

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v1_1_errors_are_status_objects() {
    let client = client();
    let answer = client.get("/api/v1/namespaces/default/pods/x").await;
    assert_eq!(
        answer.expect(404),
        json!({
            "kind": "Status",
            "apiVersion": "v1",
            "metadata": {},
            "status": "Failure",
            "message": "pods \"x\" not found",
            "reason": "NotFound",
            "details": {"name": "x", "kind": "pods"},
            "code": 404,
        })
    );
    let answer = client.get("/apis/apps/v1/namespaces/default/deployments/x").await;
    let status = answer.expect(404);
    assert_eq!(status["message"], "deployments.apps \"x\" not found");
    assert_eq!(status["details"], json!({"name": "x", "group": "apps", "kind": "deployments"}));
}

#[tokio::test(start_paused = true)]
async fn v1_1_the_end_of_an_object_is_a_success_with_its_uid() {
    let client = client();
    let made = client.post(CONFIG_MAPS, &json!({"metadata": {"name": "a"}})).await.expect(201);
    let gone = client.delete(&format!("{CONFIG_MAPS}/a")).await.expect(200);
    assert_eq!((&gone["kind"], &gone["status"]), (&json!("Status"), &json!("Success")));
    assert_eq!(gone["details"]["uid"], made["metadata"]["uid"]);
}

#[tokio::test(start_paused = true)]
async fn v1_2_reasons_are_those_of_upstream() {
    let client = client();
    client.config_map("a", "1").await;
    let cm = format!("{CONFIG_MAPS}/a");
    let lines = [
        client.get("/api/v1/nothings").await,
        client.post(CONFIG_MAPS, &json!({"metadata": {"name": "a"}})).await,
        client.post(CONFIG_MAPS, &json!({"metadata": {}})).await,
        client.post(CONFIG_MAPS, &json!([])).await,
        client.post(&cm, &json!({})).await,
        client.send("POST", CONFIG_MAPS, "text/plain", "x".to_owned()).await,
        client
            .send("POST", CONFIG_MAPS, "application/vnd.kubernetes.protobuf", "k8s".to_owned())
            .await,
        client.get_as(&cm, "application/xml").await,
        client.post("/api/v1/configmaps", &json!({"metadata": {"name": "a"}})).await,
    ]
    .map(|answer| answer.line());
    expect_test::expect![[r#"
        404 NotFound: the server could not find the requested resource
        409 AlreadyExists: configmaps "a" already exists
        422 Invalid: ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required
        400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" } (5b5d)
        405 MethodNotAllowed: the server does not allow this method on the requested resource
        415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf
        400 BadRequest: the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (6b3873)
        406 NotAcceptable: 406: Not Acceptable

        Available representations: application/json, application/yaml, application/vnd.kubernetes.protobuf
        405 MethodNotAllowed: the server does not allow this method on the requested resource"#]]
    .assert_eq(&lines.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn v1_5_bodies_too_large_or_too_deep_are_refused_and_the_server_goes_on() {
    use http_body_util::Full;
    use tower_service::Service as _;

    let client = client();
    let request = |body: String| {
        http::Request::post(CONFIG_MAPS)
            .header("content-type", "application/json")
            .body(Full::new(bytes::Bytes::from(body)))
            .expect("a request")
    };
    let large = format!("{{\"data\":{{\"x\":\"{}\"}}}}", "y".repeat(3 * 1024 * 1024));
    let mut server = client.server.clone();
    assert_eq!(server.call(request(large)).await.expect("an answer").status(), 413);
    let deep = "{\"a\":".repeat(100_000);
    assert_eq!(server.call(request(deep)).await.expect("an answer").status(), 400);
    let deep = "[".repeat(1_000_000);
    assert_eq!(server.call(request(deep)).await.expect("an answer").status(), 400);
    client.config_map("a", "1").await;
}

#[tokio::test(start_paused = true)]
async fn v1_bodies_may_be_yaml() {
    let client = client();
    let body = |name: &str| format!("metadata: {{name: {name}}}\ndata: {{value: \"1\"}}\n");
    let made = client.send("POST", CONFIG_MAPS, "application/yaml", body("'y'")).await;
    assert_eq!(made.expect(201)["data"]["value"], "1");
    // A truth in YAML 1.1, and so upstream.
    let refused = client.send("POST", CONFIG_MAPS, "application/yaml", body("y")).await;
    let told = refused.expect(400)["message"].to_string();
    assert!(told.contains("cannot unmarshal bool into Go struct field ObjectMeta.metadata.name"));
}

#[tokio::test(start_paused = true)]
async fn v12_1_a_token_is_asked_for_when_there_is_one() {
    let server = watchkeeper_apiserver::ApiServer::builder().token("secret").build();
    let client = Client { server, agent: "tester" };
    assert_eq!(client.get("/api/v1/pods").await.line(), "401 Unauthorized: Unauthorized");
    let headers = [("authorization", "Bearer secret")];
    let answer = client.try_send("GET", "/api/v1/pods", &headers, String::new()).await;
    assert_eq!(answer.expect("an answer").code, 200);
}

#[tokio::test(start_paused = true)]
async fn v1_6_answers_say_by_which_name_the_audit_knows_them() {
    let client = client();
    let path = "/api/v1/namespaces/default/pods";
    let id = |answer: &Answer| answer.headers["audit-id"].to_str().expect("text").to_owned();
    let (one, other) = (id(&client.get(path).await), id(&client.get("/nothing").await));
    assert_eq!((one.len(), one == other), (36, false));
    let own = [("audit-id", "mine")];
    let named = client.try_send("GET", path, &own, String::new()).await.expect("an answer");
    assert_eq!(id(&named), "mine");
}

const NO_PATH: &str = "404 NotFound: the server could not find the requested resource";
const NOT_ALLOWED: &str = "405 MethodNotAllowed: the server does not allow this method on the \
                           requested resource";

#[tokio::test(start_paused = true)]
async fn v1_2_what_is_of_the_cluster_is_below_no_namespace_and_the_rest_is() {
    let client = client();
    client.config_map("a", "1").await;
    for path in [
        "/api/v1/namespaces/default/nodes",
        "/api/v1/namespaces/default/nodes/a",
        "/api/v1/configmaps/a",
    ] {
        assert_eq!(client.get(path).await.line(), NO_PATH, "{path}");
        assert_eq!(client.delete(path).await.line(), NO_PATH, "{path}");
    }
    for path in ["/api/v1/nodes", "/api/v1/configmaps", "/api/v1/namespaces/default"] {
        client.get(path).await.expect(200);
    }
}

#[tokio::test(start_paused = true)]
async fn v1_2_a_collection_is_deleted_in_one_place() {
    let client = client();
    client.config_map("a", "1").await;
    assert_eq!(client.delete("/api/v1/configmaps").await.line(), NOT_ALLOWED);
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["a"]);
    client.delete(CONFIG_MAPS).await.expect(200);
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), [""; 0]);
    client.delete("/api/v1/nodes").await.expect(200);
    assert_eq!(client.put(CONFIG_MAPS, &json!({})).await.line(), NOT_ALLOWED);
    assert_eq!(client.merge(CONFIG_MAPS, &json!({})).await.line(), NOT_ALLOWED);
}

#[tokio::test(start_paused = true)]
async fn v1_2_below_watch_there_is_nothing_but_watches() {
    let client = client();
    client.config_map("a", "1").await;
    let maps = "/api/v1/watch/namespaces/default/configmaps";
    assert_eq!(client.post(maps, &json!({"metadata": {"name": "b"}})).await.line(), NOT_ALLOWED);
    assert_eq!(client.delete(&format!("{maps}/a")).await.line(), NOT_ALLOWED);
    assert_eq!(client.get("/api/v1/watch/namespaces/default/pods/a/status").await.line(), NO_PATH);
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn v1_5_a_body_is_three_mebibytes_long_at_most() {
    const MOST: usize = 3 * 1024 * 1024;
    let client = client();
    let map = r#"{"metadata":{"name":"a"},"data":{"value":"1"}}"#;
    let patch = r#"{"data":{"value":"2"}}"#;
    let sent = async |method: &str, text: &str, length: usize| {
        let (path, kind) = match method {
            "POST" => (CONFIG_MAPS.to_owned(), "application/json"),
            _ => (format!("{CONFIG_MAPS}/a"), "application/merge-patch+json"),
        };
        let spaces = " ".repeat(length - text.len());
        client.send(method, &path, kind, format!("{text}{spaces}")).await.code
    };
    assert_eq!(sent("POST", map, MOST + 1).await, 413);
    assert_eq!(sent("POST", map, MOST).await, 201);
    assert_eq!(sent("PATCH", patch, MOST + 1).await, 413);
    assert_eq!(sent("PATCH", patch, MOST).await, 200);
}
