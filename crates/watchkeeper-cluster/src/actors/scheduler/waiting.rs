//! The pods that were refused, and when each is tried again.

use std::collections::BTreeMap;
use std::time::Duration;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{IStr, MicroTime, Object, ObjectKey};

use super::asks::priority;
use super::ledger::{Motion, lessen};
use super::refusal::Help;
use crate::actors::doubled;

/// For how many seconds a pod rests that was refused again (upstream's `podInitialBackoffSeconds`), doubled each
/// time. Upstream's rest from the first refusal on, but are taken sooner when nothing else is to be done.
const FIRST_REST: u64 = 1;
/// And at most (`podMaxBackoffSeconds`).
const LONGEST_REST: u64 = 10;

/// The pods that were refused.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    refused: BTreeMap<ObjectKey, Refused>,
    /// How many there are of each priority for which nothing has happened since.
    asleep: BTreeMap<i32, usize>,
}

#[derive(Debug)]
struct Refused {
    uid: IStr,
    priority: i32,
    help: Help,
    /// How often it was refused, without the times at which nobody was told.
    times: i32,
    at: MicroTime,
    /// Whether something has happened that may help it.
    is_woken: bool,
}

impl Waiting {
    /// Notes that a pod was refused.
    pub(crate) fn refuse(&mut self, pod: &Pod, help: Help, now: MicroTime) {
        let times = self.of(pod).map_or(0, |refused| refused.times).saturating_add(1);
        self.note(pod, help, times, now);
    }

    /// Notes that a pod waits of which it is not told that it was refused. It does not rest for that.
    pub(crate) fn hold(&mut self, pod: &Pod, help: Help, now: MicroTime) {
        let times = self.of(pod).map_or(0, |refused| refused.times);
        self.note(pod, help, times, now);
    }

    /// Notes that a pod could not be given the node that there was for it. Who failed tries again; for others it is
    /// as if it had been refused.
    pub(crate) fn set_aside(&mut self, pod: &Pod, now: MicroTime) {
        if self.of(pod).is_none_or(|refused| refused.is_woken) {
            self.refuse(pod, Help::default(), now);
        }
    }

    /// Forgets a pod that has a node or needs none any more.
    pub(crate) fn forget(&mut self, pod: &Pod) {
        if self.of(pod).is_some()
            && let Some(refused) = self.refused.remove(&pod.key())
        {
            self.leave(&refused);
        }
    }

    /// How long a pod has to rest yet.
    pub(crate) fn rest(&self, pod: &Pod, now: MicroTime) -> Option<Duration> {
        let refused = self.of(pod)?;
        let rest = doubled(FIRST_REST, refused.times.saturating_sub(1), LONGEST_REST);
        Some(rest.saturating_sub(now.since(refused.at))).filter(|rest| !rest.is_zero())
    }

    /// Whether a pod is to be tried now: it never was, or something happened and it has rested.
    pub(crate) fn is_due(&self, pod: &Pod, now: MicroTime) -> bool {
        self.of(pod).is_none_or(|refused| refused.is_woken) && self.rest(pod, now).is_none()
    }

    /// How many pods of a priority are not due, as nothing has happened since they were refused.
    pub(crate) fn asleep(&self, priority: i32) -> usize {
        self.asleep.get(&priority).copied().unwrap_or(0)
    }

    /// Something happened that may help this pod.
    pub(crate) fn wake(&mut self, key: &ObjectKey) {
        let Some(refused) = self.refused.get_mut(key) else { return };
        if !refused.is_woken {
            refused.is_woken = true;
            lessen(&mut self.asleep, &refused.priority);
        }
    }

    /// Wakes those that may be helped by pods that came or left, and names them.
    pub(crate) fn wake_by(&mut self, motion: Motion) -> Vec<ObjectKey> {
        if motion == Motion::default() {
            return Vec::new();
        }
        let helps = |help: Help| motion.left && help.leaving || motion.came && help.coming;
        let helped = self.refused.iter().filter(|(_, refused)| helps(refused.help));
        let helped: Vec<ObjectKey> = helped.map(|(key, _)| key.clone()).collect();
        for key in &helped {
            self.wake(key);
        }
        helped
    }

    fn note(&mut self, pod: &Pod, help: Help, times: i32, now: MicroTime) {
        let (uid, priority) = (pod.metadata.uid.clone(), priority(pod));
        let refused = Refused { uid, priority, help, times, at: now, is_woken: false };
        if let Some(before) = self.refused.insert(pod.key(), refused) {
            self.leave(&before);
        }
        *self.asleep.entry(priority).or_default() += 1;
    }

    /// Counts one less that was taken out.
    fn leave(&mut self, refused: &Refused) {
        if !refused.is_woken {
            lessen(&mut self.asleep, &refused.priority);
        }
    }

    fn of(&self, pod: &Pod) -> Option<&Refused> {
        self.refused.get(&pod.key()).filter(|refused| refused.uid == pod.metadata.uid)
    }
}
