//! The life of a pod on a node that runs nothing: which stage comes next.

use watchkeeper_api::core::v1::{
    ContainerState, ContainerStateRunning, ContainerStatus, HostIP, Pod, PodCondition, PodIP,
    PodStatus,
};
use watchkeeper_api::{Object, Time};

/// What happens to a pod next.
#[derive(Debug, PartialEq)]
pub(crate) enum Stage {
    /// It gets its address, its containers start, and it is ready.
    Start(Box<PodStatus>),
    /// It was asked to go and has stopped: the last deletion, without grace.
    Remove,
    /// Nothing.
    Rest,
}

/// Decides the next stage of a pod that is placed on a node of ours.
///
/// `pod_ip` is the address it gets if it starts now.
pub(crate) fn next(pod: &Pod, host_ip: &str, pod_ip: &str, now: Time) -> Stage {
    if pod.is_deleting() {
        return Stage::Remove;
    }
    match pod.status.phase.as_ref() {
        "" | "Pending" => Stage::Start(Box::new(running(pod, host_ip, pod_ip, now))),
        _ => Stage::Rest,
    }
}

fn running(pod: &Pod, host_ip: &str, pod_ip: &str, now: Time) -> PodStatus {
    let ip = if pod.spec.host_network { host_ip } else { pod_ip };
    PodStatus {
        phase: "Running".into(),
        host_ip: host_ip.into(),
        host_ips: [HostIP { ip: host_ip.into() }].into(),
        pod_ip: ip.into(),
        pod_ips: [PodIP { ip: ip.into() }].into(),
        start_time: Some(now),
        conditions: conditions(pod, now),
        container_statuses: containers(pod, now),
        ..pod.status.clone()
    }
}

/// The conditions that a kubelet reports for a running pod, beside those of others.
fn conditions(pod: &Pod, now: Time) -> watchkeeper_api::List<PodCondition> {
    const OURS: [&str; 4] =
        ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady"];
    let fresh = |type_: &str| PodCondition {
        type_: type_.into(),
        status: "True".into(),
        observed_generation: pod.metadata.generation,
        last_transition_time: Some(now),
        ..PodCondition::default()
    };
    let others = pod
        .status
        .conditions
        .iter()
        .filter(|condition| !OURS.contains(&condition.type_.as_ref()))
        .cloned();
    OURS.into_iter().map(fresh).chain(others).collect()
}

fn containers(pod: &Pod, now: Time) -> watchkeeper_api::List<ContainerStatus> {
    let status = |index: usize, container: &watchkeeper_api::core::v1::Container| {
        ContainerStatus {
            name: container.name.clone(),
            image: container.image.clone(),
            // Nothing was pulled, so there is no digest to name.
            image_id: container.image.clone(),
            container_id: format!("fake://{}-{index}", pod.uid()).as_str().into(),
            ready: true,
            started: Some(true),
            state: ContainerState {
                running: Some(Box::new(ContainerStateRunning { started_at: Some(now) })),
                ..ContainerState::default()
            },
            ..ContainerStatus::default()
        }
    };
    pod.spec
        .containers
        .iter()
        .enumerate()
        .map(|(index, container)| status(index, container))
        .collect()
}
