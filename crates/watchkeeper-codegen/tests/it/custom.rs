//! The types of small definitions, as they are committed beside this file, in use.

use std::path::{Path, PathBuf};

use watchkeeper_api::diff::assert_same;
use watchkeeper_api::json::{self, Decoder};
use watchkeeper_api::{
    HasStatus, Kind, Object, Quantity, Raw, Scope, SecretText, StaticKind, diff, object,
};
use watchkeeper_codegen::{Generated, Generator, StaleFile};

use crate::lights::lights_example_com::{v1, v1alpha1};
use crate::trees::garden_example_com::v1::{Branch, Tree};

/// What the generated files name the library by.
pub(crate) mod library {
    pub(crate) use watchkeeper_api as api;
    pub(crate) use watchkeeper_cache as cache;
    pub(crate) use watchkeeper_client as client;
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn generator() -> Generator {
    Generator::new().library("crate::custom::library")
}

fn generated(input: &str) -> Generated {
    read(generator(), input)
}

fn read(generator: Generator, input: &str) -> Generated {
    generator.file(here().join("data").join(input)).expect("the document is readable").generate()
}

/// Committed files are those that the generator writes; `UPDATE_EXPECT=1` writes them.
fn fresh(generated: &Generated, root: &str) {
    let root = here().join("it").join(root);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        generated.write_files(&root).expect("the files can be written");
    }
    let stale = generated.stale_files(&root).expect("the files can be read");
    let diff: String = stale.iter().map(StaleFile::diff).collect();
    assert!(stale.is_empty(), "stale, set UPDATE_EXPECT=1 to write them:\n{diff}");
}

#[test]
fn the_committed_types_are_fresh() {
    fresh(&generated("lamps.yaml"), "lights.rs");
    fresh(&generated("tree.openapi.json"), "trees.rs");
    let enums = generator().enums(true).clients(false).informers(false).definitions(false);
    fresh(&read(enums, "lamps.yaml"), "shades.rs");
    fresh(&read(generator().enums(true), "oddities.yaml"), "oddities.rs");
}

#[test]
fn a_stale_file_is_told_with_all_its_lines_that_differ() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stale");
    std::fs::create_dir_all(&folder).expect("a folder");
    let generated = generated("lamps.yaml");
    let path = folder.join("crds.rs");
    let text = generated.text();
    let old = text.replace("pub colour: IStr", "pub color: IStr").replace("pub lit:", "pub burns:");
    std::fs::write(&path, old).expect("it can be written");
    let stale = generated.stale_text(&path).expect("the file can be read").expect("it is stale");
    assert!(stale.to_string().ends_with("crds.rs is stale"), "{stale}");
    let diff = stale.diff();
    let changed: Vec<&str> = diff
        .lines()
        .filter(|line| {
            line.starts_with(['-', '+']) && !line.starts_with("---") && !line.starts_with("+++")
        })
        .map(|line| &line[..1])
        .collect();
    assert_eq!(changed, ["-", "+", "-", "+"], "{diff}");
    for line in [
        "-            pub color: IStr,",
        "+            pub colour: IStr,",
        "+            pub lit: Option<bool>,",
    ] {
        assert!(diff.lines().any(|of| of == line), "{line}\n{diff}");
    }
    let missing = generated.stale_text(&folder.join("nowhere.rs")).expect("that is no failure");
    let missing = missing.expect("it is not there");
    assert!(missing.to_string().ends_with("is missing"), "{missing}");
    let diff = missing.diff();
    assert!(diff.starts_with("--- /dev/null\n+++ b/"), "{diff}");
    assert_eq!(diff.lines().count(), text.lines().count() + 3, "every line is added");
}

#[test]
fn files_that_are_not_generated_any_more_are_told_and_removed() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("custom/crds.rs");
    let generated = generated("lamps.yaml");
    generated.write_files(&root).expect("the files can be written");
    let old = root.with_extension("").join("lights_example_com/v0.rs");
    let own = root.with_extension("").join("own.rs");
    let gone = root.with_extension("").join("gone_example_com");
    let text = std::fs::read_to_string(&root).expect("it was written");
    std::fs::write(&old, &text).expect("it can be written");
    std::fs::create_dir_all(gone.join("deep")).expect("it can be made");
    std::fs::write(gone.join("deep/v1.rs"), text).expect("it can be written");
    std::fs::write(&own, "// Mine.\n").expect("it can be written");
    // Somebody's file, and no text.
    let strange = root.with_extension("").join("strange.rs");
    std::fs::write(&strange, b"// M\xfcller\n").expect("it can be written");
    let stale = generated.stale_files(&root).expect("the files can be read");
    let told: Vec<String> = stale.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].ends_with("gone_example_com/deep/v1.rs is not generated any more"), "{told:?}");
    assert!(told[1].ends_with("v0.rs is not generated any more"), "{told:?}");
    generated.write_files(&root).expect("the files can be written");
    assert!(!old.exists() && own.exists() && strange.exists());
    assert!(!gone.exists(), "nothing is left in it");
    std::fs::write(&root, b"\xff").expect("it can be written");
    let stale = generated.stale_files(&root).expect("the files can be read");
    assert!(stale.len() == 1 && stale[0].to_string().ends_with("crds.rs is stale"), "{stale:?}");
}

