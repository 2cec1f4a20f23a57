//! How things are reached.

use super::*;

#[test]
fn a_service_is_reached_from_outside_by_its_type() {
    let told = |type_: &str, externals: &[&str], ingress: Value| {
        let spec = json!({"type": type_, "externalIPs": externals, "externalName": "a.b"});
        let status = json!({"loadBalancer": {"ingress": ingress}});
        cell("", "Service", "External-IP", json!({"spec": spec, "status": status}))
    };
    let none = || json!([]);
    let points =
        json!([{"ip": "2.2.2.2"}, {"hostname": "h"}, {"ip": "1.1.1.1"}, {"ip": "2.2.2.2"}, {}]);
    for (type_, externals, ingress, expected) in [
        ("ClusterIP", &[] as &[&str], none(), "<none>"),
        ("ClusterIP", &["9.9.9.9", "8.8.8.8"], points.clone(), "9.9.9.9,8.8.8.8"),
        ("NodePort", &["9.9.9.9"], none(), "9.9.9.9"),
        ("LoadBalancer", &[], none(), "<pending>"),
        ("LoadBalancer", &["9.9.9.9"], none(), "9.9.9.9"),
        ("LoadBalancer", &["9.9.9.9"], points, "1.1.1.1,2.2.2.2,h,9.9.9.9"),
        ("ExternalName", &[], none(), "a.b"),
        ("Other", &[], none(), "<unknown>"),
    ] {
        assert_eq!(told(type_, externals, ingress), expected, "{type_}");
    }
    let ports = |ports: Value| cell("", "Service", "Port(s)", json!({"spec": {"ports": ports}}));
    assert_eq!(ports(json!([])), "<none>");
    assert_eq!(
        ports(
            json!([{"port": 1, "protocol": "UDP"}, {"port": 2, "nodePort": 3, "protocol": "TCP"}])
        ),
        "1/UDP,2:3/TCP"
    );
}

#[test]
fn of_many_addresses_three_are_shown() {
    let endpoints =
        |subsets: Value| cell("", "Endpoints", "Endpoints", json!({ "subsets": subsets }));
    let all = |ips: &[&str]| ips.iter().map(|ip| json!({ "ip": ip })).collect::<Vec<_>>();
    assert_eq!(endpoints(json!([])), "<none>");
    assert_eq!(endpoints(json!([{"addresses": all(&["1.1.1.1", "2.2.2.2"])}])), "1.1.1.1,2.2.2.2");
    let ports = json!([{"port": 80}, {"port": 90}]);
    let subset = |ips: &[&str]| json!({"addresses": all(ips), "ports": ports});
    assert_eq!(endpoints(json!([subset(&["fd00::1"])])), "[fd00::1]:80,[fd00::1]:90");
    let four = json!([subset(&["1.1.1.1", "2.2.2.2"])]);
    assert_eq!(endpoints(four), "1.1.1.1:80,2.2.2.2:80,1.1.1.1:90 + 1 more...");
    let slice =
        |column: &str, object: Value| cell("discovery.k8s.io", "EndpointSlice", column, object);
    let three = json!({"endpoints": [{"addresses": ["a", "b"]}, {"addresses": ["c"]}]});
    assert_eq!(slice("Endpoints", three), "a,b,c");
    assert_eq!(slice("Endpoints", json!({})), "<unset>");
    let ports = json!({"ports": [{"port": 80}, {"name": "n"}, {}, {"port": 1}, {"port": 2}]});
    assert_eq!(slice("Ports", ports), "80,n,* + 2 more...");
}

#[test]
fn an_ingress_shows_its_hosts() {
    let hosts = |hosts: &[&str]| {
        let rules: Vec<Value> = hosts.iter().map(|host| json!({ "host": host })).collect();
        cell("networking.k8s.io", "Ingress", "Hosts", json!({"spec": {"rules": rules}}))
    };
    assert_eq!((hosts(&[]), hosts(&[""])), (json!("*"), json!("*")));
    assert_eq!(hosts(&["a", "", "b", "c"]), "a,b,c");
    assert_eq!(hosts(&["a", "b", "c", "d", ""]), "a,b,c + 2 more...");
    let ports =
        |tls: Value| cell("networking.k8s.io", "Ingress", "Ports", json!({"spec": {"tls": tls}}));
    assert_eq!((ports(json!([])), ports(json!([{}]))), (json!("80"), json!("80, 443")));
    let class =
        |column: &str, object: Value| cell("networking.k8s.io", "IngressClass", column, object);
    let default = json!({"metadata": {"annotations": {"ingressclass.kubernetes.io/is-default-class": "true"}}});
    assert_eq!(
        (class("Name", default), class("Name", json!({}))),
        (json!("x (default)"), json!("x"))
    );
    let parameters = |of: Value| class("Parameters", json!({"spec": {"parameters": of}}));
    assert_eq!(parameters(Value::Null), "<none>");
    assert_eq!(parameters(json!({"kind": "K", "name": "n"})), "K/n");
    assert_eq!(parameters(json!({"apiGroup": "g.io", "kind": "K", "name": "n"})), "K.g.io/n");
}
