use std::time::Duration;

use serde_json::json;

use super::*;

const fn at(seconds: u64) -> Now {
    Now(Duration::from_secs(seconds))
}

fn kept(table: &str, key: &str, revision: u64, seconds: u64) -> Kept {
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    let object = json!({"metadata": {"namespace": namespace, "name": name}});
    let [table, key] = [table, key].map(str::to_owned);
    Kept { table, key, revision, at: at(seconds), json: object.to_string().into_bytes() }
}

fn restored(objects: Vec<Kept>) -> Result<Core, String> {
    let saved = Saved { revision: 9, objects, signing_key: SigningKey([0; 32]) };
    Core::restore(Config::default(), &saved, at(30), &Rng::new(0))
}

#[test]
fn events_end_in_the_order_in_which_they_were_written() {
    let core = restored(vec![
        kept(EVENTS, "a/late", 5, 20),
        kept(EVENTS, "a/early", 7, 10),
        kept(EVENTS, "a/same", 6, 10),
        kept("configmaps", "a/other", 8, 5),
    ]);
    let core = core.expect("a server");
    let ends: Vec<(Now, &str, u64)> =
        core.expiries.iter().map(|(at, key, revision)| (*at, &**key, *revision)).collect();
    let hour = 3600;
    let expected =
        [(at(hour + 10), "a/same", 6), (at(hour + 10), "a/early", 7), (at(hour + 20), "a/late", 5)];
    assert_eq!(ends, expected);
    assert_eq!(core.store.revision(), 9);
    assert_eq!(core.commits.as_ref().map(Vec::len), Some(0));
}

#[test]
fn what_is_made_up_for_is_of_when_something_was_last_written() {
    let made = |objects: Vec<Kept>| {
        let core = restored(objects).expect("a server");
        let range =
            core.store.get("servicecidrs.networking.k8s.io", "kubernetes").expect("a range");
        (range.revision, range.value()["metadata"]["creationTimestamp"].clone())
    };
    let maps = [10, 20, 15].map(|seconds| kept("configmaps", &format!("a/{seconds}"), 5, seconds));
    assert_eq!(made(maps.to_vec()), (9, json!("1970-01-01T00:00:20Z")));
    assert_eq!(made(Vec::new()), (9, json!("1970-01-01T00:00:00Z")));
}

#[test]
fn an_object_is_one_value_and_nothing_behind_it() {
    let of = |text: &str| {
        let json = text.as_bytes().to_vec();
        restored(vec![Kept { json, ..kept("configmaps", "a/x", 5, 1) }]).err()
    };
    assert_eq!(of(r#"{"metadata": {}} "#), None);
    for (text, why) in [
        ("{} {}", "configmaps a/x: trailing characters at line 1 column 4"),
        ("{", "configmaps a/x: EOF while parsing an object at line 1 column 1"),
    ] {
        assert_eq!(of(text).as_deref(), Some(why));
    }
}

#[test]
fn what_is_kept_begins_with_all_that_is_there() {
    let mut rng = Rng::new(0);
    let mut core = Core::new(Config::default(), at(1), &mut rng);
    let batch = core.keep(SigningKey([7; 32]), at(5));
    let count: usize = core
        .store
        .tables()
        .filter_map(|name| core.store.table(name))
        .map(|table| table.len())
        .sum();
    assert_eq!((batch.records.len(), batch.revision), (count, core.store.revision()));
    assert!(batch.signing_key == Some(SigningKey([7; 32])));
    assert!(batch.records.iter().all(|record| record.at == at(5) && record.json().is_some()));
    assert_eq!(core.commits.as_ref().map(Vec::len), Some(0));
}
