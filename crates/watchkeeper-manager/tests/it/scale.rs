//! As many controllers as a large program has, several times over.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::Action;
use watchkeeper_manager::Manager;

const CONTROLLERS: usize = 500;
const OBJECTS: usize = 20;

/// They share one copy; each is told of every object once, works by itself, and ends with the manager.
#[tokio::test(start_paused = true)]
async fn five_hundred_controllers_work_in_one_manager() {
    let client = Client::new(ApiServer::new());
    let manager = Manager::new(&client).seed(1);
    let maps = manager.watch::<ConfigMap>();
    let counts: Arc<Vec<AtomicUsize>> =
        Arc::new((0..CONTROLLERS).map(|_| AtomicUsize::new(0)).collect());
    let mut handles = Vec::new();
    for number in 0..CONTROLLERS {
        let state = (Arc::clone(&counts), number);
        let controller = manager.controller(&format!("maps-{number}"), &maps).with(state);
        let controller = controller.reconcile(async |(counts, number), _request, _ctx| {
            counts[*number].fetch_add(1, Ordering::Relaxed);
            sleep(Duration::from_millis(1)).await;
            Ok(Action::done())
        });
        handles.push(controller);
    }
    let (ended, stop) = oneshot::channel::<()>();
    let running = manager.run(async move { drop(stop.await) });
    let script = async {
        for number in 0..OBJECTS {
            let map = object!(ConfigMap {
                metadata: { name: format!("m{number}"), namespace: "default" },
            });
            client.api_for(&map).create(&map, &CreateOptions::default()).await.unwrap();
        }
        sleep(Duration::from_secs(5)).await;
        drop(ended);
    };
    let (ran, ()) = tokio::join!(running, script);
    ran.unwrap();
    let runs: Vec<usize> = counts.iter().map(|count| count.load(Ordering::Relaxed)).collect();
    assert_eq!(runs, [OBJECTS; CONTROLLERS]);
    assert_eq!(maps.peek(("default", "m0")).map(|map| map.data.len()), Some(0));
    // What was aborted ends when it is its turn.
    sleep(Duration::from_secs(1)).await;
    assert_eq!(tokio::runtime::Handle::current().metrics().num_alive_tasks(), 0);
}
