//! What a server holds, as YAML, and servers that begin with it.

use serde_json::{Value, json};
use watchkeeper_apiserver::snapshot::Snapshot;
use watchkeeper_apiserver::{ApiServer, Clock, Now};

use crate::kept::Shelf;
use crate::support::*;

const SECRETS: &str = "/api/v1/namespaces/default/secrets";

/// Texts that mean something else without quotes, or are more than a line.
const TEXTS: [&str; 16] = [
    "1",
    "1.0",
    "0x1F",
    "0644",
    "1e3",
    ".5",
    "1_000",
    "yes",
    "No",
    "null",
    "~",
    "12:30:45",
    " a ",
    "a: b # c",
    "two\nlines\n",
    "---\nkind: \u{1F600}\u{2028}\u{7f}\t\"",
];

fn imported(yaml: &str) -> Client {
    let builder = ApiServer::builder().seed(7).import(yaml);
    let server = builder.unwrap_or_else(|why| panic!("{why}\n{yaml}")).build();
    Client { server, agent: "tester" }
}

/// A server with objects of which each is hard to write in its own way.
async fn full() -> Client {
    let client = client();
    let mut definition = foo_crd();
    let any = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/any";
    *definition.pointer_mut(any).expect("a schema") =
        json!({"x-kubernetes-preserve-unknown-fields": true});
    client.post(CRDS, &definition).await.expect(201);
    let mut hard = foo("hard", "red");
    hard["spec"]["any"] = json!({
        "floats": [0.1, 5e-324, 1.797_693_134_862_315_7e308, -1e22, 2.5, 1.0],
        "integers": [u64::MAX, i64::MIN, 0],
        "texts": TEXTS,
        "names": TEXTS.map(|text| (text.to_owned(), Value::Null)).into_iter().collect::<Value>(),
        "long": {"n".repeat(2_000): ["x".repeat(5_000)]},
        "empty": [{}, [], "", null],
    });
    client.post(FOOS, &hard).await.expect(201);
    let mut deep = foo("deep", "blue");
    deep["spec"]["any"] = (0..180).fold(json!(1), |inside, _| json!([inside]));
    assert_eq!(client.post(FOOS, &deep).await.code, 201);
    let secret = json!({"metadata": {"name": "s"}, "data": {"a": "AAEC/v8=", "b": ""}});
    client.post(SECRETS, &secret).await.expect(201);
    for (index, text) in TEXTS.iter().enumerate() {
        client.config_map(&format!("map-{index}"), text).await;
    }
    client.post(PODS, &pod("web")).await.expect(201);
    let event = json!({"metadata": {"name": "e"}, "involvedObject": {"namespace": "default"}});
    client.post("/api/v1/namespaces/default/events", &event).await.expect(201);
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    let status = json!({"status": {"replicas": 1}});
    client.merge(&format!("{DEPLOYMENTS}/web/status"), &status).await.expect(200);
    // The last revision is that of no object.
    client.delete(&format!("{CONFIG_MAPS}/map-1")).await.expect(200);
    client
}

