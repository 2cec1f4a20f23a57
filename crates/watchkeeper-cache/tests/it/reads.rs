//! Reads that see this process's own writes.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::error::Why;
use watchkeeper_api::{Object, Result, json};
use watchkeeper_cache::Cache;
use watchkeeper_client::{Api, DeleteOptions, Select};

use crate::server::{Server, map};
use crate::{Synced, at_once, names, run, server, settle, synced};

pub(crate) const A: (&str, &str) = ("default", "a");

/// What the server is asked about a write whose answer was lost.
pub(crate) const OF_A: &str =
    "GET /api/v1/namespaces/default/configmaps fieldSelector=metadata.name%3Da limit=500";

/// Updates `a`, and the answer is lost.
pub(crate) async fn lose(api: &Api<ConfigMap>, server: &mut Server) {
    let object = parsed("a@5");
    let (lost, ()) = tokio::join!(api.update(&object), async {
        drop(server.call().await);
    });
    lost.unwrap_err();
}

pub(crate) fn writer(it: &Synced) -> Api<ConfigMap> {
    it.client.clone().observed_by(it.cache.observer()).api::<ConfigMap>().namespace("default")
}

pub(crate) fn parsed(text: &str) -> ConfigMap {
    json::from_slice(map(text).as_bytes()).unwrap()
}

/// Updates `a`, answered with this version.
pub(crate) async fn update(api: &Api<ConfigMap>, server: &mut Server, text: &str) {
    let object = parsed("a@5");
    let (sent, ()) = tokio::join!(api.update(&object), async {
        server.call().await.answer(200, &map(text));
    });
    sent.unwrap();
}

#[tokio::test(start_paused = true)]
async fn y_02_a_read_waits_for_the_write_before_it() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    update(&api, &mut it.server, "a@8").await;
    assert_eq!(it.maps.peek(A).unwrap().resource_version(), "5");
    assert!(it.maps.try_get(A).unwrap_err().is_behind());
    // Another key is not held.
    assert!(it.maps.get(("default", "b")).await.unwrap().is_none());
    let read = at_once(it.maps.get(A), async {
        settle().await;
        it.watch.event("MODIFIED", &map("a@8"));
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "8");
}

#[tokio::test(start_paused = true)]
async fn y_05_a_bookmark_is_enough_and_so_is_a_relist() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    update(&api, &mut it.server, "a@8").await;
    let read = at_once(it.maps.get(A), async {
        it.watch.bookmark("9");
    })
    .await;
    assert!(read.is_ok());
    update(&api, &mut it.server, "a@12").await;
    it.watch.error(410, "Expired");
    let read = at_once(it.maps.get(A), async {
        let watch = it.server.call().await.open();
        watch.event("ADDED", &map("a@12"));
        watch.end_of_state("13");
        settle().await;
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "12");
}

/// A server restored from a backup never reaches what was written before.
#[tokio::test(start_paused = true)]
async fn a_server_that_went_back_in_time_holds_nobody() {
    let mut it = synced(&["a@500"], "500").await;
    let api = writer(&it);
    update(&api, &mut it.server, "a@800").await;
    it.watch.error(410, "Expired");
    let read = at_once(it.maps.get(A), async {
        let watch = it.server.call().await.open();
        watch.event("ADDED", &map("a@40"));
        watch.end_of_state("41");
        settle().await;
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "40");
}

/// Y-08 mended: the wait ends, with an error that says what was waited for.
#[tokio::test(start_paused = true)]
async fn y_08_a_read_gives_up_after_its_deadline() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    update(&api, &mut it.server, "a@8").await;
    let since = Instant::now();
    let error = it.maps.get(A).await.unwrap_err();
    assert_eq!(since.elapsed(), Duration::from_secs(10));
    assert!(error.is_behind() && !error.is_not_synced() && !error.is_stopped());
    assert_eq!(
        error.to_string(),
        "the copy of configmaps default/a is behind this process's own writes: waited 10s for version 8"
    );
    assert!(it.maps.caught_up().await.unwrap_err().is_behind());
    it.watch.event("MODIFIED", &map("a@8"));
    it.maps.caught_up().await.unwrap();
}

