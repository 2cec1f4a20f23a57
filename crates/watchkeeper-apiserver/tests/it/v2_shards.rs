//! V2.7: parts of a collection, by hash (KEP-5866).

use serde_json::{Value, json};
use watchkeeper_apiserver::ApiServer;

use crate::support::*;

const LOW: &str = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
const HIGH: &str = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

fn sharding() -> Client {
    Client { server: ApiServer::builder().shard_selectors().build(), agent: "tester" }
}

/// A path with a selector.
fn of(path: &str, selector: &str) -> String {
    let escaped: String = selector
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() { c.to_string() } else { format!("%{:02x}", u32::from(c)) }
        })
        .collect();
    let and = if path.contains('?') { '&' } else { '?' };
    format!("{path}{and}shardSelector={escaped}")
}

async fn with_maps(client: Client) -> (Client, Vec<String>) {
    let mut all = Vec::new();
    for index in 0..20 {
        let name = format!("m{index:02}");
        client.config_map(&name, "1").await;
        all.push(name);
    }
    (client, all)
}

#[tokio::test(start_paused = true)]
async fn v2_7_each_object_is_in_one_shard_and_the_list_tells_which() {
    let (client, all) = with_maps(sharding()).await;
    let low = client.get(&of(CONFIG_MAPS, LOW)).await.expect(200);
    let high = client.get(&of(CONFIG_MAPS, HIGH)).await.expect(200);
    assert_eq!(low["metadata"]["shardInfo"], json!({"selector": LOW}));
    let (low, high) = (names(&low), names(&high));
    assert!(!low.is_empty() && !high.is_empty());
    let mut both = [low, high].concat();
    both.sort();
    assert_eq!(both, all);
    let joined = format!("{LOW} || {HIGH}");
    assert_eq!(names(&client.get(&of(CONFIG_MAPS, &joined)).await.expect(200)), all);
    let here = LOW.replace("uid", "namespace");
    let there = HIGH.replace("uid", "namespace");
    let count = async |selector: &str| {
        names(&client.get(&of(CONFIG_MAPS, selector)).await.expect(200)).len()
    };
    assert_eq!(count(&here).await + count(&there).await, all.len());
    assert!(count(&here).await == 0 || count(&there).await == 0, "a namespace stays together");
}

#[tokio::test(start_paused = true)]
async fn v2_7_pages_and_watches_are_of_the_shard() {
    let (client, _) = with_maps(sharding()).await;
    let whole = names(&client.get(&of(CONFIG_MAPS, LOW)).await.expect(200));
    let path = of(&format!("{CONFIG_MAPS}?limit=2"), LOW);
    let mut page = client.get(&path).await.expect(200);
    let mut seen = names(&page);
    assert_eq!(page["metadata"]["remainingItemCount"], 18, "of all there are, less the limit");
    while let Some(token) = page["metadata"]["continue"].as_str() {
        page = client.get(&format!("{path}&continue={token}")).await.expect(200);
        seen.extend(names(&page));
    }
    assert_eq!(seen, whole);
    let mut watch = client.watch(&of(&format!("{CONFIG_MAPS}?watch=1"), LOW)).await;
    assert_eq!(watch.ready().len(), whole.len());
    let (mut inside, mut outside) = (0, 0);
    for index in 20..40 {
        let made = json!({"metadata": {"name": format!("m{index}")}});
        client.post(CONFIG_MAPS, &made).await.expect(201);
        match watch.ready().len() {
            0 => outside += 1,
            _ => inside += 1,
        }
    }
    assert!(inside > 0 && outside > 0, "{inside} {outside}");
}

#[tokio::test(start_paused = true)]
async fn v2_7_what_is_no_selector_is_refused_and_without_the_gate_it_means_nothing() {
    let (client, all) = with_maps(sharding()).await;
    let wrong = LOW.replace("uid", "name");
    for path in [of(CONFIG_MAPS, &wrong), of(&format!("{CONFIG_MAPS}?watch=1"), &wrong)] {
        assert_eq!(
            client.get(&path).await.line(),
            "500 : invalid shard selector: unsupported field path \"object.metadata.name\"; \
             supported: object.metadata.uid, object.metadata.namespace"
        );
    }
    let (client, _) = with_maps(self::client()).await;
    let list = client.get(&of(CONFIG_MAPS, &wrong)).await.expect(200);
    assert_eq!((names(&list), &list["metadata"]["shardInfo"]), (all, &Value::Null));
}
