//! Ingresses, policies of networks, endpoints, and addresses.

use super::*;

const INGRESS: Kind = ("networking.k8s.io", "Ingress");
const POLICY: Kind = ("networking.k8s.io", "NetworkPolicy");
const CLASS: Kind = ("networking.k8s.io", "IngressClass");
const RANGES: Kind = ("networking.k8s.io", "ServiceCIDR");
const SLICE: Kind = ("discovery.k8s.io", "EndpointSlice");

/// An ingress that leads to a service, with more in its spec.
fn ingress(more: Value) -> Value {
    let spec = json!({"defaultBackend": {"service": {"name": "s", "port": {"number": 80}}}});
    json!({"spec": crate::patch::merge(&spec, &more)})
}

#[test]
fn the_class_of_an_ingress_is_told_in_one_way() {
    let ingress = |older: Value, class: Value| {
        let mut ingress = ingress(json!({ "ingressClassName": class }));
        if !older.is_null() {
            ingress["metadata"]["annotations"] = json!({"kubernetes.io/ingress.class": older});
        }
        ingress
    };
    let (one, other) = (ingress(json!("a"), json!("a")), ingress(json!("a"), json!("b")));
    assert_eq!(wrong(INGRESS, one.clone()), "");
    assert_eq!(wrong(INGRESS, other.clone()), "annotations.kubernetes.io/ingress.class Invalid");
    assert_eq!(wrong_update(INGRESS, &one, &other), "");
    assert_eq!(wrong(INGRESS, ingress(Value::Null, json!("b"))), "");
    assert_eq!(wrong(INGRESS, ingress(json!("a"), Value::Null)), "");
    let told = wrong(INGRESS, ingress(Value::Null, json!("A")));
    assert_eq!(told, "spec.ingressClassName Invalid");
}

#[test]
fn paths_are_absolute_unless_the_controller_reads_them() {
    let at = "spec.rules[0].http.paths[0]";
    for (kind, path, expected) in [
        ("ImplementationSpecific", "", String::new()),
        ("ImplementationSpecific", "/a//b", String::new()),
        ("ImplementationSpecific", "a", format!("{at}.path Invalid")),
        ("Exact", "/a", String::new()),
        ("Exact", "", format!("{at}.path Invalid")),
        ("Prefix", "/a/./b", format!("{at}.path Invalid")),
        ("Prefix", "/a/..", format!("{at}.path Invalid")),
        ("Prefix", "/a/.", format!("{at}.path Invalid")),
        ("Prefix", "/a%2Fb", format!("{at}.path Invalid")),
        ("x", "/a", format!("{at}.pathType NotSupported")),
    ] {
        let backend = json!({"service": {"name": "s", "port": {"number": 80}}});
        let paths = json!([{"pathType": kind, "path": path, "backend": backend}]);
        let told = wrong(INGRESS, ingress(json!({"rules": [{"http": {"paths": paths}}]})));
        assert_eq!(told, expected, "{kind} {path}");
    }
}

#[test]
fn hosts_of_ingresses_have_names() {
    hold(
        INGRESS,
        ingress,
        [
            (json!({"rules": [{"host": "a.b"}, {"host": "*.a.b"}, {}]}), ""),
            (json!({"rules": [{"host": "10.0.0.1"}]}), "spec.rules[0].host Invalid"),
            (json!({"rules": [{"host": "a.*.b"}]}), "spec.rules[0].host Invalid"),
            (json!({"rules": [{"http": {"paths": []}}]}), "spec.rules[0].http.paths Required"),
            (
                json!({"rules": [{"http": {"paths": [{"path": "/"}]}}]}),
                "spec.rules[0].http.paths[0].pathType Required",
            ),
            (json!({"tls": [{"hosts": ["a", "*.a.b"], "secretName": "s"}]}), ""),
            (json!({"tls": [{"hosts": ["A"]}]}), "spec.tls[0].hosts[0] Invalid"),
            (json!({"tls": [{"secretName": "A"}]}), "spec.tls[0].secretName Invalid"),
            (json!({"defaultBackend": null, "rules": [{"host": "a"}]}), ""),
            (json!({"defaultBackend": null}), "spec Invalid"),
        ],
    );
}

