use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::Crds;

fn definition(scope: &str, versions: Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "lamps.example.com", "creationTimestamp": null, "uid": "1" },
        "spec": {
            "group": "example.com", "scope": scope,
            "names": { "kind": "Lamp", "plural": "lamps", "shortNames": ["lm"] },
            "versions": versions,
        },
        "status": { "conditions": [] },
    })
}

fn version(name: &str, storage: bool) -> Value {
    json!({ "name": name, "served": true, "storage": storage, "schema": { "openAPIV3Schema": { "type": "object" } } })
}

fn of(parts: &[Value]) -> Result<Crds, String> {
    let mut crds = Crds::new();
    for part in parts {
        crds = crds.text("program", &part.to_string()).map_err(|error| error.to_string())?;
    }
    Ok(crds)
}

#[test]
fn a_definition_is_laid_out_as_the_fields_tools_do_without_what_a_server_adds() {
    let crds = of(&[definition("Namespaced", json!([version("v1", true)]))]).expect("one");
    expect_test::expect![[r#"
        # Copyright A
        #
        # Licence B
        ---
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata:
          name: lamps.example.com
        spec:
          group: example.com
          names:
            kind: Lamp
            plural: lamps
            shortNames:
            - lm
          scope: Namespaced
          versions:
          - name: v1
            schema:
              openAPIV3Schema:
                type: object
            served: true
            storage: true
    "#]]
    .assert_eq(&crds.header("// Copyright A\n\nLicence B\n").yaml());
}

#[test]
fn what_is_written_is_read_as_the_same() {
    let crds = of(&[definition("Cluster", json!([version("v1", true), version("v2", false)]))]);
    let text = crds.expect("one").yaml();
    assert_eq!(Crds::new().text("again", &text).expect("YAML").yaml(), text);
}

#[test]
fn versions_that_several_types_tell_come_together() {
    let alpha = definition("Namespaced", json!([version("v1alpha1", false)]));
    let mut stable = definition("Namespaced", json!([version("v1", true)]));
    stable["metadata"]["labels"] = json!({ "app": "light" });
    assert_eq!(of(std::slice::from_ref(&alpha)).expect("one").unstored(), ["lamps.example.com"]);
    let both = of(&[stable.clone(), alpha.clone(), stable, alpha]).expect("they agree");
    assert!(both.unstored().is_empty());
    assert_eq!(both.names().collect::<Vec<_>>(), ["lamps.example.com"]);
    let text = both.yaml();
    for part in ["  - name: v1\n", "  - name: v1alpha1\n", "  labels:\n    app: light\n"] {
        assert_eq!(text.matches(part).count(), 1, "{part}{text}");
    }
}

#[test]
fn what_contradicts_itself_is_told_with_its_place() {
    let one = || definition("Namespaced", json!([version("v1", true)]));
    let refused = |other: Value| of(&[one(), other]).expect_err("they differ");
    assert_eq!(
        refused(definition("Cluster", json!([]))),
        r#"program: document 1: lamps.example.com: spec.scope is said to be "Namespaced" and "Cluster""#
    );
    assert_eq!(
        refused(definition("Namespaced", json!([version("v2", true)]))),
        "program: document 1: lamps.example.com: objects are stored in one version, not in v1 and v2"
    );
    let mut changed = version("v1", true);
    changed["schema"]["openAPIV3Schema"]["type"] = "string".into();
    assert_eq!(
        refused(definition("Namespaced", json!([changed]))),
        r#"program: document 1: lamps.example.com: version "v1" is said to be two things"#
    );
}

#[test]
fn what_is_no_definition_is_told() {
    let refused = |text: &str| Crds::new().text("a", text).expect_err("none").to_string();
    assert_eq!(refused("kind: Pod"), "a: there is no CustomResourceDefinition");
    assert!(refused("{").starts_with("a: line 1: this is not YAML: "));
    let mut other = definition("Cluster", json!([]));
    other["metadata"]["name"] = "../lamps.example.com".into();
    assert_eq!(
        refused(&other.to_string()),
        "a: document 1: \"../lamps.example.com\" is not the name of a definition of \"lamps\" in \"example.com\""
    );
    let mut nameless = definition("Cluster", json!([]));
    nameless["spec"]["group"] = "".into();
    assert_eq!(refused(&nameless.to_string()), "a: document 1: a definition without spec.group");
}

#[test]
fn the_test_includes_the_files_from_where_it_is() {
    let crds = of(&[definition("Namespaced", json!([version("v1", true)]))]).expect("one");
    let folder = Path::new("/lamps");
    let included = |files: &[PathBuf], test: &str| {
        let text = crds.test(files, Path::new(test)).expect("a test");
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("include_str!("));
        lines.map(|line| line.trim_end_matches("),").to_owned()).collect::<Vec<_>>()
    };
    let wanted = ["\"../config/example.com_lamps.yaml\""];
    let files: Vec<_> =
        crds.files(&folder.join("config")).into_iter().map(|(path, _)| path).collect();
    assert_eq!(included(&files, "/lamps/tests/crds.rs"), wanted);
    let wanted = ["\"../../config/example.com_lamps.yaml\""];
    assert_eq!(included(&files, "/lamps/src/../tests/./it/crds.rs"), wanted);
    let files = ["config/a.yaml".into(), "b\"c.yaml".into()];
    assert_eq!(included(&files, "tests/crds.rs"), ["\"../config/a.yaml\"", "\"../b\\\"c.yaml\""]);
}
