//! One fault, of the n-th write that it can strike.

use serde_json::json;
use watchkeeper_apiserver::hooks::{Fault, Faults, NthWrite};

use crate::support::*;

const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";
const LEASES: &str = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

/// Writes by `agent`: the code of each answer, 0 where there is none.
async fn writes(client: &Client, agent: &'static str) -> [u16; 3] {
    let client = Client { agent, ..client.clone() };
    let change = json!({"data": {"value": agent}}).to_string();
    let body = |name: &str| json!({"metadata": {"name": format!("{agent}-{name}")}}).to_string();
    let path = format!("{CONFIG_MAPS}/{agent}-a");
    let answers = [
        client.try_send("POST", LEASES, &[("content-type", JSON)], body("l")).await,
        client.try_send("POST", CONFIG_MAPS, &[("content-type", JSON)], body("a")).await,
        client.try_send("PATCH", &path, &[("content-type", MERGE)], change).await,
    ];
    answers.map(|answer| answer.map_or(0, |answer| answer.code))
}

#[tokio::test(start_paused = true)]
async fn only_the_nth_write_that_it_can_strike_is_struck() {
    let created = Some("create configmaps default/b-a of b");
    let patched = Some("patch configmaps default/b-a of b");
    for (fault, n, answers, struck) in [
        // That of the map that is not there finds nothing, and is no write.
        (Fault::Hangup, 1, [201, 0, 404], created),
        (Fault::Hangup, 2, [201, 201, 0], patched),
        (Fault::Hangup, 3, [201, 201, 200], None),
        (Fault::LostReply, 1, [201, 0, 200], created),
        (Fault::LostReply, 2, [201, 201, 0], patched),
        (Fault::TooManyRequests, 2, [201, 201, 429], patched),
        (Fault::InternalError, 1, [201, 500, 404], created),
        (Fault::Unavailable, 2, [201, 201, 503], patched),
        // What is new is in conflict with nothing.
        (Fault::Conflict, 1, [201, 201, 409], patched),
        (Fault::Conflict, 2, [201, 201, 200], None),
        (Fault::Expired, 1, [201, 201, 200], None),
        (Fault::EndedWatch, 1, [201, 201, 200], None),
        (Fault::Late, 1, [201, 201, 200], None),
    ] {
        let (client, told) = (client(), format!("{fault:?} {n}"));
        let hook = NthWrite::new(n, fault).spare("a").spare("leases.coordination.k8s.io");
        client.server.add_hook(hook.clone());
        assert_eq!(writes(&client, "a").await, [201, 201, 200], "{told}: it is spared");
        assert_eq!(hook.struck(), None, "{told}");
        assert_eq!(writes(&client, "b").await, answers, "{told}");
        assert_eq!(hook.struck().as_deref(), struck, "{told}");
        if struck.is_some() {
            assert_eq!(writes(&client, "c").await, [201, 201, 200], "{told}: it strikes once");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn whom_a_fault_struck_is_counted_by_actor() {
    let client = client();
    let faults = Faults::seeded(1).share(Fault::Unavailable, 1000).spare("a");
    client.server.add_hook(faults.clone());
    writes(&client, "a").await;
    writes(&client, "b").await;
    let all = faults.struck();
    assert_eq!(faults.struck_at("a"), [].into());
    assert_eq!(faults.struck_at("b"), all);
    assert!(all.values().sum::<u64>() >= 2, "{all:?}");
}

#[tokio::test(start_paused = true)]
async fn every_write_is_counted() {
    let client = client();
    let before = client.server.history().count();
    writes(&client, "a").await;
    assert_eq!(client.server.history().count() - before, 3);
    assert_eq!(client.server.history().count(), client.server.history().entries().len() as u64);
}
