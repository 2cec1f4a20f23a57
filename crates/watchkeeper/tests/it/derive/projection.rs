//! Structs that read a part of an object, and cannot be written.

use std::collections::BTreeMap;

use serde_json::json;
use watchkeeper_api::core::v1::{Container, Pod, ResourceRequirements};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{
    IStr, List, Map, Metadata, Object as _, Quantity, SecretText, Shared, StaticKind, Time, json,
    object, pb,
};
use watchkeeper_derive::{Fields, Object};

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(like = Pod)]
struct PlacedPod {
    metadata: ObjectMeta,
    spec: PlacedSpec,
    status: PlacedStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = watchkeeper_api::core::v1::PodSpec)]
struct PlacedSpec {
    node_name: IStr,
    #[field(like = "host_pid")]
    shares_processes: bool,
    termination_grace_period_seconds: Option<i64>,
    containers: List<Image>,
    node_selector: Map,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = Container)]
struct Image {
    image: IStr,
    resources: Shared<ResourceRequirements>,
    readiness_probe: Option<Box<ReadyWhen>>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = watchkeeper_api::core::v1::Probe)]
struct ReadyWhen {
    period_seconds: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = watchkeeper_api::core::v1::PodStatus)]
struct PlacedStatus {
    phase: IStr,
    pod_ips: List<watchkeeper_api::core::v1::PodIP>,
    start_time: Option<Time>,
}

fn pod() -> Pod {
    let mut pod = object!(Pod {
        metadata: { name: "web-0", namespace: "shop", labels: { "app": "web" } },
        spec: {
            node_name: "node-1",
            host_pid: true,
            termination_grace_period_seconds: 5,
            node_selector: { "disk": "fast" },
            service_account_name: "robot",
            containers: [
                { name: "a", image: "nginx", readiness_probe: { period_seconds: 7 } },
                { name: "b", image: "redis", args: ["-v"] },
            ],
        },
        status: { phase: "Running", pod_ips: [{ ip: "10.0.0.1" }] },
    });
    pod.status.start_time = "2024-01-02T03:04:05Z".parse().ok();
    let container = &mut pod.spec.containers[0];
    let cpu = Quantity::from("100m");
    container.resources.make_mut().limits.insert("cpu", cpu);
    pod
}

fn expected() -> PlacedPod {
    let pod = pod();
    let image = |index: usize| {
        let container = &pod.spec.containers[index];
        Image {
            image: container.image.clone(),
            resources: container.resources.clone(),
            readiness_probe: container
                .readiness_probe
                .as_ref()
                .map(|probe| Box::new(ReadyWhen { period_seconds: probe.period_seconds })),
        }
    };
    PlacedPod {
        metadata: pod.metadata.clone(),
        spec: PlacedSpec {
            node_name: "node-1".into(),
            shares_processes: true,
            termination_grace_period_seconds: Some(5),
            containers: List::from([image(0), image(1)]),
            node_selector: Map::from([("disk", "fast")]),
        },
        status: PlacedStatus {
            phase: "Running".into(),
            pod_ips: pod.status.pod_ips.clone(),
            start_time: pod.status.start_time,
        },
    }
}

#[test]
fn a_projection_reads_its_fields_from_json() {
    let read: PlacedPod = json::from_str(&json::to_string(&pod())).expect("a pod");
    assert_eq!(read, expected());
}

#[test]
fn a_projection_reads_its_fields_from_protobuf() {
    let body = pb::to_body(&pod());
    assert_eq!(pb::from_body::<PlacedPod>(&body).expect("a pod"), expected());
    let mut decoder = pb::Decoder::new();
    assert_eq!(decoder.object::<PlacedPod>(&pb::to_vec(&pod())).expect("a pod"), expected());
}

