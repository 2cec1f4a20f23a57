//! What pods may say of themselves.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::check_object;

fn pod(policy: &str) -> Value {
    json!({"spec": {"nodeName": "n", "restartPolicy": policy, "resourceClaims": [{"name": "c"}],
        "containers": [{"name": "a", "image": "x", "resources": {"requests": {"cpu": "1"}}},
            {"name": "b", "image": "x", "restartPolicy": "Never", "restartPolicyRules":
                [{"action": "Restart", "exitCodes": {"operator": "In", "values": [42]}}]}]},
        "status": {"qosClass": "Burstable", "podIPs": [{"ip": "x"}],
            "containerStatuses": [{"name": "a", "state": {"terminated": {"exitCode": 1}}},
                {"name": "b", "state": {"terminated": {"exitCode": 42}}}]}})
}

#[test]
fn containers_of_pods() {
    let runs = json!({"containerStatuses": [{"name": "a", "state": {"running": {}}}, {"name": "b", "state": {"running": {}}}]});
    check_object("", "Pod", &pod("Always"), runs.clone(), expect![[""]]);
    check_object("", "Pod", &pod("OnFailure"), runs.clone(), expect![[""]]);
    check_object(
        "",
        "Pod",
        &pod("Never"),
        runs,
        expect![
            "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state"
        ],
    );
    let users = json!({"containerStatuses": [{"name": "a", "user": {"linux": {"uid": -1, "gid": 1, "supplementalGroups": [4294967296_i64]}},
        "allocatedResourcesStatus": [{"name": "memory", "resources": [{"resourceID": "r", "health": "Well"}, {"resourceID": "r", "message": ""}]},
            {"name": "claim:c/r"}, {"name": "cpu"}]}]});
    check_object(
        "",
        "Pod",
        &pod("Always"),
        users,
        expect![[r#"
        status.containerStatuses[0].user.linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive
        status.containerStatuses[0].user.linux.supplementalGroups[0]: Invalid value: 4294967296: must be between 0 and 2147483647, inclusive
        status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "memory": must match one of the container's resource requests
        status.containerStatuses[0].allocatedResourcesStatus[0].resources[0].health: Unsupported value: "Well": supported values: "Healthy", "Unhealthy", "Unknown"
        status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].health: Unsupported value: "": supported values: "Healthy", "Unhealthy", "Unknown"
        status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].message: Required value: must be non-empty if specified
        status.containerStatuses[0].allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "r"
        status.containerStatuses[0].allocatedResourcesStatus[1].name: Invalid value: "claim:c/r": must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"#]],
    );
}

#[test]
fn pods() {
    check_object(
        "",
        "Pod",
        &pod("Always"),
        json!({"conditions": [{"type": "Ready", "observedGeneration": -1}, {"type": "a b"}], "nominatedNodeName": "m_",
            "observedGeneration": -1, "qosClass": "Guaranteed",
            "resourceClaimStatuses": [{"name": "c", "resourceClaimName": "x_"}, {"name": "d"}, {"name": "d"}]}),
        expect![[r#"
            status.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer
            status.conditions[1].Type: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            status.nominatedNodeName: Invalid value: "m_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node
            status.observedGeneration: Invalid value: -1: must be a non-negative integer
            status.qosClass: Invalid value: "Guaranteed": field is immutable
            status.resourceClaimStatuses[0].resourceClaimName: Invalid value: "x_": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            status.resourceClaimStatuses[1].name: Invalid value: "d": must match the name of an entry in `spec.resourceClaims`
            status.resourceClaimStatuses[2].name: Invalid value: "d": must match the name of an entry in `spec.resourceClaims`
            status.resourceClaimStatuses[2].name: Duplicate value: "d""#]],
    );
    let addresses = |addresses: &[&str]| -> Vec<Value> {
        addresses.iter().map(|ip| json!({"ip": ip})).collect()
    };
    check_object(
        "",
        "Pod",
        &pod("Always"),
        json!({"podIPs": addresses(&["x", "y"]), "hostIP": "10.0.0.2", "hostIPs": addresses(&["10.0.0.1", "10.0.0.2"])}),
        expect![[r#"
            status.podIPs[1]: Invalid value: "y": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)
            status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[0]: x
            status.podIPs: Invalid value: [{"IP":"x"},{"IP":"y"}]: may specify no more than one IP for each IP family
            status.hostIPs[0].ip: Invalid value: "10.0.0.1": must be equal to `hostIP`
            status.hostIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: may specify no more than one IP for each IP family"#]],
    );
    let pair = json!({"podIPs": addresses(&["10.0.0.1", "fd00::1"])});
    check_object("", "Pod", &pod("Always"), pair, expect![[""]]);
}

#[test]
fn claims_made_for_what_is_asked_for_in_the_old_way() {
    let spec = json!({
        "initContainers": [{"name": "i", "resources": {"requests": {"example.com/gpu": "1"}}}],
        "containers": [{"name": "c", "resources": {"requests": {"example.com/gpu": "1"}}}],
    });
    let check = |status: Value, expected: Expect| {
        let change = json!({"extendedResourceClaimStatus": status});
        check_object("", "Pod", &json!({"spec": spec}), change, expected);
    };
    let mapping = |container: &str, resource: &str, request: &str| json!({"containerName": container, "resourceName": resource, "requestName": request});
    check(
        json!({"resourceClaimName": "a", "requestMappings": [
            mapping("i", "example.com/gpu", "r"), mapping("c", "example.com/gpu", "r"),
        ]}),
        expect![[""]],
    );
    check(
        json!({"requestMappings": []}),
        expect![[r#"
            status.extendedResourceClaimStatus.requestMappings: Required value: at least one request mapping is required
            status.extendedResourceClaimStatus.resourceClaimName: Required value"#]],
    );
    check(
        json!({"resourceClaimName": "A", "requestMappings": [
            mapping("x", "example.com/gpu", "r"), mapping("c", "cpu", "R"), mapping("c", "cpu", "R"),
        ]}),
        expect![[r#"
            status.extendedResourceClaimStatus.requestMappings[0].containerName: Invalid value: "x": must match the name of an entry in spec.initContainers.name or spec.containers.name
            status.extendedResourceClaimStatus.requestMappings[1].resourceName: Invalid value: "cpu": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests
            status.extendedResourceClaimStatus.requestName: Invalid value: "R": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            status.extendedResourceClaimStatus.requestMappings[2].resourceName: Invalid value: "cpu": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests
            status.extendedResourceClaimStatus.requestName: Invalid value: "R": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            status.extendedResourceClaimStatus.requestMappings[2].containerName: Duplicate value: "c"
            status.extendedResourceClaimStatus.requestMappings[2].resourceName: Duplicate value: "cpu"
            status.extendedResourceClaimStatus.requestMappings[2].requestName: Duplicate value: "R"
            status.extendedResourceClaimStatus.resourceClaimName: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"#]],
    );
}

#[test]
fn no_generation_has_been_seen_yet() {
    let condition = json!({"type": "Ready", "observedGeneration": 0});
    check_object(
        "",
        "Pod",
        &pod("Always"),
        json!({"conditions": [condition], "observedGeneration": 0}),
        expect![[""]],
    );
}
