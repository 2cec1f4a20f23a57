//! A kind that uses every option, and what a server makes of its objects. The snapshots here are
//! also what `cargo xtask conformance derive` shows to the real server. That none is left out is
//! held by `attributes::tests::the_lamp_uses_every_option`.

use std::collections::BTreeMap;

use expect_test::expect_file;
use serde_json::{Value, json};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::core::v1::EnvVar;
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::rules::Rules;
use watchkeeper_api::{
    CustomResource, IStr, IntOrString, List, Map, Object as _, Quantity, Raw, Time, Unstructured,
    json as codec,
};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions, ListOptions};
use watchkeeper_derive::{Fields, Object};

/// Shines where it stands.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "conformance.example.com", version = "v1", kind = "Lamp", list_kind = "LampList")]
#[object(plural = "lamps", singular = "lamp", short_names("lp"), categories("all", "lights"))]
#[object(annotation("example.com/a", "b"), label("example.com/c", "d"), scope = "Namespaced")]
#[object(status)]
#[object(scale(
    spec_replicas = ".spec.bulbs",
    status_replicas = ".status.bulbs",
    label_selector = ".status.selector"
))]
#[object(printcolumn("Bulbs", "integer", ".spec.bulbs", format = "int32", priority = 1))]
#[object(printcolumn(
    "Ready",
    "string",
    r#".status.conditions[?(@.type=="Ready")].status"#,
    description = "Whether it shines"
))]
#[object(printcolumn(name = "Room", type = "string", json_path = ".spec.room"))]
#[object(
    selectable(".spec.colour", ".spec.bulbs"),
    versions(LampBeta, LampAlpha),
    title = "A lamp"
)]
#[object(validation(rule = "self.metadata.name != 'dark'", message = "no lamp is dark"))]
struct Lamp {
    metadata: ObjectMeta,
    spec: LampSpec,
    status: LampStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "conformance.example.com", version = "v1beta1", kind = "Lamp", storage = false)]
#[object(deprecated = "use conformance.example.com/v1 Lamp", status)]
struct LampBeta {
    metadata: ObjectMeta,
    spec: LampSpec,
    status: LampStatus,
}

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "conformance.example.com", version = "v1alpha1", kind = "Lamp", storage = false)]
#[object(served = false, deprecated, status)]
struct LampAlpha {
    metadata: ObjectMeta,
    spec: LampSpec,
    status: LampStatus,
}

/// What a program reads that only counts bulbs.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(like = Lamp, json)]
struct LampGlance {
    metadata: ObjectMeta,
    spec: GlanceSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = LampSpec, json)]
struct GlanceSpec {
    #[field(like = "bulbs")]
    count: i32,
}

/// What is wanted.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(at_most_one_of("battery", "cable"), min_properties = 1, max_properties = 40)]
struct LampSpec {
    /// How many bulbs.
    #[field(minimum = 1, maximum = 12, multiple_of = 1, default = 2, title = "Bulbs", example = 3)]
    bulbs: i32,
    #[field(default = "red", enum_values("red", "green"), immutable)]
    colour: Option<IStr>,
    #[field(exclusive_minimum = 0, exclusive_maximum = 1.5)]
    brightness: Option<f64>,
    #[field(min_length = 2, max_length = 8, pattern = "^[a-z]+$")]
    room: Option<IStr>,
    #[field(format = "date-time")]
    since: Option<IStr>,
    until: Option<Time>,
    #[field(
        list_type = "set",
        min_items = 1,
        max_items = 3,
        items(min_length = 1, max_length = 5)
    )]
    tags: List<IStr>,
    #[field(list_type = "map", list_map_keys("name"))]
    env: List<EnvVar>,
    #[field(list_type = "atomic", items(enum_values(1, 2, 3)))]
    steps: List<i32>,
    #[field(map_type = "atomic", values(max_length = 4), min_properties = 1, max_properties = 2)]
    labels: Map,
    #[field(map_type = "granular")]
    limits: BTreeMap<String, Quantity>,
    #[field(default = { "metal": "brass", "height": 30, "rings": ["a", "b"] })]
    foot: Foot,
    port: Option<IntOrString>,
    #[field(int_or_string)]
    socket: Option<Raw>,
    #[field(preserve_unknown)]
    extra: Foot,
    #[field(embedded_resource)]
    template: Raw,
    #[field(nullable, type = "string")]
    note: Option<IStr>,
    #[field(schemaless)]
    anything: Raw,
    battery: Option<bool>,
    cable: Option<bool>,
    #[field(validation(
        rule = "self.low <= self.high",
        message_expression = "'low is above ' + 'high'",
        reason = "FieldValueForbidden",
        field_path = ".low"
    ))]
    range: Option<Range>,
    #[field(validation(
        rule = "!oldSelf.hasValue() || self >= oldSelf.value()",
        message = "it only grows",
        optional_old_self
    ))]
    age: Option<i64>,
    mode: Option<Mode>,
    #[field(external_docs(url = "https://example.com/watts", description = "How it is wired"))]
    watts: Option<Watts>,
    spare: List<Watts>,
    /// Items of a set are atomic: these say so where they are made.
    #[field(list_type = "set")]
    feet: List<Foot>,
    #[field(list_type = "set")]
    paths: List<List<IStr>>,
    #[field(default = {})]
    shade: Shade,
    power: Option<Power>,
    mount: Option<Mount>,
    lens: Option<Lens>,
    finish: Option<Finish>,
}

