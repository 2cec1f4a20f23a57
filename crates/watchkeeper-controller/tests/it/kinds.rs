//! Controllers of whatever an object may be: its metadata, a part of it, a kind known at run time.

use tokio::time::sleep;
use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{Metadata, Object as _, StaticKind, Unstructured, object};
use watchkeeper_client::{CreateOptions, Select};
use watchkeeper_controller::predicates::labels_changed;
use watchkeeper_controller::{Action, Controller, controlled_by};
use watchkeeper_derive::Object;

use crate::world::{World, secs};

/// Of a ConfigMap the metadata, and nothing of what it holds.
#[derive(Clone, Debug, Default, PartialEq, Object)]
#[object(like = ConfigMap)]
#[object(crate = "watchkeeper_api")]
struct Part {
    metadata: ObjectMeta,
}

#[tokio::test(start_paused = true)]
async fn b_07_a_controller_may_be_of_metadata_a_part_or_a_kind_known_at_run_time() {
    let world = World::new();
    let owner = world.create("a").await;
    let metadata = world.cache.watch::<Metadata<ConfigMap>>();
    let parts = world.cache.watch::<Part>();
    let select = Select::<Unstructured>::kind(ConfigMap::static_kind().clone());
    let unstructured = world.cache.watch_only(select);
    let owned = world.cache.watch::<Metadata<Secret>>();
    let log = &world.log;
    let by_metadata = Controller::new(&world.client, "metadata", metadata.when(labels_changed))
        .owns(&owned)
        .with((metadata, log.clone()))
        .reconcile(async |(maps, log), request, _ctx| {
            let map = maps.get(&request).await?;
            log.push(format!("metadata {}", map.is_some()));
            Ok(Action::done())
        });
    let by_part = Controller::new(&world.client, "parts", &parts)
        .owns(&owned)
        .with((parts, log.clone()))
        .reconcile(async |(maps, log), request, _ctx| {
            let map = maps.get(&request).await?;
            log.push(format!("part {}", map.is_some_and(|map| map.name() == "a")));
            Ok(Action::done())
        });
    let by_kind = Controller::new(&world.client, "kind", &unstructured)
        .owns(&owned)
        .with((unstructured, log.clone()))
        .reconcile(async |(maps, log), request, _ctx| {
            let map = maps.get(&request).await?;
            let value = map.and_then(|map| map.get("/data/k").map(ToString::to_string));
            log.push(format!("kind {value:?}"));
            Ok(Action::done())
        });
    let take = async || {
        sleep(secs(1)).await;
        let mut seen = world.log.take();
        seen.sort();
        seen
    };
    let script = async {
        assert_eq!(take().await, ["kind None", "metadata true", "part true"]);
        world.change("a", |map| drop(map.data.insert("k", "v"))).await;
        let seen = take().await;
        assert_eq!(seen.len(), 2, "{seen:?}: the labels did not change");
        assert!(seen[0].contains('v') && seen[1] == "part true", "{seen:?}");
        let secret = object!(Secret {
            metadata: { name: "s", namespace: "default", owner_references: [controlled_by(&owner)] },
        });
        let secrets = world.client.api::<Secret>().namespace("default");
        secrets.create(&secret, &CreateOptions::default()).await.expect("made");
        assert_eq!(take().await.len(), 3, "what is owned leads to each");
    };
    tokio::select! {
        biased;
        ended = by_metadata.run(script) => ended.expect("a clean stop"),
        ended = by_part.run(std::future::pending()) => panic!("{ended:?}"),
        ended = by_kind.run(std::future::pending()) => panic!("{ended:?}"),
        () = world.cache.run() => panic!("the cache ended first"),
    }
}
