//! The phase of a pod, from where its containers are (upstream's `getPhase`).

use watchkeeper_api::core::v1::{Pod, PodStatus};

use super::roles::{self, Course, Member, Role};

/// The phase of a pod of which `status` tells.
pub(crate) fn phase(pod: &Pod, status: &PodStatus) -> &'static str {
    let of = |role: Role| roles::members(pod).filter(move |member| member.role == role);
    let staying = || of(Role::Main).chain(of(Role::Sidecar));
    let has_failed = |init: Member<'_>| match init.course(status) {
        Course::Ended(code) => code != 0 && !init.restarts(pod, code),
        Course::Unknown | Course::Waiting | Course::Running => false,
    };
    let initializes = |init: Member<'_>| !matches!(init.course(status), Course::Ended(_));
    let waits =
        |member: Member<'_>| matches!(member.course(status), Course::Unknown | Course::Waiting);
    let runs = |member: Member<'_>| member.course(status) == Course::Running;
    if of(Role::Init).any(has_failed) {
        "Failed"
    } else if of(Role::Init).any(initializes) || staying().any(waits) {
        "Pending"
    } else if staying().any(runs) || !roles::is_over(pod, status) {
        "Running"
    } else {
        ended(pod, status)
    }
}

/// The phase of a pod whose main containers run no longer, for whatever reason.
pub(crate) fn ended(pod: &Pod, status: &PodStatus) -> &'static str {
    let succeeded = |main: Member<'_>| main.course(status) == Course::Ended(0);
    if roles::mains(pod).all(succeeded) { "Succeeded" } else { "Failed" }
}
