//! From theirs to ours and back, and what is said of what does not fit.

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1 as openapi;
use watchkeeper_api::core::v1::{Container, Pod, Secret};
use watchkeeper_api::json::{self, Decoder, ReadError};
use watchkeeper_api::{Unstructured, object};
use watchkeeper_kube::{Kube, Serde, from_lean, to_lean};

const POD: &str = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","managedFields":[{"manager":"m","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}}]},"spec":{"containers":[{"name":"web","image":"nginx"}]}}"#;

fn read<K: json::Read>(text: &str) -> Result<K, ReadError> {
    json::from_str(text)
}

#[test]
fn an_object_a_part_and_one_without_a_type_go_there_and_back() {
    let lean: Pod = read(POD).expect("a pod");
    let theirs: openapi::Pod = from_lean(&lean).expect("theirs");
    assert_eq!(theirs.spec.as_ref().expect("a spec").containers[0].name, "web");
    assert_eq!(to_lean::<Pod>(&theirs).expect("ours"), lean);
    let container: Container = to_lean(&theirs.spec.expect("a spec").containers[0]).expect("ours");
    assert_eq!(container, lean.spec.containers[0]);

    let any: Unstructured = to_lean(
        &kube::core::DynamicObject::new("a", &resource())
            .data(serde_json::json!({ "spec": { "size": 3 } })),
    )
    .expect("untyped");
    assert_eq!(any.read::<i32>("/spec/size"), Ok(Some(3)));
    let dynamic: kube::core::DynamicObject = from_lean(&any).expect("untyped");
    assert_eq!(dynamic.data["spec"]["size"], 3);
    assert_eq!(dynamic.types.expect("types").kind, "Lamp");
}

fn resource() -> kube::core::ApiResource {
    kube::core::ApiResource::from_gvk(&kube::core::GroupVersionKind::gvk(
        "example.com",
        "v1",
        "Lamp",
    ))
}

#[test]
fn what_does_not_fit_is_told_with_its_path() {
    let error = to_lean::<Secret>(&openapi::Pod::default()).expect_err("a pod is no secret");
    assert_eq!(error.path(), "kind");
    let ours = object!(Secret { metadata: { name: "a" } });
    let error = from_lean::<openapi::Pod>(&ours).expect_err("a secret is no pod");
    assert_eq!(error.path(), "kind");
    assert!(error.message().contains("expected Pod"), "{error}");

    let odd = r#"{"metadata":{"name":"a"},"spec":{"containers":[{"name":"a"},{"name":1}]}}"#;
    let error = read::<Kube<openapi::Pod>>(odd).expect_err("a number is no name");
    assert_eq!(error.path(), "spec.containers[1].name");
    assert_eq!(error.message(), "expected a string");
    let error = read::<Kube<openapi::Pod>>(r#"{"kind":"Secret"}"#).expect_err("another kind");
    assert_eq!(error.to_string(), r#"kind: expected "Pod", found "Secret" (at byte 8)"#);
    let spread = "{\n  \"spec\": {\n    \"containers\": [],\n    \"priority\": \"high\"\n  }\n}";
    assert_eq!(read::<Kube<openapi::Pod>>(spread).expect_err("no number").path(), "spec.priority");
    assert!(read::<Kube<openapi::Pod>>("{").is_err());
    assert!(read::<Serde<u8>>("300").is_err());
}

#[test]
fn managed_fields_are_read_by_those_who_ask() {
    let pod: Kube<openapi::Pod> = read(POD).expect("a pod");
    assert_eq!(pod.metadata.managed_fields, None);
    let mut decoder = Decoder::new().keep_managed_fields(true);
    let pod: Kube<openapi::Pod> = decoder.decode_str(POD).expect("a pod");
    let fields = pod.metadata.managed_fields.as_ref().expect("asked for");
    assert_eq!(fields[0].manager.as_deref(), Some("m"));
    assert_eq!(json::to_string(&pod).matches("f:spec").count(), 1);
}

#[test]
fn secrets_are_not_shown() {
    let secret: Kube<openapi::Secret> =
        read(r#"{"metadata":{"name":"s"},"stringData":{"password":"hunter2"}}"#).expect("a secret");
    let shown = format!("{secret:?}");
    assert_eq!(shown, r#"Secret {metadata: {name: "s"}, stringData: {password: (redacted)}}"#);
    assert_eq!(secret.to_string(), "Secret s");
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only read")]
struct Login {
    user: String,
    role: Role,
    pin: Option<[u8; 4]>,
    #[serde(default, deserialize_with = "loud")]
    note: (),
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
enum Role {
    Admin,
    Guest,
}

/// Says what it was given.
fn loud<'de, D: serde::Deserializer<'de>>(from: D) -> Result<(), D::Error> {
    let text = <String as serde::Deserialize>::deserialize(from)?;
    Err(serde::de::Error::custom(format!("bad note: {text}")))
}

#[test]
fn errors_do_not_quote_what_cannot_be_read() {
    let told = |text: &str| {
        let error = read::<Serde<Login>>(text).expect_err(text);
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
        (error.path(), error.message().to_owned())
    };
    let secret = read::<Kube<openapi::Secret>>(r#"{"data":{"p":"hunter2!"}}"#).expect_err("base64");
    assert!(!format!("{secret} {secret:?}").contains("hunter2"), "{secret:?}");
    assert_eq!(secret.path(), "data.p");
    let secret = read::<Kube<openapi::Secret>>(r#"{"stringData":"hunter2"}"#).expect_err("a map");
    assert_eq!((&*secret.path(), secret.message()), ("stringData", "expected a map"));
    let cases = [
        (r#"{"role":"hunter2"}"#, "role", "expected `admin` or `guest`"),
        (r#"{"role":"x, expected hunter2"}"#, "role", "expected `admin` or `guest`"),
        (r#"{"user":["hunter2"]}"#, "user", "expected a string"),
        (r#"{"pin":"1, expected hunter2"}"#, "pin", "expected an array of length 4"),
        (r#"{"pin":[1,2]}"#, "pin", "expected an array of length 4"),
        // Where types fail by themselves, serde does not tell.
        (r#"{"note":"hunter2"}"#, "", "a value that its type refuses"),
        (r#"{"user":"a"}"#, "", "missing field `role`"),
    ];
    for (text, path, message) in cases {
        assert_eq!(told(text), (path.to_owned(), message.to_owned()), "{text}");
    }
    let (_, message) = told(r#"{"hunter2":1}"#);
    assert_eq!(message, "expected one of `user`, `role`, `pin`, `note`");
}

#[test]
fn what_serde_cannot_write_nobody_reads() {
    let odd = Serde(BTreeMap::from([((1, 2), 3)]));
    let text = json::to_string(&odd);
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_err(), "{text}");
    assert!(to_lean::<Unstructured>(&odd.0).is_err());
}