#[test]
fn a_projection_is_an_object_of_the_whole_kind() {
    let read = expected();
    assert_eq!(PlacedPod::static_kind(), &Pod::KIND);
    assert_eq!((read.key().to_string().as_str(), read.label("app")), ("shop/web-0", Some("web")));
    const { assert!(<PlacedPod as watchkeeper_api::Object>::PROTOBUF) };
}

#[test]
fn a_projection_refuses_another_kind() {
    let error =
        json::from_str::<PlacedPod>(r#"{"apiVersion":"v1","kind":"Node"}"#).expect_err("no pod");
    assert_eq!(error.to_string(), "kind: expected \"Pod\", found \"Node\" (at byte 26)");
    let node = object!(watchkeeper_api::core::v1::Node { metadata: { name: "a" } });
    assert!(pb::from_body::<PlacedPod>(&pb::to_body(&node)).is_err());
}

#[test]
fn metadata_is_read_without_the_rest() {
    let read: Metadata<Pod> = json::from_str(&json::to_string(&pod())).expect("a pod");
    assert_eq!(read.metadata, pod().metadata);
    let read: Metadata<PlacedPod> = Metadata::from(pod().metadata);
    assert_eq!(read.kind(), &Pod::KIND);
}

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1")]
struct Whole {
    metadata: ObjectMeta,
    spec: WholeSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct WholeSpec {
    #[field(rename = "clusterIPs")]
    addresses: List<IStr>,
    size: i64,
    part: WholePart,
    parts: Vec<WholePart>,
    maybe: Option<WholePart>,
    by_name: BTreeMap<String, WholePart>,
    mode: Mode,
    port: Option<Port>,
    name: String,
    token: SecretText,
    small: u8,
    short: u16,
    large: Option<u32>,
    any: serde_json::Value,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct WholePart {
    left: i32,
    right: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
enum Mode {
    #[default]
    Off,
    On,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Port(#[field(minimum = 1)] i32);

/// Every type that a member may have, as it is or in part.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = WholeSpec, json)]
struct MostOfIt {
    part: WholePart,
    parts: Vec<Left>,
    maybe: Option<Left>,
    by_name: BTreeMap<String, Left>,
    mode: Mode,
    port: Option<Port>,
    name: String,
    token: SecretText,
    small: u8,
    short: u16,
    large: Option<u32>,
    any: serde_json::Value,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = WholePart, json)]
struct Left {
    left: i32,
}

#[test]
fn any_member_may_stand_for_itself() {
    let part = json!({"left": 1, "right": 2});
    let text = json!({
        "part": part, "parts": [part], "maybe": part, "byName": {"a": part}, "mode": "On", "port": 80,
        "name": "b", "token": "c", "small": 1, "short": 2, "large": 3, "any": [null],
    });
    let read: MostOfIt = json::from_value(&text).expect("a part");
    let left = Left { left: 1 };
    assert_eq!(
        read,
        MostOfIt {
            part: WholePart { left: 1, right: 2 },
            parts: vec![left.clone()],
            maybe: Some(left.clone()),
            by_name: BTreeMap::from([("a".to_owned(), left)]),
            mode: Mode::On,
            port: Some(Port(80)),
            name: "b".to_owned(),
            token: "c".into(),
            small: 1,
            short: 2,
            large: Some(3),
            any: json!([null]),
        }
    );
}

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(like = Whole, json)]
struct Part {
    metadata: ObjectMeta,
    spec: PartSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = WholeSpec, json)]
struct PartSpec {
    addresses: List<IStr>,
}

#[test]
fn custom_resources_have_projections_too() {
    let text = r#"{"apiVersion":"example.com/v1","kind":"Whole","metadata":{"name":"a"},"spec":{"clusterIPs":["b"],"size":3}}"#;
    let read: Part = json::from_str(text).expect("a whole");
    assert_eq!((read.name(), &*read.spec.addresses), ("a", &[IStr::from("b")][..]));
    assert_eq!(Part::static_kind(), &Whole::KIND);
    assert!(json::from_str::<Part>(r#"{"kind":"Lamp"}"#).is_err());
}
