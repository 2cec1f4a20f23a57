//! What objects may say of themselves.

use super::*;

const POD: Kind = ("", "Pod");
const JOB: Kind = ("batch", "Job");
const SERVICE: Kind = ("", "Service");

/// What is said of a container that has ended with a code and runs again.
fn runs_again(pod: &str, container: Value, code: i64) -> String {
    let container = crate::patch::merge(&json!({"name": "a", "image": "i"}), &container);
    let ended = json!([{"name": "a", "state": {"terminated": {"exitCode": code}}}]);
    let old = json!({"spec": {"restartPolicy": pod, "containers": [container]},
        "status": {"containerStatuses": ended}});
    let runs = json!({"containerStatuses": [{"name": "a", "state": {"running": {}}}]});
    wrong_status(POD, &old, &runs)
}

#[test]
fn containers_start_again_by_their_own_policy_before_that_of_the_pod() {
    let told = "status.containerStatuses[0].state Forbidden";
    let own = |policy: &str| json!({ "restartPolicy": policy });
    for (pod, policy, code, expected) in [
        ("Never", "Always", 0, ""),
        ("Never", "OnFailure", 1, ""),
        ("Always", "OnFailure", 0, told),
        ("Always", "Never", 1, told),
        ("OnFailure", "x", 1, ""),
        ("OnFailure", "x", 0, told),
        ("Never", "x", 1, told),
    ] {
        assert_eq!(runs_again(pod, own(policy), code), expected, "{pod} {policy} {code}");
    }
    assert_eq!([runs_again("Always", json!({}), 0), runs_again("Never", json!({}), 1)], ["", told]);
}

#[test]
fn containers_start_again_by_their_rules_first() {
    let told = "status.containerStatuses[0].state Forbidden";
    let rule = |action: &str, operator: &str, code: i64| json!({"action": action, "exitCodes": {"operator": operator, "values": [code]}});
    let ruled = |rules: Value, code: i64| {
        runs_again("Always", json!({"restartPolicy": "Never", "restartPolicyRules": rules}), code)
    };
    for (rules, code, expected) in [
        (json!([rule("Restart", "In", 7)]), 7, ""),
        (json!([rule("Restart", "In", 7)]), 8, told),
        (json!([rule("Restart", "NotIn", 7)]), 8, ""),
        (json!([rule("Restart", "NotIn", 7)]), 7, told),
        (json!([rule("Restart", "x", 7)]), 7, told),
        (json!([rule("Restart", "x", 7)]), 8, told),
        (json!([rule("x", "In", 7), rule("Restart", "In", 7)]), 7, told),
        (json!([rule("RestartAllContainers", "In", 7)]), 8, ""),
    ] {
        assert_eq!(ruled(rules.clone(), code), expected, "{rules} {code}");
    }
    let without = json!({"restartPolicyRules": [rule("Restart", "In", 7)]});
    assert_eq!(runs_again("Never", without, 7), told, "rules are of a policy");
}

#[test]
fn containers_that_look_into_a_pod_never_start_again() {
    let all =
        json!([{"action": "RestartAllContainers", "exitCodes": {"operator": "In", "values": [1]}}]);
    let old = json!({
        "spec": {"restartPolicy": "Always", "ephemeralContainers": [{"name": "e", "image": "i"}],
            "initContainers": [{"name": "n", "image": "i"}],
            "containers": [{"name": "a", "image": "i", "restartPolicyRules": all}]},
        "status": {"ephemeralContainerStatuses": [{"name": "e", "state": {"terminated": {"exitCode": 1}}}]},
    });
    let runs = json!([{"name": "e", "state": {"running": {}}}]);
    let told = wrong_status(POD, &old, &json!({"ephemeralContainerStatuses": runs}));
    assert_eq!(told, "status.ephemeralContainerStatuses[0].state Forbidden");
    let told = wrong_status(POD, &old, &json!({"ephemeralContainerStatuses": null}));
    assert_eq!(told, "", "it is gone");
    let resources = |told: Value| {
        let statuses = json!([{"name": "e", "state": {"terminated": {"exitCode": 1}},
            "allocatedResourcesStatus": told}]);
        wrong_status(POD, &old, &json!({"ephemeralContainerStatuses": statuses}))
    };
    assert_eq!(resources(json!([])), "");
    let told = resources(json!([{"name": "cpu"}]));
    assert_eq!(told, "status.ephemeralContainerStatuses[0].allocatedResourcesStatus Forbidden");
}

