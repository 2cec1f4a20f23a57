use std::sync::Arc;
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::{
    complete, counts_changes, creates_on_update, goes_with_update, has_generation, may_show_sent,
    orphans_by_default, pod_grace, prepare_update, returns_deleted, set_requestor, stored_as,
    updates_unconditionally, wants_differ,
};
use crate::clock::Now;
use crate::error::Cause;
use crate::handlers::bootstrap::own_call;
use crate::registry::builtin;
use crate::request::Call;
use crate::resource::Resource;
use crate::user::User;

fn resource(group: &str, kind: &str) -> Arc<Resource> {
    builtin(group, "v1", kind).expect("a kind")
}

fn call(group: &str, kind: &str, subresource: &str) -> Call {
    let mut call = own_call(Method::PUT, resource(group, kind), "a", "x");
    subresource.clone_into(&mut call.subresource);
    call
}

/// What is stored when `new` is sent in place of `old`.
fn prepared(of: (&str, &str, &str), new: &Value, old: &Value) -> Value {
    let (group, kind, subresource) = of;
    let mut new = new.clone();
    prepare_update(&call(group, kind, subresource), &mut new, old, Now(Duration::from_secs(60)));
    new
}

#[test]
fn what_is_asked_of_a_certificate_stays() {
    let request = |name: &str| json!({"metadata": {}, "spec": {"username": name}});
    for part in ["", "approval", "status"] {
        let of = ("certificates.k8s.io", "CertificateSigningRequest", part);
        let new = prepared(of, &request("eve"), &request("bob"));
        assert_eq!(new["spec"], json!({"username": "bob"}), "{part}");
    }
}

#[test]
fn each_path_writes_its_part() {
    let object = |of: &str| json!({"metadata": {}, "spec": {"a": of}, "status": {"a": of}});
    let (old, new) = (object("old"), object("new"));
    for (part, spec, status) in [("", "new", "old"), ("status", "old", "new")] {
        let told = prepared(("apps", "Deployment", part), &new, &old);
        assert_eq!((&told["spec"]["a"], &told["status"]["a"]), (&json!(spec), &json!(status)));
    }
    // What has no status keeps what is called so.
    let map = prepared(("", "ConfigMap", ""), &json!({"metadata": {}, "status": 1}), &json!({}));
    assert_eq!(map["status"], 1);
}

