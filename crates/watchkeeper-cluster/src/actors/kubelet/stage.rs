//! The life of a pod on a node that runs nothing: which stage comes next.

use watchkeeper_api::core::v1::{HostIP, Pod, PodIP, PodStatus};
use watchkeeper_api::{Object, Time};

use super::container;
use super::ends::{Ends, Next};

/// What happens to a pod next.
#[derive(Debug, PartialEq)]
pub(crate) enum Stage {
    /// It gets its address, its containers start, and it is ready; or they start again.
    Start(Box<PodStatus>),
    /// Its containers end. Whether they will be started again is in the status.
    End(Box<PodStatus>),
    /// It was asked to go, and something holds it: its containers are stopped.
    Stop(Box<PodStatus>),
    /// It was asked to go and has stopped: the last deletion, without grace.
    Remove,
    /// Nothing before then.
    Wait(Time),
    /// Nothing.
    Rest,
}

/// Decides the next stage of a pod that is placed on a node of ours.
///
/// `pod_ip` is the address it gets if it starts now.
pub(crate) fn next(pod: &Pod, host_ip: &str, pod_ip: &str, now: Time) -> Stage {
    if pod.is_deleting() {
        return last(pod, now);
    }
    match pod.status.phase.as_ref() {
        "" | "Pending" => Stage::Start(boxed(running(pod, host_ip, pod_ip, now))),
        "Running" => match Ends::of(pod).map(|ends| ends.next(pod, now)) {
            None => Stage::Rest,
            Some(Next::Wait(until)) => Stage::Wait(until),
            Some(Next::End(ends)) => Stage::End(boxed(container::ended(pod, &ends, now))),
            Some(Next::Restart) => {
                Stage::Start(boxed(container::running(pod, pod.status.clone(), now)))
            }
        },
        _ => Stage::Rest,
    }
}

/// Decides the next stage of a pod that needs no address any more: it ended, or was asked to go.
pub(crate) fn last(pod: &Pod, now: Time) -> Stage {
    // Who holds it waits for its end, which nobody else tells.
    let held = pod.finalizers().next().is_some();
    match (pod.is_deleting(), is_alive(pod) && held) {
        (false, _) => Stage::Rest,
        (true, true) => Stage::Stop(boxed(container::stopped(pod, now))),
        (true, false) => Stage::Remove,
    }
}

/// Whether it has not come to its end.
pub(crate) fn is_alive(pod: &Pod) -> bool {
    pod.status.phase != "Succeeded" && pod.status.phase != "Failed"
}

fn boxed(status: PodStatus) -> Box<PodStatus> {
    Box::new(status)
}

fn running(pod: &Pod, host_ip: &str, pod_ip: &str, now: Time) -> PodStatus {
    let ip = if pod.spec.host_network { host_ip } else { pod_ip };
    let placed = PodStatus {
        phase: "Running".into(),
        host_ip: host_ip.into(),
        host_ips: [HostIP { ip: host_ip.into() }].into(),
        pod_ip: ip.into(),
        pod_ips: [PodIP { ip: ip.into() }].into(),
        start_time: Some(now),
        ..pod.status.clone()
    };
    container::running(pod, placed, now)
}
