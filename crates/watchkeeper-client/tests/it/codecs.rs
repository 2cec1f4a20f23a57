//! JSON and protobuf: what is asked for, what is sent, and servers that have one of them only.

use std::sync::{Arc, Mutex};

use http::header::{ACCEPT, CONTENT_TYPE};
use watchkeeper_api::core::v1::{ConfigMap, Pod};
use watchkeeper_api::{Metadata, Object as _, StaticKind as _, object, pb};
use watchkeeper_client::{
    Api, Client, Codec, CreateOptions, DeleteOptions, ListOptions, Patch, PatchOptions, WatchEvent,
    WatchOptions, status_answer,
};

use crate::live::live;

pub(crate) type Seen = Arc<Mutex<Vec<String>>>;

/// The client with its answers' media types written down, and protobuf refused where told so: by 406 what is
/// asked for, by 415 what is sent.
pub(crate) fn seen(client: &Client, refused: Option<u16>) -> (Client, Seen) {
    let seen = Seen::default();
    let told = Arc::clone(&seen);
    let client = client.clone().intercept(move |request, next| {
        let of = |name| request.headers().get(name).map_or("", |value| value.to_str().unwrap());
        let (accept, sent) = (of(ACCEPT).to_owned(), of(CONTENT_TYPE).to_owned());
        let is_refused = if refused == Some(415) { &sent } else { &accept }.contains("protobuf");
        let line = format!("{} {}", request.method(), short(&sent));
        let told = Arc::clone(&told);
        async move {
            let answer = match refused.filter(|_| is_refused) {
                Some(code) => status_answer(code, "", "no protobuf here"),
                None => next.send(request).await?,
            };
            let came = answer.headers()[CONTENT_TYPE].to_str().unwrap().to_owned();
            told.lock().unwrap().push(format!("{line}-> {}", short(&came)));
            Ok(answer)
        }
    });
    (client, seen)
}

fn short(media_type: &str) -> String {
    let name = media_type.trim_start_matches("application/");
    if name.is_empty() {
        String::new()
    } else {
        format!("{} ", name.replace("vnd.kubernetes.", ""))
    }
}

/// Every verb once; what came of it.
async fn tour(maps: &Api<ConfigMap>, metadata: &Api<Metadata<ConfigMap>>) -> Vec<String> {
    let map = object!(ConfigMap { metadata: { name: "x" }, data: { "a": "1" } });
    let mut told = Vec::new();
    let created = maps.create(&map, &CreateOptions::default()).await.unwrap();
    let mut changed = created.clone();
    changed.data.insert("b", "2");
    let updated = maps.update(&changed).await.unwrap();
    let patch = Patch::merge(&serde_json::json!({"data": {"c": "3"}}));
    let patched = maps.patch("x", &patch, &PatchOptions::default()).await.unwrap();
    assert_eq!(maps.get("x").await.unwrap(), patched);
    let page = maps.list(&ListOptions::default()).await.unwrap();
    let from = created.resource_version();
    let options = WatchOptions { resource_version: from.to_owned(), ..WatchOptions::default() };
    let mut watch = maps.watch(&options).await.unwrap();
    for _ in 0..2 {
        let Some(Ok(WatchEvent::Modified(map))) = watch.next().await else { panic!("a change") };
        told.push(format!("modified {}", map.data.len()));
    }
    let only = metadata.list(&ListOptions::default()).await.unwrap();
    told.push(format!("{} of {}", only.items.len(), only.resource_version));
    let missing = maps.get("y").await.unwrap_err();
    told.push(missing.to_string());
    maps.delete("x", &DeleteOptions::default()).await.unwrap();
    for map in [created, updated, patched] {
        told.push(format!("{:?} {}", map.data, map.resource_version()));
    }
    told.push(format!("{} {:?}", page.resource_version, page.items.len()));
    told
}

fn apis(client: &Client) -> (Api<ConfigMap>, Api<Metadata<ConfigMap>>) {
    (client.api().namespace("default"), client.api().namespace("default"))
}

