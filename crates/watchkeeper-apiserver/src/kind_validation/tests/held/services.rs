//! Services, and where they lead.

use super::*;

const SERVICE: Kind = ("", "Service");
const BALANCER: &str = "LoadBalancer";

/// A service with a port, with more in its spec.
fn service(more: Value) -> Value {
    json!({"spec": crate::patch::merge(&json!({"ports": [{"port": 80}]}), &more)})
}

/// A service that is reached from outside.
fn of_type(kind: &str, more: Value) -> Value {
    let spec = json!({"type": kind, "externalTrafficPolicy": "Cluster"});
    service(crate::patch::merge(&spec, &more))
}

fn annotated(mut service: Value, annotations: Value) -> Value {
    service["metadata"]["annotations"] = annotations;
    service
}

#[test]
fn two_annotations_say_the_same_of_how_near_traffic_stays() {
    let (older, newer) =
        ("service.kubernetes.io/topology-aware-hints", "service.kubernetes.io/topology-mode");
    let told = |annotations: Value| wrong(SERVICE, annotated(service(json!({})), annotations));
    assert_eq!(told(json!({older: "a", newer: "a"})), "");
    assert_eq!([told(json!({older: "a"})), told(json!({newer: "a"}))], [""; 2]);
    let at = "metadata.annotations[service.kubernetes.io/topology-mode] Invalid";
    assert_eq!(told(json!({older: "a", newer: "b"})), at);
}

#[test]
fn an_annotation_may_say_who_reaches_a_load_balancer() {
    let name = "service.beta.kubernetes.io/load-balancer-source-ranges";
    let ranges = |ranges: &str| annotated(of_type(BALANCER, json!({})), json!({name: ranges}));
    let at = format!("metadata.annotations[{name}]");
    assert_eq!(wrong(SERVICE, ranges(" 10.0.0.0/8 , 2001:db8::/64 ")), "");
    assert_eq!(wrong(SERVICE, ranges(" ")), "");
    assert_eq!(wrong(SERVICE, ranges("10.0.0.0/8,x")), format!("{at} Invalid"));
    assert_eq!(wrong_update(SERVICE, &ranges("x"), &ranges("x")), "");
    assert_eq!(wrong_update(SERVICE, &ranges("x"), &ranges("y")), format!("{at} Invalid"));
    let other = annotated(service(json!({})), json!({name: "10.0.0.0/8"}));
    assert_eq!(wrong(SERVICE, other), format!("{at} Forbidden"));
    let mut listed = ranges("x");
    listed["spec"]["loadBalancerSourceRanges"] = json!(["10.0.0.0/8"]);
    assert_eq!(wrong(SERVICE, listed), "", "the list comes first");
}

#[test]
fn what_only_load_balancers_have() {
    hold(
        SERVICE,
        service,
        [
            (
                json!({"loadBalancerSourceRanges": ["10.0.0.0/8"]}),
                "spec.LoadBalancerSourceRanges Forbidden",
            ),
            (
                json!({"allocateLoadBalancerNodePorts": true}),
                "spec.allocateLoadBalancerNodePorts Forbidden",
            ),
            (json!({"loadBalancerClass": "a"}), "spec.loadBalancerClass Forbidden"),
            (json!({"healthCheckNodePort": 30_000}), "spec.healthCheckNodePort Invalid"),
        ],
    );
    hold(
        SERVICE,
        |more| of_type(BALANCER, more),
        [
            (json!({"allocateLoadBalancerNodePorts": false, "loadBalancerClass": "a.b/c"}), ""),
            (json!({"loadBalancerClass": "a b"}), "spec.loadBalancerClass Invalid"),
            (json!({"healthCheckNodePort": 30_000}), "spec.healthCheckNodePort Invalid"),
            (json!({"externalTrafficPolicy": "Local", "healthCheckNodePort": 30_000}), ""),
            (
                json!({"externalTrafficPolicy": "Local", "healthCheckNodePort": 65_536}),
                "spec.healthCheckNodePort Invalid",
            ),
            (json!({"externalTrafficPolicy": "x"}), "spec.externalTrafficPolicy NotSupported"),
        ],
    );
}

#[test]
fn where_traffic_goes() {
    hold(
        SERVICE,
        service,
        [
            (json!({"externalTrafficPolicy": "Local"}), "spec.externalTrafficPolicy Invalid"),
            (json!({"externalTrafficPolicy": "Local", "externalIPs": ["10.0.0.9"]}), ""),
            (json!({"internalTrafficPolicy": "Local"}), ""),
            (json!({"internalTrafficPolicy": "x"}), "spec.internalTrafficPolicy NotSupported"),
            (json!({"trafficDistribution": "PreferClose"}), ""),
            (json!({"trafficDistribution": "x"}), "spec.trafficDistribution NotSupported"),
        ],
    );
}

