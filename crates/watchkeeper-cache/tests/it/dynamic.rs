//! Kinds that are known by group, version and plural only (C-78), and that come and go.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::sleep;
use watchkeeper_api::{HasMeta, Kind, Object, Scope, Unstructured, json};
use watchkeeper_cache::{Change, SharedInformerFactory};
use watchkeeper_client::{Client, DeleteOptions, PartialObject, Select};

use crate::foos::{self, FOOS};
use crate::settle;

const LONG: Duration = Duration::from_secs(300);

/// What a handler of any object was told.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn handler<K: Object>(&self) -> impl FnMut(&Change<K>) + Send + 'static {
        let log = self.clone();
        move |change| {
            let line = change.to_string();
            log.0.lock().unwrap().push(line.split('@').next().unwrap().trim_end().to_owned());
        }
    }

    async fn take(&self) -> Vec<String> {
        settle().await;
        std::mem::take(&mut *self.0.lock().unwrap())
    }
}

#[tokio::test(start_paused = true)]
async fn c_78_an_informer_by_resource_needs_no_type_and_no_kind() {
    let (_server, client) = foos::server();
    foos::install(&client).await;
    foos::create(&client, "a", "1").await;
    let factory = SharedInformerFactory::new(&client);
    let (version, plural) = FOOS;
    let (foos, metadata) = (factory.dynamic(version, plural), factory.metadata(version, plural));
    let maps = factory.dynamic("v1", "configmaps");
    assert_eq!(foos.watch().kind().kind, "");
    let _running = factory.start();
    factory.wait_for_cache_sync_within(LONG).await.unwrap();
    assert_eq!(foos.watch().kind().to_string(), "example.com/v1/Foo");
    let foo = foos.lister().require(("default", "a")).unwrap();
    assert_eq!((foo.get("/size"), &*foo.kind().kind), (Some("1"), "Foo"));
    let partial = metadata.lister().require(("default", "a")).unwrap();
    assert_eq!((&*partial.metadata.name, &*partial.kind().plural), ("a", "foos"));
    assert_eq!(maps.watch().kind().to_string(), "v1/ConfigMap");
    let error = foos.lister().require(("default", "b")).unwrap_err();
    assert!(error.is_not_found());
    assert_eq!(error.to_string(), r#"foos.example.com "default/b" not found"#);
    foos::create(&client, "b", "2").await;
    settle().await;
    assert_eq!(foos.lister().list().len(), 2);
    assert_eq!(metadata.lister().list().len(), 2);
    let error = watchkeeper_api::Error::from(error);
    assert!(error.is_not_found() && !error.is_retryable(), "{error}");
}

/// The same resource asked for twice is one informer; another resource of the same version is another.
#[tokio::test(start_paused = true)]
async fn c_78_resources_are_told_apart_by_their_plural() {
    let (server, client) = foos::server();
    let factory = SharedInformerFactory::new(&client);
    let all = [
        factory.dynamic("v1", "configmaps"),
        factory.dynamic("v1", "configmaps"),
        factory.dynamic("v1", "secrets"),
        factory.informer_for(Select::<Unstructured>::resource("v1", "secrets").namespace("a")),
    ];
    let _running = factory.start();
    factory.wait_for_cache_sync_within(LONG).await.unwrap();
    let what: Vec<_> = factory.status().into_iter().map(|status| status.what).collect();
    assert_eq!(what, ["configmaps", "secrets", "secrets in a"]);
    assert_eq!(server.open_requests(), 3);
    drop(all);
    settle().await;
    assert_eq!(server.open_requests(), 0);
}

/// k8s #79610: a definition that goes and comes again.
#[tokio::test(start_paused = true)]
async fn a_definition_may_come_go_and_come_again() {
    let (_server, client) = foos::server();
    let factory = SharedInformerFactory::new(&client);
    let foos = factory.dynamic(FOOS.0, FOOS.1);
    let log = Log::default();
    let _subscription = foos.add_event_handler(log.handler());
    let _running = factory.start();
    sleep(LONG).await;
    let text = foos.status().to_string();
    let why = r#"the server has no resource "foos of example.com/v1"; is its CRD installed?"#;
    assert!(text.starts_with("foos.example.com: not synced") && text.ends_with(why), "{text}");

    foos::install(&client).await;
    foos::create(&client, "a", "1").await;
    sleep(LONG).await;
    assert!(foos.has_synced());
    assert_eq!(log.take().await, ["add default/a"]);

    foos::uninstall(&client).await;
    sleep(LONG).await;
    assert_eq!(log.take().await, ["delete default/a"]);
    let text = foos.status().to_string();
    let mend = "is foos of example.com/v1 served, its CustomResourceDefinition installed?";
    assert!(text.contains("waiting to try again") && text.contains(mend), "{text}");

    foos::install(&client).await;
    foos::create(&client, "b", "2").await;
    sleep(LONG).await;
    assert_eq!(log.take().await, ["add default/b"]);
    assert_eq!(foos.status().last_error, None);
    foos::create(&client, "c", "3").await;
    assert_eq!(log.take().await, ["add default/c"]);
}

/// What the informers hold is what a client reads.
#[tokio::test(start_paused = true)]
async fn metadata_of_a_resource_holds_no_more_than_that() {
    let (_server, client) = foos::server();
    foos::install(&client).await;
    foos::create(&client, "a", "1").await;
    let factory = SharedInformerFactory::new(&client);
    let metadata = factory.informer_for(Select::<PartialObject>::resource(FOOS.0, FOOS.1));
    let whole = factory.informer_for(Select::<Unstructured>::resource(FOOS.0, FOOS.1));
    let _running = factory.start();
    factory.wait_for_cache_sync_within(LONG).await.unwrap();
    let (partial, foo) = (metadata.lister().list().remove(0), whole.lister().list().remove(0));
    assert_eq!(partial.uid(), foo.uid());
    assert_eq!(&partial.metadata, foo.metadata());
}

/// A client that keeps what it asks about foos, and whose server refuses streams of the present state if told so.
fn asking(client: Client, refuses_streams: bool) -> (Client, Arc<Mutex<Vec<String>>>) {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let asking = Arc::clone(&asked);
    let client = client.intercept(move |mut request, next| {
        let text = request.uri().to_string();
        let is_stream = text.contains("sendInitialEvents=true");
        if text.contains("/foos?") {
            asking.lock().unwrap().push(if is_stream { "stream" } else { "other" }.to_owned());
        }
        if refuses_streams && is_stream {
            // What no server knows.
            let text = text.replace("NotOlderThan", "Whatever");
            *request.uri_mut() = text.parse().unwrap();
        }
        next.send(request)
    });
    (client, asked)
}

/// Upstream's `TestWatchListSemanticsSimple` of dynamic and of metadata informers: no list is asked for.
#[tokio::test(start_paused = true)]
async fn c_78_informers_by_resource_begin_with_a_stream_of_the_present_state() {
    let (_server, client) = foos::server();
    foos::install(&client).await;
    foos::create(&client, "a", "1").await;
    let (client, asked) = asking(client, false);
    let factory = SharedInformerFactory::new(&client);
    let (foos, metadata) = (factory.dynamic(FOOS.0, FOOS.1), factory.metadata(FOOS.0, FOOS.1));
    let _running = factory.start();
    factory.wait_for_cache_sync_within(LONG).await.unwrap();
    assert_eq!((foos.lister().list().len(), metadata.lister().list().len()), (1, 1));
    assert_eq!(*asked.lock().unwrap(), ["stream", "stream"]);
}

/// Upstream's `TestUnSupportWatchListSemantics` of both, whose fakes cannot stream.
#[tokio::test(start_paused = true)]
async fn c_78_informers_by_resource_list_where_a_server_cannot_stream() {
    let (_server, client) = foos::server();
    foos::install(&client).await;
    foos::create(&client, "a", "1").await;
    let (client, asked) = asking(client, true);
    let factory = SharedInformerFactory::new(&client);
    let (foos, metadata) = (factory.dynamic(FOOS.0, FOOS.1), factory.metadata(FOOS.0, FOOS.1));
    let _running = factory.start();
    factory.wait_for_cache_sync_within(LONG).await.unwrap();
    assert_eq!((foos.lister().list().len(), metadata.lister().list().len()), (1, 1));
    assert!(asked.lock().unwrap().iter().any(|asked| asked == "other"));
}

/// Upstream's `TestFilteredDynamicSharedInformerFactory`: namespaces, fields and labels.
#[tokio::test(start_paused = true)]
async fn c_78_an_informer_by_resource_hears_of_what_is_selected() {
    let (_server, client) = foos::server();
    foos::install(&client).await;
    let all = || Select::<Unstructured>::resource(FOOS.0, FOOS.1);
    let selections = [
        (all().namespace("bar"), false),
        (all().namespace("default"), true),
        (all().namespace("default").fields("metadata.name=other"), false),
        (all().namespace("default").fields("metadata.name=a"), true),
        (all().namespace("default").labels("environment=production"), false),
        (all().namespace("default").labels("environment=test"), true),
    ];
    for (select, hears) in selections {
        let factory = SharedInformerFactory::new(&client);
        let (log, what) = (Log::default(), format!("{select:?}"));
        let informer = factory.informer_for(select);
        let _subscription = informer.add_event_handler(log.handler());
        let _running = factory.start();
        factory.wait_for_cache_sync_within(LONG).await.unwrap();
        let foo = r#"{"apiVersion": "example.com/v1", "kind": "Foo", "metadata":
            {"name": "a", "namespace": "default", "labels": {"environment": "test"}}}"#;
        let foo: Unstructured = json::from_str(foo).unwrap();
        let foos = client.dynamic(FOO).namespace("default");
        foos.create(&foo, &Default::default()).await.unwrap();
        let expected: &[&str] = if hears { &["add default/a"] } else { &[] };
        assert_eq!(log.take().await, expected, "{what}");
        foos.delete("a", &DeleteOptions::default()).await.unwrap();
    }
}

