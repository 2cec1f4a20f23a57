//! What comes from outside takes no more memory than a stated multiple of its length.
//!
//! A binary of its own, because its allocator counts what everything in it allocates: there is one
//! test, so that nothing runs beside it.

use std::alloc::System;

use cap::Cap;
use proptest::test_runner::{Config, TestRunner};
use watchkeeper_api::apiextensions::v1::CustomResourceDefinition;
use watchkeeper_api::core::v1::{Pod, PodTemplate};
use watchkeeper_api::json::{self, Read};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::pb::{self, Decoder, MAX_GROWTH, Message};
use watchkeeper_api::registry::Registry;
use watchkeeper_api::selector::{FieldSelector, Selector};
use watchkeeper_api::{Metadata, Raw, Unstructured};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// How much reading a text for people takes for each of its bytes, at most: a node of YAML is worth some
/// hundred bytes, and aliases repeat eight of them for a byte.
const TEXT_GROWTH: usize = 8_192;

/// What every decode may take: a decoder's tables, an error.
const FIXED: usize = 104 << 10;

/// What a decoder may keep of what it was fed when all of its slots are full.
const KEPT: usize = 20 << 20;

/// What `read` took, counting also what it gave back meanwhile.
fn taken<R>(read: impl FnOnce() -> R) -> usize {
    let before = ALLOCATOR.total_allocated();
    let value = read();
    let taken = ALLOCATOR.total_allocated() - before;
    drop(value);
    taken
}

/// Fails when a text took more than is allowed.
fn decode_text<T: Read>(text: &str) -> usize {
    let mut decoder = json::Decoder::new().keep_managed_fields(true);
    let mut most = 0;
    for _ in 0..3 {
        most = most.max(taken(|| decoder.decode_str::<T>(text)));
    }
    most = most.max(taken(|| decoder.decode_noting::<T>(text.as_bytes())));
    let allowed = FIXED + json::MAX_GROWTH * text.len();
    let shown: String = text.chars().take(200).collect();
    assert!(most <= allowed, "{most} bytes for {} of input: {shown}", text.len());
    most
}

fn decode_texts(text: &str) -> usize {
    let taken = [
        decode_text::<Pod>(text),
        decode_text::<CustomResourceDefinition>(text),
        decode_text::<ObjectMeta>(text),
        decode_text::<Metadata<Pod>>(text),
        decode_text::<Raw>(text),
        decode_text::<Unstructured>(text),
    ];
    taken.into_iter().max().unwrap_or_default()
}

