//! Kinds that the server does not have yet, or does not let the program read; watches that fail or stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::time::sleep;
use watchkeeper_api::ObjectKey;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_client::{Body, Client};
use watchkeeper_controller::{Action, Controller, ControllerPhase, Feed, Trigger};

use crate::world::{World, secs};

/// Answers requests for secrets with this status while the switch is on.
fn refusing(client: Client, code: u16, reason: &'static str, on: &Arc<AtomicBool>) -> Client {
    let on = Arc::clone(on);
    client.intercept(move |request, next| {
        let refused = on.load(Ordering::Relaxed) && request.uri().path().ends_with("/secrets");
        async move {
            if !refused {
                return next.send(request).await;
            }
            let status = format!(
                r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","code":{code},"reason":"{reason}","message":"not these"}}"#
            );
            let answer = http::Response::builder().status(code);
            Ok(answer.header("content-type", "application/json").body(Body::from(status))?)
        }
    })
}

fn world(code: u16, reason: &'static str, on: &Arc<AtomicBool>) -> World {
    World::with(|client| refusing(client, code, reason, on))
}

fn controller(world: &World) -> Controller {
    let secrets = world.cache.watch::<Secret>();
    Controller::new(&world.client, "maps", &world.maps)
        .watches(&secrets, |_| None::<ObjectKey>)
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        })
}

/// N-07: whatever the time to sync is, and it says what it waits for.
#[tokio::test(start_paused = true)]
async fn n_07_a_kind_that_is_missing_or_forbidden_is_waited_for() {
    for (code, reason) in [(404, "NotFound"), (403, "Forbidden")] {
        let on = Arc::new(AtomicBool::new(true));
        let world = world(code, reason, &on);
        world.create("a").await;
        let controller = controller(&world);
        let handle = controller.handle();
        let script = async {
            sleep(secs(3600)).await;
            let status = handle.status();
            assert_eq!(status.phase, ControllerPhase::Waiting);
            let text = status.to_string();
            assert!(text.starts_with("maps: waits for secrets: not synced"), "{text}");
            assert!(text.contains("not these"), "{text}");
            let copies: Vec<_> =
                status.sources.iter().map(|source| source.copies[0].refused).collect();
            assert_eq!(copies, [false, true]);
            assert_eq!(world.log.take(), [""; 0]);
            on.store(false, Ordering::Relaxed);
            handle.working().await;
            sleep(secs(1)).await;
            assert_eq!(world.log.take(), ["a"]);
        };
        world.run(&controller, script).await;
    }
}

/// N-07: those that have told all are not late behind one that is waited for.
#[tokio::test(start_paused = true)]
async fn n_07_a_refused_source_makes_none_of_those_behind_it_late() {
    let on = Arc::new(AtomicBool::new(true));
    let world = world(403, "Forbidden", &on);
    let secrets = world.cache.watch::<Secret>();
    let controller = Controller::new(&world.client, "secrets", &secrets)
        .owns(&world.maps)
        .triggered_by(&Trigger::new("knock"))
        .source("bucket", async |feed: Feed| {
            feed.told_all();
            std::future::pending::<Result<(), std::io::Error>>().await
        })
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        });
    let handle = controller.handle();
    let script = async {
        sleep(secs(3600)).await;
        let status = handle.status();
        assert_eq!(status.phase, ControllerPhase::Waiting);
        let told: Vec<_> = status.sources.iter().map(|source| source.told_all).collect();
        assert_eq!(told, [false, true, true, true]);
        let text = status.to_string();
        assert!(text.starts_with("secrets: waits for secrets: not synced"), "{text}");
        assert!(!text.contains("bucket") && !text.contains("knock"), "{text}");
        on.store(false, Ordering::Relaxed);
        handle.working().await;
    };
    world.run(&controller, script).await;
}

