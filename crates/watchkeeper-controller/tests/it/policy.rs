//! How a controller treats its reconciles: debounce, pause, limits of time.

use tokio::time::{Instant, sleep};
use watchkeeper_controller::predicates::generation_changed;
use watchkeeper_controller::{Action, Controller, Limit, Trigger};
use watchkeeper_queue::ItemFastSlow;

use crate::world::{World, secs};

/// A burst of changes is one look, and an object that always changes has its turn.
#[tokio::test(start_paused = true)]
async fn changes_are_collected_for_a_while() {
    let world = World::new();
    world.create("a").await;
    let controller = Controller::new(&world.client, "slow", &world.maps)
        .debounce(secs(5))
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        });
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a"], "what is there at the start is not waited for");
        for _ in 0..10 {
            world.touch("a").await;
            sleep(secs(1)).await;
        }
        sleep(secs(2)).await;
        assert_eq!(world.log.take(), ["a", "a"], "ten changes in ten seconds");
    };
    world.run(&controller, script).await;
}

/// However its predicates are.
#[tokio::test(start_paused = true)]
async fn a_paused_object_is_left_alone_until_it_is_resumed() {
    let world = World::new();
    world.create("a").await;
    world.create("b").await;
    let pause = "example.com/paused";
    let source = world.maps.when(generation_changed);
    let controller = Controller::new(&world.client, "pauses", source)
        .paused_by(pause)
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            Ok(Action::after(secs(10)))
        });
    let handle = controller.handle();
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a", "b"]);
        world.change("a", |map| drop(map.metadata.annotations.insert(pause, "yes"))).await;
        sleep(secs(25)).await;
        assert_eq!(world.log.take(), ["b", "b"], "not even what asked for it");
        assert!(handle.status().figures.paused >= 2);
        world.change("a", |map| drop(map.metadata.annotations.remove(pause))).await;
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a"], "at once");
    };
    world.run(&controller, script).await;
}

#[tokio::test(start_paused = true)]
async fn an_object_that_is_paused_while_it_waits_for_room_is_left_alone() {
    let world = World::new();
    world.create("a").await;
    world.create("b").await;
    let pause = "example.com/paused";
    let controller = Controller::new(&world.client, "pauses", &world.maps)
        .paused_by(pause)
        .workers(2)
        .limit(&Limit::new(1))
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            sleep(secs(60)).await;
            Ok(Action::done())
        });
    let script = async {
        sleep(secs(1)).await;
        let running = world.log.take();
        assert_eq!(running.len(), 1);
        let waiting = if running == ["a"] { "b" } else { "a" };
        world.change(waiting, |map| drop(map.metadata.annotations.insert(pause, "yes"))).await;
        sleep(secs(600)).await;
        assert_eq!(world.log.take(), [""; 0]);
        world.change(waiting, |map| drop(map.metadata.annotations.remove(pause))).await;
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), [waiting]);
    };
    world.run(&controller, script).await;
}

/// Other sources lead to it still.
#[tokio::test(start_paused = true)]
async fn an_object_is_paused_though_the_source_of_its_kind_was_taken_away() {
    let world = World::new();
    world.create("a").await;
    world.create("b").await;
    let pause = "example.com/paused";
    world.change("a", |map| drop(map.metadata.annotations.insert(pause, "yes"))).await;
    let trigger = Trigger::new("knock");
    let controller = Controller::new(&world.client, "pauses", &world.maps)
        .paused_by(pause)
        .triggered_by(&trigger)
        .with(world.log.clone())
        .reconcile(async |log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        });
    let handle = controller.handle();
    let script = async {
        handle.working().await;
        assert!(handle.remove(handle.status().sources[0].id));
        handle.restart().await;
        handle.working().await;
        world.log.take();
        trigger.request(("default", "a"));
        trigger.request(("default", "b"));
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["b"]);
    };
    world.run(&controller, script).await;
}

/// N-03: `RecoverPanic: false`.
#[tokio::test(start_paused = true)]
async fn n_03_a_panic_ends_the_controller_if_that_is_asked_for() {
    let world = World::new();
    world.create("a").await;
    let controller = Controller::new(&world.client, "strict", &world.maps)
        .end_with_panics()
        .reconcile(async |_request, _ctx| panic!("a bug"));
    let ended = tokio::select! {
        biased;
        ended = controller.run(std::future::pending()) => ended,
        () = world.cache.run() => panic!("the cache ended first"),
    };
    let text = ended.unwrap_err().to_string();
    assert!(text.starts_with("a worker broke down: ") && text.contains("a bug"), "{text}");
}

/// N-01, with another backoff: also after a stop and a start.
#[tokio::test(start_paused = true)]
async fn n_01_a_failing_object_comes_back_as_the_controller_says() {
    let world = World::new();
    world.create("a").await;
    let start = Instant::now();
    let controller = Controller::new(&world.client, "patient", &world.maps)
        .backoff(secs(3), secs(10))
        .with((world.log.clone(), start))
        .reconcile(async |(log, start), _request, _ctx| {
            log.push(start.elapsed().as_secs().to_string());
            Err("not yet")?
        });
    let handle = controller.handle();
    let script = async {
        sleep(secs(35)).await;
        assert_eq!(world.log.take(), ["0", "3", "9", "19", "29"], "3, 6, and never more than 10");
        handle.stop().await;
        sleep(secs(5)).await;
        handle.start();
        sleep(secs(4)).await;
        assert_eq!(world.log.take(), ["40", "43"], "from the beginning");
    };
    world.run(&controller, script).await;
}

/// As upstream's `Options.RateLimiter`.
#[tokio::test(start_paused = true)]
async fn a_controller_may_have_a_rate_limiter_of_its_own() {
    let world = World::new();
    world.create("a").await;
    let start = Instant::now();
    let controller = Controller::new(&world.client, "hasty", &world.maps)
        .rate_limiter(|| ItemFastSlow::new(secs(1), secs(20), 2))
        .with((world.log.clone(), start))
        .reconcile(async |(log, start), _request, _ctx| {
            log.push(start.elapsed().as_secs().to_string());
            Err("not yet")?
        });
    let script = async {
        sleep(secs(50)).await;
        assert_eq!(world.log.take(), ["0", "1", "2", "22", "42"]);
    };
    world.run(&controller, script).await;
}