/// What a function answers that returns the client's errors.
#[tokio::test(start_paused = true)]
async fn an_error_of_a_copy_becomes_the_clients_by_itself() {
    async fn read_own(it: &Synced) -> Result<()> {
        it.maps.get(A).await?;
        Ok(())
    }
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    update(&api, &mut it.server, "a@8").await;
    let error = read_own(&it).await.unwrap_err();
    assert!(error.is_retryable() && !error.is_not_found());
    assert!(error.to_string().starts_with("the copy of configmaps default/a is behind"), "{error}");
    let Why::NotYet(copy) = error.why() else { panic!("{error}") };
    assert!(copy.downcast_ref().is_some_and(watchkeeper_cache::Error::is_behind));

    it.cache.shut_down();
    let error = watchkeeper_api::Error::from(it.maps.get(A).await.unwrap_err());
    assert!(!error.is_retryable(), "nobody follows it any more: {error}");
}

/// Y-01: the answer may come after the event, or never; the read waits for it and for nothing else.
#[tokio::test(start_paused = true)]
async fn y_01_a_read_waits_for_the_answer_to_a_write_that_is_under_way() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    let object = parsed("a@5");
    let mut write = Box::pin(api.update(&object));
    let call = tokio::select! {
        biased;
        _ = &mut write => unreachable!("nobody answers"),
        call = it.server.call() => call,
    };
    let mut read = Box::pin(it.maps.get(A));
    tokio::select! {
        biased;
        _ = &mut read => panic!("the write is under way"),
        () = settle() => {}
    }
    // The caller goes away: nobody knows what became of it, but the server.
    drop(write);
    drop(call);
    let read = at_once(read, async {
        it.server.expect(OF_A).await.list("9", "", &[map("a@5")]);
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "5");
}

/// Y-07 mended: the server is asked once, and what it said comes as an event.
#[tokio::test(start_paused = true)]
async fn y_07_a_read_after_a_lost_answer_has_what_was_written() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    lose(&api, &mut it.server).await;
    // Nobody waits, so nobody asks.
    settle().await;
    assert!(it.server.is_quiet());
    assert!(it.maps.get(("default", "b")).await.unwrap().is_none(), "of another name");
    assert!(it.maps.try_get(A).unwrap_err().is_behind());
    let (read, list) = at_once(async { tokio::join!(it.maps.get(A), it.maps.list()) }, async {
        it.server.expect(OF_A).await.list("9", "", &[map("a@8")]);
        settle().await;
        it.watch.event("MODIFIED", &map("a@8"));
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "8");
    assert_eq!(list.unwrap()[0].resource_version(), "8");
    assert!(it.maps.try_get(A).is_ok() && it.server.is_quiet());
}

/// While the server is away nobody can say; other objects are read as before.
#[tokio::test(start_paused = true)]
async fn y_07_a_read_after_a_lost_answer_fails_while_nobody_can_tell() {
    let mut it = synced(&["a@5", "b@5"], "5").await;
    let api = writer(&it);
    lose(&api, &mut it.server).await;
    let since = Instant::now();
    let away = async {
        loop {
            it.server.expect(OF_A).await.break_off();
        }
    };
    let error = tokio::select! {
        biased;
        read = it.maps.get(A) => read.unwrap_err(),
        () = away => unreachable!("for ever"),
    };
    assert_eq!(since.elapsed(), Duration::from_secs(10));
    assert_eq!(
        error.to_string(),
        "the copy of configmaps default/a is behind this process's own writes: waited 10s for what became \
         of a write whose answer did not tell"
    );
    assert!(it.maps.get(("default", "b")).await.unwrap().is_some());
    let read = at_once(it.maps.get(A), async {
        it.server.expect(OF_A).await.list("9", "", &[map("a@5")]);
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "5");
}

/// A server that does not answer such questions lets reads go.
#[tokio::test(start_paused = true)]
async fn y_07_a_question_that_is_refused_holds_nobody() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    lose(&api, &mut it.server).await;
    let read = at_once(it.maps.get(A), async {
        it.server.expect(OF_A).await.refuse(403, "Forbidden");
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "5");
    assert!(it.maps.list().await.is_ok());
}

/// Y-04: a list has what its own process wrote there, or says that it has not.
#[tokio::test(start_paused = true)]
async fn y_04_lists_wait_for_own_writes() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    let by_version = it.maps.index(|map: &ConfigMap| [map.resource_version().to_owned()]);
    update(&api, &mut it.server, "b@8").await;
    assert_eq!(names(&it.maps), ["a@5"], "what peeks does not wait");
    assert!(it.maps.try_caught_up().unwrap_err().is_behind());
    assert!(
        it.maps.try_caught_up_in("default").is_err() && it.maps.try_caught_up_in("bank").is_ok()
    );
    assert_eq!(it.maps.list_in("bank").await.unwrap().len(), 0, "nothing was written there");
    it.maps.caught_up_in("bank").await.unwrap();
    let (all, nothing) = ("".parse().unwrap(), "none=here".parse().unwrap());
    let (list, there, matching, none, found) = at_once(
        async {
            tokio::join!(
                it.maps.list(),
                it.maps.list_in("default"),
                it.maps.matching(&all, Some("default")),
                it.maps.matching(&nothing, None),
                it.maps.found(&by_version, "8")
            )
        },
        async {
            settle().await;
            it.watch.event("ADDED", &map("b@8"));
        },
    )
    .await;
    assert_eq!((list.unwrap().len(), there.unwrap().len(), matching.unwrap().len()), (2, 2, 2));
    assert_eq!((none.unwrap().len(), found.unwrap().len()), (0, 1));
    it.maps.try_caught_up().unwrap();
}

