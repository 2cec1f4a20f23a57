//! Changes as a stream.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use futures_core::stream::FusedStream;
use watchkeeper_api::Object;
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::{Cache, Changes, HandlerOptions, Overflow};
use watchkeeper_client::Select;

use crate::server::map;
use crate::{Synced, foos, run, settle, synced};

/// What can be had without waiting.
fn ready(changes: &mut Changes<ConfigMap>) -> Vec<String> {
    let mut told = Vec::new();
    let mut context = Context::from_waker(Waker::noop());
    while let Poll::Ready(next) = Pin::new(&mut *changes).poll_next(&mut context) {
        match next {
            Some(Ok(change)) => told.push(change.to_string()),
            Some(Err(error)) => told.push(format!("error: {error}")),
            None => {
                told.push("end".to_owned());
                break;
            }
        }
    }
    told
}

#[tokio::test(start_paused = true)]
async fn a_stream_has_what_there_is_and_then_each_change() {
    let Synced { cache, maps, watch, running, .. } = synced(&["a@1", "b@2"], "5").await;
    let mut changes = maps.changes();
    assert_eq!(
        (changes.pending(), changes.has_synced()),
        (3, false),
        "with the end of what there was"
    );
    watch.event("MODIFIED", &map("a@6"));
    watch.event("DELETED", &map("b@7"));
    let first = changes.next().await.unwrap().unwrap();
    assert_eq!(
        (first.to_string().as_str(), first.is_initial()),
        ("add default/a @1 (initial)", true)
    );
    settle().await;
    let told = ready(&mut changes);
    let expected =
        ["add default/b @2 (initial)", "update default/a @1 -> @6", "delete default/b @7"];
    assert_eq!(told, expected);
    assert!(changes.has_synced() && !changes.is_terminated());
    assert_eq!(changes.pending(), 0);
    cache.shut_down();
    assert!(changes.next().await.is_none(), "nobody follows the server any more");
    assert!(changes.is_terminated() && !changes.is_lagged());
    drop(running);
}

/// Waiting for the next one, giving up, and waiting again loses nothing, at whatever moment.
#[tokio::test(start_paused = true)]
async fn a_wait_for_the_next_change_may_be_given_up() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let mut changes = maps.changes();
    let mut context = Context::from_waker(Waker::noop());
    for version in 6..26 {
        {
            let mut waits = Box::pin(changes.next());
            assert!(waits.as_mut().poll(&mut context).is_pending());
            if version % 2 == 0 {
                watch.event("MODIFIED", &map(&format!("a@{version}")));
                // It was woken, and is not asked any more.
                settle().await;
            }
        }
        if version % 2 == 1 {
            watch.event("MODIFIED", &map(&format!("a@{version}")));
        }
        let change = changes.next().await.unwrap().unwrap();
        assert_eq!(change.object().resource_version(), version.to_string());
    }
}

/// However much comes that a reader does not want, the other tasks of its thread have their turns.
#[tokio::test(start_paused = true)]
async fn what_is_not_wanted_is_passed_over_in_several_turns() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let mut wanted = maps.when(|change| change.object().name() == "wanted").changes();
    for version in 6..1000 {
        watch.event("ADDED", &map(&format!("a{version}@{version}")));
    }
    watch.event("ADDED", &map("wanted@1000"));
    settle().await;
    assert_eq!(wanted.pending(), 996, "with the end of what there was");
    let (mut turns, mut next) = (0, std::pin::pin!(wanted.next()));
    let found = std::future::poll_fn(|context| {
        turns += 1;
        next.as_mut().poll(context)
    });
    assert_eq!(found.await.unwrap().unwrap().object().name(), "wanted");
    assert!(turns > 2, "all in {turns} turns");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_was_too_slow_ends_with_an_error() {
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    let options = |overflow| HandlerOptions {
        name: "slow".to_owned(),
        buffer: 2,
        overflow,
        ..HandlerOptions::default()
    };
    let mut drops = maps.changes_with(options(Overflow::Disconnect));
    let mut merges = maps.changes_with(options(Overflow::Coalesce));
    assert!(ready(&mut drops).is_empty() && ready(&mut merges).is_empty());
    for (verb, object) in
        [("ADDED", "a@6"), ("ADDED", "b@7"), ("MODIFIED", "a@8"), ("MODIFIED", "b@9")]
    {
        watch.event(verb, &map(object));
    }
    settle().await;
    assert!(drops.is_lagged());
    let error = drops.next().await.unwrap().unwrap_err();
    assert!(error.is_lagged() && !error.is_stopped());
    assert_eq!(error.status().what, "configmaps");
    assert_eq!(error.to_string(), "slow of configmaps was too slow, and is told no more changes");
    assert_eq!(ready(&mut drops), ["end"]);
    assert!(drops.is_terminated());
    assert_eq!(ready(&mut merges), ["add default/a @8", "add default/b @9"]);
    // A new one begins with all there is.
    assert_eq!(ready(&mut maps.changes()).len(), 2);
}

/// The stream holds the copy, and nothing else does.
#[tokio::test(start_paused = true)]
async fn dropping_a_stream_gives_its_copy_up() {
    let Synced { maps, watch, running: _running, .. } = synced(&["a@1"], "5").await;
    let (changes, other) = (maps.changes(), maps.changes());
    let status = move || maps.status().handlers;
    assert_eq!(status(), 2);
    drop(other);
    assert_eq!(status(), 1);
    drop(status);
    settle().await;
    watch.event("ADDED", &map("b@6"));
    drop(changes);
    watch.abandoned().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_wanted_of_some_namespaces_is_a_stream() {
    let (_server, client) = foos::server();
    let cache = Cache::new(&client).seed(1);
    let maps = cache.watch_namespaces(Select::<ConfigMap>::all(), ["bank", "default"]);
    let mut all = maps.changes();
    let mut wanted = maps.when(|change| change.object().name() == "b").changes();
    let _running = run(&cache);
    maps.synced().await.unwrap();
    let api = client.api::<ConfigMap>().namespace("default");
    for name in ["a", "b"] {
        let map = watchkeeper_api::object!(ConfigMap { metadata: { name: name } });
        api.create(&map, &watchkeeper_client::CreateOptions::default()).await.unwrap();
    }
    let names = |change: watchkeeper_cache::Change<ConfigMap>| change.object().name().to_owned();
    assert_eq!(names(wanted.next().await.unwrap().unwrap()), "b");
    assert_eq!(names(all.next().await.unwrap().unwrap()), "a");
    assert_eq!(names(all.next().await.unwrap().unwrap()), "b");
    assert!(all.has_synced() || ready(&mut all).is_empty() && all.has_synced());
    cache.shut_down();
    assert!(all.next().await.is_none() && wanted.next().await.is_none());
}
