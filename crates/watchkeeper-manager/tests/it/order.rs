//! Start, failure and stop.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::core::v1::Pod;
use watchkeeper_api::{Error, Result};
use watchkeeper_manager::{Manager, Stop};

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
