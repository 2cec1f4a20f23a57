//! What cannot be read is told to whoever listens: the log, or an error handler.

use std::sync::{Arc, Mutex};

use tokio::time::{Duration, sleep};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::classic::{ListWatch, Reflector};
use watchkeeper_cache::{Cache, Store};
use watchkeeper_client::Select;

use crate::log::Log;
use crate::server::map;
use crate::{Synced, WATCH_LIST, run, server, settle, synced};

/// `name@version`, as no server should send it.
fn bad(text: &str) -> String {
    map(text).replace(r#""data":{"#, r#""data":7,"more":{"#)
}

#[tokio::test(start_paused = true)]
async fn c_18_what_cannot_be_read_is_logged_once_a_version() {
    let log = Log::new();
    let mut it = synced(&["a@1"], "5").await;
    let said = || log.with("an object cannot be read");
    it.watch.event("ADDED", &bad("bad@6"));
    settle().await;
    let first = said();
    assert_eq!(first.len(), 1, "{first:?}");
    let told = ["WARN ", "copy=configmaps", "object=default/bad", "version=6", "reason=", "data"];
    assert!(told.iter().all(|told| first[0].contains(told)), "{first:?}");
    // A list has it again, in the same version.
    it.watch.error(410, "Expired");
    it.server.call().await.refuse(400, "BadRequest");
    it.server.call().await.list("9", "", &[map("a@1"), bad("bad@6")]);
    let watch = it.server.call().await.open();
    settle().await;
    assert_eq!(said().len(), 1, "{:?}", said());
    watch.event("MODIFIED", &bad("bad@10"));
    settle().await;
    assert_eq!(said().len(), 2, "{:?}", said());
    assert!(said()[1].contains("version=10"), "{:?}", said());
}

/// A definition that no longer fits its program must not fill the log.
#[tokio::test(start_paused = true)]
async fn c_18_of_many_that_cannot_be_read_ten_a_minute_are_logged() {
    let log = Log::new();
    let Synced { maps, watch, running: _running, .. } = synced(&[], "5").await;
    (10..160).for_each(|version| watch.event("ADDED", &bad(&format!("bad{version}@{version}"))));
    settle().await;
    let status = maps.status();
    assert_eq!(status.malformed.len(), 150);
    assert!(status.malformed.contains_key("default/bad159"), "{status:?}");
    assert!(status.to_string().contains("; 150 malformed objects, one of them "), "{status}");
    assert_eq!(log.with("an object cannot be read").len(), 10);
    sleep(Duration::from_secs(61)).await;
    watch.event("ADDED", &bad("late@200"));
    settle().await;
    let said = log.with("an object cannot be read");
    assert_eq!(said.len(), 11);
    assert!(said[10].contains("default/late") && said[10].contains("left_out=140"), "{said:?}");
}

#[tokio::test(start_paused = true)]
async fn c_18_what_cannot_be_read_is_told_to_the_error_handler_instead() {
    let log = Log::new();
    let (client, mut server) = server::server();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let hearing = Arc::clone(&told);
    let cache = Cache::new(&client).seed(1).watch_error_handler(move |status| {
        hearing.lock().unwrap().push(format!("{status}; {:?}", status.malformed));
    });
    let maps = cache.watch::<ConfigMap>();
    let _running = run(&cache);
    let watch = server.expect(WATCH_LIST).await.open();
    watch.event("ADDED", &bad("bad@1"));
    watch.end_of_state("5");
    maps.synced().await.unwrap();
    watch.event("MODIFIED", &bad("bad@6"));
    settle().await;
    let told = told.lock().unwrap().clone();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("not synced, listing"), "{told:?}");
    assert!(told[1].contains("watching, 0 objects @"), "{told:?}");
    assert!(told.iter().all(|told| told.contains("; 1 malformed object: default/bad")), "{told:?}");
    assert_eq!(log.with("an object cannot be read"), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn c_18_what_cannot_be_read_is_told_to_the_handler_of_a_reflector_alone() {
    let (client, mut server) = server::server();
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let hearing = Arc::clone(&told);
    let store = Store::new();
    let reflector = Reflector::new(ListWatch::new(&client, Select::<ConfigMap>::all()))
        .seed(1)
        .watch_error_handler(move |error| hearing.lock().unwrap().push(error.to_owned()));
    let script = async {
        server.call().await.refuse(400, "BadRequest");
        server.call().await.list("9", "", &[map("a@1"), bad("bad@6")]);
        let watch = server.call().await.open();
        settle().await;
        watch
    };
    tokio::select! {
        biased;
        () = reflector.run(&store) => panic!("it ended"),
        _watch = script => {}
    }
    let told = told.lock().unwrap().clone();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("default/bad @6 cannot be read: "), "{told:?}");
    assert_eq!(store.len(), 1);
}
