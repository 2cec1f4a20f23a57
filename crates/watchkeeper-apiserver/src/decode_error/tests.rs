//! Values of the wrong type.

use expect_test::{Expect, expect};
use serde_json::json;
use watchkeeper_schema::Schemas;

use super::*;

fn check(value: Value, expected: Expect) {
    let schema = Schemas::builtin().by_name("io.k8s.api.apps.v1.Deployment").expect("a type");
    expected.assert_eq(&find(&value, schema).unwrap_or_default());
}

#[test]
fn the_struct_the_field_and_the_types_are_named() {
    check(
        json!({"spec": {"replicas": "x"}}),
        expect![
            "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"
        ],
    );
    check(
        json!({"spec": {"replicas": 1.5}}),
        expect![
            "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"
        ],
    );
    check(
        json!({"spec": {"replicas": 3_000_000_000_i64}}),
        expect![
            "json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32"
        ],
    );
    check(
        json!({"spec": {"template": {"spec": {"containers": {}}}}}),
        expect![
            "json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of type []v1.Container"
        ],
    );
    check(
        json!({"spec": {"template": {"spec": {"containers": [{"name": 3}]}}}}),
        expect![
            "json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.name of type string"
        ],
    );
    check(
        json!({"metadata": {"labels": {"a": 1}}}),
        expect![
            "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"
        ],
    );
    check(
        json!({"spec": {"strategy": {"rollingUpdate": {"maxSurge": 1}}, "replicas": null}}),
        expect![[""]],
    );
    check(json!([]), expect!["json: cannot unmarshal array into Go value of type v1.Deployment"]);
}

#[test]
fn structs_within_structs_and_named_types_are_told() {
    let container = |value: Value| {
        let spec = json!({"containers": [value]});
        json!({"spec": {"template": {"spec": spec}}})
    };
    check(
        container(json!({"readinessProbe": {"tcpSocket": []}})),
        expect![
            "json: cannot unmarshal array into Go struct field Probe.spec.template.spec.containers.readinessProbe.ProbeHandler.tcpSocket of type v1.TCPSocketAction"
        ],
    );
    check(
        container(json!({"readinessProbe": {"httpGet": {"port": []}}})),
        expect![
            "json: cannot unmarshal array into Go struct field HTTPGetAction.spec.template.spec.containers.readinessProbe.ProbeHandler.httpGet.port of type int32"
        ],
    );
    check(
        container(json!({"envFrom": [{"secretRef": {"name": []}}]})),
        expect![
            "json: cannot unmarshal array into Go struct field SecretEnvSource.spec.template.spec.containers.envFrom.secretRef.LocalObjectReference.name of type string"
        ],
    );
    check(
        container(json!({"resources": {"limits": 1}})),
        expect![
            "json: cannot unmarshal number into Go struct field ResourceRequirements.spec.template.spec.containers.resources.limits of type v1.ResourceList"
        ],
    );
    check(
        json!({"metadata": {"ownerReferences": [{"uid": true}]}}),
        expect![
            "json: cannot unmarshal bool into Go struct field OwnerReference.metadata.ownerReferences.uid of type types.UID"
        ],
    );
}

#[test]
fn types_that_decode_themselves() {
    let quantity = |value: Value| json!({"spec": {"template": {"spec": {"containers": [{"resources": {"limits": {"cpu": value}}}]}}}});
    check(
        quantity(json!("1Q")),
        expect![
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        ],
    );
    check(quantity(json!("500m")), expect![[""]]);
    check(
        json!({"spec": {"strategy": {"rollingUpdate": {"maxSurge": true}}}}),
        expect![
            "json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32"
        ],
    );
    for (time, at) in [
        ("x", "cannot parse \"x\" as \"2006\""),
        ("2026-01-01", "cannot parse \"\" as \"T\""),
        ("2026-01-01T00:00:00", "cannot parse \"\" as \"Z07:00\""),
        ("2026-02-29T00:00:00Z", "day out of range"),
        ("2026-01-01T00:00:00Zx", "extra text: \"x\""),
    ] {
        let schema = Schemas::builtin().by_name("io.k8s.api.core.v1.Event").expect("a type");
        let why = find(&json!({"firstTimestamp": time}), schema).unwrap_or_default();
        assert!(why.ends_with(at), "{why}");
    }
    check(json!({"metadata": {"creationTimestamp": "2026-01-01T00:00:00.5+01:00"}}), expect![[""]]);
    check(
        json!({"metadata": {"creationTimestamp": 3}}),
        expect![
            "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string"
        ],
    );
}

