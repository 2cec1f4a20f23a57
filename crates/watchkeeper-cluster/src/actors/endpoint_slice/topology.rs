//! Hints by which each zone gets endpoints for its share of the processors (`service.kubernetes.io/topology-mode`).
//!
//! Every endpoint is for its own zone at first; then zones that have more than their share give some away to those
//! that have less. What has been given stays as long as no zone has too few.

use std::collections::BTreeMap;
use std::sync::Arc;

use watchkeeper_api::core::v1::Node;
use watchkeeper_api::discovery::v1::EndpointSlice;
use watchkeeper_api::{IStr, Object};

use super::changes::Changes;
use super::endpoint::ZONE;
use super::hints::{for_zone, is_ready};
use crate::actors::state::is_node_ready;

/// The part of its share of the endpoints that a zone has to have: no endpoint bears more than a fifth too much.
const LEAST: f64 = 1.0 / (1.0 + 0.2);
/// Nodes with one of these labels serve no endpoints.
const EXCLUDED: [&str; 2] =
    ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

/// Why there are no hints.
const NO_SHARES: &str =
    "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes";
const NO_ZONE: &str = "One or more endpoints do not have a zone specified";
const TOO_FEW: &str = "Insufficient number of endpoints";
const TOO_MUCH: &str = "Unable to allocate minimum required endpoints to each zone without \
    exceeding overload threshold";

/// The share of all processors that each zone has.
pub(crate) type Shares = BTreeMap<IStr, f64>;
/// How many endpoints are for each zone.
pub(crate) type Counts = BTreeMap<IStr, usize>;

/// The shares of the zones; `None` if there are not two of them, or a node does not say enough.
pub(crate) fn shares(nodes: &[Arc<Node>]) -> Option<Shares> {
    let is_included = |node: &Node| EXCLUDED.iter().all(|label| node.label(label).is_none());
    let serves = |node: &&Arc<Node>| is_node_ready(node) && is_included(node);
    let mut shares = Shares::new();
    for node in nodes.iter().filter(serves) {
        let zone = node.label(ZONE).filter(|zone| !zone.is_empty())?;
        let processors = node.status.allocatable.get("cpu")?.amount().ok()?;
        if processors.is_zero() {
            return None;
        }
        *shares.entry(zone.into()).or_default() += processors.to_f64();
    }
    let all: f64 = shares.values().sum();
    shares.values_mut().for_each(|share| *share /= all);
    (shares.len() >= 2).then_some(shares)
}

/// Whether some zone has so few endpoints that they have to bear too much.
pub(crate) fn is_overloaded(counts: &Counts, shares: Option<&Shares>) -> bool {
    let all = counts.values().sum::<usize>() as f64;
    let lacks = |(zone, share): (&IStr, &f64)| {
        counts.get(zone).is_none_or(|count| (*count as f64) < (all * share * LEAST).ceil())
    };
    !counts.is_empty() && shares.is_none_or(|shares| shares.iter().any(lacks))
}

/// Gives the endpoints their hints, and tells how many are for each zone; or why that cannot be done.
pub(crate) fn spread(
    shares: Option<&Shares>,
    changes: &mut Changes,
    slices: &[Arc<EndpointSlice>],
) -> Result<Counts, String> {
    let shares = shares.ok_or(NO_SHARES)?;
    let unchanged = changes.unchanged(slices);
    let all = changes.written().chain(unchanged.iter().map(|slice| &**slice));
    let goals = goals(shares, all.map(ready).sum())?;
    let mut counts = Counts::new();
    for slice in unchanged {
        match kept(&slice, &counts, &goals) {
            Some(kept) => kept.into_iter().for_each(|(zone, count)| {
                *counts.entry(zone).or_default() += count;
            }),
            None => {
                let changed = (*slice).clone();
                changes.update.push((slice, changed));
            }
        }
    }
    for endpoint in changes.written_mut().flat_map(|slice| &mut slice.endpoints) {
        if is_ready(endpoint) {
            let zone = endpoint.zone.clone().filter(|zone| !zone.is_empty()).ok_or(NO_ZONE)?;
            *counts.entry(zone.clone()).or_default() += 1;
            endpoint.hints = for_zone(zone);
        }
    }
    let (giving, receiving) = moves(&goals, &counts);
    give(giving, receiving, changes, &mut counts);
    Ok(counts)
}

