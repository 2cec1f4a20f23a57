//! Templates of pods and what controllers make of them.

use super::*;

#[test]
fn claims_are_volumes_before_those_of_the_template() {
    let set = json!({"spec": {
        "podManagementPolicy": "x",
        "selector": {"matchLabels": {"app": "a"}},
        "template": {"metadata": {"labels": {"app": "a"}}, "spec": {
            "hostname": "A B",
            "containers": [{"name": "a", "image": "i ", "volumeMounts": [{"name": "data", "mountPath": "/d"}]}],
            "volumes": [{"name": "data", "nfs": {}}, {"name": "v", "emptyDir": {}, "configMap": {"name": "c"}}],
        }},
        "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"accessModes": [""], "resources": {"requests": {"storage": "1"}}}}],
    }});
    check(
        "apps",
        "StatefulSet",
        set.clone(),
        expect![[r#"
            spec.podManagementPolicy: Invalid value: "x": must be 'OrderedReady' or 'Parallel'
            spec.volumeClaimTemplates[0].spec.accessModes: Unsupported value: "": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"
            spec.template.spec.volumes[1].configMap: Forbidden: may not specify more than 1 volume type"#]],
    );
    check_update(
        "apps",
        "StatefulSet",
        set.clone(),
        Some(set),
        expect![[r#"
            spec.podManagementPolicy: Invalid value: "x": must be 'OrderedReady' or 'Parallel'
            spec.template.spec.volumes[1].configMap: Forbidden: may not specify more than 1 volume type"#]],
    );
}

#[test]
fn volumes() {
    let pod = json!({"metadata": {"name": "-a"}, "spec": {
        "containers": [{"name": "a", "image": "i", "volumeDevices": [{"name": "w"}], "env": [{"name": "A", "valueFrom": {}}],
            "securityContext": {"procMount": "x"}}],
        "securityContext": {"sysctls": [{"value": "1"}]},
        "hostAliases": [{"ip": "10.0.0.1", "hostnames": ["a", ""]}],
        "os": {"name": ""},
        "volumes": [
            {"name": "s", "scaleIO": {"system": "s", "secretRef": {}}},
            {"name": "e", "ephemeral": {"volumeClaimTemplate": {"spec": {"resources": {"requests": {"storage": "1"}}}}}},
            {"name": "p", "projected": {"sources": [{"secret": {"items": [{"key": "k", "path": "../p"}]}}]}},
        ],
    }});
    check(
        "",
        "Pod",
        pod,
        expect![[r#"
            spec.volumes[0].scaleIO.gateway: Required value
            spec.volumes[0].scaleIO.volumeName: Required value
            spec.volumes[1].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required
            spec.volumes[1].name: Invalid value: "e": PVC name "-a-e": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            spec.volumes[2].projected.sources[0].secret.name: Required value
            spec.volumes[2].projected.sources[0].secret.items[0].path: Invalid value: "../p": must not contain '..'
            spec.containers[0].env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`
            spec.containers[0].volumeDevices[0].name: Not found: "w"
            spec.containers[0].volumeDevices[0].devicePath: Required value
            spec.containers[0].securityContext.procMount: Unsupported value: "x": supported values: "Default", "Unmasked"
            spec.securityContext.sysctls[0].name: Required value
            spec.hostAliases[0].hostnames[1]: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            spec.os.name: Required value"#]],
    );
}

#[test]
fn updates_of_pods() {
    let pod =
        json!({"spec": {"containers": [{"name": "a", "image": "i"}], "activeDeadlineSeconds": 5}});
    let change = json!({"spec": {"activeDeadlineSeconds": null, "schedulingGates": [{"name": "example.com/g"}]}});
    let new = crate::patch::merge(&pod, &change);
    check_update(
        "",
        "Pod",
        new,
        Some(pod.clone()),
        expect![[r#"
            spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value
            spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'example.com/g'"#]],
    );
    let new = crate::patch::merge(&pod, &json!({"spec": {"activeDeadlineSeconds": 6}}));
    check_update(
        "",
        "Pod",
        new,
        Some(pod),
        expect![
            "spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value"
        ],
    );
}

#[test]
fn selectors_of_jobs() {
    let template = json!({"metadata": {"labels": {"job-name": "y"}}, "spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "i"}]}});
    check(
        "batch",
        "Job",
        json!({"spec": {"selector": {"matchLabels": {"app": "a"}}, "template": template}}),
        expect![[r#"
            spec.template.metadata.labels[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":"u","batch.kubernetes.io/job-name":"x","controller-uid":"u","job-name":"y"}: must be 'x'
            spec.selector: Invalid value: {"matchLabels":{"app":"a","batch.kubernetes.io/controller-uid":"u"}}: `selector` not auto-generated
            spec.template.metadata.labels: Invalid value: {"batch.kubernetes.io/controller-uid":"u","batch.kubernetes.io/job-name":"x","controller-uid":"u","job-name":"y"}: `selector` does not match template `labels`"#]],
    );
    check(
        "batch",
        "Job",
        json!({"spec": {"manualSelector": true, "template": template}}),
        expect![[r#"
            spec.selector: Required value
            spec.template.metadata.labels: Invalid value: {"job-name":"y"}: `selector` does not match template `labels`"#]],
    );
    let name = "a".repeat(53);
    check(
        "batch",
        "CronJob",
        json!({"metadata": {"name": name}, "spec": {"schedule": "@daily", "jobTemplate": {"spec": {
            "selector": {"matchLabels": {"app": "a"}}, "manualSelector": true, "template": template}}}}),
        expect![[r#"
            spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"app":"a"}}: `selector` will be auto-generated
            spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"
            metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 52 characters"#]],
    );
}

#[test]
fn networks_and_classes() {
    let spec = |spec: Value| {
        let named = json!({"containers": [{"name": "a", "image": "i", "ports": [{"containerPort": 80, "hostPort": 81}]}]});
        json!({"spec": crate::patch::merge(&named, &spec)})
    };
    check(
        "",
        "Pod",
        spec(
            json!({"hostNetwork": true, "hostPID": true, "shareProcessNamespace": true, "preemptionPolicy": "x", "runtimeClassName": "A",
            "dnsConfig": {"nameservers": ["x"], "options": [{}]}}),
        ),
        expect![[r#"
            spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true
            spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled
            spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
            spec.dnsConfig.options[0]: Required value: must not be empty
            spec.runtimeClassName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            spec.preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never""#]],
    );
    check(
        "",
        "Pod",
        spec(json!({"dnsPolicy": "None"})),
        expect![
            "spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"
        ],
    );
    check(
        "",
        "Secret",
        json!({"type": "kubernetes.io/service-account-token"}),
        expect!["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
    );
}

/// Controllers that queue pods say where they are to run once it is their turn.
#[test]
fn a_pod_that_waits_may_be_told_where_to_run() {
    let terms = |terms: Value| json!({"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}});
    let zone = json!({"key": "zone", "operator": "Exists"});
    let pod = |more: Value| {
        let pod = json!({"metadata": {"name": "p"}, "spec": {"schedulingGates": [{"name": "example.com/g"}],
            "containers": [{"name": "a", "image": "i"}]}});
        crate::patch::merge(&pod, &json!({"spec": more}))
    };
    let one = pod(
        json!({"nodeSelector": {"a": "b"}, "affinity": terms(json!([{"matchExpressions": [zone]}]))}),
    );
    let told = |old: Value, new: Value, expected: Expect| {
        check_update("", "Pod", new, Some(old), expected);
    };
    told(pod(json!({})), one.clone(), expect![[""]]);
    told(
        one.clone(),
        pod(
            json!({"nodeSelector": {"a": "b", "c": "d"}, "affinity": terms(json!([{"matchExpressions": [zone, zone]}]))}),
        ),
        expect![[""]],
    );
    told(
        one.clone(),
        pod(json!({"affinity": terms(json!([]))})),
        expect![[r#"
        spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value: must have at least one node selector term
        spec.nodeSelector: Invalid value: null: only additions to spec.nodeSelector are allowed (no mutations or deletions)
        spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Invalid value: []: no additions/deletions to non-empty NodeSelectorTerms list are allowed"#]],
    );
    let other = pod(
        json!({"nodeSelector": {"a": "b"}, "affinity": terms(json!([{"matchFields": [zone]}]))}),
    );
    let only = "only additions are allowed (no mutations or deletions)";
    let new = completed("", "Pod", other);
    let errors = validate("", "Pod", &new, Some(&completed("", "Pod", one)));
    assert!(errors.iter().any(|error| error.detail == only), "{errors:?}");
}

/// Each of many drivers is looked for once, and what is wrong a million times is told as far as anybody reads.
#[test]
fn large_objects_are_judged_in_time() {
    let drivers: Vec<Value> =
        (0..60_000).map(|at| json!({"name": format!("d{at}"), "nodeID": "n"})).collect();
    let node = json!({"spec": {"drivers": drivers}});
    assert_eq!(validate("storage.k8s.io", "CSINode", &node, Some(&node)), []);
    let names: Vec<Value> = (0..500_000).map(|_| json!("")).collect();
    let pod = json!({"spec": {"hostAliases": [{"ip": "1.1.1.1", "hostnames": names}]}});
    assert!(validate("", "Pod", &pod, None).len() < 50_000);
}
