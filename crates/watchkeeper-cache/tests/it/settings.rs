//! What of a copy's ways is its owner's: of a cache, and of the informers of the tutorials.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::classic::{Informer, InformerOptions, ListWatch};
use watchkeeper_cache::{Cache, Phase, SharedInformer, SharedInformerFactory};
use watchkeeper_client::{Client, Select};

use crate::server::{self, Server, map};
use crate::{run, settle};

const HOUR: Duration = Duration::from_secs(3600);
const MOMENT: Duration = Duration::from_millis(3);

/// What was asked for, and when.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<(String, Instant)>>>);

impl Asked {
    fn by(&self, client: Client) -> Client {
        let asked = self.clone();
        client.intercept(move |request, next| {
            let query = request.uri().query().unwrap_or_default().to_owned();
            asked.0.lock().unwrap().push((query, Instant::now()));
            async move { next.send(request).await }
        })
    }

    /// It was asked for pages of seven after moments, and for watches of an hour.
    fn is_as_set(&self) {
        let asked = self.0.lock().unwrap();
        let seconds = |query: &str| {
            let timeout = query.split('&').find_map(|part| part.strip_prefix("timeoutSeconds="));
            timeout.and_then(|seconds| seconds.parse::<u64>().ok())
        };
        let lists: Vec<_> = asked.iter().filter(|(query, _)| seconds(query).is_none()).collect();
        assert!(lists.iter().all(|(query, _)| query.contains("limit=7")), "{lists:?}");
        let watches: Vec<u64> = asked.iter().filter_map(|(query, _)| seconds(query)).collect();
        assert!(!watches.is_empty() && watches.iter().all(|s| (3600..=7200).contains(s)));
        let begun = asked[0].1;
        let took = asked.last().unwrap().1 - begun;
        assert!((3..=6).contains(&took.as_millis()), "{took:?}");
    }
}

/// A server that cannot stream its state, fails once, and answers then.
async fn fails_once(server: &mut Server) -> server::Open {
    for (code, reason) in [(422, "Invalid"), (500, "InternalError"), (422, "Invalid")] {
        server.call().await.refuse(code, reason);
    }
    server.call().await.list("7", "", &[map("a@7")]);
    server.call().await.open()
}

#[tokio::test(start_paused = true)]
async fn a_cache_asks_in_the_ways_of_its_owner() {
    let (client, mut server) = server::server();
    let asked = Asked::default();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let hearing = Arc::clone(&told);
    let cache = Cache::new(&asked.by(client))
        .seed(1)
        .page_size(NonZeroU32::new(7).unwrap())
        .backoff(MOMENT, MOMENT)
        .min_watch_timeout(HOUR)
        .watch_error_handler(move |status| {
            assert_eq!((status.phase, status.synced), (Phase::BackingOff, false));
            hearing.lock().unwrap().push(status.to_string());
        });
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let _watch = fails_once(&mut server).await;
    maps.synced().await.unwrap();
    asked.is_as_set();
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    let start = "configmaps: not synced, waiting to try again; list configmaps";
    assert!(told[0].starts_with(start) && told[0].contains("InternalError"), "{told:?}");
}

/// Settings reach shared informers and factories through their cache. What is there already keeps its own.
#[tokio::test(start_paused = true)]
async fn informers_have_the_settings_of_their_cache() {
    let (client, mut server) = server::server();
    let asked = Asked::default();
    let plain = Cache::new(&asked.by(client)).seed(1);
    let tuned = plain
        .clone()
        .page_size(NonZeroU32::new(7).unwrap())
        .backoff(MOMENT, MOMENT)
        .min_watch_timeout(HOUR)
        .watch_error_handler(|_| {});
    let informer = SharedInformer::over(tuned.clone(), Select::<ConfigMap>::all());
    let mut running = JoinSet::new();
    let run = informer.clone();
    running.spawn(async move { run.run().await });
    let watch = fails_once(&mut server).await;
    informer.synced().await.unwrap();
    asked.is_as_set();
    let factory = SharedInformerFactory::over(plain);
    assert_eq!(factory.informer::<ConfigMap>().lister().list().len(), 1, "the same copy");
    settle().await;
    assert!(server.is_quiet());
    drop(watch);
}

#[tokio::test(start_paused = true)]
async fn an_informer_of_the_tutorials_asks_in_the_ways_of_its_owner() {
    let (client, mut server) = server::server();
    let asked = Asked::default();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let hearing = Arc::clone(&told);
    let options = InformerOptions {
        seed: Some(1),
        page_size: NonZeroU32::new(7),
        backoff: Some((MOMENT, MOMENT)),
        min_watch_timeout: Some(HOUR),
        watch_error_handler: Some(Box::new(move |error| {
            hearing.lock().unwrap().push(error.to_owned());
        })),
        ..InformerOptions::default()
    };
    let from = ListWatch::new(&asked.by(client), Select::<ConfigMap>::all());
    let (store, informer) = Informer::with_options(options, from, |_| {});
    assert_eq!(informer.status().phase, Phase::Idle);
    let script = async {
        let watch = fails_once(&mut server).await;
        informer.synced().await;
        watch
    };
    tokio::select! {
        biased;
        () = informer.run() => panic!("it ended"),
        _watch = script => {}
    }
    asked.is_as_set();
    assert_eq!(told.lock().unwrap().len(), 1);
    let status = informer.status();
    assert_eq!(status.to_string(), "configmaps: stopped, 1 objects @7");
    assert_eq!((status.replaces, status.events, store.len()), (1, 0, 1));
}
