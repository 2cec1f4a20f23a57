//! Who owns whom: the garbage collector's memory, and what it decides from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use watchkeeper_api::{Kind, Object, ObjectKey};

/// The finalizer of an owner that waits for its dependents (`metav1.FinalizerDeleteDependents`).
pub(crate) const FOREGROUND: &str = "foregroundDeletion";
/// The finalizer of an owner that lets its dependents go (`metav1.FinalizerOrphanDependents`).
pub(crate) const ORPHAN: &str = "orphan";

/// An object as the collector knows it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// What it is, so that it can be asked for and deleted.
    pub(crate) kind: Arc<Kind>,
    pub(crate) key: ObjectKey,
    pub(crate) uid: String,
    pub(crate) owners: Vec<OwnerLink>,
    pub(crate) deleting: bool,
    pub(crate) foreground: bool,
    pub(crate) orphan: bool,
}

/// One owner reference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OwnerLink {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) uid: String,
    pub(crate) blocks: bool,
}

impl Node {
    /// Reads the node off an object.
    pub(crate) fn of(kind: &Arc<Kind>, object: &impl Object) -> Self {
        let has = |name: &str| object.finalizers().any(|finalizer| finalizer == name);
        Self {
            kind: kind.clone(),
            key: object.key(),
            uid: object.uid().to_owned(),
            owners: object
                .owners()
                .map(|owner| OwnerLink {
                    api_version: owner.api_version.to_owned(),
                    kind: owner.kind.to_owned(),
                    name: owner.name.to_owned(),
                    uid: owner.uid.to_owned(),
                    blocks: owner.block_owner_deletion,
                })
                .collect(),
            deleting: object.is_deleting(),
            foreground: has(FOREGROUND),
            orphan: has(ORPHAN),
        }
    }
}

/// What to do with one object.
#[derive(Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Nothing: its owners stand, or it has none.
    Keep,
    /// These owners are not known; ask the server whether they exist before anything is deleted.
    Ask(Vec<OwnerLink>),
    /// No owner is left: delete it. With `foreground`, its own dependents go first.
    Delete {
        /// An owner waits for it, and it has dependents of its own.
        foreground: bool,
    },
    /// Some owner stands: only forget these, by uid.
    Forget(Vec<String>),
    /// It is going in the foreground: these dependents keep it, and have to be looked at.
    Await(Vec<String>),
    /// It waits for an owner and has dependents that wait for it: its references must not block any more.
    Unblock,
    /// It is going and lets its dependents stay: these forget it.
    Release(Vec<String>),
    /// Nothing holds it any longer: take this finalizer off.
    Finish(&'static str),
}

/// The objects by uid, the references between them, and the owners known to be gone.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    nodes: BTreeMap<String, Node>,
    /// Every uid that some node names as owner, with the nodes that do.
    dependents: BTreeMap<String, BTreeSet<String>>,
    /// Owners that went, or that the server does not have where their dependents look for them, and
    /// whether they are of a kind that lives in namespaces. Uids are never used again, so this
    /// stays true.
    absent: BTreeMap<String, bool>,
}

/// What is known of an owner, as seen from a dependent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Stands,
    Gone,
    Unknown,
}

impl Graph {
    /// Takes in an object that came or changed. Returns the uids to look at again.
    pub(crate) fn observe(&mut self, node: Node) -> Vec<String> {
        let loosened = self.loosened(&node);
        self.unlink(&node.uid);
        for owner in &node.owners {
            self.dependents.entry(owner.uid.clone()).or_default().insert(node.uid.clone());
        }
        let mut again = vec![node.uid.clone()];
        again.extend(loosened);
        if node.deleting {
            again.extend(node.owners.iter().map(|owner| owner.uid.clone()));
            again.extend(self.dependents_of(&node.uid));
        }
        self.absent.remove(&node.uid);
        self.nodes.insert(node.uid.clone(), node);
        again
    }

