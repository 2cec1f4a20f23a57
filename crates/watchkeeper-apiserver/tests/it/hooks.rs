//! Hooks: where a test steps in.

use serde_json::json;
use watchkeeper_apiserver::error::ApiError;
use watchkeeper_apiserver::hooks::{Aftermath, Delivery, Passage, Read, Verdict, Write};
use watchkeeper_apiserver::storage::Event;
use watchkeeper_apiserver::{Hook, Verb};

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

/// Says this of the gathering of rules into one role, as often as it was told.
struct AgainstGathering(Verdict, Aftermath, usize);

impl AgainstGathering {
    fn is_due(&mut self, write: &Write<'_>) -> bool {
        let is_due = write.key == "sum" && write.verb == Verb::Patch && self.2 > 0;
        self.2 -= usize::from(is_due);
        is_due
    }
}

impl Hook for AgainstGathering {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        if self.0 != Verdict::Proceed && self.is_due(write) {
            return self.0.clone();
        }
        Verdict::Proceed
    }

    fn after_commit(&mut self, write: &Write<'_>, _: &Event) -> Aftermath {
        if self.1 != Aftermath::Reply && self.is_due(write) {
            return self.1;
        }
        Aftermath::Reply
    }
}

/// The server gathers rules by itself: whoever wrote the role that is gathered is not concerned.
#[tokio::test(start_paused = true)]
async fn what_is_said_of_the_gathering_of_rules_is_not_told_to_who_wrote_and_is_made_up_for() {
    const ROLES: &str = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    let refused = Verdict::Refuse(Box::new(ApiError::internal("no")));
    for (before, after, times) in [
        (refused, Aftermath::Reply, 2),
        (Verdict::Hangup, Aftermath::Reply, 2),
        (Verdict::Proceed, Aftermath::LoseReply, 1),
    ] {
        let client = client();
        let sum = json!({
            "metadata": {"name": "sum"},
            "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"is": "part"}}]},
        });
        client.post(ROLES, &sum).await.expect(201);
        let is_lost = after == Aftermath::LoseReply;
        client.server.add_hook(AgainstGathering(before, after, times));
        let rules = json!([{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]);
        let part = json!({"metadata": {"name": "part", "labels": {"is": "part"}}, "rules": rules});
        let made = client.try_send("POST", ROLES, JSON, part.to_string()).await;
        made.expect("an answer").expect(201);
        let path = format!("{ROLES}/sum");
        if !is_lost {
            let stale = client.get(&path).await.expect(200);
            assert_eq!(stale["rules"], json!(null), "refused a second time");
        }
        assert_eq!(client.get(&path).await.expect(200)["rules"], rules, "{times}");
    }
}

/// Refuses the status of quotas, as often as it was told.
struct AgainstQuotas(usize);

impl Hook for AgainstQuotas {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        let refuses = write.key.ends_with("/book") && self.0 > 0;
        self.0 -= usize::from(refuses);
        if refuses { Verdict::Refuse(Box::new(ApiError::internal("no"))) } else { Verdict::Proceed }
    }
}

/// The server keeps the books of quotas by itself as well.
#[tokio::test(start_paused = true)]
async fn what_is_said_of_the_books_of_quotas_is_not_told_to_who_wrote_and_is_made_up_for() {
    let client = client();
    let quotas = "/api/v1/namespaces/default/resourcequotas";
    let book = json!({"metadata": {"name": "book"}, "spec": {"hard": {"configmaps": "2"}}});
    client.post(quotas, &book).await.expect(201);
    client.server.add_hook(AgainstQuotas(2));
    client.config_map("x", "1").await;
    let path = format!("{quotas}/book");
    let used = async || client.get(&path).await.expect(200)["status"]["used"]["configmaps"].clone();
    assert_eq!(used().await, "0", "refused a second time");
    assert_eq!(used().await, "1");
}
