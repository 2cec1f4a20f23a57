//! What pods take.

use super::*;
use crate::actors::scheduler::asks::Asks;

fn amounts(pod: &Pod) -> Vec<(String, i64)> {
    Asks::of(pod).amounts.into_iter().map(|(name, amount)| (name.to_string(), amount)).collect()
}

fn container(cpu: &str, sidecar: bool) -> Value {
    let policy = if sidecar { json!("Always") } else { Value::Null };
    json!({"name": "c", "restartPolicy": policy, "resources": {"requests": {"cpu": cpu}}})
}

#[test]
fn containers_add_up_and_those_before_them_may_take_more() {
    let mut spec = json!({
        "containers": [container("1", false), container("500m", false)],
        "overhead": {"cpu": "100m"},
    });
    assert_eq!(amounts(&pod("a", spec.clone())), [("cpu".to_owned(), 1_600)]);
    spec["initContainers"] = json!([container("200m", true), container("2", false)]);
    assert_eq!(amounts(&pod("a", spec.clone())), [("cpu".to_owned(), 2_300)]);
    spec["initContainers"] = json!([container("200m", true), container("1", false)]);
    assert_eq!(amounts(&pod("a", spec.clone())), [("cpu".to_owned(), 1_800)]);
    spec["resources"] = json!({"requests": {"cpu": "3", "example.com/other": "1"}});
    assert_eq!(amounts(&pod("a", spec)), [("cpu".to_owned(), 3_100)]);
}

#[test]
fn amounts_are_whole_and_nothing_is_none() {
    let requests = json!({"memory": "1Ki", "example.com/gpu": "2", "cpu": "0"});
    let spec = json!({"containers": [{"name": "c", "resources": {"requests": requests}}]});
    let expected = [("example.com/gpu".to_owned(), 2), ("memory".to_owned(), 1_024)];
    assert_eq!(amounts(&pod("a", spec)), expected);
}
