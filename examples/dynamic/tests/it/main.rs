//! The follower on an embedded cluster in paused time, and the program itself.

use std::cell::RefCell;
use std::future::pending;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use dynamic::{Follower, ResourceName, script};
use expect_test::expect;
use watchkeeper::apiserver::{Clock, Now};
use watchkeeper::cluster::Cluster;

#[tokio::test(start_paused = true)]
async fn a_definition_comes_goes_and_comes_again() {
    let clock = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));
    let cluster = Cluster::builder().seed(1).clock(clock).build();
    let names = [script::FOOS.parse::<ResourceName>().expect("a name")];
    let mut follower = Follower::new(&cluster.client("dynamic"), &names);
    let (told, mut played) = (RefCell::new(String::new()), Ok(()));
    let print = |line: &str| {
        let mut told = told.borrow_mut();
        told.push_str(line);
        told.push('\n');
    };
    let client = cluster.client("script");
    let enough =
        async { played = script::play(&client, print, |part| told.borrow().contains(part)).await };
    tokio::select! {
        biased;
        ended = cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
        () = follower.run(print, enough) => {}
    }
    played.expect("the end of the script");
    expect![[r##"
        # example.com/v1/foos: resolve kinds: the server has no resource "foos of example.com/v1"; is its CRD installed?
        # the script installs the definition of foos
        # example.com/v1/foos: follows the server
        + foos default/a {"size":1}
        # the script removes the definition
        # example.com/v1/foos: watch foos.example.com: the server answered 404 Not Found without a Status; is foos of example.com/v1 served, its CustomResourceDefinition installed?
        - foos default/a {"size":1}
        # the script installs the definition of foos
        # example.com/v1/foos: follows the server
        + foos default/a {"size":2}
        # the script removes the definition
        # example.com/v1/foos: watch foos.example.com: the server answered 404 Not Found without a Status; is foos of example.com/v1 served, its CustomResourceDefinition installed?
        - foos default/a {"size":2}
    "##]].assert_eq(&told.into_inner());
}

#[test]
fn names_are_read_or_said_to_be_none() {
    let read = |text: &str| text.parse::<ResourceName>().map(|name| name.to_string());
    assert_eq!(read("v1/pods").as_deref(), Ok("v1/pods"));
    let name = "apps/v1/deployments".parse::<ResourceName>().expect("a name");
    assert_eq!((&*name.api_version, &*name.plural), ("apps/v1", "deployments"));
    for wrong in ["", "pods", "/pods", "v1/", "a/b/c/d", "a//c"] {
        assert!(read(wrong).is_err_and(|error| error.contains("apps/v1/deployments")), "{wrong}");
    }
}

#[test]
fn the_program_ends_well_after_the_script() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dynamic"));
    let output = command.arg("--once").env_remove("KUBECONFIG").output().expect("the program");
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    for line in [
        "is its CRD installed?",
        "# v1/configmaps: follows the server",
        "# example.com/v1/foos: follows the server",
        "+ foos default/a {\"size\":1}",
        "- foos default/a {\"size\":1}",
        "+ foos default/a {\"size\":2}",
    ] {
        assert!(text.contains(line), "{line} is missing in {text}");
    }
}

/// Without foos there is no script to wait for: it follows what was named until it is stopped.
#[test]
fn other_resources_are_followed_until_it_is_stopped() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dynamic"));
    command.args(["apps/v1/deployments", "v1/secrets"]).env_remove("KUBECONFIG");
    let mut program = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it");
    let lines = BufReader::new(program.stdout.take().expect("a pipe")).lines();
    let mut told: Vec<String> = lines.take(3).map(|line| line.expect("text")).collect();
    let join = told.remove(0);
    // Each is followed by itself.
    told.sort();
    let ended = program.try_wait().expect("its state");
    program.kill().expect("it runs");
    program.wait().expect("its end");
    let expected =
        ["# apps/v1/deployments: follows the server", "# v1/secrets: follows the server"];
    assert_eq!(told, expected);
    assert!(join.starts_with("# to join in: kubectl --kubeconfig /"), "{join}");
    assert!(ended.is_none(), "{ended:?}");
}

/// The kubeconfig that one of these programs tells leads another to its cluster.
#[test]
fn who_joins_in_sees_the_same() {
    let program = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynamic"));
        command.args(args).env_remove("KUBECONFIG").stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        (child, lines.map(|line| line.expect("text")))
    };
    let (mut first, mut lines) = program(&["v1/nodes"]);
    let join = lines.next().expect("how to join in");
    let kubeconfig = join.split_whitespace().nth(6).expect("a path").to_owned();
    let (mut second, mut seen) = program(&["v1/nodes", "--kubeconfig", &kubeconfig]);
    let node = |line: &String| line.starts_with("+ nodes node-0");
    let (here, there) = (lines.any(|line| node(&line)), seen.any(|line| node(&line)));
    for child in [&mut first, &mut second] {
        child.kill().expect("it runs");
        child.wait().expect("its end");
    }
    assert!(here && there);
}

#[test]
fn the_end_of_a_script_that_is_not_played_is_not_waited_for() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dynamic"));
    let output = command.args(["--once", "apps/v1/deployments"]).output().expect("the program");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("which needs example.com/v1/foos among the resources"), "{text}");
}

#[test]
fn a_resource_that_is_none_is_told() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dynamic"));
    let output = command.arg("pods").output().expect("the program");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(text.contains("as in apps/v1/deployments or v1/pods"), "{text}");
}
