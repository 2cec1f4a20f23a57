//! V0.1 and V1.3: protobuf, YAML and gzip, both ways.

use std::io::Read as _;

use expect_test::expect;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use watchkeeper_api::pb::{self, Envelope, Event, WatchFrames};

use super::support::*;

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// An answer as bytes.
struct Raw {
    code: u16,
    headers: http::HeaderMap,
    bytes: Vec<u8>,
}

impl Raw {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// The body in JSON, whose kind and version the envelope says.
    fn value(&self) -> Value {
        assert_eq!(self.header("content-type"), PROTOBUF);
        let text = pb::body_to_json(&self.bytes).expect("a body");
        serde_json::from_str(&text).expect("JSON")
    }
}

async fn raw(
    client: &Client,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Raw {
    let mut request = http::Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(bytes::Bytes::copy_from_slice(body)).expect("a request");
    let (head, body) = client.server.answer(request).await.expect("an answer").into_parts();
    let bytes = body.collect().await.expect("a body").to_bytes().to_vec();
    Raw { code: head.status.as_u16(), headers: head.headers, bytes }
}

async fn get(client: &Client, path: &str, accept: &str) -> Raw {
    raw(client, "GET", path, &[("accept", accept)], b"").await
}

async fn post(client: &Client, path: &str, body: &Value) -> Raw {
    let body = pb::body_from_json(&body.to_string()).expect("a body");
    raw(client, "POST", path, &[("content-type", PROTOBUF), ("accept", PROTOBUF)], &body).await
}

#[tokio::test(start_paused = true)]
async fn v0_1_bodies_are_protobuf_both_ways() {
    let client = client();
    let created = post(&client, DEPLOYMENTS, &deployment("a", 2)).await;
    assert_eq!(created.code, 201);
    let path = format!("{DEPLOYMENTS}/a");
    let shown = get(&client, &path, PROTOBUF).await;
    assert_eq!(shown.bytes, created.bytes);
    // What came as protobuf is what would have come as JSON.
    let other = client.post(DEPLOYMENTS, &deployment("b", 2)).await.expect(201);
    let stored = client.get(&path).await.expect(200);
    assert_eq!(stored["spec"].to_string().replace("\"a\"", "\"b\""), other["spec"].to_string());
    let theirs = pb::body_from_json(&stored.to_string()).expect("a body");
    assert_eq!(shown.bytes, theirs);

    let mut changed = stored.clone();
    changed["spec"]["replicas"] = 0.into();
    let body = pb::body_from_json(&changed.to_string()).expect("a body");
    let headers = [("content-type", PROTOBUF), ("accept", PROTOBUF)];
    let updated = raw(&client, "PUT", &path, &headers, &body).await;
    assert_eq!(updated.value()["spec"]["replicas"], 0);
    let patch = [("content-type", "application/merge-patch+json"), ("accept", PROTOBUF)];
    let patched = raw(&client, "PATCH", &path, &patch, br#"{"spec":{"replicas":3}}"#).await;
    assert_eq!(patched.value()["spec"]["replicas"], 3);

    // A dry run shows what it would store, and stores nothing.
    let dry = format!("{path}?dryRun=All");
    let shown = raw(&client, "PATCH", &dry, &patch, br#"{"spec":{"replicas":4}}"#).await;
    assert_eq!(shown.value()["spec"]["replicas"], 4);

    let scale = get(&client, &format!("{path}/scale"), PROTOBUF).await.value();
    assert_eq!((&scale["kind"], &scale["spec"]["replicas"]), (&json!("Scale"), &json!(3)));
    let list = get(&client, DEPLOYMENTS, PROTOBUF).await.value();
    assert_eq!(
        (&list["kind"], names(&list)),
        (&json!("DeploymentList"), vec!["a".into(), "b".into()])
    );

    let options =
        json!({"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": "Orphan"});
    let body = pb::body_from_json(&options.to_string()).expect("a body");
    let deleted = raw(&client, "DELETE", &path, &headers, &body).await.value();
    assert_eq!(deleted["metadata"]["finalizers"], json!(["orphan"]));
}

#[tokio::test(start_paused = true)]
async fn v0_1_errors_come_as_the_client_asked() {
    let client = client();
    let missing = get(&client, &format!("{CONFIG_MAPS}/x"), PROTOBUF).await;
    assert_eq!((missing.code, missing.header("content-type")), (404, PROTOBUF));
    assert_eq!(missing.value()["message"], "configmaps \"x\" not found");
    let yaml = get(&client, &format!("{CONFIG_MAPS}/x"), "application/yaml").await;
    assert!(yaml.bytes.starts_with(b"apiVersion: v1\ncode: 404\ndetails:\n"), "{:?}", yaml.bytes);
    let metadata = pb::ACCEPT_METADATA;
    let missing = get(&client, &format!("{CONFIG_MAPS}/x"), metadata).await;
    assert_eq!((missing.code, missing.header("content-type")), (404, "application/json"));
}

#[tokio::test(start_paused = true)]
async fn v0_1_bad_messages_are_told_as_upstream_tells_them() {
    let client = client();
    let mut lines = String::new();
    for body in [
        &b"junk"[..],
        b"k8s\0",
        b"k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\x03\x0a\xff\x01",
        b"k8s\0\x0a\x09\x0a\x02v1\x12\x03Foo\x12\x00",
        b"k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x00",
    ] {
        let headers = [("content-type", PROTOBUF)];
        let answer = raw(&client, "POST", CONFIG_MAPS, &headers, body).await;
        let status: Value = serde_json::from_slice(&answer.bytes).expect("JSON");
        lines.push_str(&format!("{} {}\n", answer.code, status["message"].as_str().expect("text")));
    }
    expect![[r#"
        400 the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (6a756e6b)
        400 the object provided is unrecognized (must be of type ConfigMap): empty body (6b387300)
        400 ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF
        400 Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"
        400 Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion
    "#]]
    .assert_eq(&lines);
    // Names may be left out.
    let body = b"k8s\0\x12\x05\x0a\x03\x0a\x01b";
    assert_eq!(
        raw(&client, "POST", CONFIG_MAPS, &[("content-type", PROTOBUF)], body).await.code,
        201
    );
}

#[tokio::test(start_paused = true)]
async fn v1_2_the_best_of_what_is_accepted_is_sent() {
    let client = client();
    client.config_map("a", "1").await;
    let path = format!("{CONFIG_MAPS}/a");
    let (table, metadata) =
        ("as=Table;g=meta.k8s.io;v=v1", "as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
    let mut lines = String::new();
    for accept in [
        String::new(),
        "*/*".to_owned(),
        "text/*;q=0.1,*/*".to_owned(),
        "application/json;q=0".to_owned(),
        "application/json;q=0.1,application/yaml;q=0.9".to_owned(),
        "application/*, application/yaml;q=0.2".to_owned(),
        format!("application/json, {PROTOBUF};q=0.9"),
        format!("{PROTOBUF}, application/json"),
        format!("{PROTOBUF};{table},application/json"),
        format!("{PROTOBUF};{metadata},application/json"),
        format!("application/json;as=Foo;v=v1;g=meta.k8s.io, {PROTOBUF}"),
        "application/json;stream=watch".to_owned(),
        "application/json;stream=foo".to_owned(),
        "application/json;g=x".to_owned(),
        format!("{PROTOBUF};{table}"),
        "application/*".to_owned(),
        "APPLICATION/JSON".to_owned(),
        "application/xml".to_owned(),
        format!("{PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"),
    ] {
        let answer = get(&client, &path, &accept).await;
        let kind = answer.header("content-type").trim_start_matches("application/").to_owned();
        let status = serde_json::from_slice::<Value>(&answer.bytes).unwrap_or_default();
        let message = status["message"].as_str().unwrap_or_default().replace('\n', " ");
        lines.push_str(format!("{accept}: {} {kind} {message}", answer.code).trim_end());
        lines.push('\n');
    }
    expect![[r#"
        : 200 json
        */*: 200 json
        text/*;q=0.1,*/*: 200 json
        application/json;q=0: 200 json
        application/json;q=0.1,application/yaml;q=0.9: 200 yaml
        application/*, application/yaml;q=0.2: 200 yaml
        application/json, application/vnd.kubernetes.protobuf;q=0.9: 200 json
        application/vnd.kubernetes.protobuf, application/json: 200 vnd.kubernetes.protobuf
        application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,application/json: 200 json
        application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json: 200 vnd.kubernetes.protobuf
        application/json;as=Foo;v=v1;g=meta.k8s.io, application/vnd.kubernetes.protobuf: 200 vnd.kubernetes.protobuf
        application/json;stream=watch: 200 json
        application/json;stream=foo: 406 json only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf
        application/json;g=x: 406 json only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf
        application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1: 406 json only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf
        application/*: 406 json 406: Not Acceptable  Available representations: application/json, application/yaml, application/vnd.kubernetes.protobuf
        APPLICATION/JSON: 406 json 406: Not Acceptable  Available representations: application/json, application/yaml, application/vnd.kubernetes.protobuf
        application/xml: 406 json 406: Not Acceptable  Available representations: application/json, application/yaml, application/vnd.kubernetes.protobuf
        application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1: 406 json you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)
    "#]]
    .assert_eq(&lines);
}

#[tokio::test(start_paused = true)]
async fn v1_2_custom_resources_have_no_protobuf_but_their_metadata_has() {
    let client = client();
    client.post(CRDS, &foo_crd()).await.expect(201);
    client.post(FOOS, &foo("a", "red")).await.expect(201);
    let path = format!("{FOOS}/a");
    let refused = get(&client, &path, PROTOBUF).await;
    assert_eq!(refused.code, 406);
    let message = "only the following media types are accepted: application/json, \
                   application/yaml, application/vnd.kubernetes.protobuf";
    assert_eq!(refused.value()["message"], message);
    let json = get(&client, &path, pb::ACCEPT).await;
    assert_eq!((json.code, json.header("content-type")), (200, "application/json"));
    let metadata = get(&client, &path, pb::ACCEPT_METADATA).await;
    let envelope = Envelope::open(&metadata.bytes).expect("a body");
    assert!(envelope.is("meta.k8s.io/v1", "PartialObjectMetadata"));
    let list = get(&client, FOOS, pb::ACCEPT_METADATA_LIST).await;
    let envelope = Envelope::open(&list.bytes).expect("a body");
    assert!(envelope.is("meta.k8s.io/v1", "PartialObjectMetadataList"));
    let watch = get(&client, &format!("{FOOS}?watch=1"), PROTOBUF).await;
    assert_eq!(watch.code, 406);
}

#[tokio::test(start_paused = true)]
async fn v3_frames_of_a_watch_are_messages_with_their_length() {
    let client = client();
    let first = client.config_map("a", "1").await;
    client.config_map("b", "2").await;
    // What the bookmark is of: no event of the watch.
    let secret = json!({"metadata": {"name": "s"}});
    client.post("/api/v1/namespaces/default/secrets", &secret).await.expect(201);
    let path = format!(
        "{CONFIG_MAPS}?watch=1&timeoutSeconds=5&resourceVersion={first}&allowWatchBookmarks=1"
    );
    for (accept, kind) in [
        (PROTOBUF, "ConfigMap"),
        (pb::WATCH_CONTENT_TYPE, "ConfigMap"),
        (pb::ACCEPT_METADATA, "PartialObjectMetadata"),
    ] {
        let watch = get(&client, &path, accept).await;
        assert_eq!(watch.header("content-type"), pb::WATCH_CONTENT_TYPE);
        let mut frames = WatchFrames::default();
        frames.push(&watch.bytes).expect("frames");
        let mut seen = Vec::new();
        while let Some(frame) = frames.frame().expect("a frame") {
            let event = Event::open(frame).expect("an event");
            assert_eq!(event.object.kind, kind);
            seen.push(event.type_.to_owned());
        }
        assert_eq!(seen, ["ADDED", "BOOKMARK"]);
    }
    client.server.compact(client.server.revision());
    client.config_map("c", "3").await;
    let gone = get(&client, &format!("{CONFIG_MAPS}?watch=1&resourceVersion=1"), PROTOBUF).await;
    let event = Event::open(&gone.bytes[4..]).expect("an event");
    assert_eq!((event.type_, event.object.kind), ("ERROR", "Status"));
    let yaml = get(&client, &format!("{CONFIG_MAPS}?watch=1"), "application/yaml").await;
    assert_eq!(yaml.code, 406);
    assert!(String::from_utf8_lossy(&yaml.bytes).contains("application/json;stream=watch"));
}

#[tokio::test(start_paused = true)]
async fn v1_3_yaml_both_ways() {
    let client = client();
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {value: 'two words'}\n";
    let headers = [("content-type", "application/yaml"), ("accept", "application/yaml")];
    let created = raw(&client, "POST", CONFIG_MAPS, &headers, text.as_bytes()).await;
    assert_eq!((created.code, created.header("content-type")), (201, "application/yaml"));
    let text = String::from_utf8(created.bytes).expect("text");
    assert!(
        text.contains("\ndata:\n  value: \"two words\"\nkind: ConfigMap\nmetadata:\n"),
        "{text}"
    );
    let odd = "apiVersion: v1\nkind: ConfigMap\nimmutable: yes\nmetadata: {name: b}\n";
    let created = raw(&client, "POST", CONFIG_MAPS, &headers[..1], odd.as_bytes()).await;
    let text = String::from_utf8(created.bytes).expect("text");
    assert!(text.contains("\"immutable\":true"), "as YAML 1.1 has it: {text}");
    let two = b"metadata: {name: c}\n---\nmetadata: {name: d}\n";
    let first = raw(&client, "POST", CONFIG_MAPS, &headers[..1], two).await;
    assert_eq!(first.code, 201);
    let path = format!("{CONFIG_MAPS}/c");
    assert_eq!(raw(&client, "DELETE", &path, &[], b"").await.code, 200, "it alone is read");
    let path = format!("{CONFIG_MAPS}/b");
    assert_eq!(raw(&client, "DELETE", &path, &[], b"").await.code, 200);
    let list = get(&client, CONFIG_MAPS, "application/yaml").await;
    let text = String::from_utf8(list.bytes).expect("text");
    assert!(text.starts_with("apiVersion: v1\nitems:\n- data:\n    value: "), "{text}");
}

#[tokio::test(start_paused = true)]
async fn v1_3_large_answers_are_compressed_for_those_who_take_it() {
    let client = client();
    client.config_map("small", "1").await;
    client.config_map("large", &"x".repeat(130 * 1024)).await;
    for accept in ["application/json", PROTOBUF] {
        let gzip = |encoding| [("accept", accept), ("accept-encoding", encoding)];
        let plain = raw(&client, "GET", CONFIG_MAPS, &gzip("gzip;q=0.5, deflate"), b"").await;
        assert_eq!(plain.header("content-encoding"), "");
        let small = raw(&client, "GET", CONFIG_MAPS, &gzip("deflate, gzip"), b"").await;
        assert_eq!(
            (small.header("content-encoding"), small.header("vary")),
            ("gzip", "Accept-Encoding")
        );
        assert!(small.bytes.len() * 10 < plain.bytes.len());
        let mut all = Vec::new();
        flate2::read::GzDecoder::new(&*small.bytes).read_to_end(&mut all).expect("gzip");
        assert!(all == plain.bytes);
        let path = format!("{CONFIG_MAPS}/small");
        let one = raw(&client, "GET", &path, &gzip("gzip"), b"").await;
        assert_eq!(one.header("content-encoding"), "");
    }
}

#[tokio::test(start_paused = true)]
async fn v9_discovery_comes_as_protobuf_too() {
    let client = client();
    for (path, kind) in [
        ("/api", "APIVersions"),
        ("/apis", "APIGroupList"),
        ("/apis/apps", "APIGroup"),
        ("/api/v1", "APIResourceList"),
    ] {
        let answer = get(&client, path, pb::ACCEPT).await;
        assert_eq!(answer.header("content-type"), PROTOBUF, "{path}");
        assert_eq!(Envelope::open(&answer.bytes).expect("a body").kind, kind);
    }
    let aggregated = ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let accept = format!("{PROTOBUF}{aggregated}");
    let answer = get(&client, "/apis", &accept).await;
    assert_eq!(answer.header("content-type"), accept);
    let envelope = Envelope::open(&answer.bytes).expect("a body");
    assert!(envelope.is("apidiscovery.k8s.io/v2", "APIGroupDiscoveryList"));
    assert_eq!(get(&client, "/version", PROTOBUF).await.code, 406);
}

#[tokio::test(start_paused = true)]
async fn v0_1_a_version_of_another_shape_has_messages_of_its_own() {
    let client = client();
    let path = |version: &str| {
        format!("/apis/autoscaling/{version}/namespaces/default/horizontalpodautoscalers")
    };
    let target = json!({"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"});
    let body = json!({"apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"}, "spec": {"scaleTargetRef": target, "maxReplicas": 3,
            "targetCPUUtilizationPercentage": 70}});
    let made = post(&client, &path("v1"), &body).await;
    assert_eq!(made.value()["spec"]["targetCPUUtilizationPercentage"], 70);
    // Whoever asks first, each version is answered in its own shape, and as it is in JSON.
    for version in ["v2", "v1", "v2", "v1"] {
        let list = get(&client, &path(version), PROTOBUF).await;
        let text = client.get(&path(version)).await.expect(200);
        assert_eq!(list.bytes, pb::body_from_json(&text.to_string()).expect("a body"), "{version}");
        let one = get(&client, &format!("{}/web", path(version)), PROTOBUF).await.value();
        let text = client.get(&format!("{}/web", path(version))).await.expect(200);
        assert_eq!((&one["spec"], &one["metadata"]), (&text["spec"], &text["metadata"]));
    }
}

/// The collections of every built-in kind that can be listed, with the kind: `/apis/apps/v1/…`.
pub(crate) async fn collections(client: &Client) -> Vec<(String, String, String)> {
    let groups = client.get("/apis").await.expect(200);
    let groups = groups["groups"].as_array().expect("groups").clone();
    let versions = groups.iter().flat_map(|group| group["versions"].as_array().expect("versions"));
    let versions = versions.map(|version| version["groupVersion"].as_str().expect("one"));
    let mut found = Vec::new();
    for version in std::iter::once("v1").chain(versions) {
        let root = if version == "v1" { "/api/v1".into() } else { format!("/apis/{version}") };
        let resources = client.get(&root).await.expect(200);
        for resource in resources["resources"].as_array().expect("resources") {
            let verbs = resource["verbs"].as_array().expect("verbs");
            if !verbs.contains(&json!("list")) {
                continue;
            }
            let name = resource["name"].as_str().expect("a name");
            let namespace = if resource["namespaced"] == true { "/namespaces/default" } else { "" };
            let kind = resource["kind"].as_str().expect("a kind");
            found.push((format!("{root}{namespace}/{name}"), version.to_owned(), kind.to_owned()));
        }
    }
    found
}

#[tokio::test(start_paused = true)]
async fn v8_every_kind_is_shown_as_a_table_and_as_metadata_in_both_codecs() {
    let client = client();
    let (mut kinds, mut with_objects, mut plain) = (0, 0, Vec::new());
    for (path, version, kind) in collections(&client).await {
        let body = json!({"apiVersion": version, "kind": kind, "metadata": {"name": "example"}});
        let made = client.post(&path, &body).await.code == 201;

        let table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        let table = client.get_as(&path, table).await.expect(200);
        let columns = table["columnDefinitions"].as_array().expect("columns").len();
        if table["columnDefinitions"][1]["name"] == "Created At" {
            plain.push(format!("{version} {kind}"));
        }
        let rows = table["rows"].as_array().expect("rows");
        assert_eq!(table["kind"], "Table", "{path}");
        assert!(columns > 0, "{path}");
        for row in rows {
            assert_eq!(row["cells"].as_array().expect("cells").len(), columns, "{path}");
            assert_eq!(row["object"]["kind"], "PartialObjectMetadata", "{path}");
        }

        let form = "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
        let text = client.get_as(&path, &format!("application/json;{form}")).await.expect(200);
        let message = get(&client, &path, &format!("{PROTOBUF};{form}")).await.value();
        assert_eq!(message["kind"], "PartialObjectMetadataList", "{path}");
        assert_eq!(names(&message), names(&text), "{path}");
        assert_eq!(names(&message).len(), rows.len(), "{path}");

        let whole = get(&client, &path, PROTOBUF).await.value();
        assert_eq!(whole["kind"], format!("{kind}List"), "{path}");
        assert_eq!(names(&whole), names(&text), "{path}");
        assert!(!made || names(&whole).contains(&"example".to_owned()), "{path}");
        kinds += 1;
        with_objects += usize::from(!rows.is_empty());
    }
    // As many as a server of 1.36 lists by default; of those that need more than a name there is none.
    assert!(kinds >= 60 && with_objects >= 15, "{kinds} kinds, {with_objects} with objects");
    // Upstream has no columns for these either (`pkg/printers/internalversion`).
    expect![[r#"
        v1 LimitRange
        rbac.authorization.k8s.io/v1 ClusterRole
        rbac.authorization.k8s.io/v1 Role
        storage.k8s.io/v1 CSIStorageCapacity
        apiextensions.k8s.io/v1 CustomResourceDefinition"#]]
    .assert_eq(&plain.join("\n"));
}
