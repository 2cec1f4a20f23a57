//! Who may write what of claims of devices.

use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};

use crate::access::Authorization;
use crate::clock::Now;
use crate::config::Config;
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::registry::claims::{forget_devices, refusals};
use crate::request::Call;
use crate::resource::Resource;
use crate::rng::Rng;
use crate::step::Core;
use crate::storage::{TableName, key};
use crate::user::User;

const NODE: &str = "authentication.kubernetes.io/node-name";

fn core() -> Core {
    let config = Config { authorization: Authorization::Rbac, ..Config::default() };
    Core::new(config, Now::default(), &mut Rng::new(0))
}

fn claims(group: &str) -> Arc<Resource> {
    let claims = builtin("resource.k8s.io", "v1", "ResourceClaim").expect("claims");
    Arc::new(Resource { group: group.to_owned(), ..(*claims).clone() })
}

fn call(method: Method, subresource: &str) -> Call {
    let mut call = own_call(method, claims("resource.k8s.io"), "default", "a");
    subresource.clone_into(&mut call.subresource);
    call
}

/// Writes the status of a claim, as the account of a driver that runs on these nodes.
fn by_driver(nodes: &[&str]) -> Call {
    let mut call = call(Method::PUT, "status");
    let mut user = User::service_account("default", "driver");
    let nodes = nodes.iter().map(|node| (*node).to_owned()).collect();
    user.extra.insert(NODE.to_owned(), nodes);
    call.user = Arc::new(user);
    call
}

#[test]
fn what_others_call_a_claim_is_theirs() {
    let core = core();
    let claim = json!({"spec": {"devices": {"requests": [{"exactly": {"adminAccess": true}}]}}});
    let status =
        json!({"status": {"allocation": {"devices": {"results": [{"adminAccess": true}]}}}});
    for (group, count) in [("resource.k8s.io", 1), ("example.com", 0)] {
        let call = own_call(Method::POST, claims(group), "default", "a");
        assert_eq!(refusals(&core, &call, None, &claim).len(), count, "{group}");
        let mut call = own_call(Method::PUT, claims(group), "default", "a");
        call.subresource = "status".to_owned();
        assert_eq!(refusals(&core, &call, Some(&json!({})), &status).len(), count, "{group}");
    }
}

#[test]
fn of_a_claim_that_is_there_only_the_status_is_looked_at() {
    let core = core();
    let claim = json!({"spec": {"devices": {"requests": [{"exactly": {"adminAccess": true}}]}}});
    let told = |call: &Call, old: Option<&Value>| refusals(&core, call, old, &claim).len();
    assert_eq!(told(&call(Method::POST, ""), None), 1);
    assert_eq!(told(&call(Method::PUT, ""), Some(&json!({}))), 0);
    assert_eq!(told(&call(Method::PUT, "status"), Some(&json!({}))), 0);
}

#[test]
fn who_had_devices_of_others_before_keeps_them() {
    let core = core();
    let claim = |shares: &[bool]| {
        let results: Vec<Value> = shares.iter().map(|one| json!({"adminAccess": one})).collect();
        json!({"status": {"allocation": {"devices": {"results": results}}}})
    };
    let told = |old: &[bool], new: &[bool]| {
        let causes = refusals(&core, &call(Method::PUT, "status"), Some(&claim(old)), &claim(new));
        causes.iter().map(|cause| cause.field.clone()).collect::<Vec<_>>().join(" ")
    };
    let place = |at: usize| format!("status.allocation.devices.results[{at}].adminAccess");
    assert_eq!(told(&[false], &[false, true, true]), place(1));
    assert_eq!(told(&[], &[true]), place(0));
    assert_eq!(told(&[false, true], &[true, true]), "");
    assert_eq!(told(&[false], &[false]), "");
}

fn allocated(selector: &Value, devices: &[Value]) -> Value {
    json!({"status": {"allocation": {"nodeSelector": selector}, "devices": devices}})
}

/// A node selector with these terms.
fn on(terms: &[Value]) -> Value {
    json!({ "nodeSelectorTerms": terms })
}

fn field(key: &str, operator: &str, values: &[&str]) -> Value {
    json!({"key": key, "operator": operator, "values": values})
}

const BOTH: &str = r#"verb="[associated-node:update arbitrary-node:update]""#;
const ONE: &str = r#"verb="[arbitrary-node:update]""#;

