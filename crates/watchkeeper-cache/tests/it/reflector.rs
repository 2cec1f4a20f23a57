//! Lists and watches, and the reflector that follows them into any store.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::classic::{
    ClassicStore, Informer, ListWatch, Reflector, UndeltaStore, extract_list,
};
use watchkeeper_cache::{DeltaQueue, Phase, Store};
use watchkeeper_client::ListOptions;

use crate::classic::{maps, names, run};
use crate::server::map;
use crate::{WATCH_LIST, server, settle};

#[tokio::test(start_paused = true)]
async fn functions_list_and_watch_and_add_what_they_like() {
    let (client, mut server) = server::server();
    let (lists, watches) = (client.api::<ConfigMap>(), client.api::<ConfigMap>());
    let from = ListWatch::from_functions(
        move |options| {
            let api = lists.clone();
            async move { api.list(&options.labels("app=web")).await }
        },
        move |options| {
            let api = watches.clone();
            async move { api.watch(&options.labels("app=web")).await }
        },
    )
    .without_watch_list();
    let (store, informer) = Informer::new(from, |_| {});
    let (informer, _running) = run(informer);
    let path = "/api/v1/configmaps labelSelector=app%3Dweb";
    let page = server.expect(&format!("GET {path} resourceVersion=0")).await;
    page.list("7", "next", &[map("a@1")]);
    let page = server.expect(&format!("GET {path} limit=500 continue=next")).await;
    page.list("7", "", &[map("b@2")]);
    let watch = server.expect(&format!("WATCH {path} resourceVersion=7")).await.open();
    assert!(informer.synced().await);
    watch.event("ADDED", &map("c@8"));
    settle().await;
    assert_eq!(names(&store), ["a@1", "b@2", "c@8"]);
}

/// C-12: the first question is a list, and it costs no wait.
#[tokio::test(start_paused = true)]
async fn c_12_who_cannot_stream_the_state_is_asked_for_lists_only() {
    let (client, mut server) = server::server();
    let pods = Store::new();
    let reflector = Reflector::new(maps(&client).without_watch_list()).beside(&pods);
    let script = async {
        server.expect("GET /api/v1/configmaps resourceVersion=0").await.list("7", "", &[]);
        server.expect("WATCH /api/v1/configmaps resourceVersion=7").await.refuse(410, "Gone");
        let page = server
            .expect("GET /api/v1/configmaps resourceVersion=7 resourceVersionMatch=NotOlderThan")
            .await;
        page.list("9", "", &[map("a@8")]);
        server.expect("WATCH /api/v1/configmaps resourceVersion=9").await.open()
    };
    tokio::select! {
        biased;
        () = reflector.run(&pods) => panic!("it ended"),
        _watch = script => {}
    }
    assert_eq!(names(&pods), ["a@8"]);
}

/// Upstream's `ReflectorOptions`.
#[tokio::test(start_paused = true)]
async fn a_reflector_asks_in_the_ways_of_its_owner() {
    let (client, mut server) = server::server();
    let (queries, times) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
    let (asked, when) = (Arc::clone(&queries), Arc::clone(&times));
    let client = client.intercept(move |request, next| {
        asked.lock().unwrap().push(request.uri().query().unwrap_or_default().to_owned());
        when.lock().unwrap().push(Instant::now());
        async move { next.send(request).await }
    });
    let pods = Store::new();
    let reflector = Reflector::new(maps(&client).without_watch_list())
        .page_size(NonZeroU32::new(7).unwrap())
        .backoff(Duration::from_millis(3), Duration::from_millis(3))
        .min_watch_timeout(Duration::from_secs(3600));
    let script = async {
        server.call().await.refuse(500, "InternalError");
        server.call().await.list("7", "", &[map("a@7")]);
        server.call().await.open()
    };
    tokio::select! {
        biased;
        () = reflector.run(&pods) => panic!("it ended"),
        _watch = script => {}
    }
    let (queries, times) = (queries.lock().unwrap(), times.lock().unwrap());
    assert!(queries[..2].iter().all(|query| query.contains("limit=7")), "{queries:?}");
    let waited = times[1] - times[0];
    assert!((3..=6).contains(&waited.as_millis()), "{waited:?}");
    let timeout = queries[2].split('&').find_map(|part| part.strip_prefix("timeoutSeconds="));
    let timeout: u64 = timeout.unwrap().parse().unwrap();
    assert!((3600..=7200).contains(&timeout), "{timeout}");
}

#[tokio::test(start_paused = true)]
async fn a_page_is_a_list_that_says_what_it_is() {
    use watchkeeper_cache::classic::ListAccessor;
    let (client, mut server) = server::server();
    let serving = async { server.call().await.list("7", "next", &[map("a@1")]) };
    let api = client.api::<ConfigMap>();
    let options = ListOptions::default();
    let (page, ()) = tokio::join!(api.list(&options), serving);
    let page = page.unwrap();
    assert_eq!((page.resource_version(), page.continue_token()), ("7", "next"));
    let store = Store::new();
    store.replace(extract_list(page), "7");
    assert_eq!(names(&store), ["a@1"]);
    assert_eq!(store.snapshot().resource_version(), "7");
}

