use super::*;

fn write(folder: &Path, lists: [(&str, &str); 4]) {
    fs::create_dir_all(folder).unwrap();
    for (name, text) in lists {
        fs::write(folder.join(format!("{name}.txt")), text).unwrap();
    }
}

#[test]
fn what_became_of_the_mutants_is_told_by_file() {
    let folder = std::env::temp_dir().join(format!("xtask-mutants-{}", std::process::id()));
    let lists = [
        (
            "caught",
            "crates/q/src/state.rs:1:2: replace a\ncrates/q/src/state/ready.rs:3:4: replace b\n",
        ),
        ("timeout", "crates/q/src/state.rs:9:9: replace += with *= in c\n"),
        ("missed", "crates/q/src/state.rs:5:6: replace < with <= in d\n"),
        ("unviable", "crates/q/src/state.rs:7:8: replace e\n"),
    ];
    write(&folder, lists);
    let told = Tally::read(&folder).map(|tally| tally.to_string());
    write(&folder, lists.map(|(name, _)| (name, "")));
    let nothing = Tally::read(&folder).map(|tally| tally.to_string());
    fs::remove_dir_all(&folder).unwrap();
    let expected = "\
| module | mutants | caught | hung | survived |
|---|---|---|---|---|
| state.rs | 3 | 1 | 1 | 1 |
| state/ready.rs | 1 | 1 | 0 | 0 |
| all | 4 | 2 | 1 | 1 |
75.0 % caught; 1 did not compile
survived: crates/q/src/state.rs:5:6: replace < with <= in d
";
    assert_eq!(told.as_deref(), Ok(expected));
    assert_eq!(nothing, Err("there was no mutant at all".to_owned()));
}

/// What is measured is written down: a file that comes to the states, or goes, is missed here.
#[test]
fn every_file_of_the_states_is_there_and_has_a_row() {
    let page = fs::read_to_string(workspace::root().join("docs/design/mutants.md")).unwrap();
    for States { package, files, .. } in STATES {
        let sources = workspace::root().join("crates").join(package).join("src");
        for pattern in files {
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
