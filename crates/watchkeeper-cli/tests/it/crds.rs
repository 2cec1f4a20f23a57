//! `watchkeeper crds`.

use crate::*;

/// What a program prints of a type.
fn printed(kind: &str, scope: &str) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    format!(
        r#"{{
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {{ "name": "{plural}.example.com" }},
            "spec": {{
                "group": "example.com", "scope": "{scope}",
                "names": {{ "kind": "{kind}", "plural": "{plural}" }},
                "versions": [{{ "name": "v1", "served": true, "storage": true, "schema": {{
                    "openAPIV3Schema": {{ "type": "object", "description": "Shines. Or not." }}
                }} }}]
            }}
        }}"#
    )
}

#[test]
fn what_programs_print_becomes_a_file_for_each_kind() {
    let folder = folder("crds");
    write(&folder.join("bulb.json"), &printed("Bulb", "Cluster"));
    write(&folder.join("licence.txt"), "Copyright The Authors\n");
    let arguments = ["crds", "-", "bulb.json", "--out", "config", "--header", "licence.txt"];
    let call = call_with(&folder, &arguments, &printed("Lamp", "Namespaced"));
    assert!(call.ok, "{}", call.told);
    let told = "wrote config/example.com_bulbs.yaml\nwrote config/example.com_lamps.yaml\n";
    assert_eq!(call.told, told);
    let lamps = folder.join("config/example.com_lamps.yaml");
    assert!(read(&lamps).starts_with("# Copyright The Authors\n---\napiVersion: apiextensions"));

    let check = [&arguments[..], &["--check"]].concat();
    assert!(call_with(&folder, &check, &printed("Lamp", "Namespaced")).ok);
    let stale = call_with(&folder, &check, &printed("Lamp", "Cluster"));
    assert!(!stale.ok);
    assert!(stale.told.contains("-  scope: Namespaced\n+  scope: Cluster\n"), "{}", stale.told);
    let clash = call_with(&folder, &arguments, &printed("Bulb", "Namespaced"));
    assert!(!clash.ok && clash.told.contains("spec.scope is said to be"), "{}", clash.told);
}

#[test]
fn without_a_file_all_is_printed_and_descriptions_are_cut_on_request() {
    let folder = folder("printed");
    write(&folder.join("bulb.json"), &printed("Bulb", "Cluster"));
    assert!(done(&folder, &["crds", "bulb.json"]).out.contains("description: Shines. Or not.\n"));
    let cut = done(&folder, &["crds", "bulb.json", "--max-description", "10"]).out;
    assert!(cut.contains("description: Shines.\n"), "{cut}");
    let none = done(&folder, &["crds", "bulb.json", "--max-description", "0"]).out;
    assert!(none.contains("openAPIV3Schema:") && !none.contains("description"), "{none}");
}

#[test]
fn the_test_that_goes_with_them_is_written_and_held_fresh() {
    let folder = folder("crds-test");
    write(&folder.join("bulb.json"), &printed("Bulb", "Cluster"));
    write(&folder.join("lamp.json"), &printed("Lamp", "Cluster"));
    write(&folder.join("licence.txt"), "Copyright The Authors\n");
    let one = ["crds", "bulb.json", "--test", "tests/crds.rs", "--out"];
    assert!(refused(&folder, &one[..4]).contains("--out"));
    let told = done(&folder, &[&one[..], &["config/crd.yaml"]].concat()).told;
    assert_eq!(told, "wrote config/crd.yaml\nwrote tests/crds.rs\n");
    assert_eq!(done(&folder, &[&one[..], &["config/crd.yaml"]].concat()).told, "");
    let text = read(&folder.join("tests/crds.rs"));
    assert!(text.contains("\n    include_str!(\"../config/crd.yaml\"),\n];\n"), "{text}");

    let both = ["crds", "bulb.json", "lamp.json", "--out", "config", "--test", "tests/crds.rs"];
    let both = [&both[..], &["--header", "licence.txt"]].concat();
    let stale = refused(&folder, &[&both[..], &["--check"]].concat());
    let added = "+    include_str!(\"../config/example.com_lamps.yaml\"),\n";
    assert!(stale.contains("3 files are stale") && stale.contains(added), "{stale}");
    done(&folder, &both);
    done(&folder, &[&both[..], &["--check"]].concat());
    let text = read(&folder.join("tests/crds.rs"));
    assert!(text.starts_with("// Copyright The Authors\n\n//! A server takes"), "{text}");
}
