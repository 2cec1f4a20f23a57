//! The status conditions of a namespace that is going.

use std::collections::BTreeMap;

use watchkeeper_api::core::v1::NamespaceCondition;
use watchkeeper_api::{Kind, List, Object, Time, Unstructured};

/// The content that has not ended yet.
#[derive(Debug, Default)]
pub(super) struct Remaining {
    /// Objects by resource (`pods.`, `deployments.apps`).
    resources: BTreeMap<String, usize>,
    /// Objects by the finalizer that holds them.
    finalizers: BTreeMap<String, usize>,
}

impl Remaining {
    /// Counts the objects of a kind that are left.
    pub(super) fn note(&mut self, kind: &Kind, objects: &[Unstructured]) {
        if objects.is_empty() {
            return;
        }
        let resource = format!("{}.{}", kind.plural, kind.group);
        self.resources.insert(resource, objects.len());
        for finalizer in objects.iter().flat_map(Object::finalizers) {
            *self.finalizers.entry(finalizer.to_owned()).or_default() += 1;
        }
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.resources.is_empty()
    }
}

/// The five conditions upstream reports, with the transition time kept where the value is.
pub(super) fn merge(
    old: &[NamespaceCondition],
    remaining: &Remaining,
    now: Time,
) -> List<NamespaceCondition> {
    let content = sentence(
        &remaining.resources,
        "Some resources are remaining: ",
        "has",
        "resource instances",
    );
    let finalizers = sentence(
        &remaining.finalizers,
        "Some content in the namespace has finalizers remaining: ",
        "in",
        "resource instances",
    );
    let fresh = [
        entry(
            "NamespaceDeletionDiscoveryFailure",
            None,
            "ResourcesDiscovered",
            "All resources successfully discovered",
        ),
        entry(
            "NamespaceDeletionGroupVersionParsingFailure",
            None,
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed",
        ),
        entry(
            "NamespaceDeletionContentFailure",
            None,
            "ContentDeleted",
            "All content successfully deleted, may be waiting on finalization",
        ),
        match &content {
            Some(text) => entry("NamespaceContentRemaining", Some(()), "SomeResourcesRemain", text),
            None => entry(
                "NamespaceContentRemaining",
                None,
                "ContentRemoved",
                "All content successfully removed",
            ),
        },
        match &finalizers {
            Some(text) => {
                entry("NamespaceFinalizersRemaining", Some(()), "SomeFinalizersRemain", text)
            }
            None => entry(
                "NamespaceFinalizersRemaining",
                None,
                "ContentHasNoFinalizers",
                "All content-preserving finalizers finished",
            ),
        },
    ];
    fresh.into_iter().map(|condition| timed(condition, old, now)).collect()
}

fn entry(type_: &str, holds: Option<()>, reason: &str, message: &str) -> NamespaceCondition {
    NamespaceCondition {
        type_: type_.into(),
        status: if holds.is_some() { "True" } else { "False" }.into(),
        reason: reason.into(),
        message: message.into(),
        last_transition_time: None,
    }
}

fn timed(
    mut condition: NamespaceCondition,
    old: &[NamespaceCondition],
    now: Time,
) -> NamespaceCondition {
    let before = old
        .iter()
        .find(|old| old.type_ == condition.type_ && old.status == condition.status)
        .and_then(|old| old.last_transition_time);
    condition.last_transition_time = Some(before.unwrap_or(now));
    condition
}

fn sentence(
    counts: &BTreeMap<String, usize>,
    start: &str,
    verb: &str,
    what: &str,
) -> Option<String> {
    if counts.is_empty() {
        return None;
    }
    let parts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{name} {verb} {count} {what}")).collect();
    Some(format!("{start}{}", parts.join(", ")))
}
