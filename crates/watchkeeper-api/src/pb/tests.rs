use super::*;
use crate::core::v1::{ConfigMap, Container, Pod, Probe};
use crate::meta::v1::{DeleteOptions, ListMeta, ObjectMeta};
use crate::{ByteString, IntOrString, List, Map, MicroTime, Quantity, Raw, Time};

/// The bytes of a field, with number 1.
fn put(field: &impl Field, rule: Rule) -> Vec<u8> {
    let mut w = Writer::new();
    field.put(&mut w, 1, rule);
    w.finish()
}

fn merge<T: Field + Default>(bytes: &[u8]) -> Result<T, ReadError> {
    let mut value = T::default();
    let mut r = Reader::new(bytes);
    while !r.is_done() {
        let tag = r.tag()?;
        value.merge(&mut r, tag, Rule::Plain)?;
    }
    Ok(value)
}

#[test]
fn scalars_have_the_bytes_of_go() {
    assert_eq!(put(&-1_i32, Rule::Plain), b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    assert_eq!(put(&false, Rule::Plain), b"\x08\x00");
    assert_eq!(put(&None::<bool>, Rule::Plain), b"");
    assert_eq!(put(&Some(0_i64), Rule::Plain), b"\x08\x00");
    assert_eq!(put(&0.5_f64, Rule::Plain), b"\x09\0\0\0\0\0\0\xe0\x3f");
    assert_eq!(put(&crate::IStr::EMPTY, Rule::Plain), b"\x0a\x00");
    assert_eq!(put(&Quantity::from("1Gi"), Rule::Plain), b"\x0a\x05\x0a\x031Gi");
    assert_eq!(put(&Quantity::default(), Rule::Plain), b"\x0a\x03\x0a\x010");
    let port = IntOrString::from("http");
    assert_eq!(put(&port, Rule::Plain), b"\x0a\x0a\x08\x01\x10\x00\x1a\x04http");
    assert_eq!(put(&IntOrString::from(80), Rule::Plain), b"\x0a\x06\x08\x00\x10\x50\x1a\x00");
}

#[test]
fn times_are_seconds_and_an_empty_one_is_none() {
    let time = Some(Time::from_unix(1));
    assert_eq!(put(&time, Rule::Plain), b"\x0a\x04\x08\x01\x10\x00");
    assert_eq!(put(&None::<Time>, Rule::Value), b"\x0a\x00");
    assert_eq!(put(&None::<Time>, Rule::Plain), b"");
    assert_eq!(merge::<Option<Time>>(b"\x0a\x00"), Ok(None));
    assert_eq!(merge::<Option<Time>>(b"\x0a\x04\x08\x01\x10\x05"), Ok(time));
    let before = Some(MicroTime::from_unix_micros(-1));
    assert_eq!(merge::<Option<MicroTime>>(&put(&before, Rule::Plain)), Ok(before));
}

#[test]
fn empty_bytes_are_written_within_maps_only() {
    assert_eq!(put(&ByteString::default(), Rule::Plain), b"");
    let map: Map<ByteString> = Map::from([("a", ByteString::default())]);
    assert_eq!(put(&map, Rule::Plain), b"\x0a\x05\x0a\x01a\x12\x00");
}

#[test]
fn a_list_may_come_in_pieces_and_packed() {
    let list: List<i64> = merge(b"\x08\x01\x08\x02\x0a\x02\x03\x04\x08\x05").expect("legal");
    assert_eq!(*list, [1, 2, 3, 4, 5]);
    let map: Map =
        merge(b"\x0a\x06\x0a\x01b\x12\x01x\x0a\x06\x0a\x01a\x12\x01y\x0a\x06\x0a\x01b\x12\x01z")
            .expect("legal");
    assert_eq!(map, Map::from([("a", "y"), ("b", "z")]));
}

#[test]
fn a_list_in_very_many_pieces_is_refused() {
    // Finalizers and labels in turn.
    let bytes = b"\x72\x01f\x5a\x02\x0a\x00".repeat(2_000);
    let error = from_slice::<ObjectMeta>(&bytes).unwrap_err();
    assert_eq!(error.message(), "a list comes in too many pieces");
}

#[test]
fn a_message_that_comes_twice_is_merged() {
    // A probe with a delay, and one with a timeout: Container 10, Probe 2 and 3.
    let bytes = b"\x52\x02\x10\x05\x52\x02\x18\x07";
    let both = Some(crate::Shared::from(Probe {
        initial_delay_seconds: 5,
        timeout_seconds: 7,
        ..Probe::default()
    }));
    assert_eq!(from_slice::<Container>(bytes).expect("legal").liveness_probe, both);
    let mut decoder = Decoder::new();
    for _ in 0..4 {
        assert_eq!(decoder.message::<Container>(bytes).expect("legal").liveness_probe, both);
    }
}

#[test]
fn managed_fields_are_dropped_unless_kept() {
    let line = include_str!("../../tests/data/filled.jsonl")
        .lines()
        .find(|line| line.starts_with(r#"{"kind":"ConfigMap""#))
        .expect("it is there");
    let body = body_from_json(line).expect("a ConfigMap");
    let dropped: ConfigMap = from_body(&body).expect("a ConfigMap");
    assert!(dropped.metadata.managed_fields.is_empty());
    let kept: ConfigMap =
        Decoder::new().keep_managed_fields(true).body(&body).expect("a ConfigMap");
    assert_eq!(kept.metadata.managed_fields.len(), 1);
    assert!(!kept.metadata.managed_fields[0].fields_v1.as_ref().expect("filled").is_empty());
}

#[test]
fn unknown_members_of_every_wire_type_are_skipped_or_refused() {
    let mut bytes = to_vec(&object_named("a"));
    let known = bytes.len();
    // Field 100 as varint, 64 bits, text, group with a text inside, 32 bits.
    bytes.extend(b"\xa0\x06\x01\xa1\x0612345678\xa2\x06\x01x\xa3\x06\x0a\x01x\xa4\x06\xa5\x061234");
    assert_eq!(from_slice::<ConfigMap>(&bytes).expect("skipped"), object_named("a"));
    let error = Decoder::new().strict(true).message::<ConfigMap>(&bytes).unwrap_err();
    assert_eq!((error.message(), error.offset()), ("unknown field 100", known));
}

#[test]
fn errors_tell_the_path_and_the_byte() {
    let mut pod = Pod::default();
    pod.metadata.name = "a".into();
    pod.spec.containers = List::from([Container { name: "xyz".into(), ..Container::default() }]);
    let mut bytes = to_vec(&pod);
    let place = bytes.windows(3).position(|part| part == b"xyz").expect("the name");
    bytes[place] = 0xff;
    let error = from_slice::<Pod>(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("spec.containers[0].name: the text is not UTF-8 (at byte {place})")
    );
    bytes[place - 2] = 0x08;
    let error = from_slice::<Pod>(&bytes).unwrap_err();
    assert_eq!(error.path(), "spec.containers[0].name");
    assert_eq!(error.message(), "expected a value of wire type Length, found Varint");
}

#[test]
fn lengths_are_not_believed() {
    for bytes in [&b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"[..], b"\x0a\x05abc", b"\x0a"] {
        let error = from_slice::<ConfigMap>(bytes).unwrap_err();
        assert_eq!(error.offset(), 1, "{bytes:?}");
    }
    assert!(from_slice::<ConfigMap>(b"\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x02").is_err());
    assert!(from_slice::<ConfigMap>(b"\x00").is_err(), "no field has number 0");
    assert!(from_slice::<ConfigMap>(b"\x0c").is_err(), "no group was open");
    assert!(from_slice::<ConfigMap>(b"\x0f\x01").is_err(), "no wire type 7");
}

#[test]
fn nesting_without_end_is_refused() {
    use crate::apiextensions::v1::JSONSchemaProps;
    // `not` within `not`.
    let nested = |levels: usize| {
        let mut w = Writer::new();
        (0..levels).for_each(|_| w.close(28, 0));
        w.finish()
    };
    assert!(from_slice::<JSONSchemaProps>(&nested(MAX_DEPTH)).is_ok());
    let error = from_slice::<JSONSchemaProps>(&nested(MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(error.message(), "messages are nested too deeply");
}

#[test]
fn limits_are_set() {
    let body = to_body(&object_named("a"));
    let message = to_vec(&object_named("a"));
    let read = |decoder: Decoder| {
        let mut decoder = decoder;
        decoder.message::<ConfigMap>(&message).and_then(|_| decoder.body::<ConfigMap>(&body))
    };
    assert!(read(Decoder::new().max_depth(3).max_length(body.len())).is_ok());
    let error = read(Decoder::new().max_depth(1)).unwrap_err();
    assert_eq!(error.message(), "messages are nested too deeply");
    for length in [0, message.len() - 1, body.len() - 1] {
        let error = read(Decoder::new().max_length(length)).unwrap_err();
        assert_eq!((error.message(), error.offset()), ("the message is too long", length));
    }
    let list = list_to_body(&ConfigMap::KIND, &ListMeta::default(), [&object_named("a") as _]);
    assert!(Decoder::new().max_length(list.len() - 1).list::<ConfigMap>(&list).is_err());
    // More than a stack holds is not allowed by asking for it.
    let nested = (0..MAX_DEPTH + 1).fold(Writer::new(), |mut w, _| {
        w.close(28, 0);
        w
    });
    let mut deep = Decoder::new().max_depth(usize::MAX);
    assert!(deep.message::<crate::apiextensions::v1::JSONSchemaProps>(&nested.finish()).is_err());
}

/// Of hostile input a decoder keeps no more than its tables hold, and nothing once it is told to forget.
#[test]
fn what_is_kept_of_messages_is_bounded_and_can_be_forgotten() {
    let mut decoder = Decoder::new();
    let mut held = Vec::new();
    for round in 0..6_000_u32 {
        let text = format!("{round}{}", "x".repeat(300));
        let mut config = object_named(&text);
        config.metadata.labels.insert(&*text, &*text);
        config.data.insert(&*text, &*text);
        let message = to_vec(&config);
        for _ in 0..3 {
            decoder.message::<ConfigMap>(&message).unwrap();
        }
        held.push(decoder.held());
    }
    let (slots, bytes) = held[held.len() - 1];
    assert_eq!(held.iter().map(|(slots, _)| *slots).max(), Some(slots), "as many as there are");
    let most = held.iter().map(|(_, bytes)| *bytes).max().unwrap_or_default();
    assert!(bytes > 100_000 && most <= slots * crate::tables::LONGEST_SHARED, "{most} in {slots}");
    decoder.forget();
    assert_eq!(decoder.held(), (0, 0));
    assert!(decoder.message::<ConfigMap>(&to_vec(&object_named("a"))).is_ok());
}

#[test]
fn what_was_kept_under_other_options_is_forgotten() {
    let pod: Pod = crate::object!(Pod {
        spec: { affinity: { node_affinity: {
            required_during_scheduling_ignored_during_execution: {
                node_selector_terms: [{ match_fields: [{ key: "metadata.name" }] }],
            },
        } } },
    });
    let message = to_vec(&pod);
    let mut decoder = Decoder::new();
    for _ in 0..4 {
        assert_eq!(decoder.message::<Pod>(&message).as_ref(), Ok(&pod));
    }
    assert!(decoder.held().1 > 0);
    let mut decoder = decoder.max_depth(2);
    let fresh = Decoder::new().max_depth(2).message::<Pod>(&message);
    assert!(fresh.is_err());
    assert_eq!(decoder.message::<Pod>(&message), fresh);
    let mut decoder = decoder.max_depth(MAX_DEPTH);
    for _ in 0..4 {
        assert_eq!(decoder.message::<Pod>(&message).as_ref(), Ok(&pod));
    }
    assert_eq!(decoder.keep_managed_fields(true).held(), (0, 0));
}

#[test]
fn another_kind_is_refused() {
    let body = to_body(&object_named("a"));
    let error = from_body::<Pod>(&body).unwrap_err();
    assert_eq!(error.message(), "expected Pod of v1, found \"ConfigMap\" of \"v1\"");
    assert_eq!(from_body::<ConfigMap>(b"{}").unwrap_err().offset(), 0);
    // Options go by the version of any group.
    let options = envelope::seal("apps/v1", "DeleteOptions", &DeleteOptions::default());
    assert_eq!(from_body::<DeleteOptions>(&options), Ok(DeleteOptions::default()));
}

#[test]
fn an_object_in_protobuf_is_no_json() {
    let mut w = Writer::new();
    w.bytes(1, &to_body(&object_named("a")));
    w.close(1, 0);
    let error = merge::<Raw>(&w.finish()).unwrap_err();
    assert_eq!((error.message(), error.offset()), ("the object inside is protobuf, not JSON", 4));
    let error = merge::<Raw>(b"\x0a\x05\x0a\x03{x}").unwrap_err();
    assert_eq!(error.offset(), 5);
}

#[test]
fn metadata_alone_is_read_from_the_whole_object() {
    let config = object_named("a");
    let metadata: crate::Metadata<ConfigMap> =
        Decoder::new().object(&to_vec(&config)).expect("metadata");
    assert_eq!(metadata.metadata, config.metadata);
    let body = to_body(&metadata);
    assert_eq!(from_body::<crate::Metadata<ConfigMap>>(&body), Ok(metadata));
}

fn object_named(name: &str) -> ConfigMap {
    crate::object!(ConfigMap { metadata: { name: name }, data: { "key": "value" } })
}
