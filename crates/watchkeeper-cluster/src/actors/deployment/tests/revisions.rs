//! What is noted at sets, which of them are kept, and the way back.

use watchkeeper_api::Map;

use super::*;

/// The annotations of the current set, as it is about to be numbered.
fn numbered(deployment: &Deployment, set: &ReplicaSet, revision: i64) -> String {
    let annotations = annotations::of_current(set, deployment, revision);
    let lines = annotations.iter().map(|(name, value)| {
        let name = name.trim_start_matches("deployment.kubernetes.io/");
        format!("{name}={value}")
    });
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_set_has_the_annotations_of_its_deployment_but_not_those_of_others() {
    let mut deployment = deployment(3);
    deployment.metadata.annotations = Map::from([
        ("kubectl.kubernetes.io/last-applied-configuration", "{}"),
        ("kubernetes.io/change-cause", "a new image"),
        ("deployment.kubernetes.io/revision", "7"),
        ("deprecated.deployment.rollback.to", "1"),
    ]);
    let made = template::replica_set(&deployment, 2, 3);
    expect!["desired-replicas=3 max-replicas=4 revision=2 kubernetes.io/change-cause=a new image"]
        .assert_eq(&numbered(&deployment, &made, 2));
}

#[test]
fn a_set_that_becomes_current_again_remembers_its_revisions() {
    let deployment = deployment(3);
    let mut known = set(&deployment, "new 3/3 #1");
    expect!["revision=4 revision-history=1"].assert_eq(&numbered(&deployment, &known, 4));
    known.metadata.annotations = annotations::of_current(&known, &deployment, 4);
    expect!["revision=6 revision-history=1,4"].assert_eq(&numbered(&deployment, &known, 6));
    let same = numbered(&deployment, &known, 4);
    expect!["revision=4 revision-history=1"].assert_eq(&same);
    assert_eq!(numbered(&deployment, &known, 2), same, "numbers do not go back");
}

#[test]
fn a_set_that_was_never_numbered_has_no_history_and_one_that_cannot_be_read_is_left() {
    let deployment = deployment(3);
    expect!["revision=1"].assert_eq(&numbered(&deployment, &set(&deployment, "new 3/3"), 1));
    let odd = set(&deployment, "new 3/3 #one");
    expect!["revision=one"].assert_eq(&numbered(&deployment, &odd, 1));
}

#[test]
fn a_history_that_becomes_too_long_loses_its_oldest_revisions() {
    const HISTORY: &str = "deployment.kubernetes.io/revision-history";
    let deployment = deployment(3);
    let mut known = set(&deployment, "new 3/3 #1000");
    let history: Vec<String> = (101..601).map(|number| number.to_string()).collect();
    known.metadata.annotations.insert(HISTORY, history.join(","));
    let annotations = annotations::of_current(&known, &deployment, 2_000);
    let history = annotations.get(HISTORY).expect("a history");
    assert!(history.starts_with("102,103,") && history.ends_with(",600,1000"), "{history}");
    assert_eq!(history.len(), 2_000);
}

#[test]
fn the_next_revision_is_past_those_of_all_old_sets() {
    let deployment = deployment(1);
    let next = |text: &str| annotations::next_revision(&sets(&deployment, text));
    assert_eq!(next(""), 1);
    assert_eq!(next("v1 0/0 #3, v2 0/0 #2, v3 0/0, new 1/1 #9"), 4);
}

fn outdated(limit: Option<i32>, text: &str) -> String {
    let mut deployment = deployment(1);
    deployment.spec.revision_history_limit = limit;
    let outdated = history::outdated(&deployment, &sets(&deployment, text));
    outdated.iter().map(|set| set.metadata.name.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_history_keeps_as_many_sets_as_the_limit_says_the_newest_revisions() {
    assert_eq!(outdated(Some(1), "v1 0/0, v2 0/0, v3 0/0, new 1/1"), "v1 v2");
    assert_eq!(outdated(Some(1), "v1 0/0 #4, v2 0/0 #1, v3 0/0 #2, new 1/1 #5"), "v2 v3");
    assert_eq!(outdated(Some(0), "v1 0/0, new 1/1"), "v1");
    assert_eq!(outdated(Some(3), "v1 0/0, v2 0/0, new 1/1"), "");
    assert_eq!(outdated(Some(i32::MAX), "v1 0/0, new 1/1"), "");
    assert_eq!(outdated(None, "v1 0/0, new 1/1"), "");
}

#[test]
fn a_set_that_is_in_use_stays_and_no_other_goes_for_it() {
    assert_eq!(outdated(Some(1), "v1 1/1, v2 0/0, v3 0/0, new 1/1"), "v2");
    assert_eq!(outdated(Some(2), "v1 0/0 behind, v2 0/0, v3 0/0, new 1/1"), "");
}

#[test]
fn the_way_back_leads_to_a_revision_or_to_the_last_one() {
    let deployment = deployment(1);
    let target = |text: &str, asked| {
        rollback::target(&sets(&deployment, text), asked)
            .map(|(set, revision)| format!("{} #{revision}", set.metadata.name))
    };
    let history = "v1 0/0 #1, v2 0/0 #2, new 1/1 #3";
    assert_eq!(target(history, 0), Ok("v2 #2".to_owned()));
    assert_eq!(target(history, 1), Ok("v1 #1".to_owned()));
    assert_eq!(target(history, 9), Err("Unable to find the revision to rollback to."));
    assert_eq!(target("new 1/1 #1", 0), Err("Unable to find last revision."));
}

#[test]
fn who_goes_back_has_the_template_and_the_annotations_of_then() {
    let mut deployment = deployment(1);
    let mut former = set(&deployment, "v1 0/0 #1 of 1+1");
    former.metadata.annotations.insert("cause", "then");
    deployment.metadata.annotations =
        Map::from([("cause", "now"), ("more", "yes"), (REVISION, "2")]);
    rollback::go_back(&mut deployment, &former);
    let labels = &deployment.spec.template.metadata.labels;
    assert_eq!(labels, &Map::from([("app", "web"), ("version", "v1")]));
    assert_eq!(deployment.metadata.annotations, Map::from([("cause", "then"), (REVISION, "2")]));
}

#[test]
fn only_a_number_asks_for_the_way_back() {
    let mut deployment = deployment(1);
    assert_eq!(rollback::asked(&deployment), None);
    for (text, asked) in [("0", Some(0)), ("3", Some(3)), ("", None), ("last", None)] {
        deployment.metadata.annotations.insert("deprecated.deployment.rollback.to", text);
        assert_eq!(rollback::asked(&deployment), asked, "{text:?}");
    }
    deployment.metadata.annotations.insert("deprecated.deployment.rollback.to", "2");
    check(&deployment, "v1 1/1 #1", expect!["create with 1"]);
    check(&deployment, "v1 1/1 #1, new 0/0 #2", expect![""]);
    assert_eq!(plan::course(&deployment, &sets(&deployment, "")), Course::RollBack(2));
}
