//! Links in the documents lead to files that there are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::root;

/// Every document that is written by hand: those at the root, below `docs`, and beside the examples.
fn documents() -> Vec<PathBuf> {
    let mut documents = Vec::new();
    collect(&root(), false, &mut documents);
    for folder in ["docs", "examples"] {
        collect(&root().join(folder), true, &mut documents);
    }
    documents.sort();
    documents
}

fn collect(folder: &Path, deep: bool, documents: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && deep {
            collect(&path, deep, documents);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            documents.push(path);
        }
    }
}

/// Where the links of a document lead, as far as that is in the tree. What stands in a block of code is no
/// link.
fn targets(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let prose = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        is_code ^= fence;
        !is_code && !fence
    });
    let links = prose.flat_map(|line| line.split("](").skip(1));
    let targets = links.filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://") && !target.starts_with('#')).collect()
}

#[test]
fn every_link_leads_to_a_file() {
    let (mut links, mut broken) = (0, Vec::new());
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        let folder = document.parent().expect("a folder");
        for target in targets(&text) {
            links += 1;
            let path = target.split('#').next().unwrap_or_default();
            if !folder.join(path).exists() {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "links to nothing:\n{}", broken.join("\n"));
    assert!(links > 30, "only {links} links");
}

#[test]
fn links_are_found_and_code_is_none() {
    let text = "[a](b.md#c) and [d](https://e) and [f](#g)\n```rust\n[h](i.md)\n```\n[j](k/l.rs)";
    assert_eq!(targets(text), ["b.md#c", "k/l.rs"]);
}
