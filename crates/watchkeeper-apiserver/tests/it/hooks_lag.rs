//! Clients that lag behind: watches that are late, and reads of the past.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use watchkeeper_apiserver::hooks::{Delivery, Passage, Read, Verdict};
use watchkeeper_apiserver::{ApiServer, Clock, Hook, Now};

use crate::support::*;

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// What becomes of the events of one client, by the name of the object.
struct Lagging(fn(&str) -> Passage);

impl Hook for Lagging {
    fn on_delivery(&mut self, delivery: &Delivery<'_>) -> Passage {
        match delivery.actor {
            "behind" => (self.0)(delivery.event.object.name()),
            _ => Passage::Deliver,
        }
    }
}

/// A server on which one client lags behind.
fn lagging(passage: fn(&str) -> Passage) -> Client {
    let server = ApiServer::builder().clock(Clock::Virtual(Now(Duration::ZERO))).build();
    server.add_hook(Lagging(passage));
    Client { server, agent: "ahead" }
}

async fn create(client: &Client, name: &str) {
    let body = json!({"metadata": {"name": name}}).to_string();
    client.try_send("POST", CONFIG_MAPS, JSON, body).await.expect("an answer").expect(201);
}

/// The names that so many events of a watch tell, and after how many seconds.
async fn names(watch: &mut Watch, count: usize, began: Instant) -> Vec<(String, u64)> {
    let mut told = Vec::new();
    for _ in 0..count {
        let event = watch.next().await.expect("an event");
        let name = event["object"]["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        told.push((name, began.elapsed().as_secs()));
    }
    told
}

/// Two clients watch while four maps are made at once; what each is told, and when.
async fn told(passage: fn(&str) -> Passage) -> [Vec<(String, u64)>; 2] {
    let ahead = lagging(passage);
    let behind = Client { agent: "behind", ..ahead.clone() };
    let path = format!("{CONFIG_MAPS}?watch=true&resourceVersion=1");
    let (mut first, mut second) = (ahead.watch(&path).await, behind.watch(&path).await);
    let began = Instant::now();
    for name in ["a", "b", "c", "d"] {
        create(&ahead, name).await;
    }
    [names(&mut first, 4, began).await, names(&mut second, 4, began).await]
}

fn pairs(pairs: [(&str, u64); 4]) -> Vec<(String, u64)> {
    pairs.map(|(name, second)| (name.to_owned(), second)).to_vec()
}

#[tokio::test(start_paused = true)]
async fn one_client_is_told_later_in_the_order_of_what_happened() {
    let passage = |name: &str| match name {
        "b" => Passage::Delay(Duration::from_secs(20)),
        _ => Passage::Deliver,
    };
    let [ahead, behind] = told(passage).await;
    assert_eq!(ahead, pairs([("a", 0), ("b", 0), ("c", 0), ("d", 0)]));
    assert_eq!(behind, pairs([("a", 0), ("b", 20), ("c", 20), ("d", 20)]));
}

#[tokio::test(start_paused = true)]
async fn what_is_late_comes_after_what_happened_later() {
    let passage = |name: &str| match name {
        "a" => Passage::Late(Duration::from_secs(9)),
        "c" => Passage::Late(Duration::from_secs(5)),
        _ => Passage::Deliver,
    };
    let [ahead, behind] = told(passage).await;
    assert_eq!(ahead, pairs([("a", 0), ("b", 0), ("c", 0), ("d", 0)]));
    assert_eq!(behind, pairs([("b", 0), ("d", 0), ("c", 5), ("a", 9)]));
}

/// A bookmark of a version says that nothing before it is to come.
#[tokio::test(start_paused = true)]
async fn v3_4_a_bookmark_does_not_overtake_what_is_kept_back() {
    let client = lagging(|_| Passage::Delay(Duration::from_secs(90)));
    let behind = Client { agent: "behind", ..client.clone() };
    let path = format!("{CONFIG_MAPS}?watch=true&resourceVersion=1&allowWatchBookmarks=true");
    let mut watch = behind.watch(&path).await;
    create(&client, "a").await;
    let mut kinds = Vec::new();
    for _ in 0..2 {
        let event = watch.next().await.expect("an event");
        kinds.push(event["type"].as_str().unwrap_or_default().to_owned());
    }
    assert_eq!(kinds, ["ADDED", "BOOKMARK"]);
}

/// Reads of one client see the past.
struct Frozen(u64);

impl Hook for Frozen {
    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        if read.actor == "behind" { Verdict::At(self.0) } else { Verdict::Proceed }
    }
}

