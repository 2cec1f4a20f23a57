//! Definitions of custom resources.

use super::*;

const CRD: Kind = ("apiextensions.k8s.io", "CustomResourceDefinition");

/// A definition of one version with more members of its spec.
fn definition(more: Value) -> Value {
    let good = json!({"metadata": {"name": "foos.g.io"}, "spec": {
        "group": "g.io", "scope": "Namespaced",
        "names": {"plural": "foos", "singular": "foo", "kind": "Foo", "listKind": "FooList"},
        "versions": [version(json!({}))],
    }});
    crate::patch::merge(&good, &json!({ "spec": more }))
}

fn version(more: Value) -> Value {
    let part = |of: &str| json!({"type": of});
    let spec: serde_json::Map<String, Value> =
        (0..9).map(|number| (format!("s{number}"), part("string"))).collect();
    let mut spec = json!({"type": "object", "properties": spec});
    for (name, of) in [("n", "number"), ("b", "boolean"), ("i", "integer")] {
        spec["properties"][name] = part(of);
    }
    let metadata = json!({"type": "object", "properties": {"name": part("string")}});
    let schema = json!({"type": "object", "properties": {"spec": spec, "metadata": metadata}});
    let good = json!({
        "name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
    });
    crate::patch::merge(&good, &more)
}

fn of_version(more: Value) -> Value {
    definition(json!({"versions": [version(more)]}))
}

