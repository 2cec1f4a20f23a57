//! Roles, events and nodes.

use super::*;

const EVENT: Kind = ("events.k8s.io", "Event");
const NODE: Kind = ("", "Node");
const GROUP: &str = "rbac.authorization.k8s.io";

#[test]
fn bindings_name_a_role_and_who_has_it() {
    let binding = |of: &str, subject: &Value| json!({"roleRef": {"apiGroup": GROUP, "kind": of, "name": "r"}, "subjects": [subject]});
    let account = json!({"kind": "ServiceAccount", "name": "s"});
    let own = ((GROUP, "RoleBinding"), (GROUP, "ClusterRoleBinding"));
    assert_eq!(wrong(own.0, binding("Role", &account)), "");
    assert_eq!(wrong(own.0, binding("ClusterRole", &account)), "");
    let told = "roleRef.kind NotSupported; subjects[0].namespace Required";
    assert_eq!(wrong(own.1, binding("Role", &account)), told);
    for (subject, expected) in [
        (json!({"kind": "ServiceAccount", "name": "s", "namespace": "n"}), ""),
        (
            json!({"kind": "ServiceAccount", "name": "S", "namespace": "n"}),
            "subjects[0].name Invalid",
        ),
        (
            json!({"kind": "ServiceAccount", "name": "", "namespace": "n"}),
            "subjects[0].name Required",
        ),
        (json!({"kind": "Group", "name": "G g", "apiGroup": GROUP}), ""),
        (json!({"kind": "User", "name": "", "apiGroup": GROUP}), "subjects[0].name Required"),
    ] {
        assert_eq!(wrong(own.1, binding("ClusterRole", &subject)), expected, "{subject}");
    }
    let [one, other] = ["Role", "ClusterRole"].map(|of| binding(of, &account));
    assert_eq!(wrong_update(own.0, &one, &one), "");
    assert_eq!(wrong_update(own.0, &one, &other), "roleRef Invalid");
    assert_eq!(
        wrong_bare(own.0, &json!({})),
        "roleRef.apiGroup NotSupported; roleRef.kind NotSupported; roleRef.name Required"
    );
}

