//! Which part of a request for a certificate a path writes (`csrStatusStrategy` and `csrApprovalStrategy` in
//! `pkg/registry/certificates`).

use std::collections::BTreeMap;

use serde_json::Value;

use super::strategy::keep_member;
use crate::clock::Now;

/// The path of the status leaves what was decided as it was, unless there is more or less of it, which is refused.
pub(super) fn prepare_status(new: &mut Value, old: &Value, now: Now) {
    for of in ["Approved", "Denied"] {
        keep(new, old, of);
    }
    date(new, old, now);
}

/// The path of the approval sets conditions.
pub(super) fn prepare_approval(new: &mut Value, old: &Value, now: Now) {
    date(new, old, now);
    let conditions = new.pointer("/status/conditions").cloned();
    keep_member(new, old, "status");
    if let Some(conditions) = conditions {
        new["status"]["conditions"] = conditions;
    } else if let Some(status) = new.get_mut("status").and_then(Value::as_object_mut) {
        status.remove("conditions");
    }
}

fn conditions(of: &Value) -> impl Iterator<Item = &Value> {
    of.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten()
}

fn conditions_mut(of: &mut Value) -> impl Iterator<Item = &mut Value> {
    of.pointer_mut("/status/conditions").and_then(Value::as_array_mut).into_iter().flatten()
}

fn keep(new: &mut Value, old: &Value, of: &str) {
    let before: Vec<&Value> = conditions(old).filter(|condition| condition["type"] == of).collect();
    if before.len() != conditions(new).filter(|condition| condition["type"] == of).count() {
        return;
    }
    let now = conditions_mut(new).filter(|condition| condition["type"] == of);
    for (condition, before) in now.zip(before) {
        *condition = before.clone();
    }
}

/// When conditions were written, and since when they are as they are, where nobody says so.
fn date(new: &mut Value, old: &Value, now: Now) {
    let said = |condition: &Value, name: &str| condition[name].as_str().map(str::to_owned);
    let state = |condition: &Value| ["type", "status"].map(|name| said(condition, name));
    let mut since: BTreeMap<_, String> = BTreeMap::new();
    for condition in conditions(old) {
        if let Some(time) = said(condition, "lastTransitionTime") {
            since.entry(state(condition)).or_insert(time);
        }
    }
    let now = now.rfc3339();
    for condition in conditions_mut(new) {
        let transition = since.get(&state(condition)).unwrap_or(&now).clone();
        let Some(members) = condition.as_object_mut() else { continue };
        for (name, time) in [("lastUpdateTime", now.clone()), ("lastTransitionTime", transition)] {
            if members.get(name).is_none_or(Value::is_null) {
                members.insert(name.to_owned(), time.into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    const AT: Now = Now(Duration::from_secs(60));

    fn request(conditions: Value) -> Value {
        json!({"status": {"conditions": conditions}})
    }

    #[test]
    fn conditions_are_dated_where_nobody_does_so() {
        let early = "1970-01-01T00:00:01Z";
        let old = request(json!([
            {"type": "Failed", "status": "True", "lastTransitionTime": early, "lastUpdateTime": early},
        ]));
        let mut new = request(json!([
            {"type": "Failed", "status": "True"},
            {"type": "Approved", "status": "True", "lastUpdateTime": early},
        ]));
        prepare_approval(&mut new, &old, AT);
        let late = "1970-01-01T00:01:00Z";
        let expected = json!([
            {"type": "Failed", "status": "True", "lastTransitionTime": early, "lastUpdateTime": late},
            {"type": "Approved", "status": "True", "lastTransitionTime": late, "lastUpdateTime": early},
        ]);
        assert_eq!(new["status"]["conditions"], expected);
    }

    #[test]
    fn an_approval_sets_nothing_but_conditions() {
        let old = json!({"status": {"certificate": "Yg==", "conditions": [{"type": "Failed"}]}});
        let mut new = json!({"status": {"certificate": "Yw=="}});
        prepare_approval(&mut new, &old, AT);
        assert_eq!(new, json!({"status": {"certificate": "Yg=="}}));
    }

    #[test]
    fn a_status_leaves_what_was_decided() {
        let time = "1970-01-01T00:00:01Z";
        let decided = |message: &str| json!({"type": "Approved", "status": "True", "message": message, "lastTransitionTime": time, "lastUpdateTime": time});
        let old = request(json!([decided("yes")]));
        let mut new = request(json!([decided("no")]));
        prepare_status(&mut new, &old, AT);
        assert_eq!(new, old);
        let mut more = request(json!([decided("no"), decided("no")]));
        prepare_status(&mut more, &old, AT);
        assert_eq!(more, request(json!([decided("no"), decided("no")])), "it is refused later");
    }
}
