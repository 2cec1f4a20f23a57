//! Single rules, where what they do changes.

use super::*;

/// What a value of a type, begun like this, is completed to at a place.
#[track_caller]
fn completed(model: &str, mut value: Value, pointer: &str) -> Value {
    let schema = Schemas::builtin().by_name(model).expect("a built-in type");
    complete(&mut value, schema);
    value.pointer(pointer).cloned().unwrap_or_default()
}

#[test]
fn an_image_without_a_tag_or_digest_is_the_latest() {
    for (image, policy) in [
        ("nginx", "Always"),
        ("nginx:latest", "Always"),
        ("registry:5000/nginx", "Always"),
        ("registry:5000/nginx:latest", "Always"),
        ("nginx:1", "IfNotPresent"),
        ("registry:5000/nginx:1", "IfNotPresent"),
        ("nginx@sha256:0", "IfNotPresent"),
        ("nginx:latest@sha256:0", "IfNotPresent"),
        ("", "IfNotPresent"),
    ] {
        let container = json!({"name": "a", "image": image});
        let told = completed("io.k8s.api.core.v1.Container", container, "/imagePullPolicy");
        assert_eq!(told, policy, "{image}");
        let volume = json!({"name": "a", "image": {"reference": image}});
        let told = completed("io.k8s.api.core.v1.Volume", volume, "/image/pullPolicy");
        assert_eq!(told, policy, "{image}");
    }
}

#[test]
fn amounts_finer_than_a_thousandth_are_rounded_up() {
    let rounded = |amount: &str| {
        let value = json!({"limits": {"a": amount}});
        completed("io.k8s.api.core.v1.ResourceRequirements", value, "/limits/a")
    };
    for (amount, expected) in
        [("1m", "1m"), ("1001u", "2m"), ("1n", "1m"), ("1500m", "1500m"), ("2", "2")]
    {
        assert_eq!(rounded(amount), expected, "{amount}");
    }
}

#[test]
fn containers_ask_for_what_they_are_limited_to() {
    let requests = |resources: Value| {
        let containers = json!([{"name": "a", "image": "i", "resources": resources}]);
        let pod = json!({"spec": {"containers": containers, "initContainers": containers}});
        let of = |list: &str| {
            let place = format!("/spec/{list}/0/resources/requests");
            completed("io.k8s.api.core.v1.Pod", pod.clone(), &place)
        };
        assert_eq!(of("containers"), of("initContainers"));
        of("containers")
    };
    assert_eq!(requests(json!({"limits": {"cpu": "1"}})), json!({"cpu": "1"}));
    let both = json!({"limits": {"cpu": "2", "memory": "1Gi"}, "requests": {"cpu": "1"}});
    assert_eq!(requests(both), json!({"cpu": "1", "memory": "1Gi"}));
    assert_eq!(requests(json!({"limits": {}})), Value::Null);
    let ports = |host_network: bool| {
        let ports = json!([{"containerPort": 80}, {"containerPort": 81, "hostPort": 82}]);
        let containers = json!([{"name": "a", "image": "i", "ports": ports}]);
        let pod = json!({"spec": {"hostNetwork": host_network, "containers": containers}});
        let ports = completed("io.k8s.api.core.v1.Pod", pod, "/spec/containers/0/ports");
        [0_usize, 1].map(|at| ports[at]["hostPort"].clone())
    };
    assert_eq!(ports(true), [json!(80), json!(82)]);
    assert_eq!(ports(false), [Value::Null, json!(82)]);
}

#[test]
fn the_two_names_of_an_account_are_one() {
    let names = |spec: Value| {
        let pod = json!({ "spec": spec });
        let name = |member: &str| {
            completed("io.k8s.api.core.v1.Pod", pod.clone(), &format!("/spec/{member}"))
        };
        [name("serviceAccount"), name("serviceAccountName")]
    };
    assert_eq!(names(json!({"serviceAccount": "a"})), ["a", "a"]);
    assert_eq!(names(json!({"serviceAccountName": "b"})), ["b", "b"]);
    assert_eq!(names(json!({"serviceAccount": "a", "serviceAccountName": "b"})), ["b", "b"]);
    assert_eq!(names(json!({})), [Value::Null, Value::Null]);
    let addresses = |status: Value| {
        let pod = json!({ "status": status });
        let of = |member: &str| {
            completed("io.k8s.api.core.v1.Pod", pod.clone(), &format!("/status/{member}"))
        };
        [of("podIP"), of("podIPs")]
    };
    let list = json!([{"ip": "1.1.1.1"}]);
    assert_eq!(addresses(json!({"podIP": "1.1.1.1"})), [json!("1.1.1.1"), list.clone()]);
    let other = json!({"podIP": "2.2.2.2", "podIPs": list});
    assert_eq!(addresses(other), [json!("1.1.1.1"), list]);
    assert_eq!(addresses(json!({})), [Value::Null, Value::Null]);
}

