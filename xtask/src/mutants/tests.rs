use std::fs;
use std::path::Path;

use self::mutant::{Kind, Position};
use super::*;
use crate::workspace;

#[test]
fn what_became_of_the_mutants_is_told_by_file() {
    let mutant = |file: &str, name: &str| Mutant {
        file: file.to_owned(),
        name: name.to_owned(),
        kind: Kind::Body,
        from: Position { line: 1, column: 1 },
        to: Position { line: 1, column: 1 },
        replacement: String::new(),
    };
    let mut tally = Tally::default();
    for (file, name, verdict) in [
        ("src/state/ready.rs", "a", Verdict::Caught),
        ("src/state.rs", "b", Verdict::Caught),
        ("src/state.rs", "c", Verdict::Hung),
        ("src/state.rs", "src/state.rs:5:6: replace < with <= in d", Verdict::Missed),
        ("src/state.rs", "e", Verdict::Unviable),
        ("src/state/none.rs", "f", Verdict::Unviable),
    ] {
        tally.add(&mutant(file, name), verdict);
    }
    let expected = "\
| module | mutants | caught | hung | survived |
|---|---|---|---|---|
| state.rs | 3 | 1 | 1 | 1 |
| state/none.rs | 0 | 0 | 0 | 0 |
| state/ready.rs | 1 | 1 | 0 | 0 |
| all | 4 | 2 | 1 | 1 |
75.0 % caught; 2 did not compile
survived: src/state.rs:5:6: replace < with <= in d
";
    assert_eq!(tally.to_string(), expected);
}

#[test]
fn every_one_is_done_once_and_a_failure_is_told() {
    let numbers: Vec<u32> = (0..100).collect();
    let mut done = side_by_side(&numbers, |number| Ok(number * 2)).unwrap();
    done.sort_unstable();
    assert!(done.iter().zip(&numbers).all(|(done, number)| *done == (number, number * 2)));
    assert_eq!(done.len(), 100);
    let failing = |number: &u32| if *number == 50 { Err("fifty".to_owned()) } else { Ok(*number) };
    assert_eq!(side_by_side(&numbers, failing), Err("fifty".to_owned()));
}

/// What is measured is written down: a file that comes to the states, or goes, is missed here.
#[test]
fn every_file_of_the_states_is_there_and_has_a_row() {
    let page = fs::read_to_string(workspace::root().join("docs/design/mutants.md")).unwrap();
    for States { package, areas, .. } in STATES.iter().filter(|states| states.sample.is_none()) {
        let sources = workspace::root().join("crates").join(package).join("src");
        for pattern in areas.iter().flat_map(|area| area.files) {
            let found = matching(&sources, pattern.strip_prefix("src/").unwrap());
            assert!(!found.is_empty(), "{package}: {pattern}");
            for file in found {
                assert!(page.contains(&format!("\n| {file} | ")), "{package}: no row for {file}");
            }
        }
    }
}

#[test]
fn a_pattern_names_files_that_are_no_tests() {
    let sources = workspace::root().join("crates/watchkeeper-queue/src");
    assert_eq!(matching(&sources, "state.rs"), ["state.rs"]);
    assert_eq!(matching(&sources, "gone.rs"), [""; 0]);
    let (one, all) = (matching(&sources, "state/*.rs"), matching(&sources, "state/**/*.rs"));
    assert!(one.contains(&"state/levels.rs".to_owned()) && all.contains(&one[0]));
    assert!(all.contains(&"state/levels/list.rs".to_owned()) && all.len() > one.len());
    assert!(!all.iter().any(|file| file.contains("tests") || file.contains("model")));
}

/// The files of `FILE.rs`, `FOLDER/*.rs` or `FOLDER/**/*.rs`, but for those of tests.
fn matching(sources: &Path, pattern: &str) -> Vec<String> {
    let Some((folder, rest)) = pattern.split_once("/*") else {
        return sources.join(pattern).exists().then(|| pattern.to_owned()).into_iter().collect();
    };
    let above = fs::read_to_string(sources.join(folder).with_extension("rs")).unwrap_or_default();
    let is_test = |module: &str| above.contains(&format!("#[cfg(test)]\nmod {module};"));
    let mut found = Vec::new();
    for entry in fs::read_dir(sources.join(folder)).into_iter().flatten() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        match name.strip_suffix(".rs") {
            Some(module) if is_test(module) => {}
            Some(_) => found.push(format!("{folder}/{name}")),
            None if rest.starts_with('*') && !is_test(&name) => {
                found.extend(matching(sources, &format!("{folder}/{name}/**/*.rs")));
            }
            None => {}
        }
    }
    found.sort();
    found
}