#[test]
fn a_kind_is_an_object_of_its_group_and_version() {
    const KIND: Kind = v1::Lamp::KIND;
    assert_eq!(v1::Lamp::static_kind(), &KIND);
    assert_eq!(KIND.api_version(), "lights.example.com/v1");
    assert_eq!(v1::LightSwitchPolicy::KIND.scope, Scope::Cluster);
    assert_eq!(v1alpha1::Lamp::KIND.version, "v1alpha1");
    let mut lamp = object!(v1::Lamp { metadata: { name: "a", namespace: "b" } });
    assert_eq!(lamp.key().to_string(), "b/a");
    lamp.status_mut().lit = Some(true);
    assert_eq!(lamp.status().lit, Some(true));
}

/// A Lamp with every member, each as the schema wants it.
pub(crate) const LAMP: &str = r#"{"apiVersion":"lights.example.com/v1","kind":"Lamp","metadata":{"name":"a"},"spec":{"accessKeySecretRef":{"key":"k","name":"s"},"bulbs":[{"":"empty","$ref-of":"r","2nd":"2","dotted-name":"x","dotted.name":"y","name":"n","other":"o","self":"me","type":"t"}],"choice":{"left":{"power":{"on":true}}},"colour":"Ultraviolet","extras":{"a\"b":1,"deep":{"x":[null]},"none":null},"limits":{"cpu":"100m"},"maybe":null,"notes":{},"off":{},"parts":[{},null,{"a":[1.50]}],"pin":"hunter2","pins":{"a":"hunter3"},"plugin":{"name":"p","unheardOf":[1,{"a":null}]},"port":"http","power":{"cap":4000000000,"factor":0.5,"volts":5000000000,"watts":0,"wired":false},"secret":"YWJj","selector":{"matchLabels":{"a":"b"}},"settings":{"a":[{"level":1}]},"since":"2026-01-02T03:04:05Z","slots":["a",null],"template":{"kind":"A"},"tokenSecretRef":{"name":"t"},"values":{"any":["thing"]}},"status":{"conditions":[{"type":"Lit","status":"True","lastTransitionTime":"2026-01-02T03:04:05Z","reason":"On","message":""}],"lit":true}}"#;

#[test]
fn an_object_comes_back_as_it_was() {
    let lamp: v1::Lamp = Decoder::new().strict(true).decode_str(LAMP).expect("a Lamp");
    let (sent, back): (serde_json::Value, serde_json::Value) = (
        serde_json::from_str(LAMP).expect("JSON"),
        serde_json::from_str(&json::to_string(&lamp)).expect("JSON"),
    );
    assert_eq!(sent, back);
}

#[test]
fn fields_have_the_types_that_their_schemas_say() {
    let lamp: v1::Lamp = json::from_str(LAMP).expect("a Lamp");
    let spec = &lamp.spec;
    assert_eq!(spec.colour, "Ultraviolet", "an unknown value of an enumeration stays");
    assert_eq!(spec.power.watts, 0_i32);
    assert_eq!(spec.power.cap, Some(4_000_000_000_i64), "more than its format holds");
    assert_eq!(spec.limits.get("cpu"), Some(&Quantity::from("100m")));
    assert_eq!(spec.secret.as_deref(), Some(b"abc".as_slice()));
    assert_eq!(spec.pin.as_ref().map(SecretText::expose), Some("hunter2"));
    let told = format!("{lamp:?} {:?}", diff::diff(&lamp, &v1::Lamp::default()));
    assert!(told.contains("pin: Some((redacted))"), "{told}");
    assert!(!told.contains("hunter"), "{told}");
    assert!(spec.maybe.is_none());
    assert_eq!(spec.slots[1], None);
    assert!(spec.off.is_some(), "what has no members says something by being there");
    assert!(watchkeeper_api::conditions::is_true(&lamp.status.conditions, "Lit"));
    let bulb = &spec.bulbs[0];
    let odd = [&bulb.type_, &bulb.self_, &bulb._2nd, &bulb.ref_of, &bulb.field, &bulb.other_2];
    assert!(odd.iter().all(|field| field.is_some()));
    assert_ne!(bulb.dotted_name, bulb.dotted_name_2);
}

