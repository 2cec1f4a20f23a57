use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{family, keep_given, leave_family, leave_type, listed, needs_ports, node_ports};

fn service(spec: &Value) -> Value {
    json!({"spec": spec})
}

#[test]
fn the_ports_of_nodes_that_a_service_has_are_counted_once() {
    let ports = json!({"ports": [{"nodePort": 30_001}, {"port": 80}, {"nodePort": 0}, {"nodePort": 30_001}]});
    assert_eq!(node_ports(&service(&ports)), BTreeSet::from([30_001]));
    assert_eq!(node_ports(&service(&json!({}))), BTreeSet::new());
}

#[test]
fn types_of_services_need_ports_of_nodes() {
    for (spec, expected) in [
        (json!({"type": "NodePort"}), true),
        (json!({"type": "NodePort", "allocateLoadBalancerNodePorts": false}), true),
        (json!({"type": "LoadBalancer"}), true),
        (json!({"type": "LoadBalancer", "allocateLoadBalancerNodePorts": true}), true),
        (json!({"type": "LoadBalancer", "allocateLoadBalancerNodePorts": false}), false),
        (json!({"type": "ClusterIP"}), false),
    ] {
        assert_eq!(needs_ports(&service(&spec)), expected, "{spec}");
    }
}

/// `initIPFamilyFields` of upstream, in a cluster of one family.
#[test]
fn the_families_of_a_service_follow_from_its_address() {
    let headless = |more: &Value| {
        let mut spec = json!({"clusterIP": "None"});
        for (name, value) in more.as_object().expect("members") {
            spec[name] = value.clone();
        }
        spec
    };
    for (spec, policy, families) in [
        (json!({}), "SingleStack", json!(["IPv4"])),
        (json!({"ipFamilies": []}), "SingleStack", json!(["IPv4"])),
        (json!({"ipFamilyPolicy": "PreferDualStack"}), "PreferDualStack", json!(["IPv4"])),
        (headless(&json!({})), "RequireDualStack", json!(["IPv4", "IPv6"])),
        (headless(&json!({"selector": {}})), "RequireDualStack", json!(["IPv4", "IPv6"])),
        (headless(&json!({"selector": {"a": "b"}})), "SingleStack", json!(["IPv4"])),
        (headless(&json!({"ipFamilies": ["IPv6"]})), "RequireDualStack", json!(["IPv6", "IPv4"])),
        (headless(&json!({"ipFamilyPolicy": "SingleStack"})), "SingleStack", json!(["IPv4"])),
        (
            headless(&json!({"ipFamilies": ["IPv6", "IPv4"]})),
            "RequireDualStack",
            json!(["IPv6", "IPv4"]),
        ),
    ] {
        let mut value = service(&spec);
        family(&mut value);
        let told = (&value["spec"]["ipFamilyPolicy"], &value["spec"]["ipFamilies"]);
        assert_eq!(told, (&json!(policy), &families), "{spec}");
    }
}

#[test]
fn an_address_is_listed_unless_there_is_a_list() {
    for (spec, expected) in [
        (json!({"clusterIP": "a"}), json!(["a"])),
        (json!({"clusterIP": "a", "clusterIPs": []}), json!(["a"])),
        (json!({"clusterIP": "a", "clusterIPs": ["b"]}), json!(["b"])),
        (json!({"clusterIP": ""}), Value::Null),
        (json!({}), Value::Null),
    ] {
        let mut value = service(&spec);
        listed(&mut value);
        assert_eq!(value["spec"]["clusterIPs"], expected, "{spec}");
    }
}

fn kept(new: &Value, old: &Value) -> Value {
    let mut value = service(new);
    keep_given(&mut value, &service(old));
    value["spec"].take()
}

/// `patchAllocatedValues` of upstream.
#[test]
fn what_a_service_was_given_comes_back() {
    let old = json!({"type": "ClusterIP", "clusterIP": "a", "clusterIPs": ["a"]});
    for (new, expected) in [
        (json!({"type": "ClusterIP"}), ["a", "a"]),
        (json!({"type": "ClusterIP", "clusterIP": "b"}), ["b", "b"]),
        (json!({"type": "ClusterIP", "clusterIPs": ["b"]}), ["b", "b"]),
        (json!({"type": "ClusterIP", "clusterIP": "b", "clusterIPs": ["c"]}), ["b", "c"]),
    ] {
        let spec = kept(&new, &old);
        let told = [&spec["clusterIP"], &spec["clusterIPs"][0]];
        assert_eq!(told, [&json!(expected[0]), &json!(expected[1])], "{new}");
    }
    let external = json!({"type": "ExternalName"});
    assert_eq!(kept(&external, &old), external);
    assert_eq!(kept(&json!({"type": "ClusterIP"}), &external), json!({"type": "ClusterIP"}));
}

