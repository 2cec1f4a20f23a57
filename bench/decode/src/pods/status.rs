//! What is: conditions, addresses, containers that run.

use super::{HEX, One, Workload, spec};
use std::fmt::Write;

const CONDITIONS: [(&str, u64); 5] = [
    ("PodReadyToStartContainers", 4),
    ("Initialized", 1),
    ("Ready", 12),
    ("ContainersReady", 12),
    ("PodScheduled", 1),
];

pub fn write(out: &mut String, shared: &Workload, one: &One, round: u64) {
    out.push_str(r#"{"observedGeneration":1,"phase":"Running","conditions":["#);
    for (index, (condition, later)) in CONDITIONS.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let changed = if condition.ends_with("Ready") { later + round * 60 } else { *later };
        put!(
            out,
            r#"{comma}{{"type":"{condition}","observedGeneration":1,"status":"True","lastProbeTime":null,"lastTransitionTime":"{}"}}"#,
            one.time(changed)
        );
    }
    let host = format!("192.168.{}.{}", one.node / 250, one.node % 250 + 1);
    put!(
        out,
        r#"],"hostIP":"{host}","hostIPs":[{{"ip":"{host}"}}],"podIP":"{0}","podIPs":[{{"ip":"{0}"}}],"startTime":"{1}","containerStatuses":["#,
        one.ip,
        one.time(1)
    );
    let mut random = one.random.clone();
    let mut images = shared.random.clone();
    for index in 0..shared.containers {
        let comma = if index > 0 { "," } else { "" };
        let image = spec::image(shared, index);
        let repository = image.rsplit_once(':').map_or(image.as_str(), |(name, _)| name);
        put!(
            out,
            r#"{comma}{{"name":"{}","state":{{"running":{{"startedAt":"{}"}}}},"lastState":{{}},"ready":true,"restartCount":{round},"#,
            shared.container(index),
            one.time(5 + round * 60)
        );
        put!(
            out,
            r#""image":"{image}","imageID":"{repository}@sha256:{}","containerID":"containerd://{}","started":true,"#,
            images.text(HEX, 64),
            random.text(HEX, 64)
        );
        put!(
            out,
            r#""volumeMounts":[{{"name":"config","mountPath":"/etc/{}","readOnly":true,"recursiveReadOnly":"Disabled"}},{{"name":"tmp","mountPath":"/tmp"}},"#,
            shared.app
        );
        put!(
            out,
            r#"{{"name":"kube-api-access-{}","mountPath":"/var/run/secrets/kubernetes.io/serviceaccount","readOnly":true,"recursiveReadOnly":"Disabled"}}]}}"#,
            one.access
        );
    }
    out.push_str(r#"],"qosClass":"Burstable"}"#);
}
