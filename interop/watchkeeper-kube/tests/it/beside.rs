//! A controller of ours and one of kube's, of the same objects and in one process.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use k8s_openapi::api::core::v1 as openapi;
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::Action as KubeAction;
use kube::runtime::{Controller as KubeController, watcher};
use tokio::time::sleep;
use watchkeeper_api::{Object, ObjectKey};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_cache::Cache;
use watchkeeper_client::CreateOptions;
use watchkeeper_controller::{Action, Controller};
use watchkeeper_kube::Kube;

use crate::definitions::{Lamp, lamp, light};

type ConfigMap = Kube<openapi::ConfigMap>;

/// kube's half: it tells how many bulbs are lit.
async fn tell(lamp: Arc<Lamp>, client: Arc<kube::Client>) -> Result<KubeAction, kube::Error> {
    let lamps: kube::Api<Lamp> = kube::Api::namespaced((*client).clone(), "default");
    let status = serde_json::json!({ "status": { "lit": lamp.spec.bulbs } });
    let name = lamp.metadata.name.as_deref().unwrap_or_default();
    lamps.patch_status(name, &PatchParams::default(), &Patch::Merge(status)).await?;
    Ok(KubeAction::await_change())
}

/// Ours: a map for each lamp, which says how many are lit as the other half has told.
fn map_of(lamp: &Lamp) -> ConfigMap {
    let mut map = openapi::ConfigMap::default();
    map.metadata.name = lamp.metadata.name.clone();
    map.metadata.namespace = lamp.metadata.namespace.clone();
    let lit = lamp.status.as_ref().map_or(0, |status| status.lit);
    map.data = Some([("lit".to_owned(), lit.to_string())].into());
    Kube(map)
}

#[tokio::test(start_paused = true)]
async fn a_controller_of_kube_and_one_of_ours_work_on_the_same_objects() {
    let kube_client = kube::Client::new(ApiServer::builder().seed(7).build(), "default");
    let client = light(kube_client.clone()).await;
    let cache = Cache::new(&client);
    let client = client.observed_by(cache.observer());
    let (lamps, maps) = (cache.watch::<Lamp>(), cache.watch::<ConfigMap>());
    let ours = Controller::new(&client, "maps", &lamps).with(lamps).reconcile(
        async |lamps, request, ctx| {
            if let Some(lamp) = lamps.get(&request).await? {
                ctx.apply(&map_of(&lamp)).await?;
            }
            Ok(Action::done())
        },
    );
    let of_kube = kube::Api::<Lamp>::namespaced(kube_client.clone(), "default");
    let theirs = KubeController::new(of_kube, watcher::Config::default())
        .run(tell, |_, _, _| KubeAction::requeue(Duration::from_secs(1)), Arc::new(kube_client))
        .for_each(async |told| {
            told.expect("a status that is written");
        });
    let script = async {
        let key = ObjectKey::from(("default", "a"));
        let mut wanted = lamp("a", 3);
        wanted =
            client.api_for(&wanted).create(&wanted, &CreateOptions::default()).await.expect("made");
        for bulbs in [3, 5] {
            wanted.spec.bulbs = bulbs;
            client.api_for(&wanted).update(&wanted).await.expect("changed");
            sleep(Duration::from_secs(5)).await;
            let read = client.api_for(&wanted).get("a").await.expect("a lamp");
            assert_eq!(read.status.as_ref().expect("told by kube's").lit, bulbs);
            let map = maps.get(&key).await.expect("read").expect("made by ours");
            assert_eq!(map.data.as_ref().expect("data")["lit"], bulbs.to_string());
            assert!(!read.uid().is_empty());
            wanted = read;
        }
    };
    tokio::select! {
        biased;
        () = script => {}
        ended = ours.run(std::future::pending()) => panic!("{ended:?}"),
        () = cache.run() => panic!("the cache ended"),
        () = theirs => panic!("kube's controller ended"),
    }
}
