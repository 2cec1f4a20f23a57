use std::time::Duration;

use serde_json::Value;

use crate::clock::Now;
use crate::config::Config;
use crate::journal::{Kept, Record, Saved, SigningKey};
use crate::rng::Rng;
use crate::step::Core;

/// A server that was kept with these objects and is had again on the second day.
fn restored(revision: u64, objects: Vec<Kept>) -> Core {
    restored_with(Vec::new(), revision, objects)
}

/// The same, of a server with authorities for its clients.
fn restored_with(authorities: Vec<Vec<u8>>, revision: u64, objects: Vec<Kept>) -> Core {
    let config = Config { control_plane_maps: Some(authorities), ..Config::default() };
    let saved = Saved { revision, objects, signing_key: SigningKey([0; 32]) };
    let now = Now(Duration::from_secs(100_000));
    Core::restore(config, &saved, now, &Rng::new(0)).expect("a server")
}

fn kept(record: &Record) -> Kept {
    Kept {
        table: record.table.to_string(),
        key: record.key.to_string(),
        revision: record.revision,
        at: record.at,
        json: record.json().expect("an object"),
    }
}

#[test]
fn what_was_kept_without_the_config_maps_has_them_from_then_on() {
    let core = restored(7, Vec::new());
    assert_eq!(core.store.table("configmaps").expect("maps").len(), 1);
    let [record] = &core.commits.as_ref().expect("it is kept")[..] else { panic!("one map") };
    assert_eq!((record.revision, core.store.revision()), (8, 8), "it is a write like others");
    let again = restored(8, vec![kept(record)]);
    assert_eq!(again.store.revision(), 8);
    assert_eq!(again.store.table("configmaps").expect("maps").len(), 1);
    assert!(again.commits.as_ref().expect("it is kept").is_empty());
}

#[test]
fn a_config_map_that_was_deleted_is_another_of_the_day_of_the_restart() {
    let map = |revision| -> Value {
        let core = restored(revision, Vec::new());
        let maps = core.store.table("configmaps").expect("maps");
        maps.values().next().expect("a map").value().into_value()
    };
    let (one, other) = (map(7), map(8));
    assert_ne!(one["metadata"]["uid"], other["metadata"]["uid"]);
    assert_eq!(one["metadata"]["uid"], map(7)["metadata"]["uid"]);
    for map in [one, other] {
        assert_eq!(map["metadata"]["creationTimestamp"], "1970-01-02T03:46:40Z");
        assert_eq!(map["data"]["since"], "1970-01-02");
    }
}

#[test]
fn of_two_config_maps_only_the_one_that_is_missing_is_written() {
    let of = |revision, objects| restored_with(vec![b"authority".to_vec()], revision, objects);
    let core = of(7, Vec::new());
    let records = core.commits.as_ref().expect("it is kept");
    let revisions: Vec<u64> = records.iter().map(|record| record.revision).collect();
    assert_eq!((&revisions[..], core.store.revision()), (&[8, 9][..], 9), "a revision each");
    let [one, other] = &records[..] else { panic!("two maps") };
    assert_ne!(one.key, other.key);
    for (there, missing) in [(one, other), (other, one)] {
        let again = of(9, vec![kept(there)]);
        let [record] = &again.commits.as_ref().expect("it is kept")[..] else { panic!("one map") };
        assert_eq!((&record.key, record.revision), (&missing.key, 10));
        assert_eq!(again.store.table("configmaps").expect("maps").len(), 2);
    }
    let both = of(9, vec![kept(one), kept(other)]);
    assert!(both.commits.as_ref().expect("it is kept").is_empty());
}
