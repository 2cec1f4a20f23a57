//! V1: what is told again and again, or compared with all else, in large bodies. Each is answered, and
//! soon: how long is not asserted, but who copied or compared each with each would be there for hours.

use serde_json::{Value, json};

use crate::support::*;

/// A good part of what a body may have.
const FULL: usize = 600_000;

fn repeated(count: usize, item: &Value) -> Value {
    vec![item.clone(); count].into()
}

fn pod(extra: Value) -> Value {
    let mut pod =
        json!({"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}});
    for (name, value) in extra.as_object().expect("members") {
        pod["spec"][name] = value.clone();
    }
    pod
}

/// Refused with 422, in at most some megabytes.
async fn refused(client: &Client, path: &str, body: &Value) {
    let answer = client.post(path, body).await;
    assert_eq!(answer.code, 422, "{:.300}", answer.text);
    assert!(answer.text.len() < 16 << 20, "{}", answer.text.len());
}

#[tokio::test(start_paused = true)]
async fn v1_what_is_wrong_with_a_pod_is_told_as_far_as_there_is_room() {
    let client = client();
    let pods = "/api/v1/namespaces/default/pods";
    let capabilities = json!({"allowPrivilegeEscalation": false,
        "capabilities": {"add": repeated(FULL / 20, &json!("CAP_SYS_ADMIN"))}});
    let claims = json!({"claims": repeated(FULL / 40, &json!({"name": "none"}))});
    let container = |name: &str, value: &Value| json!([{"name": "c", "image": "i", name: value}]);
    let named: Vec<Value> = (0..FULL / 60)
        .map(|n| json!({"name": format!("c{n}"), "resourceClaimName": "a"}))
        .collect();
    for spec in [
        json!({"containers": container("securityContext", &capabilities)}),
        json!({"containers": container("resources", &claims), "resourceClaims": named}),
        json!({"volumes": [{"name": "q", "quobyte": {"volume": "v", "registry": ",".repeat(FULL)}}]}),
        json!({"volumes": [{"name": "i", "iscsi": {"targetPortal": "p", "iqn": format!("{}: ", "iqn.2020-01.".repeat(FULL / 12))}}]}),
        json!({"volumes": [{"name": "i", "iscsi": {"targetPortal": "p", "iqn": format!("iqn{}", ":".repeat(FULL))}}]}),
    ] {
        refused(&client, pods, &pod(spec)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn v1_what_is_said_once_is_not_copied_for_each_that_means_it() {
    let client = client();
    let pods = "/api/v1/namespaces/default/pods";
    let keys = repeated(FULL / 10, &json!("a"));
    let spread = json!([{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {}, "matchLabelKeys": keys}]);
    let mut labelled = pod(json!({"topologySpreadConstraints": spread}));
    labelled["metadata"]["labels"] = json!({"a": "x".repeat(FULL / 4)});
    refused(&client, pods, &labelled).await;

    let volumes = repeated(FULL / 60, &json!({"name": "v1", "ephemeral": {}}));
    let mut made = pod(json!({"volumes": volumes}));
    made["metadata"]["name"] = "a".repeat(FULL / 4).into();
    refused(&client, pods, &made).await;

    let amounts: serde_json::Map<String, Value> =
        (0..10_000).map(|n| (format!("a.b/r{n}"), json!("1"))).collect();
    let mut first = vec![
        json!({"name": "s", "image": "i", "restartPolicy": "Always", "resources": {"limits": amounts}}),
    ];
    first.resize(FULL / 60, json!({"name": "", "image": "i"}));
    let spec = json!({"initContainers": first, "resources": {"limits": {"cpu": "1"}}});
    refused(&client, pods, &pod(spec)).await;
}

#[tokio::test(start_paused = true)]
async fn v1_terms_and_ranges_are_not_compared_each_with_each() {
    let client = client();
    let class = json!({"metadata": {"name": "c"}, "provisioner": "p", "allowedTopologies": repeated(FULL / 4, &json!({}))});
    refused(&client, "/apis/storage.k8s.io/v1/storageclasses", &class).await;

    let services = "/api/v1/namespaces/default/services";
    let ranges = |of: usize| {
        (0..FULL / 24)
            .map(|n| json!(format!("10.{of}.{}.{}/32", n / 256 % 256, n % 256)))
            .collect::<Value>()
    };
    let service = |of: usize| {
        json!({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {
        "type": "LoadBalancer", "ports": [{"port": 80}], "loadBalancerSourceRanges": ranges(of)}})
    };
    assert_eq!(client.post(services, &service(1)).await.code, 201);
    let answer = client.merge(&format!("{services}/s"), &service(2)).await;
    assert_eq!(answer.code, 200, "{:.300}", answer.text);
}

#[tokio::test(start_paused = true)]
async fn v1_a_schedule_may_have_any_number_of_digits() {
    let client = client();
    for zeros in [29, 30, 39, 127, 200, 100_000] {
        let schedule = format!("@every 0.{}1h", "0".repeat(zeros));
        let job = json!({"metadata": {"generateName": "c-"}, "spec": {"schedule": schedule, "jobTemplate": {"spec": {
            "template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}}});
        let answer = client.post("/apis/batch/v1/namespaces/default/cronjobs", &job).await;
        assert_eq!(answer.code, 201, "{zeros}: {:.300}", answer.text);
    }
}
