//! Pods that say little: a name of 20 letters, a version, and a node.

use bench_decode::pods::random::Random;
use std::sync::Arc;
use watchkeeper_api::core::v1::{Pod, PodSpec};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{IStr, Object, ObjectKey};
use watchkeeper_cache::{Delta, Index, Replacement, Store};

/// Pods of a node.
pub const OF_NODE: usize = 30;

pub struct Objects {
    pub store: Store<Pod>,
    pub by_node: Index<Pod, IStr>,
    /// In no order, and as readers have them: texts of their own, made one after the other.
    pub keys: Vec<ObjectKey>,
    pub nodes: Vec<IStr>,
    /// The first is in the store.
    pub versions: [Vec<Arc<Pod>>; 2],
}

impl Objects {
    pub fn make(count: usize) -> Self {
        let versions = [1, 2].map(|version| {
            names(count).enumerate().map(|(at, name)| Arc::new(pod(at, &name, version))).collect()
        });
        let [first, _]: &[Vec<Arc<Pod>>; 2] = &versions;
        let store = Store::new();
        let by_node = store.index(|pod: &Pod| [pod.spec.node_name.clone()]);
        let items = first.clone();
        store.apply(Delta::Replaced(Replacement {
            items,
            unreadable: Vec::new(),
            nameless: false,
            version: "1".to_owned(),
        }));
        let mut asked: Vec<_> = first.iter().collect();
        shuffle(&mut asked);
        let keys = asked.iter().map(|pod| copied(&pod.key())).collect();
        // The last node may have fewer.
        let mut nodes: Vec<_> = (0..count / OF_NODE).map(node).collect();
        shuffle(&mut nodes);
        Self { store, by_node, keys, nodes, versions }
    }
}

/// The same key, but not the same text.
fn copied(key: &ObjectKey) -> ObjectKey {
    ObjectKey { namespace: IStr::unique(&key.namespace), name: IStr::unique(&key.name) }
}

pub fn names(count: usize) -> impl Iterator<Item = String> {
    let mut random = Random::new(1, 1);
    (0..count).map(move |_| random.text(b"abcdefghijklmnopqrstuvwxyz", 20))
}

fn pod(at: usize, name: &str, version: u32) -> Pod {
    let metadata = ObjectMeta {
        namespace: "default".into(),
        name: name.into(),
        uid: format!("uid-of-{name}").into(),
        resource_version: version.to_string().into(),
        ..ObjectMeta::default()
    };
    let spec = PodSpec { node_name: node(at / OF_NODE), ..PodSpec::default() };
    Pod { metadata, spec, ..Pod::default() }
}

fn node(number: usize) -> IStr {
    format!("node-{number}").into()
}

fn shuffle<T>(all: &mut [T]) {
    let mut random = Random::new(2, 2);
    for at in (1..all.len()).rev() {
        all.swap(at, random.below(at as u64 + 1) as usize);
    }
}
