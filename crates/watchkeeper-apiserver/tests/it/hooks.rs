//! Hooks: where a test steps in.

use serde_json::json;
use watchkeeper_apiserver::error::ApiError;
use watchkeeper_apiserver::hooks::{
    Aftermath, Audit, Delivery, Fault, Faults, Passage, Read, Verdict, Write,
};
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

/// What a server with these faults answers to creates and changes, as codes; 0 where the connection breaks.
async fn through(faults: &Faults) -> Vec<u16> {
    let client = client();
    client.server.add_hook(faults.clone());
    let mut codes = Vec::new();
    for number in 0..200 {
        let name = format!("a{number}");
        let made = client.try_send("POST", CONFIG_MAPS, JSON, body(&name)).await;
        let change = json!({"data": {"a": "b"}}).to_string();
        let patch = &[("content-type", "application/merge-patch+json")];
        let changed =
            client.try_send("PATCH", &format!("{CONFIG_MAPS}/{name}"), patch, change).await;
        codes.extend([made, changed].map(|answer| answer.map_or(0, |answer| answer.code)));
    }
    codes
}

#[tokio::test(start_paused = true)]
async fn faults_of_one_seed_strike_at_the_same_places() {
    let of = |seed| Faults::seeded(seed);
    let (first, again) = (of(1), of(1));
    assert_eq!(through(&first).await, through(&again).await);
    assert_eq!(first.struck(), again.struck());
    assert_ne!(through(&of(2)).await, through(&of(3)).await);
}

/// One fault, wherever it can strike, and no other.
fn only(fault: Fault) -> Faults {
    use Fault::{
        Conflict, EndedWatch, Expired, Hangup, InternalError, Late, LostReply, TooManyRequests,
        Unavailable,
    };
    let all = [
        Conflict,
        EndedWatch,
        Expired,
        Hangup,
        InternalError,
        Late,
        LostReply,
        TooManyRequests,
        Unavailable,
    ];
    let none = all.into_iter().fold(Faults::seeded(1), |faults, fault| faults.share(fault, 0));
    none.share(fault, 1000).spare("spared")
}

#[tokio::test(start_paused = true)]
async fn each_fault_is_what_it_is_called() {
    let change = json!({"data": {"a": "b"}}).to_string();
    let patch = &[("content-type", "application/merge-patch+json")];
    let path = format!("{CONFIG_MAPS}/a");
    for (fault, made, changed, stored) in [
        (Fault::Hangup, 0, 0, 0),
        (Fault::LostReply, 0, 0, 2),
        (Fault::Conflict, 201, 409, 1),
        (Fault::TooManyRequests, 429, 429, 0),
        (Fault::InternalError, 500, 500, 0),
        (Fault::Unavailable, 503, 503, 0),
        (Fault::Expired, 201, 200, 2),
    ] {
        let (client, faults) = (client(), only(fault));
        client.server.add_hook(faults.clone());
        let spared = Client { agent: "spared", ..client.clone() };
        spared.send("POST", CONFIG_MAPS, "application/json", body("a")).await.expect(201);
        let writes = || client.server.history().entries().len();
        let before = writes();
        let answers = [
            client.try_send("POST", CONFIG_MAPS, JSON, body("b")).await,
            client.try_send("PATCH", &path, patch, change.clone()).await,
        ];
        let codes = answers.map(|answer| answer.map_or(0, |answer| answer.code));
        assert_eq!(codes, [made, changed], "{fault:?}");
        assert_eq!(writes() - before, stored, "{fault:?}");
        faults.stop();
        client
            .try_send("PATCH", &path, patch, json!({"data": {"a": "c"}}).to_string())
            .await
            .expect("an answer")
            .expect(200);
    }
}

#[tokio::test(start_paused = true)]
async fn faults_of_reads_end_watches_and_forget_versions() {
    let watch = format!("{CONFIG_MAPS}?watch=1&resourceVersion=1");
    let client = client();
    client.server.add_hook(only(Fault::Expired));
    let answer = client.try_send("GET", &watch, &[], String::new()).await.expect("an answer");
    assert_eq!(answer.code, 410);
    let ended = crate::support::client();
    let faults = only(Fault::EndedWatch);
    ended.server.add_hook(faults.clone());
    ended.send("POST", CONFIG_MAPS, "application/json", body("a")).await.expect(201);
    // It ends by itself, before the event.
    let told = ended.try_send("GET", &watch, &[], String::new()).await.expect("an answer");
    assert_eq!((told.code, &*told.text), (200, ""));
    assert_eq!(faults.struck(), [(Fault::EndedWatch, 1)].into());
}

/// What an audit tells of each answer: who, what, of which object, and the code.
fn told(audit: &Audit) -> Vec<String> {
    let line = |entry: &watchkeeper_apiserver::hooks::AuditEntry| {
        let part = if entry.subresource.is_empty() { "" } else { "/" };
        let what =
            format!("{} {} {}{part}{}", entry.actor, entry.verb, entry.table, entry.subresource);
        format!("{what} {} {:?}", entry.key, entry.code.unwrap_or_default())
    };
    audit.entries().iter().map(line).collect()
}

#[tokio::test(start_paused = true)]
async fn an_audit_has_who_asked_for_what_and_what_was_answered() {
    let (client, audit) = (hooked(), Audit::default());
    client.server.add_hook(audit.clone());
    let other = Client { agent: "other", ..client.clone() };
    for name in ["a", "a", "refused", "cut", "lost"] {
        let _ = client.try_send("POST", CONFIG_MAPS, JSON, body(name)).await;
    }
    let stale = json!({"metadata": {"name": "a", "resourceVersion": "1"}}).to_string();
    let _ = other.try_send("PUT", &format!("{CONFIG_MAPS}/a"), JSON, stale).await;
    let _ = other.try_send("GET", "/apis/apps/v1/deployments", &[], String::new()).await;
    let _ = other.try_send("GET", "/version", &[], String::new()).await;
    let _watch = client.watch(&format!("{CONFIG_MAPS}?watch=true")).await;
    let expected = [
        "tester create configmaps default/ 201",
        "tester create configmaps default/ 409",
        "tester create configmaps default/ 503",
        "tester create configmaps default/ 0",
        "tester create configmaps default/ 0",
        "other update configmaps default/a 409",
        "other list deployments.apps  200",
        "other get  /version 200",
        "tester watch configmaps default/ 200",
    ];
    assert_eq!(told(&audit), expected);
}

/// Those whose client gave them up have no answer.
#[tokio::test(start_paused = true)]
async fn an_audit_has_nothing_of_what_was_given_up() {
    let (client, audit) = (client(), Audit::default());
    client.server.add_hook(only(Fault::Late));
    client.server.add_hook(audit.clone());
    let late = client.get(CONFIG_MAPS);
    let given_up = tokio::time::timeout(std::time::Duration::from_secs(1), late).await;
    assert!(given_up.is_err() && audit.entries().is_empty(), "{:?}", told(&audit));
    client.get(CONFIG_MAPS).await.expect(200);
    assert_eq!(told(&audit), ["tester list configmaps default/ 200"]);
}
