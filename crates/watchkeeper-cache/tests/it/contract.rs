//! What upstream's informers promise and no other test has for its subject (`docs/parity/cache.md`).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, mpsc};
use tokio::time::sleep;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, HandlerOptions};

use crate::server::{SECRET, map};
use crate::{
    CODEC, Log, Synced, WATCH_LIST, at_once, foos, log, names, run, server, settle, synced,
};

/// C-13: the timeouts of watches lie between five minutes and ten, and are not all the same.
#[tokio::test(start_paused = true)]
async fn c_13_watches_end_after_a_random_time() {
    let (_server, client) = foos::server();
    let timeouts: Arc<std::sync::Mutex<Vec<u64>>> = Arc::default();
    let seen = Arc::clone(&timeouts);
    let client = client.codec(CODEC).intercept(move |request, next| {
        let query = request.uri().query().unwrap_or_default();
        let timeout = query.split('&').find_map(|part| part.strip_prefix("timeoutSeconds="));
        seen.lock().unwrap().extend(timeout.and_then(|timeout| timeout.parse::<u64>().ok()));
        async move { next.send(request).await }
    });
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    sleep(Duration::from_secs(3600)).await;
    assert!(maps.has_synced());
    let timeouts = timeouts.lock().unwrap().clone();
    assert!(timeouts.len() > 5, "{timeouts:?}");
    assert!(timeouts.iter().all(|timeout| (300..=600).contains(timeout)), "{timeouts:?}");
    assert!(timeouts.windows(2).any(|pair| pair[0] != pair[1]), "{timeouts:?}");
}

/// C-18: an object that has no name is none.
#[tokio::test(start_paused = true)]
async fn c_18_what_is_no_object_of_the_kind_is_reported_and_skipped() {
    let Synced { maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
    let log = Log::default();
    let _subscription = maps.subscribe(log.handler());
    log.take().await;
    let nameless = map("x@6").replace(r#""name":"x","#, "");
    watch.event("MODIFIED", &nameless);
    watch.event("MODIFIED", &map("a@7"));
    assert_eq!(log.take().await, ["update default/a @1 -> @7"]);
    assert_eq!(names(&maps), ["a@7"]);
    let malformed = maps.status().malformed;
    assert_eq!(malformed.len(), 1, "{malformed:?}");
    assert!(malformed.values().all(|reason| reason.contains("has no name")), "{malformed:?}");
}

/// C-17, C-46: the version is that of what can be read, after each event, bookmark and list.
#[tokio::test(start_paused = true)]
async fn c_46_the_version_never_runs_ahead_of_the_copy() {
    let Synced { mut server, maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
    let versions: Arc<std::sync::Mutex<Vec<(String, String)>>> = Arc::default();
    let (seen, copy) = (Arc::clone(&versions), maps.clone());
    let _subscription = maps.subscribe(move |change| {
        let told = change.object().resource_version().to_owned();
        seen.lock().unwrap().push((told, copy.status().version));
    });
    settle().await;
    versions.lock().unwrap().clear();
    watch.event("MODIFIED", &map("a@6"));
    settle().await;
    assert_eq!(maps.status().version, "6");
    watch.bookmark("8");
    settle().await;
    assert_eq!(maps.status().version, "8");
    watch.error(410, "Expired");
    let watch = server.call().await.open();
    watch.event("ADDED", &map("a@9"));
    settle().await;
    assert_eq!((&*maps.status().version, &*names(&maps)[0]), ("8", "a@6"), "not half a list");
    watch.end_of_state("12");
    settle().await;
    assert_eq!((&*maps.status().version, &*names(&maps)[0]), ("12", "a@9"));
    let told = versions.lock().unwrap().clone();
    let told: Vec<_> = told.iter().map(|(told, copy)| (&**told, &**copy)).collect();
    assert_eq!(told, [("6", "6"), ("9", "12")]);
}

/// C-60: synced is a copy when its list is in, and a handler when it was called for all of it.
#[tokio::test(start_paused = true)]
async fn c_60_a_copy_is_synced_before_its_handlers_are() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let told = Arc::new(std::sync::Mutex::new(None));
    let (copy, at) = (maps.clone(), Arc::clone(&told));
    let subscription = maps.subscribe(move |_| {
        at.lock().unwrap().get_or_insert_with(|| copy.has_synced());
        held.recv_timeout(Duration::from_secs(10)).unwrap();
    });
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &map("a@1"));
    watch.end_of_state("5");
    release.send(()).unwrap();
    assert!(!subscription.has_synced());
    assert!(subscription.synced().await);
    assert_eq!(*told.lock().unwrap(), Some(true), "the list was in when the handler was called");
}

/// C-65: the same handler twice is two handlers.
#[tokio::test(start_paused = true)]
async fn c_65_a_handler_may_listen_twice() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let log = Log::default();
    let (one, two) = (maps.subscribe(log.handler()), maps.subscribe(log.handler()));
    watch.event("ADDED", &map("a@6"));
    assert_eq!(log.take().await, ["add default/a @6", "add default/a @6"]);
    drop(one);
    watch.event("ADDED", &map("b@7"));
    assert_eq!(log.take().await, ["add default/b @7"]);
    assert!(!two.is_closed());
}

