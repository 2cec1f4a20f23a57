//! When a pod goes from a node with taints that end pods.

use std::time::Duration;

use watchkeeper_api::core::v1::{Node, Pod, Taint};
use watchkeeper_api::{IStr, Object, Time};

use crate::actors::fit;

/// The condition of a pod that goes (`core/v1` `DisruptionTarget`), and why it does.
pub(crate) const CONDITION: &str = "DisruptionTarget";
pub(crate) const REASON: &str = "DeletionByTaintManager";
/// The effect of taints that end pods (`core/v1` `TaintEffectNoExecute`).
const NO_EXECUTE: &str = "NoExecute";

/// That a pod goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Eviction {
    /// Which pod: another one may have its name by now.
    pub(crate) uid: IStr,
    pub(crate) stage: Stage,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Nothing happens until then.
    Waits(Time),
    /// It was told that the pod goes, which is to be done now.
    Begun,
}

/// What becomes of a pod.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// It goes, if it does.
    pub(crate) eviction: Option<Eviction>,
    /// What it waited for does not come, or comes sooner.
    pub(crate) is_cancelled: bool,
    /// It goes now, of which nobody was told yet.
    pub(crate) begins: bool,
}

/// How long a pod stays on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Patience {
    /// Not at all.
    None,
    For(Duration),
    Endless,
}

/// The taints of a node that end pods.
pub(crate) fn taints(node: &Node) -> impl Iterator<Item = &Taint> {
    node.spec.taints.iter().filter(|taint| taint.effect == NO_EXECUTE)
}

/// Decides what becomes of a pod, which may be gone as its node may be, after what was decided before.
pub(crate) fn plan(
    pod: Option<&Pod>,
    node: Option<&Node>,
    before: Option<&Eviction>,
    now: Time,
) -> Plan {
    let is_its = |before: &&Eviction| pod.is_some_and(|pod| pod.metadata.uid == before.uid);
    let stage = before.filter(is_its).map(|before| before.stage);
    let next = pod.and_then(|pod| next(pod, node, stage, now));
    let goes_on = match (stage, next) {
        (Some(Stage::Waits(until)), Some(Stage::Begun)) => until <= now,
        (stage, next) => stage.is_some() && next.is_some(),
    };
    let waited = before.is_some_and(|before| before.stage != Stage::Begun);
    let eviction =
        pod.zip(next).map(|(pod, stage)| Eviction { uid: pod.metadata.uid.clone(), stage });
    Plan {
        eviction,
        is_cancelled: waited && !goes_on,
        begins: next == Some(Stage::Begun) && stage != Some(Stage::Begun),
    }
}

/// The next stage, after the one that the pod has reached.
fn next(pod: &Pod, node: Option<&Node>, stage: Option<Stage>, now: Time) -> Option<Stage> {
    if is_done(pod) {
        return None;
    }
    let next = match node.map(|node| patience(pod, node)) {
        // As upstream: with its node nobody takes back that the pod goes.
        None => stage,
        Some(Patience::Endless) => None,
        Some(Patience::None) => Some(Stage::Begun),
        // As upstream: a time that has begun stays what it is, whatever time there would be now.
        Some(Patience::For(time)) => stage.or(Some(Stage::Waits(now + time))),
    };
    match next {
        Some(Stage::Waits(until)) if until <= now => Some(Stage::Begun),
        next => next,
    }
}

/// Whether the pod was told why it goes, and to go. It may take its time, or be on a node without a kubelet.
fn is_done(pod: &Pod) -> bool {
    let mut conditions = pod.status.conditions.iter();
    let told = conditions.find(|condition| condition.type_ == CONDITION);
    pod.is_deleting() && told.is_some_and(|told| told.status == "True" && told.reason == REASON)
}

/// The shortest time for which a taint is tolerated, each by the first toleration that does (upstream's
/// `GetMatchingTolerations` and `getMinTolerationTime`).
fn patience(pod: &Pod, node: &Node) -> Patience {
    let mut shortest: Option<i64> = None;
    for taint in taints(node) {
        let mut tolerations = pod.spec.tolerations.iter();
        let Some(toleration) = tolerations.find(|one| fit::tolerates(one, taint)) else {
            return Patience::None;
        };
        shortest = shortest.into_iter().chain(toleration.toleration_seconds).min();
    }
    shortest.map_or(Patience::Endless, |seconds| {
        // Less than nothing is nothing.
        Patience::For(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
    })
}