/// The names and the version of a list.
fn list(answer: &Value) -> (Vec<String>, String) {
    let items = answer["items"].as_array().expect("items");
    let name = |item: &Value| item["metadata"]["name"].as_str().unwrap_or_default().to_owned();
    let version = answer["metadata"]["resourceVersion"].as_str().unwrap_or_default();
    (items.iter().map(name).collect(), version.to_owned())
}

/// A client that reads the past, in which there was map `a` only, and the version of then.
async fn frozen() -> (Client, u64) {
    let client = Client { server: ApiServer::new(), agent: "ahead" };
    create(&client, "a").await;
    let then = client.server.revision();
    create(&client, "b").await;
    let gone = client.try_send("DELETE", &format!("{CONFIG_MAPS}/a"), &[], String::new()).await;
    gone.expect("an answer").expect(200);
    client.server.add_hook(Frozen(then));
    (Client { agent: "behind", ..client }, then)
}

#[tokio::test(start_paused = true)]
async fn v2_2_what_may_be_old_is_read_as_it_was_and_nothing_else() {
    let (client, then) = frozen().await;
    let get = async |path: String| {
        client.try_send("GET", &path, &[], String::new()).await.expect("an answer")
    };
    for query in ["resourceVersion=0", &format!("resourceVersion={then}"), "resourceVersion=1"] {
        let told = list(&get(format!("{CONFIG_MAPS}?{query}")).await.expect(200));
        assert_eq!(told, (vec!["a".to_owned()], then.to_string()), "{query}");
        get(format!("{CONFIG_MAPS}/a?{query}")).await.expect(200);
        get(format!("{CONFIG_MAPS}/b?{query}")).await.expect(404);
    }
    let now = client.server.revision();
    for query in ["", "limit=1", &format!("resourceVersion={now}"), "limit=500&resourceVersion="] {
        let told = list(&get(format!("{CONFIG_MAPS}?{query}")).await.expect(200));
        assert_eq!(told, (vec!["b".to_owned()], now.to_string()), "{query}");
    }
    get(format!("{CONFIG_MAPS}/a")).await.expect(404);
    get(format!("{CONFIG_MAPS}/b")).await.expect(200);
    // What it writes meets what is there.
    let stale = json!({"metadata": {"name": "a"}}).to_string();
    let put =
        client.try_send("PUT", &format!("{CONFIG_MAPS}/a"), JSON, stale).await.expect("an answer");
    assert_eq!(put.code, 404, "{}", put.text);
}

#[tokio::test(start_paused = true)]
async fn v3_2_a_watch_of_the_past_begins_there_and_catches_up() {
    let (client, then) = frozen().await;
    let query = "watch=true&resourceVersion=0&sendInitialEvents=true\
                 &resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?{query}")).await;
    let mut told = Vec::new();
    for _ in 0..4 {
        let event = watch.next().await.expect("an event");
        let metadata = &event["object"]["metadata"];
        let what = if event["type"] == "BOOKMARK" { "resourceVersion" } else { "name" };
        told.push(format!("{} {}", event["type"], metadata[what]).replace('"', ""));
    }
    let bookmark = format!("BOOKMARK {then}");
    assert_eq!(told, ["ADDED a", &*bookmark, "ADDED b", "DELETED a"]);
}

#[tokio::test(start_paused = true)]
async fn v3_6_what_is_older_than_the_time_that_is_kept_is_gone() {
    let kept = Duration::from_secs(300);
    let clock = Clock::Virtual(Now(Duration::ZERO));
    let server = ApiServer::builder().clock(clock).history_for(kept).build();
    let client = Client { server, agent: "tester" };
    create(&client, "a").await;
    let version = client.server.revision();
    create(&client, "b").await;
    let exact = format!("{CONFIG_MAPS}?resourceVersion={version}&resourceVersionMatch=Exact");
    let asked =
        async || client.try_send("GET", &exact, &[], String::new()).await.expect("an answer");
    // The first request after the writes notes when they were.
    asked().await.expect(200);
    sleep(kept).await;
    asked().await.expect(200);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(
        asked().await.line(),
        "410 Expired: The resourceVersion for the provided list is too old."
    );
    let path = format!("{CONFIG_MAPS}?watch=true&resourceVersion={version}");
    let event = client.watch(&path).await.next().await.expect("an event");
    assert_eq!((&event["type"], &event["object"]["code"]), (&json!("ERROR"), &json!(410)));
}
