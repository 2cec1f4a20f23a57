//! The life of a pod on a node that runs nothing: what comes next.

use watchkeeper_api::core::v1::{HostIP, Node, Pod, PodIP, PodStatus};
use watchkeeper_api::{Object, Time};
use watchkeeper_controller::EventType;

use super::conditions::{condition, conditions};
use super::report::Report;
use super::{container, moves};
use crate::actors::node::loss;
use crate::actors::state::has_ended;

/// What happens to a pod next.
#[derive(Debug, PartialEq)]
pub(crate) enum Stage {
    /// This is told of it.
    Tell(Box<Report>),
    /// It was asked to go and has stopped: the last deletion, without grace.
    Remove,
    /// Nothing before then.
    Wait(Time),
    /// Nothing.
    Rest,
}

/// Where a pod is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Host<'h> {
    /// The address of the node.
    pub(crate) ip: &'h str,
    /// The address that the pod gets if it [wants](wants_address) one.
    pub(crate) pod_ip: &'h str,
    /// Since when the node is ready.
    pub(crate) ready_since: Option<Time>,
}

/// Decides the next stage of a pod that is placed on a node of ours.
pub(crate) fn next(pod: &Pod, host: Host<'_>, now: Time) -> Stage {
    if pod.is_deleting() || !is_alive(pod) {
        return last(pod, now);
    }
    let begun = is_new(pod).then(|| placed(pod, host, now));
    let mut due = moves::ahead(pod, begun.as_ref().unwrap_or(&pod.status), now);
    let soonest = due.iter().map(|ahead| ahead.at).min();
    due.retain(|ahead| ahead.at <= now);
    if begun.is_some() || !due.is_empty() {
        let status = begun.unwrap_or_else(|| pod.status.clone());
        return Stage::Tell(Box::new(Report::after(pod, status, due, now)));
    }
    match (refreshed(pod, host, now), soonest) {
        (Some(report), _) => Stage::Tell(Box::new(report)),
        (None, Some(soonest)) => Stage::Wait(soonest),
        (None, None) => Stage::Rest,
    }
}

/// Decides the next stage of a pod that needs no address any more: it ended, or was asked to go. Who holds it, or
/// watches, learns how it ended before it goes.
pub(crate) fn last(pod: &Pod, now: Time) -> Stage {
    match (pod.is_deleting(), is_alive(pod)) {
        (false, _) => Stage::Rest,
        (true, true) => Stage::Tell(Box::new(Report::stopped(pod, now))),
        (true, false) => Stage::Remove,
    }
}

/// Decides what becomes of a pod on a node that is lost: its kubelet neither sees nor tells anything. What is told
/// when the node has been given up is what upstream's node lifecycle controller tells (`MarkPodsNotReady`).
pub(crate) fn lost(pod: &Pod, node: &Node, now: Time) -> Stage {
    let is_ready = condition(&pod.status, "Ready").is_some_and(|ready| ready.status == "True");
    if !is_ready || !loss::is_given_up(node) {
        return Stage::Rest;
    }
    let mut status = pod.status.clone();
    for ready in status.conditions.iter_mut().filter(|known| known.type_ == "Ready") {
        ready.status = "False".into();
        ready.last_transition_time = Some(now);
    }
    let told = vec![(EventType::Warning, "NodeNotReady", "Node is not ready".to_owned())];
    Stage::Tell(Box::new(Report { status, told }))
}

/// Whether it has not come to its end.
pub(crate) fn is_alive(pod: &Pod) -> bool {
    !has_ended(pod)
}

/// Whether the pod is to get an address of its own.
pub(crate) fn wants_address(pod: &Pod) -> bool {
    is_new(pod) && !pod.spec.host_network
}

/// Whether no kubelet has told of it yet.
fn is_new(pod: &Pod) -> bool {
    matches!(pod.status.phase.as_str(), "" | "Pending") && pod.status.container_statuses.is_empty()
}

fn placed(pod: &Pod, host: Host<'_>, now: Time) -> PodStatus {
    let ip = if pod.spec.host_network { host.ip } else { host.pod_ip };
    let placed = PodStatus {
        host_ip: host.ip.into(),
        host_ips: [HostIP { ip: host.ip.into() }].into(),
        pod_ip: ip.into(),
        pod_ips: [PodIP { ip: ip.into() }].into(),
        start_time: Some(now),
        ..pod.status.clone()
    };
    container::all(pod, placed)
}

/// What is to be told because others have moved: those that keep the gates of the pod's readiness, or its node, which
/// came back after the pod was said not to be ready.
fn refreshed(pod: &Pod, host: Host<'_>, now: Time) -> Option<Report> {
    let told = condition(&pod.status, "Ready")?;
    let moments = told.last_transition_time.zip(host.ready_since);
    let came_back = moments.is_some_and(|(told, ready)| told <= ready) && told.status == "False";
    if pod.spec.readiness_gates.is_empty() && !came_back {
        return None;
    }
    let status = PodStatus { conditions: conditions(pod, &pod.status, now), ..pod.status.clone() };
    let said = condition(&status, "Ready")?;
    let is_news =
        (&said.status, &said.reason, &said.message) != (&told.status, &told.reason, &told.message);
    is_news.then_some(Report { status, told: Vec::new() })
}