#[test]
fn backends_are_one_port_of_a_service_or_a_resource() {
    let at = "spec.defaultBackend";
    let port = |port: Value| json!({"defaultBackend": {"service": {"name": "s", "port": port}}});
    let resource = |resource: Value| json!({"spec": {"defaultBackend": {"resource": resource}}});
    for (of, expected) in [
        (port(json!({"number": 1})), String::new()),
        (port(json!({"number": null, "name": "a"})), String::new()),
        (port(json!({"number": 1, "name": "a"})), format!("{at} Invalid")),
        (port(json!({"number": null})), format!("{at} Required")),
        (port(json!({"number": 0})), format!("{at} Required")),
        (port(json!({"number": 65_536})), format!("{at}.service.port.number Invalid")),
        (port(json!({"number": null, "name": "a_"})), format!("{at}.service.port.name Invalid")),
    ] {
        assert_eq!(wrong(INGRESS, ingress(of.clone())), expected, "{of}");
    }
    for (of, expected) in [
        (json!({"kind": "K", "name": "n"}), String::new()),
        (json!({"apiGroup": "a.b", "kind": "K", "name": "n"}), String::new()),
        (
            json!({"apiGroup": "A", "kind": "K", "name": "n"}),
            format!("{at}.resource.apiGroup Invalid"),
        ),
        (
            json!({"kind": "", "name": "a/b"}),
            format!("{at}.resource.kind Required; {at}.resource.name Invalid"),
        ),
    ] {
        assert_eq!(wrong(INGRESS, resource(of.clone())), expected, "{of}");
    }
}

#[test]
fn ports_of_policies_are_numbers_names_or_ranges() {
    let at = "spec.ingress[0].ports[0]";
    let (port, end, protocol) = (
        format!("{at}.port Invalid"),
        format!("{at}.endPort Invalid"),
        format!("{at}.protocol NotSupported"),
    );
    for (of, expected) in [
        (json!({}), ""),
        (json!({"port": 1}), ""),
        (json!({"port": 0}), port.as_str()),
        (json!({"port": 8, "endPort": 8}), ""),
        (json!({"port": 8, "endPort": 7}), end.as_str()),
        (json!({"port": 8, "endPort": 65_536}), end.as_str()),
        (json!({"port": "http"}), ""),
        (json!({"port": "a_b"}), port.as_str()),
        (json!({"port": "http", "endPort": 8}), end.as_str()),
        (json!({"endPort": 8}), end.as_str()),
        (json!({"protocol": "SCTP"}), ""),
        (json!({"protocol": "x"}), protocol.as_str()),
    ] {
        let policy = json!({"spec": {"ingress": [{"ports": [of]}]}});
        assert_eq!(wrong(POLICY, policy), expected, "{of}");
    }
}

#[test]
fn peers_of_policies() {
    let policy = |peer: Value| json!({"spec": {"ingress": [{"from": [peer]}]}});
    let at = "spec.ingress[0].from[0]";
    let block = json!({"cidr": "10.0.0.0/8"});
    for (peer, expected) in [
        (json!({"podSelector": {}}), String::new()),
        (json!({"podSelector": {}, "namespaceSelector": {}}), String::new()),
        (json!({"ipBlock": block}), String::new()),
        (json!({"ipBlock": block, "namespaceSelector": {}}), format!("{at} Forbidden")),
        (
            json!({"ipBlock": block, "podSelector": {}, "namespaceSelector": {}}),
            format!("{at} Forbidden"),
        ),
        (
            json!({"ipBlock": {"cidr": "10.0.0.0/8", "except": ["fd00::/64"]}}),
            format!("{at}.ipBlock.except[0] Invalid"),
        ),
    ] {
        assert_eq!(wrong(POLICY, policy(peer.clone())), expected, "{peer}");
    }
    let kept =
        |except: &str| policy(json!({"ipBlock": {"cidr": "10.0.0.0/8", "except": [except]}}));
    assert_eq!(wrong_update(POLICY, &kept("x"), &kept("x")), "");
    assert_eq!(
        wrong_update(POLICY, &kept("x"), &kept("y")),
        format!("{at}.ipBlock.except[0] Invalid")
    );
    let types = |types: Value| wrong(POLICY, json!({"spec": {"policyTypes": types}}));
    assert_eq!(types(json!(["Ingress", "Egress"])), "");
    assert_eq!(types(json!(["Ingress", "x"])), "spec.policyTypes[1] NotSupported");
    assert_eq!(types(json!(["Ingress", "Egress", "x"])), "spec.policyTypes Invalid");
}

