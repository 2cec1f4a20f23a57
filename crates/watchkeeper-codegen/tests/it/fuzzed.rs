//! What a fuzzer feeds, fed without one: the corpus, what is near it, and schemas made up.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::json;

use watchkeeper_codegen::Generator;

use crate::{entries, schemas};

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/definitions");
    let files = fs::read_dir(&folder).expect("a corpus");
    let mut found: Vec<_> =
        files.map(|file| fs::read(file.expect("a file").path()).expect("a file")).collect();
    found.sort();
    assert!(!found.is_empty() && found.len() < 50, "the corpus is small");
    found
}

#[test]
fn the_corpus_is_taken() {
    for bytes in corpus() {
        entries::definitions(&bytes);
    }
}

#[test]
fn names_that_no_server_takes_are_refused() {
    let refused = |group: &str, version: &str, kind: &str, plural: &str| {
        let definition = json!({
            "kind": "CustomResourceDefinition",
            "spec": {
                "group": group, "scope": "Cluster", "names": { "kind": kind, "plural": plural },
                "versions": [{ "name": version }],
            },
        });
        Generator::new().text("x", &definition.to_string()).err().map(|error| error.to_string())
    };
    assert_eq!(refused("1.x-y.io", "v1", "Foo", "foos"), None);
    for (group, version, kind, plural, told) in [
        ("x.io", "0", "Foo", "foos", "versions[0].name: no version is called \"0\""),
        ("x.io", "v1", "", "foos", "names.kind: no kind is called \"\""),
        ("x.io", "v1", "Fo o", "foos", "names.kind: no kind is called \"Fo o\""),
        ("x.io", "v1", "Foo", "Foos", "names.plural: no plural is called \"Foos\""),
        ("x..io", "v1", "Foo", "foos", "group: no group is called \"\""),
        ("x/y", "v1", "Foo", "foos", "group: no group is called \"x/y\""),
    ] {
        let told = format!("x: document 1, spec.{told}");
        assert_eq!(refused(group, version, kind, plural), Some(told));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_near_the_corpus_is_taken(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let files = corpus();
        let mut bytes = files[file.index(files.len())].clone();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        entries::definitions(&bytes);
        entries::definitions(&bytes[..cut.index(bytes.len())]);
    }

    #[test]
    fn any_schema_becomes_rust(texts in schemas::texts()) {
        for text in texts {
            entries::definitions(text.as_bytes());
        }
    }
}