#[test]
fn a_driver_is_at_its_node_where_the_claim_is_for_that_one_and_no_other() {
    let core = core();
    let verbs = |call: &Call, selector: &Value| {
        let device = json!({"driver": "d", "pool": "p", "device": "a"});
        let (old, new) = (allocated(selector, &[]), allocated(selector, &[device]));
        let causes = refusals(&core, call, Some(&old), &new);
        let [cause] = &causes[..] else { panic!("{causes:?}") };
        assert_eq!(cause.field, "status.devices");
        cause.message.contains(BOTH) || !cause.message.contains(ONE)
    };
    let name = |values: &[&str]| field("metadata.name", "In", values);
    let here = on(&[json!({"matchFields": [name(&["n"])]})]);
    assert!(verbs(&by_driver(&["n"]), &here));
    for nodes in [&[] as &[&str], &["m"], &["n", "m"], &["n", "n"]] {
        assert!(!verbs(&by_driver(nodes), &here), "{nodes:?}");
    }
    let mut alice = by_driver(&["n"]);
    let extra = alice.user.extra.clone();
    alice.user = Arc::new(User { extra, ..User::new("alice") });
    assert!(!verbs(&alice, &here), "no account");
    let term = json!({"matchFields": [name(&["n"])]});
    let labels = json!([field("a", "Exists", &[])]);
    for selector in [
        on(&[]),
        on(&[term.clone(), term]),
        on(&[json!({"matchFields": []})]),
        on(&[json!({"matchFields": [name(&["n"]), name(&["n"])]})]),
        on(&[json!({"matchFields": [name(&["n", "m"])]})]),
        on(&[json!({"matchFields": [name(&[])]})]),
        on(&[json!({"matchFields": [field("metadata.name", "NotIn", &["n"])]})]),
        on(&[json!({"matchFields": [field("metadata.uid", "In", &["n"])]})]),
        on(&[json!({"matchFields": [name(&["n"])], "matchExpressions": labels})]),
    ] {
        assert!(!verbs(&by_driver(&["n"]), &selector), "{selector}");
    }
    let odd = on(&[json!({"matchFields": [name(&["n_"])]})]);
    assert!(!verbs(&by_driver(&["n_"]), &odd), "no node has such a name");
}

/// Lets everybody do one thing with the drivers of claims.
fn allow(core: &mut Core, verb: &str) {
    let rules = json!([{"apiGroups": ["resource.k8s.io"], "resources": ["resourceclaims/driver"],
        "verbs": [verb]}]);
    let role = json!({"metadata": {"name": "r"}, "rules": rules});
    let role_ref = json!({"kind": "ClusterRole", "name": "r"});
    let all = json!([{"kind": "Group", "name": "system:authenticated"}]);
    let binding = json!({"metadata": {"name": "r"}, "roleRef": role_ref, "subjects": all});
    for (plural, object) in [("clusterroles", role), ("clusterrolebindings", binding)] {
        let table = TableName::from(format!("{plural}.rbac.authorization.k8s.io"));
        core.store.put(&table, &key("", "r"), object);
    }
}

#[test]
fn who_may_speak_for_a_driver_at_its_node_may_not_elsewhere() {
    let here = on(&[json!({"matchFields": [field("metadata.name", "In", &["n"])]})]);
    let device = json!({"driver": "d", "pool": "p", "device": "a"});
    let (old, new) = (allocated(&here, &[]), allocated(&here, &[device]));
    for (verb, at_node, elsewhere) in [
        ("associated-node:update", 0, 1),
        ("arbitrary-node:update", 0, 0),
        ("associated-node:patch", 1, 1),
    ] {
        let mut core = core();
        allow(&mut core, verb);
        let told = |nodes: &[&str]| refusals(&core, &by_driver(nodes), Some(&old), &new).len();
        assert_eq!((told(&["n"]), told(&["m"])), (at_node, elsewhere), "{verb}");
    }
}

