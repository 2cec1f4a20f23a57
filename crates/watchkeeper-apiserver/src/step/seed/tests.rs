use std::time::Duration;

use serde_json::Value;

use crate::clock::Now;
use crate::config::Config;
use crate::journal::{Kept, Record, Saved, SigningKey};
use crate::rng::Rng;
use crate::step::Core;

/// A server that was kept with these objects and is had again on the second day.
fn restored(revision: u64, objects: Vec<Kept>) -> Core {
    let config = Config { control_plane_maps: Some(Vec::new()), ..Config::default() };
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
