//! The functions that fuzzers feed, fed without a fuzzer: with the corpus, with changes of it, and
//! with texts made of what the grammars are made of.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use crate::{entries, entries_pb};

type Entry = fn(&[u8]);

const ENTRIES: [(&str, Entry); 6] = [
    ("json", entries::json),
    ("manifests", entries::manifests),
    ("protobuf", entries_pb::protobuf),
    ("watch", entries::watch),
    ("selectors", entries::selectors),
    ("quantities", entries::quantities),
];

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let files = fs::read_dir(&folder).expect("a corpus a target");
    let mut found: Vec<_> =
        files.map(|file| fs::read(file.expect("a file").path()).expect("a file")).collect();
    found.sort();
    found
}

#[test]
fn the_corpus_is_taken() {
    for (name, entry) in ENTRIES {
        let files = corpus(name);
        assert!(!files.is_empty() && files.len() < 50, "the corpus of {name} is small");
        files.iter().for_each(|bytes| entry(bytes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn what_is_near_the_corpus_is_taken(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        for (name, entry) in ENTRIES {
            let files = corpus(name);
            let mut bytes = files[file.index(files.len())].clone();
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            entry(&bytes);
            entry(&bytes[..cut.index(bytes.len())]);
        }
    }

    #[test]
    fn what_looks_right_is_taken(
        selector in "[a-c=!<>, ()/\\\\-]{0,16}",
        quantity in "[-+]?[0-9]{0,12}\\.?[0-9]{0,11}(([numkMGTPE]|[KMGTPE]i|[eE][-+]?[0-9]{1,3})s?|h[0-9]{1,3}m)?",
        json in "[\\[\\]{}\":,0-9a-c\\\\ -]{0,24}",
        bytes in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        entries::selectors(selector.as_bytes());
        entries::quantities(quantity.as_bytes());
        entries::json(json.as_bytes());
        entries::manifests(json.as_bytes());
        entries::watch(&bytes);
        let length = u32::try_from(bytes.len()).unwrap_or_default().to_be_bytes();
        entries::watch(&[&length[..], &bytes].concat());
        entries_pb::protobuf(&bytes);
    }
}