#[test]
fn a_node_tells_its_first_range_twice() {
    let ranges = |one: &str, all: &[&str]| {
        let mut spec = json!({"podCIDR": one, "podCIDRs": all});
        core::node_spec(spec.as_object_mut().expect("an object"));
        (spec["podCIDR"].clone(), spec["podCIDRs"].clone())
    };
    assert_eq!(ranges("a", &[]), (json!("a"), json!(["a"])));
    assert_eq!(ranges("a", &["b", "c"]), (json!("a"), json!(["a"])));
    assert_eq!(ranges("a", &["a", "c"]), (json!("a"), json!(["a", "c"])));
    assert_eq!(ranges("", &["b", "c"]), (json!("b"), json!(["b", "c"])));
    assert_eq!(ranges("", &[]), (json!(""), json!([])));
    let allocatable = |status: Value| {
        completed("io.k8s.api.core.v1.Node", json!({ "status": status }), "/status/allocatable")
    };
    assert_eq!(allocatable(json!({"capacity": {"cpu": "2"}})), json!({"cpu": "2"}));
    let both = json!({"capacity": {"cpu": "2"}, "allocatable": {"cpu": "1"}});
    assert_eq!(allocatable(both), json!({"cpu": "1"}));
    assert_eq!(allocatable(json!({})), Value::Null);
}

#[test]
fn a_service_is_completed_by_its_type() {
    const SERVICE: &str = "io.k8s.api.core.v1.Service";
    let of = |spec: Value, member: &str| {
        completed(SERVICE, json!({ "spec": spec }), &format!("/spec/{member}"))
    };
    for (type_, externals, external, internal, ports) in [
        ("ClusterIP", json!([]), json!(null), json!("Cluster"), json!(null)),
        ("ClusterIP", json!(["1.1.1.1"]), json!("Cluster"), json!("Cluster"), json!(null)),
        ("NodePort", json!([]), json!("Cluster"), json!("Cluster"), json!(null)),
        ("LoadBalancer", json!([]), json!("Cluster"), json!("Cluster"), json!(true)),
        ("ExternalName", json!(["1.1.1.1"]), json!(null), json!(null), json!(null)),
    ] {
        let spec = json!({"type": type_, "externalIPs": externals});
        let told = |member: &str| of(spec.clone(), member);
        assert_eq!(told("externalTrafficPolicy"), external, "{type_}");
        assert_eq!(told("internalTrafficPolicy"), internal, "{type_}");
        assert_eq!(told("allocateLoadBalancerNodePorts"), ports, "{type_}");
    }
    let affinity = |affinity: &str, seconds: Value| {
        let config = json!({"clientIP": {"timeoutSeconds": seconds}});
        let spec = json!({"sessionAffinity": affinity, "sessionAffinityConfig": config});
        of(spec, "sessionAffinityConfig/clientIP/timeoutSeconds")
    };
    assert_eq!(affinity("ClientIP", json!(5)), 5);
    assert_eq!(affinity("ClientIP", Value::Null), 10_800);
    assert_eq!(affinity("None", json!(5)), Value::Null);
    let target = |target: Value| {
        of(json!({"ports": [{"port": 8, "targetPort": target}]}), "ports/0/targetPort")
    };
    for unset in [json!(0), json!(""), Value::Null] {
        assert_eq!(target(unset.clone()), 8, "{unset}");
    }
    assert_eq!((target(json!(9)), target(json!("http"))), (json!(9), json!("http")));
    let mode = |type_: &str, point: Value| {
        let status = json!({"loadBalancer": {"ingress": [point]}});
        let service = json!({"spec": {"type": type_}, "status": status});
        completed(SERVICE, service, "/status/loadBalancer/ingress/0/ipMode")
    };
    assert_eq!(mode("LoadBalancer", json!({"ip": "1.1.1.1"})), "VIP");
    assert_eq!(mode("LoadBalancer", json!({"ip": "1.1.1.1", "ipMode": "Proxy"})), "Proxy");
    assert_eq!(mode("LoadBalancer", json!({"hostname": "a"})), Value::Null);
    assert_eq!(mode("ClusterIP", json!({"ip": "1.1.1.1"})), Value::Null);
}

