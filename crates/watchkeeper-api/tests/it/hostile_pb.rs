//! Protobuf that comes from outside cannot bring the reader down.

use proptest::prelude::*;
use serde_json::Value;
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::apps::v1::Deployment;
use watchkeeper_api::core::v1::{Pod, Secret};
use watchkeeper_api::pb::{self, Decoder, Envelope, Event, ListFrames, WatchFrames};
use watchkeeper_api::{Metadata, Object};

const FILLED: &str = include_str!("../data/filled.jsonl");

fn decode_all_ways(bytes: &[u8]) {
    let mut decoder = Decoder::new().keep_managed_fields(true);
    for _ in 0..2 {
        let _ = decoder.message::<Pod>(bytes);
        let _ = decoder.message::<Deployment>(bytes);
        let _ = decoder.message::<CustomResourceDefinition>(bytes);
        let _ = decoder.object::<Metadata<Pod>>(bytes);
        let _ = decoder.list::<Secret>(bytes);
    }
    let _ = pb::body_to_json(bytes);
    let _ = Envelope::open(bytes);
    let _ = Event::open(bytes);
    let mut frames = ListFrames::default();
    let pieces = bytes.len() / 3 + 1;
    let pushed = bytes.chunks(pieces).try_for_each(|chunk| frames.push(chunk, |_| Ok(())));
    let _ = pushed.and_then(|()| frames.finish());
    let mut frames = WatchFrames::default();
    if frames.push(bytes).is_ok() {
        let _ = frames.frame();
    }
}

/// The filled objects of the kinds that `decode_all_ways` knows as types, as messages.
fn messages() -> Vec<Vec<u8>> {
    let kinds = ["Pod", "Deployment", "CustomResourceDefinition", "Secret"];
    let line_of = |kind: &&str| {
        let start = format!("{{\"kind\":\"{kind}\"");
        FILLED.lines().find(|line| line.starts_with(&start)).expect("it is filled")
    };
    let body = |line| pb::body_from_json(line).expect("it has protobuf");
    kinds.iter().map(line_of).map(body).collect()
}

/// Where one member of the object ends and the next begins, or the object ends: a message that is
/// cut there is a shorter message.
fn whole_cuts(body: &[u8]) -> Vec<usize> {
    let mut r = pb::Reader::new(body);
    let mut cuts = vec![0];
    while let Ok(tag) = r.tag() {
        if r.skip(tag).is_err() {
            break;
        }
        cuts.push(r.offset());
    }
    cuts
}

fn cut_everywhere<K: Object + pb::Message + Default>(body: &[u8]) -> usize {
    let envelope = Envelope::open(body).expect("a body");
    let message = envelope.message();
    let whole = whole_cuts(message);
    for end in 0..message.len() {
        let cut = pb::from_slice::<K>(&message[..end]);
        assert_eq!(cut.is_ok(), whole.contains(&end), "{end} bytes of {}", envelope.kind);
        assert!(cut.is_ok() || cut.is_err_and(|error| error.offset() <= end));
    }
    // The envelope tells that something is missing; behind the message two empty fields follow.
    for end in 0..body.len() {
        let cut = pb::from_body::<K>(&body[..end]);
        assert_eq!(cut.is_ok(), [body.len() - 4, body.len() - 2].contains(&end), "{end} bytes");
    }
    message.len()
}

#[test]
fn an_object_that_is_cut_anywhere_is_an_error() {
    let bodies = messages();
    let bytes = cut_everywhere::<Pod>(&bodies[0])
        + cut_everywhere::<Deployment>(&bodies[1])
        + cut_everywhere::<Secret>(&bodies[3]);
    println!("cut at each of {bytes} bytes");
    assert!(bytes > 20_000, "{bytes} bytes");
}

#[test]
fn every_byte_may_be_wrong() {
    let body = &messages()[3];
    for place in 0..body.len() {
        for wrong in [0, 0x7f, 0x80, 0xff, body[place] ^ 1, body[place] ^ 4] {
            let mut body = body.clone();
            body[place] = wrong;
            decode_all_ways(&body);
        }
    }
}

#[test]
fn fields_of_another_kind_say_so() {
    for line in FILLED.lines() {
        let given: Value = serde_json::from_str(line).expect("JSON");
        if given["kind"] == "Pod" {
            let body = pb::body_from_json(line).expect("a pod");
            let error = pb::from_body::<Deployment>(&body).unwrap_err();
            assert_eq!(error.message(), "expected Deployment of apps/v1, found \"Pod\" of \"v1\"");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn broken_messages_are_refused_or_read(
        index in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
        is_body in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let bodies = messages();
        let body = &bodies[index.index(bodies.len())];
        let mut bytes = if is_body {
            body.clone()
        } else {
            Envelope::open(body).expect("a body").message().to_vec()
        };
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
    fn any_bytes_are_refused_or_read(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        is_body in any::<bool>(),
    ) {
        decode_all_ways(&bytes);
        if is_body {
            decode_all_ways(&[b"k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12", &*bytes].concat());
        }
    }

    /// Bytes that look like messages: small numbers, each kind of value.
    #[test]
    fn messages_of_any_shape_are_refused_or_read(
        parts in prop::collection::vec((1_u8..20, 0_u8..6, prop::collection::vec(0_u8..24, 0..9)), 0..30),
    ) {
        let mut bytes = Vec::new();
        for (number, wire, value) in parts {
            bytes.push(number << 3 | wire);
            if wire == 2 {
                bytes.push(value.len() as u8);
            }
            bytes.extend(value);
        }
        decode_all_ways(&bytes);
    }
}
