//! How long a job waits after failures before it makes another pod.

use std::sync::Arc;

use watchkeeper_api::Time;
use watchkeeper_api::core::v1::Pod;

use super::pods;

/// The failures since the last success, and when the last of them was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Backoff {
    failures: i32,
    last: Option<Time>,
}

impl Backoff {
    /// The same after these pods have ended.
    pub(crate) fn after(self, succeeded: &[Arc<Pod>], failed: &[Arc<Pod>]) -> Self {
        let ends = |pods: &[Arc<Pod>]| pods.iter().map(|pod| pods::finished_at(pod)).max();
        let success = ends(succeeded);
        let later = |pod: &&Arc<Pod>| success.is_none_or(|end| pods::finished_at(pod) > end);
        let counted = failed.iter().filter(later).count();
        let before = if success.is_some() { Self::default() } else { self };
        Self {
            failures: before.failures.saturating_add(i32::try_from(counted).unwrap_or(i32::MAX)),
            last: if counted > 0 { ends(failed) } else { before.last },
        }
    }

    /// When the next pod may be made; `None` for now.
    pub(crate) fn over_at(self, now: Time) -> Option<Time> {
        over_at(self.failures, self.last?, now)
    }
}

/// When the pod that takes the place of this one may be made; `None` for now. Each index waits for its
/// own failures.
pub(crate) fn of_index_over_at(failed: &Pod, now: Time) -> Option<Time> {
    let (counted, ignored) = pods::failures_before(failed);
    let failures = counted.saturating_add(ignored).saturating_add(1);
    over_at(failures, pods::finished_at(failed), now)
}

fn over_at(failures: i32, last: Time, now: Time) -> Option<Time> {
    Some(last + pods::backoff_after(failures)).filter(|over| *over > now)
}
