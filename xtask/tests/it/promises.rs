//! What the documentation of public functions must say.

use crate::sources;
use crate::workspace::root;

/// The public async functions of a source that do not say what dropping their future does: the
/// number of the line, and the line.
fn silent(text: &str) -> Vec<(usize, &str)> {
    let mut silent = Vec::new();
    let mut is_said = false;
    for (index, line) in text.lines().map(str::trim_start).enumerate() {
        if line.starts_with("pub async fn ") && !is_said {
            silent.push((index + 1, line));
        }
        if line.starts_with("///") {
            is_said |= line == "/// # Cancel safety";
        } else if !line.starts_with("#[") {
            is_said = false;
        }
    }
    silent
}

#[test]
fn every_public_async_function_says_what_dropping_its_future_does() {
    let root = root();
    let mut found = Vec::new();
    for (path, text) in sources::of_the_crates() {
        let path = path.strip_prefix(&root).expect("a source below the root").display();
        found.extend(silent(&text).iter().map(|(line, code)| format!("{path}:{line}: {code}")));
    }
    assert!(found.is_empty(), "without `# Cancel safety`:\n{}", found.join("\n"));
}

#[test]
fn a_silent_function_is_found() {
    let said =
        "/// Waits.\n///\n/// # Cancel safety\n///\n/// Fine.\n#[inline]\npub async fn a() {}";
    assert_eq!(silent(said), []);
    let silent_one = "/// Waits.\npub async fn b() {}";
    assert_eq!(silent(&format!("{said}\n{silent_one}")), [(9, "pub async fn b() {}")]);
}
