use serde_json::{Value, json};

use super::super::compare::differences;
use super::super::wire::Answer;
use super::masked;

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
