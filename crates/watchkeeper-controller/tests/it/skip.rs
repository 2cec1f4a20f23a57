//! A controller that would rather come back than wait for its own writes (KEP-5647).

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_cache::{Cache, Watch};
use watchkeeper_client::{Api, Client, CreateOptions};
use watchkeeper_controller::{Action, Controller, Failure};

/// What a reconcile met: the version in the copy, or that it is behind.
type Log = Arc<Mutex<Vec<&'static str>>>;

/// Writes what is not written yet, and looks at once whether the copy has it.
async fn reconcile(maps: &Watch<ConfigMap>, client: &Client, log: &Log) -> Result<Action, Failure> {
    let told = |what| log.lock().expect("no panic").push(what);
    let read = || {
        let read = maps.try_get(("default", "a")).map_err(Failure::from);
        read.inspect_err(|failure| told(if failure.is_behind() { "behind" } else { "failed" }))
    };
    let Some(map) = read()? else { return Ok(Action::done()) };
    if map.data.get("seen").is_none() {
        told("writes");
        let changed = ConfigMap { data: [("seen", "yes")].into(), ..ConfigMap::clone(&map) };
        client.api::<ConfigMap>().namespace("default").update(&changed).await?;
        read()?;
    }
    told("done");
    Ok(Action::done())
}

#[tokio::test(start_paused = true)]
async fn a_reconcile_that_finds_the_copy_behind_is_skipped_and_comes_back() {
    let server = ApiServer::builder().seed(1).clock(Clock::default()).build();
    let client = Client::new(server);
    let maps: Api<ConfigMap> = client.api().namespace("default");
    let map = object!(ConfigMap { metadata: { name: "a", namespace: "default" } });
    maps.create(&map, &CreateOptions::default()).await.expect("made");
    let cache = Cache::new(&client).seed(1);
    let client = client.observed_by(cache.observer());
    let (watch, log) = (cache.watch::<ConfigMap>(), Log::default());
    let state = (watch.clone(), client.clone(), Arc::clone(&log));
    let controller = Controller::new(&client, "skips", &watch)
        .with(state)
        .reconcile(async |(maps, client, log), _request, _ctx| reconcile(maps, client, log).await);
    tokio::select! {
        biased;
        ended = controller.run(sleep(Duration::from_secs(60))) => ended.expect("a clean stop"),
        () = cache.run() => {}
    }
    let log = log.lock().expect("no panic");
    assert_eq!(log[..2], ["writes", "behind"], "nothing came in between");
    assert!(log[2..].iter().all(|told| *told == "done") && log.len() > 2, "{log:?}");
}
