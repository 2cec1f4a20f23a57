//! What a test that fails tells.

use expect_test::expect;
use watchkeeper_apiserver::storage::Change;
use watchkeeper_apiserver::{Now, Verb};

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;

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

/// Runs a test that fails after it has made an object, and gives what it leaves.
fn left_by<T: Outcome>(end: impl FnOnce() -> T) -> String {
    let _none_yet = std::fs::remove_file(left::file());
    let test = async |test: TestCluster| {
        let map = object!(ConfigMap { metadata: { name: "made", namespace: "default" } });
        test.client().api_for(&map).create(&map, &Default::default()).await.expect("created");
        end()
    };
    // What it ends with is for whoever called it.
    let _ended = catch_unwind(AssertUnwindSafe(|| drop(run(Options::default(), test))));
    std::fs::read_to_string(left::file()).unwrap_or_default()
}

fn opens_with_the_object(yaml: &str) {
    let cluster = Cluster::builder().clock(Clock::default()).import(yaml).expect("a cluster");
    let cluster = cluster.build();
    assert_eq!(cluster.export(), yaml);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime");
    runtime.block_on(async {
        let maps = cluster.client("me").api::<ConfigMap>().namespace("default");
        assert!(!maps.get("made").await.expect("it is there").metadata.uid.is_empty());
    });
}

#[test]
fn a_test_that_panics_leaves_its_cluster() {
    opens_with_the_object(&left_by::<()>(|| panic!("as tests do")));
    let name = left::file().display().to_string();
    assert!(name.ends_with(".testing.tests.a_test_that_panics_leaves_its_cluster.yaml"), "{name}");
}

#[test]
fn a_test_that_ends_with_an_error_leaves_its_cluster() {
    opens_with_the_object(&left_by(|| Err::<(), _>("an error")));
}

#[test]
fn a_test_that_ends_well_leaves_nothing() {
    assert_eq!(left_by(|| ()), "");
}

#[test]
fn how_to_look_at_it_is_told() {
    let told = left::left(&Cluster::builder().nodes(0).clock(Clock::default()).build());
    let file = left::file().display().to_string();
    assert_eq!(told, format!("# to look at it: watchkeeper serve --actors none --import {file}"));
}
