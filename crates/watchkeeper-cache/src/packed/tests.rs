//! What is packed comes out as it was, whatever it was, and is small.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use watchkeeper_api::core::v1::{ConfigMap, Container, EnvVar, Pod, PodSpec};
use watchkeeper_api::json::{Decoder, Read, Write};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::pb::Message;
use watchkeeper_api::registry::{self, Visitor};
use watchkeeper_api::{HasMeta, List, Map, Object, StaticKind, Unstructured, json};

use super::{Form, Packed, Packer, known, nests_no_deeper};
use crate::delta::{Delta, Replacement};
use crate::item::Item;
use crate::store::Store;

/// A pod that has much in common with the others, and what no compressor could guess.
fn pod(number: u64) -> Pod {
    let unlike = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let uid = format!("{unlike:016x}-{:016x}", unlike.rotate_left(29) ^ 0x5bd1_e995);
    let env = |at: u64| EnvVar {
        name: format!("SETTING_NUMBER_{at}").into(),
        value: format!("the value of the setting with the number {at}").into(),
        ..EnvVar::default()
    };
    let container = |name: &str| Container {
        name: name.into(),
        image: format!("registry.example.com/team/{name}:v1.2.3").into(),
        env: (0..20).map(env).collect::<List<_>>().into(),
        ..Container::default()
    };
    Pod {
        metadata: ObjectMeta {
            name: format!("web-{number}").into(),
            namespace: "shop".into(),
            uid: uid.into(),
            resource_version: (1000 + number).to_string().into(),
            labels: Map::from([("app", "web"), ("pod-template-hash", "5d78c9869d")]),
            ..ObjectMeta::default()
        },
        spec: PodSpec {
            node_name: format!("node-{}", number % 7).into(),
            containers: [container("server"), container("proxy")].into_iter().collect(),
            ..PodSpec::default()
        },
        ..Pod::default()
    }
}

#[test]
fn what_was_packed_comes_out_as_it_was_with_each_dictionary() {
    let packer = Packer::sampling(64 << 10);
    let packed: Vec<Packed<Pod>> = (0..600).map(|number| packer.pack(pod(number))).collect();
    for (number, packed) in (0..).zip(&packed) {
        let pod = pod(number);
        assert_eq!(*packed.unpack(), pod);
        assert_eq!(packed.item_key(), pod.key());
        assert_eq!((packed.item_uid(), packed.item_version()), (pod.uid(), pod.resource_version()));
    }
    let numbers: Vec<u8> = packed.iter().map(|packed| packed.dictionary.number()).collect();
    assert!(numbers.is_sorted());
    assert_eq!(numbers[numbers.len() - 1], 2);
    assert_eq!(format!("{packer:?}"), "Packer(2 dictionaries)");
    let plain = json::to_string(&pod(0)).len();
    let (first, last) = (packed[0].size(), packed[packed.len() - 1].size());
    assert!(last * 2 < first && last * 12 < plain, "{last} of {plain}, {first} before");
}

/// Packs an object of each kind that there is, with all fields filled in.
struct EveryKind<'a> {
    objects: BTreeMap<(String, String), &'a str>,
    count: usize,
}

impl Visitor for EveryKind<'_> {
    fn visit<K: StaticKind + HasMeta + Message + Default + PartialEq>(&mut self) {
        let kind = K::static_kind();
        let name = (kind.api_version().into_owned(), kind.kind.to_string());
        let text = self.objects.get(&name).unwrap_or_else(|| panic!("{name:?} is not filled in"));
        let object: K = Decoder::new().keep_managed_fields(true).decode_str(text).unwrap();
        let packer = Packer::new();
        let packed = packer.pack(object.clone());
        // What was packed last is remembered: these are what is remembered instead.
        let others: Vec<_> = (0..500).map(|_| packer.pack(K::default())).collect();
        drop(others);
        forget_recent(&packed);
        assert!(*packed.unpack() == object, "{name:?}");
        self.count += 1;
    }
}

/// Has the next look make the object anew.
fn forget_recent<K: Object>(packed: &Packed<K>) {
    packed.dictionary.forget_recent();
}

#[test]
fn an_object_of_every_kind_comes_out_as_it_was() {
    let filled = include_str!("../../../watchkeeper-api/tests/data/filled.jsonl");
    let of = |text: &'static str| {
        let object: Unstructured = json::from_str(text).ok()?;
        Some(((object.kind().api_version().into_owned(), object.kind().kind.to_string()), text))
    };
    let mut kinds = EveryKind { objects: filled.lines().filter_map(of).collect(), count: 0 };
    registry::visit(&mut kinds);
    assert!(kinds.count > 15, "only {} kinds", kinds.count);
}

