//! What reading one's own writes is for: conflicts, counted where the server answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::{Method, StatusCode};
use tokio::time::sleep;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::object;
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_cache::{Cache, Watch};
use watchkeeper_client::{Api, Client, CreateOptions};
use watchkeeper_controller::{Action, Controller, Failure, Request};

const OBJECTS: usize = 20;
const STEPS: usize = 5;

/// How a reconcile reads what it is about.
#[derive(Clone, Copy)]
enum Read {
    /// As it comes: with the writes of before.
    Own,
    /// What the copy has at the time, as of a cache that knows nothing of writes.
    Present,
}

/// The answers to the updates of a client.
#[derive(Clone, Default)]
struct Audit {
    updates: Arc<AtomicUsize>,
    conflicts: Arc<AtomicUsize>,
}

impl Audit {
    fn of(&self, client: Client) -> Client {
        let audit = self.clone();
        client.intercept(move |request, next| {
            let (audit, is_update) = (audit.clone(), request.method() == Method::PUT);
            async move {
                let answer = next.send(request).await?;
                let is_conflict = answer.status() == StatusCode::CONFLICT;
                audit.updates.fetch_add(usize::from(is_update), Ordering::Relaxed);
                audit.conflicts.fetch_add(usize::from(is_update && is_conflict), Ordering::Relaxed);
                Ok(answer)
            }
        })
    }

    fn told(&self) -> (usize, usize) {
        (self.updates.load(Ordering::Relaxed), self.conflicts.load(Ordering::Relaxed))
    }
}

/// Step by step, each written before the next one is looked at, as a reconcile that writes an object, then its
/// status, then a condition.
async fn walk(
    maps: &Watch<ConfigMap>,
    client: &Client,
    request: &Request,
    read: Read,
) -> Result<Action, Failure> {
    loop {
        let map = match read {
            Read::Own => maps.get(request).await?,
            Read::Present => maps.peek(request),
        };
        let Some(map) = map else { return Ok(Action::done()) };
        let step = map.data.get("step").and_then(|step| step.parse().ok()).unwrap_or(0);
        if step == STEPS {
            return Ok(Action::done());
        }
        let data = [("step", (step + 1).to_string())].into_iter().collect();
        let changed = ConfigMap { data, ..ConfigMap::clone(&map) };
        client.api_for(&changed).update(&changed).await?;
    }
}

/// Updates until every object is where it should be, and those among them that were conflicts.
async fn updates(read: Read) -> (usize, usize) {
    let server = ApiServer::builder().seed(1).clock(Clock::default()).build();
    let (audit, client) = (Audit::default(), Client::new(server));
    let maps: Api<ConfigMap> = client.api().namespace("default");
    for number in 0..OBJECTS {
        let name = format!("map-{number}");
        let map = object!(ConfigMap { metadata: { name: name.as_str(), namespace: "default" } });
        maps.create(&map, &CreateOptions::default()).await.expect("made");
    }
    let cache = Cache::new(&client).seed(1);
    let client = audit.of(client.observed_by(cache.observer()));
    let watch = cache.watch::<ConfigMap>();
    let state = (watch.clone(), client.clone(), read);
    let controller = Controller::new(&client, "walks", &watch).with(state).reconcile(
        async |(maps, client, read), request, _ctx| walk(maps, client, &request, *read).await,
    );
    tokio::select! {
        biased;
        ended = controller.run(sleep(Duration::from_secs(60))) => ended.expect("a clean stop"),
        () = cache.run() => {}
    }
    let walked =
        watch.peek_in("default").iter().filter(|map| map.data.contains_key("step")).count();
    assert_eq!(walked, OBJECTS);
    audit.told()
}

#[tokio::test(start_paused = true)]
async fn who_reads_its_own_writes_meets_no_conflict() {
    assert_eq!(updates(Read::Own).await, (OBJECTS * STEPS, 0));
    let (all, conflicts) = updates(Read::Present).await;
    assert_eq!(all - conflicts, OBJECTS * STEPS);
    assert!(conflicts > OBJECTS * STEPS / 2, "{conflicts} conflicts");
}
