//! The README's program and its test, compiled and run, and the manifest that they need.

#[rustfmt::skip]
#[expect(unreachable_pub, reason = "it stands in the README as a user's program has it")]
#[expect(dead_code, reason = "a program has a main; its test does not")]
mod own;

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The blocks of a language in a text of Markdown.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    text.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect()
}

/// The features that the dependency called `name` is given in each table of a manifest.
fn features<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let lines = manifest.lines().filter(|line| line.starts_with(&format!("{name} = {{")));
    lines.filter_map(|line| line.split_once("features = [")?.1.split(']').next()).collect()
}

#[test]
fn the_readme_shows_what_is_compiled_and_run_here() {
    let readme = read("../../README.md");
    let shown = blocks(&readme, "rust").join("\n");
    assert_eq!(
        shown,
        read("tests/it/readme/own.rs"),
        "README.md and tests/it/readme/own.rs differ"
    );
}

#[test]
fn the_readme_asks_for_the_features_that_are_used_here() {
    let (readme, manifest) = (read("../../README.md"), read("Cargo.toml"));
    // Other pages, which are compiled here too, show flags, how rules are tested, webhooks and streams.
    let others = r#"["cli", "rules", "test", "webhooks", "ws"]"#;
    let manifest = manifest.replace(others, r#"["test"]"#);
    let [shown] = blocks(&readme, "toml")[..] else { panic!("one manifest in the README") };
    assert_eq!(features(shown, "watchkeeper"), ["\"test\""]);
    let features_of = |name| features(&manifest, name).join(", ");
    assert_eq!(features(shown, "watchkeeper").join(", "), features_of("watchkeeper"));
    // Other tests here need more of it.
    let tokio = features(shown, "tokio").join(", ");
    assert!(features_of("tokio").starts_with(&tokio), "{tokio}");
}
