//! The metadata of all objects at the edges of its rules.

use super::*;

const NONE: [&str; 0] = [];

/// What is said of metadata, each once and without the values.
fn told(new: &Value, old: Option<&Value>) -> Vec<String> {
    let whole = |metadata: &Value| {
        let named = json!({"name": "x", "uid": "u"});
        json!({"metadata": crate::patch::merge(&named, metadata)})
    };
    let errors = metadata(&whole(new), old.map(whole).as_ref(), Look::of_custom());
    let mut told: Vec<String> =
        errors.iter().map(|error| format!("{}: {}", error.field, error.detail)).collect();
    told.dedup();
    told
}

#[test]
fn annotations_have_256_kibibytes_together() {
    let of = |size: usize| told(&json!({"annotations": {"a": "v".repeat(size), "b": "w"}}), None);
    assert_eq!(of((256 << 10) - 3), NONE);
    let wrong = "metadata.annotations: may not be more than 262144 bytes";
    assert_eq!(of((256 << 10) - 2), [wrong]);
    assert_eq!(told(&json!({"annotations": {"A/B": "v"}}), None), NONE);
    let labels = told(&json!({"labels": {"A/B": "v"}}), None);
    assert!(labels.len() == 1 && labels[0].starts_with("metadata.labels: prefix part "));
}

#[test]
fn owners_are_named_and_are_no_events() {
    let owner = |more: Value| {
        let owner = json!({"apiVersion": "apps/v1", "kind": "K", "name": "n", "uid": "u"});
        told(&json!({"ownerReferences": [crate::patch::merge(&owner, &more)]}), None)
    };
    let place = "metadata.ownerReferences";
    for taken in [
        json!({}),
        json!({"apiVersion": "v1"}),
        json!({"apiVersion": "events.k8s.io/v1", "kind": "Event"}),
        json!({"controller": true}),
    ] {
        assert_eq!(owner(taken.clone()), NONE, "{taken}");
    }
    for version in ["", "apps/", "/", "a/b/c"] {
        let wrong = format!("{place}.apiVersion: version must not be empty");
        assert_eq!(owner(json!({"apiVersion": version})), [wrong]);
    }
    for name in ["kind", "name", "uid"] {
        assert_eq!(owner(json!({name: ""})), [format!("{place}.{name}: must not be empty")]);
    }
    let event = format!("{place}: /v1, Kind=Event is disallowed from being an owner");
    assert_eq!(owner(json!({"apiVersion": "v1", "kind": "Event"})), [event]);
}

/// Each time all owners are shown.
#[test]
fn of_sixteen_controllers_too_many_is_told_at_most() {
    let count = |controllers: usize| {
        let owner = |index: usize| {
            json!({"apiVersion": "v1", "kind": "K", "name": index.to_string(), "uid": "u",
                "controller": true})
        };
        let owners: Vec<Value> = (0..controllers).map(owner).collect();
        let told = told(&json!({"ownerReferences": owners}), None);
        assert!(told.iter().all(|told| told.contains("Only one reference can")), "{told:?}");
        told.len()
    };
    for (controllers, expected) in [(1, 0), (2, 1), (17, 16), (18, 16), (40, 16)] {
        assert_eq!(count(controllers), expected);
    }
}

#[test]
fn finalizers_have_a_form_and_do_not_exclude_each_other() {
    let of = |finalizers: &[&str]| told(&json!({"finalizers": finalizers}), None);
    assert_eq!(of(&["orphan", "a/b"]), NONE);
    assert_eq!(of(&["foregroundDeletion"]), NONE);
    let both = "metadata.finalizers: finalizer orphan and foregroundDeletion cannot be both set";
    assert_eq!(of(&["foregroundDeletion", "orphan"]), [both]);
    let pod = |finalizer: &str| {
        let pod = json!({"metadata": {"name": "x", "finalizers": [finalizer]}});
        metadata(&pod, None, Look::of("", "Pod", "")).len()
    };
    for known in ["kubernetes", "orphan", "foregroundDeletion", "example.com/a"] {
        assert_eq!(pod(known), 0, "{known}");
    }
    assert_eq!(pod("other"), 1);
}

