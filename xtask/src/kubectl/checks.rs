//! What is typed, in order: each check stands on what the ones before it did.

use std::time::Duration;

use super::Check;

pub(super) const fn check(line: &'static str, has: &'static [&'static str]) -> Check {
    Check { line, stdin: "", has, lacks: &[], fails: false, within: Duration::from_secs(10) }
}

pub(super) const fn gone(line: &'static str, has: &'static [&'static str]) -> Check {
    Check { fails: true, ..check(line, has) }
}

pub(super) const fn fed(
    line: &'static str,
    stdin: &'static str,
    has: &'static [&'static str],
) -> Check {
    Check { stdin, ..check(line, has) }
}

const SECOND: &str = r#"{"apiVersion": "samplecontroller.k8s.io/v1alpha1", "kind": "Foo",
  "metadata": {"name": "second", "namespace": "default"},
  "spec": {"deploymentName": "second", "replicas": 1}}"#;
const SECOND_CHANGED: &str = r#"{"apiVersion": "samplecontroller.k8s.io/v1alpha1", "kind": "Foo",
  "metadata": {"name": "second", "namespace": "default"},
  "spec": {"deploymentName": "second", "replicas": 2}}"#;
const REFUSED: &str = r#"{"apiVersion": "samplecontroller.k8s.io/v1alpha1", "kind": "Foo",
  "metadata": {"name": "refused", "namespace": "default"},
  "spec": {"deploymentName": "refused", "replicas": 11}}"#;
const UNKNOWN: &str = r#"{"apiVersion": "samplecontroller.k8s.io/v1alpha1", "kind": "Foo",
  "metadata": {"name": "unknown", "namespace": "default"},
  "spec": {"deploymentName": "unknown", "replicsa": 1}}"#;
const NEEDS_ROOM: &str = r#"{"apiVersion": "apps/v1", "kind": "Deployment",
  "metadata": {"name": "web", "namespace": "default"},
  "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "web"}},
    "template": {"metadata": {"labels": {"app": "web"}},
      "spec": {"containers": [{"name": "web", "image": "web:1"}]}}}}"#;

