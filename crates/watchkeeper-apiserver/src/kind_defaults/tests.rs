//! Objects as a kube-apiserver completes them.

mod rules;

use expect_test::{Expect, expect};
use serde_json::json;
use watchkeeper_schema::Schemas;

use super::*;

fn check(model: &str, mut value: Value, expected: Expect) {
    let schema = Schemas::builtin().by_name(model).expect("a built-in type");
    complete(&mut value, schema);
    let once = value.clone();
    complete(&mut value, schema);
    assert_eq!(value, once, "completing twice changes nothing");
    expected.assert_eq(&value.to_string());
}

#[test]
fn a_deployment() {
    check(
        "io.k8s.api.apps.v1.Deployment",
        json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": {
            "selector": {"matchLabels": {"app": "web"}},
            "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [
                {"name": "nginx", "image": "nginx:1.27", "ports": [{"containerPort": 80}],
                 "resources": {"limits": {"cpu": "0.5", "memory": "1024Mi"}},
                 "readinessProbe": {"httpGet": {"port": 80}}},
                {"name": "side", "image": "registry.example:5000/side"}],
                "volumes": [{"name": "tmp"}, {"name": "c", "configMap": {"name": "c"}}]}}}}),
        expect![[
            r#"{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"progressDeadlineSeconds":600,"replicas":1,"revisionHistoryLimit":10,"selector":{"matchLabels":{"app":"web"}},"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"image":"nginx:1.27","imagePullPolicy":"IfNotPresent","name":"nginx","ports":[{"containerPort":80,"protocol":"TCP"}],"readinessProbe":{"failureThreshold":3,"httpGet":{"path":"/","port":80,"scheme":"HTTP"},"periodSeconds":10,"successThreshold":1,"timeoutSeconds":1},"resources":{"limits":{"cpu":"500m","memory":"1Gi"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"},{"image":"registry.example:5000/side","imagePullPolicy":"Always","name":"side","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30,"volumes":[{"emptyDir":{},"name":"tmp"},{"configMap":{"defaultMode":420,"name":"c"},"name":"c"}]}}},"status":{}}"#
        ]],
    );
}

#[test]
fn a_pod() {
    check(
        "io.k8s.api.core.v1.Pod",
        json!({"metadata": {"name": "p"}, "spec": {"serviceAccountName": "sa", "hostNetwork": true, "containers": [
            {"name": "a", "image": "x@sha256:0", "ports": [{"containerPort": 80}], "resources": {"limits": {"cpu": 1}, "requests": {"memory": "0.0001"}}}]},
            "status": {"podIPs": [{"ip": "10.0.0.1"}]}}),
        expect![[
            r#"{"metadata":{"name":"p"},"spec":{"containers":[{"image":"x@sha256:0","imagePullPolicy":"IfNotPresent","name":"a","ports":[{"containerPort":80,"hostPort":80,"protocol":"TCP"}],"resources":{"limits":{"cpu":"1"},"requests":{"cpu":"1","memory":"1m"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst","enableServiceLinks":true,"hostNetwork":true,"restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},"serviceAccount":"sa","serviceAccountName":"sa","terminationGracePeriodSeconds":30},"status":{"podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}]}}"#
        ]],
    );
    let mut pod = json!({"spec": {"tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists"}]}});
    admit_pod(&mut pod);
    assert_eq!(pod["spec"]["priority"], 0);
    assert_eq!(pod["spec"]["tolerations"].as_array().map(Vec::len), Some(2));
}

#[test]
fn services() {
    check(
        "io.k8s.api.core.v1.Service",
        json!({"metadata": {"name": "s"}, "spec": {"ports": [{"port": 80}], "selector": {"app": "web"}}}),
        expect![[
            r#"{"metadata":{"name":"s"},"spec":{"internalTrafficPolicy":"Cluster","ports":[{"port":80,"protocol":"TCP","targetPort":80}],"selector":{"app":"web"},"sessionAffinity":"None","type":"ClusterIP"},"status":{"loadBalancer":{}}}"#
        ]],
    );
    check(
        "io.k8s.api.core.v1.Service",
        json!({"metadata": {"name": "s"}, "spec": {"type": "LoadBalancer", "sessionAffinity": "ClientIP",
            "ports": [{"port": 80, "targetPort": "http"}]}}),
        expect![[
            r#"{"metadata":{"name":"s"},"spec":{"allocateLoadBalancerNodePorts":true,"externalTrafficPolicy":"Cluster","internalTrafficPolicy":"Cluster","ports":[{"port":80,"protocol":"TCP","targetPort":"http"}],"sessionAffinity":"ClientIP","sessionAffinityConfig":{"clientIP":{"timeoutSeconds":10800}},"type":"LoadBalancer"},"status":{"loadBalancer":{}}}"#
        ]],
    );
}

