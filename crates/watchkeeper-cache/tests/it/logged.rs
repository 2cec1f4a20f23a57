//! What is told to the log, where that is all that is told.

use std::time::Duration;

use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::classic::{Config, DeltaFifo, Popped, ProcessLoop};
use watchkeeper_cache::{Cache, HandlerOptions, Store};

use crate::log::Log;
use crate::server::map;
use crate::{Synced, WATCH_LIST, classic, run, server, settle, synced};

/// Takes its time the first time that it is called, by the world's clock: the thread is blocked, and no paused
/// clock would move.
#[expect(clippy::disallowed_methods, reason = "what is slow is the handler itself")]
fn slow_at_first() -> impl FnMut() + Send + 'static {
    let mut time = Duration::from_millis(150);
    move || std::thread::sleep(std::mem::take(&mut time))
}

#[tokio::test]
async fn c_41_a_slow_process_function_is_logged_when_others_wait() {
    let log = Log::new();
    let (client, mut server) = server::server();
    let mut be_slow = slow_at_first();
    let process = move |_: Popped<ConfigMap>| {
        be_slow();
        Ok(())
    };
    let queue = DeltaFifo::new().known_objects(Store::new());
    let pod_loop = ProcessLoop::new(Config::new(queue, classic::maps(&client), process));
    let script = async {
        let watch = server.expect(WATCH_LIST).await.open();
        (0..20).for_each(|name| watch.event("ADDED", &map(&format!("a{name}@1"))));
        watch.end_of_state("5");
        assert!(pod_loop.synced().await);
        pod_loop.stop();
    };
    tokio::join!(pod_loop.run(), script);
    let slow = log.with("slow event handlers hold up the queue");
    // On a busy machine others after it may be slow, too.
    assert!(!slow.is_empty(), "nothing is told");
    assert!(slow[0].starts_with("WARN ") && slow[0].contains("waiting=19"), "{slow:?}");
}

#[tokio::test]
async fn c_71_a_slow_handler_is_logged_when_many_changes_wait() {
    let log = Log::new();
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch::<ConfigMap>();
    let mut be_slow = slow_at_first();
    let subscription = maps.subscribe(move |_| be_slow());
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    (0..600).for_each(|name| watch.event("ADDED", &map(&format!("a{name}@1"))));
    watch.end_of_state("5");
    assert!(subscription.synced().await);
    let slow = log.with("a slow handler is far behind");
    // On a busy machine others after it may be slow, too.
    assert!(!slow.is_empty(), "nothing is told");
    assert!(slow[0].starts_with("WARN "), "{slow:?}");
}

/// Nobody else would hear of it: the others are told, and the handler goes on.
#[tokio::test(start_paused = true)]
async fn c_63_a_handler_that_panics_is_reported_with_what_it_was_told_of() {
    let log = Log::new();
    let Synced { maps, running: _running, watch, .. } = synced(&[], "5").await;
    let options = HandlerOptions { name: "clumsy".to_owned(), ..HandlerOptions::default() };
    let _subscription = maps.subscribe_with(options, |change| {
        assert_ne!(change.object().name(), "bad", "a handler that panics");
    });
    let said = || log.with("a handler panicked");
    watch.event("ADDED", &map("a@6"));
    settle().await;
    assert!(said().is_empty(), "{:?}", said());
    watch.event("ADDED", &map("bad@7"));
    watch.event("ADDED", &map("c@8"));
    settle().await;
    let said = said();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("ERROR "), "{said:?}");
    assert!(said[0].contains("clumsy") && said[0].contains("default/bad"), "{said:?}");
}

#[tokio::test(start_paused = true)]
async fn c_58_a_second_run_is_logged() {
    let log = Log::new();
    let Synced { cache, maps, running: _running, watch: _watch, mut server, .. } =
        synced(&[], "5").await;
    let said = || log.with("a cache can be run once");
    assert!(said().is_empty());
    cache.run().await;
    assert_eq!(said().len(), 1, "{:?}", said());
    settle().await;
    assert!(server.is_quiet() && maps.has_synced(), "the first run goes on");
}