#[test]
fn fields_to_select_by_are_plain_and_no_more_than_eight() {
    let told = |paths: &[&str]| {
        let fields: Vec<Value> = paths.iter().map(|path| json!({"jsonPath": path})).collect();
        wrong(CRD, of_version(json!({"selectableFields": fields})))
    };
    for path in [".spec.s0", ".spec.b", ".spec.i"] {
        assert_eq!(told(&[path]), "", "{path}");
    }
    for path in [".spec.n", ".spec", "spec.s0", ".spec.none", ".metadata.name"] {
        assert_eq!(told(&[path]), "spec.selectableFields[0].jsonPath Invalid", "{path}");
    }
    assert_eq!(told(&[""]), "spec.selectableFields[0].jsonPath Required");
    let twice = [".spec.s0", ".spec.s1", ".spec.s0"];
    assert_eq!(told(&twice), "spec.selectableFields[2].jsonPath Duplicate");
    let all: Vec<String> = (0..9).map(|number| format!(".spec.s{number}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(told(&all[..8]), "");
    assert_eq!(told(&all), "spec.selectableFields TooMany");
}

#[test]
fn who_converts_is_asked_in_a_version_that_is_known() {
    let at = "spec.conversion";
    let client = format!("{at}.webhookClientConfig");
    let reviews = format!("{at}.conversionReviewVersions");
    let url = json!({"url": "https://a.b"});
    let told = |strategy: &str, client: &Value, versions: Value| {
        let webhook = json!({"clientConfig": client, "conversionReviewVersions": versions});
        let conversion = json!({"strategy": strategy, "webhook": webhook});
        wrong(CRD, definition(json!({"conversion": conversion})))
    };
    let told_of_versions = |versions: Value| told("Webhook", &url, versions);
    assert_eq!(told("None", &Value::Null, Value::Null), "");
    assert_eq!(told("Other", &Value::Null, Value::Null), format!("{at}.strategy NotSupported"));
    let both = format!("{client} Forbidden; {reviews} Forbidden");
    assert_eq!(told("None", &url, json!(["v1"])), both);
    assert_eq!(told("Webhook", &Value::Null, json!(["v1"])), format!("{client} Required"));
    for (versions, expected) in [
        (json!(["v1"]), String::new()),
        (json!(["v2", "v1beta1"]), String::new()),
        (json!([]), format!("{reviews} Required")),
        (json!(["v2"]), format!("{reviews} Invalid")),
        (json!(["v1", "v1"]), format!("{reviews}[1] Invalid")),
        (json!(["v1", "V1"]), format!("{reviews}[1] Invalid")),
    ] {
        assert_eq!(told_of_versions(versions.clone()), expected, "{versions}");
    }
}

#[test]
fn what_is_established_keeps_its_scope_and_what_is_stored_its_version() {
    let established = |state: &str, scope: &str| {
        let mut definition = definition(json!({"scope": scope}));
        let condition = json!({"type": "Established", "status": state});
        definition["status"] = json!({"conditions": [condition], "storedVersions": ["v1"]});
        definition
    };
    let old = |state: &str| established(state, "Namespaced");
    let changed = established("True", "Cluster");
    assert_eq!(wrong_update(CRD, &old("True"), &changed), "spec.scope Invalid");
    assert_eq!(wrong_update(CRD, &old("False"), &changed), "");
    assert_eq!(wrong_update(CRD, &old("True"), &old("True")), "");
    let mut gone = old("True");
    gone["status"]["storedVersions"] = json!(["v1", "v0"]);
    assert_eq!(wrong_update(CRD, &old("True"), &gone), "status.storedVersions[1] Invalid");
    assert_eq!(wrong(CRD, gone), "", "it is new");
}

#[test]
fn replicas_are_in_the_spec_and_in_the_status() {
    let at = "spec.subresources.scale";
    for (spec, status, selector, expected) in [
        (".spec.i", ".status.i", ".status.s", String::new()),
        (".spec.i", ".status.i", ".spec.s", String::new()),
        (".spec.i", ".status.i", "", String::new()),
        (".status.i", ".status.i", "", format!("{at}.specReplicasPath Invalid")),
        (".spec.i", ".spec.i", "", format!("{at}.statusReplicasPath Invalid")),
        (".spec", ".status.i", "", format!("{at}.specReplicasPath Invalid")),
        (".spec.i", ".status.i", ".x.s", format!("{at}.labelSelectorPath Invalid")),
    ] {
        let scale = json!({
            "specReplicasPath": spec, "statusReplicasPath": status, "labelSelectorPath": selector,
        });
        let told = wrong(CRD, of_version(json!({"subresources": {"scale": scale}})));
        assert_eq!(told, expected, "{spec} {status} {selector}");
    }
}

#[test]
fn kinds_may_have_mixed_case_and_other_names_may_not() {
    let at = "spec.names";
    for (names, expected) in [
        (json!({"kind": "FOO", "shortNames": ["f"], "categories": ["all"]}), String::new()),
        (json!({"kind": "Foo_"}), format!("{at}.kind Invalid")),
        (json!({"listKind": "Foo"}), format!("{at}.listKind Invalid")),
        (json!({"singular": "Foo"}), format!("{at}.singular Invalid")),
        (json!({"categories": ["all", "A"]}), format!("{at}.categories[1] Invalid")),
    ] {
        assert_eq!(wrong(CRD, definition(json!({"names": names}))), expected, "{names}");
    }
}

#[test]
fn items_are_told_apart_by_what_is_always_there() {
    let place = "spec.validation.openAPIV3Schema.properties[list]";
    let told = |items: Value, of: Value| {
        let list = crate::patch::merge(&json!({"type": "array", "items": items}), &of);
        let schema = json!({"openAPIV3Schema": {"properties": {"list": list}}});
        wrong(CRD, of_version(json!({ "schema": schema })))
    };
    let items = |key: Value, required: &[&str]| json!({"type": "object", "properties": {"k": key}, "required": required});
    let map = json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"]});
    let text = || json!({"type": "string"});
    let key = format!("{place}.items.properties[k]");
    for (items, expected) in [
        (items(text(), &["k"]), String::new()),
        (items(json!({"type": "string", "default": ""}), &[]), String::new()),
        (items(text(), &[]), format!("{key}.default Required")),
        (
            items(json!({"type": "string", "nullable": true}), &["k"]),
            format!("{key}.nullable Forbidden"),
        ),
    ] {
        assert_eq!(told(items.clone(), map.clone()), expected, "{items}");
    }
    let keys = json!({"x-kubernetes-list-map-keys": ["k"]});
    let missing = format!("{place}.x-kubernetes-list-type Required");
    assert_eq!(told(items(text(), &["k"]), keys), missing);
    assert_eq!(told(text(), json!({"x-kubernetes-list-type": "set"})), "");
    assert_eq!(told(text(), json!({"x-kubernetes-list-type": "atomic"})), "");
}

fn with_part(part: Value) -> Value {
    let part = json!({"openAPIV3Schema": {"properties": {"part": part}}});
    of_version(json!({ "schema": part }))
}

#[test]
fn what_is_no_structural_schema_is_told_of_once() {
    let place = "spec.validation.openAPIV3Schema.properties[part]";
    let text = json!({"type": "string"});
    for (name, value) in [
        ("id", json!("x")),
        ("$ref", json!("#/x")),
        ("patternProperties", json!({"a": text})),
        ("definitions", json!({"a": text})),
    ] {
        let mut part = json!({"type": "object"});
        part[name] = value;
        assert_eq!(wrong(CRD, with_part(part)), format!("{place}.{name} Forbidden"));
    }
    let resource = |metadata: Value| {
        json!({
            "type": "object", "x-kubernetes-embedded-resource": true,
            "properties": {"metadata": metadata},
        })
    };
    let name = json!({"type": "object", "properties": {"name": text}});
    assert_eq!(wrong(CRD, with_part(resource(name))), "");
    let inner = json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
    });
    let at = format!("{place}.properties[metadata].x-kubernetes-embedded-resource Forbidden");
    assert_eq!(wrong(CRD, with_part(resource(inner))), at);
}

