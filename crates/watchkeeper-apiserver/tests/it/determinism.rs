//! The same seed and the same requests give the same history, byte for byte.

use serde_json::json;
use watchkeeper_apiserver::ApiServer;

use crate::support::*;

async fn run(seed: u64) -> (u64, Vec<String>) {
    let client = Client { server: ApiServer::builder().seed(seed).build(), agent: "tester" };
    client.post(CRDS, &foo_crd()).await.expect(201);
    for _ in 0..3 {
        client
            .post(PODS, &json!({"metadata": {"generateName": "p-"}, "spec": pod("x")["spec"]}))
            .await
            .expect(201);
    }
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    client.merge(&format!("{FOOS}/a"), &json!({"spec": {"color": "blue"}})).await.expect(200);
    client.delete(&format!("{FOOS}/a")).await.expect(200);
    let names = names(&client.get(PODS).await.expect(200));
    (client.server.history_hash(), names)
}

#[tokio::test(start_paused = true)]
async fn the_same_seed_gives_the_same_history() {
    assert_eq!(run(7).await, run(7).await);
}

#[tokio::test(start_paused = true)]
async fn another_seed_gives_another_history() {
    let (one, other) = (run(7).await, run(8).await);
    assert_ne!(one.0, other.0);
    assert_ne!(one.1, other.1);
}

#[tokio::test(start_paused = true)]
async fn the_history_names_who_did_what() {
    let client = client();
    client.config_map("a", "1").await;
    client.delete(&format!("{CONFIG_MAPS}/a")).await.expect(200);
    let history = client.server.history();
    let [.., made, gone] = history.entries() else { panic!("two writes") };
    assert_eq!(
        (&*made.actor, made.verb.name(), &*made.key, &*made.kind),
        ("tester", "create", "default/a", "ConfigMap")
    );
    assert_eq!((gone.verb.name(), gone.revision, &gone.uid), ("delete", 8, &made.uid));
}
