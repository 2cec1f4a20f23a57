//! Parts of a running pod that are written by paths of their own.

use super::*;

fn burstable(_: &Value) -> &'static str {
    "Burstable"
}

/// A pod with more in its spec that is worth what it was worth.
fn running(more: &Value) -> Value {
    let mut pod = completed("", "Pod", pod(more));
    pod["status"] = json!({"qosClass": "Burstable"});
    pod
}

fn told_of_resize(old: &Value, new: &Value) -> Vec<String> {
    each(&part_of_pod("resize", new, old, burstable))
}

/// A pod of one container that asks for this, and as a whole for that.
fn asks(container: Value, whole: Value) -> Value {
    let container = json!({"name": "a", "image": "x", "resources": container});
    running(&json!({"containers": [container], "resources": whole}))
}

fn cpu(amount: &str) -> Value {
    json!({"requests": {"cpu": amount}})
}

#[test]
fn pods_from_files_and_of_windows_are_not_resized_and_nothing_else_is_told() {
    let wrong = json!({"nodeName": "n", "restartPolicy": "Sometimes"});
    let mut mirror = running(&wrong);
    mirror["metadata"]["annotations"] = json!({"kubernetes.io/config.mirror": "a"});
    assert_eq!(told_of_resize(&mirror, &mirror), [": static pods cannot be resized"]);
    let ephemeral = part_of_pod("ephemeralcontainers", &mirror, &mirror, burstable);
    assert_eq!(each(&ephemeral), [": static pods do not support ephemeral containers"]);
    let windows = running(&json!({"os": {"name": "windows"}, "restartPolicy": "Sometimes"}));
    assert_eq!(told_of_resize(&windows, &windows), [": windows pods cannot be resized"]);
}

#[test]
fn a_pod_as_a_whole_gets_other_processors_and_memory_and_nothing_else() {
    let only = "spec: only cpu and memory resources are mutable at pod-level";
    let whole = |whole: Value| asks(json!({}), whole);
    for (old, new) in [
        (cpu("1"), cpu("1")),
        (cpu("1"), cpu("2")),
        (Value::Null, cpu("1")),
        (cpu("1"), json!({"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2"}})),
    ] {
        assert_eq!(told_of_resize(&whole(old.clone()), &whole(new.clone())), NONE, "{old} {new}");
    }
    let pages = json!({"requests": {"cpu": "1", "hugepages-2Mi": "2Mi"},
        "limits": {"hugepages-2Mi": "2Mi"}});
    for old in [cpu("1"), Value::Null] {
        assert_eq!(told_of_resize(&whole(old), &whole(pages.clone())), [only]);
    }
    assert_eq!(
        told_of_resize(&whole(cpu("1")), &whole(Value::Null)),
        ["spec.resources: pod-level resources cannot be removed"]
    );
    assert_eq!(
        told_of_resize(
            &whole(json!({"requests": {"cpu": "1", "memory": "1Gi"}})),
            &whole(cpu("1"))
        ),
        ["spec.resources.requests: pod-level resource requests cannot be removed"]
    );
}

/// A list of none is told of elsewhere, and is nothing that has changed.
#[test]
fn claims_of_none_are_no_resources_of_a_pod() {
    let mut new = asks(json!({}), cpu("1"));
    new["spec"]["resources"]["claims"] = json!([]);
    let told = told_of_resize(&asks(json!({}), Value::Null), &new);
    assert!(told.iter().all(|told| !told.starts_with("spec: ")), "{told:?}");
}