#[test]
fn a_default_of_what_a_whole_object_says_of_itself_makes_one_that_may_be() {
    let place = "spec.validation.openAPIV3Schema.properties[part]";
    let told = |more: Value| {
        let whole = json!({
            "type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
        });
        let part = with_part(crate::patch::merge(&whole, &more));
        text(&validate(CRD.0, CRD.1, &completed(CRD.0, CRD.1, part), None))
    };
    let of = |name: &str, schema: Value| {
        let metadata = json!({"type": "object", "properties": {name: schema}});
        told(json!({"properties": {"metadata": metadata}}))
    };
    let at = |name: &str| format!("{place}.properties[metadata].properties[{name}]");
    let name = |default: &str| of("name", json!({"type": "string", "default": default}));
    assert_eq!(name("a"), "");
    let slash = r#"metadata.name: Invalid value: "a/b": may not contain '/'"#;
    let results = r#".default: Invalid value: "a/b": must result in valid metadata:"#;
    assert_eq!(name("a/b"), format!("{}{results} {slash}", at("name")));
    let spaced = json!({"type": "string", "default": "a b"});
    let finalizers = of("finalizers", json!({"type": "array", "items": spaced}));
    let expected = r#".items.default: Invalid value: "a b": must result in valid metadata: metadata.finalizers: Invalid value: "a b": "#;
    assert!(finalizers.starts_with(&(at("finalizers") + expected)), "{finalizers}");
    let numbers = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true, "default": {"a": 1}});
    let expected = r#".default: Invalid value: {"a":1}: must result in valid metadata: metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number"#;
    let labels = of("labels", numbers);
    assert!(labels.starts_with(&(at("labels") + expected)), "{labels}");
    let version = json!({"type": "string", "default": "a/b/c"});
    assert_eq!(
        told(json!({"properties": {"apiVersion": version}})),
        format!(
            "{place}.properties[apiVersion].default: Invalid value: \"a/b/c\": must result in valid metadata: \
             apiVersion: Invalid value: \"a/b/c\": unexpected GroupVersion string: a/b/c"
        )
    );
    let whole = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a/b"}});
    assert_eq!(told(json!({"default": whole})), format!("{place}.default.{slash}"));
}

#[test]
fn all_that_is_wrong_with_what_a_default_makes_is_told_of_the_default() {
    let place = "spec.validation.openAPIV3Schema.properties[part]";
    let default = json!({"generateName": "a/b", "name": "c/d"});
    let metadata = json!({"type": "object", "default": default});
    let part = json!({
        "type": "object", "x-kubernetes-embedded-resource": true,
        "properties": {"metadata": metadata},
    });
    let told = validate(CRD.0, CRD.1, &completed(CRD.0, CRD.1, with_part(part)), None);
    let wrong = |name: &str, value: &str| {
        format!("metadata.{name}: Invalid value: \"{value}\": may not contain '/'")
    };
    let (prefix, name) = (wrong("generateName", "a/b"), wrong("name", "c/d"));
    assert_eq!(
        text(&told),
        format!(
            "{place}.properties[metadata].default: Invalid value: {default}: must result in valid metadata: \
             [{prefix}, {name}]"
        )
    );
}

/// What the root describes is a whole object.
#[test]
fn a_default_of_the_root_says_what_it_is() {
    let place = "spec.validation.openAPIV3Schema.default";
    let told = |default: Value| {
        wrong(CRD, of_version(json!({"schema": {"openAPIV3Schema": {"default": default}}})))
    };
    let missing = format!("{place}.apiVersion Required; {place}.kind Required");
    assert_eq!(told(json!({})), missing);
    assert_eq!(told(json!({"apiVersion": "example.com/v1", "kind": "Foo"})), "");
    assert_eq!(told(json!({"zzz": 1})), format!("{place} Invalid; {missing}"));
    let named =
        |name: &str| json!({"apiVersion": "g.io/v1", "kind": "Foo", "metadata": {"name": name}});
    assert_eq!(told(named("a")), "");
    assert_eq!(told(named("a/b")), format!("{place}.metadata.name Invalid"));
}

/// All that is around each of them would be written again and again.
#[test]
fn defaults_far_below_metadata_are_judged_in_passing() {
    let told = |name: &str| {
        let leaves = |n: usize| (format!("l{n}"), json!({"type": "string", "default": "x"}));
        let leaves: serde_json::Map<String, Value> = (0..2_000).map(leaves).collect();
        let leaves = json!({"type": "object", "properties": leaves});
        let deep =
            (0..50).fold(leaves, |inner, _| json!({"type": "object", "properties": {"d": inner}}));
        let metadata = json!({"type": "object", "properties": {name: deep}});
        let part = json!({
            "type": "object", "x-kubernetes-embedded-resource": true,
            "properties": {"metadata": metadata},
        });
        validate(CRD.0, CRD.1, &completed(CRD.0, CRD.1, with_part(part)), None)
    };
    assert_eq!(text(&told("unknown")), "");
    let labels = told("labels");
    let size: usize = labels.iter().map(FieldError::size).sum();
    assert!(!labels.is_empty() && size < MOST_TOLD, "{size}");
}

#[test]
fn what_is_said_of_the_root_beside_a_status_counts_if_it_says_something() {
    let told = |root: Value| {
        let more = json!({"subresources": {"status": {}}, "schema": {"openAPIV3Schema": root}});
        wrong(CRD, of_version(more))
    };
    for root in [json!({}), json!({"nullable": false}), json!({"anyOf": []})] {
        assert_eq!(told(root.clone()), "", "{root}");
    }
    for root in [json!({"minProperties": 0}), json!({"not": {}})] {
        assert_eq!(told(root.clone()), "spec.validation.openAPIV3Schema Invalid", "{root}");
    }
}
