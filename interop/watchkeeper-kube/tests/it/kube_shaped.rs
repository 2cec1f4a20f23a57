//! A reconcile function of kube, with kube's client and an error policy, under a controller of ours.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use k8s_openapi::api::core::v1 as openapi;
use kube::api::PostParams;
use tokio::time::{Instant, sleep};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_cache::Cache;
use watchkeeper_client::CreateOptions;
use watchkeeper_controller::Controller;
use watchkeeper_kube::{Action, Reconciler};

use crate::definitions::{Lamp, lamp, light};

struct Shared {
    kube_client: kube::Client,
    began: Instant,
    /// Of which lamp, and when.
    calls: Mutex<Vec<(String, u64)>>,
}

#[derive(Debug)]
enum Problem {
    NotYet,
    Never,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotYet => "the shop is closed",
            Self::Never => "no such bulbs",
        })
    }
}

impl std::error::Error for Problem {}

async fn reconcile(lamp: Arc<Lamp>, shared: Arc<Shared>) -> Result<Action, Problem> {
    let name = lamp.metadata.name.clone().unwrap_or_default();
    let count = {
        let mut calls = shared.calls.lock().expect("no panic");
        calls.push((name.clone(), shared.began.elapsed().as_secs()));
        calls.iter().filter(|(other, _)| *other == name).count()
    };
    match (&*name, count) {
        ("odd", _) => Err(Problem::Never),
        (_, 1 | 2) => Err(Problem::NotYet),
        (_, 3) => {
            let maps: kube::Api<openapi::ConfigMap> =
                kube::Api::namespaced(shared.kube_client.clone(), "default");
            let mut map = openapi::ConfigMap::default();
            map.metadata.name = Some(name);
            maps.create(&PostParams::default(), &map).await.expect("made");
            Ok(Action::requeue(Duration::from_secs(60)))
        }
        _ => Ok(Action::await_change()),
    }
}

fn error_policy(_: Arc<Lamp>, problem: &Problem, _: Arc<Shared>) -> Action {
    match problem {
        Problem::NotYet => Action::requeue(Duration::from_secs(5)),
        Problem::Never => Action::await_change(),
    }
}

#[tokio::test(start_paused = true)]
async fn functions_of_kube_run_under_our_controller_and_are_called_when_they_ask() {
    let kube_client = kube::Client::new(ApiServer::builder().seed(7).build(), "default");
    let client = light(kube_client.clone()).await;
    let cache = Cache::new(&client);
    let lamps = cache.watch::<Lamp>();
    let shared = Arc::new(Shared {
        kube_client: kube_client.clone(),
        began: Instant::now(),
        calls: Mutex::default(),
    });
    let reconciler = Reconciler::new(&lamps, reconcile, error_policy, Arc::clone(&shared));
    let controller =
        Controller::new(&client, "lamps", &lamps).with(reconciler).reconcile(Reconciler::reconcile);
    let script = async {
        for lamp in [lamp("a", 1), lamp("odd", 1)] {
            client.api_for(&lamp).create(&lamp, &CreateOptions::default()).await.expect("made");
        }
        sleep(Duration::from_secs(600)).await;
        client
            .api::<Lamp>()
            .namespace("default")
            .delete("a", &Default::default())
            .await
            .expect("gone");
        sleep(Duration::from_secs(600)).await;
    };
    tokio::select! {
        biased;
        () = script => {}
        ended = controller.run(std::future::pending()) => panic!("{ended:?}"),
        () = cache.run() => panic!("the cache ended"),
    }
    let calls = shared.calls.lock().expect("no panic").clone();
    let of = |name: &str| -> Vec<u64> {
        calls.iter().filter(|(of, _)| of == name).map(|(_, at)| *at).collect()
    };
    assert_eq!(of("a"), [0, 5, 10, 70], "as the policy and the function said");
    assert_eq!(of("odd"), [0], "nothing changed, and what is gone is nothing to do");
    let maps: kube::Api<openapi::ConfigMap> = kube::Api::namespaced(kube_client, "default");
    assert!(maps.get("a").await.is_ok());
}
