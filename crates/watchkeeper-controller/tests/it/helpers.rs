//! What reconcile functions are helped with, on a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::time::sleep;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::{HasMeta, Object, StaticKind, object};
use watchkeeper_client::{Api, CreateOptions, DeleteOptions};
use watchkeeper_controller::{
    Action, Controller, Expectations, Failure, Finalizer, Finalizers, Life, controlled_by,
    slow_start,
};

use crate::world::{World, secs};

fn secrets(world: &World) -> Api<Secret> {
    world.client.api().namespace("default")
}

async fn create_secret(world: &World, name: &str, app: &str, owner: Option<&ConfigMap>) {
    let labels = watchkeeper_api::Map::from([("app", app)]);
    let mut secret = object!(Secret {
        metadata: { name: name, namespace: "default", labels: labels },
    });
    secret.metadata_mut().owner_references = owner.map(controlled_by).into_iter().collect();
    secrets(world).create(&secret, &CreateOptions::default()).await.expect("made");
}

/// Clean-up runs once though the first removal fails, and never for what stays.
#[tokio::test(start_paused = true)]
async fn a_finalizer_cleans_up_once_and_lets_go() {
    let cut = Arc::new(AtomicBool::new(false));
    let world = World::new();
    let removal_fails = Arc::clone(&cut);
    let client = world.client.clone().intercept(move |request, next| {
        let fails = request.method() == "PATCH" && removal_fails.swap(false, Ordering::SeqCst);
        async move {
            if fails {
                return Err("no network".into());
            }
            next.send(request).await
        }
    });
    world.create("a").await;
    let (bucket, cleaned) = (Finalizer::new("example.com/bucket"), Arc::new(AtomicUsize::new(0)));
    let state = (world.maps.clone(), bucket, Arc::clone(&cleaned), world.log.clone());
    let controller = Controller::new(&client, "buckets", &world.maps).with(state).reconcile(
        async |(maps, bucket, cleaned, log), request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            let clean_up = async {
                cleaned.fetch_add(1, Ordering::SeqCst);
                Ok::<_, Failure>(())
            };
            match bucket.guard(&ctx, &map, clean_up).await? {
                Life::Alive => log.push("alive"),
                Life::Going => log.push("going"),
            }
            Ok(Action::done())
        },
    );
    let script = async {
        sleep(secs(1)).await;
        let map = world.api().get("a").await.expect("there");
        assert_eq!(map.finalizers().collect::<Vec<_>>(), ["example.com/bucket"]);
        assert_eq!(cleaned.load(Ordering::SeqCst), 0);
        world.log.take();
        cut.store(true, Ordering::SeqCst);
        world.api().delete("a", &DeleteOptions::default()).await.expect("asked to go");
        sleep(secs(60)).await;
        assert!(world.api().get("a").await.unwrap_err().is_not_found());
        assert!(!cut.load(Ordering::SeqCst), "a removal failed");
        assert_eq!(cleaned.load(Ordering::SeqCst), 1);
        assert_eq!(world.log.take(), ["going"]);
    };
    world.run(&controller, script).await;
}

/// A copy that is behind shows a finalizer that is removed, and an object that is gone.
#[tokio::test(start_paused = true)]
async fn a_finalizer_cleans_up_once_though_its_copy_is_behind() {
    let world = World::new();
    world.create("a").await;
    world.create("gone").await;
    let (own, others) = ("example.com/bucket", "example.com/other");
    world.change("a", |map| map.metadata.finalizers = [own, others].map(Into::into).into()).await;
    let gone = world.api().get("gone").await.expect("there");
    world.api().delete("gone", &DeleteOptions::default()).await.expect("deleted");
    world.api().delete("a", &DeleteOptions::default()).await.expect("asked to go");
    let stale = world.api().get("a").await.expect("there");
    let state = (stale, gone, Finalizer::new(own), world.log.clone());
    let controller = Controller::new(&world.client, "buckets", &world.maps).with(state).reconcile(
        async |(stale, gone, bucket, log), _request, ctx| {
            for map in [stale, stale, gone] {
                let clean_up = async {
                    log.push(format!("cleans {}", map.name()));
                    Ok::<_, Failure>(())
                };
                match bucket.guard(&ctx, map, clean_up).await {
                    Ok(life) => log.push(format!("{} {life:?}", map.name())),
                    Err(_conflict) => log.push(format!("{} is another one by now", map.name())),
                }
            }
            Ok(Action::done())
        },
    );
    let script = async {
        sleep(secs(10)).await;
        let seen = world.log.take();
        assert_eq!(seen[..4], ["cleans a", "a Going", "a is another one by now", "gone Going"]);
        let cleaned = seen.iter().filter(|seen| seen.starts_with("cleans")).count();
        assert_eq!(cleaned, 1);
        let map = world.api().get("a").await.expect("the other one keeps it");
        assert_eq!(map.finalizers().collect::<Vec<_>>(), [others]);
    };
    world.run(&controller, script).await;
}