#[test]
fn clients_stay_where_they_are_for_a_day_at_most() {
    let spec = json!({"ports": [{"port": 80, "protocol": "TCP"}], "type": "ClusterIP"});
    let lasting = |seconds: i64| json!({"clientIP": {"timeoutSeconds": seconds}});
    let at = "spec.sessionAffinityConfig";
    for (affinity, config, expected) in [
        ("ClientIP", lasting(1), String::new()),
        ("ClientIP", lasting(86_400), String::new()),
        ("ClientIP", lasting(0), format!("{at}.clientIP.timeoutSeconds Invalid")),
        ("ClientIP", lasting(86_401), format!("{at}.clientIP.timeoutSeconds Invalid")),
        ("ClientIP", Value::Null, format!("{at} Required")),
        ("ClientIP", json!({}), format!("{at}.clientIP Required")),
        ("ClientIP", json!({"clientIP": {}}), format!("{at}.clientIP.timeoutSeconds Required")),
        ("None", Value::Null, String::new()),
        ("None", lasting(1), format!("{at} Forbidden")),
        ("x", Value::Null, "spec.sessionAffinity NotSupported".to_owned()),
    ] {
        let more = json!({"sessionAffinity": affinity, "sessionAffinityConfig": config});
        let service = json!({"spec": crate::patch::merge(&spec, &more)});
        assert_eq!(wrong_bare(SERVICE, &service), expected, "{more}");
    }
}

#[test]
fn addresses_outside_that_were_taken_once_stay() {
    let service = |address: &str| {
        service(json!({"externalTrafficPolicy": "Cluster", "externalIPs": ["10.0.0.9", address]}))
    };
    let told = "spec.externalIPs[1] Invalid";
    for bad in ["x", "127.0.0.1", "010.0.0.1"] {
        assert_eq!(wrong(SERVICE, service(bad)), told, "{bad}");
    }
    let [one, other] = ["010.0.0.1", "010.0.0.2"].map(service);
    assert_eq!(wrong_update(SERVICE, &one, &one), "");
    assert_eq!(wrong_update(SERVICE, &one, &other), told);
}

#[test]
fn ports_have_their_own_names_and_numbers() {
    let ports = |ports: Value| of_type("NodePort", json!({ "ports": ports }));
    let two = |one: Value, other: Value| {
        let one = crate::patch::merge(&json!({"name": "a", "port": 1}), &one);
        json!([one, crate::patch::merge(&json!({"name": "b", "port": 2}), &other)])
    };
    let one = |more: Value| json!([crate::patch::merge(&json!({"port": 1}), &more)]);
    hold(
        SERVICE,
        ports,
        [
            (
                two(json!({"nodePort": 30_000}), json!({"nodePort": 30_000})),
                "spec.ports[1].nodePort Duplicate",
            ),
            (two(json!({"nodePort": 30_000}), json!({"nodePort": 30_000, "protocol": "UDP"})), ""),
            (two(json!({"nodePort": 0}), json!({"nodePort": 0})), ""),
            (two(json!({}), json!({"port": 1})), "spec.ports[1] Duplicate"),
            (two(json!({}), json!({"port": 1, "protocol": "SCTP"})), ""),
            (two(json!({}), json!({"name": ""})), "spec.ports[1].name Required"),
            (one(json!({"targetPort": "http"})), ""),
            (one(json!({"targetPort": 65_536})), "spec.ports[0].targetPort Invalid"),
            (one(json!({"targetPort": "a_b"})), "spec.ports[0].targetPort Invalid"),
            (one(json!({"appProtocol": "a.b/c"})), ""),
            (one(json!({"appProtocol": "a b"})), "spec.ports[0].appProtocol Invalid"),
        ],
    );
    let inside = service(json!({"ports": [{"port": 1, "nodePort": 30_000}]}));
    assert_eq!(wrong(SERVICE, inside), "spec.ports[0].nodePort Forbidden");
}

#[test]
fn a_name_outside_has_no_addresses() {
    let name = |more: Value| json!({"spec": crate::patch::merge(&json!({"type": "ExternalName", "externalName": "a.b"}), &more)});
    hold(
        SERVICE,
        name,
        [
            (json!({}), ""),
            (json!({"externalName": "a.b."}), ""),
            (json!({"externalName": "A"}), "spec.externalName Invalid"),
            (json!({"externalName": "."}), "spec.externalName Required"),
            (json!({"clusterIP": "10.0.0.1"}), "spec.clusterIPs Forbidden"),
            (json!({"clusterIPs": ["10.0.0.1"]}), "spec.clusterIPs Forbidden"),
            (json!({"ipFamilies": ["IPv4"]}), "spec.ipFamilies Forbidden"),
            (json!({"ipFamilyPolicy": "SingleStack"}), "spec.ipFamilyPolicy Forbidden"),
        ],
    );
    let headless = json!({"clusterIP": "None", "clusterIPs": ["None"], "ports": null});
    assert_eq!(wrong(SERVICE, service(headless.clone())), "");
    for kind in ["NodePort", BALANCER] {
        let mut service = of_type(kind, headless.clone());
        service["spec"]["ports"] = json!([{"port": 1}]);
        assert_eq!(wrong(SERVICE, service), "spec.clusterIPs[0] Invalid");
    }
}

