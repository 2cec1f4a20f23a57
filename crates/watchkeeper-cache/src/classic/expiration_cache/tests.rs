//! What is there after how long, and the cache against a naive one.

use proptest::prelude::*;

use super::*;

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// C-56; upstream's `TestTTLExpirationBasic`, `TestReAddExpiredItem`, `TestTTLList`, `TestTTLPolicy`.
#[test]
fn c_56_what_has_expired_goes_when_somebody_looks() {
    let cache = ExpirationCache::with_ttl(|pair: &(char, u8)| pair.0, s(10));
    cache.add(('a', 1), s(0));
    cache.add(('b', 1), s(5));
    cache.add(('c', 1), s(6));
    assert_eq!(cache.get(&'a', s(10)), Some(('a', 1)));
    assert_eq!(cache.list_keys(), ['a', 'b', 'c']);
    assert_eq!(cache.get(&'a', s(11)), None);
    assert_eq!(cache.list_keys(), ['b', 'c'], "it is gone");
    cache.add(('a', 2), s(12));
    assert_eq!(cache.get(&'a', s(22)), Some(('a', 2)), "added again it is new");
    assert_eq!(cache.list_keys(), ['a', 'b', 'c'], "nobody looked for b");
    assert_eq!(cache.list(s(16)), [('a', 2), ('c', 1)]);
    assert_eq!(cache.list_keys(), ['a', 'c']);
    cache.replace([('d', 1)], s(100));
    assert_eq!(cache.list(s(110)), [('d', 1)]);
    cache.delete(&'d');
    assert!(cache.list_keys().is_empty());
}

#[test]
fn a_time_of_zero_is_for_ever_and_a_policy_may_say_anything() {
    let forever = ExpirationCache::with_ttl(|name: &&str| *name, s(0));
    forever.add("a", s(0));
    assert_eq!(forever.get(&"a", s(1_000_000)), Some("a"));
    let only_b = ExpirationCache::new(|name: &&str| *name, |name, _| *name == "b");
    only_b.add("a", s(0));
    only_b.add("b", s(0));
    assert_eq!(only_b.list(s(0)), ["a"]);
}

#[derive(Clone, Copy, Debug)]
enum Turn {
    Add(u8),
    Delete(u8),
    Get(u8),
    List,
    Wait(u8),
    Replace(u8),
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = prop_oneof![
        4 => (0..6_u8).prop_map(Turn::Add),
        1 => (0..6_u8).prop_map(Turn::Delete),
        3 => (0..6_u8).prop_map(Turn::Get),
        1 => Just(Turn::List),
        3 => (0..8_u8).prop_map(Turn::Wait),
        1 => any::<u8>().prop_map(Turn::Replace),
    ];
    prop::collection::vec(turn, 0..200)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A naive cache keeps everything with its time and leaves out what is too old.
    #[test]
    fn it_tells_what_is_young_enough(turns in turns()) {
        let cache = ExpirationCache::with_ttl(|pair: &(u8, u64)| pair.0, s(10));
        let (mut naive, mut now): (BTreeMap<u8, u64>, u64) = (BTreeMap::new(), 0);
        for turn in turns {
            let fresh = |naive: &BTreeMap<u8, u64>, key: u8| {
                naive.get(&key).filter(|since| now - **since <= 10).map(|since| (key, *since))
            };
            match turn {
                Turn::Add(key) => {
                    cache.add((key, now), s(now));
                    naive.insert(key, now);
                }
                Turn::Delete(key) => {
                    cache.delete(&key);
                    naive.remove(&key);
                }
                Turn::Get(key) => prop_assert_eq!(cache.get(&key, s(now)), fresh(&naive, key)),
                Turn::List => {
                    let all: Vec<_> = (0..6).filter_map(|key| fresh(&naive, key)).collect();
                    prop_assert_eq!(cache.list(s(now)), all);
                }
                Turn::Wait(seconds) => now += u64::from(seconds),
                Turn::Replace(bits) => {
                    let keys = (0..6).filter(|n| bits & (1 << n) != 0);
                    naive = keys.map(|key| (key, now)).collect();
                    cache.replace(naive.iter().map(|(key, since)| (*key, *since)), s(now));
                }
            }
        }
    }
}
