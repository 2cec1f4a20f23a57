//! Which containers a pod has, where each is in its life, and which are started again.

use watchkeeper_api::core::v1::{
    Container, ContainerRestartRule, ContainerStateTerminated, ContainerStatus, Pod, PodStatus,
};

use crate::actors::state::is_sidecar;

/// What a container is to its pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// It has its turn before the main ones, and ends.
    Init,
    /// It has its turn before the main ones, and stays beside them.
    Sidecar,
    /// One of those that the pod is for.
    Main,
}

/// A container of a pod.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'p> {
    pub(crate) role: Role,
    /// Its place among the init containers, or among the main ones.
    pub(crate) place: usize,
    pub(crate) container: &'p Container,
}

/// All containers of a pod in the order in which they have their turns.
pub(crate) fn members(pod: &Pod) -> impl Iterator<Item = Member<'_>> {
    let init = pod.spec.init_containers.iter().enumerate();
    let init = init.map(|(place, container)| Member { role: role(container), place, container });
    let main = pod.spec.containers.iter().enumerate();
    init.chain(main.map(|(place, container)| Member { role: Role::Main, place, container }))
}

/// The main containers of a pod.
pub(crate) fn mains(pod: &Pod) -> impl Iterator<Item = Member<'_>> {
    members(pod).filter(|member| member.role == Role::Main)
}

/// The role of an init container.
fn role(container: &Container) -> Role {
    if is_sidecar(container) { Role::Sidecar } else { Role::Init }
}

impl<'p> Member<'p> {
    /// What a status tells of it.
    pub(crate) fn status(self, status: &PodStatus) -> Option<&ContainerStatus> {
        let all = match self.role {
            Role::Main => &status.container_statuses,
            Role::Init | Role::Sidecar => &status.init_container_statuses,
        };
        all.iter().find(|one| one.name == self.container.name)
    }

    /// The same, to be changed.
    pub(crate) fn status_mut(self, status: &mut PodStatus) -> Option<&mut ContainerStatus> {
        let all = match self.role {
            Role::Main => &mut status.container_statuses,
            Role::Init | Role::Sidecar => &mut status.init_container_statuses,
        };
        all.iter_mut().find(|one| one.name == self.container.name)
    }

    /// Where it is in its life.
    pub(crate) fn course(self, status: &PodStatus) -> Course {
        self.status(status).map_or(Course::Unknown, course)
    }

    /// Whether it is started again when it has returned `code` (upstream's `ContainerShouldRestart`).
    pub(crate) fn restarts(self, pod: &'p Pod, code: i32) -> bool {
        if self.role == Role::Init && code == 0 {
            return false;
        }
        let has_own = self.container.restart_policy.is_some();
        let mut rules = self.container.restart_policy_rules.iter();
        if has_own && rules.any(|rule| applies(rule, code)) {
            return true;
        }
        match self.policy(pod) {
            "Never" => false,
            "OnFailure" => code != 0,
            _ => true,
        }
    }

    /// Whether it is not meant to come to an end.
    pub(crate) fn runs_for_ever(self, pod: &'p Pod) -> bool {
        self.role != Role::Init && !matches!(self.policy(pod), "Never" | "OnFailure")
    }

    /// Its own policy before that of its pod.
    fn policy(self, pod: &'p Pod) -> &'p str {
        self.container.restart_policy.as_deref().unwrap_or(pod.spec.restart_policy.as_str())
    }
}

fn applies(rule: &ContainerRestartRule, code: i32) -> bool {
    let Some(codes) = &rule.exit_codes else { return false };
    match codes.operator.as_str() {
        "In" => codes.values.contains(&code),
        "NotIn" => !codes.values.contains(&code),
        _ => false,
    }
}

/// Where a container is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// Nothing is told of it.
    Unknown,
    /// It has never run.
    Waiting,
    /// It runs.
    Running,
    /// It has returned this; it may wait to be started again.
    Ended(i32),
}

fn course(status: &ContainerStatus) -> Course {
    if status.state.running.is_some() {
        return Course::Running;
    }
    last_end(status).map_or(Course::Waiting, |end| Course::Ended(end.exit_code))
}

/// The last end of a container that does not run.
pub(crate) fn last_end(status: &ContainerStatus) -> Option<&ContainerStateTerminated> {
    let waits = status.state.waiting.is_some();
    let before = status.last_state.terminated.as_deref().filter(|_| waits);
    status.state.terminated.as_deref().or(before)
}

/// Whether a main container has run: the init containers have done their part then.
pub(crate) fn has_begun(pod: &Pod, status: &PodStatus) -> bool {
    let has_run =
        |main: Member<'_>| matches!(main.course(status), Course::Running | Course::Ended(_));
    mains(pod).any(has_run)
}

/// Whether no main container will run any more.
pub(crate) fn is_over(pod: &Pod, status: &PodStatus) -> bool {
    mains(pod).all(|main| match main.course(status) {
        Course::Ended(code) => !main.restarts(pod, code),
        Course::Unknown | Course::Waiting | Course::Running => false,
    })
}
