//! V4: values, parameters and services as kube-apiserver 1.36 judges them.

use serde_json::{Value, json};

use crate::support::*;

const SERVICES: &str = "/api/v1/namespaces/default/services";

#[tokio::test(start_paused = true)]
async fn v4_10_text_that_is_no_time_quantity_or_base64_is_refused() {
    let client = client();
    let leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    let mut costly = pod("p");
    costly["spec"]["containers"][0]["resources"] = json!({"limits": {"cpu": "abc"}});
    let lease = |time: &str| json!({"metadata": {"name": "l"}, "spec": {"renewTime": time}});
    let secret = json!({"metadata": {"name": "s"}, "data": {"a": "!!"}});
    let old = json!({"metadata": {"name": "c", "creationTimestamp": "x"}});
    let lines = [
        client.post(CONFIG_MAPS, &old).await,
        client.post("/api/v1/namespaces/default/secrets", &secret).await,
        client.post(leases, &lease("2020-01-01T00:00:00Z")).await,
        client.post(leases, &lease("bogus")).await,
        client.post(PODS, &costly).await,
    ]
    .map(|answer| answer.line());
    expect_test::expect![[r#"
        400 BadRequest: ConfigMap in version "v1" cannot be handled as a ConfigMap: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"
        400 BadRequest: Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0
        400 BadRequest: Lease in version "v1" cannot be handled as a Lease: parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"
        400 BadRequest: Lease in version "v1" cannot be handled as a Lease: parsing time "bogus" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "bogus" as "2006"
        400 BadRequest: Pod in version "v1" cannot be handled as a Pod: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"#]]
    .assert_eq(&lines.join("\n"));
    let fine = ["2020-01-01T00:00:00.123456Z", "2020-01-01T01:00:00.000000+01:00"];
    for (index, time) in fine.into_iter().enumerate() {
        let mut lease = lease(time);
        lease["metadata"]["name"] = format!("l{index}").into();
        client.post(leases, &lease).await.expect(201);
    }
}

#[tokio::test(start_paused = true)]
async fn v4_11_parameters_of_writes_are_judged_together() {
    let client = client();
    let body = json!({"metadata": {"name": "a"}});
    let query = format!("fieldManager={}&dryRun=Some&fieldValidation=Bogus", "x".repeat(129));
    let line = client.post(&format!("{CONFIG_MAPS}?{query}"), &body).await.line();
    expect_test::expect![[r#"422 Invalid: CreateOptions.meta.k8s.io "" is invalid: [fieldManager: Too long: may not be more than 128 bytes, dryRun: Unsupported value: ["Some"]: supported values: "All", fieldValidation: Unsupported value: "Bogus": supported values: "", "Ignore", "Strict", "Warn"]"#]]
    .assert_eq(&line);
    let path = format!("{CONFIG_MAPS}/a?dryRun=Some");
    assert!(client.merge(&path, &json!({})).await.line().contains("PatchOptions.meta.k8s.io"));
    assert!(client.put(&path, &body).await.line().contains("UpdateOptions.meta.k8s.io"));
}

#[tokio::test(start_paused = true)]
async fn v10_1_an_instance_of_another_kind_is_invalid() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    let mut other = foo("a", "red");
    other["kind"] = "Bar".into();
    assert_eq!(
        client.post(FOOS, &other).await.line(),
        r#"422 Invalid: Bar.example.com "a" is invalid: kind: Invalid value: "Bar": must be Foo"#
    );
}

fn service(name: &str, spec: &Value) -> Value {
    json!({"metadata": {"name": name}, "spec": spec})
}

#[tokio::test(start_paused = true)]
async fn v4_a_service_that_changes_its_type_leaves_behind_what_belonged_to_the_old_one() {
    let client = client();
    let spec = json!({"type": "NodePort", "ports": [{"port": 80}]});
    client.post(SERVICES, &service("a", &spec)).await.expect(201);
    let path = format!("{SERVICES}/a");
    let inside = client.merge(&path, &json!({"spec": {"type": "ClusterIP"}})).await.expect(200);
    assert!(inside["spec"]["ports"][0].get("nodePort").is_none());
    assert!(inside["spec"].get("externalTrafficPolicy").is_none());
    let change = json!({"spec": {"type": "ExternalName", "externalName": "q"}});
    let outside = client.merge(&path, &change).await.expect(200);
    for gone in ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"]
    {
        assert!(outside["spec"].get(gone).is_none(), "{gone}");
    }
}

#[tokio::test(start_paused = true)]
async fn v4_services_ask_for_addresses_and_ports_that_there_are() {
    let client = client();
    let ports = json!([{"port": 80}]);
    let lines = [
        json!({"ports": ports, "clusterIP": "1.2.3"}),
        json!({"ports": [{"port": 80, "nodePort": 1}], "type": "NodePort"}),
        json!({"ports": ports, "externalTrafficPolicy": "Local"}),
    ];
    let mut said = Vec::new();
    for spec in lines {
        said.push(client.post(SERVICES, &service("s", &spec)).await.line());
    }
    expect_test::expect![[r#"
        422 Invalid: Service "s" is invalid: spec.clusterIPs[0]: Invalid value: "1.2.3": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
        422 Invalid: Service "s" is invalid: spec.ports[0].nodePort: Invalid value: 1: provided port is not in the valid range. The range of valid ports is 30000-32767
        422 Invalid: Service "s" is invalid: spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services"#]]
    .assert_eq(&said.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn v4_10_pods_claims_and_events_keep_the_rules_of_their_kinds() {
    let client = client();
    let in_pod = |change: &dyn Fn(&mut Value)| {
        let mut pod = pod("p");
        change(&mut pod["spec"]);
        pod
    };
    let pods = [
        in_pod(&|spec| spec["containers"][0]["image"] = " x".into()),
        in_pod(&|spec| spec["containers"][0]["livenessProbe"] = json!({})),
        in_pod(&|spec| {
            spec["containers"][0]["readinessProbe"] =
                json!({"exec": {"command": ["x"]}, "httpGet": {"port": 1}, "periodSeconds": -1});
        }),
        in_pod(&|spec| spec["containers"][0]["env"] = json!([{"name": "a=b"}])),
        in_pod(&|spec| {
            spec["tolerations"] = json!([{"operator": "Foo"}, {"key": "a", "effect": "X"}]);
        }),
    ];
    let mut lines = Vec::new();
    for pod in pods {
        lines.push(client.post(PODS, &pod).await.line());
    }
    let claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    lines.push(client.post(claims, &json!({"metadata": {"name": "c"}})).await.line());
    let event = json!({"metadata": {"name": "e"}, "involvedObject": {"namespace": "other"}});
    lines.push(client.post("/api/v1/namespaces/default/events", &event).await.line());
    let twice = json!({"metadata": {"name": "d"}, "data": {"a": ""}, "binaryData": {"a": ""}});
    lines.push(client.post(CONFIG_MAPS, &twice).await.line());
    let classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
    client.post(classes, &json!({"metadata": {"name": "low"}, "value": 1})).await.expect(201);
    lines.push(client.merge(&format!("{classes}/low"), &json!({"value": 2})).await.line());
    expect_test::expect![[r#"
        422 Invalid: Pod "p" is invalid: spec.containers[0].image: Invalid value: " x": must not have leading or trailing whitespace
        422 Invalid: Pod "p" is invalid: spec.containers[0].livenessProbe: Required value: must specify a handler type
        422 Invalid: Pod "p" is invalid: [spec.containers[0].readinessProbe.httpGet: Forbidden: may not specify more than 1 handler type, spec.containers[0].readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0]
        422 Invalid: Pod "p" is invalid: spec.containers[0].env[0].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='
        422 Invalid: Pod "p" is invalid: [spec.tolerations[0].operator: Invalid value: "Foo": operator must be Exists when `key` is empty, which means "match all values and all keys", spec.tolerations[0].operator: Unsupported value: "Foo": supported values: "Equal", "Exists", spec.tolerations[1].effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"]
        422 Invalid: PersistentVolumeClaim "c" is invalid: [spec.accessModes: Required value: at least 1 access mode is required, spec.resources[storage]: Required value]
        422 Invalid: Event "e" is invalid: involvedObject.namespace: Invalid value: "other": does not match event.namespace
        422 Invalid: ConfigMap "d" is invalid: data[a]: Invalid value: "a": duplicate of key present in binaryData
        422 Invalid: PriorityClass.scheduling.k8s.io "low" is invalid: value: Forbidden: may not be changed in an update."#]].assert_eq(&lines.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn v5_3_an_applied_object_says_what_it_is() {
    let client = client();
    let path = format!("{CONFIG_MAPS}/a?fieldManager=m");
    let lines = [
        client.patch("apply", &path, &json!({"data": {}})).await,
        client.patch("apply", &path, &json!({"apiVersion": "v1", "kind": "Secret"})).await,
        client.patch("apply", &path, &json!([])).await,
        client
            .patch("apply", &path, &json!({"apiVersion": "v1", "kind": "ConfigMap", "x": 1}))
            .await,
    ]
    .map(|answer| answer.line());
    expect_test::expect![[r#"
        400 BadRequest: invalid object type: /, Kind=
        400 BadRequest: invalid object type: /v1, Kind=Secret
        400 BadRequest: error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}
        500 : failed to create typed patch object (/; /v1, Kind=ConfigMap): .x: field not declared in schema"#]].assert_eq(&lines.join("\n"));
}

#[tokio::test(start_paused = true)]
async fn v4_1_a_version_of_a_new_object_is_refused_last_and_not_in_a_dry_run() {
    let client = client();
    let map =
        |name: &str, version: &str| json!({"metadata": {"name": name, "resourceVersion": version}});
    let refused = "500 : resourceVersion should not be set on objects to be created";
    assert_eq!(client.post(CONFIG_MAPS, &map("x", "7")).await.line(), refused);
    assert_eq!(
        client.post(CONFIG_MAPS, &map("X_", "7")).await.code,
        422,
        "what is invalid is told first"
    );
    let dry = format!("{CONFIG_MAPS}?dryRun=All");
    let made = client.post(&dry, &map("x", "7")).await.expect(201);
    assert_eq!(made["metadata"]["resourceVersion"], "7");
    let made = client.post(CONFIG_MAPS, &map("x", "0")).await.expect(201);
    assert_ne!(made["metadata"]["resourceVersion"], "0");
    assert_eq!(
        client.post(CONFIG_MAPS, &map("x", "7")).await.line(),
        refused,
        "before its name is"
    );
    assert_eq!(client.post(&dry, &map("x", "7")).await.code, 409);
}

#[tokio::test(start_paused = true)]
async fn v4_addresses_of_services_are_free_and_of_the_range() {
    let client = client();
    let asks = |address: &str| json!({"ports": [{"port": 80}], "clusterIP": address});
    client.post(SERVICES, &service("a", &asks("10.96.0.9"))).await.expect(201);
    let dry = format!("{SERVICES}?dryRun=All");
    let mut said = Vec::new();
    for (path, address) in [
        (SERVICES, "10.96.0.9"),
        (SERVICES, "10.96.0.0"),
        (SERVICES, "10.97.0.1"),
        (SERVICES, "fd00::1"),
        (&*dry, "10.97.0.1"),
    ] {
        said.push(client.post(path, &service("b", &asks(address))).await.line());
    }
    expect_test::expect![[r#"
        422 Invalid: Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.9"]: failed to allocate IP 10.96.0.9: provided IP is already allocated
        422 Invalid: Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.96.0.0"]: failed to allocate IP 10.96.0.0: the provided network does not match the current range
        422 Invalid: Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.97.0.1"]: failed to allocate IP 10.97.0.1: the provided network does not match the current range
        422 Invalid: Service "b" is invalid: spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster
        422 Invalid: Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.97.0.1"]: failed to allocate IP 10.97.0.1: the provided IP (10.97.0.1) is not in the valid range. The range of valid IPs is 10.96.0.0/16"#]]
    .assert_eq(&said.join("\n"));
    // Nobody is asked who has an address where nothing is stored, and none is looked for.
    client.post(&dry, &service("b", &asks("10.96.0.9"))).await.expect(201);
    let any = json!({"ports": [{"port": 80}]});
    let shown = client.post(&dry, &service("b", &any)).await.expect(201);
    assert_eq!(shown["spec"]["clusterIP"], "10.96.0.0");
}

#[tokio::test(start_paused = true)]
async fn v4_a_service_that_no_longer_wants_both_families_keeps_the_first() {
    let client = client();
    let anywhere = json!({"clusterIP": "None", "ports": [{"port": 80}]});
    let made = client.post(SERVICES, &service("a", &anywhere)).await.expect(201);
    assert_eq!(made["spec"]["ipFamilies"], json!(["IPv4", "IPv6"]));
    let one = json!({"spec": {"ipFamilyPolicy": "SingleStack"}});
    let left = client.merge(&format!("{SERVICES}/a"), &one).await.expect(200);
    assert_eq!(left["spec"]["ipFamilies"], json!(["IPv4"]));
}

/// What was sent empty is gone from what is judged and stored, and shown all the same.
#[tokio::test(start_paused = true)]
async fn v4_4_what_was_sent_empty_is_shown_empty() {
    let client = client();
    let classes = "/apis/storage.k8s.io/v1/storageclasses";
    let class = |parameters: Value| json!({"metadata": {"name": "c"}, "provisioner": "p", "parameters": parameters});
    client.post(classes, &class(json!({"a": "b"}))).await.expect(201);
    let path = format!("{classes}/c");
    let want = |shown: &str| {
        format!(
            "422 Invalid: StorageClass.storage.k8s.io \"c\" is invalid: parameters: Invalid value: {shown}: field is immutable"
        )
    };
    for (parameters, shown) in [(json!({}), "{}"), (Value::Null, "null")] {
        assert_eq!(client.put(&path, &class(parameters)).await.line(), want(shown));
    }
    for (value, shown) in [(json!({}), "{}"), (json!({"a": "<"}), r#"{"a":"\u003c"}"#)] {
        let change = json!([{"op": "replace", "path": "/parameters", "value": value}]);
        let answer = client.patch("json", &path, &change).await;
        assert_eq!(answer.line(), want(shown));
    }
    let merged = client.merge(&path, &json!({"parameters": {"a": null}})).await;
    assert_eq!(merged.line(), want("{}"));
}