#[test]
fn strategies_of_updates_are_of_their_type() {
    let of = |model: &str, strategy: Value| completed(model, strategy, "");
    let deployment = "io.k8s.api.apps.v1.DeploymentStrategy";
    let rolling = json!({"maxSurge": "25%", "maxUnavailable": 1});
    assert_eq!(
        of(deployment, json!({"rollingUpdate": {"maxUnavailable": 1}})),
        json!({"type": "RollingUpdate", "rollingUpdate": rolling})
    );
    assert_eq!(of(deployment, json!({"type": "Recreate"})), json!({"type": "Recreate"}));
    let daemons = "io.k8s.api.apps.v1.DaemonSetUpdateStrategy";
    assert_eq!(
        of(daemons, json!({})),
        json!({"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}})
    );
    assert_eq!(of(daemons, json!({"type": "OnDelete"})), json!({"type": "OnDelete"}));
    let stateful = "io.k8s.api.apps.v1.StatefulSetUpdateStrategy";
    assert_eq!(
        of(stateful, json!({})),
        json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 0}})
    );
    assert_eq!(of(stateful, json!({"type": "RollingUpdate"})), json!({"type": "RollingUpdate"}));
    assert_eq!(
        of(stateful, json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 3}})),
        json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 3}})
    );
    assert_eq!(of(stateful, json!({"type": "OnDelete"})), json!({"type": "OnDelete"}));
}

#[test]
fn a_job_is_one_pod_unless_it_says_more() {
    let of = |spec: Value, member: &str| {
        completed("io.k8s.api.batch.v1.Job", json!({ "spec": spec }), &format!("/spec/{member}"))
    };
    for (spec, completions, parallelism) in [
        (json!({}), json!(1), 1),
        (json!({"parallelism": 2}), Value::Null, 2),
        (json!({"completions": 3}), json!(3), 1),
        (json!({"completions": 3, "parallelism": 2}), json!(3), 2),
    ] {
        assert_eq!(of(spec.clone(), "completions"), completions, "{spec}");
        assert_eq!(of(spec.clone(), "parallelism"), parallelism, "{spec}");
    }
    assert_eq!(of(json!({}), "backoffLimit"), 6);
    assert_eq!(of(json!({"backoffLimitPerIndex": 1}), "backoffLimit"), i32::MAX);
    assert_eq!(of(json!({}), "podReplacementPolicy"), "TerminatingOrFailed");
    let ruled = json!({"podFailurePolicy": {"rules": []}});
    assert_eq!(of(ruled, "podReplacementPolicy"), "Failed");
    let labels = |own: Value, of_template: Value| {
        let template = json!({"metadata": {"labels": of_template}});
        let job = json!({"metadata": {"labels": own}, "spec": {"template": template}});
        completed("io.k8s.api.batch.v1.Job", job, "/metadata/labels")
    };
    assert_eq!(labels(json!({}), json!({"a": "b"})), json!({"a": "b"}));
    assert_eq!(labels(json!({"c": "d"}), json!({"a": "b"})), json!({"c": "d"}));
    assert_eq!(labels(json!({}), json!({})), Value::Null);
}