#[test]
fn nothing_new_delays_a_deletion_and_identities_stay() {
    let object = |deleted: bool, finalizers: &[&str]| {
        let mut object = json!({"finalizers": finalizers});
        if deleted {
            object["deletionTimestamp"] = "2026-01-01T00:00:00Z".into();
        }
        object
    };
    let update = |old: &Value, new: &Value| told(new, Some(old));
    let added = "metadata.finalizers: no new finalizers can be added if the object is being deleted, found new \
                 finalizers []string{\"a/c\", \"a/d\"}";
    let had = object(true, &["a/b"]);
    assert_eq!(update(&had, &object(true, &["a/d", "a/b", "a/c"])), [added]);
    assert_eq!(update(&had, &object(true, &[])), NONE);
    assert_eq!(update(&object(false, &["a/b"]), &object(false, &["a/b", "a/c"])), NONE);
    for name in [
        "name",
        "namespace",
        "uid",
        "creationTimestamp",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
    ] {
        let wrong = format!("metadata.{name}: field is immutable");
        assert_eq!(update(&json!({name: "a"}), &json!({name: "b"})), [wrong]);
        assert_eq!(update(&json!({name: "a"}), &json!({name: "a"})), NONE);
    }
}

#[test]
fn a_name_or_what_one_is_made_from_is_there() {
    let of = |metadata: Value| told(&metadata, None);
    for prefix in ["a", "a-", "a.b-"] {
        assert_eq!(of(json!({"generateName": prefix})), NONE, "{prefix}");
    }
    for prefix in ["-", "a.", "_"] {
        let told = of(json!({"generateName": prefix}));
        assert!(told.len() == 1 && told[0].starts_with("metadata.generateName: "), "{told:?}");
    }
    let wanted = "metadata.name: name or generateName is required";
    assert_eq!(of(json!({"name": null})), [wanted]);
    assert_eq!(of(json!({"name": null, "generateName": "a-"})), [wanted]);
}

#[test]
fn what_a_name_was_made_from_is_judged_by_updates_as_a_part_of_a_path() {
    let update = |prefix: &str| told(&json!({"generateName": prefix}), Some(&json!({})));
    for prefix in [".", "..", "A_"] {
        assert_eq!(update(prefix), NONE, "{prefix}");
    }
    assert_eq!(update("a/b"), ["metadata.generateName: may not contain '/'"]);
}

/// `ValidateManagedFields` of upstream.
#[test]
fn who_manages_what_of_a_whole_object_within_is_judged() {
    let told = |entry: Value| {
        let errors = embedded_metadata(&json!({"managedFields": [entry]}));
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        all.join("\n")
    };
    let at = "metadata.managedFields[0]";
    let (manager, subresource) = ("m".repeat(128), "s".repeat(256));
    for fine in [
        json!({"operation": "Apply"}),
        json!({"operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": {"f:a": {}},
            "manager": manager, "subresource": subresource}),
    ] {
        assert_eq!(told(fine.clone()), "", "{fine}");
    }
    let long = |name: &str, most: usize| {
        format!("{at}.{name}: Too long: may not be more than {most} bytes")
    };
    for (entry, expected) in [
        (json!({}), format!("{at}.operation: Invalid value: \"\": must be `Apply` or `Update`")),
        (
            json!({"operation": "apply", "fieldsType": "V2"}),
            format!(
                "{at}.operation: Invalid value: \"apply\": must be `Apply` or `Update`\n\
                 {at}.fieldsType: Invalid value: \"V2\": must be `FieldsV1`"
            ),
        ),
        (
            json!({"operation": "Apply", "manager": "a\u{7}"}),
            format!(
                "{at}.manager: Invalid value: \"a\\a\": invalid character U+0007 (at position 1)"
            ),
        ),
        (
            json!({"operation": "Apply", "manager": manager + "m", "subresource": subresource + "s"}),
            format!("{}\n{}", long("manager", 128), long("subresource", 256)),
        ),
    ] {
        assert_eq!(told(entry), expected);
    }
}
