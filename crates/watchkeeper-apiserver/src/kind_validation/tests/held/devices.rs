//! Classes and claims of devices.

use super::*;

const CLASS: Kind = ("resource.k8s.io", "DeviceClass");
const CLAIM: Kind = ("resource.k8s.io", "ResourceClaim");

/// A claim of one request.
fn asks(more: Value) -> Value {
    let exactly = crate::patch::merge(&json!({"deviceClassName": "c"}), &more);
    json!({"spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}})
}

#[test]
fn what_a_request_bears() {
    let at = "spec.devices.requests[0].exactly.tolerations[0]";
    for (toleration, told) in [
        (json!({"operator": "Exists"}), ""),
        (json!({"key": "k", "operator": "Exists", "value": "v"}), ".value Invalid"),
        (json!({"key": "k", "operator": "Equal", "value": "v"}), ""),
        (json!({"key": "k", "operator": "Equal", "value": "a b"}), ".value Invalid"),
        (json!({"key": "a b", "operator": "Exists"}), ".key Invalid"),
        (json!({"operator": "x"}), ".operator NotSupported"),
        (json!({"operator": "Exists", "effect": "NoExecute"}), ""),
        (json!({"operator": "Exists", "effect": "x"}), ".effect NotSupported"),
    ] {
        let expected = if told.is_empty() { String::new() } else { format!("{at}{told}") };
        assert_eq!(wrong(CLAIM, asks(json!({"tolerations": [toleration]}))), expected);
    }
}

#[test]
fn how_many_devices_are_asked_for() {
    let (mode, count) = (
        "spec.devices.requests[0].exactly.allocationMode NotSupported",
        "spec.devices.requests[0].exactly.count Invalid",
    );
    for (more, expected) in [
        (json!({"allocationMode": "All"}), ""),
        (json!({"allocationMode": "All", "count": 1}), count),
        (json!({"allocationMode": "ExactCount", "count": 1}), ""),
        (json!({"allocationMode": "ExactCount", "count": 0}), count),
        (json!({"allocationMode": "x"}), mode),
    ] {
        assert_eq!(wrong_bare(CLAIM, &asks(more.clone())), expected, "{more}");
    }
}

#[test]
fn requests_are_asked_for_in_one_way_and_have_their_own_names() {
    let claim = |requests: Value| json!({"spec": {"devices": {"requests": requests}}});
    let many = |count: usize| -> Value {
        let named =
            |at: usize| json!({"name": format!("r{at}"), "exactly": {"deviceClassName": "c"}});
        (0..count).map(named).collect()
    };
    let first = |count: usize| -> Value {
        let one = |at: usize| json!({"name": format!("a{at}"), "deviceClassName": "c"});
        json!([{"name": "r", "firstAvailable": (0..count).map(one).collect::<Vec<Value>>()}])
    };
    let mut both = first(1);
    both[0]["exactly"] = json!({"deviceClassName": "c"});
    let at = "spec.devices.requests";
    for (requests, expected) in [
        (many(32), String::new()),
        (many(33), format!("{at} TooMany")),
        (first(8), String::new()),
        (first(9), format!("{at}[0].firstAvailable TooMany")),
        (both, format!("{at}[0] Invalid")),
    ] {
        assert_eq!(wrong(CLAIM, claim(requests)), expected);
    }
}

#[test]
fn requests_are_referred_to_by_their_names() {
    let claim = |of: Value| {
        let constraint = json!({"requests": of, "matchAttribute": "d/a"});
        json!({"spec": {"devices": {"constraints": [constraint], "requests": [
            {"name": "r", "exactly": {"deviceClassName": "c"}},
            {"name": "f", "firstAvailable": [{"name": "s", "deviceClassName": "c"}]},
        ]}}})
    };
    let at = "spec.devices.constraints[0].requests";
    for (of, expected) in [
        (json!(["r", "f"]), String::new()),
        (json!(["f/s"]), String::new()),
        (json!(["f/t"]), format!("{at}[0] Invalid")),
        (json!(["r/s"]), format!("{at}[0] Invalid")),
        (json!(["f/s/t"]), format!("{at}[0] Invalid")),
        (json!(["A"]), format!("{at}[0] Invalid; {at}[0] Invalid")),
        (json!(["r", "r"]), format!("{at}[1] Duplicate")),
        (json!(vec!["r"; 33]), format!("{at} TooMany")),
    ] {
        assert_eq!(wrong(CLAIM, claim(of.clone())), expected, "{of}");
    }
    let most = wrong(CLAIM, claim(json!(vec!["r"; 32])));
    assert_eq!(most.matches("Duplicate").count(), 31);
}

#[test]
fn devices_have_something_in_common_or_not() {
    let claim = |constraint: Value| {
        let mut claim = asks(json!({}));
        claim["spec"]["devices"]["constraints"] = json!([constraint]);
        claim
    };
    let at = "spec.devices.constraints[0]";
    for (constraint, expected) in [
        (json!({}), format!("{at} Required")),
        (json!({"matchAttribute": "d/a"}), String::new()),
        (json!({"matchAttribute": "a"}), format!("{at}.matchAttribute Invalid")),
        (json!({"distinctAttribute": "d/a"}), String::new()),
        (json!({"distinctAttribute": "a"}), format!("{at}.distinctAttribute Invalid")),
    ] {
        assert_eq!(wrong(CLAIM, claim(constraint)), expected);
    }
}

#[test]
fn what_drivers_are_told_is_short_unless_it_was_taken_once() {
    let class = |configurations: Value| json!({"spec": {"config": configurations}});
    let opaque = |parameters: Value| json!({"opaque": {"driver": "d", "parameters": parameters}});
    // `{"a":""}` are eight bytes.
    let long = |length: usize| opaque(json!({"a": "x".repeat(length - 8)}));
    let at = "spec.config[0].opaque";
    for (configurations, expected) in [
        (json!([{}]), format!("{at} Required")),
        (json!([{"opaque": {"driver": "d"}}]), format!("{at}.parameters Required")),
        (json!([opaque(json!([]))]), format!("{at}.parameters Invalid")),
        (json!([long(10_240)]), String::new()),
        (json!([long(10_241)]), format!("{at}.parameters TooLong")),
        (json!(vec![opaque(json!({})); 32]), String::new()),
        (json!(vec![opaque(json!({})); 33]), "spec.config TooMany".to_owned()),
    ] {
        assert_eq!(wrong(CLASS, class(configurations)), expected);
    }
    let [one, other] = [10_241, 10_242].map(|length| class(json!([long(length)])));
    assert_eq!(wrong_update(CLASS, &one, &one), "");
    assert_eq!(wrong_update(CLASS, &one, &other), format!("{at}.parameters TooLong"));
}
