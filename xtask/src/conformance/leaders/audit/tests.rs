use serde_json::json;

use super::*;

fn event(id: &str, stage: &str, verb: &str) -> Value {
    json!({
        "auditID": id, "stage": stage, "verb": verb,
        "user": {"username": "admin"}, "impersonatedUser": {"username": "ours-1"},
        "objectRef": {"resource": "foos", "subresource": "status", "name": "foo-0"},
        "requestReceivedTimestamp": "2026-11-26T10:00:00.000250Z",
        "stageTimestamp": "2026-11-26T10:00:00.001000Z",
        "responseStatus": {"code": 200},
    })
}

fn log(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}

#[test]
fn a_write_is_who_what_and_when() {
    let mut begun = event("1", "RequestReceived", "patch");
    begun["impersonatedUser"] = Value::Null;
    let read = event("2", "ResponseComplete", "list");
    let log = log(&[begun, event("1", "ResponseComplete", "patch"), read]);
    let found = writes(&log, "l").expect("a log");
    let [write] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&*write.actor, &*write.what), ("ours-1", "patch foos/status foo-0"));
    assert_eq!((write.answered - write.received, write.code), (750, 200));
    assert!(write.is_accepted() && write.lease.is_none());
}

#[test]
fn a_lease_is_known_by_its_name_also_when_it_is_made() {
    let mut made = event("1", "ResponseComplete", "create");
    made["objectRef"] = json!({"resource": "leases"});
    made["requestObject"] = json!({
        "metadata": {"name": "l"},
        "spec": {"holderIdentity": "me", "leaseDurationSeconds": 2, "leaseTransitions": 3},
    });
    let mut other = event("2", "ResponseComplete", "update");
    other["objectRef"] = json!({"resource": "leases", "name": "m"});
    let found = writes(&log(&[made, other]), "l").expect("a log");
    let record = found[0].lease.as_ref().expect("the lease");
    assert_eq!((&*record.holder, record.seconds, record.transitions), ("me", 2, 3));
    assert_eq!(found[1].lease, None, "another one is work");
}

#[test]
fn who_has_written_more_than_the_lease_has_worked() {
    let begun = event("1", "RequestReceived", "patch");
    let read = event("2", "ResponseComplete", "list");
    let mut lease = event("3", "ResponseComplete", "update");
    lease["objectRef"] = json!({"resource": "leases", "name": "l"});
    lease["requestObject"] = json!({"spec": {"holderIdentity": "me"}});
    let mut refused = event("4", "ResponseComplete", "patch");
    refused["responseStatus"]["code"] = 409.into();
    let idle = log(&[begun, read, lease, refused]);
    assert!(!has_worked(&idle, "l", "ours-1"));
    let log = idle + &log(&[event("5", "ResponseComplete", "patch")]) + "{\"cut";
    assert!(has_worked(&log, "l", "ours-1"));
    assert!(!has_worked(&log, "l", "ours"), "somebody else");
}

#[test]
fn a_request_whose_end_is_not_told_makes_the_log_worthless() {
    let begun = event("1", "RequestReceived", "patch");
    let told = writes(&log(std::slice::from_ref(&begun)), "l").unwrap_err();
    assert!(told.starts_with("1 requests have no end"), "{told}");
    assert!(writes(&log(&[begun, event("1", "Panic", "patch")]), "l").is_ok());
    assert!(writes("{\"cut", "l").is_err());
    let mut own = event("2", "RequestReceived", "update");
    own["user"]["username"] = "system:apiserver".into();
    assert_eq!(writes(&log(&[own]), "l"), Ok(vec![]), "the server's own");
}

#[test]
fn who_acts_for_himself_is_not_judged() {
    let mut own = event("1", "ResponseComplete", "patch");
    own["impersonatedUser"] = Value::Null;
    assert_eq!(writes(&log(&[own]), "l"), Ok(vec![]));
}
