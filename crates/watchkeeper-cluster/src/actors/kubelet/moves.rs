//! What the containers of a pod do next, and when.

use std::time::Duration;

use watchkeeper_api::Time;
use watchkeeper_api::core::v1::{ContainerStatus, Pod, PodStatus};

use super::backoff;
use super::roles::{self, Course, Member, Role};
use super::script::Script;

/// What a container does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// It runs, for the first time or anew.
    Start,
    /// It becomes ready, or is so no longer.
    Ready(bool),
    /// It ends by itself.
    End,
    /// It is stopped.
    Stop,
}

/// What a container does at a moment.
#[derive(Debug)]
pub(crate) struct Move<'p> {
    pub(crate) member: Member<'p>,
    pub(crate) script: Script,
    pub(crate) at: Time,
    pub(crate) act: Act,
}

/// The next move of each container, as long as nobody changes the pod.
///
/// Each init container has its turn when those before it have had theirs: when they have succeeded, or, as sidecars,
/// run. The main ones follow, each for itself. When these are over, the sidecars are stopped.
pub(crate) fn ahead<'p>(pod: &'p Pod, status: &PodStatus, now: Time) -> Vec<Move<'p>> {
    if roles::is_over(pod, status) {
        return stops(pod, status, now);
    }
    let has_begun = roles::has_begun(pod, status);
    let mut turn = status.start_time.unwrap_or(now);
    let mut moves = Vec::new();
    for member in roles::members(pod) {
        // One of which nothing is told was taken out of the status, and is left alone.
        let known = member.status(status);
        if member.role != Role::Init || !has_begun {
            moves.extend(known.and_then(|known| next(pod, member, known, turn, now)));
        }
        if member.role != Role::Main {
            match known.and_then(|known| passed_at(member, known)) {
                Some(passed) => turn = turn.max(passed),
                None if has_begun => {}
                None => break,
            }
        }
    }
    moves
}

/// The sidecars that still run are stopped.
fn stops<'p>(pod: &'p Pod, status: &PodStatus, now: Time) -> Vec<Move<'p>> {
    let running = roles::members(pod).filter(|member| member.course(status) == Course::Running);
    let stop = |member: Member<'p>| {
        let script = Script::of(pod, member);
        Move { member, script, at: now, act: Act::Stop }
    };
    running.map(stop).collect()
}

/// When an init container let the next one have its turn; `None` if that is still to come.
fn passed_at(member: Member<'_>, status: &ContainerStatus) -> Option<Time> {
    let passed = match (&status.state.running, &status.state.terminated) {
        (Some(running), _) if member.role == Role::Sidecar && status.started == Some(true) => {
            running.started_at
        }
        (None, Some(end)) if member.role == Role::Init && end.exit_code == 0 => end.finished_at,
        _ => return None,
    };
    Some(passed.unwrap_or_default())
}

fn next<'p>(
    pod: &'p Pod,
    member: Member<'p>,
    status: &ContainerStatus,
    turn: Time,
    now: Time,
) -> Option<Move<'p>> {
    let script = Script::of(pod, member);
    let (at, act) = match &status.state.running {
        Some(running) => {
            of_running(member, &script, running.started_at.unwrap_or(now), status.ready)?
        }
        None if roles::last_end(status).is_some() => (again_at(pod, member, status)?, Act::Start),
        None => (turn + script.starts_after?, Act::Start),
    };
    Some(Move { member, script, at, act })
}

/// What a container does that runs since `started`.
fn of_running(
    member: Member<'_>,
    script: &Script,
    started: Time,
    ready: bool,
) -> Option<(Time, Act)> {
    let end = script.ends_after.map(|after| (started + after, Act::End));
    let readiness = match (ready, script.ready_after) {
        // An init container is ready when it has succeeded.
        _ if member.role == Role::Init => None,
        (false, Some(after)) => Some((started + after, Act::Ready(true))),
        (true, None) => Some((started, Act::Ready(false))),
        _ => None,
    };
    end.into_iter().chain(readiness).min_by_key(|(at, _)| *at)
}

/// When a container that has ended is started again; `None` if it is not.
fn again_at(pod: &Pod, member: Member<'_>, status: &ContainerStatus) -> Option<Time> {
    let end = roles::last_end(status)?;
    let pause = match &status.state.waiting {
        Some(waiting) => backoff::told(&waiting.message).unwrap_or_default(),
        None if member.restarts(pod, end.exit_code) => Duration::ZERO,
        None => return None,
    };
    Some(end.finished_at.unwrap_or_default() + pause)
}