#[test]
fn only_the_drivers_of_devices_that_change_are_asked_about() {
    let core = core();
    let device = |driver: &str, data: u32| json!({"driver": driver, "pool": "p", "device": "a", "data": data});
    let told = |old: &[Value], new: &[Value]| {
        let none = Value::Null;
        let (old, new) = (allocated(&none, old), allocated(&none, new));
        let causes = refusals(&core, &by_driver(&[]), Some(&old), &new);
        let of = |driver: &&str| {
            let quoted = format!("resourceclaims.resource.k8s.io \"{driver}\" is forbidden");
            causes.iter().any(|cause| cause.message.contains(&quoted))
        };
        let drivers: Vec<&str> = ["d", "e"].into_iter().filter(of).collect();
        assert_eq!(drivers.len(), causes.len(), "{causes:?}");
        drivers.join(" ")
    };
    let (d, e) = (device("d", 1), device("e", 1));
    let both = [d.clone(), e];
    assert_eq!(told(&both, &both), "");
    assert_eq!(told(&both, &[both[1].clone(), both[0].clone()]), "", "another order");
    assert_eq!(told(&both, &[d.clone(), device("e", 2)]), "e");
    assert_eq!(told(&both, &both[..1]), "e");
    assert_eq!(told(&[], &both), "d e");
    assert_eq!(told(&both, &[]), "d e");
    assert_eq!(told(&both[..1], &[d.clone(), d]), "d", "once more is a change");
}

#[test]
fn without_an_allocation_nothing_is_said_of_devices() {
    let core = core();
    let old = json!({"status": {}});
    let new = json!({"status": {"devices": [{"driver": "d", "pool": "p", "device": "a"}]}});
    assert_eq!(refusals(&core, &by_driver(&[]), Some(&old), &new), []);
}

#[test]
fn of_as_many_drivers_as_a_claim_has_results_all_are_asked_about() {
    let core = core();
    for (count, refused, is_too_many) in [(64, 64, false), (65, 65, true), (70, 65, true)] {
        let device = |at: usize| json!({"driver": format!("d{at}"), "pool": "p", "device": "a"});
        let devices: Vec<Value> = (0..count).map(device).collect();
        let (old, new) = (allocated(&Value::Null, &[]), allocated(&Value::Null, &devices));
        let causes = refusals(&core, &by_driver(&[]), Some(&old), &new);
        let last = causes.last().expect("a cause");
        assert_eq!(causes.len(), refused, "{count}");
        let why = "may not be of more than 64 drivers at once";
        assert_eq!(last.message.ends_with(why), is_too_many, "{count}");
    }
}

#[test]
fn who_gets_a_claim_is_for_schedulers_to_say() {
    let core = core();
    let claim = |allocation: u32, reserved: u32| json!({"status": {"allocation": allocation, "reservedFor": reserved}});
    for (method, verb) in [(Method::PUT, "update"), (Method::PATCH, "patch")] {
        let mut call = by_driver(&[]);
        call.method = method;
        let told = |new: Value| refusals(&core, &call, Some(&claim(1, 1)), &new);
        assert_eq!(told(claim(1, 1)), []);
        for new in [claim(2, 1), claim(1, 2)] {
            let causes = told(new);
            let needs =
                format!("resource=\"resourceclaims/binding\", verb=\"{verb}\" permission: ");
            assert_eq!(causes.len(), 1);
            assert_eq!(causes[0].field, "status.allocation");
            assert!(causes[0].message.contains(&needs), "{}", causes[0].message);
        }
    }
}

#[test]
fn of_devices_that_are_gone_nothing_is_told_any_more() {
    let known = |device: &&str| json!({"driver": "d", "pool": "p", "device": device});
    let all = |devices: &[&str]| devices.iter().map(known).collect::<Vec<Value>>();
    let forgotten = |old: &[&str], new: &[&str], told: &[&str]| {
        let of = |results: &[&str]| json!({"devices": {"results": all(results)}});
        let old = json!({"status": {"allocation": of(old)}});
        let mut new = json!({"status": {"allocation": of(new), "devices": all(told)}});
        forget_devices(&mut new, &old);
        let left = new["status"].get("devices").and_then(Value::as_array);
        left.map(|left| left.iter().map(|one| one["device"].clone()).collect::<Vec<_>>())
    };
    assert_eq!(forgotten(&["a", "b"], &["b"], &["a", "b"]), Some(vec![json!("b")]));
    assert_eq!(forgotten(&["a"], &[], &["a"]), None);
    assert_eq!(forgotten(&["a"], &["a"], &[]), Some(Vec::new()), "nothing is gone");
    let others = Some(vec![json!("c")]);
    assert_eq!(forgotten(&["a"], &["b"], &["a", "c"]), others, "what was never allocated");
}
