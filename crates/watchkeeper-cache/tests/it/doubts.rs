//! What is asked of a server about writes whose answers were lost, and what a copy made later knows of them.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object, object};
use watchkeeper_cache::Watch;
use watchkeeper_client::{DeleteOptions, ListOptions, Select};

use crate::reads::{A, OF_A, lose, parsed, writer};
use crate::server::{Open, Server, map};
use crate::{Synced, settle, synced};

/// All of a namespace.
const OF_ALL: &str = "GET /api/v1/namespaces/default/configmaps limit=500";

/// Deletes many, and the answer is lost.
async fn lose_many(it: &mut Synced) {
    let api = writer(it);
    let (how, which) = (DeleteOptions::default(), ListOptions::default());
    let (lost, ()) = tokio::join!(api.delete_collection(&how, &which), async {
        it.server.call().await.break_off();
    });
    lost.unwrap_err();
}

/// Waits for the next request, and lets it wait.
async fn slow(server: &mut Server, request: &str) -> crate::server::Call {
    let call = server.expect(request).await;
    sleep(Duration::from_secs(20)).await;
    call
}

/// It is silence that is given up, not a long list.
#[tokio::test(start_paused = true)]
async fn y_07_an_answer_of_many_pages_is_listened_to() {
    let mut it = synced(&["a@5", "b@5"], "5").await;
    lose_many(&mut it).await;
    let since = Instant::now();
    assert!(it.maps.try_caught_up().unwrap_err().is_behind());
    slow(&mut it.server, OF_ALL).await.list("9", "x", &[map("a@5")]);
    let next = format!("{OF_ALL} continue=x");
    slow(&mut it.server, &next).await.list("9", "y", &[]);
    // Nothing for longer than that: from the beginning.
    let silent = it.server.expect(&format!("{OF_ALL} continue=y")).await;
    slow(&mut it.server, OF_ALL).await.list("9", "x", &[map("a@5")]);
    assert!(since.elapsed() < Duration::from_secs(92), "{:?}", since.elapsed());
    drop(silent);
    slow(&mut it.server, &next).await.list("9", "", &[map("b@5")]);
    it.watch.bookmark("9");
    settle().await;
    it.maps.try_caught_up().unwrap();
    assert!(it.server.is_quiet());
}

/// What the server is asked about a write of `shop/c` whose answer was lost.
const OF_C: &str =
    "GET /api/v1/namespaces/shop/configmaps fieldSelector=metadata.name%3Dc limit=500";
const C: (&str, &str) = ("shop", "c");

/// Deletes `shop/c`, and the answer is lost.
async fn lose_c(it: &mut Synced) {
    let api = it.client.clone().observed_by(it.cache.observer()).api::<ConfigMap>();
    let (api, how) = (api.namespace("shop"), DeleteOptions::default());
    let (lost, ()) = tokio::join!(api.delete("c", &how), async {
        it.server.call().await.break_off();
    });
    lost.unwrap_err();
}

/// Reads `shop/c`, which the server has not.
async fn read_c(it: &mut Synced) {
    let (began, maps) = (Instant::now(), it.maps.clone());
    let (read, ()) = tokio::join!(maps.get(C), async {
        it.server.expect(OF_C).await.list("9", "", &[]);
    });
    assert!(read.unwrap().is_none());
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

/// A server that is slow to list much holds up nobody who asks for something else.
#[tokio::test(start_paused = true)]
async fn y_07_an_answer_that_takes_long_holds_up_no_other_question() {
    let mut it = synced(&["a@5"], "5").await;
    lose_many(&mut it).await;
    lose_c(&mut it).await;
    assert!(it.maps.try_caught_up_in("default").unwrap_err().is_behind());
    let slow = it.server.expect(OF_ALL).await;
    read_c(&mut it).await;
    assert!(!slow.is_abandoned());
    slow.list("9", "", &[]);
    it.watch.event("DELETED", &map("a@9"));
    settle().await;
    it.maps.try_caught_up().unwrap();
    assert!(it.server.is_quiet());
}

/// Nor does one that the server fails of, however often.
#[tokio::test(start_paused = true)]
async fn y_07_an_answer_that_never_comes_holds_up_no_other_question() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    lose(&api, &mut it.server).await;
    assert!(it.maps.try_get(A).unwrap_err().is_behind());
    let fails = async {
        loop {
            it.server.expect(OF_A).await.refuse(500, "InternalError");
        }
    };
    tokio::time::timeout(Duration::from_secs(60), fails).await.unwrap_err();
    lose_c(&mut it).await;
    read_c(&mut it).await;
    assert!(it.maps.try_get(A).unwrap_err().is_behind());
}