#[test]
fn what_a_balancer_was_made_with_stays() {
    let class = |class: &str| of_type(BALANCER, json!({ "loadBalancerClass": class }));
    assert_eq!(wrong_update(SERVICE, &class("a"), &class("a")), "");
    assert_eq!(wrong_update(SERVICE, &class("a"), &class("b")), "spec.loadBalancerClass Invalid");
    let node = of_type("NodePort", json!({}));
    assert_eq!(wrong_update(SERVICE, &node, &class("b")), "");
    assert_eq!(wrong_update(SERVICE, &class("a"), &node), "");
    let local = |port: i64| {
        of_type(BALANCER, json!({"externalTrafficPolicy": "Local", "healthCheckNodePort": port}))
    };
    assert_eq!(wrong_update(SERVICE, &local(30_000), &local(30_000)), "");
    let told = wrong_update(SERVICE, &local(30_000), &local(30_001));
    assert_eq!(told, "spec.healthCheckNodePort Forbidden");
    assert_eq!(wrong_update(SERVICE, &local(30_000), &node), "");
}

#[test]
fn addresses_stay_and_the_second_goes_with_a_policy() {
    let service = |addresses: &[&str], policy: &str| {
        service(json!({"clusterIP": addresses.first(), "clusterIPs": addresses,
            "ipFamilyPolicy": policy}))
    };
    let (single, double) = ("SingleStack", "PreferDualStack");
    let both = service(&["10.0.0.1", "fd00::1"], double);
    let one = service(&["10.0.0.1"], single);
    let at = "spec.clusterIPs[0] Invalid";
    for (old, new, expected) in [
        (&both, &both, ""),
        (&both, &one, ""),
        (&one, &both, ""),
        (&both, &service(&["10.0.0.1"], double), "spec.ipFamilyPolicy Invalid"),
        (&both, &service(&["10.0.0.2"], single), at),
        (&both, &service(&["10.0.0.1", "fd00::2"], double), "spec.clusterIPs[1] Invalid"),
        (&one, &service(&["10.0.0.2", "fd00::1"], double), at),
        (&one, &service(&[], single), at),
        (&service(&[], single), &one, ""),
        (&service(&[], single), &both, ""),
    ] {
        assert_eq!(wrong_update(SERVICE, old, new), expected, "{old} {new}");
    }
    let name = json!({"spec": {"type": "ExternalName", "externalName": "a.b"}});
    assert_eq!(wrong_update(SERVICE, &both, &name), "");
    assert_eq!(wrong_update(SERVICE, &name, &one), "");
}

#[test]
fn addresses_fit_their_families() {
    let told = |one: &str, list: &[&str], families: &[&str]| {
        let spec = json!({"clusterIP": one, "clusterIPs": list, "ipFamilies": families});
        short(&service::related(&json!({ "spec": spec }), None))
    };
    let (v4, v6) = ("10.0.0.1", "fd00::1");
    let list = "spec.clusterIPs";
    for (one, addresses, families, expected) in [
        (v4, &[v4][..], &["IPv4"][..], String::new()),
        (v4, &[v4], &["IPv6"], format!("{list}[0] Invalid")),
        (v6, &[v6], &["IPv6"], String::new()),
        (v6, &[v6], &["IPv4"], format!("{list}[0] Invalid")),
        (v4, &[v4, v6], &["IPv4", "IPv6"], String::new()),
        (v4, &[v4, v6], &["IPv6", "IPv4"], format!("{list}[0] Invalid; {list}[1] Invalid")),
        (v4, &[v4, "10.0.0.2"], &[], format!("{list} Invalid")),
        (v4, &[v4, v6, "10.0.0.2"], &[], format!("{list} Invalid")),
        (v4, &[v4, "x"], &[], format!("{list}[1] Invalid")),
        ("None", &["None"], &["IPv6"], String::new()),
        ("None", &["None", v6], &[], format!("{list} Invalid")),
        ("", &[], &["IPv4", "IPv4"], "spec.ipFamilies[1] Duplicate".to_owned()),
        ("", &[], &["x"], "spec.ipFamilies[0] NotSupported".to_owned()),
        ("", &[v4], &[], format!("{list} Invalid")),
        (v4, &[], &[], format!("{list} Required")),
        (v6, &[v4], &[], format!("{list} Invalid")),
    ] {
        assert_eq!(told(one, addresses, families), expected, "{one} {addresses:?} {families:?}");
    }
    let old = |address: &str| json!({"spec": {"clusterIP": address, "clusterIPs": [address]}});
    let [one, other] = ["010.0.0.1", "010.0.0.2"].map(old);
    assert_eq!(short(&service::related(&one, Some(&one))), "");
    assert_eq!(short(&service::related(&one, Some(&other))), format!("{list}[0] Invalid"));
}