/// What takes the most memory for its length in JSON.
fn worst_texts() -> Vec<String> {
    let many = |element: &str| format!("[{}{element}]", format!("{element},").repeat(20_000));
    let named = |value: &str| {
        let members: Vec<_> = (0..5_000).map(|name| format!("\"{name:x}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    };
    let pod = |spec: &str| format!(r#"{{"spec":{{{spec}}}}}"#);
    let schema =
        |schema: &str| pod(&format!(r#""versions":[{{"schema":{{"openAPIV3Schema":{schema}}}}}]"#));
    let (open, close) = (r#"{"not":"#.repeat(90), "}".repeat(90));
    vec![
        pod(&format!(r#""containers":{}"#, many("{}"))),
        pod(&format!(r#""containers":{}"#, many(r#"{"resources":{"limits":{"":1}}}"#))),
        pod(&format!(r#""volumes":{}"#, many("{}"))),
        pod(&format!(r#""nodeSelector":{}"#, named("\"\""))),
        pod(&format!(r#""overhead":{}"#, named("0"))),
        format!(r#"{{"ownerReferences":{0},"finalizers":{0}}}"#, many("null")),
        format!(r#"{{"ownerReferences":{},"managedFields":{}}}"#, many("{}"), many("{}")),
        format!(r#"{{"metadata":{{"annotations":{}}}}}"#, named("null")),
        pod(&format!(r#""versions":{}"#, many("{}"))),
        schema(&format!(r#"{{"allOf":{}}}"#, many("{}"))),
        schema(&format!(r#"{{"properties":{}}}"#, named("{}"))),
        schema(&format!("{open}{{}}{close}")),
        many("[]"),
        named("{}"),
        format!("\"{}\"", r"\u0000".repeat(20_000)),
        format!(r#"{{"kind":"{}"}}"#, "x".repeat(20_000)),
    ]
}

/// Texts for people: manifests, in which aliases repeat what they name, and selectors.
fn worst_for_people() -> Vec<String> {
    let bomb: String = (1..9)
        .map(|level| format!("x{level}: &x{level} [{}]\n", format!("*x{},", level - 1).repeat(9)))
        .collect();
    vec![
        format!("x0: &x0 [a,a,a,a]\n{bomb}"),
        format!("a: &a {}\nb: [{}]\n", "y".repeat(10_000), "*a,".repeat(3_000)),
        format!("[{}]", "{a: },".repeat(5_000)),
        "--- {kind: a}\n".repeat(900),
        format!("[{}", "[".repeat(10_000)),
        "a,".repeat(10_000),
        format!("a in ({})", "b,".repeat(10_000)),
        format!("a={}", "\\".repeat(10_000)),
    ]
}

/// Fails when a text for people took more than is allowed.
fn read_by_people(text: &str) -> usize {
    let (registry, mut most) = (Registry::built_in(), 0);
    for taken in [
        taken(|| registry.read(text)),
        taken(|| text.parse::<Selector>()),
        taken(|| text.parse::<FieldSelector>()),
    ] {
        let allowed = FIXED + TEXT_GROWTH * text.len();
        let shown: String = text.chars().take(200).collect();
        assert!(taken <= allowed, "{taken} bytes for {} of input: {shown}", text.len());
        most = most.max(taken);
    }
    most
}

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

/// What a decoder keeps of inputs that differ a little, each read so often that it is known.
fn kept<D>(
    mut decoder: D,
    input: impl Fn(usize) -> Vec<u8>,
    read: impl Fn(&mut D, &[u8]),
) -> usize {
    let before = ALLOCATOR.allocated();
    // So many that the tables have all of their slots by then.
    for number in 0..2_500 {
        let input = input(number);
        (0..3).for_each(|_| read(&mut decoder, &input));
    }
    ALLOCATOR.allocated() - before
}

/// Fails when a decoder keeps more than is allowed of subtrees that are short and stand for much.
fn little_is_kept() -> usize {
    let terms = "preferredDuringSchedulingIgnoredDuringExecution";
    let empty = |number: usize| {
        let terms = format!(r#"{{"{terms}":[{{"weight":{number}}}{}]}}"#, ",{}".repeat(600));
        format!(r#"{{"spec":{{"affinity":{{"podAffinity":{terms}}}}}}}"#).into_bytes()
    };
    let short = |number: usize| {
        let texts: Vec<_> = (0..90).map(|index| format!(r#""{number:05}-{index:02}""#)).collect();
        let field = format!(r#"{{"key":"a","values":[{}]}}"#, texts.join(","));
        let terms = format!(r#"{{"{terms}":[{{"preference":{{"matchFields":[{field}]}}}}]}}"#);
        format!(r#"{{"spec":{{"affinity":{{"nodeAffinity":{terms}}}}}}}"#).into_bytes()
    };
    let message = |number: usize| {
        // Affinity (18) of a spec (2): of pods (2) preferred terms (2) with a weight (1).
        let weight = [0x08, number as u8 | 0x80, (number >> 7) as u8];
        let terms = [around(2, &weight), b"\x12\x00".repeat(1_000)].concat();
        around(2, &around(18, &around(2, &terms)))
    };
    let text = |decoder: &mut json::Decoder, input: &[u8]| {
        assert!(decoder.decode::<Pod>(input).is_ok());
    };
    let all = [
        kept(json::Decoder::new(), empty, text),
        kept(json::Decoder::new(), short, text),
        kept(Decoder::new(), message, |decoder, input| {
            assert!(decoder.message::<Pod>(input).is_ok());
        }),
    ];
    assert!(all.iter().all(|kept| *kept <= KEPT), "{all:?}");
    assert!(all[1] > KEPT / 10, "what is no burden is kept: {all:?}");
    all.into_iter().max().unwrap_or_default()
}

/// A message with one field, around another.
fn around(number: u8, inside: &[u8]) -> Vec<u8> {
    let tag = u16::from(number) << 3 | 2;
    let mut bytes = match tag {
        ..0x80 => vec![tag as u8],
        _ => vec![tag as u8 | 0x80, (tag >> 7) as u8],
    };
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
    println!("protobuf: at most {growth} bytes for a byte of the worst inputs");
    assert!(ran.is_ok(), "{ran:?}");
    assert!(growth > 50, "the worst inputs are harmless: {growth}");
    let most = |texts: Vec<String>, read: fn(&str) -> usize| {
        texts.iter().map(|text| read(text) / text.len()).max().unwrap_or_default()
    };
    let (texts, people) =
        (most(worst_texts(), decode_texts), most(worst_for_people(), read_by_people));
    println!("JSON: at most {texts} bytes, texts for people: {people}");
    println!("a decoder keeps at most {} bytes", little_is_kept());
    assert!(texts > 50 && people > 50, "the worst texts are harmless: {texts}, {people}");
}
