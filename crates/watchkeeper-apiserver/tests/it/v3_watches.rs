//! V3: watches.

use std::time::Duration;

use serde_json::json;
use watchkeeper_apiserver::{ApiServer, hooks};

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v3_1_without_a_version_the_state_comes_first() {
    let client = client();
    client.config_map("a", "1").await;
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    assert_eq!(watch.ready(), ["ADDED a@7 1"]);
    client.config_map("b", "1").await;
    client.merge(&format!("{CONFIG_MAPS}/a"), &json!({"data": {"value": "2"}})).await.expect(200);
    client.delete(&format!("{CONFIG_MAPS}/b")).await.expect(200);
    assert_eq!(watch.ready(), ["ADDED b@8 1", "MODIFIED a@9 2", "DELETED b@10 1"]);
}

#[tokio::test(start_paused = true)]
async fn v3_1_with_a_version_only_what_is_newer_comes() {
    let client = client();
    let at = client.config_map("a", "1").await;
    client.config_map("b", "1").await;
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={at}")).await;
    assert_eq!(watch.ready(), ["ADDED b@8 1"]);
    let mut ahead = client.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion=9")).await;
    client.config_map("c", "1").await;
    client.config_map("d", "1").await;
    assert_eq!(ahead.ready(), ["ADDED d@10 1"], "strictly newer, even than what is still ahead");
    assert_eq!(watch.ready(), ["ADDED c@9 1", "ADDED d@10 1"]);
}

#[tokio::test(start_paused = true)]
async fn v3_2_initial_events_end_with_a_bookmark() {
    let client = client();
    client.config_map("a", "1").await;
    let query =
        "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?{query}")).await;
    assert_eq!(watch.ready(), ["ADDED a@7 1", "BOOKMARK -@7 end of initial events"]);
    let path = format!("{CONFIG_MAPS}?{query}&resourceVersion=9");
    let writes = async {
        client.config_map("b", "1").await;
        client.post(PODS, &pod("p")).await.expect(201);
    };
    let (mut ahead, ()) = tokio::join!(client.watch(&path), writes);
    let begun = ["ADDED a@7 1", "ADDED b@8 1", "BOOKMARK -@9 end of initial events"];
    assert_eq!(ahead.ready(), begun, "what is asked for is waited for");
    let without = query.replace("&allowWatchBookmarks=true", "");
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?{without}")).await;
    assert_eq!(watch.ready(), ["ADDED a@7 1", "ADDED b@8 1"]);
}

