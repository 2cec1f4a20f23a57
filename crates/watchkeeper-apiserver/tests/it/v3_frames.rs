//! V3: in which form a watch is told, and when it hears that nothing happened.

use std::time::Duration;

use serde_json::json;

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v3_3_each_watch_is_told_in_the_version_that_it_watches() {
    let client = client();
    let path = |version: &str| {
        format!("/apis/autoscaling/{version}/namespaces/default/horizontalpodautoscalers")
    };
    let mut watches = Vec::new();
    for version in ["v1", "v2", "v1", "v2"] {
        watches.push((version, client.watch(&format!("{}?watch=1", path(version))).await));
    }
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"});
    let spec = json!({"maxReplicas": 3, "scaleTargetRef": target});
    client.post(&path("v2"), &json!({"metadata": {"name": "a"}, "spec": spec})).await.expect(201);
    for (version, watch) in &mut watches {
        let frame = watch.next().await.expect("a frame");
        assert_eq!(frame["object"]["apiVersion"], format!("autoscaling/{version}"));
        assert_eq!(frame["object"]["spec"]["metrics"].is_array(), *version == "v2");
    }
}

#[tokio::test(start_paused = true)]
async fn v3_3_each_watch_is_told_in_the_group_that_it_watches() {
    let client = client();
    let (core, group) = ("/api/v1", "/apis/events.k8s.io/v1");
    let path = |of: &str| format!("{of}/namespaces/default/events");
    let mut watches = Vec::new();
    for (of, version) in [(core, "v1"), (group, "events.k8s.io/v1"), (core, "v1")] {
        watches.push((version, client.watch(&format!("{}?watch=1", path(of))).await));
    }
    let about = json!({"kind": "Pod", "namespace": "default", "name": "p"});
    let event = json!({"metadata": {"name": "e", "namespace": "default"}, "involvedObject": about});
    client.post(&path(core), &event).await.expect(201);
    for (version, watch) in &mut watches {
        let frame = watch.next().await.expect("a frame");
        assert_eq!(frame["object"]["apiVersion"], *version);
        let member = if *version == "v1" { "involvedObject" } else { "regarding" };
        assert_eq!(frame["object"][member]["name"], "p");
    }
}

#[tokio::test(start_paused = true)]
async fn v3_10_each_watch_of_tables_gets_its_columns_once() {
    let client = client();
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    let path = format!("{CONFIG_MAPS}?watch=1");
    let mut old = client.watch_as(&path, accept).await;
    let at = client.config_map("a", "1").await;
    let columns = async |watch: &mut Watch| {
        let frame = watch.next().await.expect("a frame");
        frame["object"]["columnDefinitions"].as_array().is_some_and(|all| !all.is_empty())
    };
    assert!(columns(&mut old).await);
    let mut new = client.watch_as(&format!("{path}&resourceVersion={at}"), accept).await;
    client.config_map("b", "1").await;
    assert!(!columns(&mut old).await);
    assert!(columns(&mut new).await);
    client.config_map("c", "1").await;
    assert!(!columns(&mut old).await);
    assert!(!columns(&mut new).await);
}

#[tokio::test(start_paused = true)]
async fn v3_4_the_last_bookmark_comes_two_seconds_before_the_end() {
    let client = client();
    let at = client.config_map("a", "1").await;
    // Something that the watches are not about: without it there would be nothing to tell.
    let secret = json!({"metadata": {"name": "s"}});
    client.post("/api/v1/namespaces/default/secrets", &secret).await.expect(201);
    for (timeout, bookmarks) in
        [(2, vec![]), (3, vec![1]), (61, vec![59]), (62, vec![60]), (63, vec![60, 61])]
    {
        let options = format!("allowWatchBookmarks=true&timeoutSeconds={timeout}");
        let query = format!("watch=1&resourceVersion={at}&{options}");
        let started = tokio::time::Instant::now();
        let mut watch = client.watch(&format!("{CONFIG_MAPS}?{query}")).await;
        let mut seen = Vec::new();
        while let Some(frame) = watch.next().await {
            assert_eq!(frame["type"], "BOOKMARK");
            seen.push(started.elapsed().as_secs());
        }
        assert_eq!(seen, bookmarks, "{timeout}");
        assert_eq!(started.elapsed(), Duration::from_secs(timeout));
    }
}
