//! V1.1: how JSON is written for people, and what browsers are told.

use serde_json::json;
use watchkeeper_apiserver::{ApiServer, User};

use crate::support::*;

async fn as_agent(client: &Client, path: &str, agent: &'static str) -> Answer {
    let client = Client { agent, ..client.clone() };
    client.try_send("GET", path, &[], String::new()).await.expect("an answer")
}

#[tokio::test(start_paused = true)]
async fn v1_1_people_get_json_in_lines() {
    let client = client();
    client.config_map("a", "1").await;
    let one = format!("{CONFIG_MAPS}/a");
    let plain = client.get(&one).await;
    assert!(!plain.text.contains('\n'), "{}", plain.text);
    for (path, agent) in
        [(format!("{one}?pretty=true"), "tester"), (one.clone(), "curl"), (one.clone(), "Wget")]
    {
        let lines = as_agent(&client, &path, agent).await;
        assert!(lines.text.starts_with("{\n  \"kind\": \"ConfigMap\",\n"), "{}", lines.text);
        assert!(
            lines.text.contains("\n  \"data\": {\n    \"value\": \"1\"\n  }"),
            "{}",
            lines.text
        );
        assert_eq!(lines.json(), plain.json());
        assert_eq!(lines.headers["content-type"], "application/json");
    }
    let asked = format!("{one}?pretty=false");
    assert_eq!(as_agent(&client, &asked, "curl").await.text, plain.text);
}

#[tokio::test(start_paused = true)]
async fn v1_1_lists_errors_and_tables_come_in_lines_and_other_forms_as_they_are() {
    let client = client();
    for number in 0..900 {
        client.config_map(&format!("m{number}"), &"x".repeat(200)).await;
    }
    let list = client.get(&format!("{CONFIG_MAPS}?pretty=1")).await;
    assert!(list.text.len() > 128 * 1024 && list.text.contains("\n  \"items\": [\n    {\n"));
    assert_eq!(names(&list.json()).len(), 900);
    let missing = client.get(&format!("{CONFIG_MAPS}/none?pretty=1")).await;
    assert!(missing.text.contains("\n  \"reason\": \"NotFound\""), "{}", missing.text);
    let table = "application/json;as=Table;v=v1;g=meta.k8s.io;pretty=1";
    let table = client.get_as(&format!("{CONFIG_MAPS}/m1"), table).await;
    assert!(table.text.contains("\n  \"columnDefinitions\": [\n"), "{}", table.text);
    for other in ["application/yaml", "application/vnd.kubernetes.protobuf"] {
        let asked = client.get_as(&format!("{CONFIG_MAPS}/m1?pretty=1"), other).await;
        assert_eq!(asked.text, client.get_as(&format!("{CONFIG_MAPS}/m1"), other).await.text);
    }
    let version = client.get("/version").await;
    assert!(version.text.starts_with("{\n  \""), "{}", version.text);
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1&pretty=1")).await;
    client.config_map("z", "1").await;
    assert_eq!(watch.ready().len(), 901, "frames are a line each");
}

#[tokio::test(start_paused = true)]
async fn v1_1_who_may_not_is_told_so_without_a_guess_of_what_it_is() {
    let server = ApiServer::builder().rbac().user("a", User::new("alice")).build();
    let client = Client { server, agent: "tester" };
    let asked = async |path: &str, token: &str| {
        let headers = [("authorization", token)];
        client.try_send("GET", path, &headers, String::new()).await.expect("an answer")
    };
    let refused = asked(PODS, "Bearer a").await;
    assert_eq!(refused.code, 403);
    assert_eq!(refused.headers["x-content-type-options"], "nosniff");
    let in_lines = asked(&format!("{PODS}?pretty=1"), "Bearer a").await;
    assert!(in_lines.text.contains("\n  \"reason\": \"Forbidden\""), "{}", in_lines.text);
    let unknown = asked(PODS, "Bearer b").await;
    assert_eq!(unknown.code, 401);
    assert!(!unknown.headers.contains_key("x-content-type-options"));
}

/// What admission refuses is no answer of the filters.
#[tokio::test(start_paused = true)]
async fn v1_1_what_admission_refuses_says_nothing_to_browsers() {
    let client = client();
    let mut priority = pod("x");
    priority["spec"]["priorityClassName"] = json!("nobody");
    let refused = client.post(PODS, &priority).await;
    assert_eq!(refused.code, 403);
    assert!(!refused.headers.contains_key("x-content-type-options"));
}
