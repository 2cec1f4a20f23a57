use crate::config::Config;
use crate::journal::{Kept, Saved, SigningKey};
use crate::rng::Rng;
use crate::step::Core;

#[test]
fn what_was_kept_without_the_config_maps_has_them_from_then_on() {
    let config = Config { control_plane_maps: Some(Vec::new()), ..Config::default() };
    let restored = |objects: Vec<Kept>| {
        let saved = Saved { revision: 7, objects, signing_key: SigningKey([0; 32]) };
        Core::restore(config.clone(), &saved, &Rng::new(0)).expect("a server")
    };
    let core = restored(Vec::new());
    assert_eq!(core.store.table("configmaps").expect("maps").len(), 1);
    let [record] = &core.commits.as_ref().expect("it is kept")[..] else { panic!("one map") };
    assert_eq!(record.revision, 7);
    let kept = Kept {
        table: record.table.to_string(),
        key: record.key.to_string(),
        revision: record.revision,
        at: record.at,
        json: record.json().expect("an object"),
    };
    let again = restored(vec![kept]);
    assert_eq!(again.store.table("configmaps").expect("maps").len(), 1);
    assert!(again.commits.as_ref().expect("it is kept").is_empty());
}
