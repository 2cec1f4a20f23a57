//! The collector's decisions, told as stories about owners and dependents.

use std::sync::Arc;

use watchkeeper_api::{Kind, ObjectKey, Scope};

use super::graph::{FOREGROUND, Graph, Node, ORPHAN, OwnerLink, Verdict};

fn kind() -> Arc<Kind> {
    Arc::new(Kind::new("", "v1", "ConfigMap", "configmaps", Scope::Namespaced))
}

fn link(uid: &str, blocks: bool) -> OwnerLink {
    OwnerLink {
        api_version: "v1".to_owned(),
        kind: "ConfigMap".to_owned(),
        name: uid.to_owned(),
        uid: uid.to_owned(),
        blocks,
    }
}

fn node(uid: &str, owners: &[&str]) -> Node {
    Node {
        kind: kind(),
        key: ObjectKey::from(("default", uid)),
        uid: uid.to_owned(),
        owners: owners.iter().map(|owner| link(owner, true)).collect(),
        deleting: false,
        foreground: false,
        orphan: false,
    }
}

#[test]
fn a_dependent_goes_after_its_only_owner_did() {
    let mut graph = Graph::default();
    graph.observe(node("owner", &[]));
    graph.observe(node("child", &["owner"]));
    assert_eq!(graph.judge("child"), Verdict::Keep);
    assert_eq!(graph.forget("owner"), ["child"]);
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: false });
}

#[test]
fn an_owner_never_seen_is_asked_for_before_anything_is_deleted() {
    let mut graph = Graph::default();
    graph.observe(node("child", &["owner"]));
    assert_eq!(graph.judge("child"), Verdict::Ask(vec![link("owner", true)]));
    graph.is_absent("owner");
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: false });
}

#[test]
fn a_dependent_with_another_owner_only_forgets_the_one_that_went() {
    let mut graph = Graph::default();
    graph.observe(node("a", &[]));
    graph.observe(node("b", &[]));
    graph.observe(node("child", &["a", "b"]));
    graph.forget("a");
    assert_eq!(graph.judge("child"), Verdict::Forget(vec!["a".to_owned()]));
}

#[test]
fn an_owner_in_the_foreground_waits_for_the_dependents_that_block_it() {
    let mut graph = Graph::default();
    graph.observe(node("child", &["owner"]));
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("owner"), Verdict::DeleteDependents(vec!["child".to_owned()]));
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: false });
    graph.observe(Node { deleting: true, ..node("child", &["owner"]) });
    assert_eq!(graph.judge("owner"), Verdict::Keep);
    assert!(graph.forget("child").contains(&"owner".to_owned()));
    assert_eq!(graph.judge("owner"), Verdict::Finish(FOREGROUND));
}

#[test]
fn a_dependent_that_does_not_block_is_not_waited_for() {
    let mut graph = Graph::default();
    graph.observe(Node { owners: vec![link("owner", false)], ..node("child", &[]) });
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("owner"), Verdict::Finish(FOREGROUND));
}

#[test]
fn a_dependent_with_dependents_of_its_own_goes_in_the_foreground_too() {
    let mut graph = Graph::default();
    graph.observe(node("grandchild", &["child"]));
    graph.observe(node("child", &["owner"]));
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("child"), Verdict::Delete { foreground: true });
}

#[test]
fn an_orphaning_owner_releases_its_dependents_first() {
    let mut graph = Graph::default();
    graph.observe(node("child", &["owner"]));
    graph.observe(Node { deleting: true, orphan: true, ..node("owner", &[]) });
    assert_eq!(graph.judge("owner"), Verdict::Release(vec!["child".to_owned()]));
    let again = graph.observe(node("child", &[]));
    assert!(again.contains(&"owner".to_owned()), "the owner is looked at again: {again:?}");
    assert_eq!(graph.judge("owner"), Verdict::Finish(ORPHAN));
    graph.forget("owner");
    assert_eq!(graph.judge("child"), Verdict::Keep);
}

#[test]
fn an_owner_is_looked_at_again_when_a_reference_no_longer_blocks_it() {
    let mut graph = Graph::default();
    graph.observe(node("child", &["owner"]));
    graph.observe(Node { deleting: true, foreground: true, ..node("owner", &[]) });
    let again = graph.observe(Node { owners: vec![link("owner", false)], ..node("child", &[]) });
    assert!(again.contains(&"owner".to_owned()), "{again:?}");
    assert_eq!(graph.judge("owner"), Verdict::Finish(FOREGROUND));
}

#[test]
fn what_is_gone_leaves_nothing_behind() {
    let mut graph = Graph::default();
    graph.observe(node("owner", &[]));
    graph.observe(node("child", &["owner"]));
    graph.forget("owner");
    graph.forget("child");
    assert_eq!(format!("{graph:?}"), format!("{:?}", Graph::default()));
}