#[test]
fn slices_of_endpoints_have_so_many_of_each() {
    let endpoint = |count: usize| {
        let addresses: Vec<String> =
            (0..count).map(|at| format!("10.0.{}.{}", at / 100, at % 100 + 1)).collect();
        json!({ "addresses": addresses })
    };
    let slice = |endpoints: Vec<Value>| json!({"addressType": "IPv4", "endpoints": endpoints});
    assert_eq!(wrong(SLICE, slice(vec![endpoint(1); 1000])), "");
    assert_eq!(wrong(SLICE, slice(vec![endpoint(1); 1001])), "endpoints TooMany");
    assert_eq!(wrong(SLICE, slice(vec![endpoint(100)])), "");
    assert_eq!(wrong(SLICE, slice(vec![endpoint(101)])), "endpoints[0].addresses TooMany");
    assert_eq!(wrong(SLICE, slice(vec![endpoint(0)])), "endpoints[0].addresses Required");
    let bare = slice(vec![endpoint(0)]);
    assert_eq!(wrong_update(SLICE, &bare, &bare), "");
    let ports = |count: usize| {
        let ports: Vec<Value> = (0..count)
            .map(|at| json!({"name": format!("p{at}"), "port": 1, "protocol": "TCP"}))
            .collect();
        wrong_bare(SLICE, &json!({"addressType": "IPv4", "ports": ports}))
    };
    assert_eq!(ports(20_000), "");
    assert_eq!(ports(20_001), "ports TooMany");
}

#[test]
fn endpoints_are_of_the_type_of_their_slice() {
    let slice = |(of, address): (&str, &str)| json!({"addressType": of, "endpoints": [{"addresses": [address]}]});
    for (of, expected) in [
        (("IPv4", "10.0.0.1"), ""),
        (("IPv6", "fd00::1"), ""),
        (("IPv4", "fd00::1"), "endpoints[0].addresses Invalid"),
        (("IPv6", "10.0.0.1"), "endpoints[0].addresses Invalid"),
        (("FQDN", "x y"), ""),
    ] {
        assert_eq!(wrong(SLICE, slice(of)), expected, "{of:?}");
    }
    let endpoint = |more: Value| {
        let endpoint = crate::patch::merge(&json!({"addresses": ["10.0.0.1"]}), &more);
        json!({"addressType": "IPv4", "endpoints": [endpoint]})
    };
    hold(
        SLICE,
        endpoint,
        [
            (json!({"nodeName": "a.b", "hostname": "a"}), ""),
            (json!({"nodeName": "A"}), "endpoints[0].nodeName Invalid"),
            (json!({"hostname": "a.b"}), "endpoints[0].hostname Invalid"),
        ],
    );
    let ports = |ports: Value| json!({"addressType": "IPv4", "ports": ports});
    hold(
        SLICE,
        ports,
        [
            (json!([{"name": ""}, {"name": "a"}]), ""),
            (json!([{"name": "a"}, {"name": "a"}]), "ports[1].name Duplicate"),
            (json!([{"protocol": "x"}]), "ports[0].protocol NotSupported"),
            (json!([{"appProtocol": "a b"}]), "ports[0].appProtocol Invalid"),
        ],
    );
    let bare = json!({"addressType": "IPv4", "ports": [{"name": "a"}]});
    assert_eq!(wrong_bare(SLICE, &bare), "ports[0].protocol Required");
}

