//! What is told of objects, and what is not.

use expect_test::expect;

use crate::core::v1::{ConfigMap, Pod, Secret};
use crate::meta::v1::{ListMeta, WatchEvent};
use crate::{Metadata, Raw, Unstructured, diff, json, object, pb};

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

/// What a text, or the numbers of its bytes, would give away.
fn tells_nothing(shown: &str) {
    let numbers = format!("{:?}", b"hunter2");
    for secret in ["hunter2", "aHVudGVyMg", numbers.trim_matches(['[', ']'])] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[test]
fn what_is_on_its_way_is_never_told() {
    let secret: Secret = json::from_str(SECRET).unwrap();
    let body = pb::to_body(&secret);
    let frame = pb::event_to_frame("ADDED", &secret);
    let list = pb::list_to_body(&Secret::KIND, &ListMeta::default(), [&secret as _]);
    let mut frames = pb::WatchFrames::default();
    frames.push(&frame[..frame.len() - 1]).unwrap();
    let mut items = pb::ListFrames::default();
    items.push(&list[..list.len() - 9], |_| Ok(())).unwrap();
    let mut message = pb::Writer::new();
    pb::Message::put_members(&secret, &mut message);
    let mut text = json::Writer::new();
    json::Write::write(&secret, &mut text);
    let mut decoders = (json::Decoder::new(), pb::Decoder::new());
    for _ in 0..3 {
        decoders.0.decode::<Secret>(SECRET.as_bytes()).unwrap();
        decoders.1.body::<Secret>(&body).unwrap();
    }
    for shown in [
        format!("{:?}", pb::Envelope::open(&body).unwrap()),
        format!("{:?}", pb::Event::open(&frame[4..]).unwrap()),
        format!("{frames:?} {items:?} {message:?} {text:?} {decoders:?}"),
        format!("{:?}", json::Reader::new(SECRET).unwrap()),
        format!("{:?}", pb::Reader::new(&body)),
    ] {
        tells_nothing(&shown);
    }
}

#[test]
fn raw_json_tells_no_secret() {
    let raw = Raw::from_json(SECRET).unwrap();
    tells_nothing(&format!("{raw:?}"));
    assert!(format!("{raw:?}").contains("(redacted)"));
    let escaped = SECRET.replace(r#""Secret""#, r#""S\u0065cret""#);
    tells_nothing(&format!("{:?}", Raw::from_json(&escaped).unwrap()));
    // An event of a watch holds an object of any kind.
    let event = WatchEvent { type_: "ADDED".into(), object: raw };
    tells_nothing(&format!("{event:?} {event:#?}"));
    assert_eq!(format!("{:?}", Raw::from_json("[1, {}]").unwrap()), "[1,{}]");
}

#[test]
fn raw_json_of_an_odd_type_tells_no_secret() {
    for odd in [
        r#"{"apiVersion":7,"kind":"Secret","data":{"a":"hunter2"}}"#,
        r#"{"kind":"Secret","apiVersion":{},"items":[{"stringData":{"a":"hunter2"}}]}"#,
        r#"{"kind":"Secret","kind":7,"data":{"a":"hunter2"}}"#,
        r#"{"kind":["x"],"kind":"Secret","kind":"Pod","data":{"a":"hunter2"}}"#,
        r#"{"kind":"SecretList","kind":"Secret","data":{"a":"hunter2"},"items":[]}"#,
        r#"{"kind":"TokenReview","kind":"Secret","data":{"a":"hunter2"},"token":"hunter2"}"#,
        r#"[{"a":{"apiVersion":null,"k\u0069nd":"Secret","data":{"a":"hunter2"}}}]"#,
    ] {
        let raw = Raw::from_json(odd).unwrap();
        tells_nothing(&format!("{raw:?}"));
        tells_nothing(&format!("{:?}", WatchEvent { type_: "ADDED".into(), object: raw }));
    }
    // A schema has members that are called so.
    let schema = r#"{"properties":{"kind":{"type":"string"},"secretRef":{"x":"Secret"}}}"#;
    let shown = format!("{:?}", Raw::from_json(schema).unwrap());
    assert_eq!(shown, r#"{properties: {kind: {type: "string"}, secretRef: {x: "Secret"}}}"#);
}

#[test]
fn differences_tell_no_secret() {
    let old: Secret = json::from_str(SECRET).unwrap();
    let mut new = old.clone();
    new.string_data.insert("b", "hunter22");
    new.metadata.annotations = crate::Map::default();
    let (old_any, new_any) = (Unstructured::encode(&old), Unstructured::encode(&new));
    for diff in [diff::diff(&old, &new), diff::diff(&old_any, &new_any), diff::diff(&old, &new_any)]
    {
        assert!(!diff.is_empty());
        tells_nothing(&format!("{diff} {diff:?}"));
    }
    let (old, new) = (Raw::encode(&old), Raw::encode(&new));
    tells_nothing(&diff::diff(&old, &new).to_string());
}

#[test]
fn what_cannot_be_read_is_not_quoted() {
    for (wrong, text) in [
        ("hunter2 is no base64", r#"{"data":{"a":"hunter2!"}}"#),
        ("hunter2 is no text", r#"{"stringData":{"a":["hunter2"]}}"#),
        ("hunter2 does not end", r#"{"stringData":{"a":"hunter2"#),
        ("hunter2 is no escape", r#"{"stringData":{"a":"hunter2\q"}}"#),
        ("hunter2 is no type", r#"{"type":7,"stringData":{"a":"hunter2"}}"#),
        ("hunter2 is behind it", r#"{} "hunter2""#),
    ] {
        let error = json::from_str::<Secret>(text).expect_err(wrong);
        tells_nothing(&format!("{error} {error:?}"));
        let error = json::from_str::<Unstructured>(text).err().map(|error| error.to_string());
        tells_nothing(&error.unwrap_or_default());
    }
    let mut body = pb::to_vec(&json::from_str::<Secret>(SECRET).unwrap());
    let place = body.windows(7).position(|bytes| bytes == b"hunter2").unwrap();
    body[place + 6] = 0xff;
    let error = pb::from_slice::<Secret>(&body).unwrap_err();
    assert!(!error.to_string().contains("hunter"), "{error}");
}

#[test]
fn secret_texts_are_never_told() {
    use crate::{List, Map, SecretText};
    let token: SecretText = "hunter2".into();
    let list: List<SecretText> = vec![token.clone()].into();
    let map: Map<SecretText> = Map::from([("a", token.clone())]);
    for shown in [
        format!("{token:?} {token:#?}"),
        format!("{list:?} {map:?}"),
        format!("{:?}", Some(Box::new(token))),
    ] {
        tells_nothing(&shown);
        assert!(shown.contains("(redacted)"), "{shown}");
    }
    let error = json::from_str::<SecretText>("[\"hunter2\"]").unwrap_err();
    tells_nothing(&format!("{error} {error:?}"));
    assert_eq!(json::from_str::<SecretText>("null"), Ok(SecretText::default()));
    assert_eq!(json::to_string(&list), r#"["hunter2"]"#);
}

/// A manifest of a secret with a mistake in it.
#[cfg(feature = "yaml")]
#[test]
fn manifests_that_cannot_be_read_are_not_quoted() {
    let registry = crate::registry::Registry::built_in().strict(true);
    let head = "apiVersion: v1\nkind: Secret\n";
    for wrong in [
        "stringData: {a: hunter2",
        "stringData: {a: 'hunter2}",
        "stringData: [hunter2]",
        "stringData: hunter2",
        "stringData: {a: *hunter2}",
        "stringData: {a: !!int hunter2}",
        "stringData: {a: !!bool hunter2}",
        "stringData: {a: !!binary hunter2}",
        "stringData: {a: [hunter2]}",
        "data: {a: hunter2!}",
        "data:\n  a: hunter2\n b: hunter2",
        "data: \"hunter2\\q\"",
        "data: {a: \"hunter2\\xzz\"}",
        "type: {hunter2: hunter2}",
    ] {
        let error = registry.read(&format!("{head}{wrong}\n")).expect_err(wrong);
        tells_nothing(&format!("{error} {error:?}"));
    }
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
