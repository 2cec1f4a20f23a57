//! What a controller tells of its objects, and that no server holds it up.

use std::future::pending;

use tokio::time::sleep;
use watchkeeper_api::Time;
use watchkeeper_api::core::v1::{ConfigMap, Event};
use watchkeeper_api::events::v1;
use watchkeeper_client::ListOptions;
use watchkeeper_controller::events::{EventApi, Occurrence};
use watchkeeper_controller::{
    Action, Clock, Context, Controller, ControllerBuilder, Normal, Standalone, Warning,
};

use crate::world::{World, secs};

fn builder(world: &World) -> ControllerBuilder<Standalone> {
    Controller::new(&world.client, "teller", &world.maps)
}

fn tell(ctx: &Context, map: &ConfigMap) {
    ctx.record(Occurrence::of(map, Warning, "Seen", "it is there").action("Looking"));
    ctx.event(map, Normal, "Left", "nothing to do");
}

fn teller(world: &World, builder: ControllerBuilder<Standalone>) -> Controller {
    builder.with((world.maps.clone(), world.log.clone())).reconcile(
        async |(maps, log), request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            tell(&ctx, &map);
            log.push(request.name());
            Ok(Action::done())
        },
    )
}

/// E-01, E-05: one recorder, and the API that the controller chose.
#[tokio::test(start_paused = true)]
async fn a_controller_tells_of_what_repeats_as_a_series() {
    let world = World::new();
    world.create("a").await;
    let controller =
        teller(&world, builder(&world).events(EventApi::Series).event_instance("teller-host"));
    let script = async {
        sleep(secs(1)).await;
        for _ in 0..2 {
            world.touch("a").await;
            sleep(secs(1)).await;
        }
    };
    world.run(&controller, script).await;
    let events = world.client.api::<v1::Event>().namespace("default");
    let events = events.list(&ListOptions::default()).await.expect("listed").items;
    let mut told: Vec<_> = events
        .iter()
        .map(|event| {
            assert_eq!(event.reporting_controller, "teller");
            assert_eq!(event.reporting_instance, "teller-host");
            assert_eq!(event.regarding.name, "a");
            let count = event.series.as_ref().map(|series| series.count);
            format!("{} {} {} {} {count:?}", event.type_, event.reason, event.action, event.note)
        })
        .collect();
    told.sort();
    let expected =
        ["Normal Left Left nothing to do Some(3)", "Warning Seen Looking it is there Some(3)"];
    assert_eq!(told, expected);
    // Who asks in the older way is told the same.
    let events = world.client.api::<Event>().namespace("default");
    let events = events.list(&ListOptions::default()).await.expect("listed").items;
    assert_eq!(events.len(), 2);
    assert!(events.iter().all(|event| event.involved_object.name == "a"));
}

/// What people read as "x7 over 16m": one event with a count, and when it happened first and last. That kubectl
/// reads it so is shown by `cargo xtask kubectl`, on an event with these values.
#[tokio::test(start_paused = true)]
async fn seven_of_one_event_over_sixteen_minutes_are_one_that_is_counted() {
    let world = World::new();
    world.create("a").await;
    let began: Time = "2026-03-01T12:00:00Z".parse().expect("a time");
    let controller = teller(&world, builder(&world).clock(Clock::starting_at(began)));
    let script = async {
        sleep(secs(1)).await;
        for _ in 1..7 {
            sleep(secs(160)).await;
            world.touch("a").await;
        }
        sleep(secs(1)).await;
    };
    world.run(&controller, script).await;
    assert_eq!(world.log.take().len(), 7);
    let events = world.client.api::<Event>().namespace("default");
    let events = events.list(&ListOptions::default()).await.expect("listed").items;
    let mut told: Vec<_> = events
        .iter()
        .map(|event| {
            let [first, last] = [&event.first_timestamp, &event.last_timestamp]
                .map(|time| time.as_ref().expect("a time"));
            let over = (last.unix() - first.unix()) / 60;
            format!("{} x{} over {over}m, from {first} to {last}", event.reason, event.count)
        })
        .collect();
    told.sort();
    let expected = [
        "Left x7 over 16m, from 2026-03-01T12:00:00Z to 2026-03-01T12:16:01Z",
        "Seen x7 over 16m, from 2026-03-01T12:00:00Z to 2026-03-01T12:16:01Z",
    ];
    assert_eq!(told, expected);
}

#[test]
fn what_it_needs_follows_the_api() {
    let world = World::new();
    let said = |controller: Controller| {
        let needs = controller.needs().iter().map(|need| need.permission.to_string());
        let mut needs: Vec<_> = needs.filter(|need| need.contains("events")).collect();
        needs.sort();
        needs
    };
    let core = ["create events", "patch events"];
    let series = ["create events.events.k8s.io", "patch events.events.k8s.io"];
    assert_eq!(said(teller(&world, builder(&world))), core);
    let builder = builder(&world).events(EventApi::Series);
    assert_eq!(said(teller(&world, builder)), series);
    let again = self::builder(&world).events(EventApi::Series).events(EventApi::Core);
    assert_eq!(said(teller(&world, again)), core);
}

/// R-01, E-03: events find no server, and the controller works and stops as if nothing were.
#[tokio::test(start_paused = true)]
async fn a_server_that_takes_no_events_holds_nobody_up() {
    for api in [EventApi::Core, EventApi::Series] {
        let world = World::new();
        let client = world.client.clone().intercept(|request, next| async move {
            if request.uri().path().ends_with("/events") {
                return pending().await;
            }
            next.send(request).await
        });
        for number in 0..20 {
            world.create(&format!("m{number}")).await;
        }
        let hung = Controller::new(&client, "teller", &world.maps).events(api);
        let controller = teller(&world, hung);
        let start = tokio::time::Instant::now();
        let script = async {
            sleep(secs(1)).await;
            assert_eq!(world.log.take().len(), 20, "{api:?}");
            world.touch("m1").await;
            sleep(secs(1)).await;
            assert_eq!(world.log.take(), ["m1"], "{api:?}");
        };
        world.run(&controller, script).await;
        assert_eq!(start.elapsed(), secs(7), "no longer than the last events may take");
    }
}