#[test]
fn bytes_are_base64() {
    let schema = Schemas::builtin().by_name("io.k8s.api.core.v1.Secret").expect("a type");
    for (text, fits) in [
        ("", true),
        ("YQ==", true),
        ("YWJj", true),
        ("YQ==\n", true),
        ("YQ", false),
        ("a b", false),
        ("YQ==YQ==", false),
    ] {
        assert_eq!(find(&json!({"data": {"a": text}}), schema).is_none(), fits, "{text:?}");
    }
}

fn told(model: &str, value: &Value) -> String {
    let schema = Schemas::builtin().by_name(model).expect("its schema");
    find(value, schema).unwrap_or_default()
}

/// What decodes itself ends the decoding, whatever was wrong before.
#[test]
fn a_type_that_decodes_itself_is_told_first() {
    let lease =
        json!({"metadata": {"labels": {"a": {}}}, "spec": {"holderIdentity": 1, "renewTime": "x"}});
    let told = told("io.k8s.api.coordination.v1.Lease", &lease);
    assert!(told.starts_with("parsing time"), "{told}");
}

/// Bytes may be a list of numbers, as they may for Go's decoder.
#[test]
fn bytes_are_a_text_or_numbers() {
    let data = |value: Value| told("io.k8s.api.core.v1.Secret", &json!({"data": {"a": value}}));
    assert_eq!(data(json!([])), "");
    assert_eq!(data(json!([0, 255])), "");
    assert_eq!(
        data(json!([256])),
        "json: cannot unmarshal number 256 into Go struct field Secret.data of type uint8"
    );
    assert_eq!(
        data(json!(["a"])),
        "json: cannot unmarshal string into Go struct field Secret.data of type uint8"
    );
}

#[test]
fn schemas_within_schemas_are_decoded() {
    let of = |schema: Value| {
        let version = json!({"schema": {"openAPIV3Schema": schema}});
        let definition = json!({"spec": {"versions": [version]}});
        told(
            "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
            &definition,
        )
    };
    let number = json!({"exclusiveMinimum": 1});
    let place = "json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema";
    for (schema, path) in [
        (json!({"items": number}), "items"),
        (json!({"items": [{}, number]}), "items"),
        (json!({"additionalProperties": {"items": number}}), "additionalProperties.items"),
    ] {
        assert_eq!(of(schema), format!("{place}.{path}.exclusiveMinimum of type bool"));
    }
    assert_eq!(of(json!({"additionalProperties": false})), "");
}

#[test]
fn times_end_with_the_last_second_of_the_last_day() {
    let event = |time: &str| told("io.k8s.api.core.v1.Event", &json!({"firstTimestamp": time}));
    for time in [
        "2024-02-29T23:59:59Z",
        "2000-02-29T00:00:00Z",
        "2026-02-28T00:00:00Z",
        "2026-04-30T00:00:00-23:59",
        "2026-12-31T00:00:00.5Z",
    ] {
        assert_eq!(event(time), "", "{time}");
    }
    for (time, part) in [
        ("2100-02-29T00:00:00Z", "day"),
        ("2026-02-29T00:00:00Z", "day"),
        ("2026-04-31T00:00:00Z", "day"),
        ("2026-12-32T00:00:00Z", "day"),
        ("2026-01-00T00:00:00Z", "day"),
        ("2026-00-01T00:00:00Z", "month"),
        ("2026-13-01T00:00:00Z", "month"),
        ("2026-01-01T24:00:00Z", "hour"),
        ("2026-01-01T00:60:00Z", "minute"),
        ("2026-01-01T00:00:60Z", "second"),
    ] {
        assert_eq!(event(time), format!("parsing time \"{time}\": {part} out of range"));
    }
}

#[test]
fn numbers_fit_into_their_type_to_the_last_one() {
    for replicas in [i64::from(i32::MIN), 0, i64::from(i32::MAX)] {
        check(json!({"spec": {"replicas": replicas}}), expect![[""]]);
    }
    check(
        json!({"spec": {"replicas": 2_147_483_648_i64}}),
        expect![
            "json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32"
        ],
    );
    check(
        json!({"spec": {"replicas": -2_147_483_649_i64}}),
        expect![
            "json: cannot unmarshal number -2147483649 into Go struct field DeploymentSpec.spec.replicas of type int32"
        ],
    );
}

