//! What is put around the reconcile functions of a manager's controllers.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::ApiServer;
use watchkeeper_client::Client;
use watchkeeper_controller::{Action, Context, Reconciler, Reconciling, Request};
use watchkeeper_manager::Manager;

type Told = Arc<Mutex<Vec<String>>>;

/// Tells before and after.
struct Around {
    told: Told,
    name: String,
    inner: Arc<dyn Reconciler>,
}

impl Around {
    fn tell(&self, what: &str) {
        self.told.lock().expect("no panic").push(format!("{what} {}", self.name));
    }
}

impl Reconciler for Around {
    fn reconcile(&self, request: Request, context: Context) -> Reconciling<'_> {
        Box::pin(async move {
            self.tell("before");
            let outcome = self.inner.reconcile(request, context).await;
            self.tell("after");
            outcome
        })
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_put_around_last_is_outermost_and_knows_the_controller() {
    let client = Client::new(ApiServer::builder().seed(7).build());
    let told = Told::default();
    let around = |which: &'static str| {
        let told = told.clone();
        move |controller: &str, inner| -> Arc<dyn Reconciler> {
            let name = format!("{controller}, {which}");
            Arc::new(Around { told: told.clone(), name, inner })
        }
    };
    let manager = Manager::new(&client).wrap(around("first")).wrap(around("last"));
    let maps = manager.watch::<ConfigMap>();
    manager.controller("maps", &maps).with(told.clone()).reconcile(async |told, _request, _ctx| {
        told.lock().expect("no panic").push("reconciles".to_owned());
        Ok(Action::done())
    });
    let script = async {
        let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
        client.api::<ConfigMap>().create(&map, &Default::default()).await.expect("made");
        sleep(Duration::from_secs(1)).await;
    };
    manager.run(Box::pin(script)).await.expect("a clean stop");
    let told = told.lock().expect("no panic").clone();
    let expected = [
        "before maps, last",
        "before maps, first",
        "reconciles",
        "after maps, first",
        "after maps, last",
    ];
    assert_eq!(told, expected);
}
