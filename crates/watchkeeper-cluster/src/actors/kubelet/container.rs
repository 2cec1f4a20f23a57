//! What a kubelet says of containers that start, end and are started again.

use std::time::Duration;

use watchkeeper_api::core::v1::{
    Container, ContainerState, ContainerStateRunning, ContainerStateTerminated,
    ContainerStateWaiting, ContainerStatus, Pod, PodCondition, PodStatus,
};
use watchkeeper_api::{List, Object, Time};

use super::ends::{Ends, Then, backoff};

/// The conditions that are a kubelet's to set.
const OURS: [&str; 4] = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady"];
/// What a container returns that was asked to stop (128 and the number of SIGTERM).
const STOPPED: i32 = 143;

/// The status with all containers running.
pub(crate) fn running(pod: &Pod, status: PodStatus, now: Time) -> PodStatus {
    let containers = pod.spec.containers.iter().enumerate();
    let containers = containers.map(|(place, container)| started(pod, place, container, now));
    PodStatus {
        container_statuses: containers.collect(),
        conditions: conditions(pod, now, |_| ("True", "", String::new())),
        ..status
    }
}

fn started(pod: &Pod, place: usize, container: &Container, now: Time) -> ContainerStatus {
    let before = pod.status.container_statuses.iter().find(|known| known.name == container.name);
    let restarts = before.map_or(0, |before| before.restart_count + 1);
    let id = match restarts {
        0 => format!("fake://{}-{place}", pod.uid()),
        _ => format!("fake://{}-{place}-{restarts}", pod.uid()),
    };
    ContainerStatus {
        name: container.name.clone(),
        image: container.image.clone(),
        // Nothing was pulled, so there is no digest to name.
        image_id: container.image.clone(),
        container_id: id.as_str().into(),
        ready: true,
        started: Some(true),
        restart_count: restarts,
        state: ContainerState {
            running: Some(Box::new(ContainerStateRunning { started_at: Some(now) })),
            ..ContainerState::default()
        },
        last_state: before.map(last_end).unwrap_or_default(),
        ..ContainerStatus::default()
    }
}

/// The state in which the container ended last.
fn last_end(before: &ContainerStatus) -> ContainerState {
    let state = [&before.state, &before.last_state];
    let ended = state.into_iter().find(|state| state.terminated.is_some());
    ended.cloned().unwrap_or_default()
}

/// The status with all containers ended, for good or until they are started again.
pub(crate) fn ended(pod: &Pod, ends: &Ends, now: Time) -> PodStatus {
    match ends.then(pod) {
        Then::Over => over(pod, ends, now),
        Then::Restart => crashed(pod, ends, now),
    }
}

/// The status of a pod that was made to stop.
pub(crate) fn stopped(pod: &Pod, now: Time) -> PodStatus {
    over(pod, &Ends::with_code(STOPPED), now)
}

fn over(pod: &Pod, ends: &Ends, now: Time) -> PodStatus {
    let good = ends.code == 0;
    let (phase, reason) =
        if good { ("Succeeded", "PodCompleted") } else { ("Failed", "PodFailed") };
    let terminated = |status: &ContainerStatus| ContainerStatus {
        ready: false,
        started: Some(false),
        state: terminated(status, ends, now),
        ..status.clone()
    };
    PodStatus {
        phase: phase.into(),
        container_statuses: pod.status.container_statuses.iter().map(terminated).collect(),
        conditions: conditions(pod, now, |type_| match type_ {
            "Initialized" if good => ("True", reason, String::new()),
            "Initialized" => ("True", "", String::new()),
            "PodReadyToStartContainers" => ("False", "", String::new()),
            _ => ("False", reason, String::new()),
        }),
        ..pod.status.clone()
    }
}

/// The first time containers are started again at once, and later they wait for that.
fn crashed(pod: &Pod, ends: &Ends, now: Time) -> PodStatus {
    let waits = |status: &ContainerStatus| ContainerStatus {
        ready: false,
        started: Some(false),
        state: match backoff(status.restart_count) {
            Duration::ZERO => terminated(status, ends, now),
            pause => in_crash_loop(pod, &status.name, pause),
        },
        last_state: match backoff(status.restart_count) {
            Duration::ZERO => status.last_state.clone(),
            _ => terminated(status, ends, now),
        },
        ..status.clone()
    };
    let names: Vec<&str> = pod.spec.containers.iter().map(|container| &*container.name).collect();
    let unready = format!("containers with unready status: [{}]", names.join(" "));
    PodStatus {
        container_statuses: pod.status.container_statuses.iter().map(waits).collect(),
        conditions: conditions(pod, now, |type_| match type_ {
            "Ready" | "ContainersReady" => ("False", "ContainersNotReady", unready.clone()),
            _ => ("True", "", String::new()),
        }),
        ..pod.status.clone()
    }
}

fn in_crash_loop(pod: &Pod, container: &str, pause: Duration) -> ContainerState {
    let (name, namespace) = (pod.name(), pod.namespace().unwrap_or_default());
    let (seconds, uid) = (pause.as_secs(), pod.uid());
    let message = format!(
        "back-off {seconds}s restarting failed container={container} pod={name}_{namespace}({uid})"
    );
    let waiting = ContainerStateWaiting {
        reason: "CrashLoopBackOff".into(),
        message: message.as_str().into(),
    };
    ContainerState { waiting: Some(Box::new(waiting)), ..ContainerState::default() }
}

fn terminated(status: &ContainerStatus, ends: &Ends, now: Time) -> ContainerState {
    let terminated = ContainerStateTerminated {
        exit_code: ends.code,
        reason: ends.reason.as_str().into(),
        started_at: status.state.running.as_ref().and_then(|running| running.started_at),
        finished_at: Some(now),
        container_id: status.container_id.clone(),
        ..ContainerStateTerminated::default()
    };
    ContainerState { terminated: Some(Box::new(terminated)), ..ContainerState::default() }
}

/// The conditions that a kubelet reports, beside those of others. Each keeps the time at which it became
/// what it is.
fn conditions(
    pod: &Pod,
    now: Time,
    say: impl Fn(&str) -> (&'static str, &'static str, String),
) -> List<PodCondition> {
    let known = |type_: &str| pod.status.conditions.iter().find(|known| known.type_ == *type_);
    let fresh = |type_: &'static str| {
        let (status, reason, message) = say(type_);
        let since = known(type_).filter(|known| known.status == *status);
        PodCondition {
            type_: type_.into(),
            status: status.into(),
            reason: reason.into(),
            message: message.as_str().into(),
            observed_generation: pod.metadata.generation,
            last_transition_time: since.map_or(Some(now), |known| known.last_transition_time),
            ..PodCondition::default()
        }
    };
    let others = pod
        .status
        .conditions
        .iter()
        .filter(|condition| !OURS.contains(&condition.type_.as_ref()))
        .cloned();
    OURS.into_iter().map(fresh).chain(others).collect()
}
