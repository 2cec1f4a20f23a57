use serde_json::{Value, json};

use super::masked;
use crate::{Answer, differences};

fn answer(code: u64, body: Value) -> Answer {
    Answer { code, warnings: Vec::new(), body }
}

fn service(uid: &str, address: &str, port: u64) -> Answer {
    answer(
        201,
        json!({"kind": "Service", "metadata": {"name": "a", "uid": uid, "creationTimestamp": "2026-01-01T00:00:00Z",
            "managedFields": [{"manager": "m", "time": "2026-01-01T00:00:00Z", "fieldsV1": {"f:spec": {}}}]},
            "spec": {"clusterIP": address, "clusterIPs": [address], "ports": [{"port": 80, "nodePort": port}]}}),
    )
}

fn told(one: &Answer, other: &Answer, sent: &str) -> Vec<String> {
    let found = differences(&masked(one, sent), &masked(other, sent));
    found.into_iter().map(|difference| difference.at).collect()
}

#[test]
fn what_a_server_draws_is_hidden() {
    let one = service("11111111-2222-3333-4444-555555555555", "10.96.1.2", 30001);
    let other = service("66666666-2222-3333-4444-555555555555", "10.96.7.8", 30002);
    assert_eq!(told(&one, &other, "{}"), Vec::<String>::new());
}

#[test]
fn what_was_asked_for_is_not_hidden() {
    let one = service("11111111-2222-3333-4444-555555555555", "10.96.1.2", 30001);
    let other = service("11111111-2222-3333-4444-555555555555", "10.96.7.8", 30001);
    let paths = ["body.spec.clusterIP", "body.spec.clusterIPs[0]"];
    assert_eq!(told(&one, &other, "{\"clusterIP\": \"10.96.1.2\"}"), paths);
    assert_eq!(told(&one, &other, "10.96.1.2 10.96.7.8"), paths);
}

#[test]
fn a_wrong_value_outside_the_mask_is_found() {
    let right = service("11111111-2222-3333-4444-555555555555", "10.96.1.2", 30001);
    for (pointer, wrong) in [
        ("/metadata/name", json!("b")),
        ("/metadata/uid", Value::Null),
        ("/metadata/creationTimestamp", Value::Null),
        ("/metadata/managedFields/0/manager", json!("n")),
        ("/metadata/managedFields/0/fieldsV1", json!({"f:status": {}})),
        ("/spec/clusterIP", json!("None")),
        ("/spec/ports/0/port", json!(81)),
        ("/kind", json!("service")),
    ] {
        let mut other = right.clone();
        *other.body.pointer_mut(pointer).expect("a member") = wrong;
        assert!(!told(&right, &other, "{}").is_empty(), "{pointer}");
    }
    let mut other = right.clone();
    other.code = 200;
    assert_eq!(told(&right, &other, "{}"), ["code"]);
    other = right.clone();
    other.warnings.push("299 - \"unknown field \\\"a\\\"\"".to_owned());
    assert_eq!(told(&right, &other, "{}"), ["warnings[0]"]);
}

#[test]
fn what_is_told_is_compared_but_for_uids() {
    let status = |message: &str| answer(409, json!({"kind": "Status", "message": message}));
    let one = status("uid 11111111-2222-3333-4444-555555555555 is wrong");
    let other = status("uid 66666666-2222-3333-4444-555555555555 is wrong");
    assert_eq!(told(&one, &other, ""), Vec::<String>::new());
    assert_eq!(told(&one, &status("uid is wrong"), ""), ["body.message"]);
}