#[tokio::test(start_paused = true)]
async fn what_is_written_and_read_is_written_the_same() {
    let client = full().await;
    let first = client.server.export();
    assert_eq!(client.server.export(), first, "nothing is changed by it");
    let again = imported(&first);
    assert_eq!(again.server.export(), first);
    assert_eq!(again.server.revision(), client.server.revision());
    let paths = [
        "/api/v1/secrets",
        "/api/v1/configmaps",
        "/api/v1/pods",
        "/apis/apps/v1/deployments",
        "/apis/events.k8s.io/v1/events",
        "/apis/example.com/v1/foos",
        "/apis/example.com/v1",
        CRDS,
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    ];
    for path in paths {
        let (before, after) = (client.get(path).await, again.get(path).await);
        assert_eq!((after.code, after.text), (200, before.text), "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn definitions_and_namespaces_come_first_and_the_first_line_has_the_revision() {
    let client = full().await;
    let yaml = client.server.export();
    let revision = client.server.revision();
    assert!(yaml.starts_with(&format!(
        "# What a server of Watchkeeper holds at revision {revision}.\n---\n"
    )));
    let mut kinds: Vec<&str> =
        yaml.lines().filter_map(|line| line.strip_prefix("kind: ")).collect();
    kinds.dedup();
    assert_eq!(kinds[..2], ["CustomResourceDefinition", "Namespace"]);
    let pod =
        yaml.split("---\n").find(|document| document.contains("\nkind: Pod\n")).expect("a pod");
    for member in [
        "  creationTimestamp: \"",
        "  managedFields:\n",
        "  generation: 1\n",
        "  uid: ",
        "status:\n",
    ] {
        assert!(pod.contains(member), "{member} in\n{pod}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_follows_an_import_is_new_and_nothing_is_missed() {
    let client = full().await;
    let (last, first) = (client.server.revision(), 2);
    let again = imported(&client.server.export());
    let mut on = again.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={last}")).await;
    let made = again.config_map("new", "1").await;
    assert_eq!(made, last + 1);
    assert_eq!(on.ready(), [format!("ADDED new@{made} 1")]);
    let mut old = again.watch(&format!("{CONFIG_MAPS}?watch=1&resourceVersion={first}")).await;
    assert_eq!(old.next().await.expect("a frame")["object"]["code"], 410);
    let uid = |answer: &Value| answer["metadata"]["uid"].as_str().expect("a uid").to_owned();
    let of_new = uid(&again.get(&format!("{CONFIG_MAPS}/new")).await.expect(200));
    assert!(!client.server.export().contains(&of_new), "uids are not given twice");
    again.post(FOOS, &foo("more", "red")).await.expect(201);
    again.post(FOOS, &foo("wrong", "green")).await.expect(422);
}

#[tokio::test(start_paused = true)]
async fn events_have_their_hour_from_the_import_on() {
    let event = "/api/v1/namespaces/default/events/e";
    let yaml = full().await.server.export();
    let at = |seconds| Clock::Virtual(Now(std::time::Duration::from_secs(seconds)));
    let builder = ApiServer::builder().clock(at(2_000_000_000)).import(&yaml).expect("a snapshot");
    let client = Client { server: builder.build(), agent: "tester" };
    tokio::time::sleep(std::time::Duration::from_secs(3_590)).await;
    client.get(event).await.expect(200);
    tokio::time::sleep(std::time::Duration::from_secs(20)).await;
    // Events end with what comes next.
    client.get("/version").await.expect(200);
    client.get(event).await.expect(404);
}

#[tokio::test(start_paused = true)]
async fn other_versions_are_brought_into_the_one_that_is_stored() {
    let scaler = json!({
        "apiVersion": "autoscaling/v1",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "a", "namespace": "default", "uid": "u", "resourceVersion": "5"},
        "spec": {
            "scaleTargetRef": {"kind": "Deployment", "name": "web", "apiVersion": "apps/v1"},
            "maxReplicas": 3, "targetCPUUtilizationPercentage": 80,
        },
    });
    let client = imported(&scaler.to_string());
    let path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/a";
    let read = client.get(path).await.expect(200);
    let target = &read["spec"]["metrics"][0]["resource"]["target"];
    assert_eq!(target["averageUtilization"], 80);
    assert_eq!((read["metadata"]["uid"].as_str(), version(&read)), (Some("u"), 5));
}

#[tokio::test(start_paused = true)]
async fn objects_whose_definition_is_gone_are_told_and_do_not_stop_an_import() {
    let client = full().await;
    let freed = json!({"metadata": {"finalizers": []}});
    let one = format!("{CRDS}/foos.example.com");
    let mut held = foo("held", "red");
    held["metadata"]["finalizers"] = json!(["example.com/held"]);
    client.post(FOOS, &held).await.expect(201);
    client.delete(&one).await.expect(200);
    client.merge(&one, &freed).await.expect(200);
    let yaml = client.server.export();
    let line = "# Left out, as no definition says what it is: foos.example.com default/held\n";
    client.get(&one).await.expect(404);
    assert!(yaml.contains(line), "{yaml}");
    assert!(!imported(&yaml).server.export().contains("foos"));
}

#[tokio::test(start_paused = true)]
async fn a_journal_keeps_what_was_imported_and_is_not_overwritten() {
    let yaml = full().await.server.export();
    let shelf = Shelf::default();
    let start = Now(std::time::Duration::from_secs(1_800_000_000));
    let build = || {
        let builder = ApiServer::builder().clock(Clock::Virtual(start)).import(&yaml);
        builder.expect("a snapshot").build_on(shelf.clone())
    };
    let (server, keeper) = build().expect("a server");
    keeper.run(async {}).await.expect("a journal that works");
    assert_eq!(server.export(), yaml);
    assert_eq!(shelf.revision(), server.revision());
    let (kept, _keeper) = shelf.open(start);
    assert_eq!(kept.server.export(), yaml);

    let why = build().expect_err("there is one");
    assert_eq!(why.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(why.to_string(), "there is a cluster already, which the import would replace");
    assert_eq!(shelf.open(start).0.server.export(), yaml);
}

#[tokio::test(start_paused = true)]
async fn a_text_that_is_cut_or_changed_is_refused_or_read_but_never_a_panic() {
    let yaml = full().await.server.export();
    let mut cuts = 0;
    for at in (0..yaml.len()).step_by(yaml.len() / 12).filter(|at| yaml.is_char_boundary(*at)) {
        let (before, after) = yaml.split_at(at);
        for text in [before.to_owned(), after.to_owned(), format!("{before}\u{0}{after}")] {
            cuts += 1;
            if let Ok(snapshot) = text.parse::<Snapshot>() {
                let server = ApiServer::builder().snapshot(snapshot).build();
                assert!(server.export().starts_with("# What"));
            }
        }
    }
    assert!(cuts > 20);
}