#[test]
fn a_job_finds_its_pods_by_its_uid_unless_it_does_so_itself() {
    let selected = |manual: bool, labels: Value| {
        let template = json!({"metadata": {"labels": {"a": "b"}}});
        let mut job = json!({"metadata": {"name": "j", "uid": "u", "labels": labels},
            "spec": {"manualSelector": manual, "template": template}});
        select_by_uid(&mut job);
        job
    };
    let marks = json!({"a": "b", "controller-uid": "u", "batch.kubernetes.io/controller-uid": "u",
        "job-name": "j", "batch.kubernetes.io/job-name": "j"});
    let selector = json!({"matchLabels": {"batch.kubernetes.io/controller-uid": "u"}});
    for (labels, own) in [(json!({"a": "b"}), &marks), (json!({"c": "d"}), &json!({"c": "d"}))] {
        let job = selected(false, labels);
        assert_eq!(job["spec"]["selector"], selector);
        assert_eq!(job["spec"]["template"]["metadata"]["labels"], marks);
        assert_eq!(&job["metadata"]["labels"], own, "shared labels stay shared");
    }
    let manual = selected(true, json!({"a": "b"}));
    assert_eq!(manual["spec"].get("selector"), None);
    assert_eq!(manual["spec"]["template"]["metadata"]["labels"], json!({"a": "b"}));
    let mut unnamed = json!({"metadata": {"uid": "u"}, "spec": {}});
    let before = unnamed.clone();
    select_by_uid(&mut unnamed);
    assert_eq!(unnamed, before);
}

#[test]
fn templates_of_daemons_are_counted_in_an_annotation() {
    let set = |number: &str| json!({"metadata": {"annotations": {"deprecated.daemonset.template.generation": number}}});
    let counted = |new: &str, old: Option<&str>, changed: bool| {
        let (mut new, old) = (set(new), old.map(set));
        count_templates(&mut new, old.as_ref(), changed);
        new["metadata"]["annotations"]["deprecated.daemonset.template.generation"].clone()
    };
    for (new, old, changed, expected) in [
        ("0", None, false, "1"),
        ("5", None, false, "5"),
        ("9", Some("5"), false, "5"),
        ("9", Some("5"), true, "6"),
        ("9", Some("x"), true, "2"),
    ] {
        assert_eq!(counted(new, old, changed), expected, "{new} {old:?}");
    }
}

#[test]
fn a_pod_tolerates_a_node_in_trouble_for_five_minutes() {
    let added = |tolerations: Value| {
        let mut pod = json!({"spec": {"tolerations": tolerations}});
        admit_tolerations(&mut pod);
        assert_eq!(pod["spec"].get("priority"), None, "an update sets no priority");
        let all = pod["spec"]["tolerations"].as_array().expect("a list").clone();
        let own = all.into_iter().filter(|one| one["tolerationSeconds"] == 300);
        own.map(|one| one["key"].clone()).collect::<Vec<_>>()
    };
    let (ready, reach) = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    assert_eq!(added(Value::Null), [ready, reach]);
    assert_eq!(added(json!([{"key": "other", "effect": "NoExecute"}])), [ready, reach]);
    assert_eq!(added(json!([{"key": ready, "effect": "NoExecute"}])), [reach]);
    assert_eq!(added(json!([{"key": reach}])), [ready]);
    assert_eq!(added(json!([{"key": ready, "effect": "NoSchedule"}])), [ready, reach]);
    assert!(added(json!([{"operator": "Exists"}])).is_empty(), "everything");
    let mut pod = json!({"spec": {"priority": 7}});
    admit_pod(&mut pod);
    assert_eq!(
        (&pod["spec"]["priority"], &pod["spec"]["preemptionPolicy"]),
        (&json!(7), &json!("PreemptLowerPriority"))
    );
}

#[test]
fn limits_of_containers_follow_from_each_other() {
    let item = |type_: &str, members: Value| {
        let mut item = json!({ "type": type_ });
        for (name, value) in members.as_object().into_iter().flatten() {
            item[name] = value.clone();
        }
        let item = completed("io.k8s.api.core.v1.LimitRangeItem", item, "");
        [item["default"].clone(), item["defaultRequest"].clone()]
    };
    let cpu = |amount: &str| json!({ "cpu": amount });
    let most = json!({"max": cpu("4")});
    assert_eq!(item("Container", most.clone()), [cpu("4"), cpu("4")]);
    assert_eq!(item("Pod", most), [Value::Null, Value::Null]);
    assert_eq!(
        item("Container", json!({"default": cpu("2"), "max": cpu("4")})),
        [cpu("2"), cpu("2")]
    );
    assert_eq!(item("Container", json!({"min": cpu("1")})), [Value::Null, cpu("1")]);
    let three = json!({"min": cpu("1"), "max": cpu("4"), "defaultRequest": cpu("3")});
    assert_eq!(item("Container", three), [cpu("4"), cpu("3")]);
}

