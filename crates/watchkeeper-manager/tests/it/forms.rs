//! Kinds in every form: projected, metadata only, and known only at run time; in both codecs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::core::v1::{ConfigMap, Pod, PodSpec};
use watchkeeper_api::meta::v1::ObjectMeta;
use watchkeeper_api::{IStr, Kind, Metadata, Object, Scope, StaticKind, Unstructured, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, Codec, Select};
use watchkeeper_controller::Action;
use watchkeeper_manager::Manager;

const CODECS: [Codec; 2] = [Codec::Json, Codec::Protobuf];

/// Of pods, where they run.
#[derive(Clone, Debug, Default, PartialEq, watchkeeper_derive::Object)]
#[object(like = Pod, crate = "watchkeeper_api")]
struct Placed {
    metadata: ObjectMeta,
    spec: PlacedSpec,
}

#[derive(Clone, Debug, Default, PartialEq, watchkeeper_derive::Fields)]
#[fields(like = PodSpec, crate = "watchkeeper_api")]
struct PlacedSpec {
    node_name: IStr,
}

#[tokio::test(start_paused = true)]
async fn a_projection_is_watched_and_leads_to_a_reconcile() {
    for codec in CODECS {
        let client = Client::new(ApiServer::builder().seed(7).build()).codec(codec);
        let manager = Manager::new(&client);
        let pods = manager.watch::<Placed>();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let state = (pods.clone(), seen.clone());
        manager.controller("pods", &pods).with(state).reconcile(
            async |(pods, seen), request, _| {
                let node = pods.get(&request).await?.map(|pod| pod.spec.node_name.to_string());
                seen.lock().expect("no panic").push((request.to_string(), node));
                Ok(Action::done())
            },
        );
        let script = async {
            let pod = object!(Pod {
                metadata: { name: "a", namespace: "default" },
                spec: { node_name: "n", containers: [{ name: "c", image: "i" }] },
            });
            let made = client.api::<Pod>().create(&pod, &Default::default()).await.expect("made");
            sleep(Duration::from_secs(1)).await;
            let pods = client.api::<Pod>().namespace("default");
            pods.delete(made.name(), &Default::default()).await.expect("deleted");
            sleep(Duration::from_secs(60)).await;
        };
        manager.run(Box::pin(script)).await.expect("a clean stop");
        let seen = seen.lock().expect("no panic").clone();
        assert_eq!(
            seen.first(),
            Some(&("default/a".to_owned(), Some("n".to_owned()))),
            "{codec:?}"
        );
        assert_eq!(seen.last().map(|(key, _)| key.as_str()), Some("default/a"), "{codec:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn metadata_alone_is_watched_and_leads_to_a_reconcile() {
    for codec in CODECS {
        metadata_alone(codec).await;
    }
}

async fn metadata_alone(codec: Codec) {
    let client = Client::new(ApiServer::builder().seed(7).build()).codec(codec);
    let manager = Manager::new(&client);
    let pods = manager.watch::<Metadata<Pod>>();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let state = (pods.clone(), seen.clone());
    manager.controller("pods", &pods).with(state).reconcile(async |(pods, seen), request, _| {
        let pod = pods.get(&request).await?;
        let label = pod.and_then(|pod| pod.label("app").map(str::to_owned));
        seen.lock().expect("no panic").push((request.to_string(), label));
        Ok(Action::done())
    });
    let script = async {
        let pod = object!(Pod {
            metadata: { name: "a", namespace: "default", labels: { "app": "web" } },
            spec: { containers: [{ name: "c", image: "i" }] },
        });
        client.api::<Pod>().create(&pod, &Default::default()).await.expect("made");
        sleep(Duration::from_secs(1)).await;
    };
    manager.run(script).await.expect("a clean stop");
    let seen = seen.lock().expect("no panic").clone();
    assert_eq!(seen, [("default/a".to_owned(), Some("web".to_owned()))]);
}

#[tokio::test(start_paused = true)]
async fn a_kind_known_at_run_time_is_watched_and_owns() {
    for codec in CODECS {
        a_kind_known_at_run_time(codec).await;
    }
}

async fn a_kind_known_at_run_time(codec: Codec) {
    let client = Client::new(ApiServer::builder().seed(7).build()).codec(codec);
    let manager = Manager::new(&client);
    let kind = Kind::dynamic("v1", "ConfigMap", "configmaps", Scope::Namespaced);
    assert_eq!(kind.path(None, None), ConfigMap::static_kind().path(None, None));
    let maps = manager.watch_only::<Unstructured>(Select::kind(kind).namespace("default"));
    let pods = manager.watch::<Pod>();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let state = seen.clone();
    manager.controller("maps", &maps).owns(&pods).with(state).reconcile(
        async |seen, request, _| {
            seen.lock().expect("no panic").push(request.to_string());
            Ok(Action::done())
        },
    );
    let script = async {
        let map = object!(ConfigMap { metadata: { name: "owner", namespace: "default" } });
        let made = client.api::<ConfigMap>().create(&map, &Default::default()).await;
        let owner = watchkeeper_controller::controlled_by(&made.expect("made"));
        sleep(Duration::from_secs(1)).await;
        let pod = object!(Pod {
            metadata: { name: "owned", namespace: "default", owner_references: [owner] },
            spec: { containers: [{ name: "c", image: "i" }] },
        });
        client.api::<Pod>().create(&pod, &Default::default()).await.expect("made");
        sleep(Duration::from_secs(1)).await;
    };
    manager.run(script).await.expect("a clean stop");
    assert_eq!(*seen.lock().expect("no panic"), ["default/owner", "default/owner"]);
}
