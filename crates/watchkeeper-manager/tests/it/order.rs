//! Start, failure and stop.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::core::v1::{ConfigMap, Pod};
use watchkeeper_api::{Error, Result, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_cache::Watch;
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_manager::{LeaderElection, Manager, Stop};

use crate::nowhere;

type Log = Arc<Mutex<Vec<&'static str>>>;

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// Logs when it starts and when it has stopped.
async fn steady(log: Log, stop: Stop) -> Result<()> {
    log.lock().expect("no panic").push("started");
    stop.requested().await;
    sleep(secs(3)).await;
    log.lock().expect("no panic").push("stopped");
    Ok(())
}

fn add_steady(manager: &Manager, name: &str, log: &Log) {
    let log = Arc::clone(log);
    manager.add(name, |stop| steady(log, stop));
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_lets_runnables_finish() {
    let (manager, log) = (Manager::new(&nowhere()), Log::default());
    add_steady(&manager, "a", &log);
    add_steady(&manager, "b", &log);
    let start = Instant::now();
    manager.run(sleep(secs(10))).await.unwrap();
    assert_eq!(start.elapsed(), secs(13));
    assert_eq!(*log.lock().unwrap(), ["started", "started", "stopped", "stopped"]);
}

/// Logs whether the copies are full when it starts, and whether they still follow when it has stopped.
async fn reader(
    name: &str,
    (maps, client): (Watch<ConfigMap>, Client),
    log: Arc<Mutex<Vec<String>>>,
    stop: Stop,
) -> Result<()> {
    let note = |what: String| log.lock().expect("no panic").push(format!("{name} {what}"));
    note(format!("starts, copies full: {}", maps.has_synced()));
    stop.requested().await;
    note("is to stop".to_owned());
    let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
    client.api_for(&map).create(&map, &CreateOptions::default()).await?;
    sleep(secs(1)).await;
    note(format!("has stopped, copies follow: {}", maps.peek(("default", name)).is_some()));
    Ok(())
}

/// M-01, M-02: copies are full before anything reads them, what runs everywhere comes before what the leader does, and
/// ends before it; the copies end last.
#[tokio::test(start_paused = true)]
async fn m_01_groups_start_in_order_and_stop_in_theirs() {
    let client = Client::new(ApiServer::new());
    let election = LeaderElection::new("l").identity("a");
    let manager = Manager::new(&client).seed(1).leader_election(election);
    let maps = manager.watch::<ConfigMap>();
    let log: Arc<Mutex<Vec<String>>> = Arc::default();
    let reads = (maps.clone(), client.clone());
    let (state, notes) = (reads.clone(), Arc::clone(&log));
    manager.add("leading", move |stop| reader("leading", state, notes, stop));
    let notes = Arc::clone(&log);
    manager.add_everywhere("everywhere", move |stop| reader("everywhere", reads, notes, stop));
    manager.run(sleep(secs(30))).await.unwrap();
    assert_eq!(
        *log.lock().unwrap(),
        [
            "everywhere starts, copies full: true",
            "leading starts, copies full: true",
            "everywhere is to stop",
            "everywhere has stopped, copies follow: true",
            "leading is to stop",
            "leading has stopped, copies follow: true",
        ]
    );
    let map = object!(ConfigMap { metadata: { name: "late", namespace: "default" } });
    client.api_for(&map).create(&map, &CreateOptions::default()).await.unwrap();
    sleep(secs(1)).await;
    assert!(maps.peek(("default", "late")).is_none(), "the copies have ended");
}

/// The longest of all durations is for ever, wherever one may be given.
#[tokio::test(start_paused = true)]
async fn for_ever_is_a_duration_like_others() {
    let manager = Manager::new(&nowhere()).sync_timeout(Duration::MAX);
    let _pods = manager.watch::<Pod>();
    manager.run(sleep(secs(3600))).await.unwrap();

    let (manager, log) = (Manager::new(&nowhere()).grace(Duration::MAX), Log::default());
    add_steady(&manager, "b", &log);
    manager.run(sleep(secs(10))).await.unwrap();
    assert_eq!(*log.lock().unwrap(), ["started", "stopped"]);
}

/// M-04.
#[tokio::test(start_paused = true)]
async fn the_first_failure_stops_everything_and_is_returned() {
    let (manager, log) = (Manager::new(&nowhere()), Log::default());
    add_steady(&manager, "a", &log);
    manager.add("early", async |_stop| Ok::<_, Error>(()));
    manager.add("bad", async |_stop| {
        sleep(secs(5)).await;
        Err("no more disk")
    });
    let error = manager.run(pending()).await.unwrap_err();
    assert_eq!(error.to_string(), "no more disk");
    assert_eq!(*log.lock().unwrap(), ["started", "stopped"]);
}

#[tokio::test(start_paused = true)]
async fn a_runnable_that_panics_stops_the_manager() {
    let manager = Manager::new(&nowhere());
    manager.add("bad", async |_stop| -> Result<()> { panic!("a bug") });
    let error = manager.run(pending()).await.unwrap_err();
    assert!(error.to_string().contains("a bug"), "{error}");
}

/// M-05.
#[tokio::test(start_paused = true)]
async fn those_who_do_not_end_are_left_behind_after_the_grace_period() {
    let manager = Manager::new(&nowhere()).grace(secs(7));
    manager.add("stubborn", async |_stop| pending::<Result<()>>().await);
    let start = Instant::now();
    let error = manager.run(sleep(secs(1))).await.unwrap_err();
    assert_eq!(start.elapsed(), secs(8));
    let expected = "failed waiting for all runnables to end within the grace period of 7s";
    assert_eq!(error.to_string(), expected);
}

/// How a run ends, and when, of something that never does; it is told to stop after a second.
async fn stubborn(graced: impl FnOnce(Manager) -> Manager) -> (Duration, Result<()>) {
    let manager = graced(Manager::new(&nowhere()));
    manager.add("stubborn", async |_stop| pending::<Result<()>>().await);
    let start = Instant::now();
    let ended = manager.run(sleep(secs(1))).await;
    (start.elapsed() - secs(1), ended)
}

/// M-05: unless said otherwise.
#[tokio::test(start_paused = true)]
async fn m_05_those_who_do_not_end_have_thirty_seconds() {
    let (took, ended) = stubborn(|manager| manager).await;
    assert_eq!(took, secs(30));
    let expected = "failed waiting for all runnables to end within the grace period of 30s";
    assert_eq!(ended.expect_err("one did not end").to_string(), expected);
}

/// M-05: nobody is waited for, which is what was asked for.
#[tokio::test(start_paused = true)]
async fn m_05_without_a_grace_period_nobody_is_waited_for() {
    let (took, ended) = stubborn(|manager| manager.grace(Duration::ZERO)).await;
    assert_eq!(took, Duration::ZERO);
    ended.expect("that is no error");
    let (manager, log) = (Manager::new(&nowhere()).grace(Duration::ZERO), Log::default());
    add_steady(&manager, "slow", &log);
    manager.run(sleep(secs(1))).await.expect("a clean stop");
    sleep(secs(10)).await;
    assert_eq!(*log.lock().unwrap(), ["started"], "it was ended where it was");
}

/// M-05: what fails while nobody waits is told all the same, if it is there at once.
#[tokio::test(start_paused = true)]
async fn m_05_without_a_grace_period_a_failure_is_told() {
    let manager = Manager::new(&nowhere()).grace(Duration::ZERO);
    manager.add("bad", async |_stop| {
        sleep(secs(5)).await;
        Err("no more disk")
    });
    let error = manager.run(pending()).await.unwrap_err();
    assert_eq!(error.to_string(), "no more disk");
}

/// M-05: and for ever is for as long as it takes.
#[tokio::test(start_paused = true)]
async fn m_05_who_has_for_ever_is_waited_for_as_long_as_it_takes() {
    const YEAR: u64 = 365 * 24 * 3600;
    let manager = Manager::new(&nowhere()).grace(Duration::MAX);
    manager.add("slow", async |stop: Stop| {
        stop.requested().await;
        sleep(secs(YEAR)).await;
        Ok::<_, Error>(())
    });
    let start = Instant::now();
    manager.run(sleep(secs(1))).await.expect("it has ended");
    assert_eq!(start.elapsed(), secs(YEAR + 1));
}

#[tokio::test(start_paused = true)]
async fn a_name_is_taken_once() {
    let (manager, log) = (Manager::new(&nowhere()), Log::default());
    add_steady(&manager, "a", &log);
    add_steady(&manager, "a", &log);
    let error = manager.run(pending()).await.unwrap_err();
    assert_eq!(error.to_string(), "two controllers or runnables are called a");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_run_stops_everything_at_once() {
    struct Guard(Log);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.lock().unwrap().push("dropped");
        }
    }
    let (manager, log) = (Manager::new(&nowhere()), Log::default());
    let guard = Guard(Arc::clone(&log));
    manager.add("a", async move |_stop| {
        let _guard = guard;
        pending::<Result<()>>().await
    });
    let run = manager.run(pending());
    assert!(tokio::time::timeout(secs(1), run).await.is_err());
    tokio::task::yield_now().await;
    assert_eq!(*log.lock().unwrap(), ["dropped"]);
}

/// M-03.
#[tokio::test(start_paused = true)]
async fn what_is_added_while_the_manager_runs_starts_at_once_and_later_never() {
    let (manager, log) = (Manager::new(&nowhere()), Log::default());
    let (handle, late) = (manager.clone(), Arc::clone(&log));
    manager.add("a", async move |_stop| {
        sleep(secs(1)).await;
        add_steady(&handle, "late", &late);
        Ok::<_, Error>(())
    });
    let handle = manager.clone();
    manager.run(sleep(secs(2))).await.unwrap();
    assert_eq!(*log.lock().unwrap(), ["started", "stopped"]);

    add_steady(&handle, "too late", &log);
    let error = handle.run(pending()).await.unwrap_err();
    assert_eq!(error.to_string(), "a manager can be run once");
    assert_eq!(log.lock().unwrap().len(), 2);
}
