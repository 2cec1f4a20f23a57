//! A controller of ours over types of kube.

use std::time::Duration;

use k8s_openapi::api::core::v1 as openapi;
use tokio::time::sleep;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_cache::Cache;
use watchkeeper_client::CreateOptions;
use watchkeeper_controller::{Action, Controller};
use watchkeeper_kube::Kube;

use crate::definitions::{Lamp, lamp, lit};

type ConfigMap = Kube<openapi::ConfigMap>;

/// What a lamp wants there to be, built as programs of kube build it.
fn map_of(lamp: &Lamp) -> ConfigMap {
    let mut map = openapi::ConfigMap::default();
    map.metadata.name = lamp.metadata.name.clone();
    map.metadata.namespace = lamp.metadata.namespace.clone();
    map.metadata.owner_references =
        kube::Resource::controller_owner_ref(lamp, &()).map(|owner| vec![owner]);
    map.data = Some([("bulbs".to_owned(), lamp.spec.bulbs.to_string())].into());
    Kube(map)
}

#[tokio::test(start_paused = true)]
async fn a_controller_owns_applies_edits_and_tells_the_status() {
    let client = lit().await;
    let cache = Cache::new(&client);
    let client = client.observed_by(cache.observer());
    let (lamps, maps) = (cache.watch::<Lamp>(), cache.watch::<ConfigMap>());
    let controller = Controller::new(&client, "lamps", &lamps).owns(&maps).with(lamps).reconcile(
        async |lamps, request, ctx| {
            let Some(lamp) = lamps.get(&request).await? else { return Ok(Action::done()) };
            let map = ctx.apply(&map_of(&lamp)).await?;
            ctx.edit(&map, |map| {
                map.data.get_or_insert_default().insert("seen".into(), "yes".into());
            })
            .await?;
            let bulbs = lamp.spec.bulbs;
            ctx.edit_status(&lamp, |status| status.get_or_insert_default().lit = bulbs).await?;
            Ok(Action::done())
        },
    );
    let script = async {
        let lamp = lamp("a", 3);
        client.api_for(&lamp).create(&lamp, &CreateOptions::default()).await.expect("made");
        sleep(Duration::from_secs(5)).await;
        let read = client.api_for(&lamp).get("a").await.expect("a lamp");
        assert_eq!(read.status.expect("told").lit, 3);
        let key = ObjectKey::from(("default", "a"));
        let map = maps.get(&key).await.expect("read").expect("made");
        let data = map.data.as_ref().expect("data");
        assert_eq!((&*data["bulbs"], &*data["seen"]), ("3", "yes"));
        assert_eq!(map.controller().map(|owner| owner.kind), Some("Lamp"));

        // One that is deleted by hand comes back.
        let uid = map.uid().to_owned();
        client.api_for(&*map).delete("a", &Default::default()).await.expect("deleted");
        sleep(Duration::from_secs(5)).await;
        let back = maps.get(&key).await.expect("read").expect("made again");
        assert_ne!(back.uid(), uid);
    };
    tokio::select! {
        biased;
        () = script => {}
        ended = controller.run(std::future::pending()) => panic!("{ended:?}"),
        () = cache.run() => panic!("the cache ended"),
    }
}
