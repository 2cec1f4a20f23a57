//! Custom resources of kube are the same through us: their definitions, and their objects on a
//! server that has them.

use std::collections::BTreeMap;
use std::time::Duration;

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::{CustomResource, CustomResourceExt, KubeSchema};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::{
    CustomResource as Defined, HasStatus, Kind, Object, Scope, StaticKind, json,
};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_cache::Cache;
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_kube::KubeCustom;

use crate::compare::difference;

/// A lamp, with what a definition may say.
#[derive(CustomResource, Clone, Debug, PartialEq, Deserialize, Serialize, KubeSchema)]
#[kube(
    group = "example.com",
    version = "v1",
    kind = "Lamp",
    plural = "lamps",
    singular = "lamp",
    shortname = "lp",
    category = "all",
    category = "lights",
    namespaced,
    status = "LampStatus",
    derive = "PartialEq",
    derive = "watchkeeper_kube::Object",
    scale(
        spec_replicas_path = ".spec.bulbs",
        status_replicas_path = ".status.lit",
        label_selector_path = ".status.selector"
    ),
    printcolumn(name = "Colour", type_ = "string", json_path = ".spec.colour"),
    printcolumn(
        name = "Lit",
        type_ = "integer",
        json_path = ".status.lit",
        description = "How many are lit",
        format = "int32",
        priority = 1
    ),
    selectable = ".spec.colour",
    annotation("example.com/made-by", "kube"),
    label("team", "lights"),
    deprecated = "use candles"
)]
#[x_kube(validation = Rule::new("self.bulbs < 10 || self.colour == 'red'").message("too bright"))]
pub(crate) struct LampSpec {
    /// What it shines in.
    pub(crate) colour: Colour,
    #[schemars(range(min = 0, max = 50))]
    pub(crate) bulbs: i32,
    #[serde(default = "half", skip_serializing_if = "Option::is_none")]
    pub(crate) brightness: Option<f64>,
    #[serde(default)]
    #[schemars(length(min = 1, max = 10), regex(pattern = r"^[a-z]+$"))]
    pub(crate) room: Option<String>,
    #[serde(default)]
    pub(crate) tags: BTreeMap<String, String>,
    #[serde(default)]
    #[x_kube(merge_strategy = ListMerge::Map(vec!["name".to_owned()]))]
    pub(crate) sockets: Vec<Socket>,
    #[serde(default)]
    #[schemars(schema_with = "int_or_string")]
    pub(crate) port: Option<IntOrString>,
}

fn int_or_string(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "x-kubernetes-int-or-string": true, "nullable": true })
}

