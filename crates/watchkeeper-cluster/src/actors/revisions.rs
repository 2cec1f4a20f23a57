//! The revisions of a daemon set or stateful set: what `kubectl rollout history` and `undo` read.
//!
//! Each keeps the set's template as a patch that leads back to it. A template that comes again is the same
//! revision with the newest number.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use watchkeeper_api::apps::v1::ControllerRevision;
use watchkeeper_api::core::v1::PodTemplateSpec;
use watchkeeper_api::json::{from_slice, to_vec};
use watchkeeper_api::{Object, Raw};
use watchkeeper_controller::{Context, Failure};

#[cfg(test)]
mod tests;

/// The label that tells the pods of one revision from another's (`apps/v1`
/// `ControllerRevisionHashLabelKey`).
pub(super) const HASH_LABEL: &str = "controller-revision-hash";

/// The patch that makes a set have this template.
pub(super) fn patch_to(template: &PodTemplateSpec) -> Raw {
    let mut template: Value = serde_json::from_slice(&to_vec(template)).unwrap_or_default();
    template["$patch"] = "replace".into();
    Raw::from(&json!({"spec": {"template": template}}))
}

/// The template that a revision leads back to; `None` for one that others made and cannot be read.
pub(super) fn template_of(revision: &ControllerRevision) -> Option<PodTemplateSpec> {
    let mut patch: Value = serde_json::from_str(revision.data.as_str()).ok()?;
    let template = patch.pointer_mut("/spec/template")?;
    template.as_object_mut()?.remove("$patch");
    from_slice(template.to_string().as_bytes()).ok()
}

/// Whether both lead back to the same template, however they spell it.
fn is_same(a: &Raw, b: &Raw) -> bool {
    let read = |raw: &Raw| serde_json::from_str::<Value>(raw.as_str()).ok();
    a == b || read(a).is_some_and(|a| read(b) == Some(a))
}

/// The revisions of a set, told apart; each list the oldest first.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Those that have the set's template. More than one only if somebody else made them.
    pub(super) current: Vec<Arc<ControllerRevision>>,
    /// All others.
    pub(super) old: Vec<Arc<ControllerRevision>>,
}

impl History {
    /// Tells the revisions of a set with this patch apart.
    pub(super) fn of(mut revisions: Vec<Arc<ControllerRevision>>, patch: &Raw) -> Self {
        revisions.sort_by(|a, b| {
            let age = |one: &ControllerRevision| {
                (one.revision, one.metadata.creation_timestamp, one.metadata.name.clone())
            };
            age(a).cmp(&age(b))
        });
        let (current, old) = revisions.into_iter().partition(|one| is_same(&one.data, patch));
        Self { current, old }
    }

    /// The number of the newest revision.
    pub(super) fn next_number(&self) -> i64 {
        self.old.last().map_or(0, |newest| newest.revision).saturating_add(1)
    }

    /// The old revisions beyond `limit` that are not in use, oldest first.
    pub(super) fn outdated(
        &self,
        limit: Option<i32>,
        is_used: impl Fn(&ControllerRevision) -> bool,
    ) -> Vec<Arc<ControllerRevision>> {
        let limit = usize::try_from(limit.unwrap_or(10)).unwrap_or(usize::MAX);
        let excess = self.old.len().saturating_sub(limit);
        self.old.iter().filter(|one| !is_used(one)).take(excess).cloned().collect()
    }
}

/// What became of the set's template.
pub(super) enum Settled {
    /// It is this revision.
    At(Arc<ControllerRevision>),
    /// The name of its revision is that of another one: the hash must change.
    Taken(watchkeeper_api::Error),
}

/// Finds the revision of a set's template, numbers it as the newest, or makes `fresh`.
pub(super) async fn settle(
    history: &History,
    mut fresh: ControllerRevision,
    ctx: &Context,
) -> Result<Settled, Failure> {
    let number = history.next_number();
    let Some(known) = history.current.last() else {
        fresh.revision = number;
        return make(&fresh, ctx).await;
    };
    if known.revision >= number {
        return Ok(Settled::At(known.clone()));
    }
    let renumber = |revision: &mut ControllerRevision| revision.revision = number;
    let edited = ctx.edit(known, renumber).await?;
    Ok(Settled::At(edited.map_or_else(|| known.clone(), Arc::new)))
}

async fn make(fresh: &ControllerRevision, ctx: &Context) -> Result<Settled, Failure> {
    let taken = match ctx.create(fresh).await {
        Ok(made) => return Ok(Settled::At(Arc::new(made))),
        Err(error) if error.is_already_exists() => error,
        Err(error) => return Err(error.into()),
    };
    let there = ctx.client().api_for(fresh).get(fresh.name()).await?;
    Ok(if is_same(&there.data, &fresh.data) {
        Settled::At(Arc::new(there))
    } else {
        Settled::Taken(taken)
    })
}

/// The hashes that pods are labelled with.
pub(super) fn hashes<'a, P: Object + 'a>(
    pods: impl IntoIterator<Item = &'a Arc<P>>,
) -> BTreeSet<String> {
    pods.into_iter().filter_map(|pod| pod.label(HASH_LABEL)).map(str::to_owned).collect()
}
