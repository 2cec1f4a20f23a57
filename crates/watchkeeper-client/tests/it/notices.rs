//! What the server tells beside its answers.

use std::sync::{Arc, Mutex};

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Unstructured, json};
use watchkeeper_client::{Asked, CreateOptions, Flow, NoWarnings, NoticeHandler, Warning};

use crate::failure;
use crate::fake::{Answer, Fake, ok, status};
use crate::live::live;
use crate::log::Log;

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl NoticeHandler for Heard {
    fn warning(&self, asked: &Asked<'_>, warning: &Warning) {
        self.0.lock().unwrap().push(format!("{} {}: {}", asked.method, asked.uri, warning.text));
    }

    fn flow(&self, _: &Asked<'_>, flow: &Flow<'_>) {
        let Flow { flow_schema, priority_level, status } = flow;
        self.0.lock().unwrap().push(format!("{flow_schema} {priority_level} {status}"));
    }
}

#[tokio::test(start_paused = true)]
async fn h_05_a_warning_reaches_the_handler_from_good_and_bad_answers() {
    let warn = r#"299 - "v1beta1 is deprecated""#;
    let fake = Fake::new([
        ok("{}").header("Warning", warn),
        status(403, &failure(403, "Forbidden", "no")).header("Warning", warn),
    ]);
    let heard = Arc::new(Heard::default());
    let client = fake.client().notices(Arc::clone(&heard) as _);
    client.server_version().await.unwrap();
    client.server_version().await.unwrap_err();
    assert_eq!(*heard.0.lock().unwrap(), ["GET /version: v1beta1 is deprecated"; 2]);
}

#[tokio::test(start_paused = true)]
async fn h_05_without_a_handler_warnings_go_to_the_log() {
    let warned = || ok("{}").header("Warning", r#"299 - "one", 299 - "two", 199 - "another's""#);
    let fake = Fake::new([warned(), warned()]);
    let log = Log::new();
    fake.client().server_version().await.unwrap();
    let lines = log.with("WARN ");
    assert!(lines.len() == 2 && lines[0].contains("one") && lines[1].contains("two"), "{lines:?}");
    fake.client().notices(Arc::new(NoWarnings)).server_version().await.unwrap();
    assert_eq!(log.with("WARN ").len(), 2);
}

#[tokio::test(start_paused = true)]
async fn h_05_the_servers_own_warnings_arrive() {
    let live = live();
    let heard = Arc::new(Heard::default());
    let client = live.client.notices(Arc::clone(&heard) as _);
    let text = r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"datta":{}}"#;
    let map: Unstructured = json::from_str(text).unwrap();
    let kind = map_kind();
    let maps = client.dynamic(kind).namespace("default");
    maps.create(&map, &CreateOptions::default()).await.unwrap();
    let heard = heard.0.lock().unwrap();
    let [warned, flow] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(warned, r#"POST /api/v1/namespaces/default/configmaps: unknown field "datta""#);
    assert!(flow.len() > 2 * 36 && flow.ends_with(" 201"), "two uids, and the code: {flow}");
}

fn map_kind() -> watchkeeper_api::Kind {
    use watchkeeper_api::StaticKind as _;
    ConfigMap::static_kind().clone()
}

/// An answer of this priority level.
fn classified(answer: Answer) -> Answer {
    answer
        .header("X-Kubernetes-PF-FlowSchema-UID", "f")
        .header("X-Kubernetes-PF-PriorityLevel-UID", "p")
}

#[tokio::test(start_paused = true)]
async fn priority_and_fairness_is_told() {
    let fake = Fake::new([classified(ok("{}"))]);
    let heard = Arc::new(Heard::default());
    fake.client().notices(Arc::clone(&heard) as _).server_version().await.unwrap();
    assert_eq!(*heard.0.lock().unwrap(), ["f p 200"]);
}

/// Of each attempt, also of one that is made again.
#[tokio::test(start_paused = true)]
async fn a_level_that_is_full_is_told() {
    let full = || classified(status(429, &failure(429, "TooManyRequests", "full")));
    let fake = Fake::new([full().retry_after(1), classified(ok("{}")), full()]);
    let heard = Arc::new(Heard::default());
    let client = fake.client().notices(Arc::clone(&heard) as _);
    client.server_version().await.unwrap();
    assert_eq!(*heard.0.lock().unwrap(), ["f p 429", "f p 200"]);
    let error = client.server_version().await.unwrap_err();
    assert!(error.is_too_many_requests(), "{error}");
    assert_eq!(*heard.0.lock().unwrap(), ["f p 429", "f p 200", "f p 429"]);
}
