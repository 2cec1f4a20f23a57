//! V11: the built-in plugins.

use serde_json::{Value, json};
use watchkeeper_apiserver::ApiServer;

use crate::support::*;
use crate::v11_webhooks::*;

mod quotas;

const CLASSES: &str = "/apis/scheduling.k8s.io/v1/priorityclasses";
const STORAGE: &str = "/apis/storage.k8s.io/v1/storageclasses";
const CLAIMS: &str = "/api/v1/namespaces/default/persistentvolumeclaims";
const LIMITS: &str = "/api/v1/namespaces/default/limitranges";
const QUOTAS: &str = "/api/v1/namespaces/default/resourcequotas";
const ACCOUNTS: &str = "/api/v1/namespaces/default/serviceaccounts";

/// A pod whose container asks for something.
fn asking(name: &str, requests: &Value, limits: &Value) -> Value {
    let mut pod = pod(name);
    pod["spec"]["containers"][0]["resources"] = json!({"requests": requests, "limits": limits});
    pod
}

fn claim(name: &str, storage: &str) -> Value {
    json!({
        "metadata": {"name": name},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "resources": {"requests": {"storage": storage}},
        },
    })
}

async fn limit(client: &Client, limits: Value) {
    let body = json!({"metadata": {"name": "limits"}, "spec": {"limits": [limits]}});
    client.post(LIMITS, &body).await.expect(201);
}

async fn quota(client: &Client, name: &str, spec: Value) {
    let body = json!({"metadata": {"name": name}, "spec": spec});
    client.post(QUOTAS, &body).await.expect(201);
}

async fn used(client: &Client, name: &str) -> Value {
    client.get(&format!("{QUOTAS}/{name}")).await.expect(200)["status"]["used"].clone()
}

#[tokio::test(start_paused = true)]
async fn v11_2_pods_get_the_priority_of_their_class() {
    let client = client();
    let class = json!({
        "metadata": {"name": "high"}, "value": 1000, "preemptionPolicy": "Never",
    });
    client.post(CLASSES, &class).await.expect(201);
    let mut high = pod("high");
    high["spec"]["priorityClassName"] = "high".into();
    let spec = client.post(PODS, &high).await.expect(201)["spec"].clone();
    assert_eq!((&spec["priority"], &spec["preemptionPolicy"]), (&json!(1000), &json!("Never")));
    let mut system = pod("system");
    system["spec"]["priorityClassName"] = "system-node-critical".into();
    let created = client.post(PODS, &system).await.expect(201);
    assert_eq!(created["spec"]["priority"], 2_000_001_000);
    let plain = client.post(PODS, &pod("plain")).await.expect(201);
    assert_eq!(plain["spec"]["priority"], 0);
}

/// Who replaces a pod by what made it says nothing of what was computed.
#[tokio::test(start_paused = true)]
async fn v11_2_an_update_that_says_nothing_of_the_priority_keeps_it() {
    let client = client();
    let sent = pod("plain");
    client.post(PODS, &sent).await.expect(201);
    let replaced =
        client.send("PUT", &format!("{PODS}/plain"), "application/json", sent.to_string()).await;
    assert_eq!(replaced.code, 200, "{}", replaced.json());
    assert_eq!(replaced.json()["spec"]["priority"], 0);
}

#[tokio::test(start_paused = true)]
async fn v11_2_one_class_is_the_default() {
    let client = client();
    let class = json!({"metadata": {"name": "usual"}, "value": 7, "globalDefault": true});
    client.post(CLASSES, &class).await.expect(201);
    let created = client.post(PODS, &pod("x")).await.expect(201);
    assert_eq!(created["spec"]["priorityClassName"], "usual");
    assert_eq!(created["spec"]["priority"], 7);
    let second = json!({"metadata": {"name": "other"}, "value": 8, "globalDefault": true});
    assert_eq!(
        client.post(CLASSES, &second).await.line(),
        "403 Forbidden: priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass \
         usual is already marked as default. Only one default can exist"
    );
    let described = json!({"description": "the usual one"});
    client.merge(&format!("{CLASSES}/usual"), &described).await.expect(200);
}

