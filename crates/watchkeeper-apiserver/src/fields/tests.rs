//! Laws of sets, and their JSON.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn any_element() -> impl Strategy<Value = PathElement> {
    prop_oneof![
        "[a-c]".prop_map(PathElement::Field),
        (0..3i64, "[x-y]").prop_map(|(port, protocol)| PathElement::Key(vec![
            ("port".to_owned(), port.into()),
            ("protocol".to_owned(), protocol.into()),
        ])),
        prop_oneof![(0..3i64).prop_map(Value::from), any::<bool>().prop_map(Value::from)]
            .prop_map(PathElement::Value),
        (0..3i64).prop_map(PathElement::Index),
    ]
}

pub(crate) fn any_set() -> impl Strategy<Value = FieldSet> {
    prop::collection::vec(prop::collection::vec(any_element(), 1..4), 0..8).prop_map(|paths| {
        let mut set = FieldSet::default();
        paths.iter().for_each(|path| set.insert(path));
        set
    })
}

#[test]
fn the_form_of_a_real_server_is_read_and_written() {
    let json = json!({
        "f:metadata": {"f:labels": {".": {}, "f:app": {}}},
        "f:spec": {
            "f:containers": {"k:{\"name\":\"nginx\"}": {".": {}, "f:image": {}, "f:ports": {
                "k:{\"containerPort\":80,\"protocol\":\"TCP\"}": {".": {}, "f:containerPort": {}}}}},
            "f:finalizers": {".": {}, "v:\"kubernetes\"": {}}, "i:0": {}},
    });
    let set = FieldSet::from_fields_v1(&json).expect("well-formed");
    assert_eq!(set.to_fields_v1(), json);
    let shown: Vec<String> = set.paths().iter().map(|path| show(path)).collect();
    assert!(shown.contains(&".spec.containers[name=\"nginx\"].image".to_owned()), "{shown:?}");
    assert!(shown.contains(&".spec.finalizers[=\"kubernetes\"]".to_owned()), "{shown:?}");
    assert!(!shown.contains(&".spec.containers".to_owned()), "{shown:?}");
}

#[test]
fn other_forms_are_refused() {
    for bad in
        [json!({"x:a": {}}), json!({"f:a": 1}), json!({"k:1": {}}), json!({"i:x": {}}), json!([])]
    {
        assert!(FieldSet::from_fields_v1(&bad).is_err(), "{bad}");
    }
}

#[test]
fn without_drops_what_is_below() {
    let set = FieldSet::of_fields(&["spec.a.b", "spec.a", "spec.c", "status"]);
    assert_eq!(
        set.clone().without(&FieldSet::of_fields(&["spec.a"])),
        FieldSet::of_fields(&["spec.c", "status"])
    );
    assert_eq!(
        set.difference(&FieldSet::of_fields(&["spec.a"])),
        FieldSet::of_fields(&["spec.a.b", "spec.c", "status"])
    );
}

proptest! {
    #[test]
    fn json_round_trip(set in any_set()) {
        prop_assert_eq!(FieldSet::from_fields_v1(&set.to_fields_v1()), Ok(set));
    }

    #[test]
    fn difference_and_intersection_make_up_the_set(a in any_set(), b in any_set()) {
        let only = a.clone().difference(&b);
        prop_assert_eq!(&only.clone().union(a.clone().intersection(&b)), &a);
        prop_assert!(only.clone().intersection(&b).is_empty());
        prop_assert_eq!(a.clone().union(b.clone()), b.clone().union(a.clone()));
        for path in a.paths() {
            prop_assert!(a.contains(&path));
            prop_assert_eq!(only.contains(&path), !b.contains(&path));
        }
    }
}

#[test]
fn elements_have_one_order() {
    let value = PathElement::Value;
    let sorted = [
        PathElement::Index(1),
        PathElement::Index(2),
        value(json!(1)),
        value(json!(1.5)),
        value(json!("a")),
        value(json!("b")),
        value(json!(false)),
        value(json!(true)),
        value(json!([1])),
        value(json!([2])),
        value(json!({"a": 1})),
        value(json!({"a": 2})),
        value(Value::Null),
    ];
    for (at, one) in sorted.iter().enumerate().skip(2) {
        for (other_at, other) in sorted.iter().enumerate().skip(2) {
            assert_eq!(one.partial_cmp(other), Some(at.cmp(&other_at)), "{one:?} {other:?}");
        }
    }
    assert!(sorted[0] < sorted[1] && sorted[0] != sorted[2]);
}

#[test]
fn what_is_no_set_of_fields_is_told() {
    let error = FieldSet::from_fields_v1(&json!([1])).expect_err("no object");
    assert_eq!(error.to_string(), "not a set of fields: [1]");
}