#[expect(clippy::unnecessary_wraps, reason = "serde asks for the type of the field")]
fn half() -> Option<f64> {
    Some(0.5)
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Colour {
    Red,
    Green,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub(crate) struct Socket {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    volts: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub(crate) struct LampStatus {
    #[serde(default)]
    pub(crate) lit: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) selector: Option<String>,
}

pub(crate) fn lamp(name: &str, bulbs: i32) -> Lamp {
    let mut lamp = Lamp::new(
        name,
        LampSpec {
            colour: Colour::Green,
            bulbs,
            brightness: None,
            room: None,
            tags: BTreeMap::new(),
            sockets: Vec::new(),
            port: None,
        },
    );
    lamp.metadata.namespace = Some("default".to_owned());
    lamp
}

/// A server that knows lamps.
pub(crate) async fn lit() -> Client {
    let server = ApiServer::builder().seed(7).build();
    light(kube::Client::new(server, "default")).await
}

/// Tells the server of this client what lamps are.
pub(crate) async fn light(kube_client: kube::Client) -> Client {
    let client = watchkeeper_kube::client(kube_client);
    let crd = <Lamp as Defined>::crd();
    client.api::<CustomResourceDefinition>().create(&crd, &Default::default()).await.expect("made");
    client
}

/// A house, of which there is one for all; as another crate would have it.
mod theirs {
    use super::{CustomResource, Deserialize, JsonSchema, Serialize};

    #[derive(CustomResource, Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
    #[kube(group = "example.com", version = "v1beta1", kind = "House", derive = "PartialEq")]
    pub(crate) struct HouseSpec {
        pub(crate) rooms: Option<Vec<String>>,
    }
}

type House = KubeCustom<theirs::House>;

fn same<K: CustomResourceExt>(ours: &CustomResourceDefinition) {
    let theirs = serde_json::to_value(K::crd()).expect("JSON");
    let difference = difference(&json::to_value(ours), &theirs);
    assert_eq!(difference, None, "{}\n{theirs}", json::to_string(ours));
}

#[test]
fn the_definition_is_the_one_that_kube_makes() {
    let crd = <Lamp as Defined>::crd();
    same::<Lamp>(&crd);
    same::<theirs::House>(&House::crd());
    // It was all there to compare.
    let version = <Lamp as Defined>::crd_version();
    assert_eq!((&*version.name, version.additional_printer_columns.len()), ("v1", 2));
    assert_eq!(version.selectable_fields.len(), 1);
    let text = json::to_string(&crd);
    for said in ["too bright", "x-kubernetes-list-map-keys", "use candles", "int-or-string", "0.5"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
    let mut other = crd;
    other.spec.names.short_names = ["lmp"].into_iter().map(Into::into).collect();
    let theirs = serde_json::to_value(<Lamp as CustomResourceExt>::crd()).expect("JSON");
    let found = difference(&json::to_value(&other), &theirs);
    assert_eq!(found.as_deref(), Some("/spec/names/shortNames/0"));
}

#[test]
fn kinds_are_named_as_kube_names_them() {
    let lamps = Kind::new("example.com", "v1", "Lamp", "lamps", Scope::Namespaced);
    assert_eq!(Lamp::static_kind(), &lamps);
    assert_eq!(KubeCustom::<Lamp>::static_kind(), &lamps);
    let houses = Kind::new("example.com", "v1beta1", "House", "houses", Scope::Cluster);
    assert_eq!(House::static_kind(), &houses);
    assert!(std::ptr::eq(House::static_kind(), House::static_kind()));
}

#[test]
fn an_object_of_another_kind_is_refused() {
    let text = r#"{"apiVersion":"example.com/v2","kind":"Lamp","metadata":{},"spec":{}}"#;
    assert_eq!(json::from_str::<Lamp>(text).expect_err("another version").path(), "apiVersion");
    let mut bright = lamp("a", 1);
    bright.spec.brightness = Some(0.75);
    let text = json::to_string(&bright);
    assert!(text.starts_with(r#"{"apiVersion":"example.com/v1","kind":"Lamp""#), "{text}");
    assert_eq!(json::from_str::<Lamp>(&text).expect("a lamp"), bright);
    let error = json::from_str::<House>(&text).expect_err("a lamp is no house");
    assert_eq!(error.path(), "apiVersion");
}

#[tokio::test(start_paused = true)]
async fn the_definition_is_installed_and_holds() {
    let client = lit().await;
    let lamps = client.api::<Lamp>().namespace("default");
    let made = lamps.create(&lamp("a", 3), &CreateOptions::default()).await.expect("made");
    assert_eq!(made.spec.brightness, Some(0.5), "the server fills in defaults");
    let error = lamps.create(&lamp("b", 51), &CreateOptions::default()).await;
    let error = error.expect_err("out of range");
    assert!(error.is_invalid() && error.to_string().contains("spec.bulbs"), "{error}");

    let crd = House::crd();
    client.api::<CustomResourceDefinition>().create(&crd, &Default::default()).await.expect("made");
    let house = House::from(theirs::House::new("h", theirs::HouseSpec { rooms: None }));
    client.api_for(&house).create(&house, &CreateOptions::default()).await.expect("made");
    assert_eq!(client.api::<House>().get("h").await.expect("a house").spec, house.spec);
}

#[tokio::test(start_paused = true)]
async fn a_type_of_kube_is_watched_as_it_is() {
    let client = lit().await;
    let cache = Cache::new(&client);
    let client = client.observed_by(cache.observer());
    let lamps = cache.watch::<Lamp>();
    let script = async {
        let lamp = lamp("a", 3);
        client.api_for(&lamp).create(&lamp, &CreateOptions::default()).await.expect("made");
        let cached = lamps.get(("default", "a")).await.expect("read").expect("own writes are seen");
        assert_eq!((Object::name(&*cached), cached.spec.bulbs), ("a", 3));
        assert_eq!(HasStatus::status(&*cached).as_ref(), None);
        sleep(Duration::from_secs(1)).await;
    };
    tokio::select! {
        biased;
        () = script => {}
        () = cache.run() => panic!("the cache ended"),
    }
}