/// C-62: each handler has its own buffer, so one that does not come back delays nobody, and what waits for it
/// is bounded by the objects and can be seen.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn c_62_a_slow_handler_delays_nobody_and_what_waits_for_it_is_known() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let (mut stuck, release) = (Stuck::default(), Arc::new(Semaphore::new(0)));
    let options = HandlerOptions { buffer: 10, ..HandlerOptions::default() };
    let slow = maps.subscribe_with(options, stuck.handler(&release));
    let (tell, mut told) = mpsc::unbounded_channel();
    let _fast = maps.subscribe(move |change| drop(tell.send(change.to_string())));
    watch.event("ADDED", &map("a@6"));
    stuck.is_in_a_call().await;
    for step in 3..103 {
        watch.event("ADDED", &map(&format!("n{step}@{}", 2 * step + 1)));
        watch.event("MODIFIED", &map(&format!("n3@{}", 2 * step + 2)));
    }
    for _ in 0..201 {
        told.recv().await.unwrap();
    }
    assert_eq!(maps.peek_all().len(), 101, "readers are not held up, either");
    let waiting = slow.pending();
    assert!((100..=110).contains(&waiting), "one of each object, and a buffer: {waiting}");
    assert_eq!(stuck.done(), 0, "all that time it was in its first call");
    release.add_permits(1000);
    while slow.pending() > 0 {
        tokio::task::yield_now().await;
    }
    assert!(stuck.done() >= waiting, "what waited is told");
}

/// C-68: the end waits for the call in progress, and what waits for the handler is dropped.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn c_68_the_end_waits_for_the_call_in_progress_and_drops_what_waits() {
    let Synced { cache, maps, watch, mut running, .. } = synced(&[], "5").await;
    let (mut stuck, release) = (Stuck::default(), Arc::new(Semaphore::new(0)));
    let subscription = maps.subscribe(stuck.handler(&release));
    watch.event("ADDED", &map("a@6"));
    stuck.is_in_a_call().await;
    watch.event("ADDED", &map("b@7"));
    while subscription.pending() == 0 {
        tokio::task::yield_now().await;
    }
    cache.shut_down();
    while !subscription.is_closed() {
        tokio::task::yield_now().await;
    }
    assert!(running.try_join_next().is_none(), "a call is in progress");
    release.add_permits(1000);
    running.join_next().await.unwrap().unwrap();
    assert_eq!(stuck.done(), 1, "it was completed before, and is the last");
}

/// C-64: who shuts a handler down may take away what it needs afterwards. Upstream's
/// `RemoveEventHandler_SynchronousShutdown`.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn c_64_who_shuts_a_handler_down_waits_for_its_last_call() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let (mut stuck, release) = (Stuck::default(), Arc::new(Semaphore::new(0)));
    let subscription = maps.subscribe(stuck.handler(&release));
    watch.event("ADDED", &map("a@6"));
    stuck.is_in_a_call().await;
    watch.event("ADDED", &map("b@7"));
    while subscription.pending() == 0 {
        tokio::task::yield_now().await;
    }
    last_call(subscription, &stuck, &release).await;
    assert_eq!(maps.status().handlers, 0);
}

