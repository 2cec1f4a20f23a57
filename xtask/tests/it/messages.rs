//! What the compiler tells those who use the library wrongly: the programs of `messages/`, each with
//! what it must say in its first lines.
//!
//! - `//@ error: …` is one of the errors, in order; there are no others.
//! - `//@ shows: …` stands somewhere in what is printed, whatever else the compiler says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::root;

/// What the programs may use, by the names that they know it by.
const USED: &[(&str, &str)] = &[
    ("watchkeeper", "watchkeeper-api"),
    ("watchkeeper-cache", "watchkeeper-cache"),
    ("watchkeeper-client", "watchkeeper-client"),
    ("watchkeeper-controller", "watchkeeper-controller"),
    ("watchkeeper-derive", "watchkeeper-derive"),
];

/// The errors of one program.
#[derive(Default)]
struct Told {
    errors: Vec<String>,
    printed: String,
}

fn programs() -> BTreeMap<String, String> {
    let folder = root().join("xtask/tests/it/messages");
    let programs = fs::read_dir(folder).expect("the programs").map(|entry| {
        let path = entry.expect("a program").path();
        let name = path.file_stem().expect("a name").to_str().expect("text").to_owned();
        (name, fs::read_to_string(path).expect("a source"))
    });
    programs.collect()
}

/// A package of its own with all programs, so that nothing else is built with them.
fn package(programs: &BTreeMap<String, String>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    let _ = fs::remove_dir_all(folder.join("src"));
    fs::create_dir_all(folder.join("src/bin")).expect("a folder");
    let mut manifest = "[package]\nname = \"messages\"\nedition = \"2024\"\n".to_owned();
    manifest += "[workspace]\n[dependencies]\n";
    for (name, package) in USED {
        let path = root().join("crates").join(package);
        writeln!(manifest, "{name} = {{ package = {package:?}, path = {path:?} }}").expect("text");
    }
    fs::write(folder.join("Cargo.toml"), manifest).expect("the manifest");
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    for (name, text) in programs {
        fs::write(folder.join(format!("src/bin/{name}.rs")), text).expect("a source");
    }
    folder
}

/// What the compiler tells, by program.
fn told(programs: &BTreeMap<String, String>) -> BTreeMap<String, Told> {
    let folder = package(programs);
    let output = Command::new(env!("CARGO"))
        .current_dir(&folder)
        .args(["check", "--offline", "--keep-going", "--bins", "--message-format", "json"])
        .arg("--target-dir")
        .arg(folder.join("target"))
        .output()
        .expect("cargo check");
    let mut told: BTreeMap<String, Told> = BTreeMap::new();
    for line in String::from_utf8(output.stdout).expect("text").lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let message = &line["message"];
        let has_place = message["spans"].as_array().is_some_and(|spans| !spans.is_empty());
        if message["level"] == "error" && has_place {
            let told = told.entry(text(&line["target"]["name"])).or_default();
            told.errors.push(text(&message["message"]));
            told.printed += message["rendered"].as_str().unwrap_or_default();
        }
    }
    assert!(!told.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    told
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The lines of a program that begin with `//@` and `what`.
fn said<'a>(program: &'a str, what: &str) -> Vec<&'a str> {
    let lines = program.lines().filter_map(|line| line.strip_prefix("//@ "));
    lines.filter_map(|line| line.strip_prefix(what)?.strip_prefix(": ")).collect()
}

#[test]
fn the_compiler_tells_what_is_wrong_and_nothing_else() {
    let programs = programs();
    let told = told(&programs);
    for (name, program) in &programs {
        let Some(told) = told.get(name) else { panic!("{name} compiles") };
        let (errors, shown) = (said(program, "error"), said(program, "shows"));
        assert!(!errors.is_empty() || !shown.is_empty(), "{name} says nothing of what is expected");
        if !errors.is_empty() {
            assert_eq!(told.errors, errors, "{name}:\n{}", told.printed);
        }
        for text in shown {
            assert!(told.printed.contains(text), "{name} does not show {text}:\n{}", told.printed);
        }
    }
}
