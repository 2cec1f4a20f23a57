use serde_json::{Value, json};

use super::{Amounts, exceeded, is_limited, said, usage};
use crate::registry::builtin;

fn line(group: &str, kind: &str, object: &Value) -> String {
    usage(&builtin(group, "v1", kind).expect("a kind"), object).line()
}

#[test]
fn objects_take_what_is_counted_of_their_kind() {
    let claim = |class: &Value| json!({"spec": {"storageClassName": class, "resources": {"requests": {"storage": "1Gi"}}}});
    let gold = "gold.storageclass.storage.k8s.io";
    for (group, kind, object, expected) in [
        ("", "ConfigMap", json!({}), "configmaps=1,count/configmaps=1".to_owned()),
        ("", "Endpoints", json!({}), "count/endpoints=1".to_owned()),
        ("apps", "Deployment", json!({}), "count/deployments.apps=1".to_owned()),
        ("", "Pod", json!({"status": {"phase": "Failed"}}), "count/pods=1".to_owned()),
        ("", "Pod", json!({"status": {"phase": "Running"}}), "count/pods=1,pods=1".to_owned()),
        (
            "",
            "PersistentVolumeClaim",
            claim(&Value::Null),
            "count/persistentvolumeclaims=1,persistentvolumeclaims=1,requests.storage=1Gi"
                .to_owned(),
        ),
        (
            "",
            "PersistentVolumeClaim",
            claim(&json!("gold")),
            format!(
                "count/persistentvolumeclaims=1,{gold}/persistentvolumeclaims=1,\
                 {gold}/requests.storage=1Gi,persistentvolumeclaims=1,requests.storage=1Gi"
            ),
        ),
    ] {
        assert_eq!(line(group, kind, &object), expected, "{object}");
    }
}

#[test]
fn services_take_what_is_outside_of_the_cluster() {
    let ports = json!([{"nodePort": 30_001}, {"nodePort": 0}, {}]);
    for (kind, allocates, expected) in [
        ("ClusterIP", Value::Null, ""),
        ("NodePort", Value::Null, ",services.nodeports=3"),
        ("NodePort", json!(false), ",services.nodeports=3"),
        ("LoadBalancer", json!(true), ",services.loadbalancers=1,services.nodeports=3"),
        ("LoadBalancer", json!(false), ",services.loadbalancers=1,services.nodeports=1"),
    ] {
        let spec =
            json!({"type": kind, "ports": ports, "allocateLoadBalancerNodePorts": allocates});
        let expected = format!("count/services=1,services=1{expected}");
        assert_eq!(line("", "Service", &json!({"spec": spec})), expected);
    }
}

#[test]
fn of_pods_some_requests_are_counted_under_two_names_and_limits_of_a_few() {
    let many = json!({"cpu": "1", "memory": "2", "hugepages-2Mi": "3", "ephemeral-storage": "4", "example.com/x": "5"});
    let resources = json!({"requests": many, "limits": many});
    let pod = json!({"spec": {"containers": [{"resources": resources}]}});
    let expected = "count/pods=1,cpu=1,ephemeral-storage=4,hugepages-2Mi=3,limits.cpu=1,\
                    limits.ephemeral-storage=4,limits.hugepages-2Mi=3,limits.memory=2,memory=2,pods=1,\
                    requests.cpu=1,requests.ephemeral-storage=4,requests.example.com/x=5,\
                    requests.hugepages-2Mi=3,requests.memory=2";
    assert_eq!(line("", "Pod", &pod), expected);
}

#[test]
fn a_quota_is_about_kinds_by_its_names() {
    for (name, group, kind, expected) in [
        ("count/pods", "", "Pod", true),
        ("count/deployments.apps", "apps", "Deployment", true),
        ("deployments", "apps", "Deployment", false),
        ("count/deployments", "apps", "Deployment", false),
        ("pods", "", "Pod", true),
        ("cpu", "", "Pod", true),
        ("limits.memory", "", "Pod", true),
        ("requests.example.com/x", "", "Pod", true),
        ("hugepages-2Mi", "", "Pod", true),
        ("services", "", "Pod", false),
        ("services.nodeports", "", "Service", true),
        ("requests.storage", "", "PersistentVolumeClaim", true),
        (
            "gold.storageclass.storage.k8s.io/persistentvolumeclaims",
            "",
            "PersistentVolumeClaim",
            true,
        ),
        ("requests.cpu", "", "PersistentVolumeClaim", false),
        ("configmaps", "", "ConfigMap", true),
        ("secrets", "", "ConfigMap", false),
    ] {
        let hard = Amounts::read(&json!({name: "1"}));
        let resource = builtin(group, "v1", kind).expect("a kind");
        assert_eq!(is_limited(&resource, &hard), expected, "{name} {kind}");
    }
}

#[test]
fn a_quota_may_be_used_up_and_not_exceeded() {
    let amounts = |a: u8, b: u8| Amounts::read(&json!({"a": a.to_string(), "b": b.to_string()}));
    let hard = amounts(5, 5);
    assert_eq!(exceeded(&hard, &amounts(3, 1), &amounts(2, 4)), None);
    let why = exceeded(&hard, &amounts(3, 1), &amounts(3, 1));
    assert_eq!(why.as_deref(), Some("requested: a=3, used: a=3, limited: a=5"));
    let why = exceeded(&hard, &amounts(5, 5), &amounts(1, 1));
    assert_eq!(why.as_deref(), Some("requested: a=1,b=1, used: a=5,b=5, limited: a=5,b=5"));
}

#[test]
fn containers_say_what_is_limited_unless_the_pod_does() {
    let hard =
        Amounts::read(&json!({"requests.cpu": "1", "memory": "1", "limits.cpu": "1", "pods": "1"}));
    let told = |resources: &Value, pod: &Value| {
        let containers = json!([{"name": "b", "resources": resources}, {"name": "a"}]);
        said(&hard, &json!({"spec": {"containers": containers, "resources": pod}})).err()
    };
    let all = json!({"requests": {"cpu": "1", "memory": "1"}, "limits": {"cpu": "1"}});
    let why = "must specify limits.cpu for: a; memory for: a; requests.cpu for: a";
    assert_eq!(told(&all, &Value::Null).as_deref(), Some(why));
    let why = "must specify limits.cpu for: a,b; memory for: a,b; requests.cpu for: a,b";
    assert_eq!(told(&Value::Null, &json!({})).as_deref(), Some(why));
    assert_eq!(told(&Value::Null, &json!({"limits": {"cpu": "1"}})), None);
}
