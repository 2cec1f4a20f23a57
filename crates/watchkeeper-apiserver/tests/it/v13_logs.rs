//! V13.3: logs of containers.

use futures_util::stream;
use serde_json::{Value, json};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_apiserver::containers::{Kubelet, LogRequest, LogStream};

use crate::support::{Client, PODS, client, pod};

/// Tells in the log what it was asked for.
struct Echo;

impl Kubelet for Echo {
    fn log(&self, _: &ApiServer, asked: LogRequest) -> LogStream {
        let LogRequest { container, follow, tail, timestamps, limit, .. } = asked;
        let text = format!(
            "{} {} {follow} {tail:?} {timestamps} {limit:?}\n",
            container.name, container.id
        );
        Box::pin(stream::iter([text.into(), "more\n".into()]))
    }
}

/// A pod with a container that runs and one that does not.
pub(crate) async fn started(client: &Client) {
    let mut web = pod("web");
    web["spec"]["nodeName"] = "node".into();
    let side = json!({"name": "side", "image": "side:1"});
    web["spec"]["containers"].as_array_mut().expect("containers").push(side);
    client.post(PODS, &web).await.expect(201);
    let status = json!({"status": {"containerStatuses": [
        {"name": "main", "containerID": "fake://1", "state": {"running": {}}, "image": "", "imageID": "",
            "ready": true, "restartCount": 0},
        {"name": "side", "state": {"waiting": {"reason": "ContainerCreating"}}, "image": "", "imageID": "",
            "ready": false, "restartCount": 0},
    ]}});
    client.merge(&format!("{PODS}/web/status"), &status).await.expect(200);
}

#[tokio::test(start_paused = true)]
async fn v13_3_a_log_is_what_the_kubelet_has_of_the_container_that_is_meant() {
    let client = client();
    client.server.set_kubelet(Echo);
    started(&client).await;
    let log =
        client.get(&format!("{PODS}/web/log?container=main&tailLines=2&timestamps=true")).await;
    assert_eq!((log.code, &*log.text), (200, "main fake://1 false Some(2) true None\nmore\n"));
    assert_eq!(log.headers["content-type"], "text/plain");
    assert_eq!(client.server.open_requests(), 0);
}

#[tokio::test(start_paused = true)]
async fn v13_3_what_there_is_no_log_of_is_told_as_upstream_tells_it() {
    let client = client();
    started(&client).await;
    client.post(PODS, &pod("waits")).await.expect(201);
    for (path, told) in [
        ("none/log", "404 NotFound: pods \"none\" not found"),
        (
            "web/log",
            "400 BadRequest: a container name must be specified for pod web, choose one of: [main side]",
        ),
        ("web/log?container=other", "400 BadRequest: container other is not valid for pod web"),
        (
            "web/log?container=side",
            "400 BadRequest: container \"side\" in pod \"web\" is waiting to start: ContainerCreating",
        ),
        (
            "web/log?container=main&previous=true",
            "400 BadRequest: previous terminated container \"main\" in pod \"web\" not found",
        ),
        (
            "none/log?tailLines=-1",
            "422 Invalid: PodLogOptions \"none\" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0",
        ),
        (
            "web/log?container=main",
            "500 InternalError: Internal error occurred: nothing answers for the containers of this server: it was given no kubelet",
        ),
    ] {
        assert_eq!(client.get(&format!("{PODS}/{path}")).await.line(), told, "{path}");
    }
    let unplaced = client.get(&format!("{PODS}/waits/log")).await;
    assert_eq!((unplaced.code, &*unplaced.text), (204, ""));
    assert!(!unplaced.headers.contains_key("content-type"));
    let posted = client.post(&format!("{PODS}/web/log"), &Value::Null).await;
    assert_eq!(posted.code, 405);
}