/// Y-08 for lists.
#[tokio::test(start_paused = true)]
async fn y_08_a_list_gives_up_after_its_deadline() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    update(&api, &mut it.server, "b@8").await;
    let since = Instant::now();
    let error = it.maps.list().await.unwrap_err();
    assert_eq!(since.elapsed(), Duration::from_secs(10));
    assert_eq!(
        error.to_string(),
        "the copy of configmaps is behind this process's own writes: waited 10s for version 8"
    );
}

#[tokio::test(start_paused = true)]
async fn y_03_a_deleted_object_is_not_read_again() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    let options = DeleteOptions::default();
    let (deleted, ()) = tokio::join!(api.delete("a", &options), async {
        it.server.call().await.answer(200, r#"{"kind":"Status","apiVersion":"v1","status":"Success","details":{"name":"a","uid":"a"}}"#);
    });
    deleted.unwrap();
    let read = at_once(it.maps.get(A), async {
        settle().await;
        it.watch.event("DELETED", &map("a@9"));
    })
    .await;
    assert!(read.unwrap().is_none());
}

/// Y-03: the answer to a deletion was lost, and trying again tells that there is nothing any more.
#[tokio::test(start_paused = true)]
async fn y_03_an_object_that_the_server_has_no_more_is_not_read() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    let options = DeleteOptions::default();
    let (lost, ()) = tokio::join!(api.delete("a", &options), async {
        drop(it.server.call().await);
    });
    assert!(!lost.unwrap_err().is_not_found());
    let read = at_once(it.maps.get(A), async {
        it.server.expect(OF_A).await.list("6", "", &[map("a@5")]);
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "5");
    let (again, ()) = tokio::join!(api.delete("a", &options), async {
        it.server.call().await.answer(404, r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"details":{"name":"a","kind":"configmaps"}}"#);
    });
    assert!(again.unwrap_err().is_not_found());
    let read = at_once(it.maps.get(A), async {
        settle().await;
        it.watch.event("DELETED", &map("a@9"));
    })
    .await;
    assert!(read.unwrap().is_none());
}

/// Y-07 mended: what was written outside the selection never comes, and is not waited for.
#[tokio::test(start_paused = true)]
async fn y_07_a_write_outside_the_selection_does_not_block() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let select = Select::<ConfigMap>::all;
    let elsewhere = cache.watch_only(select().namespace("other"));
    let labelled = cache.watch_only(select().labels("app=web"));
    let unlabelled = cache.watch_only(select().labels("!app"));
    let _running = run(&cache);
    let mut streams = Vec::new();
    for _ in 0..3 {
        let stream = server.call().await.open();
        stream.end_of_state("5");
        streams.push(stream);
    }
    cache.synced().await.unwrap();
    let api = client.clone().observed_by(cache.observer()).api::<ConfigMap>().namespace("default");
    update(&api, &mut server, "a@8").await;
    let since = Instant::now();
    assert!(elsewhere.get(A).await.unwrap().is_none());
    assert!(labelled.get(A).await.unwrap().is_none());
    labelled.caught_up().await.unwrap();
    assert_eq!(since.elapsed(), Duration::ZERO);
    assert!(unlabelled.try_get(A).unwrap_err().is_behind(), "there it is selected");
}

