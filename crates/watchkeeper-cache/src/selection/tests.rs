use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::json;

use super::*;

/// What can be told of `shop/a`, with these labels, by a copy of this selection.
fn told(select: &Select<ConfigMap>, labels: &str) -> Selected {
    let text = format!(
        r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"a","namespace":"shop","uid":"u","labels":{labels}}}}}"#
    );
    let map: ConfigMap = json::from_slice(text.as_bytes()).unwrap();
    let selection = Selection::of(select);
    let selected = selection.selects(&map.key(), map.uid(), Some(Labels::of(&map)));
    assert!(selected != Selected::Yes || selection.may_hold(&map.key()), "it is there");
    selected
}

const WEB: &str = r#"{"app":"web"}"#;

#[test]
fn labels_name_and_namespace_are_known_and_other_fields_are_not() {
    let all = Select::<ConfigMap>::all;
    for (select, expected) in [
        (all(), Selected::Yes),
        (all().labels("app=web"), Selected::Yes),
        (all().labels("app=db"), Selected::No),
        (all().labels("app in (db, web),!tier"), Selected::Yes),
        (all().labels("!app"), Selected::No),
        (all().labels("no selector = of ours ="), Selected::Unsure),
        (all().fields("metadata.name=a"), Selected::Yes),
        (all().fields("metadata.name==a,metadata.namespace=shop"), Selected::Yes),
        (all().fields("metadata.name=b"), Selected::No),
        (all().fields("metadata.namespace=bank"), Selected::No),
        (all().fields("metadata.name!=b"), Selected::Unsure),
        (all().fields("spec.nodeName=n"), Selected::Unsure),
        (all().fields("spec.nodeName=n,metadata.name=b"), Selected::No),
        (all().labels("app=db").fields("spec.nodeName=n"), Selected::No),
    ] {
        assert_eq!(told(&select, WEB), expected, "{select:?}");
    }
}

#[test]
fn an_object_is_in_one_shard_of_two() {
    let shards = [0, 1].map(|number| Shard::of(number, 2).unwrap());
    let selected = shards.map(|shard| told(&Select::all().shard(shard), WEB));
    assert!(selected.contains(&Selected::Yes) && selected.contains(&Selected::No));
}

/// The answer to a write of a scale tells no labels.
#[test]
fn labels_that_are_not_told_are_not_known() {
    let key = ObjectKey::from(("shop", "a"));
    let web = Selection::of(&Select::<ConfigMap>::all().labels("app=web"));
    assert_eq!(web.selects(&key, "u", None), Selected::Unsure);
    assert_eq!(Selection::default().selects(&key, "u", None), Selected::Yes);
}

#[test]
fn a_key_may_say_that_an_object_is_never_selected() {
    let named = Selection::of(&Select::<ConfigMap>::all().fields("metadata.name=b"));
    assert!(!named.may_hold(&ObjectKey::from(("shop", "a"))));
    let on_node = Selection::of(&Select::<ConfigMap>::all().fields("spec.nodeName=n"));
    assert!(on_node.may_hold(&ObjectKey::from(("shop", "a"))));
}
