use serde_json::json;

use super::*;

fn entry(genre: &str, file: &str) -> serde_json::Value {
    let span = json!({ "start": { "line": 2, "column": 3 }, "end": { "line": 2, "column": 4 } });
    json!({ "genre": genre, "file": file, "name": "a name", "replacement": "<", "span": span })
}

#[test]
fn what_is_listed_is_read() {
    let list = json!([entry("BinaryOperator", "crates/q/src/state.rs")]).to_string();
    let mutants = read(list.as_bytes(), "crates/q/").unwrap();
    let mutant = &mutants[0];
    assert_eq!((mutants.len(), &*mutant.file, &*mutant.name), (1, "src/state.rs", "a name"));
    assert_eq!((mutant.kind, &*mutant.replacement), (Kind::Binary, "<"));
    assert_eq!(mutant.range("é\né > b"), Ok(6..7));
    assert_eq!(mutant.range("one line"), Err("not in the file: a name".to_owned()));
}

#[test]
fn what_is_not_known_is_told() {
    for unknown in
        [entry("NewGenre", "crates/q/src/state.rs"), entry("FnValue", "elsewhere"), json!({})]
    {
        let error = read(json!([unknown]).to_string().as_bytes(), "crates/q/").unwrap_err();
        assert!(error.starts_with("cargo-mutants lists what is not known here: "), "{error}");
    }
    assert!(read(b"no list", "").unwrap_err().starts_with("what cargo-mutants lists: "));
}
