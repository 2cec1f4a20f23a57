//! Init containers and sidecars.

use super::*;

/// A spec with these init containers before one that is called `web`.
fn before_web(init: Value, restarts: &str) -> Value {
    json!({"restartPolicy": restarts, "initContainers": init, "containers": named(&["web"])})
}

fn sidecar() -> Value {
    json!({"name": "side", "restartPolicy": "Always"})
}

#[test]
fn init_containers_have_their_turns_one_after_the_other() {
    let script = json!({"two.fake-kubelet/ends-after": "5", "fake-kubelet/ends-after": "never"});
    let mut pod = scripted(&script, &before_web(named(&["one", "two"]), "Always"));
    let expected = [
        "0 Pending one=runs two=PodInitializing web=PodInitializing",
        "1 Pending one=0 two=PodInitializing web=PodInitializing",
        "1 Pending one=0 two=runs web=PodInitializing",
        "6 Pending one=0 two=0 web=PodInitializing",
        "6 Running ready one=0 two=0 web=runs",
    ];
    assert_eq!(follow(&mut pod, 0, 1_000), expected);
    let [one, two] = &*pod.status.init_container_statuses else { panic!("there are two") };
    assert!(one.ready && two.ready);
    assert_eq!(&*two.container_id, "fake://u-init-1");
}

#[test]
fn an_init_container_that_fails_is_started_again_later_each_time() {
    let script = json!({"one.fake-kubelet/exit-code": "1"});
    let mut pod = scripted(&script, &before_web(named(&["one"]), "Always"));
    let expected = [
        "0 Pending one=runs web=PodInitializing",
        "1 Pending one=1 web=PodInitializing",
        "1 Pending one=runs*1 web=PodInitializing",
        "2 Pending one=CrashLoopBackOff*1 web=PodInitializing",
        "12 Pending one=runs*2 web=PodInitializing",
        "13 Pending one=CrashLoopBackOff*2 web=PodInitializing",
    ];
    assert_eq!(follow(&mut pod, 0, 20), expected);
}

#[test]
fn a_failure_that_is_not_made_good_ends_the_pod_and_its_sidecars() {
    let script = json!({"one.fake-kubelet/exit-code": "1"});
    let mut pod = scripted(&script, &before_web(json!([sidecar(), {"name": "one"}]), "Never"));
    let expected = [
        "0 Pending side=runs one=PodInitializing web=PodInitializing",
        "0 Pending side=runs one=runs web=PodInitializing",
        "1 Failed side=143 one=1 web=PodInitializing",
    ];
    assert_eq!(follow(&mut pod, 0, 100), expected);
}

#[test]
fn the_policy_of_an_init_container_goes_before_that_of_the_pod() {
    let script = json!({"one.fake-kubelet/exit-code": "3"});
    let one = |rules: Value| {
        let one = json!({"name": "one", "restartPolicy": "Never", "restartPolicyRules": rules});
        scripted(&script, &before_web(json!([one]), "Always"))
    };
    let mut never = one(json!([]));
    let last = follow(&mut never, 0, 1).pop();
    assert_eq!(last.as_deref(), Some("1 Failed one=3 web=PodInitializing"));
    let mut unless =
        one(json!([{"action": "Restart", "exitCodes": {"operator": "NotIn", "values": [1, 2]}}]));
    let last = follow(&mut unless, 0, 1).pop();
    assert_eq!(last.as_deref(), Some("1 Pending one=runs*1 web=PodInitializing"));
}

#[test]
fn sidecars_stay_beside_the_others_and_do_not_keep_them_from_completing() {
    let mut pod = scripted(&json!({}), &before_web(json!([sidecar()]), "Never"));
    let expected = [
        "0 Pending side=runs web=PodInitializing",
        "0 Running ready side=runs web=runs",
        "1 Running side=runs web=0",
        "1 Succeeded side=143 web=0",
    ];
    assert_eq!(follow(&mut pod, 0, 100), expected);
}

#[test]
fn a_sidecar_that_ends_is_started_again_and_is_waited_for_before_the_pod_is_ready() {
    let script = json!({"side.fake-kubelet/ends-after": "5", "side.fake-kubelet/ready-after": "2"});
    let mut pod = scripted(&script, &before_web(json!([sidecar()]), "Always"));
    let expected = [
        "0 Pending side=runs web=PodInitializing",
        "0 Running side=runs web=runs",
        "2 Running ready side=runs web=runs",
        "5 Running side=0 web=runs",
        "5 Running side=runs*1 web=runs",
        "7 Running ready side=runs*1 web=runs",
        "10 Running side=CrashLoopBackOff*1 web=runs",
    ];
    assert_eq!(follow(&mut pod, 0, 15), expected);
}
