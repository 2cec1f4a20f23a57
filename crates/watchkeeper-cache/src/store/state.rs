//! What a delta changes: the decisions of the store, without its locks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use watchkeeper_api::ObjectKey;

use super::by_key::Listed;
use super::index::{AnyIndex, Plan};
use super::tree::Tree;
use crate::change::Change;
use crate::delta::Replacement;
use crate::item::{Item, unchanged};
use crate::version::Version;

/// Everything a reader can see, changed as one.
pub(super) struct Tables<K> {
    pub(super) objects: Tree<ObjectKey, Arc<K>>,
    pub(super) indices: BTreeMap<u64, Box<dyn AnyIndex<K>>>,
    next_slot: u64,
    pub(super) version: String,
    /// The greatest version seen since the last list.
    pub(super) reached: Option<Version>,
    /// Whether a list was applied.
    pub(super) filled: bool,
    /// Objects come in another order than the server's, and their versions tell nothing.
    pub(super) paced: bool,
}

/// One object's step. Both sides are never empty at once, except for the deletion of what was not there.
pub(super) struct Edit<K> {
    pub(super) key: ObjectKey,
    pub(super) old: Option<Arc<K>>,
    pub(super) new: Option<Arc<K>>,
}

impl<K: Item> Tables<K> {
    pub(super) fn add(&mut self, index: impl AnyIndex<K> + 'static) -> u64 {
        let slot = self.next_slot;
        self.next_slot += 1;
        self.indices.insert(slot, Box::new(index));
        slot
    }

    /// What vanished first, in the order of the keys, then what is new or different, in the list's order
    /// (C-44: handlers hear of deletions before they hear of the rest).
    pub(super) fn replace(
        &self,
        list: Replacement<K>,
        known: impl Fn(&ObjectKey) -> Option<Arc<K>>,
    ) -> Vec<Edit<K>> {
        let of_list = list.items.into_iter().map(|new| {
            let key = new.item_key();
            Edit { old: known(&key), new: Some(new), key }
        });
        let mut of_list: Vec<Edit<K>> = of_list.collect();
        let listed = Listed::new(&of_list);
        let spared: BTreeSet<ObjectKey> = list.unreadable.into_iter().collect();
        // One whose key is not known may be any of them.
        let is_gone = |key: &ObjectKey| !list.nameless && !listed.has(key) && !spared.contains(key);
        let vanished = self.objects.iter().filter(|(key, _)| is_gone(key));
        let mut edits: Vec<Edit<K>> = vanished
            .map(|(key, old)| Edit { key: key.clone(), old: Some(Arc::clone(old)), new: None })
            .collect();
        let superseded = listed.superseded();
        let mut places = 0..;
        of_list.retain(|edit| {
            let again = places.next().is_some_and(|place: usize| superseded.contains(&place));
            !again && !edit.is_idle()
        });
        edits.append(&mut of_list);
        edits
    }

    /// What the edits do to each index. Calls the index functions; nothing has changed yet.
    pub(super) fn plan(&self, edits: &[Edit<K>]) -> BTreeMap<u64, Plan> {
        self.indices.iter().map(|(slot, index)| (*slot, index.plan(edits))).collect()
    }

    /// Does the edits. Of indices whose values panicked the slots: they have to be made anew.
    #[must_use]
    pub(super) fn commit(
        &mut self,
        edits: impl IntoIterator<Item = Edit<K>>,
        mut plans: BTreeMap<u64, Plan>,
    ) -> Vec<u64> {
        for Edit { key, new, .. } in edits {
            match new {
                Some(object) => drop(self.objects.insert(key, object)),
                None => drop(self.objects.remove(&key)),
            }
        }
        let mut broken = Vec::new();
        for (slot, index) in &mut self.indices {
            if let Some(plan) = plans.remove(slot)
                && !index.commit(plan)
            {
                broken.push(*slot);
            }
        }
        broken
    }

    /// An index made anew of the objects, beside the one that there is.
    pub(super) fn anew(&self, slot: u64) -> Option<Box<dyn AnyIndex<K>>> {
        self.indices.get(&slot).map(|index| index.anew(&self.objects))
    }

    /// A bookmark moved the version; back only if the order is not the server's, which tells of a list.
    pub(super) fn come_to(&mut self, version: String) {
        if self.paced && !version.is_empty() {
            self.restart(version);
        } else {
            self.advance(version);
        }
    }

    /// An event or a bookmark moved the version on.
    pub(super) fn advance(&mut self, version: String) {
        if version.is_empty() || self.paced {
            return;
        }
        self.reached = self.reached.max(Version::parse(&version));
        self.version = version;
    }

    /// A list set the version, perhaps back: the server may have been restored.
    pub(super) fn restart(&mut self, version: String) {
        self.reached = Version::parse(&version);
        self.version = version;
    }

    /// A second set of tables that shares everything with this one.
    pub(super) fn fork(&self) -> Self {
        Self {
            objects: self.objects.clone(),
            indices: self.indices.iter().map(|(slot, index)| (*slot, index.fork())).collect(),
            next_slot: self.next_slot,
            version: self.version.clone(),
            reached: self.reached,
            filled: self.filled,
            paced: self.paced,
        }
    }
}

impl<K: Item> Default for Tables<K> {
    fn default() -> Self {
        Self {
            objects: Tree::new(),
            indices: BTreeMap::new(),
            next_slot: 0,
            version: String::new(),
            reached: None,
            filled: false,
            paced: false,
        }
    }
}

impl<K: Item> Edit<K> {
    pub(super) fn version(&self) -> &str {
        self.new.as_ref().or(self.old.as_ref()).map_or("", |object| object.item_version())
    }

    /// Whether the very same version was there already: the old value stays, and nobody is told.
    pub(super) fn is_idle(&self) -> bool {
        matches!((&self.old, &self.new), (Some(old), Some(new)) if unchanged(&**old, &**new))
    }

    /// What handlers are told. A name that came back with another uid lived twice: that is a deletion, not
    /// seen, and an addition.
    pub(super) fn changes(&self, initial: bool) -> Vec<Change<K>> {
        let unseen =
            |last: &Arc<K>| Change::Deleted { last: Arc::clone(last), final_state_unknown: true };
        match (&self.old, &self.new) {
            (None, None) => Vec::new(),
            (None, Some(new)) => vec![Change::Added { new: Arc::clone(new), initial }],
            (Some(old), None) => vec![unseen(old)],
            (Some(old), Some(new)) if old.item_uid() == new.item_uid() => {
                vec![Change::Updated { old: Arc::clone(old), new: Arc::clone(new) }]
            }
            (Some(old), Some(new)) => {
                vec![unseen(old), Change::Added { new: Arc::clone(new), initial: false }]
            }
        }
    }
}
