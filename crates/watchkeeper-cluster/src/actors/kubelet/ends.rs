//! When containers that are not really run come to their end, and how.
//!
//! Pods that may come to an end (`restartPolicy` `Never` or `OnFailure`) succeed after a second; others run
//! for ever. Annotations of the pod, and so of the template that it is made from, say otherwise:
//!
//! | annotation | says |
//! |---|---|
//! | [`AFTER`] | how many seconds the containers run, each time they are started; or `never` |
//! | [`CODE`] | the exit code, 0 unless it says so |
//! | [`REASON`] | the reason, such as `OOMKilled` (which is code 137) |

use std::time::Duration;

use watchkeeper_api::core::v1::{ContainerStatus, Pod};
use watchkeeper_api::{Object, Time};

use crate::actors::doubled;

/// How many seconds containers run.
const AFTER: &str = "fake-kubelet/ends-after";
/// What they return.
const CODE: &str = "fake-kubelet/exit-code";
/// Why they end.
const REASON: &str = "fake-kubelet/reason";

/// The reason of a container that wanted too much memory, and what it returns.
const OUT_OF_MEMORY: (&str, i32) = ("OOMKilled", 137);

/// How the containers of a pod come to their end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ends {
    after: Duration,
    pub(crate) code: i32,
    pub(crate) reason: String,
}

/// What follows the end of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// The pod's own end.
    Over,
    /// They are started again.
    Restart,
}

/// What happens to the containers of a pod next.
#[derive(Debug, PartialEq)]
pub(crate) enum Next {
    Wait(Time),
    End(Ends),
    Restart,
}

impl Ends {
    /// How this pod's containers end; `None` if they run for ever.
    pub(crate) fn of(pod: &Pod) -> Option<Self> {
        let asked = [AFTER, CODE, REASON].iter().any(|name| pod.annotation(name).is_some());
        let after = pod.annotation(AFTER);
        if after == Some("never") || (always_restarts(pod) && !asked) {
            return None;
        }
        let reason = pod.annotation(REASON);
        let by_reason = reason.filter(|reason| *reason == OUT_OF_MEMORY.0).map(|_| OUT_OF_MEMORY.1);
        let code = pod.annotation(CODE).and_then(|text| text.parse().ok()).or(by_reason);
        let mut ends = Self::with_code(code.unwrap_or(0));
        if let Some(reason) = reason {
            reason.clone_into(&mut ends.reason);
        }
        if let Some(seconds) = after.and_then(|text| text.parse().ok()) {
            ends.after = Duration::from_secs(seconds);
        }
        Some(ends)
    }

    /// The end after a second, with this exit code and the reason that goes with it.
    pub(crate) fn with_code(code: i32) -> Self {
        let reason = if code == 0 { "Completed" } else { "Error" };
        Self { after: Duration::from_secs(1), code, reason: reason.to_owned() }
    }

    /// What follows the end of the pod's containers.
    pub(crate) fn then(&self, pod: &Pod) -> Then {
        let over = match pod.spec.restart_policy.as_ref() {
            "Never" => true,
            "OnFailure" => self.code == 0,
            _ => false,
        };
        if over { Then::Over } else { Then::Restart }
    }

    /// What happens next to the containers of a running pod. They all start and end together.
    pub(crate) fn next(self, pod: &Pod, now: Time) -> Next {
        let first = pod.status.container_statuses.first();
        let (due, next) = match first.map(|first| (first, &first.state)) {
            Some((_, state)) if state.running.is_some() => {
                let since = state.running.as_ref().and_then(|running| running.started_at);
                (since.unwrap_or(now) + self.after, Next::End(self))
            }
            Some((first, _)) => (restarts_at(first).unwrap_or(now), Next::Restart),
            None => (now, Next::End(self)),
        };
        if due > now { Next::Wait(due) } else { next }
    }
}

fn always_restarts(pod: &Pod) -> bool {
    pod.spec.restart_policy != "Never" && pod.spec.restart_policy != "OnFailure"
}

fn restarts_at(container: &ContainerStatus) -> Option<Time> {
    let (now, before) = (&container.state.terminated, &container.last_state.terminated);
    let ended = now.as_ref().or(before.as_ref())?.finished_at?;
    Some(ended + backoff(container.restart_count))
}

/// How long a container that was started anew this often stays down: nothing the first time, then ten
/// seconds, doubled up to five minutes.
pub(crate) fn backoff(restarts: i32) -> Duration {
    doubled(10, restarts, 300)
}
