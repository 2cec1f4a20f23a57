//! V10.4: what waits for a conversion webhook: watches, reads and writes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::support::*;
use crate::v10_conversion::*;

#[tokio::test(start_paused = true)]
async fn v10_4_each_event_of_a_watch_is_in_the_version_that_is_watched() {
    let (client, asked) = with_ships().await;
    client.post(V1, &ship("a", 3)).await.expect(201);
    let mut old = client.watch(&format!("{V1}?watch=1")).await;
    let mut new = client.watch(&format!("{V2}?watch=1")).await;
    let mut red = client.watch(&format!("{V1}?watch=1&fieldSelector=spec.color%3Dred")).await;
    for watch in [&mut old, &mut new, &mut red] {
        assert_eq!(watch.next().await.expect("a frame")["type"], "ADDED");
    }
    asked.take();
    let (_, path) = at("a");
    client.merge(&path, &json!({"spec": {"paint": "blue"}})).await.expect(200);
    let frame = old.next().await.expect("a frame");
    assert_eq!(
        (&frame["type"], &frame["object"]["spec"]["color"]),
        (&json!("MODIFIED"), &json!("blue"))
    );
    assert_eq!(frame["object"]["apiVersion"], "example.com/v1");
    let frame = new.next().await.expect("a frame");
    assert_eq!(frame["object"]["spec"]["paint"], "blue");
    let frame = red.next().await.expect("a frame");
    assert_eq!(
        (&frame["type"], &frame["object"]["spec"]["color"]),
        (&json!("DELETED"), &json!("red"))
    );
    client.delete(&path).await.expect(200);
    let frame = old.next().await.expect("a frame");
    assert_eq!(
        (&frame["type"], &frame["object"]["spec"]["color"]),
        (&json!("DELETED"), &json!("blue"))
    );
    let revision = version(&frame["object"]);
    assert_eq!(version(&new.next().await.expect("a frame")["object"]), revision);
}