#[test]
fn ports_keep_the_numbers_that_their_names_had() {
    let of = |kind: &str, ports: &Value| json!({"type": kind, "clusterIP": "a", "clusterIPs": ["a"], "ports": ports});
    let old = json!([{"name": "a", "nodePort": 30_001}, {"name": "b", "nodePort": 30_002}, {"name": "c"}]);
    let numbers = |kind: &str, ports: &Value, was: &str| -> Vec<u64> {
        let spec = kept(&of(kind, ports), &of(was, &old));
        let ports = spec["ports"].as_array().expect("ports").iter();
        ports.map(|port| port["nodePort"].as_u64().unwrap_or_default()).collect()
    };
    let ports = json!([{"name": "b"}, {"name": "a"}, {"name": "c"}, {"name": "d"}]);
    assert_eq!(numbers("NodePort", &ports, "NodePort"), [30_002, 30_001, 0, 0]);
    assert_eq!(numbers("NodePort", &ports, "LoadBalancer"), [30_002, 30_001, 0, 0]);
    assert_eq!(numbers("ClusterIP", &ports, "NodePort"), [0, 0, 0, 0]);
    assert_eq!(numbers("NodePort", &ports, "ClusterIP"), [0, 0, 0, 0]);
    let without = |ports: &Value| {
        let mut wanted = of("LoadBalancer", ports);
        wanted["allocateLoadBalancerNodePorts"] = json!(false);
        kept(&wanted, &of("LoadBalancer", &old))["ports"].clone()
    };
    assert_eq!(without(&ports), ports, "who wants none has none");
    // Another port asks for that of the first one.
    let ports = json!([{"name": "a"}, {"name": "b", "nodePort": 30_001}]);
    assert_eq!(numbers("NodePort", &ports, "NodePort"), [0, 30_001]);
}

#[test]
fn the_port_for_the_health_of_a_service_comes_back_where_it_is_asked_for() {
    let of = |kind: &str, policy: &str, port: i64| {
        json!({
            "type": kind, "externalTrafficPolicy": policy, "healthCheckNodePort": port,
            "clusterIP": "a", "clusterIPs": ["a"],
        })
    };
    let old = of("LoadBalancer", "Local", 30_007);
    for (new, expected) in [
        (of("LoadBalancer", "Local", 0), 30_007),
        (of("LoadBalancer", "Local", 30_008), 30_008),
        (of("LoadBalancer", "Local", -1), -1),
        (of("LoadBalancer", "Cluster", 0), 0),
        (of("NodePort", "Local", 0), 0),
    ] {
        assert_eq!(kept(&new, &old)["healthCheckNodePort"], expected, "{new}");
    }
    let was = of("LoadBalancer", "Cluster", 30_007);
    assert_eq!(kept(&of("LoadBalancer", "Local", 0), &was)["healthCheckNodePort"], 0);
}

fn left(new: &Value, old: &Value) -> Value {
    let mut value = service(new);
    leave_type(&mut value, &service(old));
    value
}

/// `dropTypeDependentFields` of upstream.
#[test]
fn what_belonged_to_a_type_goes_with_it_unless_it_was_touched() {
    let old = json!({
        "type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 30_007,
        "allocateLoadBalancerNodePorts": true, "loadBalancerClass": "x/y",
        "internalTrafficPolicy": "Cluster", "clusterIP": "a", "clusterIPs": ["a"],
        "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack",
        "ports": [{"port": 80, "nodePort": 30_001}],
    });
    let changed = |changes: &Value| {
        let mut new = old.clone();
        for (name, value) in changes.as_object().expect("members") {
            new[name] = value.clone();
        }
        left(&new, &old)
    };
    let same = changed(&json!({}));
    assert_eq!(same, service(&old));
    let inner = changed(&json!({"type": "ClusterIP"}));
    let expected = json!({
        "type": "ClusterIP", "internalTrafficPolicy": "Cluster", "clusterIP": "a",
        "clusterIPs": ["a"], "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack",
        "ports": [{"port": 80}],
    });
    assert_eq!(inner, json!({"spec": expected, "status": {"loadBalancer": {}}}));
    let outer = changed(&json!({"type": "ExternalName"}));
    assert_eq!(outer["spec"], json!({"type": "ExternalName", "ports": [{"port": 80}]}));
    let nodes = changed(&json!({"type": "NodePort"}))["spec"].take();
    assert_eq!(nodes["externalTrafficPolicy"], "Local");
    assert_eq!(nodes["ports"], json!([{"port": 80, "nodePort": 30_001}]));
    assert_eq!(nodes["healthCheckNodePort"], Value::Null);
    assert_eq!(nodes["loadBalancerClass"], Value::Null);
    let touched = changed(&json!({
        "type": "ClusterIP", "loadBalancerClass": "z/y", "healthCheckNodePort": 30_008,
        "externalTrafficPolicy": "Cluster", "ports": [{"port": 80, "nodePort": 30_009}],
    }))["spec"]
        .take();
    assert_eq!(touched["loadBalancerClass"], "z/y");
    assert_eq!(touched["healthCheckNodePort"], 30_008);
    assert_eq!(touched["externalTrafficPolicy"], "Cluster");
    assert_eq!(touched["ports"][0]["nodePort"], 30_009);
    // Addresses of its own let it be reached from outside still.
    let open = changed(&json!({"type": "ClusterIP", "externalIPs": ["1.2.3.4"]}))["spec"].take();
    assert_eq!(open["externalTrafficPolicy"], "Local");
}

#[test]
fn who_wants_one_family_keeps_the_first_of_those_there_were() {
    let both = json!({"clusterIPs": ["a", "b"], "ipFamilies": ["IPv4", "IPv6"]});
    for (policy, families, expected) in [
        ("SingleStack", json!(["IPv4", "IPv6"]), (1, 1)),
        ("PreferDualStack", json!(["IPv4", "IPv6"]), (2, 2)),
        ("SingleStack", json!(["IPv6", "IPv4"]), (1, 2)),
    ] {
        let mut value = service(&both);
        value["spec"]["ipFamilyPolicy"] = policy.into();
        value["spec"]["ipFamilies"] = families;
        leave_family(&mut value, &service(&both));
        let count = |name: &str| value["spec"][name].as_array().map_or(0, Vec::len);
        assert_eq!((count("clusterIPs"), count("ipFamilies")), expected, "{policy}");
    }
}
