//! A cache that breaks down, and managers that end before there was anything to run.

use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{sleep, timeout};
use watchkeeper_api::Result;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_client::Client;
use watchkeeper_controller::Action;
use watchkeeper_manager::{LeaderElection, Manager};

use crate::nowhere;

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// A client whose requests for secrets panic once the switch is on.
fn panicking() -> (Client, Arc<AtomicBool>) {
    let server = ApiServer::builder().seed(7).clock(Clock::default()).build();
    let panics = Arc::new(AtomicBool::new(false));
    let on = Arc::clone(&panics);
    let client = Client::new(server).intercept(move |request, next| {
        let refused = on.load(Ordering::Relaxed) && request.uri().path().ends_with("/secrets");
        async move {
            assert!(!refused, "no secrets please");
            next.send(request).await
        }
    });
    (client, panics)
}

/// Adds what runs until it is stopped, and drops what it holds when it is over.
fn add_holder(manager: &Manager, name: &str, held: &Arc<()>) {
    let held = Arc::clone(held);
    manager.add(name, async move |stop| -> Result<()> {
        stop.requested().await;
        drop(held);
        Ok(())
    });
}

/// What is added now is neither run nor kept.
fn assert_is_closed(manager: &Manager) {
    let held = Arc::new(());
    add_holder(manager, "too late", &held);
    assert_eq!(Arc::strong_count(&held), 1);
}

/// M-04: the cache is one of what runs. The others still have their time to finish.
#[tokio::test(start_paused = true)]
async fn a_cache_that_breaks_down_later_ends_the_run_with_what_happened() {
    let (client, panics) = panicking();
    let manager = Manager::new(&client);
    let (maps, secrets) = (manager.watch::<ConfigMap>(), manager.watch::<Secret>());
    manager
        .controller("maps", &maps)
        .watches(&secrets, |_| None::<(&str, &str)>)
        .reconcile(async |_, _| Ok(Action::done()));
    let log = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&log);
    manager.add("steady", async move |stop| -> Result<()> {
        sleep(secs(60)).await;
        // From now on: it is noticed when the watch is opened anew.
        panics.store(true, Ordering::Relaxed);
        stop.requested().await;
        sleep(secs(3)).await;
        told.lock().expect("no panic").push("finished");
        Ok(())
    });
    let handle = manager.clone();
    let ended = timeout(secs(3600), manager.run(pending())).await;
    let text = ended.expect("it ends").unwrap_err().to_string();
    assert!(text.starts_with("the cache broke down: secrets: stopped, 0 objects @"), "{text}");
    assert!(text.contains("; what follows the server panicked: no secrets please"), "{text}");
    assert_eq!(*log.lock().unwrap(), ["finished"]);
    assert_is_closed(&handle);
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_breaks_down_before_its_first_list_says_so_too() {
    let (client, panics) = panicking();
    panics.store(true, Ordering::Relaxed);
    let manager = Manager::new(&client);
    let (_maps, _secrets) = (manager.watch::<ConfigMap>(), manager.watch::<Secret>());
    let text = manager.run(pending()).await.unwrap_err().to_string();
    let expected = "the cache broke down: secrets: not synced, stopped; what follows the server panicked: no secrets please";
    assert_eq!(text, expected);
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_is_shut_down_by_somebody_else_ends_the_run() {
    let (client, _) = panicking();
    let manager = Manager::new(&client);
    let _maps = manager.watch::<ConfigMap>();
    let (handle, cache) = (manager.clone(), manager.cache().clone());
    manager.add("vandal", async move |stop| -> Result<()> {
        cache.shut_down();
        stop.requested().await;
        Ok(())
    });
    let text = manager.run(pending()).await.unwrap_err().to_string();
    let expected = "the cache has ended while the manager runs: it was shut down, or is run by somebody else, too";
    assert_eq!(text, expected);
    assert_is_closed(&handle);
}

/// An error of what runs is told as it is while the cache is well.
#[tokio::test(start_paused = true)]
async fn the_error_of_a_runnable_is_not_the_caches() {
    let (client, _) = panicking();
    let manager = Manager::new(&client);
    let _maps = manager.watch::<ConfigMap>();
    manager.add("bad", async |_stop| Err("no more disk"));
    let error = manager.run(pending()).await.unwrap_err();
    assert_eq!(error.to_string(), "no more disk");
}

/// However early it ends: what waits is let go of, and nothing is taken any more.
#[tokio::test(start_paused = true)]
async fn a_manager_that_ends_before_its_caches_are_synced_is_closed() {
    let held = Arc::new(());
    let manager = || {
        let manager = Manager::new(&nowhere()).sync_timeout(secs(5));
        add_holder(&manager, "waits", &held);
        (manager.watch::<ConfigMap>(), manager.clone(), manager)
    };

    let (_maps, handle, stopped) = manager();
    stopped.run(sleep(secs(1))).await.unwrap();
    assert_is_closed(&handle);

    let (_maps, handle, late) = manager();
    let error = late.run(pending()).await.unwrap_err();
    assert!(error.to_string().starts_with("the cache was not synced within 5s"), "{error}");
    assert_is_closed(&handle);

    let (_maps, handle, dropped) = manager();
    assert!(timeout(secs(1), dropped.run(pending())).await.is_err());
    assert_is_closed(&handle);

    let (_maps, handle, senseless) = manager();
    let election = LeaderElection::new("a").times(Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let senseless = senseless.leader_election(election);
    assert!(senseless.run(pending()).await.is_err());
    assert_is_closed(&handle);
    assert_eq!(Arc::strong_count(&held), 1, "what never started is let go of");
}

/// 4.10, 5: upstream asks for the kinds of the server as a cluster is made, and an address at which nobody is yet
/// fails the program there.
#[tokio::test(start_paused = true)]
async fn nothing_is_asked_of_the_server_before_a_manager_runs() {
    let server = ApiServer::builder().seed(7).clock(Clock::default()).build();
    let (asked, up) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let (count, is_up) = (Arc::clone(&asked), Arc::clone(&up));
    let client = Client::new(server).intercept(move |request, next| {
        count.fetch_add(1, Ordering::Relaxed);
        let is_up = is_up.load(Ordering::Relaxed);
        async move { if is_up { next.send(request).await } else { Err("nobody is there".into()) } }
    });
    let election = LeaderElection::new("mine").namespace("default");
    let manager = Manager::new(&client).leader_election(election);
    let maps = manager.watch::<ConfigMap>();
    let controller = manager.controller("maps", &maps).reconcile(async |_, _| Ok(Action::done()));
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    let script = async {
        sleep(secs(30)).await;
        assert!(asked.load(Ordering::Relaxed) > 1, "it is asked again");
        up.store(true, Ordering::Relaxed);
        controller.working().await;
    };
    manager.run(script).await.unwrap();
}
