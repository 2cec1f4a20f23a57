//! What is told, and how it looks.

use std::time::Duration;

use expect_test::expect;
use watchkeeper::prelude::*;

use super::teller::{json, render};
use super::{Line, Story, Told};
use crate::foo::Foo;

fn line(text: &str) -> Line {
    Line {
        at: Duration::from_millis(1_234),
        subject: "foo",
        name: "default/a".to_owned(),
        text: text.to_owned(),
    }
}

#[test]
fn the_same_thing_is_told_once() {
    let mut story = Story::default();
    assert!(story.tell(Duration::ZERO, "foo", "a", "waits").is_some());
    assert!(story.tell(Duration::ZERO, "foo", "a", "waits").is_none());
    assert!(story.tell(Duration::ZERO, "pod", "a", "waits").is_some());
    assert!(story.tell(Duration::ZERO, "foo", "a", "goes on").is_some());
}

#[test]
fn lines_are_aligned_and_plain_in_a_pipe() {
    expect!["   1.234s  foo         default/a  waits"].assert_eq(&render(&line("waits"), false));
}

#[test]
fn lines_are_coloured_on_a_terminal() {
    let text = render(&line("waits"), true);
    assert!(text.contains("\u{1b}[1m"), "{text:?}");
    assert!(text.contains("\u{1b}[0m"), "{text:?}");
}

#[test]
fn machines_read_json() {
    expect![[r#"{"name":"default/a","seconds":1.234,"subject":"foo","text":"a \"quoted\" word"}"#]]
        .assert_eq(&json(&line("a \"quoted\" word")));
}

fn foo(available: i32, wanted: Option<i32>) -> Foo {
    let mut foo = object!(Foo {
        metadata: { name: "a", namespace: "default" },
        spec: { deployment_name: "web", replicas: wanted },
    });
    foo.status.available_replicas = available;
    foo
}

#[test]
fn more_than_asked_for_is_no_share() {
    let told = |available, wanted| foo(available, wanted).summary().expect("words");
    assert_eq!(told(1, Some(2)), "asks for Deployment web: 1 of 2 available");
    assert_eq!(told(77, Some(2)), "asks for Deployment web: 77 available, 2 asked for");
    assert_eq!(told(3, None), "asks for Deployment web: 3 available");
}

#[test]
fn a_failure_is_told_once_until_its_foo_changes() {
    let mut story = Story::default();
    let failure = || Line { subject: "error", ..line("reconcile failed") };
    assert!(story.aside(failure()).is_some());
    assert!(story.aside(failure()).is_none());
    // The controller may have heard of it earlier than the story.
    let _told =
        story.hear(Duration::ZERO, &Change::Added { new: foo(0, None).into(), initial: true });
    assert!(story.aside(failure()).is_none(), "it is new");
    let change = Change::Updated { old: foo(0, None).into(), new: foo(1, None).into() };
    let _told = story.hear(Duration::ZERO, &Change::Added { new: rename(), initial: false });
    assert!(story.aside(failure()).is_none(), "another Foo came");
    let _told = story.hear(Duration::ZERO, &change);
    assert!(story.aside(failure()).is_some());
}

fn rename() -> std::sync::Arc<Foo> {
    let mut other = foo(0, None);
    other.metadata.name = "b".into();
    other.into()
}

#[test]
fn warnings_are_told_each_time() {
    let mut story = Story::default();
    let warning = || Line { subject: "warning", ..line("lost the watch") };
    assert_eq!(story.aside(warning()), Some(warning()));
    assert_eq!(story.aside(warning()), Some(warning()));
}