#[test]
fn members_that_a_schema_keeps_without_naming_them_are_kept() {
    let lamp: v1::Lamp = json::from_str(LAMP).expect("a Lamp");
    let plugin = lamp.spec.plugin.as_ref().expect("the plugin");
    assert_eq!(plugin.other.get("unheardOf").map(Raw::as_str), Some(r#"[1,{"a":null}]"#));
    let open = r#"{"apiVersion":"lights.example.com/v1alpha1","kind":"Lamp","metadata":{"name":"a"},"spec":{"b":[null]}}"#;
    let lamp: v1alpha1::Lamp = json::from_str(open).expect("a Lamp");
    assert_eq!(json::to_string(&lamp), open);
}

/// An empty one is there, as of other optional objects, and what is `null` within is kept.
#[test]
fn an_object_of_anything_is_a_map_whose_keys_are_read_and_written() {
    let mut lamp: v1::Lamp = json::from_str(LAMP).expect("a Lamp");
    let extras = lamp.spec.extras.as_mut().expect("the extras");
    assert_eq!(extras.keys().collect::<Vec<_>>(), ["a\"b", "deep", "none"]);
    assert_eq!(extras.get("deep").map(Raw::as_str), Some(r#"{"x":[null]}"#));
    assert!(extras.get("none").is_some_and(Raw::is_empty));
    extras.insert("a\"b", Raw::encode(&2_i32));
    let text = json::to_string(&lamp);
    assert!(text.contains(r#""extras":{"a\"b":2,"deep":{"x":[null]},"none":null},"#), "{text}");
    assert!(text.contains(r#""notes":{},"#), "{text}");
    assert!(text.contains(r#""parts":[{},null,{"a":[1.50]}],"#), "{text}");
    let said = object!(v1::LampSpec { extras: { "a": Raw::encode(&true) } });
    assert_eq!(said.extras.expect("the extras").get("a").map(Raw::as_str), Some("true"));
}

#[test]
fn another_kind_is_refused() {
    let text = LAMP.replace("\"kind\":\"Lamp\"", "\"kind\":\"Candle\"");
    let error = json::from_str::<v1::Lamp>(&text).expect_err("it is no Lamp");
    assert!(error.to_string().contains("Candle"), "{error}");
}

#[test]
fn braces_reach_into_generated_structs() {
    let lamp = object!(v1::Lamp {
        metadata: { name: "a" },
        spec: {
            colour: "Red",
            power: { watts: 5 },
            bulbs: [{ name: "left" }, { name: "right", type_: "LED" }],
            token_secret_ref: { name: "token" },
            limits: { "cpu": "1" },
        },
    });
    assert_eq!(lamp.spec.bulbs[1].type_.as_deref(), Some("LED"));
    assert_eq!(lamp.spec.token_secret_ref.as_ref().expect("a reference").name, "token");
    let claimed = json::to_string(&lamp);
    assert!(!claimed.contains("status"), "apply claims only what was said: {claimed}");
}

#[test]
fn structs_of_one_shape_are_one() {
    let secret = v1::SecretRef { name: "a".into(), key: None };
    let lamp = v1::LampSpec { token_secret_ref: Some(Box::new(secret)), ..Default::default() };
    let policy = v1::LightSwitchPolicySpec { token_secret_ref: lamp.token_secret_ref.clone() };
    assert_eq!(policy.token_secret_ref, lamp.token_secret_ref);
}

#[test]
fn structs_may_hold_themselves() {
    let inner = Branch { length: Some(1), ..Branch::default() };
    let trunk =
        Branch { branches: [inner.clone()].into(), main: Some(Box::new(inner)), length: None };
    let mut tree = object!(Tree { metadata: { name: "oak" } });
    tree.spec.trunk = trunk;
    tree.spec.height = Some("12".into());
    let back: Tree = json::from_str(&json::to_string(&tree)).expect("a Tree");
    assert_same(&back, &tree);
}

#[test]
fn what_has_no_type_is_told() {
    let generated = generated("tree.openapi.json");
    let parts: Vec<String> = generated
        .raw_parts()
        .iter()
        .map(|part| format!("{} {}: {}", part.kind, part.path, part.why))
        .collect();
    assert_eq!(
        parts,
        [
            "garden.example.com/v1 Tree TreeSpec.lost: the document has no \"com.example.garden.v1.Nowhere\"",
            "garden.example.com/v1 Tree TreeSpec.puzzle: the schema names no type",
        ]
    );
}
