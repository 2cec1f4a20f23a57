//! Objects of k8s-openapi on a cluster: read, cached, written.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use k8s_openapi::api::core::v1 as openapi;
use tokio::time::sleep;
use watchkeeper_api::{HasStatus, Metadata, Object, StaticKind};
use watchkeeper_apiserver::{Clock, Now};
use watchkeeper_cache::{Change, SharedInformerFactory};
use watchkeeper_client::{ApplyOptions, CreateOptions, DeleteOptions, Patch, PatchOptions};
use watchkeeper_cluster::Cluster;
use watchkeeper_kube::Kube;

const EPOCH: Clock = Clock::Virtual(Now(Duration::from_secs(1_767_225_600)));

type Pod = Kube<openapi::Pod>;

fn pod(name: &str) -> Pod {
    let mut pod = Pod::default();
    pod.metadata.name = Some(name.to_owned());
    pod.metadata.namespace = Some("default".to_owned());
    pod.spec = Some(openapi::PodSpec {
        containers: vec![openapi::Container {
            name: "web".to_owned(),
            image: Some("nginx:1.29".to_owned()),
            ..openapi::Container::default()
        }],
        ..openapi::PodSpec::default()
    });
    pod
}

fn phase(pod: &Pod) -> Option<&str> {
    pod.status().as_ref()?.phase.as_deref()
}

#[tokio::test(start_paused = true)]
async fn an_informer_follows_pods_of_k8s_openapi() {
    let cluster = Cluster::builder().seed(7).clock(EPOCH).build();
    let client = watchkeeper_kube::client(kube::Client::new(cluster.server().clone(), "default"));
    let pods = client.api::<Pod>().namespace("default");
    let factory = SharedInformerFactory::new(&client);
    let informer = factory.informer::<Pod>();
    let lister = informer.lister();
    let told = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&told);
    let _subscription = informer.add_event_handler(move |change: &Change<Pod>| {
        let mut told = heard.lock().expect("no panic");
        match change {
            Change::Added { .. } => told.push("added".to_owned()),
            Change::Updated { old, new } if phase(old) != phase(new) => {
                told.push(phase(new).unwrap_or_default().to_owned());
            }
            Change::Updated { .. } => {}
            Change::Deleted { .. } => told.push("deleted".to_owned()),
        }
    });
    let _running = factory.start();
    let script = async {
        factory.wait_for_cache_sync().await.expect("synced");
        let made = pods.create(&pod("web-0"), &CreateOptions::default()).await.expect("made");
        assert!(!made.uid().is_empty() && made.creation_timestamp().is_some());
        assert_eq!(made.metadata.managed_fields, None, "nobody asked for them");
        sleep(Duration::from_secs(30)).await;

        let cached = lister.get(made.key()).expect("in the copy");
        assert_eq!(phase(&cached), Some("Running"));
        assert_eq!(cached.spec.as_ref().expect("a spec").node_name.as_deref(), Some("node-0"));

        let patch = Patch::merge(&serde_json::json!({ "metadata": { "labels": { "a": "b" } } }));
        let patched = pods.patch("web-0", &patch, &PatchOptions::default()).await.expect("patched");
        assert_eq!(patched.label("a"), Some("b"));
        let mut claim = Pod::default();
        claim.metadata.name = Some("web-0".to_owned());
        claim.metadata.annotations = Some([("c".to_owned(), "d".to_owned())].into());
        let applied = pods.apply(&claim, &ApplyOptions::forced()).await.expect("applied");
        assert_eq!((applied.label("a"), applied.annotation("c")), (Some("b"), Some("d")));

        let options = DeleteOptions { grace_period_seconds: Some(0), ..Default::default() };
        pods.delete("web-0", &options).await.expect("deleted");
        sleep(Duration::from_secs(5)).await;
        assert!(lister.get(made.key()).is_none());
    };
    tokio::select! {
        biased;
        () = script => {}
        ended = cluster.run(std::future::pending()) => panic!("{ended:?}"),
    }
    assert_eq!(*told.lock().expect("no panic"), ["added", "Running", "deleted"]);
}

#[tokio::test(start_paused = true)]
async fn metadata_alone_and_kinds_of_the_cluster_are_read() {
    let cluster = Cluster::builder().seed(7).build();
    let client = watchkeeper_kube::client(kube::Client::new(cluster.server().clone(), "default"));
    assert_eq!(Pod::static_kind(), &watchkeeper_api::core::v1::Pod::KIND);
    client.api_for(&pod("a")).create(&pod("a"), &CreateOptions::default()).await.expect("made");
    let pods = client.api::<Metadata<Pod>>().namespace("default");
    assert_eq!(pods.get("a").await.expect("its metadata").kind().kind, "Pod");
    let spaces = client.api::<Kube<openapi::Namespace>>();
    let space = spaces.get("default").await.expect("a namespace");
    let active = HasStatus::status(&space).as_ref().and_then(|status| status.phase.as_deref());
    assert_eq!(active, Some("Active"));
}
