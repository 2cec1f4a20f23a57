//! What becomes of a claim of devices.

use super::*;

fn claim(status: Value) -> Value {
    let requests = json!([
        {"name": "r", "exactly": {"deviceClassName": "c"}},
        {"name": "s", "firstAvailable": [{"name": "t", "deviceClassName": "c"}]},
    ]);
    json!({"spec": {"devices": {"requests": requests}}, "status": status})
}

fn check(before: Value, change: Value, expected: Expect) {
    check_object("resource.k8s.io", "ResourceClaim", &claim(before), change, expected);
}

fn result(device: &str) -> Value {
    json!({"request": "r", "driver": "d.example.com", "pool": "p", "device": device})
}

fn allocation(results: Value) -> Value {
    json!({"devices": {"results": results}})
}

fn user(name: &str) -> Value {
    json!({"resource": "pods", "name": name, "uid": name})
}

#[test]
fn users() {
    let allocated = allocation(json!([result("a")]));
    check(
        json!({}),
        json!({"allocation": allocated, "reservedFor": [user("a"), user("b")]}),
        expect![[""]],
    );
    check(
        json!({}),
        json!({"reservedFor": [user("a"), {}, user("a")]}),
        expect![[r#"
            status.reservedFor[1].resource: Required value
            status.reservedFor[1].name: Required value
            status.reservedFor[1].uid: Required value
            status.reservedFor[2]: Duplicate value: "a"
            status.reservedFor: Forbidden: may not be specified when `allocated` is not set"#]],
    );
    let many: Vec<Value> = (0..257).map(|number| user(&number.to_string())).collect();
    check(
        json!({"allocation": allocated}),
        json!({"reservedFor": many}),
        expect!["status.reservedFor: Too many: 257: must have at most 256 items"],
    );
    let mut old = claim(json!({"allocation": allocated, "reservedFor": [user("a"), user("b")]}));
    old["metadata"] = json!({"deletionTimestamp": "2026-01-01T00:00:00Z"});
    let check = |users: Value, expected: Expect| {
        let change = json!({"reservedFor": users});
        check_object("resource.k8s.io", "ResourceClaim", &old, change, expected);
    };
    check(json!([user("b")]), expect![[""]]);
    check(
        json!([user("b"), user("c")]),
        expect![
            "status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set"
        ],
    );
}

#[test]
fn allocations() {
    let kept = json!({"allocation": allocation(json!([result("a")]))});
    check(kept.clone(), kept.clone(), expect![[""]]);
    check(kept.clone(), json!({"allocation": null}), expect![[""]]);
    let shared = "f47ac10b-58cc-0372-8567-0e02b2c3d479";
    let fine = json!({
        "request": "s/t", "driver": "d.example.com", "pool": "p.a/b", "device": "x", "shareID": shared,
        "bindingConditions": ["a.b/c"], "bindingFailureConditions": ["d"],
    });
    let node = json!({"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]});
    let mut allocated = allocation(json!([fine]));
    allocated["nodeSelector"] = node;
    allocated["devices"]["config"] = json!([{"source": "FromClaim", "requests": ["r", "s"], "opaque": {"driver": "d.example.com", "parameters": {"a": 1}}}]);
    check(json!({}), json!({"allocation": allocated}), expect![[""]]);
    let wrong = json!({
        "request": "x", "driver": "", "pool": "P", "device": "-", "shareID": shared.to_uppercase(),
        "bindingConditions": ["a", "a", "b c"], "bindingFailureConditions": ["a"],
    });
    let mut allocated = allocation(
        json!([wrong, {"request": "s/x", "driver": "d", "pool": "", "device": "d", "bindingConditions": ["a"]}]),
    );
    allocated["nodeSelector"] = json!({});
    allocated["devices"]["config"] =
        json!([{"source": "x", "requests": ["y", "y"]}, {"source": ""}]);
    check(
        json!({}),
        json!({"allocation": allocated}),
        expect![[r#"
            status.allocation.devices.results[0].request: Invalid value: "x": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
            status.allocation.devices.results[0].driver: Required value
            status.allocation.devices.results[0].pool: Invalid value: "P": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            status.allocation.devices.results[0].device: Invalid value: "-": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            status.allocation.devices.results[0].bindingConditions[2]: Invalid value: "b c": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            status.allocation.devices.results[0].bindingConditions[1]: Duplicate value: "a"
            status.allocation.devices.results[0].bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions
            status.allocation.devices.results[0].shareID: Invalid value: "F47AC10B-58CC-0372-8567-0E02B2C3D479": uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters
            status.allocation.devices.results[1].request: Invalid value: "s/x": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
            status.allocation.devices.results[1].pool: Required value
            status.allocation.devices.results[1].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions
            status.allocation.devices.config[0].source: Unsupported value: "x": supported values: "FromClaim", "FromClass"
            status.allocation.devices.config[0].requests[0]: Invalid value: "y": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
            status.allocation.devices.config[0].requests[1]: Invalid value: "y": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
            status.allocation.devices.config[0].requests[1]: Duplicate value: "y"
            status.allocation.devices.config[0].opaque: Required value
            status.allocation.devices.config[1].source: Required value
            status.allocation.devices.config[1].opaque: Required value
            status.allocation.nodeSelector.nodeSelectorTerms: Required value: must have at least one node selector term"#]],
    );
    let other = allocation(json!([result("b")]));
    let old = claim(kept);
    let new = patch::merge(&old, &json!({"status": {"allocation": other}}));
    let told = text(&status("resource.k8s.io", "ResourceClaim", &new, &old));
    assert!(
        told.starts_with("status.allocation: Invalid value: {\"Devices\":{\"Results\":[{"),
        "{told}"
    );
    assert!(told.ends_with("}: field is immutable"), "{told}");
}

#[test]
fn devices() {
    let device = |device: &str, more: Value| {
        patch::merge(&json!({"driver": "d.example.com", "pool": "p", "device": device}), &more)
    };
    let had = json!({"allocation": allocation(json!([result("a")]))});
    let network = json!({"interfaceName": "eth0", "hardwareAddress": "00:11", "ips": ["10.9.8.7/24", "2001:db8::1/64"]});
    let ready = json!({"type": "Ready", "status": "True", "reason": "Fine", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"});
    let fine =
        device("a", json!({"networkData": network, "data": {"a": [1]}, "conditions": [ready]}));
    check(had.clone(), json!({"devices": [fine]}), expect![[""]]);
    let network = json!({
        "interfaceName": "x".repeat(257), "hardwareAddress": "x".repeat(129),
        "ips": ["10.9.8.7", "10.09.8.7/24", "::ffff:1.2.3.4/120", "10.9.8.7/24", "10.9.8.7/24"],
    });
    check(
        had.clone(),
        json!({"devices": [
            device("a", json!({"networkData": network, "data": [], "conditions": [{"type": "x", "status": "x"}]})),
            device("a", json!({})), device("b", json!({"shareID": "x"})),
        ]}),
        expect![[r#"
            status.devices[0].conditions[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown"
            status.devices[0].conditions[0].lastTransitionTime: Required value
            status.devices[0].conditions[0].reason: Required value
            status.devices[0].data: Invalid value: "<value omitted>": must be a valid JSON object
            status.devices[0].networkData.interfaceName: Too long: may not be more than 256 bytes
            status.devices[0].networkData.hardwareAddress: Too long: may not be more than 128 bytes
            status.devices[0].networkData.ips[0]: Invalid value: "10.9.8.7": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)
            status.devices[0].networkData.ips[1]: Invalid value: "10.09.8.7/24": must be in canonical form ("10.9.8.7/24")
            status.devices[0].networkData.ips[2]: Invalid value: "::ffff:1.2.3.4/120": must be in canonical form ("1.2.3.4/24")
            status.devices[0].networkData.ips[4]: Duplicate value: "10.9.8.7/24"
            status.devices[2].shareID: Invalid value: "x": error validating uid: invalid UUID length: 1
            status.devices[2]: Invalid value: {"Driver":"d.example.com","Pool":"p","Device":"b","ShareID":"x"}: must be an allocated device in the claim
            status.devices[1]: Duplicate value: {"Driver":"d.example.com","Pool":"p","Device":"a","ShareID":""}"#]],
    );
    let many = vec![json!({"type": "x", "status": "True"}); 9];
    let told = {
        let old = claim(had);
        let devices = [device("a", json!({"conditions": many}))];
        let new = patch::merge(&old, &json!({"status": {"devices": devices}}));
        text(&status("resource.k8s.io", "ResourceClaim", &new, &old))
    };
    let first = "status.devices[0].conditions: Too many: 9: must have at most 8 items\n";
    assert!(told.starts_with(first), "{told}");
}
