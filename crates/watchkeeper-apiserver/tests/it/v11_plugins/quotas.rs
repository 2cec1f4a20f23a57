//! What quotas count, and refuse.

use super::*;

const SERVICES: &str = "/api/v1/namespaces/default/services";

#[tokio::test(start_paused = true)]
async fn v11_2_quotas_count_objects() {
    let client = client();
    let hard = json!({"hard": {"configmaps": "2", "count/deployments.apps": "1"}});
    quota(&client, "objects", hard).await;
    assert_eq!(
        used(&client, "objects").await,
        json!({"configmaps": "0", "count/deployments.apps": "0"})
    );
    client.config_map("a", "1").await;
    client.config_map("b", "1").await;
    let third = json!({"metadata": {"name": "c"}});
    assert_eq!(
        client.post(CONFIG_MAPS, &third).await.line(),
        "403 Forbidden: configmaps \"c\" is forbidden: exceeded quota: objects, requested: \
         configmaps=1, used: configmaps=2, limited: configmaps=2"
    );
    client.post(DEPLOYMENTS, &deployment("x", 1)).await.expect(201);
    let line = client.post(DEPLOYMENTS, &deployment("y", 1)).await.line();
    assert!(
        line.contains("requested: count/deployments.apps=1, used: count/deployments.apps=1"),
        "{line}"
    );
    // A change takes no more, and what goes makes room.
    client.merge(&format!("{CONFIG_MAPS}/a"), &json!({"data": {"value": "2"}})).await.expect(200);
    client.delete(&format!("{CONFIG_MAPS}/a")).await.expect(200);
    assert_eq!(used(&client, "objects").await["configmaps"], "1");
    client.post(CONFIG_MAPS, &third).await.expect(201);
    assert_eq!(used(&client, "objects").await["configmaps"], "2");
}

