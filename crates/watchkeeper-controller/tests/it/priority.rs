//! What changed goes before what is looked at because it is there.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, object};
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_cache::Cache;
use watchkeeper_client::{Api, Client, CreateOptions};
use watchkeeper_controller::{Action, Controller};

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

fn maps(client: &Client) -> Api<ConfigMap> {
    client.api().namespace("default")
}

async fn create(client: &Client, name: &str) {
    let map = object!(ConfigMap { metadata: { name: name, namespace: "default" } });
    maps(client).create(&map, &CreateOptions::default()).await.expect("made");
}

/// Gives a map another value.
async fn change(client: &Client, name: &str) {
    let map = maps(client).get(name).await.expect("it is there");
    let version = map.resource_version().to_owned();
    let changed = ConfigMap { data: [("seen", version)].into(), ..map };
    maps(client).update(&changed).await.expect("changed");
}

/// Ten maps, `0` to `9`, and a controller whose one worker takes a second for each; what it reconciled while
/// `script` ran.
async fn reconciled<F>(resync: Duration, script: impl FnOnce(Client) -> F) -> String
where
    F: Future<Output = ()> + Send,
{
    let client = Client::new(ApiServer::builder().seed(1).clock(Clock::default()).build());
    for name in 0..10 {
        create(&client, &name.to_string()).await;
    }
    let cache = Cache::new(&client).seed(1);
    let watch = cache.watch::<ConfigMap>();
    let log = Arc::new(Mutex::new(String::new()));
    let controller = Controller::new(&client, "slow", &watch)
        .resync(resync)
        .with(Arc::clone(&log))
        .reconcile(async |log, request, _ctx| {
            log.lock().expect("no panic").push_str(request.name());
            sleep(secs(1)).await;
            Ok(Action::done())
        });
    tokio::select! {
        biased;
        ended = controller.run(script(client.clone())) => ended.expect("a clean stop"),
        () = cache.run() => {}
    }
    let log = log.lock().expect("no panic");
    log.clone()
}

#[tokio::test(start_paused = true)]
async fn b_05_what_changed_goes_before_the_first_list() {
    let order = reconciled(Duration::MAX, |client| async move {
        sleep(Duration::from_millis(2500)).await;
        change(&client, "9").await;
        create(&client, "n").await;
        change(&client, "0").await;
        sleep(secs(60)).await;
    })
    .await;
    // Each eighth hand-out is for the oldest, whatever its priority: here nothing new waits any more then.
    assert_eq!(order, "0129n0345678");
}

#[tokio::test(start_paused = true)]
async fn b_05_what_changed_goes_before_a_resync() {
    let order = reconciled(secs(60), |client| async move {
        sleep(Duration::from_millis(62_500)).await;
        change(&client, "8").await;
        sleep(secs(30)).await;
    })
    .await;
    assert_eq!(order, "01234567890128345679");
}

/// Upstream's queue lets them starve (P-10).
#[tokio::test(start_paused = true)]
async fn the_first_list_has_its_turn_however_much_changes() {
    let order = reconciled(Duration::MAX, |client| async move {
        for round in 0..100 {
            sleep(Duration::from_millis(500)).await;
            change(&client, if round % 2 == 0 { "0" } else { "1" }).await;
        }
    })
    .await;
    let others: String = order.chars().filter(|name| !"01".contains(*name)).collect();
    assert!("23456789".starts_with(&others) && others.len() >= 5, "{order}");
}
