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

#[test]
fn every_file_of_the_states_is_there() {
    for States { package, files, .. } in STATES {
        for file in files {
            let folder = file.split_once("/*").map_or(*file, |(folder, _)| folder);
            let path = workspace::root().join("crates").join(package).join(folder);
            assert!(path.exists(), "{}", path.display());
        }
    }
}
