//! Servers that refuse to watch: the 410 and the 429 that come as answers (V3.6, C-15).

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::json;
use watchkeeper_apiserver::hooks::{self, Read, Verdict};
use watchkeeper_apiserver::{ApiServer, Clock};
use watchkeeper_cache::Cache;
use watchkeeper_client::{Client, CreateOptions, ListOptions};

use crate::{CODEC, run, settle};

/// What was asked for, with the seconds since the start.
type Asked = Arc<Mutex<Vec<(&'static str, u64)>>>;

/// A server whose reads of config maps are decided by `decide`, told how many there were before.
fn server(decide: fn(&Read<'_>, usize) -> Verdict) -> (ApiServer, Asked) {
    let server = ApiServer::builder().clock(Clock::default()).build();
    let asked = Asked::default();
    let (log, begun) = (Arc::clone(&asked), Instant::now());
    server.add_hook(hooks::on_read(move |read| {
        let verb = match read.verb {
            "watch" => "watch",
            "list" => "list",
            _ => return Verdict::Proceed,
        };
        let mut log = log.lock().unwrap();
        log.push((verb, begun.elapsed().as_secs()));
        decide(read, log.len() - 1)
    }));
    (server, asked)
}

fn verbs(asked: &Asked) -> Vec<&'static str> {
    asked.lock().unwrap().iter().map(|(verb, _)| *verb).collect()
}

async fn create(client: &Client, name: &str) {
    let text = format!(r#"{{"metadata": {{"name": "{name}", "namespace": "default"}}}}"#);
    let map: ConfigMap = json::from_slice(text.as_bytes()).unwrap();
    let api = client.api::<ConfigMap>().namespace("default");
    api.create(&map, &CreateOptions::default()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn v3_6_a_watch_refused_with_410_is_begun_anew_and_nothing_is_missed() {
    // The first watch is served for its time; the one that follows it is refused outright.
    let (server, asked) = server(|read, before| match (read.verb, before) {
        ("watch", 1) => read.expired(),
        _ => Verdict::Proceed,
    });
    let client = Client::new(server.clone()).codec(CODEC);
    create(&client, "a").await;
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    maps.synced().await.unwrap();
    sleep(Duration::from_secs(3600)).await;
    create(&client, "b").await;
    sleep(Duration::from_secs(60)).await;
    settle().await;
    assert_eq!(maps.peek_all().len(), 2);
    assert!(verbs(&asked).len() > 2, "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn v3_6_an_unready_cache_is_asked_again_after_the_time_it_names() {
    let (server, asked) = server(|read, before| match before {
        0..3 => read.not_ready(),
        _ => Verdict::Proceed,
    });
    let client = Client::new(server.clone()).codec(CODEC);
    create(&client, "a").await;
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    maps.synced().await.unwrap();
    assert_eq!(maps.peek_all().len(), 1);
    let asked = asked.lock().unwrap().clone();
    let gaps = asked.windows(2).map(|pair| pair[1].1 - pair[0].1);
    assert!(gaps.clone().take(3).all(|gap| gap >= 1), "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn v3_6_a_client_tells_both_apart() {
    let (expired, _) = server(|read, _| read.expired());
    let error =
        Client::new(expired).codec(CODEC).api::<ConfigMap>().list(&ListOptions::default()).await;
    let error = error.unwrap_err();
    assert!(error.is_gone() && !error.is_too_many_requests(), "{error}");
    let (unready, _) = server(|read, _| read.not_ready());
    let error =
        Client::new(unready).codec(CODEC).api::<ConfigMap>().list(&ListOptions::default()).await;
    let error = error.unwrap_err();
    assert!(error.is_too_many_requests() && !error.is_gone(), "{error}");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(1)));
}
