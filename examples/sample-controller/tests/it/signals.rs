//! Ctrl-C once asks to stop, twice insists.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use watchkeeper::apiserver::hooks::{Hook, Verdict, Write};
use watchkeeper::cluster::Cluster;

use crate::program::{Scratch, Served, foo, program};

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", "INT", &id]).status().expect("kill runs");
    assert!(sent.success());
}

#[test]
fn the_first_one_ends_it_well_and_removes_the_kubeconfig() {
    let mut child = program(&[]).stdout(Stdio::piped()).spawn().expect("the program");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let joined = lines.find_map(|line| {
        let line = line.expect("text");
        let (_, after) = line.split_once("--kubeconfig ")?;
        Some(after.split_whitespace().next()?.to_owned())
    });
    let kubeconfig = joined.expect("how to join in");
    assert!(std::fs::exists(&kubeconfig).expect("readable"));
    interrupt(&child);
    // What was under way may still be told after it.
    let told: Vec<String> = lines.map(|line| line.expect("text")).collect();
    assert!(told.iter().any(|line| line.ends_with("stopping")), "{told:?}");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    assert!(!std::fs::exists(&kubeconfig).expect("readable"), "it is gone");
}

/// Says that the controller writes its Deployment, and lets it wait.
struct Stuck(Sender<()>, Receiver<()>);

impl Hook for Stuck {
    fn before_commit(&mut self, write: &Write<'_>) -> Verdict {
        if write.table == "deployments.apps" {
            self.0.send(()).expect("the test listens");
            let _released = self.1.recv();
        }
        Verdict::Proceed
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the hook holds the runtime, so waiting must not need it"
)]
#[tokio::test(flavor = "multi_thread")]
async fn the_second_one_exits_with_one_even_if_a_reconcile_hangs() {
    let cluster = Cluster::builder().build();
    let ((stuck, is_stuck), (release, released)) = (channel(), channel());
    cluster.server().add_hook(Stuck(stuck, released));
    let served = Served::at(0, cluster).await;
    let foo = Scratch::new("stuck", &foo("spec: {deploymentName: web, replicas: 1}"));
    let args = ["--master", &served.url(), "--install-crd", "--foo", foo.path()];
    let mut command = program(&args);
    command.env("RUST_LOG", "watchkeeper_manager=info").stdout(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).spawn().expect("the program");
    is_stuck.recv().expect("the controller writes");
    interrupt(&child);
    let mut asides = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut first = String::new();
    asides.read_line(&mut first).expect("text");
    assert!(first.contains("once more to exit at once"), "{first}");
    // What comes within a quarter of a second is the same stroke still.
    let ended = loop {
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(100));
        if let Some(ended) = child.try_wait().expect("a child") {
            break ended;
        }
    };
    assert_eq!(ended.code(), Some(1));
    let mut rest = String::new();
    asides.read_to_string(&mut rest).expect("text");
    assert!(!rest.contains("panicked"), "{rest}");
    drop(release);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_one_ends_it_also_while_it_connects() {
    // Takes connections and answers nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", silent.local_addr().expect("an address"));
    let mut child = program(&["--master", &url]).spawn().expect("the program");
    let _connected = silent.accept().expect("a connection");
    interrupt(&child);
    assert_eq!(child.wait().expect("an end").code(), Some(0));
}
