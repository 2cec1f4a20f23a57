//! Expressions that can be read, and whose types do not fit.

use super::*;

const GROUP: &str = "admissionregistration.k8s.io";

fn matched() -> Value {
    let rule = json!({"operations": ["CREATE"], "apiGroups": [""], "apiVersions": ["v1"], "resources": ["pods"]});
    json!({"resourceRules": [rule]})
}

#[test]
fn what_policies_say_has_the_types_that_are_asked_for() {
    let spec = json!({
        "matchConstraints": matched(),
        "matchConditions": [{"name": "a", "expression": " object.a "}, {"name": "b", "expression": "request.user == 'b'"}],
        "variables": [{"name": "names", "expression": "object.items.map(x, string(x.name))"}],
        "validations": [
            {"expression": "variables.names", "messageExpression": "variables.names[0] + 1"},
            {"expression": "variables.name == 'a'", "messageExpression": "object.a"},
        ],
        "auditAnnotations": [{"key": "a", "valueExpression": "size(variables.names)"}],
    });
    check(
        GROUP,
        "ValidatingAdmissionPolicy",
        json!({"spec": spec}),
        expect![[r#"
            spec.matchConditions[0].expression: Invalid value: "object.a": must evaluate to bool but got dyn
            spec.matchConditions[1].expression: Invalid value: "request.user == 'b'": compilation failed: ERROR: <input>:1:8: undefined field 'user'
             | request.user == 'b'
             | .......^
            spec.validations[0].expression: Invalid value: "variables.names": must evaluate to bool but got list(string)
            spec.validations[0].messageExpression: Invalid value: "variables.names[0] + 1": compilation failed: ERROR: <input>:1:20: found no matching overload for '_+_' applied to '(string, int)'
             | variables.names[0] + 1
             | ...................^
            spec.validations[1].expression: Invalid value: "variables.name == 'a'": compilation failed: ERROR: <input>:1:10: undefined field 'name'
             | variables.name == 'a'
             | .........^
            spec.validations[1].messageExpression: Invalid value: "object.a": must evaluate to string but got dyn
            spec.auditAnnotations[0].valueExpression: Invalid value: "size(variables.names)": must evaluate to one of [string null_type] but got int"#]],
    );
}

#[test]
fn variables_have_names_that_expressions_may_write() {
    let named = |name: &str| json!({"name": name, "expression": "1"});
    let names = ["a", "_b1", "1a", "a-b", "for", "é", " "].map(named);
    let spec = json!({"matchConstraints": {"resourceRules": [{
        "apiGroups": ["a"], "apiVersions": ["v1"], "resources": ["as"], "operations": ["CREATE"]}]},
        "variables": names, "validations": [{"expression": "variables.a == variables._b1"}]});
    check(
        GROUP,
        "ValidatingAdmissionPolicy",
        json!({"spec": spec}),
        expect![[r#"
        spec.variables[2].name: Invalid value: "1a": must be a valid CEL identifier
        spec.variables[3].name: Invalid value: "a-b": must be a valid CEL identifier
        spec.variables[4].name: Invalid value: "for": must be a valid CEL identifier
        spec.variables[5].name: Invalid value: "é": must be a valid CEL identifier
        spec.variables[6].name: Required value: name is not specified"#]],
    );
}

#[test]
fn changes_are_made_of_objects_and_patches() {
    let patches = |text: &str| {
        let patch = json!({"expression": text});
        json!({"patchType": "JSONPatch", "jsonPatch": patch})
    };
    let applies = |text: &str| {
        let applied = json!({"expression": text});
        json!({"patchType": "ApplyConfiguration", "applyConfiguration": applied})
    };
    let policy = |mutations: Value| {
        json!({"spec": {
            "matchConstraints": matched(), "reinvocationPolicy": "Never", "mutations": mutations,
            "variables": [{"name": "a", "expression": "Object{}"}],
        }})
    };
    check(
        GROUP,
        "MutatingAdmissionPolicy",
        policy(json!([
            patches("[JSONPatch{op: 1}]"),
            patches("JSONPatch{op: 'add'}"),
            applies("Object.spec{a: 1}"),
            applies("{'a': 1}"),
        ])),
        expect![[r#"
            spec.variables[0].expression: Invalid value: "Object{}": compilation failed: ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')
             | Object{}
             | ......^
            spec.mutations[0].jsonPatch.expression: Invalid value: "[JSONPatch{op: 1}]": compilation failed: ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'
             | [JSONPatch{op: 1}]
             | .............^
            spec.mutations[1].jsonPatch.expression: Invalid value: "JSONPatch{op: 'add'}": must evaluate to list(JSONPatch) but got JSONPatch
            spec.mutations[2].applyConfiguration.expression: Invalid value: "Object.spec{a: 1}": must evaluate to Object but got Object.spec
            spec.mutations[3].applyConfiguration.expression: Invalid value: "{'a': 1}": must evaluate to Object but got map(string, int)"#]],
    );
}

#[test]
fn selectors_of_devices_have_types_and_a_cost() {
    let list = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    let loops = ["a", "b", "c", "d", "e", "f"].iter();
    let costly = loops
        .fold("'x'.matches('x')".to_owned(), |inner, name| format!("{list}.all({name}, {inner})"));
    let selectors = [
        "device.attributes['a'].b",
        "device.attributes['a'].b.c",
        "device.capacity['a'].b.isLessThan(1)",
        &costly,
    ];
    let selectors = selectors.map(|text| json!({"cel": {"expression": text}}));
    check(
        "resource.k8s.io",
        "DeviceClass",
        json!({"spec": {"selectors": selectors}}),
        expect![[r#"
            spec.selectors[1].cel.expression: Invalid value: "device.attributes['a'].b.c": must evaluate to bool or the unknown type, not dyn
            spec.selectors[2].cel.expression: Invalid value: "device.capacity['a'].b.isLessThan(1)": compilation failed: ERROR: <input>:1:34: found no matching overload for 'isLessThan' applied to 'kubernetes.Quantity.(int)'
             | device.capacity['a'].b.isLessThan(1)
             | .................................^
            spec.selectors[3].cel.expression: Forbidden: too complex, exceeds cost limit"#]],
    );
}

/// What a server of an older version has taken stays changeable where it is not itself changed.
#[test]
fn expressions_that_an_older_server_has_taken() {
    let policy = |text: &str| {
        let validations = json!([{"expression": text}]);
        let variables = json!([{"name": "a", "expression": "nobody"}]);
        json!({"spec": {
            "matchConstraints": matched(), "validations": validations, "variables": variables,
        }})
    };
    let mutating = |text: &str| {
        let mutation = json!({"patchType": "JSONPatch", "jsonPatch": {"expression": text}});
        json!({"spec": {
            "matchConstraints": matched(), "reinvocationPolicy": "Never", "mutations": [mutation],
        }})
    };
    let class = |text: &str| json!({"spec": {"selectors": [{"cel": {"expression": text}}]}});
    let template = |text: &str| {
        let exactly = json!({"deviceClassName": "c", "selectors": [{"cel": {"expression": text}}]});
        let requests = json!([{"name": "r", "exactly": exactly}]);
        json!({"spec": {"spec": {"devices": {"requests": requests}}}})
    };
    let devices = "resource.k8s.io";
    for (group, kind, old) in [
        (GROUP, "ValidatingAdmissionPolicy", policy("object.spec.ok")),
        (GROUP, "MutatingAdmissionPolicy", mutating("object.spec")),
        (devices, "DeviceClass", class("device.name == 'a'")),
        (devices, "ResourceClaimTemplate", template("device.name == 'a'")),
    ] {
        let mut new = old.clone();
        new["metadata"] = json!({"labels": {"a": "b"}});
        check_update(group, kind, new, Some(old), expect![[""]]);
    }
    check_update(
        GROUP,
        "MutatingAdmissionPolicy",
        mutating("object.status"),
        Some(mutating("object.spec")),
        expect![[
            r#"spec.mutations[0].jsonPatch.expression: Invalid value: "object.status": must evaluate to list(JSONPatch) but got dyn"#
        ]],
    );
}

#[test]
fn a_selector_of_devices_has_ten_kibibytes_at_most() {
    let class = |length: usize| {
        let text = format!("{:length$}", "device.driver == 'a'");
        assert_eq!(text.len(), length);
        json!({"spec": {"selectors": [{"cel": {"expression": text}}]}})
    };
    check("resource.k8s.io", "DeviceClass", class(10_240), expect![[""]]);
    for length in [10_241, 20_000] {
        check(
            "resource.k8s.io",
            "DeviceClass",
            class(length),
            expect!["spec.selectors[0].cel.expression: Too long: may not be more than 10240 bytes"],
        );
    }
}
