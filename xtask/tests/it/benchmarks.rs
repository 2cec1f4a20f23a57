//! The figures of each page of benchmarks are of one tree, which is in the history.

use std::collections::BTreeSet;
use std::process::Command;

use crate::workspace::root;

/// The commits that the chapters of a page name.
fn commits(page: &str) -> BTreeSet<&str> {
    let written = page.lines().filter(|line| line.starts_with("Written by `cargo xtask bench "));
    written
        .filter_map(|line| line.split_once("on top of commit "))
        .map(|(_, commit)| commit.trim_end_matches('.'))
        .collect()
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(root()).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn every_chapter_of_the_benchmarks_is_of_one_commit_of_the_history() {
    let files = std::fs::read_dir(root().join("docs")).expect("the pages");
    let names = files.map(|file| file.expect("a page").file_name().to_string_lossy().into_owned());
    let is_one = |name: &String| name.starts_with("benchmarks") && name.ends_with(".md");
    let pages: BTreeSet<String> = names.filter(is_one).collect();
    assert!(pages.len() >= 2, "{pages:?}");
    for page in pages {
        let text = std::fs::read_to_string(root().join("docs").join(&page)).expect("the page");
        is_of_one_commit(&page, &text);
    }
}

fn is_of_one_commit(page: &str, text: &str) {
    let commits = commits(text);
    assert_eq!(commits.len(), 1, "{page}: `cargo xtask bench` writes all chapters: {commits:?}");
    // A copy without its history, or with a part of it, cannot tell.
    if git(&["rev-parse", "--is-shallow-repository"]).as_deref() == Some("false") {
        for commit in commits {
            let found = git(&["merge-base", "--is-ancestor", commit, "HEAD"]);
            assert!(found.is_some(), "{commit} is not in the history");
        }
    }
}

#[test]
fn a_chapter_of_another_commit_is_found() {
    let page = "Written by `cargo xtask bench decode` on 2026-01-01, on top of commit abc.\n\
                Written by `cargo xtask bench queue` on 2026-01-02, on top of commit def.\n";
    assert_eq!(commits(page).into_iter().collect::<Vec<_>>(), ["abc", "def"]);
}
