//! What updates may not change.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{check, check_update};
use crate::patch;

/// An object with one change more, and what is said of that.
fn check_change(group: &str, kind: &str, old: &Value, change: Value, expected: Expect) {
    check_update(group, kind, patch::merge(old, &change), Some(old.clone()), expected);
}

#[test]
fn claims() {
    let claim = json!({"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "2Gi"}}}});
    let change = |change: Value, expected: Expect| {
        check_change("", "PersistentVolumeClaim", &claim, change, expected);
    };
    change(json!({"spec": {"volumeName": "v", "storageClassName": "fast"}}), expect![[""]]);
    change(
        json!({"spec": {"accessModes": ["ReadWriteOncePod", "ReadWriteMany"]}}),
        expect![[r#"
            spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes
            spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
            @@ -1,6 +1,7 @@
             {
              "AccessModes": [
            -  "ReadWriteOnce"
            +  "ReadWriteOncePod",
            +  "ReadWriteMany"
              ],
              "Selector": null,
              "Resources": {
        "#]],
    );
    change(
        json!({"spec": {"resources": {"requests": {"storage": "0"}}}}),
        expect![[r#"
            spec.resources[storage]: Invalid value: "0": must be greater than zero
            spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
            @@ -6,7 +6,7 @@
              "Resources": {
               "Limits": null,
               "Requests": {
            -   "storage": "2Gi"
            +   "storage": "0"
               }
              },
              "VolumeName": "",

            spec.resources.requests.storage: Forbidden: field can not be less than status.capacity"#]],
    );
    change(
        json!({"spec": {"volumeMode": "Block"}}),
        expect![[r#"
            spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims
            @@ -11,7 +11,7 @@
              },
              "VolumeName": "",
              "StorageClassName": null,
            - "VolumeMode": "Filesystem",
            + "VolumeMode": "Block",
              "DataSource": null,
              "DataSourceRef": null,
              "VolumeAttributesClassName": null

            volumeMode: Invalid value: "Block": field is immutable"#]],
    );
    let mut bound = claim.clone();
    bound["status"] = json!({"phase": "Bound", "capacity": {"storage": "2Gi"}});
    let grown = json!({"spec": {"resources": {"requests": {"storage": "3Gi"}}}});
    check_change("", "PersistentVolumeClaim", &bound, grown, expect![[""]]);
}

#[test]
fn volumes() {
    let volume = json!({"spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "nfs": {"server": "s", "path": "/p"},
        "nodeAffinity": {"required": {"nodeSelectorTerms": [{}]}}}});
    let change = |change: Value, expected: Expect| {
        check_change("", "PersistentVolume", &volume, change, expected);
    };
    change(json!({"spec": {"capacity": {"storage": "5Gi"}}}), expect![[""]]);
    change(
        json!({"spec": {"hostPath": {"path": "/p"}, "volumeMode": "Block"}}),
        expect![[r#"
            spec.nfs: Forbidden: may not specify more than 1 volume type
            spec.nfs: Forbidden: may not specify more than 1 volume type
            spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation
            @@ -1,7 +1,10 @@
             {
              "GCEPersistentDisk": null,
              "AWSElasticBlockStore": null,
            - "HostPath": null,
            + "HostPath": {
            +  "Path": "/p",
            +  "Type": ""
            + },
              "Glusterfs": null,
              "NFS": {
               "Server": "s",

            volumeMode: Invalid value: "Block": field is immutable"#]],
    );
    change(
        json!({"spec": {"nodeAffinity": null, "nfs": null, "capacity": null}}),
        expect![[r#"
            spec.capacity: Required value
            spec.capacity: Unsupported value: null: supported values: "storage"
            spec: Required value: must specify a volume type
            spec.capacity: Required value
            spec.capacity: Unsupported value: null: supported values: "storage"
            spec: Required value: must specify a volume type
            spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation
            @@ -3,11 +3,7 @@
              "AWSElasticBlockStore": null,
              "HostPath": null,
              "Glusterfs": null,
            - "NFS": {
            -  "Server": "s",
            -  "Path": "/p",
            -  "ReadOnly": false
            - },
            + "NFS": null,
              "RBD": null,
              "Quobyte": null,
              "ISCSI": null,

            nodeAffinity: Invalid value: null: field is immutable, except for updating from beta label to GA"#]],
    );
}

#[test]
fn an_empty_mode_is_none_that_there_is() {
    let volume = json!({"spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"}, "hostPath": {"path": "/p"},
        "volumeMode": "", "persistentVolumeReclaimPolicy": ""}});
    check(
        "",
        "PersistentVolume",
        volume,
        expect![[
            r#"spec.volumeMode: Unsupported value: "": supported values: "Block", "Filesystem""#
        ]],
    );
}

#[test]
fn drivers_and_attachments() {
    let group = "storage.k8s.io";
    let driver = json!({"spec": {"attachRequired": true, "volumeLifecycleModes": ["Persistent"]}});
    let other = json!({"spec": {"attachRequired": false, "volumeLifecycleModes": ["x"], "fsGroupPolicy": "y",
        "tokenRequests": [{"audience": "a", "expirationSeconds": 1}, {"audience": "a"}]}});
    check_change(
        group,
        "CSIDriver",
        &driver,
        other,
        expect![[r#"
        spec.fsGroupPolicy: Unsupported value: "y": supported values: "File", "None", "ReadWriteOnceWithFSType"
        spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes
        spec.tokenRequests[1].audience: Duplicate value: "a"
        spec.volumeLifecycleModes: Unsupported value: "x": supported values: "Persistent", "Ephemeral"
        spec.attachedRequired: Invalid value: false: field is immutable
        spec.volumeLifecycleModes: Invalid value: ["x"]: field is immutable"#]],
    );
    let node =
        json!({"spec": {"drivers": [{"name": "d", "nodeID": "n", "allocatable": {"count": 1}}]}});
    let other = json!({"spec": {"drivers": [{"name": "d", "nodeID": "<m>", "allocatable": {"count": -1}}, {"name": "d"}]}});
    check_change(
        group,
        "CSINode",
        &node,
        other,
        expect![[r#"
        spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0
        spec.drivers[1].nodeID: Required value
        spec.drivers[1].name: Duplicate value: "d"
        spec.drivers: Invalid value: {"Name":"d","NodeID":"\u003cm\u003e","TopologyKeys":null,"Allocatable":null}: field is immutable
        spec.drivers: Invalid value: {"Name":"d","NodeID":"","TopologyKeys":null,"Allocatable":null}: field is immutable"#]],
    );
    let attachment = json!({"spec": {"attacher": "d", "nodeName": "n", "source": {"persistentVolumeName": "v"}}});
    let other = json!({"spec": {"nodeName": "m"}});
    check_change(
        group,
        "VolumeAttachment",
        &attachment,
        other,
        expect![[
            r#"spec: Invalid value: {"Attacher":"d","Source":{"PersistentVolumeName":"v","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable"#
        ]],
    );
    let capacity = json!({"storageClassName": "fast"});
    check_change(
        group,
        "CSIStorageCapacity",
        &capacity,
        json!({"storageClassName": "x"}),
        expect![[r#"storageClassName: Invalid value: "x": field is immutable"#]],
    );
    let class = json!({"driverName": "d", "parameters": {"a": "b"}});
    let other = json!({"driverName": "e", "parameters": {"a": null}});
    check_change(
        group,
        "VolumeAttributesClass",
        &class,
        other,
        expect![[r#"
        driverName: Forbidden: updates to driverName are forbidden.
        parameters: Forbidden: updates to parameters are forbidden.
        parameters: Required value: must contain at least one key/value pair"#]],
    );
}

#[test]
fn claims_of_devices_and_bindings() {
    let claim = json!({"spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "a"}}]}}});
    let other = json!({"spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "b",
        "selectors": [{"cel": {"expression": "1 < 2"}}]}}]}}});
    check_change(
        "resource.k8s.io",
        "ResourceClaim",
        &claim,
        other.clone(),
        expect![[
            r#"spec: Invalid value: {"Devices":{"Requests":[{"Name":"r","Exactly":{"DeviceClassName":"b","Selectors":[{"CEL":{"Expression":"1 \u003c 2"}}],"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}: field is immutable"#
        ]],
    );
    let template = json!({"spec": {"metadata": {"labels": {"a": "b"}}, "spec": claim["spec"]}});
    let other = json!({"spec": {"spec": other["spec"]}});
    check_change(
        "resource.k8s.io",
        "ResourceClaimTemplate",
        &template,
        other,
        expect![[
            r#"spec: Invalid value: {"labels":{"a":"b"},"Spec":{"Devices":{"Requests":[{"Name":"r","Exactly":{"DeviceClassName":"b","Selectors":[{"CEL":{"Expression":"1 \u003c 2"}}],"AllocationMode":"ExactCount","Count":1,"AdminAccess":null,"Tolerations":null,"Capacity":null},"FirstAvailable":null}],"Constraints":null,"Config":null}}}: field is immutable"#
        ]],
    );
    let binding = json!({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"}});
    let other = json!({"roleRef": {"name": "edit"}});
    check_change(
        "rbac.authorization.k8s.io",
        "RoleBinding",
        &binding,
        other,
        expect![[
            r#"roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: cannot change roleRef"#
        ]],
    );
}

#[test]
fn jobs() {
    let job = |suspend: bool| {
        json!({"spec": {"suspend": suspend, "completionMode": "NonIndexed", "manualSelector": true, "selector": {"matchLabels": {"app": "a"}},
        "template": {"metadata": {"labels": {"app": "a"}}, "spec": {"restartPolicy": "Never", "containers": [{"name": "a", "image": "x"}]}}}})
    };
    let change = |suspend: bool, change: Value, expected: Expect| {
        check_change("batch", "Job", &job(suspend), change, expected);
    };
    let placed = json!({"spec": {"template": {"spec": {"nodeSelector": {"a": "b"},
        "containers": [{"name": "a", "image": "x", "resources": {"limits": {"cpu": "1"}}}]}}}});
    change(true, placed, expect![[""]]);
    let image =
        json!({"spec": {"template": {"spec": {"containers": [{"name": "a", "image": "y"}]}}}});
    change(
        true,
        image,
        expect![[
            r#"spec.template.spec: Invalid value: {"Volumes":null,"InitContainers":null,"Containers":[{"Name":"a","Image":"y","Command":null,"Args":null,"WorkingDir":"","Ports":null,"EnvFrom":null,"Env":null,"Resources":{"Limits":null,"Requests":null,"Claims":null},"ResizePolicy":null,"RestartPolicy":null,"RestartPolicyRules":null,"VolumeMounts":null,"VolumeDevices":null,"LivenessProbe":null,"ReadinessProbe":null,"StartupProbe":null,"Lifecycle":null,"TerminationMessagePath":"/dev/termination-log","TerminationMessagePolicy":"File","ImagePullPolicy":"Always","SecurityContext":null,"Stdin":false,"StdinOnce":false,"TTY":false}],"EphemeralContainers":null,"RestartPolicy":"Never","TerminationGracePeriodSeconds":30,"ActiveDeadlineSeconds":null,"DNSPolicy":"ClusterFirst","NodeSelector":null,"ServiceAccountName":"","AutomountServiceAccountToken":null,"NodeName":"","SecurityContext":{"HostNetwork":false,"HostPID":false,"HostIPC":false,"ShareProcessNamespace":null,"HostUsers":null,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"SupplementalGroups":null,"SupplementalGroupsPolicy":null,"FSGroup":null,"FSGroupChangePolicy":null,"Sysctls":null,"SeccompProfile":null,"AppArmorProfile":null,"SELinuxChangePolicy":null},"ImagePullSecrets":null,"Hostname":"","Subdomain":"","SetHostnameAsFQDN":null,"Affinity":null,"SchedulerName":"default-scheduler","Tolerations":null,"HostAliases":null,"PriorityClassName":"","Priority":null,"PreemptionPolicy":null,"DNSConfig":null,"ReadinessGates":null,"RuntimeClassName":null,"Overhead":null,"EnableServiceLinks":null,"TopologySpreadConstraints":null,"OS":null,"SchedulingGates":null,"ResourceClaims":null,"Resources":null,"HostnameOverride":null,"SchedulingGroup":null}: field is immutable"#
        ]],
    );
    change(
        false,
        json!({"spec": {"parallelism": -1, "completions": 3}}),
        expect![[r#"
        spec.parallelism: Invalid value: -1: must be greater than or equal to 0
        spec.parallelism: Invalid value: -1: must be greater than or equal to 0
        spec.completions: Invalid value: 3: field is immutable"#]],
    );
    change(
        false,
        json!({"spec": {"completionMode": "Indexed", "successPolicy": {"rules": [{"succeededCount": 1}]}}}),
        expect![[r#"
            spec.completionMode: Invalid value: "Indexed": field is immutable
            spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: field is immutable"#]],
    );
}

#[test]
fn services() {
    let service = json!({"spec": {"type": "LoadBalancer", "clusterIP": "10.96.0.9", "clusterIPs": ["10.96.0.9"],
        "ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack", "ports": [{"port": 80}], "loadBalancerClass": "a.b/c",
        "externalTrafficPolicy": "Local", "healthCheckNodePort": 30007}});
    let change =
        |change: Value, expected: Expect| check_change("", "Service", &service, change, expected);
    change(
        json!({"spec": {"loadBalancerClass": "x y", "healthCheckNodePort": 30008}}),
        expect![[r#"
            spec.loadBalancerClass: Invalid value: "x y": may not change once set
            spec.loadBalancerClass: Invalid value: "x y": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            spec.healthCheckNodePort: Forbidden: field is immutable
            spec.loadBalancerClass: Invalid value: "x y": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"#]],
    );
    change(
        json!({"spec": {"type": "NodePort"}}),
        expect![[r#"
        spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'
        spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'
        spec.healthCheckNodePort: Invalid value: 30007: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"#]],
    );
    change(
        json!({"spec": {"clusterIP": "None", "clusterIPs": ["None"], "ipFamilies": ["IPv6"]}}),
        expect![[r#"
            spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set
            spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for LoadBalancer services"#]],
    );
    change(
        json!({"spec": {"clusterIP": "", "clusterIPs": [], "ipFamilies": []}}),
        expect!["spec.clusterIPs[0]: Invalid value: []: primary clusterIP can not be unset"],
    );
    change(
        json!({"spec": {"type": "ExternalName", "externalName": "a.b", "externalTrafficPolicy": null,
            "healthCheckNodePort": null, "clusterIP": null, "clusterIPs": null, "loadBalancerClass": null}}),
        expect![[r#"
            spec.ipFamilies: Forbidden: may not be set for ExternalName services
            spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services"#]],
    );
    check(
        "",
        "Service",
        json!({"spec": {"type": "ExternalName", "externalName": "a.b", "clusterIP": "None"}}),
        expect!["spec.clusterIPs: Forbidden: may not be set for ExternalName services"],
    );
    check(
        "",
        "Service",
        json!({"spec": {"ports": [{"port": 80, "appProtocol": "a b"}], "sessionAffinity": "ClientIP", "externalIPs": ["x"],
            "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 86401}}, "internalTrafficPolicy": "y",
            "externalTrafficPolicy": "z", "trafficDistribution": "w", "loadBalancerSourceRanges": ["10.0.0.0/8"]}}),
        expect![[r#"
            spec.ports[0].appProtocol: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400
            spec.externalIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
            spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'
            spec.externalTrafficPolicy: Unsupported value: "z": supported values: "Cluster", "Local"
            spec.internalTrafficPolicy: Unsupported value: "y": supported values: "Cluster", "Local"
            spec.trafficDistribution: Unsupported value: "w": supported values: "PreferClose", "PreferSameZone", "PreferSameNode""#]],
    );
}
