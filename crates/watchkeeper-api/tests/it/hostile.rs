//! What comes from outside cannot bring the reader down.

use proptest::prelude::*;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::json::{self, Decoder, MAX_DEPTH};
use watchkeeper_api::{Metadata, Raw, Unstructured};

const FILLED: &str = include_str!("../data/filled.jsonl");

fn decode_all_ways(bytes: &[u8]) {
    let mut decoder = Decoder::new().keep_managed_fields(true);
    for _ in 0..2 {
        let _ = decoder.decode::<Pod>(bytes);
        let _ = decoder.decode::<Deployment>(bytes);
        let _ = decoder.decode::<CustomResourceDefinition>(bytes);
        let _ = decoder.decode::<Metadata<Pod>>(bytes);
        let _ = decoder.decode::<Raw>(bytes);
        if let Ok(any) = decoder.decode::<Unstructured>(bytes) {
            let _ = any.get("/spec/template/spec/containers/0/name");
        }
    }
}

/// The filled objects of the kinds that `decode_all_ways` knows as types.
fn typed_lines() -> Vec<&'static str> {
    let kinds = ["Pod", "Deployment", "CustomResourceDefinition"];
    let lines = FILLED.lines();
    lines
        .filter(|line| kinds.iter().any(|kind| line.contains(&format!("{{\"kind\":\"{kind}\""))))
        .collect()
}

/// A definition whose schema has properties within properties.
fn nested_schema(levels: usize) -> String {
    let (open, close) = (r#"{"properties":{"a":"#.repeat(levels), "}}".repeat(levels));
    format!(r#"{{"spec":{{"versions":[{{"schema":{{"openAPIV3Schema":{open}{{}}{close}}}}}]}}}}"#)
}

#[test]
fn nesting_as_deep_as_allowed_fits_the_stack() {
    let levels = (MAX_DEPTH - 6) / 2;
    let deep: CustomResourceDefinition = json::from_str(&nested_schema(levels)).unwrap();
    assert_eq!(
        json::from_str::<CustomResourceDefinition>(&json::to_string(&deep)),
        Ok(deep.clone())
    );
    drop(deep);
    let error = json::from_str::<CustomResourceDefinition>(&nested_schema(levels + 1)).unwrap_err();
    assert_eq!(error.message(), "values are nested too deeply");
}

#[test]
fn another_kind_is_refused() {
    let error = json::from_str::<Pod>(r#"{"apiVersion":"v1","kind":"Node"}"#).unwrap_err();
    assert_eq!(error.to_string(), r#"kind: expected "Pod", found "Node" (at byte 26)"#);
    assert!(json::from_str::<Pod>(r#"{"metadata":{"name":"an item of a list"}}"#).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn broken_objects_are_refused_or_read(
        line in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let lines = typed_lines();
        let mut bytes = lines[line.index(lines.len())].as_bytes().to_vec();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if cut.index(4) == 0 {
            bytes.truncate(cut.index(bytes.len()));
        }
        decode_all_ways(&bytes);
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        decode_all_ways(&bytes);
    }
}
