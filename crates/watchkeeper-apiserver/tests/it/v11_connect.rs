//! V11: admission is asked about connections to containers.

use std::sync::{Arc, Mutex};

use futures_util::stream;
use serde_json::json;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::admission::Review;
use watchkeeper_apiserver::containers::{
    Doing, Exit, Kubelet, LogRequest, LogStream, Run, Terminal,
};

use crate::support::*;
use crate::v11_webhooks::{MUTATING, VALIDATING, answer, configure, hook};
use crate::v13_logs::started;
use crate::v13_programs::{ASKED, socket, told};

/// Notes what it is to run.
#[derive(Clone, Default)]
struct Noting(Arc<Mutex<Vec<Run>>>);

impl Kubelet for Noting {
    fn log(&self, _: &ApiServer, _: LogRequest) -> LogStream {
        Box::pin(stream::empty())
    }

    fn run(&self, asked: Run, terminal: Terminal) -> Doing<Exit> {
        drop(terminal);
        self.0.lock().expect("the list").push(asked);
        Box::pin(std::future::ready(Exit::Code(0)))
    }
}

async fn sent(client: &Client, method: &str, path: &str) -> Answer {
    client.try_send(method, path, &ASKED, Vec::new()).await.expect("an answer")
}

/// A webhook about connections to pods.
fn connecting(name: &str) -> serde_json::Value {
    let rules = json!([{
        "operations": ["CONNECT"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods/*"],
    }]);
    hook(name, &json!({"rules": rules}))
}

#[tokio::test(start_paused = true)]
async fn v11_1_a_review_of_a_connection_shows_what_is_asked_for() {
    let client = client();
    let seen = answer(&client, "a", |review| review.deny("not here"));
    configure(&client, VALIDATING, "a", &[connecting("a")]).await;
    // Nobody looks whether there is such a pod before.
    let path = format!("{PODS}/web/exec?command=ls&container=c&stdout=true");
    let refused = "admission webhook \"a.hooks.test\" denied the request: not here";
    let answer = sent(&client, "GET", &path).await;
    assert_eq!((answer.code, answer.json()["message"].as_str()), (400, Some(refused)));
    let told = seen.all().remove(0);
    let object = json!({
        "kind": "PodExecOptions", "apiVersion": "v1", "stdout": true, "container": "c",
        "command": ["ls"],
    });
    assert_eq!((&told["object"], &told["oldObject"]), (&object, &json!(null)));
    let kind = json!({"group": "", "version": "v1", "kind": "PodExecOptions"});
    assert_eq!((&told["kind"], &told["requestKind"]), (&kind, &kind));
    assert_eq!((&told["operation"], &told["subResource"]), (&json!("CONNECT"), &json!("exec")));
    assert_eq!((&told["name"], &told["namespace"]), (&json!("web"), &json!("default")));
    assert_eq!((&told["options"], &told["dryRun"]), (&json!(null), &json!(false)));
    for (path, kind) in [
        ("attach?stdin=true", "PodAttachOptions"),
        ("portforward?ports=80", "PodPortForwardOptions"),
    ] {
        sent(&client, "POST", &format!("{PODS}/web/{path}")).await.expect(400);
        assert_eq!(seen.all().last().expect("asked")["object"]["kind"], kind);
    }
    // A log is read, not connected to.
    client.get(&format!("{PODS}/web/log")).await.expect(404);
    assert_eq!(seen.count(), 3);
}

#[tokio::test(start_paused = true)]
async fn v11_1_a_webhook_changes_what_is_run() {
    let (client, noting) = (client(), Noting::default());
    client.server.set_kubelet(noting.clone());
    started(&client).await;
    let patch = json!([{"op": "add", "path": "/command/-", "value": "-l"}]);
    answer(&client, "a", move |review: &Review| review.allow().patch(&patch));
    configure(&client, MUTATING, "a", &[connecting("a")]).await;
    let mut socket = socket(&client, "exec?command=ls&stdout=true&container=main").await;
    told(&mut socket).await;
    let run = noting.0.lock().expect("the list").clone();
    assert_eq!(run[0].command, Some(vec!["ls".to_owned(), "-l".to_owned()]));
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_policy_judges_connections() {
    let client = client();
    let group = "/apis/admissionregistration.k8s.io/v1";
    let policy = json!({
        "metadata": {"name": "p"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "operations": ["CONNECT"], "apiGroups": [""], "apiVersions": ["v1"],
                "resources": ["pods/exec"],
            }]},
            "validations": [{"expression": "object.command != ['sh']", "message": "no shell"}],
        },
    });
    client.post(&format!("{group}/validatingadmissionpolicies"), &policy).await.expect(201);
    let binding = json!({"metadata": {"name": "p"}, "spec": {"policyName": "p", "validationActions": ["Deny"]}});
    client.post(&format!("{group}/validatingadmissionpolicybindings"), &binding).await.expect(201);
    let path = format!("{PODS}/web/exec?command=");
    let answer = sent(&client, "POST", &format!("{path}sh")).await;
    let why = "pods \"web\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied \
               request: no shell";
    assert_eq!((answer.code, answer.json()["message"].as_str()), (422, Some(why)));
    sent(&client, "POST", &format!("{path}ls")).await.expect(404);
}
