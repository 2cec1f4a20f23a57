//! How a daemon set's pods come to its new template.

use std::sync::Arc;

use watchkeeper_api::IntOrString;
use watchkeeper_api::Object;
use watchkeeper_api::apps::v1::DaemonSet;
use watchkeeper_api::core::v1::Pod;

use super::placement::{Place, place};
use super::plan::{Orders, View};

/// How many pods may be too many or missing while a rollout goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) surge: usize,
    pub(crate) unavailable: usize,
}

/// Resolves `maxSurge` and `maxUnavailable` against the number of nodes, rounded up. Without both one may be
/// missing, or the rollout could not move.
pub(crate) fn bounds(set: &DaemonSet, nodes: usize) -> Bounds {
    if set.spec.update_strategy.type_ == "OnDelete" {
        return Bounds { surge: 0, unavailable: 0 };
    }
    let total = i32::try_from(nodes).unwrap_or(i32::MAX);
    let resolve = |value: Option<&IntOrString>, default: i32| {
        let value = value.map_or(Some(default), |value| value.scaled(total, true));
        usize::try_from(value.unwrap_or(0)).unwrap_or(0)
    };
    let rolling = set.spec.update_strategy.rolling_update.as_deref();
    let surge = resolve(rolling.and_then(|rolling| rolling.max_surge.as_ref()), 0);
    let unavailable = resolve(rolling.and_then(|rolling| rolling.max_unavailable.as_ref()), 1);
    let stuck = surge == 0 && unavailable == 0;
    Bounds { surge, unavailable: if stuck { 1 } else { unavailable } }
}

/// The next step of a rolling update; nothing if pods are updated only when somebody deletes them.
pub(crate) fn step(view: View<'_>) -> Orders {
    if view.set.spec.update_strategy.type_ == "OnDelete" {
        return Orders::default();
    }
    let nodes: Vec<OnNode> = nodes(view);
    let wanted = nodes.iter().filter(|node| node.is_wanted).count();
    let bounds = bounds(view.set, wanted);
    if bounds.surge == 0 {
        replace(view, &nodes, bounds.unavailable)
    } else {
        surge(view, &nodes, wanted, bounds.surge)
    }
}

/// The pods of the new template and of a former one.
type Pair = (Option<Arc<Pod>>, Option<Arc<Pod>>);

/// What is on one node.
struct OnNode {
    name: String,
    is_wanted: bool,
    /// `None` if there are several of either template, which is to be mended first.
    pods: Option<Pair>,
}

/// The nodes that want a pod or have one.
fn nodes(view: View<'_>) -> Vec<OnNode> {
    let on = |name: &str, is_wanted| OnNode {
        name: name.to_owned(),
        is_wanted,
        pods: pair(view, view.daemons.on(name)),
    };
    let is_there = |name: &str| view.nodes.iter().any(|node| node.name() == name);
    let known = view.nodes.iter().filter_map(|node| {
        let is_wanted = place(view.set, node) == Place::Wanted;
        let counts = is_wanted || !view.daemons.on(node.name()).is_empty();
        counts.then(|| on(node.name(), is_wanted))
    });
    let lost = view.daemons.iter().filter(|(name, _)| !is_there(name));
    known.chain(lost.map(|(name, _)| on(name, false))).collect()
}

fn pair(view: View<'_>, pods: &[Arc<Pod>]) -> Option<Pair> {
    let mut pair: Pair = (None, None);
    for pod in pods.iter().filter(|pod| !pod.is_deleting()) {
        let slot = if view.is_updated(pod) { &mut pair.0 } else { &mut pair.1 };
        if slot.replace(pod.clone()).is_some() {
            return None;
        }
    }
    Some(pair)
}

/// Removes former pods: those that are not available, and as many others as may be missing.
fn replace(view: View<'_>, nodes: &[OnNode], may_miss: usize) -> Orders {
    let (mut orders, mut candidates, mut missing) = (Orders::default(), Vec::new(), 0_usize);
    for node in nodes {
        match &node.pods {
            Some((None, Some(old))) if view.is_available(old) => candidates.push(old.clone()),
            Some((None, Some(old))) => {
                orders.delete.push(old.clone());
                missing += 1;
            }
            Some((Some(new), None)) if view.is_available(new) => {}
            _ => missing += 1,
        }
    }
    orders.delete.extend(candidates.into_iter().take(may_miss.saturating_sub(missing)));
    orders
}

/// Makes new pods beside former ones: where these are not available, and on as many others as there may be
/// two. A former pod goes when the new one is available. One on a node that wants none any more goes when
/// enough others are available.
fn surge(view: View<'_>, nodes: &[OnNode], wanted: usize, may_surge: usize) -> Orders {
    let mut orders = Orders::default();
    let (mut candidates, mut leaving) = (Vec::new(), Vec::new());
    let (mut surged, mut available) = (0_usize, 0_usize);
    for node in nodes {
        let Some((new, old)) = &node.pods else {
            surged += 1;
            continue;
        };
        let counts = |pod: &Arc<Pod>| view.is_available(pod);
        available += usize::from(old.as_ref().or(new.as_ref()).is_some_and(counts));
        let Some(old) = old else { continue };
        match new {
            Some(new) if counts(new) => orders.delete.push(old.clone()),
            Some(_) => surged += 1,
            None if node.is_wanted && counts(old) => candidates.push(node.name.clone()),
            None if node.is_wanted => orders.create.push(node.name.clone()),
            None if counts(old) => leaving.push(old.clone()),
            None => orders.delete.push(old.clone()),
        }
    }
    orders.create.extend(candidates.into_iter().take(may_surge.saturating_sub(surged)));
    orders.delete.extend(leaving.into_iter().take(available.saturating_sub(wanted)));
    orders
}
