//! The pods that were refused, and when each is tried again.

use std::collections::BTreeMap;
use std::time::Duration;

use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{IStr, MicroTime, Object, ObjectKey};

use super::ledger::Motion;
use super::refusal::Help;
use crate::actors::doubled;

/// For how many seconds a pod rests that was refused again (upstream's `podInitialBackoffSeconds`), doubled each
/// time. Upstream's rest from the first refusal on, but are taken sooner when nothing else is to be done.
const FIRST_REST: u64 = 1;
/// And at most (`podMaxBackoffSeconds`).
const LONGEST_REST: u64 = 10;

/// The pods that were refused.
#[derive(Debug, Default)]
pub(crate) struct Waiting(BTreeMap<ObjectKey, Refused>);

#[derive(Debug)]
struct Refused {
    uid: IStr,
    help: Help,
    /// How often it was refused before.
    times: i32,
    at: MicroTime,
    /// Whether something has happened that may help it.
    is_woken: bool,
}

impl Waiting {
    /// Notes that a pod was refused.
    pub(crate) fn refuse(&mut self, pod: &Pod, help: Help, now: MicroTime) {
        let uid = pod.metadata.uid.clone();
        let times = self.of(pod).map_or(0, |refused| refused.times.saturating_add(1));
        self.0.insert(pod.key(), Refused { uid, help, times, at: now, is_woken: false });
    }

    /// Forgets a pod that has a node or needs none any more.
    pub(crate) fn forget(&mut self, pod: &Pod) {
        if self.of(pod).is_some() {
            self.0.remove(&pod.key());
        }
    }

    /// How long a pod has to rest yet.
    pub(crate) fn rest(&self, pod: &Pod, now: MicroTime) -> Option<Duration> {
        let refused = self.of(pod)?;
        let rest = doubled(FIRST_REST, refused.times, LONGEST_REST);
        Some(rest.saturating_sub(now.since(refused.at))).filter(|rest| !rest.is_zero())
    }

    /// Whether a pod is to be tried now: it never was, or something happened and it has rested.
    pub(crate) fn is_due(&self, pod: &Pod, now: MicroTime) -> bool {
        self.of(pod).is_none_or(|refused| refused.is_woken) && self.rest(pod, now).is_none()
    }

    /// Something happened that may help this pod.
    pub(crate) fn wake(&mut self, key: &ObjectKey) {
        if let Some(refused) = self.0.get_mut(key) {
            refused.is_woken = true;
        }
    }

    /// Wakes those that may be helped by pods that came or left, and names them.
    pub(crate) fn wake_by(&mut self, motion: Motion) -> Vec<ObjectKey> {
        if motion == Motion::default() {
            return Vec::new();
        }
        let helps = |help: Help| motion.left && help.leaving || motion.came && help.coming;
        let helped = self.0.iter_mut().filter(|(_, refused)| helps(refused.help));
        let woken = helped.map(|(key, refused)| {
            refused.is_woken = true;
            key.clone()
        });
        woken.collect()
    }

    fn of(&self, pod: &Pod) -> Option<&Refused> {
        self.0.get(&pod.key()).filter(|refused| refused.uid == pod.metadata.uid)
    }
}