#[test]
fn an_object_of_no_known_type_comes_out_as_it_was() {
    let text = r#"{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a","resourceVersion":"7"},"spec":{"size":3}}"#;
    let foo: Unstructured = json::from_str(text).unwrap();
    let packed = Packer::new().pack(foo);
    forget_recent(&packed);
    assert_eq!(json::to_string(&*packed.unpack()), text);
    assert_eq!(packed.item_version(), "7");
}

/// Nests as deep as it was made, and writes what no decoder reads when that is too deep.
#[test]
fn what_could_not_be_read_again_is_kept_as_it_is() {
    let deep = |levels: usize| -> Unstructured {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        let text = format!(
            r#"{{"apiVersion":"v1","kind":"Foo","metadata":{{"name":"a"}},"x":{open}{close}}}"#
        );
        json::from_str(&text).unwrap()
    };
    let packer = Packer::new();
    let most = packer.pack(deep(json::MAX_DEPTH - 1));
    assert!(matches!(most.form, Form::Bytes(_)));
    forget_recent(&most);
    assert_eq!(*most.unpack(), deep(json::MAX_DEPTH - 1));
    let long = "long".repeat(100);
    let metadata = ObjectMeta { uid: (&*long).into(), ..ObjectMeta::default() };
    let map = ConfigMap { metadata, ..ConfigMap::default() };
    let packed = Packer::new().pack(map.clone());
    assert!(matches!(packed.form, Form::Whole(_)));
    assert_eq!((packed.item_uid(), &*packed.unpack()), (&*long, &map));
}

#[test]
fn what_was_packed_or_read_last_is_not_made_again() {
    let packer = Packer::new();
    let map = Arc::new(ConfigMap::default());
    let packed = packer.pack(Arc::clone(&map));
    assert!(Arc::ptr_eq(&packed.unpack(), &map));
    forget_recent(&packed);
    let made = packed.unpack();
    assert!(!Arc::ptr_eq(&made, &map) && made == map);
    assert!(Arc::ptr_eq(&packed.unpack(), &made));
}

/// What is packed of them is the same: their names do not stand there.
#[test]
fn objects_that_differ_in_name_alone_are_told_apart() {
    let packer = Packer::new();
    let named = |namespace: &str, name: &str| ConfigMap {
        metadata: ObjectMeta {
            namespace: namespace.into(),
            name: name.into(),
            ..ObjectMeta::default()
        },
        ..ConfigMap::default()
    };
    let maps = [named("shop", "a"), named("shop", "b"), named("bank", "b"), named("", "b")];
    let packed = maps.clone().map(|map| packer.pack(map));
    for (map, packed) in maps.iter().zip(&packed).chain(maps.iter().zip(&packed).rev()) {
        assert_eq!(*packed.unpack(), *map);
    }
}

/// Its texts are in no log.
#[test]
fn it_does_not_tell_what_is_in_it() {
    let packed = Packer::new().pack(pod(3));
    let told = format!("{packed:?}");
    assert!(told.starts_with("Packed(shop/web-3 @1003, ") && !told.contains("SETTING"), "{told}");
}

/// A config map of these words.
fn map(name: u8, version: u32, words: &[(String, String)]) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: format!("m{name}").into(),
            namespace: "shop".into(),
            uid: format!("uid-{name}").into(),
            resource_version: version.to_string().into(),
            ..ObjectMeta::default()
        },
        data: words.iter().map(|(key, value)| (&**key, &**value)).collect(),
        ..ConfigMap::default()
    }
}