/// The same of a handler of several namespaces, also of one that is given up while the handler works.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn c_64_a_handler_of_several_namespaces_is_waited_for() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(watchkeeper_client::Select::all(), ["default"]);
    let (mut stuck, release) = (Stuck::default(), Arc::new(Semaphore::new(0)));
    let subscription = maps.subscribe(stuck.handler(&release));
    let _running = run(&cache);
    let watch = server.call().await.open();
    watch.event("ADDED", &map("a@1"));
    watch.event("ADDED", &map("b@2"));
    watch.end_of_state("5");
    stuck.is_in_a_call().await;
    maps.set(["other"]);
    last_call(subscription, &stuck, &release).await;
}

/// Of one call that is in progress: it is waited for, and is the last.
async fn last_call(
    subscription: watchkeeper_cache::Subscription,
    stuck: &Stuck,
    release: &Semaphore,
) {
    let mut ended = Box::pin(subscription.shut_down());
    for _ in 0..100 {
        let now = std::future::poll_fn(|context| Poll::Ready(ended.as_mut().poll(context)));
        assert!(now.await.is_pending(), "a call is in progress");
        tokio::task::yield_now().await;
    }
    release.add_permits(1000);
    ended.await;
    assert_eq!(stuck.done(), 1, "it was completed before, and is the last");
}

/// Nobody waits for a handler that does nothing, or that nobody runs.
#[tokio::test(start_paused = true)]
async fn c_64_a_handler_that_is_not_called_is_not_waited_for() {
    let Synced { cache, maps, running, .. } = synced(&["a@1"], "5").await;
    let idle = maps.subscribe(|_| {});
    assert!(idle.synced().await);
    idle.shut_down().await;
    maps.subscribe(|_| panic!("it was shut down before")).shut_down().await;
    let panics = maps.subscribe(|_| panic!("a handler that panics"));
    assert!(panics.synced().await);
    panics.shut_down().await;
    drop(running);
    drop(cache);
    maps.subscribe(|_| {}).shut_down().await;
}

/// A handler that does not come back until it is let.
struct Stuck {
    entered: Arc<Semaphore>,
    done: Arc<AtomicUsize>,
}

impl Default for Stuck {
    fn default() -> Self {
        Self { entered: Arc::new(Semaphore::new(0)), done: Arc::default() }
    }
}

impl Stuck {
    /// Each call waits, on its thread, for a permit.
    fn handler(
        &self,
        release: &Arc<Semaphore>,
    ) -> impl FnMut(&watchkeeper_cache::Change<ConfigMap>) + Send + 'static {
        let (release, entered) = (Arc::clone(release), Arc::clone(&self.entered));
        let done = Arc::clone(&self.done);
        move |_| {
            entered.add_permits(1);
            while release.try_acquire().map(SemaphorePermit::forget).is_err() {
                std::thread::yield_now();
            }
            // A run that does not wait for this call is over by now.
            (0..1000).for_each(|_| std::thread::yield_now());
            done.fetch_add(1, Ordering::SeqCst);
        }
    }

    async fn is_in_a_call(&mut self) {
        self.entered.acquire().await.unwrap().forget();
    }

    fn done(&self) -> usize {
        self.done.load(Ordering::SeqCst)
    }
}

/// C-69: who waits is woken when something has happened, and does not ask every so often.
#[tokio::test(start_paused = true)]
async fn c_69_who_waits_is_woken_and_does_not_ask() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let call = server.expect(WATCH_LIST).await;
    let (mut waiting, mut polls) = (Box::pin(maps.synced()), 0);
    let counted = std::future::poll_fn(|context| {
        polls += 1;
        waiting.as_mut().poll(context)
    });
    let (ended, ()) = tokio::join!(counted, async {
        sleep(Duration::from_secs(20)).await;
        call.open().end_of_state("5");
    });
    ended.unwrap();
    assert!(polls < 10, "{polls} polls in twenty seconds");
}

/// Q-02, Q-03: nothing is watched because it was read, and a read before the start says so.
#[tokio::test(start_paused = true)]
async fn q_03_a_read_before_the_start_is_an_error_and_starts_nothing() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1).read_deadline(Duration::from_secs(2));
    let maps = cache.watch::<ConfigMap>();
    assert!(maps.peek(("default", "a")).is_none());
    assert!(maps.try_get(("default", "a")).unwrap_err().is_not_synced());
    let error = maps.get(("default", "a")).await.unwrap_err();
    assert!(error.is_not_synced(), "{error}");
    assert_eq!(error.status().to_string(), "configmaps: not synced, not started");
    assert!(server.is_quiet());
}