#[test]
fn what_is_there_twice_is_told_unless_the_server_drew_it() {
    let twice = |value: &str| {
        refusal("", &[("spec.ports[1].nodePort", &*format!("Duplicate value: {value}"))])
    };
    let differs =
        |one: &str, other: &str, sent: &str| !told(&twice(one), &twice(other), sent).is_empty();
    assert!(!differs("32001", "32002", "{}"));
    assert!(differs("32001", "32002", r#"{"nodePort": 32001}"#));
    assert!(differs("\"a\"", "\"b\"", "{}"));
}

#[test]
fn of_a_patched_object_that_is_told_only_versions_and_times_are_hidden() {
    let told_of = |version: &str, time: &str, name: &str| {
        let text = json!({"metadata": {"name": name, "creationTimestamp": time, "resourceVersion": version}});
        let message = format!(
            "patch: Invalid value: {:?}: applied to '(selfType{version})'",
            text.to_string()
        );
        answer(422, json!({"kind": "Status", "message": message}))
    };
    let one = told_of("7", "2026-01-01T00:00:00Z", "a");
    assert_eq!(told(&one, &told_of("80", "2026-01-01T00:00:01Z", "a"), "{}"), Vec::<String>::new());
    let other = told_of("7", "2026-01-01T00:00:00Z", "b");
    assert_eq!(told(&one, &other, "{}"), ["body.message"]);
}

#[test]
fn members_of_an_object_that_is_refused_come_in_any_order() {
    let refused = |object: &str, why: &str| {
        let message = format!("\"\" is invalid: patch: Invalid value: {object}: {why}");
        answer(422, json!({"kind": "Status", "message": message}))
    };
    let one = refused(r#""{\"a\":{\"x\":\"\\\"\",\"y\":[1,2]},\"b\":2}""#, "so");
    let other = refused(r#""{\"b\":2,\"a\":{\"y\":[1,2],\"x\":\"\\\"\"}}""#, "so");
    assert_eq!(told(&one, &other, "{}"), Vec::<String>::new());
    for wrong in [
        refused(r#""{\"a\":{\"x\":\"\\\"\",\"y\":[1,2]},\"b\":2}""#, "no"),
        refused(r#""{\"a\":{\"x\":\"\\\"\",\"y\":[2,1]},\"b\":2}""#, "so"),
        refused(r#""{\"a\":{\"x\":\"\",\"y\":[1,2]},\"b\":2}""#, "so"),
        refused(r#""{\"a\":{\"x\":\"\\\"\",\"y\":[1,2]},\"b\":2,\"c\":3}""#, "so"),
        refused(r#""{no object""#, "so"),
    ] {
        assert_eq!(told(&one, &wrong, "{}"), ["body.message"], "{}", wrong.body);
    }
}

#[test]
fn a_name_that_was_drawn_is_hidden_and_no_other() {
    let range = |name: &str| answer(201, json!({"kind": "LimitRange", "metadata": {"name": name}}));
    let (one, other) =
        ("11111111-2222-3333-4444-555555555555", "66666666-2222-3333-4444-555555555555");
    assert_eq!(told(&range(one), &range(other), "{}"), Vec::<String>::new());
    assert_eq!(told(&range(one), &range(other), one), ["body.metadata.name"]);
    assert_eq!(told(&range(one), &range("a"), "{}"), ["body.metadata.name"]);
    assert_eq!(told(&range("a"), &range("b"), "{}"), ["body.metadata.name"]);
}

#[test]
fn the_time_at_which_a_gate_is_told_of_is_hidden_and_the_gate_is_not() {
    let pod = |time: &str, reason: &str| {
        let condition = json!({"lastTransitionTime": time, "reason": reason});
        answer(201, json!({"kind": "Pod", "status": {"conditions": [condition]}}))
    };
    let one = pod("2026-01-01T00:00:00Z", "SchedulingGated");
    let later = pod("2026-01-01T00:00:01Z", "SchedulingGated");
    assert_eq!(told(&one, &later, "{}"), Vec::<String>::new());
    let other = pod("2026-01-01T00:00:00Z", "Other");
    assert_eq!(told(&one, &other, "{}"), ["body.status.conditions[0].reason"]);
}

fn refusal(group: &str, causes: &[(&str, &str)]) -> Answer {
    let told: Vec<_> =
        causes.iter().map(|(field, message)| format!("{field}: {message}")).collect();
    let told = if told.len() == 1 { told.concat() } else { format!("[{}]", told.join(", ")) };
    let cause = |(field, message): &(&str, &str)| json!({"field": field, "message": message});
    let causes: Vec<_> = causes.iter().map(cause).collect();
    let details = json!({"group": group, "causes": causes});
    answer(
        422,
        json!({"kind": "Status", "message": format!("it is invalid: {told}"), "details": details}),
    )
}

#[test]
fn causes_that_come_from_a_map_come_in_any_order() {
    let (one, other) = (("spec.a", "is wrong"), ("spec.b", "is wrong, too"));
    for (group, first, second, is_same) in [
        ("x.generated.example.com", one, other, true),
        ("x.generated.example.com", ("metadata.name", "a"), other, false),
        ("apiextensions.k8s.io", one, other, false),
        (
            "apiextensions.k8s.io",
            ("spec.versions[0].schema.openAPIV3Schema.a", "a"),
            ("spec.versions[0].schema.openAPIV3Schema.b", "b"),
            true,
        ),
        (
            "apiextensions.k8s.io",
            ("spec.versions[0].schema.openAPIV3Schema.a", "a"),
            ("spec.versions[1].schema.openAPIV3Schema.b", "b"),
            false,
        ),
        ("apps", ("spec.containers[0].name", "a"), ("spec.containers[0].name", "b"), false),
        ("apps", one, other, false),
        ("apps", ("metadata.labels", "a"), ("metadata.labels", "b"), true),
        ("", ("data[a]", "is wrong"), ("data[b]", "is wrong"), true),
        ("", ("spec.containers[0]", "is wrong"), ("spec.containers[1]", "is wrong"), false),
        ("", ("spec.a[0].resources.requests[cpu]", "a"), ("spec.a[0].resources.limits", "b"), true),
        ("", ("spec.a[0].resources.requests", "a"), ("spec.a[1].resources.requests", "b"), false),
        ("", ("spec.a[0].resources.claims", "a"), ("spec.a[0].resources.limits", "b"), false),
    ] {
        let answers = [refusal(group, &[first, second]), refusal(group, &[second, first])];
        assert_eq!(told(&answers[0], &answers[1], "{}").is_empty(), is_same, "{group} {first:?}");
        let fewer = refusal(group, &[first]);
        assert!(!told(&answers[0], &fewer, "{}").is_empty());
    }
}

#[test]
fn lines_about_members_come_in_any_order() {
    let refusal = |lines: &str| {
        answer(
            500,
            json!({"kind": "Status", "message": format!("it fits not: errors:\n  {lines}")}),
        )
    };
    let (one, other) = (refusal(".a: wrong\n  .b: wrong"), refusal(".b: wrong\n  .a: wrong"));
    assert_eq!(told(&one, &other, "{}"), Vec::<String>::new());
    assert_eq!(told(&one, &refusal(".a: wrong"), "{}"), ["body.message"]);
}

#[test]
fn numbers_that_were_drawn_are_hidden_in_texts() {
    let refusal = |text: &str| answer(422, json!({"kind": "Status", "message": text}));
    let port = |number: &str| {
        refusal(&format!(r#"patch: {{\"nodePort\":{number},\"ip\":\"10.96.1.{number}\"}}"#))
    };
    assert_eq!(told(&port("30001"), &port("30002"), "{}"), Vec::<String>::new());
    assert_eq!(told(&port("0"), &port("30002"), "{}"), ["body.message"]);
    assert_eq!(told(&port("30001"), &port("30002"), r#"{"nodePort":30001}"#), ["body.message"]);
    assert_eq!(
        told(&port("30001"), &port("30002"), r#"{"nodePort":300011}"#),
        Vec::<String>::new()
    );
}
