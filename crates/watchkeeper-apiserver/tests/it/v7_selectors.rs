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