#[test]
fn base64_is_padded_at_its_end_and_nowhere_else() {
    let data = |text: &str| told("io.k8s.api.core.v1.Secret", &json!({"data": {"a": text}}));
    for text in ["YWI=", "YWJjYQ==", "YWJj\r\nYWJj", "+/+/"] {
        assert_eq!(data(text), "", "{text:?}");
    }
    for text in ["Y", "Y===", "YQ=", "YWI", "YWJjY", "YWI=YWJj", "====", "-_-_"] {
        assert!(data(text).starts_with("illegal base64 data at input byte "), "{text:?}");
    }
}

#[test]
fn amounts_that_are_no_resource_list_have_keys_of_their_own() {
    for (group, model, member, key) in [
        ("resource", "CapacityRequirements", "requests", "QualifiedName"),
        ("resource", "DeviceRequestAllocationResult", "consumedCapacity", "QualifiedName"),
        ("core", "NodeAllocatableResourceClaimStatus", "resources", "ResourceName"),
    ] {
        let name = format!("io.k8s.api.{group}.v1.{model}");
        let schema = Schemas::builtin().by_name(&name).expect("a type");
        let told = format!(
            "json: cannot unmarshal array into Go struct field {model}.{member} of type map[v1.{key}]resource.Quantity"
        );
        assert_eq!(find(&json!({member: []}), schema), Some(told));
        assert_eq!(find(&json!({member: {"a": 2}}), schema), None, "an amount may be a number");
    }
}

#[test]
fn types_of_go_are_named() {
    for (model, value, why) in [
        (
            "core.v1.Pod",
            json!({"metadata": 1}),
            "number into Go struct field Pod.metadata of type v1.ObjectMeta",
        ),
        (
            "core.v1.Pod",
            json!({"spec": {"nodeSelector": []}}),
            "array into Go struct field PodSpec.spec.nodeSelector of type map[string]string",
        ),
        (
            "core.v1.Pod",
            json!({"spec": {"hostNetwork": "x"}}),
            "string into Go struct field PodSpec.spec.hostNetwork of type bool",
        ),
        (
            "core.v1.Secret",
            json!({"data": []}),
            "array into Go struct field Secret.data of type map[string][]uint8",
        ),
        (
            "core.v1.Secret",
            json!({"data": {"a": 1}}),
            "number into Go struct field Secret.data of type []uint8",
        ),
    ] {
        let expected = format!("json: cannot unmarshal {why}");
        assert_eq!(told(&format!("io.k8s.api.{model}"), &value), expected);
    }
}

#[test]
fn a_number_or_a_text_is_no_other_number() {
    let surge = |value: Value| {
        let strategy = json!({"rollingUpdate": {"maxSurge": value}});
        told("io.k8s.api.apps.v1.Deployment", &json!({"spec": {"strategy": strategy}}))
    };
    for value in [json!(i32::MIN), json!(i32::MAX), json!("any"), json!("")] {
        assert_eq!(surge(value.clone()), "", "{value}");
    }
    let place = "into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32";
    for (value, what) in [
        (json!(2_147_483_648_i64), "number 2147483648"),
        (json!(-2_147_483_649_i64), "number -2147483649"),
        (json!(1.5), "number 1.5"),
        (json!({}), "object"),
    ] {
        assert_eq!(surge(value), format!("json: cannot unmarshal {what} {place}"));
    }
}

#[test]
fn a_quantity_is_a_text_that_can_be_read_or_a_number() {
    let fits = |value: Value| {
        let limits = json!({"limits": {"cpu": value}});
        told("io.k8s.api.core.v1.ResourceRequirements", &limits).is_empty()
    };
    assert!(fits(json!("1")) && fits(json!(1)) && fits(json!(1.5)) && fits(Value::Null));
    assert!(!fits(json!("")) && !fits(json!("x")) && !fits(json!(true)) && !fits(json!([])));
}

#[test]
fn nothing_is_a_byte_as_well() {
    let data = |value: Value| told("io.k8s.api.core.v1.Secret", &json!({"data": {"a": value}}));
    assert_eq!(data(json!([null, 7])), "");
    assert_eq!(
        data(json!([null, -1])),
        "json: cannot unmarshal number -1 into Go struct field Secret.data of type uint8"
    );
}