#[tokio::test(start_paused = true)]
async fn v3_2_a_state_that_does_not_come_is_an_event() {
    let client = client();
    let query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    let started = tokio::time::Instant::now();
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?{query}&resourceVersion=900")).await;
    assert_eq!(started.elapsed(), Duration::from_secs(3));
    let told = "ERROR 504 Timeout: Too large resource version: 900, current: 6";
    assert_eq!(watch.ready(), [told]);
    assert!(watch.ended);
    drop(watch);
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn v3_2_a_watch_from_no_revision_ends_its_initial_events_too() {
    let client = client();
    client.config_map("a", "1").await;
    for revision in ["", "&resourceVersion=0"] {
        let path = format!("{CONFIG_MAPS}?watch=1&allowWatchBookmarks=true{revision}");
        let begun = ["ADDED a@7 1", "BOOKMARK -@7 end of initial events"];
        assert_eq!(client.watch(&path).await.ready(), begun);
    }
    let path = format!("{CONFIG_MAPS}?watch=1");
    assert_eq!(client.watch(&path).await.ready(), ["ADDED a@7 1"]);
}

#[tokio::test(start_paused = true)]
async fn v3_3_leaving_a_selector_is_deleted_and_entering_it_added() {
    let client = client();
    let body = json!({"metadata": {"name": "a", "labels": {"x": "1"}}, "data": {"value": "1"}});
    client.post(CONFIG_MAPS, &body).await.expect(201);
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1&labelSelector=x%3D1")).await;
    let path = format!("{CONFIG_MAPS}/a");
    let out = json!({"metadata": {"labels": {"x": "2"}}, "data": {"value": "2"}});
    client.merge(&path, &out).await.expect(200);
    client.merge(&path, &json!({"data": {"value": "3"}})).await.expect(200);
    client.merge(&path, &json!({"metadata": {"labels": {"x": "1"}}})).await.expect(200);
    assert_eq!(watch.ready(), ["ADDED a@7 1", "DELETED a@8 1", "ADDED a@10 3"]);
    client.delete(&path).await.expect(200);
    assert_eq!(watch.ready(), ["DELETED a@11 3"]);
}

#[tokio::test(start_paused = true)]
async fn v3_4_bookmarks_come_each_minute_and_before_the_end() {
    let client = client();
    let at = client.config_map("a", "1").await;
    let query = format!("watch=1&resourceVersion={at}&allowWatchBookmarks=true&timeoutSeconds=150");
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?{query}")).await;
    let started = tokio::time::Instant::now();
    client.config_map("b", "1").await;
    let mut seen = Vec::new();
    while let Some(frame) = watch.next().await {
        seen.push((started.elapsed().as_secs(), show(&frame)));
    }
    let (added, bookmark) = ("ADDED b@8 1".to_owned(), "BOOKMARK -@8".to_owned());
    let bookmarks = [(60, bookmark.clone()), (120, bookmark.clone()), (148, bookmark)];
    assert_eq!(seen[0], (0, added.clone()));
    assert_eq!(seen[1..], bookmarks);
    assert_eq!(started.elapsed(), Duration::from_secs(150));
    // With all that is told at first, nothing is left that a bookmark could tell.
    let mut idle = client.watch(&format!("{CONFIG_MAPS}?{query}")).await;
    assert_eq!(idle.next().await.map(|frame| show(&frame)), Some(added.clone()));
    assert_eq!(idle.next().await, None);
    let mut quiet = client
        .watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={at}&timeoutSeconds=150"))
        .await;
    assert_eq!(quiet.next().await.map(|frame| show(&frame)), Some(added));
    assert_eq!(quiet.next().await, None);
}

#[tokio::test(start_paused = true)]
async fn v3_5_a_watch_without_a_timeout_ends_after_half_an_hour_or_more() {
    let client = client();
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    let started = tokio::time::Instant::now();
    assert_eq!(watch.next().await, None);
    let minutes = started.elapsed().as_secs() / 60;
    assert!((30..60).contains(&minutes), "{minutes}");
    assert_eq!(client.server.open_requests(), 1);
    drop(watch);
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn v3_5_a_timeout_beyond_all_clocks_is_no_panic() {
    let client = client();
    let query = format!("watch=1&timeoutSeconds={}", i64::MAX);
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?{query}")).await;
    client.config_map("a", "1").await;
    assert_eq!(watch.ready().len(), 1);
    assert!(!watch.ended);
}

#[tokio::test(start_paused = true)]
async fn v3_6_a_version_too_old_is_an_error_event() {
    let client = client();
    let at = client.config_map("a", "1").await;
    let latest = client.config_map("b", "1").await;
    client.server.compact(latest);
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={at}")).await;
    assert_eq!(watch.ready(), ["ERROR 410 too old resource version: 7 (8)"]);
    assert!(watch.ended);
}

#[tokio::test(start_paused = true)]
async fn v3_6_a_version_too_old_can_be_refused_outright() {
    let client = client();
    client.server.add_hook(hooks::on_read(|read| match read.verb {
        "watch" | "list" => read.expired(),
        _ => hooks::Verdict::Proceed,
    }));
    let watch = client.get(&format!("{CONFIG_MAPS}?watch=1&resourceVersion=1")).await;
    assert_eq!(watch.line(), "410 Expired: The resourceVersion for the provided watch is too old.");
    let list = client.get(&format!("{CONFIG_MAPS}?resourceVersion=1")).await;
    assert_eq!(list.line(), "410 Expired: The resourceVersion for the provided list is too old.");
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn v3_6_a_cache_can_be_unready() {
    let client = client();
    let mut left = 2;
    client.server.add_hook(hooks::on_read(move |read| {
        if left == 0 {
            return hooks::Verdict::Proceed;
        }
        left -= 1;
        read.not_ready()
    }));
    for path in [CONFIG_MAPS.to_owned(), format!("{CONFIG_MAPS}?watch=1")] {
        let answer = client.get(&path).await;
        assert_eq!(answer.headers["retry-after"], "1");
        assert_eq!(answer.line(), "429 TooManyRequests: storage is (re)initializing");
    }
    client.get(CONFIG_MAPS).await.expect(200);
}

#[tokio::test(start_paused = true)]
async fn v3_7_the_window_is_counted_in_events() {
    let server = ApiServer::builder().history_events(2).build();
    let client = Client { server, agent: "tester" };
    let at = client.config_map("a", "1").await;
    for name in ["b", "c"] {
        client.config_map(name, "1").await;
    }
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={at}")).await;
    assert_eq!(watch.ready(), ["ADDED b@8 1", "ADDED c@9 1"]);
    client.config_map("d", "1").await;
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={at}")).await;
    assert_eq!(watch.ready(), ["ERROR 410 too old resource version: 7 (8)"]);
}

#[tokio::test(start_paused = true)]
async fn v3_8_a_slow_watcher_is_cut_and_the_others_go_on() {
    let server = ApiServer::builder().slow_watcher(3).build();
    let client = Client { server, agent: "tester" };
    for name in ["a", "b", "c", "d", "e"] {
        client.config_map(name, "1").await;
    }
    let mut slow = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    let mut quick = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    assert_eq!(quick.ready().len(), 5, "a first burst of any length is no slowness");
    for name in ["f", "g", "h", "i"] {
        client.config_map(name, "1").await;
        assert_eq!(quick.ready().len(), 1);
    }
    assert_eq!(slow.ready().len(), 0);
    assert!(slow.ended && !quick.ended);
}

/// Few changes of large objects are as much as many of small ones.
#[tokio::test(start_paused = true)]
async fn v3_8_a_watcher_is_cut_by_what_it_has_not_read() {
    let server = ApiServer::builder().slow_watcher_bytes(10_000).build();
    let client = Client { server, agent: "tester" };
    client.config_map("a", &"x".repeat(100_000)).await;
    let mut slow = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    let mut quick = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    assert_eq!(quick.ready().len(), 1, "what it begins with is no slowness");
    for name in ["b", "c", "d"] {
        client.config_map(name, &"x".repeat(4_000)).await;
        assert_eq!(quick.ready().len(), 1);
    }
    assert_eq!(slow.ready().len(), 0);
    assert!(slow.ended && !quick.ended);
}

#[tokio::test(start_paused = true)]
async fn v3_9_one_object_and_the_old_paths() {
    let client = client();
    client.config_map("a", "1").await;
    client.config_map("b", "1").await;
    for path in [
        format!("{CONFIG_MAPS}?watch=1&fieldSelector=metadata.name%3Db"),
        "/api/v1/watch/namespaces/default/configmaps/b".to_owned(),
    ] {
        assert_eq!(client.watch(&path).await.ready(), ["ADDED b@8 1"], "{path}");
    }
    let read = client.get(&format!("{CONFIG_MAPS}/b?watch=1")).await.expect(200);
    assert_eq!((&read["kind"], version(&read)), (&json!("ConfigMap"), 8), "no watch");
    for path in ["/api/v1/watch/namespaces/default/configmaps", "/api/v1/watch/configmaps"] {
        assert_eq!(client.watch(path).await.ready(), ["ADDED a@7 1", "ADDED b@8 1"], "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn v3_10_only_the_first_table_has_columns() {
    let client = client();
    client.config_map("a", "1").await;
    client.config_map("b", "1").await;
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    let mut watch = client.watch_as(&format!("{CONFIG_MAPS}?watch=1"), accept).await;
    let first = watch.next().await.expect("a frame");
    let second = watch.next().await.expect("a frame");
    assert_eq!(first["object"]["kind"], "Table");
    assert_eq!(first["object"]["columnDefinitions"][0]["name"], "Name");
    assert_eq!(second["object"]["rows"][0]["cells"][0], "b");
    assert!(second["object"]["columnDefinitions"].as_array().is_none_or(Vec::is_empty));
}

#[tokio::test(start_paused = true)]
async fn v3_a_client_that_leaves_is_forgotten() {
    let client = client();
    let watch = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    assert_eq!(client.server.open_requests(), 1);
    drop(watch);
    assert_eq!(client.server.open_requests(), 0);
    client.config_map("a", "1").await;
}

#[tokio::test(start_paused = true)]
async fn v3_8_all_watchers_see_the_same_order() {
    let client = client();
    let mut watches = Vec::new();
    for _ in 0..4 {
        watches.push(client.watch(&format!("{CONFIG_MAPS}?watch=1")).await);
    }
    for name in ["c", "a", "b"] {
        client.config_map(name, "1").await;
        client.merge(&format!("{CONFIG_MAPS}/{name}"), &json!({"data": {"value": "2"}})).await;
    }
    client.delete(&format!("{CONFIG_MAPS}/a")).await.expect(200);
    let seen: Vec<_> = watches.iter_mut().map(Watch::ready).collect();
    assert_eq!(seen[0].len(), 7);
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
}
