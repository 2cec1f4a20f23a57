use std::collections::BTreeMap;
use std::ops::Range;

use proptest::prelude::*;

use super::node::{FULL, before, place};
use super::{Below, Counted, Node, Tree};

/// Three levels deep, with several branches: a branch of full leaves has 1,024 keys.
const KEYS: u16 = if cfg!(miri) { 2200 } else { 6000 };
/// A map of each and a look at all of it cost much under Miri.
const CASES: u32 = if cfg!(miri) { 1 } else { 16 };
const STEPS: usize = if cfg!(miri) { 12 } else { 120 };

impl Counted for u16 {
    fn look(&self) -> usize {
        0
    }
}

#[derive(Clone, Debug)]
enum Step {
    Insert(u16, u16),
    Remove(u16),
    /// Keys that follow each other, as of a namespace that is filled.
    Fill(Range<u16>),
    /// Keys that follow each other, as of a namespace that is emptied: upwards or downwards.
    Drain(Range<u16>, bool),
    Snapshot,
}

fn range() -> impl Strategy<Value = Range<u16>> {
    (0..KEYS, 1..KEYS / 3).prop_map(|(from, len)| from..(from + len).min(KEYS))
}

/// Begins with a copy that has many keys: what is wrong with few is wrong after the draining, too.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..KEYS, any::<u16>()).prop_map(|(k, v)| Step::Insert(k, v)),
        4 => (0..KEYS).prop_map(Step::Remove),
        1 => range().prop_map(Step::Fill),
        2 => (range(), any::<bool>()).prop_map(|(range, up)| Step::Drain(range, up)),
        1 => Just(Step::Snapshot),
    ];
    prop::collection::vec(step, 0..STEPS).prop_map(|mut steps| {
        steps.insert(0, Step::Fill(0..KEYS));
        steps
    })
}

fn do_in_both(step: &Step, tree: &mut Tree<u16, u16>, map: &mut BTreeMap<u16, u16>) {
    let mut insert = |k, v| assert_eq!(tree.insert(k, v), map.insert(k, v), "insert {k}");
    match step {
        Step::Insert(k, v) => insert(*k, *v),
        Step::Fill(keys) => keys.clone().for_each(|k| insert(k, k)),
        Step::Remove(k) => assert_eq!(tree.remove(k), map.remove(k), "remove {k}"),
        Step::Drain(keys, up) => {
            let (mut up_keys, mut down_keys) = (keys.clone(), keys.clone().rev());
            let keys: &mut dyn Iterator<Item = u16> =
                if *up { &mut up_keys } else { &mut down_keys };
            keys.for_each(|k| assert_eq!(tree.remove(&k), map.remove(&k), "remove {k}"));
        }
        Step::Snapshot => {}
    }
}

/// Panics unless every key is where a look-up goes, every leaf is as deep as the others, and no node is
/// over-full, or empty but for the root.
fn check(tree: &Tree<u16, u16>) {
    let mut depths = Vec::new();
    check_node(&tree.root, 0..u32::MAX, 0, &mut depths);
    assert!(depths.windows(2).all(|two| two[0] == two[1]), "leaves at depths {depths:?}");
    assert_eq!(tree.iter().count(), tree.len());
}

/// `within`: what a look-up that comes here looks for.
fn check_node(node: &Node<u16, u16>, within: Range<u32>, depth: u32, depths: &mut Vec<u32>) {
    let keys: Vec<u32> = node.keys.iter().map(|key| u32::from(*key)).collect();
    assert!(keys.len() <= FULL && (depth == 0 || !keys.is_empty()), "{} keys", keys.len());
    assert!(keys.windows(2).all(|two| two[0] < two[1]), "out of order: {keys:?}");
    assert!(keys.iter().all(|key| within.contains(key)), "{keys:?} outside of {within:?}");
    match &node.below {
        Below::Values(values) => {
            assert_eq!(values.len(), keys.len());
            depths.push(depth);
        }
        Below::Children(children) => {
            assert_eq!(children.len(), keys.len());
            for (at, child) in children.iter().enumerate() {
                let from = if at == 0 { within.start } else { keys[at] };
                let to = keys.get(at + 1).copied().unwrap_or(within.end);
                check_node(child, from..to, depth + 1, depths);
            }
        }
    }
}

