//! Every option of a field and of a kind.

use std::collections::BTreeMap;

use expect_test::{expect, expect_file};
use watchkeeper_api::core::v1::{EnvVar, ResourceRequirements};
use watchkeeper_api::meta::v1::{Condition, ObjectMeta};
use watchkeeper_api::{
    CustomResource, Described, IStr, IntOrString, List, Map, Object as _, Quantity, Raw, Scope,
    Time, json,
};
use watchkeeper_derive::{Fields, Object};

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct Everything {
    #[field(rename = "podIPs", min_items = 1, max_items = 2, list_type = "set")]
    pod_ips: Vec<String>,
    #[field(default = 3, exclusive_minimum = 0, multiple_of = 3)]
    count: i64,
    #[field(default = "red", enum_values("red", "green"))]
    colour: Option<IStr>,
    #[field(optional, min_length = 1, max_length = 63, pattern = "^[a-z]+$")]
    name: String,
    #[field(required)]
    since: Option<Time>,
    #[field(list_type = "map", list_map_keys("name"))]
    env: List<EnvVar>,
    #[field(list_type = "atomic", validation(rule = "self.size() < 3", message = "too many"))]
    parts: Vec<Part>,
    labels: Map,
    #[field(map_type = "atomic", min_properties = 1)]
    limits: BTreeMap<String, Quantity>,
    port: IntOrString,
    type_: bool,
    ratio: f64,
    #[field(preserve_unknown)]
    part: Part,
    #[field(embedded_resource)]
    template: Raw,
    #[field(nullable)]
    value: serde_json::Value,
    resources: ResourceRequirements,
    conditions: List<Condition>,
    boxed: Option<Box<Part>>,
    state: State,
    last_state: Option<State>,
    #[field(default = 80, external_docs(url = "https://example.com/ports"))]
    listen: Port,
    #[field(items(maximum = 1023))]
    ports: List<Port>,
    zone: Option<Zone>,
    tree: Tree,
}

/// A port of TCP.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct Port(#[field(minimum = 1, maximum = 65535)] i32);

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct Zone(#[field(max_length = 63, immutable, title = "Zone")] IStr);

/// It holds itself.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct Tree {
    height: Option<i32>,
    #[field(schemaless)]
    branches: List<Self>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
enum State {
    #[default]
    Off,
    #[field(rename = "on")]
    On,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct Part {
    #[field(format = "email")]
    to: IStr,
}

/// Keeps what it does not name.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api", preserve_unknown)]
struct Open {
    named: Option<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1", crate = "watchkeeper_api")]
#[object(printcolumn("A", "string", ".spec.open.any.thing"))]
struct Keeper {
    metadata: ObjectMeta,
    spec: KeeperSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct KeeperSpec {
    #[field(default = { "named": 1, "any": { "thing": "a" } })]
    open: Open,
    #[field(preserve_unknown, default = { "to": "a", "cc": ["b"] })]
    part: Part,
}

#[test]
fn what_is_kept_may_be_a_default_and_a_column() {
    let schema = &Keeper::schema().properties["spec"];
    let default = |name: &str| schema.properties[name].default.as_ref().map(ToString::to_string);
    assert_eq!(default("open").as_deref(), Some(r#"{"any":{"thing":"a"},"named":1}"#));
    assert_eq!(default("part").as_deref(), Some(r#"{"cc":["b"],"to":"a"}"#));
    let version = Keeper::crd_version();
    assert_eq!(version.additional_printer_columns[0].json_path, ".spec.open.any.thing");
}

/// Shines.
///
/// Until it is broken.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(
    group = "example.com",
    version = "v1",
    kind = "LightBulb",
    plural = "bulbs",
    singular = "bulb",
    short_names("lb", "b"),
    categories("all"),
    annotation("example.com/watt", "5"),
    scope = "Cluster",
    scale(spec_replicas = ".spec.n", status_replicas = ".status.n", label_selector = ".status.s"),
    printcolumn(
        name = "N",
        type = "integer",
        json_path = ".spec.n",
        description = "How many",
        format = "int32",
        priority = 1
    ),
    crate = "watchkeeper_api"
)]
struct Bulb {
    metadata: ObjectMeta,
    data: Map,
    spec: BulbSpec,
    status: BulbStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct BulbSpec {
    n: Option<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct BulbStatus {
    n: Option<i32>,
    s: Option<IStr>,
}

#[test]
fn options_become_a_schema() {
    let schema = Everything::schema().to_crd_json();
    expect_file!["snapshots/options.json"].assert_eq(&format!("{schema:#}\n"));
}

#[test]
fn required_members_and_those_with_a_default_are_always_written() {
    let text = json::to_string(&Everything::default());
    expect![[
        r#"{"count":0,"since":null,"port":0,"type":false,"ratio":0,"state":"Off","listen":0}"#
    ]]
    .assert_eq(&text);
    assert_eq!(json::from_str::<Everything>(&text).expect("written by us"), Everything::default());
}

#[test]
fn every_type_survives_json() {
    let text = r#"{"podIPs":["10.0.0.1"],"count":3,"colour":"green","name":"a","since":"2024-01-02T03:04:05Z","env":[{"name":"A","value":"b"}],"parts":[{"to":"x@y"}],"labels":{"a":"b"},"limits":{"cpu":"100m"},"port":"http","type":true,"ratio":0.5,"part":{"to":"z"},"template":{"kind":"X"},"value":[1,null],"resources":{"limits":{"cpu":"1"}},"conditions":[{"type":"Ready","status":"True","reason":"","message":""}],"boxed":{"to":""},"state":"on","lastState":"Off","listen":443,"ports":[1,2],"zone":"a","tree":{"height":2,"branches":[{"branches":[{"height":1}]}]}}"#;
    let value: Everything = json::from_str(text).expect("all fields are there");
    assert_eq!(json::to_string(&value), text);
}

#[test]
fn a_kind_may_be_called_otherwise_than_its_type() {
    assert_eq!((&*Bulb::KIND.kind, Bulb::KIND.scope), ("LightBulb", Scope::Cluster));
    let bulb: Bulb = json::from_str(r#"{"apiVersion":"example.com/v1","kind":"LightBulb"}"#)
        .expect("its own kind");
    assert_eq!(bulb.kind().group_resource(), "bulbs.example.com");
    let crd = json::to_value(&Bulb::crd());
    expect_file!["snapshots/bulb.json"].assert_eq(&format!("{crd:#}\n"));
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
enum Policy {
    #[default]
    Keep,
    #[field(rename = "")]
    Unset,
}

#[test]
fn a_variant_may_be_the_empty_text() {
    for (text, policy) in [("\"\"", Policy::Unset), ("\"Keep\"", Policy::Keep)] {
        assert_eq!(json::from_str::<Policy>(text).expect("a policy"), policy);
        assert_eq!(json::to_string(&policy), text);
    }
    assert_eq!(json::from_str::<Policy>("null").expect("the default"), Policy::Keep);
    assert_eq!(json::from_str::<State>("\"\"").expect("the default"), State::Off);
}

#[test]
fn a_text_that_is_no_variant_is_refused() {
    let error = json::from_str::<Everything>(r#"{"state":"dim"}"#).expect_err("no such state");
    expect!["state: expected one of Off, on (at byte 14)"].assert_eq(&error.to_string());
    assert_eq!(json::from_str::<State>("null").expect("the default"), State::Off);
}
