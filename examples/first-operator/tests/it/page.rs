//! docs/first-operator.md and the files of this folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files that the guide shows: blocks of one file follow each other with a line between.
fn shown() -> BTreeMap<String, String> {
    let page = read("../../docs/first-operator.md");
    let mut files = BTreeMap::<String, String>::new();
    for block in page.split("```").skip(1).step_by(2) {
        let (info, text) = block.split_once('\n').expect("a block has a first line");
        let Some((_, file)) = info.split_once(' ').filter(|(_, label)| label.contains('.')) else {
            continue;
        };
        let whole = files.entry(file.to_owned()).or_default();
        if !whole.is_empty() {
            whole.push('\n');
        }
        whole.push_str(text);
    }
    files
}

#[test]
fn the_guide_shows_the_files_of_this_folder() {
    let mut shown = shown();
    shown.remove("Cargo.toml").expect("a manifest");
    let names: Vec<&str> = shown.keys().map(String::as_str).collect();
    let wanted = [
        "config/blog.yaml",
        "config/deployment.yaml",
        "src/controller.rs",
        "src/main.rs",
        "src/site.rs",
        "src/tests.rs",
    ];
    assert_eq!(names, wanted);
    for (name, text) in &shown {
        assert_eq!(text, &read(name), "the guide's {name} is another one");
    }
}

#[test]
fn the_guide_asks_for_the_features_that_are_used_here() {
    let (shown, own) = (&shown()["Cargo.toml"], read("Cargo.toml"));
    for (name, features) in [
        ("watchkeeper", "\"cli\""),
        ("watchkeeper", "\"test\""),
        ("tokio", "\"rt-multi-thread\", \"macros\""),
    ] {
        let asked = format!("features = [{features}] }}");
        for manifest in [shown, &own] {
            let lines = manifest.lines().filter(|line| line.starts_with(&format!("{name} = ")));
            assert!(lines.into_iter().any(|line| line.ends_with(&asked)), "{manifest}");
        }
    }
}
