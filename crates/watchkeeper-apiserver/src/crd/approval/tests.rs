//! Which groups need an approval, and what is made of it.

use std::time::Duration;

use serde_json::json;

use super::*;

#[test]
fn groups_of_kubernetes_need_an_approval() {
    for (group, wants) in [
        ("k8s.io", true),
        ("gateway.networking.k8s.io", true),
        ("kubernetes.io", true),
        ("a.kubernetes.io", true),
        ("mek8s.io", false),
        ("example.com", false),
    ] {
        assert_eq!(is_protected(group), wants, "{group}");
    }
}

#[test]
fn the_condition_tells_what_the_annotation_says() {
    let told = |group: &str, annotation: &str| {
        let crd = json!({
            "metadata": {"annotations": {ANNOTATION: annotation}}, "spec": {"group": group},
        });
        let condition = of(&crd, Now(Duration::ZERO))?;
        let text = |name: &str| condition[name].as_str().unwrap_or_default().to_owned();
        Some(format!("{} {}: {}", text("status"), text("reason"), text("message")))
    };
    let see = "see https://github.com/kubernetes/enhancements/pull/1111";
    let must = r#"protected groups must have approval annotation "api-approved.kubernetes.io""#;
    let form = r#"with either a URL or a reason starting with "unapproved""#;
    for (annotation, expected) in [
        (
            "https://a.example/1",
            "True ApprovedAnnotation: approved in https://a.example/1".to_owned(),
        ),
        (
            "unapproved, a test",
            r#"False UnapprovedAnnotation: not approved: "unapproved, a test""#.to_owned(),
        ),
        ("", format!("False MissingAnnotation: {must}, {see}")),
        ("perhaps", format!("False InvalidAnnotation: {must} {form}, {see}")),
    ] {
        assert_eq!(told("a.k8s.io", annotation), Some(expected), "{annotation}");
        assert_eq!(told("example.com", annotation), None);
    }
}
