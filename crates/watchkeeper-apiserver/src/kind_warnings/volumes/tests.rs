//! How much is told of files at one place.

use super::*;

/// What is told of one path that stands beside another, after so many pairs and bytes.
fn told(pairs: usize, bytes: usize, path: &str) -> Vec<String> {
    let mut warnings = Vec::new();
    let at = |path: &str| -> At { (path.to_owned(), "".into()) };
    let mut overlaps = Overlaps { pairs, bytes, warnings: &mut warnings };
    overlaps.among(vec![at(path)], &mut vec![at("a/b")], "volume \"v\" (Projected)");
    warnings
}

#[test]
fn so_many_pairs_are_looked_at_and_so_many_bytes_told() {
    let warning = ["volume \"v\" (Projected): overlapping paths: \"a\" with \"a/b\""];
    assert_eq!(told(0, 0, "a"), warning);
    assert_eq!(told(PAIRS - 1, 0, "a"), warning);
    assert!(told(PAIRS, 0, "a").is_empty());
    assert!(told(PAIRS + 1, 0, "a").is_empty());
    assert_eq!(told(0, BYTES - 1, "a"), warning);
    assert!(told(0, BYTES, "a").is_empty());
    assert!(told(0, BYTES + 1, "a").is_empty());
}

#[test]
fn paths_overlap_that_are_the_same_or_above_each_other() {
    for (path, count) in
        [("a", 1), ("a/b", 1), ("a/b/", 1), ("a/b/c", 1), ("a/bc", 0), ("b", 0), ("", 0), ("/", 0)]
    {
        assert_eq!(told(0, 0, path).len(), count, "{path}");
    }
}
