use serde_json::{Value, json};

use super::{Rounds, settle};

fn asked(rounds: &Rounds) -> [bool; 2] {
    ["a", "b"].map(|key| rounds.asks(key))
}

#[test]
fn who_was_asked_before_a_change_is_asked_again() {
    let mut rounds = Rounds::default();
    rounds.begin(Some(&json!(1)));
    assert_eq!(asked(&rounds), [true, true], "all in the first round");
    rounds.invoked("a".to_owned());
    rounds.changed();
    rounds.invoked("b".to_owned());
    rounds.end(Some(&json!(1)));
    rounds.begin(Some(&json!(1)));
    assert_eq!(asked(&rounds), [true, false]);
}

#[test]
fn who_was_asked_is_asked_again_when_others_changed_the_object() {
    for (now, expected) in [(json!(1), [false, false]), (json!(2), [true, false])] {
        let mut rounds = Rounds::default();
        rounds.begin(Some(&json!(0)));
        rounds.invoked("a".to_owned());
        rounds.end(Some(&json!(1)));
        rounds.begin(Some(&now));
        assert_eq!(asked(&rounds), expected, "{now}");
    }
    let mut rounds = Rounds::default();
    rounds.invoked("a".to_owned());
    rounds.end(None);
    rounds.begin(None);
    assert_eq!(asked(&rounds), [false, false]);
}

#[test]
fn what_comes_back_is_completed_as_what_is_sent() {
    let maps = crate::registry::builtin("", "v1", "ConfigMap").expect("config maps");
    let mut map = json!({"metadata": null, "data": {"a": "1"}, "none": 1, "immutable": null});
    settle(&maps, &mut map).expect("a config map");
    let settled = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {}, "data": {"a": "1"},
    });
    assert_eq!(map, settled);
    let mut wrong = json!({"metadata": {}, "data": {"a": 1}});
    assert_eq!(settle(&maps, &mut wrong).err().map(|error| error.code), Some(400));
    assert_eq!(Value::Null, wrong["kind"]);
}