/// Q-04: what is read is shared, not copied.
#[tokio::test(start_paused = true)]
async fn q_04_what_is_read_is_shared() {
    let Synced { maps, running: _running, .. } = synced(&["a@1"], "5").await;
    let (one, two) =
        (maps.get(("default", "a")).await.unwrap().unwrap(), maps.peek_all().remove(0));
    assert!(Arc::ptr_eq(&one, &two));
}

/// Q-10: managed fields are not kept.
#[tokio::test(start_paused = true)]
async fn q_10_managed_fields_are_dropped() {
    let (_server, client) = foos::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let data = watchkeeper_api::Map::from([("colour", "red")]);
    let made = watchkeeper_api::object!(ConfigMap {
        metadata: { name: "a", namespace: "default" },
        data: &data,
    });
    let maps_api = client.api_for(&made);
    maps_api.create(&made, &Default::default()).await.unwrap();
    let path = "/api/v1/namespaces/default/configmaps/a";
    let sent = client.rest().get().path(path).do_raw().await.unwrap();
    assert!(String::from_utf8_lossy(&sent).contains("FieldsV1"), "the server has them");
    let raw = maps_api.get("a").await.unwrap();
    maps.synced().await.unwrap();
    settle().await;
    let kept = maps.peek(("default", "a")).unwrap();
    assert_eq!(kept.resource_version(), raw.resource_version());
    assert!(kept.metadata.managed_fields.is_empty());
}

/// Y-04: a read waits for its own key, a read of everything for every key.
#[tokio::test(start_paused = true)]
async fn y_04_a_read_waits_for_its_key_and_catching_up_for_every_key() {
    let mut it = synced(&["a@5", "b@5"], "5").await;
    let api = it.client.clone().observed_by(it.cache.observer()).api::<ConfigMap>();
    let api = api.namespace("default");
    let object = watchkeeper_api::json::from_str(&map("a@5")).unwrap();
    let (sent, ()) = tokio::join!(api.update(&object), async {
        it.server.call().await.answer(200, &map("a@8"));
    });
    sent.unwrap();
    assert!(it.maps.try_get(("default", "b")).unwrap().is_some());
    assert!(it.maps.try_get(("default", "a")).unwrap_err().is_behind());
    let ended = at_once(it.maps.caught_up(), async {
        settle().await;
        it.watch.event("MODIFIED", &map("a@8"));
    })
    .await;
    ended.unwrap();
    assert_eq!(names(&it.maps), ["a@8", "b@5"]);
}

/// Y-06: a deletion of many is no error: it holds reads while it is under way, and then until the server was
/// asked what is left of what is read, and the copy has lost the rest.
#[tokio::test(start_paused = true)]
async fn y_06_a_deletion_of_many_holds_reads_until_what_it_did_is_seen() {
    let mut it = synced(&["a@5", "b@5"], "5").await;
    let api = it.client.clone().observed_by(it.cache.observer()).api::<ConfigMap>();
    let api = api.namespace("default");
    let (options, which) = (Default::default(), Default::default());
    let mut deletion = Box::pin(api.delete_collection(&options, &which));
    let call = tokio::select! {
        biased;
        _ = &mut deletion => unreachable!("nobody answers"),
        call = it.server.call() => call,
    };
    let mut reading = Box::pin(it.maps.list());
    tokio::select! {
        biased;
        _ = &mut reading => panic!("the deletion is under way"),
        () = settle() => {}
    }
    assert!(it.maps.try_get(("default", "a")).is_err() && it.maps.try_caught_up_in("bank").is_ok());
    call.list("9", "", &[]);
    deletion.await.unwrap();
    let list = at_once(reading, async {
        let left = "GET /api/v1/namespaces/default/configmaps limit=500";
        it.server.expect(left).await.list("9", "", &[map("b@5")]);
        settle().await;
        it.watch.event("DELETED", &map("a@8"));
    })
    .await;
    assert_eq!(list.unwrap().len(), 1);
    assert!(it.maps.try_get(("default", "b")).unwrap().is_some());
}