/// A source that is added and refused keeps nobody from working.
#[tokio::test(start_paused = true)]
async fn a_source_that_comes_later_and_is_refused_holds_nothing_up() {
    let on = Arc::new(AtomicBool::new(true));
    let world = world(404, "NotFound", &on);
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        });
    let handle = controller.handle();
    let script = async {
        handle.working().await;
        let secrets = world.cache.watch::<Secret>();
        let id = handle.watches(&secrets, |_| Some(ObjectKey::from(("default", "a"))));
        sleep(secs(600)).await;
        world.create("b").await;
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["b"]);
        let told = || handle.status().sources.iter().map(|s| s.told_all).collect::<Vec<_>>();
        assert_eq!(told(), [true, false]);
        on.store(false, Ordering::Relaxed);
        sleep(secs(600)).await;
        assert_eq!(told(), [true, true]);
        assert!(handle.remove(id));
    };
    world.run(&controller, script).await;
}

/// N-06: what the server does not refuse has to be there in time.
#[tokio::test(start_paused = true)]
async fn n_06_a_source_that_is_late_for_another_reason_ends_the_start() {
    let on = Arc::new(AtomicBool::new(true));
    let world = world(500, "InternalError", &on);
    let controller = controller(&world);
    let ended = tokio::select! {
        biased;
        ended = controller.run(std::future::pending()) => ended,
        () = world.cache.run() => panic!("the cache ended first"),
    };
    let text = ended.unwrap_err().to_string();
    let expected = "controller maps: a watch was not synced within 120s: secrets: not synced";
    assert!(text.starts_with(expected) && text.contains("not these"), "{text}");
}

/// 4.10, 4: upstream asks for ever, and keeps the stores.
#[tokio::test(start_paused = true)]
async fn n_06_a_cache_that_stops_while_it_is_waited_for_ends_the_start() {
    let on = Arc::new(AtomicBool::new(true));
    let world = world(404, "NotFound", &on);
    let controller = controller(&world);
    let stop = async {
        sleep(secs(30)).await;
        world.cache.shut_down();
        std::future::pending::<()>().await;
    };
    let running =
        async { tokio::join!(biased; controller.run(std::future::pending()), world.cache.run()).0 };
    let ended = tokio::select! {
        biased;
        ended = running => ended,
        () = stop => Ok(()),
    };
    let text = ended.unwrap_err().to_string();
    assert!(text.starts_with("controller maps: a watch stopped: secrets: "), "{text}");
}

/// kube-rs 1.9 e: there, one failing trigger slows all others down.
#[tokio::test(start_paused = true)]
async fn a_watch_that_fails_later_delays_no_other() {
    let on = Arc::new(AtomicBool::new(false));
    let world = world(500, "InternalError", &on);
    let controller = controller(&world);
    let script = async {
        sleep(secs(1)).await;
        on.store(true, Ordering::Relaxed);
        // Watches are opened anew within ten minutes.
        sleep(secs(1200)).await;
        for round in 0..10 {
            let name = format!("m{round}");
            world.create(&name).await;
            sleep(std::time::Duration::from_millis(10)).await;
            assert_eq!(world.log.take(), [name]);
        }
    };
    world.run(&controller, script).await;
}

/// kube-rs 1.9 d: there, what vanished while the watch was broken is never told.
#[tokio::test(start_paused = true)]
async fn what_vanished_while_a_watch_was_broken_is_reconciled() {
    let on = Arc::new(AtomicBool::new(false));
    let broken = Arc::clone(&on);
    let world = World::with(|client| {
        client.intercept(move |request, next| {
            let refused = broken.load(Ordering::Relaxed);
            async move {
                match refused {
                    true => Err("no network".into()),
                    false => next.send(request).await,
                }
            }
        })
    });
    world.create("a").await;
    let maps = world.client.api::<ConfigMap>().namespace("default");
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .with((world.maps.clone(), world.log.clone()))
        .reconcile(async |(maps, log), request, _ctx| {
            log.push(format!("{} {}", request.name(), maps.get(&request).await?.is_some()));
            Ok(Action::done())
        });
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a true"]);
        on.store(true, Ordering::Relaxed);
        // The watch ends, and cannot be opened.
        sleep(secs(1200)).await;
        maps.delete("a", &Default::default()).await.expect("deleted");
        sleep(secs(1)).await;
        world.log.take();
        on.store(false, Ordering::Relaxed);
        sleep(secs(600)).await;
        assert_eq!(world.log.take(), ["a false"]);
    };
    world.run(&controller, script).await;
}