#[tokio::test(start_paused = true)]
async fn v11_2_quotas_add_up_what_pods_ask_for() {
    let client = client();
    quota(
        &client,
        "compute",
        json!({"hard": {"requests.cpu": "1", "limits.memory": "2Gi", "pods": "5"}}),
    )
    .await;
    let line = client.post(PODS, &pod("x")).await.line();
    let why = "failed quota: compute: must specify limits.memory for: main; requests.cpu for: main";
    assert_eq!(line, format!("403 Forbidden: pods \"x\" is forbidden: {why}"));
    let body = |name: &str| asking(name, &json!({"cpu": "600m"}), &json!({"memory": "1Gi"}));
    client.post(PODS, &body("a")).await.expect(201);
    let spent = json!({"requests.cpu": "600m", "limits.memory": "1Gi", "pods": "1"});
    assert_eq!(used(&client, "compute").await, spent);
    assert_eq!(
        client.post(PODS, &body("b")).await.line(),
        "403 Forbidden: pods \"b\" is forbidden: exceeded quota: compute, requested: \
         requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1"
    );
    // Pods that have ended ask for nothing.
    let ended = json!({"status": {"phase": "Succeeded"}});
    client.merge(&format!("{PODS}/a/status"), &ended).await.expect(200);
    assert_eq!(used(&client, "compute").await["pods"], "0");
    client.post(PODS, &body("b")).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v11_2_quotas_count_services_and_claims_and_only_pods_of_their_scopes() {
    let client = client();
    let hard = json!({"services.nodeports": "1", "requests.storage": "5Gi"});
    quota(&client, "others", json!({"hard": hard})).await;
    let service = |name: &str| {
        json!({
            "metadata": {"name": name},
            "spec": {"type": "NodePort", "ports": [{"port": 80}], "selector": {"a": "b"}},
        })
    };
    client.post(SERVICES, &service("a")).await.expect(201);
    let line = client.post(SERVICES, &service("b")).await.line();
    assert!(line.contains("exceeded quota: others, requested: services.nodeports=1"), "{line}");
    client.post(CLAIMS, &claim("a", "3Gi")).await.expect(201);
    let line = client.post(CLAIMS, &claim("b", "3Gi")).await.line();
    let why = "requested: requests.storage=3Gi, used: requests.storage=3Gi, limited: requests.storage=5Gi";
    assert!(line.ends_with(why), "{line}");
    quota(&client, "best", json!({"hard": {"pods": "1"}, "scopes": ["BestEffort"]})).await;
    client.post(PODS, &pod("a")).await.expect(201);
    let line = client.post(PODS, &pod("b")).await.line();
    assert!(line.contains("exceeded quota: best, requested: pods=1"), "{line}");
    let asks = asking("c", &json!({"cpu": "1"}), &json!({}));
    client.post(PODS, &asks).await.expect(201);
    // Nothing is counted for what is not done.
    let more = asking("d", &json!({"cpu": "1"}), &json!({}));
    client.post(&format!("{PODS}?dryRun=All"), &more).await.expect(201);
    assert_eq!(used(&client, "best").await, json!({"pods": "1"}));
}

#[tokio::test(start_paused = true)]
async fn v11_2_quotas_count_what_it_takes_to_run_a_pod() {
    let client = client();
    quota(&client, "compute", json!({"hard": {"requests.cpu": "1", "limits.cpu": "2"}})).await;
    let body = |name: &str, overhead: &str| {
        let mut pod = asking(name, &json!({"cpu": "500m"}), &json!({"cpu": "1"}));
        pod["spec"]["overhead"] = json!({"cpu": overhead});
        pod
    };
    let line = client.post(PODS, &body("a", "501m")).await.line();
    let why = "requested: requests.cpu=1001m, used: requests.cpu=0, limited: requests.cpu=1";
    assert!(line.ends_with(why), "{line}");
    client.post(PODS, &body("b", "250m")).await.expect(201);
    let spent = json!({"requests.cpu": "750m", "limits.cpu": "1250m"});
    assert_eq!(used(&client, "compute").await, spent);
}

#[tokio::test(start_paused = true)]
async fn v11_2_quotas_of_claims_may_be_about_their_classes() {
    let client = client();
    let gold = json!({"scopeName": "VolumeAttributesClass", "operator": "In", "values": ["gold"]});
    let spec = json!({
        "hard": {"persistentvolumeclaims": "1"}, "scopeSelector": {"matchExpressions": [gold]},
    });
    quota(&client, "gold", spec).await;
    let of_class = |name: &str, class: &str| {
        let mut claim = claim(name, "1Gi");
        claim["spec"]["volumeAttributesClassName"] = class.into();
        claim
    };
    client.post(CLAIMS, &of_class("a", "gold")).await.expect(201);
    client.post(CLAIMS, &of_class("b", "silver")).await.expect(201);
    client.post(CLAIMS, &claim("c", "1Gi")).await.expect(201);
    assert_eq!(used(&client, "gold").await, json!({"persistentvolumeclaims": "1"}));
    let line = client.post(CLAIMS, &of_class("d", "gold")).await.line();
    assert!(line.contains("exceeded quota: gold, requested: persistentvolumeclaims=1"), "{line}");
    // A claim that gets another class comes into its quota.
    let bound = json!({"status": {"phase": "Bound"}});
    client.merge(&format!("{CLAIMS}/b/status"), &bound).await.expect(200);
    let change = json!({"spec": {"volumeAttributesClassName": "gold"}});
    let line = client.merge(&format!("{CLAIMS}/b"), &change).await.line();
    assert!(line.contains("exceeded quota: gold"), "{line}");
}

#[tokio::test(start_paused = true)]
async fn v11_2_quotas_may_be_about_pods_that_look_into_other_namespaces() {
    let client = client();
    let scopes = json!({"hard": {"pods": "0"}, "scopes": ["CrossNamespacePodAffinity"]});
    quota(&client, "far", scopes).await;
    let near = |namespaces: &Value| {
        let mut pod = pod("x");
        let term = json!({"topologyKey": "zone", "labelSelector": {}, "namespaces": namespaces});
        let affinity = json!({"requiredDuringSchedulingIgnoredDuringExecution": [term]});
        pod["spec"]["affinity"] = json!({"podAffinity": affinity});
        pod
    };
    let line = client.post(PODS, &near(&json!(["other"]))).await.line();
    assert!(line.contains("exceeded quota: far, requested: pods=1"), "{line}");
    client.post(PODS, &near(&json!([]))).await.expect(201);
}

#[tokio::test(start_paused = true)]
async fn v11_2_what_comes_into_a_scope_is_counted_there() {
    let client = client();
    quota(&client, "ending", json!({"hard": {"pods": "0"}, "scopes": ["Terminating"]})).await;
    client.post(PODS, &pod("x")).await.expect(201);
    let ends = json!({"spec": {"activeDeadlineSeconds": 60}});
    assert_eq!(
        client.merge(&format!("{PODS}/x"), &ends).await.line(),
        "403 Forbidden: pods \"x\" is forbidden: exceeded quota: ending, requested: pods=1, used: \
         pods=0, limited: pods=0"
    );
    assert_eq!(used(&client, "ending").await, json!({"pods": "0"}));
}
