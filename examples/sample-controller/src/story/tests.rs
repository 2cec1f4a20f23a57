//! What is told, and how it looks.

use std::time::Duration;

use expect_test::expect;

use super::{Line, Story, json, render};

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
