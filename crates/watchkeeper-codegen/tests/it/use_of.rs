//! What generated types do beside holding values: install themselves, build, apply, name their texts.

use std::path::Path;

use expect_test::expect;
use serde_json::{Value, json};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::diff::assert_same;
use watchkeeper_api::json::{from_str, to_string, to_value};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::registry::Registry;
use watchkeeper_api::{
    CustomResource, Described, IStr, List, Object as _, StaticKind as _, object,
};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_cache::{Lister, SharedInformerFactory};
use watchkeeper_client::{Api, ApplyOptions, Client, CreateOptions};
use watchkeeper_codegen::Generator;

use crate::custom::LAMP;
use crate::lights::lights_example_com::clients::LightsExampleComClients as _;
use crate::lights::lights_example_com::informers::LightsExampleComInformers as _;
use crate::lights::lights_example_com::{self, v1, v1alpha1};
use crate::shades::lights_example_com::v1::{Lamp as Shade, LampColour, LampSpec as ShadeSpec};

/// A Lamp with all that must be there.
fn lamp() -> v1::Lamp {
    object!(v1::Lamp {
        metadata: { name: "a", namespace: "default" },
        spec: {
            colour: "Red",
            power: { watts: 5, factor: 0.5 },
            bulbs: [{ name: "left" }],
            off: {},
        },
    })
}

/// A server that knows Lamps, from their types alone.
async fn server() -> Client {
    let client = Client::new(ApiServer::new()).field_manager("test");
    let definitions = client.api::<CustomResourceDefinition>();
    for crd in [v1::Lamp::crd(), v1::LightSwitchPolicy::crd()] {
        definitions.create(&crd, &CreateOptions::default()).await.expect("a definition");
    }
    client
}

#[tokio::test]
async fn a_generated_type_installs_the_definition_that_it_was_made_of() {
    let client = server().await;
    let lamps = client.api::<v1::Lamp>().namespace("default");
    let stored =
        lamps.create(&lamp(), &CreateOptions::default()).await.expect("the server knows it");
    assert_eq!(stored.spec.colour, "Red");
    let wrong = object!(v1::Lamp {
        metadata: { name: "b" },
        spec: { colour: "Red", power: { watts: -1 } },
    });
    let refused = lamps.create(&wrong, &CreateOptions::default()).await;
    let refused = refused.expect_err("its schema is the definition's").to_string();
    assert!(refused.contains("spec.power.watts"), "{refused}");
    let older = client.api::<v1alpha1::Lamp>().namespace("default");
    assert_eq!(older.get("a").await.expect("the other version").name(), "a");
}

/// What client-gen, lister-gen and informer-gen make, on a server.
#[tokio::test]
async fn accessors_lead_to_clients_informers_and_listers() {
    let client = server().await;
    let lamps: Api<v1::Lamp> = client.lights_example_com().v1().lamps("default");
    let policies: Api<v1::LightSwitchPolicy> =
        client.lights_example_com().v1().light_switch_policies();
    lamps.create(&lamp(), &CreateOptions::default()).await.expect("the server knows it");
    let policy = object!(v1::LightSwitchPolicy { metadata: { name: "dim" } });
    policies.create(&policy, &CreateOptions::default()).await.expect("the server knows it");

    let factory = SharedInformerFactory::new(&client);
    let lamps: Lister<v1::Lamp> = factory.lights_example_com().v1().lamps().lister();
    let policies = factory.lights_example_com().v1().light_switch_policies().lister();
    let _started = factory.start();
    factory.wait_for_cache_sync().await.expect("the server answers");
    assert_eq!(lamps.require(("default", "a")).expect("it is there").spec.power.watts, 5);
    assert_eq!(policies.list().iter().map(|policy| policy.name()).collect::<Vec<_>>(), ["dim"]);
    assert!(lamps.require(("default", "b")).is_err());
}

