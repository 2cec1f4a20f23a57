//! Slices of devices.

use super::*;

const SLICE: Kind = ("resource.k8s.io", "ResourceSlice");

fn slice(more: Value) -> Value {
    let spec = json!({"driver": "d", "nodeName": "n", "devices": [{"name": "x"}],
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}});
    json!({"spec": crate::patch::merge(&spec, &more)})
}

/// A slice of one device.
fn device(more: Value) -> Value {
    slice(json!({"devices": [crate::patch::merge(&json!({"name": "x"}), &more)]}))
}

#[test]
fn conditions_come_in_pairs_that_differ() {
    let (good, bad) =
        ("spec.devices[0].bindingConditions", "spec.devices[0].bindingFailureConditions");
    for (wanted, feared, expected) in [
        (&["a"][..], &["b"][..], String::new()),
        (&["a"], &[], format!("{bad} Invalid")),
        (&[], &["b"], format!("{good} Invalid")),
        (&["a", "a"], &["b"], format!("{good}[1] Duplicate")),
        (&["a"], &["b", "b"], format!("{bad}[1] Duplicate")),
        (&["a", "b"], &["c", "b"], format!("{bad}[1] Invalid")),
        (&["a b"], &["b"], format!("{good}[0] Invalid")),
        (&["a", "b", "c", "d"], &["e"], String::new()),
        (&["a", "b", "c", "d", "e"], &["f"], format!("{good} TooMany")),
    ] {
        let told = wrong(
            SLICE,
            device(json!({"bindingConditions": wanted, "bindingFailureConditions": feared})),
        );
        assert_eq!(told, expected, "{wanted:?} {feared:?}");
    }
}

#[test]
fn each_device_says_where_it_is_if_its_slice_does_not() {
    let device = |more: Value| {
        let device = crate::patch::merge(&json!({"name": "x"}), &more);
        slice(json!({"nodeName": null, "perDeviceNodeSelection": true, "devices": [device]}))
    };
    let selector =
        json!({"nodeSelectorTerms": [{"matchExpressions": [{"key": "k", "operator": "Exists"}]}]});
    hold(
        SLICE,
        device,
        [
            (json!({}), "spec.devices[0] Required"),
            (json!({"nodeName": "n"}), ""),
            (json!({"allNodes": true}), ""),
            (json!({"nodeSelector": selector}), ""),
            (json!({"nodeName": "n", "allNodes": true}), "spec.devices[0] Invalid"),
            (json!({"nodeName": "n", "nodeSelector": selector}), "spec.devices[0] Invalid"),
            (json!({"nodeName": ""}), "spec.devices[0].nodeName Invalid; spec.devices[0] Required"),
            (json!({"nodeName": "N"}), "spec.devices[0].nodeName Invalid"),
            (
                json!({"allNodes": false}),
                "spec.devices[0].allNodes Invalid; spec.devices[0] Required",
            ),
        ],
    );
}

#[test]
fn a_slice_says_in_one_way_where_its_devices_are() {
    let term = json!({"matchExpressions": [{"key": "k", "operator": "Exists"}]});
    let counters = json!([{"name": "s", "counters": {"c": {"value": "1"}}}]);
    hold(
        SLICE,
        slice,
        [
            (json!({}), ""),
            (json!({"nodeName": null}), "spec Required"),
            (json!({"nodeName": ""}), "spec.nodeName Invalid; spec Required"),
            (json!({"nodeName": null, "allNodes": true}), ""),
            (json!({"allNodes": true}), "spec Invalid"),
            (json!({"allNodes": false}), "spec.allNodes Invalid"),
            (json!({"nodeName": null, "nodeSelector": {"nodeSelectorTerms": [term]}}), ""),
            (
                json!({"nodeName": null, "nodeSelector": {"nodeSelectorTerms": [term, term]}}),
                "spec.nodeSelector.nodeSelectorTerms Invalid",
            ),
            (json!({"devices": null, "sharedCounters": counters}), ""),
            (json!({"sharedCounters": counters}), "spec Invalid"),
            (json!({"pool": {"resourceSliceCount": 0}}), "spec.pool.resourceSliceCount Invalid"),
            (json!({"pool": {"generation": -1}}), "spec.pool.generation Invalid"),
            (json!({"pool": {"name": "a/B"}}), "spec.pool.name Invalid"),
        ],
    );
}

