//! V7: selectors.

use serde_json::json;

use crate::support::*;

#[tokio::test(start_paused = true)]
async fn v7_1_labels_and_fields_select() {
    let client = client();
    for (name, labels) in
        [("a", json!({"x": "1"})), ("b", json!({"x": "2", "y": ""})), ("c", json!({}))]
    {
        client
            .post(CONFIG_MAPS, &json!({"metadata": {"name": name, "labels": labels}}))
            .await
            .expect(201);
    }
    for (query, expected) in [
        ("labelSelector=x", "a b"),
        ("labelSelector=!x", "c"),
        ("labelSelector=x%3D1", "a"),
        ("labelSelector=x!%3D1", "b c"),
        ("labelSelector=x+in+(1,2),!y", "a"),
        ("labelSelector=x+notin+(1)", "b c"),
        ("fieldSelector=metadata.name%3Db", "b"),
        ("fieldSelector=metadata.name!%3Db", "a c"),
        ("fieldSelector=metadata.namespace%3Ddefault", "a b c"),
    ] {
        let list = client.get(&format!("{CONFIG_MAPS}?{query}")).await.expect(200);
        assert_eq!(names(&list).join(" "), expected, "{query}");
    }
    assert_eq!(
        client.get(&format!("{CONFIG_MAPS}?fieldSelector=data.x%3D1")).await.line(),
        r#"400 BadRequest: "data.x" is not a known field selector: only "metadata.name", "metadata.namespace""#
    );
    assert_eq!(client.get(&format!("{CONFIG_MAPS}?labelSelector=a+b")).await.code, 400);
}

#[tokio::test(start_paused = true)]
async fn v7_1_of_what_has_a_name_there_are_no_pages() {
    let client = client();
    for name in ["a", "b"] {
        client.post(CONFIG_MAPS, &json!({"metadata": {"name": name}})).await.expect(201);
    }
    let paged = client.get(&format!("{CONFIG_MAPS}?limit=1")).await.expect(200);
    assert!(paged["metadata"]["continue"].is_string());
    let query = "limit=1&fieldSelector=metadata.name%3Da";
    let single = client.get(&format!("{CONFIG_MAPS}?{query}")).await.expect(200);
    assert!(single["metadata"]["continue"].is_null());
}

#[tokio::test(start_paused = true)]
async fn v7_1_pods_are_found_by_node_and_phase() {
    let client = client();
    client.post(PODS, &pod("p")).await.expect(201);
    client.post(PODS, &pod("q")).await.expect(201);
    let binding = json!({"metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}});
    client.post(&format!("{PODS}/p/binding"), &binding).await.expect(201);
    for (selector, expected) in [
        ("spec.nodeName%3Dn", "p"),
        ("spec.nodeName%3D", "q"),
        ("status.phase%3DPending", "p q"),
        ("status.phase!%3DPending", ""),
        ("spec.hostNetwork%3Dfalse", "p q"),
    ] {
        let list = client.get(&format!("/api/v1/pods?fieldSelector={selector}")).await.expect(200);
        assert_eq!(names(&list).join(" "), expected, "{selector}");
    }
}

#[tokio::test(start_paused = true)]
async fn v7_2_definitions_say_which_fields_select() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    client.post(FOOS, &foo("b", "blue")).await.expect(201);
    let list = client.get(&format!("{FOOS}?fieldSelector=spec.color%3Dred")).await.expect(200);
    assert_eq!(names(&list), ["a"]);
    assert_eq!(client.get(&format!("{FOOS}?fieldSelector=spec.replicas%3D1")).await.code, 400);
}

#[tokio::test(start_paused = true)]
async fn v7_1_kinds_have_fields_of_their_own() {
    let client = client();
    let secrets = "/api/v1/namespaces/default/secrets";
    for (name, kind) in [("plain", "Opaque"), ("own", "example.com/own")] {
        let body = json!({"metadata": {"name": name}, "type": kind});
        client.post(secrets, &body).await.expect(201);
    }
    let services = "/api/v1/namespaces/default/services";
    let ports = json!([{"port": 80}]);
    let body = json!({"metadata": {"name": "s"}, "spec": {"clusterIP": "None", "ports": ports}});
    client.post(services, &body).await.expect(201);
    let events = "/api/v1/namespaces/default/events";
    let body = json!({"metadata": {"name": "e"}, "reason": "Made", "type": "Normal",
        "source": {"component": "tester"},
        "involvedObject": {"kind": "Pod", "namespace": "default", "name": "p", "uid": "u"}});
    client.post(events, &body).await.expect(201);
    for (path, selector, expected) in [
        (secrets, "type=Opaque", "plain"),
        (secrets, "type!=Opaque", "own"),
        (services, "spec.clusterIP=None", "s"),
        (services, "spec.type=NodePort", ""),
        (events, "involvedObject.kind=Pod,involvedObject.name=p,involvedObject.uid=u", "e"),
        (events, "reason=Made,type=Normal,source=tester", "e"),
        (events, "involvedObject.name=q", ""),
        ("/api/v1/namespaces", "status.phase=Active,metadata.name=default", "default"),
        ("/api/v1/namespaces", "status.phase=Terminating", ""),
        ("/api/v1/nodes", "spec.unschedulable=false", ""),
        ("/apis/apps/v1/replicasets", "status.replicas=0", ""),
        ("/apis/batch/v1/jobs", "status.successful=0", ""),
        ("/apis/certificates.k8s.io/v1/certificatesigningrequests", "spec.signerName=x", ""),
    ] {
        let query = selector.replace('=', "%3D");
        let list = client.get(&format!("{path}?fieldSelector={query}")).await.expect(200);
        assert_eq!(names(&list).join(" "), expected, "{path} {selector}");
    }
}

#[tokio::test(start_paused = true)]
async fn v7_2_numbers_and_truths_select_as_text() {
    let client = client();
    let mut crd = foo_crd();
    let version = &mut crd["spec"]["versions"][0];
    let spec = &mut version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"];
    spec["on"] = json!({"type": "boolean"});
    version["selectableFields"] = json!([{"jsonPath": ".spec.replicas"}, {"jsonPath": ".spec.on"}]);
    client.post(CRDS, &crd).await.expect(201);
    let mut body = foo("a", "red");
    body["spec"]["on"] = true.into();
    body["spec"]["replicas"] = 3.into();
    client.post(FOOS, &body).await.expect(201);
    client.post(FOOS, &foo("b", "red")).await.expect(201);
    for (selector, expected) in
        [("spec.replicas%3D3", "a"), ("spec.on%3Dtrue", "a"), ("spec.on!%3Dtrue", "b")]
    {
        let list = client.get(&format!("{FOOS}?fieldSelector={selector}")).await.expect(200);
        assert_eq!(names(&list).join(" "), expected, "{selector}");
    }
}
