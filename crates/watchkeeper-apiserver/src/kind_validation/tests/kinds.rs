//! Kinds that have few rules.

use super::*;

fn change(group: &str, kind: &str, old: &Value, change: Value, expected: Expect) {
    check_update(group, kind, crate::patch::merge(old, &change), Some(old.clone()), expected);
}

#[test]
fn slices_of_devices() {
    let group = "resource.k8s.io";
    let slice = json!({"spec": {"driver": "d.example.com", "nodeName": "n", "devices": [{"name": "x"}],
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}});
    check(group, "ResourceSlice", slice.clone(), expect![[""]]);
    change(
        group,
        "ResourceSlice",
        &slice,
        json!({"spec": null}),
        expect![[r#"
            spec.driver: Required value
            spec.pool.name: Required value
            spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero
            spec.pool.name: Invalid value: "": field is immutable
            spec.driver: Invalid value: "": field is immutable
            spec.nodeName: Invalid value: null: field is immutable
            spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required"#]],
    );
    change(
        group,
        "ResourceSlice",
        &slice,
        json!({"spec": {"allNodes": true, "devices": [{"name": "x", "nodeName": "n"}, {"name": "x"}]}}),
        expect![[r#"
            spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set
            spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec
            spec.devices[1]: Duplicate value: "x""#]],
    );
}

#[test]
fn claims_of_devices() {
    let group = "resource.k8s.io";
    let devices = json!({"devices": {"requests": [
        {},
        {"name": "a", "exactly": {"deviceClassName": "c", "allocationMode": "All", "count": 1}},
        {"name": "a", "firstAvailable": [{"name": "b", "selectors": [{}]}]},
    ]}});
    check(
        group,
        "ResourceClaim",
        json!({"spec": devices}),
        expect![[r#"
            spec.devices.requests[0].name: Invalid value: "": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required
            spec.devices.requests[1].exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'
            spec.devices.requests[2].firstAvailable[0].deviceClassName: Required value
            spec.devices.requests[2].firstAvailable[0].selectors[0].cel: Required value
            spec.devices.requests[2]: Duplicate value: "a""#]],
    );
    check(
        group,
        "ResourceClaimTemplate",
        json!({"spec": {"metadata": {"labels": {"a b": ""}}, "spec": {"devices": {"requests": [{"name": "a", "exactly": {}}]}}}}),
        expect![[r#"
            spec.metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            spec.spec.devices.requests[0].exactly.deviceClassName: Required value"#]],
    );
}

#[test]
fn policies_of_admission() {
    let group = "admissionregistration.k8s.io";
    let policy = |spec: Value, expected: Expect| {
        check(group, "ValidatingAdmissionPolicy", json!({"spec": spec}), expected);
    };
    policy(
        json!({}),
        expect![[r#"
            spec.matchConstraints: Required value
            spec.validations: Required value: validations or auditAnnotations must contain at least one item
            spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item"#]],
    );
    policy(
        json!({"matchConstraints": {}, "validations": [{"expression": " ", "message": "a\nb", "reason": "x"}],
            "auditAnnotations": [{"key": "a b", "valueExpression": "'1'"}]}),
        expect![[r#"
            spec.matchConstraints.resourceRules: Required value
            spec.validations[0].expression: Required value: expression is not specified
            spec.validations[0].message: Invalid value: "a\nb": must not contain line breaks
            spec.validations[0].reason: Unsupported value: "x": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"
            spec.auditAnnotations[0].key: Invalid value: "x/a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"#]],
    );
    let rule = json!({"operations": ["DELETE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]});
    check(
        group,
        "MutatingAdmissionPolicy",
        json!({"spec": {"matchConstraints": {"resourceRules": [rule]}, "reinvocationPolicy": "Never",
            "mutations": [{"patchType": "JSONPatch", "applyConfiguration": {"expression": "Object{}"}}]}}),
        expect![[r#"
            spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"
            spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch
            spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch"#]],
    );
    check(
        group,
        "MutatingAdmissionPolicyBinding",
        json!({"spec": {"policyName": "p", "paramRef": {}}}),
        expect![[r#"
            spec.paramRef: Required value: one of name or selector must be specified
            spec.paramRef.parameterNotFoundAction: Required value"#]],
    );
}

#[test]
fn slices_of_endpoints() {
    let group = "discovery.k8s.io";
    let slice = json!({"addressType": "IPv4", "endpoints": [{"addresses": ["10.0.0.1"]}]});
    check(
        group,
        "EndpointSlice",
        json!({"addressType": "IPv4", "ports": [{"name": "Wrong", "port": 1}],
            "endpoints": [{"addresses": ["127.0.0.1", "::2", "x"]}, {}]}),
        expect![[r#"
            ports[0].name: Invalid value: "Wrong": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)
            endpoints[0].addresses: Invalid value: "::2": must be an IPv4 address
            endpoints[0].addresses[2]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
            endpoints[1].addresses: Required value: must contain at least 1 address"#]],
    );
    change(
        group,
        "EndpointSlice",
        &slice,
        json!({"addressType": "A B"}),
        expect![[r#"
            addressType: Unsupported value: "A B": supported values: "FQDN", "IPv4", "IPv6"
            addressType: Invalid value: "A B": field is immutable"#]],
    );
}

#[test]
fn nodes_and_limits() {
    let node = json!({"spec": {"providerID": "a", "podCIDRs": ["10.0.0.0/24"]}});
    change(
        "",
        "Node",
        &node,
        json!({"spec": {"providerID": null, "podCIDRs": ["a_b"], "taints": [{"key": "k"}]}}),
        expect![[r#"
            metadata.taints[0].effect: Required value
            spec.podCIDRs[0]: Invalid value: "a_b": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)
            spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid
            spec.providerID: Forbidden: node updates may not change providerID except from "" to valid
            metadata.taints[0].effect: Required value"#]],
    );
    check(
        "",
        "LimitRange",
        json!({"spec": {"limits": [
            {"type": "PersistentVolumeClaim"},
            {"type": "Pod", "default": {"cpu": "1"}},
            {"type": "Container", "min": {"cpu": "2"}, "max": {"cpu": "1"}},
            {"type": "Container"},
            {"type": "x"},
        ]}}),
        expect![[r#"
            spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided
            spec.limits[1].default: Forbidden: may not be specified when `type` is 'Pod'
            spec.limits[2].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1
            spec.limits[2].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1
            spec.limits[2].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1
            spec.limits[3].type: Duplicate value: "Container"
            spec.limits[4].type: Invalid value: "x": must be a standard limit type or fully qualified"#]],
    );
}

#[test]
fn classes_and_ranges() {
    let class = json!({"spec": {"controller": "example.com/c", "parameters": {"kind": "K", "name": "n", "scope": "Namespace", "namespace": "a"}}});
    change(
        "networking.k8s.io",
        "IngressClass",
        &class,
        json!({"spec": {"controller": "x", "parameters": {"namespace": null}}}),
        expect![[r#"
            spec.controller: Invalid value: "x": field is immutable
            spec.controller: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")
            spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"#]],
    );
    check(
        "networking.k8s.io",
        "ServiceCIDR",
        json!({"spec": {}}),
        expect!["spec.cidrs: Required value: at least one CIDR required"],
    );
    change(
        "networking.k8s.io",
        "ServiceCIDR",
        &json!({"spec": {"cidrs": ["10.0.0.0/24"]}}),
        json!({"spec": {"cidrs": ["10.0.0.0/24", "10.1.0.0/24"]}}),
        expect![[
            r#"spec.cidrs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"#
        ]],
    );
    change(
        "scheduling.k8s.io",
        "PriorityClass",
        &json!({"value": 1}),
        json!({"value": 2, "preemptionPolicy": "Never"}),
        expect![[r#"
            value: Forbidden: may not be changed in an update.
            preemptionPolicy: Invalid value: "Never": field is immutable"#]],
    );
}

#[test]
fn storage() {
    let group = "storage.k8s.io";
    let class = json!({"provisioner": "a.b", "parameters": {"a": "b"}});
    change(
        group,
        "StorageClass",
        &class,
        json!({"provisioner": "", "parameters": null}),
        expect![[r#"
            provisioner: Required value
            parameters: Invalid value: null: field is immutable
            provisioner: Invalid value: "": field is immutable"#]],
    );
    let selector = json!({"matchExpressions": [{"key": "x", "operator": "Exists"}], "matchLabels": {"app": "a"}});
    change(
        group,
        "CSIStorageCapacity",
        &json!({"storageClassName": "fast"}),
        json!({"nodeTopology": selector}),
        expect![[
            r#"nodeTopology: Invalid value: {"matchLabels":{"app":"a"},"matchExpressions":[{"key":"x","operator":"Exists"}]}: field is immutable"#
        ]],
    );
    check(
        group,
        "VolumeAttachment",
        json!({"spec": {"attacher": "d", "source": {"persistentVolumeName": ""}}}),
        expect![[r#"
            spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName
            spec.nodeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            spec.source.persistentVolumeName: Invalid value: "": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"#]],
    );
}

#[test]
fn subjects_and_rules() {
    let group = "rbac.authorization.k8s.io";
    check(
        group,
        "RoleBinding",
        json!({"roleRef": {"apiGroup": group, "kind": "Role", "name": "r"}, "subjects": [
            {"kind": "User", "name": "u", "apiGroup": "Wrong"}, {"kind": "ServiceAccount", "name": "s", "apiGroup": "Wrong"}]}),
        expect![[r#"
            subjects[0].apiGroup: Unsupported value: "Wrong": supported values: "rbac.authorization.k8s.io"
            subjects[1].apiGroup: Unsupported value: "Wrong": supported values: """#]],
    );
    check(
        group,
        "Role",
        json!({"rules": [{"verbs": ["get"], "nonResourceURLs": ["/a"], "resources": ["pods"]}]}),
        expect![[r#"
            rules[0].nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs
            rules[0].nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs"#]],
    );
}