#[test]
fn a_definition_has_all_its_versions_and_each_type_its_own() {
    const {
        assert!(v1::Lamp::STORAGE);
        assert!(!v1alpha1::Lamp::STORAGE);
    }
    let crd = v1alpha1::Lamp::crd();
    assert_eq!(crd, v1::Lamp::crd());
    assert_eq!(crd.name(), "lamps.lights.example.com");
    let versions: Vec<&str> = crd.spec.versions.iter().map(|version| &*version.name).collect();
    assert_eq!(versions[..2], ["v1", "v1alpha1"]);
    assert_eq!(v1alpha1::Lamp::crd_version().name, "v1alpha1");
}

#[test]
fn a_group_tells_a_registry_of_its_kinds() {
    let registry = lights_example_com::register(Registry::new());
    let kinds: Vec<String> = registry.kinds().map(ToString::to_string).collect();
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    assert_eq!(registry.versions("lights.example.com"), ["v1", "v1alpha1"]);
    let listed = registry.kind_of_list("lights.example.com/v1", "LampList");
    assert_eq!(listed.expect("its list").plural, "lamps");
    let documents = registry.read(&to_string(&lamp())).expect("a manifest");
    let read = documents[0].get::<v1::Lamp>().expect("a Lamp, not an object of any kind");
    assert_same(read, &lamp());
    let both = crate::trees::garden_example_com::register(registry);
    assert_eq!(both.kinds().count(), 4);
}

#[test]
fn a_struct_knows_its_schema() {
    let crd = to_value(&v1::Lamp::crd());
    let whole = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    assert_eq!(
        v1::LampPower::schema().to_crd_json(),
        whole["properties"]["spec"]["properties"]["power"]
    );
    let setting = v1::LampSetting::schema().to_crd_json();
    assert_eq!(setting["properties"]["level"]["type"], "integer");
    let kind = v1::LightSwitchPolicy::schema().to_crd_json();
    assert!(kind["properties"]["spec"].is_object(), "{kind}");
}

#[derive(Clone, Debug, Default, PartialEq, watchkeeper_derive::Object)]
#[object(like = v1::Lamp, json, crate = "watchkeeper_api")]
struct Colour {
    metadata: ObjectMeta,
    spec: ColourSpec,
}

#[derive(Clone, Debug, Default, PartialEq, watchkeeper_derive::Fields)]
#[fields(like = v1::LampSpec, json, crate = "watchkeeper_api")]
struct ColourSpec {
    colour: IStr,
    power: v1::LampPower,
    bulbs: List<BulbName>,
}

#[derive(Clone, Debug, Default, PartialEq, watchkeeper_derive::Fields)]
#[fields(like = v1::LampBulb, json, crate = "watchkeeper_api")]
struct BulbName {
    name: IStr,
}

