//! What a reconcile that does nothing allocates.
//!
//! A binary of its own, because its allocator counts; only what the test's own thread asks for is counted, and
//! everything runs on that.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use allocation_counter::measure;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Notify;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{ObjectKey, object};
use watchkeeper_apiserver::ApiServer;
use watchkeeper_cache::{Cache, Watch};
use watchkeeper_client::{Client, CreateOptions};
use watchkeeper_controller::{Action, Controller, Trigger};

const MAPS: usize = 500;

/// What the reconcile function uses.
struct State {
    maps: Watch<ConfigMap>,
    left: AtomicUsize,
    done: Notify,
}

/// A controller that looks at its copy of an object and does nothing, running.
struct World {
    runtime: Runtime,
    state: Arc<State>,
    trigger: Trigger,
    keys: Vec<ObjectKey>,
}

impl World {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_time().build().expect("a runtime");
        let client = Client::new(ApiServer::new());
        let keys: Vec<_> =
            (0..MAPS).map(|i| ObjectKey::from(("default", &*format!("map-{i:06}")))).collect();
        let (cache, trigger) = (Cache::new(&client), Trigger::new("all"));
        let maps = cache.watch::<ConfigMap>();
        let state = Arc::new(State { maps, left: AtomicUsize::new(MAPS), done: Notify::new() });
        let controller = Controller::new(&client, "idle", &state.maps)
            .triggered_by(&trigger)
            .with(Arc::clone(&state))
            .reconcile(async |state, request, _ctx| {
                assert!(state.maps.get(&request).await?.is_some(), "{request} is not in the copy");
                if state.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                    state.done.notify_one();
                }
                Ok(Action::done())
            });
        runtime.block_on(async {
            for key in &keys {
                let map =
                    object!(ConfigMap { metadata: { name: &*key.name, namespace: "default" } });
                client.api_for(&map).create(&map, &CreateOptions::default()).await.expect("made");
            }
        });
        runtime.spawn(async move { cache.run().await });
        runtime.spawn(async move { controller.run(std::future::pending()).await });
        let world = Self { runtime, state, trigger, keys };
        world.reconcile();
        world
    }

    fn request(&self) {
        self.state.left.store(MAPS, Ordering::Relaxed);
        for key in &self.keys {
            self.trigger.request(key.clone());
        }
    }

    /// Until all that was asked for are done.
    fn reconcile(&self) {
        self.runtime.block_on(self.state.done.notified());
    }
}

#[test]
fn a_reconcile_that_does_nothing_allocates_little() {
    let world = World::new();
    // Tables grow until they have their size.
    for _ in 0..3 {
        world.request();
        world.reconcile();
    }
    let asked = measure(|| world.request()).count_total;
    let reconciled = measure(|| world.reconcile()).count_total;
    let per = |count: u64| count as f64 / MAPS as f64;
    println!("allocations: {:.2} a request, {:.2} a reconcile", per(asked), per(reconciled));
    let control = measure(|| drop(std::hint::black_box(vec![0_u8; 100]))).count_total;
    assert_eq!(control, 1, "the counter counts");
    assert!(per(reconciled) <= 1.1, "{} allocations a reconcile", per(reconciled));
    assert!(per(asked + reconciled) <= 2.5, "{} with its request", per(asked + reconciled));
}
