//! Sources that are no watch: triggers, and functions of one's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::task::JoinSet;
use tokio::time::sleep;
use watchkeeper_controller::{Action, Controller, ControllerPhase, Feed, Trigger};

use crate::world::{World, secs};

/// B-07: `Channel`.
#[tokio::test(start_paused = true)]
async fn b_07_a_trigger_asks_every_controller_that_listens_and_waits_for_none() {
    let world = World::new();
    let trigger = Trigger::new("knock");
    let (one, two) = (world.log.clone(), crate::world::Log::default());
    let controller = |name, log| {
        Controller::new(&world.client, name, &world.maps)
            .triggered_by(&trigger)
            .with(log)
            .reconcile(async |log: &crate::world::Log, request, _ctx| {
                log.push(request.name());
                Ok(Action::done())
            })
    };
    let first = controller("one", one.clone());
    let second = controller("two", two.clone());
    for _ in 0..5000 {
        trigger.request(("default", "early"));
    }
    let script = async {
        sleep(secs(1)).await;
        assert_eq!((one.take(), two.take()), (vec!["early".to_owned()], vec!["early".to_owned()]));
        trigger.request(("default", "b"));
        sleep(secs(1)).await;
        assert_eq!((one.take(), two.take()), (vec!["b".to_owned()], vec!["b".to_owned()]));
        let why = first.handle().why(("default", "b")).expect("known");
        assert_eq!(why.last[0].to_string(), "knock: requested");
    };
    tokio::select! {
        biased;
        ended = first.run(script) => ended.expect("a clean stop"),
        ended = second.run(std::future::pending()) => panic!("{ended:?}"),
        () = world.cache.run() => panic!("the cache ended first"),
    }
}

/// B-07: `Func`, and `WaitForSync`.
#[tokio::test(start_paused = true)]
async fn b_07_a_function_tells_and_is_waited_for() {
    let world = World::new();
    world.create("a").await;
    let begun = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&begun);
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .source("bucket", move |feed: Feed| {
            count.fetch_add(1, Ordering::Relaxed);
            async move {
                feed.request(("default", "first"));
                sleep(secs(30)).await;
                feed.told_all();
                sleep(secs(30)).await;
                feed.request(("default", "later"));
                std::future::pending::<Result<(), std::io::Error>>().await
            }
        })
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        });
    let handle = controller.handle();
    let script = async {
        sleep(secs(29)).await;
        assert_eq!(world.log.take(), [""; 0]);
        assert_eq!(handle.status().to_string(), "maps: waits for bucket");
        sleep(secs(2)).await;
        assert_eq!(world.log.take(), ["first", "a"]);
        sleep(secs(30)).await;
        assert_eq!(world.log.take(), ["later"]);
        handle.restart().await;
        sleep(secs(31)).await;
        assert_eq!(world.log.take(), ["first", "a"], "it is begun again with the controller");
    };
    world.run(&controller, script).await;
    assert_eq!(begun.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn b_07_a_function_that_fails_ends_the_controller() {
    let world = World::new();
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .source("bucket", async |feed: Feed| {
            feed.told_all();
            sleep(secs(30)).await;
            Err("no such bucket")
        })
        .reconcile(async |_request, _ctx| Ok(Action::done()));
    assert_eq!(end_of(&world, &controller).await, "the source bucket failed: no such bucket");
}

async fn end_of(world: &World, controller: &Controller) -> String {
    let ended = tokio::select! {
        biased;
        ended = controller.run(std::future::pending()) => ended,
        () = world.cache.run() => panic!("the cache ended first"),
    };
    ended.expect_err("it fails").to_string()
}

/// Nothing else would tell that it is heard of no more.
#[tokio::test(start_paused = true)]
async fn b_07_a_function_that_panics_ends_the_controller() {
    let world = World::new();
    let working = Controller::new(&world.client, "maps", &world.maps)
        .source("bucket", async |feed: Feed| {
            feed.told_all();
            sleep(secs(30)).await;
            let number: u32 = "x".parse().expect("a number");
            feed.request(("default", number.to_string()));
            Ok::<_, std::io::Error>(())
        })
        .reconcile(async |_request, _ctx| Ok(Action::done()));
    let text = end_of(&world, &working).await;
    assert!(text.starts_with("the source bucket panicked: a number"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn b_07_a_function_that_panics_before_it_begins_ends_the_controller() {
    let world = World::new();
    let is_empty = AtomicUsize::new(0);
    let at_once = Controller::new(&world.client, "maps", &world.maps)
        .source("bucket", move |_feed: Feed| {
            assert!(is_empty.load(Ordering::Relaxed) > 0, "no bucket");
            std::future::ready(Ok::<_, std::io::Error>(()))
        })
        .reconcile(async |_request, _ctx| Ok(Action::done()));
    assert_eq!(end_of(&world, &at_once).await, "the source bucket panicked: no bucket");
}

/// It has no copy that could say which one it is.
#[tokio::test(start_paused = true)]
async fn n_06_a_function_that_never_tells_is_named() {
    let world = World::new();
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .source("bucket", async |_feed: Feed| {
            std::future::pending::<Result<(), std::io::Error>>().await
        })
        .reconcile(async |_request, _ctx| Ok(Action::done()));
    let expected = "controller maps: a source was not synced within 120s: bucket";
    assert_eq!(end_of(&world, &controller).await, expected);
}

/// The queue of a run goes with it; what was asked for does not, of objects that nobody else tells of, too.
#[tokio::test(start_paused = true)]
async fn b_07_a_trigger_asked_while_its_controller_stops_is_heard_by_the_next_run() {
    let world = World::new();
    world.create("slow").await;
    let trigger = Trigger::new("knock");
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .triggered_by(&trigger)
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            sleep(secs(10)).await;
            Ok(Action::done())
        });
    let handle = controller.handle();
    let script = async {
        sleep(secs(1)).await;
        trigger.request(("default", "queued"));
        // In a task: nobody polls the script while the controller stops.
        let (asked, asking) = (trigger.clone(), handle.clone());
        let mut asks = JoinSet::new();
        asks.spawn(async move {
            sleep(secs(1)).await;
            assert_eq!(asking.status().phase, ControllerPhase::Stopping);
            asked.request(("default", "stopping"));
        });
        handle.stop().await;
        let asked = asks.join_next().await.expect("it was spawned");
        asked.expect("it asked while the controller stopped");
        trigger.request(("default", "stopped"));
        assert_eq!(world.log.take(), ["slow"]);
        handle.start();
        sleep(secs(60)).await;
        let mut seen = world.log.take();
        seen.sort();
        assert_eq!(seen, ["queued", "slow", "stopped", "stopping"]);
        handle.restart().await;
        sleep(secs(60)).await;
        assert_eq!(world.log.take(), ["slow"], "once each");
    };
    world.run(&controller, script).await;
}
