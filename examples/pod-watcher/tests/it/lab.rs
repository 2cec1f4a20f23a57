//! What is printed, in order; and what becomes of handlers that fail.

use std::collections::BTreeMap;
use std::future::pending;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Parser;
use expect_test::expect;
use pod_watcher::Outcome;
use pod_watcher::args::Args;
use pod_watcher::lab::{PodController, Style};
use pod_watcher::printer::Printer;
use pod_watcher::run::{NAME, embedded};
use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};
use watchkeeper::apiserver::error::ApiError;
use watchkeeper::apiserver::hooks::{
    Admission, Arrival, Delivery, Fault, Faults, NthWrite, Passage, Read, Verdict,
};
use watchkeeper::apiserver::{Clock, HistoryEntry, Hook, Now};
use watchkeeper::cluster::Cluster;
use watchkeeper::prelude::*;

/// What was printed.
#[derive(Clone, Debug, Default)]
struct Pages(Arc<Mutex<Vec<u8>>>);

impl Pages {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("a lock").clone()).expect("text")
    }
}

impl Write for Pages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("a lock").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn cluster(seed: u64) -> Cluster {
    // The first second of 2026.
    let clock = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));
    Cluster::builder().seed(seed).clock(clock).build()
}

/// Runs something beside the actors of a cluster.
async fn beside<T>(cluster: &Cluster, what: impl Future<Output = T>) -> T {
    tokio::select! {
        biased;
        done = what => done,
        ended = cluster.run(pending()) => panic!("the cluster ended: {ended:?}"),
    }
}

/// The whole program on a cluster of this seed, and what it printed.
async fn told(seed: u64, args: &[&str]) -> String {
    let none = Faults::seeded(0);
    none.stop();
    told_through(&none, seed, args).await
}

/// The same through faults that strike whom they do not spare.
async fn told_through(faults: &Faults, seed: u64, args: &[&str]) -> String {
    told_on(faults.clone(), seed, args).await
}

/// The same on a server with a hook.
async fn told_on(hook: impl Hook + 'static, seed: u64, args: &[&str]) -> String {
    let args = Args::parse_from(["pod-watcher", "--once"].iter().chain(args));
    let (cluster, pages) = (cluster(seed), Pages::default());
    cluster.server().add_hook(hook);
    let program = embedded(&args, &cluster, Printer::new(pages.clone()), pending());
    let told = Box::pin(timeout(PATIENCE, beside(&cluster, program))).await;
    let ended =
        told.unwrap_or_else(|_| panic!("no end: {}{}", pages.text(), last_writes(&cluster)));
    ended.expect("the end of the script");
    pages.text()
}

/// The clock goes on while nothing does: so long is nothing on its way.
const PATIENCE: Duration = Duration::from_secs(3600);

/// What was written last, to tell why something has no end.
fn last_writes(cluster: &Cluster) -> String {
    let history = cluster.server().history();
    let last = history.entries().iter().rev().take(40).rev();
    last.map(|entry| {
        let HistoryEntry { at, actor, table, key, subresource, .. } = entry;
        format!("{at:?} {actor} {} {table}/{key} {subresource}\n", entry.verb.name())
    })
    .collect()
}

/// The last word on a pod whose name this is.
fn last_word<'a>(text: &'a str, name: &str) -> &'a str {
    let of_pod = |line: &&str| line.starts_with(['S', 'P']) && line.contains(name);
    text.lines().rfind(of_pod).unwrap_or_default()
}

/// Whatever failed on the way, this was told of either pod at last.
fn last_words_are_true(text: &str, on_the_way: &str) {
    let (stays, goes) = (last_word(text, "stays"), last_word(text, "goes"));
    assert_eq!(stays, "Sync/Add/Update for Pod stays", "{on_the_way}: {text}");
    assert_eq!(goes, "Pod default/goes does not exist anymore", "{on_the_way}: {text}");
}

#[tokio::test(start_paused = true)]
async fn through_every_fault_the_last_word_on_a_pod_is_true() {
    for style in ["classic", "controller"] {
        let mut struck = 0;
        for seed in 1..9 {
            let faults = Faults::seeded(seed).spare("script");
            let text = told_through(&faults, seed, &["--style", style]).await;
            last_words_are_true(&text, &format!("{style}, seed {seed}"));
            struck += faults.struck().values().sum::<u64>();
        }
        assert!(struck > 50, "{struck}");
    }
}

