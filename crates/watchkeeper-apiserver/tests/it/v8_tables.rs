//! V8: tables and metadata only.

use serde_json::json;

use crate::support::*;

const TABLE: &str = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

#[tokio::test(start_paused = true)]
async fn v8_1_lists_and_objects_as_tables() {
    let client = client();
    client.post(DEPLOYMENTS, &deployment("web", 2)).await.expect(201);
    tokio::time::advance(std::time::Duration::from_secs(90)).await;
    let table = client.get_as(DEPLOYMENTS, TABLE).await.expect(200);
    assert_eq!((&table["kind"], &table["apiVersion"]), (&json!("Table"), &json!("meta.k8s.io/v1")));
    let columns: Vec<&str> = table["columnDefinitions"]
        .as_array()
        .expect("columns")
        .iter()
        .filter(|column| column["priority"] == 0)
        .filter_map(|column| column["name"].as_str())
        .collect();
    assert_eq!(columns, ["Name", "Ready", "Up-to-date", "Available", "Age"]);
    let name = &table["columnDefinitions"][0]["description"];
    assert_eq!(name, "The name, unique within kind and namespace.");
    assert_eq!(
        table["columnDefinitions"][1]["description"],
        "Pods that are ready, of those wanted."
    );
    let row = &table["rows"][0];
    assert_eq!(row["cells"][0], "web");
    assert_eq!(row["cells"][1], "0/2");
    assert_eq!(row["cells"][4], "90s");
    assert_eq!(row["object"]["kind"], "PartialObjectMetadata");
    let one =
        client.get_as(&format!("{DEPLOYMENTS}/web?includeObject=Object"), TABLE).await.expect(200);
    assert_eq!(one["rows"][0]["object"]["kind"], "Deployment");
    let none =
        client.get_as(&format!("{DEPLOYMENTS}/web?includeObject=None"), TABLE).await.expect(200);
    assert!(none["rows"][0]["object"].is_null());
    assert_eq!(client.get_as(&format!("{DEPLOYMENTS}?includeObject=All"), TABLE).await.code, 400);
}

#[tokio::test(start_paused = true)]
async fn v8_1_custom_columns() {
    let client = client();
    let mut crd = foo_crd();
    let columns = &mut crd["spec"]["versions"][0]["additionalPrinterColumns"];
    columns[0]["description"] = "What it looks like.".into();
    client.post(CRDS, &crd).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let table = client.get_as(FOOS, TABLE).await.expect(200);
    let column = json!({"name": "Color", "type": "string", "format": "", "priority": 0,
        "description": "What it looks like."});
    assert_eq!(table["columnDefinitions"][1], column);
    assert_eq!(table["rows"][0]["cells"], json!(["a", "red"]));
}

#[tokio::test(start_paused = true)]
async fn v8_2_metadata_only() {
    let client = client();
    client.config_map("a", "1").await;
    let one = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    let many = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
    let object = client.get_as(&format!("{CONFIG_MAPS}/a"), one).await.expect(200);
    assert_eq!(object["kind"], "PartialObjectMetadata");
    assert_eq!((object["metadata"]["name"].as_str(), object.get("data")), (Some("a"), None));
    let list = client.get_as(CONFIG_MAPS, many).await.expect(200);
    assert_eq!(list["kind"], "PartialObjectMetadataList");
    assert_eq!(names(&list), ["a"]);
    let mut watch = client.watch_as(&format!("{CONFIG_MAPS}?watch=1"), one).await;
    let frame = watch.next().await.expect("a frame");
    assert_eq!(frame["object"]["kind"], "PartialObjectMetadata");
}

#[tokio::test(start_paused = true)]
async fn v8_2_patches_and_deletes_answer_with_metadata_only() {
    let client = client();
    client.config_map("a", "1").await;
    let path = format!("{CONFIG_MAPS}/a");
    let one = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    let headers = [("accept", one), ("content-type", "application/merge-patch+json")];
    // A finalizer keeps the object, so that its deletion answers with it.
    let body = json!({"metadata": {"finalizers": ["example.com/stay"]}}).to_string();
    for (method, body) in [("PATCH", body), ("DELETE", String::new())] {
        let answer = client.try_send(method, &path, &headers, body).await.expect("an answer");
        let object = answer.expect(200);
        assert_eq!(object["kind"], "PartialObjectMetadata", "{method}");
        assert_eq!(object["metadata"]["finalizers"][0], "example.com/stay");
        assert_eq!(object.get("data"), None);
    }
}