/// Where it is fed from.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(exactly_one_of("mains", "solar"))]
struct Power {
    mains: Option<bool>,
    solar: Option<bool>,
}

/// What it hangs by.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(at_least_one_of("hook", "nail"))]
struct Mount {
    hook: Option<bool>,
    nail: Option<bool>,
}

/// What it shines through.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(crate = "watchkeeper_api")]
struct Lens {
    #[field(required)]
    width: Option<i32>,
    #[field(rename = "f-stop", minimum = 1)]
    stop: Option<i32>,
}

/// What is around the bulbs.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Shade {
    #[field(default = "white")]
    colour: Option<IStr>,
    width: Option<i32>,
}

/// What a bulb takes.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Watts(
    #[field(minimum = 1, maximum = 2000, validation(rule = "self != 13", message = "unlucky"))] i32,
);

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(map_type = "atomic")]
struct Foot {
    metal: Option<IStr>,
    height: Option<i32>,
    rings: List<IStr>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Range {
    low: i32,
    high: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
enum Mode {
    #[default]
    Steady,
    #[field(rename = "blink")]
    Blink,
}

/// What it is painted with, once and for all.
#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(preserve_unknown, immutable, example = { "gloss": 2 })]
#[fields(external_docs(url = "https://example.com/paint"))]
struct Finish {
    gloss: Option<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampStatus {
    #[field(optional)]
    bulbs: i32,
    selector: Option<IStr>,
    #[field(list_type = "map", list_map_keys("type"))]
    conditions: List<watchkeeper_api::meta::v1::Condition>,
}

/// Objects by name: the spec, and which field is refused, if one is. `!` stands before what only the
/// real server looks at: rules in CEL, and the kind of embedded objects.
fn objects() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("least", json!({"room": "hall"}), ""),
        (
            "full",
            json!({
                "bulbs": 12, "colour": "green", "brightness": 1.25, "room": "attic",
                "since": "2024-01-02T03:04:05Z", "until": "2024-01-02T03:04:05Z",
                "tags": ["a", "b"], "env": [{"name": "A", "value": "b"}, {"name": "B"}],
                "steps": [1, 3, 1], "labels": {"a": "b"}, "limits": {"cpu": "100m", "x": 5},
                "foot": {"metal": "iron", "gold": true}, "port": "http", "socket": 5,
                "extra": {"unknown": {"kept": 1}}, "note": null, "anything": [1, {"a": null}],
                "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"a": 1}},
                "watts": 60, "spare": [60, 40], "battery": true, "range": {"low": 1, "high": 1}, "age": 3, "mode": "blink",
                "power": {"mains": true}, "mount": {"hook": true, "nail": false}, "lens": {"width": 5, "f-stop": 2},
                "finish": {"gloss": 1, "unheardOf": {"kept": true}},
                "pruned": true,
            }),
            "",
        ),
        (
            "nulls",
            json!({"bulbs": null, "colour": null, "foot": null, "note": null, "shade": {"colour": null},
                "room": "hall", "port": null}),
            "",
        ),
        (
            "feet",
            json!({"feet": [{"height": 1}, {"height": 1, "metal": "iron"}], "paths": [["a"], ["a", "b"]]}),
            "",
        ),
        ("foot", json!({"feet": [{"height": 1}, {"height": 1}]}), "spec.feet[1]"),
        ("path", json!({"paths": [["a"], ["a"]]}), "spec.paths[1]"),
        ("few", json!({"bulbs": 0}), "spec.bulbs"),
        ("many", json!({"bulbs": 13}), "spec.bulbs"),
        ("text", json!({"bulbs": "3"}), "spec.bulbs"),
        ("colour", json!({"colour": "blue"}), "spec.colour"),
        ("bright", json!({"brightness": 1.5}), "spec.brightness"),
        ("dim", json!({"brightness": 0}), "spec.brightness"),
        ("long", json!({"room": "livingroom"}), "spec.room"),
        ("pattern", json!({"room": "A1"}), "spec.room"),
        ("since", json!({"since": "yesterday"}), "spec.since"),
        ("twice", json!({"tags": ["a", "a"]}), "spec.tags[1]"),
        ("item", json!({"tags": ["abcdef"]}), "spec.tags[0]"),
        ("items", json!({"tags": ["a", "b", "c", "d"]}), "spec.tags"),
        ("key", json!({"env": [{"value": "b"}]}), "spec.env[0].name"),
        ("keys", json!({"env": [{"name": "a"}, {"name": "a"}]}), "spec.env[1]"),
        ("step", json!({"steps": [4]}), "spec.steps[0]"),
        ("value", json!({"labels": {"a": "abcde"}}), "spec.labels.a"),
        ("port", json!({"port": true}), "spec.port"),
        ("kind", json!({"template": {"metadata": {}}}), "!spec.template.kind"),
        ("both", json!({"battery": true, "cable": true}), "!spec"),
        ("range", json!({"range": {"low": 2, "high": 1}}), "!spec.range.low"),
        ("dark", json!({"room": "hall"}), "!<nil>"),
        ("mode", json!({"mode": "Blink"}), "spec.mode"),
        ("watts", json!({"watts": 2001}), "spec.watts"),
        ("spare", json!({"spare": [1, 0]}), "spec.spare[1]"),
        ("unlucky", json!({"watts": 13}), "!spec.watts"),
        ("fed", json!({"power": {"mains": true, "solar": false}}), "!spec.power"),
        ("unfed", json!({"power": {}}), "!spec.power"),
        ("loose", json!({"mount": {}}), "!spec.mount"),
        ("lens", json!({"lens": {"f-stop": 2}}), "spec.lens.width"),
        ("renamed", json!({"lens": {"width": 5, "f-stop": 0}}), "spec.lens.f-stop"),
    ]
}

fn object(name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": "conformance.example.com/v1", "kind": "Lamp",
        "metadata": {"name": name, "namespace": "default"}, "spec": spec,
    })
}