const FOO: Kind = Kind::new("example.com", "v1", "Foo", "foos", Scope::Namespaced);

/// Upstream's `TestDynamicSharedInformerFactory` and `TestMetadataSharedInformerFactory`: an addition, an update
/// and a deletion.
#[tokio::test(start_paused = true)]
async fn c_78_informers_by_resource_tell_what_happens() {
    let (_server, client) = foos::server();
    foos::install(&client).await;
    let factory = SharedInformerFactory::new(&client);
    let (foos, metadata) = (factory.dynamic(FOOS.0, FOOS.1), factory.metadata(FOOS.0, FOOS.1));
    let (log, of_metadata) = (Log::default(), Log::default());
    let _told = foos.add_event_handler(log.handler());
    let _told_of_metadata = metadata.add_event_handler(of_metadata.handler());
    let _running = factory.start();
    factory.wait_for_cache_sync_within(LONG).await.unwrap();
    let api = client.dynamic(FOO).namespace("default");
    foos::create(&client, "a", "1").await;
    let both = async || [log.take().await, of_metadata.take().await].concat();
    assert_eq!(both().await, ["add default/a"; 2]);
    api.update(&foos.lister().require(("default", "a")).unwrap()).await.unwrap();
    assert_eq!(both().await, [""; 0], "nothing changed");
    let version = foos.lister().require(("default", "a")).unwrap().resource_version().to_string();
    let bigger = format!(
        r#"{{"apiVersion": "example.com/v1", "kind": "Foo", "size": 2,
            "metadata": {{"name": "a", "namespace": "default", "resourceVersion": "{version}"}}}}"#
    );
    api.update(&json::from_str(&bigger).unwrap()).await.unwrap();
    assert_eq!(both().await, ["update default/a"; 2]);
    assert_eq!(foos.lister().require(("default", "a")).unwrap().get("/size"), Some("2"));
    api.delete("a", &DeleteOptions::default()).await.unwrap();
    assert_eq!(both().await, ["delete default/a"; 2]);
}
