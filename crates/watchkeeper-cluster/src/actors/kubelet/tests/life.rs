//! The main containers: each for itself.

use super::*;

#[test]
fn without_annotations_containers_run_for_ever_or_for_a_second() {
    let spec =
        |restarts: &str| json!({"restartPolicy": restarts, "containers": named(&["a", "b"])});
    let mut pod = scripted(&json!({}), &spec("Always"));
    assert_eq!(follow(&mut pod, 0, 1_000_000), ["0 Running ready a=runs b=runs"]);
    let mut pod = scripted(&json!({}), &spec("Never"));
    let expected = ["0 Running ready a=runs b=runs", "1 Succeeded a=0 b=0"];
    assert_eq!(follow(&mut pod, 0, 100), expected);
}

#[test]
fn each_container_ends_and_is_started_again_for_itself() {
    let script = json!({
        "fake-kubelet/ends-after": "2",
        "b.fake-kubelet/ends-after": "4", "b.fake-kubelet/exit-code": "3",
    });
    let spec = json!({"restartPolicy": "OnFailure", "containers": named(&["a", "b"])});
    let mut pod = scripted(&script, &spec);
    let expected = [
        "0 Running ready a=runs b=runs",
        "2 Running a=0 b=runs",
        "4 Running a=0 b=3",
        "4 Running a=0 b=runs*1",
        "8 Running a=0 b=CrashLoopBackOff*1",
        "18 Running a=0 b=runs*2",
    ];
    assert_eq!(follow(&mut pod, 0, 20), expected);
    let last = &pod.status.container_statuses[1].last_state.terminated;
    assert_eq!(last.as_ref().and_then(|end| end.finished_at), Some(at(8)));
}

#[test]
fn the_last_container_decides_how_the_pod_ends() {
    let spec = json!({"restartPolicy": "Never", "containers": named(&["a", "b"])});
    let script = json!({"a.fake-kubelet/exit-code": "7", "b.fake-kubelet/ends-after": "3"});
    let mut pod = scripted(&script, &spec);
    let expected = ["0 Running ready a=runs b=runs", "1 Running a=7 b=runs", "3 Failed a=7 b=0"];
    assert_eq!(follow(&mut pod, 0, 100), expected);
}

#[test]
fn containers_start_and_become_ready_when_they_are_told_to() {
    let script = json!({"fake-kubelet/starts-after": "3", "b.fake-kubelet/ready-after": "4"});
    let mut pod = scripted(&script, &json!({"containers": named(&["a", "b"])}));
    let expected = [
        "0 Pending a=ContainerCreating b=ContainerCreating",
        "3 Running a=runs b=runs",
        "7 Running ready a=runs b=runs",
    ];
    assert_eq!(follow(&mut pod, 0, 100), expected);
    pod.metadata.annotations.insert("a.fake-kubelet/ready-after", "never");
    assert_eq!(follow(&mut pod, 100, 200), ["100 Running a=runs b=runs"]);
    pod.metadata.annotations.insert("a.fake-kubelet/ready-after", "0");
    assert_eq!(follow(&mut pod, 200, 300), ["200 Running ready a=runs b=runs"]);
}

#[test]
fn a_container_may_start_later_than_the_others_or_never() {
    let script =
        json!({"b.fake-kubelet/starts-after": "9", "c.fake-kubelet/starts-after": "never"});
    let spec = json!({"initContainers": named(&["one"]), "containers": named(&["a", "b", "c"])});
    let mut pod = scripted(&script, &spec);
    let lines = follow(&mut pod, 0, 100);
    let expected = [
        "1 Pending one=0 a=runs b=PodInitializing c=PodInitializing",
        "10 Pending one=0 a=runs b=runs c=PodInitializing",
    ];
    assert_eq!(lines[lines.len() - 2..], expected);
}

#[test]
fn a_container_of_which_nothing_is_told_any_more_is_left_alone() {
    let mut pod = scripted(&json!({}), &json!({"containers": named(&["a"])}));
    follow(&mut pod, 0, 10);
    pod.status.container_statuses.clear();
    assert_eq!(next(&pod, HOST, at(20)), Stage::Rest);
}
