//! What is told of objects, and what is not.

use expect_test::expect;

use crate::core::v1::{ConfigMap, Pod, Secret};
use crate::{Metadata, Unstructured, json, object};

const SECRET: &str = r#"{
    "apiVersion": "v1", "kind": "Secret",
    "metadata": {"name": "s", "annotations": {
        "kubectl.kubernetes.io/last-applied-configuration": "{\"stringData\":{\"a\":\"hunter2\"}}"
    }},
    "data": {"a": "aHVudGVyMg==", "kind": "aHVudGVyMg=="}, "stringData": {"b": "hunter2"}
}"#;

#[test]
fn a_pod_is_a_few_lines() {
    let pod = object!(Pod {
        metadata: { name: "web-5d75769f55-n74q4", namespace: "shop", labels: { "app": "web" } },
        spec: {
            node_name: "node-0",
            containers: [{ name: "web", image: "nginx:1.29", args: ["-v", "a longer argument that goes on"] }],
        },
        status: { phase: "Running", pod_ip: "10.244.0.2" },
    });
    expect![[r#"
        Pod {
            metadata: {name: "web-5d75769f55-n74q4", namespace: "shop", labels: {app: "web"}},
            spec: {
                containers: [
                    {name: "web", image: "nginx:1.29", args: ["-v", "a longer argument that goes on"]},
                ],
                nodeName: "node-0",
            },
            status: {phase: "Running", podIP: "10.244.0.2"},
        }"#]]
    .assert_eq(&format!("{pod:#?}"));
    assert_eq!(pod.to_string(), "Pod shop/web-5d75769f55-n74q4");
    assert_eq!(format!("{:?}", pod.spec.containers[0].name), r#""web""#);
    assert_eq!(format!("{:?}", Pod::default()), "Pod {}");
}

#[test]
fn bytes_tell_how_many_they_are() {
    let map: ConfigMap = json::from_str(r#"{"binaryData":{"a":"aGVsbG8="}}"#).unwrap();
    assert_eq!(format!("{map:?}"), "ConfigMap {binaryData: {a: (5 bytes)}}");
    assert_eq!(
        json::to_string(&map),
        r#"{"apiVersion":"v1","kind":"ConfigMap","metadata":{},"binaryData":{"a":"aGVsbG8="}}"#
            .replace(r#""metadata":{},"#, "")
    );
}

#[test]
fn secrets_are_never_told() {
    let list = format!(
        r#"{{"kind":"SecretList","items":[{}]}}"#,
        SECRET.replace("\"kind\": \"Secret\",", "")
    );
    let wrapped =
        format!(r#"{{"apiVersion":"x.io/v1","kind":"Wrap","spec":{{"object":{SECRET}}}}}"#);
    let shown = [
        format!("{:?}", json::from_str::<Secret>(SECRET).unwrap()),
        format!("{:#?}", json::from_str::<Secret>(SECRET).unwrap()),
        format!("{:?}", json::from_str::<Secret>(SECRET).unwrap().data),
        format!("{:?}", json::from_str::<Metadata<Secret>>(SECRET).unwrap()),
        format!("{:?}", json::from_str::<Unstructured>(SECRET).unwrap()),
        format!("{:#?}", json::from_str::<Unstructured>(SECRET).unwrap()),
        format!("{:?}", json::from_str::<Unstructured>(&list).unwrap()),
        format!("{:?}", json::from_str::<Unstructured>(&wrapped).unwrap()),
    ];
    for shown in shown {
        assert!(!shown.contains("hunter2") && !shown.contains("aHVudGVyMg"), "{shown}");
    }
    let secret: Unstructured = json::from_str(SECRET).unwrap();
    expect![[r#"v1 Secret {metadata: {name: "s", annotations: {"kubectl.kubernetes.io/last-applied-configuration": (redacted)}}, data: {a: (redacted), kind: (redacted)}, stringData: {b: (redacted)}}"#]]
        .assert_eq(&format!("{secret:?}"));
}

#[cfg(feature = "authentication")]
#[test]
fn tokens_are_never_told() {
    use crate::authentication::v1::{TokenRequest, TokenReview};
    let request: TokenRequest = json::from_str(r#"{"status":{"token":"hunter2"}}"#).unwrap();
    let review: TokenReview = json::from_str(r#"{"spec":{"token":"hunter2"}}"#).unwrap();
    for shown in [
        format!("{request:?}"),
        format!("{:?}", request.status),
        format!("{review:?}"),
        format!("{:?}", review.spec),
        format!("{:?}", Unstructured::encode(&request)),
    ] {
        assert!(shown.contains("token: (redacted)") && !shown.contains("hunter2"), "{shown}");
    }
}
