//! A controller that is stopped and started alone, and whose sources come and go.

use std::sync::Arc;

use tokio::time::{sleep, timeout};
use watchkeeper_api::core::v1::Secret;
use watchkeeper_api::{Object, ObjectKey, object};
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::{
    Action, Cause, Controller, ControllerPhase, Happened, Limit, Trigger, controlled_by,
};

use crate::world::{World, secs};

fn logging(world: &World) -> Controller {
    Controller::new(&world.client, "maps", &world.maps).with(world.log.clone()).reconcile(
        async |log, request, _ctx| {
            log.push(request.name());
            Ok(Action::done())
        },
    )
}

async fn create_secret(client: &Client, name: &str, owner: &impl Object) {
    let secret = object!(Secret {
        metadata: { name: name, namespace: "default", owner_references: [controlled_by(owner)] },
    });
    let secrets = client.api::<Secret>().namespace("default");
    secrets.create(&secret, &CreateOptions::default()).await.expect("made");
}

#[tokio::test(start_paused = true)]
async fn a_controller_is_stopped_and_started_alone() {
    let world = World::new();
    world.create("a").await;
    let controller = logging(&world);
    let handle = controller.handle();
    assert_eq!(handle.status().phase, ControllerPhase::Idle);
    handle.stop().await;
    handle.start();
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a"]);
        assert_eq!(
            handle.status().to_string(),
            "maps: works, 0 queued, 0 later, 0 of 1 workers busy"
        );
        handle.stop().await;
        assert_eq!(handle.status().to_string(), "maps: stopped");
        world.create("b").await;
        sleep(secs(60)).await;
        assert_eq!(world.log.take(), [""; 0]);
        handle.start();
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a", "b"], "from the start");
        handle.restart().await;
        handle.working().await;
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a", "b"]);
    };
    world.run(&controller, script).await;
    assert_eq!(handle.status().phase, ControllerPhase::Idle);
}

/// Not "not begun": somebody does, and a start is enough.
#[tokio::test(start_paused = true)]
async fn a_controller_that_was_stopped_before_it_is_run_says_so() {
    let world = World::new();
    let controller = logging(&world);
    let handle = controller.handle();
    handle.stop().await;
    assert_eq!(handle.status().phase, ControllerPhase::Idle);
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(handle.status().phase, ControllerPhase::Stopped);
        handle.start();
        handle.working().await;
    };
    world.run(&controller, script).await;
}

/// Both come to an end, whoever starts it first.
#[tokio::test(start_paused = true)]
async fn stops_and_starts_at_once_wait_for_nobody_for_ever() {
    let world = World::new();
    let controller = logging(&world);
    let handle = controller.handle();
    let script = async {
        handle.working().await;
        let taken_back = async {
            tokio::join!(biased; handle.stop(), async { handle.start() });
            tokio::join!(biased; handle.restart(), handle.restart());
        };
        timeout(secs(60), taken_back).await.expect("nobody waits for ever");
        handle.working().await;
    };
    world.run(&controller, script).await;
}

/// N-10, for one controller.
#[tokio::test(start_paused = true)]
async fn n_10_a_stop_of_one_controller_waits_for_what_is_under_way() {
    let world = World::new();
    world.create("a").await;
    let controller = Controller::new(&world.client, "slow", &world.maps)
        .with(world.log.clone())
        .reconcile(async |log, _request, _ctx| {
            log.push("begun");
            sleep(secs(10)).await;
            log.push("done");
            Ok(Action::done())
        });
    let handle = controller.handle();
    let script = async {
        sleep(secs(1)).await;
        handle.stop().await;
        assert_eq!(world.log.take(), ["begun", "done"]);
    };
    world.run(&controller, script).await;
}

/// N-08, and upstream's missing half.
#[tokio::test(start_paused = true)]
async fn n_08_sources_come_and_go_while_it_runs() {
    let world = World::new();
    let owner = world.create("a").await;
    create_secret(&world.client, "first", &owner).await;
    let controller = logging(&world);
    let handle = controller.handle();
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a"]);
        let secrets = world.cache.watch::<Secret>();
        let owned = handle.owns(&secrets);
        let named = handle.watches(&secrets, |secret| Some(ObjectKey::from(("x", secret.name()))));
        drop(secrets);
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a", "first"], "what there is counts, too");
        let status = handle.status();
        assert!(status.sources.iter().all(|source| source.told_all), "{status:?}");
        let names: Vec<_> = status.sources.iter().map(|source| &*source.name).collect();
        assert_eq!(names, ["configmaps", "secrets", "secrets"]);

        assert!(handle.remove(named));
        assert!(!handle.remove(named));
        create_secret(&world.client, "second", &owner).await;
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["a"]);
        assert_eq!(world.cache.status().len(), 2);

        assert!(handle.remove(owned));
        create_secret(&world.client, "third", &owner).await;
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), [""; 0]);
        assert_eq!(world.cache.status().len(), 1, "the watch ended with its last source");
    };
    world.run(&controller, script).await;
}

