//! V4: what clients and controllers meet in workloads, as the real kube-controller-manager and client-go found it.

use serde_json::{Value, json};

use crate::support::*;

const STATEFUL_SETS: &str = "/apis/apps/v1/namespaces/default/statefulsets";
const DAEMON_SETS: &str = "/apis/apps/v1/namespaces/default/daemonsets";

fn of_kind(kind: &str) -> Value {
    let mut workload = deployment("web", 1);
    workload["kind"] = kind.into();
    if kind == "DaemonSet"
        && let Some(spec) = workload["spec"].as_object_mut()
    {
        spec.remove("replicas");
    }
    workload
}

#[tokio::test(start_paused = true)]
async fn v4_10_claims_of_a_stateful_set_are_volumes_of_its_pods() {
    let client = client();
    let mut set = of_kind("StatefulSet");
    let container = &mut set["spec"]["template"]["spec"]["containers"][0];
    container["volumeMounts"] = json!([{"name": "data", "mountPath": "/data"}]);
    let line = client.post(STATEFUL_SETS, &set).await.line();
    assert!(line.contains("volumeMounts[0].name: Not found: \"data\""), "{line}");
    set["spec"]["volumeClaimTemplates"] = json!([{
        "metadata": {"name": "data"},
        "spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}},
        },
    }]);
    client.post(STATEFUL_SETS, &set).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v4_5_a_daemon_set_counts_the_changes_of_its_template() {
    let client = client();
    let number = |set: &Value| {
        let annotations = &set["metadata"]["annotations"];
        annotations["deprecated.daemonset.template.generation"].as_str().map(str::to_owned)
    };
    let path = format!("{DAEMON_SETS}/web");
    let mut set = client.post(DAEMON_SETS, &of_kind("DaemonSet")).await.expect(201);
    assert_eq!(number(&set).as_deref(), Some("1"));
    set["spec"]["template"]["spec"]["containers"][0]["image"] = "nginx:2".into();
    // Nobody sets it.
    set["metadata"]["annotations"] = json!({"deprecated.daemonset.template.generation": "9"});
    let set = client.put(&path, &set).await.expect(200);
    assert_eq!(number(&set).as_deref(), Some("2"));
    let other = json!({"spec": {"minReadySeconds": 1}, "metadata": {"annotations": null}});
    let set = client.merge(&path, &other).await.expect(200);
    assert_eq!(number(&set).as_deref(), Some("2"));
    let status = json!({"status": {"numberReady": 1}});
    let set = client.merge(&format!("{path}/status"), &status).await.expect(200);
    assert_eq!(number(&set).as_deref(), Some("2"));
}

fn warnings(answer: &Answer) -> Vec<String> {
    let all = answer.headers.get_all("warning").iter();
    all.map(|line| line.to_str().expect("text").to_owned()).collect()
}

#[tokio::test(start_paused = true)]
async fn v1_6_what_hides_another_is_warned_of() {
    let client = client();
    let mut web = deployment("web", 1);
    web["spec"]["template"]["spec"]["containers"] = json!([
        {
            "name": "a", "image": "a:1",
            "env": [
                {"name": "A", "value": "1"}, {"name": "A", "value": "$(A)2"}, {"name": "A", "value": "3"},
            ],
            "ports": [{"containerPort": 80, "name": "x"}],
        },
        {"name": "b", "image": "b:1", "ports": [
            {"containerPort": 80}, {"containerPort": 80, "hostPort": 80}, {"containerPort": 80, "protocol": "UDP"},
        ]},
    ]);
    let told = [
        "299 - \"spec.template.spec.containers[0].env[2]: hides previous definition of \\\"A\\\", which may be \
         dropped when using apply\"",
        "299 - \"spec.template.spec.containers[1].ports[0]: duplicate port definition with \
         spec.template.spec.containers[0].ports[0]\"",
        "299 - \"spec.template.spec.containers[1].ports[1]: overlapping port definition with \
         spec.template.spec.containers[0].ports[0]\"",
        "299 - \"spec.template.spec.containers[1].ports[1]: overlapping port definition with \
         spec.template.spec.containers[1].ports[0]\"",
    ];
    let made = client.post(DEPLOYMENTS, &web).await;
    assert_eq!(warnings(&made), told);
    let path = format!("{DEPLOYMENTS}/web");
    let labelled = client.merge(&path, &json!({"metadata": {"labels": {"a": "b"}}})).await;
    assert_eq!(warnings(&labelled), [""; 0], "what is wanted is as it was");
    let scaled = client.merge(&path, &json!({"spec": {"replicas": 2}})).await;
    assert_eq!(warnings(&scaled), told);
}

