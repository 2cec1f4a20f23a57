//! The codec against serde_json, and the texts of its errors.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::Value;

use super::{Decoder, Names, Read, ReadError, Reader, from_str, to_string};
use crate::core::v1::Pod;
use crate::meta::v1::ObjectMeta;
use crate::{IStr, List, Map, MicroTime, Quantity, Raw, Shared, Time, names};

fn check_error<T: Read>(text: &str, expected: &Expect) {
    let message = from_str::<T>(text).err().map_or("read".to_owned(), |error| error.to_string());
    expected.assert_eq(&message);
}

#[test]
fn errors_say_what_and_where() {
    check_error::<i32>("\"a\"", &expect!["expected a number, found a string (at byte 0)"]);
    check_error::<i32>("1.5", &expect!["1.5 is not a whole number (at byte 0)"]);
    check_error::<i32>("3000000000", &expect!["3000000000 is out of range (at byte 0)"]);
    check_error::<i64>(
        "-9999999999999999999",
        &expect!["-9999999999999999999 is out of range (at byte 0)"],
    );
    check_error::<i32>("01", &expect!["malformed number (at byte 0)"]);
    check_error::<bool>("yes", &expect!["expected true or false, found 'y' (at byte 0)"]);
    check_error::<IStr>("\"a", &expect!["the text ends within a string (at byte 2)"]);
    check_error::<IStr>("\"\\x\"", &expect!["unknown escape within a string (at byte 1)"]);
    check_error::<IStr>("\"\u{1}\"", &expect!["a control character within a string (at byte 1)"]);
    check_error::<List<i32>>("[1 2]", &expect!["expected `,` or `]`, found a number (at byte 3)"]);
    check_error::<List<i32>>("[1,]", &expect!["[1]: expected a number, found ']' (at byte 3)"]);
    check_error::<Map<i32>>(
        "{\"a b\":{}}",
        &expect![[r#"["a b"]: expected a number, found an object (at byte 7)"#]],
    );
    check_error::<Map<List<bool>>>(
        "{\"a\":[0]}",
        &expect!["a[0]: expected true or false, found a number (at byte 6)"],
    );
    check_error::<Map>("{\"a\" 1}", &expect!["expected `:`, found a number (at byte 5)"]);
    check_error::<Map>(
        "{a:1}",
        &expect!["expected a member name in quotes, found 'a' (at byte 1)"],
    );
    check_error::<Time>(
        "\"today\"",
        &expect!["not a time as in 2026-03-01T12:00:00Z (RFC 3339) (at byte 0)"],
    );
    check_error::<i32>("1 2", &expect!["expected the end, found a number (at byte 2)"]);
    check_error::<Raw>("", &expect!["the text ends too early (at byte 0)"]);
    check_error::<Raw>(&"[".repeat(5_000), &expect!["values are nested too deeply (at byte 200)"]);
}

#[test]
fn the_path_of_a_deep_error_is_cut() {
    let error = (0..100).fold(ReadError::new("wrong", 7), |error, _| error.in_element(0));
    assert!(error.path().starts_with("…[0][0]") && error.path().len() < 100);
    let error = ReadError::new("wrong", 7).in_member("a/b").in_element(1).in_member("c");
    assert_eq!(error.path(), r#"c[1]["a/b"]"#);
}

#[test]
fn null_reads_as_default() {
    assert_eq!(from_str::<i32>("null"), Ok(0));
    assert_eq!(from_str::<IStr>(" null "), Ok(IStr::EMPTY));
    assert_eq!(from_str::<List<i32>>("null"), Ok(List::new()));
    assert_eq!(from_str::<Option<i32>>("null"), Ok(None));
    assert_eq!(from_str::<Map<Option<i32>>>("{\"a\":null}"), Ok(Map::from([("a", None::<i32>)])));
    assert_eq!(from_str::<MicroTime>("null"), Ok(MicroTime::default()));
}

#[test]
fn escapes_are_undone() {
    let text = r#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx\ude00""#;
    let expected = "\"\\/\u{8}\u{c}\n\r\té😀\u{fffd}x\u{fffd}";
    assert_eq!(from_str::<String>(text).unwrap(), expected);
}

#[test]
fn bytes_that_are_no_utf8_are_refused() {
    let error = Decoder::new().decode::<IStr>(b"\"\xff\"").unwrap_err();
    assert_eq!(error.to_string(), "the text is not UTF-8 (at byte 1)");
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z\"\\\\ é]{0,4}", inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_kept_as_it_is(value in json()) {
        let compact = value.to_string();
        let kept: Raw = from_str(&compact).unwrap();
        // `null` is how the absent value is written.
        let expected = if value.is_null() { "" } else { &compact };
        prop_assert_eq!(kept.as_str(), expected);
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        let kept: Raw = from_str(&pretty).unwrap();
        // `null` is how the absent value is written.
        let expected = if value.is_null() { "" } else { &compact };
        prop_assert_eq!(kept.as_str(), expected);
    }

    #[test]
    fn texts_survive(text in any::<String>()) {
        let written = to_string(&text);
        prop_assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text.as_str());
        prop_assert_eq!(from_str::<String>(&written).unwrap(), text.as_str());
        let theirs = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(from_str::<String>(&theirs).unwrap(), text);
    }

    #[test]
    fn numbers_survive(whole in any::<i64>(), float in any::<f64>()) {
        prop_assert_eq!(from_str::<i64>(&to_string(&whole)).unwrap(), whole);
        if float.is_finite() {
            prop_assert_eq!(from_str::<f64>(&to_string(&float)).unwrap(), float);
        }
    }

    #[test]
    fn accepts_what_serde_json_accepts(text in "[\\[\\]{}\",:0-9.eE+a-z\\\\ -]{0,16}") {
        let ours: Result<Raw, ReadError> = from_str(&text);
        let theirs = serde_json::from_str::<Box<serde::de::IgnoredAny>>(&text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} {:?}", ours, theirs);
    }
}

type Trees = List<Shared<List<IStr>>>;

#[test]
fn a_subtree_met_for_the_third_time_is_not_decoded_again() {
    let text = r#"[["some text of a length"],["some text of a length"],["some text of a length"],["other text, as long"]]"#;
    let mut decoder = Decoder::new();
    let trees: Trees = decoder.decode_str(text).unwrap();
    assert!(!trees[0].is_same(&trees[1]));
    assert!(trees[1].is_same(&trees[2]));
    let again: Trees = decoder.decode_str(text).unwrap();
    assert!(trees[1].is_same(&again[0]) && again[0].is_same(&again[2]));
    assert_eq!(trees, again);
    assert_eq!(trees, from_str::<Trees>(text).unwrap());
    let numbers: List<Shared<List<Quantity>>> = decoder.decode_str(text).unwrap();
    assert_eq!(numbers[2].len(), 1);
}

#[test]
fn strict_and_managed_fields_are_options_of_the_decoder() {
    let text = r#"{"name":"a","managedFields":[{"manager":"x"}],"unheardOf":{"b":[1]}}"#;
    let meta: ObjectMeta = Decoder::new().decode_str(text).unwrap();
    assert!(meta.managed_fields.is_empty());
    let meta: ObjectMeta = Decoder::new().keep_managed_fields(true).decode_str(text).unwrap();
    assert_eq!(meta.managed_fields[0].manager, "x");
    let error = Decoder::new().strict(true).decode_str::<ObjectMeta>(text).unwrap_err();
    assert_eq!(error.to_string(), "unheardOf: unknown field (at byte 58)");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sharing_changes_no_value(texts in prop::collection::vec("[ab\\\\]{0,9}", 0..12), rounds in 1..4_usize) {
        let plain: Trees = texts.iter().map(|text| Shared::from(List::from([IStr::from(text)]))).collect();
        let json = to_string(&plain);
        let mut decoder = Decoder::new();
        for _ in 0..rounds {
            prop_assert_eq!(&decoder.decode_str::<Trees>(&json).unwrap(), &plain);
        }
    }
}

#[test]
fn what_is_strict_tells_every_unknown_and_repeated_member() {
    let text = r#"{"name":"a","nme":1,"labels":{"x":"1","x":"2"},"ownerReferences":[{"uid":"1","oops":{"a":1,"a":2},"uid":"2"}],"name":"b"}"#;
    let (meta, found) = Decoder::new().decode_noting::<ObjectMeta>(text.as_bytes()).unwrap();
    assert_eq!((&*meta.name, meta.labels.get("x").unwrap().as_str()), ("b", "2"));
    let found: Vec<_> = found.iter().map(|f| format!("{f} at {}", f.offset())).collect();
    let at = |part: &str| text.find(part).unwrap() + part.find(':').unwrap() + 1;
    assert_eq!(
        found,
        [
            format!("unknown field \"nme\" at {}", at("nme\":1")),
            format!("duplicate field \"labels.x\" at {}", at("x\":\"2")),
            format!("unknown field \"ownerReferences[0].oops\" at {}", at("oops\":")),
            format!("duplicate field \"ownerReferences[0].oops.a\" at {}", at("a\":2")),
            format!("duplicate field \"ownerReferences[0].uid\" at {}", at("uid\":\"2")),
            format!("duplicate field \"name\" at {}", at("name\":\"b")),
        ]
    );
    let mut strict = Decoder::new().strict(true);
    let refused = |text: &str, decoder: &mut Decoder| {
        decoder.decode_str::<ObjectMeta>(text).unwrap_err().to_string()
    };
    assert_eq!(refused(text, &mut strict), "nme: unknown field (at byte 18)");
    let twice = r#"{"labels":{"x":"1","x":"2"}}"#;
    assert_eq!(refused(twice, &mut strict), "labels.x: duplicate field (at byte 23)");
    assert_eq!(Decoder::new().decode_noting::<ObjectMeta>(br#"{"name":"a"}"#).unwrap().1, []);
}

#[test]
fn what_was_shared_is_looked_through_when_asked() {
    let text = r#"{"a":[{"nme":1}]}"#;
    type Owners = Map<Shared<List<crate::meta::v1::OwnerReference>>>;
    let mut decoder = Decoder::new();
    for _ in 0..4 {
        decoder.decode_str::<Owners>(text).unwrap();
        let (_, found) = decoder.decode_noting::<Owners>(text.as_bytes()).unwrap();
        assert_eq!(found[0].path(), "a[0].nme");
    }
}

#[test]
fn only_so_much_is_told() {
    let members: Vec<_> = (0..300).map(|n| format!("\"x{n}\":0")).collect();
    let text = format!("{{{}}}", members.join(","));
    let (_, found) = Decoder::new().decode_noting::<ObjectMeta>(text.as_bytes()).unwrap();
    assert_eq!((found.len(), found[99].path()), (100, "x99"));
}

#[test]
fn limits_are_set() {
    let mut decoder = Decoder::new().max_depth(2).max_length(16);
    assert!(decoder.decode_str::<Raw>("[[1]]").is_ok());
    let error = decoder.decode_str::<Raw>("[[[1]]]").unwrap_err();
    assert_eq!(error.to_string(), "values are nested too deeply (at byte 2)");
    let error = decoder.decode_str::<Raw>("[1,2,3,4,5,6,7,8]").unwrap_err();
    assert_eq!(error.to_string(), "the text is too long (at byte 0)");
    let mut highest = Decoder::new().max_depth(usize::MAX).max_length(usize::MAX);
    let deep = "[".repeat(100_000);
    assert!(highest.decode_str::<Raw>(&deep).is_err());
}

#[test]
fn managed_fields_are_text_that_objects_share() {
    let text = r#"{"managedFields":[{"manager":"m","fieldsV1":{"f:spec": {"f:replicas":{}}}}]}"#;
    let mut decoder = Decoder::new().keep_managed_fields(true);
    let a: ObjectMeta = decoder.decode_str(text).unwrap();
    let b: ObjectMeta = Decoder::new().keep_managed_fields(true).decode_str(text).unwrap();
    let fields = |meta: &ObjectMeta| meta.managed_fields[0].fields_v1.clone().unwrap();
    assert_eq!(fields(&a).as_str(), r#"{"f:spec":{"f:replicas":{}}}"#);
    assert_eq!(fields(&a).as_str().as_ptr(), fields(&b).as_str().as_ptr());
    decoder.forget();
    assert_eq!(decoder.decode_str::<ObjectMeta>(text).unwrap(), a);
}

fn part() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        r#"{}"#,
        r#"{"a":"1"}"#,
        r#"{"a":"1","app.kubernetes.io/name":"shop"}"#,
        r#"{"a":"2"}"#,
        r#"{ "a":"1"}"#,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a decoder has seen before, it reads what one reads that has seen nothing.
    #[test]
    fn what_came_before_changes_no_value(
        objects in prop::collection::vec((part(), part(), prop::collection::vec(0..3_u8, 0..3)), 1..24),
    ) {
        let mut decoder = Decoder::new();
        for (labels, annotations, volumes) in objects {
            let volumes: Vec<_> = volumes
                .iter()
                .map(|n| format!(r#"{{"name":"volume-{n}","emptyDir":{{"medium":"Memory"}}}}"#))
                .collect();
            let text = format!(
                r#"{{"metadata":{{"labels":{labels},"annotations": {annotations}}},"spec":{{"volumes":[{}],"affinity":{{}},"nodeSelector":{labels}}}}}"#,
                volumes.join(","),
            );
            let read: Pod = decoder.decode_str(&text).unwrap();
            prop_assert_eq!(&read, &from_str::<Pod>(&text).unwrap());
            let (noted, _) = decoder.decode_noting::<Pod>(text.as_bytes()).unwrap();
            prop_assert_eq!(&read, &noted);
        }
    }
}

#[test]
fn what_was_met_is_not_let_deeper_than_allowed() {
    type Nested = List<Shared<List<Shared<List<i32>>>>>;
    let mut decoder = Decoder::new();
    for _ in 0..4 {
        decoder.decode_str::<Nested>("[[[1]],[[1]]]").unwrap();
    }
    let mut lower = decoder.max_depth(2);
    let error = lower.decode_str::<Nested>("[[[1]],[[1]]]").unwrap_err();
    assert_eq!(error.to_string(), "[0][0]: values are nested too deeply (at byte 2)");
}

#[test]
fn what_is_expected_of_the_last_object_is_compared_with_this_one() {
    use crate::meta::v1::OwnerReference;
    let texts = [
        r#"{"apiVersion":"apps/v1beta1","kind":"ReplicaSet","name":"a name that is long","uid":"1"}"#,
        r#"{"apiVersion":"apps/v1beta1","kind":"ReplicaSet","name":"a name that is long","uid":"1"}"#,
        r#"{"apiVersion":"apps/v1beta1","kind":"ReplicaSets","name":"a name that is longer","uid":"1"}"#,
        r#"{"kind":"ReplicaSet","apiVersion":"apps/v1beta1","more":1,"uid":"1","name":"a name"}"#,
        r#"{ "kind" : "ReplicaSet" , "apiVersion" : "apps/v1beta1", "name" :"a name that is long"}"#,
        r#"{"\u006bind":"Replica\u0053et","name":"a name \"that\" is long","uid":null}"#,
        r#"{"kind":"Replica\u0053et","name":"a name \"that\" is long","name":"a name that is long"}"#,
        r#"{"apiVersion":"apps/v1beta1","kind":"","name":"a name that is long\\","uid":"1"}"#,
        "{}",
    ];
    let wrong = [
        r#"{"apiVersion":"apps/v1beta1"#,
        r#"{"apiVersion":"apps/v1beta1","kind":"ReplicaSet"#,
        r#"{"apiVersion":"apps/v1beta1","kind""#,
        r#"{"apiVersion":"apps/v1beta1","kind":"#,
        r#"{"apiVersion":"apps/v1beta1","kind":"ReplicaSet" "name":""}"#,
        r#"{"kind":"ReplicaSet","name":"a name "that" is long"}"#,
    ];
    let mut decoder = Decoder::new();
    for round in 0..4 {
        for text in texts.iter().chain(&wrong) {
            let fresh = from_str::<OwnerReference>(text);
            assert_eq!(decoder.decode_str::<OwnerReference>(text), fresh, "{round}: {text}");
        }
        for text in texts.iter().rev() {
            let fresh = from_str::<OwnerReference>(text);
            assert!(fresh.is_ok() && decoder.decode_str::<OwnerReference>(text) == fresh, "{text}");
        }
    }
}

#[test]
fn names_that_are_no_literals_make_the_same_table() {
    const ALL: [&str; 2] = ["name", "imagePullPolicy"];
    static TEXT: [u8; Names::length(&ALL)] = Names::text(&ALL);
    static STARTS: [u16; ALL.len() + 1] = Names::starts(&ALL);
    let table = Names::new(&TEXT, &STARTS);
    let literal = names!["name", "imagePullPolicy"];
    assert_eq!(format!("{table:?}"), format!("{literal:?}"));
    assert_eq!([table.name(0), table.name(1), table.name(2)], [Some(ALL[0]), Some(ALL[1]), None]);
}

/// As the other way of passing over, but for depth.
#[test]
fn what_is_passed_over_may_be_deep() {
    let passed = |text: &str| {
        let mut r = Reader::new(text).unwrap();
        r.raw_deep().map(|raw| (raw.to_owned(), r.offset()))
    };
    let deep = format!("{}7{}", r#"[{"a":"#.repeat(50_000), "}]".repeat(50_000));
    assert_eq!(passed(&format!(" {deep},")), Ok((deep.clone(), deep.len() + 1)));
    assert!(Reader::new(&deep).unwrap().skip().is_err());
    let texts = [
        "{}",
        "[]",
        "[ ]",
        "{ }",
        "7",
        "\"a\"",
        "null",
        r#"{"a":[1,{"b":{}},[]],"c":"}"}"#,
        " [1 , 2]",
        "",
        "[",
        "{",
        "[1",
        "[1,",
        "[1,]",
        "[1}",
        "{]",
        "[}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1]",
        "{\"a\":1,}",
        "{\"a\":1 \"b\"}",
        "[1 2]",
        "]",
        "}",
        ",",
        "nul",
        "{1:2}",
        "[\"a]",
    ];
    for text in texts {
        let mut r = Reader::new(text).unwrap();
        let skipped = r.raw().map(|raw| (raw.to_owned(), r.offset()));
        assert_eq!(passed(text).is_ok(), skipped.is_ok(), "{text}");
        if skipped.is_ok() {
            assert_eq!(passed(text), skipped);
        }
    }
}
