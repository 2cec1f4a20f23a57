//! What a server answers that is no list, and lists with an object of no name: neither says that anything is
//! gone.

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_cache::Cache;

use crate::server::{self, map};
use crate::{Log, Synced, WATCH_LIST, names, run, settle, synced};

/// What is no list of config maps, and what the status says was found.
const NO_LISTS: [(&str, &str); 6] = [
    ("{}", "found neither a kind nor items"),
    (
        r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#,
        r#"found "Status" of "v1""#,
    ),
    (
        r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default"}}"#,
        r#"found "ConfigMap" of "v1""#,
    ),
    (
        r#"{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[]}"#,
        r#"found "SecretList" of "v1""#,
    ),
    (
        r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"},"rows":[]}"#,
        r#"found "Table" of "meta.k8s.io/v1""#,
    ),
    ("", "the answer is empty"),
];

/// C-18: the copy stays as it is, says why, and asks again.
#[tokio::test(start_paused = true)]
async fn c_18_what_is_no_list_empties_no_copy() {
    for (body, found) in NO_LISTS {
        let Synced { mut server, maps, watch, running: _running, .. } =
            synced(&["a@1", "b@2"], "5").await;
        let log = Log::default();
        let _subscription = maps.subscribe(log.handler());
        log.take().await;
        watch.error(410, "Expired");
        server.call().await.refuse(400, "BadRequest");
        server.call().await.foreign(body);
        assert_eq!(log.take().await, [""; 0], "{body}");
        assert_eq!(names(&maps), ["a@1", "b@2"], "{body}");
        let status = maps.status();
        assert_eq!((status.objects, &*status.version), (2, "5"), "{body}");
        assert!(status.to_string().contains(found), "{body}: {status}");
        assert!(!status.to_string().contains("is the server up"), "{status}");
        let watch = server.call().await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("9");
        assert_eq!(log.take().await, ["delete default/b last seen @2"], "{body}");
        assert!(!maps.status().to_string().contains(found), "{body}");
    }
}

/// The same of a watch for the present state that is answered so, as by somebody in between who leaves out what
/// he does not know.
#[tokio::test(start_paused = true)]
async fn c_18_what_is_no_watch_empties_no_copy() {
    for (body, found) in NO_LISTS {
        for end in ["", "\n"] {
            let Synced { mut server, maps, watch, running: _running, .. } =
                synced(&["a@1", "b@2"], "5").await;
            let log = Log::default();
            let _subscription = maps.subscribe(log.handler());
            log.take().await;
            watch.error(410, "Expired");
            server.call().await.foreign(&format!("{body}{end}"));
            server.call().await.foreign(body);
            assert_eq!(log.take().await, [""; 0], "{body}");
            assert_eq!(names(&maps), ["a@1", "b@2"], "{body}");
            let status = maps.status();
            assert!(status.to_string().contains(found), "{body}: {status}");
            server.call().await.open().end_of_state("9");
            assert_eq!(log.take().await.len(), 2, "{body}");
        }
    }
}

/// A copy that has nothing yet is not synced by it either.
#[tokio::test(start_paused = true)]
async fn c_18_what_is_no_list_syncs_no_copy() {
    for (body, found) in NO_LISTS {
        let (client, mut server) = server::server();
        let cache = Cache::new(&client).seed(1);
        let maps = cache.watch::<ConfigMap>();
        let _running = run(&cache);
        server.expect(WATCH_LIST).await.refuse(400, "BadRequest");
        server.call().await.foreign(body);
        settle().await;
        assert!(!maps.has_synced(), "{body}");
        assert!(maps.status().to_string().contains(found), "{}", maps.status());
        server.expect(WATCH_LIST).await.refuse(400, "BadRequest");
        server.call().await.list("7", "", &[map("a@1")]);
        maps.synced().await.unwrap();
        assert_eq!(names(&maps), ["a@1"]);
    }
}

/// C-18: it may be any of those that the list does not name, so none of them is told to be gone.
#[tokio::test(start_paused = true)]
async fn c_18_an_object_of_no_name_deletes_no_other() {
    let read = map("b@6").replace(r#""name":"b","#, "");
    let unreadable = read.replace(r#""data":{"version":"6"}"#, r#""data":7"#);
    for nameless in [read, unreadable] {
        let Synced { mut server, maps, watch, running: _running, .. } =
            synced(&["a@1", "b@2"], "5").await;
        let log = Log::default();
        let _subscription = maps.subscribe(log.handler());
        log.take().await;
        watch.error(410, "Expired");
        server.call().await.refuse(400, "BadRequest");
        server.call().await.list("9", "", &[map("a@1"), nameless.clone(), map("c@8")]);
        assert_eq!(log.take().await, ["add default/c @8"]);
        assert_eq!(names(&maps), ["a@1", "b@2", "c@8"]);
        assert_eq!(maps.status().malformed.len(), 1);
        let watch = server.call().await.open();
        // What is said to be gone is.
        watch.event("DELETED", &map("b@10"));
        assert_eq!(log.take().await, ["delete default/b @10"]);
        // The same as a stream.
        watch.error(410, "Expired");
        let watch = server.call().await.open();
        watch.event("ADDED", &map("a@1"));
        watch.event("ADDED", &nameless);
        watch.end_of_state("12");
        assert_eq!(log.take().await, [""; 0]);
        assert_eq!(names(&maps), ["a@1", "c@8"]);
        watch.error(410, "Expired");
        let watch = server.call().await.open();
        watch.event("ADDED", &map("a@1"));
        watch.end_of_state("14");
        assert_eq!(log.take().await, ["delete default/c last seen @8"]);
        assert!(maps.status().malformed.is_empty());
    }
}

/// Upstream's `IsUnsupportedTableObject`: a table in a watch is no object either, nor the end of any.
#[tokio::test(start_paused = true)]
async fn c_18_a_table_in_a_watch_is_no_object() {
    let Synced { mut server, maps, watch, running: _running, .. } =
        synced(&["a@1", "b@2"], "5").await;
    let log = Log::default();
    let _subscription = maps.subscribe(log.handler());
    log.take().await;
    let table = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"8"},"rows":[]}"#;
    let end = r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}"#;
    let events = [("ADDED", table), ("BOOKMARK", end), ("MODIFIED", &table.replace('8', "10"))];
    let lines =
        events.map(|(verb, object)| format!("{{\"type\":\"{verb}\",\"object\":{object}}}\n"));
    watch.error(410, "Expired");
    server.call().await.answer(200, &lines.concat());
    assert_eq!(log.take().await, [""; 0]);
    assert_eq!(names(&maps), ["a@1", "b@2"]);
    let status = maps.status();
    assert_eq!((&*status.version, status.malformed.len()), ("10", 1), "{status}");
}