#[tokio::test(start_paused = true)]
async fn v10_4_a_watch_keeps_its_order_while_the_webhook_takes_its_time() {
    let client = client();
    client.server.on_conversion(ADDRESS, async |review| {
        sleep(Duration::from_secs(u64::from(review.desired_version() == "example.com/v1"))).await;
        review.convert(convert)
    });
    client.post(CRDS, &ship_crd("v2")).await.expect(201);
    for name in ["a", "b"] {
        let mut body = ship(name, 1);
        (body["apiVersion"], body["spec"]) = ("example.com/v2".into(), json!({}));
        client.post(V2, &body).await.expect(201);
    }
    let options = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan\
                   &allowWatchBookmarks=true";
    let mut watch = client.watch(&format!("{V1}?{options}")).await;
    for paint in ["x", "y", "z"] {
        client.merge(&at("a").1, &json!({"spec": {"paint": paint}})).await.expect(200);
    }
    client.delete(&at("b").1).await.expect(200);
    let mut seen = Vec::new();
    for _ in 0..7 {
        let frame = watch.next().await.expect("a frame");
        let object = &frame["object"];
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let name = text(&object["metadata"]["name"]);
        seen.push(format!("{} {name} {}", text(&frame["type"]), text(&object["spec"]["color"])));
    }
    assert_eq!(
        seen,
        [
            "ADDED a -",
            "ADDED b -",
            "BOOKMARK - -",
            "MODIFIED a x",
            "MODIFIED a y",
            "MODIFIED a z",
            "DELETED b -",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn v10_4_a_read_that_waited_is_of_the_moment_it_began() {
    let client = client();
    let writer = client.clone();
    client.server.on_conversion(ADDRESS, move |review| {
        let writer = writer.clone();
        async move {
            // Somebody writes each time that the webhook is asked.
            let mut body = ship(&format!("n{}", writer.server.revision()), 1);
            (body["apiVersion"], body["spec"]) = ("example.com/v2".into(), json!({}));
            writer.post(V2, &body).await.expect(201);
            let change = json!({"spec": {"paint": format!("c{}", writer.server.revision())}});
            writer.merge(&at("a").1, &change).await.expect(200);
            review.convert(convert)
        }
    });
    client.post(CRDS, &ship_crd("v2")).await.expect(201);
    let mut body = ship("a", 1);
    (body["apiVersion"], body["spec"]) = ("example.com/v2".into(), json!({"paint": "red"}));
    let made = client.post(V2, &body).await.expect(201);
    let list = client.get(V1).await.expect(200);
    assert_eq!((names(&list), version(&list)), (vec!["a".to_owned()], version(&made)));
    let read = client.get(&at("a").0).await.expect(200);
    assert!(version(&read) > version(&made));
}

#[tokio::test(start_paused = true)]
async fn v10_4_a_write_that_waited_is_tried_on_the_newest_state() {
    let client = client();
    let (writer, done) = (client.clone(), Arc::new(Mutex::new(false)));
    client.server.on_conversion(ADDRESS, move |review| {
        let (writer, done) = (writer.clone(), Arc::clone(&done));
        async move {
            let first = !std::mem::replace(&mut *done.lock().expect("it"), true);
            if first {
                let change = json!({"spec": {"flag": "black"}});
                writer.merge(&at("a").1, &change).await.expect(200);
            }
            review.convert(convert)
        }
    });
    client.post(CRDS, &ship_crd("v2")).await.expect(201);
    let mut body = ship("a", 1);
    (body["apiVersion"], body["spec"]) = ("example.com/v2".into(), json!({"paint": "red"}));
    let made = client.post(V2, &body).await.expect(201);
    let patched = client.merge(&at("a").0, &json!({"spec": {"size": 4}})).await.expect(200);
    assert_eq!(patched["spec"], json!({"size": 4, "color": "red", "flag": "black"}));
    let mut stale = ship("a", 9);
    stale["metadata"]["resourceVersion"] = made["metadata"]["resourceVersion"].clone();
    assert_eq!(client.put(&at("a").0, &stale).await.code, 409);
}

#[tokio::test(start_paused = true)]
async fn v10_4_a_webhook_has_half_a_minute() {
    let client = client();
    client.server.on_conversion(ADDRESS, async |review| {
        sleep(Duration::from_secs(60)).await;
        review.convert(convert)
    });
    client.post(CRDS, &ship_crd("v2")).await.expect(201);
    let began = tokio::time::Instant::now();
    let line = client.post(V1, &ship("a", 1)).await.line();
    assert_eq!(began.elapsed(), Duration::from_secs(30));
    assert_eq!(
        line,
        format!(
            "500 : conversion webhook for example.com/v1, Kind=Ship failed: Post \
             \"{ADDRESS}?timeout=30s\": context deadline exceeded"
        )
    );
    let mut body = ship("a", 1);
    (body["apiVersion"], body["spec"]) = ("example.com/v2".into(), json!({}));
    client.post(V2, &body).await.expect(201);
    let mut watch = client.watch(&format!("{V1}?watch=1")).await;
    let frame = watch.next().await.expect("a frame");
    assert_eq!(frame["type"], "ERROR");
    assert!(watch.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn v10_4_watches_end_with_the_definition_that_they_began_under() {
    let (client, _) = with_ships().await;
    client.post(V1, &ship("a", 3)).await.expect(201);
    let mut watch = client.watch(&format!("{V1}?watch=1")).await;
    watch.next().await.expect("a frame");
    let change = json!([{"op": "add", "path": "/spec/names/categories", "value": ["all"]}]);
    client.patch("json", &format!("{CRDS}/ships.example.com"), &change).await.expect(200);
    assert!(watch.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn v10_4_watches_go_on_while_a_definition_changes_in_metadata_and_status_only() {
    let (client, _) = with_ships().await;
    let mut old = client.watch(&format!("{V1}?watch=1")).await;
    let mut new = client.watch(&format!("{V2}?watch=1")).await;
    let path = format!("{CRDS}/ships.example.com");
    client.merge(&path, &json!({"metadata": {"labels": {"a": "b"}}})).await.expect(200);
    let stored = json!({"status": {"storedVersions": ["v1", "v2"]}});
    client.merge(&format!("{path}/status"), &stored).await.expect(200);
    client.post(V1, &ship("a", 3)).await.expect(201);
    for (watch, version) in [(&mut old, "v1"), (&mut new, "v2")] {
        let frame = watch.next().await.expect("the watch goes on");
        assert_eq!(frame["type"], "ADDED");
        assert_eq!(frame["object"]["apiVersion"], format!("example.com/{version}"));
    }
}