/// A clean-up that fails keeps the object.
#[tokio::test(start_paused = true)]
async fn what_cannot_be_cleaned_up_stays_and_is_tried_again() {
    let world = World::new();
    world.create("a").await;
    let state = (world.maps.clone(), Finalizer::new("example.com/bucket"), AtomicUsize::new(0));
    let controller = Controller::new(&world.client, "buckets", &world.maps).with(state).reconcile(
        async |(maps, bucket, tries), request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            let clean_up = async {
                match tries.fetch_add(1, Ordering::SeqCst) {
                    0..5 => Err("the bucket is busy"),
                    _ => Ok(()),
                }
            };
            let _life = bucket.guard(&ctx, &map, clean_up).await?;
            Ok(Action::done())
        },
    );
    let handle = controller.handle();
    let script = async {
        sleep(secs(1)).await;
        world.api().delete("a", &DeleteOptions::default()).await.expect("asked to go");
        sleep(secs(60)).await;
        assert!(world.api().get("a").await.unwrap_err().is_not_found());
        assert_eq!(handle.status().figures.failed, 5);
    };
    world.run(&controller, script).await;
}

/// Each of several is added, cleaned up and removed by itself, with one write for all.
#[tokio::test(start_paused = true)]
async fn several_finalizers_clean_up_once_each_with_one_write() {
    let world = World::new();
    world.create("a").await;
    let writes = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&writes);
    let client = world.client.clone().intercept(move |request, next| {
        counted.fetch_add(usize::from(request.method() == "PATCH"), Ordering::SeqCst);
        next.send(request)
    });
    let guards = Finalizers::new(["x.dev/bucket", "x.dev/record", "x.dev/user", "x.dev/user"]);
    let state = (world.maps.clone(), guards, AtomicUsize::new(0), world.log.clone());
    let controller = Controller::new(&client, "several", &world.maps).with(state).reconcile(
        async |(maps, guards, tries, log), request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            let clean_up = |name: &str| {
                log.push(format!("cleans {name}"));
                let is_busy = name == "x.dev/record" && tries.fetch_add(1, Ordering::SeqCst) < 2;
                async move { if is_busy { Err("the record is busy") } else { Ok(()) } }
            };
            let _life = guards.guard(&ctx, &map, clean_up).await?;
            Ok(Action::done())
        },
    );
    let handle = controller.handle();
    let script = async {
        sleep(secs(1)).await;
        let map = world.api().get("a").await.expect("there");
        let all = ["x.dev/bucket", "x.dev/record", "x.dev/user"];
        assert_eq!(map.finalizers().collect::<Vec<_>>(), all);
        assert_eq!(writes.load(Ordering::SeqCst), 1, "one write adds them");
        world.api().delete("a", &DeleteOptions::default()).await.expect("asked to go");
        sleep(secs(60)).await;
        assert!(world.api().get("a").await.unwrap_err().is_not_found());
        assert_eq!(writes.load(Ordering::SeqCst), 3, "one removes two, one the last");
        assert_eq!(handle.status().figures.failed, 2);
        let record = "cleans x.dev/record";
        let expected = ["cleans x.dev/bucket", record, "cleans x.dev/user", record, record];
        assert_eq!(world.log.take(), expected);
    };
    world.run(&controller, script).await;
}

#[tokio::test(start_paused = true)]
async fn what_is_selected_is_adopted_and_what_is_not_is_released() {
    let world = World::new();
    let (mine, other) = (world.create("mine").await, world.create("other").await);
    create_secret(&world, "kept", "web", Some(&mine)).await;
    create_secret(&world, "released", "db", Some(&mine)).await;
    create_secret(&world, "orphan", "web", None).await;
    create_secret(&world, "foreign", "web", Some(&other)).await;
    let watched = world.cache.watch::<Secret>();
    let state = (world.maps.clone(), watched.clone(), world.log.clone());
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .owns(&watched)
        .with(state)
        .reconcile(async |(maps, secrets, log), request, ctx| {
            let Some(map) = maps.get(&request).await? else { return Ok(Action::done()) };
            if request.name() != "mine" {
                return Ok(Action::done());
            }
            secrets.caught_up().await?;
            let web = "app=web".parse()?;
            let claimed = ctx.claim(&map, &web, secrets.peek_in("default")).await?;
            let names: Vec<_> = claimed.iter().map(|secret| secret.name()).collect();
            log.push(names.join(" "));
            Ok(Action::done())
        });
    let script = async {
        sleep(secs(10)).await;
        let seen = world.log.take();
        assert!(!seen.is_empty() && seen.iter().all(|seen| seen == "kept orphan"), "{seen:?}");
        let all = secrets(&world).list_all(&Default::default()).await.expect("listed").items;
        let owners: Vec<_> =
            all.iter().map(|s| (s.name(), s.controller().map_or("", |owner| owner.name))).collect();
        assert_eq!(
            owners,
            [("foreign", "other"), ("kept", "mine"), ("orphan", "mine"), ("released", "")]
        );
    };
    world.run(&controller, script).await;
}

