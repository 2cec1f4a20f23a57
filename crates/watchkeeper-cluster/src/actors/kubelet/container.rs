//! What a kubelet says of a container that waits, runs and ends.

use std::time::Duration;

use watchkeeper_api::core::v1::{
    Container, ContainerState, ContainerStateRunning, ContainerStateTerminated,
    ContainerStateWaiting, ContainerStatus, Pod, PodStatus,
};
use watchkeeper_api::{Object, Time};

use super::backoff;
use super::roles::{self, Member, Role};
use super::script::End;

/// The status with all containers in it: those of which nothing is told yet wait for their turns.
pub(crate) fn all(pod: &Pod, status: PodStatus) -> PodStatus {
    let reason =
        if pod.spec.init_containers.is_empty() { "ContainerCreating" } else { "PodInitializing" };
    let told = |member: Member<'_>| {
        let known = member.status(&status).cloned();
        known.unwrap_or_else(|| unstarted(member.container, reason))
    };
    let (mains, others): (Vec<_>, Vec<_>) =
        roles::members(pod).partition(|member| member.role == Role::Main);
    let container_statuses = mains.into_iter().map(told).collect();
    let init_container_statuses = others.into_iter().map(told).collect();
    PodStatus { container_statuses, init_container_statuses, ..status }
}

fn unstarted(container: &Container, reason: &str) -> ContainerStatus {
    ContainerStatus {
        name: container.name.clone(),
        image: container.image.clone(),
        started: Some(false),
        state: waiting(reason, ""),
        ..ContainerStatus::default()
    }
}

fn waiting(reason: &str, message: &str) -> ContainerState {
    let waiting = ContainerStateWaiting { reason: reason.into(), message: message.into() };
    ContainerState { waiting: Some(Box::new(waiting)), ..ContainerState::default() }
}

/// The container runs, for the first time or anew.
pub(crate) fn started(
    pod: &Pod,
    member: Member<'_>,
    before: &ContainerStatus,
    ready: bool,
    now: Time,
) -> ContainerStatus {
    let end = roles::last_end(before);
    let restarts = before.restart_count.saturating_add(i32::from(end.is_some()));
    ContainerStatus {
        name: member.container.name.clone(),
        image: member.container.image.clone(),
        // Nothing was pulled, so there is no digest to name.
        image_id: member.container.image.clone(),
        container_id: id(pod, member, restarts).as_str().into(),
        ready,
        started: Some(true),
        restart_count: restarts,
        state: ContainerState {
            running: Some(Box::new(ContainerStateRunning { started_at: Some(now) })),
            ..ContainerState::default()
        },
        last_state: ContainerState {
            terminated: end.cloned().map(Box::new),
            ..ContainerState::default()
        },
        ..ContainerStatus::default()
    }
}

/// What a run is called; each has a log of its own.
fn id(pod: &Pod, member: Member<'_>, restarts: i32) -> String {
    let among = if member.role == Role::Main { "" } else { "init-" };
    let (uid, place) = (pod.uid(), member.place);
    match restarts {
        0 => format!("fake://{uid}-{among}{place}"),
        _ => format!("fake://{uid}-{among}{place}-{restarts}"),
    }
}

/// The container has ended.
pub(crate) fn ended(status: &ContainerStatus, end: &End, now: Time) -> ContainerStatus {
    let terminated = ContainerStateTerminated {
        exit_code: end.code,
        reason: end.reason.as_str().into(),
        started_at: status.state.running.as_ref().and_then(|running| running.started_at),
        finished_at: Some(now),
        container_id: status.container_id.clone(),
        ..ContainerStateTerminated::default()
    };
    ContainerStatus {
        ready: false,
        started: Some(false),
        state: ContainerState {
            terminated: Some(Box::new(terminated)),
            ..ContainerState::default()
        },
        ..status.clone()
    }
}

/// The container has ended, and waits before it is started again.
pub(crate) fn put_off(pod: &Pod, ended: ContainerStatus, pause: Duration) -> ContainerStatus {
    let message = backoff::message(pod, &ended.name, pause);
    ContainerStatus {
        state: waiting("CrashLoopBackOff", &message),
        last_state: ended.state,
        ..ended
    }
}

/// The container is not started again, though that is what it waited for.
pub(crate) fn given_up(status: &ContainerStatus) -> ContainerStatus {
    ContainerStatus {
        state: status.last_state.clone(),
        last_state: ContainerState::default(),
        ..status.clone()
    }
}

/// The pause after this end of a run.
pub(crate) fn pause(status: &ContainerStatus, now: Time) -> Duration {
    let started = status.state.running.as_ref().and_then(|running| running.started_at);
    let before = status.last_state.terminated.as_ref().and_then(|before| before.finished_at);
    backoff::pause(before, started.unwrap_or(now), now)
}