/// Each fault that somebody can meet who only reads strikes the program itself, one after the other, and is counted.
#[derive(Clone, Default)]
struct InTurn(Arc<Mutex<Vec<Fault>>>);

impl InTurn {
    /// Whether this one strikes now: it has not yet.
    fn strikes(&self, fault: Fault) -> bool {
        let mut struck = self.0.lock().expect("a lock");
        let is_new = !struck.contains(&fault);
        if is_new {
            struck.push(fault);
        }
        is_new
    }
}

impl Hook for InTurn {
    fn on_arrival(&mut self, arrival: &Arrival<'_>) -> Admission {
        match arrival.actor == NAME && self.strikes(Fault::Late) {
            true => Admission::Delay(Duration::from_secs(2)),
            false => Admission::Proceed,
        }
    }

    fn on_read(&mut self, read: &Read<'_>) -> Verdict {
        let refused = |error| Verdict::Refuse(Box::new(error));
        let of_reads = [
            (Fault::Hangup, Verdict::Hangup),
            (Fault::TooManyRequests, refused(ApiError::too_many_requests("not now", 1))),
            (Fault::InternalError, refused(ApiError::internal("no disk"))),
            (Fault::Unavailable, refused(ApiError::new(503, "ServiceUnavailable", "not now"))),
            (Fault::Expired, read.expired()),
        ];
        let mut ours = of_reads.into_iter().filter(|_| read.actor == NAME);
        let next = ours.find(|(fault, _)| self.strikes(*fault));
        next.map_or(Verdict::Proceed, |(_, verdict)| verdict)
    }

