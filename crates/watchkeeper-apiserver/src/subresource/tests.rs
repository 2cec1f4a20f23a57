use serde_json::json;

use super::set_scheduled;

#[test]
fn a_pod_that_is_bound_is_scheduled_and_stays_what_else_it_was() {
    let now = "2026-01-01T00:00:00Z";
    let scheduled = json!({
        "type": "PodScheduled", "status": "True", "lastProbeTime": null, "lastTransitionTime": now,
    });
    let before = json!({"type": "PodScheduled", "status": "False", "reason": "Unschedulable"});
    let ready = json!({"type": "Ready", "status": "False"});
    for (mut pod, after) in [
        (json!({}), json!({"conditions": [scheduled]})),
        (
            json!({"status": {"phase": "Pending", "conditions": [before, ready]}}),
            json!({"phase": "Pending", "conditions": [ready, scheduled]}),
        ),
    ] {
        set_scheduled(&mut pod, now.to_owned());
        assert_eq!(pod["status"], after);
    }
}