/// The copy that the owner was read from is behind: the server knows better.
#[tokio::test(start_paused = true)]
async fn an_owner_that_is_another_one_by_now_adopts_nothing() {
    let world = World::new();
    let before = Arc::new(world.create("mine").await);
    world.api().delete("mine", &DeleteOptions::default()).await.expect("deleted");
    world.create("mine").await;
    create_secret(&world, "orphan", "web", None).await;
    let orphans = secrets(&world).list_all(&Default::default()).await.expect("listed").items;
    let orphans: Vec<_> = orphans.into_iter().map(Arc::new).collect();
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .with((before, orphans, world.log.clone()))
        .reconcile(async |(before, orphans, log), _request, ctx| {
            let web = "app=web".parse()?;
            let refused = ctx.claim(before, &web, orphans.iter().cloned()).await.unwrap_err();
            log.push(refused.to_string());
            Ok(Action::done())
        });
    let script = async {
        sleep(secs(1)).await;
        let seen = world.log.take();
        assert!(seen[0].contains("default/mine is another one by now"), "{seen:?}");
        let orphan = secrets(&world).get("orphan").await.expect("there");
        assert!(orphan.controller().is_none());
    };
    world.run(&controller, script).await;
}

/// The outcomes are upstream's; no second call for what is so already.
#[tokio::test(start_paused = true)]
async fn an_object_is_made_or_changed_and_it_is_told_which() {
    let world = World::new();
    world.create("a").await;
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .with(world.log.clone())
        .reconcile(async |log, request, ctx| {
            if request.name() != "a" {
                return Ok(Action::done());
            }
            let wanted = object!(ConfigMap { metadata: { name: "made", namespace: "default" } });
            for colour in ["red", "red", "blue"] {
                let paint = |map: &mut ConfigMap| drop(map.data.insert("colour", colour));
                let (done, _map) = ctx.create_or_update(&wanted, paint).await?;
                log.push(done.as_str());
            }
            for colour in ["blue", "green"] {
                let paint = |map: &mut ConfigMap| drop(map.data.insert("colour", colour));
                let (done, _map) = ctx.create_or_patch(&wanted, paint).await?;
                log.push(done.as_str());
            }
            Ok(Action::done())
        });
    let script = async {
        sleep(secs(1)).await;
        let seen = world.log.take();
        assert_eq!(seen, ["created", "unchanged", "updated", "unchanged", "updated"]);
        let made = world.api().get("made").await.expect("there");
        assert!(made.data.get("colour").is_some_and(|colour| *colour == *"green"));
    };
    world.run(&controller, script).await;
}

/// Children are made in batches, and none twice though the reconcile reads only the copy.
#[tokio::test(start_paused = true)]
async fn what_is_expected_is_not_made_twice() {
    let world = World::new();
    world.create("a").await;
    let watched = world.cache.watch::<Secret>();
    let expected = Expectations::new(ConfigMap::static_kind());
    let state = (world.maps.clone(), watched.clone(), expected.clone(), world.log.clone());
    let controller = Controller::new(&world.client, "maps", &world.maps)
        .owns(expected.seen_by(&watched))
        .with(state)
        .reconcile(async |(maps, secrets, expected, log), request, ctx| {
            let Some(map) = maps.peek(&request) else { return Ok(Action::done()) };
            if let Some(rest) = expected.wait(&request) {
                log.push("waits");
                return Ok(Action::after(rest));
            }
            let missing = 10_usize.saturating_sub(secrets.peek_in("default").len());
            if missing == 0 {
                return Ok(Action::done());
            }
            expected.expect_creations(&request, missing);
            let (made, ended) = slow_start(missing, |_number| async {
                let secret = object!(Secret {
                    metadata: {
                        generate_name: "a-", namespace: "default", owner_references: [controlled_by(&*map)],
                    },
                });
                ctx.create(&secret).await.map(drop)
            })
            .await;
            log.push(format!("made {made}"));
            for _never in made..missing {
                expected.created(&request);
            }
            ended?;
            Ok(Action::done())
        });
    let script = async {
        sleep(secs(10)).await;
        let made: Vec<_> = world.log.take().into_iter().filter(|seen| seen != "waits").collect();
        assert_eq!(made, ["made 10"]);
        let all = secrets(&world).list_all(&Default::default()).await.expect("listed").items;
        assert_eq!(all.len(), 10);
    };
    world.run(&controller, script).await;
}

/// What was made and gone before it was seen: nothing else would lead to the owner again.
#[tokio::test(start_paused = true)]
async fn what_never_comes_is_waited_for_no_longer_than_its_time() {
    let world = World::new();
    world.create("a").await;
    let state = (Expectations::new(ConfigMap::static_kind()), world.log.clone());
    let controller = Controller::new(&world.client, "maps", &world.maps).with(state).reconcile(
        async |(expected, log), request, _ctx| {
            if let Some(rest) = expected.wait(&request) {
                return Ok(Action::after(rest));
            }
            log.push("makes");
            expected.expect_creations(&request, 1);
            Ok(Action::done())
        },
    );
    let script = async {
        sleep(secs(1)).await;
        assert_eq!(world.log.take(), ["makes"]);
        world.touch("a").await;
        sleep(secs(300)).await;
        assert_eq!(world.log.take(), ["makes"]);
    };
    world.run(&controller, script).await;
}
