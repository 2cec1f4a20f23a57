//! What a test that fails tells.

use expect_test::expect;
use watchkeeper_apiserver::storage::Change;
use watchkeeper_apiserver::{Now, Verb};

use super::*;

fn write(at: u64, actor: &str, verb: Verb, table: &str, part: &str, revision: u64) -> HistoryEntry {
    HistoryEntry {
        revision,
        at: Now(Duration::from_millis(at)),
        verb,
        subresource: part.into(),
        change: Change::Modified,
        actor: actor.into(),
        table: table.into(),
        key: "default/a".into(),
        kind: "".into(),
        uid: "".into(),
    }
}

#[test]
fn a_story_tells_who_wrote_what_and_when() {
    let writes = [
        write(5_000, "test", Verb::Create, "foos.example.com", "", 31),
        write(5_020, "foo-controller", Verb::Patch, "deployments.apps", "", 32),
        write(65_000, "foo-controller", Verb::Update, "foos.example.com", "status", 40),
    ];
    expect![[r#"
        What was written on the cluster, heartbeats left out:
            0.000s  test            create  foos.example.com default/a  @31
            0.020s  foo-controller  patch   deployments.apps default/a  @32
           60.000s  foo-controller  update  foos.example.com/status default/a  @40
    "#]]
    .assert_eq(&story::story(&writes));
}

#[test]
fn a_long_story_tells_its_end() {
    let write = |at| write(at, "test", Verb::Patch, "pods", "", at);
    let writes: Vec<HistoryEntry> = (1..=100).map(write).collect();
    let story = story::story(&writes);
    assert!(
        story.starts_with(
            "What was written on the cluster, heartbeats and 40 older writes left out:"
        )
    );
    assert_eq!(story.lines().count(), 61);
    assert!(story.ends_with("@100\n"), "{story}");
}

#[test]
fn a_story_of_nothing_says_so() {
    assert!(story::story(&[]).ends_with("  nothing\n"));
}
