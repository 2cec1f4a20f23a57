//! Which manager set which field: made by a controller, then told of by a kubelet.

use super::{One, Workload, spec};
use std::fmt::Write;

pub fn write(out: &mut String, shared: &Workload, one: &One, round: u64) {
    put!(
        out,
        r#""managedFields":[{{"manager":"kube-controller-manager","operation":"Update","apiVersion":"v1","time":"{}","fieldsType":"FieldsV1","fieldsV1":"#,
        one.time(0)
    );
    out.push_str(r#"{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{},"f:prometheus.io/port":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app.kubernetes.io/component":{},"f:app.kubernetes.io/instance":{},"f:app.kubernetes.io/managed-by":{},"f:app.kubernetes.io/name":{},"f:pod-template-hash":{},"f:team":{}},"#);
    put!(
        out,
        r#""f:ownerReferences":{{".":{{}},"k:{{\"uid\":\"{}\"}}":{{}}}}}},"f:spec":{{"f:containers":{{"#,
        shared.owner
    );
    for index in 0..shared.containers {
        let comma = if index > 0 { "," } else { "" };
        container(out, comma, shared.container(index), index);
    }
    out.push_str(r#"},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:nodeSelector":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{".":{},"f:fsGroup":{},"f:runAsGroup":{},"f:runAsNonRoot":{},"f:runAsUser":{},"f:seccompProfile":{".":{},"f:type":{}}},"f:serviceAccount":{},"f:serviceAccountName":{},"f:terminationGracePeriodSeconds":{},"#);
    out.push_str(r#""f:volumes":{".":{},"k:{\"name\":\"config\"}":{".":{},"f:configMap":{".":{},"f:defaultMode":{},"f:name":{}},"f:name":{}},"k:{\"name\":\"tmp\"}":{".":{},"f:emptyDir":{},"f:name":{}}}}}},"#);
    put!(
        out,
        r#"{{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"{}","fieldsType":"FieldsV1","fieldsV1":{{"f:status":{{"f:conditions":{{"#,
        one.time(12 + round * 60)
    );
    for (index, condition) in
        ["ContainersReady", "Initialized", "PodReadyToStartContainers", "Ready"].iter().enumerate()
    {
        let comma = if index > 0 { "," } else { "" };
        put!(
            out,
            r#"{comma}"k:{{\"type\":\"{condition}\"}}":{{".":{{}},"f:lastProbeTime":{{}},"f:lastTransitionTime":{{}},"f:observedGeneration":{{}},"f:status":{{}},"f:type":{{}}}}"#
        );
    }
    put!(
        out,
        r#"}},"f:containerStatuses":{{}},"f:hostIP":{{}},"f:hostIPs":{{}},"f:observedGeneration":{{}},"f:phase":{{}},"f:podIP":{{}},"f:podIPs":{{".":{{}},"k:{{\"ip\":\"{}\"}}":{{".":{{}},"f:ip":{{}}}}}},"f:startTime":{{}}}}}},"subresource":"status"}}]"#,
        one.ip
    );
}

fn container(out: &mut String, comma: &str, name: &str, index: usize) {
    put!(out, r#"{comma}"k:{{\"name\":\"{name}\"}}":{{".":{{}},"#);
    if index == 0 {
        own(out);
    }
    out.push_str(r#""f:image":{},"f:imagePullPolicy":{},"f:name":{},"#);
    put!(
        out,
        r#""f:ports":{{".":{{}},"k:{{\"containerPort\":{},\"protocol\":\"TCP\"}}":{{".":{{}},"f:containerPort":{{}},"f:name":{{}},"f:protocol":{{}}}}}},"#,
        8080 + index
    );
    out.push_str(r#""f:resources":{".":{},"f:limits":{".":{},"f:cpu":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/tmp\"}":{".":{},"f:mountPath":{},"f:name":{}}}}"#);
}

/// What only a workload's own container has.
fn own(out: &mut String) {
    out.push_str(r#""f:args":{},"f:env":{".":{},"k:{\"name\":\"POD_NAME\"}":{".":{},"f:name":{},"f:valueFrom":{".":{},"f:fieldRef":{}}}"#);
    for variable in spec::VARIABLES {
        put!(out, r#","k:{{\"name\":\"{variable}\"}}":{{".":{{}},"f:name":{{}},"f:value":{{}}}}"#);
    }
    out.push_str(r#"},"f:readinessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:initialDelaySeconds":{},"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}},"f:securityContext":{".":{},"f:allowPrivilegeEscalation":{},"f:capabilities":{".":{},"f:drop":{}},"f:readOnlyRootFilesystem":{}},"#);
}
