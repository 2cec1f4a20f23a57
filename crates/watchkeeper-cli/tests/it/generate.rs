//! `watchkeeper generate`, from files.

use std::path::Path;

use crate::*;

/// The committed types are compiled and used by the tests of `watchkeeper-codegen`.
#[test]
fn the_types_are_those_that_the_library_call_makes() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../watchkeeper-codegen/tests/it");
    let out = committed.join("lights.rs");
    let out = out.to_str().expect("text");
    let definitions = definitions();
    let definitions = definitions.to_str().expect("text");
    let library = "crate::custom::library";
    let arguments = ["generate", definitions, "--library", library, "--out", out, "--check"];
    done(&committed, &arguments);
    let told = refused(&committed, &[&arguments[..], &["--no-clients"]].concat());
    assert!(told.starts_with("watchkeeper: 2 files are stale:\n--- a/"), "{told}");
    assert!(told.contains("\n-pub mod clients;\n"), "{told}");
}

#[test]
fn files_are_written_once_and_checked() {
    let folder = folder("generate");
    write(&folder.join("lamps.yaml"), &read(&definitions()));
    let arguments = ["generate", "lamps.yaml", "--out", "src/crds.rs"];
    let told = done(&folder, &arguments).told;
    assert!(told.contains("wrote src/crds.rs\n") && told.contains(" kinds, "), "{told}");
    let types = folder.join("src/crds/lights_example_com/v1.rs");
    assert!(read(&types).contains("pub struct LampSpec {"));
    assert!(!done(&folder, &arguments).told.contains("wrote"), "nothing is stale");

    let check = [&arguments[..], &["--check"]].concat();
    done(&folder, &check);
    write(&types, &read(&types).replace("pub colour: IStr", "pub color: IStr"));
    let told = refused(&folder, &check);
    assert!(told.starts_with("watchkeeper: 1 file is stale:\n--- a/src/crds/lights"), "{told}");
    assert!(told.contains("-    pub color: IStr,\n+    pub colour: IStr,\n"), "{told}");
    assert!(read(&types).contains("pub color: IStr"), "a check writes nothing");
}

#[test]
fn one_file_comes_from_standard_input_and_begins_with_a_licence() {
    let folder = folder("single");
    write(&folder.join("licence.txt"), "Copyright YEAR The Authors");
    let arguments = ["generate", "-", "--out", "crds.rs", "--single", "--header", "licence.txt"];
    let arguments = [&arguments[..], &["--year", "2026"]].concat();
    let call = call_with(&folder, &arguments, &read(&definitions()));
    assert!(call.ok, "{}", call.told);
    let text = read(&folder.join("crds.rs"));
    assert!(text.starts_with("// Copyright 2026 The Authors\n"), "{text:.60}");
    assert!(text.contains("from standard input") && text.contains("pub struct LampSpec {"));
}

#[test]
fn what_is_no_definition_is_one_sentence() {
    let folder = folder("broken");
    write(&folder.join("a.yaml"), "kind: ConfigMap\n");
    let told = refused(&folder, &["generate", "a.yaml", "--out", "crds.rs"]);
    assert!(told.starts_with("watchkeeper: a.yaml: there is neither"), "{told}");
    let told = refused(&folder, &["generate", "b.yaml", "--out", "crds.rs"]);
    assert!(told.starts_with("watchkeeper: b.yaml: No such file"), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(!folder.join("crds.rs").exists());
    let told = refused(&folder, &["generate", "--out", "crds.rs"]);
    assert!(told.contains("required") && told.contains("<INPUTS>"), "{told}");
}