#[tokio::test(start_paused = true)]
async fn v11_2_priorities_that_are_others_are_refused() {
    let client = client();
    let mut unknown = pod("x");
    unknown["spec"]["priorityClassName"] = "nobody".into();
    let forbidden = "403 Forbidden: pods \"x\" is forbidden:";
    let line = client.post(PODS, &unknown).await.line();
    assert_eq!(line, format!("{forbidden} no PriorityClass with name nobody was found"));
    let mut given = pod("x");
    given["spec"]["priority"] = 5.into();
    let why = "the integer value of priority (5) must not be provided in pod spec; priority \
               admission controller computed 0 from the given PriorityClass name";
    assert_eq!(client.post(PODS, &given).await.line(), format!("{forbidden} {why}"));
    let mut policy = json!({"metadata": {"generateName": "x-"}, "spec": pod("x")["spec"]});
    policy["spec"]["preemptionPolicy"] = "Never".into();
    let line = client.post(PODS, &policy).await.line();
    assert!(
        line.starts_with("403 Forbidden: pods \"x-\" is forbidden: the string value"),
        "{line}"
    );
}

#[tokio::test(start_paused = true)]
async fn v11_2_claims_get_the_default_class() {
    let client = client();
    let plain = client.post(CLAIMS, &claim("none", "1Gi")).await.expect(201);
    assert_eq!(plain["spec"]["storageClassName"], Value::Null);
    let annotations = json!({"storageclass.kubernetes.io/is-default-class": "true"});
    let class = json!({
        "metadata": {"name": "fast", "annotations": annotations}, "provisioner": "example.com/x",
    });
    client.post(STORAGE, &class).await.expect(201);
    let filled = client.post(CLAIMS, &claim("filled", "1Gi")).await.expect(201);
    assert_eq!(filled["spec"]["storageClassName"], "fast");
    let mut own = claim("own", "1Gi");
    own["spec"]["storageClassName"] = "".into();
    let kept = client.post(CLAIMS, &own).await.expect(201);
    assert_eq!(kept["spec"]["storageClassName"], "");
}

#[tokio::test(start_paused = true)]
async fn v11_2_containers_get_the_limits_of_their_namespace() {
    let client = client();
    limit(
        &client,
        json!({
            "type": "Container", "default": {"cpu": "500m", "memory": "1Gi"},
            "defaultRequest": {"cpu": "100m"},
        }),
    )
    .await;
    let created = client.post(PODS, &pod("x")).await.expect(201);
    let resources = json!({
        "limits": {"cpu": "500m", "memory": "1Gi"}, "requests": {"cpu": "100m", "memory": "1Gi"},
    });
    assert_eq!(created["spec"]["containers"][0]["resources"], resources);
    assert_eq!(
        created["metadata"]["annotations"]["kubernetes.io/limit-ranger"],
        "LimitRanger plugin set: cpu, memory request for container main; cpu, memory limit for \
         container main"
    );
    let own =
        asking("own", &json!({"cpu": "1", "memory": "2Gi"}), &json!({"cpu": "1", "memory": "2Gi"}));
    let created = client.post(PODS, &own).await.expect(201);
    assert_eq!(created["metadata"]["annotations"], Value::Null);
}

#[tokio::test(start_paused = true)]
async fn v11_2_what_is_past_the_limits_is_refused() {
    let client = client();
    limit(
        &client,
        json!({
            "type": "Container", "min": {"cpu": "100m"}, "max": {"cpu": "1"},
            "maxLimitRequestRatio": {"cpu": "2"},
        }),
    )
    .await;
    let line = async |requests: &str, limits: &str| {
        let pod = asking("x", &json!({"cpu": requests}), &json!({"cpu": limits}));
        client.post(PODS, &pod).await.line()
    };
    let forbidden = "403 Forbidden: pods \"x\" is forbidden:";
    assert_eq!(
        line("50m", "100m").await,
        format!("{forbidden} minimum cpu usage per Container is 100m, but request is 50m")
    );
    assert_eq!(
        line("1500m", "2").await,
        format!("{forbidden} maximum cpu usage per Container is 1, but limit is 2")
    );
    assert_eq!(
        line("200m", "1").await,
        format!(
            "{forbidden} cpu max limit to request ratio per Container is 2, but provided ratio is \
             5.000000"
        )
    );
    client
        .post(PODS, &asking("fine", &json!({"cpu": "500m"}), &json!({"cpu": "1"})))
        .await
        .expect(201);
}