/// Into a store that tells everything; resyncs that are not wanted are skipped; errors are told once.
#[tokio::test(start_paused = true)]
async fn a_reflector_runs_into_any_store() {
    let (client, mut server) = server::server();
    let told: Arc<Mutex<Vec<usize>>> = Arc::default();
    let telling = Arc::clone(&told);
    let store = UndeltaStore::new(move |maps: Vec<_>| telling.lock().unwrap().push(maps.len()));
    let errors: Arc<Mutex<Vec<String>>> = Arc::default();
    let hearing = Arc::clone(&errors);
    let reflector = Reflector::new(maps(&client))
        .beside(store.objects())
        .seed(1)
        .watch_error_handler(move |error| hearing.lock().unwrap().push(error.to_owned()));
    let script = async {
        server.expect(WATCH_LIST).await.refuse(403, "Forbidden");
        server.expect("GET /api/v1/configmaps resourceVersion=0").await.refuse(403, "Forbidden");
        server.expect(WATCH_LIST).await.refuse(403, "Forbidden");
        server.expect("GET /api/v1/configmaps resourceVersion=0").await.refuse(403, "Forbidden");
        let watch = server.expect(WATCH_LIST).await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("5");
        watch.event("ADDED", &map("b@6"));
        watch.event("DELETED", &map("a@7"));
        watch.bookmark("9");
        settle().await;
        watch
    };
    tokio::select! {
        biased;
        () = reflector.run(&store) => panic!("it ended"),
        _watch = script => {}
    }
    assert_eq!(*told.lock().unwrap(), [1, 2, 1]);
    assert_eq!(reflector.last_sync_resource_version(), "9");
    let errors = errors.lock().unwrap().clone();
    assert!(errors.len() == 1 && errors[0].starts_with("list configmaps"), "{errors:?}");
    assert_eq!(reflector.last_error(), None);
}

#[tokio::test(start_paused = true)]
async fn resyncs_that_are_not_wanted_are_skipped() {
    let (client, mut server) = server::server();
    let (asked, queue) = (Arc::new(AtomicU32::new(0)), DeltaQueue::new(16));
    let asking = Arc::clone(&asked);
    let reflector = Reflector::new(maps(&client))
        .resync(Duration::from_secs(10))
        .should_resync(move || asking.fetch_add(1, Ordering::Relaxed) % 2 == 0);
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.end_of_state("5");
        sleep(Duration::from_secs(45)).await;
    };
    tokio::select! {
        biased;
        () = reflector.run(&queue) => panic!("it ended"),
        () = script => {}
    }
    assert_eq!(asked.load(Ordering::Relaxed), 4);
    assert_eq!(queue.len(), 3, "a list and two resyncs");
}

#[tokio::test(start_paused = true)]
async fn a_reflector_ends_with_its_queue() {
    let (client, mut server) = server::server();
    let queue = DeltaQueue::new(16);
    let reflector = Reflector::new(maps(&client));
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        queue.close();
        watch.end_of_state("5");
        watch.abandoned().await;
    };
    tokio::join!(reflector.run(&queue), script);
    assert_eq!(reflector.last_sync_resource_version(), "", "nothing was taken");
}

/// The reflector's version is that of what it pushed; the store behind a queue comes there later.
#[tokio::test(start_paused = true)]
async fn c_23_a_reflector_tells_how_far_it_has_come_itself() {
    let (client, mut server) = server::server();
    let (store, queue) = (Store::new(), DeltaQueue::new(16));
    let reflector = Reflector::new(maps(&client)).beside(&store);
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("5");
        watch.event("ADDED", &map("b@6"));
        settle().await;
        let of_both = || (reflector.last_sync_resource_version(), store.version());
        assert_eq!(of_both(), ("6".to_owned(), String::new()));
        store.apply(queue.pop().await.unwrap());
        assert_eq!(of_both(), ("6".to_owned(), "5".to_owned()));
        store.apply(queue.pop().await.unwrap());
        assert_eq!(of_both(), ("6".to_owned(), "6".to_owned()));
    };
    tokio::select! {
        biased;
        () = reflector.run(&queue) => panic!("it ended"),
        () = script => {}
    }
}

/// Reads go on while the server is away, and the status tells for how long.
#[tokio::test(start_paused = true)]
async fn a_reflector_tells_how_it_is_doing() {
    let (client, mut server) = server::server();
    let pods = Store::new();
    let reflector = Reflector::new(maps(&client)).beside(&pods).seed(1);
    assert_eq!(reflector.status().to_string(), "configmaps: not synced, not started");
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        watch.event("ADDED", &map("a@1"));
        watch.event("ADDED", &map("b@2"));
        settle().await;
        let listing = reflector.status();
        assert_eq!(
            (listing.phase, listing.synced, listing.listed),
            (Phase::Listing, false, Some(2))
        );
        watch.end_of_state("5");
        watch.event("MODIFIED", &map("a@6"));
        settle().await;
        let following = reflector.status();
        assert_eq!(following.to_string(), "configmaps: watching, 2 objects @6");
        assert_eq!((following.replaces, following.events), (1, 1));
        sleep(Duration::from_secs(40)).await;
        assert_eq!(reflector.status().last_event_age, Some(Duration::from_secs(40)));
        drop(watch);
        loop {
            server.call().await.break_off();
            settle().await;
            let away = reflector.status();
            if away.last_event_age > Some(Duration::from_secs(300)) {
                break away;
            }
        }
    };
    let away = tokio::select! {
        biased;
        () = reflector.run(&pods) => panic!("it ended"),
        away = script => away,
    };
    assert_eq!((away.phase, away.synced, away.objects), (Phase::BackingOff, true, 2));
    assert!(away.last_error.is_some() && !away.refused, "{away}");
    assert_eq!(names(&pods), ["a@6", "b@2"], "what was known last");
    assert_eq!(reflector.status().phase, Phase::Stopped, "the run was dropped");
}
