//! The status conditions of a namespace that is going.

use std::collections::BTreeMap;

use watchkeeper_api::core::v1::NamespaceCondition;
use watchkeeper_api::{List, Time};

use super::remaining::Remaining;

/// Tells the five conditions that upstream reports, each where it stands already, or behind those of others. The time
/// of transition is kept where the value is.
pub(super) fn merge(
    old: &[NamespaceCondition],
    remaining: &Remaining,
    now: Time,
) -> List<NamespaceCondition> {
    let mut merged = old.to_vec();
    for fresh in [
        discovery(remaining),
        of("NamespaceDeletionGroupVersionParsingFailure", None, PARSED),
        deletion(remaining),
        content(remaining),
        finalizers(remaining),
    ] {
        let known = merged.iter_mut().find(|known| known.type_ == fresh.type_);
        match known {
            Some(known) => {
                let since = known.last_transition_time.filter(|_| known.status == fresh.status);
                *known = NamespaceCondition { last_transition_time: since.or(Some(now)), ..fresh };
            }
            None => {
                merged.push(NamespaceCondition { last_transition_time: Some(now), ..fresh });
            }
        }
    }
    merged.into()
}

/// A reason and a message.
type Said<'a> = (&'a str, &'a str);

const DISCOVERED: Said<'_> = ("ResourcesDiscovered", "All resources successfully discovered");
const PARSED: Said<'_> = ("ParsedGroupVersions", "All legacy kube types successfully parsed");
const DELETED: Said<'_> =
    ("ContentDeleted", "All content successfully deleted, may be waiting on finalization");
const REMOVED: Said<'_> = ("ContentRemoved", "All content successfully removed");
const FINISHED: Said<'_> = ("ContentHasNoFinalizers", "All content-preserving finalizers finished");

/// A condition that holds for this reason, or else does not.
fn of(type_: &str, holds: Option<Said<'_>>, otherwise: Said<'_>) -> NamespaceCondition {
    let (reason, message) = holds.unwrap_or(otherwise);
    NamespaceCondition {
        type_: type_.into(),
        status: if holds.is_some() { "True" } else { "False" }.into(),
        reason: reason.into(),
        message: message.into(),
        last_transition_time: None,
    }
}

fn discovery(remaining: &Remaining) -> NamespaceCondition {
    let why = remaining.undiscovered.as_deref().map(|why| ("DiscoveryFailed", why));
    of("NamespaceDeletionDiscoveryFailure", why, DISCOVERED)
}

fn deletion(remaining: &Remaining) -> NamespaceCondition {
    let mut failures = remaining.failures.clone();
    failures.sort();
    let (count, failures) = (failures.len(), failures.join(", "));
    let message = format!("Failed to delete all resource types, {count} remaining: {failures}");
    let why = (count > 0).then_some(("ContentDeletionFailed", message.as_str()));
    of("NamespaceDeletionContentFailure", why, DELETED)
}

fn content(remaining: &Remaining) -> NamespaceCondition {
    let resources = sentence(&remaining.resources, "has");
    let message = format!("Some resources are remaining: {resources}");
    let why = (!resources.is_empty()).then_some(("SomeResourcesRemain", message.as_str()));
    of("NamespaceContentRemaining", why, REMOVED)
}

fn finalizers(remaining: &Remaining) -> NamespaceCondition {
    let finalizers = sentence(&remaining.finalizers, "in");
    let message = format!("Some content in the namespace has finalizers remaining: {finalizers}");
    let why = (!finalizers.is_empty()).then_some(("SomeFinalizersRemain", message.as_str()));
    of("NamespaceFinalizersRemaining", why, FINISHED)
}

fn sentence(counts: &BTreeMap<String, usize>, verb: &str) -> String {
    let part =
        |(name, count): (&String, &usize)| format!("{name} {verb} {count} resource instances");
    let parts: Vec<String> = counts.iter().map(part).collect();
    parts.join(", ")
}