#[test]
fn rules_of_roles_are_about_resources_or_paths() {
    let role = |kind: &'static str, rule: Value| wrong((GROUP, kind), json!({"rules": [rule]}));
    let paths = "rules[0].nonResourceURLs Invalid";
    let url = json!({"verbs": ["get"], "nonResourceURLs": ["/a"]});
    assert_eq!([role("ClusterRole", url.clone()), role("Role", url.clone())], ["", paths]);
    for more in ["apiGroups", "resources", "resourceNames"] {
        let rule = crate::patch::merge(&url, &json!({more: ["a"]}));
        assert_eq!(role("ClusterRole", rule), paths, "{more}");
    }
    let rule = json!({"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]});
    assert_eq!(role("Role", rule), "");
}

#[test]
fn events_live_beside_what_they_are_about() {
    let told = |own: &str, about: &str, is_new: bool| {
        let time = if is_new { json!("2026-01-01T00:00:00.000000Z") } else { Value::Null };
        let event = json!({"metadata": {"name": "e", "namespace": own}, "eventTime": time,
            "involvedObject": {"namespace": about}, "reportingComponent": "a.b/c",
            "reportingInstance": "i", "action": "a", "reason": "r", "message": "m"});
        wrong_bare(("", "Event"), &event)
    };
    for (own, about, is_new) in [
        ("default", "", false),
        ("", "", false),
        ("default", "", true),
        ("kube-system", "", true),
        ("a", "a", false),
        ("a", "b", true),
    ] {
        assert_eq!(told(own, about, is_new), "", "{own} {about} {is_new}");
    }
    for (own, about, is_new) in
        [("kube-system", "", false), ("", "", true), ("a", "", true), ("a", "b", false)]
    {
        let expected = "involvedObject.namespace Invalid";
        assert_eq!(told(own, about, is_new), expected, "{own} {about} {is_new}");
    }
}

#[test]
fn what_events_tell_is_short() {
    let told = |name: &str, length: usize| {
        let mut event = json!({"metadata": {"name": "e", "namespace": "default"},
            "eventTime": "2026-01-01T00:00:00.000000Z", "reportingComponent": "a.b/c",
            "reportingInstance": "i", "action": "a", "reason": "r", "message": "m"});
        event[name] = "x".repeat(length).into();
        wrong_bare(("", "Event"), &event)
    };
    for (name, most) in
        [("reportingInstance", 128), ("action", 128), ("reason", 128), ("message", 1024)]
    {
        assert_eq!(told(name, most), "", "{name}");
        assert_eq!(told(name, most + 1), format!("{name} Invalid"));
    }
    for name in ["reportingInstance", "action", "reason"] {
        assert_eq!(told(name, 0), format!("{name} Required"));
    }
}

#[test]
fn new_events_tell_nothing_in_the_old_way() {
    let event = |more: Value| {
        let event = json!({"metadata": {"name": "e", "namespace": "default"}, "type": "Normal",
            "eventTime": "2026-01-01T00:00:00.000000Z", "reportingController": "a.b/c",
            "reportingInstance": "i", "action": "a", "reason": "r", "note": "m"});
        crate::patch::merge(&event, &more)
    };
    let series =
        |count: i64| json!({"count": count, "lastObservedTime": "2026-01-01T00:00:00.000000Z"});
    for (more, expected) in [
        (json!({}), ""),
        (json!({"type": "Warning"}), ""),
        (json!({"type": "x"}), "type Invalid"),
        (json!({"series": series(2)}), ""),
        (json!({"series": series(1)}), "series.count Invalid"),
        (json!({"series": {"count": 2}}), "series.lastObservedTime Required"),
        (json!({"deprecatedCount": 1}), "count Invalid"),
        (json!({"deprecatedCount": 0, "deprecatedSource": {}}), ""),
        (json!({"deprecatedSource": {"host": "h"}}), "source Invalid"),
        (json!({"deprecatedSource": {"component": "c"}}), "source Invalid"),
        (json!({"deprecatedFirstTimestamp": "2026-01-01T00:00:00Z"}), "firstTimestamp Invalid"),
        (json!({"deprecatedLastTimestamp": "2026-01-01T00:00:00Z"}), "lastTimestamp Invalid"),
    ] {
        assert_eq!(wrong_bare(EVENT, &event(more.clone())), expected, "{more}");
    }
}

#[test]
fn nodes_declare_features_in_order() {
    let told = |features: &[&str]| wrong(NODE, json!({"status": {"declaredFeatures": features}}));
    let at = "status.declaredFeatures";
    let longest = "A".repeat(253);
    let longer = "A".repeat(254);
    for (features, expected) in [
        (&["A", "B/c", "C1"][..], String::new()),
        (&["A", "A"], format!("{at}[1] Duplicate")),
        (&["B", "A"], format!("{at}[1] Invalid")),
        (&["a"], format!("{at}[0] Invalid")),
        (&["A/1"], format!("{at}[0] Invalid")),
        (&["A/"], format!("{at}[0] Invalid")),
        (&["A-b"], format!("{at}[0] Invalid")),
        (&[longest.as_str()], String::new()),
        (&[longer.as_str()], format!("{at}[0] Invalid")),
    ] {
        assert_eq!(told(features), expected, "{features:?}");
    }
}

#[test]
fn nodes_have_each_taint_once_and_no_swap_below_a_byte() {
    let taint = |key: &str, effect: &str| json!({"key": key, "effect": effect});
    let tainted = |taints: Value| json!({"spec": {"taints": taints}});
    hold(
        NODE,
        tainted,
        [
            (json!([taint("a", "NoSchedule"), taint("a", "NoExecute")]), ""),
            (
                json!([taint("a", "NoSchedule"), taint("a", "NoSchedule")]),
                "metadata.taints[1] Duplicate",
            ),
            (json!([taint("a", "x")]), "metadata.taints[0].effect NotSupported"),
            (
                json!([{"key": "a", "value": "b c", "effect": "NoExecute"}]),
                "metadata.taints[0].value Invalid",
            ),
        ],
    );
    let swap =
        |bytes: i64| wrong(NODE, json!({"status": {"nodeInfo": {"swap": {"capacity": bytes}}}}));
    assert_eq!([swap(1), swap(0)], ["", "metadata.nodeSwapStatus.capacity Invalid"]);
}
