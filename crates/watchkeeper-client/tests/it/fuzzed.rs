//! What a fuzzer feeds, fed without one: the corpus, what is near it, and events made up.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::meta::v1::ListMeta;
use watchkeeper_api::{object, pb};

use crate::entries;

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/streams");
    let files = fs::read_dir(&folder).unwrap();
    let mut found: Vec<_> = files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect();
    found.sort();
    assert!(!found.is_empty() && found.len() < 50, "the corpus is small");
    found.extend(messages());
    found
}

/// A watch and a list in protobuf, as a server writes them.
fn messages() -> [Vec<u8>; 2] {
    let map = |name: &str| object!(ConfigMap { metadata: { name: name }, data: { "k": "v" } });
    let events = ["ADDED", "MODIFIED", "GUESS"].map(|type_| pb::event_to_frame(type_, &map("a")));
    let maps = [map("a"), map("b")];
    let items = maps.iter().map(|map| map as &dyn pb::Message);
    let list = pb::list_to_body(&ConfigMap::KIND, &ListMeta::default(), items);
    [[&[3, 2, 3, 5][..], &events.concat()].concat(), [&[2, 2, 3, 5][..], &list].concat()]
}

#[test]
fn the_corpus_is_taken() {
    for bytes in corpus() {
        for how in 0..4 {
            entries::streams(&[&[how], &bytes[1..]].concat());
        }
        entries::streams(&bytes);
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
        entries::streams(&bytes);
        entries::streams(&bytes[..cut.index(bytes.len())]);
    }

    #[test]
    fn what_looks_right_is_taken(
        how in 0_u8..4,
        pieces in any::<[u8; 3]>(),
        text in "(\\{\"type\":\"(ADDED|BOOKMARK|ERROR|X)\",\"object\":|[\\[\\]{}\":,0-9a-c\\\\ \n-]|\"items\"|\"metadata\"|\"kind\"){0,12}",
    ) {
        entries::streams(&[&[how][..], &pieces, text.as_bytes()].concat());
    }
}