/// What happens to a store: to objects by their numbers, with their data.
#[derive(Clone, Debug)]
enum Step {
    Put(u8, Vec<(String, String)>),
    Delete(u8),
    Replace(Vec<(u8, Vec<(String, String)>)>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let words = || prop::collection::vec((".{0,12}", "\\PC{0,40}"), 0..4);
    let step = prop_oneof![
        6 => (0..8_u8, words()).prop_map(|(name, words)| Step::Put(name, words)),
        2 => (0..8_u8).prop_map(Step::Delete),
        1 => prop::collection::vec((0..8_u8, words()), 0..6).prop_map(Step::Replace),
    ];
    prop::collection::vec(step, 1..40)
}

fn delta<T>(step: &Step, version: u32, make: impl Fn(ConfigMap) -> T) -> Delta<T> {
    let made = |name: u8, words: &[_]| Arc::new(make(map(name, version, words)));
    match step {
        Step::Put(name, words) => Delta::Updated(made(*name, words)),
        Step::Delete(name) => Delta::Deleted(made(*name, &[])),
        Step::Replace(list) => Delta::Replaced(Replacement {
            items: list.iter().map(|(name, words)| made(*name, words)).collect(),
            unreadable: Vec::new(),
            nameless: false,
            version: version.to_string(),
        }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The same deltas: the same changes, lists and indices.
    #[test]
    fn a_packed_store_tells_what_another_tells(steps in steps()) {
        let (plain, packed, packer) = (Store::new(), Store::new(), Packer::new());
        let first_of = |map: &ConfigMap| map.data.iter().next().map(|(key, _)| key.to_owned());
        let by_plain = plain.index(move |map: &ConfigMap| first_of(map));
        let by_packed = packed.index(move |map: &Packed<ConfigMap>| first_of(&map.unpack()));
        for (version, step) in (1..).zip(&steps) {
            let told = plain.apply(delta(step, version, |map| map));
            let packed_told = packed.apply(delta(step, version, |map| packer.pack(map)));
            let unpacked: Vec<_> = packed_told.iter().map(|change| change.unpack()).collect();
            prop_assert_eq!(format!("{told:?}"), format!("{unpacked:?}"));
            if version % 3 == 0 {
                packed.list().iter().for_each(|map| forget_recent(map));
            }
        }
        let unpacked = |found: Vec<Arc<Packed<ConfigMap>>>| {
            found.iter().map(|map| map.unpack()).collect::<Vec<_>>()
        };
        prop_assert_eq!(plain.list(), unpacked(packed.list()));
        prop_assert_eq!(by_plain.values(), by_packed.values());
        for value in by_plain.values() {
            prop_assert_eq!(by_plain.get(&value), unpacked(by_packed.get(&value)));
        }
        prop_assert_eq!(plain.version(), packed.version());
    }

    /// What is cut out comes back, wherever it stood and however often.
    #[test]
    fn what_was_cut_out_of_a_text_is_put_back(
        text in prop::collection::vec(prop_oneof!["[abü]{0,3}", Just("x".repeat(200))], 0..200),
        words in prop::array::uniform4("[abü]{0,3}"),
    ) {
        let text = text.concat();
        let known = words.each_ref().map(String::as_str);
        let (mut cut, mut bytes) = (text.clone(), Vec::new());
        known::cut(&mut cut, known, &mut bytes);
        bytes.extend_from_slice(b"rest");
        let (places, rest) = known::places(&bytes);
        prop_assert_eq!(rest, b"rest");
        let mut joined = Vec::new();
        known::join(cut.as_bytes(), known, places, &mut joined);
        prop_assert_eq!(joined, text.as_bytes());
        let gone: usize =
            known.iter().zip(places).filter(|(_, place)| place.is_some()).map(|(word, _)| word.len()).sum();
        prop_assert_eq!(cut.len() + gone, text.len());
    }

    /// What is said to be readable is, and what is not is not.
    #[test]
    fn it_is_known_what_nests_too_deeply_to_be_read(
        text in "(\\[|\\{\"[\\[{a]{0,3}\\\\\\\\\\[?\":){0,9}\"([\\[{\\]}]|\\\\\"|\\\\\\\\){0,6}\"",
        limit in 0..9_usize,
    ) {
        let closed: String = {
            let mut opens = Vec::new();
            let (mut in_text, mut escaped) = (false, false);
            for byte in text.bytes() {
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' => escaped = true,
                    b'"' => in_text = !in_text,
                    b'[' if !in_text => opens.push(']'),
                    b'{' if !in_text => opens.push('}'),
                    _ => {}
                }
            }
            text.chars().chain(opens.into_iter().rev()).collect()
        };
        let read = Decoder::new().decode_str::<Anything>(&closed);
        prop_assert!(read.is_ok(), "{}: {:?}", closed, read);
        let read = Decoder::new().max_depth(limit).decode_str::<Anything>(&closed);
        prop_assert_eq!(read.is_ok(), nests_no_deeper(&closed, limit), "{}", closed);
    }
}

/// Any JSON.
#[derive(Debug)]
struct Anything;

impl Read for Anything {
    fn read(r: &mut json::Reader<'_>) -> Result<Self, json::ReadError> {
        r.raw().map(|_| Self)
    }
}

impl Write for Anything {
    fn write(&self, w: &mut json::Writer) {
        w.raw("null");
    }

    fn is_default(&self) -> bool {
        true
    }
}
