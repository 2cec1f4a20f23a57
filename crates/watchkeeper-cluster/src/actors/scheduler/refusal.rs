//! What is said of a pod that no node takes.

use std::collections::BTreeMap;

use watchkeeper_api::core::v1::Pod;

/// Why a node does not take a pod.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Objection {
    pub(crate) reasons: Vec<String>,
    /// Whether it may when others have left the node.
    pub(crate) is_passing: bool,
}

impl Objection {
    /// One that stays whatever pods do.
    pub(crate) fn lasting(reason: &str) -> Self {
        Self { reasons: vec![reason.to_owned()], is_passing: false }
    }

    /// One that may be gone when pods are.
    pub(crate) fn passing(reason: &str) -> Self {
        Self { reasons: vec![reason.to_owned()], is_passing: true }
    }
}

/// What becomes of a pod that no node takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// What upstream's scheduler says in the event and in the condition.
    pub(crate) message: String,
    pub(crate) help: Help,
}

/// Which pods may help one that was refused. A change of a node, or of its own, always may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Help {
    /// One that leaves a node.
    pub(crate) leaving: bool,
    /// One that comes to a node.
    pub(crate) coming: bool,
}

impl Refusal {
    pub(crate) fn without_nodes() -> Self {
        Self { message: "no nodes available to schedule pods".to_owned(), help: Help::default() }
    }

    /// No node was asked, for the sake of the pod itself.
    pub(crate) fn at_once(pod: &Pod, why: &str, nodes: usize) -> Self {
        let mut message = format!("0/{nodes} nodes are available: {why}.");
        message.extend(preemption(pod, nodes, 0));
        Self { message, help: Help::default() }
    }
}

/// The objections of all nodes.
#[derive(Debug)]
pub(crate) struct Tally<'a> {
    pod: &'a Pod,
    nodes: usize,
    asked: usize,
    reasons: BTreeMap<String, usize>,
    /// The nodes that might take the pod without others.
    passing: usize,
    /// Whether upstream would see whether it takes to let lesser pods go.
    has_victims: bool,
}

impl<'a> Tally<'a> {
    pub(crate) const fn new(pod: &'a Pod, nodes: usize) -> Self {
        Self { pod, nodes, asked: 0, reasons: BTreeMap::new(), passing: 0, has_victims: false }
    }

    /// Counts the objection of a node; `has_victims` says whether a pod of less priority is there.
    pub(crate) fn note(&mut self, objection: Objection, has_victims: bool) {
        self.asked += 1;
        self.passing += usize::from(objection.is_passing);
        self.has_victims |= objection.is_passing && has_victims;
        for reason in objection.reasons {
            *self.reasons.entry(reason).or_default() += 1;
        }
    }

    /// What all of it comes to.
    pub(crate) fn refusal(mut self, waits_for_others: bool) -> Refusal {
        if self.asked < self.nodes {
            let reason = "node(s) didn't satisfy plugin(s) [NodeAffinity]".to_owned();
            *self.reasons.entry(reason).or_default() += self.nodes - self.asked;
        }
        let mut message = sentence(self.nodes, &self.reasons);
        if !self.has_victims {
            message.extend(preemption(self.pod, self.nodes, self.passing));
        }
        let help = Help { leaving: self.passing > 0, coming: waits_for_others };
        Refusal { message, help }
    }
}

fn sentence(nodes: usize, reasons: &BTreeMap<String, usize>) -> String {
    let mut parts: Vec<String> =
        reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    parts.sort();
    format!("0/{nodes} nodes are available: {}.", parts.join(", "))
}

/// What upstream's scheduler adds when there is nobody whom it could preempt: on `passing` of the nodes it looked for
/// pods of less priority.
fn preemption(pod: &Pod, nodes: usize, passing: usize) -> Option<String> {
    if pod.spec.preemption_policy.as_deref() == Some("Never") {
        return Some(" preemption: not eligible due to preemptionPolicy=Never.".to_owned());
    }
    let reasons = BTreeMap::from([
        ("Preemption is not helpful for scheduling".to_owned(), nodes - passing),
        ("No preemption victims found for incoming pod".to_owned(), passing),
    ]);
    let reasons = reasons.into_iter().filter(|(_, count)| *count > 0).collect();
    Some(format!(" preemption: {}", sentence(nodes, &reasons)))
}