#[test]
fn generated_types_have_projections() {
    let whole = lamp();
    let read: Colour = from_str(&to_string(&whole)).expect("a part of a Lamp");
    let name = BulbName { name: "left".into() };
    let spec =
        ColourSpec { colour: "Red".into(), power: whole.spec.power, bulbs: List::from([name]) };
    assert_eq!((read.name(), &read.spec), ("a", &spec));
    assert_eq!(Colour::static_kind(), &v1::Lamp::KIND);
    assert!(from_str::<Colour>(r#"{"kind":"LightSwitchPolicy"}"#).is_err());
}

#[test]
fn methods_build_what_braces_build() {
    let built = v1::Lamp::default()
        .with_metadata(ObjectMeta::default().with_name("a").with_labels([("app", "light")]))
        .with_spec(
            v1::LampSpec::default()
                .with_colour("Red")
                .with_power(v1::LampPower::default().with_watts(5).with_volts(230))
                .with_bulbs([v1::LampBulb::default().with_name("left").with_type("LED")])
                .with_token_secret_ref(v1::SecretRef::default().with_name("token"))
                .with_limits([("cpu", "1")]),
        );
    let braced = object!(v1::Lamp {
        metadata: { name: "a", labels: { "app": "light" } },
        spec: {
            colour: "Red",
            power: { watts: 5, volts: 230 },
            bulbs: [{ name: "left", type_: "LED" }],
            token_secret_ref: { name: "token" },
            limits: { "cpu": "1" },
        },
    });
    assert_same(&built, &braced);
}

/// The fields that `test` owns, as the server tells them.
async fn owned(client: &Client, name: &str) -> Value {
    let path = format!("/apis/lights.example.com/v1/namespaces/default/lamps/{name}");
    let text = client.rest().get().path(path).do_raw().await.expect("the Lamp");
    let lamp: Value = serde_json::from_slice(&text).expect("JSON");
    let fields = &lamp["metadata"]["managedFields"][0];
    assert_eq!(fields["manager"], "test");
    fields["fieldsV1"].clone()
}

#[tokio::test]
async fn an_applied_part_owns_what_was_said_and_nothing_else() {
    let client = server().await;
    let whole = lamp();
    let other = client.clone().field_manager("other");
    let lamps = other.api::<v1::Lamp>().namespace("default");
    lamps.create(&whole, &CreateOptions::default()).await.expect("a Lamp of somebody else");
    let part = object!(v1::Lamp {
        metadata: { name: "a", namespace: "default" },
        spec: { secret: "other", power: { volts: 110 } },
    });
    let options = ApplyOptions::forced().part();
    client.api_for(&part).apply(&part, &options).await.expect("the rest is there");
    assert_eq!(
        owned(&client, "a").await,
        json!({ "f:spec": { "f:power": { "f:volts": {} }, "f:secret": {} } })
    );
    let now = lamps.get("a").await.expect("the Lamp");
    assert_eq!((now.spec.power.volts, now.spec.power.factor), (Some(110), whole.spec.power.factor));
    assert_eq!(now.spec.bulbs, whole.spec.bulbs);
}

#[test]
fn texts_that_are_known_are_variants_and_others_survive() {
    let known: ShadeSpec = from_str(r#"{"colour":"Red"}"#).expect("a spec");
    assert!(matches!(known.colour, LampColour::Red));
    let lamp: Shade = from_str(LAMP).expect("a Lamp of a newer server");
    assert!(!lamp.spec.colour.is_known());
    assert_eq!(lamp.spec.colour, "Ultraviolet");
    assert!(to_string(&lamp).contains(r#""colour":"Ultraviolet""#));
    assert_eq!(LampColour::from("Green"), LampColour::Green);
    assert_eq!(LampColour::Green.to_string(), "Green");
    assert_eq!(to_string(&ShadeSpec::default().with_colour(LampColour::Green).colour), "\"Green\"");
}

#[tokio::test]
async fn a_server_tells_what_its_definitions_told() {
    let client = server().await;
    let mut generator = Generator::new().library("crate::custom::library").definitions(false);
    let documents = client.openapi(|name| name.contains("lights.example.com")).await;
    for document in documents.expect("the documents") {
        generator = generator.text("lamps.yaml", &document.text).expect("resources");
    }
    let from_server = generator.generate();
    let from_definitions = Generator::new().library("crate::custom::library").definitions(false);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lamps.yaml");
    let from_definitions = from_definitions.file(data).expect("the definitions").generate();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("server");
    let path = folder.join("crds.rs");
    from_definitions.write_text(&path).expect("it can be written");
    let stale = from_server.stale_text(&path).expect("it can be read");
    let diff = stale.map(|file| file.diff()).unwrap_or_default();
    let changed = |line: &&str| {
        line.starts_with(['-', '+']) && !line.starts_with("---") && !line.starts_with("+++")
    };
    let changed: Vec<&str> = diff.lines().filter(changed).collect();
    expect![[r#"
        -// Generated by watchkeeper-codegen from lamps.yaml; do not edit.
        +// Generated by watchkeeper-codegen from lamps.yaml, lamps.yaml; do not edit.
        -            pub off: Option<Box<LampOff>>,
        +            pub off: Option<Map<Raw>>,
        +            // Raw: an object of any members.
        -        pub struct LampOff {}
        -
        -        custom! { LampOff
        -        }
        -
        -        #[derive(Clone, Debug, Default, PartialEq)]
        -                with_off off: Option<Box<LampOff>>,
        +                with_off off: Option<Map<Raw>>,"#]]
    .assert_eq(&changed.join("\n"));
}