#[tokio::test(start_paused = true)]
async fn v11_2_claims_and_whole_pods_have_limits_as_well() {
    let client = client();
    limit(&client, json!({"type": "PersistentVolumeClaim", "max": {"storage": "2Gi"}})).await;
    let line = client.post(CLAIMS, &claim("big", "3Gi")).await.line();
    let why = "maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi";
    let head = "403 Forbidden: persistentvolumeclaims \"big\" is forbidden:";
    assert_eq!(line, format!("{head} {why}"));
    let whole = json!({
        "metadata": {"name": "pods"},
        "spec": {"limits": [{"type": "Pod", "max": {"memory": "1Gi"}}]},
    });
    client.post(LIMITS, &whole).await.expect(201);
    let mut pod = asking("x", &json!({}), &json!({"memory": "600Mi"}));
    let mut second = pod["spec"]["containers"][0].clone();
    second["name"] = "second".into();
    pod["spec"]["containers"].as_array_mut().expect("containers").push(second);
    let line = client.post(PODS, &pod).await.line();
    let why = "maximum memory usage per Pod is 1Gi, but limit is 1200Mi";
    assert_eq!(line, format!("403 Forbidden: pods \"x\" is forbidden: {why}"));
}

fn with_accounts() -> Client {
    Client { server: ApiServer::builder().service_accounts().build(), agent: "tester" }
}

#[tokio::test(start_paused = true)]
async fn v11_2_pods_wait_for_their_account() {
    let client = with_accounts();
    let line = client.post(PODS, &pod("x")).await.line();
    let why =
        "error looking up service account default/default: serviceaccount \"default\" not found";
    assert_eq!(line, format!("403 Forbidden: pods \"x\" is forbidden: {why}"));
    let account = json!({"metadata": {"name": "default"}, "imagePullSecrets": [{"name": "pull"}]});
    client.post(ACCOUNTS, &account).await.expect(201);
    let spec = client.post(PODS, &pod("x")).await.expect(201)["spec"].clone();
    assert_eq!(
        (&spec["serviceAccountName"], &spec["serviceAccount"]),
        (&json!("default"), &json!("default"))
    );
    assert_eq!(spec["imagePullSecrets"], json!([{"name": "pull"}]));
    // Without the plugin a pod needs none.
    let plain = crate::support::client().post(PODS, &pod("x")).await.expect(201);
    assert_eq!(plain["spec"]["volumes"], Value::Null);
}

#[tokio::test(start_paused = true)]
async fn v11_2_containers_find_the_token_of_their_account() {
    let client = with_accounts();
    client.post(ACCOUNTS, &json!({"metadata": {"name": "cook"}})).await.expect(201);
    let mut body = pod("x");
    body["spec"]["serviceAccountName"] = "cook".into();
    let spec = client.post(PODS, &body).await.expect(201)["spec"].clone();
    let volume = &spec["volumes"][0];
    let name = volume["name"].as_str().expect("a name");
    assert!(name.starts_with("kube-api-access-") && name.len() == 21, "{name}");
    let sources = &volume["projected"]["sources"];
    assert_eq!(
        sources[0]["serviceAccountToken"],
        json!({"expirationSeconds": 3607, "path": "token"})
    );
    assert_eq!(sources[1]["configMap"]["name"], "kube-root-ca.crt");
    let path = "/var/run/secrets/kubernetes.io/serviceaccount";
    let mount = json!({"name": name, "readOnly": true, "mountPath": path});
    assert_eq!(spec["containers"][0]["volumeMounts"], json!([mount]));
}

#[tokio::test(start_paused = true)]
async fn v11_2_a_pod_or_its_account_may_want_no_token() {
    let client = with_accounts();
    let account = json!({"metadata": {"name": "default"}, "automountServiceAccountToken": false});
    client.post(ACCOUNTS, &account).await.expect(201);
    let quiet = client.post(PODS, &pod("quiet")).await.expect(201);
    assert_eq!(quiet["spec"]["volumes"], Value::Null);
    let mut wants = pod("wants");
    wants["spec"]["automountServiceAccountToken"] = true.into();
    let created = client.post(PODS, &wants).await.expect(201);
    assert_eq!(created["spec"]["volumes"].as_array().map(Vec::len), Some(1));
    let mut own = pod("own");
    own["spec"]["automountServiceAccountToken"] = true.into();
    let path = "/var/run/secrets/kubernetes.io/serviceaccount";
    own["spec"]["volumes"] = json!([{"name": "mine", "emptyDir": {}}]);
    own["spec"]["containers"][0]["volumeMounts"] = json!([{"name": "mine", "mountPath": path}]);
    let created = client.post(PODS, &own).await.expect(201);
    assert_eq!(created["spec"]["volumes"].as_array().map(Vec::len), Some(1));
}