#[test]
fn a_slice_has_fewer_devices_if_one_of_them_has_more() {
    let devices = |count: usize, first: Value| {
        let mut all: Vec<Value> = (0..count).map(|at| json!({"name": format!("d{at}")})).collect();
        all[0] = crate::patch::merge(&all[0], &first);
        wrong(SLICE, slice(json!({ "devices": all })))
    };
    let taints = json!({"taints": [{"key": "k", "effect": "NoExecute"}]});
    let takes =
        json!({"consumesCounters": [{"counterSet": "s", "counters": {"c": {"value": "1"}}}]});
    assert_eq!(devices(128, json!({})), "");
    assert_eq!(devices(129, json!({})), "spec.devices TooMany");
    for more in [taints, takes] {
        assert_eq!(devices(64, more.clone()), "");
        assert_eq!(devices(65, more), "spec.devices TooMany");
    }
}

#[test]
fn a_device_is_told_in_so_many_values() {
    let of = |attributes: usize, capacities: usize| {
        let attributes: serde_json::Map<String, Value> =
            (0..attributes).map(|at| (format!("a{at}"), json!({"bool": true}))).collect();
        let capacity: serde_json::Map<String, Value> =
            (0..capacities).map(|at| (format!("c{at}"), json!({"value": "1"}))).collect();
        wrong(SLICE, device(json!({"attributes": attributes, "capacity": capacity})))
    };
    let once = "spec.devices[0] Invalid";
    let twice = format!("{once}; {once}");
    assert_eq!([of(32, 0), of(20, 12)], [String::new(), String::new()]);
    assert_eq!([of(33, 0), of(20, 13), of(48, 0)], [once; 3]);
    assert_eq!(of(49, 0), twice);
}

#[test]
fn only_what_is_shared_has_a_policy_of_requests() {
    let capacity =
        |policy: Value| json!({"capacity": {"c": {"value": "1", "requestPolicy": policy}}});
    let shared = crate::patch::merge(
        &capacity(json!({"default": "1"})),
        &json!({"allowMultipleAllocations": true}),
    );
    hold(
        SLICE,
        device,
        [
            (capacity(Value::Null), ""),
            (
                capacity(json!({"default": "1"})),
                "spec.devices[0].capacity[c].requestPolicy Forbidden",
            ),
            (shared, ""),
        ],
    );
}

#[test]
fn names_of_attributes() {
    let attribute = |name: Value| {
        let name = name.as_str().expect("a name").to_owned();
        let attributes: serde_json::Map<String, Value> =
            [(name, json!({"int": 1}))].into_iter().collect();
        device(json!({ "attributes": attributes }))
    };
    let (invalid, long) =
        ("spec.devices[0].attributes Invalid", "spec.devices[0].attributes TooLong");
    hold(
        SLICE,
        attribute,
        [
            (json!("a"), ""),
            (json!("d.e/_a1"), ""),
            (json!("a".repeat(32)), ""),
            (json!("a".repeat(33)), long),
            (json!("1a"), invalid),
            (json!("/a"), invalid),
            (json!("d/"), invalid),
            (json!("d_/a"), invalid),
            (json!("d/1a"), invalid),
            (json!("a/b/c"), ""),
        ],
    );
}

/// The middle of a long name is left out where it is told.
#[test]
fn a_long_name_is_told_by_its_ends() {
    let told = |between: &str| {
        let name = format!("{}{between}{}", "a".repeat(47), "b".repeat(46));
        let attributes: serde_json::Map<String, Value> = [(name, json!({}))].into_iter().collect();
        wrong(SLICE, device(json!({ "attributes": attributes })))
    };
    let at = "spec.devices[0].attributes";
    for (between, shown) in [("xyz", "xyz"), ("wxyz", "..."), ("uvwxyz", "...")] {
        let shown = format!("{}{shown}{}", "a".repeat(47), "b".repeat(46));
        assert_eq!(told(between), format!("{at} TooLong; {at}[{shown}] Invalid"));
    }
}

