//! Files in volumes.

use super::*;

#[test]
fn a_file_is_of_a_field_or_of_a_resource() {
    let wrong = |why: &str| format!("downwardAPI: {why}");
    let file = |more: Value| {
        let file = crate::patch::merge(&json!({"path": "p"}), &more);
        told_of_volume(&json!({"downwardAPI": {"items": [file]}}))
    };
    let field = json!({"apiVersion": "v1", "fieldPath": "metadata.name"});
    let resource = json!({"containerName": "a", "resource": "limits.cpu"});
    assert_eq!(file(json!({"fieldRef": field})), NONE);
    assert_eq!(file(json!({"resourceFieldRef": resource})), NONE);
    assert_eq!(file(json!({})), [wrong("one of fieldRef and resourceFieldRef is required")]);
    let both = wrong("fieldRef and resourceFieldRef can not be specified simultaneously");
    assert_eq!(file(json!({"fieldRef": field, "resourceFieldRef": resource})), [both]);
    let anywhere = json!({"resource": "limits.cpu"});
    let unnamed = "downwardAPI.resourceFieldRef.containerName: ";
    assert_eq!(file(json!({"resourceFieldRef": anywhere})), [unnamed]);
}

#[test]
fn paths_of_files_stay_below_the_volume_and_modes_are_of_nine_bits() {
    let file = |path: &str, mode: i64| {
        let items = json!([{"key": "k", "path": path, "mode": mode}]);
        told_of_volume(&json!({"secret": {"secretName": "s", "items": items}}))
    };
    let path = |why: &str| format!("secret.items[0].path: {why}");
    let steps = || path("must not contain '..'");
    for (given, wrong) in [
        ("a/b", vec![]),
        ("a/..b", vec![]),
        ("", vec![path("")]),
        ("/a", vec![path("must be a relative path")]),
        ("a/../b", vec![steps()]),
        ("../a", vec![steps()]),
        ("..a", vec![path("must not start with '..'")]),
        ("..", vec![steps(), path("must not start with '..'")]),
    ] {
        assert_eq!(file(given, 0), wrong, "{given}");
    }
    assert_eq!(file("a", 0o777), NONE);
    let mode = "secret.items[0].mode: must be a number between 0 and 0777 (octal), both inclusive";
    for given in [-1, 0o1000] {
        assert_eq!(file("a", given), [mode]);
    }
}

/// With the values: of a source with a name that is too long the path is told.
#[test]
fn two_files_of_a_volume_have_two_paths() {
    let source = |kind: &str, name: &str, path: &str| json!({kind: {"name": name, "items": [{"key": "k", "path": path}]}});
    let told = |sources: Value| {
        let volume = json!({"name": "v", "projected": {"sources": sources}});
        let pod = completed("", "Pod", pod(&json!({"volumes": [volume]})));
        text(&validate("", "Pod", &pod, None))
    };
    let twice = |name: &str| {
        format!("spec.volumes[0].projected: Invalid value: \"{name}\": conflicting duplicate paths")
    };
    let first = source("secret", "s", "p");
    assert_eq!(told(json!([first, source("configMap", "c", "q")])), "");
    let (most, more) = ("c".repeat(253), "c".repeat(254));
    for (name, shown) in [("c", "c"), (most.as_str(), most.as_str()), (more.as_str(), "p")] {
        assert_eq!(told(json!([first, source("configMap", name, "p")])), twice(shown));
    }
    let field = json!({"path": "p", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.uid"}});
    assert_eq!(told(json!([first, {"downwardAPI": {"items": [field]}}])), twice("p"));
}

#[test]
fn a_projected_source_is_of_one_kind_and_has_a_name() {
    let told = |source: Value| told_of_volume(&json!({"projected": {"sources": [source]}}));
    let (secret, map) = (json!({"name": "s"}), json!({"name": "c"}));
    assert_eq!(told(json!({"secret": secret})), NONE);
    assert_eq!(told(json!({"secret": {}})), ["projected.sources[0].secret.name: "]);
    assert_eq!(
        told(json!({"secret": secret, "configMap": map})),
        ["projected.sources[0]: may not specify more than 1 volume type per source"]
    );
}

#[test]
fn a_token_lives_from_ten_minutes_to_two_to_the_power_of_32_seconds() {
    let token = |seconds: i64, path: &str| {
        let token = json!({"expirationSeconds": seconds, "path": path});
        let volume =
            json!({"name": "v", "projected": {"sources": [{"serviceAccountToken": token}]}});
        told(&json!({"serviceAccountName": "s", "volumes": [volume]}))
    };
    let wrong = |why: &str| {
        let place = "spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds";
        format!("{place}: {why}")
    };
    for seconds in [600, 0x1_0000_0000] {
        assert_eq!(token(seconds, "t"), NONE);
    }
    assert_eq!(token(599, "t"), [wrong("may not specify a duration less than 10 minutes")]);
    let long = wrong("may not specify a duration larger than 2^32 seconds");
    assert_eq!(token(0x1_0000_0001, "t"), [long]);
    assert_eq!(token(600, ""), ["spec.volumes[0].projected.path: "]);
    assert_eq!(token(600, "/t"), ["spec.volumes[0].projected.path: must be a relative path"]);
}

#[test]
fn the_first_source_of_a_volume_counts_and_the_others_are_told_of() {
    let more = "may not specify more than 1 volume type";
    let volume = json!({"emptyDir": {}, "cephfs": {}, "downwardAPI": {}, "csi": {}});
    let others = ["cephFS", "downwarAPI", "csi"].map(|name| format!("{name}: {more}"));
    assert_eq!(told_of_volume(&volume), others);
    let limit = "emptyDir.sizeLimit: SizeLimit field must be a valid resource quantity";
    assert_eq!(told_of_volume(&json!({"emptyDir": {"sizeLimit": "-1"}})), [limit]);
    assert_eq!(told_of_volume(&json!({"emptyDir": {"sizeLimit": "0"}})), NONE);
}

#[test]
fn a_claim_that_is_made_for_a_pod_is_no_claim_of_another_volume() {
    let template = json!({"spec": {"accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": "1Gi"}}}});
    let claimed = |claim: &str| {
        let made = json!({"name": "v", "ephemeral": {"volumeClaimTemplate": template}});
        let other = json!({"name": "w", "persistentVolumeClaim": {"claimName": claim}});
        told(&json!({"volumes": [other, made]}))
    };
    // The pod's name is x.
    let wrong = "spec.volumes[0].persistentVolumeClaim.claimName: must not reference a PVC that gets created \
                 for an ephemeral volume";
    assert_eq!(claimed("x-v"), [wrong]);
    for other in ["x-w", "xv", "y-v", "v", "x-v-v"] {
        assert_eq!(claimed(other), NONE);
    }
}