/// Pages whose version is forgotten are read again as one.
#[tokio::test(start_paused = true)]
async fn y_07_an_answer_that_expires_is_asked_for_in_one() {
    let mut it = synced(&["a@5", "b@5"], "5").await;
    lose_many(&mut it).await;
    let (read, ()) = tokio::join!(it.maps.get(("default", "a")), async {
        it.server.expect(OF_ALL).await.list("6", "x", &[map("a@5")]);
        it.server.expect(&format!("{OF_ALL} continue=x")).await.refuse(410, "Expired");
        let all = OF_ALL.trim_end_matches(" limit=500");
        it.server.expect(all).await.list("9", "", &[map("a@8"), map("b@5")]);
        settle().await;
        it.watch.event("MODIFIED", &map("a@8"));
    });
    assert_eq!(read.unwrap().unwrap().resource_version(), "8");
}

/// Another copy of config maps, made now, from a server that cannot stream what there is: which list is asked for
/// instead, and the watch after it.
async fn made_later(it: &mut Synced, list: &str, held: &[&str]) -> (Watch<ConfigMap>, Open) {
    let later = it.cache.watch_only(Select::<ConfigMap>::all().namespace("default"));
    settle().await;
    it.server.call().await.refuse(422, "Invalid");
    let held: Vec<String> = held.iter().map(|text| map(text)).collect();
    let of_all = OF_ALL.trim_end_matches(" limit=500");
    it.server.expect(&format!("{of_all} {list}")).await.list("6", "", &held);
    let watch = it.server.call().await.open();
    later.synced().await.unwrap();
    (later, watch)
}

#[tokio::test(start_paused = true)]
async fn y_01_a_copy_made_beside_a_write_waits_for_its_answer() {
    let mut it = synced(&["a@5"], "5").await;
    let (api, object) = (writer(&it), parsed("a@5"));
    let mut write = Box::pin(api.update(&object));
    let call = tokio::select! {
        biased;
        _ = &mut write => unreachable!("nobody answers"),
        call = it.server.call() => call,
    };
    let (later, watch) = made_later(&mut it, "resourceVersion=0", &["a@5"]).await;
    assert!(later.try_get(A).unwrap_err().is_behind(), "nobody knows the version yet");
    call.answer(200, &map("a@8"));
    write.await.unwrap();
    assert!(later.try_get(A).unwrap_err().is_behind(), "the version is not there yet");
    watch.event("MODIFIED", &map("a@8"));
    settle().await;
    assert_eq!(later.try_get(A).unwrap().unwrap().resource_version(), "8");
}

/// The write was carried out by then, or never will be. So nothing is in doubt, and nobody is asked.
#[tokio::test(start_paused = true)]
async fn y_07_a_copy_made_after_a_lost_answer_begins_with_the_newest() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    lose(&api, &mut it.server).await;
    let (later, _watch) = made_later(&mut it, "limit=500", &["a@6"]).await;
    assert_eq!(later.try_get(A).unwrap().unwrap().resource_version(), "6");
    assert!(it.server.is_quiet());
}

/// The path of what is made does not name it.
#[tokio::test(start_paused = true)]
async fn y_07_what_was_made_by_hand_is_asked_about() {
    let mut it = synced(&["b@5"], "5").await;
    let core = it.client.clone().observed_by(it.cache.observer()).rest_for("v1");
    let make = async |it: &mut Synced, made: ConfigMap| {
        let post = core.post().namespace("default").resource("configmaps").body(&made);
        let (lost, ()) = tokio::join!(post.send(), async { drop(it.server.call().await) });
        lost.unwrap_err();
    };
    make(&mut it, object!(ConfigMap { metadata: { name: "a" } })).await;
    it.maps.try_get(("default", "b")).unwrap();
    let (read, ()) = tokio::join!(it.maps.get(A), async {
        it.server.expect(OF_A).await.list("9", "", &[map("a@8")]);
        settle().await;
        it.watch.event("ADDED", &map("a@8"));
    });
    assert_eq!(read.unwrap().unwrap().resource_version(), "8");
    // A name that the server chose may be any that the copy does not have.
    make(&mut it, object!(ConfigMap { metadata: { generate_name: "a-" } })).await;
    it.maps.try_get(A).unwrap();
    let (read, ()) = tokio::join!(it.maps.get(("default", "a-x7")), async {
        let found = [map("a@8"), map("a-x7@11"), map("b@5")];
        it.server.expect(OF_ALL).await.list("12", "", &found);
        settle().await;
        it.watch.event("ADDED", &map("a-x7@11"));
    });
    assert_eq!(read.unwrap().unwrap().resource_version(), "11");
}