fn ready(slice: &EndpointSlice) -> usize {
    slice.endpoints.iter().filter(|endpoint| is_ready(endpoint)).count()
}

/// How many endpoints a zone should have, and may.
#[derive(Debug)]
struct Goal {
    share: f64,
    most: usize,
}

fn goals(shares: &Shares, endpoints: usize) -> Result<BTreeMap<IStr, Goal>, String> {
    let zones = shares.len();
    let why_not = |what: &str| format!("{what} ({endpoints} endpoints, {zones} zones)");
    if zones > endpoints {
        return Err(why_not(TOO_FEW));
    }
    let mut spare = endpoints;
    let mut goals = BTreeMap::new();
    for (zone, share) in shares {
        let share = share * endpoints as f64;
        let least = (share * LEAST).ceil() as usize;
        spare = spare.checked_sub(least).ok_or_else(|| why_not(TOO_MUCH))?;
        goals.insert(zone.clone(), Goal { share: share.max(least as f64), most: least });
    }
    goals.values_mut().for_each(|goal| goal.most += spare);
    Ok(goals)
}

/// How many endpoints of a slice are for each zone, if its hints may stay beside those of the slices before.
fn kept(slice: &EndpointSlice, before: &Counts, goals: &BTreeMap<IStr, Goal>) -> Option<Counts> {
    let mut kept = Counts::new();
    for endpoint in slice.endpoints.iter().filter(|endpoint| is_ready(endpoint)) {
        let hints = endpoint.hints.as_ref().filter(|hints| !hints.for_zones.is_empty())?;
        for zone in &hints.for_zones {
            *kept.entry(zone.name.clone()).or_default() += 1;
        }
    }
    let count_before = |zone: &IStr| before.get(zone).copied().unwrap_or(0);
    let fits = kept.iter().all(|(zone, count)| {
        goals.get(zone).is_some_and(|goal| count + count_before(zone) <= goal.most)
    });
    fits.then_some(kept)
}

/// How many endpoints zones give away, and how many others receive.
fn moves(goals: &BTreeMap<IStr, Goal>, counts: &Counts) -> (Counts, Counts) {
    let (mut above, mut below) = (BTreeMap::new(), BTreeMap::new());
    for (zone, goal) in goals {
        let beyond = counts.get(zone).copied().unwrap_or(0) as f64 - goal.share;
        let side = if beyond > 0.0 { &mut above } else { &mut below };
        side.insert(zone.clone(), beyond.abs());
    }
    let (mut giving, mut receiving) = (Counts::new(), Counts::new());
    while let (Some((from, more)), Some((to, less))) = (most(&above), most(&below)) {
        // Halves do not move for each other.
        if more < 0.5 || less < 0.5 || (more < 1.0 && less < 1.0) {
            break;
        }
        above.insert(from.clone(), more - 1.0);
        below.insert(to.clone(), less - 1.0);
        *giving.entry(from).or_default() += 1;
        *receiving.entry(to).or_default() += 1;
    }
    (giving, receiving)
}

/// The zone with the greatest number; of several the first.
fn most(zones: &BTreeMap<IStr, f64>) -> Option<(IStr, f64)> {
    let most = zones.iter().rev().max_by(|a, b| a.1.total_cmp(b.1));
    most.map(|(zone, number)| (zone.clone(), *number))
}

/// Hints endpoints of the zones that give at those that receive.
fn give(mut giving: Counts, mut receiving: Counts, changes: &mut Changes, counts: &mut Counts) {
    for endpoint in changes.written_mut().flat_map(|slice| &mut slice.endpoints) {
        let Some(to) = receiving.keys().next().cloned() else { return };
        let from = endpoint.zone.clone().unwrap_or_default();
        if is_ready(endpoint) && take_one(&mut giving, &from) {
            take_one(&mut receiving, &to);
            take_one(counts, &from);
            *counts.entry(to.clone()).or_default() += 1;
            endpoint.hints = for_zone(to);
        }
    }
}

/// Takes one of a zone's, if there is any.
fn take_one(counts: &mut Counts, zone: &IStr) -> bool {
    let Some(count) = counts.get_mut(zone) else { return false };
    *count -= 1;
    if *count == 0 {
        counts.remove(zone);
    }
    true
}
