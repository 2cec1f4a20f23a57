use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Below, Counted, Tree};

impl Counted for u16 {
    fn look(&self) -> usize {
        0
    }
}

#[derive(Clone, Debug)]
enum Step {
    Insert(u16, u16),
    Remove(u16),
    Snapshot,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => (0..600_u16, any::<u16>()).prop_map(|(k, v)| Step::Insert(k, v)),
        4 => (0..600_u16).prop_map(Step::Remove),
        1 => Just(Step::Snapshot),
    ];
    prop::collection::vec(step, 0..1500)
}

fn same(tree: &Tree<u16, u16>, map: &BTreeMap<u16, u16>) -> bool {
    tree.len() == map.len()
        && tree.iter().map(|(k, v)| (*k, *v)).eq(map.iter().map(|(k, v)| (*k, *v)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 2 } else { 32 }))]

    #[test]
    fn it_is_a_map_and_its_snapshots_stand_still(steps in steps()) {
        let (mut tree, mut map) = (Tree::new(), BTreeMap::new());
        let mut snapshots = Vec::new();
        for step in steps {
            match step {
                Step::Insert(k, v) => prop_assert_eq!(tree.insert(k, v), map.insert(k, v)),
                Step::Remove(k) => prop_assert_eq!(tree.remove(&k), map.remove(&k)),
                Step::Snapshot => snapshots.push((tree.clone(), map.clone())),
            }
        }
        snapshots.push((tree, map));
        for (tree, map) in &snapshots {
            prop_assert!(same(tree, map));
            for key in (0..600).step_by(7) {
                prop_assert_eq!(tree.get(&key), map.get(&key));
                let from: Vec<u16> = tree.iter_from(|k| *k < key).map(|(k, _)| *k).take(3).collect();
                let expected: Vec<u16> = map.range(key..).map(|(k, _)| *k).take(3).collect();
                prop_assert_eq!(from, expected);
            }
        }
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