#[tokio::test(start_paused = true)]
async fn v1_6_kinds_on_their_way_out_are_warned_of() {
    let client = client();
    let list = client.get("/api/v1/namespaces/default/endpoints").await;
    let endpoints = "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice";
    assert_eq!(warnings(&list), [format!("299 - \"{endpoints}\"")]);
    let list = client.get("/api/v1/componentstatuses").await;
    assert_eq!(warnings(&list), ["299 - \"v1 ComponentStatus is deprecated in v1.19+\""]);
    assert_eq!(warnings(&client.get(PODS).await), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn v4_8_of_a_custom_resource_without_a_scale_the_object_is_not_found() {
    let client = client();
    let mut definition = foo_crd();
    if let Some(version) = definition["spec"]["versions"][0].as_object_mut() {
        version.remove("subresources");
    }
    client.post(CRDS, &definition).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let line = client.get(&format!("{FOOS}/a/scale")).await.line();
    assert_eq!(line, "404 NotFound: foos.example.com \"a\" not found");
    let line = client.get(&format!("{PODS}/a/scale")).await.line();
    assert_eq!(line, "404 NotFound: the server could not find the requested resource");
}

/// The gate of it is off, as in the release that this server is compared with.
#[tokio::test(start_paused = true)]
async fn v4_10_how_many_pods_of_a_stateful_set_may_be_missing_is_not_said() {
    let client = client();
    let mut set = of_kind("StatefulSet");
    let rolling = json!({"partition": 1, "maxUnavailable": 2});
    set["spec"]["updateStrategy"] = json!({"type": "RollingUpdate", "rollingUpdate": rolling});
    let made = client.post(STATEFUL_SETS, &set).await.expect(201);
    let strategy = json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 1}});
    assert_eq!(made["spec"]["updateStrategy"], strategy);
    let path = format!("{STATEFUL_SETS}/web");
    let change = json!({"spec": {"updateStrategy": {"rollingUpdate": rolling}}});
    let changed = client.merge(&path, &change).await.expect(200);
    assert_eq!(changed["spec"]["updateStrategy"], strategy);
    assert_eq!(changed["metadata"]["generation"], 1, "nothing has changed");
}

#[tokio::test(start_paused = true)]
async fn v4_10_profiles_that_annotations_name_become_fields() {
    let client = client();
    let key = |name: &str| format!("container.apparmor.security.beta.kubernetes.io/{name}");
    let mut armored = pod("x");
    let container = |name: &str| json!({"name": name, "image": "i"});
    armored["spec"]["containers"] = json!(["a", "b", "c"].map(container));
    armored["spec"]["containers"][2]["securityContext"] =
        json!({"appArmorProfile": {"type": "Unconfined"}});
    armored["spec"]["securityContext"] = json!({"appArmorProfile": {"type": "RuntimeDefault"}});
    armored["metadata"]["annotations"] = json!({
        key("a"): "localhost/mine", key("b"): "runtime/default", key("c"): "unconfined",
    });
    let made = client.post(PODS, &armored).await;
    let contexts: Vec<Value> = made.expect(201)["spec"]["containers"]
        .as_array()
        .expect("containers")
        .iter()
        .map(|container| container["securityContext"]["appArmorProfile"].clone())
        .collect();
    let mine = json!({"type": "Localhost", "localhostProfile": "mine"});
    assert_eq!(contexts, [mine, Value::Null, json!({"type": "Unconfined"})]);
    let told = format!(
        "299 - \"metadata.annotations[{}]: deprecated since v1.30; use the \\\"appArmorProfile\\\" \
         field instead\"",
        key("a")
    );
    assert_eq!(warnings(&made), [told]);
    armored["metadata"]["annotations"] = json!({key("c"): "runtime/default"});
    let line = client.post(PODS, &armored).await.line();
    let why = "spec.containers[2].securityContext.appArmorProfile.type: Forbidden: apparmor type in \
               annotation and field must match";
    assert_eq!(line, format!("422 Invalid: Pod \"x\" is invalid: {why}"));
}
