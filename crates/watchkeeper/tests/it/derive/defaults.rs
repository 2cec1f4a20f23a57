//! What stands for `null`: what a server makes of it.

use serde_json::{Value, json};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Described, IStr, List, Map, Quantity, json as codec};
use watchkeeper_derive::{Fields, Object};
use watchkeeper_schema::defaults;

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(group = "example.com", version = "v1", kind = "Lamp")]
struct Lamp {
    metadata: ObjectMeta,
    #[field(default = {})]
    spec: LampSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct LampSpec {
    #[field(default = 3, minimum = 1)]
    bulbs: i32,
    #[field(default = "red")]
    colour: Option<IStr>,
    #[field(default = "500m")]
    watts: Quantity,
    #[field(default = ["a", "b"])]
    tags: List<IStr>,
    #[field(default = { "app": "lamp" })]
    labels: Map,
    #[field(default = {})]
    foot: Foot,
    #[field(default = { "metal": "brass", "rings": [{}, { "width": 9 }] })]
    second: Option<Box<Foot>>,
    #[field(nullable, default = 5)]
    note: Option<i32>,
    #[field(default = "on")]
    mode: Mode,
    #[field(schemaless, default = { "a": [1, null] })]
    any: watchkeeper_api::Raw,
    plain: Option<i32>,
    #[field(optional)]
    count: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Foot {
    metal: Option<IStr>,
    #[field(default = 30)]
    height: Option<i32>,
    #[field(nullable, default = "soft")]
    sole: Option<IStr>,
    #[field(default = { "width": null })]
    first: Ring,
    rings: List<Ring>,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Ring {
    #[field(nullable)]
    width: Option<i32>,
    #[field(default = 1)]
    depth: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
enum Mode {
    #[default]
    #[field(rename = "off")]
    Off,
    #[field(rename = "on")]
    On,
}

#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(like = Lamp, json)]
struct Part {
    metadata: ObjectMeta,
    spec: PartSpec,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = LampSpec, json)]
struct PartSpec {
    #[field(like = "bulbs")]
    number: i32,
    foot: PartFoot,
    plain: Option<i32>,
    count: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
#[fields(like = Foot, json)]
struct PartFoot {
    height: Option<i32>,
}

/// What a server makes of a value before anyone reads it.
fn stored<T: Described>(value: &Value) -> Value {
    let (mut value, schema) = (value.clone(), T::schema());
    defaults::drop_nulls(&mut value, schema.alone());
    defaults::default_values(&mut value, schema.alone());
    value
}

fn read<T: codec::Read>(value: &Value) -> T {
    codec::from_value(value).expect("a value of the type")
}

fn nulls() -> Value {
    let names = LampSpec::schema().properties.into_keys();
    names.map(|name| (name, Value::Null)).collect()
}

#[test]
fn null_is_the_default_unless_it_may_be_null() {
    let spec: LampSpec = read(&nulls());
    let ring = |width| Ring { width, depth: 1 };
    let foot = Foot {
        metal: None,
        height: Some(30),
        sole: Some("soft".into()),
        first: ring(None),
        rings: List::default(),
    };
    let second = Foot {
        metal: Some("brass".into()),
        rings: List::from([ring(None), ring(Some(9))]),
        ..foot.clone()
    };
    assert_eq!(
        spec,
        LampSpec {
            bulbs: 3,
            colour: Some("red".into()),
            watts: "500m".into(),
            tags: List::from(["a".into(), "b".into()]),
            labels: Map::from([("app", "lamp")]),
            foot,
            second: Some(Box::new(second)),
            note: None,
            mode: Mode::On,
            any: codec::from_str(r#"{"a":[1,null]}"#).expect("JSON"),
            plain: None,
            count: 0,
        }
    );
    assert_eq!(spec, read(&stored::<LampSpec>(&nulls())), "as a server has it");
}

#[test]
fn what_is_said_stays_and_what_is_missing_is_missing() {
    let said = json!({"bulbs": 7, "colour": "", "tags": [], "foot": {"height": null}, "note": 1});
    let spec: LampSpec = read(&said);
    let foot = Foot { height: Some(30), ..Foot::default() };
    assert_eq!(
        spec,
        LampSpec {
            bulbs: 7,
            colour: Some(IStr::EMPTY),
            foot,
            note: Some(1),
            ..LampSpec::default()
        }
    );
    assert_eq!(read::<LampSpec>(&json!({})), LampSpec::default());
}

#[test]
fn a_kind_and_its_projection_agree() {
    let lamp: Lamp = read(&json!({"spec": null}));
    assert_eq!(lamp.spec, read(&stored::<LampSpec>(&json!({}))));
    let part: Part = read(&json!({"spec": null}));
    let expected =
        |number| PartSpec { number, foot: PartFoot { height: Some(30) }, plain: None, count: 0 };
    assert_eq!(part.spec, expected(3));
    let part: Part = read(&json!({"spec": nulls()}));
    assert_eq!(part.spec, expected(3));
    let part: Part = read(&json!({"spec": {"bulbs": 4, "foot": {"height": null}}}));
    assert_eq!(part.spec, expected(4));
}

#[derive(Clone, Debug, Default, PartialEq, Fields)]
struct Dated {
    #[field(default = "yesterday")]
    since: Option<watchkeeper_api::Time>,
}

#[test]
fn a_default_that_is_no_value_of_the_type_is_an_error_where_it_is_needed() {
    let error = codec::from_str::<Dated>(r#"{"since":null}"#).expect_err("no time");
    let told = error.to_string();
    assert!(told.starts_with("since: the default cannot be read: "), "{told}");
    assert!(told.ends_with("(at byte 9)"), "{told}");
}
