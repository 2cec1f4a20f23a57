//! What a handler is told of several changes at once, rightly and wrongly.

use std::sync::Arc;

use watchkeeper_api::Object as _;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Change, Delta, Replacement};

use super::{Listener, Shared, same};
use crate::bugs::Bug;
use crate::listener::lock;

impl Shared {
    /// Into a listener's inbox.
    pub(super) fn put(&self, listener: &Listener, change: Change<ConfigMap>) {
        let mut inbox = lock(&listener.inbox);
        let last = inbox.iter().rposition(|before| same(before, &change));
        if let Some(last) = last
            && listener.merges
            && !change.is_resync()
        {
            let before = inbox[last].clone();
            match self.join(before, change) {
                (None, None) => drop(inbox.remove(last)),
                (Some(one), None) => inbox[last] = one,
                (before, after) => {
                    before.into_iter().for_each(|before| inbox[last] = before);
                    inbox.extend(after);
                }
            }
            return;
        }
        if let Some(last) = last
            && self.has(Bug::OutOfOrder)
        {
            return inbox.insert(last, change);
        }
        inbox.push_back(change);
    }

    /// Two changes of one object as one, if that is no lie.
    fn join(
        &self,
        before: Change<ConfigMap>,
        after: Change<ConfigMap>,
    ) -> (Option<Change<ConfigMap>>, Option<Change<ConfigMap>>) {
        match (before, after) {
            (before, Change::Updated { .. })
                if self.has(Bug::MergeKeepsTheFirst) && !before.is_deleted() =>
            {
                (Some(before), None)
            }
            (Change::Added { initial, .. }, Change::Updated { new, .. }) => {
                (Some(Change::Added { new, initial }), None)
            }
            (Change::Updated { old, .. }, Change::Updated { new, .. }) => {
                (Some(Change::Updated { old, new }), None)
            }
            (Change::Updated { .. }, gone @ Change::Deleted { .. }) => (Some(gone), None),
            (Change::Added { .. }, Change::Deleted { .. }) => (None, None),
            (gone @ Change::Deleted { .. }, Change::Added { .. })
                if self.has(Bug::AddAfterDeleteLost) =>
            {
                (Some(gone), None)
            }
            (before, after) => (Some(before), Some(after)),
        }
    }

    /// What a list changed, as the bugs would have it.
    pub(super) fn spoil_list(&self, changes: &mut Vec<Change<ConfigMap>>) {
        if self.has(Bug::DeleteLostInList) {
            changes.retain(|change| !change.is_deleted());
        }
        if self.has(Bug::DeletedTwice) {
            let twice = std::mem::take(changes).into_iter().flat_map(|change| {
                let again = change.is_deleted().then(|| change.clone());
                again.into_iter().chain([change])
            });
            *changes = twice.collect();
        }
        if self.has(Bug::LivesAsOne) {
            *changes = merge_lives(std::mem::take(changes));
        }
    }

    /// The first half of a list, as if that were all.
    pub(super) fn half_of(&self, list: &Replacement<ConfigMap>) -> Delta<ConfigMap> {
        let items = list.items.iter().take(list.items.len() / 2).map(Arc::clone).collect();
        let version = list.version.clone();
        Delta::Replaced(Replacement { items, unreadable: Vec::new(), nameless: false, version })
    }
}

/// A deletion and an addition of one name as an update.
fn merge_lives(changes: Vec<Change<ConfigMap>>) -> Vec<Change<ConfigMap>> {
    let mut merged: Vec<Change<ConfigMap>> = Vec::new();
    for change in changes {
        let gone = merged.last().filter(|last| last.is_deleted()).map(Change::object);
        let gone = gone.filter(|gone| gone.name() == change.object().name()).cloned();
        match (gone, &change) {
            (Some(old), Change::Added { new, .. }) => {
                merged.pop();
                merged.push(Change::Updated { old, new: Arc::clone(new) });
            }
            _ => merged.push(change),
        }
    }
    merged
}
