//! How long a container that has ended stays down before it is started again.
//!
//! Nothing is remembered beside the pod: while a container runs, the time between its last two runs is the pause
//! that it had, and while it waits, the message that tells of the pause is where it is read again.

use std::time::Duration;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Object, Time};

/// The pauses in seconds, each twice the one before (upstream's `initialCrashLoopBackOff` and
/// `MaxContainerBackOff`).
const PAUSES: [u64; 6] = [10, 20, 40, 80, 160, LONGEST];
const LONGEST: u64 = 300;
/// After a run that is longer than this the pauses begin anew, as in upstream's kubelet.
const GOOD: Duration = Duration::from_secs(600);

/// The pause after a run: none after the first one, or a good one. `before` is when the run before that ended.
pub(crate) fn pause(before: Option<Time>, started: Time, ended: Time) -> Duration {
    let Some(before) = before.filter(|_| ended.since(started) <= GOOD) else {
        return Duration::ZERO;
    };
    let last = started.since(before).as_secs();
    let longer = PAUSES.into_iter().find(|pause| *pause > last);
    Duration::from_secs(longer.unwrap_or(LONGEST))
}

/// What the status says while a container waits.
pub(crate) fn message(pod: &Pod, container: &str, pause: Duration) -> String {
    let (name, namespace) = (pod.name(), pod.namespace().unwrap_or_default());
    let (pause, uid) = (text(pause), pod.uid());
    format!(
        "back-off {pause} restarting failed container={container} pod={name}_{namespace}({uid})"
    )
}

/// The pause of which a message tells.
pub(crate) fn told(message: &str) -> Option<Duration> {
    let mut pauses = PAUSES.into_iter().map(Duration::from_secs);
    pauses.find(|pause| message.starts_with(&format!("back-off {} ", text(*pause))))
}

/// As Go writes it: `40s`, `1m20s`.
fn text(pause: Duration) -> String {
    let (minutes, seconds) = (pause.as_secs() / 60, pause.as_secs() % 60);
    match minutes {
        0 => format!("{seconds}s"),
        _ => format!("{minutes}m{seconds}s"),
    }
}