#[test]
fn workloads() {
    check(
        "io.k8s.api.batch.v1.Job",
        json!({"metadata": {"name": "j"}, "spec": {"template": {"metadata": {"labels": {"a": "b"}},
            "spec": {"restartPolicy": "Never", "containers": []}}}}),
        expect![[
            r#"{"metadata":{"labels":{"a":"b"},"name":"j"},"spec":{"backoffLimit":6,"completionMode":"NonIndexed","completions":1,"manualSelector":false,"parallelism":1,"podReplacementPolicy":"TerminatingOrFailed","suspend":false,"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[],"dnsPolicy":"ClusterFirst","restartPolicy":"Never","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}}},"status":{}}"#
        ]],
    );
    check(
        "io.k8s.api.apps.v1.StatefulSet",
        json!({"metadata": {"name": "s"}, "spec": {"serviceName": "s", "selector": {}, "template": {"spec": {"containers": []}},
            "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {}}]}}),
        expect![[
            r#"{"metadata":{"name":"s"},"spec":{"persistentVolumeClaimRetentionPolicy":{"whenDeleted":"Retain","whenScaled":"Retain"},"podManagementPolicy":"OrderedReady","replicas":1,"revisionHistoryLimit":10,"selector":{},"serviceName":"s","template":{"metadata":{},"spec":{"containers":[],"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},"terminationGracePeriodSeconds":30}},"updateStrategy":{"rollingUpdate":{"partition":0},"type":"RollingUpdate"},"volumeClaimTemplates":[{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data"},"spec":{"resources":{},"volumeMode":"Filesystem"},"status":{"phase":"Pending"}}]},"status":{"availableReplicas":0,"replicas":0}}"#
        ]],
    );
}

#[test]
fn the_other_kinds() {
    check(
        "io.k8s.api.core.v1.Namespace",
        json!({"metadata": {"name": "n"}}),
        expect![[
            r#"{"metadata":{"labels":{"kubernetes.io/metadata.name":"n"},"name":"n"},"spec":{},"status":{"phase":"Active"}}"#
        ]],
    );
    check(
        "io.k8s.api.rbac.v1.RoleBinding",
        json!({"metadata": {"name": "r"}, "roleRef": {"kind": "Role", "name": "x"},
            "subjects": [{"kind": "User", "name": "u"}, {"kind": "ServiceAccount", "name": "s", "namespace": "n"}]}),
        expect![[
            r#"{"metadata":{"name":"r"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"x"},"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"u"},{"kind":"ServiceAccount","name":"s","namespace":"n"}]}"#
        ]],
    );
    check(
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
        json!({"metadata": {"name": "foos.g.io"}, "spec": {"group": "g.io", "scope": "Namespaced",
            "names": {"plural": "foos", "kind": "Foo"}, "versions": [{"name": "v1", "served": true, "storage": true,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object"}}}}}]}}),
        expect![[
            r#"{"metadata":{"name":"foos.g.io"},"spec":{"conversion":{"strategy":"None"},"group":"g.io","names":{"kind":"Foo","listKind":"FooList","plural":"foos","singular":"foo"},"scope":"Namespaced","versions":[{"name":"v1","schema":{"openAPIV3Schema":{"properties":{"spec":{"type":"object"}},"type":"object"}},"served":true,"storage":true}]},"status":{"acceptedNames":{"kind":"","plural":""},"conditions":null,"storedVersions":["v1"]}}"#
        ]],
    );
    check(
        "io.k8s.api.coordination.v1.Lease",
        json!({"metadata": {"name": "l"}, "spec": {"renewTime": "2026-01-01T01:00:00.5+01:00"}}),
        expect![[
            r#"{"metadata":{"name":"l"},"spec":{"renewTime":"2026-01-01T00:00:00.500000Z"}}"#
        ]],
    );
}