/// Every check.
pub(super) const ALL: &[Check] = &[
    // What the server is.
    check("version", &["Server Version: v1.36"]),
    check("api-versions", &["apps/v1", "samplecontroller.k8s.io/v1alpha1", "v1"]),
    check(
        "api-resources",
        &[
            "NAME SHORTNAMES APIVERSION NAMESPACED KIND",
            "deployments deploy apps/v1 true Deployment",
            "foos samplecontroller.k8s.io/v1alpha1 true Foo",
            "namespaces ns v1 false Namespace",
        ],
    ),
    check("explain foo.spec", &["KIND: Foo", "deploymentName <string>", "replicas <integer>"]),
    check("explain deployment.spec.strategy", &["rollingUpdate <RollingUpdateDeployment>"]),
    check("explain foo.spec --output plaintext-openapiv2", &["KIND: Foo", "replicas <integer>"]),
    check("explain pods.spec --output plaintext-openapiv2", &["containers <[]Object> -required-"]),
    check("get --raw /readyz", &["ok"]),
    // What there is, in upstream's columns.
    check("get foos", &["NAME DEPLOYMENT REPLICAS AVAILABLE AGE", "example-foo example-foo 1 1"]),
    check("get deploy", &["NAME READY UP-TO-DATE AVAILABLE AGE", "example-foo 1/1 1 1"]),
    check("get rs", &["NAME DESIRED CURRENT READY AGE", "example-foo-"]),
    check("get pods", &["NAME READY STATUS RESTARTS AGE", "1/1 Running 0"]),
    check(
        "get pods -o wide",
        &["NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES", "node-0"],
    ),
    check("get events", &["LAST SEEN TYPE REASON OBJECT MESSAGE", "Normal Synced foo/example-foo"]),
    check("get ns", &["NAME STATUS AGE", "default Active", "kube-system Active"]),
    check("get nodes", &["NAME STATUS ROLES AGE VERSION", "node-0 Ready <none>"]),
    check("get foos,deploy,rs,pods,events,ns,nodes", &["foo.samplecontroller.k8s.io/example-foo"]),
    check("get foo example-foo -o yaml", &["deploymentName: example-foo", "availableReplicas: 1"]),
    check("get deploy example-foo -o jsonpath={.status.availableReplicas}", &["1"]),
    check("get sa,cm", &["serviceaccount/default", "configmap/kube-root-ca.crt"]),
    check("get leases -n kube-node-lease", &["NAME HOLDER AGE", "node-0 node-0"]),
    // What people read.
    check(
        "describe foo example-foo",
        &[
            "Name: example-foo",
            "Deployment Name: example-foo",
            "Normal Synced",
            "(x2 over",
            "sample-controller Foo synced successfully",
        ],
    ),
    check(
        "describe deploy example-foo",
        &[
            "Replicas: 1 desired | 1 updated | 1 total | 1 available | 0 unavailable",
            "StrategyType: RollingUpdate",
            "Available True MinimumReplicasAvailable",
            "ScalingReplicaSet",
            "Scaled up replica set example-foo-",
        ],
    ),
    check(
        "describe pod -l controller=example-foo",
        &["Status: Running", "Started container nginx"],
    ),
    check("describe node node-0", &["KubeletReady", "kubelet is posting ready status"]),
    check("describe ns default", &["Status: Active"]),
    // A second Foo, and changes to it.
    fed("apply -f -", SECOND, &["foo.samplecontroller.k8s.io/second created"]),
    check("wait --for=condition=Available deploy/second --timeout=20s", &["condition met"]),
    fed("apply -f -", SECOND_CHANGED, &["foo.samplecontroller.k8s.io/second configured"]),
    fed("apply -f -", SECOND_CHANGED, &["foo.samplecontroller.k8s.io/second unchanged"]),
    check("get deploy second", &["second 2/2 2 2"]),
    check("edit foo second", &["foo.samplecontroller.k8s.io/second edited"]),
    check("get deploy second", &["second 3/3 3 3"]),
    check(
        "patch foo second --type=merge -p '{\"spec\":{\"replicas\":2}}'",
        &["foo.samplecontroller.k8s.io/second patched"],
    ),
    check("get deploy second", &["second 2/2 2 2"]),
    check("rollout status deploy/second", &["successfully rolled out"]),
    // Edited by hand: set back.
    check("scale deploy second --replicas=5", &["deployment.apps/second scaled"]),
    check("get deploy second", &["second 2/2 2 2"]),
    check(
        "patch deploy second -p '{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"nginx\",\"image\":\"other\"}]}}}}'",
        &["deployment.apps/second patched"],
    ),
    check(
        "get deploy second -o jsonpath={.spec.template.spec.containers[0].image}",
        &["nginx:latest"],
    ),
    // Deleted by hand: comes back.
    check("delete deploy second", &["deployment.apps \"second\" deleted"]),
    check("wait --for=condition=Available deploy/second --timeout=20s", &["condition met"]),
    // Renamed: nothing left behind.
    check(
        "patch foo second --type=merge -p '{\"spec\":{\"deploymentName\":\"renamed\"}}'",
        &["foo.samplecontroller.k8s.io/second patched"],
    ),
    check("get deploy renamed", &["renamed 2/2 2 2"]),
    gone("get deploy second", &["deployments.apps \"second\" not found"]),
    // Refused, with the reason.
    Check {
        fails: true,
        ..fed("apply -f -", REFUSED, &["spec.replicas", "should be less than or equal to 10"])
    },
    Check { fails: true, ..fed("apply -f -", UNKNOWN, &["unknown field \"spec.replicsa\""]) },
    gone("get foo refused", &["foos.samplecontroller.k8s.io \"refused\" not found"]),
    gone("get nonsense", &["the server doesn't have a resource type \"nonsense\""]),
    // Built-in kinds without a controller of ours.
    fed("create -f -", NEEDS_ROOM, &["deployment.apps/web created"]),
    check("rollout status deploy/web --timeout=20s", &["successfully rolled out"]),
    check("scale deploy web --replicas=3", &["deployment.apps/web scaled"]),
    check("get deploy web", &["web 3/3 3 3"]),
    check("set image deploy/web web=web:2", &["deployment.apps/web image updated"]),
    check("rollout status deploy/web --timeout=20s", &["successfully rolled out"]),
    check("rollout history deploy/web", &["REVISION", "1", "2"]),
    check("label deploy web tier=front", &["deployment.apps/web labeled"]),
    check("annotate deploy web note=one", &["deployment.apps/web annotated"]),
    check("get deploy -l tier=front", &["web 3/3 3 3"]),
    check("apply --server-side --field-manager=me -f - --force-conflicts", &[]).with(NEEDS_ROOM),
    check("delete deploy web", &["deployment.apps \"web\" deleted"]),
    // What kubectl sends as protobuf.
    check("create deployment made --image=nginx", &["deployment.apps/made created"]),
    check("rollout status deploy/made --timeout=20s", &["successfully rolled out"]),
    check("autoscale deploy made --max=3 --cpu=50%", &["horizontalpodautoscaler", "autoscaled"]),
    check("get hpa", &["NAME REFERENCE TARGETS MINPODS MAXPODS REPLICAS", "made Deployment/made"]),
    check("delete hpa,deploy made", &["\"made\" deleted"]),
    check("create namespace made", &["namespace/made created"]),
    check("create job once --image=busybox -n made -- true", &["job.batch/once created"]),
    check("create cronjob daily --image=busybox --schedule '0 1 * * *' -n made", &["created"]),
    check("create secret generic s --from-literal=k=v -n made", &["secret/s created"]),
    check("create configmap c --from-literal=k=v -n made", &["configmap/c created"]),
    check("create serviceaccount sa -n made", &["serviceaccount/sa created"]),
    check("create role r --verb=get --resource=pods -n made", &["r created"]),
    check("create quota q --hard=pods=2 -n made", &["resourcequota/q created"]),
    check("create service clusterip web --tcp=80:80 -n made", &["service/web created"]),
    check("auth can-i create pods", &["yes"]),
    check("auth whoami", &["system:admin"]),
    check("delete namespace made", &["namespace \"made\" deleted"]),
    // Deleting a Foo takes everything with it.
    check("delete foo second", &["foo.samplecontroller.k8s.io \"second\" deleted"]),
    Check { lacks: &["renamed", "second"], ..check("get deploy,rs,pods", &["example-foo"]) },
    // Events are found by what they are about.
    check("get events --field-selector involvedObject.kind=Foo", &["foo/example-foo"]),
];

impl Check {
    const fn with(self, stdin: &'static str) -> Self {
        Self { stdin, ..self }
    }
}