#[tokio::test(start_paused = true)]
async fn both_codecs_tell_the_same() {
    let mut stories = Vec::new();
    for codec in [Codec::Json, Codec::Protobuf] {
        let (client, seen) = seen(&live().client.codec(codec), None);
        let (maps, metadata) = apis(&client);
        stories.push(tour(&maps, &metadata).await);
        let lines = seen.lock().unwrap().join("\n");
        match codec {
            Codec::Json => assert!(!lines.contains("protobuf"), "{lines}"),
            Codec::Protobuf => expect_test::expect![[r#"
                POST protobuf -> protobuf 
                PUT protobuf -> protobuf 
                PATCH merge-patch+json -> protobuf 
                GET -> protobuf 
                GET -> protobuf 
                GET -> protobuf;stream=watch 
                GET -> protobuf 
                GET -> protobuf 
                DELETE -> protobuf "#]]
            .assert_eq(&lines),
        }
    }
    assert_eq!(stories[0], stories[1]);
}

#[tokio::test(start_paused = true)]
async fn a_server_without_protobuf_is_asked_for_it_once() {
    for code in [406, 415] {
        let (client, seen) = seen(&live().client, Some(code));
        let (maps, metadata) = apis(&client);
        let other = client.clone();
        tour(&maps, &metadata).await;
        other.api::<Pod>().list(&ListOptions::default()).await.unwrap();
        let lines = seen.lock().unwrap().clone();
        assert_eq!(lines.iter().filter(|line| line.starts_with("POST protobuf")).count(), 1);
        assert_eq!(lines.iter().filter(|line| line.starts_with("POST")).count(), 2);
        assert!(lines[1..].iter().all(|line| !line.contains("protobuf")), "{lines:?}");
    }
}

/// What a server does not take of a patch is its form, in which there is no protobuf.
#[tokio::test(start_paused = true)]
async fn a_patch_that_is_not_taken_says_nothing_of_protobuf() {
    let (client, seen) = seen(&live().client, None);
    let patches = Arc::new(Mutex::new(0));
    let count = Arc::clone(&patches);
    let client = client.intercept(move |request, next| {
        let is_patch = request.method() == http::Method::PATCH;
        *count.lock().unwrap() += usize::from(is_patch);
        async move {
            match is_patch {
                true => Ok(status_answer(415, "UnsupportedMediaType", "no patches")),
                false => next.send(request).await,
            }
        }
    });
    let (maps, _) = apis(&client);
    let map = object!(ConfigMap { metadata: { name: "x" } });
    maps.create(&map, &CreateOptions::default()).await.unwrap();
    let change = Patch::merge(&serde_json::json!({ "data": { "a": "1" } }));
    let error = maps.patch("x", &change, &PatchOptions::default()).await.unwrap_err();
    assert_eq!((error.status().unwrap().code, *patches.lock().unwrap()), (415, 1));
    maps.get("x").await.unwrap();
    assert_eq!(*seen.lock().unwrap(), ["POST protobuf -> protobuf ", "GET -> protobuf "]);
}

#[tokio::test(start_paused = true)]
async fn metadata_of_kinds_known_at_run_time_comes_as_protobuf() {
    let live = live();
    let (client, seen) = seen(&live.client, None);
    let (maps, _) = apis(&client);
    let map = object!(ConfigMap { metadata: { name: "x", labels: { "a": "b" } } });
    maps.create(&map, &CreateOptions::default()).await.unwrap();
    seen.lock().unwrap().clear();
    let metadata = client.metadata(ConfigMap::static_kind().clone()).namespace("default");
    let page = metadata.list(&ListOptions::default()).await.unwrap();
    assert_eq!((page.items[0].name(), page.items[0].label("a")), ("x", Some("b")));
    assert_eq!(page.items[0].kind(), ConfigMap::static_kind());
    assert_eq!(*seen.lock().unwrap(), ["GET -> protobuf "]);
}

#[tokio::test(start_paused = true)]
async fn an_item_that_cannot_be_read_holds_up_no_other() {
    let client = live().client.intercept(|_, _| async {
        let good = pb::to_vec(&object!(ConfigMap { metadata: { name: "good" } }));
        let bad = b"\x0a\x05\x0a\x03bad\x12\x02\x08\x01";
        let mut list = vec![0x0a, 0x03, 0x12, 0x01, b'7'];
        for item in [bad.as_slice(), good.as_slice()] {
            list.extend([0x12, u8::try_from(item.len()).unwrap()]);
            list.extend(item);
        }
        let mut body = b"k8s\0\x0a\x13\x0a\x02v1\x12\x0dConfigMapList\x12".to_vec();
        body.push(u8::try_from(list.len()).unwrap());
        body.extend(list);
        let mut answer = http::Response::new(body.into());
        answer.headers_mut().insert(CONTENT_TYPE, pb::CONTENT_TYPE.parse().unwrap());
        Ok(answer)
    });
    let page = client.api::<ConfigMap>().list(&ListOptions::default()).await.unwrap();
    assert_eq!((page.items.len(), &*page.resource_version), (1, "7"));
    let key = page.malformed[0].key.as_ref().unwrap();
    assert_eq!((&*key.name, page.malformed.len()), ("bad", 1));
}

#[tokio::test(start_paused = true)]
async fn managed_fields_are_kept_where_they_are_asked_for() {
    let live = live();
    for codec in [Codec::Json, Codec::Protobuf] {
        let client = live.client.clone().codec(codec);
        let maps = |client: &Client| client.api::<ConfigMap>().namespace("default");
        let name = format!("{codec:?}").to_lowercase();
        let map = object!(ConfigMap { metadata: { name: &name }, data: { "a": "1" } });
        let made = maps(&client).create(&map, &CreateOptions::default()).await.unwrap();
        assert!(made.metadata.managed_fields.is_empty());
        let keeping = maps(&client.keep_managed_fields(true));
        let whole = keeping.get(&name).await.unwrap();
        assert_eq!(whole.metadata.managed_fields[0].operation, "Update");
        let listed = keeping.list(&ListOptions::default()).await.unwrap();
        assert!(listed.items.iter().all(|map| !map.metadata.managed_fields.is_empty()));
        let mut watch = keeping.watch(&WatchOptions::default()).await.unwrap();
        let Some(Ok(WatchEvent::Added(map))) = watch.next().await else { panic!("an object") };
        assert!(!map.metadata.managed_fields.is_empty());
    }
}