#[test]
fn a_container_gets_other_processors_and_memory_and_nothing_else() {
    let only = "spec: only cpu and memory resources are mutable";
    let asks = |container: Value| asks(container, Value::Null);
    assert_eq!(told_of_resize(&asks(cpu("1")), &asks(cpu("2"))), NONE);
    assert_eq!(told_of_resize(&asks(json!({})), &asks(cpu("2"))), NONE);
    let disk = json!({"requests": {"cpu": "1", "ephemeral-storage": "1Gi"}});
    assert_eq!(told_of_resize(&asks(cpu("1")), &asks(disk.clone())), [only]);
    assert_eq!(
        told_of_resize(&asks(disk), &asks(cpu("1"))),
        ["spec.containers[0].resources.requests: resource requests cannot be removed", only]
    );
    let bare = |image: &str| {
        let mut pod = running(&json!({"containers": [{"name": "a", "image": image}]}));
        let container = pod.pointer_mut("/spec/containers/0").and_then(Value::as_object_mut);
        container.expect("a container").remove("resources");
        pod
    };
    assert_eq!(told_of_resize(&bare("x"), &bare("x")), NONE);
    assert_eq!(told_of_resize(&bare("x"), &bare("y")), [only]);
}

#[test]
fn what_runs_before_the_others_to_its_end_does_not_begin_again_with_more() {
    let before = |amount: &str, policy: &str, always: bool| {
        let mut first = json!({"name": "i", "image": "x", "resources": cpu(amount),
            "resizePolicy": [{"resourceName": "cpu", "restartPolicy": policy}]});
        if always {
            first["restartPolicy"] = "Always".into();
        }
        running(&json!({"initContainers": [first]}))
    };
    let wrong = "spec.initContainers[0]: non-sidecar init containers with a resize policy of RestartContainer \
                 cannot be resized";
    let refused = "spec.initContainers[0].resizePolicy[0].restartPolicy: must not be set to 'RestartContainer' \
                   for non-sidecar initContainers";
    for (amount, policy, always, expected) in [
        ("1", "RestartContainer", false, &[refused][..]),
        ("2", "NotRequired", false, &[]),
        ("2", "RestartContainer", true, &[]),
        ("2", "RestartContainer", false, &[refused, wrong]),
    ] {
        let (old, new) = (before("1", policy, always), before(amount, policy, always));
        assert_eq!(told_of_resize(&old, &new), expected, "{amount} {policy} {always}");
    }
}

#[test]
fn containers_are_the_same_in_the_same_order() {
    let named = |names: &[&str]| {
        let container = |name: &&str| json!({"name": name, "image": "x"});
        let containers: Vec<Value> = names.iter().map(container).collect();
        running(&json!({"containers": containers}))
    };
    let moved = |index: usize| {
        format!(
            "spec.containers[{index}].name: containers may not be renamed or reordered on resize"
        )
    };
    assert_eq!(told_of_resize(&named(&["a", "b"]), &named(&["b", "a"])), [moved(0), moved(1)]);
    assert_eq!(told_of_resize(&named(&["a", "b"]), &named(&["a", "c"])), [moved(1)]);
    let gone = "spec.containers: containers may not be added or removed on resize";
    assert_eq!(told_of_resize(&named(&["a", "b"]), &named(&["a"])), [gone]);
}

#[test]
fn a_pod_stays_worth_the_same_and_its_node_can_resize() {
    let mut old = running(&json!({}));
    old["status"]["qosClass"] = "Guaranteed".into();
    let worth = "spec: Pod QOS Class may not change as a result of resizing";
    assert_eq!(told_of_resize(&old, &running(&json!({}))), [worth]);
    let cannot = "spec: Pod running on node without support for resize";
    for (statuses, expected) in [
        (json!([]), &[][..]),
        (json!([{"state": {"waiting": {}}}]), &[]),
        (json!([{"state": {"running": {}}}]), &[cannot]),
        (json!([{"state": {"running": {}}, "resources": {}}]), &[]),
        (json!([{"state": {"waiting": {}}}, {"state": {"running": {}}}]), &[cannot]),
    ] {
        let mut pod = running(&json!({}));
        pod["status"]["containerStatuses"] = statuses.clone();
        assert_eq!(told_of_resize(&pod, &pod), expected, "{statuses}");
    }
}
