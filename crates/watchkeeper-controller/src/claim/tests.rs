//! What an object is to an owner.

use watchkeeper_api::apps::v1::ReplicaSet;
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Time, object};

use super::*;
use crate::owner::controlled_by;

fn set(uid: &str) -> ReplicaSet {
    object!(ReplicaSet { metadata: { name: "web", namespace: "shop", uid: uid } })
}

fn pod(app: &str, owner: Option<&ReplicaSet>) -> Pod {
    let labels = watchkeeper_api::Map::from([("app", app)]);
    let mut pod = object!(Pod { metadata: { name: "a", namespace: "shop", labels: labels } });
    pod.metadata.owner_references = owner.map(controlled_by).into_iter().collect();
    pod
}

fn going<K: HasMeta>(mut object: K) -> K {
    object.metadata_mut().deletion_timestamp = Some(Time::from_unix(1));
    object
}

#[test]
fn who_is_selected_and_whose_it_is_decide() {
    let (mine, other) = (set("1"), set("2"));
    let web: Selector = "app=web".parse().unwrap();
    let relation = |owner: &ReplicaSet, pod: &Pod| relation(owner, &web, pod);
    assert_eq!(relation(&mine, &pod("web", Some(&mine))), Relation::Mine);
    assert_eq!(relation(&mine, &pod("db", Some(&mine))), Relation::Released);
    assert_eq!(relation(&mine, &pod("web", Some(&other))), Relation::None);
    assert_eq!(relation(&mine, &pod("web", None)), Relation::Orphan);
    assert_eq!(relation(&mine, &pod("db", None)), Relation::None);
}

#[test]
fn who_goes_neither_adopts_nor_is_adopted() {
    let mine = set("1");
    let web: Selector = "app=web".parse().unwrap();
    let relation = |owner: &ReplicaSet, pod: &Pod| relation(owner, &web, pod);
    assert_eq!(relation(&going(mine.clone()), &pod("web", None)), Relation::None);
    assert_eq!(relation(&going(mine.clone()), &pod("db", Some(&mine))), Relation::None);
    assert_eq!(relation(&going(mine.clone()), &pod("web", Some(&mine))), Relation::Mine);
    assert_eq!(relation(&mine, &going(pod("web", None))), Relation::None);
    let mut elsewhere = pod("web", None);
    elsewhere.metadata.namespace = "bank".into();
    assert_eq!(relation(&mine, &elsewhere), Relation::None);
}
