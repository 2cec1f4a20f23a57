//! Answers to a list that are none: taken for an empty one, they would say that everything is gone.

use watchkeeper_api::core::v1::{ConfigMap, Secret};
use watchkeeper_api::meta::v1::{ListMeta, Status};
use watchkeeper_api::{Kind, Metadata, Object, Scope, Unstructured, object, pb};
use watchkeeper_client::{
    Api, DeleteOptions, ListOptions, ListPage, PartialObject, WatchEvent, WatchOptions,
};

use crate::fake::{Answer, Fake, bytes_of, ok};

const CONFIG_MAP: Kind = Kind::new("", "v1", "ConfigMap", "configmaps", Scope::Namespaced);
const FOO: Kind = Kind::new("example.com", "v1", "Foo", "foos", Scope::Namespaced);

/// What is no list of config maps, and what the error says was found.
const NO_LISTS: [(&str, &str); 9] = [
    ("{}", "found neither a kind nor items"),
    (r#"{"metadata":{"resourceVersion":"9"}}"#, "found neither a kind nor items"),
    (r#"{"kind":"Status","apiVersion":"v1","status":"Success"}"#, r#"found "Status" of "v1""#),
    (
        r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}"#,
        r#"found "ConfigMap" of "v1""#,
    ),
    (
        r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[{"cells":["a"]}]}"#,
        r#"found "Table" of "meta.k8s.io/v1""#,
    ),
    (
        r#"{"kind":"SecretList","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}"#,
        r#"found "SecretList" of "v1""#,
    ),
    ("", "the answer is empty"),
    ("[]", "the answer is no JSON object"),
    (r#"{"kind":"ConfigMapList","items":{"a":{}}}"#, "the items of the list are no list"),
];

fn protobuf(body: &[u8]) -> Answer {
    bytes_of(body).header("Content-Type", pb::CONTENT_TYPE)
}

async fn listed<K: Object>(
    api: fn(&Fake) -> Api<K>,
    answer: Answer,
) -> Result<ListPage<K>, String> {
    let page = api(&Fake::new([answer])).list(&ListOptions::default()).await;
    page.map_err(|error| error.to_string())
}

#[tokio::test(start_paused = true)]
async fn what_is_no_list_is_refused_and_named() {
    for (body, found) in NO_LISTS {
        let typed = listed(|fake| fake.client().api::<ConfigMap>(), ok(body)).await.unwrap_err();
        assert!(typed.starts_with("list configmaps") && typed.contains(found), "{body}: {typed}");
        if found.starts_with("found") {
            assert!(typed.contains("expected a ConfigMapList at /api/v1/configmaps"), "{typed}");
        }
        let dynamic = listed(|fake| fake.client().dynamic(CONFIG_MAP), ok(body)).await;
        assert!(dynamic.unwrap_err().contains(found), "{body}");
        let metadata = listed(|fake| fake.client().metadata(CONFIG_MAP), ok(body)).await;
        assert!(metadata.unwrap_err().contains(found), "{body}");
        let metadata = listed(|fake| fake.client().api::<Metadata<ConfigMap>>(), ok(body)).await;
        assert!(metadata.unwrap_err().contains(found), "{body}");
        let fake = Fake::new([ok(body)]);
        let all = fake.client().api::<ConfigMap>().list_all(&ListOptions::default()).await;
        assert!(all.unwrap_err().to_string().contains(found), "{body}");
        let fake = Fake::new([ok(body)]);
        let mut pager = fake.client().dynamic(CONFIG_MAP).pager(&ListOptions::default());
        assert!(pager.next_page().await.unwrap_err().to_string().contains(found), "{body}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_no_list_is_refused_in_protobuf() {
    let map = object!(ConfigMap { metadata: { name: "a" }, data: { "key": "value" } });
    let secret = object!(Secret { metadata: { name: "a" } });
    let success = Status { status: "Success".into(), ..Status::default() };
    let bare = |message: &[u8]| [&pb::MAGIC[..], b"\x12", &[message.len() as u8], message].concat();
    let bodies = [
        (pb::to_body(&success), r#"found "Status" of "v1""#),
        (pb::to_body(&map), r#"found "ConfigMap" of "v1""#),
        (
            pb::list_to_body(&Secret::KIND, &ListMeta::default(), [&secret as _]),
            r#"found "SecretList" of "v1""#,
        ),
        (bare(b""), "found neither a kind nor items"),
        (bare(b"\x0a\x03\x12\x019"), "found neither a kind nor items"),
        (Vec::new(), "the answer is empty"),
    ];
    for (body, found) in bodies {
        for size in [1, 5, body.len().max(1)] {
            let maps = |fake: &Fake| fake.client().api::<ConfigMap>();
            let error = listed(maps, protobuf(&body).sliced(size)).await.unwrap_err();
            assert!(error.contains(found), "{error}");
            let error = listed(|fake| fake.client().metadata(FOO), protobuf(&body)).await;
            assert!(error.unwrap_err().contains(found), "{found}");
        }
    }
}

/// As Go writes an empty list, and as a list of no kind that everybody knows may be written.
#[tokio::test(start_paused = true)]
async fn an_empty_list_is_one() {
    let lists = [
        r#"{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":null}"#,
        r#"{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9"}}"#,
        r#"{"kind":"ConfigMapList","metadata":{"resourceVersion":"9"},"items":[ ]}"#,
        r#"{"metadata":{"resourceVersion":"9"},"items":null}"#,
        r#"{"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[]}"#,
    ];
    for body in lists {
        let page = listed(|fake| fake.client().api::<ConfigMap>(), ok(body)).await.unwrap();
        assert_eq!((page.items.len(), &*page.resource_version), (0, "9"), "{body}");
        let page = listed(|fake| fake.client().dynamic(CONFIG_MAP), ok(body)).await.unwrap();
        assert_eq!(page.resource_version, "9");
    }
    let meta = ListMeta { resource_version: "9".into(), ..ListMeta::default() };
    let body = pb::list_to_body(&ConfigMap::KIND, &meta, []);
    let page = listed(|fake| fake.client().api::<ConfigMap>(), protobuf(&body)).await.unwrap();
    assert_eq!((page.items.len(), &*page.resource_version), (0, "9"));
}

/// The definition chooses the name, and a server that tells metadata only has one of its own.
#[tokio::test(start_paused = true)]
async fn a_list_of_foos_may_be_called_otherwise() {
    let item =
        r#"{"apiVersion":"example.com/v1","kind":"Foo","metadata":{"name":"a","namespace":"b"}}"#;
    let list = |version: &str, kind: &str| {
        let head = format!(r#""apiVersion":"{version}","kind":"{kind}","metadata":{{}}"#);
        ok(&format!(r#"{{{head},"items":[{item}]}}"#))
    };
    let foos = |fake: &Fake| -> Api<Unstructured> { fake.client().dynamic(FOO) };
    let metadata = |fake: &Fake| -> Api<PartialObject> { fake.client().metadata(FOO) };
    for kind in ["FooList", "Foos"] {
        assert_eq!(listed(foos, list("example.com/v1", kind)).await.unwrap().items.len(), 1);
    }
    let partial = list("meta.k8s.io/v1", "PartialObjectMetadataList");
    assert_eq!(listed(metadata, partial).await.unwrap().items.len(), 1);
    for (version, kind) in [("v1", "SecretList"), ("example.com/v1", "Foo"), ("v1", "Status")] {
        listed(foos, list(version, kind)).await.unwrap_err();
        listed(metadata, list(version, kind)).await.unwrap_err();
    }
}

/// Who deletes many may be told no more than that it was done.
#[tokio::test(start_paused = true)]
async fn a_status_answers_the_deletion_of_many() {
    let success = Status { status: "Success".into(), ..Status::default() };
    for answer in [ok(NO_LISTS[2].0), protobuf(&pb::to_body(&success))] {
        let fake = Fake::new([answer]);
        let maps = fake.client().api::<ConfigMap>().namespace("a");
        let (how, which) = (DeleteOptions::default(), ListOptions::default());
        let deleted = maps.delete_collection(&how, &which).await.unwrap();
        assert!(deleted.items.is_empty());
    }
}

/// A watch that is answered with what is none.
#[tokio::test(start_paused = true)]
async fn what_is_no_watch_is_named() {
    for (body, found) in [
        ("{}\n", "expected an event of a watch, found something else"),
        ("{\"kind\":\"Table\",\"rows\":[]}\n", r#"expected an event of a watch, found "Table""#),
        ("{\"kind\":\"ConfigMapList\",\"items\":[]}\n", r#"found "ConfigMapList""#),
    ] {
        let fake = Fake::new([ok(body)]);
        let maps = fake.client().api::<ConfigMap>();
        let mut watch = maps.watch(&WatchOptions::default()).await.unwrap();
        let error = watch.next().await.unwrap().unwrap_err().to_string();
        assert!(error.contains(found), "{error}");
        assert!(watch.next().await.is_none());
    }
    let body = pb::list_to_body(&ConfigMap::KIND, &ListMeta::default(), []);
    for body in [body, pb::to_body(&Status::default())] {
        let fake = Fake::new([bytes_of(&body).header("Content-Type", pb::WATCH_CONTENT_TYPE)]);
        let maps = fake.client().api::<ConfigMap>();
        let mut watch = maps.watch(&WatchOptions::default()).await.unwrap();
        watch.next().await.unwrap().unwrap_err();
    }
}

/// Whose it is can be told of an object of any depth, in a list as in a watch of any layout.
#[tokio::test(start_paused = true)]
async fn what_is_nested_too_deep_has_a_name() {
    let deep = format!("{}{}", r#"{"a":["#.repeat(150), "]}".repeat(150));
    let metadata = r#"{"annotations":{"k":"v"},"namespace":"b","name":"a","resourceVersion":"7"}"#;
    let foo = format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Foo","spec":{deep},"metadata":{metadata}}}"#
    );
    let list = format!(r#"{{"apiVersion":"example.com/v1","kind":"FooList","items":[{foo}]}}"#);
    let page = listed(|fake| fake.client().dynamic(FOO), ok(&list)).await.unwrap();
    assert_eq!(page.malformed[0].key, Some(("b", "a").into()));
    let page = listed(|fake| fake.client().metadata(FOO), ok(&list)).await.unwrap();
    assert_eq!(page.malformed[0].key, Some(("b", "a").into()));
    for line in [
        format!("{{\"type\":\"DELETED\",\"object\":{foo}}}\n"),
        format!("{{ \"object\": {foo}, \"type\": \"DELETED\" }}\n"),
    ] {
        let fake = Fake::new([ok(&line)]);
        let foos = fake.client().dynamic(FOO);
        let mut watch = foos.watch(&WatchOptions::default()).await.unwrap();
        let Some(Ok(WatchEvent::Malformed(bad))) = watch.next().await else { panic!("{line}") };
        assert_eq!((bad.key, &*bad.resource_version), (Some(("b", "a").into()), "7"));
        assert!(bad.gone);
    }
}
