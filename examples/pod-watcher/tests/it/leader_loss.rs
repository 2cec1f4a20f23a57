//! Two pod watchers of which one works: whenever that one loses its lease, the other one tells of every pod, and no pod
//! is told of by both in turn.
//!
//! What a pod watcher waits for are the answers of the server, its watch, its queue, and the time until a pod that failed
//! is tried again; what it does with a pod, it does without waiting. So the lease is lost at each of its requests, each
//! time at another moment between two changes of the pods.

use std::future::pending;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use pod_watcher::lab::{PodController, Style};
use pod_watcher::printer::Printer;
use tokio::time::sleep;
use watchkeeper::apiserver::{Clock, Now};
use watchkeeper::client::{DeleteOptions, Patch, PatchOptions};
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;
use watchkeeper::testing::{LeaderLoss, Replica};

use crate::lab::{on_its_own, pod};

/// What both replicas printed, a line after the other.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<(Replica, String)>>>);

/// Where one of them prints, piece by piece.
struct Page {
    of: Replica,
    begun: String,
    lines: Lines,
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.push_str(&String::from_utf8_lossy(bytes));
        while let Some((line, rest)) = self.begun.split_once('\n') {
            self.lines.0.lock().expect("a lock").push((self.of, line.to_owned()));
            self.begun = rest.to_owned();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A replica that watches the pods while it has the lease. The first try of each third pod that it is told of fails.
async fn replica(
    cluster: &Cluster,
    loss: &LeaderLoss,
    replica: Replica,
    style: Style,
    lines: &Lines,
) -> watchkeeper::Result<()> {
    let client = cluster.client(replica.name());
    let like_all = |manager: Manager| manager.seed(1).clock(cluster.clock());
    let manager = loss.manager(replica, "pods", &client, like_all);
    let printer = Printer::new(Page { of: replica, begun: String::new(), lines: lines.clone() });
    let (client, tries) = (manager.client().clone(), Arc::new(Mutex::new(0)));
    manager.add_restartable("pods", move |stop| {
        let tries = Arc::clone(&tries);
        let controller = PodController::new(&client, "default", printer.clone(), style).wrapped(
            move |handler| {
                move |key: &ObjectKey, pod: Option<&Pod>| {
                    let mut tries = tries.lock().expect("a lock");
                    *tries += 1;
                    if *tries % 3 == 0 { Err("not now".to_owned()) } else { handler(key, pod) }
                }
            },
        );
        async move { controller.run(2, stop.requested()).await }
    });
    replica.run(manager, pending()).await
}

/// A pod that changes all the time, one that is there, and one that goes when somebody else watches.
async fn story(client: &Client) {
    let pods = client.api::<Pod>().namespace("default");
    for name in ["changes", "stays", "goes"] {
        pods.create(&pod(name), &Default::default()).await.expect("a pod");
    }
    for n in 0..120 {
        sleep(Duration::from_millis(700)).await;
        let change =
            Patch::Merge(format!(r#"{{"metadata":{{"labels":{{"n":"{n}"}}}}}}"#).into_bytes());
        pods.patch("changes", &change, &PatchOptions::default()).await.expect("a patch");
    }
    pods.delete("goes", &DeleteOptions::default().grace_period(0)).await.expect("a deletion");
    sleep(Duration::from_secs(30)).await;
}

/// What was printed while the first one lost its lease. Both begin so `late`.
fn told(loss: &LeaderLoss, style: Style, late: Duration) -> Vec<(Replica, String)> {
    let lines = Lines::default();
    on_its_own(async {
        // The first second of 2026.
        let clock = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));
        let cluster = Cluster::builder().actors([]).seed(1).clock(clock).build();
        let client = cluster.client("script");
        let (cluster, lines) = (&cluster, &lines);
        let [first, second] = Replica::BOTH.map(|of| async move {
            sleep(late).await;
            replica(cluster, loss, of, style, lines).await
        });
        tokio::select! {
            biased;
            () = story(&client) => {}
            ended = first => panic!("the first one ended: {ended:?}"),
            ended = second => panic!("the second one ended: {ended:?}"),
        }
    });
    let lines = lines.0.lock().expect("a lock");
    lines.clone()
}

/// The last word of a replica on a pod.
fn last_word<'a>(lines: &'a [(Replica, String)], of: Replica, pod: &str) -> Option<&'a str> {
    let is_word = |line: &str| line.starts_with(['S', 'P']) && line.contains(pod);
    lines.iter().rev().find(|(who, line)| *who == of && is_word(line)).map(|(_, line)| &**line)
}

/// Some of the requests, or each if the caller says so (`cargo xtask long` does).
#[expect(clippy::disallowed_methods, reason = "how much is done is the caller's to say")]
fn of_each(step: usize) -> usize {
    if std::env::var("WATCHKEEPER_EACH_FAULT").is_ok() { 1 } else { step }
}

/// The beginning of a moment between two changes, another one for each number.
fn moment(n: usize) -> Duration {
    Duration::from_millis(n as u64 * 131 % 700)
}

fn whenever_the_lease_is_lost(style: Style) {
    let (mut taken, mut both) = (0, 0);
    for n in (1..).step_by(of_each(3)) {
        let loss = LeaderLoss::at_request(n);
        let lines = told(&loss, style, moment(n));
        let Some(place) = loss.place() else { break };
        loss.handed_over_once().unwrap_or_else(|error| panic!("{error}"));
        let at = format!("{style:?}, cut off at request {n}, {place}");
        let who: Vec<Replica> = lines.iter().map(|(who, _)| *who).collect();
        let turns: Vec<Replica> =
            who.chunk_by(|one, other| one == other).map(|turn| turn[0]).collect();
        let is_taken = loss.is_taken_over();
        let last = if is_taken { Replica::Second } else { Replica::First };
        assert_eq!(turns.last(), Some(&last), "{at}: {lines:?}");
        assert!(turns.len() <= 2, "{at}: both told something in turn: {lines:?}");
        (taken, both) = (taken + usize::from(is_taken), both + usize::from(turns.len() == 2));
        let last = |pod| last_word(&lines, last, pod);
        for pod in ["changes", "stays"] {
            assert_eq!(last(pod), Some(&*format!("Sync/Add/Update for Pod {pod}")), "{at}");
        }
        // Who begins when it has gone already never hears of it.
        let goes = last("goes");
        assert!(
            goes.is_none_or(|word| word == "Pod default/goes does not exist anymore"),
            "{at}: {goes:?}"
        );
    }
    assert!(
        taken > 10 && both > 10,
        "taken over {taken} times, {both} times from one that told something"
    );
}

#[test]
fn whenever_the_lease_is_lost_the_other_one_tells_of_every_pod_with_the_boxes() {
    whenever_the_lease_is_lost(Style::Classic);
}

#[test]
fn whenever_the_lease_is_lost_the_other_one_tells_of_every_pod_as_a_controller() {
    whenever_the_lease_is_lost(Style::Controller);
}
