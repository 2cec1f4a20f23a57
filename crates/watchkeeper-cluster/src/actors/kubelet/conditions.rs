//! The conditions of a pod, from its phase and where its containers are (upstream's `status.Generate…Condition`).

use watchkeeper_api::core::v1::{ContainerStatus, Pod, PodCondition, PodStatus};
use watchkeeper_api::{List, Time};

use super::roles::{self, Member, Role};
use crate::actors::state::is_last;

/// The conditions that are a kubelet's to set.
const OURS: [&str; 4] = ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady"];

/// What a condition says.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    status: &'static str,
    reason: &'static str,
    message: String,
}

impl Said {
    fn yes(reason: &'static str) -> Self {
        Self { status: "True", reason, message: String::new() }
    }

    fn no(reason: &'static str, message: impl Into<String>) -> Self {
        Self { status: "False", reason, message: message.into() }
    }
}

/// The conditions that a kubelet reports, beside those of others. Each keeps the time at which it became
/// what it is.
pub(crate) fn conditions(pod: &Pod, status: &PodStatus, now: Time) -> List<PodCondition> {
    let fresh = |type_: &'static str| {
        let said = match type_ {
            "PodReadyToStartContainers" if is_last(&status.phase) => Said::no("", ""),
            "PodReadyToStartContainers" => Said::yes(""),
            "Initialized" => initialized(pod, status),
            "Ready" => ready(pod, status),
            _ => containers_ready(pod, status),
        };
        let since = condition(&pod.status, type_).filter(|known| known.status == *said.status);
        PodCondition {
            type_: type_.into(),
            status: said.status.into(),
            reason: said.reason.into(),
            message: said.message.as_str().into(),
            observed_generation: pod.metadata.generation,
            last_transition_time: since.map_or(Some(now), |known| known.last_transition_time),
            ..PodCondition::default()
        }
    };
    let others = pod.status.conditions.iter();
    let others = others.filter(|known| !OURS.contains(&known.type_.as_str())).cloned();
    OURS.into_iter().map(fresh).chain(others).collect()
}

/// The condition of this type.
pub(crate) fn condition<'s>(status: &'s PodStatus, type_: &str) -> Option<&'s PodCondition> {
    status.conditions.iter().find(|known| known.type_ == *type_)
}

fn initialized(pod: &Pod, status: &PodStatus) -> Said {
    let is_init = |member: &Member<'_>| member.role != Role::Main;
    let (unknown, incomplete) =
        lacking(roles::members(pod).filter(is_init), status, |member, known| match member.role {
            Role::Sidecar => known.started == Some(true),
            Role::Init | Role::Main => known.ready,
        });
    if status.phase == "Succeeded" && unknown.is_empty() {
        return Said::yes("PodCompleted");
    }
    // What has been initialized is so for good, even while sidecars are started again.
    if roles::has_begun(pod, status) {
        return Said::yes("");
    }
    match lacks(&unknown, "incomplete", &incomplete) {
        Some(message) => Said::no("ContainersNotInitialized", message),
        None => Said::yes(""),
    }
}

fn containers_ready(pod: &Pod, status: &PodStatus) -> Said {
    let stays = |member: &Member<'_>| member.role != Role::Init;
    let staying = roles::members(pod).filter(stays);
    let (unknown, unready) = lacking(staying, status, |_, known| known.ready);
    match status.phase.as_str() {
        "Succeeded" if unknown.is_empty() => return Said::no("PodCompleted", ""),
        "Failed" => return Said::no("PodFailed", ""),
        _ => {}
    }
    match lacks(&unknown, "unready", &unready) {
        Some(message) => Said::no("ContainersNotReady", message),
        None => Said::yes(""),
    }
}

/// As its containers, if the gates are open that others keep.
fn ready(pod: &Pod, status: &PodStatus) -> Said {
    let containers = containers_ready(pod, status);
    if containers.status != "True" {
        return containers;
    }
    let gates = pod.spec.readiness_gates.iter();
    let closed: Vec<String> = gates
        .filter_map(|gate| match condition(&pod.status, &gate.condition_type) {
            None => Some(format!(
                "corresponding condition of pod readiness gate {:?} does not exist.",
                gate.condition_type
            )),
            Some(known) if known.status != "True" => Some(format!(
                "the status of pod readiness gate {:?} is not \"True\", but {}",
                gate.condition_type, known.status
            )),
            Some(_) => None,
        })
        .collect();
    match closed.is_empty() {
        true => containers,
        false => Said::no("ReadinessGatesNotReady", closed.join(", ")),
    }
}

/// The names of the containers of which nothing is told, and of those that are not as they should be.
fn lacking<'p>(
    members: impl Iterator<Item = Member<'p>>,
    status: &PodStatus,
    is_right: impl Fn(Member<'p>, &ContainerStatus) -> bool,
) -> (Vec<&'p str>, Vec<&'p str>) {
    let (mut unknown, mut wrong) = (Vec::new(), Vec::new());
    for member in members {
        let name = member.container.name.as_str();
        match member.status(status) {
            None => unknown.push(name),
            Some(known) if !is_right(member, known) => wrong.push(name),
            Some(_) => {}
        }
    }
    (unknown, wrong)
}

/// What is told of such containers, if there are any.
fn lacks(unknown: &[&str], how: &str, wrong: &[&str]) -> Option<String> {
    let part = |how: &str, names: &[&str]| {
        let names = names.join(" ");
        (!names.is_empty()).then(|| format!("containers with {how} status: [{names}]"))
    };
    let parts: Vec<String> = part("unknown", unknown).into_iter().chain(part(how, wrong)).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
