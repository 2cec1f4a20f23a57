//! What comes from outside takes no more memory than a stated multiple of its length.
//!
//! A binary of its own, because its allocator counts what everything in it allocates: there is one
//! test, so that nothing runs beside it.

use std::alloc::System;

use cap::Cap;
use proptest::test_runner::{Config, TestRunner};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::core::v1::{Pod, PodTemplate};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::pb::{self, Decoder, MAX_GROWTH, Message};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// What every decode may take: a decoder's tables, an error.
const FIXED: usize = 96 << 10;

/// Fails when decoding took more than is allowed, counting also what it gave back meanwhile.
fn decode<T: Message + Default>(bytes: &[u8]) -> usize {
    let mut decoder = Decoder::new().keep_managed_fields(true);
    let mut most = 0;
    for _ in 0..3 {
        let before = ALLOCATOR.total_allocated();
        let decoded = decoder.message::<T>(bytes);
        let taken = ALLOCATOR.total_allocated() - before;
        drop(decoded);
        let allowed = FIXED + MAX_GROWTH * bytes.len();
        assert!(taken <= allowed, "{taken} bytes for {} of input: {bytes:?}", bytes.len());
        most = most.max(taken);
    }
    most
}

fn decode_all(bytes: &[u8]) -> usize {
    let taken = [
        decode::<Pod>(bytes),
        decode::<PodTemplate>(bytes),
        decode::<CustomResourceDefinition>(bytes),
        decode::<ObjectMeta>(bytes),
    ];
    taken.into_iter().max().unwrap_or_default()
}

/// A message with one field, around another.
fn around(number: u8, inside: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    let mut length = inside.len();
    while length > 0x7f {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(inside);
    bytes
}

/// What takes the most memory for its length: very many empty elements, deep nesting, long lengths.
fn worst() -> Vec<Vec<u8>> {
    let many = |element: &[u8]| element.repeat(20_000);
    let mut schemas = Vec::new();
    (0..150).for_each(|_| schemas = around(21, &schemas));
    vec![
        // A pod's containers (spec 2, containers 2) and volumes (1).
        around(2, &many(b"\x12\x00")),
        around(2, &many(b"\x0a\x00")),
        // Containers with an empty resource list each, in pieces as well as in a row.
        around(2, &around(2, &many(b"\x3a\x00"))),
        around(2, &many(b"\x12\x00\x0a\x00")),
        // Metadata: labels, owners, managed fields.
        around(1, &many(b"\x5a\x00")),
        many(b"\x6a\x00"),
        around(1, &many(b"\x8a\x01\x00")),
        // Schemas of a definition: versions, then `allOf` within `allOf`.
        around(1, &many(b"\x3a\x00")),
        around(1, &around(7, &around(4, &around(1, &schemas)))),
        around(1, &around(7, &around(4, &around(1, &many(b"\xaa\x01\x00"))))),
        // Lengths of what is not there.
        b"\x12\xff\xff\xff\xff\x07".to_vec(),
        around(2, b"\x12\xff\xff\xff\xff\x07"),
    ]
}

#[test]
fn memory_is_bounded_by_the_input() {
    let mut growth = 0;
    for bytes in worst() {
        growth = growth.max(decode_all(&bytes) / bytes.len());
    }
    let parts = proptest::collection::vec(
        (1_u8..32, 0_u8..6, proptest::collection::vec(0_u8..130, 0..24)),
        0..60,
    );
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let ran = runner.run(&parts, |parts| {
        let mut bytes = Vec::new();
        for (number, wire, value) in parts {
            match wire {
                2.. => bytes.extend(around(number, &value)),
                other => bytes.extend([number << 3 | other]),
            }
        }
        decode_all(&bytes);
        let _ = pb::body_to_json(&bytes);
        Ok(())
    });
    println!("at most {growth} bytes for a byte of the worst inputs");
    assert!(ran.is_ok(), "{ran:?}");
    assert!(growth > 50, "the worst inputs are harmless: {growth}");
}
