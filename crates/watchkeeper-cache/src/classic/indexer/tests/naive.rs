//! Named indices against a walk over every object.

use proptest::prelude::*;

use super::*;

type Func = fn(&Tiny) -> Vec<String>;

/// Index functions: none, one, or several values an object, and the same one twice.
const FUNCS: [(&str, Func); 4] = [
    ("letters", letters),
    ("namespace", meta_namespace_index),
    ("even", |object| {
        let even = object.version.ends_with(['0', '2', '4', '6', '8']);
        if even { vec![object.uid.clone()] } else { Vec::new() }
    }),
    ("twice", |object| vec![object.uid.clone(), object.uid.clone(), object.name.clone()]),
];

#[derive(Clone, Debug)]
enum Turn {
    /// Which name, and which life of it.
    Put(u8, u8),
    Delete(u8),
    Replace(Vec<(u8, u8)>),
    /// Which of the functions, and whether two are asked for at once.
    AddIndex(usize, bool),
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let which = || (0..12_u8, 0..3_u8);
    let turn = prop_oneof![
        12 => which().prop_map(|(name, uid)| Turn::Put(name, uid)),
        6 => (0..12_u8).prop_map(Turn::Delete),
        2 => prop::collection::vec(which(), 0..20).prop_map(Turn::Replace),
        1 => (0..FUNCS.len(), any::<bool>()).prop_map(|(which, two)| Turn::AddIndex(which, two)),
    ];
    prop::collection::vec(turn, 0..200)
}

fn make((name, uid): (u8, u8), version: usize) -> Tiny {
    let letters = ["a", "b", "c", "ab", "bc", "abc"][usize::from(name % 6)];
    tiny(&format!("n{}/{letters}#u{uid}@{version}", name / 6))
}

/// Every way to ask an index, beside the walk.
fn check(indexer: &Indexer<Tiny>, name: &str, of: Func, objects: &BTreeMap<ObjectKey, Tiny>) {
    let mut values: Vec<String> = objects.values().flat_map(of).collect();
    values.sort();
    values.dedup();
    assert_eq!(indexer.index_values(name).unwrap(), values);
    values.push("nobody's".to_owned());
    for value in &values {
        let has = |object: &&Tiny| of(object).contains(value);
        let expected: Vec<_> = objects.values().filter(has).map(ToString::to_string).collect();
        assert_eq!(names(indexer.by_index(name, value)), expected, "{name} {value}");
        let keys: Vec<_> = objects.values().filter(has).map(Tiny::item_key).collect();
        assert_eq!(indexer.index_keys(name, value).unwrap(), keys, "{name} {value}");
    }
    // Those that share a value with an object, which need not be stored.
    for asked in (0..12).map(|name| make((name, 1), 2)) {
        let shares = |object: &&Tiny| of(object).iter().any(|value| of(&asked).contains(value));
        let expected: Vec<_> = objects.values().filter(shares).map(ToString::to_string).collect();
        assert_eq!(names(indexer.index(name, &asked)), expected, "{name} as {asked}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 48 }))]

    /// Whenever an index was added, before the objects, between them or after them, it finds what a walk over
    /// all of them does.
    #[test]
    fn every_index_finds_what_a_walk_does(turns in turns()) {
        let (indexer, mut objects) = (Indexer::new(), BTreeMap::new());
        let mut added: BTreeMap<&str, Func> = BTreeMap::new();
        for (version, turn) in (1..).zip(turns) {
            match turn {
                Turn::Put(name, uid) => {
                    let object = make((name, uid), version);
                    objects.insert(object.item_key(), object.clone());
                    indexer.update(Arc::new(object));
                }
                Turn::Delete(name) => {
                    let key = make((name, 0), version).item_key();
                    objects.remove(&key);
                    indexer.delete(&key);
                }
                Turn::Replace(items) => {
                    let items: Vec<Tiny> = items.into_iter().map(|item| make(item, version)).collect();
                    objects = items.iter().map(|object| (object.item_key(), object.clone())).collect();
                    indexer.replace(items.into_iter().map(Arc::new).collect(), &version.to_string());
                }
                Turn::AddIndex(first, two) => {
                    let which = [first, (first + 1) % FUNCS.len()];
                    let asked = which.into_iter().take(1 + usize::from(two)).map(|at| FUNCS[at]);
                    let funcs = asked.clone().map(|(name, of)| (name.to_owned(), Arc::new(of) as IndexFunc<Tiny>));
                    let is_new = asked.clone().all(|(name, _)| !added.contains_key(name));
                    prop_assert_eq!(indexer.add_indexers(funcs).is_ok(), is_new);
                    if is_new {
                        added.extend(asked);
                    }
                }
            }
            prop_assert!(indexer.indexers().iter().map(String::as_str).eq(added.keys().copied()));
            for (name, of) in FUNCS {
                match added.contains_key(name) {
                    true => check(&indexer, name, of, &objects),
                    false => prop_assert!(indexer.by_index(name, "a").is_err()),
                }
            }
        }
    }
}