/// Y-07 mended: what is moved out of the selection is read until its copy has lost it, and no more.
#[tokio::test(start_paused = true)]
async fn y_07_a_write_that_moves_an_object_out_of_the_selection_is_seen() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let labelled = cache.watch_only(Select::<ConfigMap>::all().labels("app=web"));
    let _running = run(&cache);
    let stream = server.call().await.open();
    stream.event("ADDED", &map("a@5"));
    stream.end_of_state("5");
    cache.synced().await.unwrap();
    let api = client.clone().observed_by(cache.observer()).api::<ConfigMap>().namespace("default");
    update(&api, &mut server, "a@8").await;
    assert!(labelled.try_get(A).unwrap_err().is_behind());
    let (read, list) = at_once(async { tokio::join!(labelled.get(A), labelled.list()) }, async {
        settle().await;
        stream.event("DELETED", &map("a@8"));
    })
    .await;
    assert!(read.unwrap().is_none() && list.unwrap().is_empty());
}

/// Y-07 mended: which fields are selected only the server knows, and it is asked when no event comes.
#[tokio::test(start_paused = true)]
async fn y_07_where_only_the_server_knows_what_is_selected_it_is_asked() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client);
    let fields = cache.watch_only(Select::<ConfigMap>::all().fields("data.colour=red"));
    let _running = run(&cache);
    let stream = server.call().await.open();
    stream.end_of_state("5");
    cache.synced().await.unwrap();
    let api = client.clone().observed_by(cache.observer()).api::<ConfigMap>().namespace("default");
    update(&api, &mut server, "a@8").await;
    let since = Instant::now();
    let read = at_once(fields.get(A), async {
        settle().await;
        stream.event("ADDED", &map("a@8"));
    })
    .await;
    assert_eq!(read.unwrap().unwrap().resource_version(), "8");
    assert_eq!(since.elapsed(), Duration::ZERO, "its event came");
    update(&api, &mut server, "b@9").await;
    let read = at_once(fields.get(("default", "b")), async {
        let asked = "GET /api/v1/namespaces/default/configmaps \
                     fieldSelector=data.colour%3Dred%2Cmetadata.name%3Db limit=500";
        server.expect(asked).await.list("9", "", &[]);
    })
    .await;
    assert!(read.unwrap().is_none());
    assert_eq!(since.elapsed(), Duration::from_secs(1));
    fields.caught_up().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_read_before_the_first_list_waits_for_it_and_says_why_it_does_not_come() {
    let (client, mut server) = server::server();
    let cache = Cache::new(&client).read_deadline(Duration::from_secs(3));
    let maps = cache.watch::<ConfigMap>();
    let running = run(&cache);
    let (read, ()) = tokio::join!(maps.get(A), async {
        server.call().await.refuse(403, "Forbidden");
        server.call().await.refuse(403, "Forbidden");
    });
    let error = read.unwrap_err();
    assert!(error.is_not_synced());
    assert!(!error.status().synced);
    assert!(error.to_string().contains("the server says Forbidden"), "{error}");
    drop(running);
    settle().await;
    assert!(maps.get(A).await.unwrap_err().is_stopped());
}

/// A copy made after a write is at least as new as the write, also from a server that lists from its cache.
#[tokio::test(start_paused = true)]
async fn a_copy_made_after_a_write_is_not_older_than_it() {
    let mut it = synced(&["a@5"], "5").await;
    let api = writer(&it);
    update(&api, &mut it.server, "a@8").await;
    let later = it.cache.watch_only(Select::<ConfigMap>::all().namespace("default"));
    settle().await;
    it.server.call().await.refuse(422, "Invalid");
    let list = "GET /api/v1/namespaces/default/configmaps resourceVersion=8 resourceVersionMatch=NotOlderThan";
    it.server.expect(list).await.list("9", "", &[map("a@8")]);
    assert_eq!(later.get(A).await.unwrap().unwrap().resource_version(), "8");
    sleep(Duration::ZERO).await;
}
