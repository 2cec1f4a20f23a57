use std::sync::Arc;

use serde_json::{Value, json};

use super::{is_supported, paths, unsupported, value};
use crate::registry;
use crate::resource::Resource;

fn resource(group: &str, kind: &str) -> Arc<Resource> {
    registry::builtin(group, "v1", kind).expect("a kind")
}

fn event() -> Value {
    json!({
        "involvedObject": {"kind": "Pod", "namespace": "a", "name": "x"}, "reason": "Started",
        "source": {"component": "kubelet"}, "reportingComponent": "scheduler", "type": "Normal",
    })
}

#[test]
fn fields_have_the_values_of_what_they_name() {
    let pod = json!({
        "metadata": {"name": "x", "namespace": "a"},
        "spec": {"nodeName": "n", "hostNetwork": true}, "status": {"podIP": "10.0.0.1", "phase": {}},
    });
    for (group, kind, object, field, expected) in [
        ("", "Pod", &pod, "metadata.name", Some("x")),
        ("", "Pod", &pod, "metadata.namespace", Some("a")),
        ("", "Pod", &pod, "spec.nodeName", Some("n")),
        ("", "Pod", &pod, "spec.hostNetwork", Some("true")),
        ("", "Pod", &pod, "status.podIP", Some("10.0.0.1")),
        ("", "Pod", &pod, "status.phase", None),
        ("", "Pod", &json!({}), "spec.hostNetwork", Some("false")),
        ("", "Node", &json!({}), "spec.unschedulable", Some("false")),
        ("", "Node", &json!({}), "spec.hostNetwork", None),
        ("", "Pod", &json!({}), "spec.nodeName", None),
        ("batch", "Job", &json!({"status": {"succeeded": 3}}), "status.successful", Some("3")),
        ("batch", "Job", &json!({"status": {"successful": 3}}), "status.successful", Some("0")),
        ("apps", "ReplicaSet", &json!({"status": {"replicas": 2}}), "status.replicas", Some("2")),
        ("apps", "ReplicaSet", &json!({}), "status.replicas", Some("0")),
        ("", "Event", &event(), "involvedObject.name", Some("x")),
        ("", "Event", &event(), "regarding.name", Some("x")),
        ("", "Event", &event(), "source", Some("kubelet")),
        ("", "Event", &event(), "reportingController", Some("scheduler")),
        ("", "Event", &event(), "reportingComponent", Some("scheduler")),
        ("", "Event", &json!({"reportingComponent": "r"}), "source", Some("r")),
        ("events.k8s.io", "Event", &event(), "regarding.kind", Some("Pod")),
        ("events.k8s.io", "Event", &event(), "reason", Some("Started")),
    ] {
        let told = value(&resource(group, kind), object, field);
        assert_eq!(told.as_deref(), expected, "{group} {kind} {field}");
    }
}

#[test]
fn what_is_looked_at_is_where_the_values_are() {
    for (group, kind, field, expected) in [
        ("batch", "Job", "status.successful", "status.succeeded"),
        ("", "Pod", "spec.nodeName", "spec.nodeName"),
        ("", "Pod", "source", "source"),
        ("", "Event", "regarding.name", "involvedObject"),
        ("", "Event", "involvedObject.name", "involvedObject.name"),
        ("", "Event", "source", "source.component reportingComponent"),
        ("", "Event", "reportingController", "source.component reportingComponent"),
        ("events.k8s.io", "Event", "source", "source.component reportingComponent"),
        ("", "Event", "reason", "reason"),
    ] {
        assert_eq!(paths(&resource(group, kind), field).join(" "), expected, "{kind} {field}");
    }
}

#[test]
fn each_kind_offers_fields_of_its_own() {
    for (group, kind, field, expected) in [
        ("", "Pod", "metadata.namespace", true),
        ("", "Node", "metadata.namespace", false),
        ("", "Node", "metadata.name", true),
        ("", "Node", "spec.unschedulable", true),
        ("", "Pod", "spec.unschedulable", false),
        ("", "Secret", "type", true),
        ("", "ConfigMap", "type", false),
        ("", "Namespace", "status.phase", true),
        ("", "Service", "spec.clusterIP", true),
        ("", "Service", "spec.type", true),
        ("", "ReplicationController", "status.replicas", true),
        ("apps", "ReplicaSet", "status.replicas", true),
        ("apps", "Deployment", "status.replicas", false),
        ("batch", "Job", "status.successful", true),
        ("certificates.k8s.io", "CertificateSigningRequest", "spec.signerName", true),
        ("", "Event", "type", true),
        ("", "Event", "spec.type", false),
        ("events.k8s.io", "Event", "regarding.fieldPath", true),
        ("", "Pod", "regarding.name", false),
    ] {
        assert_eq!(is_supported(&resource(group, kind), field), expected, "{kind} {field}");
    }
}

#[test]
fn kinds_without_fields_of_their_own_say_which_there_are() {
    for (group, kind) in [("", "Pod"), ("", "Event"), ("events.k8s.io", "Event")] {
        let told = unsupported(&resource(group, kind), "a");
        assert_eq!(told, "field label not supported: a", "{group} {kind}");
    }
    assert_eq!(
        unsupported(&resource("", "ConfigMap"), "a"),
        r#""a" is not a known field selector: only "metadata.name", "metadata.namespace""#
    );
}
