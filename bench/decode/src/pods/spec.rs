//! What is wished: volumes, containers, where it may run.

use super::random::Random;
use super::{One, Workload};
use std::fmt::Write;

pub fn write(out: &mut String, random: &mut Random, shared: &Workload, one: &One) {
    let Workload { app, .. } = shared;
    put!(
        out,
        r#"{{"volumes":[{{"name":"config","configMap":{{"name":"{app}-config","defaultMode":420}}}},"#
    );
    put!(out, r#"{{"name":"tmp","emptyDir":{{}}}},"#);
    put!(
        out,
        r#"{{"name":"kube-api-access-{}","projected":{{"sources":[{{"serviceAccountToken":{{"expirationSeconds":3607,"path":"token"}}}},"#,
        one.access
    );
    out.push_str(
        r#"{"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},"#,
    );
    out.push_str(r#"{"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],"containers":["#);
    for index in 0..shared.containers {
        if index > 0 {
            out.push(',');
        }
        container(out, random, shared, one, index);
    }
    out.push_str(r#"],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","#);
    put!(
        out,
        r#""nodeSelector":{{"kubernetes.io/os":"linux"}},"serviceAccountName":"{app}","serviceAccount":"{app}","nodeName":"node-{:04}","#,
        one.node
    );
    out.push_str(r#""securityContext":{"runAsUser":10001,"runAsGroup":10001,"runAsNonRoot":true,"fsGroup":10001,"seccompProfile":{"type":"RuntimeDefault"}},"#);
    out.push_str(r#""schedulerName":"default-scheduler","tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"#);
    out.push_str(
        r#""priority":0,"enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"}"#,
    );
}

fn container(out: &mut String, random: &mut Random, shared: &Workload, one: &One, index: usize) {
    let name = shared.container(index);
    let image = image(shared, index);
    let port = 8080 + index;
    put!(out, r#"{{"name":"{name}","image":"{image}","#);
    if index == 0 {
        put!(
            out,
            r#""args":["--config=/etc/{}/config.yaml","--listen=:{port}","--log-level=info"],"#,
            shared.app
        );
    }
    put!(
        out,
        r#""ports":[{{"name":"http","containerPort":{port},"protocol":"TCP"}},{{"name":"metrics","containerPort":{},"protocol":"TCP"}}],"#,
        9090 + index
    );
    if index == 0 {
        variables(out, random, shared);
    }
    resources(out, random);
    put!(
        out,
        r#""volumeMounts":[{{"name":"config","readOnly":true,"mountPath":"/etc/{}"}},{{"name":"tmp","mountPath":"/tmp"}},"#,
        shared.app
    );
    put!(
        out,
        r#"{{"name":"kube-api-access-{}","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}}],"#,
        one.access
    );
    if index == 0 {
        put!(
            out,
            r#""readinessProbe":{{"httpGet":{{"path":"/readyz","port":"http","scheme":"HTTP"}},"initialDelaySeconds":{},"timeoutSeconds":1,"periodSeconds":10,"successThreshold":1,"failureThreshold":3}},"#,
            5 + random.below(4) * 5
        );
    }
    out.push_str(r#""terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent""#);
    if index == 0 {
        out.push_str(r#","securityContext":{"capabilities":{"drop":["ALL"]},"readOnlyRootFilesystem":true,"allowPrivilegeEscalation":false}"#);
    }
    out.push('}');
}

fn variables(out: &mut String, random: &mut Random, shared: &Workload) {
    out.push_str(r#""env":[{"name":"POD_NAME","valueFrom":{"fieldRef":{"apiVersion":"v1","fieldPath":"metadata.name"}}}"#);
    for variable in VARIABLES {
        match random.below(4) {
            0 => put!(
                out,
                r#",{{"name":"{variable}","valueFrom":{{"secretKeyRef":{{"name":"{}-secrets","key":"{}"}}}}}}"#,
                shared.app,
                variable.to_lowercase()
            ),
            1 => put!(
                out,
                r#",{{"name":"{variable}","value":"http://{}.{}.svc:{}"}}"#,
                random.of(super::NAMES),
                shared.namespace,
                8000 + random.below(90)
            ),
            2 => put!(out, r#",{{"name":"{variable}","value":"{}"}}"#, random.below(5000)),
            _ => put!(out, r#",{{"name":"{variable}","value":"{}"}}"#, random.of(VALUES)),
        }
    }
    out.push_str("],");
}

fn resources(out: &mut String, random: &mut Random) {
    let (cpu, memory) = (random.below(20) * 50 + 50, random.below(16) * 64 + 64);
    let limits = (processors(cpu * 2), bytes(memory * 2));
    let requests = (processors(cpu), bytes(memory));
    put!(
        out,
        r#""resources":{{"limits":{{"cpu":"{}","memory":"{}"}},"requests":{{"cpu":"{}","memory":"{}"}}}},"#,
        limits.0,
        limits.1,
        requests.0,
        requests.1
    );
}

// Servers send quantities in their canonical form.

fn processors(thousandths: u64) -> String {
    if thousandths.is_multiple_of(1000) {
        (thousandths / 1000).to_string()
    } else {
        format!("{thousandths}m")
    }
}

fn bytes(mebibytes: u64) -> String {
    if mebibytes.is_multiple_of(1024) {
        format!("{}Gi", mebibytes / 1024)
    } else {
        format!("{mebibytes}Mi")
    }
}

pub fn image(shared: &Workload, index: usize) -> String {
    let mut random = shared.random.clone();
    let (minor, patch) = (random.below(30), random.below(10));
    match index {
        0 => format!("registry.example.com/{}/{}:v1.{minor}.{patch}", shared.namespace, shared.app),
        1 => "registry.example.com/platform/metrics-exporter:v0.12.1".to_owned(),
        _ => "registry.example.com/platform/log-forwarder:v3.1.0".to_owned(),
    }
}

/// Of a workload's own container.
pub const VARIABLES: [&str; 3] = ["DATABASE_URL", "CACHE_HOST", "FEATURE_FLAGS"];
const VALUES: &[&str] = &[
    "true",
    "false",
    "eu-central-1",
    "us-east-2",
    "stable",
    "canary",
    "30s",
    "info",
    "debug",
    "postgres.databases.svc.cluster.local:5432",
    "redis-master.caches.svc.cluster.local:6379",
];