    /// The references that this object brings with it, its own and those to it, whose owner is in another namespace
    /// than its dependent. To be asked for before the object is taken in.
    pub(crate) fn misplaced(&self, node: &Node) -> Vec<(Node, OwnerLink)> {
        let elsewhere = |owner: &Node, dependent: &Node| {
            let home = owner.key.namespace();
            home.is_some() && home != dependent.key.namespace()
        };
        let known = self.nodes.get(&node.uid);
        let is_new = |owner: &&OwnerLink| {
            known.is_none_or(|known| !known.owners.iter().any(|old| old.uid == owner.uid))
        };
        let is_misplaced = |owner: &&OwnerLink| {
            self.nodes.get(&owner.uid).is_some_and(|owner| elsewhere(owner, node))
        };
        let own = node.owners.iter().filter(is_new).filter(is_misplaced);
        let mut misplaced: Vec<_> = own.map(|owner| (node.clone(), owner.clone())).collect();
        if known.is_none() {
            let dependents = self.dependents.get(&node.uid).into_iter().flatten();
            let dependents = dependents.filter_map(|uid| self.nodes.get(uid));
            for dependent in dependents.filter(|dependent| elsewhere(node, dependent)) {
                let links = dependent.owners.iter().filter(|owner| owner.uid == node.uid);
                misplaced.extend(links.take(1).map(|link| (dependent.clone(), link.clone())));
            }
        }
        misplaced
    }

    /// Takes out an object that is gone. Returns the uids to look at again: its dependents, and
    /// the owners that may have waited for it.
    pub(crate) fn forget(&mut self, uid: &str) -> Vec<String> {
        self.unlink(uid);
        let mut again = self.dependents_of(uid);
        let Some(node) = self.nodes.remove(uid) else { return again };
        if self.dependents.contains_key(uid) {
            self.absent.insert(uid.to_owned(), node.key.namespace().is_some());
        }
        again.extend(node.owners.into_iter().map(|owner| owner.uid));
        again
    }

    /// Takes out all objects of a kind that is gone for good, and its objects with it. Returns the
    /// uids to look at again.
    pub(crate) fn forget_kind(&mut self, group: &str, plural: &str) -> Vec<String> {
        let of_kind = |node: &&Node| node.kind.group == group && node.kind.plural == plural;
        let gone: Vec<String> =
            self.nodes.values().filter(of_kind).map(|node| node.uid.clone()).collect();
        gone.iter().flat_map(|uid| self.forget(uid)).collect()
    }

    /// The owners that the object named before and no longer names in the same way: one that waits
    /// for its dependents may have waited for this.
    fn loosened(&self, node: &Node) -> Vec<String> {
        let before = self.nodes.get(&node.uid).map_or(&[][..], |known| &known.owners);
        let gone = before.iter().filter(|owner| !node.owners.contains(owner));
        gone.map(|owner| owner.uid.clone()).collect()
    }

    fn unlink(&mut self, uid: &str) {
        let Some(node) = self.nodes.get(uid) else { return };
        for owner in &node.owners {
            if let Some(set) = self.dependents.get_mut(&owner.uid) {
                set.remove(uid);
                if set.is_empty() {
                    self.dependents.remove(&owner.uid);
                    self.absent.remove(&owner.uid);
                }
            }
        }
    }

    /// Notes that the server does not know this owner, whose kind lives in namespaces or not.
    pub(crate) fn is_absent(&mut self, uid: &str, namespaced: bool) {
        self.absent.insert(uid.to_owned(), namespaced);
    }

    /// An owner lives in the namespace of its dependent, or in none. One that is elsewhere is none
    /// at all; an object of the cluster that names one is left alone, as upstream does.
    fn standing(&self, node: &Node, owner: &OwnerLink) -> Standing {
        let absent = self.absent.get(&owner.uid);
        let namespaced = match self.nodes.get(&owner.uid) {
            Some(owner) if owner.key.namespace().is_none() => return Standing::Stands,
            Some(owner) if owner.key.namespace() == node.key.namespace() => {
                return Standing::Stands;
            }
            Some(_) => true,
            None => absent.copied().unwrap_or(false),
        };
        match absent {
            _ if namespaced && node.key.namespace().is_none() => Standing::Stands,
            Some(_) => Standing::Gone,
            None => Standing::Unknown,
        }
    }