/// What was given while it runs is there after a restart, too.
#[tokio::test(start_paused = true)]
async fn a_source_that_came_later_outlives_a_restart() {
    let world = World::new();
    world.create("a").await;
    let controller = logging(&world);
    let handle = controller.handle();
    let trigger = Trigger::new("knock");
    let script = async {
        handle.working().await;
        handle.triggered_by(&trigger);
        sleep(secs(1)).await;
        handle.stop().await;
        trigger.request(("default", "x"));
        trigger.request(("default", "x"));
        world.log.take();
        handle.start();
        sleep(secs(1)).await;
        let mut seen = world.log.take();
        seen.sort();
        assert_eq!(seen, ["a", "x"], "asked for while it was stopped, once");
    };
    world.run(&controller, script).await;
}

#[tokio::test(start_paused = true)]
async fn it_is_known_why_an_object_is_reconciled() {
    let world = World::new();
    let owner = world.create("a").await;
    let secrets = world.cache.watch::<Secret>();
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .owns(&secrets)
        .with(Arc::new(()))
        .reconcile(async |_state, _request, _ctx| {
            sleep(secs(10)).await;
            Ok(Action::done())
        });
    let handle = controller.handle();
    let script = async {
        sleep(secs(5)).await;
        world.touch("a").await;
        create_secret(&world.client, "s", &owner).await;
        sleep(secs(1)).await;
        let why = handle.why(("default", "a")).expect("known");
        assert_eq!(why.last.len(), 1);
        assert_eq!(why.last[0].what, Happened::WasThere);
        assert_eq!(why.last[0].age, secs(6));
        let next: Vec<_> =
            why.next.iter().map(|c| (&*c.source, c.what, c.object.clone())).collect();
        let key = |name| Some(ObjectKey::from(("default", name)));
        assert_eq!(
            next,
            [("configmaps", Happened::Updated, key("a")), ("secrets", Happened::Added, key("s")),]
        );
        sleep(secs(10)).await;
        let later = handle.why(("default", "a")).expect("known");
        assert_eq!((later.last.len(), later.next.len()), (2, 0));
        assert_eq!(handle.why(("default", "b")), None);
    };
    world.run(&controller, script).await;
}

/// What an object is looked at for is told of that run and of no other: not what is to be looked at later, nor
/// what happens while it waits for room.
#[tokio::test(start_paused = true)]
async fn each_run_has_its_own_causes() {
    let world = World::new();
    world.create("a").await;
    world.create("b").await;
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .workers(2)
        .limit(&Limit::new(1))
        .with(Arc::new(()))
        .reconcile(async |_state, _request, _ctx| {
            sleep(secs(10)).await;
            Ok(Action::after(secs(600)))
        });
    let handle = controller.handle();
    let told = |name| {
        let why = handle.why(("default", name)).expect("known");
        let what = |causes: &[Cause]| causes.iter().map(|cause| cause.what).collect::<Vec<_>>();
        (what(&why.last), what(&why.next))
    };
    use Happened::{Asked, Updated, WasThere};
    let script = async {
        sleep(secs(5)).await;
        world.touch("b").await;
        sleep(secs(1)).await;
        assert_eq!(told("a"), (vec![WasThere], vec![]));
        assert_eq!(told("b"), (vec![], vec![WasThere, Updated]), "it waits for room");
        sleep(secs(10)).await;
        assert_eq!(told("a"), (vec![WasThere], vec![Asked]));
        assert_eq!(told("b"), (vec![WasThere], vec![Updated]));
        sleep(secs(10)).await;
        assert_eq!(told("b"), (vec![Updated], vec![Asked]), "six hundred seconds from then");
        world.touch("a").await;
        sleep(secs(10)).await;
        assert_eq!(told("a"), (vec![Updated], vec![Asked]));
        sleep(secs(590)).await;
        assert_eq!(told("a"), (vec![Asked, Asked], vec![Asked]), "the earlier time of two runs");
    };
    world.run(&controller, script).await;
}

/// Whoever drops a run can begin another one, with the same sources.
#[tokio::test(start_paused = true)]
async fn a_run_that_was_dropped_can_be_begun_again() {
    let world = World::new();
    world.create("a").await;
    let controller = logging(&world);
    let script = async {
        for _ in 0..3 {
            let run = controller.run(std::future::pending());
            assert!(timeout(secs(1), run).await.is_err());
            assert_eq!(world.log.take(), ["a"]);
            assert_eq!(
                controller.handle().status().to_string(),
                "maps: not begun: nobody runs it, or a manager that waits for its copies"
            );
        }
    };
    tokio::select! {
        biased;
        () = script => {}
        () = world.cache.run() => panic!("the cache ended first"),
    }
}