fn check_same(tree: &Tree<u16, u16>, map: &BTreeMap<u16, u16>) {
    assert!(tree.values().eq(map.values()));
    assert_eq!(tree.len(), map.len());
    assert!(tree.iter().map(|(k, v)| (*k, *v)).eq(map.iter().map(|(k, v)| (*k, *v))));
    for key in 0..KEYS {
        assert_eq!(tree.get(&key), map.get(&key), "look-up of {key}");
    }
    for key in (0..KEYS).step_by(7) {
        let from: Vec<u16> = tree.iter_from(|k| *k < key).map(|(k, _)| *k).take(3).collect();
        let expected: Vec<u16> = map.range(key..).map(|(k, _)| *k).take(3).collect();
        assert_eq!(from, expected, "from {key}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn it_is_a_map_and_its_snapshots_stand_still(steps in steps()) {
        let (mut tree, mut map) = (Tree::new(), BTreeMap::new());
        let mut snapshots = Vec::new();
        for step in steps {
            do_in_both(&step, &mut tree, &mut map);
            check(&tree);
            if matches!(step, Step::Snapshot) {
                snapshots.push((tree.clone(), map.clone()));
            }
        }
        snapshots.push((tree, map));
        for (tree, map) in &snapshots {
            check(tree);
            check_same(tree, map);
        }
    }
}

/// Two branches become one, of which the upper has keys below the first that it names: its first child was
/// emptied, and what came after that went to the next, which has room for it or is split.
#[test]
fn a_search_in_steps_finds_every_place() {
    for len in 0..=FULL + 1 {
        let keys: Vec<usize> = (0..len).map(|at| 2 * at + 1).collect();
        for key in 0..=2 * len + 1 {
            assert_eq!(place(&keys, &key), keys.binary_search(&key), "{key} of {len}");
            assert_eq!(
                before(&keys, |known| *known < key),
                keys.partition_point(|known| *known < key)
            );
        }
    }
}

#[test]
fn branches_that_are_merged_lose_no_key() {
    for drained in [1024..1060, 1024..1056] {
        let (mut tree, mut map) = (Tree::new(), BTreeMap::new());
        let steps = [
            Step::Fill(0..1100),
            Step::Drain(drained, true),
            Step::Insert(1030, 1),
            Step::Drain(0..608, true),
        ];
        for step in &steps {
            do_in_both(step, &mut tree, &mut map);
            check(&tree);
        }
        assert_eq!(tree.get(&1030), Some(&1));
        assert_eq!(tree.insert(1030, 2), Some(1), "not a second of the same key");
        assert_eq!(tree.remove(&1030), Some(2));
        assert!(tree.iter().all(|(key, _)| *key != 1030), "it is gone from walks, too");
    }
}

#[test]
fn a_tree_that_was_emptied_is_one_empty_leaf() {
    let mut tree = Tree::new();
    for key in 0..5000_u32 {
        tree.insert(key, 0);
    }
    for key in (0..5000).rev() {
        tree.remove(&key);
    }
    assert!(tree.is_empty());
    assert!(matches!(&tree.root.below, Below::Values(values) if values.is_empty()));
}

/// What comes in order fills its nodes, and has no more room than they need.
#[test]
fn a_list_in_order_leaves_no_room() {
    let mut tree = Tree::new();
    for key in 0..3200_u32 {
        tree.insert(key, 0_u16);
    }
    let Below::Children(branches) = &tree.root.below else { panic!("three levels") };
    let Below::Children(leaves) = &branches[0].below else { panic!("three levels") };
    for leaf in leaves {
        let Below::Values(values) = &leaf.below else { panic!("three levels") };
        assert!(values.len() == 32 && values.capacity() <= 33, "{}", values.capacity());
        assert!(leaf.keys.len() == 32 && leaf.keys.capacity() <= 33, "{}", leaf.keys.capacity());
    }
}