#[test]
fn every_option_makes_a_structural_definition() {
    let crd = codec::to_value(&Lamp::crd());
    for version in crd["spec"]["versions"].as_array().expect("three versions") {
        let schema =
            watchkeeper_schema::Schema::from_crd_json(&version["schema"]["openAPIV3Schema"])
                .expect("a schema");
        let errors: Vec<_> = watchkeeper_schema::structural::check(&schema, "schema")
            .iter()
            .map(ToString::to_string)
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    expect_file!["snapshots/lamp.json"].assert_eq(&format!("{crd:#}\n"));
}

#[tokio::test(start_paused = true)]
async fn the_embedded_server_defaults_prunes_and_refuses() {
    let client = Client::new(ApiServer::builder().seed(1).build());
    let crd = Lamp::crd();
    let options = CreateOptions::default();
    client.api::<CustomResourceDefinition>().create(&crd, &options).await.expect("a definition");
    let mut outcomes = Vec::new();
    for (name, spec, refused) in objects() {
        let lamp = object(name, &spec);
        let mut outcome = json!({"object": lamp});
        if refused.starts_with('!') {
            outcome["refused"] = refused.trim_start_matches('!').into();
            outcomes.push(outcome);
            continue;
        }
        let lamp = Unstructured::from_value(&lamp).expect("an object");
        match client.api_for(&lamp).create(&lamp, &options).await {
            Ok(stored) => {
                assert_eq!(refused, "", "{name} was to be refused");
                outcome["stored"] = stored.to_value()["spec"].clone();
            }
            Err(error) => {
                let told = error.to_string();
                assert!(!refused.is_empty() && told.contains(refused), "{name}: {told}");
                outcome["refused"] = refused.into();
            }
        }
        outcomes.push(outcome);
    }
    let outcomes = Value::Array(outcomes);
    expect_file!["snapshots/lamps.json"].assert_eq(&format!("{outcomes:#}\n"));
}

/// Their own verdicts are those that `cargo xtask conformance derive` has from a real server.
#[test]
fn rules_say_of_every_object_what_a_server_says() {
    let rules = Rules::<Lamp>::compile().expect("rules that a server takes");
    assert_eq!(rules.len(), 10);
    for (name, spec, refused) in objects() {
        let said = rules.check_json(&object(name, &spec));
        let fields: Vec<&str> = said.iter().map(|error| error.field.as_str()).collect();
        let expected: &[&str] = match refused {
            "!<nil>" => &[""],
            "!spec" => &["spec"],
            "!spec.range.low" => &["spec.range.low"],
            "!spec.watts" => &["spec.watts"],
            "!spec.power" => &["spec.power"],
            "!spec.mount" => &["spec.mount"],
            // What else is refused is the schema's business.
            _ => &[],
        };
        assert_eq!(fields, expected, "{name}: {said:?}");
    }
    let green = object("a", &json!({"colour": "green", "age": 3, "finish": {}}));
    let red = object("a", &json!({"age": 2, "finish": {"gloss": 1}}));
    let said: Vec<String> =
        rules.check_json_update(&red, &green).iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "spec.age: Invalid value: 2: it only grows",
            "spec.colour: Invalid value: \"red\": it cannot be changed",
            "spec.finish: Invalid value: it cannot be changed",
        ]
    );
}

