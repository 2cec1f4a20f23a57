//! Hooks: where a test steps in.

use serde_json::json;
use watchkeeper_apiserver::Hook;
use watchkeeper_apiserver::error::ApiError;
use watchkeeper_apiserver::hooks::{Aftermath, Delivery, Passage, Read, Verdict, Write};
use watchkeeper_apiserver::storage::Event;

use crate::support::*;

struct Refuse;

impl Hook for Refuse {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        match write.key.rsplit('/').next() {
            Some("refused") => {
                Verdict::Refuse(Box::new(ApiError::new(503, "ServiceUnavailable", "not now")))
            }
            Some("cut") => Verdict::Hangup,
            _ => Verdict::Proceed,
        }
    }

    fn after_commit(&mut self, write: &Write<'_>, _: &Event) -> Aftermath {
        if write.key.ends_with("/lost") { Aftermath::LoseReply } else { Aftermath::Reply }
    }

    fn on_delivery(&mut self, delivery: &Delivery<'_>) -> Passage {
        match delivery.event.object.name() {
            "hidden" => Passage::Skip,
            "last" => Passage::End,
            _ => Passage::Deliver,
        }
    }

    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        if read.verb == "get" && read.key.ends_with("/unreadable") {
            Verdict::Hangup
        } else {
            Verdict::Proceed
        }
    }
}

fn hooked() -> Client {
    let client = client();
    client.server.add_hook(Refuse);
    client
}

fn body(name: &str) -> String {
    json!({"metadata": {"name": name}}).to_string()
}

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

#[tokio::test(start_paused = true)]
async fn before_a_commit_a_write_can_be_refused_or_cut() {
    let client = hooked();
    let refused = client.try_send("POST", CONFIG_MAPS, JSON, body("refused")).await;
    assert_eq!(refused.expect("an answer").line(), "503 ServiceUnavailable: not now");
    assert!(client.try_send("POST", CONFIG_MAPS, JSON, body("cut")).await.is_err());
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), Vec::<String>::new());
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn after_a_commit_the_reply_can_be_lost() {
    let client = hooked();
    assert!(client.try_send("POST", CONFIG_MAPS, JSON, body("lost")).await.is_err());
    assert_eq!(names(&client.get(CONFIG_MAPS).await.expect(200)), ["lost"]);
}

#[tokio::test(start_paused = true)]
async fn deliveries_can_be_hidden_and_watches_ended() {
    let client = hooked();
    let mut watch = client.watch(&format!("{CONFIG_MAPS}?watch=1")).await;
    for name in ["a", "hidden", "b", "last"] {
        client.config_map(name, "1").await;
    }
    assert_eq!(watch.ready(), ["ADDED a@7 1", "ADDED b@9 1"]);
    assert!(watch.ended);
}

#[tokio::test(start_paused = true)]
async fn reads_can_be_cut() {
    let client = hooked();
    client.config_map("unreadable", "1").await;
    let path = format!("{CONFIG_MAPS}/unreadable");
    assert!(client.try_send("GET", &path, &[], String::new()).await.is_err());
}
