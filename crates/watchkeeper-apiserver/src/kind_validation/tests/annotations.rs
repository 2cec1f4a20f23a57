//! Annotations that say of pods what fields say by now.

use super::*;

fn pod(annotations: &Value, spec: &Value) -> Value {
    let mut pod = json!({"metadata": {"annotations": annotations}, "spec": spec});
    let containers = &mut pod["spec"]["containers"];
    if containers.is_null() {
        *containers = json!([{"name": "c", "image": "i"}]);
    }
    pod
}

#[test]
fn profiles_are_those_of_the_fields() {
    let of_type = |name: &str| json!({"seccompProfile": {"type": name}});
    let of_file = |file: &str| json!({"type": "Localhost", "localhostProfile": file});
    let containers = json!([
        {"name": "a", "image": "i", "securityContext": of_type("RuntimeDefault")},
        {"name": "b", "image": "i", "securityContext": {"seccompProfile": of_file("x.json"), "appArmorProfile": of_file("x")}},
        {"name": "c", "image": "i"},
        {"name": "d", "image": "i", "securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}}},
    ]);
    let context = json!({"seccompProfile": {"type": "Unconfined"}, "appArmorProfile": {"type": "Unconfined"}});
    let spec = json!({"securityContext": context, "containers": containers});
    let (seccomp, armor) = (
        "container.seccomp.security.alpha.kubernetes.io",
        "container.apparmor.security.beta.kubernetes.io",
    );
    let same = json!({
        "seccomp.security.alpha.kubernetes.io/pod": "unconfined",
        format!("{seccomp}/a"): "docker/default",
        format!("{seccomp}/b"): "localhost/x.json",
        format!("{seccomp}/c"): "runtime/default",
        format!("{armor}/b"): "localhost/x",
        format!("{armor}/c"): "unconfined",
        format!("{armor}/d"): "runtime/default",
    });
    check("", "Pod", pod(&same, &spec), expect![[""]]);
    let others = json!({
        "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
        format!("{seccomp}/a"): "unconfined",
        format!("{seccomp}/b"): "localhost/y.json",
        format!("{armor}/b"): "unconfined",
        format!("{armor}/c"): "runtime/default",
        format!("{armor}/d"): "localhost/x",
    });
    check(
        "",
        "Pod",
        pod(&others, &spec),
        expect![[r#"
            spec.securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match
            spec.containers[0].securityContext.seccompProfile.type: Forbidden: seccomp type in annotation and field must match
            spec.containers[1].securityContext.seccompProfile.localhostProfile: Forbidden: seccomp profile in annotation and field must match
            spec.containers[1].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match
            spec.containers[2].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match
            spec.containers[3].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match"#]],
    );
}

#[test]
fn what_runs_on_windows_has_no_profile_to_compare() {
    let named = json!({"container.apparmor.security.beta.kubernetes.io/c": "unconfined"});
    let armored = json!({"securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}}, "os": {"name": "windows"}});
    check(
        "",
        "Pod",
        pod(&named, &armored),
        expect!["spec.securityContext.appArmorProfile: Forbidden: cannot be set for a windows pod"],
    );
}

#[test]
fn tolerations_are_a_list_of_tolerations() {
    let told = |said: &str| {
        let pod = pod(&json!({"scheduler.alpha.kubernetes.io/tolerations": said}), &json!({}));
        text(&validate("", "Pod", &completed("", "Pod", pod), None))
    };
    for fine in [
        "",
        "null",
        "[]",
        r#"[{"key": "a", "operator": "Exists"}, {"KEY": "b", "Value": "c", "unheard": [1]}]"#,
        r#"[{"key": "a", "effect": "NoExecute", "tolerationSeconds": 5}]"#,
    ] {
        assert_eq!(told(fine), "", "{fine}");
    }
    let lines = [
        "nope",
        "{}",
        "[1]",
        r#"[{"key": 1}]"#,
        r#"[{"effect": {}}]"#,
        r#"[{"tolerationSeconds": 1.5}]"#,
        r#"[{"tolerationSeconds": "1"}]"#,
    ]
    .map(told);
    expect![[r#"
        metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": invalid character 'o' in literal null (expecting 'u')
        metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": json: cannot unmarshal object into Go value of type []core.Toleration
        metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": json: cannot unmarshal number into Go value of type core.Toleration
        metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": json: cannot unmarshal number into Go struct field Toleration.Key of type string
        metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": json: cannot unmarshal object into Go struct field Toleration.Effect of type core.TaintEffect
        metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": json: cannot unmarshal number 1.5 into Go struct field Toleration.TolerationSeconds of type int64
        metadata.annotations: Invalid value: "scheduler.alpha.kubernetes.io/tolerations": json: cannot unmarshal string into Go struct field Toleration.TolerationSeconds of type int64"#]]
    .assert_eq(&lines.join("\n"));
    expect![[r#"
        metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"
        metadata.annotations.scheduler.alpha.kubernetes.io/tolerations[1].effect: Unsupported value: "X": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute""#]]
    .assert_eq(&told(r#"[null, {"key": "a", "effect": "X"}]"#));
}

/// What is nested deep within a text is nothing that the server follows.
#[test]
fn tolerations_that_are_nested_deep_are_refused() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let annotations = json!({"scheduler.alpha.kubernetes.io/tolerations": deep});
    let pod = completed("", "Pod", pod(&annotations, &json!({})));
    assert!(text(&validate("", "Pod", &pod, None)).starts_with("metadata.annotations: Invalid"));
}
