//! Revisions are compared by what they say, and numbered by when they came.

use std::sync::Arc;

use watchkeeper_api::Raw;
use watchkeeper_api::apps::v1::ControllerRevision;
use watchkeeper_api::core::v1::PodTemplateSpec;

use super::{History, patch_to};

fn template(label: &str) -> PodTemplateSpec {
    let mut template = PodTemplateSpec::default();
    template.metadata.labels.insert("version", label);
    template
}

fn revision(label: &str, number: i64) -> Arc<ControllerRevision> {
    let mut revision = ControllerRevision::default();
    revision.metadata.name = format!("{label}-{number}").as_str().into();
    revision.data = patch_to(&template(label));
    revision.revision = number;
    Arc::new(revision)
}

fn names(revisions: &[Arc<ControllerRevision>]) -> Vec<&str> {
    revisions.iter().map(|revision| &*revision.metadata.name).collect()
}

#[test]
fn a_patch_replaces_the_template_as_a_whole() {
    let expected =
        r#"{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"version":"a"}}"#;
    let patch = patch_to(&template("a"));
    assert!(patch.as_str().starts_with(expected), "{patch}");
}

#[test]
fn a_template_that_comes_again_is_found_however_it_is_spelled() {
    let mut spelled = (*revision("a", 1)).clone();
    let text = spelled.data.as_str().replacen('{', "{\n  ", 1);
    spelled.data = Raw::from_json(&text).expect("a patch");
    let revisions = vec![revision("c", 3), Arc::new(spelled), revision("b", 2)];
    let history = History::of(revisions, &patch_to(&template("a")));
    assert_eq!(names(&history.current), ["a-1"]);
    assert_eq!(names(&history.old), ["b-2", "c-3"]);
    assert_eq!(history.next_number(), 4);
}

#[test]
fn the_oldest_that_are_not_in_use_go_first() {
    let revisions = (1..=4).map(|number| revision("old", number)).collect();
    let history = History::of(revisions, &patch_to(&template("new")));
    let outdated = |limit| history.outdated(limit, |one| one.revision == 1);
    assert_eq!(names(&outdated(Some(2))), ["old-2", "old-3"]);
    assert_eq!(names(&outdated(Some(0))), ["old-2", "old-3", "old-4"]);
    assert!(outdated(None).is_empty(), "ten are kept unless told");
}
