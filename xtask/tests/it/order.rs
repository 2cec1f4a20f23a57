//! Nothing in the crates takes its order from dice that no seed reaches (docs/design/determinism.md).

use std::path::PathBuf;

use crate::sources;

/// Every source of the crates, tests and comments excepted.
fn sources() -> Vec<(PathBuf, String)> {
    let code = |text: String| {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    sources::of_the_crates().into_iter().map(|(path, text)| (path, code(text))).collect()
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