#[test]
fn users_are_of_linux() {
    let told = |system: Value, user: Value| {
        let spec = json!({"os": system, "containers": [{"name": "a", "image": "i"}]});
        let statuses = json!([{"name": "a", "user": {"linux": user}}]);
        wrong_status(POD, &json!({ "spec": spec }), &json!({"containerStatuses": statuses}))
    };
    let (windows, linux) = (json!({"name": "windows"}), json!({"name": "linux"}));
    let at = "status.containerStatuses[0].user.linux";
    let most = 2_147_483_647_i64;
    for (system, user, expected) in [
        (&windows, json!({"uid": 1, "gid": 1}), format!("{at} Forbidden")),
        (&windows, Value::Null, String::new()),
        (&linux, json!({"uid": -1, "gid": 0}), format!("{at}.uid Invalid")),
        (&linux, Value::Null, String::new()),
        (&Value::Null, json!({"uid": 0, "gid": most + 1}), format!("{at}.gid Invalid")),
        (
            &linux,
            json!({"uid": most, "gid": 0, "supplementalGroups": [0, -1]}),
            format!("{at}.supplementalGroups[1] Invalid"),
        ),
    ] {
        assert_eq!(told(system.clone(), user.clone()), expected, "{system} {user}");
    }
}

#[test]
fn resources_told_of_are_those_asked_for() {
    let told = |name: &str, resources: Value| {
        let asked = json!({"requests": {"cpu": "1"}, "claims": [{"name": "c", "request": "r"}, {"name": "d"}]});
        let spec = json!({"resourceClaims": [{"name": "c"}, {"name": "d"}],
            "containers": [{"name": "b", "image": "i"}, {"name": "a", "image": "i", "resources": asked}]});
        let of = json!([{"name": name, "resources": resources}]);
        let statuses = json!([{"name": "a", "allocatedResourcesStatus": of}]);
        wrong_status(POD, &json!({ "spec": spec }), &json!({"containerStatuses": statuses}))
    };
    let at = "status.containerStatuses[0].allocatedResourcesStatus[0]";
    for good in ["cpu", "claim:c/r", "claim:d"] {
        assert_eq!(told(good, Value::Null), "", "{good}");
    }
    for bad in ["memory", "claim:c", "claim:d/r", "claim:e", "c"] {
        assert_eq!(told(bad, Value::Null), format!("{at}.name Invalid"), "{bad}");
    }
    let message = |length: usize| {
        told(
            "cpu",
            json!([{"resourceID": "i", "health": "Healthy", "message": "x".repeat(length)}]),
        )
    };
    assert_eq!([message(1), message(1024)], [""; 2]);
    assert_eq!(message(1025), format!("{at}.resources[0].message TooLong"));
    assert_eq!(message(0), format!("{at}.resources[0].message Required"));
}

#[test]
fn a_pod_that_waits_for_a_node_has_none() {
    let told = |node: &str, waits: &str| {
        let old = json!({"spec": {"nodeName": node, "containers": [{"name": "a", "image": "i"}]},
            "status": {"nominatedNodeName": "n"}});
        wrong_status(POD, &old, &json!({ "nominatedNodeName": waits }))
    };
    let at = "status.nominatedNodeName";
    assert_eq!([told("", "m"), told("x", "n"), told("x", "")], [""; 3]);
    assert_eq!(told("x", "m"), format!("{at} Forbidden"));
    assert_eq!(told("", "M"), format!("{at} Invalid"));
}

#[test]
fn a_pod_has_an_address_of_each_family() {
    let told = |addresses: &[&str]| {
        let list: Vec<Value> = addresses.iter().map(|ip| json!({"ip": ip})).collect();
        let spec = json!({"containers": [{"name": "a", "image": "i"}]});
        wrong_status(POD, &json!({ "spec": spec }), &json!({ "podIPs": list }))
    };
    let (v4, v6) = ("10.0.0.1", "fd00::1");
    assert_eq!([told(&[v4]), told(&[v6, v4]), told(&[])], [""; 3]);
    for bad in [&[v4, "10.0.0.2"][..], &[v6, "fd00::2"], &[v4, v6, "10.0.0.2"]] {
        assert_eq!(told(bad), "status.podIPs Invalid", "{bad:?}");
    }
    let told = told(&[v4, v6, "x"]);
    assert_eq!(told, "status.podIPs[2] Invalid; status.podIPs Internal; status.podIPs Invalid");
}