#[test]
fn addresses_that_nobody_reaches() {
    let told = |address: &str| {
        let subsets = json!([{"addresses": [{"ip": address}]}]);
        wrong(("", "Endpoints"), json!({ "subsets": subsets }))
    };
    for far in [
        "0.0.0.0",
        "127.0.0.1",
        "169.254.1.1",
        "224.0.0.1",
        "::",
        "::1",
        "fe80::1",
        "ff02::1",
        "ff12::1",
    ] {
        assert_eq!(told(far), "subsets[0].addresses[0].ip Invalid", "{far}");
    }
    for near in ["10.0.0.1", "224.0.1.1", "169.253.1.1", "fd00::1", "ff05::1", "ff0f::1"] {
        assert_eq!(told(near), "", "{near}");
    }
    for legacy in ["010.0.0.1", "::ffff:10.0.0.1"] {
        assert_eq!(told(legacy), "subsets[0].addresses[0].ip Invalid", "{legacy}");
    }
}

#[test]
fn ranges_are_written_as_they_are() {
    let told = |range: &str| wrong(RANGES, json!({"spec": {"cidrs": [range]}}));
    for good in ["10.0.0.0/8", "10.0.0.1/32", "0.0.0.0/0", "::/0", "fd00::/64", "fd00::1/128"] {
        assert_eq!(told(good), "", "{good}");
    }
    for bad in [
        "10.0.0.0/33",
        "fd00::/129",
        "10.0.0.0/08",
        "10.0.0.1/8",
        "fd00::1/64",
        "10.0.0.0/",
        "10.0.0.0",
        "10.0.0.0/+8",
        "::ffff:10.0.0.0/104",
        "fd00:0::/64",
        "FD00::/64",
        "010.0.0.0/8",
    ] {
        assert_eq!(told(bad), "spec.cidrs[0] Invalid", "{bad}");
    }
}

#[test]
fn ranges_of_services_stay_but_for_a_second() {
    let of = |ranges: &[&str]| json!({"spec": {"cidrs": ranges}});
    let (v4, v6) = ("10.0.0.0/24", "fd00::/64");
    for (was, now, expected) in [
        (&[v4][..], &[v4][..], ""),
        (&[v4], &[v4, v6], ""),
        (&[v4], &[v6], "spec.cidrs[0] Invalid"),
        (&[v4, v6], &[v4], "spec.cidrs Invalid"),
        (&[v4, v6], &[v6, v4], "spec.cidrs[0] Invalid; spec.cidrs[1] Invalid"),
        (&[v4], &["10.0.1.0/24", v6], "spec.cidrs[0] Invalid"),
        (&[v4], &[], "spec.cidrs Invalid"),
    ] {
        assert_eq!(wrong_update(RANGES, &of(was), &of(now)), expected, "{was:?} {now:?}");
    }
}

#[test]
fn classes_of_ingresses() {
    let class = |more: Value| {
        let spec = json!({"controller": "a.b/c", "parameters": {"kind": "K", "name": "n", "scope": "Cluster"}});
        json!({"spec": crate::patch::merge(&spec, &more)})
    };
    let of = |parameters: Value| json!({ "parameters": parameters });
    // `a/` is two bytes.
    let long = |length: usize| json!({"controller": format!("a/{}", "b".repeat(length - 2))});
    hold(
        CLASS,
        class,
        [
            (json!({}), ""),
            (long(250), ""),
            (long(251), "spec.controller TooLong"),
            (json!({"controller": ""}), "spec.controller Required"),
            (json!({"controller": "a"}), "spec.controller Invalid"),
            (json!({"controller": "/a"}), "spec.controller Invalid"),
            (json!({"controller": "a/"}), "spec.controller Invalid"),
            (json!({"controller": "A/b"}), "spec.controller Invalid"),
            (of(json!({"apiGroup": "A"})), "spec.parameters.apiGroup Invalid"),
            (of(json!({"name": ""})), "spec.parameters.name Required"),
            (of(json!({"scope": "x"})), "spec.parameters.scope NotSupported"),
            (of(json!({"namespace": "a"})), "spec.parameters.namespace Forbidden"),
            (of(json!({"scope": "Namespace"})), "spec.parameters.namespace Required"),
            (of(json!({"scope": "Namespace", "namespace": "a"})), ""),
            (
                of(json!({"scope": "Namespace", "namespace": "A"})),
                "spec.parameters.namespace Invalid",
            ),
        ],
    );
}
