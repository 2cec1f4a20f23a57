//! What is refused at the edges of kinds that are no pods, each beside what is still taken.

use super::*;

mod storage;

#[test]
fn endpoints() {
    let far = json!({"subsets": [
        {"notReadyAddresses": [{"ip": "10.1.0.310"}, {"ip": "127.0.0.1"}],
            "ports": [{"name": "a.b", "port": 0, "protocol": "x"}, {"port": 1, "protocol": "TCP"}]},
        {},
    ]});
    check(
        "",
        "Endpoints",
        far.clone(),
        expect![[r#"
            subsets[0].notReadyAddresses[0].ip: Invalid value: "10.1.0.310": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
            subsets[0].notReadyAddresses[0].ip: Invalid value: "10.1.0.310": must be a valid IP address
            subsets[0].notReadyAddresses[1].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)
            subsets[0].ports[0].name: Invalid value: "a.b": must not contain dots
            subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive
            subsets[0].ports[0].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"
            subsets[0].ports[1].name: Required value
            subsets[1]: Required value: must specify `addresses` or `notReadyAddresses`"#]],
    );
    check_update("", "Endpoints", far.clone(), Some(far), expect![[""]]);
    let near = json!({"subsets": [
        {"addresses": [{"ip": "10.1.0.31", "hostname": "h", "nodeName": "n.a"}],
            "ports": [{"port": 65_535, "protocol": "SCTP"}]},
    ]});
    check("", "Endpoints", near, expect![[""]]);
}

#[test]
fn finalizers_of_namespaces() {
    let namespace = |finalizer: &str| json!({"spec": {"finalizers": ["kubernetes", finalizer]}});
    check(
        "",
        "Namespace",
        namespace("kubernetes0"),
        expect![[
            r#"spec.finalizers: Invalid value: "kubernetes0": name is neither a standard finalizer name nor is it fully qualified"#
        ]],
    );
    check("", "Namespace", namespace("example.com/kubernetes0"), expect![[""]]);
}

#[test]
fn sources_of_load_balancers() {
    let service = |ranges: Value| {
        json!({"spec": {
            "type": "LoadBalancer", "externalTrafficPolicy": "Cluster", "ports": [{"port": 80}],
            "loadBalancerSourceRanges": ranges,
        }})
    };
    check(
        "",
        "Service",
        service(json!(["10.0.0.1/8", "010.0.0.0/8", "x"])),
        expect![[r#"
            spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length
            spec.LoadBalancerSourceRanges[1]: Invalid value: "010.0.0.0/8": must not have leading 0s in IP or prefix length
            spec.LoadBalancerSourceRanges[2]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"#]],
    );
    check("", "Service", service(json!([" 10.0.0.0/8 ", "2001:db8::/64"])), expect![[""]]);
    let old = Some(service(json!(["10.0.0.1/8"])));
    check_update("", "Service", service(json!(["10.0.0.1/8 "])), old, expect![[""]]);
}

#[test]
fn ranges_of_services_and_nodes() {
    let group = "networking.k8s.io";
    let of = |ranges: Value| json!({"spec": {"cidrs": ranges}});
    check(
        group,
        "ServiceCIDR",
        of(json!(["10.0.0.0/24", "10.1.0.0/24", "10.2.0.0/24"])),
        expect![[
            r#"spec.cidrs: Invalid value: {"CIDRs":["10.0.0.0/24","10.1.0.0/24","10.2.0.0/24"]}: may only hold up to 2 values"#
        ]],
    );
    check(
        group,
        "ServiceCIDR",
        of(json!(["2001:DB8::/64"])),
        expect![[
            r#"spec.cidrs[0]: Invalid value: "2001:DB8::/64": must be in canonical form ("2001:db8::/64")"#
        ]],
    );
    check(group, "ServiceCIDR", of(json!(["10.0.0.0/24", "2001:db8::/64"])), expect![[""]]);
    let node = |ranges: Value| json!({"spec": {"podCIDRs": ranges}});
    check(
        "",
        "Node",
        node(json!(["10.2.0.0/240", "10.2.0.0/16"])),
        expect![[r#"
            spec.podCIDRs[0]: Invalid value: "10.2.0.0/240": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)
            spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[0]: <nil> (invalid CIDR address: 10.2.0.0/240)
            spec.podCIDRs: Invalid value: ["10.2.0.0/240","10.2.0.0/16"]: may specify no more than one CIDR for each IP family"#]],
    );
    check("", "Node", node(json!(["10.2.0.0/16", "2001:db8::/64"])), expect![[""]]);
}

#[test]
fn classes_of_devices() {
    let group = "resource.k8s.io";
    let selector = |text: &str| json!({"cel": {"expression": text}});
    check(
        group,
        "DeviceClass",
        json!({"spec": {
            "extendedResourceName": "a",
            "selectors": [{}, selector("a"), selector("1")],
            "config": [{"opaque": {"driver": "", "parameters": 1}}],
        }}),
        expect![[r#"
            spec.selectors[0].cel: Required value
            spec.selectors[1].cel.expression: Invalid value: "a": compilation failed: ERROR: <input>:1:1: undeclared reference to 'a' (in container '')
             | a
             | ^
            spec.selectors[2].cel.expression: Invalid value: "1": must evaluate to bool or the unknown type, not int
            spec.config[0].opaque.driver: Required value
            spec.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object
            spec.extendedResourceName: Invalid value: "a": must be a valid extended resource name"#]],
    );
    let many = |count: usize| json!({"spec": {"selectors": vec![selector("true"); count]}});
    check(
        group,
        "DeviceClass",
        many(33),
        expect!["spec.selectors: Too many: 33: must have at most 32 items"],
    );
    check(group, "DeviceClass", many(32), expect![[""]]);
    check(
        group,
        "DeviceClass",
        json!({"spec": {
            "extendedResourceName": "example.com/a",
            "selectors": [selector("device.driver == 'd' && device.attributes['d'].x")],
            "config": [{"opaque": {"driver": "d", "parameters": {"a": 1}}}],
        }}),
        expect![[""]],
    );
}

#[test]
fn claims_and_slices_of_devices() {
    let group = "resource.k8s.io";
    let claim = |expression: &str, operator: &str, request: &str, attribute: &str| {
        json!({"spec": {"devices": {
            "requests": [{"name": "r", "exactly": {
                "deviceClassName": "c", "tolerations": [{"key": "k", "operator": operator}],
                "selectors": [{"cel": {"expression": expression}}],
            }}],
            "constraints": [{"requests": [request], "matchAttribute": attribute}],
            "config": [{"requests": [request], "opaque": {"driver": "d", "parameters": {}}}],
        }}})
    };
    check(
        group,
        "ResourceClaim",
        claim("device.driver == x", "x", "s", "a"),
        expect![[r#"
            spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "device.driver == x": compilation failed: ERROR: <input>:1:18: undeclared reference to 'x' (in container '')
             | device.driver == x
             | .................^
            spec.devices.requests[0].exactly.tolerations[0].operator: Unsupported value: "x": supported values: "Equal", "Exists"
            spec.devices.constraints[0].requests[0]: Invalid value: "s": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
            spec.devices.constraints[0].matchAttribute: Invalid value: "a": a fully qualified name must be a domain and a name separated by a slash
            spec.devices.config[0].requests[0]: Invalid value: "s": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"#]],
    );
    let taken = claim("device.driver == 'x'", "Exists", "r", "example.com/a");
    check(group, "ResourceClaim", taken, expect![[""]]);
    let slice = |attributes: Value| {
        json!({"spec": {
            "driver": "d", "nodeName": "n", "devices": [{"name": "x", "attributes": attributes}],
            "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
        }})
    };
    check(
        group,
        "ResourceSlice",
        slice(json!({"a": {"string": "s".repeat(65)}, "b": {}, "c": {"version": "1"}})),
        expect![[r#"
            spec.devices[0].attributes[a].string: Too long: may not be more than 64 bytes
            spec.devices[0].attributes[b]: Invalid value: "": exactly one value must be specified
            spec.devices[0].attributes[c].version: Invalid value: "1": must be a string compatible with semver.org spec 2.0.0"#]],
    );
    let attributes =
        json!({"a": {"string": "s".repeat(64)}, "d/b": {"int": 1}, "c": {"version": "1.2.3-a.1"}});
    check(group, "ResourceSlice", slice(attributes), expect![[""]]);
}

#[test]
fn flow_schemas_and_runtime_classes() {
    let group = "flowcontrol.apiserver.k8s.io";
    let schema = |method: &str| {
        json!({"spec": {
            "matchingPrecedence": 900, "priorityLevelConfiguration": {"name": "a"},
            "distinguisherMethod": {"type": method},
        }})
    };
    check(
        group,
        "FlowSchema",
        schema("x"),
        expect![[
            r#"spec.distinguisherMethod.type: Unsupported value: {"Type":"x"}: supported values: "ByNamespace", "ByUser""#
        ]],
    );
    check(group, "FlowSchema", schema("ByUser"), expect![[""]]);
    let class = |amount: &str, label: &str, keys: [&str; 2]| {
        let tolerations = keys.map(|key| json!({"key": key, "operator": "Exists"}));
        json!({
            "handler": "h", "overhead": {"podFixed": {"cpu": amount}},
            "scheduling": {"nodeSelector": {"a": label}, "tolerations": tolerations},
        })
    };
    check(
        "node.k8s.io",
        "RuntimeClass",
        class("-1", "b c", ["k", "k"]),
        expect![[r#"
            overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0
            scheduling.nodeSelector: Invalid value: "b c": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
            scheduling.tolerations[1]: Duplicate value: {"Key":"k","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}"#]],
    );
    check("node.k8s.io", "RuntimeClass", class("1", "b", ["k", "l"]), expect![[""]]);
}

#[test]
fn blocks_of_network_policies() {
    let group = "networking.k8s.io";
    let policy = |blocks: Value| {
        let peers = blocks.as_array().expect("blocks").iter();
        let peers: Vec<Value> = peers.map(|block| json!({"ipBlock": block})).collect();
        json!({"spec": {"policyTypes": ["Egress"], "egress": [{"to": peers}]}})
    };
    let except = json!(["10.1.0.0/16", "11.0.0.0/16", "10.0.0.0/8", "y"]);
    check(
        group,
        "NetworkPolicy",
        policy(json!([{"cidr": "x"}, {"cidr": "10.0.0.0/8", "except": except}])),
        expect![[r#"
            spec.egress[0].to[0].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)
            spec.egress[0].to[1].ipBlock.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`
            spec.egress[0].to[1].ipBlock.except[2]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`
            spec.egress[0].to[1].ipBlock.except[3]: Invalid value: "y": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"#]],
    );
    let taken = policy(json!([{"cidr": "10.0.0.0/8", "except": ["10.1.0.0/16", "10.0.0.0/9"]}]));
    check(group, "NetworkPolicy", taken, expect![[""]]);
    let old = policy(json!([{"cidr": "x"}]));
    check_update(group, "NetworkPolicy", old.clone(), Some(old), expect![[""]]);
}

#[test]
fn limits_and_autoscalers() {
    let limits = |limits: Value| json!({"spec": {"limits": limits}});
    check(
        "",
        "LimitRange",
        limits(json!([
            {"type": "Container", "default": {"cpu": "1"}, "max": {"cpu": "500m"}},
            {"type": "Pod", "max": {"fish": "1"}, "maxLimitRequestRatio": {"cpu": "500m"}},
        ])),
        expect![[r#"
            spec.limits[0].defaultRequest[cpu]: Invalid value: "1": default request value 1 is greater than max value 500m
            spec.limits[0].default[cpu]: Invalid value: "500m": default value 1 is greater than max value 500m
            spec.limits[1].max[fish]: Invalid value: "fish": must be a standard resource type or fully qualified
            spec.limits[1].max[fish]: Invalid value: "fish": must be a standard resource for containers
            spec.limits[1].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1"#]],
    );
    let taken = limits(json!([
        {"type": "Container", "default": {"cpu": "500m"}, "max": {"cpu": "500m"}},
        {"type": "Pod", "max": {"example.com/fish": "1"}, "maxLimitRequestRatio": {"cpu": "1"}},
    ]));
    check("", "LimitRange", taken, expect![[""]]);
    let scaled = |least: i64, name: &str| {
        let target = json!({"type": "Utilization", "averageUtilization": 70});
        let of = json!({"name": name, "container": "c", "target": target});
        json!({"spec": {
            "minReplicas": least, "maxReplicas": 2,
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "a"},
            "metrics": [{"type": "ContainerResource", "containerResource": of}],
        }})
    };
    check(
        "autoscaling",
        "HorizontalPodAutoscaler",
        scaled(0, "fish"),
        expect![[r#"
            spec.minReplicas: Invalid value: 0: must be greater than or equal to 1
            spec.metrics[0].containerResource.name: Invalid value: "fish": must be a standard resource type or fully qualified
            spec.metrics[0].containerResource.name: Invalid value: "fish": must be a standard resource for containers
            spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas"#]],
    );
    check("autoscaling", "HorizontalPodAutoscaler", scaled(1, "cpu"), expect![[""]]);
}

#[test]
fn expressions_of_policies() {
    let group = "admissionregistration.k8s.io";
    let rule = json!({"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]});
    let policy = |version: &str, validations: Value| {
        json!({"spec": {
            "paramKind": {"apiVersion": version, "kind": "K"}, "validations": validations,
            "matchConstraints": {"resourceRules": [rule.clone()]},
            "matchConditions": [{"name": "a", "expression": "has(params.a)"}],
        }})
    };
    check(
        group,
        "ValidatingAdmissionPolicy",
        policy(
            "a b",
            json!([
                {"expression": "1"},
                {"expression": "a"},
                {"expression": "variables.a", "messageExpression": "authorizer"},
            ]),
        ),
        expect![[r#"
            spec.paramKind.apiVersion: Invalid value: "a b": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')
            spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int
            spec.validations[1].expression: Invalid value: "a": compilation failed: ERROR: <input>:1:1: undeclared reference to 'a' (in container '')
             | a
             | ^
            spec.validations[2].expression: Invalid value: "variables.a": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')
             | variables.a
             | ^
            spec.validations[2].messageExpression: Invalid value: "authorizer": compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')
             | authorizer
             | ^"#]],
    );
    let validations = json!([{
        "expression": "params.x == object.y && authorizer.group('').resource('pods').check('get').allowed()",
        "messageExpression": "'not ' + params.x",
    }]);
    let taken = policy("example.com/v1", validations);
    check(group, "ValidatingAdmissionPolicy", taken, expect![[""]]);
}
