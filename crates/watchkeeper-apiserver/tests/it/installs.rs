//! `crd::install`: what a test of an operator is told of its definitions.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use watchkeeper_apiserver::crd::{Refused, install};

/// A definition with a version for each schema.
fn definition(plural: &str, kind: &str, schemas: &[Value]) -> Value {
    let version = |(index, schema): (usize, &Value)| {
        json!({
            "name": format!("v{}", index + 1), "served": true, "storage": index == 0,
            "schema": { "openAPIV3Schema": schema },
        })
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": format!("{plural}.example.com") },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "kind": kind, "plural": plural },
            "versions": schemas.iter().enumerate().map(version).collect::<Vec<_>>(),
        },
    })
}

/// A schema with those rules of its spec.
fn ruled(rules: &Value) -> Value {
    let integer = json!({ "type": "integer" });
    let spec = json!({
        "type": "object", "properties": { "least": integer, "most": integer },
        "x-kubernetes-validations": rules,
    });
    json!({ "type": "object", "properties": { "spec": spec } })
}

fn good() -> Value {
    ruled(&json!([{ "rule": "!has(self.least) || self.least <= self.most" }]))
}

fn texts(definitions: &[Value]) -> String {
    definitions.iter().map(|definition| format!("---\n{definition}\n")).collect()
}

fn check(outcome: Result<Vec<String>, Refused>, expected: Expect) {
    let text = match outcome {
        Ok(names) => format!("installed {}", names.join(", ")),
        Err(refused) => refused.to_string(),
    };
    expected.assert_eq(&text);
}

#[test]
fn good_rules_are_installed() {
    let all = [definition("lamps", "Lamp", &[good()]), definition("bulbs", "Bulb", &[good()])];
    check(install(&texts(&all)), expect!["installed lamps.example.com, bulbs.example.com"]);
    let list = json!({ "kind": "CustomResourceDefinitionList", "items": all });
    check(install(&list.to_string()), expect!["installed lamps.example.com, bulbs.example.com"]);
}

#[test]
fn each_bad_rule_is_named_with_its_place_and_what_the_compiler_says() {
    let wrong = json!([
        { "rule": "self.lest <= self.most" }, { "rule": "self.least <=" },
        { "rule": "self.least < self.most" }, { "rule": "self.least", "message": "m" },
    ]);
    let all = [
        definition("lamps", "Lamp", &[good(), ruled(&wrong)]),
        definition("bulbs", "Bulb", &[ruled(&json!([{ "rule": "self.most > 'a'" }]))]),
    ];
    check(
        install(&texts(&all)),
        expect![[r#"
        lamps.example.com: spec.versions[1].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.lest \u003c= self.most","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'lest'
         | self.lest <= self.most
         | ....^
        lamps.example.com: spec.versions[1].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[1].rule: Invalid value: {"Rule":"self.least \u003c=","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:14: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}
         | self.least <=
         | .............^
        lamps.example.com: spec.versions[1].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[3].rule: Invalid value: {"Rule":"self.least","Message":"m","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool
        bulbs.example.com: spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.most \u003e 'a'","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:11: found no matching overload for '_>_' applied to '(int, string)'
         | self.most > 'a'
         | ..........^"#]],
    );
}

#[test]
fn what_else_a_server_refuses_is_told() {
    let taken = [definition("lamps", "Lamp", &[good()]), definition("lights", "Lamp", &[good()])];
    check(
        install(&texts(&taken)),
        expect![[
            r#"lights.example.com: spec.names: ListKindConflict: "LampList" is already in use"#
        ]],
    );
    let mut misspelt = definition("lamps", "Lamp", &[good()]);
    misspelt["spec"]["version"] = "v1".into();
    check(
        install(&misspelt.to_string()),
        expect![[
            r#"lamps.example.com: CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: strict decoding error: unknown field "spec.version""#
        ]],
    );
    let mut unnamed = definition("lamps", "Lamp", &[json!({ "type": "object", "properties": 7 })]);
    unnamed["metadata"] = json!({});
    check(
        install(&unnamed.to_string()),
        expect![[
            r#"CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema.properties of type map[string]v1.JSONSchemaProps"#
        ]],
    );
}

#[test]
fn a_text_without_a_definition_is_refused() {
    check(install("a: [b"), expect!["this is not YAML: line 1, column 4: unclosed bracket '['"]);
    check(install("kind: ConfigMap"), expect!["there is no CustomResourceDefinition"]);
    check(install(""), expect!["there is no CustomResourceDefinition"]);
}

#[test]
fn definitions_may_nest_as_deep_as_servers_take_them() {
    let mut schema =
        json!({ "type": "string", "x-kubernetes-validations": [{ "rule": "self != 'a'" }] });
    for _ in 0..60 {
        schema = json!({ "type": "object", "properties": { "a": schema } });
    }
    check(
        install(&definition("lamps", "Lamp", &[schema]).to_string()),
        expect!["installed lamps.example.com"],
    );
}