#[test]
fn versions_of_devices() {
    let attribute =
        |version: &str| wrong(SLICE, device(json!({"attributes": {"a": {"version": version}}})));
    for good in [
        "0.0.0",
        "10.20.30",
        "1.2.3-a.1",
        "1.2.3-a-b",
        "1.2.3--",
        "1.2.3-0",
        "1.2.3-01a",
        "1.2.3+01",
        "1.2.3+b.1",
        "1.2.3-rc.1+b-1",
        "1.2.3+a-b",
    ] {
        assert_eq!(attribute(good), "", "{good}");
    }
    for bad in [
        "1.2",
        "1.2.3.4",
        "01.2.3",
        "1.02.3",
        "1..3",
        "1.a.3",
        "1.2.3-",
        "1.2.3-01",
        "1.2.3-a..b",
        "1.2.3-a_b",
        "1.2.3+",
        "1.2.3+a_b",
        "1.2.3+a..b",
        "",
    ] {
        assert_eq!(attribute(bad), "spec.devices[0].attributes[a].version Invalid", "{bad}");
    }
    let longest = format!("1.2.3-{}", "a".repeat(58));
    assert_eq!(attribute(&longest), "");
    let told = attribute(&format!("{longest}a"));
    assert_eq!(told, "spec.devices[0].attributes[a].version TooLong");
}

#[test]
fn an_attribute_with_two_values_is_shown_as_it_is_inside() {
    let object = completed(
        SLICE.0,
        SLICE.1,
        device(json!({"attributes": {"a": {"string": "s", "int": 1}}})),
    );
    expect![[r#"spec.devices[0].attributes[a]: Invalid value: {"IntValue":1,"BoolValue":null,"StringValue":"s","VersionValue":null,"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified"#]]
        .assert_eq(&text(&validate(SLICE.0, SLICE.1, &object, None)));
}

#[test]
fn taints_that_were_taken_once_may_stay() {
    let taint = |effect: &str| json!([{"key": "k", "effect": effect}]);
    let two = |taints: &Value| {
        slice(json!({"devices": [{"name": "x", "taints": taints}, {"name": "y"}]}))
    };
    let (bad, worse) = (two(&taint("x")), two(&taint("y")));
    let told = "spec.devices[0].taints[0].effect NotSupported";
    assert_eq!(wrong_update(SLICE, &bad, &bad), "");
    assert_eq!(wrong_update(SLICE, &bad, &worse), told);
    assert_eq!(wrong_update(SLICE, &slice(json!({})), &bad), told);
    let many = |count: usize| two(&json!(vec![json!({"key": "k", "effect": "None"}); count]));
    assert_eq!(wrong(SLICE, many(16)), "");
    assert_eq!(wrong(SLICE, many(17)), "spec.devices[0].taints TooMany");
}

#[test]
fn counters_that_devices_share_and_take() {
    let counters = |count: usize| -> Value {
        (0..count).map(|at| (format!("c{at}"), json!({"value": "1"}))).collect()
    };
    let takes = |names: &[&str]| {
        let one = |name: &&str| json!({"counterSet": name, "counters": counters(1)});
        json!({"consumesCounters": names.iter().map(one).collect::<Vec<Value>>()})
    };
    let taken = "spec.devices[0].consumesCounters";
    for (names, expected) in [
        (&["a", "b"][..], String::new()),
        (&["a", "a"], format!("{taken}[1] Duplicate")),
        (&["a", "a", "a"], format!("{taken} TooMany")),
        (&["A"], format!("{taken}[0].counterSet Invalid")),
        (&[""], format!("{taken}[0].counterSet Required")),
    ] {
        assert_eq!(wrong(SLICE, device(takes(names))), expected, "{names:?}");
    }
    let shares =
        |sets: Vec<Value>| wrong(SLICE, slice(json!({"devices": null, "sharedCounters": sets})));
    let set = |name: &str, counters: Value| json!({"name": name, "counters": counters});
    let sets = |count: usize| -> Vec<Value> {
        (0..count).map(|at| set(&format!("s{at}"), counters(1))).collect()
    };
    let at = "spec.sharedCounters";
    assert_eq!(shares(sets(8)), "");
    assert_eq!(shares(sets(9)), format!("{at} TooMany"));
    assert_eq!(
        shares(vec![set("a", counters(1)), set("a", counters(1))]),
        format!("{at}[1] Duplicate")
    );
    assert_eq!(shares(vec![set("a", counters(32))]), "");
    assert_eq!(shares(vec![set("a", counters(33))]), format!("{at}[0].counters TooMany"));
    assert_eq!(shares(vec![set("a", counters(0))]), format!("{at}[0].counters Required"));
    let named = set("a", json!({"A": {"value": "1"}}));
    assert_eq!(shares(vec![named]), format!("{at}[0].counters Invalid"));
}