/// Adds a container to every new pod.
async fn inject(client: &Client) {
    let sidecar = json!({"name": "sidecar", "image": "mesh"});
    let patch = json!([{"op": "add", "path": "/spec/containers/-", "value": sidecar}]);
    answer(client, "inject", move |review| review.allow().patch(&patch));
    let rules = json!([{
        "operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"],
    }]);
    configure(client, MUTATING, "inject", &[hook("inject", &json!({"rules": rules}))]).await;
}

#[tokio::test(start_paused = true)]
async fn v11_2_containers_that_a_webhook_adds_get_the_limits_of_their_namespace() {
    let client = client();
    limit(&client, json!({"type": "Container", "default": {"cpu": "500m"}})).await;
    quota(&client, "compute", json!({"hard": {"limits.cpu": "2"}})).await;
    inject(&client).await;
    let created = client.post(PODS, &pod("x")).await.expect(201);
    let containers = &created["spec"]["containers"];
    assert_eq!(containers[1]["name"], "sidecar");
    assert_eq!(containers[1]["resources"]["limits"], json!({"cpu": "500m"}));
    assert_eq!(used(&client, "compute").await, json!({"limits.cpu": "1"}));
}

#[tokio::test(start_paused = true)]
async fn v11_2_containers_that_a_webhook_adds_share_the_token_of_the_account() {
    let client = with_accounts();
    client.post(ACCOUNTS, &json!({"metadata": {"name": "default"}})).await.expect(201);
    inject(&client).await;
    let spec = client.post(PODS, &pod("x")).await.expect(201)["spec"].clone();
    let volumes = spec["volumes"].as_array().expect("volumes");
    assert_eq!(volumes.len(), 1, "{volumes:?}");
    for container in spec["containers"].as_array().expect("containers") {
        let mounts = container["volumeMounts"].as_array().expect("mounts");
        assert_eq!(mounts.len(), 1, "{container}");
        assert_eq!(mounts[0]["name"], volumes[0]["name"]);
    }
    assert_eq!(spec["containers"].as_array().map(Vec::len), Some(2));
}

#[tokio::test(start_paused = true)]
async fn v11_2_claims_that_are_too_large_may_go() {
    let client = client();
    let mut large = claim("large", "3Gi");
    large["metadata"]["finalizers"] = json!(["example.com/guard"]);
    client.post(CLAIMS, &large).await.expect(201);
    limit(&client, json!({"type": "PersistentVolumeClaim", "max": {"storage": "2Gi"}})).await;
    let path = format!("{CLAIMS}/large");
    let free = json!({"metadata": {"finalizers": null}});
    assert_eq!(client.merge(&path, &free).await.code, 403);
    client.delete(&path).await.expect(200);
    client.merge(&path, &free).await.expect(200);
    assert_eq!(client.get(&path).await.code, 404);
}

#[tokio::test(start_paused = true)]
async fn v4_1_limits_without_a_name_get_one() {
    let client = client();
    let limits = json!({"spec": {"limits": []}});
    let created = client.post(LIMITS, &limits).await.expect(201);
    assert_eq!(created["metadata"]["name"].as_str().map(str::len), Some(36), "{created}");
}

#[tokio::test(start_paused = true)]
async fn v4_1_leases_are_not_coordinated() {
    let client = client();
    let leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    let spec = json!({"holderIdentity": "a", "strategy": "OldestEmulationVersion", "preferredHolder": "b"});
    let lease = json!({"metadata": {"name": "a"}, "spec": spec});
    let created = client.post(leases, &lease).await.expect(201);
    assert_eq!(created["spec"], json!({"holderIdentity": "a"}));
    let whole = json!({"metadata": created["metadata"], "spec": spec});
    let path = format!("{leases}/a");
    let replaced = client.send("PUT", &path, "application/json", whole.to_string()).await;
    assert_eq!(replaced.json()["spec"], json!({"holderIdentity": "a"}));
}

/// What is in no namespace has none, whatever it says.
#[tokio::test(start_paused = true)]
async fn v4_1_what_is_in_no_namespace_has_none() {
    let client = client();
    let class = json!({"metadata": {"name": "a", "namespace": "default"}, "value": 1});
    let created = client.post(CLASSES, &class).await.expect(201);
    assert_eq!(created["metadata"]["namespace"], Value::Null);
}