/// A job with a status, which changes.
fn job(spec: Value, before: Value, change: &Value) -> String {
    let template =
        json!({"spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "i"}]}});
    let spec = crate::patch::merge(&json!({ "template": template }), &spec);
    wrong_status(JOB, &json!({"spec": spec, "status": before}), change)
}

fn conditions(names: &[&str]) -> Value {
    names.iter().map(|name| json!({"type": name, "status": "True"})).collect()
}

#[test]
fn a_job_that_never_was_to_run_ends_without_a_start() {
    let complete = json!({"conditions": conditions(&["SuccessCriteriaMet", "Complete"]),
        "completionTime": "2026-01-01T00:00:01Z"});
    let told = "status.startTime Required";
    for (suspend, completions, expected) in
        [(true, 0, ""), (true, 1, told), (false, 0, told), (false, 1, told)]
    {
        let spec = json!({"suspend": suspend, "completions": completions});
        assert_eq!(job(spec, json!({}), &complete), expected, "{suspend} {completions}");
    }
}

#[test]
fn counters_of_jobs_only_grow_unless_the_job_shrinks() {
    let indexed = |completions: i64, parallelism: i64| json!({"completionMode": "Indexed", "completions": completions, "parallelism": parallelism});
    let counts = |failed: i64, succeeded: i64| json!({"failed": failed, "succeeded": succeeded});
    let (less, both) =
        ("status.succeeded Invalid", "status.failed Invalid; status.succeeded Invalid");
    for (spec, change, expected) in [
        (json!({}), counts(3, 3), ""),
        (json!({}), counts(4, 4), ""),
        (json!({}), counts(2, 2), both),
        (indexed(5, 4), counts(3, 2), less),
        (indexed(5, 5), counts(3, 2), ""),
        (indexed(5, 5), counts(2, 3), "status.failed Invalid"),
        (json!({"completions": 5, "parallelism": 5}), counts(3, 2), less),
    ] {
        assert_eq!(job(spec.clone(), counts(3, 3), &change), expected, "{spec} {change}");
    }
}

#[test]
fn pods_of_jobs_are_counted_once() {
    let told = |change: Value| job(json!({}), json!({}), &change);
    let pods = |succeeded: &[&str], failed: &[&str]| {
        told(json!({"uncountedTerminatedPods": {"succeeded": succeeded, "failed": failed}}))
    };
    let at = "status.uncountedTerminatedPods";
    assert_eq!(pods(&["a"], &["b"]), "");
    assert_eq!(pods(&["a"], &["a"]), format!("{at}.failed[0] Duplicate"));
    assert_eq!(pods(&["a", ""], &[]), format!("{at}.succeeded[1] Invalid"));
    assert_eq!(told(json!({"active": 2, "ready": 2})), "");
    assert_eq!(told(json!({"active": 1, "ready": 2})), "status.ready Invalid");
    assert_eq!(told(json!({"terminating": 1})), "");
    let ready = json!({"active": 1, "ready": 2});
    assert_eq!(job(json!({}), ready, &json!({"failed": 1})), "", "it was so before");
}

#[test]
fn a_job_completes_after_its_start_and_stays_so() {
    let second = |second: u8| format!("2026-01-01T00:00:0{second}Z");
    let complete = conditions(&["SuccessCriteriaMet", "Complete"]);
    let ended = |start: u8, end: u8| json!({"conditions": complete, "startTime": second(start), "completionTime": second(end)});
    let at = "status.completionTime Invalid";
    assert_eq!(job(json!({}), json!({}), &ended(1, 1)), "");
    assert_eq!(job(json!({}), json!({}), &ended(2, 1)), at);
    assert_eq!(job(json!({}), ended(1, 3), &ended(1, 3)), "");
    assert_eq!(job(json!({}), ended(1, 3), &ended(1, 4)), at);
    let start = |start: u8| json!({"startTime": second(start)});
    let stays = "status.startTime Invalid";
    assert_eq!(job(json!({}), start(1), &start(2)), stays);
    assert_eq!(job(json!({}), json!({}), &start(2)), "");
    assert_eq!(job(json!({"suspend": true}), start(1), &json!({"startTime": null})), "");
}

#[test]
fn a_job_with_a_policy_of_success_completes_when_that_is_met() {
    let policy = json!({"completionMode": "Indexed", "completions": 1, "parallelism": 1,
        "successPolicy": {"rules": [{"succeededCount": 1}]}});
    let times =
        json!({"startTime": "2026-01-01T00:00:01Z", "completionTime": "2026-01-01T00:00:01Z"});
    let with =
        |names: &[&str]| crate::patch::merge(&times, &json!({ "conditions": conditions(names) }));
    let both = with(&["SuccessCriteriaMet", "Complete"]);
    assert_eq!(job(policy.clone(), json!({}), &both), "");
    let once = "status.conditions Invalid";
    let complete = with(&["Complete"]);
    assert_eq!(job(policy, json!({}), &complete), format!("{once}; {once}"));
    assert_eq!(job(json!({}), json!({}), &complete), once);
    assert_eq!(job(json!({}), complete.clone(), &complete), "");
}

#[test]
fn indexes_overlap_wherever_they_meet() {
    let spec = json!({"completionMode": "Indexed", "completions": 20, "parallelism": 20, "backoffLimitPerIndex": 1});
    let told = |completed: &str, failed: &str| {
        let change = json!({"completedIndexes": completed, "failedIndexes": failed});
        job(spec.clone(), json!({}), &change)
    };
    for (completed, failed) in [("1,5-8", "2-4,9"), ("9", "1,3,5"), ("1,3,5", "9"), ("1-3", "4-6")]
    {
        assert_eq!(told(completed, failed), "", "{completed} {failed}");
    }
    for (completed, failed) in
        [("1,5-8", "2,8"), ("5-8", "1,3-5"), ("1,3,7", "7-9"), ("1-9", "3-4"), ("3-4", "1-9")]
    {
        assert_eq!(told(completed, failed), "status.failedIndexes Invalid", "{completed} {failed}");
    }
}

#[test]
fn balancers_are_reached_at_addresses_with_a_mode() {
    let told = |of: &str, point: Value| {
        let old = json!({"spec": {"type": of, "ports": [{"port": 1}]},
            "status": {"loadBalancer": {"ingress": [{"ip": "010.0.0.1"}]}}});
        let new = json!({"metadata": {"name": "x"}, "spec": old["spec"],
            "status": {"loadBalancer": {"ingress": [point]}}});
        short(&status(SERVICE.0, SERVICE.1, &new, &old))
    };
    let at = "status.loadBalancer.ingress[0]";
    for (point, expected) in [
        (json!({}), String::new()),
        (json!({"ip": "010.0.0.1", "ipMode": "VIP"}), String::new()),
        (json!({"ip": "010.0.0.2", "ipMode": "VIP"}), format!("{at}.ip Invalid")),
        (json!({"ip": "10.0.0.1"}), format!("{at}.ipMode Required")),
        (json!({"ipMode": "VIP"}), format!("{at}.ipMode Forbidden")),
        (json!({"ip": "10.0.0.1", "ipMode": "x"}), format!("{at}.ipMode NotSupported")),
        (json!({"hostname": "a.b"}), String::new()),
        (json!({"hostname": "10.0.0.1"}), format!("{at}.hostname Invalid")),
        (json!({"hostname": "A"}), format!("{at}.hostname Invalid")),
    ] {
        assert_eq!(told("LoadBalancer", point.clone()), expected, "{point}");
    }
    assert_eq!(told("NodePort", json!({})), "status.loadBalancer.ingress Forbidden");
}

#[test]
fn conditions_are_short_and_each_of_its_own_type() {
    let kind = ("policy", "PodDisruptionBudget");
    let condition = json!({"type": "A", "status": "True", "reason": "R", "message": "",
        "lastTransitionTime": "2026-01-01T00:00:00Z"});
    let told =
        |conditions: Value| wrong_status(kind, &json!({}), &json!({ "conditions": conditions }));
    let with = |more: Value| told(json!([crate::patch::merge(&condition, &more)]));
    let at = "status.conditions[0]";
    for (more, expected) in [
        (json!({"observedGeneration": 0}), String::new()),
        (json!({"observedGeneration": -1}), format!("{at}.observedGeneration Invalid")),
        (json!({"status": "x"}), format!("{at}.status NotSupported")),
        (json!({"lastTransitionTime": null}), format!("{at}.lastTransitionTime Required")),
        (json!({"reason": ""}), format!("{at}.reason Required")),
        (json!({"reason": "R".repeat(1024)}), String::new()),
        (json!({"reason": "R".repeat(1025)}), format!("{at}.reason TooLong")),
        (json!({"message": "m".repeat(32_768)}), String::new()),
        (json!({"message": "m".repeat(32_769)}), format!("{at}.message TooLong")),
    ] {
        assert_eq!(with(more), expected);
    }
    assert_eq!(told(json!([condition, condition])), "status.conditions[1].type Duplicate");
}

#[test]
fn claims_grow_in_states_that_there_are() {
    let kind = ("", "PersistentVolumeClaim");
    let told = |status: Value| wrong_status(kind, &json!({}), &status);
    let states =
        |name: &str, state: &str| told(json!({"allocatedResourceStatuses": {name: state}}));
    let (pending, at) = ("NodeResizePending", "status.allocatedResourceStatuses");
    assert_eq!([states("storage", pending), states("a.b/c", pending)], [""; 2]);
    for (name, state) in [("storage", "x"), ("cpu", pending), ("kubernetes.io/a", pending)] {
        assert_eq!(states(name, state), format!("{at} NotSupported"), "{name} {state}");
    }
    assert_eq!(states("a b", pending), format!("{at} Invalid"));
    let allocated = |name: &str, amount: &str| told(json!({"allocatedResources": {name: amount}}));
    assert_eq!([allocated("storage", "0"), allocated("a.b/c", "1")], [""; 2]);
    assert_eq!(allocated("storage", "-1"), "status.allocatedResources[storage] Invalid");
    assert_eq!(allocated("cpu", "-1"), "status.allocatedResources NotSupported");
    assert_eq!(told(json!({"capacity": {"storage": "-1"}})), "status.capacity[storage] Invalid");
}