/// Defect b of kube-rs: a queue that begins with a change of an object that is gone meanwhile.
#[tokio::test(start_paused = true)]
async fn defect_b_a_change_of_what_is_gone_does_not_hide_the_next() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let log = Log::default();
    let _subscription = maps.subscribe(log.handler());
    settle().await;
    watch.event("ADDED", &map("a@6"));
    watch.event("DELETED", &map("a@7"));
    watch.event("ADDED", &map("b@8"));
    assert_eq!(log.take().await, ["add default/a @6", "delete default/a @7", "add default/b @8"]);
}

/// The same where the change is merged away: the queue begins with its gap.
#[tokio::test(start_paused = true)]
async fn defect_b_a_gap_before_the_next_change_does_not_hide_it() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let log = Log::default();
    let options = HandlerOptions { buffer: 1, ..HandlerOptions::default() };
    let subscription = maps.subscribe_with(options, log.handler());
    settle().await;
    watch.event("ADDED", &map("a@6"));
    watch.event("DELETED", &map("a@7"));
    watch.event("ADDED", &map("b@8"));
    assert_eq!(log.take().await, ["add default/b @8"]);
    assert_eq!(subscription.pending(), 0);
}

/// Defect e of kube-rs: a kind that fails for good, and one that does not: neither the waits nor the
/// successes of one are those of the other.
#[tokio::test(start_paused = true)]
async fn defect_e_a_kind_that_fails_delays_no_other() {
    let (_server, client) = foos::server();
    let cache = Cache::new(&client).seed(1);
    let (broken, maps) = (cache.dynamic(foos::FOOS.0, foos::FOOS.1), cache.watch::<ConfigMap>());
    let log = Log::default();
    let (_one, _two) = (broken.subscribe(|_| ()), maps.subscribe(log.handler()));
    let _running = run(&cache);
    sleep(Duration::from_secs(600)).await;
    assert_eq!(broken.status().phase, watchkeeper_cache::Phase::BackingOff);
    let api = client.api::<ConfigMap>().namespace("default");
    for number in 0..5 {
        let name = format!("a{number}");
        let made = watchkeeper_api::object!(ConfigMap { metadata: { name: name.as_str() } });
        let since = tokio::time::Instant::now();
        api.create(&made, &Default::default()).await.unwrap();
        assert_eq!(log.take().await.len(), 1, "at once");
        assert_eq!(since.elapsed(), Duration::ZERO);
        sleep(Duration::from_secs(1)).await;
    }
    assert!(broken.status().last_error.is_some(), "its own backoff is not reset");
}

/// Defect h of kube-rs: what cannot be read may be a secret. It is quoted in no status, no error and no line of
/// the log, whatever the log is asked to show.
#[tokio::test(start_paused = true)]
async fn defect_h_what_cannot_be_read_is_not_quoted() {
    let log = log::Log::new();
    let bad = |version: &str| {
        let data = format!(r#""data":{{"version":"{version}"}}"#);
        map(&format!("bad@{version}")).replace(&data, &format!(r#""data":["{SECRET}"]"#))
    };
    let Synced { client, mut server, maps, watch, running: _running, .. } =
        synced(&["a@1"], "5").await;
    watch.event("ADDED", &bad("6"));
    settle().await;
    let watched = format!("{:?} {}", maps.status(), maps.status());
    watch.error(410, "Expired");
    server.call().await.refuse(422, "Invalid");
    server.call().await.list("7", "", &[bad("7")]);
    let _watch = server.call().await.open();
    settle().await;
    let listed = format!("{:?} {}", maps.status(), maps.status());
    let api = client.api::<ConfigMap>().namespace("default");
    let (got, ()) = tokio::join!(api.get("bad"), async {
        server.call().await.answer(200, &bad("8"));
    });
    let got = got.unwrap_err();
    for told in [&watched, &listed] {
        assert!(told.contains("default/bad") && !told.contains(SECRET), "{told}");
    }
    let got = format!("{got:?} {got}");
    assert!(!got.contains(SECRET), "{got}");
    assert_eq!(log.with("listing everything again").len(), 1, "the log is heard");
    assert_eq!(log.with(SECRET), [""; 0]);
}