    /// The object with this uid.
    pub(crate) fn get(&self, uid: &str) -> Option<&Node> {
        self.nodes.get(uid)
    }

    fn dependents_of(&self, uid: &str) -> Vec<String> {
        self.dependents.get(uid).into_iter().flatten().cloned().collect()
    }

    /// Decides about one object.
    pub(crate) fn judge(&self, uid: &str) -> Verdict {
        let Some(node) = self.nodes.get(uid) else { return Verdict::Keep };
        if node.deleting {
            return self.judge_leaving(node);
        }
        let unknown: Vec<OwnerLink> = node
            .owners
            .iter()
            .filter(|owner| self.standing(node, owner) == Standing::Unknown)
            .cloned()
            .collect();
        if !unknown.is_empty() {
            return Verdict::Ask(unknown);
        }
        self.judge_owned(node)
    }

    fn judge_owned(&self, node: &Node) -> Verdict {
        let waiting = |owner: &&OwnerLink| {
            self.nodes.get(&owner.uid).is_some_and(|owner| owner.deleting && owner.foreground)
        };
        let gone = |owner: &&OwnerLink| self.standing(node, owner) == Standing::Gone;
        let loose: Vec<&OwnerLink> =
            node.owners.iter().filter(|owner| gone(owner) || waiting(owner)).collect();
        if loose.is_empty() {
            Verdict::Keep
        } else if loose.len() < node.owners.len() {
            Verdict::Forget(loose.into_iter().map(|owner| owner.uid.clone()).collect())
        } else {
            let awaited = node.owners.iter().any(|owner| waiting(&owner));
            let foreground = awaited && self.dependents.contains_key(&node.uid);
            match foreground && self.may_be_in_a_circle(node) {
                true => Verdict::Unblock,
                false => Verdict::Delete { foreground },
            }
        }
    }

    /// Whether owners wait for this object that may wait for one another. Upstream does not look further either.
    fn may_be_in_a_circle(&self, node: &Node) -> bool {
        let waits = |uid: &String| {
            self.nodes.get(uid).is_some_and(|dependent| dependent.deleting && dependent.foreground)
        };
        node.owners.iter().any(|owner| owner.blocks)
            && self.dependents.get(&node.uid).into_iter().flatten().any(waits)
    }

    fn judge_leaving(&self, node: &Node) -> Verdict {
        let dependents = self.dependents_of(&node.uid);
        if node.orphan {
            return if dependents.is_empty() {
                Verdict::Finish(ORPHAN)
            } else {
                Verdict::Release(dependents)
            };
        }
        if !node.foreground {
            return Verdict::Keep;
        }
        let own = |uid: &String| {
            let place = self.nodes.get(uid).map(|dependent| dependent.key.namespace());
            node.key.namespace().is_none() || place == Some(node.key.namespace())
        };
        let dependents: Vec<String> = dependents.into_iter().filter(own).collect();
        let blocks = |uid: &String| {
            self.nodes.get(uid).is_some_and(|dependent| {
                dependent.owners.iter().any(|owner| owner.uid == node.uid && owner.blocks)
            })
        };
        let blocking: Vec<String> = dependents.into_iter().filter(blocks).collect();
        if blocking.is_empty() {
            return Verdict::Finish(FOREGROUND);
        }
        let fresh = |uid: &String| self.nodes.get(uid).is_some_and(|node| !node.deleting);
        let fresh: Vec<String> = blocking.into_iter().filter(fresh).collect();
        if fresh.is_empty() { Verdict::Keep } else { Verdict::Await(fresh) }
    }
}
