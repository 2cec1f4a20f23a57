//! What containers that are not really run do, as annotations tell: the table is at
//! [`kubelet`](super::kubelet).

use std::time::Duration;

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::Pod;

use super::roles::{Member, Role};

/// What the annotations of all main containers begin with, and those of one container after its name.
const PREFIX: &str = "fake-kubelet";
/// How many seconds it takes before a container runs for the first time.
const STARTS_AFTER: &str = "starts-after";
/// How many seconds it runs before it is ready.
const READY_AFTER: &str = "ready-after";
/// How many seconds it runs.
const ENDS_AFTER: &str = "ends-after";
/// What it returns.
const EXIT_CODE: &str = "exit-code";
/// Why it ends.
const REASON: &str = "reason";
/// What it returns when it is asked to stop.
const STOP_CODE: &str = "stop-code";

/// The reason of a container that wanted too much memory, and what it returns.
const OUT_OF_MEMORY: (&str, i32) = ("OOMKilled", 137);
/// What a container returns that was asked to stop (128 and the number of SIGTERM).
const STOPPED: i32 = 143;
/// How long a container runs that comes to an end and is not told when.
const BRIEFLY: Duration = Duration::from_secs(1);

/// What a container does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    /// How long it takes before it runs for the first time; `None` if it never does.
    pub(crate) starts_after: Option<Duration>,
    /// How long it runs before it is ready; `None` if it never is.
    pub(crate) ready_after: Option<Duration>,
    /// How long it runs; `None` if it does until it is stopped.
    pub(crate) ends_after: Option<Duration>,
    /// How it ends by itself.
    pub(crate) end: End,
    /// How it ends when it is asked to stop.
    pub(crate) stop: End,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) code: i32,
    pub(crate) reason: String,
}

impl Script {
    /// What this container of the pod does.
    pub(crate) fn of(pod: &Pod, member: Member<'_>) -> Self {
        let told = |name: &str| annotation(pod, member, name);
        let number = |name: &str| told(name).and_then(|text| text.parse::<i32>().ok());
        let reason = told(REASON);
        let is_asked = reason.or(told(ENDS_AFTER)).or(told(EXIT_CODE)).is_some();
        let stays = member.runs_for_ever(pod) && !is_asked;
        let by_reason = reason.filter(|reason| *reason == OUT_OF_MEMORY.0).map(|_| OUT_OF_MEMORY.1);
        let mut end = End::with_code(number(EXIT_CODE).or(by_reason).unwrap_or(0));
        if let Some(reason) = reason {
            reason.clone_into(&mut end.reason);
        }
        Self {
            starts_after: time(told(STARTS_AFTER), Duration::ZERO),
            ready_after: time(told(READY_AFTER), Duration::ZERO),
            ends_after: time(told(ENDS_AFTER), BRIEFLY).filter(|_| !stays),
            end,
            stop: End::with_code(number(STOP_CODE).unwrap_or(STOPPED)),
        }
    }
}

impl End {
    /// The end with this code, and the reason that goes with it.
    pub(crate) fn with_code(code: i32) -> Self {
        let reason = if code == 0 { "Completed" } else { "Error" };
        Self { code, reason: reason.to_owned() }
    }
}

/// What is told of a container: its own annotation, or, of a main one, that of all.
fn annotation<'p>(pod: &'p Pod, member: Member<'_>, name: &str) -> Option<&'p str> {
    if pod.metadata.annotations.is_empty() {
        return None;
    }
    let of_all = || pod.annotation(&format!("{PREFIX}/{name}"));
    let own = pod.annotation(&format!("{}.{PREFIX}/{name}", member.container.name));
    own.or_else(|| of_all().filter(|_| member.role == Role::Main))
}

/// A time in seconds, `None` for `never`. What cannot be read is as good as not told.
fn time(text: Option<&str>, otherwise: Duration) -> Option<Duration> {
    match text {
        Some("never") => None,
        text => {
            let seconds = text.and_then(|text| text.parse().ok());
            Some(seconds.map_or(otherwise, Duration::from_secs))
        }
    }
}