    fn on_delivery(&mut self, delivery: &Delivery<'_>) -> Passage {
        match delivery.actor == NAME && self.strikes(Fault::EndedWatch) {
            true => Passage::End,
            false => Passage::Deliver,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn each_fault_of_a_read_strikes_the_program_and_the_last_word_on_a_pod_is_true() {
    for style in ["classic", "controller"] {
        let faults = InTurn::default();
        let text = told_on(faults.clone(), 1, &["--style", style]).await;
        last_words_are_true(&text, style);
        let mut struck = faults.0.lock().expect("a lock").clone();
        struck.sort_unstable();
        let expected = [
            Fault::Hangup,
            Fault::TooManyRequests,
            Fault::InternalError,
            Fault::Unavailable,
            Fault::Expired,
            Fault::EndedWatch,
            Fault::Late,
        ];
        assert_eq!(struck, expected, "{style}");
    }
}

pub(crate) fn on_its_own<T>(run: impl Future<Output = T>) -> T {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    runtime.expect("a runtime").block_on(run)
}

/// Each write meets one kind of fault, the next one another; all of them meet each if the caller says so
/// (`cargo xtask long` does).
#[expect(clippy::disallowed_methods, reason = "how much is done is the caller's to say")]
fn faults_of(n: usize) -> Vec<Fault> {
    match std::env::var("WATCHKEEPER_EACH_FAULT") {
        Ok(_) => Fault::OF_A_WRITE.to_vec(),
        Err(_) => vec![Fault::OF_A_WRITE[n % Fault::OF_A_WRITE.len()]],
    }
}

/// It writes nothing itself; what it tells of is what the actors of the cluster write.
fn whichever_write_fails(style: &str) {
    let mut struck = BTreeMap::<Fault, usize>::new();
    for n in 1.. {
        let mut is_over = true;
        for fault in faults_of(n) {
            let failing =
                NthWrite::new(n, fault).spare("script").spare("leases.coordination.k8s.io");
            let text = on_its_own(told_on(failing.clone(), 1, &["--style", style]));
            let Some(what) = failing.struck() else { continue };
            is_over = false;
            *struck.entry(fault).or_default() += 1;
            last_words_are_true(&text, &format!("{fault:?} of {what}"));
        }
        // Conflicts are of fewer writes.
        if is_over && faults_of(n) != [Fault::Conflict] {
            break;
        }
    }
    assert!(struck.values().sum::<usize>() > 6, "{struck:?}");
}

#[test]
fn whichever_write_fails_the_last_word_of_the_boxes_is_true() {
    whichever_write_fails("classic");
}

#[test]
fn whichever_write_fails_the_last_word_of_the_controller_is_true() {
    whichever_write_fails("controller");
}

#[tokio::test(start_paused = true)]
async fn the_script_is_told_in_order() {
    expect![[r#"
        Starting Pod controller
        # the script makes pod stays
        Pod default/mypod does not exist anymore
        Sync/Add/Update for Pod stays
        Sync/Add/Update for Pod stays
        Sync/Add/Update for Pod stays
        # pod stays is ready
        # the script makes pod goes
        Sync/Add/Update for Pod goes
        Sync/Add/Update for Pod goes
        # pod goes is ready
        # the script deletes pod goes
        Sync/Add/Update for Pod goes
        Sync/Add/Update for Pod goes
        Pod default/goes does not exist anymore
        Stopping Pod controller
    "#]]
    .assert_eq(&told(1, &[]).await);
}

#[tokio::test(start_paused = true)]
async fn the_controller_tells_the_same_script() {
    expect![[r#"
        Starting Pod controller
        Pod default/mypod does not exist anymore
        # the script makes pod stays
        Sync/Add/Update for Pod stays
        Sync/Add/Update for Pod stays
        Sync/Add/Update for Pod stays
        # pod stays is ready
        # the script makes pod goes
        Sync/Add/Update for Pod goes
        Sync/Add/Update for Pod goes
        Sync/Add/Update for Pod goes
        # pod goes is ready
        # the script deletes pod goes
        Sync/Add/Update for Pod goes
        Sync/Add/Update for Pod goes
        Pod default/goes does not exist anymore
        Stopping Pod controller
    "#]]
    .assert_eq(&told(1, &["--style", "controller"]).await);
}

#[tokio::test(start_paused = true)]
async fn other_seeds_and_namespaces_end_the_same() {
    for style in ["classic", "controller"] {
        for seed in 2..6 {
            let args = ["--namespace", "shop", "--workers", "4", "--style", style];
            let text = told(seed, &args).await;
            assert!(text.contains("Sync/Add/Update for Pod stays\n"), "seed {seed}: {text}");
            let end = "Pod shop/goes does not exist anymore\nStopping Pod controller\n";
            assert!(text.ends_with(end), "seed {seed}: {text}");
        }
    }
}

/// A pod that is known from the last run is told as gone, once, if the server has it not; if it has it, it is told
/// as any other.
#[tokio::test(start_paused = true)]
async fn a_pod_of_the_last_run_is_told_as_gone() {
    for style in [Style::Classic, Style::Controller] {
        let (server, pages) = (cluster(1), Pages::default());
        let pods = server.client("script").api::<Pod>().namespace("default");
        pods.create(&pod("here"), &Default::default()).await.expect("a pod");
        let controller =
            PodController::new(&server.client("me"), "default", Printer::new(pages.clone()), style)
                .remembering("here")
                .remembering("mypod");
        controller.run(1, controller.told_everything()).await.expect("an orderly end");
        let text = pages.text();
        let mut lines: Vec<_> = text.lines().collect();
        lines.sort_unstable();
        let expected = [
            "Pod default/mypod does not exist anymore",
            "Starting Pod controller",
            "Stopping Pod controller",
            "Sync/Add/Update for Pod here",
        ];
        assert_eq!(lines, expected, "{style:?}");
    }
}

pub(crate) fn pod(name: &str) -> Pod {
    object!(Pod {
        metadata: { name: name },
        spec: { containers: [{ name: "a", image: "a" }] },
    })
}

/// Makes one pod on a bare server while a controller whose handler fails or crashes runs, and
/// tells what was printed, in both styles.
async fn failing(problem: fn(u32) -> Result<(), String>) -> [String; 2] {
    [failing_in(Style::Classic, problem).await, failing_in(Style::Controller, problem).await]
}

async fn failing_in(style: Style, problem: fn(u32) -> Result<(), String>) -> String {
    let (server, pages, count) = (cluster(1), Pages::default(), Mutex::new(0));
    let client = server.client("me");
    let controller = PodController::new(&client, "default", Printer::new(pages.clone()), style)
        .wrapped(|handler| {
            move |key, pod| {
                let mut count = count.lock().map_err(|_| "poisoned")?;
                *count += 1;
                let call = *count;
                drop(count);
                problem(call)?;
                handler(key, pod)
            }
        });
    let script = async {
        let pods = server.client("script").api::<Pod>().namespace("default");
        controller.told_everything().await;
        pods.create(&pod("a"), &Default::default()).await.expect("a pod");
        sleep(Duration::from_secs(60)).await;
    };
    controller.run(1, script).await.expect("an orderly end");
    pages.text()
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_always_fails_is_tried_five_times_again_and_dropped() {
    for text in failing(|_| Err("no luck".to_owned())).await {
        expect![[r#"
            Starting Pod controller
            Error syncing pod default/a: no luck
            Error syncing pod default/a: no luck
            Error syncing pod default/a: no luck
            Error syncing pod default/a: no luck
            Error syncing pod default/a: no luck
            Dropping pod default/a out of the queue: no luck
            Stopping Pod controller
        "#]]
        .assert_eq(&text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_pod_that_fails_twice_is_told_the_third_time() {
    for text in failing(|call| if call < 3 { Err("no luck".to_owned()) } else { Ok(()) }).await {
        expect![[r#"
            Starting Pod controller
            Error syncing pod default/a: no luck
            Error syncing pod default/a: no luck
            Sync/Add/Update for Pod a
            Stopping Pod controller
        "#]]
        .assert_eq(&text);
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_crashes_does_not_end_it() {
    for text in failing(|call| if call == 1 { panic!("out of coffee") } else { Ok(()) }).await {
        expect![[r#"
            Starting Pod controller
            Error syncing pod default/a: the handler crashed: out of coffee
            Sync/Add/Update for Pod a
            Stopping Pod controller
        "#]]
        .assert_eq(&text);
    }
}

/// Either style.
const STYLES: [Style; 2] = [Style::Classic, Style::Controller];

/// A client whose requests crash once there were so many.
fn crashing_after(server: &Cluster, requests: usize) -> Client {
    let sent = Arc::new(AtomicUsize::new(0));
    server.client("me").intercept(move |request, next| {
        let sent = sent.fetch_add(1, Ordering::Relaxed);
        async move {
            assert!(sent < requests, "out of sockets");
            next.send(request).await
        }
    })
}

/// A program whose informer crashed hears of no pod any more: it says so instead of waiting for a signal.
#[tokio::test(start_paused = true)]
async fn an_informer_that_crashes_ends_the_program_with_what_it_said() {
    for (style, requests) in STYLES.into_iter().flat_map(|style| [(style, 0), (style, 1)]) {
        let (server, pages) = (cluster(1), Pages::default());
        let client = crashing_after(&server, requests);
        let controller = PodController::new(&client, "default", Printer::new(pages), style);
        let outcome = controller.run(2, pending()).await;
        let expected = Err("the informer of pods crashed: out of sockets".to_owned());
        assert_eq!(outcome, expected, "{style:?}, after {requests} requests");
    }
}

/// A printer whose paper is out when it is to tell of an error.
struct NoPaper;

impl Write for NoPaper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        assert!(!bytes.starts_with(b"Error"), "out of paper");
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes one pod on a bare server, whose handler fails, and runs the lab on a printer that crashes at that.
async fn crashing_worker(
    style: Style,
    shutdown: impl Future<Output = ()> + Send,
) -> (Outcome, usize) {
    let (server, calls) = (cluster(1), Arc::new(AtomicUsize::new(0)));
    let pods = server.client("script").api::<Pod>().namespace("default");
    pods.create(&pod("a"), &Default::default()).await.expect("a pod");
    let (client, counted) = (server.client("me"), Arc::clone(&calls));
    let controller =
        PodController::new(&client, "default", Printer::new(NoPaper), style).wrapped(|_| {
            move |_: &ObjectKey, _: Option<&Pod>| {
                counted.fetch_add(1, Ordering::Relaxed);
                Err("no luck".to_owned())
            }
        });
    let outcome = controller.run(2, shutdown).await;
    (outcome, calls.load(Ordering::Relaxed))
}

/// What the handler does cannot end a worker, but what the worker does itself can.
#[tokio::test(start_paused = true)]
async fn a_worker_that_crashes_ends_the_program_with_what_it_said() {
    let (outcome, calls) = crashing_worker(Style::Classic, pending()).await;
    assert_eq!((outcome, calls), (Err("a worker crashed: out of paper".to_owned()), 1));
}

/// The toolkit's workers outlive the reconcile function, all of it: what crashes there is tried again.
#[tokio::test(start_paused = true)]
async fn a_reconcile_function_that_crashes_is_called_again() {
    let (outcome, calls) = crashing_worker(Style::Controller, sleep(Duration::from_secs(60))).await;
    assert_eq!(outcome, Ok(()));
    assert!(calls > 5, "called {calls} times");
}
