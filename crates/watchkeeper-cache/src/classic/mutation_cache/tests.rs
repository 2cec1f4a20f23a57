//! Own writes over what the store has.

use super::*;
use crate::testing::{Tiny, tiny};

mod naive;

const MINUTE: Duration = Duration::from_secs(60);

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Objects are found by the first letter of their name.
fn backing(objects: &[&str]) -> Indexer<Tiny> {
    let indexer = Indexer::new();
    indexer.add_index("letter", |object: &Tiny| vec![object.name[..1].to_owned()]).unwrap();
    objects.iter().for_each(|object| indexer.add(Arc::new(tiny(object))));
    indexer
}

fn seen(cache: &MutationCache<Tiny>, name: &str, now: Duration) -> Option<String> {
    cache.get_by_key(&("default", name).into(), now).map(|object| object.version.clone())
}

fn found(cache: &MutationCache<Tiny>, letter: &str, now: Duration) -> Vec<String> {
    let found = cache.by_index("letter", letter, now).unwrap();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn c_56_the_newer_of_write_and_store_is_told() {
    let store = backing(&["a@5"]);
    let cache = MutationCache::new(store.clone(), MINUTE, false);
    cache.mutation(Arc::new(tiny("a@10")), s(0));
    assert_eq!(seen(&cache, "a", s(1)).unwrap(), "10", "nine is before ten");
    assert_eq!(found(&cache, "a", s(1)), ["a@10"]);
    store.update(Arc::new(tiny("a@11")));
    assert_eq!(seen(&cache, "a", s(2)).unwrap(), "11");
    store.update(Arc::new(tiny("a@9")));
    assert_eq!(seen(&cache, "a", s(3)).unwrap(), "9", "what the store passed is forgotten");
}

#[test]
fn c_56_own_adds_are_told_only_when_asked_for() {
    for include_adds in [false, true] {
        let cache = MutationCache::new(backing(&["b@1"]), MINUTE, include_adds);
        cache.mutation(Arc::new(tiny("a@2")), s(0));
        cache.mutation(Arc::new(tiny("ab@3")), s(0));
        assert_eq!(seen(&cache, "a", s(1)).is_some(), include_adds);
        let both: &[&str] = if include_adds { &["a@2", "ab@3"] } else { &[] };
        assert_eq!(found(&cache, "a", s(1)), both);
        assert_eq!(found(&cache, "b", s(1)), ["b@1"]);
    }
}

#[test]
fn c_56_a_deletion_hides_the_life_that_it_ended() {
    let store = backing(&["a#one@5"]);
    let cache = MutationCache::new(store.clone(), MINUTE, true);
    cache.deletion(&tiny("a#one@5"), s(0));
    assert_eq!(seen(&cache, "a", s(1)), None);
    assert_eq!(found(&cache, "a", s(1)), [""; 0]);
    store.update(Arc::new(tiny("a#one@6")));
    assert_eq!(seen(&cache, "a", s(1)), None, "it was changed before it went");
    store.update(Arc::new(tiny("a#two@8")));
    assert_eq!(seen(&cache, "a", s(2)).unwrap(), "8", "the next of that name is another");
}

#[test]
fn c_56_writes_are_forgotten_after_their_time_and_beyond_a_hundred() {
    let cache = MutationCache::new(backing(&["a@1"]), MINUTE, true);
    cache.mutation(Arc::new(tiny("a@2")), s(0));
    assert_eq!(seen(&cache, "a", s(59)).unwrap(), "2");
    assert_eq!(seen(&cache, "a", s(60)).unwrap(), "1");
    cache.deletion(&tiny("a@1"), s(60));
    assert_eq!(seen(&cache, "a", s(120)).unwrap(), "1");

    for number in 0..100 {
        cache.mutation(Arc::new(tiny(&format!("o{number}@9"))), s(200));
    }
    assert!(seen(&cache, "o0", s(200)).is_some(), "it was used last");
    cache.mutation(Arc::new(tiny("one-more@9")), s(200));
    assert!(seen(&cache, "o0", s(200)).is_some());
    assert!(seen(&cache, "o1", s(200)).is_none(), "it was used longest ago");
}

#[test]
fn versions_that_are_no_numbers_have_no_order() {
    let cache = MutationCache::new(backing(&["a@x"]), MINUTE, false);
    cache.mutation(Arc::new(tiny("a@y")), s(0));
    assert_eq!(seen(&cache, "a", s(1)).unwrap(), "x");
}