#[test]
fn a_pod_has_parts_with_paths_of_their_own() {
    let pod = |image: &str, extra: &str, phase: &str| {
        json!({
            "metadata": {"labels": {"a": image}},
            "spec": {
                "containers": [{"name": "a", "image": image}],
                "ephemeralContainers": [{"name": extra}],
            },
            "status": {"phase": phase},
        })
    };
    let of = ("", "Pod", "ephemeralcontainers");
    let told = prepared(of, &pod("new", "two", "Failed"), &pod("old", "one", "Running"));
    assert_eq!(told, pod("old", "two", "Running"));
    let told =
        prepared(("", "Pod", ""), &pod("new", "one", "Failed"), &pod("old", "one", "Running"));
    assert_eq!(told["status"], json!({"phase": "Running"}));
    assert_eq!(told["spec"]["tolerations"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_namespace_keeps_its_finalizers_but_where_it_is_finalized() {
    let of = |name: &str| json!({"metadata": {}, "spec": {"finalizers": [name]}});
    for (part, expected) in [("", "old"), ("finalize", "new")] {
        let told = prepared(("", "Namespace", part), &of("new"), &of("old"));
        assert_eq!(told["spec"]["finalizers"], json!([expected]), "{part}");
    }
    let none = json!({"metadata": {}});
    let told = prepared(("", "Namespace", ""), &none, &of("old"));
    assert_eq!(told["spec"]["finalizers"], json!(["old"]));
    let told = prepared(("", "Namespace", ""), &of("new"), &none);
    assert_eq!(told["spec"]["finalizers"], Value::Null);
}

#[test]
fn fields_of_gates_that_are_off_go_where_they_were_not() {
    let lease = |spec: &Value| json!({"metadata": {}, "spec": spec});
    let led = lease(&json!({"strategy": "OldestEmulationVersion", "preferredHolder": "a"}));
    let of = ("coordination.k8s.io", "Lease", "");
    assert_eq!(prepared(of, &led, &lease(&json!({})))["spec"], json!({}));
    let was = lease(&json!({"strategy": "x"}));
    assert_eq!(prepared(of, &led, &was)["spec"], json!({"strategy": "OldestEmulationVersion"}));
    let set = |rolling: &Value| json!({"metadata": {}, "spec": {"updateStrategy": {"rollingUpdate": rolling}}});
    let bound = json!({"partition": 1, "maxUnavailable": 2});
    for (old, expected) in [
        (set(&json!({})), json!({"partition": 1})),
        (set(&json!({"maxUnavailable": null})), json!({"partition": 1})),
        (set(&json!({"maxUnavailable": 1})), bound.clone()),
        (json!({}), json!({"partition": 1})),
    ] {
        let told = prepared(("apps", "StatefulSet", ""), &set(&bound), &old);
        assert_eq!(told, set(&expected), "{old}");
    }
    let slice = |attributes: &Value| json!({"metadata": {}, "spec": {"devices": [{"name": "a"}, {"attributes": {"b": attributes}}]}});
    let lists = json!({"string": "x", "bools": [true], "ints": [1], "strings": ["x"], "versions": ["1.0.0"]});
    let told = prepared(("resource.k8s.io", "ResourceSlice", ""), &slice(&lists), &slice(&lists));
    assert_eq!(told, slice(&json!({"string": "x"})));
}

#[test]
fn a_daemon_set_counts_the_changes_of_its_template() {
    let set = |template: &str, count: &str| {
        let name = "deprecated.daemonset.template.generation";
        json!({"metadata": {"annotations": {name: count}}, "spec": {"template": {"a": template}}})
    };
    for (template, expected) in [("old", "3"), ("new", "4")] {
        let told = prepared(("apps", "DaemonSet", ""), &set(template, "7"), &set("old", "3"));
        assert_eq!(told, set(template, expected));
    }
}

#[test]
fn objects_are_as_old_as_they_were() {
    let of = |time: &str| json!({"metadata": {"creationTimestamp": time}});
    assert_eq!(prepared(("", "ConfigMap", ""), &of("new"), &of("old")), of("old"));
    let none = json!({"metadata": {}});
    assert_eq!(prepared(("", "ConfigMap", ""), &of("new"), &none), none);
}

#[test]
fn who_asks_for_a_certificate_is_who_makes_the_request() {
    let mut call = call("certificates.k8s.io", "CertificateSigningRequest", "");
    let lie = json!({"request": "r", "username": "root", "uid": "0", "groups": ["g"], "extra": {"a": ["b"]}});
    let mut request = json!({"spec": lie});
    call.user = Arc::new(User::new("bob"));
    set_requestor(&call, &mut request);
    assert_eq!(request, json!({"spec": {"request": "r", "username": "bob"}}));
    let mut user = User::new("bob").in_group("devs");
    "7".clone_into(&mut user.uid);
    user.extra.insert("team".to_owned(), vec!["blue".to_owned()]);
    call.user = Arc::new(user);
    set_requestor(&call, &mut request);
    let told = json!({
        "request": "r", "username": "bob", "uid": "7", "groups": ["devs"],
        "extra": {"team": ["blue"]},
    });
    assert_eq!(request["spec"], told);
}

#[test]
fn what_controllers_act_upon_differs() {
    let object = |spec: u8, status: u8, label: u8, note: u8| {
        json!({
            "kind": "K", "spec": spec, "status": status,
            "metadata": {"labels": {"a": label}, "annotations": {"a": note}},
        })
    };
    let old = object(0, 0, 0, 0);
    for (group, kind, part, new, expected) in [
        ("apps", "Deployment", "", object(0, 0, 0, 0), false),
        ("apps", "Deployment", "", object(1, 0, 0, 0), true),
        ("apps", "Deployment", "", object(0, 1, 0, 0), false),
        ("apps", "Deployment", "", object(0, 0, 1, 0), false),
        ("apps", "Deployment", "", object(0, 0, 0, 1), true),
        ("apps", "Deployment", "status", object(1, 1, 1, 1), false),
        ("apps", "ReplicaSet", "", object(0, 0, 0, 1), false),
        ("", "Pod", "binding", object(1, 0, 0, 0), false),
        ("", "Pod", "resize", object(1, 0, 0, 0), true),
        ("discovery.k8s.io", "EndpointSlice", "", object(0, 0, 1, 0), true),
        ("discovery.k8s.io", "EndpointSlice", "", object(0, 0, 0, 1), false),
        ("scheduling.k8s.io", "PriorityClass", "", object(1, 0, 0, 0), false),
    ] {
        let differ = wants_differ(&call(group, kind, part), &new, &old);
        assert_eq!(differ, expected, "{kind} {part} {new}");
    }
    let typed = |version: &str| json!({"apiVersion": version, "kind": version, "spec": 1});
    assert!(!wants_differ(&call("apps", "Deployment", ""), &typed("a"), &typed("b")));
}

#[test]
fn an_object_that_nobody_holds_any_more_goes() {
    let of = |time: &str, grace: &Value, finalizers: &Value| {
        let metadata = json!({
            "deletionTimestamp": time, "deletionGracePeriodSeconds": grace, "finalizers": finalizers,
        });
        json!({"metadata": metadata, "spec": {"finalizers": []}})
    };
    let (none, one, time) = (json!([]), json!(["a/b"]), "2020-01-01T00:00:00Z");
    let maps = resource("", "ConfigMap");
    for (old, new, expected) in [
        (of(time, &json!(0), &one), of(time, &json!(0), &none), true),
        (of(time, &Value::Null, &one), of(time, &Value::Null, &none), true),
        (of(time, &json!(1), &one), of(time, &json!(1), &none), false),
        (of(time, &json!(0), &one), of(time, &json!(0), &one), false),
        (of("", &json!(0), &one), of("", &json!(0), &none), false),
    ] {
        assert_eq!(goes_with_update(&maps, &new, &old), expected, "{new} {old}");
    }
    let (old, mut new) = (of(time, &Value::Null, &none), of(time, &Value::Null, &none));
    let namespaces = resource("", "Namespace");
    assert!(goes_with_update(&namespaces, &new, &old));
    new["spec"]["finalizers"] = json!(["kubernetes"]);
    assert!(!goes_with_update(&namespaces, &new, &old));
    assert!(goes_with_update(&maps, &new, &old));
}

#[test]
fn a_pod_has_the_time_to_end_that_was_asked_for_or_its_own() {
    let pod = |node: &str, phase: &str, own: &Value| {
        json!({
            "spec": {"nodeName": node, "terminationGracePeriodSeconds": own},
            "status": {"phase": phase},
        })
    };
    let (own, none) = (json!(7), Value::Null);
    for (pod, asked, expected) in [
        (pod("n", "Running", &own), Some(3), 3),
        (pod("n", "Running", &own), Some(0), 0),
        (pod("n", "Running", &own), Some(-1), 1),
        (pod("n", "Running", &own), None, 7),
        (pod("n", "Running", &none), None, 30),
        (pod("n", "Running", &json!(-1)), None, 1),
        (pod("", "Running", &own), Some(3), 0),
        (pod("n", "Failed", &own), Some(3), 0),
        (pod("n", "Succeeded", &own), Some(3), 0),
    ] {
        assert_eq!(pod_grace(&pod, asked), expected, "{pod} {asked:?}");
    }
}

#[test]
fn kinds_are_kept_under_names_of_their_own() {
    for (group, kind, expected) in [
        ("", "Service", "services/specs"),
        ("", "Endpoints", "services/endpoints"),
        ("", "Node", "minions"),
        ("", "ReplicationController", "controllers"),
        ("networking.k8s.io", "Ingress", "ingress"),
        ("", "Pod", "pods"),
    ] {
        assert_eq!(stored_as(&resource(group, kind)), expected);
    }
}

/// As the strategies of `pkg/registry` say: whether the generation is counted, whether a PUT without a version replaces,
/// whether a PUT creates, whether dependents are left alone, and whether the object is the answer to its deletion.
#[test]
fn kinds_have_habits() {
    let habits = |group: &str, kind: &str| {
        let resource = resource(group, kind);
        [
            (has_generation(&resource), "counts"),
            (counts_changes(&resource), "counts changes"),
            (updates_unconditionally(&resource), "replaces"),
            (creates_on_update(&resource), "creates"),
            (orphans_by_default(&resource), "orphans"),
            (returns_deleted(&resource), "returns"),
        ]
        .into_iter()
        .filter_map(|(holds, habit)| holds.then_some(habit))
        .collect::<Vec<_>>()
        .join(", ")
    };
    for (group, kind, expected) in [
        ("", "ConfigMap", "replaces"),
        ("", "Pod", "counts, replaces, returns"),
        ("", "ReplicationController", "counts, replaces, orphans"),
        ("", "Service", "replaces, creates, returns"),
        ("", "LimitRange", "replaces, creates"),
        ("apps", "Deployment", "counts, replaces"),
        ("batch", "Job", "counts, replaces, orphans"),
        ("batch", "CronJob", "counts, replaces"),
        ("coordination.k8s.io", "Lease", "creates"),
        ("policy", "PodDisruptionBudget", "counts"),
        ("storage.k8s.io", "CSIDriver", "counts changes, returns"),
        ("storage.k8s.io", "StorageClass", "replaces, returns"),
        ("node.k8s.io", "RuntimeClass", "creates"),
    ] {
        assert_eq!(habits(group, kind), expected, "{kind}");
    }
}

#[test]
fn what_is_decoded_is_completed() {
    let mut secret = json!({"stringData": {"a": "x"}, "data": {"b": "eQ=="}});
    complete(&resource("", "Secret"), &mut secret);
    assert_eq!(secret, json!({"data": {"a": "eA==", "b": "eQ=="}}));
    let mut map = json!({"stringData": {"a": "x"}});
    complete(&resource("", "ConfigMap"), &mut map);
    assert_eq!(map, json!({"stringData": {"a": "x"}}));
    let mut namespace = json!({"metadata": {"name": "a", "labels": {"b": "c"}}});
    complete(&resource("", "Namespace"), &mut namespace);
    let labels = json!({"b": "c", "kubernetes.io/metadata.name": "a"});
    assert_eq!(namespace["metadata"]["labels"], labels);
}

#[test]
fn an_object_is_judged_once_more_only_for_what_may_be_shown_of_it() {
    let cause = |reason: &str| Cause {
        reason: reason.to_owned(),
        message: "m".to_owned(),
        field: "f".to_owned(),
    };
    let (pod, class) = (resource("", "Pod"), resource("storage.k8s.io", "StorageClass"));
    let definition = resource("apiextensions.k8s.io", "CustomResourceDefinition");
    for (reason, expected) in [
        ("FieldValueInvalid", true),
        ("FieldValueForbidden", true),
        ("FieldValueRequired", false),
        ("FieldValueNotSupported", false),
        ("FieldValueTooLong", false),
    ] {
        let causes = [cause("FieldValueRequired"), cause(reason)];
        assert_eq!(may_show_sent(&pod, &causes), expected, "{reason}");
        assert_eq!(may_show_sent(&class, &causes), expected, "{reason}");
        assert!(!may_show_sent(&definition, &causes), "{reason}");
    }
    assert!(!may_show_sent(&pod, &[]));
}
