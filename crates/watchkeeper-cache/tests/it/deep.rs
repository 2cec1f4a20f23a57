//! Objects that are nested deeper than can be read. Only those of definitions are, and they come as JSON.

use watchkeeper_api::{Kind, Object, Scope, Unstructured};
use watchkeeper_cache::{Cache, Watch};
use watchkeeper_client::Select;

use crate::server::server;
use crate::{run, settle};

const FOO: Kind = Kind::new("example.com", "v1", "Foo", "foos", Scope::Namespaced);

/// `name@version`, and so many levels in it.
fn foo(text: &str, levels: usize) -> String {
    let (name, version) = text.split_once('@').unwrap();
    let spec = format!("{}7{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Foo","metadata":{{"name":"{name}","namespace":"default","uid":"{name}","resourceVersion":"{version}"}},"spec":{spec}}}"#
    )
}

fn told(foos: &Watch<Unstructured>) -> (Vec<String>, Vec<String>) {
    let objects = foos.peek_all();
    let objects =
        objects.iter().map(|foo| format!("{}@{}", foo.name(), foo.resource_version())).collect();
    (objects, foos.status().malformed.into_keys().collect())
}

/// C-18: it is stale or missing, and says so; it is never told to be gone while it is there, and is when it is.
#[tokio::test(start_paused = true)]
async fn c_18_what_is_nested_too_deep_is_known_by_its_name() {
    let (client, mut server) = server();
    let cache = Cache::new(&client).seed(1);
    let foos = cache.watch_only::<Unstructured>(Select::kind(FOO));
    let _running = run(&cache);
    let check = |objects: &[&str], malformed: &[&str]| {
        let (is, bad) = told(&foos);
        assert_eq!(
            (is, bad),
            (
                objects.iter().map(ToString::to_string).collect(),
                malformed.iter().map(ToString::to_string).collect(),
            )
        );
    };
    let watch = server.call().await.open();
    watch.event("ADDED", &foo("a@1", 1));
    watch.event("ADDED", &foo("d@2", 300));
    watch.end_of_state("5");
    foos.synced().await.unwrap();
    check(&["a@1"], &["default/d"]);
    watch.event("MODIFIED", &foo("a@6", 300));
    watch.event("ADDED", &foo("e@7", 3000));
    settle().await;
    check(&["a@1"], &["default/a", "default/d", "default/e"]);
    watch.error(410, "Expired");
    server.call().await.refuse(400, "BadRequest");
    let list = |version: &str, items: &[String]| {
        let (meta, items) = (format!(r#"{{"resourceVersion":"{version}"}}"#), items.join(","));
        format!(
            r#"{{"apiVersion":"example.com/v1","items":[{items}],"kind":"FooList","metadata":{meta}}}"#
        )
    };
    let items = [foo("a@6", 300), foo("d@8", 1)];
    server.call().await.answer(200, &list("9", &items));
    settle().await;
    check(&["a@1", "d@8"], &["default/a"]);
    let watch = server.call().await.open();
    watch.event("DELETED", &foo("a@10", 300));
    settle().await;
    check(&["d@8"], &[]);
    watch.event("MODIFIED", &foo("d@11", 300));
    watch.error(410, "Expired");
    let watch = server.call().await.open();
    watch.event("ADDED", &foo("d@11", 300));
    watch.end_of_state("12");
    settle().await;
    check(&["d@8"], &["default/d"]);
    watch.error(410, "Expired");
    server.call().await.open().end_of_state("14");
    settle().await;
    check(&[], &[]);
}
