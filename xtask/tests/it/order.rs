//! Nothing in the crates takes its order from dice that no seed reaches (docs/design/determinism.md).

use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::root;

/// Every source of the crates, tests and comments excepted.
fn sources() -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for member in fs::read_dir(root().join("crates")).expect("the crates") {
        collect(&member.expect("a crate").path().join("src"), &mut sources);
    }
    assert!(sources.len() > 200, "only {} sources", sources.len());
    sources
}

fn collect(folder: &Path, sources: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|rs| rs == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).expect("a source");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let code = code.collect::<Vec<_>>().join("\n");
            sources.push((path, code));
        }
    }
}

/// Where a `select!` does not begin with `biased;`.
fn unbiased(text: &str) -> usize {
    let bodies = text.split("select! {").skip(1);
    let first = |body: &str| body.trim_start().starts_with("biased;");
    bodies.filter(|body| !first(body)).count()
}

#[test]
fn every_select_is_biased() {
    for (path, text) in sources() {
        assert_eq!(unbiased(&text), 0, "{}: a select! without biased", path.display());
    }
    assert_eq!(unbiased("select! {\n    x = y => {}\n}"), 1);
}

#[test]
fn nobody_waits_on_a_channel_that_wakes_at_random() {
    for (path, text) in sources() {
        let imports = |line: &str| {
            line.contains("sync::watch") || line.contains("tokio::sync") && line.contains(" watch}")
        };
        let found: Vec<&str> = text.lines().filter(|line| imports(line)).collect();
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
}
