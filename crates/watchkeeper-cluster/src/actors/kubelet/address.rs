//! Pod addresses: the lowest free one of a node's range.

use std::collections::{BTreeMap, BTreeSet};

/// The addresses that pods of one node hold.
#[derive(Debug)]
pub(crate) struct Addresses {
    /// The first three octets, e.g. `10.244.0`.
    prefix: String,
    /// Who holds which last octets; a node runs at most 253 pods with addresses of their own.
    held: BTreeMap<String, u8>,
}

impl Addresses {
    /// The range of the node with this index: `10.244.<index>.0/24`, then those of `10.245` and so on.
    pub(crate) fn of_node(index: u16) -> Self {
        let prefix = format!("10.{}.{}", 244 + index / 256, index % 256);
        Self { prefix, held: BTreeMap::new() }
    }

    /// The address of the pod with this uid: the one it holds, or the lowest free one. `None`
    /// when all are held.
    pub(crate) fn assign(&mut self, uid: &str) -> Option<String> {
        let last = match self.held.get(uid) {
            Some(last) => *last,
            None => {
                let taken: BTreeSet<u8> = self.held.values().copied().collect();
                let free = (2..=254).find(|last| !taken.contains(last))?;
                self.held.insert(uid.to_owned(), free);
                free
            }
        };
        Some(format!("{}.{last}", self.prefix))
    }

    /// Notes an address that a pod was seen with, as after a restart of the kubelet.
    pub(crate) fn learn(&mut self, uid: &str, address: &str) {
        let last = address.strip_prefix(&self.prefix).and_then(|rest| rest.strip_prefix('.'));
        if let Some(last) = last.and_then(|last| last.parse().ok()) {
            self.held.insert(uid.to_owned(), last);
        }
    }

    /// Frees the address of a pod that is gone.
    pub(crate) fn release(&mut self, uid: &str) {
        self.held.remove(uid);
    }
}