#[test]
fn the_smaller_kinds_have_rules_too() {
    let policy =
        |spec: Value| completed("io.k8s.api.networking.v1.NetworkPolicySpec", spec, "/policyTypes");
    assert_eq!(policy(json!({})), json!(["Ingress"]));
    assert_eq!(policy(json!({"egress": [{}]})), json!(["Ingress", "Egress"]));
    assert_eq!(policy(json!({"egress": [{}], "policyTypes": ["Egress"]})), json!(["Egress"]));
    let subject = |kind: &str| {
        completed("io.k8s.api.rbac.v1.Subject", json!({"kind": kind, "name": "a"}), "/apiGroup")
    };
    assert_eq!(
        (subject("Group"), subject("ServiceAccount")),
        (json!("rbac.authorization.k8s.io"), Value::Null)
    );
    let count =
        |request: Value| completed("io.k8s.api.resource.v1.ExactDeviceRequest", request, "/count");
    assert_eq!(count(json!({})), 1);
    assert_eq!(count(json!({"count": 2})), 2);
    assert_eq!(count(json!({"allocationMode": "All"})), Value::Null);
    let scaler = |spec: Value, pointer: &str| {
        completed("io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec", spec, pointer)
    };
    assert_eq!(scaler(json!({}), "/minReplicas"), 1);
    assert_eq!(scaler(json!({}), "/metrics/0/resource/target/averageUtilization"), 80);
    assert_eq!(scaler(json!({}), "/behavior"), Value::Null);
    let behavior = json!({"behavior": {"scaleUp": {"selectPolicy": "Min"}}});
    let rules = scaler(behavior, "/behavior");
    let percent = json!({"type": "Percent", "value": 100, "periodSeconds": 15});
    let pods = json!({"type": "Pods", "value": 4, "periodSeconds": 15});
    assert_eq!(
        rules["scaleUp"],
        json!({"selectPolicy": "Min", "policies": [pods, percent], "stabilizationWindowSeconds": 0})
    );
    assert_eq!(rules["scaleDown"], json!({"selectPolicy": "Max", "policies": [percent]}));
}

#[test]
fn a_volume_without_a_source_is_a_directory_of_its_own() {
    let volume = |volume: Value| completed("io.k8s.api.core.v1.Volume", volume, "/emptyDir");
    assert_eq!(volume(json!({"name": "a"})), json!({}));
    assert_eq!(volume(json!({"name": "a", "secret": null})), json!({}));
    assert_eq!(volume(json!({"name": "a", "hostPath": {"path": "/"}})), Value::Null);
    let namespace = |metadata: Value| {
        completed(
            "io.k8s.api.core.v1.Namespace",
            json!({ "metadata": metadata }),
            "/metadata/labels",
        )
    };
    assert_eq!(namespace(json!({"name": "n"})), json!({"kubernetes.io/metadata.name": "n"}));
    assert_eq!(namespace(json!({"generateName": "n"})), Value::Null);
}

#[test]
fn empty_text_and_zero_count_as_missing_where_go_has_no_pointer() {
    let of = |model: &str, value: Value, pointer: &str| completed(model, value, pointer);
    let probe = "io.k8s.api.core.v1.Probe";
    assert_eq!(of(probe, json!({"periodSeconds": 0}), "/periodSeconds"), 10);
    assert_eq!(of(probe, json!({"periodSeconds": 3}), "/periodSeconds"), 3);
    let spec = "io.k8s.api.apps.v1.ReplicaSetSpec";
    assert_eq!(of(spec, json!({"replicas": 0}), "/replicas"), 0, "a pointer");
    assert_eq!(of(spec, json!({"replicas": null}), "/replicas"), 1);
    assert_eq!(
        of("io.k8s.api.core.v1.PodSpec", json!({"restartPolicy": ""}), "/restartPolicy"),
        "Always"
    );
    let class = "io.k8s.api.storage.v1.StorageClass";
    assert_eq!(of(class, json!({"reclaimPolicy": ""}), "/reclaimPolicy"), "", "a pointer");
}
