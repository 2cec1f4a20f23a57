//! Which pods are near to which: counted by node, whatever node labels may mean by "near".

use std::collections::{BTreeMap, BTreeSet};

use watchkeeper_api::core::v1::{Pod, PodAffinityTerm, TopologySpreadConstraint};
use watchkeeper_api::meta::v1::LabelSelector;
use watchkeeper_api::selector::Selector;
use watchkeeper_api::{IStr, Object};

use super::ledger::lessen;

/// How many circles are counted at a time. Each costs a look at every pod that comes or goes.
const CIRCLES: usize = 256;

/// Pods that somebody means: those that a selector selects in some namespaces.
#[derive(Clone, Debug)]
pub(crate) struct Circle {
    name: Name,
    selector: Selector,
}

/// What tells circles apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    /// `None` are all.
    namespaces: Option<BTreeSet<IStr>>,
    selector: String,
    /// Whether pods that are asked to go do not count.
    staying: bool,
}

impl Circle {
    /// The pods that a term of an affinity means; `None` if there can be none.
    pub(crate) fn of_term(term: &PodAffinityTerm, home: &str) -> Option<Self> {
        let selector = term.namespace_selector.as_deref();
        let selects_all = selector
            .is_some_and(|one| one.match_labels.is_empty() && one.match_expressions.is_empty());
        // Nobody here knows the labels of namespaces: a selector with requirements adds none to those that are named.
        let namespaces = match selector {
            Some(_) if selects_all => None,
            None if term.namespaces.is_empty() => Some(BTreeSet::from([home.into()])),
            _ => Some(term.namespaces.iter().cloned().collect()),
        };
        Self::new(namespaces, term.label_selector.as_deref()?, false)
    }

    /// The pods among which a pod of this namespace is to be spread.
    pub(crate) fn of_spread(constraint: &TopologySpreadConstraint, home: &str) -> Option<Self> {
        let namespaces = Some(BTreeSet::from([home.into()]));
        Self::new(namespaces, constraint.label_selector.as_deref()?, true)
    }

    fn new(
        namespaces: Option<BTreeSet<IStr>>,
        selector: &LabelSelector,
        staying: bool,
    ) -> Option<Self> {
        let selector = Selector::try_from(selector).ok()?;
        let name = Name { namespaces, selector: selector.to_string(), staying };
        Some(Self { name, selector })
    }

    /// Whether the pod is one of them.
    pub(crate) fn has(&self, pod: &Pod) -> bool {
        let home = pod.namespace().unwrap_or_default();
        let is_near = |namespaces: &BTreeSet<IStr>| namespaces.contains(home);
        self.name.namespaces.as_ref().is_none_or(is_near)
            && !(self.name.staying && pod.is_deleting())
            && self.selector.selects(pod)
    }
}

/// The terms that a pod requires others to be near by.
pub(crate) fn near_terms(pod: &Pod) -> &[PodAffinityTerm] {
    let affinity = pod.spec.affinity.as_ref().and_then(|one| one.pod_affinity.as_deref());
    affinity.map_or(&[], |one| one.required_during_scheduling_ignored_during_execution.as_slice())
}

/// The terms that a pod requires others to be away by.
pub(crate) fn away_terms(pod: &Pod) -> &[PodAffinityTerm] {
    let affinity = pod.spec.affinity.as_ref().and_then(|one| one.pod_anti_affinity.as_deref());
    affinity.map_or(&[], |one| one.required_during_scheduling_ignored_during_execution.as_slice())
}

/// The circles that somebody asked for, and those that pods want away.
#[derive(Debug, Default)]
pub(crate) struct Companies {
    counted: BTreeMap<Name, Counted>,
    /// By the label that says what is near: where the pods are that want a circle away.
    shunned: BTreeMap<(Name, IStr), Counted>,
}

#[derive(Debug)]
struct Counted {
    circle: Circle,
    nodes: BTreeMap<IStr, usize>,
}

impl Counted {
    const fn new(circle: Circle) -> Self {
        Self { circle, nodes: BTreeMap::new() }
    }

    fn add(&mut self, node: &IStr) {
        *self.nodes.entry(node.clone()).or_default() += 1;
    }
}

impl Companies {
    /// A pod has a node now.
    pub(super) fn add(&mut self, pod: &Pod, node: &IStr) {
        for counted in self.counted.values_mut().filter(|one| one.circle.has(pod)) {
            counted.add(node);
        }
        for (circle, label) in shuns(pod) {
            let place = self.shunned.entry((circle.name.clone(), label));
            place.or_insert_with(|| Counted::new(circle)).add(node);
        }
    }

    /// A pod has left its node; it is as it was when it came.
    pub(super) fn remove(&mut self, pod: &Pod, node: &IStr) {
        for counted in self.counted.values_mut().filter(|one| one.circle.has(pod)) {
            lessen(&mut counted.nodes, node);
        }
        for (circle, label) in shuns(pod) {
            let place = (circle.name, label);
            if let Some(counted) = self.shunned.get_mut(&place) {
                lessen(&mut counted.nodes, node);
                if counted.nodes.is_empty() {
                    self.shunned.remove(&place);
                }
            }
        }
    }

    /// How many pods of a circle each node has; `pods` are all that there are, for one that is new.
    pub(super) fn counts<'a>(
        &mut self,
        circle: &Circle,
        pods: impl Iterator<Item = (&'a Pod, &'a IStr)>,
    ) -> &BTreeMap<IStr, usize> {
        if self.counted.len() >= CIRCLES && !self.counted.contains_key(&circle.name) {
            self.counted.clear();
        }
        let counted = self.counted.entry(circle.name.clone()).or_insert_with(|| {
            let mut counted = Counted::new(circle.clone());
            for (_, node) in pods.filter(|(pod, _)| circle.has(pod)) {
                counted.add(node);
            }
            counted
        });
        &counted.nodes
    }

    /// The nodes with pods that do not want this one near, each time with the label that says what is near.
    pub(crate) fn shunning(
        &self,
        pod: &Pod,
    ) -> impl Iterator<Item = (&IStr, &BTreeMap<IStr, usize>)> {
        let meant = self.shunned.iter().filter(|(_, counted)| counted.circle.has(pod));
        meant.map(|((_, label), counted)| (label, &counted.nodes))
    }
}

/// The circles that a pod wants away, and from where.
fn shuns(pod: &Pod) -> impl Iterator<Item = (Circle, IStr)> {
    let home = pod.namespace().unwrap_or_default();
    let circles = away_terms(pod).iter();
    circles.filter_map(move |term| Some((Circle::of_term(term, home)?, term.topology_key.clone())))
}