#[test]
fn rules_are_asked_of_values_of_the_type() {
    let rules = Rules::<Lamp>::compile().expect("rules that a server takes");
    let lamp = |low: i32| Lamp {
        metadata: ObjectMeta { name: "hall".into(), ..ObjectMeta::default() },
        spec: LampSpec { range: Some(Range { low, high: 1 }), ..LampSpec::default() },
        ..Lamp::default()
    };
    assert_eq!(rules.check(&lamp(1)), []);
    let said: Vec<String> = rules.check(&lamp(2)).iter().map(ToString::to_string).collect();
    assert_eq!(said, ["spec.range.low: Forbidden: low is above high"]);
    assert_eq!(rules.check_update(&lamp(2), &lamp(2)), [], "what has not changed is left alone");
}

#[test]
fn a_part_of_a_lamp_is_read_by_itself() {
    let text = object("a", &json!({"bulbs": 3, "room": "hall"})).to_string();
    let glance: LampGlance = codec::from_str(&text).expect("a lamp");
    assert_eq!((glance.name(), glance.spec.count), ("a", 3));
}

/// What is not served is in the definition all the same, for what was stored once.
#[tokio::test(start_paused = true)]
async fn a_version_that_is_not_served_is_not_found() {
    let client = Client::new(ApiServer::builder().seed(1).build());
    let options = CreateOptions::default();
    let crds = client.api::<CustomResourceDefinition>();
    crds.create(&Lamp::crd(), &options).await.expect("a definition");
    let list = ListOptions::default();
    client.api::<LampBeta>().list(&list).await.expect("it is served");
    let error = client.api::<LampAlpha>().list(&list).await.expect_err("it is not served");
    assert!(error.is_not_found(), "{error}");
}
