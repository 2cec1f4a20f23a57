//! V2: resource versions, get and list.

use std::time::Duration;

use serde_json::json;

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v2_1_one_sequence_for_all_resources() {
    let client = client();
    let first = client.config_map("a", "1").await;
    let pod = version(&client.post(PODS, &pod("p")).await.expect(201));
    let second = client.config_map("b", "1").await;
    assert_eq!([pod, second], [first + 1, first + 2]);
    let list = client.get("/api/v1/namespaces/default/secrets").await.expect(200);
    assert_eq!(version(&list), second, "a list carries the store's revision");
}

#[tokio::test(start_paused = true)]
async fn v2_2_a_revision_ahead_is_waited_for_then_refused() {
    let client = client();
    let at = client.config_map("a", "1").await;
    let path = format!("{CONFIG_MAPS}?resourceVersion={}", at + 1);
    let started = tokio::time::Instant::now();
    let answer = client.get(&path).await;
    assert_eq!(started.elapsed(), Duration::from_secs(3));
    let status = answer.expect(504);
    assert_eq!(status["reason"], "Timeout");
    assert_eq!(status["details"]["retryAfterSeconds"], 1);
    assert_eq!(status["details"]["causes"][0]["reason"], "ResourceVersionTooLarge");
    assert_eq!(answer.headers["retry-after"], "1");

    let waiting = client.get(&path);
    let write = client.config_map("b", "1");
    let (list, _) = tokio::join!(waiting, write);
    assert_eq!(names(&list.expect(200)), ["a", "b"]);
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn v2_3_combinations_that_make_no_sense_are_invalid() {
    let client = client();
    let mut lines = Vec::new();
    for query in [
        "resourceVersionMatch=Exact",
        "resourceVersionMatch=Exact&resourceVersion=0",
        "resourceVersionMatch=Sometimes&resourceVersion=1",
        "sendInitialEvents=true",
        "watch=1&sendInitialEvents=true",
        "watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1",
        "resourceVersion=1&continue=x",
        "resourceVersion=x",
    ] {
        lines.push(client.get(&format!("{CONFIG_MAPS}?{query}")).await.line());
    }
    expect_test::expect![[r#"
        422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided
        422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"
        422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Sometimes": supported values: "Exact", "NotOlderThan", ""
        422 Invalid: ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list
        422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan
        422 Invalid: ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided
        400 BadRequest: invalid continue token: continue key is not valid: illegal base64 data at input byte 0
        400 BadRequest: invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax"#]]
    .assert_eq(&lines.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn v2_3_exact_reads_the_past() {
    let client = client();
    let first = client.config_map("a", "1").await;
    client.config_map("b", "1").await;
    client.merge(&format!("{CONFIG_MAPS}/a"), &json!({"data": {"value": "2"}})).await.expect(200);
    let exact = format!("{CONFIG_MAPS}?resourceVersion={first}&resourceVersionMatch=Exact");
    let list = client.get(&exact).await.expect(200);
    assert_eq!((names(&list), version(&list)), (vec!["a".to_owned()], first));
    assert_eq!(list["items"][0]["data"]["value"], "1");
    let newer = format!("{CONFIG_MAPS}?resourceVersion={first}&resourceVersionMatch=NotOlderThan");
    assert_eq!(names(&client.get(&newer).await.expect(200)), ["a", "b"]);
    let legacy = format!("{CONFIG_MAPS}?resourceVersion={first}&limit=10");
    assert_eq!(names(&client.get(&legacy).await.expect(200)), ["a"]);
    client.server.compact(first);
    assert_eq!(
        client.get(&exact.replace(&first.to_string(), &(first - 1).to_string())).await.line(),
        "410 Expired: The resourceVersion for the provided list is too old."
    );
}

#[tokio::test(start_paused = true)]
async fn v2_4_pages_read_one_revision() {
    let client = client();
    for name in ["a", "b", "c", "d", "e"] {
        client.config_map(name, "1").await;
    }
    let page = client.get(&format!("{CONFIG_MAPS}?limit=2")).await.expect(200);
    assert_eq!(names(&page), ["a", "b"]);
    assert_eq!(page["metadata"]["remainingItemCount"], 3);
    client.config_map("bb", "1").await;
    client.delete(&format!("{CONFIG_MAPS}/d")).await.expect(200);
    let token = page["metadata"]["continue"].as_str().expect("a token").to_owned();
    let rest = client.get(&format!("{CONFIG_MAPS}?limit=2&continue={token}")).await.expect(200);
    assert_eq!(names(&rest), ["c", "d"]);
    assert_eq!(version(&rest), version(&page));
    let token = rest["metadata"]["continue"].as_str().expect("a token").to_owned();
    let last = client.get(&format!("{CONFIG_MAPS}?limit=2&continue={token}")).await.expect(200);
    assert_eq!(names(&last), ["e"]);
    assert_eq!(last["metadata"].get("continue"), None);
}

#[tokio::test(start_paused = true)]
async fn v2_4_a_page_size_means_nothing_when_any_state_will_do() {
    let client = client();
    for name in ["a", "b", "c"] {
        client.config_map(name, "1").await;
    }
    let list = client.get(&format!("{CONFIG_MAPS}?limit=1&resourceVersion=0")).await.expect(200);
    assert_eq!(names(&list), ["a", "b", "c"]);
    let selected = client.get(&format!("{CONFIG_MAPS}?limit=1&labelSelector=!x")).await.expect(200);
    assert_eq!(selected["metadata"].get("remainingItemCount"), None);
    assert!(selected["metadata"]["continue"].is_string());
}

#[tokio::test(start_paused = true)]
async fn v2_5_a_compacted_token_comes_with_one_that_goes_on() {
    let client = client();
    for name in ["a", "b", "c"] {
        client.config_map(name, "1").await;
    }
    let page = client.get(&format!("{CONFIG_MAPS}?limit=1")).await.expect(200);
    let token = page["metadata"]["continue"].as_str().expect("a token").to_owned();
    let latest = client.config_map("bb", "1").await;
    client.server.compact(latest);
    let status = client.get(&format!("{CONFIG_MAPS}?limit=1&continue={token}")).await.expect(410);
    assert_eq!(status["reason"], "Expired");
    let token = status["metadata"]["continue"].as_str().expect("another token").to_owned();
    let rest = client.get(&format!("{CONFIG_MAPS}?continue={token}")).await.expect(200);
    assert_eq!(names(&rest), ["b", "bb", "c"]);
}

#[tokio::test(start_paused = true)]
async fn v2_6_items_are_a_list_in_key_order() {
    let client = client();
    let empty = client.get(CONFIG_MAPS).await;
    assert!(empty.text.contains("\"items\":[]"), "{}", empty.text);
    for name in ["b", "a", "a-b", "a.b"] {
        client.config_map(name, "1").await;
    }
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["a", "a-b", "a.b", "b"]);
}

#[tokio::test(start_paused = true)]
async fn v2_2_a_get_waits_for_a_revision_too() {
    let client = client();
    let at = client.config_map("a", "1").await;
    let path = format!("{CONFIG_MAPS}/a?resourceVersion={}", at + 1);
    let (object, _) = tokio::join!(client.get(&path), client.config_map("b", "1"));
    assert_eq!(version(&object.expect(200)), at);
    let ahead = client.get(&path.replace(&(at + 1).to_string(), "1000")).await.expect(504);
    assert_eq!(ahead["details"]["causes"][0]["reason"], "ResourceVersionTooLarge");
}

#[tokio::test(start_paused = true)]
async fn v2_3_a_token_says_the_revision_itself() {
    let client = client();
    for name in ["a", "b"] {
        client.config_map(name, "1").await;
    }
    let page = client.get(&format!("{CONFIG_MAPS}?limit=1")).await.expect(200);
    let token = page["metadata"]["continue"].as_str().expect("a token");
    let path = format!("{CONFIG_MAPS}?limit=1&continue={token}&resourceVersion=");
    assert_eq!(
        client.get(&format!("{path}1")).await.line(),
        "400 BadRequest: specifying resource version is not allowed when using continue"
    );
    assert_eq!(names(&client.get(&format!("{path}0")).await.expect(200)), ["b"]);
}

#[tokio::test(start_paused = true)]
async fn v2_6_a_name_finds_its_object_and_no_other() {
    let client = client();
    for name in ["a", "ab", "b"] {
        client.config_map(name, "1").await;
    }
    let all = "/api/v1/configmaps";
    for (path, selector, found) in [
        (CONFIG_MAPS, "metadata.name=a", vec!["a"]),
        (CONFIG_MAPS, "metadata.name=a&limit=1", vec!["a"]),
        (CONFIG_MAPS, "metadata.name=a,metadata.namespace!=default", vec![]),
        (CONFIG_MAPS, "metadata.name=b,metadata.name!=b", vec![]),
        (CONFIG_MAPS, "metadata.name=a,metadata.name=b", vec![]),
        (CONFIG_MAPS, "metadata.name=", vec![]),
        (CONFIG_MAPS, "metadata.name!=a", vec!["ab", "b"]),
        (all, "metadata.name=ab", vec!["ab"]),
        (all, "metadata.name=ab&limit=5", vec!["ab"]),
        ("/api/v1/namespaces", "metadata.name=default", vec!["default"]),
        ("/api/v1/namespaces", "metadata.name=defaul", vec![]),
    ] {
        let list = client.get(&format!("{path}?fieldSelector={selector}")).await.expect(200);
        assert_eq!(names(&list), found, "{path} {selector}");
        assert_eq!(list["metadata"].get("continue"), None, "{path} {selector}");
    }
}

#[tokio::test(start_paused = true)]
async fn v2_3_a_version_alone_is_the_least_that_is_wanted() {
    let client = client();
    let first = client.config_map("a", "1").await;
    let last = client.config_map("b", "1").await;
    for at in [first, last] {
        let list = client.get(&format!("{CONFIG_MAPS}?resourceVersion={at}")).await.expect(200);
        assert_eq!((names(&list), version(&list)), (vec!["a".to_owned(), "b".to_owned()], last));
    }
    let path = format!("{CONFIG_MAPS}?resourceVersion={last}&limit=1");
    let page = client.get(&path).await.expect(200);
    assert_eq!((names(&page), version(&page)), (vec!["a".to_owned()], last));
    assert_eq!(page["metadata"]["remainingItemCount"], 1);
}
