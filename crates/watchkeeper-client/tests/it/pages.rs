//! Lists in pages, on the embedded server.

use watchkeeper_api::core::v1::ConfigMap;
use watchkeeper_api::{Object as _, object};
use watchkeeper_client::{Api, CreateOptions, Expired, ListOptions};

use crate::live::{Live, live};

async fn maps(live: &Live, count: usize) -> Api<ConfigMap> {
    let api = live.client.api::<ConfigMap>().namespace("default");
    for n in 0..count {
        let name = format!("m{n:03}");
        let map = object!(ConfigMap { metadata: { name: name.as_str() } });
        api.create(&map, &CreateOptions::default()).await.unwrap();
    }
    live.asked();
    api
}

fn by(limit: u32) -> ListOptions {
    ListOptions::default().limit(limit)
}

#[tokio::test(start_paused = true)]
async fn t_03_pages_are_read_one_after_the_other() {
    let live = live();
    let api = maps(&live, 7).await;
    let mut pager = api.pager(&by(3));
    let mut names = Vec::new();
    while let Some(map) = pager.next().await.unwrap() {
        names.push(map.name().to_owned());
    }
    assert_eq!(names, ["m000", "m001", "m002", "m003", "m004", "m005", "m006"]);
    assert!(pager.is_paginated());
    assert_eq!(live.asked().len(), 3);
    assert!(pager.next().await.unwrap().is_none());

    let mut pager = api.pager(&ListOptions::default());
    assert_eq!(pager.next_page().await.unwrap().unwrap().items.len(), 7);
    assert!(!pager.is_paginated());
    assert!(live.asked()[0].contains("limit=500"));
}

#[tokio::test(start_paused = true)]
async fn t_03_the_version_is_said_on_the_first_page_only() {
    let live = live();
    let api = maps(&live, 3).await;
    let version = api.list(&ListOptions::default()).await.unwrap().resource_version;
    live.asked();
    let options = ListOptions { resource_version: version.clone(), ..by(2) };
    let page = api.list_all(&options).await.unwrap();
    assert_eq!((page.items.len(), page.continue_.as_str()), (3, ""));
    let asked = live.asked();
    assert!(asked[0].contains(&format!("resourceVersion={version}")), "{asked:?}");
    assert!(!asked[1].contains("resourceVersion"), "{asked:?}");
}

/// A pager whose version the server has forgotten after the first page.
async fn forgotten(live: &Live, api: &Api<ConfigMap>, expired: Expired) -> (usize, String) {
    let mut pager = api.pager(&by(2)).on_expired(expired);
    let first = pager.next_page().await.unwrap().unwrap().items.len();
    assert_eq!(first, 2);
    let late = object!(ConfigMap { metadata: { name: "z" } });
    api.create(&late, &CreateOptions::default()).await.unwrap();
    live.server.compact(live.server.revision());
    let mut count = first;
    loop {
        match pager.next_page().await {
            Ok(Some(page)) => count += page.items.len(),
            Ok(None) => return (count, String::new()),
            Err(error) => {
                assert!(error.is_gone(), "{error}");
                return (count, error.to_string());
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn t_03_a_forgotten_version_is_told_between_pages() {
    let live = live();
    let api = maps(&live, 5).await;
    let (count, error) = forgotten(&live, &api, Expired::FullList).await;
    assert_eq!(count, 2);
    assert!(error.starts_with("list configmaps in default: "), "{error}");
}

#[tokio::test(start_paused = true)]
async fn t_03_or_the_pages_go_on_with_the_new_token() {
    let live = live();
    let api = maps(&live, 5).await;
    assert_eq!(forgotten(&live, &api, Expired::GoOn).await, (6, String::new()));
}

#[tokio::test(start_paused = true)]
async fn t_03_a_list_of_all_starts_over_at_once() {
    let gone = crate::failure(410, "Expired", "the continue parameter is too old");
    let page = |token: &str, name: &str| {
        let map = crate::config_map(name, 7);
        let meta = serde_json::json!({ "resourceVersion": "7", "continue": token });
        let list = serde_json::json!({ "kind": "ConfigMapList", "metadata": meta, "items": [map] });
        crate::fake::ok(&list.to_string())
    };
    let first = ListOptions { resource_version: "5".to_owned(), ..by(1) };
    let fake = crate::fake::Fake::new([
        page("t", "a"),
        crate::fake::status(410, &gone),
        page("", "b"),
        page("t", "a"),
        crate::fake::status(410, &gone),
        page("u", "a"),
        page("", "b"),
        crate::fake::status(410, &gone),
    ]);
    let api = fake.client().api::<ConfigMap>();
    let all = api.list_all(&first).await.unwrap();
    assert_eq!(all.items.len(), 1);
    // What is sent in pages although none are asked for is followed to its end.
    let all = api.list_all(&first).await.unwrap();
    assert_eq!((all.items.len(), &*all.continue_), (2, ""));
    let asked = fake.asked();
    assert_eq!(
        asked[2], "GET /api/v1/configmaps?resourceVersion=5",
        "as first asked, without pages"
    );
    assert!(api.list_all(&first).await.unwrap_err().is_gone(), "not on the first page");
}
