//! What a kubelet tells of a pod: its status, and what happened.

use watchkeeper_api::core::v1::{ContainerStatus, Pod, PodStatus};
use watchkeeper_api::{Object, Time};
use watchkeeper_controller::EventType;

use super::conditions::conditions;
use super::container;
use super::moves::{Act, Move};
use super::phase;
use super::roles::{self, Course, Member, Role};
use super::script::{End, Script};
use crate::actors::state::is_last;

/// A status to be written, and what is told beside it.
#[derive(Debug, PartialEq)]
pub(crate) struct Report {
    pub(crate) status: PodStatus,
    pub(crate) told: Vec<Told>,
}

/// What becomes an event: type, reason, message.
pub(crate) type Told = (EventType, &'static str, String);

impl Report {
    /// The report of a pod whose containers have made these moves from where `status` tells that they were.
    pub(crate) fn after(pod: &Pod, status: PodStatus, moves: Vec<Move<'_>>, now: Time) -> Self {
        let mut report = Self { status, told: Vec::new() };
        for made in moves {
            report.make(pod, &made, now);
        }
        let phase = phase::phase(pod, &report.status);
        if is_last(phase) {
            report.stop_all(pod, now);
        }
        report.close(pod, phase, now)
    }

    /// The report of a pod that was asked to go, and whose containers were stopped.
    pub(crate) fn stopped(pod: &Pod, now: Time) -> Self {
        let status = container::all(pod, pod.status.clone());
        let mut report = Self { status, told: Vec::new() };
        let began = pod.spec.init_containers.is_empty() || roles::has_begun(pod, &report.status);
        report.stop_all(pod, now);
        report.settle(pod, began, now);
        let phase = phase::ended(pod, &report.status);
        report.close(pod, phase, now)
    }

    fn close(mut self, pod: &Pod, phase: &str, now: Time) -> Self {
        self.status.phase = phase.into();
        self.status.conditions = conditions(pod, &self.status, now);
        self
    }

    fn make(&mut self, pod: &Pod, made: &Move<'_>, now: Time) {
        let (member, script) = (made.member, &made.script);
        let Some(known) = member.status_mut(&mut self.status) else { return };
        match made.act {
            Act::Start => {
                let at_once = script.ready_after.is_some_and(|after| after.is_zero());
                let ready = at_once && member.role != Role::Init;
                *known = container::started(pod, member, known, ready, now);
                self.tell_start(member);
            }
            Act::Ready(ready) => known.ready = ready,
            Act::End => {
                let (after, is_put_off) = ended(pod, member, known, &script.end, now);
                *known = after;
                if is_put_off {
                    self.tell_backoff(pod, member);
                }
            }
            Act::Stop => {
                *known = container::ended(known, &script.stop, now);
                self.tell_stop(member);
            }
        }
    }

    /// Stops what still runs.
    fn stop_all(&mut self, pod: &Pod, now: Time) {
        for member in roles::members(pod) {
            if member.course(&self.status) == Course::Running {
                let script = Script::of(pod, member);
                self.make(pod, &Move { member, script, at: now, act: Act::Stop }, now);
            }
        }
    }

    /// Nothing waits any more. What has ended before is as it was then; of main containers that should have run
    /// and did not, nobody can tell how they ended.
    fn settle(&mut self, pod: &Pod, began: bool, now: Time) {
        for member in roles::members(pod) {
            let Some(known) = member.status_mut(&mut self.status) else { continue };
            let (waits, has_run) =
                (known.state.waiting.is_some(), roles::last_end(known).is_some());
            if waits && has_run {
                *known = container::given_up(known);
            } else if waits && began && member.role == Role::Main {
                let unknown = End { code: 137, reason: "ContainerStatusUnknown".to_owned() };
                *known = container::ended(known, &unknown, now);
            }
        }
    }

    fn tell_start(&mut self, member: Member<'_>) {
        let (name, image) = (&member.container.name, &member.container.image);
        let pulled = format!("Container image \"{image}\" already present on machine");
        self.told.extend([
            (EventType::Normal, "Pulled", pulled),
            (EventType::Normal, "Created", format!("Created container: {name}")),
            (EventType::Normal, "Started", format!("Started container {name}")),
        ]);
    }

    fn tell_backoff(&mut self, pod: &Pod, member: Member<'_>) {
        let (name, namespace) = (pod.name(), pod.namespace().unwrap_or_default());
        let (container, uid) = (&member.container.name, pod.uid());
        let message = format!(
            "Back-off restarting failed container {container} in pod {name}_{namespace}({uid})"
        );
        self.told.push((EventType::Warning, "BackOff", message));
    }

    fn tell_stop(&mut self, member: Member<'_>) {
        let message = format!("Stopping container {}", member.container.name);
        self.told.push((EventType::Normal, "Killing", message));
    }
}

/// What is told of a container that has ended by itself, and whether it waits before it is started again. The
/// first time it is started again at once.
fn ended(
    pod: &Pod,
    member: Member<'_>,
    known: &ContainerStatus,
    end: &End,
    now: Time,
) -> (ContainerStatus, bool) {
    let mut after = container::ended(known, end, now);
    after.ready = member.role == Role::Init && end.code == 0;
    if !member.restarts(pod, end.code) {
        return (after, false);
    }
    match container::pause(known, now) {
        pause if pause.is_zero() => (after, false),
        pause => (container::put_off(pod, after, pause), true),
    }
}
